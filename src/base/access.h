#ifndef PERFTOP_BASE_ACCESS_H
#define PERFTOP_BASE_ACCESS_H

/* One access to memory, as a processor's sampling describes it; its address and latency are beside
 * it. */

#include <stdint.h>

/* What answered it. */
enum access_source {
	ACCESS_UNKNOWN, /* not said, or only what did not answer: a store that missed the L1 */
	ACCESS_L1,
	ACCESS_FILL_BUFFER, /* the line was on its way already */
	ACCESS_L2,
	ACCESS_L3,
	ACCESS_LOCAL_MEMORY,
	ACCESS_REMOTE_MEMORY,
	ACCESS_REMOTE_CACHE,
	ACCESS_UNCACHED, /* devices, too */
	ACCESS_SOURCES
};

/* Bits of operation. */
enum {
	ACCESS_LOAD = 1 << 0,
	ACCESS_STORE = 1 << 1,
	ACCESS_PREFETCH = 1 << 2,
	ACCESS_FETCH = 1 << 3 /* of instructions */
};

/* Where it went, if it left the core and the processor says it. */
enum access_distance {
	ACCESS_NOT_FAR, /* or not known */
	ACCESS_TO_CORE, /* another one of the node */
	ACCESS_TO_NODE,
	ACCESS_TO_SOCKET,
	ACCESS_TO_BOARD,
	ACCESS_DISTANCES
};

/* Bits of flags. */
enum {
	ACCESS_TLB_KNOWN = 1 << 0,
	ACCESS_TLB_MISS = 1 << 1,
	ACCESS_LOCK_KNOWN = 1 << 2,
	ACCESS_LOCKED = 1 << 3,
	ACCESS_SNOOP_KNOWN = 1 << 4,
	ACCESS_HITM = 1 << 5,   /* another core's cache had the line modified */
	ACCESS_BLOCKED = 1 << 6 /* a load that waited for a store before it */
};

struct memory_access {
	uint8_t source;    /* enum access_source */
	uint8_t operation; /* 0: not known */
	uint8_t distance;  /* enum access_distance */
	uint8_t flags;
};

#endif
