/* Why tasks are off the CPUs: for how long each was, where, and what is said of it when. */

#include <stdio.h>
#include <string.h>

#include "source/absences.h"

#include "unit.h"

enum {
	TEXT_MAX = 1024,
	TID = 8
};

static struct absences absences;
static char text[TEXT_MAX];
static size_t used;

static int set_up(void **state)
{
	absences = (struct absences){0};
	used = 0;
	text[0] = '\0';
	return 0;
}

static int tear_down(void **state)
{
	absences_forget(&absences);
	return 0;
}

static void say(const struct record *record)
{
	static const char *const kinds[] = {"on", "blocked", "preempted", "waker", "queued"};
	const struct record_sample *sample = &record->sample;

	assert_int_equal(record->kind, RECORD_SAMPLE);
	assert_int_equal(sample->weight, sample->ns);
	used += (size_t)snprintf(text + used, sizeof(text) - used, "%d %s %d in %d+%d; ",
				 record->tid, kinds[sample->kind], (int)sample->ns,
				 sample->kernel_count, sample->count - sample->kernel_count);
}

static struct record record_of(enum record_kind kind, int tid, int at)
{
	return (struct record){
		.kind = kind, .cpu = 1, .pid = 7, .tid = tid, .time_ns = (uint64_t)at};
}

static void place(int tid, int at, int kernel_count, int user_count)
{
	uint64_t frames[SAMPLE_FRAMES_MAX] = {0};
	struct record record = record_of(RECORD_SAMPLE, tid, at);

	record.sample = (struct record_sample){
		.frames = frames,
		.count = (uint16_t)(kernel_count + user_count),
		.kernel_count = (uint16_t)kernel_count,
	};
	absences_place(&absences, &record);
}

/* What the task says when it leaves, or comes. */
static struct record switch_of(bool leaves, int tid, int at)
{
	struct record record = record_of(RECORD_SWITCH, leaves ? tid : RECORD_TASK_UNKNOWN, at);

	record.ctx_switch = (struct record_switch){
		.next_pid = leaves ? RECORD_TASK_UNKNOWN : 7,
		.next_tid = leaves ? RECORD_TASK_UNKNOWN : tid,
		.knows_how = leaves,
	};
	return record;
}

static void come_or_leave(bool leaves, int tid, int at, bool is_preempted)
{
	struct record record = switch_of(leaves, tid, at), sample;

	record.ctx_switch.preempted = is_preempted;
	if (absences_switch(&absences, &record, &sample))
		say(&sample);
	while (absences_take_rest(&absences, &sample))
		say(&sample);
}

static void close_interval(int at)
{
	struct record sample;

	absences_close(&absences);
	while (absences_next_part(&absences, (uint64_t)at, &sample))
		say(&sample);
}

/*
 * Steps: "place 8 100 2+1", "blocks 8 100", "preempted 8 100", "back 8 100", "wakes 8 100",
 * "exits 8 100", "close 100", "forget".
 */
static void take_step(const char *step)
{
	int tid = 0, at = 0, kernel_count = 0, user_count = 0;

	if (sscanf(step, "place %d %d %d+%d", &tid, &at, &kernel_count, &user_count) == 4)
		place(tid, at, kernel_count, user_count);
	else if (sscanf(step, "blocks %d %d", &tid, &at) == 2)
		come_or_leave(true, tid, at, false);
	else if (sscanf(step, "preempted %d %d", &tid, &at) == 2)
		come_or_leave(true, tid, at, true);
	else if (sscanf(step, "back %d %d", &tid, &at) == 2)
		come_or_leave(false, tid, at, false);
	else if (sscanf(step, "wakes %d %d", &tid, &at) == 2)
		absences_wake(&absences, tid, (uint64_t)at);
	else if (sscanf(step, "exits %d", &tid) == 1)
		absences_exit(&absences, tid);
	else if (sscanf(step, "close %d", &at) == 1)
		close_interval(at);
	else if (strcmp(step, "forget") == 0)
		absences_forget(&absences);
	else
		fail_msg("%s: no such step", step);
}

