/*
 * Attribution, rule by rule, through the model's front door. Every test starts with
 * CPU 0 at sequence 10, its group's clock at 1000, its counters at 100 and 200, and
 * task 7 running; what comes before model_start() is not counted.
 */

#include "model_story.h"
#include "same_snapshots.h"
#include "unit.h"

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

/* 7 leaves for idle at 1500; idle says nothing; 8 arrives from idle at 1800. Record time is 5000
 * on. */
static void let_idle_slip_in(struct model *model)
{
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 6500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 6800));
}

static void come_unknown(struct model *model)
{
	struct record record = switch_in(.tid = 9, .prev = 0, .time = 1500);

	record.ctx_switch.next_pid = RECORD_TASK_UNKNOWN;
	feed(model, record);
}

static void say_idle(struct model *model, uint64_t idle_ns)
{
	feed(model, (struct record){.kind = RECORD_CPU_TIMES, .cpu_times = {.idle_ns = idle_ns}});
}

static void say_idle_at_first(struct model *model)
{
	say_idle(model, 70000);
}

static void say_idle_300_later(struct model *model)
{
	say_idle(model, 70300);
}

/* A sum at the tick, behind records that say which task runs. */
UNIT_TEST(loss_without_a_gap_in_the_numbers_keeps_the_running_task)
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

static void leave_at(struct model *model, int32_t tid, uint64_t seq, uint64_t e0, uint64_t e1)
{
	const uint64_t ns = 400 + 100 * seq;

	feed(model, sample(.tid = tid, .seq = seq, .ns = ns, .values = {e0, e1}));
	feed(model, switch_out(.tid = tid, .next = 15 - tid, .time = ns));
}

/* The second event goes backwards when the first one has been entered; with a history, too. */
UNIT_TEST(switch_with_a_broken_reading_is_credited_to_nobody)
{
	for (size_t history = 0; history <= 100; history += 100) {
		struct model *model = begin(1);

		model_keep_history(model, history);
		leave_at(model, 7, 11, 130, 240);
		leave_at(model, 8, 12, 140, 250);
		leave_at(model, 7, 13, 147, 245);
		leave_at(model, 8, 14, 148, 249);
		const struct snapshot *snapshot = model_close_interval(model, 2000);

		assert_int_equal(snapshot->broken_readings, 1);
		assert_int_equal(task_count(snapshot, 7, event_place(0)), 30);
		assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 500);
		assert_int_equal(task_count(snapshot, 8, event_place(0)), 11);
		assert_int_equal(task_count(snapshot, 8, event_place(1)), 14);
		assert_int_equal(snapshot->cpus[0].counter[event_place(0)], 41);
		assert_true(books_balance(snapshot));
		model_destroy(model);
	}
}

UNIT_TEST(nonsense_is_counted_as_lost)
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

UNIT_TEST(idle_executes_no_program)
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

