/*
 * What scenarios/misses.sh must have brought home: of two functions, one after the other, as many
 * samples as there are whole periods in what the program itself has counted in them.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	PERIOD = 1000000 /* 10 ms of the one: a tick is shorter, by which a sample may be late */
};

/* What the program says of it. */
static double counted_in(const char *name)
{
	const char *line = strstr(results_text("counted.out"), name);

	if (!line)
		fail_msg("nothing was counted in %s", name);
	return strtod(line + strlen(name), NULL);
}

/* The first may be of what is left of the function before. */
static void expect_samples(const char *name, double expected)
{
	const json_t *function = results_function("misses.out", name);
	const double samples = results_real(function, "total_samples");
	const double counted = counted_in(name);

	print_message("%s: %.0f counted, %.0f samples\n", name, counted, samples);
	assert_true(results_near(name, counted, expected, 8));
	assert_true(fabs(samples * PERIOD - counted) <= PERIOD);
	assert_true(results_real(function, "total_weight") == samples * PERIOD);
}

/* 100000 and 60000 a millisecond; what samples take is not counted. */
UNIT_TEST(samples_of_cache_misses_are_one_of_so_many)
{
	expect_samples("quick", 405 * 100000);
	expect_samples("slow", 405 * 60000);
}

UNIT_MAIN(NULL, NULL)
