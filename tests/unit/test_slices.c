/* The slices of CPUs, and the switches between them as the history has them. */
#include "switch_kit.h"

static void switch_tells_the_slice_that_ends_and_who_comes(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	const struct kit_entry last = last_entry(model);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last.entry.time_ns, 1500);
	assert_int_equal(last.entry.slice_ns, 500);
	assert_int_equal(last.entry.cpu, 0);
	assert_int_equal(last.left, 7);
	assert_int_equal(last.came, 8);
	assert_true(last.entry.has_counts);
	assert_int_equal(last.counts[event_place(0)], 150);
	assert_int_equal(last.counts[QUANTITY_RUN_NS], 500);
	model_destroy(model);
}

static void slice_that_was_read_in_between_is_one(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	model_close_interval(model, 1200);
	feed(model, reading(.seq = 10, .ns = 1300, .values = {120, 200}));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).entry.slice_ns, 500);
	assert_int_equal(last_entry(model).counts[event_place(0)], 150);
	model_destroy(model);
}

static void slice_holds_what_all_groups_counted(void **state)
{
	struct model *model = kit_running(2);

	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 1500, .values = {104, 200}));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).counts[event_place(0)], 150);
	assert_int_equal(last_entry(model).counts[event_place(2)], 4);
	model_destroy(model);
}

static void slice_before_the_start_is_forgotten(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, reading(.seq = 11, .ns = 1700, .values = {300, 200}));
	model_start(model, 1700);
	assert_int_equal(entry_count(model), 0);
	return_from_8(model, 12, 2000);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).entry.slice_ns, 300);
	model_destroy(model);
}

static void times_before_the_start_bind_nobody(void **state)
{
	struct model *model = kit_running(1);

	model_settle(model, 5000);
	model_start(model, 1000);
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(last_entry(model).entry.time_ns, 1500);
	model_destroy(model);
}

static void what_is_settled_is_not_changed_any_more(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	model_settle(model, 1500);
	feed(model, lost(.lost = 2, .time = 1600));

	assert_int_equal(last_entry(model).entry.slice_ns, 200);
	assert_int_equal(last_entry(model).entry.time_ns, 1500);
	model_destroy(model);
}

/* As a recording tells it. */
static void what_a_record_settles_is_not_changed_any_more(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model,
	     (struct record){.kind = RECORD_SETTLED, .cpu = RECORD_CPU_NONE, .time_ns = 1500});
	feed(model, lost(.lost = 2, .time = 1600));

	assert_int_equal(last_entry(model).entry.time_ns, 1500);
	model_destroy(model);
}

static void task_that_could_have_run_on_is_preempted(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);

	assert_int_equal(last_entry(model).entry.how, SWITCH_PREEMPTED);
	model_destroy(model);
}

static void task_that_leaves_by_itself_is_blocked(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);

	assert_int_equal(last_entry(model).entry.how, SWITCH_BLOCKED);
	model_destroy(model);
}

