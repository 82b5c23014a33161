/* Waits of tasks: as lengths, in the books and in the timing. Task 7 runs on CPU 0, 9 on CPU 1. */
#include "model_story.h"
#include "unit.h"

static const uint64_t unknown_ns = SWITCH_NS_UNKNOWN;

/* CPU 0 counts on, whoever runs there. */
static void run_on(struct model *model, uint64_t seq, uint64_t ns)
{
	feed(model, reading(.seq = seq, .ns = ns, .values = {100 + ns / 10, 200}));
}

static const struct timing *timing_of(const struct snapshot *snapshot, int32_t tid)
{
	return find_task(snapshot, tid)->timing;
}

enum {
	TOLD_BY_SWITCHES = 1 << QUANTITY_PREEMPTED_NS | 1 << QUANTITY_OFF_NS |
			   1 << QUANTITY_QUEUED_NS | 1 << QUANTITY_WAKEUP_NS |
			   1 << QUANTITY_WAKEUPS | 1 << QUANTITY_UNINTERRUPTIBLE_NS
};

UNIT_TEST(losses_make_absences_unknown)
{
	const struct record losses[] = {
		lost(.cpu = 1, .lost = 1, .time = 1600),
		lost(.cpu = RECORD_CPU_NONE, .lost = 1, .time = 1600),
		lost(.cpu = 1, .lost = 1, .time = 1), /* it is at least now that it is told */
		cpu_online(.cpu = 1, .time = 1600),
		cpu_offline(.cpu = 1, .time = 1600),
	};

	for (size_t i = 0; i < COUNT_OF(losses); i++) {
		struct model *model = kit_running(1);

		leave_for_8(model, 11, 1500, true);
		feed(model, losses[i]);
		return_from_8(model, 12, 1700);
		const struct kit_entry back = last_entry(model);
		const struct snapshot *snapshot = model_close_interval(model, 2000);

		assert_true(back.entry.off_ns == unknown_ns);
		assert_true(back.entry.wait_ns == unknown_ns);
		assert_false(back.entry.next_was_preempted);
		assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
		assert_int_equal(timing_of(snapshot, 7)->of[TIMING_PREEMPTED].count, 0);
		model_destroy(model);
	}
}

/* It left CPU 0 before it came to CPU 1, and is waiting behind 9 by now. */
UNIT_TEST(late_record_of_another_cpu_leaves_what_a_task_waits_for)
{
	struct model *model = kit_running(1);

	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 7, .time = 1300));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = 9, .time = 1300));
	feed(model, switch_out(.cpu = 1, .tid = 7, .next = 9, .time = 1400, .preempted = true));
	feed(model, switch_in(.cpu = 1, .tid = 9, .prev = 7, .time = 1400));
	feed(model, switch_out(.tid = 7, .next = 10, .time = 1200, .preempted = true));
	feed(model, switch_in(.tid = 10, .prev = 7, .time = 1200));
	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 7, .time = 1600));
	const struct kit_entry back = last_entry(model);

	assert_int_equal(back.next, 7);
	assert_int_equal(back.entry.off_ns, 200);
	assert_int_equal(back.queued_by, 9);
	model_destroy(model);
}

/* Tasks whose switches are never recorded ran meanwhile: all others have records of theirs. */
UNIT_TEST(switches_without_a_record_leave_absences_known)
{
	static const struct {
		int32_t prev;        /* the task that left, as the next one says */
		uint64_t in_between; /* number of a reading between the switches; 0: none */
		uint64_t next;       /* number of the next switch */
	} cases[] = {{8, 0, 13}, {8, 0, 14}, {9, 0, 13}, {8, 12, 14}, {9, 0, 19}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct model *model = kit_running(1);

		leave_for_8(model, 11, 1500, true);
		feed(model, switch_in(.tid = 10, .prev = cases[i].prev, .time = 1600));
		if (cases[i].in_between > 0)
			feed(model,
			     reading(.seq = cases[i].in_between, .ns = 1650, .values = {270, 200}));
		feed(model,
		     sample(.tid = 10, .seq = cases[i].next, .ns = 1700, .values = {270, 200}));
		feed(model, switch_out(.tid = 10, .next = 7, .time = 1700));

		assert_int_equal(last_entry(model).entry.off_ns, 200);
		assert_true(last_entry(model).entry.next_was_preempted);
		assert_true(model_close_interval(model, 2000)->silent_switches > 0);
		model_destroy(model);
	}
}

