/* Tasks that are counted one by one, where CPUs may not be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model_kit.h"

static const uint32_t unknown_switches = 1u << QUANTITY_SWITCHES | 1u << QUANTITY_PREEMPTIONS;
static const uint32_t unknown_times =
	1u << QUANTITY_MIGRATIONS | 1u << QUANTITY_PREEMPTED_NS | 1u << QUANTITY_OFF_NS;

static struct model *begin(size_t groups)
{
	struct model *model = kit_model(groups);

	for (size_t g = 0; g < groups; g++)
		feed(model, task_reading(.group = (uint16_t)g, .tid = 7, .ns = 1000,
					 .values = {100, 200}));
	model_start(model, 1000);
	return model;
}

static void reading_goes_to_its_task(void **state)
{
	struct model *model = begin(2);

	feed(model, task_reading(.tid = 7, .ns = 1300, .off_ns = 100, .values = {110, 200}));
	feed(model, task_reading(.group = 1, .tid = 7, .ns = 1200, .values = {103, 204}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 300);
	assert_int_equal(task_count(snapshot, 7, layout_group_place(snapshot->layout, 0)), 200);
	assert_int_equal(task_count(snapshot, 7, layout_group_place(snapshot->layout, 1)), 200);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 10);
	assert_int_equal(task_count(snapshot, 7, event_place(2)), 3);
	assert_int_equal(task_count(snapshot, 7, event_place(3)), 4);
	model_destroy(model);
}

static void task_on_two_kinds_of_cpus_has_the_sum_of_both(void **state)
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
	assert_int_equal(task_count(snapshot, 7, layout_kind_place(snapshot->layout, 0)), 300);
	assert_int_equal(task_count(snapshot, 7, layout_kind_place(snapshot->layout, 1)), 500);
	assert_int_equal(layout_event_count(snapshot->layout, 0, find_task(snapshot, 7)->interval),
			 50);
	model_destroy(model);
}

static void snapshot_has_no_cpus_and_everything_is_attributed(void **state)
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

static void reading_without_progress_is_no_run(void **state)
{
	struct model *model = begin(1);

	struct task_ref refs[1];

	feed(model, task_reading(.tid = 7, .ns = 1000, .values = {100, 200}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(model_wanted_procinfo(model, refs, 1), 0);
	assert_false(find_task(snapshot, 7)->has_run);
	assert_int_equal(snapshot->ran_count, 0);
	model_destroy(model);
}

static void broken_task_reading_is_counted_and_starts_anew(void **state)
{
	struct model *model = begin(1);

	feed(model, task_reading(.tid = 7, .ns = 1300, .values = {90, 200}));
	feed(model, task_reading(.tid = 7, .ns = 1400, .values = {95, 200}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->broken_readings, 1);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 100);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 5);
	assert_int_equal(model_close_interval(model, 3000)->broken_readings, 0);
	model_destroy(model);
}

static void switch_records_count_for_the_task(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_in(.cpu = 0, .tid = 7, .prev = NOBODY, .time = 1000));
	feed(model,
	     switch_out(.cpu = 0, .tid = 7, .next = NOBODY, .time = 1100, .preempted = true));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = NOBODY, .time = 1200));
	feed(model, switch_out(.cpu = 1, .tid = 7, .next = NOBODY, .time = 1300));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 2);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 1);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_MIGRATIONS), 1);
	assert_int_equal(find_task(snapshot, 7)->last_cpu, 1);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	model_destroy(model);
}

static void switch_counts_are_differences_of_absolute_numbers(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_count(.tid = 7, .voluntary = 50, .involuntary = 5));
	feed(model, switch_count(.tid = 7, .voluntary = 53, .involuntary = 6));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 4);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 1);
	assert_int_equal(find_task(snapshot, 7)->unknown, unknown_times);
	model_destroy(model);
}

static void switch_counts_are_ignored_where_records_come(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_count(.tid = 7, .voluntary = 50, .involuntary = 5));
	feed(model, switch_out(.cpu = 0, .tid = 7, .next = NOBODY, .time = 1100));
	feed(model, switch_count(.tid = 7, .voluntary = 51, .involuntary = 5));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 1);
	model_destroy(model);
}

static void switch_counts_add_what_records_have_lost(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_count(.tid = 7, .voluntary = 50, .involuntary = 5));
	feed(model, switch_out(.cpu = 0, .tid = 7, .next = NOBODY, .time = 1100));
	feed(model,
	     switch_out(.cpu = 0, .tid = 7, .next = NOBODY, .time = 1200, .preempted = true));
	feed(model, switch_count(.tid = 7, .voluntary = 60, .involuntary = 8));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 13);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 3);
	model_destroy(model);
}

static void switch_counts_that_go_backwards_are_broken(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_count(.tid = 7, .voluntary = 50, .involuntary = 5));
	feed(model, switch_count(.tid = 7, .voluntary = 52, .involuntary = 4));
	feed(model, switch_count(.tid = 7, .voluntary = 53, .involuntary = 4));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->broken_readings, 1);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 1);
	model_destroy(model);
}

static void switches_are_unknown_until_something_tells_them(void **state)
{
	struct model *model = begin(1);

	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->unknown, unknown_switches | unknown_times);
	model_destroy(model);
}

/* A task that sleeps makes no record; that it has made none is known. */
static void switches_are_zero_where_records_would_tell_them(void **state)
{
	struct model *model = kit_model(1);

	feed(model, task_reading(.tid = 7, .restarts = true, .tells_switches = true));
	feed(model, task_reading(.tid = 7, .ns = 1000));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 0);
	model_destroy(model);
}

