/* The slices of CPUs, and the switches between them as the history has them. */
#include "model_story.h"
#include "unit.h"

/* 7 leaves for idle at 1500; idle says nothing; 8 arrives from idle at 1800. */
static void let_idle_slip_in(struct model *model)
{
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1800));
}

/* What may still come of it is earlier than what comes anyway. */
UNIT_TEST(hidden_idle_is_not_settled_before_it_is_counted)
{
	struct model *model = kit_running(1);

	let_idle_slip_in(model);
	model_settle(model, 1900);
	feed(model, reading(.seq = 12, .ns = 1950, .values = {137, 200}));
	model_close_interval(model, 1950);
	model_settle(model, 1950);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(last_entry(model).entry.time_ns, 1800);
	assert_int_equal(last_entry(model).entry.slice_ns, 300);
	assert_int_equal(history_settled(model_history(model)), 2);
	model_destroy(model);
}

static const char *name_of(const struct model *model, uint64_t actor)
{
	return history_find_actor(model_history(model), actor)->name;
}

UNIT_TEST(actor_without_a_name_gets_the_first_one)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	assert_string_equal(name_of(model, last_entry(model).entry.prev), "");
	feed(model, facts(.tid = 7, .name = "seven", .time = 1600));
	feed(model, facts(.tid = 8, .name = "eight", .time = 1600));

	assert_string_equal(name_of(model, last_entry(model).entry.prev), "seven");
	assert_string_equal(name_of(model, last_entry(model).entry.next), "eight");

	return_from_8(model, 12, 1700);
	assert_int_equal(entry_at(model, 1).entry.prev, entry_at(model, 0).entry.next);
	model_destroy(model);
}

static size_t asked_for(struct model *model, int32_t tid)
{
	struct task_ref refs[16];
	size_t found = 0, count;

	while ((count = model_wanted_procinfo(model, refs, 16)) > 0)
		for (size_t i = 0; i < count; i++)
			found += refs[i].pid == tid && refs[i].tid == tid;
	return found;
}

/* Neither its coming nor its leaving has a reading that is its own. */
UNIT_TEST(actor_without_a_name_or_a_reading_is_asked_for_once)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {250, 200}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
	assert_int_equal(asked_for(model, 8), 1);

	feed(model, sample(.tid = NOBODY, .seq = 14, .ns = 1700, .values = {270, 200}));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1700));
	leave_for_8(model, 15, 1800, false);
	assert_int_equal(asked_for(model, 8), 0);

	feed(model, facts(.tid = 8, .name = "eight", .time = 1900));
	assert_string_equal(name_of(model, last_entry(model).entry.next), "eight");
	model_destroy(model);
}

UNIT_TEST(actor_with_a_name_is_not_asked_for)
{
	struct model *model = kit_running(1);

	feed(model, comm(.cpu = 1, .tid = 8, .name = "eight", .time = 1100));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(asked_for(model, 8), 0);
	model_destroy(model);
}

UNIT_TEST(actors_without_a_name_that_have_ended_are_not_asked_for)
{
	enum {
		TASKS = 6000
	};
	struct model *model = kit_running(1);

	/* so many that they would fill the queue */
	for (int32_t tid = 100; tid < 100 + TASKS; tid++) {
		feed(model, exited(.cpu = 1, .tid = tid, .time = 1400));
		feed(model, switch_out(.tid = 7, .next = tid, .time = 1500));
		feed(model, switch_in(.tid = 7, .prev = tid, .time = 1500));
	}
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1600));

	assert_int_equal(asked_for(model, 8), 1);
	assert_int_equal(asked_for(model, 100), 0);
	model_destroy(model);
}

