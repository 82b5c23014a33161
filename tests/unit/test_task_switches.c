/* Switches of tasks that are counted one by one: their own records, and nothing of the other side.
 */
#include "switch_kit.h"

static const uint64_t unknown_ns = SWITCH_NS_UNKNOWN;

static struct model *begin(void)
{
	struct model *model = kit_model(1);

	model_keep_history(model, KIT_HISTORY);
	feed(model, task_reading(.tid = 7, .restarts = true, .tells_switches = true, .ns = 1000));
	feed(model, task_reading(.tid = 8, .restarts = true, .tells_switches = true, .ns = 1000));
	model_start(model, 1000);
	return model;
}

static void come(struct model *model, int32_t tid, int32_t cpu, uint64_t ns)
{
	feed(model, switch_in(.cpu = cpu, .tid = tid, .prev = NOBODY, .time = ns));
}

static void go(struct model *model, int32_t tid, int32_t cpu, uint64_t ns, bool preempted)
{
	feed(model, switch_out(.cpu = cpu, .tid = tid, .next = NOBODY, .time = ns,
			       .preempted = preempted));
}

static void departure_is_a_switch_without_counts(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	go(model, 7, 2, 1400, true);
	const struct kit_entry last = last_entry(model);

	assert_int_equal(entry_count(model), 2);
	assert_int_equal(last.left, 7);
	assert_int_equal(last.entry.came, ACTOR_UNKNOWN);
	assert_int_equal(last.entry.how, SWITCH_PREEMPTED);
	assert_int_equal(last.entry.slice_ns, 300);
	assert_int_equal(last.entry.time_ns, 1400);
	assert_int_equal(last.entry.cpu, 2);
	assert_int_equal(last.entry.from_cpu, -1);
	assert_false(last.entry.has_counts);
	assert_true(last.entry.off_ns == unknown_ns);
	assert_true(last.entry.wait_ns == unknown_ns);
	model_destroy(model);
}

static void arrival_is_a_switch_of_whom_is_unknown(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	go(model, 7, 2, 1400, true);
	come(model, 7, 3, 1600);
	const struct kit_entry last = last_entry(model);

	assert_int_equal(last.entry.left, ACTOR_UNKNOWN);
	assert_int_equal(last.entry.how, SWITCH_UNKNOWN);
	assert_true(last.entry.slice_ns == unknown_ns);
	assert_int_equal(last.came, 7);
	assert_int_equal(last.entry.off_ns, 200);
	assert_int_equal(last.entry.wait_ns, 200);
	assert_true(last.entry.came_preempted);
	assert_int_equal(last.entry.pushed_by, ACTOR_UNKNOWN);
	assert_int_equal(last.entry.from_cpu, 2);
	assert_int_equal(last.entry.cpu, 3);
	assert_false(last.entry.has_counts);
	model_destroy(model);
}

static void slice_whose_beginning_was_not_seen_is_unknown(void **state)
{
	struct model *model = begin();

	go(model, 7, 2, 1400, false);
	assert_true(last_entry(model).entry.slice_ns == unknown_ns);
	go(model, 7, 2, 1500, false);

	assert_true(last_entry(model).entry.slice_ns == unknown_ns);
	assert_null(find_task(model_close_interval(model, 2000), 7)->timing);
	model_destroy(model);
}

static void slice_that_began_after_another_departure_is_unknown(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	go(model, 7, 2, 1400, false);
	go(model, 7, 2, 1500, false);

	assert_true(last_entry(model).entry.slice_ns == unknown_ns);
	model_destroy(model);
}

static void slice_with_a_loss_is_unknown(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	feed(model, lost(.cpu = RECORD_CPU_NONE, .lost = 1, .time = 1200));
	go(model, 7, 2, 1400, false);

	assert_true(last_entry(model).entry.slice_ns == unknown_ns);
	model_destroy(model);
}

static void slice_where_not_all_cpus_are_watched_is_known(void **state)
{
	struct model *model = begin();

	model_note_partial(model, true);
	come(model, 7, 2, 1100);
	go(model, 7, 2, 1400, false);

	assert_int_equal(last_entry(model).entry.slice_ns, 300);
	model_destroy(model);
}

