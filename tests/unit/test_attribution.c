/*
 * Attribution, rule by rule, through the model's front door. Every test starts with
 * CPU 0 at sequence 10, its group's clock at 1000, its counters at 100 and 200, and
 * task 7 running; what comes before model_start() is not counted.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model_kit.h"

static struct model *begin(size_t groups)
{
	struct model *model = kit_model(groups);

	for (size_t g = 0; g < groups; g++)
		feed(model,
		     reading(.group = (uint16_t)g, .seq = 10, .ns = 1000, .values = {100, 200}));
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 1000));
	model_start(model, 1000);
	return model;
}

static const uint64_t *idle_of(const struct snapshot *snapshot)
{
	return snapshot->cpus[0].idle;
}

static const uint64_t *nobodys(const struct snapshot *snapshot)
{
	return snapshot->cpus[0].unattributed;
}

static void slice_at_switch_goes_to_the_leaver(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 500);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 1);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(task_count(snapshot, 7, event_place(1)), 40);
	assert_int_equal(task_count(snapshot, 7, layout_group_place(snapshot->layout, 0)), 500);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void reading_between_switches_splits_the_running_slice(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.seq = 10, .ns = 1400, .values = {110, 200}));
	const struct snapshot *first = model_close_interval(model, 1400);
	assert_int_equal(task_count(first, 7, event_place(0)), 10);
	assert_int_equal(task_count(first, 7, QUANTITY_SWITCHES), 0);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	const struct snapshot *second = model_close_interval(model, 2000);

	assert_int_equal(task_count(second, 7, event_place(0)), 20);
	assert_int_equal(task_count(second, 7, QUANTITY_RUN_NS), 100);
	assert_int_equal(find_task(second, 7)->total[event_place(0)], 30);
	model_destroy(model);
}

static void first_reading_is_the_baseline(void **state)
{
	struct model *model = kit_model(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_RUN_NS], 0);
	model_destroy(model);
}

static void reading_of_a_restarted_group_is_a_baseline_again(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.seq = 10, .ns = 1900, .values = {900, 900}, .restarts = true));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 2000, .values = {901, 902}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, event_place(1)), 2);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_RUN_NS], 100);
	model_destroy(model);
}

static void records_older_than_the_baseline_are_dropped(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 5, .seq = 9, .ns = 900, .values = {90, 190}));
	feed(model, sample(.tid = 5, .seq = 10, .ns = 990, .values = {99, 200}));
	feed(model, switch_out(.tid = 5, .next = 7, .time = 1000));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 5, QUANTITY_SWITCHES), 0);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(snapshot->broken_readings, 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void broken_reading_is_credited_to_nobody_and_counted(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {99, 240}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1600, .values = {104, 250}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->broken_readings, 1);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_int_equal(task_count(snapshot, 8, event_place(0)), 5);
	assert_int_equal(snapshot->cpus[0].counter[event_place(0)], 5);
	assert_true(books_balance(snapshot));
	assert_int_equal(model_close_interval(model, 3000)->broken_readings, 0);
	model_destroy(model);
}

static void clock_that_goes_backwards_breaks_the_reading(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 900, .values = {110, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->broken_readings, 1);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_RUN_NS], 0);
	model_destroy(model);
}

static void leaver_without_ids_is_whoever_ran(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = NOBODY, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = NOBODY, .next = 8, .time = 1500, .preempted = true));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 1);
	assert_null(find_task(snapshot, NOBODY));
	model_destroy(model);
}

static void leaver_without_ids_is_known_to_all_groups(void **state)
{
	struct model *model = begin(2);

	feed(model, sample(.tid = NOBODY, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, sample(.group = 1, .tid = NOBODY, .seq = 11, .ns = 1500, .values = {101, 204}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(task_count(snapshot, 7, event_place(2)), 1);
	assert_int_equal(task_count(snapshot, 7, event_place(3)), 4);
	model_destroy(model);
}

static void leaver_without_ids_and_sched_state_is_nobody(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, sample(.tid = NOBODY, .seq = 12, .ns = 1600, .values = {131, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(nobodys(snapshot)[event_place(0)], 1);
	assert_int_equal(nobodys(snapshot)[QUANTITY_SWITCHES], 1);
	model_destroy(model);
}

static void reading_goes_to_the_comer_of_the_last_switch(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
	feed(model, reading(.seq = 11, .ns = 1700, .values = {135, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 8, event_place(0)), 5);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 200);
	model_destroy(model);
}

static void reading_with_unknown_comer_is_unattributed(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = NOBODY, .time = 1500));
	feed(model, reading(.seq = 11, .ns = 1700, .values = {135, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(nobodys(snapshot)[event_place(0)], 5);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 200);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void reading_after_a_switch_without_sched_state_is_unattributed(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, reading(.seq = 11, .ns = 1700, .values = {135, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(nobodys(snapshot)[event_place(0)], 5);
	model_destroy(model);
}

static void switch_in_wins_over_what_was_announced(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
	feed(model, switch_in(.tid = 9, .prev = 7, .time = 1500));
	feed(model, reading(.seq = 11, .ns = 1700, .values = {135, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 9, event_place(0)), 5);
	model_destroy(model);
}

static void idle_is_credited_to_idle(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1000));
	feed(model, sample(.tid = 0, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 0, .next = 8, .time = 1500, .preempted = true));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 500);
	assert_int_equal(idle_of(snapshot)[QUANTITY_SWITCHES], 1);
	assert_int_equal(idle_of(snapshot)[QUANTITY_PREEMPTIONS], 0);
	assert_null(find_task(snapshot, 0));
	assert_true(snapshot->attributed_pct == 100.0);
	model_destroy(model);
}

static void sequence_gap_goes_to_unattributed(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 13, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 500);
	assert_int_equal(nobodys(snapshot)[QUANTITY_SWITCHES], 3);
	assert_int_equal(nobodys(snapshot)[event_place(1)], 40);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void sequence_gap_of_one_at_a_reading_goes_to_unattributed(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.seq = 11, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 500);
	assert_int_equal(snapshot->merged_idle, 0);
	model_destroy(model);
}

static void contiguous_slice_after_a_gap_is_believed_again(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 13, .ns = 1500, .values = {130, 240}));
	feed(model, sample(.tid = 8, .seq = 14, .ns = 1600, .values = {133, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 8, event_place(0)), 3);
	assert_int_equal((int)snapshot->attributed_pct, 16); /* 100 of 600 ns */
	model_destroy(model);
}

