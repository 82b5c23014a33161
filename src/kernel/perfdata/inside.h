#ifndef PERFTOP_KERNEL_PERFDATA_INSIDE_H
#define PERFTOP_KERNEL_PERFDATA_INSIDE_H

/*
 * What the files of the reader share: a recording that is open. No file outside includes it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/perfdata/disk.h"
#include "kernel/perfdata/event_list.h"
#include "kernel/perfdata/inlet.h"
#include "kernel/perfdata/reader.h"

struct inflate;

enum {
	PERFDATA_HEADER_SIZE = 8,        /* of a record: struct perf_event_header */
	PERFDATA_RECORD_MAX = 65536,     /* one more than a record can have */
	PERFDATA_SECTION_MAX = 64 << 20, /* bytes of a feature that are kept */
	PERFDATA_RECENT = 64             /* a power of two */
};

/* An id that was looked for, and its event. */
struct recent {
	uint64_t id; /* 0: none */
	long event;
};

struct perfdata {
	struct inlet inlet;
	struct event_list events;
	struct perfdata_info info;
	struct perfdata_counts counts;
	struct perfdata_counts at_start; /* as they were before the first record */
	struct disk_section data;        /* where records lie; size 0: to the end */
	bool is_stopped;                 /* reading on would be guessing */

	struct inflate *inflate; /* NULL: nothing compressed was met */
	bool is_inflating;       /* records come out of it, as long as there are any */

	uint64_t skip;           /* bytes behind a record that are of no use */
	size_t attributes_known; /* HEADER_ATTR records that were made events in any pass */
	size_t attributes_met;   /* in this pass */

	unsigned char *tracing; /* owned */
	size_t tracing_size, tracing_capacity;
	uint64_t tracing_left; /* bytes behind a record that belong to it */
	size_t tracing_unused; /* of them at the end: filling */

	struct recent recent[PERFDATA_RECENT]; /* by the low bits of the id */

	bool leaves_plain; /* plain records are not decoded */
	bool has_news;     /* perf itself has reported something since the last record */

	struct decoded decoded;
	unsigned char record[PERFDATA_RECORD_MAX] __attribute__((aligned(8)));
};

/* The rest is not available, or not reliable: why. The first reason is kept. */
void perfdata_cut(struct perfdata *file, enum error_code code, const char *a, const char *b);

#endif
