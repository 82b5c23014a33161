/*
 * What scenarios/budget.sh must have brought home: hardware events were counted for a part of the
 * time, and what is scaled from that is right; run times, switches and the books are as ever, also
 * where other events are counted from some moment on.
 */
#include <math.h>
#include <string.h>

#include "../unit/unit.h"
#include "results.h"

static json_t *intervals(void)
{
	return results_intervals("budget.out");
}

static double counting_pct(const json_t *interval)
{
	return results_real(json_object_get(interval, "own"), "counting_pct");
}

UNIT_TEST(budget_that_bites_is_said_with_its_share)
{
	json_t *interval;
	size_t i, limited = 0;

	assert_int_equal(results_number("budget.status"), 0);
	json_array_foreach (intervals(), i, interval) {
		const json_t *event = results_event(interval, "cycles");

		assert_true(results_real(json_object_get(interval, "own"), "budget_pct") == 8);
		if (counting_pct(interval) > 95)
			continue;
		limited++;
		assert_string_equal(json_string_value(json_object_get(event, "state")),
				    "multiplexed");
		assert_non_null(strstr(json_string_value(json_object_get(event, "reason")),
				       "to keep the budget"));
		assert_true(fabs(results_real(event, "running_pct") - counting_pct(interval)) < 10);
		event = results_event(interval, "page-faults");
		assert_string_equal(json_string_value(json_object_get(event, "state")), "counting");
	}
	assert_true(limited >= 2);
}

/* Where it was counted for a part of the time it is right, and elsewhere not known. */
static bool is_right(const char *command, double ipc, double mpki)
{
	bool right = true;
	json_t *interval;
	size_t i, seen = 0;

	json_array_foreach (intervals(), i, interval) {
		const json_t *task = results_task(interval, command, NULL);
		const json_t *metrics = json_object_get(task, "metrics");

		if (!task || counting_pct(interval) > 95 || isnan(results_real(metrics, "ipc")))
			continue;
		seen++;
		right &= results_near(command, results_real(metrics, "ipc"), ipc, 1);
		right &= results_near(command, results_real(metrics, "mpki"), mpki, 1);
	}
	return right && seen > 0;
}

UNIT_TEST(budget_scaled_values_are_near_the_truth)
{
	assert_true(is_right("w175m40", 1.75, 40));
	assert_true(is_right("w033m120", 0.33, 120));
}

/* Those of their own accord, beside what the kernel has counted. */
static bool has_all_switches(json_t *array, const char *kernels)
{
	const double switches = (double)(results_sum_field(array, "pingpong", "switches") -
					 results_sum_field(array, "pingpong", "preempted"));

	return results_near("switches", switches, (double)results_number(kernels), 0.05);
}

UNIT_TEST(budget_switches_are_exact)
{
	assert_true(has_all_switches(intervals(), "sleeps"));
}

static bool counts(const json_t *interval, const char *name)
{
	json_t *event;
	size_t i;

	json_array_foreach (json_object_get(interval, "events"), i, event)
		if (strcmp(json_string_value(json_object_get(event, "name")), name) == 0)
			return true;
	return false;
}

/* All events, one more of them, few, all again. */
UNIT_TEST(changed_events_leave_switches_and_books_exact)
{
	json_t *changes = results_intervals("changes.out"), *interval;
	size_t i, more = 0, few = 0;

	json_array_foreach (changes, i, interval) {
		if (!results_task(interval, "pingpong", NULL))
			continue;
		few += !counts(interval, "cache-misses");
		more += counts(interval, "cache-misses") && counts(interval, "branches");
	}
	assert_true(few >= 1 && more >= 2);
	assert_true(has_all_switches(changes, "changes.sleeps"));
	assert_true(results_books_balance(changes));
}

UNIT_TEST(budget_run_times_are_exact)
{
	assert_true(results_near("run time of the storm",
				 (double)results_sum_field(intervals(), "w150m80", "run_ns") / 1000,
				 (double)results_number("storm.charged"), 2));
	assert_true(results_unattributed(intervals(), "ns") < 10 * 1000 * 1000);
}

UNIT_TEST(budget_books_balance)
{
	assert_true(results_books_balance(intervals()));
}

int main(void)
{
	return unit_run(NULL, NULL);
}
