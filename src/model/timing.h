#ifndef PERFTOP_MODEL_TIMING_H
#define PERFTOP_MODEL_TIMING_H

/*
 * What is known of a task's slices and waits in an interval, beyond sums: those that ended in it.
 */

#include <stdint.h>

#include "model/distribution.h"

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
/* *copy must not own anything. */
void timing_copy(struct timing *copy, const struct timing *timing);

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
