/*
 * A model that learns what another one knows counts on as that one does. Of whole sessions
 * test_recording_runs.c says so; here are the moments that are rare. What is checked from SPLIT on
 * is the new one.
 */
#include "model_story.h"
#include "unit.h"

/* All groups are always on. */
static struct model *begin_empty(size_t groups)
{
	struct layout layout;
	struct model *model;

	kit_layout(&layout, groups);
	for (size_t i = 0; i < groups; i++)
		layout.groups[i].rotation = 0;
	model = model_create(&layout);
	layout_fini(&layout);
	return model;
}

/* CPU 0 has switched from idle to tid 7 at 1000; its groups were read at 1100. */
static struct model *begin(size_t groups)
{
	struct model *model = begin_empty(groups);

	for (uint16_t g = 0; g < groups; g++)
		feed(model, sample(.group = g, .tid = 0, .seq = 5, .ns = 600, .time = 1000,
				   .values = {10, 20}));
	feed(model, switch_out(.tid = 0, .next = 7, .time = 1000));
	feed(model, switch_in(.tid = 7, .prev = 0, .time = 1000));
	for (uint16_t g = 0; g < groups; g++)
		feed(model,
		     reading(.group = g, .seq = 5, .ns = 700, .time = 1000, .values = {11, 21}));
	model_start(model, 1100);
	return model;
}

