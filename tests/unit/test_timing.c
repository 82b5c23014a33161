#include <math.h>

#include "model/timing.h"

#include "unit.h"

/* How many fall into an octave. */
static uint64_t octave_count(const struct distribution *distribution, size_t octave)
{
	uint64_t count = 0;

	for (size_t i = 0; i < distribution->count && distribution->count <= DISTRIBUTION_FEW; i++)
		count += distribution_octave_of(distribution->few[i]) == octave;
	if (distribution->count > DISTRIBUTION_FEW)
		for (size_t i = 0; i < DISTRIBUTION_STEPS; i++)
			count += distribution->steps[octave * DISTRIBUTION_STEPS + i];
	return count;
}

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

static void assert_nothing_told(const struct timing *timing)
{
	assert_true(isnan(timing_cold_ipc(timing)));
	assert_true(isnan(timing_warm_ipc(timing)));
	assert_true(isnan(timing_cold_cost_pct(timing)));
}

static bool is_same(double value, double expected)
{
	return isnan(expected) ? isnan(value) : fabs(value - expected) < 1e-9;
}

UNIT_TEST(timing_tells_cold_and_warm_parts_apart_where_they_are_known)
{
	static const struct timing_part shortest = {20, 20000, 30000, 60000};
	const struct {
		const char *name;
		uint64_t cold_slices, late_slices, late_cycles, late_instructions; /* 0: typical */
		struct timing_part cold;
		uint64_t shorter_ns; /* than that */
		double cold_ipc, warm_ipc, cold_cost_pct;
	} cases[] = {
		{"typical", .cold_ipc = 0.5, .warm_ipc = 2, .cold_cost_pct = 75},
		{"too few cold slices", 15, .cold_ipc = NAN, .warm_ipc = NAN, .cold_cost_pct = NAN},
		{"too few late slices", .late_slices = 15, .cold_ipc = NAN, .warm_ipc = NAN,
		 .cold_cost_pct = NAN},
		{"enough slices", 16, .cold_ipc = 0.5, .warm_ipc = -1},
		{"a hundredth of 20 x 100 us", .cold = shortest, .cold_ipc = 0.5, .warm_ipc = -1},
		{"slices that are too short", .cold = shortest, .shorter_ns = 1, .cold_ipc = NAN,
		 .warm_ipc = NAN, .cold_cost_pct = NAN},
		{"no cycles", .cold = {20, 1000000, 1500000, 0}, .cold_ipc = NAN, .warm_ipc = NAN,
		 .cold_cost_pct = NAN},
		{"beginnings only: 9 %", .late_cycles = 20 * (300000 + 30000), .cold_ipc = 0.5,
		 .warm_ipc = NAN, .cold_cost_pct = NAN},
		{"a little more", .late_cycles = 20 * (300000 + 34000), .cold_ipc = 0.5,
		 .warm_ipc = 5400000.0 / 34000, .cold_cost_pct = -1},
		{"less than the beginnings", .late_cycles = 20 * 200000, .cold_ipc = 0.5,
		 .warm_ipc = NAN, .cold_cost_pct = NAN},
		{"less than no instructions", .late_instructions = 20 * 149999, .cold_ipc = 0.5,
		 .warm_ipc = NAN, .cold_cost_pct = NAN},
		{"a beginning that is not slower", .late_instructions = 20 * (150000 + 1000000),
		 .cold_ipc = 0.5, .warm_ipc = 1000000 / 2700000.0, .cold_cost_pct = 0},
	};
	const struct timing none = {0};

	assert_nothing_told(&none);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct timing timing = typical();

		begin_case(cases[i].name);
		if (cases[i].cold.slices > 0)
			timing.cold = cases[i].cold;
		timing.cold.ns -= cases[i].shorter_ns;
		if (cases[i].cold_slices > 0)
			timing.cold.slices = cases[i].cold_slices;
		if (cases[i].late_slices > 0)
			timing.late.slices = cases[i].late_slices;
		if (cases[i].late_cycles > 0)
			timing.late.cycles = cases[i].late_cycles;
		if (cases[i].late_instructions > 0)
			timing.late.instructions = cases[i].late_instructions;
		assert_true(is_same(timing_cold_ipc(&timing), cases[i].cold_ipc));
		if (!(cases[i].warm_ipc < 0)) /* not asked for */
			assert_true(is_same(timing_warm_ipc(&timing), cases[i].warm_ipc));
		if (!(cases[i].warm_ipc < 0 || cases[i].cold_cost_pct < 0))
			assert_true(is_same(timing_cold_cost_pct(&timing), cases[i].cold_cost_pct));
	}
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
	uint32_t steps[TIMING_KINDS * DISTRIBUTION_OCTAVES * DISTRIBUTION_STEPS];

	for (int k = 0; k < 20; k++)
		for (int i = 0; i < TIMING_KINDS; i++)
			distribution_add(&timing.of[i], (uint64_t)i);
	assert_int_equal(timing_steps(&timing), sizeof(steps) / sizeof(*steps));
	assert_ptr_equal(timing_copy(&copy, &timing, steps),
			 steps + sizeof(steps) / sizeof(*steps));
	timing_clear(&timing);

	assert_true(is_same(timing_warm_ipc(&copy), 2));
	assert_nothing_told(&timing);
	for (int i = 0; i < TIMING_KINDS; i++) {
		assert_int_equal(timing.of[i].count, 0);
		assert_int_equal(copy.of[i].sum, 20 * i);
		assert_int_equal(octave_count(&copy.of[i], 0), 20);
	}
	timing_fini(&timing);
	assert_null(timing.of[0].steps);
}

