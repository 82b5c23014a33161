/*
 * What scenarios/isolated.sh must have brought home: an isolated CPU is not interrupted at the end
 * of an interval, its times are known all the same, and what its counters counted is known, and
 * right, when the task there has left it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	INTERVALS = 10 /* over which interrupts were counted */
};

static double metric(const json_t *row, const char *name)
{
	return results_real(json_object_get(row, "metrics"), name);
}

static const json_t *cpu_of(const json_t *interval, size_t index)
{
	return json_array_get(json_object_get(interval, "cpus"), index);
}

static long interrupts(const char *before, const char *after)
{
	const long first = results_number(before), last = results_number(after);

	assert_true(first >= 0 && last >= first);
	return last - first;
}

UNIT_TEST(isolated_cpu_is_not_interrupted_by_refreshes)
{
	assert_int_equal(interrupts("left.before", "left.after"), 0);
}

/* The same measure, so that a zero means something. */
UNIT_TEST(isolated_cpu_is_interrupted_at_each_refresh_where_that_is_asked_for)
{
	assert_true(interrupts("asked.before", "asked.after") >= INTERVALS);
}

/*
 * Of a task that does not leave: all of its time, and nothing of what it counted. Now and then the
 * kernel itself takes a moment of the CPU, which is none of these intervals.
 */
UNIT_TEST(isolated_task_that_stays_has_its_time_and_no_counts)
{
	json_t *intervals = results_intervals("left.out");
	size_t stayed = 0;

	for (size_t i = 1; i < INTERVALS; i++) {
		const json_t *interval = json_array_get(intervals, i);
		const json_t *task = results_task(interval, "w250m40", NULL);
		const json_t *cpu = cpu_of(interval, 1);

		assert_non_null(task);
		if (results_integer(cpu, "switches") > 0)
			continue;
		stayed++;
		assert_true(results_near("CPU %", metric(task, "cpu_pct"), 100, 0.1));
		assert_true(isnan(metric(task, "ipc")) && isnan(metric(task, "ghz")));
		assert_true(isnan(metric(cpu, "ipc")) && isnan(metric(cpu, "ghz")));
		assert_int_equal(results_integer(cpu, "unread_ns"), results_integer(cpu, "ns"));
	}
	assert_true(stayed > 0);
}

/* Over all of it nothing is missing: 2.5 instructions a cycle, and a cycle a nanosecond. */
UNIT_TEST(isolated_task_that_has_left_has_all_that_it_counted)
{
	json_t *intervals = results_intervals("left.out");
	const double cycles = (double)results_sum_counts(intervals, "w250m40", "cycles");
	const double instructions =
		(double)results_sum_counts(intervals, "w250m40", "instructions");
	const double run_ns = (double)results_sum_field(intervals, "w250m40", "run_ns");

	assert_true(results_near("IPC", instructions / cycles, 2.5, 0.1));
	assert_true(results_near("cycles per ns", cycles / run_ns, 1, 1));
}

/* In the interval in which it leaves, what is shown of it is its share: no 10 GHz. */
UNIT_TEST(isolated_task_is_shown_as_it_was_when_it_leaves)
{
	json_t *intervals = results_intervals("left.out");
	const json_t *interval;
	size_t index, seen = 0;

	json_array_foreach (intervals, index, interval) {
		const json_t *task = results_task(interval, "w250m40", NULL);

		if (!task || isnan(metric(task, "ipc")))
			continue;
		seen++;
		assert_true(results_near("IPC", metric(task, "ipc"), 2.5, 1));
		assert_true(results_near("GHz", metric(task, "ghz"), 1, 2));
	}
	assert_true(seen > 0);
}

UNIT_TEST(isolated_cpu_has_books_that_balance)
{
	assert_true(results_books_balance(results_intervals("left.out")));
	assert_true(results_books_balance(results_intervals("asked.out")));
	assert_int_equal(results_unattributed(results_intervals("left.out"), "cycles"), 0);
}

static bool has_line(const char *file, const char *const *words)
{
	char *line = results_line_with(file, words);
	const bool result = line;

	free(line);
	return result;
}

UNIT_TEST(isolated_cpu_is_named_where_it_matters)
{
	const char *const check[] = {"isolated CPUs", "CPU 1:", "--interrupt-isolated", NULL};
	const char *const text[] = {"# CPU 1: isolated", NULL};
	const json_t *left = json_array_get(results_intervals("left.out"), 0);
	const json_t *asked = json_array_get(results_intervals("asked.out"), 0);

	assert_true(has_line("check.out", check));
	assert_true(has_line("text.out", text));
	assert_non_null(strstr(json_string_value(json_object_get(left, "scope_reason")), "CPU 1"));
	assert_true(json_is_null(json_object_get(asked, "scope_reason")));
}

int main(void)
{
	return unit_run(NULL, NULL);
}