static void task_that_offered_its_cpu_in_this_slice_yields(void **state)
{
	struct model *model = kit_running(1);

	feed(model, yielded(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, true);
	assert_int_equal(last_entry(model).entry.how, SWITCH_YIELDED);
	return_from_8(model, 12, 1600);
	leave_for_8(model, 13, 1700, true);

	assert_int_equal(last_entry(model).entry.how, SWITCH_PREEMPTED);
	assert_int_equal(task_count(model_close_interval(model, 2000), 7, QUANTITY_PREEMPTIONS), 2);
	model_destroy(model);
}

static void offer_of_a_slice_whose_end_was_seen_is_over(void **state)
{
	struct model *model = kit_running(1);

	feed(model, yielded(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, true);
	feed(model, lost(.lost = 2, .time = 1600));
	leave_for_8(model, 14, 1700, true);

	assert_int_equal(last_entry(model).entry.how, SWITCH_PREEMPTED);
	model_destroy(model);
}

static void offer_of_a_slice_whose_end_was_lost_is_over(void **state)
{
	struct model *model = kit_running(1);

	feed(model, yielded(.tid = 7, .time = 1400));
	feed(model, lost(.lost = 2, .time = 1600));
	return_from_8(model, 14, 1650);
	leave_for_8(model, 15, 1700, true);

	assert_int_equal(last_entry(model).entry.how, SWITCH_PREEMPTED);
	model_destroy(model);
}

static void task_that_sleeps_after_an_offer_is_blocked(void **state)
{
	struct model *model = kit_running(1);

	feed(model, yielded(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(last_entry(model).entry.how, SWITCH_BLOCKED);
	model_destroy(model);
}

static void task_that_has_ended_exits(void **state)
{
	struct model *model = kit_running(1);

	feed(model, exited(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(last_entry(model).entry.how, SWITCH_EXITED);
	model_destroy(model);
}

/* It comes back once more. */
static void task_that_is_pushed_out_while_it_ends_is_preempted(void **state)
{
	struct model *model = kit_running(1);

	feed(model, exited(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, true);

	assert_int_equal(last_entry(model).entry.how, SWITCH_PREEMPTED);
	model_destroy(model);
}

static void task_whose_tid_was_used_again_has_not_told_its_end(void **state)
{
	struct model *model = kit_running(1);

	feed(model, forked(.cpu = 1, .tid = 7, .parent = 9, .time = 1450));
	feed(model, sample(.tid = NOBODY, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = NOBODY, .next = 8, .time = 1500));

	assert_int_equal(last_entry(model).entry.how, SWITCH_BLOCKED);
	assert_int_equal(last_entry(model).left, 7);
	model_destroy(model);
}

static void process_that_executes_in_a_thread_has_not_ended(void **state)
{
	struct model *model = kit_running(1);

	feed(model, exited(.tid = 7, .time = 1400));
	feed(model, comm(.tid = 7, .name = "new", .exec = true, .time = 1450));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(last_entry(model).entry.how, SWITCH_BLOCKED);
	model_destroy(model);
}

static void idle_leaves_because_there_is_something_to_do(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1500));
	feed(model, sample(.tid = 0, .seq = 12, .ns = 1900, .values = {130, 200}));
	feed(model, switch_out(.tid = 0, .next = 8, .time = 1900, .preempted = true));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1900));
	const struct kit_entry last = last_entry(model);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(entry_at(model, 0).entry.came, ACTOR_IDLE);
	assert_int_equal(last.entry.left, ACTOR_IDLE);
	assert_int_equal(last.entry.how, SWITCH_IDLE);
	assert_int_equal(last.entry.slice_ns, 400);
	model_destroy(model);
}

/* 7 leaves for idle at 1500; idle says nothing; 8 arrives from idle at 1800. */
static void let_idle_slip_in(struct model *model)
{
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1800));
}

static void hidden_idle_is_a_slice_before_that_of_the_arriving_task(void **state)
{
	struct model *model = kit_running(1);

	let_idle_slip_in(model);
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .values = {137, 200}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 2000));
	const struct kit_entry idle = entry_at(model, 1), task = entry_at(model, 2);

	assert_int_equal(entry_count(model), 3);
	assert_int_equal(idle.entry.left, ACTOR_IDLE);
	assert_int_equal(idle.came, 8);
	assert_int_equal(idle.entry.how, SWITCH_IDLE);
	assert_int_equal(idle.entry.time_ns, 1800);
	assert_int_equal(idle.entry.slice_ns, 300);
	assert_int_equal(idle.counts[event_place(0)], 0);
	assert_int_equal(task.left, 8);
	assert_int_equal(task.entry.slice_ns, 200);
	assert_int_equal(task.counts[event_place(0)], 7);
	model_destroy(model);
}

static void hidden_idle_tells_how_long_the_arriving_task_was_off(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 7, .prev = 0, .time = 1800));
	feed(model, sample(.tid = 7, .seq = 13, .ns = 2000, .values = {137, 200}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 2000));

	assert_int_equal(entry_at(model, 1).entry.off_ns, 300);
	assert_int_equal(entry_at(model, 1).entry.from_cpu, 0);
	model_destroy(model);
}

