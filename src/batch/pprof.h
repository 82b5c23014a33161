#ifndef PERFTOP_BATCH_PPROF_H
#define PERFTOP_BATCH_PPROF_H

/* What the format "pprof" keeps from interval to interval of a run: a profile, in its parts. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* Parts that are equal byte for byte are one; numbered as they came. */
struct pprof_part;
struct pprof_table {
	struct pprof_part *parts; /* owned */
	size_t count, capacity;
	size_t bytes;
	struct map by_hash; /* number + 1 of the last part with it */
};

enum {
	PPROF_TYPES_MAX = 64
};

/* What a value of a sample says. An empty one is {0}. */
struct pprof {
	struct pprof_table strings, mappings, functions, locations, samples;
	int64_t *values; /* owned; type_count of each sample */
	size_t value_capacity;
	struct pprof_type {
		uint32_t name, unit; /* strings */
		int event;           /* index in the layout; -1: no event */
		int kind;            /* enum of pprof.c */
		bool is_written;     /* there is a value of it */
	} types[PPROF_TYPES_MAX];
	size_t type_count;
	uint64_t start_ns, length_ns; /* record time */
	uint64_t left_out_weight;
};

void pprof_fini(struct pprof *pprof);

#endif
