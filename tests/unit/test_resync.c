/*
 * A model that was told what another one knows counts on as that one does, from whatever moment. Of
 * whole sessions test_recording_runs.c says so; here are the moments that are rare.
 */
#include "model/history.h"
#include "model/resync.h"

#include "model_kit.h"
#include "same_snapshots.h"
#include "unit.h"

/* Two models; from the split on both get the same. */
static struct {
	struct model *first, *second;
	struct layout layout;
} twins;

static void setup(size_t groups)
{
	kit_layout(&twins.layout, groups);
	/* all of them always on */
	for (size_t i = 0; i < groups; i++)
		twins.layout.groups[i].turn = 0;
	twins.first = model_create(&twins.layout);
}

static int tear_down(void **state)
{
	model_destroy(twins.first);
	model_destroy(twins.second);
	layout_fini(&twins.layout);
	memset(&twins, 0, sizeof(twins));
	return 0;
}

static void both(struct record record)
{
	model_feed(twins.first, &record);
	if (twins.second)
		model_feed(twins.second, &record);
}

static void pass_on(void *context, const struct record *record)
{
	model_feed(context, record);
}

/* The interval ends here, and the second one begins. */
static void split(uint64_t time_ns)
{
	model_close_interval(twins.first, time_ns);
	twins.second = model_create(&twins.layout);
	model_resync(twins.first, pass_on, twins.second);
	model_start(twins.second, time_ns);
}

static const struct snapshot *assert_same_close(uint64_t time_ns)
{
	const struct snapshot *first = model_close_interval(twins.first, time_ns);
	const struct snapshot *second = model_close_interval(twins.second, time_ns);

	assert_same_snapshots(first, second);
	return second;
}

/* CPU 0 has switched from idle to tid 7 at 1000; both groups were read at 1100. */
static void begin(size_t groups)
{
	setup(groups);
	for (uint16_t g = 0; g < 2; g++)
		both(sample(.group = g, .tid = 0, .seq = 5, .ns = 600, .time = 1000,
			    .values = {10, 20}));
	both(switch_out(.tid = 0, .next = 7, .time = 1000));
	both(switch_in(.tid = 7, .prev = 0, .time = 1000));
	for (uint16_t g = 0; g < 2; g++)
		both(reading(.group = g, .seq = 5, .ns = 700, .time = 1000, .values = {11, 21}));
	model_start(twins.first, 1100);
}

UNIT_TEST(resync_in_the_middle_of_a_slice_goes_on)
{
	const struct snapshot *snapshot;

	begin(2);
	for (uint16_t g = 0; g < 2; g++)
		both(reading(.group = g, .seq = 5, .ns = 800, .time = 1000, .values = {15, 25}));
	split(1200);
	for (uint16_t g = 0; g < 2; g++)
		both(sample(.group = g, .tid = 7, .seq = 6, .ns = 950, .time = 1350,
			    .values = {115, 225}));
	both(switch_out(.tid = 7, .next = 0, .time = 1350));
	snapshot = assert_same_close(1400);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 150);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 100);
	assert_int_equal(task_count(snapshot, 7, event_place(3)), 200);
}

/* One group has reported the switch already, the other one was read before it did. */
UNIT_TEST(resync_in_the_middle_of_a_switch_knows_who_leaves)
{
	const struct snapshot *snapshot;

	begin(2);
	both(sample(.group = 0, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}));
	both(reading(.group = 1, .seq = 5, .ns = 790, .time = 1200, .values = {15, 25}));
	split(1200);
	both(sample(.group = 1, .tid = NOBODY, .seq = 6, .ns = 800, .time = 1200,
		    .values = {17, 28}));
	both(switch_out(.tid = NOBODY, .next = 8, .time = 1200));
	both(switch_in(.tid = 8, .prev = 7, .time = 1200));
	for (uint16_t g = 0; g < 2; g++)
		both(reading(.group = g, .seq = 6, .ns = 900, .time = 1200, .values = {20, 30}));
	snapshot = assert_same_close(1300);
	assert_int_equal(task_count(snapshot, 7, event_place(2)), 2);
	assert_int_equal(task_count(snapshot, 8, event_place(0)), 5);
}

/* After a loss the first reading of a switch is that of a leaver whose other readings may be lost.
 */
