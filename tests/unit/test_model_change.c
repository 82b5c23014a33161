/*
 * Events that come and go while the model runs: what was counted stays, groups that are as they
 * were go on, the others begin anew. One CPU; task 7 runs from the beginning. Group 0 has the
 * events e0 and e1, group 1 has e2 and e3.
 */

#include "model_kit.h"
#include "unit.h"

enum {
	GROUPS = 2
};

static struct {
	struct layout layout;
	struct model *model;
} stage;

static int set_up(void **state)
{
	kit_layout(&stage.layout, GROUPS);
	for (size_t i = 0; i < stage.layout.event_count; i++)
		stage.layout.events[i].state = EVENT_COUNTING;
	stage.model = model_create(&stage.layout);
	for (uint16_t g = 0; g < GROUPS; g++)
		feed(stage.model, reading(.group = g, .seq = 10, .ns = 1000000));
	feed(stage.model, switch_in(.tid = 7, .prev = 8, .time = 1000000));
	model_start(stage.model, 1000000);
	return 0;
}

static int tear_down(void **state)
{
	model_destroy(stage.model);
	layout_fini(&stage.layout);
	return 0;
}

/* Both groups are read: each of their events has counted `value` in all. */
static const struct snapshot *pass(uint64_t end_ns, uint64_t value)
{
	for (uint16_t g = 0; g < GROUPS; g++)
		feed(stage.model,
		     reading(.group = g, .seq = 10, .ns = end_ns, .values = {value, value}));
	return model_close_interval(stage.model, end_ns);
}

static void add_event(size_t group, const char *name)
{
	const size_t event = layout_add_event(&stage.layout, name);

	stage.layout.events[event].state = EVENT_COUNTING;
	layout_add_counter(&stage.layout, group, event);
}

static void change(void)
{
	model_change_layout(stage.model, &stage.layout);
}

static void feed_three(uint64_t end_ns, const uint64_t *values)
{
	struct record record = reading(.group = 1, .seq = 10, .ns = end_ns);

	record.reading.values = values;
	feed(stage.model, record);
}

static uint64_t total_of(const struct snapshot *snapshot, size_t event)
{
	return layout_event_count(snapshot->layout, event, find_task(snapshot, 7)->total);
}

UNIT_TEST(unchanged_group_goes_on_where_it_was)
{
	pass(2000000, 50);
	add_event(1, "new");
	change();
	feed_three(2000000, (const uint64_t[]){5, 6, 7});
	feed(stage.model, reading(.seq = 10, .ns = 3000000, .values = {80, 90}));
	const struct snapshot *snapshot = model_close_interval(stage.model, 3000000);

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
	assert_int_equal(total_of(snapshot, 0), 80);
	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_RUN_NS], 2000000);
	assert_true(books_balance(snapshot));
}

UNIT_TEST(what_came_in_between_close_and_change_is_not_lost)
{
	pass(2000000, 50);
	feed(stage.model, reading(.seq = 10, .ns = 2500000, .values = {70, 70}));
	add_event(1, "new");
	change();
	feed(stage.model, reading(.seq = 10, .ns = 3000000, .values = {80, 80}));

	assert_int_equal(task_count(model_close_interval(stage.model, 3000000), 7, event_place(0)),
			 30);
}

/* 8 comes out of an idle time that has left no records. */
static void hide_idle(void)
{
	for (uint16_t g = 0; g < GROUPS; g++)
		feed(stage.model, sample(.group = g, .tid = 7, .seq = 11, .ns = 1500000));
	feed(stage.model, switch_out(.tid = 7, .next = 0, .time = 1500000));
	feed(stage.model, switch_in(.tid = 8, .prev = 0, .time = 1600000));
}

UNIT_TEST(merged_slice_is_divided_after_a_change_of_another_group)
{
	hide_idle();
	layout_drop_last_counter(&stage.layout, 1);
	change();
	feed(stage.model, sample(.tid = 8, .seq = 13, .ns = 1900000));
	const struct snapshot *snapshot = model_close_interval(stage.model, 2000000);

	assert_int_equal(snapshot->merged_idle, 1);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 300000);
}

