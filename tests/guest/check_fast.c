/*
 * What scenarios/fast.sh must have brought home: at half a million switches a second no record was
 * lost and nothing was left out, whichever view was open.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "results.h"

static const long LEAST_PER_S = 500000;

/* The number behind "NAME=" of what yields has printed. */
static long yields_number(const char *name)
{
	char *text = results_text("fast.yields");
	const char *found = text ? strstr(text, name) : NULL;
	const long number = found ? atol(found + strlen(name)) : -1;

	free(text);
	return number;
}

UNIT_TEST(fast_machine_switches_half_a_million_times_a_second)
{
	assert_true(yields_number("rate=") >= LEAST_PER_S);
}

UNIT_TEST(fast_switches_are_not_lost_in_any_view)
{
	static const struct {
		const char *file, *view;
	} cases[] = {{"fast-1.txt", "[1 tasks]"},
		     {"fast-3.txt", "[3 switches]"},
		     {"fast-7.txt", "[7 timeline]"},
		     {"fast-8.txt", "[8 functions]"},
		     {"fast-lengths.txt", "[6 histogram]"}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char *screen = results_text(cases[i].file);

		begin_case(cases[i].view);
		assert_non_null(screen);
		assert_non_null(strstr(screen, cases[i].view));
		assert_null(strstr(screen, "since start")); /* records that were lost */
		free(screen);
	}
}

/* What the third column of the histogram adds up to. */
static long sum_of_slices(const char *screen)
{
	const char *line = strstr(screen, "BELOW");
	long sum = 0, slices;

	while (line && (line = strchr(line, '\n')))
		if (sscanf(++line, "%*s %*s %ld", &slices) == 1)
			sum += slices;
	return sum;
}

/* The kernel counts a few more until yields has ended. */
UNIT_TEST(fast_switches_are_all_in_the_history)
{
	char *screen = results_text("fast-lengths.txt");
	const long switches = yields_number("switches=");

	assert_non_null(screen);
	assert_in_range(sum_of_slices(screen), switches, switches + 20);
	free(screen);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