enum {
	MANY = 1000
};

static void add_all(struct distribution *distribution, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		distribution_add(distribution, values[i]);
}

/* Of all magnitudes, from 128 ns to some minutes. */
static uint64_t some_ns(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return 128 + (*random >> 27 >> (*random >> 33) % 30);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void assert_same(const struct distribution *a, const struct distribution *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->sum, b->sum);
	assert_int_equal(a->max, b->max);
	for (size_t i = 0; i < DISTRIBUTION_OCTAVES; i++)
		assert_int_equal(octave_count(a, i), octave_count(b, i));
	for (double q = 0; q <= 1; q += 1.0 / 64)
		assert_int_equal(distribution_quantile(a, q), distribution_quantile(b, q));
}

UNIT_TEST(distribution_quantile_of_few_is_exact)
{
	static const struct {
		double quantile;
		uint64_t value;
	} cases[] = {{0, 10},    {0.125, 10}, {0.126, 20}, {0.5, 40},
		     {0.99, 80}, {1, 80},     {-1, 10},    {7, 80}};
	struct distribution few = {0};

	assert_int_equal(distribution_quantile(&few, 0.5), 0);
	add_all(&few, (const uint64_t[]){70, 10, 60, 20, 50, 30, 40, 80}, 8);
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(distribution_quantile(&few, cases[i].quantile), cases[i].value);
	assert_null(few.steps);
}

UNIT_TEST(distribution_quantile_is_never_above_the_greatest_nor_one_too_far)
{
	struct distribution same = {0}, longest = {0}, shares = {0};

	for (uint64_t i = 0; i < MANY; i++) {
		distribution_add(&same, 1024);
		distribution_add(&longest, (UINT64_C(1) << 50) + i); /* beyond all steps */
	}
	/* 0.07 x 100 is a little more than 7 */
	for (size_t i = 0; i < 100; i++)
		distribution_add(&shares, i < 7 ? 1000 : 1000000);

	assert_int_equal(distribution_quantile(&same, 0.5), 1024);
	assert_int_equal(distribution_quantile(&longest, 0.5), (UINT64_C(1) << 50) + MANY - 1);
	assert_in_range(distribution_quantile(&shares, 0.07), 900, 1100);
	assert_in_range(distribution_quantile(&shares, 0.08), 900000, 1000000);
	distribution_fini(&same);
	distribution_fini(&longest);
	distribution_fini(&shares);
}

UNIT_TEST(distribution_quantile_of_many_is_exact_to_a_tenth)
{
	struct distribution many = {0};
	uint64_t values[MANY], random = 5, sum = 0;

	for (size_t i = 0; i < MANY; i++) {
		values[i] = some_ns(&random);
		sum += values[i];
	}
	add_all(&many, values, MANY);
	qsort(values, MANY, sizeof(*values), by_value);

	for (size_t rank = 1; rank <= MANY; rank++) {
		const double exact = (double)values[rank - 1];
		const double got =
			(double)distribution_quantile(&many, (double)rank / (double)MANY);

		assert_true(got >= exact * 0.9 && got <= exact * 1.1);
	}
	assert_int_equal(distribution_quantile(&many, 1), values[MANY - 1]);
	assert_int_equal(many.count, MANY);
	assert_int_equal(many.sum, sum);
	assert_int_equal(many.max, values[MANY - 1]);
	distribution_fini(&many);
}

UNIT_TEST(distribution_octave_of_bounds_are_powers_of_two)
{
	assert_int_equal(distribution_octave_of(0), 0);
	assert_int_equal(distribution_octave_of(127), 0);
	assert_int_equal(distribution_octave_of(UINT64_MAX), DISTRIBUTION_OCTAVES - 1);
	assert_int_equal(distribution_octave_begin(0), 0);
	for (size_t i = 1; i < DISTRIBUTION_OCTAVES; i++) {
		assert_int_equal(distribution_octave_begin(i), UINT64_C(1) << (6 + i));
		assert_int_equal(distribution_octave_of(UINT64_C(1) << (6 + i)), i);
		assert_int_equal(distribution_octave_of((UINT64_C(1) << (6 + i)) - 1), i - 1);
	}
}