UNIT_TEST(resync_of_a_leaver_nobody_saw_come_charges_him_no_further)
{
	const struct snapshot *snapshot;

	begin(2);
	both(lost(.cpu = 0, .lost = 1, .time = 1150));
	both(sample(.group = 0, .tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}));
	split(1200);
	both(sample(.group = 1, .tid = NOBODY, .seq = 6, .ns = 800, .time = 1200,
		    .values = {17, 28}));
	both(switch_out(.tid = NOBODY, .next = 8, .time = 1200));
	snapshot = assert_same_close(1300);
	assert_int_equal(snapshot->cpus[0].unattributed[event_place(2)], 6);
}

/* Idle ran in between and left no word. */
UNIT_TEST(resync_after_a_hidden_idle_slice_divides_it)
{
	const struct snapshot *snapshot;

	begin(2);
	for (uint16_t g = 0; g < 2; g++)
		both(sample(.group = g, .tid = 7, .seq = 6, .ns = 800, .time = 1200,
			    .values = {15, 25}));
	both(switch_out(.tid = 7, .next = 0, .time = 1200));
	split(1250);
	both(switch_in(.tid = 8, .prev = 0, .time = 1300));
	for (uint16_t g = 0; g < 2; g++)
		both(reading(.group = g, .seq = 7, .ns = 1000, .time = 1300, .values = {20, 30}));
	snapshot = assert_same_close(1400);
	assert_int_equal(snapshot->merged_idle, 1);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_RUN_NS), 100);
}

/* The same with the arrival told and only one of the groups read since. */
UNIT_TEST(resync_with_an_idle_slice_one_group_has_missed_divides_it)
{
	const struct snapshot *snapshot;

	begin(2);
	for (uint16_t g = 0; g < 2; g++)
		both(sample(.group = g, .tid = 7, .seq = 6, .ns = 800, .time = 1200,
			    .values = {15, 25}));
	both(switch_out(.tid = 7, .next = 0, .time = 1200));
	both(switch_in(.tid = 8, .prev = 0, .time = 1300));
	both(reading(.group = 0, .seq = 7, .ns = 950, .time = 1300, .values = {20, 30}));
	split(1350);
	for (uint16_t g = 0; g < 2; g++)
		both(reading(.group = g, .seq = 7, .ns = 1000, .time = 1300, .values = {25, 35}));
	snapshot = assert_same_close(1400);
	assert_int_equal(task_count(snapshot, 8, event_place(0)), 5);
	assert_int_equal(task_count(snapshot, 8, event_place(2)), 10);
}

/* He has said so, and still runs. */
UNIT_TEST(resync_of_one_who_ends_shows_his_end)
{
	const struct snapshot *snapshot;

	begin(1);
	both(exited(.tid = 7, .time = 1150));
	split(1200);
	both(sample(.tid = 7, .seq = 6, .ns = 900, .time = 1300, .values = {15, 25}));
	both(switch_out(.tid = 7, .next = 0, .time = 1300));
	snapshot = assert_same_close(1400);
	assert_true(find_task(snapshot, 7)->is_exited);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 4);
	assert_int_equal(snapshot->exited_count, 0);
	both(lost(.cpu = 0, .time = 1400));
	model_close_interval(twins.first, 1500);
	model_close_interval(twins.second, 1500);
	assert_null(find_task(assert_same_close(1600), 7));
}

UNIT_TEST(resync_of_tasks_with_readings_of_their_own_goes_on)
{
	const struct snapshot *snapshot;

	setup(2);
	both(facts(.tid = 7, .name = "seven", .time = 900, .command_line = "seven -7", .uid = 77,
		   .parent = 3));
	both(task_reading(.tid = 7, .restarts = true, .time = 900));
	both(task_reading(.tid = 7, .group = 1, .restarts = true, .time = 900));
	both(switch_count(.tid = 7, .voluntary = 10, .involuntary = 4, .time = 900));
	model_start(twins.first, 1000);
	both(task_reading(.tid = 7, .ns = 50, .values = {1, 2}, .time = 1100));
	both(task_reading(.tid = 7, .group = 1, .ns = 50, .values = {3, 4}, .time = 1100));
	both(switch_count(.tid = 7, .voluntary = 12, .involuntary = 5, .time = 1100));
	split(1100);
	both(task_reading(.tid = 7, .ns = 80, .values = {11, 22}, .time = 1200));
	both(task_reading(.tid = 7, .group = 1, .ns = 80, .values = {33, 44}, .time = 1200));
	both(switch_count(.tid = 7, .voluntary = 15, .involuntary = 6, .time = 1200));
	snapshot = assert_same_close(1200);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 30);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_SWITCHES), 4);
	assert_int_equal(task_count(snapshot, 7, event_place(3)), 40);
	assert_string_equal(find_task(snapshot, 7)->command_line, "seven -7");
}