/* The same on another CPU than that of the wait. */
UNIT_TEST(switch_without_a_record_elsewhere_leaves_waits_known)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, reading(.cpu = 1, .seq = 21, .ns = 1600, .time = 1600));
	return_from_8(model, 12, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	assert_int_equal(find_task(snapshot, 7)->unknown & TOLD_BY_SWITCHES, 0);
	model_destroy(model);
}

UNIT_TEST(waiter_whose_tid_was_used_again_is_forgotten)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, forked(.cpu = 1, .tid = 7, .parent = 9, .time = 1600));
	for (uint64_t ns = 1700; ns < 2000; ns += 100)
		model_close_interval(model, ns);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_PREEMPTED_NS], 0);
	assert_true(find_task(snapshot, 7)->id != 1);
	model_destroy(model);
}

UNIT_TEST(run_delay_of_who_ran_untold_is_unknown_until_two_are_told)
{
	struct model *model = kit_running(1);
	const uint32_t queued = 1u << QUANTITY_QUEUED_NS;

	feed(model, run_delay(.tid = 7, .wait_ns = 5000));
	feed(model, run_delay(.tid = 7, .wait_ns = 5010));
	run_on(model, 10, 1500);
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);

	run_on(model, 10, 2500);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find_task(snapshot, 7)->unknown, queued);

	run_on(model, 10, 3500);
	feed(model, run_delay(.tid = 7, .wait_ns = 5900));
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(find_task(snapshot, 7)->unknown, queued);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 0);

	run_on(model, 10, 4500);
	feed(model, run_delay(.tid = 7, .wait_ns = 5930));
	snapshot = model_close_interval(model, 5000);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 30);
	model_destroy(model);
}

UNIT_TEST(copy_of_a_snapshot_keeps_its_timing)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	struct snapshot *copy = snapshot_copy(model_close_interval(model, 2000));
	model_destroy(model);

	assert_int_equal(timing_of(copy, 7)->of[TIMING_SLICES].sum, 500);
	assert_null(timing_of(copy, 9));
	snapshot_destroy(copy);
}

/* Instructions in group 0, and cycles too or in a second group, that takes turns. */
static struct model *begin_ipc(size_t groups)
{
	const bool apart = groups > 1;
	struct layout layout;

	layout_init(&layout);
	layout_add_event(&layout, "instructions");
	layout_add_event(&layout, "cycles");
	layout_add_counter(&layout, 0, 0);
	layout_add_counter(&layout, apart ? layout_add_group(&layout, 0, 1) : 0, 1);
	struct model *model = model_create(&layout);
	feed(model, reading(.seq = 10, .ns = 1000));
	if (apart)
		feed(model, reading(.group = 1, .seq = 10, .ns = 1000));
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 1000));
	model_start(model, 1000);
	layout_fini(&layout);
	return model;
}

UNIT_TEST(short_slices_are_cold_and_long_ones_late)
{
	struct model *model = begin_ipc(1);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 101000, .values = {10, 20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 101000));
	feed(model, sample(.tid = 8, .seq = 12, .ns = 201001, .values = {110, 220}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 201001));
	const struct snapshot *snapshot = model_close_interval(model, 300000);
	const struct timing *cold = timing_of(snapshot, 7), *late = timing_of(snapshot, 8);

	assert_int_equal(cold->cold.slices, 1);
	assert_int_equal(cold->cold.ns, 100000);
	assert_int_equal(cold->cold.instructions, 10);
	assert_int_equal(cold->cold.cycles, 20);
	assert_int_equal(cold->late.slices, 0);
	assert_int_equal(late->late.slices, 1);
	assert_int_equal(late->late.ns, 100001);
	assert_int_equal(late->late.instructions, 100);
	assert_int_equal(late->late.cycles, 200);
	model_destroy(model);
}

UNIT_TEST(events_that_come_later_tell_of_caches_then)
{
	struct layout layout;

	layout_init(&layout);
	struct model *model = model_create(&layout);
	feed(model, reading(.seq = 10, .ns = 500));
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 500));
	model_start(model, 500);
	layout_add_counter(&layout, 0, layout_add_event(&layout, "instructions"));
	layout_add_counter(&layout, 0, layout_add_event(&layout, "cycles"));
	model_change_layout(model, &layout);
	feed(model, reading(.seq = 10, .ns = 500));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {10, 20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));

	assert_int_equal(timing_of(model_close_interval(model, 2000), 7)->cold.instructions, 10);
	layout_fini(&layout);
	model_destroy(model);
}

