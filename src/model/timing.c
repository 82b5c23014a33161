/*
 * Distributions of a task's slices and waits, and what can be concluded from short and long slices
 * about the cost of a cold cache.
 *
 * The conclusion: short slices (up to TIMING_SHORT_NS) did so many instructions and cycles a
 * nanosecond. The first TIMING_SHORT_NS of every longer slice is assumed to be like that. What is
 * left of the longer slices when this is taken off is their warm part.
 */
#include "model/timing.h"

#include <math.h>
#include <stdbool.h>

enum {
	SLICES_MIN = 16, /* of each sort */
	COLD_PART = 100, /* short slices must have run for this part of the beginnings */
	WARM_PART = 10   /* and this part of the long ones' cycles must be left as warm */
};

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

static void add_part(struct timing_part *sum, const struct timing_part *part)
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
	add_part(&into->cold, &from->cold);
	add_part(&into->late, &from->late);
}

void timing_copy(struct timing *copy, const struct timing *timing)
{
	for (int i = 0; i < TIMING_KINDS; i++)
		distribution_copy(&copy->of[i], &timing->of[i]);
	copy->cold = timing->cold;
	copy->late = timing->late;
}

/* What the longer slices spent in their beginnings, ns. */
static double beginnings_ns(const struct timing *timing)
{
	return (double)timing->late.slices * TIMING_SHORT_NS;
}

static bool is_known(const struct timing *timing)
{
	if (timing->cold.slices < SLICES_MIN || timing->late.slices < SLICES_MIN)
		return false;
	if ((double)timing->cold.ns * COLD_PART < beginnings_ns(timing))
		return false;
	return timing->cold.ns > 0 && timing->cold.cycles > 0;
}

double timing_cold_ipc(const struct timing *timing)
{
	if (!is_known(timing))
		return NAN;
	return (double)timing->cold.instructions / (double)timing->cold.cycles;
}

double timing_warm_ipc(const struct timing *timing)
{
	if (!is_known(timing))
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
