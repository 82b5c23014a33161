/*
 * A cgroup counted by itself (scenarios/cgroup.sh): its time is what the kernel has charged it
 * with, and its rows are those of the whole machine beside it.
 */
#include "../unit/unit.h"
#include "results.h"

static const double TOLERANCE_PCT = 0.1;

static const char *const spinners[] = {"w250m40", "w175m40"}; /* in the cgroup, and in one below */

UNIT_TEST(cgroup_time_is_what_the_kernel_has_charged)
{
	const json_t *intervals = results_intervals("cgroup.out");
	const double counted_ns = (double)results_sum_field(intervals, NULL, "run_ns");

	assert_true(results_near("time of the cgroup", counted_ns,
				 (double)results_number("cgroup.charged") * 1e3, TOLERANCE_PCT));
}

UNIT_TEST(cgroup_rows_are_those_of_the_machine)
{
	static const char *const events[] = {"cycles", "instructions", "cache-misses",
					     "branch-misses"};
	const json_t *cgroup = results_intervals("cgroup.out");
	const json_t *machine = results_intervals("machine.out");

	for (size_t i = 0; i < COUNT_OF(spinners); i++) {
		const char *name = spinners[i];

		begin_case(name);
		assert_true(results_near("time", (double)results_sum_field(cgroup, name, "run_ns"),
					 (double)results_sum_field(machine, name, "run_ns"),
					 TOLERANCE_PCT));
		assert_int_equal(results_sum_field(cgroup, name, "switches"),
				 results_sum_field(machine, name, "switches"));
		assert_int_equal(results_sum_field(cgroup, name, "preempted"),
				 results_sum_field(machine, name, "preempted"));
		for (size_t j = 0; j < COUNT_OF(events); j++)
			assert_true(results_near(
				events[j], (double)results_sum_counts(cgroup, name, events[j]),
				(double)results_sum_counts(machine, name, events[j]),
				TOLERANCE_PCT));
	}
}

UNIT_TEST(cgroup_has_no_task_of_outside)
{
	assert_int_equal(results_count_pids(results_intervals("machine.out"), "w033m120"), 1);
	assert_int_equal(results_count_pids(results_intervals("cgroup.out"), "w033m120"), 0);
}

UNIT_TEST(cgroup_books_balance)
{
	assert_true(results_books_balance(results_intervals("cgroup.out")));
}

int main(void)
{
	return unit_run(NULL, NULL);
}
