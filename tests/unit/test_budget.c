/* What a budget is, and how much of the time is left for hardware events. */
#include <math.h>

#include "base/error.h"
#include "model/snapshot.h"

#include "session/budget.h"
#include "unit.h"

UNIT_TEST(budget_parse_takes_a_percentage_or_none)
{
	static const struct {
		const char *text;
		double pct; /* NaN: refused */
	} cases[] = {
		{"1%", 1},
		{"1", 1},
		{"0.5%", 0.5},
		{"0.01", 0.01},
		{"100%", 100},
		{"none", 0},
		{"None", 0},
		{"0", NAN},
		{"0%", NAN},
		{"-1", NAN},
		{"100.1", NAN},
		{"1%%", NAN},
		{"%", NAN},
		{"", NAN},
		{"1 %", NAN},
		{"much", NAN},
		{"nan%", NAN},
		{"0.009", NAN},
		{"0.00000000000000000000000000000001%", NAN},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};
		double pct = -1;

		begin_case(cases[i].text);
		if (isnan(cases[i].pct)) {
			assert_false(budget_parse(cases[i].text, &pct, &error));
			assert_int_equal(error.code, ERROR_NUMBER_BAD);
		} else {
			assert_true(budget_parse(cases[i].text, &pct, &error));
			assert_true(pct == cases[i].pct);
		}
	}
}

/*
 * A machine of 1000 ms in which there were 100 000 switches: each 1000 ns are 10 %. 20 ms of our
 * own are 2 %.
 */
UNIT_TEST(budget_share_is_what_there_is_room_for)
{
	static const struct {
		const char *name;
		double budget_pct;
		uint64_t always_ns, turn_ns; /* of a switch */
		double before, after;
		uint64_t samples_ns;
	} cases[] = {
		{"all fits", 12, 500, 400, 1, 1, 0},
		{"a half of it does", 9, 500, 400, 1, 0.5, 0},
		{"with samples less of it does", 9, 500, 400, 1, 0.25, 10000000},
		{"less than before, at once", 8, 500, 400, 0.9, 0.25, 0},
		{"as much as before", 9, 500, 400, 0.5, 0.5, 0},
		{"more than before, by and by", 9, 500, 400, 0.1, 0.3, 0},
		{"and all in the end", 12, 500, 400, 0.985, 1, 0},
		{"none of it does", 7, 500, 400, 1, 0, 0},
		{"not even the rest does", 3, 500, 400, 0.5, 0, 0},
		{"too much, and not known why", 6, 500, 0, 1, 0.5, 0},
		{"and still too much", 6, 500, 0, 0.5, 0.25, 0},
		{"and in the end nothing is left to leave out", 6, 500, 0, 0.08, 0, 0},
		{"not too much", 8, 500, 0, 1, 1, 0},
		{"not known at all", 0.1, 0, 0, 1, 1, 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const double switch_ns =
			(double)cases[i].always_ns + (double)cases[i].turn_ns * cases[i].before;
		const struct own_usage own = {
			.cpu_ns = 20000000,
			.switch_ns = (uint64_t)switch_ns,
			.readings_ns = (uint64_t)switch_ns * 100000 + cases[i].samples_ns,
			.samples_ns = cases[i].samples_ns,
		};
		const struct budget_interval interval = {
			.own = &own,
			.machine_ns = 1000000000,
			.turn_ns = cases[i].turn_ns,
			.share = cases[i].before,
		};

		begin_case(cases[i].name);
		assert_true(fabs(budget_share(cases[i].budget_pct, &interval) - cases[i].after) <
			    0.001);
	}
}

/* Interval after interval at the same load it comes to rest, and the budget is kept there. */
UNIT_TEST(budget_share_comes_to_rest_at_the_budget)
{
	double share = 1;

	for (int i = 0; i < 20; i++) {
		const uint64_t switch_ns = (uint64_t)(500 + 400 * share);
		const struct own_usage own = {
			.cpu_ns = (uint64_t)(1e7 + 1e7 * share), /* we have less to do, too */
			.switch_ns = switch_ns,
			.readings_ns = switch_ns * 100000,
		};

		share = budget_share(8, &(const struct budget_interval){
						.own = &own,
						.machine_ns = 1000000000,
						.turn_ns = 400,
						.share = share,
					});
	}
	assert_true(fabs(1 + 1 * share + 5 + 4 * share - 8) < 0.1);
}

UNIT_MAIN(NULL, NULL)
