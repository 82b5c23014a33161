/*
 * What scenarios/fair.sh must have brought home: beside tasks that share the CPUs in fairness, and
 * beside a job that compiles, perftop says for a minute each that nothing is wrong.
 */
#include "../unit/unit.h"
#include "results.h"

static void check_silent(const char *file)
{
	json_t *intervals = results_intervals(file);
	double seconds = 0;

	for (size_t i = 0; i < json_array_size(intervals); i++) {
		const json_t *interval = json_array_get(intervals, i);
		const json_t *verdict = json_object_get(interval, "verdict");

		if (!json_is_null(verdict))
			fail_msg("interval %zu: %s", i, json_string_value(verdict));
		seconds += results_real(interval, "interval_s");
	}
	assert_true(seconds >= 58);
}

UNIT_TEST(fair_shares_are_no_fault)
{
	check_silent("fair.out");
}

UNIT_TEST(fair_compilation_is_no_fault)
{
	check_silent("build.out");
}

int main(void)
{
	return unit_run(NULL, NULL);
}