static void hidden_idle_that_was_read_before_it_ended_is_one_slice(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, reading(.seq = 11, .ns = 1600, .values = {130, 200}));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1800));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 2000, .values = {137, 200}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 2000));

	assert_int_equal(entry_count(model), 3);
	assert_int_equal(entry_at(model, 1).entry.slice_ns, 300);
	model_destroy(model);
}

/* What may still come of it is earlier than what comes anyway. */
static void hidden_idle_is_not_settled_before_it_is_counted(void **state)
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

static void unattributed_time_is_a_slice_of_nobody(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 13, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));
	const struct kit_entry nobodys = entry_at(model, 0), task = entry_at(model, 1);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(nobodys.entry.left, ACTOR_UNKNOWN);
	assert_int_equal(nobodys.entry.how, SWITCH_UNKNOWN);
	assert_int_equal(nobodys.entry.slice_ns, 500);
	assert_int_equal(nobodys.counts[event_place(0)], 30);
	assert_int_equal(task.left, 7);
	assert_int_equal(task.entry.how, SWITCH_PREEMPTED);
	assert_true(task.entry.slice_ns == SWITCH_NS_UNKNOWN);
	model_destroy(model);
}

static void unattributed_time_ends_where_the_owners_began(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.lost = 1, .time = 1100));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	leave_for_8(model, 11, 1500, false);
	const struct kit_entry nobodys = entry_at(model, 0), task = entry_at(model, 1);

	assert_int_equal(nobodys.entry.slice_ns, 200);
	assert_int_equal(nobodys.entry.time_ns, 1200);
	assert_int_equal(nobodys.came, 7);
	assert_int_equal(task.entry.slice_ns, 300);
	model_destroy(model);
}

/* Other groups are believed. */
static void counts_of_nobody_are_a_slice_without_time(void **state)
{
	struct model *model = kit_running(2);

	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 901000, .off_ns = 400000,
			   .values = {130, 200}));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 901000, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 901000));
	const struct kit_entry nobodys = entry_at(model, 0), task = entry_at(model, 1);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(nobodys.entry.left, ACTOR_UNKNOWN);
	assert_int_equal(nobodys.entry.slice_ns, 0);
	assert_int_equal(nobodys.entry.time_ns, 1000);
	assert_int_equal(nobodys.counts[event_place(2)], 30);
	assert_int_equal(task.entry.slice_ns, 900000);
	model_destroy(model);
}

static void slice_that_is_lost_on_the_way_ends_where_it_was_counted_last(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .time = 1000, .values = {110, 200}));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1300, .values = {115, 200}));
	feed(model, lost(.lost = 2, .time = 1600));
	const struct kit_entry last = last_entry(model);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last.left, 7);
	assert_int_equal(last.entry.came, ACTOR_UNKNOWN);
	assert_int_equal(last.entry.how, SWITCH_UNKNOWN);
	assert_int_equal(last.entry.slice_ns, 300);
	assert_int_equal(last.entry.time_ns, 1300);
	model_destroy(model);
}

static void slice_that_counted_nothing_is_not_told_when_it_is_lost(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.lost = 2, .time = 1600));

	assert_int_equal(entry_count(model), 0);
	model_destroy(model);
}

static void arrival_without_a_departure_is_a_switch_of_unknown_kind(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_in(.tid = 8, .prev = 7, .time = 1500));
	const struct kit_entry last = last_entry(model);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last.left, 7);
	assert_int_equal(last.came, 8);
	assert_int_equal(last.entry.how, SWITCH_UNKNOWN);
	assert_int_equal(last.entry.slice_ns, 500);
	model_destroy(model);
}

static void arrival_after_a_loss_tells_who_left(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.lost = 2, .time = 1400));
	feed(model, switch_in(.tid = 8, .prev = 6, .time = 1500));
	const struct kit_entry last = last_entry(model);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last.left, 6);
	assert_int_equal(last.came, 8);
	assert_true(last.entry.slice_ns == SWITCH_NS_UNKNOWN);
	model_destroy(model);
}

