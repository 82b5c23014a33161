/*
 * Lengths of time in nanoseconds: the values themselves while they are few, then how many fall
 * into each step. A step is a quarter of an octave on the logarithmic scale; below 128 ns, where
 * no one looks, a quarter of 128 ns.
 *
 * Invariant: while count <= DISTRIBUTION_FEW the first `count` of few[] are all there is, and
 * steps, where they have been allocated before, are zeros; above, few[] means nothing.
 *
 * The cost of a cold cache: short slices (up to TIMING_SHORT_NS) did so many instructions and
 * cycles a nanosecond. The first TIMING_SHORT_NS of every longer slice is assumed to be like that.
 * What is left of the longer slices when this is taken off is their warm part.
 */
#include "model/timing.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/seldom.h"

enum {
	SLICES_MIN = 16, /* of each sort */
	COLD_PART = 100, /* short slices must have run for this part of the beginnings */
	WARM_PART = 10,  /* and this part of the long ones' cycles must be left as warm */
	STEPS = DISTRIBUTION_OCTAVES * DISTRIBUTION_STEPS,
	FIRST_NS = 1 << DISTRIBUTION_FIRST_SHIFT /* where octave 1 begins */
};

static bool is_few(const struct distribution *distribution)
{
	return distribution->count <= DISTRIBUTION_FEW;
}

void distribution_fini(struct distribution *distribution)
{
	free(distribution->steps);
	*distribution = (struct distribution){0};
}

void distribution_clear(struct distribution *distribution)
{
	uint32_t *steps = distribution->steps;

	if (!is_few(distribution))
		memset(steps, 0, STEPS * sizeof(*steps));
	*distribution = (struct distribution){.steps = steps};
}

size_t distribution_octave_of(uint64_t ns)
{
	if (ns < FIRST_NS)
		return 0;

	size_t octave = 64 - (size_t)__builtin_clzll(ns) - DISTRIBUTION_FIRST_SHIFT;
	return octave < DISTRIBUTION_OCTAVES ? octave : DISTRIBUTION_OCTAVES - 1;
}

uint64_t distribution_octave_begin(size_t octave)
{
	assert(octave < DISTRIBUTION_OCTAVES);
	return octave ? (uint64_t)FIRST_NS << (octave - 1) : 0;
}

static size_t step_of(uint64_t ns)
{
	/* 2^(1/4), 2^(1/2) and 2^(3/4), with 31 bits behind the point */
	static const uint64_t bounds[DISTRIBUTION_STEPS - 1] = {2553802834, 3037000500, 3611622603};
	size_t step;

	if (ns < FIRST_NS)
		return (size_t)ns / (FIRST_NS / DISTRIBUTION_STEPS);
	if (ns >= (uint64_t)FIRST_NS << (DISTRIBUTION_OCTAVES - 1))
		return STEPS - 1;

	const unsigned int zeros = (unsigned int)__builtin_clzll(ns);
	const uint64_t mantissa = ns << zeros >> 32;

	step = (64 - zeros - DISTRIBUTION_FIRST_SHIFT) * DISTRIBUTION_STEPS;
	for (size_t i = 0; i < DISTRIBUTION_STEPS - 1; i++)
		step += mantissa >= bounds[i];
	return step;
}

static uint64_t middle_of(size_t step)
{
	/* 2^(1/8), 2^(3/8), 2^(5/8), 2^(7/8) */
	static const double middles[DISTRIBUTION_STEPS] = {1.0905077326652577, 1.2968395546510096,
							   1.5422108254079407, 1.8340080864093424};
	const size_t octave = step / DISTRIBUTION_STEPS;
	const size_t linear = FIRST_NS / DISTRIBUTION_STEPS;

	if (octave == 0)
		return step * linear + linear / 2;
	return (uint64_t)((double)distribution_octave_begin(octave) *
			  middles[step % DISTRIBUTION_STEPS]);
}

static void add_to_step(struct distribution *distribution, size_t step, uint32_t addend)
{
	uint32_t *count = &distribution->steps[step];

	if (__builtin_add_overflow(*count, addend, count))
		*count = UINT32_MAX;
}

/* From values to steps. */
static void spill(struct distribution *distribution)
{
	if (!distribution->steps)
		distribution->steps = xcalloc(STEPS, sizeof(*distribution->steps));
	for (size_t i = 0; i < distribution->count; i++)
		add_to_step(distribution, step_of(distribution->few[i]), 1);
}

static void note_sums(struct distribution *distribution, uint64_t count, uint64_t sum, uint64_t max)
{
	distribution->count += count;
	distribution->sum += sum;
	if (max > distribution->max)
		distribution->max = max;
}

static void add_to_many(struct distribution *distribution, uint64_t ns)
{
	add_to_step(distribution, step_of(ns), 1);
	note_sums(distribution, 1, ns, ns);
}

/* The first values, and the one that is too many. */
static SELDOM void add_to_few(struct distribution *distribution, uint64_t ns)
{
	if (distribution->count == DISTRIBUTION_FEW) {
		spill(distribution);
		add_to_many(distribution, ns);
		return;
	}
	distribution->few[distribution->count] = ns;
	note_sums(distribution, 1, ns, ns);
}