/* 7 leaves for idle at 1500; idle says nothing; 8 arrives from idle at 1800. Record time is 5000
 * on. */
static void let_idle_slip_in(struct model *model)
{
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 6500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 6800));
}

static void merged_idle_slice_is_divided_at_the_arrival(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 1);
	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 300);
	assert_int_equal(idle_of(snapshot)[QUANTITY_SWITCHES], 1);
	assert_int_equal(idle_of(snapshot)[event_place(0)], 0);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 200);
	assert_int_equal(task_count(snapshot, 8, layout_group_place(snapshot->layout, 0)), 200);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_SWITCHES), 1);
	assert_int_equal(task_count(snapshot, 8, event_place(0)), 7);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

/* A read(2) has no time of its own: the offset learnt at the last switch maps it. */
static void merged_idle_slice_is_divided_at_a_reading_by_the_groups_clock(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, reading(.seq = 12, .ns = 1900, .time = 6800, .values = {133, 240}));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 1);
	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 300);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 200);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_SWITCHES), 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void merged_idle_slice_begins_at_the_last_reading(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 6500));
	feed(model, reading(.seq = 11, .ns = 1600, .time = 6500, .values = {130, 240}));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 6800));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 300);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 200);
	assert_int_equal(snapshot->merged_idle, 1);
	model_destroy(model);
}

