#ifndef PERFTOP_SOURCE_WAKEUP_H
#define PERFTOP_SOURCE_WAKEUP_H

/* A wake-up as the scheduler's tracepoints report it, in the task that wakes. */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/spec.h"

#include "event/tracepoint.h"

struct error;
struct host;

struct sched_tracepoint_spec {
	struct event_spec spec;
	struct tracepoint_field tid; /* the woken task; a yield has none: it is the running one */
};

/*
 * sched:NAME as the kernel has it. False: tracefs cannot be read, or the tids in it are not those
 * of this pid namespace.
 */
bool wakeup_find(const struct host *host, const char *name, struct sched_tracepoint_spec *found,
		 struct error *error);

/* The woken task; false: the raw data are too short for it, or it is none. */
bool wakeup_read_tid(const struct sched_tracepoint_spec *tracepoint,
		     const struct decoded_bytes *raw, int32_t *tid);

/* Then the task that runs is not the one that wakes. */
bool wakeup_is_in_interrupt(const struct decoded_bytes *raw);

#endif