static void arrival_of_whom_nobody_announced_is_no_second_switch(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = NOBODY, .time = 1500));
	feed(model, switch_in(.tid = 8, .prev = 7, .time = 1500));
	return_from_8(model, 12, 1700);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(last_entry(model).left, 8);
	assert_int_equal(last_entry(model).entry.slice_ns, 200);
	model_destroy(model);
}

static void departure_of_another_than_ran_ends_both_slices(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, sample(.tid = 6, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 6, .next = 8, .time = 1500));
	const struct kit_entry first = entry_at(model, 0), second = entry_at(model, 1);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(first.left, 7);
	assert_int_equal(first.came, 6);
	assert_int_equal(first.entry.how, SWITCH_UNKNOWN);
	assert_int_equal(first.entry.slice_ns, 200);
	assert_int_equal(second.left, 6);
	assert_int_equal(second.entry.slice_ns, 300);
	model_destroy(model);
}

static void departure_of_another_than_was_counted_ends_that_ones_slice(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, switch_out(.tid = 6, .next = 8, .time = 1500));

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(entry_at(model, 0).left, 7);
	assert_int_equal(entry_at(model, 0).entry.slice_ns, 200);
	assert_int_equal(entry_at(model, 1).left, 6);
	assert_true(entry_at(model, 1).entry.slice_ns == SWITCH_NS_UNKNOWN);
	assert_true(entry_at(model, 0).entry.has_counts);
	assert_false(entry_at(model, 1).entry.has_counts);
	model_destroy(model);
}

static void preemption_without_a_reading_has_no_counts(void **state)
{
	struct model *model = kit_running(1);

	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500, .preempted = true));

	assert_false(last_entry(model).entry.has_counts);
	model_destroy(model);
}

static const char *name_of(const struct model *model, uint64_t actor)
{
	return history_find_actor(model_history(model), actor)->name;
}

static void actor_without_a_name_gets_the_first_one(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	assert_string_equal(name_of(model, last_entry(model).entry.left), "");
	feed(model, facts(.tid = 7, .name = "seven", .time = 1600));
	feed(model, facts(.tid = 8, .name = "eight", .time = 1600));

	assert_string_equal(name_of(model, last_entry(model).entry.left), "seven");
	assert_string_equal(name_of(model, last_entry(model).entry.came), "eight");

	return_from_8(model, 12, 1700);
	assert_int_equal(entry_at(model, 1).entry.left, entry_at(model, 0).entry.came);
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
static void actor_without_a_name_or_a_reading_is_asked_for_once(void **state)
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
	assert_string_equal(name_of(model, last_entry(model).entry.came), "eight");
	model_destroy(model);
}

static void actor_with_a_name_is_not_asked_for(void **state)
{
	struct model *model = kit_running(1);

	feed(model, comm(.cpu = 1, .tid = 8, .name = "eight", .time = 1100));
	leave_for_8(model, 11, 1500, false);

	assert_int_equal(asked_for(model, 8), 0);
	model_destroy(model);
}

static void actors_without_a_name_that_have_ended_are_not_asked_for(void **state)
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

/* It had another name before, which nobody has told. */
static void actor_without_a_name_does_not_get_the_one_after(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, comm(.tid = 8, .name = "new", .time = 1600));

	assert_string_equal(name_of(model, last_entry(model).entry.came), "");
	return_from_8(model, 12, 1700);
	assert_string_equal(name_of(model, entry_at(model, 1).entry.left), "new");
	model_destroy(model);
}

static void history_that_begins_anew_knows_nobody_of_before(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, sample(.cpu = 1, .tid = 9, .seq = 21, .ns = 1600));
	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 0, .time = 1600));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = 0, .time = 1800));
	model_keep_history(model, KIT_HISTORY);
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1900, .values = {300, 200}));
	feed(model, switch_out(.tid = 8, .next = 5, .time = 1900));
	feed(model, sample(.cpu = 1, .tid = 7, .seq = 23, .ns = 2000));
	feed(model, switch_out(.cpu = 1, .tid = 7, .next = 9, .time = 2000));

	const struct kit_entry idle = entry_at(model, 0);
	assert_int_equal(idle.left, 0);
	assert_true(idle.entry.came_preempted);
	assert_int_equal(idle.entry.pushed_by, ACTOR_UNKNOWN);
	model_destroy(model);
}