static void merged_idle_slice_never_exceeds_the_slice(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 6500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 0);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 500);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void merged_idle_slice_is_divided_for_every_group(void **state)
{
	struct model *model = begin(2);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}));
	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 1500, .time = 6500,
			   .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 6500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 6800));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	feed(model, sample(.group = 1, .tid = 8, .seq = 13, .ns = 2000, .time = 7000,
			   .values = {139, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 1);
	assert_int_equal(task_count(snapshot, 8, layout_group_place(snapshot->layout, 1)), 200);
	assert_int_equal(task_count(snapshot, 8, event_place(2)), 9);
	assert_int_equal(idle_of(snapshot)[QUANTITY_SWITCHES], 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void merged_idle_slice_that_ends_before_the_arrival_is_all_idles(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 6700, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 500);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void idle_that_left_a_reading_is_not_merged(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, sample(.tid = 0, .seq = 12, .ns = 1800, .values = {131, 240}));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1800));
	feed(model, sample(.tid = 8, .seq = 14, .ns = 2000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 0);
	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 300);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 200);
	model_destroy(model);
}

static void arrival_from_another_task_closes_no_hole(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 8, .prev = 9, .time = 1800));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 0);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 500);
	model_destroy(model);
}

static void idle_that_announced_itself_is_not_merged(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1800));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 0);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 500);
	model_destroy(model);
}

static void two_missing_switches_are_not_merged_idle(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, sample(.tid = 8, .seq = 14, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 0);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 500);
	model_destroy(model);
}

static void gap_that_ends_with_another_task_is_not_merged_idle(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, sample(.tid = 9, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 0);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 500);
	model_destroy(model);
}

static void hole_is_used_only_once(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, reading(.seq = 12, .ns = 1900, .time = 6900, .values = {133, 240}));
	feed(model, sample(.tid = 8, .seq = 14, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 1);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 100);
	model_destroy(model);
}

static void hole_ends_with_the_arriving_tasks_slice(void **state)
{
	struct model *model = begin(2);

	/* Group 1 is off meanwhile and misses both hole and switch. */
	let_idle_slip_in(model);
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	feed(model, switch_out(.tid = 8, .next = 9, .time = 7000));
	feed(model, switch_out(.tid = 9, .next = 8, .time = 7100));
	feed(model, sample(.group = 1, .tid = 8, .seq = 12, .ns = 1100, .time = 7200,
			   .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 8, event_place(2)), 0);
	assert_int_equal(nobodys(snapshot)[event_place(2)], 37);
	model_destroy(model);
}

static void reading_behind_another_groups_switch_belongs_to_who_leaves_there(void **state)
{
	struct model *model = begin(2);

	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1000));
	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 1500, .values = {150, 250}));
	feed(model, reading(.seq = 10, .ns = 1400, .values = {120, 220}));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 500);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void rotated_slice_of_group_0_is_unattributed_time_included(void **state)
{
	struct model *model = begin(1);

	feed(model,
	     sample(.tid = 7, .seq = 11, .ns = 901000, .off_ns = 400000, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 1000000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_int_equal(nobodys(snapshot)[QUANTITY_RUN_NS], 900000);
	assert_int_equal(nobodys(snapshot)[QUANTITY_SWITCHES], 1);
	assert_int_equal(nobodys(snapshot)[layout_group_place(snapshot->layout, 0)], 500000);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void rotated_slice_of_another_group_spoils_that_group_only(void **state)
{
	struct model *model = begin(2);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 901000, .values = {130, 240}));
	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 901000, .off_ns = 400000,
			   .values = {150, 250}));
	const struct snapshot *snapshot = model_close_interval(model, 1000000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 900000);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(task_count(snapshot, 7, event_place(2)), 0);
	assert_int_equal(nobodys(snapshot)[event_place(2)], 50);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void slice_enabled_a_moment_before_it_ran_is_not_rotated(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 9000, .off_ns = 60, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 10000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 8000);
	assert_int_equal(task_count(snapshot, 7, layout_group_place(snapshot->layout, 0)), 7940);
	model_destroy(model);
}

