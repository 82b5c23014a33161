#include <math.h>

#include "model/timing.h"

#include "unit.h"

/*
 * 20 short slices of 50 us at 3 cycles a ns and IPC 0.5, and 20 of 1 ms: 100 us like the short
 * ones, then 900 us with IPC 2.
 */
static struct timing typical(void)
{
	return (struct timing){
		.cold = {.slices = 20, .ns = 1000000, .instructions = 1500000, .cycles = 3000000},
		.late = {.slices = 20,
			 .ns = 20000000,
			 .instructions = 20 * (150000 + 5400000),
			 .cycles = 20 * (300000 + 2700000)},
	};
}

static void assert_near(double value, double expected)
{
	assert_true(fabs(value - expected) < 1e-9);
}

static void assert_nothing_told(const struct timing *timing)
{
	assert_true(isnan(timing_cold_ipc(timing)));
	assert_true(isnan(timing_warm_ipc(timing)));
	assert_true(isnan(timing_cold_cost_pct(timing)));
}

UNIT_TEST(timing_of_cold_and_warm_parts_tells_them_apart)
{
	const struct timing timing = typical();

	assert_near(timing_cold_ipc(&timing), 0.5);
	assert_near(timing_warm_ipc(&timing), 2);
	assert_near(timing_cold_cost_pct(&timing), 75);
}

UNIT_TEST(timing_of_none_tells_nothing)
{
	const struct timing timing = {0};

	assert_nothing_told(&timing);
}

UNIT_TEST(timing_of_too_few_slices_tells_nothing)
{
	struct timing few_cold = typical(), few_late = typical(), enough = typical();

	few_cold.cold.slices = 15;
	few_late.late.slices = 15;
	enough.cold.slices = 16;

	assert_nothing_told(&few_cold);
	assert_nothing_told(&few_late);
	assert_near(timing_cold_ipc(&enough), 0.5);
}

UNIT_TEST(timing_of_slices_that_are_too_short_tells_nothing)
{
	struct timing timing = typical();

	/* A hundredth of 20 x 100 us is 20 us. */
	timing.cold = (struct timing_part){20, 20000, 30000, 60000};
	assert_near(timing_cold_ipc(&timing), 0.5);
	timing.cold.ns = 19999;

	assert_nothing_told(&timing);
}

UNIT_TEST(timing_of_no_cycles_tells_nothing)
{
	struct timing timing = typical();

	timing.cold.cycles = 0;

	assert_nothing_told(&timing);
}

UNIT_TEST(timing_warm_ipc_of_beginnings_only_is_unknown)
{
	struct timing timing = typical();

	timing.late.cycles = 20 * (300000 + 30000); /* 9 % */
	assert_true(isnan(timing_warm_ipc(&timing)));
	assert_true(isnan(timing_cold_cost_pct(&timing)));
	assert_near(timing_cold_ipc(&timing), 0.5);
	timing.late.cycles = 20 * (300000 + 34000);
	assert_near(timing_warm_ipc(&timing), 5400000.0 / 34000);

	timing.late.cycles = 20 * 200000;
	assert_true(isnan(timing_warm_ipc(&timing)));
}

UNIT_TEST(timing_warm_ipc_of_less_than_no_instructions_is_unknown)
{
	struct timing timing = typical();

	timing.late.instructions = 20 * 149999;

	assert_true(isnan(timing_warm_ipc(&timing)));
	assert_true(isnan(timing_cold_cost_pct(&timing)));
}

UNIT_TEST(timing_cold_cost_of_a_beginning_that_is_not_slower_is_none)
{
	struct timing timing = typical();

	timing.late.instructions = 20 * (150000 + 1000000);

	assert_true(timing_warm_ipc(&timing) < 0.5);
	assert_near(timing_cold_cost_pct(&timing), 0);
}

UNIT_TEST(timing_merge_adds_every_part)
{
	struct timing into = typical(), from = typical();

	for (int i = 0; i < TIMING_KINDS; i++) {
		distribution_add(&into.of[i], 10);
		distribution_add(&from.of[i], (uint64_t)i);
	}
	timing_merge(&into, &from);

	assert_int_equal(into.cold.slices, 40);
	assert_int_equal(into.cold.ns, 2000000);
	assert_int_equal(into.late.instructions, 2 * from.late.instructions);
	assert_int_equal(into.late.cycles, 2 * from.late.cycles);
	for (int i = 0; i < TIMING_KINDS; i++) {
		assert_int_equal(into.of[i].count, 2);
		assert_int_equal(into.of[i].sum, 10 + i);
	}
}

UNIT_TEST(timing_copy_and_clear_leave_the_copy)
{
	struct timing timing = typical(), copy;

	for (int k = 0; k < 20; k++)
		for (int i = 0; i < TIMING_KINDS; i++)
			distribution_add(&timing.of[i], (uint64_t)i);
	timing_copy(&copy, &timing);
	timing_clear(&timing);

	assert_near(timing_warm_ipc(&copy), 2);
	assert_nothing_told(&timing);
	for (int i = 0; i < TIMING_KINDS; i++) {
		assert_int_equal(timing.of[i].count, 0);
		assert_int_equal(copy.of[i].sum, 20 * i);
		assert_int_equal(distribution_octave(&copy.of[i], 0), 20);
	}
	timing_fini(&timing);
	timing_fini(&copy);
	assert_null(copy.of[0].steps);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