UNIT_TEST(thread_that_executes_ends_its_slice)
{
	struct model *model = kit_running(1);

	feed(model, forked(.tid = 17, .pid = 7, .parent = 7, .time = 1000));
	feed(model, lost(.time = 1000));
	feed(model, switch_in(.tid = 17, .pid = 7, .prev = 7, .time = 1000));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, comm(.tid = 7, .name = "new", .exec = true, .time = 1200));
	leave_for_8(model, 11, 1500, false);
	const uint64_t count = entry_count(model);

	assert_int_equal(entry_at(model, count - 2).prev, 17);
	assert_int_equal(entry_at(model, count - 2).next, 7);
	assert_int_equal(entry_at(model, count - 2).entry.slice_ns, 200);
	assert_int_equal(entry_at(model, count - 1).prev, 7);
	assert_int_equal(entry_at(model, count - 1).entry.slice_ns, 300);
	model_destroy(model);
}

UNIT_TEST(open_slice_goes_on_over_a_change_of_the_layout)
{
	struct layout layout;

	kit_layout(&layout, 1);
	struct model *model = kit_running(1);
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	model_close_interval(model, 1200);
	layout_add_group(&layout, 0, 1);
	layout_add_counter(&layout, 1, 0);
	model_change_layout(model, &layout);
	leave_for_8(model, 11, 1500, false);
	const struct kit_entry last = last_entry(model);

	assert_int_equal(last.entry.slice_ns, 500);
	assert_int_equal(last.counts[event_place(0)], 150);
	assert_int_equal(history_width(model_history(model)), layout_width(&layout));
	layout_fini(&layout);
	model_destroy(model);
}

UNIT_TEST(actors_have_the_names_of_then)
{
	struct model *model = kit_running(1);
	const struct history *history = model_history(model);

	feed(model, comm(.tid = 7, .name = "old", .time = 1100));
	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1600);
	feed(model, comm(.tid = 7, .name = "new", .time = 1650));
	leave_for_8(model, 13, 1700, false);
	const struct actor *then = history_find_actor(history, entry_at(model, 0).entry.prev);
	const struct actor *now = history_find_actor(history, entry_at(model, 2).entry.prev);

	assert_string_equal(then->name, "old");
	assert_string_equal(now->name, "new");
	assert_int_equal(then->task_id, now->task_id);
	model_destroy(model);
}

UNIT_TEST(actors_without_a_name_get_it_when_it_is_told)
{
	struct model *model = kit_running(1);
	const struct history *history = model_history(model);

	leave_for_8(model, 11, 1500, false);
	const uint64_t left = entry_at(model, 0).entry.prev;

	assert_string_equal(history_find_actor(history, left)->name, "");
	feed(model, facts(.tid = 7, .name = "sh", .time = 1600));
	assert_string_equal(history_find_actor(history, left)->name, "sh");
	model_destroy(model);
}

UNIT_TEST(actors_without_a_name_do_not_get_the_next_one)
{
	struct model *model = kit_running(1);
	const struct history *history = model_history(model);

	leave_for_8(model, 11, 1500, false);
	feed(model, comm(.tid = 7, .name = "new", .time = 1550));
	return_from_8(model, 12, 1600);
	leave_for_8(model, 13, 1700, false);

	assert_string_equal(history_find_actor(history, entry_at(model, 0).entry.prev)->name, "");
	assert_string_equal(history_find_actor(history, entry_at(model, 2).entry.prev)->name,
			    "new");
	model_destroy(model);
}

UNIT_TEST(history_is_not_kept_unless_targets)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	model_keep_history(model, 0);
	return_from_8(model, 12, 1600);
	assert_null(model_history(model));
	assert_int_equal(model_close_interval(model, 1600)->shed_switches, 0);

	model_keep_history(model, KIT_HISTORY);
	leave_for_8(model, 13, 1700, false);
	assert_int_equal(entry_count(model), 1);
	model_destroy(model);
}