/* clang-format off */
static const struct {
	const char *about;
	const char *steps[10];
	const char *said;
} stories[] = {
	{"an absence is counted where it ends",
	 {"place 8 90 2+1", "blocks 8 100", "back 8 400"}, "8 blocked 300 in 2+1; "},
	{"what is pushed out is apart",
	 {"place 8 90 2+1", "preempted 8 100", "back 8 150", "place 8 190 3+1", "blocks 8 200", "back 8 250"},
	 "8 preempted 50 in 2+1; 8 blocked 50 in 3+1; "},
	{"tasks are not mixed",
	 {"place 8 90 2+1", "blocks 8 100", "place 9 110 1+0", "blocks 9 120", "back 8 130", "back 9 220"},
	 "8 blocked 30 in 2+1; 9 blocked 100 in 1+0; "},
	{"one of several intervals has a part in each",
	 {"place 8 90 2+1", "blocks 8 100", "close 1000", "close 2000", "back 8 2300", "close 3000"},
	 "8 blocked 900 in 2+1; 8 blocked 1000 in 2+1; 8 blocked 300 in 2+1; "},
	{"what runs has none",
	 {"place 8 90 2+1", "blocks 8 100", "back 8 200", "close 1000"}, "8 blocked 100 in 2+1; "},
	{"one that began before is not known", {"back 8 100", "close 1000"}, ""},
	{"a place that is not reported is not that of the last time",
	 {"place 8 90 2+1", "blocks 8 100", "back 8 200", "blocks 8 300", "back 8 350", "close 1000", "close 2000"},
	 "8 blocked 100 in 2+1; 8 blocked 50 in 0+0; "},
	{"one with a place stands for those before it, as long as it is itself",
	 {"blocks 8 100", "back 8 200", "blocks 8 300", "back 8 400", "place 8 490 2+1", "blocks 8 500", "back 8 530", "close 1000"},
	 "8 blocked 90 in 2+1; 8 blocked 140 in 0+0; "},
	{"and for no more than they took",
	 {"blocks 8 100", "back 8 110", "place 8 190 2+1", "blocks 8 200", "back 8 300", "place 8 390 2+1", "blocks 8 400", "back 8 500", "close 1000"},
	 "8 blocked 110 in 2+1; 8 blocked 100 in 2+1; "},
	{"in the interval in which it begins",
	 {"blocks 8 100", "back 8 150", "place 8 190 2+1", "blocks 8 200", "close 240", "close 300"},
	 "8 blocked 80 in 2+1; 8 blocked 10 in 0+0; 8 blocked 60 in 2+1; "},
	{"what blocked does not stand for what was pushed out",
	 {"preempted 8 100", "back 8 110", "place 8 190 2+1", "blocks 8 200", "back 8 300", "close 1000"},
	 "8 blocked 100 in 2+1; 8 preempted 10 in 0+0; "},
	{"without a place one of several intervals has a part in each",
	 {"blocks 8 100", "close 1000", "close 2000", "back 8 2300", "close 3000"},
	 "8 blocked 900 in 0+0; 8 blocked 1000 in 0+0; 8 blocked 300 in 0+0; "},
	{"a task that ends takes nothing with it",
	 {"blocks 8 100", "back 8 150", "exits 8", "blocks 8 200", "close 1000", "close 2000"},
	 "8 blocked 50 in 0+0; "},
	{"a task that ends is gone for good",
	 {"place 8 90 2+1", "blocks 8 100", "back 8 200", "exits 8", "place 8 300 4+0", "blocks 8 310", "close 1000", "close 2000"},
	 "8 blocked 100 in 2+1; "},
	{"one that ends may be pushed out before",
	 {"exits 8", "place 8 90 2+0", "preempted 8 100", "back 8 150", "place 8 160 3+0", "blocks 8 170", "close 1000"},
	 "8 preempted 50 in 2+0; "},
	{"its number may be another's soon",
	 {"exits 8", "close 1000", "close 2000", "place 8 2010 2+1", "blocks 8 2020", "back 8 2030"},
	 "8 blocked 10 in 2+1; "},
	{"after a loss nothing is known of what was off",
	 {"place 8 90 2+1", "blocks 8 100", "forget", "back 8 400", "close 1000"}, ""},
	{"idle and unknown tasks are none",
	 {"place 0 90 2+0", "blocks 0 100", "back 0 200", "place -1 90 2+0", "blocks -1 100", "close 1000"}, ""},
	{"no time is no absence",
	 {"place 8 90 2+1", "blocks 8 100", "back 8 100", "close 1000", "back 8 1100"}, ""},
	{"from the wake-up on it waits for a CPU",
	 {"place 8 90 2+1", "blocks 8 100", "wakes 8 250", "wakes 8 260", "back 8 400", "place 8 490 1+0", "blocks 8 500", "back 8 600"},
	 "8 blocked 150 in 2+1; 8 queued 150 in 2+1; 8 blocked 100 in 1+0; "},
	{"what is woken ahead of its switches is put in its place",
	 {"place 8 40 1+0", "blocks 8 50", "wakes 8 60", "wakes 8 150", "back 8 70", "place 8 90 2+1", "blocks 8 100", "back 8 160"},
	 "8 blocked 10 in 1+0; 8 queued 10 in 1+0; 8 blocked 50 in 2+1; 8 queued 10 in 2+1; "},
	{"a wait that is in several intervals has a part in each",
	 {"place 8 90 2+1", "blocks 8 100", "wakes 8 600", "close 1000", "back 8 1500"},
	 "8 blocked 500 in 2+1; 8 queued 400 in 2+1; 8 queued 500 in 2+1; "},
	{"waits without a place are said without",
	 {"blocks 8 100", "wakes 8 300", "back 8 400", "close 1000"}, "8 blocked 200 in 0+0; 8 queued 100 in 0+0; "},
	{"what was pushed out is not woken",
	 {"place 8 90 2+1", "preempted 8 100", "wakes 8 120", "back 8 150"}, "8 preempted 50 in 2+1; "},
	{"a record that is late takes nothing back",
	 {"place 8 90 2+1", "blocks 8 100", "close 1000", "back 8 900", "close 2000"},
	 "8 blocked 900 in 2+1; "},
};
/* clang-format on */