static void actor_with_a_name_keeps_it(void **state)
{
	struct model *model = kit_running(1);

	feed(model, comm(.tid = 7, .name = "seven", .time = 1100));
	leave_for_8(model, 11, 1500, false);
	feed(model, comm(.tid = 7, .name = "other", .time = 1600));

	assert_string_equal(name_of(model, last_entry(model).entry.left), "seven");
	model_destroy(model);
}

static void actor_of_a_nameless_parents_child_gets_its_name(void **state)
{
	struct model *model = kit_running(1);

	feed(model, forked(.tid = 8, .parent = 7, .time = 1400));
	leave_for_8(model, 11, 1500, false);
	feed(model, facts(.tid = 7, .name = "seven", .time = 1600));

	assert_string_equal(name_of(model, last_entry(model).entry.came), "seven");
	model_destroy(model);
}

static void task_that_runs_on_after_an_offer_is_preempted(void **state)
{
	struct model *model = kit_running(1);

	feed(model, yielded(.tid = 7, .time = 1100));
	leave_for_8(model, 11, 901100, true);

	assert_int_equal(last_entry(model).entry.how, SWITCH_PREEMPTED);
	model_destroy(model);
}

static void idle_that_is_lost_on_the_way_leaves_as_idle_does(void **state)
{
	struct model *model = kit_running(1);

	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1000));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, lost(.lost = 1, .time = 1300));

	assert_int_equal(last_entry(model).entry.left, ACTOR_IDLE);
	assert_int_equal(last_entry(model).entry.how, SWITCH_IDLE);
	model_destroy(model);
}

static void cpu_that_goes_ends_its_slice(void **state)
{
	struct model *model = kit_running(1);

	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, cpu_offline(.time = 1300));

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).entry.slice_ns, 200);
	model_destroy(model);
}

static void cpu_that_goes_ends_nobodys_slice_too(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.lost = 1, .time = 1100));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, cpu_offline(.time = 1300));

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).entry.left, ACTOR_UNKNOWN);
	assert_int_equal(last_entry(model).entry.slice_ns, 200);
	model_destroy(model);
}

static void cpu_that_begins_anew_ends_nobodys_slice(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.lost = 1, .time = 1100));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, cpu_online(.time = 1300));

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).entry.slice_ns, 200);
	model_destroy(model);
}

static void cpu_without_readings_tells_no_switches(void **state)
{
	struct model *model = kit_running(1);

	feed(model, switch_in(.cpu = 3, .tid = 11, .prev = 0, .time = 1600));
	feed(model, switch_out(.cpu = 3, .tid = 11, .next = 0, .time = 1700));

	assert_int_equal(entry_count(model), 0);
	model_destroy(model);
}

static void thread_that_executes_ends_its_slice(void **state)
{
	struct model *model = kit_running(1);

	feed(model, forked(.tid = 17, .pid = 7, .parent = 7, .time = 1000));
	feed(model, switch_in(.tid = 17, .pid = 7, .prev = 7, .time = 1000));
	feed(model, reading(.seq = 10, .ns = 1200, .values = {110, 200}));
	feed(model, comm(.tid = 7, .name = "new", .exec = true, .time = 1200));
	leave_for_8(model, 11, 1500, false);
	const uint64_t count = entry_count(model);

	assert_int_equal(entry_at(model, count - 2).left, 17);
	assert_int_equal(entry_at(model, count - 2).came, 7);
	assert_int_equal(entry_at(model, count - 2).entry.slice_ns, 200);
	assert_int_equal(entry_at(model, count - 1).left, 7);
	assert_int_equal(entry_at(model, count - 1).entry.slice_ns, 300);
	model_destroy(model);
}

static void open_slice_goes_on_over_a_change_of_the_layout(void **state)
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

