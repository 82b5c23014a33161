/* How parallel processes are: an interval from 1000 to 2000, and those that follow, of process 7
 * with the threads 71, 72 and so on, and of process 8. */
#include "model/parallel.h"
#include "model/profile.h"

#include "switch_kit.h"
#include "unit.h"

enum {
	CPUS = 8
};

static const struct parallel_scope each_process;
static struct model *model;
static const struct snapshot *snapshot;

static int32_t pid_of(int32_t tid)
{
	return tid > 10 ? tid / 10 : tid;
}

/* The counter of the CPU has counted for as long as it is on. */
static struct record_reading read_at(uint64_t time_ns, uint64_t sequence)
{
	static const uint64_t values[2];

	return (struct record_reading){
		.sequence = sequence,
		.enabled_ns = time_ns,
		.running_ns = time_ns,
		.values = values,
	};
}

static uint64_t switches[CPUS];

static void switches_to(int cpu, int32_t prev, int32_t next_pid, int32_t next, uint64_t time_ns)
{
	const struct record_reading read = read_at(time_ns, ++switches[cpu]);
	const struct record record = {
		.kind = RECORD_SWITCH,
		.cpu = cpu,
		.pid = pid_of(prev),
		.tid = prev,
		.time_ns = time_ns,
		.ctx_switch = {.next_pid = next_pid,
			       .next_tid = next,
			       .knows_how = true,
			       .state = TASK_STATE_SLEEPING,
			       .readings = &read,
			       .reading_count = 1},
	};

	model_feed(model, &record);
}

static void comes(int cpu, int32_t prev, int32_t next, uint64_t time_ns)
{
	switches_to(cpu, prev, pid_of(next), next, time_ns);
}

/* Of who comes no more is said than its number, and it is not known so far. */
static void comes_unseen(int cpu, int32_t prev, int32_t next, uint64_t time_ns)
{
	switches_to(cpu, prev, RECORD_TASK_UNKNOWN, next, time_ns);
}

/* The interval ends, at one reading of each CPU. */
static const struct snapshot *ends(uint64_t time_ns)
{
	for (int cpu = 0; cpu < CPUS; cpu++) {
		const struct record record = {.kind = RECORD_READING,
					      .cpu = cpu,
					      .pid = -1,
					      .tid = -1,
					      .time_ns = time_ns,
					      .reading = read_at(time_ns, switches[cpu])};

		model_feed(model, &record);
	}
	return model_close_interval(model, time_ns);
}

static void is_counted(int cpu)
{
	const struct record record = {
		.kind = RECORD_CPU_ONLINE, .cpu = cpu, .pid = -1, .tid = -1, .time_ns = 800};

	model_feed(model, &record);
	comes(cpu, RECORD_TASK_UNKNOWN, 0, 900);
}

static void begins(void)
{
	model = kit_model(1);
	for (int cpu = 0; cpu < CPUS; cpu++)
		is_counted(cpu);
	model_measure_parallelism(model, true, &each_process);
	model_start(model, 1000);
}

static const struct snapshot_task *task_of(int32_t tid)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == tid)
			return &snapshot->tasks[i];
	fail_msg("no task %d", tid);
	return NULL;
}

static void has_latency(int32_t tid, uint64_t ns)
{
	assert_in_range(task_of(tid)->interval[QUANTITY_LATENCY_NS] + 1, ns, ns + 1);
}

static void ran_at_once(uint32_t running, uint64_t ns)
{
	assert_int_equal(task_of(7)->parallel_ns[parallel_bin(running)], ns);
}