UNIT_TEST(absences_of_each_story_are_said_once)
{
	for (size_t i = 0; i < COUNT_OF(stories); i++) {
		begin_case(stories[i].about);
		set_up(NULL);
		for (size_t j = 0; j < COUNT_OF(stories[i].steps) && stories[i].steps[j]; j++)
			take_step(stories[i].steps[j]);
		assert_string_equal(text, stories[i].said);
		tear_down(NULL);
	}
}

UNIT_TEST(absences_are_bounded)
{
	for (int tid = 1; tid <= ABSENCES_MAX + 10; tid++) {
		place(tid, 90, 1, 0);
		come_or_leave(true, tid, 100, false);
	}
	assert_int_equal(absences.count, ABSENCES_MAX);
	come_or_leave(false, ABSENCES_MAX + 10, 200, false);
	assert_string_equal(text, "");
	come_or_leave(false, ABSENCES_MAX, 200, false);
	assert_int_not_equal(used, 0);
}

/* Whatever happens, no time is counted twice: what all tasks were off is no more than there was. */
UNIT_TEST(absences_of_any_records_are_no_more_than_the_time)
{
	enum {
		TASKS = 5,
		STEPS = 20000
	};
	uint64_t off_ns[TASKS + 1] = {0};
	uint32_t random = 1;

	for (int at = 1; at < STEPS; at++) {
		struct record record, sample;

		random = random * 1664525u + 1013904223u;
		const int tid = 1 + (int)((random >> 12) % TASKS);

		record = switch_of((random >> 8) % 2, tid, at);
		switch ((random >> 20) % 16) {
		case 0:
			absences_exit(&absences, tid);
			break;
		case 1:
			absences_close(&absences);
			while (absences_next_part(&absences, (uint64_t)at, &sample))
				off_ns[sample.tid] += sample.sample.ns;
			break;
		default:
			if (absences_switch(&absences, &record, &sample))
				off_ns[sample.tid] += sample.sample.ns;
		}
		for (int i = 1; i <= TASKS; i++)
			assert_true(off_ns[i] <= (uint64_t)at);
	}
}

/*
 * Of a task that sleeps long at each tenth switch, and of which one in seven has a place: the sum
 * is exact, and the long ones have their share though few of them were met.
 */
UNIT_TEST(absences_that_stand_for_others_have_their_shares)
{
	enum {
		TIMES = 70000,
		SHORT_NS = 10,
		LONG_NS = 1000
	};
	uint64_t off_ns = 0, long_ns = 0, unplaced_ns = 0;
	struct record record, sample;
	uint32_t random = 1;
	uint64_t wanted_ns = 0;
	int at = 1;

	for (int i = 0; i < TIMES; i++) {
		bool is_long;

		random = random * 1664525u + 1013904223u;
		is_long = (random >> 16) % 10 == 0;
		if (i % 7 == 0)
			place(TID, at, is_long ? 2 : 1, 0);
		record = switch_of(true, TID, at);
		absences_switch(&absences, &record, &sample);
		at += is_long ? LONG_NS : SHORT_NS;
		wanted_ns += is_long ? LONG_NS : SHORT_NS;
		record = switch_of(false, TID, at);
		if (absences_switch(&absences, &record, &sample)) {
			off_ns += sample.sample.ns;
			long_ns += sample.sample.count == 2 ? sample.sample.ns : 0;
		}
	}
	absences_close(&absences);
	while (absences_next_part(&absences, (uint64_t)at, &sample))
		unplaced_ns += sample.sample.ns;
	assert_true(off_ns + unplaced_ns == wanted_ns);
	assert_true(unplaced_ns * 10 < wanted_ns);
	assert_in_range(1000 * long_ns / off_ns, 900, 935); /* 1000 of each 1090 */
}

UNIT_MAIN(set_up, tear_down)