static void other_groups_give_no_run_time_and_no_switches(void **state)
{
	struct model *model = begin(2);

	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 1500, .values = {150, 250}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 0);
	assert_int_equal(task_count(snapshot, 7, event_place(2)), 50);
	assert_int_equal(task_count(snapshot, 7, layout_group_place(snapshot->layout, 1)), 500);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void preemption_is_counted_for_the_leaver(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1600, .values = {130, 240}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 1600));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 1);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_PREEMPTIONS), 0);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_PREEMPTIONS], 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

/* The reading tells of two switches, of which one left no record: both are nobody's. */
static void preemption_in_a_switch_of_nobody_is_nobodys(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 12, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 0);
	assert_int_equal(snapshot->cpus[0].unattributed[QUANTITY_SWITCHES], 2);
	assert_int_equal(snapshot->cpus[0].unattributed[QUANTITY_PREEMPTIONS], 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

/* Its reading was lost: the next one shows that there was a switch more, and it is nobody's. */
static void preemption_without_a_reading_is_nobodys(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1600, .values = {130, 240}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 1600));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 0);
	assert_int_equal(snapshot->cpus[0].unattributed[QUANTITY_PREEMPTIONS], 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

/* The first reading of a counter is where counting begins: its switch is no part of it. */
static void preemption_before_counting_began_is_not_counted(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.cpu = 1, .tid = 7, .seq = 12, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.cpu = 1, .tid = 7, .next = 8, .time = 1500, .preempted = true));
	feed(model, sample(.cpu = 1, .tid = 8, .seq = 13, .ns = 1600, .values = {131, 240}));
	feed(model, switch_out(.cpu = 1, .tid = 8, .next = 7, .time = 1600, .preempted = true));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTIONS), 0);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_PREEMPTIONS), 1);
	assert_int_equal(snapshot->cpus[1].counter[QUANTITY_PREEMPTIONS], 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

/* The reading was in the interval before, and nobody knew who left: no switch of this one. */
static void preemption_after_the_interval_of_its_switch_is_not_counted(void **state)
{
	struct model *model = begin(1);

	feed(model, lost(.cpu = 0, .time = 1400));
	feed(model, sample(.tid = -1, .pid = -1, .seq = 11, .ns = 1500, .values = {130, 240}));
	model_close_interval(model, 2000);
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_SWITCHES], 0);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_PREEMPTIONS], 0);
	model_destroy(model);
}

static void arrival_on_another_cpu_is_a_migration(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.cpu = 1, .seq = 0, .ns = 50));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = 0, .time = 1600));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = 0, .time = 1700));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_MIGRATIONS), 1);
	assert_int_equal(find_task(snapshot, 7)->last_cpu, 1);
	assert_int_equal(snapshot->cpus[1].counter[QUANTITY_MIGRATIONS], 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void slice_on_another_cpu_is_a_migration_without_sched_state(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.cpu = 1, .seq = 0, .ns = 50));
	feed(model, sample(.cpu = 1, .tid = 7, .seq = 1, .ns = 70, .time = 1600));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_MIGRATIONS), 1);
	model_destroy(model);
}

static void late_news_of_an_earlier_place_is_no_migration(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.cpu = 1, .seq = 0, .ns = 50));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = 0, .time = 1600));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_MIGRATIONS), 1);
	assert_int_equal(find_task(snapshot, 7)->last_cpu, 1);
	model_destroy(model);
}

static void first_place_is_no_migration(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_in(.tid = 9, .prev = 7, .time = 1600));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 9, QUANTITY_MIGRATIONS), 0);
	model_destroy(model);
}

static void lost_records_make_the_running_task_unknown(void **state)
{
	struct model *model = begin(1);

	feed(model, lost(.lost = 42));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_int_equal(snapshot->lost_records, 42);
	assert_int_equal(nobodys(snapshot)[event_place(0)], 10);

	snapshot = model_close_interval(model, 3000);
	assert_int_equal(snapshot->lost_records, 0);
	assert_int_equal(snapshot->lost_records_total, 42);
	model_destroy(model);
}