UNIT_TEST(distribution_octave_counts_few_and_many_alike)
{
	struct distribution distribution = {0};

	for (size_t times = 1; times <= 20; times++) {
		distribution_add(&distribution, 127);
		distribution_add(&distribution, 128);
		distribution_add(&distribution, 255);
		distribution_add(&distribution, UINT64_C(1) << 50);

		assert_int_equal(octave_count(&distribution, 0), times);
		assert_int_equal(octave_count(&distribution, 1), 2 * times);
		assert_int_equal(octave_count(&distribution, 2), 0);
		assert_int_equal(octave_count(&distribution, DISTRIBUTION_OCTAVES - 1), times);
	}
	distribution_fini(&distribution);
}

UNIT_TEST(distribution_merge_is_like_adding_all)
{
	static const size_t counts[] = {0, 1, 4, 8, 9, 200};
	const size_t sorts = COUNT_OF(counts);

	for (size_t i = 0; i < sorts * sorts; i++) {
		struct distribution all = {0}, into = {0}, from = {0};
		uint64_t random = i;

		for (size_t k = 0; k < counts[i / sorts] + counts[i % sorts]; k++) {
			const uint64_t ns = some_ns(&random);

			distribution_add(&all, ns);
			distribution_add(k < counts[i / sorts] ? &into : &from, ns);
		}
		distribution_merge(&into, &from);

		assert_same(&into, &all);
		assert_int_equal(from.count, counts[i % sorts]);
		distribution_fini(&all);
		distribution_fini(&into);
		distribution_fini(&from);
	}
}

UNIT_TEST(distribution_merge_of_more_than_a_step_holds_stays_at_its_end)
{
	struct distribution sum = {0}, part = {0};

	for (size_t i = 0; i < 16; i++)
		distribution_add(&sum, 5000);
	for (size_t i = 0; i < 40; i++) {
		distribution_merge(&part, &sum);
		distribution_merge(&sum, &part);
		distribution_fini(&part);
	}

	assert_int_equal(sum.count, UINT64_C(16) << 40);
	assert_int_equal(octave_count(&sum, distribution_octave_of(5000)), UINT32_MAX);
	assert_int_equal(distribution_quantile(&sum, 0.5), 5000);
	distribution_fini(&sum);
}

UNIT_TEST(distribution_merge_into_a_cleared_one_keeps_its_few)
{
	struct distribution into = {0}, from = {0};

	for (size_t i = 0; i < MANY; i++) {
		distribution_add(&into, 1 << 20);
		distribution_add(&from, 1 << 20);
	}
	distribution_clear(&into);
	distribution_add(&into, 200);
	distribution_merge(&into, &from);

	assert_int_equal(into.count, MANY + 1);
	assert_int_equal(octave_count(&into, 1), 1);
	assert_int_equal(octave_count(&into, distribution_octave_of(1 << 20)), MANY);
	distribution_fini(&into);
	distribution_fini(&from);
}

UNIT_TEST(distribution_clear_leaves_an_empty_one)
{
	struct distribution used = {0}, fresh = {0};
	uint64_t random = 3;

	for (size_t i = 0; i < MANY; i++)
		distribution_add(&used, some_ns(&random));
	distribution_clear(&used);
	assert_same(&used, &fresh);
	for (size_t i = 0; i < MANY; i++) {
		const uint64_t ns = some_ns(&random);

		distribution_add(&used, ns);
		distribution_add(&fresh, ns);
	}

	assert_same(&used, &fresh);
	distribution_clear(&used);
	distribution_clear(&used);
	assert_int_equal(used.count, 0);
	distribution_fini(&used);
	distribution_fini(&fresh);
}

UNIT_TEST(timing_copy_is_on_its_own)
{
	struct distribution same = {0};
	struct timing one = {0}, copy;
	uint32_t steps[DISTRIBUTION_OCTAVES * DISTRIBUTION_STEPS];

	for (size_t i = 0; i < MANY; i++) {
		distribution_add(&one.of[0], i * i);
		distribution_add(&same, i * i);
		if (i != 3 && i != MANY - 1)
			continue;
		memset(&copy, 0xff, sizeof(copy));
		timing_copy(&copy, &one, steps);
		timing_clear(&one);
		assert_same(&copy.of[0], &same);
		assert_int_equal(copy.of[1].count, 0);
		distribution_merge(&one.of[0], &copy.of[0]);
	}
	timing_fini(&one);
	distribution_fini(&same);
}

UNIT_MAIN(NULL, NULL)
