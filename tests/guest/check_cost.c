/*
 * What perftop says its readings cost the watched, beside what scenarios/cost.sh has counted: by
 * how much a switch of a ping-pong is longer in the kernel while perftop watches.
 */
#include "../unit/unit.h"
#include "results.h"

static const double TOLERANCE_PCT = 15;

enum {
	FULL_INTERVALS = 3 /* of 0.2 s: half a second, as good as full */
};

static const json_t *own_of(const json_t *interval)
{
	return json_object_get(interval, "own");
}

UNIT_TEST(cost_of_a_switch_is_what_the_kernel_adds)
{
	json_t *intervals = results_intervals("cost_tasks.out");

	for (size_t i = 0; i < json_array_size(intervals); i++)
		assert_true(results_near(
			"cost of a switch",
			(double)results_integer(own_of(json_array_get(intervals, i)), "switch_ns"),
			(double)results_number("cost_tasks.kernel"), TOLERANCE_PCT));
}

/* In an interval: as many times as there were switches on the CPU, which is all of the machine. */
UNIT_TEST(cost_of_an_interval_is_that_of_its_switches)
{
	json_t *intervals = results_intervals("cost_tasks.out");

	for (size_t i = 0; i < json_array_size(intervals); i++) {
		const json_t *interval = json_array_get(intervals, i), *own = own_of(interval);
		const json_t *cpus = json_object_get(interval, "cpus");
		const int64_t switches = results_integer(json_array_get(cpus, 0), "switches");
		const int64_t readings_ns = results_integer(own, "readings_ns");

		assert_int_equal(json_array_size(cpus), 1);
		assert_int_equal(readings_ns, switches * results_integer(own, "switch_ns"));
		assert_true(results_near(
			"percent of the machine", results_real(own, "readings_pct"),
			(double)readings_ns / 1e7 / results_real(interval, "interval_s"), 0.1));
	}
}

/* What perftop says of all of it, by switch, of the intervals that the ping-pong fills. */
static double said_ns(const json_t *intervals)
{
	const size_t count = json_array_size(intervals);
	double switches = 0, all_ns = 0;

	assert_true(count > FULL_INTERVALS);
	for (size_t i = count - FULL_INTERVALS; i < count; i++) {
		const json_t *own = own_of(json_array_get(intervals, i));
		const int64_t readings_ns = results_integer(own, "readings_ns");
		const int64_t samples_ns = results_integer(own, "samples_ns");

		all_ns += (double)readings_ns;
		switches += (double)(readings_ns - samples_ns) /
			    (double)results_integer(own, "switch_ns");
	}
	return all_ns / switches;
}

/* Beside the readings. Stacks off the CPU are fewer once it is known how often tasks switch. */
UNIT_TEST(cost_of_samples_is_what_they_add)
{
	static const char *const names[] = {"functions", "off_cpu", "wakeups"};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char out[64], kernel[64];
		json_t *intervals;

		begin_case(names[i]);
		snprintf(out, sizeof(out), "cost_%s.out", names[i]);
		snprintf(kernel, sizeof(kernel), "cost_%s.kernel", names[i]);
		intervals = results_intervals(out);
		assert_true(results_near("cost with samples", said_ns(intervals),
					 (double)results_number(kernel), TOLERANCE_PCT));
	}
}

/*
 * What a switch costs in instructions, as it is built for the tests (gcc 12, not as a whole): the
 * same on every machine. What makes it a twentieth more is to be seen here.
 */
UNIT_TEST(cost_of_a_switch_has_not_grown)
{
	static const struct {
		double kernel, own, with_history; /* and wake-ups, and the pass at the end */
	} known[] = {{.kernel = 1625, .own = 870, .with_history = 2070},
		     {.kernel = 2920, .own = 924, .with_history = 2285}};
	const json_t *interval = json_array_get(results_intervals("cost_tasks.out"), 0);
	const char *counts =
		json_string_value(json_object_get(results_event(interval, "cycles"), "state"));
	const bool has_counters = strcmp(counts, "counting") == 0;

	assert_true((double)results_number("cost_tasks.kernel") <
		    1.05 * known[has_counters].kernel);
	assert_true((double)results_number("cost_tasks.own") < 1.05 * known[has_counters].own);
	assert_true((double)results_number("cost_history.own") <
		    1.05 * known[has_counters].with_history);
}

/* That of a ping-pong alone, and all that perftop adds. */
static double whole_switch(const char *name)
{
	char kernel[64], own[64];

	snprintf(kernel, sizeof(kernel), "cost_%s.kernel", name);
	snprintf(own, sizeof(own), "cost_%s.own", name);
	return (double)(results_number("cost_alone") + results_number(kernel) +
			results_number(own));
}

/* With the same events: what a task sleeps for, and how long it waits for its CPU, which takes a
 * sample of each wake-up. */
UNIT_TEST(cost_of_a_switch_with_states_has_not_grown)
{
	static const double most = 1.25; /* 1.22 without counters, 1.18 with */
	json_t *intervals = results_intervals("cost_states.out");
	const json_t *last = json_array_get(intervals, json_array_size(intervals) - 1);
	const json_t *task = results_task(last, "pingpong", NULL);
	const double without = whole_switch("sleeps"), with = whole_switch("states");

	assert_non_null(task);
	assert_true(results_real(json_object_get(task, "metrics"), "sleep_pct") > 0);
	assert_true(results_number("cost_alone") > 0);
	print_message("%.0f instructions per switch, %.0f with states\n", without, with);
	assert_true(with < most * without);
}

/* In all: with fewer counters, a switch costs less. */
UNIT_TEST(cost_of_a_light_switch_is_less)
{
	static const double most = 3350;
	const json_t *interval = json_array_get(results_intervals("cost_light.out"), 0);
	const char *counts =
		json_string_value(json_object_get(results_event(interval, "cycles"), "state"));

	if (strcmp(counts, "counting") == 0)
		assert_true((double)(results_number("cost_light.kernel") +
				     results_number("cost_light.own")) < most);
}

/* Of a cgroup in which nothing runs: a switch outside of it is not read. */
UNIT_TEST(cost_of_a_switch_outside_is_nothing)
{
	static const double most = 150; /* the kernel's look at the cgroup */

	assert_int_equal(results_number("cost_outside.status"), 0);
	assert_true((double)results_number("cost_outside.kernel") < most);
	assert_true((double)results_number("cost_outside.own") < most);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
