/*
 * What scenarios/bare.sh must have brought home: without a unit everything that needs none
 * works, and what needs one is unknown, with its reason.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

UNIT_TEST(bare_hardware_is_unsupported_with_a_reason)
{
	static const char *const hardware[] = {"cycles", "instructions", "cache-references",
					       "cache-misses", "branch-misses"};
	json_t *intervals = results_intervals("bare.out");

	for (size_t i = 0; i < COUNT_OF(hardware); i++) {
		const json_t *event = results_event(json_array_get(intervals, 0), hardware[i]);
		const char *reason = json_string_value(json_object_get(event, "reason"));

		assert_string_equal(json_string_value(json_object_get(event, "state")),
				    "unsupported");
		assert_non_null(reason);
		assert_true(strlen(reason) > 10);
	}
}

UNIT_TEST(bare_metrics_that_need_a_unit_are_null)
{
	static const char *const names[] = {"ipc", "miss_pct", "mpki", "ghz", "branch_mpki"};
	json_t *intervals = results_intervals("bare.out");
	const json_t *task = results_task(json_array_get(intervals, 1), "w250m40", NULL);
	const json_t *cpu =
		json_array_get(json_object_get(json_array_get(intervals, 1), "cpus"), 0);

	assert_non_null(task);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_true(
			json_is_null(json_object_get(json_object_get(task, "metrics"), names[i])));
		assert_true(
			json_is_null(json_object_get(json_object_get(cpu, "metrics"), names[i])));
	}
}

UNIT_TEST(bare_time_switches_and_faults_are_counted)
{
	json_t *intervals = results_intervals("bare.out");
	const json_t *first = json_array_get(intervals, 0);
	const json_t *spinner = results_task(first, "w250m40", NULL);
	const json_t *cpu = json_array_get(json_object_get(first, "cpus"), 0);

	assert_int_equal(results_number("bare.status"), 0);
	assert_non_null(spinner);
	assert_true(results_near("CPU % of the spinner",
				 results_real(json_object_get(spinner, "metrics"), "cpu_pct"),
				 (double)results_integer(spinner, "run_ns") /
					 results_real(first, "interval_s") / 1e7,
				 0.1));
	/* others may have the CPU for a while, but somebody always has */
	assert_true(results_integer(spinner, "run_ns") > results_integer(cpu, "ns") / 3);
	assert_int_equal(results_integer(json_object_get(cpu, "idle"), "ns"), 0);
	assert_in_range(results_count_pids(intervals, "w150m80"), 100, 101);
	assert_true(results_sum_field(intervals, "w150m80", "run_ns") >= 100ull * 5000000);
	/* every child leaves its CPU at least once, and writes at least to its stack */
	assert_true(results_sum_field(intervals, "w150m80", "switches") >= 100);
	assert_true(results_sum_counts(intervals, "w150m80", "page-faults") >= 100);
}

UNIT_TEST(bare_books_balance)
{
	json_t *intervals = results_intervals("bare.out");

	assert_true(results_books_balance(intervals));
	assert_int_equal(results_unattributed(intervals, "ns"), 0);
}

UNIT_TEST(bare_screen_says_why_in_one_line)
{
	static const char *const words[] = {"no hardware counters", "virtual machine", NULL};
	static const char *const left[] = {"left 0", NULL};
	char *line = results_line_with("tui.txt", words);
	char *end = results_line_with("tui.left", left);

	assert_non_null(line);
	assert_non_null(end);
	free(end);
	free(line);
}

UNIT_TEST(bare_check_names_the_missing_unit)
{
	static const char *const words[] = {"no hardware counters", NULL};
	char *line = results_line_with("check.out", words);

	assert_int_equal(results_number("check.status"), 0);
	assert_non_null(line);
	free(line);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