static void actors_have_the_names_of_then(void **state)
{
	struct model *model = kit_running(1);
	const struct history *history = model_history(model);

	feed(model, comm(.tid = 7, .name = "old", .time = 1100));
	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1600);
	feed(model, comm(.tid = 7, .name = "new", .time = 1650));
	leave_for_8(model, 13, 1700, false);
	const struct actor *then = history_find_actor(history, entry_at(model, 0).entry.left);
	const struct actor *now = history_find_actor(history, entry_at(model, 2).entry.left);

	assert_string_equal(then->name, "old");
	assert_string_equal(now->name, "new");
	assert_int_equal(then->task_id, now->task_id);
	model_destroy(model);
}

static void actors_without_a_name_get_it_when_it_is_told(void **state)
{
	struct model *model = kit_running(1);
	const struct history *history = model_history(model);

	leave_for_8(model, 11, 1500, false);
	const uint64_t left = entry_at(model, 0).entry.left;

	assert_string_equal(history_find_actor(history, left)->name, "");
	feed(model, facts(.tid = 7, .name = "sh", .time = 1600));
	assert_string_equal(history_find_actor(history, left)->name, "sh");
	model_destroy(model);
}

static void actors_without_a_name_do_not_get_the_next_one(void **state)
{
	struct model *model = kit_running(1);
	const struct history *history = model_history(model);

	leave_for_8(model, 11, 1500, false);
	feed(model, comm(.tid = 7, .name = "new", .time = 1550));
	return_from_8(model, 12, 1600);
	leave_for_8(model, 13, 1700, false);

	assert_string_equal(history_find_actor(history, entry_at(model, 0).entry.left)->name, "");
	assert_string_equal(history_find_actor(history, entry_at(model, 2).entry.left)->name,
			    "new");
	model_destroy(model);
}

static void history_is_not_kept_unless_targets(void **state)
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

static void shed_history_is_counted_and_the_books_go_on(void **state)
{
	struct model *model = kit_running(1);

	model_shed(model, MODEL_SHED_HISTORY);
	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1600);
	const struct snapshot *snapshot = model_close_interval(model, 1600);

	assert_int_equal(entry_count(model), 0);
	assert_int_equal(snapshot->shed_switches, 2);
	assert_int_equal(snapshot->shed_details, 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 500);
	assert_int_equal(find_task(snapshot, 7)->timing->of[TIMING_SLICES].count, 1);
	assert_true(books_balance(snapshot));
	assert_int_equal(model_close_interval(model, 1700)->shed_switches, 0);
	model_destroy(model);
}

