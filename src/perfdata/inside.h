#ifndef PERFTOP_PERFDATA_INSIDE_H
#define PERFTOP_PERFDATA_INSIDE_H

/*
 * What the files of the reader share: a recording that is open. No file outside includes it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"

#include "perfdata/bytes.h"
#include "perfdata/disk.h"
#include "perfdata/inlet.h"
#include "perfdata/reader.h"

/*
 * header.c: the events of a recording: made of attributes as they are in it, of any size, and found
 * by their ids.
 */
enum {
	EVENT_LIST_MAX = 1 << 16,     /* what a file may ask of memory: events, */
	EVENT_LIST_IDS_MAX = 1 << 20, /* and ids of all of them */
	EVENT_LIST_NONE = -1
};

struct event_list {
	struct perfdata_event *all; /* owned */
	size_t count, capacity;
	size_t id_count;  /* of all */
	struct map by_id; /* id -> 1 + index, disguised as a pointer */
	bool is_full;     /* something had no room */
};

void event_list_fini(struct event_list *list);

/* Adds the event of an attribute (its bytes, and nothing else, in `bytes`). False: it cannot be
 * one, or there are too many. */
bool event_list_add(struct event_list *list, struct codec bytes);

/* Gives an event `count` ids, as 64-bit words of a file. False: too many. */
bool event_list_add_ids(struct event_list *list, size_t index, struct codec *words, size_t count);

/* The index of the event that has the id; EVENT_LIST_NONE. */
long event_list_find(const struct event_list *list, uint64_t id);

/*
 * The event of a sample with an unknown id; EVENT_LIST_NONE. Kernels (seen with 6.18) give a sample
 * of a software event the id of another event of the same type that fired with it, even of another
 * process' event, which the recording does not know. It is recognised by the ids of its group's
 * reading, or because no other event has samples of this form.
 */
long event_list_adopt(const struct event_list *list, const void *bytes, size_t size,
		      struct decoded *scratch);

struct inflate;

enum {
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

	struct build_ids *build_ids; /* owned; NULL: none was met */

	uint64_t skip;           /* bytes behind a record that are of no use */
	size_t attributes_known; /* HEADER_ATTR records that were made events in any pass */
	size_t attributes_met;   /* in this pass */

	unsigned char *tracing; /* owned */
	size_t tracing_size, tracing_capacity;
	uint64_t tracing_left;           /* bytes behind a record that belong to it */
	size_t tracing_unused;           /* of them at the end: filling */
	struct tracing_formats *formats; /* owned */

	struct recent recent[PERFDATA_RECENT]; /* by the low bits of the id */

	struct perfdata_record ahead; /* the first record of a pipe, read already */
	bool has_ahead;
	bool has_news; /* perf itself has reported something since the last record */

	struct decoded decoded;
	unsigned char record[PERFDATA_RECORD_MAX] __attribute__((aligned(8)));
};

/* The rest is not available, or not reliable: why. The first reason is kept. */
void perfdata_cut(struct perfdata *file, enum error_code code, const char *detail);

/* header.c: takes a record, as it is in the file, that says the build id of a file. */
void build_id_take(struct perfdata *file, const unsigned char *record, size_t size);

/*
 * header.c: which form the recording has, where its parts are, its attributes and,
 * of a file, its features. The inlet is open and at the beginning; it is left at the first record.
 */
bool header_read(struct perfdata *file, const char *path, struct error *error);

/* header.c: TRACING_DATA are complete, with so many bytes. */
void tracing_take(struct perfdata *file, size_t size);

/* header.c: tracepoints from that event on that have no name yet get the one in TRACING_DATA. */
void tracing_name_events(struct perfdata *file, size_t from);

/* header.c: what a feature says of the machine, the command and the events; those that nothing here
 * needs are left alone. */
void feature_take(struct perfdata *file, uint64_t feature, struct codec fields);

#endif