UNIT_TEST(merged_slice_is_nobodys_when_the_clock_has_changed)
{
	hide_idle();
	layout_drop_last_counter(&stage.layout, 0);
	change();
	feed(stage.model, reading(.seq = 5, .ns = 100, .time = 1700000));
	feed(stage.model,
	     sample(.group = 1, .tid = 8, .seq = 13, .ns = 1900000, .values = {40, 0}));
	const struct snapshot *snapshot = model_close_interval(stage.model, 2000000);

	assert_int_equal(task_count(snapshot, 8, event_place(2)), 0);
	assert_int_equal(snapshot->cpus[0].unattributed[event_place(2)], 40);
}

UNIT_TEST(task_that_ends_after_a_change_is_held_with_what_it_did_before)
{
	const struct snapshot *snapshot;

	model_hold(stage.model, (const int32_t[]){7}, 1);
	pass(2000000, 50);
	add_event(1, "new");
	change();
	feed(stage.model, exited(.tid = 7, .time = 2100000));
	feed(stage.model, switch_in(.tid = 8, .prev = 7, .time = 2100000));
	model_close_interval(stage.model, 3000000);
	snapshot = model_close_interval(stage.model, 4000000);

	assert_true(find_task(snapshot, 7)->is_held);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 50);
	assert_int_equal(task_count(snapshot, 7, layout_group_index(snapshot->layout, 1)), 0);
	assert_int_equal(task_count(snapshot, 7, layout_width(snapshot->layout) - 1), 0);
}

UNIT_TEST(changed_group_begins_anew_and_keeps_its_totals)
{
	pass(2000000, 50);
	add_event(1, "new");
	change();
	feed_three(2000000, (const uint64_t[]){5, 6, 7});
	feed_three(3000000, (const uint64_t[]){15, 16, 17});
	const struct snapshot *snapshot = model_close_interval(stage.model, 3000000);

	assert_int_equal(total_of(snapshot, 2), 60);
	assert_int_equal(total_of(snapshot, 4), 10);
	assert_int_equal(snapshot->broken_readings, 0);
	assert_true(books_balance(snapshot));
}

UNIT_TEST(closed_groups_readings_are_refused_and_its_totals_stay)
{
	pass(2000000, 50);
	layout_close_group(&stage.layout, 1);
	change();
	const struct snapshot *snapshot = pass(3000000, 90);

	assert_int_equal(snapshot->lost_records, 1);
	assert_int_equal(total_of(snapshot, 0), 90);
	assert_int_equal(total_of(snapshot, 2), 50);
}

UNIT_TEST(group_opened_again_in_the_same_slot_begins_anew)
{
	pass(2000000, 50);
	layout_close_group(&stage.layout, 1);
	assert_int_equal(layout_add_group(&stage.layout, 0, 1), 1);
	layout_add_counter(&stage.layout, 1, 2);
	layout_add_counter(&stage.layout, 1, 3);
	change();
	pass(3000000, 1000);
	const struct snapshot *snapshot = pass(4000000, 1001);

	assert_int_equal(total_of(snapshot, 2), 51);
}

UNIT_TEST(snapshot_before_a_change_says_the_same_after_it)
{
	const struct snapshot *snapshot;

	feed(stage.model, comm(.tid = 8, .name = "sleeps", .time = 1500000));
	snapshot = pass(2000000, 50);
	add_event(1, "new");
	add_event(layout_add_group(&stage.layout, 0, 1), "newer");
	change();

	assert_int_equal(snapshot->layout->event_count, 6);
	assert_int_equal(task_count(snapshot, 7, event_place(2)), 50);
	assert_int_equal(total_of(snapshot, 2), 50);
	assert_int_equal(total_of(snapshot, 4), 0);
	assert_int_equal(layout_event_count(snapshot->layout, 5, snapshot->cpus[0].counter), 0);
	assert_int_equal(snapshot->cpus[0].counter_total[event_place(0)], 50);
	assert_int_equal(find_task(snapshot, 8)->interval[layout_width(snapshot->layout) - 1], 0);
	assert_true(books_balance(snapshot));
}