UNIT_TEST(parallel_time_is_shared_by_those_that_run)
{
	begins();
	comes(0, 0, 7, 1000);  /* alone for 400 */
	comes(1, 0, 71, 1400); /* two for 200, then three for 300 */
	comes(2, 0, 72, 1600);
	comes(1, 71, 0, 1900);
	comes(2, 72, 0, 1900);
	snapshot = ends(2000);

	has_latency(7, 400 + 100 + 100 + 100);
	has_latency(71, 100 + 100);
	has_latency(72, 100);
	ran_at_once(1, 500);
	ran_at_once(2, 200);
	ran_at_once(3, 300);
	assert_int_equal(snapshot->unknown & 1u << QUANTITY_LATENCY_NS, 0);
	model_destroy(model);
}

UNIT_TEST(parallel_processes_do_not_share)
{
	begins();
	comes(0, 0, 7, 1100);
	comes(1, 0, 8, 1200);
	comes(0, 7, 0, 1600);
	snapshot = ends(2000);

	has_latency(7, 500);
	has_latency(8, 800);
	model_destroy(model);
}

UNIT_TEST(parallel_time_is_split_where_an_interval_ends)
{
	begins();
	comes(0, 0, 7, 1500);
	comes(1, 0, 71, 1500);
	snapshot = ends(2000);
	has_latency(7, 250);
	comes(1, 71, 0, 2400);
	snapshot = ends(3000);

	has_latency(7, 200 + 600);
	has_latency(71, 200);
	ran_at_once(1, 600);
	ran_at_once(2, 400);
	snapshot = ends(4000);
	has_latency(71, 0);
	ran_at_once(2, 0);
	model_destroy(model);
}

/* The thread that follows another one on its CPU goes on with as many. */
UNIT_TEST(parallel_threads_that_follow_each_other_are_one_at_a_time)
{
	begins();
	comes(0, 0, 71, 1000);
	comes(1, 0, 72, 1000);
	comes(0, 71, 73, 1500);
	snapshot = ends(2000);

	has_latency(71, 250);
	has_latency(72, 500);
	has_latency(73, 250);
	ran_at_once(2, 1000);
	model_destroy(model);
}

/* Where a CPU's records come late each thread still has no more and no less than it ran. */
UNIT_TEST(parallel_late_records_are_taken_for_now)
{
	begins();
	comes(0, 0, 7, 1200);
	comes(0, 7, 0, 1600);
	comes(1, 0, 71, 1500);
	comes(1, 71, 0, 1900);
	comes(2, 0, 72, 1700); /* and all of it late */
	comes(2, 72, 0, 1800);
	snapshot = ends(2000);

	has_latency(7, 400);
	has_latency(71, 400);
	has_latency(72, 100);
	ran_at_once(1, 700);
	model_destroy(model);
}

/* Until when it ran is not known, and nothing is entered for it. */
UNIT_TEST(parallel_task_of_a_lost_switch_does_not_run_on)
{
	const struct record record = {
		.kind = RECORD_LOST, .cpu = 0, .pid = -1, .tid = -1, .time_ns = 1300, .lost = 1};

	begins();
	comes(0, 0, 7, 1100);
	model_feed(model, &record);
	comes(1, 0, 71, 1500);
	snapshot = ends(2000);

	has_latency(7, 0);
	has_latency(71, 500);
	model_destroy(model);
}

UNIT_TEST(parallel_is_known_of_whole_intervals_only)
{
	const uint32_t bit = 1u << QUANTITY_LATENCY_NS;

	begins();
	comes(0, 0, 7, 1100);
	model_measure_parallelism(model, false, &each_process);
	assert_int_equal(ends(2000)->unknown & bit, bit);
	comes(1, 0, 71, 2100);
	comes(0, 7, 0, 2200);
	model_measure_parallelism(model, true, &each_process);
	assert_int_equal(ends(3000)->unknown & bit, bit);
	snapshot = ends(4000);

	assert_int_equal(snapshot->unknown & bit, 0);
	has_latency(71, 1000);
	ran_at_once(1, 1000);
	model_destroy(model);
}

static bool is_even(int32_t pid, const void *context)
{
	(void)context;
	return pid % 2 == 0;
}