/* The kernel tells a loss only with the next record; a second reading may come before that. */
static void sequence_gap_at_a_reading_makes_the_running_task_unknown(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.seq = 11, .ns = 1200, .values = {110, 200}));
	feed(model, reading(.seq = 11, .ns = 1300, .values = {112, 200}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 0);
	assert_int_equal(nobodys(snapshot)[event_place(0)], 12);
	model_destroy(model);
}

/* Group 0 has shown that 7 leaves, then a record is lost: what it counts from there on is not 7's.
 */
static void loss_between_readings_of_one_switch_gives_the_leaver_no_more(void **state)
{
	struct model *model = kit_model(3);

	for (uint16_t g = 0; g < 3; g++)
		feed(model, reading(.group = g, .seq = 10, .ns = 1000));
	feed(model, switch_in(.tid = 7, .prev = 0, .time = 1000));
	model_start(model, 1000);
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1300, .values = {20, 0}));
	feed(model, lost(.lost = 1, .time = 1300));
	feed(model, sample(.group = 2, .tid = 7, .seq = 11, .ns = 1300));
	feed(model, reading(.seq = 11, .ns = 1900, .values = {120, 0}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 20);
	assert_int_equal(snapshot->cpus[0].unattributed[event_place(0)], 100);
	model_destroy(model);
}

static void lost_records_end_a_hole(void **state)
{
	struct model *model = begin(1);

	let_idle_slip_in(model);
	feed(model, lost(.lost = 1));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->merged_idle, 0);
	model_destroy(model);
}

static void throttling_is_counted_per_interval(void **state)
{
	struct model *model = begin(1);

	feed(model, throttled());
	assert_int_equal(model_close_interval(model, 2000)->throttled, 1);
	assert_int_equal(model_close_interval(model, 3000)->throttled, 0);
	model_destroy(model);
}

static void cpu_that_comes_online_starts_anew(void **state)
{
	struct model *model = begin(1);

	feed(model, cpu_offline());
	feed(model, cpu_online());
	feed(model, reading(.seq = 1, .ns = 10, .values = {1, 2}));
	feed(model, sample(.tid = 8, .seq = 2, .ns = 15, .values = {2, 2}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->broken_readings, 0);
	assert_int_equal(task_count(snapshot, 8, event_place(0)), 1);
	assert_int_equal(snapshot->cpus[0].counter[event_place(0)], 1);
	assert_true(snapshot->cpus[0].is_online);
	model_destroy(model);
}

/* The group that is opened anew has a clock of its own. */
static void cpu_that_comes_online_has_another_clock(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}));
	feed(model, cpu_online());
	feed(model, reading(.seq = 1, .ns = 10, .time = 8000));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 8000));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 8300));
	feed(model, reading(.seq = 2, .ns = 510, .time = 8500));
	const struct snapshot *snapshot = model_close_interval(model, 9000);

	assert_int_equal(idle_of(snapshot)[QUANTITY_RUN_NS], 300);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 200);
	model_destroy(model);
}

static void cpu_that_goes_is_shown_while_it_has_counts(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, cpu_offline());
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1600, .values = {140, 240}));
	const struct snapshot *first = model_close_interval(model, 2000);
	assert_int_equal(first->cpu_count, 1);
	assert_false(first->cpus[0].is_online);
	assert_int_equal(first->cpus[0].counter[event_place(0)], 30);

	assert_int_equal(model_close_interval(model, 3000)->cpu_count, 0);
	model_destroy(model);
}

