#ifndef PERFTOP_SOURCE_WAKEUP_H
#define PERFTOP_SOURCE_WAKEUP_H

/* A wake-up as the scheduler's tracepoints report it, in the task that wakes. */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/spec.h"

struct error;
struct host;

struct sched_tracepoint_spec {
	struct event_spec spec;
	size_t tid; /* of the woken task, in the raw data, 32 bits; 0: it is the running one's.
		       Of an interrupt its number */
};

/*
 * sched:NAME as the kernel has it. False: tracefs cannot be read, or the tids in it are not those
 * of this pid namespace.
 */
bool wakeup_find(const struct host *host, const char *name, struct sched_tracepoint_spec *found,
		 struct error *error);

/* The woken task; false: the raw data are too short for it, or it is none. */
static inline bool wakeup_read_tid(const struct sched_tracepoint_spec *tracepoint,
				   const struct decoded_bytes *raw, int32_t *tid)
{
	if (raw->size < tracepoint->tid + sizeof(*tid))
		return false;
	*tid = decode_number_at(raw->bytes, tracepoint->tid);
	return *tid > 0;
}

/*
 * Then the task that runs is not the one that wakes. All raw data begin with the tracepoint's
 * number (2 bytes) and with flags.
 */
static inline bool wakeup_is_in_interrupt(const struct decoded_bytes *raw)
{
	enum {
		FLAGS_AT = 2,
		HARD = 0x08,
		SOFT = 0x10,
		UNMASKABLE = 0x40
	};

	return raw->size > FLAGS_AT &&
	       ((const unsigned char *)raw->bytes)[FLAGS_AT] & (HARD | SOFT | UNMASKABLE);
}

#endif