static void ways_to_leave_are_told(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	go(model, 7, 2, 1200, false);
	assert_int_equal(last_entry(model).entry.how, SWITCH_BLOCKED);
	come(model, 7, 2, 1300);
	feed(model, yielded(.cpu = 2, .tid = 7, .time = 1350));
	go(model, 7, 2, 1400, true);
	assert_int_equal(last_entry(model).entry.how, SWITCH_YIELDED);
	come(model, 7, 2, 1500);
	feed(model, exited(.cpu = 2, .tid = 7, .time = 1550));
	go(model, 7, 2, 1600, false);

	assert_int_equal(last_entry(model).entry.how, SWITCH_EXITED);
	model_destroy(model);
}

static void waits_are_entered_for_the_task(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	go(model, 7, 2, 1200, true);
	come(model, 7, 2, 1230);
	go(model, 7, 2, 1300, false);
	feed(model, wakeup(.tid = 7, .time = 1340));
	come(model, 7, 2, 1350);
	go(model, 7, 2, 1400, true);
	const struct snapshot *snapshot = model_close_interval(model, 1500);
	const struct timing *timing = find_task(snapshot, 7)->timing;

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 130);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 50);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_WAKEUP_NS), 10);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 140);
	assert_int_equal(timing->of[TIMING_SLICES].sum, 100 + 70 + 50);
	assert_int_equal(timing->of[TIMING_PREEMPTED].sum, 30);
	assert_int_equal(timing->of[TIMING_WAKEUPS].sum, 10);
	model_destroy(model);
}

static void run_delays_are_entered_for_the_task(void **state)
{
	struct model *model = begin();

	feed(model, run_delay(.tid = 7, .wait_ns = 50));
	feed(model, run_delay(.tid = 7, .wait_ns = 80));

	assert_int_equal(task_count(model_close_interval(model, 1500), 7, QUANTITY_QUEUED_NS), 30);
	model_destroy(model);
}

static void unknown_queue_stays_unknown_when_switches_are_told(void **state)
{
	struct model *model = begin();

	feed(model, run_delay(.tid = 7, .wait_ns = 50));
	come(model, 7, 2, 1100);

	assert_int_equal(find_task(model_close_interval(model, 1500), 7)->unknown,
			 1u << QUANTITY_QUEUED_NS);
	model_destroy(model);
}

static void shed_switches_are_counted(void **state)
{
	struct model *model = begin();

	model_shed(model, MODEL_SHED_DETAIL);
	come(model, 7, 2, 1100);
	go(model, 7, 2, 1200, true);
	const struct snapshot *snapshot = model_close_interval(model, 1500);

	assert_int_equal(entry_count(model), 0);
	assert_int_equal(snapshot->shed_switches, 2);
	assert_int_equal(snapshot->shed_details, 1);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 1);
	model_destroy(model);
}

static void slice_that_began_while_details_were_shed_is_unknown(void **state)
{
	struct model *model = begin();

	come(model, 7, 2, 1100);
	go(model, 7, 2, 1150, true);
	model_shed(model, MODEL_SHED_DETAIL);
	come(model, 7, 2, 1200);
	model_shed(model, MODEL_SHED_NOTHING);
	go(model, 7, 2, 1400, true);

	assert_true(last_entry(model).entry.slice_ns == unknown_ns);
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(departure_is_a_switch_without_counts),
		cmocka_unit_test(arrival_is_a_switch_of_whom_is_unknown),
		cmocka_unit_test(slice_whose_beginning_was_not_seen_is_unknown),
		cmocka_unit_test(slice_that_began_after_another_departure_is_unknown),
		cmocka_unit_test(slice_with_a_loss_is_unknown),
		cmocka_unit_test(slice_where_not_all_cpus_are_watched_is_known),
		cmocka_unit_test(ways_to_leave_are_told),
		cmocka_unit_test(waits_are_entered_for_the_task),
		cmocka_unit_test(run_delays_are_entered_for_the_task),
		cmocka_unit_test(unknown_queue_stays_unknown_when_switches_are_told),
		cmocka_unit_test(shed_switches_are_counted),
		cmocka_unit_test(slice_that_began_while_details_were_shed_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