UNIT_TEST(resync_of_waits_that_go_on_counts_them_from_here)
{
	const struct snapshot *snapshot;

	begin(1);
	both(sample(.tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}));
	both(switch_out(.tid = 7, .next = 8, .preempted = true, .time = 1200));
	both(switch_in(.tid = 8, .prev = 7, .time = 1200));
	both(reading(.seq = 6, .ns = 850, .time = 1200, .values = {16, 26}));
	split(1250);
	both(sample(.tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}));
	both(switch_out(.tid = 8, .next = 7, .time = 1300));
	both(switch_in(.tid = 7, .prev = 8, .time = 1300));
	snapshot = assert_same_close(1400);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 50);
}

/* A wake-up was told before the switch after which it happened. */
UNIT_TEST(resync_of_one_who_was_woken_while_he_runs_remembers_it)
{
	const struct snapshot *snapshot;

	begin(1);
	both(reading(.seq = 5, .ns = 800, .time = 1000, .values = {15, 25}));
	both(wakeup(.tid = 7, .time = 1260));
	split(1250);
	both(sample(.tid = 7, .seq = 6, .ns = 855, .time = 1255, .values = {16, 26}));
	both(switch_out(.tid = 7, .next = 8, .time = 1255));
	snapshot = assert_same_close(1300);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 40);
}

UNIT_TEST(resync_of_one_who_yields_knows_how_he_leaves)
{
	struct switch_entry entry;

	begin(1);
	both(yielded(.tid = 7, .time = 1190));
	both(reading(.seq = 5, .ns = 800, .time = 1000, .values = {15, 25}));
	split(1200);
	model_keep_history(twins.second, 100);
	both(sample(.tid = 7, .seq = 6, .ns = 850, .time = 1250, .values = {16, 26}));
	both(switch_out(.tid = 7, .next = 8, .preempted = true, .time = 1250));
	model_settle(twins.second, 1300);
	history_get(model_history(twins.second), 0, &entry, NULL);
	assert_int_equal(entry.how, SWITCH_YIELDED);
}

/* What was lost before leaves absences unknown, here and there. */
UNIT_TEST(resync_after_a_loss_knows_no_more_than_before)
{
	begin(1);
	both(sample(.tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}));
	both(switch_out(.tid = 7, .next = 8, .time = 1200));
	both(lost(.cpu = RECORD_CPU_NONE, .lost = 3, .time = 1210));
	both(switch_in(.tid = 8, .prev = 7, .time = 1220));
	split(1250);
	both(wakeup(.tid = 7, .time = 1260));
	both(sample(.tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}));
	both(switch_out(.tid = 8, .next = 7, .time = 1300));
	both(switch_in(.tid = 7, .prev = 8, .time = 1300));
	assert_int_equal(task_count(assert_same_close(1400), 7, QUANTITY_OFF_NS), 0);
}

/* Nothing is noted of waits, neither here nor there. */
UNIT_TEST(resync_while_details_are_left_out_leaves_them_out)
{
	const struct snapshot *snapshot;

	begin(1);
	both(sample(.tid = 7, .seq = 6, .ns = 800, .time = 1200, .values = {15, 25}));
	both(switch_out(.tid = 7, .next = 8, .time = 1200));
	both(switch_in(.tid = 8, .prev = 7, .time = 1200));
	both((struct record){.kind = RECORD_SHED, .cpu = -1, .shed = MODEL_SHED_DETAIL});
	split(1250);
	both(sample(.tid = 8, .seq = 7, .ns = 900, .time = 1300, .values = {17, 27}));
	both(switch_out(.tid = 8, .next = 7, .time = 1300));
	both(switch_in(.tid = 7, .prev = 8, .time = 1300));
	snapshot = assert_same_close(1400);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 0);
	both((struct record){.kind = RECORD_SHED, .cpu = -1, .shed = MODEL_SHED_NOTHING});
	both(sample(.tid = 7, .seq = 8, .ns = 1020, .time = 1420, .values = {18, 28}));
	both(switch_out(.tid = 7, .next = 8, .time = 1420));
	assert_same_close(1500);
}