static uint64_t counting_ns(const struct snapshot *snapshot, size_t group)
{
	const size_t place = layout_group_index(snapshot->layout, group);

	assert_int_equal(task_count(snapshot, 7, place), snapshot->cpus[0].counter[place]);
	return snapshot->cpus[0].counter[place];
}

UNIT_TEST(group_with_a_new_member_has_counted_nothing_before)
{
	const struct snapshot *snapshot = pass(2000000, 50);

	add_event(1, "new");
	change();

	assert_int_equal(counting_ns(snapshot, 1), 0);
	assert_int_equal(counting_ns(snapshot, 0), 1000000);
	assert_true(books_balance(snapshot));
}

UNIT_TEST(group_that_lost_a_member_has_counted_the_rest_before)
{
	const struct snapshot *snapshot = pass(2000000, 50);

	layout_drop_last_counter(&stage.layout, 1);
	change();

	assert_int_equal(counting_ns(snapshot, 1), 1000000);
}

UNIT_TEST(clock_of_one_of_several_kinds_keeps_its_time)
{
	tear_down(state);
	layout_init(&stage.layout);
	stage.layout.kind_count = 2;
	stage.layout.kinds[1].clock = (uint16_t)layout_add_group(&stage.layout, 1, 0);
	stage.model = model_create(&stage.layout);
	feed(stage.model, reading(.group = 1, .seq = 1, .ns = 1000));
	model_start(stage.model, 1000);
	feed(stage.model, reading(.group = 1, .seq = 1, .ns = 3000));
	const struct snapshot *snapshot = model_close_interval(stage.model, 3000);
	add_event(1, "new");
	change();

	assert_int_equal(snapshot->cpus[0].counter[layout_kind_index(snapshot->layout, 1)], 2000);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_RUN_NS], 2000);
}

UNIT_TEST(held_and_reaped_counts_survive_a_change)
{
	model_hold(stage.model, (const int32_t[]){7}, 1);
	feed(stage.model, forked(.cpu = 0, .pid = 9, .tid = 9, .parent = 7, .time = 1000000));
	feed(stage.model, forked(.cpu = 0, .pid = 9, .tid = 19, .parent = 9, .time = 1000000));
	feed(stage.model, sample(.tid = 7, .seq = 11, .ns = 1500000, .values = {10, 10}));
	feed(stage.model, exited(.tid = 7, .time = 1500000));
	feed(stage.model, switch_out(.tid = 7, .next = 19, .time = 1500000));
	feed(stage.model, switch_in(.pid = 9, .tid = 19, .prev = 7, .time = 1500000));
	feed(stage.model,
	     sample(.pid = 9, .tid = 19, .seq = 12, .ns = 1600000, .values = {14, 14}));
	feed(stage.model, exited(.pid = 9, .tid = 19, .time = 1600000));
	feed(stage.model, switch_out(.pid = 9, .tid = 19, .next = 0, .time = 1600000));
	model_close_interval(stage.model, 2000000);
	const struct snapshot *snapshot = model_close_interval(stage.model, 3000000);
	add_event(0, "new");
	change();

	assert_true(find_task(snapshot, 7)->is_held);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 10);
	assert_int_equal(task_count(snapshot, 7, layout_group_index(snapshot->layout, 0)), 0);
	assert_non_null(find_task(snapshot, 9)->reaped);
	assert_int_equal(find_task(snapshot, 9)->reaped[event_place(0)], 4);
	assert_int_equal(layout_event_count(snapshot->layout, 4, find_task(snapshot, 9)->reaped),
			 0);
}

UNIT_TEST(change_before_the_start_is_the_first_layout)
{
	add_event(1, "new");
	change();
	model_start(stage.model, 1000000);
	feed_three(1000000, (const uint64_t[]){5, 6, 7});
	feed_three(2000000, (const uint64_t[]){6, 7, 8});

	assert_int_equal(total_of(model_close_interval(stage.model, 2000000), 4), 1);
}