static void cpus_of_the_sched_state_only_are_not_shown(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_in(.cpu = 3, .tid = 9, .prev = 0, .time = 1600));
	feed(model, switch_out(.cpu = 3, .tid = 9, .next = 0, .time = 1700, .preempted = true));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->cpu_count, 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void cpus_are_shown_in_ascending_order_with_totals(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.cpu = 5, .seq = 0, .ns = 0));
	feed(model, reading(.cpu = 2, .seq = 0, .ns = 0));
	feed(model, reading(.cpu = 2, .seq = 0, .ns = 10));
	model_close_interval(model, 2000);
	feed(model, reading(.cpu = 2, .seq = 0, .ns = 30));
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_int_equal(snapshot->cpu_count, 3);
	assert_int_equal(snapshot->cpus[1].cpu, 2);
	assert_int_equal(snapshot->cpus[2].cpu, 5);
	assert_int_equal(snapshot->cpus[1].counter[QUANTITY_RUN_NS], 20);
	assert_int_equal(snapshot->cpus[1].counter_total[QUANTITY_RUN_NS], 30);
	assert_int_equal(snapshot->cpus[1].unattributed_total[QUANTITY_RUN_NS], 30);
	model_destroy(model);
}

/* A sum at the tick, behind records that say which task runs. */
static void loss_without_a_gap_in_the_numbers_keeps_the_running_task(void **state)
{
	static const uint64_t missed[] = {0, 1};

	for (size_t i = 0; i < 2; i++) {
		struct model *model = begin(1);

		feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
		feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
		feed(model, switch_in(.tid = 8, .prev = 7, .time = 1500));
		feed(model, lost(.cpu = RECORD_CPU_NONE, .lost = 3, .time = 1500));
		feed(model, reading(.seq = 11 + missed[i], .ns = 1700, .values = {135, 240}));
		const struct snapshot *snapshot = model_close_interval(model, 2000);

		assert_int_equal(snapshot->lost_records, 3);
		assert_int_equal(snapshot->cpus[0].unattributed[QUANTITY_RUN_NS],
				 missed[i] > 0 ? 200 : 0);
		assert_true(books_balance(snapshot));
		model_destroy(model);
	}
}

static void nothing_before_the_start_is_counted(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));
	feed(model, lost(.cpu = RECORD_CPU_NONE, .lost = 3));
	model_start(model, 1500);
	feed(model, reading(.seq = 11, .ns = 1700, .values = {135, 240}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->start_ns, 1500);
	assert_int_equal(snapshot->interval_ns, 500);
	assert_int_equal(snapshot->sequence, 1);
	assert_int_equal(snapshot->lost_records_total, 0);
	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_RUN_NS], 0);
	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_PREEMPTIONS], 0);
	assert_int_equal(task_count(snapshot, 8, event_place(0)), 5);
	assert_int_equal(snapshot->cpus[0].counter_total[QUANTITY_RUN_NS], 200);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void start_forgets_closed_intervals_too(void **state)
{
	struct model *model = begin(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}));
	model_close_interval(model, 1500);
	feed(model, sample(.tid = 7, .seq = 12, .ns = 1400, .values = {130, 240}));
	feed(model, throttled());
	model_start(model, 1500);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->sequence, 1);
	assert_int_equal(snapshot->broken_readings, 0);
	assert_int_equal(snapshot->throttled, 0);
	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_RUN_NS], 0);
	assert_int_equal(snapshot->cpus[0].counter_total[QUANTITY_RUN_NS], 0);
	model_destroy(model);
}