static void shed_detail_is_counted_and_the_books_go_on(void **state)
{
	struct model *model = kit_running(1);

	model_shed(model, MODEL_SHED_DETAIL);
	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1600);
	const struct snapshot *snapshot = model_close_interval(model, 1600);

	assert_int_equal(snapshot->shed_switches, 2);
	assert_int_equal(snapshot->shed_details, 2);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 500);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
	assert_null(find_task(snapshot, 7)->timing);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void slice_that_ends_after_shedding_is_told_whole(void **state)
{
	struct model *model = kit_running(1);

	model_shed(model, MODEL_SHED_HISTORY);
	leave_for_8(model, 11, 1500, false);
	model_shed(model, MODEL_SHED_NOTHING);
	return_from_8(model, 12, 1800);

	assert_int_equal(entry_count(model), 1);
	assert_int_equal(last_entry(model).left, 8);
	assert_int_equal(last_entry(model).entry.slice_ns, 300);
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switch_tells_the_slice_that_ends_and_who_comes),
		cmocka_unit_test(slice_that_was_read_in_between_is_one),
		cmocka_unit_test(slice_holds_what_all_groups_counted),
		cmocka_unit_test(slice_before_the_start_is_forgotten),
		cmocka_unit_test(times_before_the_start_bind_nobody),
		cmocka_unit_test(what_is_settled_is_not_changed_any_more),
		cmocka_unit_test(what_a_record_settles_is_not_changed_any_more),
		cmocka_unit_test(task_that_could_have_run_on_is_preempted),
		cmocka_unit_test(task_that_leaves_by_itself_is_blocked),
		cmocka_unit_test(task_that_offered_its_cpu_in_this_slice_yields),
		cmocka_unit_test(offer_of_a_slice_whose_end_was_seen_is_over),
		cmocka_unit_test(offer_of_a_slice_whose_end_was_lost_is_over),
		cmocka_unit_test(task_that_sleeps_after_an_offer_is_blocked),
		cmocka_unit_test(task_that_has_ended_exits),
		cmocka_unit_test(task_that_is_pushed_out_while_it_ends_is_preempted),
		cmocka_unit_test(task_whose_tid_was_used_again_has_not_told_its_end),
		cmocka_unit_test(process_that_executes_in_a_thread_has_not_ended),
		cmocka_unit_test(idle_leaves_because_there_is_something_to_do),
		cmocka_unit_test(hidden_idle_is_a_slice_before_that_of_the_arriving_task),
		cmocka_unit_test(hidden_idle_tells_how_long_the_arriving_task_was_off),
		cmocka_unit_test(hidden_idle_that_was_read_before_it_ended_is_one_slice),
		cmocka_unit_test(hidden_idle_is_not_settled_before_it_is_counted),
		cmocka_unit_test(unattributed_time_is_a_slice_of_nobody),
		cmocka_unit_test(unattributed_time_ends_where_the_owners_began),
		cmocka_unit_test(counts_of_nobody_are_a_slice_without_time),
		cmocka_unit_test(slice_that_is_lost_on_the_way_ends_where_it_was_counted_last),
		cmocka_unit_test(slice_that_counted_nothing_is_not_told_when_it_is_lost),
		cmocka_unit_test(arrival_without_a_departure_is_a_switch_of_unknown_kind),
		cmocka_unit_test(arrival_after_a_loss_tells_who_left),
		cmocka_unit_test(arrival_of_whom_nobody_announced_is_no_second_switch),
		cmocka_unit_test(departure_of_another_than_ran_ends_both_slices),
		cmocka_unit_test(departure_of_another_than_was_counted_ends_that_ones_slice),
		cmocka_unit_test(preemption_without_a_reading_has_no_counts),
		cmocka_unit_test(actor_without_a_name_gets_the_first_one),
		cmocka_unit_test(actor_without_a_name_or_a_reading_is_asked_for_once),
		cmocka_unit_test(actor_with_a_name_is_not_asked_for),
		cmocka_unit_test(actors_without_a_name_that_have_ended_are_not_asked_for),
		cmocka_unit_test(actor_without_a_name_does_not_get_the_one_after),
		cmocka_unit_test(actor_with_a_name_keeps_it),
		cmocka_unit_test(history_that_begins_anew_knows_nobody_of_before),
		cmocka_unit_test(actor_of_a_nameless_parents_child_gets_its_name),
		cmocka_unit_test(task_that_runs_on_after_an_offer_is_preempted),
		cmocka_unit_test(idle_that_is_lost_on_the_way_leaves_as_idle_does),
		cmocka_unit_test(cpu_that_goes_ends_its_slice),
		cmocka_unit_test(cpu_that_goes_ends_nobodys_slice_too),
		cmocka_unit_test(cpu_that_begins_anew_ends_nobodys_slice),
		cmocka_unit_test(cpu_without_readings_tells_no_switches),
		cmocka_unit_test(thread_that_executes_ends_its_slice),
		cmocka_unit_test(open_slice_goes_on_over_a_change_of_the_layout),
		cmocka_unit_test(actors_have_the_names_of_then),
		cmocka_unit_test(actors_without_a_name_get_it_when_it_is_told),
		cmocka_unit_test(actors_without_a_name_do_not_get_the_next_one),
		cmocka_unit_test(history_is_not_kept_unless_targets),
		cmocka_unit_test(shed_history_is_counted_and_the_books_go_on),
		cmocka_unit_test(shed_detail_is_counted_and_the_books_go_on),
		cmocka_unit_test(slice_that_ends_after_shedding_is_told_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
