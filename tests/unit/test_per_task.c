/* Tasks that are counted one by one, where CPUs may not be. */
#include <math.h>

#include "model_story.h"
#include "unit.h"

enum {
	UNKNOWN_SWITCHES = 1 << QUANTITY_SWITCHES | 1 << QUANTITY_PREEMPTIONS,
	UNKNOWN_TIMES = 1 << QUANTITY_MIGRATIONS | 1 << QUANTITY_PREEMPTED_NS | 1 << QUANTITY_OFF_NS
};

static struct model *begin(size_t groups)
{
	struct model *model = kit_model(groups);

	for (size_t g = 0; g < groups; g++)
		feed(model, task_reading(.group = (uint16_t)g, .tid = 7, .ns = 1000,
					 .values = {100, 200}));
	model_start(model, 1000);
	return model;
}

UNIT_TEST(task_on_two_kinds_of_cpus_has_the_sum_of_both)
{
	struct layout layout;

	layout_init(&layout);
	layout.kind_count = 2;
	layout.kinds[1].clock = (uint16_t)layout_add_group(&layout, 1, 0);
	layout_add_event(&layout, "cycles");
	layout_add_counter(&layout, 0, 0);
	layout_add_counter(&layout, 1, 0);
	struct model *model = model_create(&layout);
	layout_fini(&layout);
	for (uint16_t g = 0; g < 2; g++)
		feed(model, task_reading(.group = g, .tid = 7, .ns = 0));
	model_start(model, 1000);
	feed(model, task_reading(.group = 0, .tid = 7, .ns = 300, .values = {10}));
	feed(model, task_reading(.group = 1, .tid = 7, .ns = 500, .values = {40}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 800);
	assert_int_equal(task_count(snapshot, 7, layout_kind_index(snapshot->layout, 0)), 300);
	assert_int_equal(task_count(snapshot, 7, layout_kind_index(snapshot->layout, 1)), 500);
	assert_int_equal(layout_event_count(snapshot->layout, 0, find_task(snapshot, 7)->interval),
			 50);
	model_destroy(model);
}

UNIT_TEST(snapshot_has_no_cpus_and_everything_is_attributed)
{
	struct model *model = begin(1);

	feed(model, task_reading(.tid = 7, .ns = 1300, .values = {110, 200}));
	feed(model, switch_out(.cpu = 3, .tid = 7, .next = NOBODY, .time = 1300));
	const struct snapshot *first = model_close_interval(model, 2000);
	assert_int_equal(first->cpu_count, 0);
	assert_true(first->attributed_pct == 100.0);

	const struct snapshot *second = model_close_interval(model, 3000);
	assert_true(isnan(second->attributed_pct));
	model_destroy(model);
}

/* clang-format off */
static const struct story STORIES[] = {
	{"reading_without_progress_is_no_run", .steps = {
		{TASK_READING, .tid = 7, .ns = 1000, .values = {100, 200}},
		{CLOSE, .time = 2000},
		{WANTED, .is = 0},
		{INFO, .tid = 7, .of = HAS_RUN, .is = 0},
		{INTERVAL, .of = RAN, .is = 0},
	}},
	{"reading_goes_to_its_task", .steps = {
		{TASK_READING, .tid = 7, .ns = 1300, .off_ns = 100, .values = {110, 200}},
		{TASK_READING, .group = 1, .tid = 7, .ns = 1200, .values = {103, 204}},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 7, .of = GROUP0_NS, .is = 200},
		{TASK, .tid = 7, .of = GROUP1_NS, .is = 200},
		{TASK, .tid = 7, .of = E0, .is = 10},
		{TASK, .tid = 7, .of = E2, .is = 3},
		{TASK, .tid = 7, .of = E3, .is = 4},
	}, .groups = 2},
	{"broken_task_reading_is_counted_and_starts_anew", .steps = {
		{TASK_READING, .tid = 7, .ns = 1300, .values = {90, 200}},
		{TASK_READING, .tid = 7, .ns = 1400, .values = {95, 200}},
		{INTERVAL, .of = BROKEN_READINGS, .is = 1},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 100},
		{TASK, .tid = 7, .of = E0, .is = 5},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
	}},
	{"switch_records_count_for_the_task", .steps = {
		{SWITCH_IN, .cpu = 0, .tid = 7, .prev = NOBODY, .time = 1000},
		{SWITCH_OUT, .cpu = 0, .tid = 7, .next = NOBODY, .time = 1100, .preempted = true},
		{SWITCH_IN, .cpu = 1, .tid = 7, .prev = NOBODY, .time = 1200},
		{SWITCH_OUT, .cpu = 1, .tid = 7, .next = NOBODY, .time = 1300},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 2},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 1},
		{TASK, .tid = 7, .of = QUANTITY_MIGRATIONS, .is = 1},
		{INFO, .tid = 7, .of = LAST_CPU, .is = 1},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	{"switch_counts_are_differences_of_absolute_numbers", .steps = {
		{SWITCH_COUNT, .tid = 7, .voluntary = 50, .involuntary = 5},
		{SWITCH_COUNT, .tid = 7, .voluntary = 53, .involuntary = 6},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 4},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 1},
		{INFO, .tid = 7, .of = UNKNOWN, .is = UNKNOWN_TIMES},
	}},
	{"switch_counts_are_ignored_where_records_come", .steps = {
		{SWITCH_COUNT, .tid = 7, .voluntary = 50, .involuntary = 5},
		{SWITCH_OUT, .cpu = 0, .tid = 7, .next = NOBODY, .time = 1100},
		{SWITCH_COUNT, .tid = 7, .voluntary = 51, .involuntary = 5},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 1},
	}},
	{"switch_counts_add_what_records_have_lost", .steps = {
		{SWITCH_COUNT, .tid = 7, .voluntary = 50, .involuntary = 5},
		{SWITCH_OUT, .cpu = 0, .tid = 7, .next = NOBODY, .time = 1100},
		{SWITCH_OUT, .cpu = 0, .tid = 7, .next = NOBODY, .time = 1200, .preempted = true},
		{SWITCH_COUNT, .tid = 7, .voluntary = 60, .involuntary = 8},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 13},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 3},
	}},
	{"switch_counts_that_go_backwards_are_broken", .steps = {
		{SWITCH_COUNT, .tid = 7, .voluntary = 50, .involuntary = 5},
		{SWITCH_COUNT, .tid = 7, .voluntary = 52, .involuntary = 4},
		{SWITCH_COUNT, .tid = 7, .voluntary = 53, .involuntary = 4},
		{INTERVAL, .of = BROKEN_READINGS, .is = 1},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 1},
	}},
	{"switches_are_unknown_until_something_tells_them", .steps = {
		{INFO, .tid = 7, .of = UNKNOWN, .is = UNKNOWN_SWITCHES | UNKNOWN_TIMES},
	}},
	/* A task that sleeps makes no record; that it has made none is known. */
	{"switches_are_zero_where_records_would_tell_them", .steps = {
		{TASK_READING, .tid = 7, .restarts = true, .has_switch_records = true},
		{TASK_READING, .tid = 7, .ns = 1000},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 0},
	}, .begin = kit_model},
	{"task_watched_anew_without_switch_records_has_unknown_ones", .steps = {
		{TASK_READING, .tid = 7, .restarts = true, .has_switch_records = true},
		{TASK_READING, .tid = 7, .restarts = true},
		{INFO, .tid = 7, .of = UNKNOWN, .is = UNKNOWN_SWITCHES | UNKNOWN_TIMES},
	}, .begin = kit_model},
	{"switch_counts_of_a_task_watched_anew_start_anew", .steps = {
		{SWITCH_COUNT, .tid = 7, .voluntary = 50, .involuntary = 5},
		{TASK_READING, .tid = 7, .restarts = true},
		{SWITCH_COUNT, .tid = 7, .voluntary = 90, .involuntary = 6},
		{SWITCH_COUNT, .tid = 7, .voluntary = 91, .involuntary = 6},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 1},
	}},
	/* In a whole-machine run the same record has nothing to add. */
	{"switch_counts_of_tasks_not_fed_are_not_believed", .steps = {
		{SWITCH_COUNT, .tid = 7, .voluntary = 50, .involuntary = 5},
		{SWITCH_COUNT, .tid = 7, .voluntary = 53, .involuntary = 6},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}, .begin = kit_model},
	/* Its first switch record may come before its first reading; no CPU may keep it then. */
	{"task_fed_after_a_switch_record_is_forgotten_when_it_ends", .steps = {
		{SWITCH_IN, .cpu = 0, .tid = 7, .prev = NOBODY, .time = 900},
		{TASK_READING, .tid = 7, .ns = 1000, .values = {100, 200}},
		{EXIT, .cpu = 0, .tid = 7, .time = 1100},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 7, .is = 0},
	}, .begin = kit_model},
	{"reading_that_comes_after_the_exit_is_shown_once_more", .steps = {
		{EXIT, .cpu = 0, .tid = 7, .time = 1900},
		{CLOSE, .time = 2000},
		{TASK_READING, .tid = 7, .ns = 1300, .values = {110, 200}},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = E0, .is = 10},
		{INFO, .tid = 7, .of = IS_EXITED, .is = 1},
		{INTERVAL, .of = EXITED, .is = 0},
		{CLOSE, .time = 4000},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"reading_of_no_task_is_nonsense", .steps = {
		{TASK_READING, .tid = 0, .ns = 1300},
		{TASK_READING, .tid = NOBODY, .ns = 1300},
		{INTERVAL, .of = LOST_RECORDS, .is = 2},
	}},
};
/* clang-format on */

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), begin);
}