UNIT_TEST(events_that_are_gone_tell_of_caches_no_more)
{
	struct model *model = begin_ipc(1);
	struct layout layout;

	layout_init(&layout);
	layout_add_event(&layout, "instructions");
	layout_add_event(&layout, "cycles");
	layout_add_counter(&layout, 0, 0);
	layout_add_counter(&layout, 0, 1);
	layout_drop_last_counter(&layout, 0);
	model_change_layout(model, &layout);
	feed(model, reading(.seq = 10, .ns = 1000));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 101000, .values = {10}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 101000));

	assert_int_equal(timing_of(model_close_interval(model, 200000), 7)->cold.slices, 0);
	layout_fini(&layout);
	model_destroy(model);
}

UNIT_TEST(who_ran_since_the_close_is_told)
{
	struct model *model = kit_running(1);
	struct task_ref refs[4];

	model_close_interval(model, 1100);
	assert_int_equal(model_who_ran(model, refs, 4), 0);
	leave_for_8(model, 11, 1500, true);
	assert_int_equal(model_who_ran(model, refs, 4), 1);
	assert_int_equal(refs[0].tid, 7);
	return_from_8(model, 12, 1600);
	assert_int_equal(model_who_ran(model, refs, 4), 2);
	assert_int_equal(model_who_ran(model, refs, 1), 1);
	feed(model, exited(.tid = 8, .time = 1700));
	assert_int_equal(model_who_ran(model, refs, 4), 1);
	model_close_interval(model, 1800);

	assert_int_equal(model_who_ran(model, refs, 4), 0);
	model_destroy(model);
}

UNIT_TEST(task_that_only_waited_did_not_run)
{
	struct model *model = kit_running(1);
	struct task_ref refs[4];

	feed(model, run_delay(.tid = 7, .wait_ns = 10));
	feed(model, run_delay(.tid = 7, .wait_ns = 30));

	assert_int_equal(model_who_ran(model, refs, 4), 0);
	model_destroy(model);
}