static void nonsense_is_counted_as_lost(void **state)
{
	struct model *model = begin(1);

	feed(model, reading(.group = 9, .seq = 10, .ns = 1400));
	feed(model, reading(.cpu = 1 << 20, .seq = 10, .ns = 1400));
	feed(model, switch_in(.cpu = -2, .tid = 7));
	feed(model, switch_in(.tid = -7));
	feed(model, switch_out(.tid = 7, .next = -5));
	feed(model, comm(.tid = 7, .name = NULL));
	feed(model, cpu_online(.cpu = RECORD_CPU_NONE));
	feed(model, (struct record){.kind = RECORD_KINDS});
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(snapshot->lost_records, 8);
	assert_int_equal(snapshot->cpu_count, 1);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

/* What perf calls exec of a thread: it goes on under the tid of the process. */
static void thread_that_executes_takes_the_first_threads_tid(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_in(.pid = 20, .tid = 20, .prev = 7, .time = 1000));
	feed(model, switch_in(.pid = 20, .tid = 21, .prev = 20, .time = 1000));
	feed(model, exited(.cpu = 1, .pid = 20, .tid = 20, .time = 1300));
	feed(model, comm(.pid = 20, .tid = 20, .time = 1400, .name = "new", .exec = true));
	feed(model, reading(.seq = 10, .ns = 1500, .values = {105, 200}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_true(find_task(snapshot, 21)->is_exited);
	assert_false(find_task(snapshot, 20)->is_exited);
	assert_string_equal(find_task(snapshot, 20)->name, "new");
	assert_int_equal(task_count(snapshot, 20, event_place(0)), 5);
	model_destroy(model);
}

static void idle_executes_no_program(void **state)
{
	struct model *model = begin(1);

	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1000));
	struct record record = comm(.tid = 4, .time = 1400, .name = "nonsense", .exec = true);
	record.pid = 0;
	feed(model, record);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_null(find_task(snapshot, 0));
	assert_int_equal(snapshot->exited_count, 0);
	model_destroy(model);
}

/* Its times were taken before the switch, its counts after it. */
static void reading_whose_time_is_behind_the_switch_before_it_is_believed(void **state)
{
	struct model *model = kit_model(1);

	feed(model, reading(.seq = 1, .ns = 1000000));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1000000));
	model_start(model, 1000000);
	feed(model, sample(.tid = 7, .seq = 2, .ns = 2000000, .values = {10, 20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 2000000));
	feed(model, switch_in(.tid = 8, .prev = 7, .time = 2000000));
	feed(model, reading(.seq = 2, .ns = 1996000, .values = {11, 20}));
	const struct snapshot *snapshot = model_close_interval(model, 2000000);

	assert_int_equal(snapshot->broken_readings, 0);
	assert_int_equal(find_task(snapshot, 7)->interval[QUANTITY_RUN_NS], 1000000);
	assert_int_equal(find_task(snapshot, 8)->interval[event_place(0)], 1);
	model_destroy(model);
}

