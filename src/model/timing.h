#ifndef PERFTOP_MODEL_TIMING_H
#define PERFTOP_MODEL_TIMING_H

/*
 * What is known of a task's slices and waits in an interval, beyond sums: how the lengths of those
 * that ended in it are distributed, and what a cold cache cost.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * How lengths of time are distributed: exact while they are few, in steps of a quarter of an octave
 * afterwards. Sums, counts and the greatest are always exact; a quantile of many is exact to a
 * tenth (2^(1/8) to either side of the step's middle) from 128 ns on, and up to 2^38 ns.
 *
 * It is what a task carries per interval, so it is small as long as the task switches little.
 */
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

/* q from 0 to 1: the least length that at least this share of all does not exceed; 0 when empty. */
uint64_t distribution_quantile(const struct distribution *distribution, double q);

/* The octave of a length, and where one begins. */
size_t distribution_octave_of(uint64_t ns);
uint64_t distribution_octave_begin(size_t octave); /* ns; 0 for octave 0 */

enum timing_kind {
	TIMING_SLICES,    /* run time between two switches */
	TIMING_PREEMPTED, /* pushed out and runnable: exact from the switch records */
	TIMING_WAKEUPS,   /* woken, and waiting for a CPU */
	TIMING_KINDS
};

/*
 * The cost of a cold cache, estimated. Slices that ended by TIMING_SHORT_NS are taken for what the
 * beginning of a longer one is like: what the longer ones did beyond that is their warm part.
 * Only slices in which instructions and cycles were counted all the time enter.
 */
enum {
	TIMING_SHORT_NS = 100000
};

struct timing_part {
	uint64_t slices, ns, instructions, cycles;
};

/* An empty one is {0}. */
struct timing {
	struct distribution of[TIMING_KINDS];
	struct timing_part cold; /* slices up to TIMING_SHORT_NS */
	struct timing_part late; /* all of the longer ones */
};

void timing_fini(struct timing *timing);
void timing_clear(struct timing *timing);
void timing_merge(struct timing *into, const struct timing *from);
/*
 * A read-only copy with its steps in memory of the caller, timing_steps() numbers. Returns the
 * address behind them.
 */
size_t timing_steps(const struct timing *timing);
uint32_t *timing_copy(struct timing *copy, const struct timing *timing, uint32_t *steps);

/*
 * IPC at the beginning of slices and later in them. NaN: it is unknown, since there are fewer
 * than 16 slices of one of the two sorts, or the short ones did not run long enough (1 % of the
 * longer ones' beginnings). Of the warm one also when beginnings leave less than a tenth of the
 * longer ones' cycles, or less than no instructions: they are not like the short slices then.
 */
double timing_cold_ipc(const struct timing *timing);
double timing_warm_ipc(const struct timing *timing);

/*
 * Share of the cycles of a slice's beginning that warm caches would have saved, in percent; 0: it
 * is no slower than later. NaN where one of the two above is.
 */
double timing_cold_cost_pct(const struct timing *timing);

#endif
