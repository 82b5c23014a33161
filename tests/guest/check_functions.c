/*
 * What scenarios/functions.sh must have brought home: of two functions in which a program is in
 * turn, 100 ms and 50 ms, the shares, and what was counted in each by the law of the unit.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

/* The share of the one is twice that of the other; the last turn is not whole. */
static void expect_shares(const char *file)
{
	const double quick = results_real(results_function(file, "quick"), "total_pct");
	const double slow = results_real(results_function(file, "slow"), "total_pct");

	assert_true(results_near(file, 100 * quick / (quick + slow), 100 * 2.0 / 3, 3));
}

/* One sample of each turn follows what was counted in the other function. */
static void expect_metrics(const char *file)
{
	const json_t *quick = json_object_get(results_function(file, "quick"), "metrics");
	const json_t *slow = json_object_get(results_function(file, "slow"), "metrics");

	assert_true(results_near("IPC of quick()", results_real(quick, "ipc"), 2.5, 2));
	assert_true(results_near("IPC of slow()", results_real(slow, "ipc"), 0.5, 12));
	assert_true(results_near("MPKI of quick()", results_real(quick, "mpki"), 40, 2));
	assert_true(results_near("MPKI of slow()", results_real(slow, "mpki"), 120, 10));
	assert_true(results_near("MISS % of slow()", results_real(slow, "miss_pct"), 20, 1));
	assert_true(results_near("branch misses", results_real(slow, "branch_mpki"), 4, 1));
}

UNIT_TEST(functions_of_all_have_what_the_law_says)
{
	expect_shares("live.out");
	expect_metrics("live.out");
}

UNIT_TEST(functions_of_one_process_have_what_the_law_says)
{
	expect_shares("pid.out");
	expect_metrics("pid.out");
}

UNIT_TEST(functions_of_a_recording_are_those_that_were_seen)
{
	static const char *const names[] = {"quick", "slow"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_true(json_equal(results_function("live.out", names[i]),
				       results_function("replay.out", names[i])));
}

UNIT_TEST(functions_without_counters_of_their_own_have_shares)
{
	expect_shares("turns.out");
	assert_int_equal(json_object_size(json_object_get(results_function("turns.out", "quick"),
							  "metrics")),
			 0);
}

UNIT_MAIN(NULL, NULL)