static void reading_whose_time_is_far_behind_is_broken(void **state)
{
	struct model *model = kit_model(1);

	feed(model, reading(.seq = 1, .ns = 1000000));
	model_start(model, 1000000);
	feed(model, sample(.tid = 7, .seq = 2, .ns = 2000000));
	feed(model, reading(.seq = 2, .ns = 1500000));

	assert_int_equal(model_close_interval(model, 2000000)->broken_readings, 1);
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_whose_time_is_behind_the_switch_before_it_is_believed),
		cmocka_unit_test(reading_whose_time_is_far_behind_is_broken),
		cmocka_unit_test(slice_at_switch_goes_to_the_leaver),
		cmocka_unit_test(reading_between_switches_splits_the_running_slice),
		cmocka_unit_test(first_reading_is_the_baseline),
		cmocka_unit_test(reading_of_a_restarted_group_is_a_baseline_again),
		cmocka_unit_test(records_older_than_the_baseline_are_dropped),
		cmocka_unit_test(broken_reading_is_credited_to_nobody_and_counted),
		cmocka_unit_test(clock_that_goes_backwards_breaks_the_reading),
		cmocka_unit_test(leaver_without_ids_is_whoever_ran),
		cmocka_unit_test(leaver_without_ids_is_known_to_all_groups),
		cmocka_unit_test(leaver_without_ids_and_sched_state_is_nobody),
		cmocka_unit_test(reading_goes_to_the_comer_of_the_last_switch),
		cmocka_unit_test(reading_with_unknown_comer_is_unattributed),
		cmocka_unit_test(reading_after_a_switch_without_sched_state_is_unattributed),
		cmocka_unit_test(switch_in_wins_over_what_was_announced),
		cmocka_unit_test(idle_is_credited_to_idle),
		cmocka_unit_test(sequence_gap_goes_to_unattributed),
		cmocka_unit_test(sequence_gap_of_one_at_a_reading_goes_to_unattributed),
		cmocka_unit_test(contiguous_slice_after_a_gap_is_believed_again),
		cmocka_unit_test(merged_idle_slice_is_divided_at_the_arrival),
		cmocka_unit_test(merged_idle_slice_is_divided_at_a_reading_by_the_groups_clock),
		cmocka_unit_test(merged_idle_slice_begins_at_the_last_reading),
		cmocka_unit_test(merged_idle_slice_never_exceeds_the_slice),
		cmocka_unit_test(merged_idle_slice_is_divided_for_every_group),
		cmocka_unit_test(merged_idle_slice_that_ends_before_the_arrival_is_all_idles),
		cmocka_unit_test(idle_that_left_a_reading_is_not_merged),
		cmocka_unit_test(arrival_from_another_task_closes_no_hole),
		cmocka_unit_test(idle_that_announced_itself_is_not_merged),
		cmocka_unit_test(two_missing_switches_are_not_merged_idle),
		cmocka_unit_test(gap_that_ends_with_another_task_is_not_merged_idle),
		cmocka_unit_test(hole_is_used_only_once),
		cmocka_unit_test(hole_ends_with_the_arriving_tasks_slice),
		cmocka_unit_test(reading_behind_another_groups_switch_belongs_to_who_leaves_there),
		cmocka_unit_test(rotated_slice_of_group_0_is_unattributed_time_included),
		cmocka_unit_test(rotated_slice_of_another_group_spoils_that_group_only),
		cmocka_unit_test(slice_enabled_a_moment_before_it_ran_is_not_rotated),
		cmocka_unit_test(other_groups_give_no_run_time_and_no_switches),
		cmocka_unit_test(preemption_is_counted_for_the_leaver),
		cmocka_unit_test(preemption_in_a_switch_of_nobody_is_nobodys),
		cmocka_unit_test(preemption_without_a_reading_is_nobodys),
		cmocka_unit_test(preemption_before_counting_began_is_not_counted),
		cmocka_unit_test(preemption_after_the_interval_of_its_switch_is_not_counted),
		cmocka_unit_test(arrival_on_another_cpu_is_a_migration),
		cmocka_unit_test(slice_on_another_cpu_is_a_migration_without_sched_state),
		cmocka_unit_test(late_news_of_an_earlier_place_is_no_migration),
		cmocka_unit_test(first_place_is_no_migration),
		cmocka_unit_test(lost_records_make_the_running_task_unknown),
		cmocka_unit_test(sequence_gap_at_a_reading_makes_the_running_task_unknown),
		cmocka_unit_test(loss_between_readings_of_one_switch_gives_the_leaver_no_more),
		cmocka_unit_test(lost_records_end_a_hole),
		cmocka_unit_test(throttling_is_counted_per_interval),
		cmocka_unit_test(cpu_that_comes_online_starts_anew),
		cmocka_unit_test(cpu_that_comes_online_has_another_clock),
		cmocka_unit_test(cpu_that_goes_is_shown_while_it_has_counts),
		cmocka_unit_test(cpus_of_the_sched_state_only_are_not_shown),
		cmocka_unit_test(cpus_are_shown_in_ascending_order_with_totals),
		cmocka_unit_test(loss_without_a_gap_in_the_numbers_keeps_the_running_task),
		cmocka_unit_test(nothing_before_the_start_is_counted),
		cmocka_unit_test(start_forgets_closed_intervals_too),
		cmocka_unit_test(nonsense_is_counted_as_lost),
		cmocka_unit_test(thread_that_executes_takes_the_first_threads_tid),
		cmocka_unit_test(idle_executes_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
