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

/* Of so many there are as many as whole periods; the first may be of what is left of before. */
static void expect_samples(const char *name, double counted, int elsewhere)
{
	const json_t *function = results_function("misses.out", name);
	const double samples = results_real(function, "total_samples");

	print_message("%s: %.0f counted, %.0f samples\n", name, counted, samples);
	assert_true(samples * PERIOD <= counted + PERIOD);
	assert_true((samples + elsewhere) * PERIOD >= counted - PERIOD);
	assert_true(results_real(function, "total_weight") == samples * PERIOD);
}

/*
 * 100000 and 60000 a millisecond; what samples take is not counted. A function's caller reads the
 * clock between its turns, a hundredth of the time, and may get a sample of it.
 */
UNIT_TEST(samples_of_cache_misses_are_one_of_so_many)
{
	const double quick = counted_in("quick"), slow = counted_in("slow");

	assert_true(results_near("quick", quick, 405 * 100000, 8));
	assert_true(results_near("slow", slow, 405 * 60000, 8));
	expect_samples("work", quick + slow, 0);
	expect_samples("quick", quick, 1);
	expect_samples("slow", slow, 1);
}

UNIT_MAIN(NULL, NULL)
