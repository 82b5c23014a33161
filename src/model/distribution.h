#ifndef PERFTOP_MODEL_DISTRIBUTION_H
#define PERFTOP_MODEL_DISTRIBUTION_H

/*
 * How lengths of time are distributed: exact while they are few, in steps of a quarter of an octave
 * afterwards. Sums, counts and the greatest are always exact; a quantile of many is exact to a
 * tenth (2^(1/8) to either side of the step's middle) from 128 ns on, and up to 2^38 ns.
 *
 * It is what a task carries per interval, so it is small as long as the task switches little.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	DISTRIBUTION_FEW = 8,
	/*
	 * Powers of two: octave 0 is below 128 ns, octave i from 2^(6+i) ns to below 2^(7+i), the
	 * last one all above.
	 */
	DISTRIBUTION_OCTAVES = 32,
	DISTRIBUTION_FIRST_SHIFT = 7,
	DISTRIBUTION_STEPS = 4 /* of an octave */
};

/* An empty one is {0}. */
struct distribution {
	uint64_t count, sum, max;       /* of all; ns */
	uint64_t few[DISTRIBUTION_FEW]; /* the values themselves while count <= DISTRIBUTION_FEW */
	uint32_t *steps;                /* owned; OCTAVES * STEPS; of use when they are not few */
};

void distribution_fini(struct distribution *distribution);

/* Empties it; memory is kept for what comes. */
void distribution_clear(struct distribution *distribution);

void distribution_add(struct distribution *distribution, uint64_t ns);
void distribution_merge(struct distribution *into, const struct distribution *from);

/* *copy must not own anything. */
void distribution_copy(struct distribution *copy, const struct distribution *distribution);

/* q from 0 to 1: the least length that at least this share of all does not exceed; 0 when empty. */
uint64_t distribution_quantile(const struct distribution *distribution, double q);

/* How many fall into an octave, and where it begins. */
uint64_t distribution_octave(const struct distribution *distribution, size_t octave);
size_t distribution_octave_of(uint64_t ns);
uint64_t distribution_octave_begin(size_t octave); /* ns; 0 for octave 0 */

#endif
