/* Switches of tasks that are counted one by one: their own records, and nothing of the other side.
 */
#include "model_story.h"
#include "unit.h"

static struct model *begin(size_t groups)
{
	struct model *model = kit_model(groups);

	model_keep_history(model, KIT_HISTORY);
	feed(model,
	     task_reading(.tid = 7, .restarts = true, .has_switch_records = true, .ns = 1000));
	feed(model,
	     task_reading(.tid = 8, .restarts = true, .has_switch_records = true, .ns = 1000));
	model_start(model, 1000);
	return model;
}

/* clang-format off */
static const struct story STORIES[] = {
	{"waits_are_entered_for_the_task", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1200, .preempted = true},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1230},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1300},
		{WAKEUP, .tid = 7, .time = 1340},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1350},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400, .preempted = true},
		{CLOSE, .time = 1500},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 130},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 50},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUP_NS, .is = 10},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 140},
		{TIMING, .tid = 7, .of = SLICES_NS, .is = 100 + 70 + 50},
		{TIMING, .tid = 7, .of = PREEMPTED_NS, .is = 30},
		{TIMING, .tid = 7, .of = WAKEUPS_NS, .is = 10},
	}},
	{"departure_is_a_switch_without_counts", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400, .preempted = true},
		{LAST, .of = LEFT, .is = 7},
		{LAST, .of = CAME_ACTOR, .is = ACTOR_UNKNOWN},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
		{LAST, .of = SLICE_NS, .is = 300},
		{LAST, .of = TIME_NS, .is = 1400},
		{LAST, .of = ON_CPU, .is = 2},
		{LAST, .of = FROM_CPU, .is = -1},
		{LAST, .of = HAS_COUNTS, .is = 0},
		{LAST, .of = OFF_NS, .is = -1},
		{LAST, .of = WAIT_NS, .is = -1},
		{ENTRIES, .is = 2},
	}},
	{"arrival_is_a_switch_of_whom_is_unknown", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400, .preempted = true},
		{SWITCH_IN, .cpu = 3, .tid = 7, .prev = NOBODY, .time = 1600},
		{LAST, .of = LEFT_ACTOR, .is = ACTOR_UNKNOWN},
		{LAST, .of = HOW, .is = SWITCH_UNKNOWN},
		{LAST, .of = SLICE_NS, .is = -1},
		{LAST, .of = CAME, .is = 7},
		{LAST, .of = OFF_NS, .is = 200},
		{LAST, .of = WAIT_NS, .is = 200},
		{LAST, .of = CAME_PREEMPTED, .is = 1},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
		{LAST, .of = FROM_CPU, .is = 2},
		{LAST, .of = ON_CPU, .is = 3},
		{LAST, .of = HAS_COUNTS, .is = 0},
	}},
	{"slice_whose_beginning_was_not_seen_is_unknown", .steps = {
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400},
		{LAST, .of = SLICE_NS, .is = -1},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1500},
		{LAST, .of = SLICE_NS, .is = -1},
		{INFO, .tid = 7, .of = HAS_TIMING, .is = 0},
	}},
	{"slice_that_began_after_another_departure_is_unknown", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1500},
		{LAST, .of = SLICE_NS, .is = -1},
	}},
	{"slice_with_a_loss_is_unknown", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{LOST, .cpu = RECORD_CPU_NONE, .lost = 1, .time = 1200},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400},
		{LAST, .of = SLICE_NS, .is = -1},
	}},
	{"slice_where_not_all_cpus_are_watched_is_known", .steps = {
		{PARTIAL, .is = 1},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400},
		{LAST, .of = SLICE_NS, .is = 300},
	}},
	{"ways_to_leave_are_told", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1200},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1300},
		{YIELD, .cpu = 2, .tid = 7, .time = 1350},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_YIELDED},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1500},
		{EXIT, .cpu = 2, .tid = 7, .time = 1550},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1600},
		{LAST, .of = HOW, .is = SWITCH_EXITED},
	}},
	{"run_delays_are_entered_for_the_task", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 50},
		{RUN_DELAY, .tid = 7, .wait_ns = 80},
		{CLOSE, .time = 1500},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 30},
	}},
	{"unknown_queue_stays_unknown_when_switches_are_told", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 50},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{CLOSE, .time = 1500},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 1u << QUANTITY_QUEUED_NS},
	}},
	{"shed_switches_are_counted", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1200, .preempted = true},
		{CLOSE, .time = 1500},
		{ENTRIES, .is = 0},
		{INTERVAL, .of = SHED_SWITCHES, .is = 2},
		{INTERVAL, .of = SHED_DETAILS, .is = 1},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 1},
	}},
	{"slice_that_began_while_details_were_shed_is_unknown", .steps = {
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1150, .preempted = true},
		{SHED, .is = MODEL_SHED_DETAIL},
		{SWITCH_IN, .cpu = 2, .tid = 7, .prev = NOBODY, .time = 1200},
		{SHED, .is = MODEL_SHED_NOTHING},
		{SWITCH_OUT, .cpu = 2, .tid = 7, .next = NOBODY, .time = 1400, .preempted = true},
		{LAST, .of = SLICE_NS, .is = -1},
	}},
};
/* clang-format on */

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), begin);
}
