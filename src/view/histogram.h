#ifndef PERFTOP_VIEW_HISTOGRAM_H
#define PERFTOP_VIEW_HISTOGRAM_H

/*
 * How long slices, preempted waits and run-queue waits are, in powers of two: of the machine, of a
 * CPU, of a task, of whatever passes the filter.
 */

#include <stddef.h>
#include <stdint.h>

#include "model/timing.h"
#include "view/window.h"

struct actor_filter;
struct block_sums;
struct switch_log;

enum length_kind {
	LENGTH_SLICES,    /* of tasks; idle time is none */
	LENGTH_PREEMPTED, /* waits after a preemption */
	LENGTH_QUEUED, /* run-queue waits: these and, where wake-ups are recorded, those after them
			*/
	LENGTH_KINDS
};

/* One octave. */
struct length {
	size_t octave;
	uint64_t begin_ns; /* octave 0: 0 */
	uint64_t end_ns;   /* shorter than this; UINT64_MAX: the last octave has no end */
	uint64_t count[LENGTH_KINDS];
	uint64_t greatest[LENGTH_KINDS]; /* count of the octave that has most: a full bar */
	uint64_t total[LENGTH_KINDS];
	uint64_t sum_ns[LENGTH_KINDS]; /* of this octave: all its lengths together */
};

/*
 * Sums of whole blocks of a history, which never change, so that only the new part of a long window
 * is read. Used if all tasks are included. Empty is {0}.
 */
struct length_sums {
	struct block_sums *blocks; /* owned; by number of the block, modulo how many there are */
	size_t count;
};

void length_sums_fini(struct length_sums *sums);

struct length_query {
	struct window window;
	struct actor_filter *actors;  /* the tasks that are counted */
	const struct switch_log *log; /* the entries that are looked at; NULL: all of the window */
	struct length_sums *sums;     /* what is known of before; NULL: nothing */
};

/* Fills all octaves, the shortest first. */
void lengths_gather(struct length lengths[static DISTRIBUTION_OCTAVES],
		    const struct length_query *query);

#endif