/* clang-format off */
static const struct story STORIES[] = {
	{"slice_at_switch_goes_to_prev", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 500},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 1},
		{TASK, .tid = 7, .of = E0, .is = 30},
		{TASK, .tid = 7, .of = E1, .is = 40},
		{TASK, .tid = 7, .of = GROUP0_NS, .is = 500},
	}},
	{"reading_between_switches_splits_the_running_slice", .steps = {
		{READING, .seq = 10, .ns = 1400, .values = {110, 200}},
		{CLOSE, .time = 1400},
		{TASK, .tid = 7, .of = E0, .is = 10},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 0},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = E0, .is = 20},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 100},
		{TOTAL, .tid = 7, .of = E0, .is = 30},
	}},
	{"first_reading_is_the_baseline", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{COUNTER, .of = QUANTITY_RUN_NS, .is = 0},
	}, .begin = kit_model},
	{"reading_of_a_restarted_group_is_a_baseline_again", .steps = {
		{READING, .seq = 10, .ns = 1900, .values = {900, 900}, .restarts = true},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {901, 902}},
		{TASK, .tid = 7, .of = E1, .is = 2},
		{COUNTER, .of = QUANTITY_RUN_NS, .is = 100},
	}},
	{"records_older_than_the_baseline_are_dropped", .steps = {
		{SAMPLE, .tid = 5, .seq = 9, .ns = 900, .values = {90, 190}},
		{SAMPLE, .tid = 5, .seq = 10, .ns = 990, .values = {99, 200}},
		{SWITCH_OUT, .tid = 5, .next = 7, .time = 1000},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{TASK, .tid = 5, .of = QUANTITY_SWITCHES, .is = 0},
		{TASK, .tid = 7, .of = E0, .is = 30},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
	}},
	{"broken_reading_is_credited_to_nobody_and_counted", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {99, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1600, .values = {104, 250}},
		{INTERVAL, .of = BROKEN_READINGS, .is = 1},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{TASK, .tid = 8, .of = E0, .is = 5},
		{COUNTER, .of = E0, .is = 5},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
	}},
	{"clock_that_goes_backwards_breaks_the_reading", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 900, .values = {110, 240}},
		{INTERVAL, .of = BROKEN_READINGS, .is = 1},
		{COUNTER, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	{"prev_without_ids_is_whoever_ran", .steps = {
		{SAMPLE, .tid = NOBODY, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = NOBODY, .next = 8, .time = 1500, .preempted = true},
		{TASK, .tid = 7, .of = E0, .is = 30},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 1},
		{ROWS, .tid = NOBODY, .is = 0},
	}},
	{"prev_without_ids_is_known_to_all_groups", .steps = {
		{SAMPLE, .tid = NOBODY, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SAMPLE, .group = 1, .tid = NOBODY, .seq = 11, .ns = 1500, .values = {101, 204}},
		{TASK, .tid = 7, .of = E0, .is = 30},
		{TASK, .tid = 7, .of = E2, .is = 1},
		{TASK, .tid = 7, .of = E3, .is = 4},
	}, .groups = 2},
	{"prev_without_ids_and_sched_state_is_nobody", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SAMPLE, .tid = NOBODY, .seq = 12, .ns = 1600, .values = {131, 240}},
		{TASK, .tid = 7, .of = E0, .is = 30},
		{UNATTRIBUTED, .of = E0, .is = 1},
		{UNATTRIBUTED, .of = QUANTITY_SWITCHES, .is = 1},
	}},
	{"reading_goes_to_next_of_the_last_switch", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{READING, .seq = 11, .ns = 1700, .values = {135, 240}},
		{TASK, .tid = 8, .of = E0, .is = 5},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
	}},
	{"reading_with_unknown_next_is_unattributed", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = NOBODY, .time = 1500},
		{READING, .seq = 11, .ns = 1700, .values = {135, 240}},
		{UNATTRIBUTED, .of = E0, .is = 5},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 200},
	}},
	{"reading_after_a_switch_without_sched_state_is_unattributed", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{READING, .seq = 11, .ns = 1700, .values = {135, 240}},
		{UNATTRIBUTED, .of = E0, .is = 5},
	}},
	{"idle_is_credited_to_idle", .steps = {
		{LOST, .lost = 1, .time = 1000},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1000},
		{SAMPLE, .tid = 0, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 0, .next = 8, .time = 1500, .preempted = true},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 500},
		{IDLE, .of = QUANTITY_SWITCHES, .is = 1},
		{IDLE, .of = QUANTITY_PREEMPTIONS, .is = 0},
		{ROWS, .tid = 0, .is = 0},
		{ATTRIBUTED_PCT, .is = 100},
	}},
	{"sequence_gap_goes_to_unattributed", .steps = {
		{SAMPLE, .tid = 7, .seq = 13, .ns = 1500, .values = {130, 240}},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
		{UNATTRIBUTED, .of = QUANTITY_SWITCHES, .is = 3},
		{UNATTRIBUTED, .of = E1, .is = 40},
	}},
	{"sequence_gap_in_idle_goes_to_unattributed", .steps = {
		{LOST, .lost = 1, .time = 1000},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1000},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1500, .values = {130, 240}},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
	}},
	/* what ran in it is outside, too: it left no switch record */
	{"sequence_gap_in_shared_idle_is_all_its", .steps = {
		{SHARED_IDLE, .is = 1},
		{LOST, .lost = 1, .time = 1000},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1000},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1500, .values = {130, 240}},
		{SAMPLE, .group = 1, .tid = 0, .seq = 12, .ns = 1500, .values = {130, 240}},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 500},
		{IDLE, .of = E1, .is = 40},
		{IDLE, .of = E2, .is = 30},
		{ATTRIBUTED_PCT, .is = 100},
	}, .groups = 2},
	{"sequence_gap_in_shared_idle_after_a_loss_goes_to_unattributed", .steps = {
		{SHARED_IDLE, .is = 1},
		{LOST, .lost = 1, .time = 1000},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1000},
		{LOST, .lost = 1},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1500, .values = {130, 240}},
		{SAMPLE, .group = 1, .tid = 0, .seq = 12, .ns = 1500, .values = {130, 240}},
		{IDLE, .of = E1, .is = 0},
		{IDLE, .of = E2, .is = 0},
		{ATTRIBUTED_PCT, .is = 0},
	}, .groups = 2},
	{"sequence_gap_before_shared_idle_goes_to_unattributed", .steps = {
		{SHARED_IDLE, .is = 1},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1500, .values = {130, 240}},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
	}},
	{"sequence_gap_of_one_at_a_reading_goes_to_unattributed", .steps = {
		{READING, .seq = 11, .ns = 1500, .values = {130, 240}},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
	}},
	{"contiguous_slice_after_a_gap_is_believed_again", .steps = {
		{SAMPLE, .tid = 7, .seq = 13, .ns = 1500, .values = {130, 240}},
		{SAMPLE, .tid = 8, .seq = 14, .ns = 1600, .values = {133, 240}},
		{TASK, .tid = 8, .of = E0, .is = 3},
		{ATTRIBUTED_PCT, .is = 16}, /* 100 of 600 ns */
	}},
	/* Time is known without a reading, and what was counted in it comes with the next one. */
	{"unread_end_has_the_time_of_the_running_task", .steps = {
		{UNREAD, .time = 2000},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 1000},
		{TASK, .tid = 7, .of = GROUP0_NS, .is = 0},
		{TASK, .tid = 7, .of = E0, .is = 0},
		{INFO, .tid = 7, .of = HAS_RUN, .is = 1},
		{COUNTER, .of = QUANTITY_RUN_NS, .is = 1000},
		{CPU, .of = CPU_UNREAD_NS, .is = 1000},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2300, .values = {230, 400}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 2300},
		{UNREAD, .time = 3000},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 7, .of = GROUP0_NS, .is = 1300},
		{TASK, .tid = 7, .of = E0, .is = 130},
		{TOTAL, .tid = 7, .of = QUANTITY_RUN_NS, .is = 1300},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 700},
		{COUNTER, .of = QUANTITY_RUN_NS, .is = 1000},
		{CPU, .of = CPU_UNREAD_NS, .is = 700},
	}},
	{"unread_end_of_all_groups_is_made_up_for_in_each", .steps = {
		{UNREAD, .time = 2000},
		{CLOSE, .time = 2000},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2300, .values = {230, 400}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 2300, .values = {107, 200}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 2300},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 7, .of = GROUP1_NS, .is = 1300},
		{TASK, .tid = 7, .of = E2, .is = 7},
	}, .groups = 2},
	/* Counters stand still in idle: it is as if they had been read. */
	{"unread_end_of_idle_is_counted", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SWITCH_IN, .tid = 0, .prev = 7, .time = 1500},
		{UNREAD, .time = 2000},
		{CLOSE, .time = 2000},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 500},
		{IDLE, .of = GROUP0_NS, .is = 500},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 2400, .values = {131, 240}},
		{SWITCH_OUT, .tid = 0, .next = 7, .time = 2400},
		{CLOSE, .time = 3000},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 400},
		{IDLE, .of = GROUP0_NS, .is = 400},
		{IDLE, .of = E0, .is = 1},
	}},
	{"unread_end_in_idle_that_leaves_no_records_is_idles", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 6500},
		{UNREAD, .time = 6700},
		{CLOSE, .time = 6700},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 200},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 6800},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{CLOSE, .time = 7700},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 100},
		{IDLE, .of = GROUP0_NS, .is = 100},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
		{TASK, .tid = 8, .of = GROUP0_NS, .is = 200},
		{TASK, .tid = 8, .of = E0, .is = 7},
	}},
	{"unread_end_with_an_unknown_task_is_unattributed", .begin = kit_model, .steps = {
		{READING, .seq = 10, .ns = 1000, .values = {100, 200}},
		{START, .time = 1000},
		{UNREAD, .time = 2000},
		{CLOSE, .time = 2000},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 1000},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2300, .values = {230, 400}},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 7, .of = E0, .is = 130},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	/* What another CPU was still writing: nothing is counted twice, and nothing is missing. */
	{"unread_end_before_a_switch_that_is_reported_late_makes_up_for_it", .steps = {
		{UNREAD, .time = 2000},
		{CLOSE, .time = 2000},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1990, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1990},
		{UNREAD, .time = 3000},
		{CLOSE, .time = 3000},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 3100, .values = {131, 240}},
		{CLOSE, .time = 4000},
		{COUNTER_TOTAL, .of = QUANTITY_RUN_NS, .is = 2100},
		{COUNTER_TOTAL, .of = GROUP0_NS, .is = 2100},
	}},
	{"unread_end_before_the_last_record_is_none", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{UNREAD, .time = 1400},
		{COUNTER, .of = QUANTITY_RUN_NS, .is = 500},
		{CPU, .of = CPU_UNREAD_NS, .is = 0},
	}},
	{"unread_end_of_a_cpu_that_was_never_read_is_nothing", .steps = {
		{SWITCH_IN, .cpu = 1, .tid = 9, .prev = 0, .time = 1100},
		{UNREAD, .cpu = 1, .time = 2000},
		{INTERVAL, .of = CPUS, .is = 1},
		{TASK, .tid = 9, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	{"unread_end_before_a_new_baseline_is_not_taken_off", .steps = {
		{UNREAD, .time = 2000},
		{CLOSE, .time = 2000},
		{READING, .seq = 10, .ns = 2500, .values = {900, 900}, .restarts = true},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2600, .values = {901, 902}},
		{CLOSE, .time = 3000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 100},
	}},
	{"merged_idle_slice_is_divided_at_the_arrival", .steps = {
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{IDLE, .of = QUANTITY_SWITCHES, .is = 1},
		{IDLE, .of = E0, .is = 0},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
		{TASK, .tid = 8, .of = GROUP0_NS, .is = 200},
		{TASK, .tid = 8, .of = QUANTITY_SWITCHES, .is = 1},
		{TASK, .tid = 8, .of = E0, .is = 7},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	/* A tracepoint that leads has not counted the switch of idle either. */
	{"merged_idle_slice_without_a_number_is_divided_at_the_arrival", .steps = {
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{IDLE, .of = QUANTITY_SWITCHES, .is = 0},
		{IDLE, .of = E0, .is = 0},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
		{TASK, .tid = 8, .of = QUANTITY_SWITCHES, .is = 1},
		{TASK, .tid = 8, .of = E0, .is = 7},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	{"merged_idle_slice_without_a_number_is_divided_at_a_reading", .steps = {
		{CALL, .call = let_idle_slip_in},
		{READING, .seq = 11, .ns = 1900, .time = 6800, .values = {133, 240}},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
	}},
	/* A tracepoint gives the tid of the incoming task only, and this one is not known yet. */
	{"task_that_came_unknown_is_named_by_the_reading", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{CALL, .call = come_unknown},
		{READING, .tid = 9, .seq = 11, .ns = 1700, .values = {135, 240}},
		{READING, .seq = 11, .ns = 1800, .values = {136, 240}},
		{TASK, .tid = 9, .of = E0, .is = 6},
	}},
	{"task_named_by_a_reading_is_none_where_switches_are_missing", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{CALL, .call = come_unknown},
		{READING, .tid = 9, .seq = 13, .ns = 1700, .values = {135, 240}},
		{READING, .seq = 13, .ns = 1800, .values = {136, 240}},
		{UNATTRIBUTED, .of = E0, .is = 6},
	}},
	/* A read(2) has no time of its own: the offset learnt at the last switch maps it. */
	{"merged_idle_slice_is_divided_at_a_reading_by_the_groups_clock", .steps = {
		{CALL, .call = let_idle_slip_in},
		{READING, .seq = 12, .ns = 1900, .time = 6800, .values = {133, 240}},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
		{TASK, .tid = 8, .of = QUANTITY_SWITCHES, .is = 1},
	}},
	{"merged_idle_slice_begins_at_the_last_reading", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 6500},
		{READING, .seq = 11, .ns = 1600, .time = 6500, .values = {130, 240}},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 6800},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
	}},
	{"merged_idle_slice_never_exceeds_the_slice", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 6500},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 0},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 500},
	}},
	{"merged_idle_slice_is_divided_for_every_group", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 1500, .time = 6500,
		 .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 6500},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 6800},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{SAMPLE, .group = 1, .tid = 8, .seq = 13, .ns = 2000, .time = 7000,
		 .values = {139, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{TASK, .tid = 8, .of = GROUP1_NS, .is = 200},
		{TASK, .tid = 8, .of = E2, .is = 9},
		{IDLE, .of = QUANTITY_SWITCHES, .is = 1},
	}, .groups = 2},
	{"merged_idle_slice_that_ends_before_the_arrival_is_all_idles", .steps = {
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 6700, .values = {137, 240}},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 500},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	{"idle_that_left_a_reading_is_not_merged", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1800, .values = {131, 240}},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 1800},
		{SAMPLE, .tid = 8, .seq = 14, .ns = 2000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 200},
	}},
	{"arrival_from_another_task_closes_no_hole", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SWITCH_IN, .tid = 8, .prev = 9, .time = 1800},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
	}},
	/* A task that leaves no samples, and that a tracepoint that leads does not count. */
	{"slice_that_a_task_without_readings_has_a_part_in_is_nobodys", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 9, .time = 1500},
		{SWITCH_OUT, .tid = 9, .next = 8, .time = 1700},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 2000, .values = {137, 240}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 2000},
		{SAMPLE, .tid = 7, .seq = 13, .ns = 2100, .values = {138, 240}},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
		{UNATTRIBUTED, .of = E0, .is = 7},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 600},
	}},
	{"slice_of_a_task_that_was_not_to_come_is_nobodys", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 9, .time = 1500},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 2000, .values = {137, 240}},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
		{TASK, .tid = 8, .of = E0, .is = 0},
	}},
	/* A tracepoint that leads has counted neither idle's switch nor that of the other task. */
	{"slice_of_a_task_that_left_no_records_is_nobodys", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SWITCH_IN, .tid = 8, .prev = 9, .time = 1800},
		{READING, .seq = 11, .ns = 1900, .values = {132, 240}},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 2000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 400},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 100},
	}},
	{"slice_of_a_task_that_came_and_never_left_is_not_the_next_ones", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{SAMPLE, .tid = 9, .seq = 12, .ns = 1900, .values = {139, 240}},
		{SWITCH_OUT, .tid = 9, .next = 7, .time = 1900},
		{TASK, .tid = 9, .of = QUANTITY_RUN_NS, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 400},
		{UNATTRIBUTED, .of = E0, .is = 9},
		{INFO, .tid = 8, .of = IS_SILENT, .is = 1},
		{INFO, .tid = 7, .of = IS_SILENT, .is = 0},
	}},
	{"slice_of_a_task_that_came_and_never_left_is_not_idles", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{SWITCH_IN, .tid = 0, .prev = 8, .time = 1600},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1900, .values = {139, 240}},
		{SWITCH_OUT, .tid = 0, .next = 7, .time = 1900},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 400},
		{INFO, .tid = 8, .of = IS_SILENT, .is = 1},
	}},
	{"task_that_left_without_a_word_is_not_known_to_run_still", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{SAMPLE, .tid = 9, .seq = 12, .ns = 1600, .values = {139, 240}},
		{SWITCH_OUT, .tid = 9, .next = 8, .time = 1600},
		{READING, .seq = 12, .ns = 1700, .values = {140, 240}},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 1800, .values = {142, 240}},
		{SWITCH_OUT, .tid = 8, .next = 9, .time = 1800},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 200},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 100},
		{INFO, .tid = 8, .of = IS_SILENT, .is = 0},
	}},
	{"time_that_passes_unread_is_not_a_silent_tasks", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{SAMPLE, .tid = 9, .seq = 12, .ns = 1600, .values = {139, 240}},
		{SWITCH_OUT, .tid = 9, .next = 8, .time = 1600},
		{UNREAD, .time = 2000},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	{"idle_time_that_the_kernel_knows_is_not_unattributed", .steps = {
		{CALL, .call = say_idle_at_first},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SAMPLE, .tid = 0, .seq = 12, .ns = 1600, .values = {130, 240}},
		{SWITCH_OUT, .tid = 0, .next = 8, .time = 1600},
		{CLOSE, .time = 2000},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 0},
		{SAMPLE, .tid = 9, .seq = 13, .ns = 2100, .values = {135, 240}},
		{SWITCH_OUT, .tid = 9, .next = 0, .time = 2100},
		{SAMPLE, .tid = 0, .seq = 14, .ns = 2200, .values = {135, 240}},
		{SWITCH_OUT, .tid = 0, .next = 9, .time = 2200},
		{CALL, .call = say_idle_300_later},
		{CLOSE, .time = 3000},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{IDLE, .of = GROUP0_NS, .is = 300},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 300},
		{UNATTRIBUTED, .of = GROUP0_NS, .is = 300},
		{UNATTRIBUTED, .of = E0, .is = 5},
		{SAMPLE, .tid = 8, .seq = 15, .ns = 2300, .values = {136, 240}},
		{CLOSE, .time = 4000},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 100},
	}},
	{"switch_from_a_task_with_readings_of_its_own_is_in_the_books_of_its_cpu", .steps = {
		{TASK_READING, .tid = 7, .restarts = true, .time = 1100},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1900, .values = {139, 240}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1900},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 400},
		{TASK, .tid = 8, .of = E0, .is = 9},
	}},
	{"two_missing_switches_are_not_merged_idle", .steps = {
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 8, .seq = 14, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
	}},
	{"gap_that_ends_with_another_task_is_not_merged_idle", .steps = {
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 9, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 500},
	}},
	{"hole_is_used_only_once", .steps = {
		{CALL, .call = let_idle_slip_in},
		{READING, .seq = 12, .ns = 1900, .time = 6900, .values = {133, 240}},
		{SAMPLE, .tid = 8, .seq = 14, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 100},
	}},
	{"hole_ends_with_the_arriving_tasks_slice", .steps = {
		/* Group 1 is off meanwhile and misses both hole and switch. */
		{CALL, .call = let_idle_slip_in},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{SWITCH_OUT, .tid = 8, .next = 9, .time = 7000},
		{SWITCH_OUT, .tid = 9, .next = 8, .time = 7100},
		{SAMPLE, .group = 1, .tid = 8, .seq = 12, .ns = 1100, .time = 7200,
		 .values = {137, 240}},
		{TASK, .tid = 8, .of = E2, .is = 0},
		{UNATTRIBUTED, .of = E2, .is = 37},
	}, .groups = 2},
	{"rotated_slice_of_group_0_is_unattributed_time_included", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 901000, .off_ns = 400000, .values = {130, 240}},
		{CLOSE, .time = 1000000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_RUN_NS, .is = 900000},
		{UNATTRIBUTED, .of = QUANTITY_SWITCHES, .is = 1},
		{UNATTRIBUTED, .of = GROUP0_NS, .is = 500000},
	}},
	{"rotated_slice_of_another_group_spoils_that_group_only", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 901000, .values = {130, 240}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 901000, .off_ns = 400000,
		 .values = {150, 250}},
		{CLOSE, .time = 1000000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 900000},
		{TASK, .tid = 7, .of = E0, .is = 30},
		{TASK, .tid = 7, .of = E2, .is = 0},
		{UNATTRIBUTED, .of = E2, .is = 50},
	}, .groups = 2},
	{"slice_enabled_a_moment_before_it_ran_is_not_rotated", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 9000, .off_ns = 60, .values = {130, 240}},
		{CLOSE, .time = 10000},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 8000},
		{TASK, .tid = 7, .of = GROUP0_NS, .is = 7940},
	}},
	{"other_groups_give_no_run_time_and_no_switches", .steps = {
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 1500, .values = {150, 250}},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 0},
		{TASK, .tid = 7, .of = E2, .is = 50},
		{TASK, .tid = 7, .of = GROUP1_NS, .is = 500},
	}, .groups = 2},
	{"preemption_is_counted_for_prev", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1600, .values = {130, 240}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1600},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 1},
		{TASK, .tid = 8, .of = QUANTITY_PREEMPTIONS, .is = 0},
		{COUNTER, .of = QUANTITY_PREEMPTIONS, .is = 1},
	}},
	/* The reading tells of two switches, of which one left no record: both are nobody's. */
	{"preemption_in_a_switch_of_nobody_is_nobodys", .steps = {
		{SAMPLE, .tid = 7, .seq = 12, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_SWITCHES, .is = 2},
		{UNATTRIBUTED, .of = QUANTITY_PREEMPTIONS, .is = 1},
	}},
	/* Its reading was lost: the next one shows that there was a switch more, and it is
	 * nobody's.
	 */
	{"preemption_without_a_reading_is_nobodys", .steps = {
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1600, .values = {130, 240}},
		{SWITCH_OUT, .tid = 8, .next = 7, .time = 1600},
		{TASK, .tid = 7, .of = QUANTITY_SWITCHES, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 0},
		{UNATTRIBUTED, .of = QUANTITY_PREEMPTIONS, .is = 1},
	}},
	/* The first reading of a counter is where counting begins: its switch is no part of it. */
	{"preemption_before_counting_began_is_not_counted", .steps = {
		{SAMPLE, .cpu = 1, .tid = 7, .seq = 12, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .cpu = 1, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{SAMPLE, .cpu = 1, .tid = 8, .seq = 13, .ns = 1600, .values = {131, 240}},
		{SWITCH_OUT, .cpu = 1, .tid = 8, .next = 7, .time = 1600, .preempted = true},
		{TASK, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 0},
		{TASK, .tid = 8, .of = QUANTITY_PREEMPTIONS, .is = 1},
		{COUNTER, .cpu = 1, .of = QUANTITY_PREEMPTIONS, .is = 1},
	}},
	{"arrival_on_another_cpu_is_a_migration", .steps = {
		{READING, .cpu = 1, .seq = 0, .ns = 50},
		{SWITCH_IN, .cpu = 1, .tid = 7, .prev = 0, .time = 1600},
		{SWITCH_IN, .cpu = 1, .tid = 7, .prev = 0, .time = 1700},
		{TASK, .tid = 7, .of = QUANTITY_MIGRATIONS, .is = 1},
		{INFO, .tid = 7, .of = LAST_CPU, .is = 1},
		{COUNTER, .cpu = 1, .of = QUANTITY_MIGRATIONS, .is = 1},
	}},
	{"slice_on_another_cpu_is_a_migration_without_sched_state", .steps = {
		{READING, .cpu = 1, .seq = 0, .ns = 50},
		{SAMPLE, .cpu = 1, .tid = 7, .seq = 1, .ns = 70, .time = 1600},
		{TASK, .tid = 7, .of = QUANTITY_MIGRATIONS, .is = 1},
	}},
	{"late_news_of_an_earlier_place_is_no_migration", .steps = {
		{READING, .cpu = 1, .seq = 0, .ns = 50},
		{SWITCH_IN, .cpu = 1, .tid = 7, .prev = 0, .time = 1600},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{TASK, .tid = 7, .of = QUANTITY_MIGRATIONS, .is = 1},
		{INFO, .tid = 7, .of = LAST_CPU, .is = 1},
	}},
	{"first_place_is_no_migration", .steps = {
		{SWITCH_IN, .tid = 9, .prev = 7, .time = 1600},
		{TASK, .tid = 9, .of = QUANTITY_MIGRATIONS, .is = 0},
	}},
	{"lost_records_make_the_running_task_unknown", .steps = {
		{LOST, .lost = 42},
		{READING, .seq = 10, .ns = 1200, .values = {110, 200}},
		{INTERVAL, .of = LOST_RECORDS, .is = 42},
		{UNATTRIBUTED, .of = E0, .is = 10},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = LOST_RECORDS, .is = 0},
		{INTERVAL, .of = LOST_RECORDS_TOTAL, .is = 42},
	}},
	/* The kernel tells a loss only with the next record; a second reading may come before that.
	 *
	 */
	{"sequence_gap_at_a_reading_makes_the_running_task_unknown", .steps = {
		{READING, .seq = 11, .ns = 1200, .values = {110, 200}},
		{READING, .seq = 11, .ns = 1300, .values = {112, 200}},
		{TASK, .tid = 7, .of = E0, .is = 0},
		{UNATTRIBUTED, .of = E0, .is = 12},
	}},
	{"lost_records_end_a_hole", .steps = {
		{CALL, .call = let_idle_slip_in},
		{LOST, .lost = 1},
		{SAMPLE, .tid = 8, .seq = 13, .ns = 2000, .time = 7000, .values = {137, 240}},
		{INTERVAL, .of = MERGED_IDLE, .is = 0},
	}},
	{"throttling_is_counted_per_interval", .steps = {
		{THROTTLED, .cpu = 0},
		{INTERVAL, .of = THROTTLINGS, .is = 1},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = THROTTLINGS, .is = 0},
	}},
	{"cpu_that_comes_online_starts_anew", .steps = {
		{OFFLINE, .cpu = 0},
		{ONLINE, .cpu = 0},
		{READING, .seq = 1, .ns = 10, .values = {1, 2}},
		{SAMPLE, .tid = 8, .seq = 2, .ns = 15, .values = {2, 2}},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
		{TASK, .tid = 8, .of = E0, .is = 1},
		{COUNTER, .of = E0, .is = 1},
		{CPU, .of = CPU_ONLINE, .is = 1},
	}},
	/* The group that is opened anew has a clock of its own. */
	{"cpu_that_comes_online_has_another_clock", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .time = 6500, .values = {130, 240}},
		{ONLINE, .cpu = 0},
		{READING, .seq = 1, .ns = 10, .time = 8000},
		{SWITCH_IN, .tid = 0, .prev = NOBODY, .time = 8000},
		{SWITCH_IN, .tid = 8, .prev = 0, .time = 8300},
		{READING, .seq = 2, .ns = 510, .time = 8500},
		{CLOSE, .time = 9000},
		{IDLE, .of = QUANTITY_RUN_NS, .is = 300},
		{TASK, .tid = 8, .of = QUANTITY_RUN_NS, .is = 200},
	}},
	{"cpu_that_goes_is_shown_while_it_has_counts", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{OFFLINE, .cpu = 0},
		{SAMPLE, .tid = 8, .seq = 12, .ns = 1600, .values = {140, 240}},
		{INTERVAL, .of = CPUS, .is = 1},
		{CPU, .of = CPU_ONLINE, .is = 0},
		{COUNTER, .of = E0, .is = 30},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = CPUS, .is = 0},
	}},
	{"cpus_of_the_sched_state_only_are_not_shown", .steps = {
		{SWITCH_IN, .cpu = 3, .tid = 9, .prev = 0, .time = 1600},
		{SWITCH_OUT, .cpu = 3, .tid = 9, .next = 0, .time = 1700, .preempted = true},
		{INTERVAL, .of = CPUS, .is = 1},
	}},
	{"cpus_are_shown_in_ascending_order_with_totals", .steps = {
		{READING, .cpu = 5, .seq = 0, .ns = 0},
		{READING, .cpu = 2, .seq = 0, .ns = 0},
		{READING, .cpu = 2, .seq = 0, .ns = 10},
		{CLOSE, .time = 2000},
		{READING, .cpu = 2, .seq = 0, .ns = 30},
		{CLOSE, .time = 3000},
		{INTERVAL, .of = CPUS, .is = 3},
		{CPU, .cpu = 1, .of = CPU_NUMBER, .is = 2},
		{CPU, .cpu = 2, .of = CPU_NUMBER, .is = 5},
		{COUNTER, .cpu = 1, .of = QUANTITY_RUN_NS, .is = 20},
		{COUNTER_TOTAL, .cpu = 1, .of = QUANTITY_RUN_NS, .is = 30},
		{UNATTRIBUTED_TOTAL, .cpu = 1, .of = QUANTITY_RUN_NS, .is = 30},
	}},
	{"nothing_before_the_start_is_counted", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500, .preempted = true},
		{LOST, .cpu = RECORD_CPU_NONE, .lost = 3},
		{START, .time = 1500},
		{READING, .seq = 11, .ns = 1700, .values = {135, 240}},
		{INTERVAL, .of = START_NS, .is = 1500},
		{INTERVAL, .of = LENGTH_NS, .is = 500},
		{INTERVAL, .of = NUMBER, .is = 1},
		{INTERVAL, .of = LOST_RECORDS_TOTAL, .is = 0},
		{TOTAL, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{TOTAL, .tid = 7, .of = QUANTITY_PREEMPTIONS, .is = 0},
		{TASK, .tid = 8, .of = E0, .is = 5},
		{COUNTER_TOTAL, .of = QUANTITY_RUN_NS, .is = 200},
	}},
	{"start_forgets_closed_intervals_too", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
		{CLOSE, .time = 1500},
		{SAMPLE, .tid = 7, .seq = 12, .ns = 1400, .values = {130, 240}},
		{THROTTLED, .cpu = 0},
		{START, .time = 1500},
		{CLOSE, .time = 2000},
		{INTERVAL, .of = NUMBER, .is = 1},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
		{INTERVAL, .of = THROTTLINGS, .is = 0},
		{TOTAL, .tid = 7, .of = QUANTITY_RUN_NS, .is = 0},
		{COUNTER_TOTAL, .of = QUANTITY_RUN_NS, .is = 0},
	}},
	/* What perf calls exec of a thread: it goes on under the tid of the process. */
	{"thread_that_executes_takes_the_first_threads_tid", .steps = {
		{FORK, .pid = 20, .tid = 20, .parent = 7, .time = 1000},
		{LOST, .lost = 1, .time = 1000},
		{SWITCH_IN, .pid = 20, .tid = 21, .prev = 20, .time = 1000},
		{EXIT, .cpu = 1, .pid = 20, .tid = 20, .time = 1300},
		{COMM, .pid = 20, .tid = 20, .time = 1400, .name = "new", .exec = true},
		{READING, .seq = 10, .ns = 1500, .values = {105, 200}},
		{INFO, .tid = 21, .of = IS_EXITED, .is = 1},
		{INFO, .tid = 20, .of = IS_EXITED, .is = 0},
		{TASK_NAME, .tid = 20, .name = "new"},
		{TASK, .tid = 20, .of = E0, .is = 5},
	}},
	/* Its times were taken before the switch, its counts after it. */
	{"reading_whose_time_is_behind_the_switch_before_it_is_believed", .steps = {
		{READING, .seq = 1, .ns = 1000000},
		{SWITCH_IN, .tid = 7, .prev = 8, .time = 1000000},
		{START, .time = 1000000},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 2000000, .values = {10, 20}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 2000000},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 2000000},
		{READING, .seq = 2, .ns = 1996000, .values = {11, 20}},
		{CLOSE, .time = 2000000},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 1000000},
		{TASK, .tid = 8, .of = E0, .is = 1},
	}, .begin = kit_model},
	{"reading_whose_time_is_far_behind_is_believed_too", .steps = {
		{READING, .seq = 1, .ns = 1000000},
		{START, .time = 1000000},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 9000000},
		{READING, .seq = 2, .ns = 1500000},
		{CLOSE, .time = 9000000},
		{INTERVAL, .of = BROKEN_READINGS, .is = 0},
		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 8000000},
	}, .begin = kit_model},
	{"reading_whose_time_is_behind_though_there_was_a_switch_is_broken", .steps = {
		{READING, .seq = 1, .ns = 1000000},
		{START, .time = 1000000},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 2000000},
		{READING, .seq = 3, .ns = 1990000},
		{CLOSE, .time = 2000000},
		{INTERVAL, .of = BROKEN_READINGS, .is = 1},
	}, .begin = kit_model},
};
/* clang-format on */

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), begin);
}