void distribution_add(struct distribution *distribution, uint64_t ns)
{
	if (is_few(distribution))
		add_to_few(distribution, ns);
	else
		add_to_many(distribution, ns);
}

void distribution_merge(struct distribution *into, const struct distribution *from)
{
	assert(into != from);
	if (is_few(from)) {
		for (size_t i = 0; i < from->count; i++)
			distribution_add(into, from->few[i]);
		return;
	}
	if (is_few(into))
		spill(into);
	for (size_t i = 0; i < STEPS; i++)
		add_to_step(into, i, from->steps[i]);
	note_sums(into, from->count, from->sum, from->max);
}

static uint64_t quantile_of_few(const struct distribution *distribution, uint64_t rank)
{
	uint64_t sorted[DISTRIBUTION_FEW];

	for (size_t i = 0; i < distribution->count; i++) {
		size_t at = i;

		for (; at > 0 && sorted[at - 1] > distribution->few[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = distribution->few[i];
	}
	return sorted[rank - 1];
}

static uint64_t quantile_of_many(const struct distribution *distribution, uint64_t rank)
{
	uint64_t below = 0;

	/* The greatest is known exactly; the last step has no end that could give it a middle. */
	for (size_t i = 0; i + 1 < STEPS && rank < distribution->count; i++) {
		below += distribution->steps[i];
		if (below < rank)
			continue;
		uint64_t middle = middle_of(i);
		return middle < distribution->max ? middle : distribution->max;
	}
	return distribution->max;
}

uint64_t distribution_quantile(const struct distribution *distribution, double q)
{
	const uint64_t count = distribution->count;

	if (count == 0)
		return 0;

	/* A hair less, lest 0.07 x 100 be more than 7. */
	double share = ceil(q * (double)count * (1 - 1e-12));
	uint64_t rank = share >= 1 ? share < (double)count ? (uint64_t)share : count : 1;
	if (is_few(distribution))
		return quantile_of_few(distribution, rank);
	return quantile_of_many(distribution, rank);
}

void timing_fini(struct timing *timing)
{
	for (int i = 0; i < TIMING_KINDS; i++)
		distribution_fini(&timing->of[i]);
	*timing = (struct timing){0};
}

void timing_clear(struct timing *timing)
{
	for (int i = 0; i < TIMING_KINDS; i++)
		distribution_clear(&timing->of[i]);
	timing->cold = timing->late = (struct timing_part){0};
}

static void add_timing_part(struct timing_part *sum, const struct timing_part *part)
{
	sum->slices += part->slices;
	sum->ns += part->ns;
	sum->instructions += part->instructions;
	sum->cycles += part->cycles;
}

void timing_merge(struct timing *into, const struct timing *from)
{
	for (int i = 0; i < TIMING_KINDS; i++)
		distribution_merge(&into->of[i], &from->of[i]);
	add_timing_part(&into->cold, &from->cold);
	add_timing_part(&into->late, &from->late);
}

size_t timing_steps(const struct timing *timing)
{
	size_t count = 0;

	for (int i = 0; i < TIMING_KINDS; i++)
		count += is_few(&timing->of[i]) ? 0 : STEPS;
	return count;
}

uint32_t *timing_copy(struct timing *copy, const struct timing *timing, uint32_t *steps)
{
	*copy = *timing;
	for (int i = 0; i < TIMING_KINDS; i++) {
		copy->of[i].steps = NULL;
		if (is_few(&timing->of[i]))
			continue;
		copy->of[i].steps = memcpy(steps, timing->of[i].steps, STEPS * sizeof(*steps));
		steps += STEPS;
	}
	return steps;
}

/* What the longer slices spent in their beginnings, ns. */
static double beginnings_ns(const struct timing *timing)
{
	return (double)timing->late.slices * TIMING_SHORT_NS;
}

static bool timing_is_known(const struct timing *timing)
{
	if (timing->cold.slices < SLICES_MIN || timing->late.slices < SLICES_MIN)
		return false;
	if ((double)timing->cold.ns * COLD_PART < beginnings_ns(timing))
		return false;
	return timing->cold.ns > 0 && timing->cold.cycles > 0;
}

double timing_cold_ipc(const struct timing *timing)
{
	if (!timing_is_known(timing))
		return NAN;
	return (double)timing->cold.instructions / (double)timing->cold.cycles;
}

double timing_warm_ipc(const struct timing *timing)
{
	if (!timing_is_known(timing))
		return NAN;

	/* How many times all short slices go into the beginnings. */
	double times = beginnings_ns(timing) / (double)timing->cold.ns;
	double instructions =
		(double)timing->late.instructions - times * (double)timing->cold.instructions;
	double cycles = (double)timing->late.cycles - times * (double)timing->cold.cycles;

	if (instructions < 0 || cycles * WARM_PART < (double)timing->late.cycles || cycles <= 0)
		return NAN;
	return instructions / cycles;
}

double timing_cold_cost_pct(const struct timing *timing)
{
	double cold = timing_cold_ipc(timing), warm = timing_warm_ipc(timing);

	if (isnan(cold) || isnan(warm) || warm <= 0)
		return NAN;
	return warm > cold ? 100 * (1 - cold / warm) : 0;
}
