/*
 * Every state in which a task can be when a recording begins, and every way on from there: the new
 * model must show what the old one shows. Task 7 runs on CPU 0 and 9 on CPU 1; it is 7 that has the
 * state, 8 that takes its CPU, and CPU 1 to which it comes.
 */
#include "model_story.h"
#include "unit.h"

enum {
	PART_STEPS = 8
};

struct part {
	const char *name;
	struct step steps[PART_STEPS];
	bool runs;    /* at its end 7 is on CPU 0, and leaves it before it goes on */
	bool is_gone; /* only the first ways on are left */
};

/* clang-format off */
static const struct part STATES[] = {
	{"running", .runs = true},
	{"preempted", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"preempted_by_yield", .steps = {
		{YIELD, .tid = 7, .time = 1490},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"yielding", .steps = {{YIELD, .tid = 7, .time = 1590}}, .runs = true},
	{"blocked", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = -1}}},
	{"asleep", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_SLEEPING}}},
	{"uninterruptible", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP}}},
	{"stopped", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_STOPPED}}},
	{"traced", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_TRACED}}},
	{"parked", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_PARKED}}},
	{"idle", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_IDLE}}},
	{"woken", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .waker = 9, .time = 1550}}},
	{"woken_from_uninterruptible", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP},
		{WAKEUP, .cpu = 1, .tid = 7, .waker = 9, .time = 1550}}},
	{"woken_before_it_leaves", .steps = {{WAKEUP, .cpu = 1, .tid = 7, .waker = 9, .time = 1650}}, .runs = true},
	{"woken_after_preemption", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{WAKEUP, .cpu = 1, .tid = 7, .waker = 9, .time = 1550}}},
	{"ending", .steps = {{EXIT, .tid = 7, .time = 1400}}, .runs = true},
	{"preempted_while_ending", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"asleep_while_ending", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP}}},
	{"dead", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DEAD}}, .is_gone = true},
	{"dead_and_not_reported", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_ZOMBIE}}},
	{"newborn", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1300},
		{FORK, .cpu = 1, .tid = 7, .parent = 9, .time = 1500}}},
	{"newborn_and_woken", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1300},
		{FORK, .cpu = 1, .tid = 7, .parent = 9, .time = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .waker = 9, .time = 1510}}},
	{"newborn_of_a_task_with_a_name", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1300},
		{FACTS, .tid = 9, .name = "nine", .command_line = "nine -9", .cgroup = "/nine", .session = 9, .uid = 99, .time = 1400},
		{FORK, .cpu = 1, .tid = 7, .parent = 9, .time = 1500}}},
	{"renamed", .steps = {
		{FACTS, .tid = 7, .name = "old", .command_line = "old -7", .time = 1300},
		{COMM, .tid = 7, .name = "new", .time = 1400}}, .runs = true},
	{"with_a_new_program", .steps = {
		{FACTS, .tid = 7, .name = "old", .command_line = "old -7", .uid = 77, .time = 1300},
		{COMM, .tid = 7, .name = "new", .exec = true, .time = 1400}}, .runs = true},
	{"with_facts", .steps = {
		{FACTS, .tid = 7, .name = "seven", .command_line = "seven -7", .cgroup = "/seven", .session = 3, .parent = 3, .uid = 77, .time = 1300},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500}}},
	{"without_its_parent", .steps = {
		{FACTS, .tid = 7, .name = "seven", .command_line = "seven -7", .cgroup = "/seven", .session = 3, .parent = 4, .uid = 77, .time = 1300},
		{EXIT, .tid = 4, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500}}},
	{"with_threads_and_without_its_parent", .steps = {
		{FORK, .cpu = 1, .pid = 5, .tid = 12, .parent = 9, .time = 1200},
		{FACTS, .tid = 5, .name = "five", .command_line = "five -5", .parent = 4, .time = 1300},
		{FACTS, .pid = 5, .tid = 12, .name = "six", .time = 1300},
		{EXIT, .tid = 4, .time = 1400}}, .runs = true},
	{"ending_after_its_parent", .steps = {
		{FACTS, .tid = 7, .name = "seven", .parent = 4, .time = 1300},
		{EXIT, .tid = 4, .time = 1400},
		{EXIT, .tid = 7, .time = 1450},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"ending_long_after_its_parent", .steps = {
		{FACTS, .tid = 7, .name = "seven", .parent = 4, .time = 1300},
		{EXIT, .tid = 7, .time = 1400},
		{EXIT, .tid = 4, .time = 1450},
		{CLOSE, .time = 1460},
		{CLOSE, .time = 1470},
		{CLOSE, .time = 1480}}, .runs = true},
	{"ending_in_a_process_without_its_parent", .steps = {
		{FACTS, .pid = 5, .tid = 7, .name = "seven", .parent = 4, .time = 1300},
		{EXIT, .pid = 5, .tid = 7, .time = 1400},
		{EXIT, .tid = 4, .time = 1450},
		{SAMPLE, .pid = 5, .tid = 7, .seq = 11, .ns = 1500, .values = {250, 200}},
		{SWITCH_OUT, .pid = 5, .tid = 7, .next = 8, .preempted = true, .time = 1500},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1500}}},
	{"ending_before_its_process_has_a_parent", .steps = {
		{COMM, .pid = 5, .tid = 7, .name = "seven", .time = 1300},
		{EXIT, .pid = 5, .tid = 7, .time = 1400},
		{FACTS, .tid = 5, .name = "five", .parent = 3, .time = 1450},
		{SAMPLE, .pid = 5, .tid = 7, .seq = 11, .ns = 1500, .values = {250, 200}},
		{SWITCH_OUT, .pid = 5, .tid = 7, .next = 8, .preempted = true, .time = 1500},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1500}}},
	{"lost_when_preempted", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LOST, .cpu = 1, .lost = 1, .time = 1550}}},
	{"lost_before", .steps = {
		{LOST, .cpu = 1, .lost = 1, .time = 1450},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"preempted_while_details_are_left_out", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"preempted_while_ending_and_details_are_left_out", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true}}},
	{"asleep_while_ending_and_details_are_left_out", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP}}},
};