static void task_watched_anew_without_switch_records_has_unknown_ones(void **state)
{
	struct model *model = kit_model(1);

	feed(model, task_reading(.tid = 7, .restarts = true, .tells_switches = true));
	feed(model, task_reading(.tid = 7, .restarts = true));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->unknown, unknown_switches | unknown_times);
	model_destroy(model);
}

static void switch_counts_of_a_task_watched_anew_start_anew(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_count(.tid = 7, .voluntary = 50, .involuntary = 5));
	feed(model, task_reading(.tid = 7, .restarts = true));
	feed(model, switch_count(.tid = 7, .voluntary = 90, .involuntary = 6));
	feed(model, switch_count(.tid = 7, .voluntary = 91, .involuntary = 6));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 1);
	model_destroy(model);
}

/* In a whole-machine run the same record has nothing to add. */
static void switch_counts_of_tasks_not_fed_are_not_believed(void **state)
{
	struct model *model = kit_model(1);

	feed(model, switch_count(.tid = 7, .voluntary = 50, .involuntary = 5));
	feed(model, switch_count(.tid = 7, .voluntary = 53, .involuntary = 6));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	model_destroy(model);
}

/* Its first switch record may come before its first reading; no CPU may keep it then. */
static void task_fed_after_a_switch_record_is_forgotten_when_it_ends(void **state)
{
	struct model *model = kit_model(1);

	feed(model, switch_in(.cpu = 0, .tid = 7, .prev = NOBODY, .time = 900));
	feed(model, task_reading(.tid = 7, .ns = 1000, .values = {100, 200}));
	feed(model, exited(.cpu = 0, .tid = 7, .time = 1100));
	model_close_interval(model, 2000);

	assert_null(find_task(model_close_interval(model, 3000), 7));
	model_destroy(model);
}

static void reading_that_comes_after_the_exit_is_shown_once_more(void **state)
{
	struct model *model = begin(1);

	feed(model, exited(.cpu = 0, .tid = 7, .time = 1900));
	model_close_interval(model, 2000);
	feed(model, task_reading(.tid = 7, .ns = 1300, .values = {110, 200}));
	const struct snapshot *second = model_close_interval(model, 3000);
	assert_int_equal(task_count(second, 7, event_place(0)), 10);
	assert_true(find_task(second, 7)->is_exited);
	assert_int_equal(second->exited_count, 0);

	assert_null(find_task(model_close_interval(model, 4000), 7));
	model_destroy(model);
}

static void reading_of_no_task_is_nonsense(void **state)
{
	struct model *model = begin(1);

	feed(model, task_reading(.tid = 0, .ns = 1300));
	feed(model, task_reading(.tid = NOBODY, .ns = 1300));

	assert_int_equal(model_close_interval(model, 2000)->lost_records, 2);
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_goes_to_its_task),
		cmocka_unit_test(task_on_two_kinds_of_cpus_has_the_sum_of_both),
		cmocka_unit_test(snapshot_has_no_cpus_and_everything_is_attributed),
		cmocka_unit_test(reading_without_progress_is_no_run),
		cmocka_unit_test(broken_task_reading_is_counted_and_starts_anew),
		cmocka_unit_test(switch_records_count_for_the_task),
		cmocka_unit_test(switch_counts_are_differences_of_absolute_numbers),
		cmocka_unit_test(switch_counts_are_ignored_where_records_come),
		cmocka_unit_test(switch_counts_add_what_records_have_lost),
		cmocka_unit_test(switch_counts_that_go_backwards_are_broken),
		cmocka_unit_test(switches_are_unknown_until_something_tells_them),
		cmocka_unit_test(switches_are_zero_where_records_would_tell_them),
		cmocka_unit_test(task_watched_anew_without_switch_records_has_unknown_ones),
		cmocka_unit_test(switch_counts_of_a_task_watched_anew_start_anew),
		cmocka_unit_test(switch_counts_of_tasks_not_fed_are_not_believed),
		cmocka_unit_test(task_fed_after_a_switch_record_is_forgotten_when_it_ends),
		cmocka_unit_test(reading_that_comes_after_the_exit_is_shown_once_more),
		cmocka_unit_test(reading_of_no_task_is_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