/* clang-format off */
static const struct story STORIES[] = {
	{"resync_in_the_middle_of_a_slice_goes_on", .groups = 2, .steps = {
		{READING, .seq = 5, .ns = 800, .time = 1000, .values = {15, 25}},
		{READING, .group = 1, .seq = 5, .ns = 800, .time = 1000, .values = {15, 25}},
		{SPLIT, .time = 1200},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 950, .time = 1350, .values = {115, 225}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 6, .ns = 950, .time = 1350, .values = {115, 225}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1350},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 150},
		{TASK, .tid = 7, .of = E0, .is = 100},
		{TASK, .tid = 7, .of = E3, .is = 200},
	}},
	{"resync_of_a_cpu_that_was_not_read_knows_what_was_entered", .groups = 2, .steps = {
		{UNREAD, .time = 1500},
		{SPLIT, .time = 1500},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 1300, .time = 1700, .values = {115, 225}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 6, .ns = 1300, .time = 1700, .values = {115, 225}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1700},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 200},
		{TASK, .tid = 7, .of = GROUP0_NS, .is = 600},
		{TASK, .tid = 7, .of = E0, .is = 104},
	}},
	/* After a loss the first reading of a switch is that of a task with other readings that may be lost. */
	{"resync_of_a_leaver_that_was_not_seen_to_come_charges_it_no_further", .groups = 2, .steps = {
		{LOST, .lost = 1, .time = 1150},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SPLIT, .time = 1200},
		{SAMPLE, .group = 1, .tid = NOBODY, .seq = 6, .ns = 800, .time = 1200, .values = {17, 28}},
		{SWITCH_OUT, .tid = NOBODY, .next = 8, .time = 1200},
		{CLOSE, .time = 1300},
		{UNATTRIBUTED, .of = E2, .is = 6},
	}},
	/* One that left without a record may do so again, so that what is read while it runs may be another one's. */
	{"resync_knows_which_task_leaves_without_a_record", .steps = {
		{SAMPLE, .tid = 8, .seq = 7, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1200},
		{SPLIT, .time = 1200},
		{READING, .seq = 7, .ns = 900, .time = 1300, .values = {16, 26}},
		{CLOSE, .time = 1300},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 100},
		{INFO, .tid = 7, .of = IS_SILENT, .is = 1},
		{SAMPLE, .tid = 7, .seq = 8, .ns = 1000, .time = 1400, .values = {17, 27}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1400},
		{CLOSE, .time = 1500},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 100},
		{INFO, .tid = 7, .of = IS_SILENT, .is = 0},
	}},
	/* Idle ran in between and left no records. */
	{"resync_after_a_hidden_idle_slice_divides_it", .groups = 2, .steps = {
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1200},
		{SPLIT, .time = 1250},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1300},
		{READING, .seq = 7, .ns = 1000, .time = 1300, .values = {20, 30}},
		{READING, .group = 1, .seq = 7, .ns = 1000, .time = 1300, .values = {20, 30}},
		{CLOSE, .time = 1400},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 100},
	}},
	{"resync_of_a_task_without_a_name_leaves_room_for_one", .steps = {
		{SPLIT, .time = 1200},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 900, .time = 1300, .values = {15, 25}, .name = "cc1"},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK_NAME, .tid = 7, .name = "cc1"},
	}},
	/* /proc has more to say of a kernel's worker than a switch, by which it went first. */
	{"resync_of_a_task_that_was_named_after_a_loss_keeps_the_name", .steps = {
		{LOST, .lost = 1, .time = 1150},
		{FACTS, .tid = 7, .name = "kworker/0:2-eve", .time = 1180},
		{SPLIT, .time = 1200},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 900, .time = 1300, .values = {15, 25}, .name = "kworker/0:2"},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK_NAME, .tid = 7, .name = "kworker/0:2-eve"},
	}},
	{"resync_of_a_task_that_was_named_since_details_are_left_out_keeps_the_name", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{FACTS, .tid = 7, .name = "kworker/0:2-eve", .time = 1180},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1200},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {15, 25}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SAMPLE, .tid = 7, .seq = 8, .ns = 920, .time = 1320, .values = {15, 25}, .name = "kworker/0:2"},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1320},
		{CLOSE, .time = 1400},
		{TASK_NAME, .tid = 7, .name = "kworker/0:2-eve"},
	}},
	{"resync_of_a_task_that_ends_shows_its_end", .steps = {
		{EXIT, .tid = 7, .time = 1150},
		{SPLIT, .time = 1200},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 900, .time = 1300, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1300},
		{CLOSE, .time = 1400},
		{INFO, .tid = 7, .of = IS_EXITED, .is = 1},
		{TASK, .tid = 7, .of = E0, .is = 4},
		{INTERVAL, .of = EXITED, .is = 0},
		{LOST, .time = 1400},
		{CLOSE, .time = 1500},
		{CLOSE, .time = 1600},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"resync_of_tasks_with_readings_of_their_own_goes_on", .groups = 2, .begin = begin_empty, .steps = {
		{FACTS, .tid = 7, .name = "seven", .time = 900, .command_line = "seven -7", .uid = 77, .parent = 3},
		{TASK_READING, .tid = 7, .restarts = true, .time = 900},
		{TASK_READING, .tid = 7, .group = 1, .restarts = true, .time = 900},
		{SWITCH_COUNT, .tid = 7, .voluntary = 10, .involuntary = 4, .time = 900},
		{START, .time = 1000},
		{TASK_READING, .tid = 7, .ns = 50, .values = {1, 2}, .time = 1100},
		{TASK_READING, .tid = 7, .group = 1, .ns = 50, .values = {3, 4}, .time = 1100},
		{SWITCH_COUNT, .tid = 7, .voluntary = 12, .involuntary = 5, .time = 1100},
		{SPLIT, .time = 1100},
		{TASK_READING, .tid = 7, .ns = 80, .values = {11, 22}, .time = 1200},
		{TASK_READING, .tid = 7, .group = 1, .ns = 80, .values = {33, 44}, .time = 1200},
		{SWITCH_COUNT, .tid = 7, .voluntary = 15, .involuntary = 6, .time = 1200},
		{CLOSE, .time = 1200},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 30},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 4},
		{TASK, .tid = 7, .of = E3, .is = 40},
		{TASK_COMMAND, .tid = 7, .name = "seven -7"},
	}},
	{"resync_of_waits_that_go_on_keeps_them", .steps = {
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 8, .preempted = true, .time = 1200},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1200},
		{READING, .seq = 6, .ns = 850, .time = 1200, .values = {16, 26}},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 50},
	}},
	/* It may have run meanwhile. */
	{"resync_of_waits_that_began_before_a_loss_doubts_them", .steps = {
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 8, .preempted = true, .time = 1200},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1200},
		{READING, .seq = 6, .ns = 850, .time = 1200, .values = {16, 26}},
		{LOST, .lost = 1, .time = 1220},
		{CLOSE, .time = 1250},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = LAYOUT_WAITS},
	}},
	/* It may have been awake, so that what wakes it is not what it waited for. */
	{"resync_of_a_task_that_ran_where_records_were_lost_is_no_birth", .steps = {
		{LOST, .lost = 1, .cpu = 0, .time = 1220},
		{CLOSE, .time = 1250},
		{SPLIT, .time = 1250},
		{WAKEUP, .tid = 7, .time = 1260},
		{SAMPLE, .tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUPS, .is = 0},
	}},
	{"resync_of_a_task_whose_run_delay_is_read_goes_on_from_there", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 5000, .time = 1100},
		{CLOSE, .time = 1250},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 900, .time = 1300, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1300},
		{RUN_DELAY, .tid = 7, .wait_ns = 5030, .time = 1400},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 30},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	{"resync_of_a_task_that_sleeps_knows_that_it_waits_for_no_cpu", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 5000, .time = 1100},
		{RUN_DELAY, .tid = 7, .wait_ns = 5000, .time = 1150},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1200},
		{CLOSE, .time = 1250},
		{SPLIT, .time = 1250},
		{CLOSE, .time = 1400},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	{"resync_of_a_task_that_was_woken_and_waits_for_a_cpu_knows_since_when", .steps = {
		{FORK, .tid = 9, .parent = 5, .time = 1110},
		{WAKEUP, .tid = 9, .time = 1120},
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1200},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1200},
		{WAKEUP, .tid = 7, .time = 1230},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1300},
		{SAMPLE, .tid = 7, .seq = 8, .ns = 920, .time = 1320, .values = {18, 28}},
		{SWITCH_OUT, .tid = 7, .next = 9, .time = 1320},
		{SWITCH_IN, .tid = 9, .prev = 7, .time = 1320},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 50},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUP_NS, .is = 70},
		{TASK, .tid = 9, .of = QUANTITY_WAKEUP_NS, .is = 200},
	}},
	/* Its CPU has been idle meanwhile: it is held back, and no other task was in its way. */
	{"resync_of_a_task_that_is_held_back_knows_it", .steps = {
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 0, .preempted = true, .time = 1200},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1200},
		{READING, .seq = 6, .ns = 810, .time = 1210, .values = {16, 26}},
		{SAMPLE, .tid = 0, .seq = 7, .ns = 820, .time = 1220, .values = {16, 26}},
		{SWITCH_OUT, .tid = 0, .next = 8, .time = 1220},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1220},
		{READING, .seq = 7, .ns = 850, .time = 1250, .values = {16, 26}},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 8, .seq = 8, .ns = 900, .time = 1300, .values = {17, 27}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 50},
		{TASK, .tid = 8, .of = E0, .is = 1},
	}},
	/* Nothing is noted of waits, neither here nor there. */
	{"resync_while_details_are_left_out_leaves_them_out", .steps = {
		{SAMPLE, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1200},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1200},
		{SHED, .is = MODEL_SHED_DETAIL},
		{SPLIT, .time = 1250},
		{SAMPLE, .tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1300},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1300},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 0},
		{SHED, .is = MODEL_SHED_NOTHING},
		{SAMPLE, .tid = 7, .seq = 8, .ns = 1020, .time = 1420, .values = {18, 28}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1420},
		{CLOSE, .time = 1500},
	}},
	/* No switch was reported because there was none. */
	{"resync_of_a_task_with_switch_records_knows_that_there_are_none", .begin = begin_empty, .steps = {
		{TASK_READING, .tid = 7, .restarts = true, .has_switch_records = true, .time = 900},
		{START, .time = 1000},
		{TASK_READING, .tid = 7, .ns = 50, .values = {1, 2}, .time = 1100},
		{SPLIT, .time = 1100},
		{TASK_READING, .tid = 7, .ns = 80, .values = {11, 22}, .time = 1200},
		{CLOSE, .time = 1200},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	{"resync_of_a_cpu_that_has_gone_believes_nothing_of_it", .steps = {
		{OFFLINE, .time = 1150},
		{SPLIT, .time = 1200},
		{READING, .seq = 5, .ns = 850, .time = 1000, .values = {16, 26}},
		{CLOSE, .time = 1250},
		{INTERVAL, .of = CPUS, .is = 0},
		{ONLINE, .time = 1260},
		{READING, .seq = 1, .ns = 10, .time = 1260, .values = {1, 2}},
		{READING, .seq = 1, .ns = 30, .time = 1260, .values = {2, 4}},
		{CLOSE, .time = 1300},
		{INTERVAL, .of = CPUS, .is = 1},
	}},
};
/* clang-format on */

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), begin);
}
