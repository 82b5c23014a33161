#ifndef PERFTOP_SOURCE_CPUS_SWITCH_COST_H
#define PERFTOP_SOURCE_CPUS_SWITCH_COST_H

/*
 * The cost of the readings: how much longer a context switch takes on a CPU whose groups are on. It
 * is measured (kernel/switch_time.h) on the CPU we run on, with a stream like those that are to
 * count, but with a ring of its own, so that nothing of it is among the records.
 *
 * What is measured is a lower bound: the caches are warm there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/switch_time.h"

struct cpu_stream;
struct cpu_stream_request;

enum {
	SWITCH_COST_WAIT_MS = 50 /* for what takes some 4, where something waits for it */
};

/* In ns per switch; each is added to those before it. */
struct switch_cost {
	double always_ns;  /* by the groups that are always on; 0: not known */
	double turn_ns;    /* by a group of each turn; 0: there are no turns */
	double records_ns; /* by switch records beside the tracepoint that leads */
};

/* Begins to measure with a stream that such a request opens. */
void switch_cost_begin(struct switch_time *time, const struct cpu_stream_request *request);

/* Waits for it, so long at the most. False: it is not known, *cost is {0} and error says why. */
bool switch_cost_end(struct switch_time *time, int wait_ms, struct switch_cost *cost,
		     struct error *error);

/*
 * In ns what a switch costs, on average of these streams as they are now, where the groups that
 * take turns are on for this share of the time; 0: not known.
 */
uint64_t switch_cost_now(const struct switch_cost *cost, double share,
			 struct cpu_stream *const *streams, size_t count);

#endif