/* So that states are known. */
static const struct part BEGINNING = {.steps = {
	{SAMPLE, .cpu = 1, .tid = 9, .seq = 21, .ns = 1100},
	{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 6, .time = 1100},
	{SWITCH_IN, .cpu = 1, .tid = 6, .prev = 9, .time = 1100},
}};

static const struct part LEAVES[] = {
	{"blocks", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1640}}},
	{"is_preempted", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1640, .preempted = true}}},
	{"dies", .steps = {{LEAVE_FOR_8, .seq = 11, .ns = 1640, .state = TASK_STATE_DEAD}}},
};

#define COME \
	{SAMPLE, .cpu = 1, .tid = 6, .seq = 22, .ns = 1700}, \
	{SWITCH_OUT, .cpu = 1, .tid = 6, .next = 7, .time = 1700}, \
	{SWITCH_IN, .cpu = 1, .tid = 7, .prev = 6, .time = 1700}
#define LEAVE \
	{SAMPLE, .cpu = 1, .tid = 7, .seq = 23, .ns = 1800}, \
	{SWITCH_OUT, .cpu = 1, .tid = 7, .next = 9, .time = 1800, .state = TASK_STATE_DEAD}

static const struct part WAYS_ON[] = {
	{"stays_there", .steps = {{.kind = STORY_END}}},
	{"loses_its_parent", .steps = {{EXIT, .tid = 3, .time = 1650}}},
	{"is_another", .steps = {{FORK, .cpu = 1, .tid = 7, .parent = 9, .time = 1650}, COME}},
	{"comes", .steps = {COME}},
	{"is_woken", .steps = {{WAKEUP, .tid = 7, .waker = 8, .time = 1650}}},
	{"is_woken_and_comes", .steps = {{WAKEUP, .tid = 7, .waker = 8, .time = 1650}, COME}},
	{"ends", .steps = {COME, {EXIT, .cpu = 1, .tid = 7, .time = 1750}, LEAVE}},
	{"comes_and_leaves", .steps = {COME, LEAVE}},
	{"ends_elsewhere", .steps = {{EXIT, .tid = 7, .time = 1650}}},
	{"is_renamed", .steps = {{COMM, .tid = 7, .name = "renamed", .time = 1650}}},
	{"begins_a_program", .steps = {{COMM, .tid = 7, .name = "program", .exec = true, .time = 1650}}},
	{"has_a_child", .steps = {{FORK, .tid = 11, .parent = 7, .time = 1650}}},
	{"is_not_seen", .steps = {{LOST, .cpu = 1, .lost = 1, .time = 1650}, COME}},
	{"is_asked", .steps = {{RUN_DELAY, .tid = 7, .wait_ns = 50, .time = 1650}, COME}},
	{"is_introduced", .steps = {{FACTS, .tid = 9, .name = "IX", .time = 1650}, {FACTS, .tid = 7, .name = "VII", .time = 1650}}},
};
/* clang-format on */

enum {
	STORIES_MAX = COUNT_OF(STATES) * COUNT_OF(LEAVES) * COUNT_OF(WAYS_ON),
	WAYS_OF_THE_GONE = 3,
	NAME_SIZE = 120
};

struct composer {
	struct story *stories;
	char (*names)[NAME_SIZE];
	size_t count;
};

static struct step *append(struct step *to, const struct part *part)
{
	for (size_t i = 0; i < PART_STEPS && part->steps[i].kind != STORY_END; i++)
		*to++ = part->steps[i];
	return to;
}

/* leave: NULL: it has left. */
static void compose(struct composer *composer, const struct part *state, const struct part *leave,
		    const struct part *way)
{
	struct story *story = &composer->stories[composer->count];
	char *name = composer->names[composer->count++];
	struct step *to = append(append(story->steps, &BEGINNING), state);

	snprintf(name, NAME_SIZE, "resync_of_a_task_%s_that%s%s_%s", state->name, leave ? "_" : "",
		 leave ? leave->name : "", way->name);
	story->name = name;
	*to++ = (struct step){SPLIT, .time = 1600};
	if (leave)
		to = append(to, leave);
	to = append(to, way);
	*to++ = (struct step){CLOSE, .time = 2000};
	*to++ = (struct step){CLOSE, .time = 3000};
}

int main(void)
{
	struct composer composer = {
		.stories = xcalloc(STORIES_MAX, sizeof(struct story)),
		.names = xcalloc(STORIES_MAX, NAME_SIZE),
	};
	int failed;

	for (size_t s = 0; s < COUNT_OF(STATES); s++)
		for (size_t l = 0; l < (STATES[s].runs ? COUNT_OF(LEAVES) : 1); l++)
			for (size_t w = 0;
			     w < (STATES[s].is_gone ? WAYS_OF_THE_GONE : COUNT_OF(WAYS_ON)); w++)
				compose(&composer, &STATES[s], STATES[s].runs ? &LEAVES[l] : NULL,
					&WAYS_ON[w]);
	failed = story_run_all(composer.stories, composer.count, kit_running);
	free(composer.stories);
	free(composer.names);
	return failed;
}