UNIT_TEST(task_fed_by_itself_goes_on_in_unchanged_groups_only)
{
	for (uint16_t g = 0; g < GROUPS; g++)
		feed(stage.model,
		     task_reading(.tid = 20, .group = g, .ns = 1000, .values = {100, 100}));
	model_close_interval(stage.model, 2000000);
	layout_drop_last_counter(&stage.layout, 1);
	change();
	for (uint16_t g = 0; g < GROUPS; g++)
		feed(stage.model,
		     task_reading(.tid = 20, .group = g, .ns = 5000, .values = {900, 900}));
	const struct snapshot *snapshot = model_close_interval(stage.model, 3000000);

	assert_int_equal(task_count(snapshot, 20, event_place(0)), 800);
	assert_int_equal(task_count(snapshot, 20, event_place(2)), 0);
	feed(stage.model, task_reading(.tid = 20, .group = 1, .ns = 6000, .values = {907}));
	snapshot = model_close_interval(stage.model, 4000000);
	assert_int_equal(task_count(snapshot, 20, event_place(2)), 7);
}

UNIT_TEST(crowded_event_stays_so_until_the_next_interval)
{
	feed(stage.model, reading(.seq = 10, .ns = 2000000));
	feed(stage.model, reading(.group = 1, .seq = 10, .ns = 2000000, .off_ns = 500000));
	const struct snapshot *snapshot = model_close_interval(stage.model, 2000000);
	add_event(0, "new");
	change();

	assert_int_equal(snapshot->layout->events[2].state, EVENT_MULTIPLEXED);
	assert_non_null(strstr(snapshot->layout->events[2].reason, "50 %"));
	assert_int_equal(snapshot->layout->events[4].state, EVENT_COUNTING);
}

UNIT_TEST(event_planned_otherwise_has_its_new_state_at_once)
{
	const struct snapshot *snapshot = pass(2000000, 50);

	stage.layout.events[0].state = EVENT_MULTIPLEXED;
	strcpy(stage.layout.events[0].reason, "takes turns");
	change();

	assert_int_equal(snapshot->layout->events[0].state, EVENT_MULTIPLEXED);
	assert_string_equal(snapshot->layout->events[0].reason, "takes turns");
}

/* The clock of this CPU is another one after the change, and its zero is elsewhere. */
UNIT_TEST(time_is_learnt_anew_from_a_changed_clock)
{
	feed(stage.model, sample(.tid = 7, .seq = 11, .ns = 1500000, .time = 1500000));
	feed(stage.model, switch_out(.tid = 7, .next = 8, .time = 1500000));
	feed(stage.model, switch_in(.tid = 8, .prev = 7, .time = 1500000));
	feed(stage.model, reading(.seq = 11, .ns = 2000000));
	model_close_interval(stage.model, 2000000);
	layout_drop_last_counter(&stage.layout, 0);
	change();
	feed(stage.model, reading(.seq = 3, .ns = 9000000, .time = 2000000));

	/* 8 comes to rest on another CPU: a time too far ahead would hide that */
	feed(stage.model, reading(.seq = 3, .ns = 9100000, .time = 2100000));
	feed(stage.model, switch_in(.cpu = 1, .tid = 8, .prev = 0, .time = 2200000));
	const struct snapshot *snapshot = model_close_interval(stage.model, 3000000);

	assert_int_equal(find_task(snapshot, 8)->last_cpu, 1);
}

static uint64_t highest_id(const struct snapshot *snapshot)
{
	uint64_t id = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].id > id)
			id = snapshot->tasks[i].id;
	return id;
}

/* What is marked by its id is not another task of the model that takes the place of this one. */
UNIT_TEST(continue_ids_has_none_that_was_there)
{
	const uint64_t highest = highest_id(pass(2000000, 100));
	const struct snapshot *snapshot;
	struct model *next = model_create(&stage.layout);

	model_continue_ids(next, stage.model);
	model_destroy(stage.model);
	stage.model = next;
	for (uint16_t g = 0; g < GROUPS; g++)
		feed(stage.model, reading(.group = g, .seq = 10, .ns = 1000000));
	feed(stage.model, switch_in(.tid = 7, .prev = 8, .time = 1000000));
	model_start(stage.model, 1000000);
	snapshot = pass(2000000, 100);
	assert_true(highest > 0 && snapshot->task_count > 0);
	for (size_t i = 0; i < snapshot->task_count; i++)
		assert_true(snapshot->tasks[i].id > highest);
}

UNIT_MAIN(set_up, tear_down)