static const struct parallel_scope all_tasks = {.number = 1};
static const struct parallel_scope all_even = {.number = 2, .wants_pid = is_even};

/* Of several processes it can be summed: it is the time in which any of them ran. */
UNIT_TEST(parallel_all_tasks_share_as_one)
{
	begins();
	model_measure_parallelism(model, true, &all_tasks);
	ends(2000);
	comes(0, 0, 7, 2100);
	comes(1, 0, 8, 2200);
	comes(2, 0, 71, 2200);
	comes(0, 7, 0, 2500);
	snapshot = ends(3000);

	has_latency(7, 100 + 100);
	has_latency(8, 100 + 250);
	has_latency(71, 100 + 250);
	assert_int_equal(snapshot->latency_scope, 1);
	assert_int_equal(snapshot->parallel_ns[parallel_bin(1)], 100);
	assert_int_equal(snapshot->parallel_ns[parallel_bin(2)], 500);
	assert_int_equal(snapshot->parallel_ns[parallel_bin(3)], 300);
	model_destroy(model);
}

UNIT_TEST(parallel_only_what_is_wanted_shares)
{
	const uint32_t bit = 1u << QUANTITY_LATENCY_NS;

	begins();
	model_measure_parallelism(model, true, &all_even);
	ends(2000);
	comes(0, 0, 7, 2100);
	comes(1, 0, 8, 2200);
	comes(2, 0, 6, 2400);
	snapshot = ends(3000);

	has_latency(7, 0);
	assert_int_equal(task_of(7)->unknown & bit, bit);
	has_latency(8, 200 + 300);
	has_latency(6, 300);
	assert_int_equal(task_of(6)->unknown & bit, 0);
	model_destroy(model);
}

/* Of the interval in which it becomes another one nothing is known. */
UNIT_TEST(parallel_scope_is_one_for_whole_intervals)
{
	const uint32_t bit = 1u << QUANTITY_LATENCY_NS;

	begins();
	comes(0, 0, 7, 1100);
	comes(1, 0, 8, 1200);
	model_measure_parallelism(model, true, &all_tasks);
	assert_int_equal(ends(2000)->unknown & bit, bit);
	snapshot = ends(3000);
	has_latency(7, 500);
	model_measure_parallelism(model, true, &each_process);
	assert_int_equal(ends(4000)->unknown & bit, bit);
	snapshot = ends(5000);

	assert_int_equal(snapshot->unknown & bit, 0);
	assert_null(snapshot->parallel_ns);
	has_latency(7, 1000);
	has_latency(8, 1000);
	model_destroy(model);
}

/* It had the time for itself, as no other thread of its process ran. */
UNIT_TEST(parallel_task_that_was_not_seen_to_come_ran_alone)
{
	begins();
	comes_unseen(0, 0, 7, 1100);
	comes(0, 7, 0, 1400);
	comes(0, 0, 7, 1500);
	snapshot = ends(2000);

	has_latency(7, 300 + 500);
	assert_int_equal(task_of(7)->unknown & 1u << QUANTITY_LATENCY_NS, 0);
	ran_at_once(1, 800);
	model_destroy(model);
}

/* What it had of the time is not known where others had a part. */
UNIT_TEST(parallel_task_that_was_not_seen_to_come_may_have_no_latency)
{
	const uint32_t bit = 1u << QUANTITY_LATENCY_NS;

	begins();
	comes(1, 0, 71, 1100);
	comes_unseen(0, 0, 72, 1200);
	comes(0, 72, 0, 1400);
	snapshot = ends(2000);
	assert_int_equal(task_of(72)->interval[QUANTITY_RUN_NS], 200);
	assert_int_equal(task_of(72)->unknown & bit, bit);
	assert_int_equal(task_of(71)->unknown & bit, 0);
	comes(0, 0, 72, 2500);
	snapshot = ends(3000);

	assert_int_equal(task_of(72)->unknown & bit, 0);
	has_latency(72, 250);
	model_destroy(model);
}

