#ifndef PERFTOP_SOURCE_CPUS_SCHEDULER_H
#define PERFTOP_SOURCE_CPUS_SCHEDULER_H

/*
 * Wake-ups and yields: which of the kernel's events report them, on all CPUs that are watched or on
 * none. Without them everything else goes on; the session says how run-queue waits are known, or
 * why they are not.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/cpus/sched_tracepoints.h"

struct attr_features;
struct host;
struct cpu_stream;
struct session;

struct scheduler {
	const struct host *host; /* borrowed, as are the features */
	const struct attr_features *features;
	uint64_t fd_end; /* descriptors from this one on are left to others */
	bool is_wanted;
	struct sched_tracepoint_spec events[SCHED_EVENTS]; /* those that are open */
	bool is_open[SCHED_EVENTS];
	struct error refusals[SCHED_EVENTS]; /* why one is not */
};

/* Descriptors that its events take at the most on so many CPUs. */
size_t scheduler_descriptors(size_t cpu_count);

/* Lanes between rounds, with the events or without. Updates the session. */
void scheduler_want(struct scheduler *scheduler, bool is_wanted, struct cpu_stream **streams,
		    size_t count, struct session *session);

/* `added`, one of the streams, is new: it gets what the others have. */
void scheduler_add(struct scheduler *scheduler, struct cpu_stream **streams, size_t count,
		   struct cpu_stream *added, struct session *session);

#endif
