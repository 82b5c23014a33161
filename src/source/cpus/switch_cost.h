#ifndef PERFTOP_SOURCE_CPUS_SWITCH_COST_H
#define PERFTOP_SOURCE_CPUS_SWITCH_COST_H

/*
 * The cost of the readings: how much longer a context switch takes on a CPU with its groups on. It
 * is measured once (kernel/switch_time.h), before anything counts, on the CPU we run on where that
 * may be disturbed, with a stream like those that are to count, but with a ring of its own, so that
 * nothing of it is among the records. What other groups cost follows from their size.
 *
 * What is measured is a lower bound: the caches are warm there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/switch_time.h"

struct cpu_stream_request;
struct plan;

/* In ns per switch. */
struct switch_cost {
	double group_ns;   /* by a group: the sample of its leader; 0: not known */
	double counter_ns; /* by each counter of the hardware that is read in it */
	double records_ns; /* by switch records beside the tracepoint that leads */
};

/* A measurement; {0}: none. */
struct switch_measure {
	struct switch_time time;
	double groups, counters; /* that are on in it, on average */
};

/* Begins to measure with a stream that such a request opens. */
void switch_cost_begin(struct switch_measure *measure, const struct cpu_stream_request *request);

/* Waits for it, for a moment at the most. Where it is not known, it is {0} and error says why. */
struct switch_cost switch_cost_end(struct switch_measure *measure, struct error *error);

/*
 * In ns what a switch costs by the groups of a kind of CPU that are always on, and by those that
 * take turns, were they on all the time.
 */
double switch_cost_always(const struct switch_cost *cost, const struct plan *plan, size_t kind);
double switch_cost_turn(const struct switch_cost *cost, const struct plan *plan, size_t kind);

#endif