/* Some tasks leave no record of a switch: who left for one goes on, or another one has come. */
UNIT_TEST(parallel_task_that_left_for_a_silent_one_goes_on)
{
	begins();
	comes(1, 0, 71, 1100);
	comes(0, 0, 7, 1200);
	comes_unseen(0, 7, 99, 1300);
	comes(0, 7, 0, 1500);
	comes(0, 0, 7, 1600);
	comes_unseen(0, 7, 99, 1700);
	comes(0, 72, 0, 1900);
	snapshot = ends(2000);

	assert_int_equal(task_of(7)->interval[QUANTITY_RUN_NS], 400);
	has_latency(7, 50 + 100 + 50);
	has_latency(72, 100);
	assert_int_equal(task_of(72)->unknown & 1u << QUANTITY_LATENCY_NS, 0);
	assert_int_equal(task_of(7)->unknown & 1u << QUANTITY_LATENCY_NS, 0);
	model_destroy(model);
}

/* Of all tasks it is one, whichever it is. */
UNIT_TEST(parallel_task_that_was_not_seen_to_come_is_one_of_all)
{
	begins();
	model_measure_parallelism(model, true, &all_tasks);
	ends(2000);
	comes_unseen(0, 0, 7, 2100);
	comes(1, 0, 8, 2200);
	comes(0, 7, 0, 2400);
	comes(1, 8, 0, 2500);
	snapshot = ends(3000);

	has_latency(7, 100 + 100);
	has_latency(8, 100 + 100);
	assert_int_equal(task_of(7)->unknown & 1u << QUANTITY_LATENCY_NS, 0);
	assert_int_equal(snapshot->parallel_ns[parallel_bin(1)], 200);
	assert_int_equal(snapshot->parallel_ns[parallel_bin(2)], 200);
	model_destroy(model);
}

static void is_sampled(int32_t tid, uint64_t time_ns)
{
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.cpu = 0,
		.pid = pid_of(tid),
		.tid = tid,
		.time_ns = time_ns,
		.sample = {.kind = SAMPLE_ON_CPU, .weight = 60},
	};

	model_feed(model, &record);
}

/* A sample that comes late is divided by how many ran when it was taken. */
UNIT_TEST(parallel_samples_are_divided_by_how_many_ran_then)
{
	begins();
	comes(0, 0, 7, 1000);
	is_sampled(7, 1100);
	comes(1, 0, 71, 1200);
	comes(2, 0, 72, 1300);
	is_sampled(7, 1150);
	is_sampled(7, 1250);
	is_sampled(7, 1350);
	is_sampled(71, 1350);
	snapshot = ends(2000);

	assert_int_equal(snapshot->profile->entry_count, 2);
	assert_int_equal(snapshot->profile->entries[0].weight, 4 * 60);
	assert_int_equal(snapshot->profile->entries[0].latency, 60 + 60 + 30 + 20);
	assert_int_equal(snapshot->profile->entries[1].latency, 20);
	model_destroy(model);
}

UNIT_TEST(parallel_bins_are_in_order)
{
	const uint32_t begins_at[] = {1, 2, 3, 4, 5, 9, 17, 33};

	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(parallel_bin_begin(i), begins_at[i]);
		assert_int_equal(parallel_bin(begins_at[i]), i);
		if (i > 0)
			assert_int_equal(parallel_bin(begins_at[i] - 1), i - 1);
	}
	assert_int_equal(parallel_bin(1u << 30), PARALLEL_BINS - 1);
}

UNIT_TEST(parallel_is_in_a_copy)
{
	struct snapshot *copy;

	begins();
	comes(0, 0, 7, 1000);
	snapshot = copy = snapshot_copy(ends(2000));
	model_destroy(model);

	ran_at_once(1, 1000);
	snapshot_destroy(copy);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