/* clang-format off */
static const struct story STORIES[] = {
	{"switch_tells_the_slice_that_ends_and_who_comes", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = TIME_NS, .is = 1500},
		{LAST, .of = SLICE_NS, .is = 500},
		{LAST, .of = ON_CPU, .is = 0},
		{LAST, .of = LEFT, .is = 7},
		{LAST, .of = CAME, .is = 8},
		{LAST, .of = HAS_COUNTS, .is = 1},
		{LAST_COUNT, .of = E0, .is = 150},
		{LAST_COUNT, .of = QUANTITY_RUN_NS, .is = 500},
		{ENTRIES, .is = 1},
	}},
	{"slice_that_was_read_in_between_is_one", .steps = {
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{CLOSE, .time = 1200},
		{READING, .seq = 10, .ns = 1300, .values = {120, 200}},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{ENTRIES, .is = 1},
		{LAST, .of = SLICE_NS, .is = 500},
		{LAST_COUNT, .of = E0, .is = 150},
	}},
	{"slice_holds_what_all_groups_counted", .steps = {
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 1500, .values = {104, 200}},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{ENTRIES, .is = 1},
		{LAST_COUNT, .of = E0, .is = 150},
		{LAST_COUNT, .of = E2, .is = 4},
	}, .groups = 2},
	{"slice_before_the_start_is_forgotten", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{READING, .seq = 11, .ns = 1700, .values = {300, 200}},
		{START, .time = 1700},
		{ENTRIES, .is = 0},
		{RETURN_FROM_8, .seq = 12, .ns = 2000},
		{ENTRIES, .is = 1},
		{LAST, .of = SLICE_NS, .is = 300},
	}},
	{"times_before_the_start_bind_nobody", .steps = {
		{SETTLE, .time = 5000},
		{START, .time = 1000},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = TIME_NS, .is = 1500},
	}},
	{"what_is_settled_is_not_changed_any_more", .steps = {
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{SETTLE, .time = 1500},
		{LOST, .lost = 2, .time = 1600},
		{LAST, .of = SLICE_NS, .is = 200},
		{LAST, .of = TIME_NS, .is = 1500},
	}},
	/* As a recording tells it. */
	{"what_a_record_settles_is_not_changed_any_more", .steps = {
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{SETTLED, .cpu = RECORD_CPU_NONE, .time = 1500},
		{LOST, .lost = 2, .time = 1600},
		{LAST, .of = TIME_NS, .is = 1500},
	}},
	{"task_that_could_have_run_on_is_preempted", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
	}},
	{"task_that_leaves_by_itself_is_blocked", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
	}},
	{"task_that_offered_its_cpu_in_this_slice_yields", .steps = {
		{YIELD, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_YIELDED},
		{RETURN_FROM_8, .seq = 12, .ns = 1600},
		{LEAVE_FOR_8, .seq = 13, .ns = 1700, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 2},
	}},
	{"offer_of_a_slice_whose_end_was_seen_is_over", .steps = {
		{YIELD, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LOST, .lost = 2, .time = 1600},
		{LEAVE_FOR_8, .seq = 14, .ns = 1700, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
	}},
	{"offer_of_a_slice_whose_end_was_lost_is_over", .steps = {
		{YIELD, .tid = 7, .time = 1400},
		{LOST, .lost = 2, .time = 1600},
		{RETURN_FROM_8, .seq = 14, .ns = 1650},
		{LEAVE_FOR_8, .seq = 15, .ns = 1700, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
	}},
	{"task_that_sleeps_after_an_offer_is_blocked", .steps = {
		{YIELD, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
	}},
	{"task_that_has_ended_exits", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = HOW, .is = SWITCH_EXITED},
	}},
	/* It comes back once more. */
	{"task_that_is_pushed_out_while_it_ends_is_preempted", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
	}},
	{"task_whose_tid_was_used_again_has_not_told_its_end", .steps = {
		{FORK, .cpu = 1, .tid = 7, .parent = 9, .time = 1450},
		{SAMPLE, .tid = NOBODY, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = NOBODY, .next = 8, .time = 1500},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
		{LAST, .of = LEFT, .is = 7},
	}},
	{"process_that_executes_in_a_thread_has_not_ended", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{COMM, .tid = 7, .name = "new", .exec = true, .time = 1450},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
	}},
	{"idle_leaves_because_there_is_something_to_do", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1500},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1900, .values = {130, 200}},
		{SWITCH_OUT, .tid = 0, .next = 8, .time = 1900, .preempted = true},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1900},
		{LAST, .of = LEFT_ACTOR, .is = ACTOR_IDLE},
		{LAST, .of = HOW, .is = SWITCH_IDLE},
		{LAST, .of = SLICE_NS, .is = 400},
		{ENTRIES, .is = 2},
		{ENTRY, .of = CAME_ACTOR, .is = ACTOR_IDLE},
	}},
	{"hidden_idle_is_a_slice_before_that_of_the_arriving_task", .steps = {
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .values = {137, 200}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 2000},
		{ENTRY, .nth = 1, .of = LEFT_ACTOR, .is = ACTOR_IDLE},
		{ENTRY, .nth = 1, .of = CAME, .is = 8},
		{ENTRY, .nth = 1, .of = HOW, .is = SWITCH_IDLE},
		{ENTRY, .nth = 1, .of = TIME_NS, .is = 1800},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = 300},
		{ENTRY_COUNT, .nth = 1, .of = E0, .is = 0},
		{ENTRY, .nth = 2, .of = LEFT, .is = 8},
		{ENTRY, .nth = 2, .of = SLICE_NS, .is = 200},
		{ENTRY_COUNT, .nth = 2, .of = E0, .is = 7},
		{ENTRIES, .is = 3},
	}},
	{"hidden_idle_tells_how_long_the_arriving_task_was_off", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SWITCH_IN, .tid = 7, .prev = 0, .time = 1800},
		{SAMPLE, .tid = 7, .seq = 13, .ns = 2000, .values = {137, 200}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 2000},
		{ENTRY, .nth = 1, .of = OFF_NS, .is = 300},
		{ENTRY, .nth = 1, .of = FROM_CPU, .is = 0},
	}},
	{"hidden_idle_that_was_read_before_it_ended_is_one_slice", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{READING, .seq = 11, .ns = 1600, .values = {130, 200}},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1800},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .values = {137, 200}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 2000},
		{ENTRIES, .is = 3},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = 300},
	}},
	{"unattributed_time_is_a_slice_of_nobody", .steps = {
		{SAMPLE, .tid = 7, .seq = 13, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{ENTRY, .of = LEFT_ACTOR, .is = ACTOR_UNKNOWN},
		{ENTRY, .of = HOW, .is = SWITCH_UNKNOWN},
		{ENTRY, .of = SLICE_NS, .is = 500},
		{ENTRY_COUNT, .of = E0, .is = 30},
		{ENTRY, .nth = 1, .of = LEFT, .is = 7},
		{ENTRY, .nth = 1, .of = HOW, .is = SWITCH_PREEMPTED},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = -1},
		{ENTRIES, .is = 2},
	}},
	{"unattributed_time_ends_where_the_owners_began", .steps = {
		{LOST, .lost = 1, .time = 1100},
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{ENTRY, .of = SLICE_NS, .is = 200},
		{ENTRY, .of = TIME_NS, .is = 1200},
		{ENTRY, .of = CAME, .is = 7},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = 300},
	}},
	/* Other groups are believed. */
	{"counts_of_nobody_are_a_slice_without_time", .steps = {
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 901000, .off_ns = 400000,
		 .values = {130, 200}},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 901000, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 901000},
		{ENTRY, .of = LEFT_ACTOR, .is = ACTOR_UNKNOWN},
		{ENTRY, .of = SLICE_NS, .is = 0},
		{ENTRY, .of = TIME_NS, .is = 1000},
		{ENTRY_COUNT, .of = E2, .is = 30},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = 900000},
		{ENTRIES, .is = 2},
	}, .groups = 2},
	{"slice_that_is_lost_on_the_way_ends_where_it_was_counted_last", .steps = {
		{READING, .seq = 10, .ns = 1200, .time = 1000, .values = {110, 200}},
		{LOST, .lost = 2, .time = 1600},
		{LAST, .of = LEFT, .is = 7},
		{LAST, .of = CAME_ACTOR, .is = ACTOR_UNKNOWN},
		{LAST, .of = HOW, .is = SWITCH_UNKNOWN},
		{LAST, .of = SLICE_NS, .is = 200},
		{LAST, .of = TIME_NS, .is = 1000},
		{ENTRIES, .is = 1},
	}},
	{"slice_that_counted_nothing_is_not_told_when_it_is_lost", .steps = {
		{LOST, .lost = 2, .time = 1600},
		{ENTRIES, .is = 0},
	}},
	{"arrival_without_a_departure_is_a_switch_of_unknown_kind", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1500},
		{LAST, .of = LEFT, .is = 7},
		{LAST, .of = CAME, .is = 8},
		{LAST, .of = HOW, .is = SWITCH_UNKNOWN},
		{LAST, .of = SLICE_NS, .is = 500},
		{ENTRIES, .is = 1},
	}},
	{"arrival_after_a_loss_tells_who_left", .steps = {
		{LOST, .lost = 2, .time = 1400},
		{SWITCH_IN, .tid = 8, .prev = 6, .time = 1500},
		{LAST, .of = LEFT, .is = 6},
		{LAST, .of = CAME, .is = 8},
		{LAST, .of = SLICE_NS, .is = -1},
		{ENTRIES, .is = 1},
	}},
	{"arrival_of_whom_nobody_announced_is_no_second_switch", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = NOBODY, .time = 1500},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1500},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{ENTRIES, .is = 2},
		{LAST, .of = LEFT, .is = 8},
		{LAST, .of = SLICE_NS, .is = 200},
	}},
	{"departure_of_another_than_ran_ends_its_slice_and_one_of_nobody", .steps = {
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{SAMPLE, .tid = 6, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 6, .next = 8, .time = 1500},
		{ENTRY, .of = LEFT, .is = 7},
		{ENTRY, .of = CAME, .is = NOBODY},
		{ENTRY, .of = HOW, .is = SWITCH_UNKNOWN},
		{ENTRY, .of = SLICE_NS, .is = 200},
		{ENTRY, .nth = 1, .of = LEFT, .is = NOBODY},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = 300},
		{ENTRY, .nth = 2, .of = LEFT, .is = 6},
		{ENTRY, .nth = 2, .of = SLICE_NS, .is = -1},
		{ENTRIES, .is = 3},
	}},
	{"departure_of_another_than_was_counted_ends_that_ones_slice", .steps = {
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{SWITCH_OUT, .tid = 6, .next = 8, .time = 1500},
		{ENTRIES, .is = 2},
		{ENTRY, .of = LEFT, .is = 7},
		{ENTRY, .of = SLICE_NS, .is = 200},
		{ENTRY, .nth = 1, .of = LEFT, .is = 6},
		{ENTRY, .nth = 1, .of = SLICE_NS, .is = -1},
		{ENTRY, .of = HAS_COUNTS, .is = 1},
		{ENTRY, .nth = 1, .of = HAS_COUNTS, .is = 0},
	}},
	{"preemption_without_a_reading_has_no_counts", .steps = {
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{LAST, .of = HAS_COUNTS, .is = 0},
	}},
	/* It had another name before, which nobody has told. */
	{"actor_without_a_name_does_not_get_the_one_after", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{COMM, .tid = 8, .name = "new", .time = 1600},
		{LAST_NAME, .of = CAME, .name = ""},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{ENTRY_NAME, .nth = 1, .of = LEFT, .name = "new"},
	}},
	{"history_that_begins_anew_knows_nobody_of_before", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SAMPLE, .cpu = 1, .tid = 9, .seq = 21, .ns = 1600},
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 0, .time = 1600},
		{SWITCH_IN, .cpu = 1, .tid = 7, .prev = 0, .time = 1800},
		{KEEP_HISTORY, .is = KIT_HISTORY},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1900, .values = {300, 200}},
		{SWITCH_OUT, .tid = 8, .next = 5, .time = 1900},
		{SAMPLE, .cpu = 1, .tid = 7, .seq = 23, .ns = 2000},
		{SWITCH_OUT, .cpu = 1, .tid = 7, .next = 9, .time = 2000},
		{ENTRY, .of = LEFT, .is = 0},
		{ENTRY, .of = CAME_PREEMPTED, .is = 1},
		{ENTRY, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
	}},
	{"actor_with_a_name_keeps_it", .steps = {
		{COMM, .tid = 7, .name = "seven", .time = 1100},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{COMM, .tid = 7, .name = "other", .time = 1600},
		{LAST_NAME, .of = LEFT, .name = "seven"},
	}},
	{"actor_of_a_nameless_parents_child_gets_its_name", .steps = {
		{FORK, .tid = 8, .parent = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{FACTS, .tid = 7, .name = "seven", .time = 1600},
		{LAST_NAME, .of = CAME, .name = "seven"},
	}},
	{"task_that_runs_on_after_an_offer_is_preempted", .steps = {
		{YIELD, .tid = 7, .time = 1100},
		{LEAVE_FOR_8, .seq = 11, .ns = 901100, .preempted = true},
		{LAST, .of = HOW, .is = SWITCH_PREEMPTED},
	}},
	{"idle_that_is_lost_on_the_way_leaves_as_idle_does", .steps = {
		{LOST, .lost = 1, .time = 1000},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1000},
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{LOST, .lost = 1, .time = 1300},
		{LAST, .of = LEFT_ACTOR, .is = ACTOR_IDLE},
		{LAST, .of = HOW, .is = SWITCH_IDLE},
	}},
	{"cpu_that_goes_ends_its_slice", .steps = {
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{OFFLINE, .time = 1300},
		{ENTRIES, .is = 1},
		{LAST, .of = SLICE_NS, .is = 200},
	}},
	{"cpu_that_goes_ends_nobodys_slice_too", .steps = {
		{LOST, .lost = 1, .time = 1100},
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{OFFLINE, .time = 1300},
		{ENTRIES, .is = 1},
		{LAST, .of = LEFT_ACTOR, .is = ACTOR_UNKNOWN},
		{LAST, .of = SLICE_NS, .is = 200},
	}},
	{"cpu_that_begins_anew_ends_nobodys_slice", .steps = {
		{LOST, .lost = 1, .time = 1100},
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{ONLINE, .time = 1300},
		{ENTRIES, .is = 1},
		{LAST, .of = SLICE_NS, .is = 200},
	}},
	{"cpu_without_readings_tells_no_switches", .steps = {
		{SWITCH_IN, .cpu = 3, .tid = 11, .prev = 0, .time = 1600},
		{SWITCH_OUT, .cpu = 3, .tid = 11, .next = 0, .time = 1700},
		{ENTRIES, .is = 0},
	}},
	{"shed_history_is_counted_and_the_books_go_on", .steps = {
		{SHED, .is = MODEL_SHED_HISTORY},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{RETURN_FROM_8, .seq = 12, .ns = 1600},
		{CLOSE, .time = 1600},
		{ENTRIES, .is = 0},
		{INTERVAL, .of = SHED_SWITCHES, .is = 2},
		{INTERVAL, .of = SHED_DETAILS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 500},
		{TIMING, .tid = 7, .of = SLICES, .is = 1},
		{CLOSE, .time = 1700},
		{INTERVAL, .of = SHED_SWITCHES, .is = 0},
	}},
	{"shed_detail_is_counted_and_the_books_go_on", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1600},
		{CLOSE, .time = 1600},
		{INTERVAL, .of = SHED_SWITCHES, .is = 2},
		{INTERVAL, .of = SHED_DETAILS, .is = 2},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 500},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{INFO, .tid = 7, .of = HAS_TIMING, .is = 0},
	}},
	{"slice_that_ends_after_shedding_is_told_whole", .steps = {
		{SHED, .is = MODEL_SHED_HISTORY},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{SHED, .is = MODEL_SHED_NOTHING},
		{RETURN_FROM_8, .seq = 12, .ns = 1800},
		{ENTRIES, .is = 1},
		{LAST, .of = LEFT, .is = 8},
		{LAST, .of = SLICE_NS, .is = 300},
	}},
};
/* clang-format on */

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), kit_running);
}