UNIT_TEST(resync_of_run_delays_tells_differences_from_here)
{
	const struct snapshot *snapshot;

	begin(1);
	both(run_delay(.tid = 7, .wait_ns = 900, .time = 1150));
	both(run_delay(.tid = 7, .wait_ns = 1000, .time = 1150));
	both(reading(.seq = 5, .ns = 800, .time = 1000, .values = {15, 25}));
	split(1200);
	both(reading(.seq = 5, .ns = 850, .time = 1000, .values = {16, 26}));
	both(run_delay(.tid = 7, .wait_ns = 1300, .time = 1250));
	snapshot = assert_same_close(1250);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 300);
	/* it runs, and is not asked */
	both(reading(.seq = 5, .ns = 900, .time = 1000, .values = {17, 27}));
	assert_same_close(1300);
}

UNIT_TEST(resync_of_one_who_ran_and_was_not_asked_leaves_his_wait_unknown)
{
	begin(1);
	both(run_delay(.tid = 7, .wait_ns = 900, .time = 1150));
	both(run_delay(.tid = 7, .wait_ns = 1000, .time = 1150));
	both(reading(.seq = 5, .ns = 800, .time = 1000, .values = {15, 25}));
	split(1200);
	both(reading(.seq = 5, .ns = 850, .time = 1000, .values = {16, 26}));
	assert_true(find_task(assert_same_close(1250), 7)->unknown & 1u << QUANTITY_QUEUED_NS);
}

/* Waits are told for the first time after the split; of who was born here that is all of them. */
UNIT_TEST(resync_of_one_who_was_born_here_knows_that_he_has_not_waited)
{
	const struct snapshot *snapshot;

	begin(1);
	both(forked(.tid = 8, .parent = 7, .time = 1150));
	split(1200);
	both(run_delay(.tid = 8, .wait_ns = 30, .time = 1250));
	snapshot = assert_same_close(1250);
	assert_false(find_task(snapshot, 8)->unknown & 1u << QUANTITY_QUEUED_NS);
	assert_false(find_task(snapshot, 8)->is_new);
}

/* Nothing was told of switches because there were none. */
UNIT_TEST(resync_of_a_task_whose_switches_are_told_knows_that_there_are_none)
{
	const struct snapshot *snapshot;

	setup(1);
	both(task_reading(.tid = 7, .restarts = true, .has_switch_records = true, .time = 900));
	model_start(twins.first, 1000);
	both(task_reading(.tid = 7, .ns = 50, .values = {1, 2}, .time = 1100));
	split(1100);
	both(task_reading(.tid = 7, .ns = 80, .values = {11, 22}, .time = 1200));
	snapshot = assert_same_close(1200);
	assert_int_equal(find_task(snapshot, 7)->unknown & 1u << QUANTITY_SWITCHES, 0);
}

UNIT_TEST(resync_of_a_cpu_that_has_gone_believes_nothing_of_it)
{
	begin(1);
	both(cpu_offline(.time = 1150));
	split(1200);
	both(reading(.seq = 5, .ns = 850, .time = 1000, .values = {16, 26}));
	assert_int_equal(assert_same_close(1250)->cpu_count, 0);
	both(cpu_online(.time = 1260));
	both(reading(.seq = 1, .ns = 10, .time = 1260, .values = {1, 2}));
	both(reading(.seq = 1, .ns = 30, .time = 1260, .values = {2, 4}));
	assert_int_equal(assert_same_close(1300)->cpu_count, 1);
}

/* Facts that nobody has told are asked for once more. */
UNIT_TEST(resync_of_a_task_without_facts_asks_for_them)
{
	struct task_ref wanted[4];

	begin(1);
	both(reading(.seq = 5, .ns = 800, .time = 1000, .values = {15, 25}));
	split(1200);
	both(reading(.seq = 5, .ns = 850, .time = 1000, .values = {16, 26}));
	assert_int_equal(model_wanted_procinfo(twins.second, wanted, 4), 1);
	assert_int_equal(wanted[0].tid, 7);
}

int main(void)
{
	return unit_run(NULL, tear_down);
}
