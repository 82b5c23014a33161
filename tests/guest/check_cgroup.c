/*
 * A cgroup counted by itself, and two together (scenarios/cgroup.sh): their time is what the kernel
 * has charged them with, and their rows are those of the whole machine beside it.
 */
#include "../unit/unit.h"
#include "results.h"

static const double TOLERANCE_PCT = 0.1;

/* The cgroup's time is what the kernel has charged it with. */
static void assert_charged(const char *file, const char *charged)
{
	const double counted_ns =
		(double)results_sum_field(results_intervals(file), NULL, "run_ns");

	assert_true(results_near(file, counted_ns, (double)results_number(charged) * 1e3,
				 TOLERANCE_PCT));
}

UNIT_TEST(cgroup_time_is_what_the_kernel_has_charged)
{
	assert_charged("cgroup.out", "cgroup.charged");
}

UNIT_TEST(cgroups_time_is_what_the_kernel_has_charged)
{
	assert_charged("both.out", "both.charged");
}

static void assert_row(const json_t *cgroup, const json_t *machine, const char *name)
{
	static const char *const events[] = {"cycles", "instructions", "cache-misses",
					     "branch-misses"};
	static const char *const exact[] = {"switches", "preempted"};

	begin_case(name);
	assert_true(results_near("time", (double)results_sum_field(cgroup, name, "run_ns"),
				 (double)results_sum_field(machine, name, "run_ns"),
				 TOLERANCE_PCT));
	for (size_t i = 0; i < COUNT_OF(exact); i++)
		assert_int_equal(results_sum_field(cgroup, name, exact[i]),
				 results_sum_field(machine, name, exact[i]));
	for (size_t i = 0; i < COUNT_OF(events); i++)
		assert_true(results_near(
			events[i], (double)results_sum_counts(cgroup, name, events[i]),
			(double)results_sum_counts(machine, name, events[i]), TOLERANCE_PCT));
}

/* In the cgroup, and in one below. */
UNIT_TEST(cgroup_rows_are_those_of_the_machine)
{
	const json_t *cgroup = results_intervals("cgroup.out");
	const json_t *machine = results_intervals("machine.out");

	assert_row(cgroup, machine, "w250m40");
	assert_row(cgroup, machine, "w175m40");
}

UNIT_TEST(cgroups_rows_are_those_of_the_machine)
{
	const json_t *both = results_intervals("both.out");
	const json_t *machine = results_intervals("machine_of_both.out");

	assert_row(both, machine, "w250m40");
	assert_row(both, machine, "w300m40");
}

UNIT_TEST(cgroup_has_no_task_of_outside)
{
	assert_int_equal(results_count_pids(results_intervals("machine.out"), "w033m120"), 1);
	assert_int_equal(results_count_pids(results_intervals("cgroup.out"), "w033m120"), 0);
	assert_int_equal(results_count_pids(results_intervals("both.out"), "w033m120"), 0);
}

UNIT_TEST(cgroup_books_balance)
{
	assert_true(results_books_balance(results_intervals("cgroup.out")));
	assert_true(results_books_balance(results_intervals("both.out")));
}

int main(void)
{
	return unit_run(NULL, NULL);
}
