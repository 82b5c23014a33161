/*
 * What scenarios/rotation.sh must have brought home: with fewer counters than events the rates are
 * still right, two tasks on one CPU are not mixed, and it is said what was scaled.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

static bool metrics_right(const json_t *intervals, const char *command, double ipc, double mpki,
			  double tolerance_pct)
{
	bool right = true;
	json_t *interval;
	size_t i, seen = 0;

	json_array_foreach (intervals, i, interval) {
		const json_t *task = results_task(interval, command, NULL);
		const json_t *metrics = json_object_get(task, "metrics");
		char what[64];

		if (!task)
			continue;
		/* no turn in this interval: unknown, and said so */
		if (isnan(results_real(metrics, "ipc")))
			continue;
		seen++;
		snprintf(what, sizeof(what), "interval %zu, %s ipc", i, command);
		right &= results_near(what, results_real(metrics, "ipc"), ipc, tolerance_pct);
		snprintf(what, sizeof(what), "interval %zu, %s mpki", i, command);
		right &= results_near(what, results_real(metrics, "mpki"), mpki, tolerance_pct);
		snprintf(what, sizeof(what), "interval %zu, %s miss_pct", i, command);
		right &= results_near(what, results_real(metrics, "miss_pct"), 20, tolerance_pct);
	}
	return right && 2 * seen > json_array_size(intervals);
}

UNIT_TEST(rotation_does_not_mix_tasks)
{
	json_t *intervals = results_intervals("rotation.out");

	assert_int_equal(results_number("rotation.status"), 0);
	assert_true(metrics_right(intervals, "w175m40", 1.75, 40, 2));
	assert_true(metrics_right(intervals, "w033m120", 0.33, 120, 2));
	assert_true(metrics_right(intervals, "w250m10", 2.50, 10, 2));
}

/*
 * Readings stay exact: events that are counted in the same group only are in an exact ratio,
 * whatever was scaled.
 */
UNIT_TEST(rotation_raw_counts_are_exact)
{
	json_t *intervals = results_intervals("rotation.out");
	double misses = (double)results_sum_counts(intervals, "w033m120", "cache-misses");
	double references = (double)results_sum_counts(intervals, "w033m120", "cache-references");

	assert_true(references > 0);
	assert_true(results_near("raw miss share", misses / references, 0.2, 0.5));
}

UNIT_TEST(rotation_is_told)
{
	/* instructions, by which most is divided, may stand in both groups */
	static const char *const hardware[] = {"cycles", "cache-references", "cache-misses",
					       "branch-misses"};
	const json_t *intervals = results_intervals("rotation.out"), *interval = NULL;
	double running_pct[COUNT_OF(hardware)] = {0};
	size_t i;

	json_array_foreach (intervals, i, interval) {
		for (size_t k = 0; k < COUNT_OF(hardware); k++) {
			const json_t *event = results_event(interval, hardware[k]);

			assert_string_equal(json_string_value(json_object_get(event, "state")),
					    "multiplexed");
			running_pct[k] += results_real(event, "running_pct") /
					  (double)json_array_size(intervals);
		}
	}
	/* of one interval it is less where the emulator got no CPU */
	for (size_t k = 0; k < COUNT_OF(hardware); k++)
		if (!(running_pct[k] > 15 && running_pct[k] < 85))
			fail_msg("%s: running_pct is %f", hardware[k], running_pct[k]);
	interval = json_array_get(intervals, 0);
	assert_string_equal(
		json_string_value(json_object_get(results_event(interval, "page-faults"), "state")),
		"counting");
}

UNIT_TEST(rotation_books_balance)
{
	json_t *intervals = results_intervals("rotation.out");

	assert_true(results_books_balance(intervals));
}

static uint64_t cpu_ns(const json_t *intervals)
{
	uint64_t total = 0;
	json_t *interval, *cpu;
	size_t i, j;

	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "cpus"), j, cpu)
			total += (uint64_t)results_integer(cpu, "ns");
	return total;
}

/*
 * Regrouping takes the kernel microseconds in which nothing is counted. When the emulator is
 * paused right there, it looks like somebody else's rotation, and the slice is nobody's. That is
 * so in few intervals, however slow it is.
 */
UNIT_TEST(rotation_almost_everything_is_attributed)
{
	json_t *intervals = results_intervals("rotation.out");
	json_t *interval;
	size_t i, attributed = 0;

	json_array_foreach (intervals, i, interval) {
		json_t *alone = json_pack("[O]", interval);

		attributed += results_unattributed(alone, "ns") < cpu_ns(alone) / 50;
		json_decref(alone);
	}
	assert_true(2 * attributed > json_array_size(intervals));
	assert_true(results_unattributed(intervals, "ns") < cpu_ns(intervals) / 5);
}

UNIT_TEST(rotation_no_short_life_is_missed)
{
	json_t *intervals = results_intervals("rotation.out");

	assert_in_range(results_count_pids(intervals, "w150m80"), 150, 151);
	assert_true(results_sum_field(intervals, "w150m80", "run_ns") +
			    results_unattributed(intervals, "ns") >=
		    150ull * 5000000);
}

UNIT_TEST(pid_with_too_few_counters_stays_right)
{
	json_t *intervals = results_intervals("pid.out");

	assert_int_equal(results_number("pid.status"), 0);
	assert_true(metrics_right(intervals, "w175m40", 1.75, 40, 2));
	assert_true(metrics_right(intervals, "w033m120", 0.33, 120, 2));
	assert_int_equal(results_count_pids(intervals, "w250m10"), 0);
}

/*
 * While somebody else holds counters a group may not fit: what is shown is right or nobody's, and
 * the books balance.
 */
static void assert_no_wrong_rate(const char *file, const char *status)
{
	json_t *intervals = results_intervals(file);
	json_t *interval;
	bool right = true;
	size_t i, seen = 0;

	assert_int_equal(results_number(status), 0);
	json_array_foreach (intervals, i, interval) {
		const json_t *task = results_task(interval, "w033m120", NULL);
		const double ipc =
			task ? results_real(json_object_get(task, "metrics"), "ipc") : NAN;

		if (isnan(ipc))
			continue;
		seen++;
		right &= results_near("crowded IPC", ipc, 0.33, 2);
	}
	assert_true(right && seen > 0);
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(crowded_counters_give_no_wrong_rate)
{
	assert_no_wrong_rate("crowded.out", "crowded.status");
	assert_no_wrong_rate("crowded-software.out", "crowded-software.status");
}

int main(void)
{
	return unit_run(NULL, NULL);
}