/* clang-format off */
static const struct story STORIES[] = {
	{"preempted_task_waits_until_it_comes_back", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = 200},
		{LAST, .of = WAIT_NS, .is = 200},
		{LAST, .of = CAME_PREEMPTED, .is = 1},
		{LAST, .of = QUEUED_BY, .is = 8},
		{LAST, .of = FROM_CPU, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 200},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 200},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 0},
		{TIMING, .tid = 7, .of = PREEMPTED_NS, .is = 200},
	}},
	/* but not while its CPU is idle: what holds it back then is no other task */
	{"task_that_is_held_back_was_not_preempted", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1600},
		{SWITCH_OUT, .tid = 8, .next = 0, .time = 1600},
		{SWITCH_IN, .tid = 0, .next = 8, .time = 1600},
		{READING, .seq = 12, .ns = 1700},
		{CLOSE, .time = 1700},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 200},
		{SAMPLE, .tid = 0, .seq = 13, .ns = 1900},
		{SWITCH_OUT, .tid = 0, .next = 7, .time = 1900},
		{SWITCH_IN, .tid = 7, .next = 0, .time = 1900},
		{CLOSE, .time = 2000},
		{LAST, .of = OFF_NS, .is = 400},
		{LAST, .of = WAIT_NS, .is = -1},
		{LAST, .of = CAME_PREEMPTED, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 200},
	}},
	/* what looks like idle may be a task outside of this pid namespace, which took the CPU */
	{"task_that_waits_for_shared_idle_was_preempted", .steps = {
		{SHARED_IDLE, .is = 1},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1600},
		{SWITCH_OUT, .tid = 8, .next = 0, .time = 1600},
		{SWITCH_IN, .tid = 0, .next = 8, .time = 1600},
		{READING, .seq = 12, .ns = 1700},
		{CLOSE, .time = 1700},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 200},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 200},
	}},
	{"sleeping_task_is_off_until_it_comes_back", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = 200},
		{LAST, .of = WAIT_NS, .is = -1},
		{LAST, .of = CAME_PREEMPTED, .is = 0},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 200},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUPS, .is = 0},
	}},
	{"task_that_was_woken_knows_by_what", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1640, .waker = 8},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = 60},
		{LAST, .of = CAME_PREEMPTED, .is = 0},
		{LAST, .of = QUEUED_BY, .is = 8},
	}},
	{"task_may_be_woken_by_an_interrupt", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1640, .waker = 0},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_IDLE},
	}},
	{"task_may_be_woken_by_one_that_is_not_known", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1640, .waker = 4711},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = 60},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
	}},
	{"task_that_was_never_seen_leaving_was_off_for_an_unknown_time", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LAST, .of = OFF_NS, .is = -1},
		{LAST, .of = WAIT_NS, .is = -1},
		{LAST, .of = FROM_CPU, .is = -1},
	}},
	{"arrival_is_counted_once", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1700, .values = {270, 200}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1700},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1701},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1702},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 200},
		{TIMING, .tid = 7, .of = PREEMPTIONS, .is = 1},
	}},
	{"arrival_without_announcement_ends_the_wait", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1700, .values = {270, 200}},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1700},
		{LAST, .of = OFF_NS, .is = 200},
	}},
	{"task_that_comes_elsewhere_tells_where_it_was", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SAMPLE, .cpu = 1, .tid = 9, .seq = 21, .ns = 1600},
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 7, .time = 1600},
		{SWITCH_IN, .cpu = 1, .tid = 7, .prev = 9, .time = 1600},
		{LAST, .of = ON_CPU, .is = 1},
		{LAST, .of = FROM_CPU, .is = 0},
		{LAST, .of = WAIT_NS, .is = 100},
		{COUNTER, .cpu = 1, .of = QUANTITY_PREEMPTED_NS, .is = 100},
		{COUNTER, .of = QUANTITY_PREEMPTED_NS, .is = 0},
	}},
	{"task_that_yielded_was_not_preempted", .steps = {
		{YIELD, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = CAME_PREEMPTED, .is = 1},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
	}},
	{"preempted_wait_is_divided_at_the_close", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{READING, .seq = 11, .ns = 1800, .values = {280, 200}},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 300},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 300},
		{RETURN_FROM_8, .seq = 12, .ns = 1900},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 100},
		{LAST, .of = WAIT_NS, .is = 400},
		{TIMING, .tid = 7, .of = PREEMPTED_NS, .is = 400},
	}},
	{"task_that_only_waits_is_shown_and_has_not_run", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{CLOSE, .time = 1600},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 100},
		{TOTAL, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 300},
		{INFO, .tid = 7, .of = HAS_RUN, .is = 0},
		{INTERVAL, .of = RAN, .is = 0},
	}},
	{"wait_before_the_start_is_not_entered", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{READING, .seq = 11, .ns = 1600, .values = {260, 200}},
		{START, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1900},
		{LAST, .of = WAIT_NS, .is = 400},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 300},
	}},
	/* nor if all that is known of the task is that it was pushed out */
	{"wait_before_the_start_of_a_new_task_is_not_entered", .steps = {
		{SWITCH_OUT, .cpu = 1, .tid = 12, .next = 8, .time = 1500, .preempted = true},
		{SWITCH_IN, .cpu = 1, .tid = 8, .next = 12, .time = 1500},
		{START, .time = 1600},
		{CLOSE, .time = 1900},
		{TASK, .tid = 12, .of = QUANTITY_PREEMPTED_NS, .is = 300},
		{INFO, .tid = 12, .of = LAST_CPU, .is = 1},
	}},
	{"off_time_is_entered_up_to_the_close_where_the_task_ran", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 300},
	}},
	{"off_time_is_not_entered_where_the_task_did_not_run", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{CLOSE, .time = 1800},
		{CLOSE, .time = 2800},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 0},
		{RETURN_FROM_8, .seq = 12, .ns = 2900},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 100},
		{LAST, .of = OFF_NS, .is = 1400},
	}},
	{"woken_task_waits_from_its_wake_up", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1640},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = 200},
		{LAST, .of = WAIT_NS, .is = 60},
		{LAST, .of = CAME_PREEMPTED, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUP_NS, .is = 60},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUPS, .is = 1},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 60},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 200},
		{TIMING, .tid = 7, .of = WAKEUPS_NS, .is = 60},
	}},
	{"woken_task_queues_up_to_the_close", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .tid = 7, .time = 1640},
		{CLOSE, .time = 1680},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 40},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUP_NS, .is = 0},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 20},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUP_NS, .is = 60},
	}},
	{"of_several_wake_ups_the_first_counts", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .tid = 7, .time = 1640},
		{WAKEUP, .tid = 7, .time = 1660},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = 60},
	}},
	{"wake_up_before_it_left_is_none", .steps = {
		{WAKEUP, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = -1},
	}},
	{"wake_up_of_before_that_is_told_late_is_none", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .tid = 7, .time = 1499},
		{WAKEUP, .tid = 7, .time = 1650},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = 50},
	}},
	/* CPU 1 is heard before CPU 0. */
	{"wake_up_that_is_told_before_the_departure_counts", .steps = {
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1510},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = 190},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 190},
	}},
	{"task_that_came_back_can_be_woken_again", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1810},
		{LEAVE_FOR_8, .seq = 13, .ns = 1800},
		{RETURN_FROM_8, .seq = 14, .ns = 1900},
		{LAST, .of = WAIT_NS, .is = 90},
	}},
	{"wake_up_of_an_earlier_absence_is_over", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{WAKEUP, .cpu = 1, .tid = 7, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LEAVE_FOR_8, .seq = 13, .ns = 1800},
		{RETURN_FROM_8, .seq = 14, .ns = 1900},
		{LAST, .of = WAIT_NS, .is = -1},
	}},
	/* The numbers of actors begin anew. */
	{"who_pushed_is_forgotten_with_the_history", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{KEEP_HISTORY, .is = KIT_HISTORY},
		{SAMPLE, .cpu = 1, .tid = 9, .seq = 21, .ns = 1600},
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 10, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = 200},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
	}},
	{"wake_up_of_a_preempted_task_is_none", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{WAKEUP, .tid = 7, .time = 1640},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = WAIT_NS, .is = 200},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUPS, .is = 0},
	}},
	{"newborn_task_waits_from_its_first_wake_up", .steps = {
		{FORK, .tid = 8, .parent = 7, .time = 1400},
		{WAKEUP, .tid = 8, .time = 1410},
		{CLOSE, .time = 1450},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{CLOSE, .time = 2000},
		{LAST, .of = OFF_NS, .is = -1},
		{LAST, .of = WAIT_NS, .is = 90},
		{TASK, .tid = 8, .of = QUANTITY_WAKEUP_NS, .is = 90},
		{TASK, .tid = 8, .of = QUANTITY_QUEUED_NS, .is = 90},
	}},
	{"wake_up_of_an_unknown_task_is_ignored", .steps = {
		{WAKEUP, .tid = 55, .time = 1400},
		{ROWS, .tid = 55, .is = 0},
	}},
	{"loss_before_it_left_does_no_harm", .steps = {
		{LOST, .cpu = 1, .lost = 1, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = 200},
	}},
	{"lost_waiter_is_not_waited_for", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LOST, .cpu = 1, .lost = 1, .time = 1600},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = TOLD_BY_SWITCHES},
		{CLOSE, .time = 2800},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	/* CPU 0 is where it waited. */
	{"doubts_are_those_of_the_task_and_its_cpu", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LOST, .cpu = 1, .lost = 1, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{INFO, .tid = 7, .of = UNKNOWN, .is = TOLD_BY_SWITCHES},
		{INFO, .tid = 9, .of = UNKNOWN, .is = 0},
		{CPU, .of = CPU_UNKNOWN, .is = TOLD_BY_SWITCHES},
		{CPU, .cpu = 1, .of = CPU_UNKNOWN, .is = 0},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 0},
		{CLOSE, .time = 3000},
		{CPU, .of = CPU_UNKNOWN, .is = 0},
	}},
	/* A thousandth of the interval is no digit of a number that is shown. */
	{"doubts_that_cannot_be_seen_are_none", .steps = {
		{LOST, .cpu = 1, .lost = 1, .time = 1699},
		{LEAVE_FOR_8, .seq = 11, .ns = 1699, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{CLOSE, .time = 2000},
		{LAST, .of = OFF_NS, .is = -1},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
		{CPU, .of = CPU_UNKNOWN, .is = 0},
	}},
	{"off_time_over_a_loss_is_not_entered_at_the_close", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{LOST, .cpu = 1, .lost = 1, .time = 1600},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = TOLD_BY_SWITCHES},
	}},
	/* In the books of intervals in which it did not run, too. */
	{"uninterruptible_sleep_is_split_where_intervals_end", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
		{LAST, .of = STATE, .is = TASK_STATE_DISK_SLEEP},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 500},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 500},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 0},
		{COUNTER, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 500},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 1000},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 0},
		{INFO, .tid = 7, .of = HAS_RUN, .is = 0},
		{RETURN_FROM_8, .seq = 12, .ns = 3300},
		{LAST, .of = OFF_NS, .is = 1800},
		{CLOSE, .time = 4000},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 300},
		{TOTAL, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 1800},
	}},
	/* Then it waits for a CPU, also over the end of an interval. */
	{"uninterruptible_sleep_lasts_until_the_wakeup", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP},
		{CLOSE, .time = 1600},
		{WAKEUP, .tid = 7, .time = 1650},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 50},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 50},
		{TASK, .tid = 7, .of = QUANTITY_WAKEUP_NS, .is = 50},
	}},
	{"uninterruptible_sleep_ends_in_the_interval_of_the_wakeup", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP},
		{CLOSE, .time = 1600},
		{WAKEUP, .tid = 7, .time = 1650},
		{CLOSE, .time = 1900},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 50},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 250},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 100},
	}},
	{"sleep_is_not_uninterruptible", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_SLEEPING},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_OFF_NS, .is = 200},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 0},
	}},
	{"uninterruptible_sleep_is_unknown_where_states_are_not_told", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = -1},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = STATE, .is = TASK_STATE_SLEEPING},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 1 << QUANTITY_UNINTERRUPTIBLE_NS},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 0},
		{LEAVE_FOR_8, .seq = 13, .ns = 3500, .state = -1},
		{CLOSE, .time = 4000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 1 << QUANTITY_UNINTERRUPTIBLE_NS},
		{CLOSE, .time = 5000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 1 << QUANTITY_UNINTERRUPTIBLE_NS},
	}},
	{"uninterruptible_sleep_over_a_loss_is_unknown", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP},
		{LOST, .cpu = 1, .lost = 1, .time = 1600},
		{CLOSE, .time = 1800},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = TOLD_BY_SWITCHES},
		{CLOSE, .time = 2800},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 0},
	}},
	{"dead_task_has_exited_whether_told_or_not", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_ZOMBIE},
		{LAST, .of = HOW, .is = SWITCH_EXITED},
	}},
	{"hidden_idle_is_no_loss", .steps = {
		{SAMPLE, .cpu = 1, .tid = 9, .seq = 21, .ns = 1400},
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 7, .time = 1400},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1600},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 1700, .values = {140, 200}},
		{SWITCH_OUT, .tid = 8, .next = 9, .time = 1700},
		{LAST, .of = CAME, .is = 9},
		{LAST, .of = OFF_NS, .is = 300},
	}},
	{"where_not_all_cpus_are_watched_absences_are_unknown", .steps = {
		{PARTIAL, .is = 1},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{CLOSE, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{CLOSE, .time = 2000},
		{LAST, .of = OFF_NS, .is = -1},
		{TOTAL, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = TOLD_BY_SWITCHES | 1 << QUANTITY_MIGRATIONS},
	}},
	{"absence_that_began_while_details_were_shed_is_unknown", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SHED, .is = MODEL_SHED_NOTHING},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = -1},
	}},
	{"absence_in_which_details_were_shed_is_unknown", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SHED, .is = MODEL_SHED_DETAIL},
		{SHED, .is = MODEL_SHED_NOTHING},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = -1},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
	}},
	{"waits_are_unknown_in_intervals_in_which_details_were_shed", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{SHED, .is = MODEL_SHED_DETAIL},
		{SHED, .is = MODEL_SHED_NOTHING},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = TOLD_BY_SWITCHES},
		{INFO, .tid = 7, .of = HAS_TIMING, .is = 0},
		{SHED, .is = MODEL_SHED_DETAIL},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = TOLD_BY_SWITCHES},
		{CLOSE, .time = 4000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = TOLD_BY_SWITCHES},
		{SHED, .is = MODEL_SHED_NOTHING},
		{CLOSE, .time = 5000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = TOLD_BY_SWITCHES},
		{LEAVE_FOR_8, .seq = 13, .ns = 5500, .preempted = true},
		{RETURN_FROM_8, .seq = 14, .ns = 5700},
		{CLOSE, .time = 6000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 200},
		{TIMING, .tid = 7, .of = PREEMPTED_NS, .is = 200},
	}},
	{"waits_that_end_later_are_unknown_of_who_left_while_details_were_shed", .steps = {
		{SHED, .is = MODEL_SHED_DETAIL},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{SHED, .is = MODEL_SHED_NOTHING},
		{CLOSE, .time = 2000},
		{RETURN_FROM_8, .seq = 12, .ns = 2700},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = UNKNOWN_OF_ALL, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = TOLD_BY_SWITCHES},
		{INFO, .tid = 8, .of = UNKNOWN, .is = 0},
		{READING, .seq = 12, .ns = 3500, .values = {450, 200}},
		{CLOSE, .time = 4000},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	/* Its readings say that it ran on, and nothing was noted since it came. */
	{"runner_that_came_while_details_were_shed_is_not_off", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{SHED, .is = MODEL_SHED_DETAIL},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{SHED, .is = MODEL_SHED_NOTHING},
		{CLOSE, .time = 2000},
		{READING, .seq = 12, .ns = 2900, .values = {390, 200}},
		{CLOSE, .time = 3000},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	{"run_delays_are_known_whatever_is_shed", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 1000, .time = 1100},
		{SHED, .is = MODEL_SHED_DETAIL},
		{INTERVAL, .of = UNKNOWN_OF_ALL,
		 .is = TOLD_BY_SWITCHES & ~(1 << QUANTITY_QUEUED_NS)},
	}},
	{"shed_history_leaves_the_waits", .steps = {
		{SHED, .is = MODEL_SHED_HISTORY},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{SHED, .is = MODEL_SHED_NOTHING},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LAST, .of = OFF_NS, .is = 200},
		{LAST, .of = QUEUED_BY_ACTOR, .is = ACTOR_UNKNOWN},
	}},
	/* CPU 1, to which 7 came, is heard before CPU 0. */
	{"departure_that_is_told_after_the_arrival_is_ignored", .steps = {
		{SAMPLE, .cpu = 1, .tid = 9, .seq = 21, .ns = 1600},
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 7, .time = 1600},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 0},
	}},
	{"waiter_that_has_ended_is_waited_for_until_its_last_switch", .steps = {
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 0, .time = 1300},
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{CLOSE, .time = 1600},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 100},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{RETURN_FROM_8, .seq = 12, .ns = 1850},
		{LEAVE_FOR_8, .seq = 13, .ns = 1900, .state = TASK_STATE_DEAD},
		{CLOSE, .time = 1910},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 50},
		{INFO, .tid = 7, .of = IS_EXITED, .is = 1},
		{CLOSE, .time = 1920},
		{CLOSE, .time = 1930},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"sleeper_that_has_ended_is_waited_for_until_its_last_switch", .steps = {
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 0, .time = 1300},
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .state = TASK_STATE_DISK_SLEEP},
		{LAST, .of = HOW, .is = SWITCH_BLOCKED},
		{CLOSE, .time = 1600},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 100},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{RETURN_FROM_8, .seq = 12, .ns = 1850},
		{LEAVE_FOR_8, .seq = 13, .ns = 1900, .state = TASK_STATE_ZOMBIE},
		{LAST, .of = HOW, .is = SWITCH_EXITED},
		{CLOSE, .time = 1910},
		{TASK, .tid = 7, .of = QUANTITY_UNINTERRUPTIBLE_NS, .is = 50},
		{INFO, .tid = 7, .of = IS_EXITED, .is = 1},
		{CLOSE, .time = 1920},
		{CLOSE, .time = 1930},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"waiter_that_has_ended_is_not_waited_for_where_states_are_unknown", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{CLOSE, .time = 1600},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 100},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{CLOSE, .time = 1900},
		{ROWS, .tid = 7, .is = 0},
	}},
	/* It has come again, and no record said so. */
	{"waiter_that_has_ended_since_is_not_waited_for", .steps = {
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 0, .time = 1300},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{EXIT, .tid = 7, .time = 1550},
		{CLOSE, .time = 1600},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"waiter_that_has_ended_and_left_its_tid_to_another_is_not_waited_for", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{FORK, .cpu = 1, .tid = 7, .parent = 9, .time = 1600},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{CLOSE, .time = 1900},
		{ROWS, .tid = 7, .is = 1},
	}},
	{"waiter_that_has_ended_is_not_waited_for_after_a_loss", .steps = {
		{EXIT, .tid = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{LOST, .cpu = 1, .lost = 1, .time = 1600},
		{CLOSE, .time = 1700},
		{CLOSE, .time = 1800},
		{CLOSE, .time = 1900},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"run_delays_are_differences", .steps = {
		{READING, .seq = 10, .ns = 1500, .values = {250, 200}},
		{RUN_DELAY, .tid = 7, .wait_ns = 5000},
		{CLOSE, .time = 1500},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 0},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 1u << QUANTITY_QUEUED_NS},
		{READING, .seq = 10, .ns = 1900, .values = {290, 200}},
		{RUN_DELAY, .tid = 7, .wait_ns = 5030},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 30},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
		{COUNTER, .of = QUANTITY_QUEUED_NS, .is = 30},
	}},
	{"run_delay_that_decreases_starts_anew", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 5000},
		{RUN_DELAY, .tid = 7, .wait_ns = 100},
		{RUN_DELAY, .tid = 7, .wait_ns = 130},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 30},
	}},
	{"run_delay_of_a_newborn_task_is_known_from_the_first_on", .steps = {
		{FORK, .tid = 8, .parent = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{RUN_DELAY, .tid = 8, .wait_ns = 90},
		{TASK, .tid = 8, .of = QUANTITY_QUEUED_NS, .is = 90},
		{INFO, .tid = 8, .of = UNKNOWN, .is = 0},
	}},
	{"run_delay_of_who_did_not_run_stays_known", .steps = {
		{RUN_DELAY, .tid = 9, .wait_ns = 5000},
		{CLOSE, .time = 2000},
		{RUN_DELAY, .tid = 9, .wait_ns = 5000},
		{CLOSE, .time = 3000},
		{COMM, .tid = 9, .name = "asleep", .time = 3500},
		{CLOSE, .time = 4000},
		{INFO, .tid = 9, .of = UNKNOWN, .is = 0},
		{RUN_DELAY, .tid = 9, .wait_ns = 5040},
		{CLOSE, .time = 5000},
		{TASK, .tid = 9, .of = QUANTITY_QUEUED_NS, .is = 40},
	}},
	{"run_delay_of_the_newborn_that_ended_untold_is_unknown", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 5000},
		{FORK, .tid = 8, .parent = 7, .time = 1400},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{EXIT, .tid = 8, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{INFO, .tid = 8, .of = UNKNOWN, .is = 1u << QUANTITY_QUEUED_NS},
	}},
	{"queued_times_are_known_where_no_delays_are_told", .steps = {
		{READING, .seq = 10, .ns = 1500, .values = {250, 200}},
		{INFO, .tid = 7, .of = UNKNOWN, .is = 0},
	}},
	{"preempted_waits_are_part_of_run_delays", .steps = {
		{RUN_DELAY, .tid = 7, .wait_ns = 5000},
		{LEAVE_FOR_8, .seq = 11, .ns = 1500, .preempted = true},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{RUN_DELAY, .tid = 7, .wait_ns = 5250},
		{TASK, .tid = 7, .of = QUANTITY_QUEUED_NS, .is = 250},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTED_NS, .is = 200},
	}},
	{"timing_holds_the_slices_of_the_interval", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LEAVE_FOR_8, .seq = 13, .ns = 1800},
		{TIMING, .tid = 7, .of = SLICES, .is = 2},
		{TIMING, .tid = 7, .of = SLICES_NS, .is = 600},
		{TIMING, .tid = 8, .of = SLICES_NS, .is = 200},
		{INFO, .tid = 9, .of = HAS_TIMING, .is = 0},
		{CLOSE, .time = 3000},
		{TIMING, .tid = 7, .of = SLICES, .is = 0},
		{RETURN_FROM_8, .seq = 14, .ns = 3100},
		{CLOSE, .time = 4000},
		{TIMING, .tid = 8, .of = SLICES, .is = 1},
		{TIMING, .tid = 8, .of = SLICES_NS, .is = 1300},
	}},
	{"shown_timing_stays_while_records_come_in", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{CLOSE, .time = 2000},
		{RETURN_FROM_8, .seq = 12, .ns = 2100},
		{LEAVE_FOR_8, .seq = 13, .ns = 2300},
		{TIMING, .tid = 7, .of = SLICES, .is = 1},
		{TIMING, .tid = 7, .of = SLICES_NS, .is = 500},
	}},
	{"timing_before_the_start_is_forgotten", .steps = {
		{LEAVE_FOR_8, .seq = 11, .ns = 1500},
		{CLOSE, .time = 1600},
		{RETURN_FROM_8, .seq = 12, .ns = 1700},
		{LEAVE_FOR_8, .seq = 13, .ns = 1800},
		{START, .time = 1900},
		{CLOSE, .time = 2000},
		{TIMING, .tid = 7, .of = SLICES, .is = 0},
	}},
	{"instructions_and_cycles_of_two_groups_belong_together", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 101000, .values = {10}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 101000, .values = {20}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 101000},
		{CLOSE, .time = 300000},
		{TIMING, .tid = 7, .of = COLD_CYCLES, .is = 20},
	}, .groups = 2, .begin = begin_ipc},
	{"slice_in_which_a_group_was_off_says_nothing_of_caches", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 101000, .values = {10}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 51000, .values = {20}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 101000},
		{CLOSE, .time = 300000},
		{TIMING, .tid = 7, .of = COLD_SLICES, .is = 0},
		{TIMING, .tid = 7, .of = SLICES, .is = 1},
	}, .groups = 2, .begin = begin_ipc},
};
/* clang-format on */

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), kit_running);
}
