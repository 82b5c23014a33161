#ifndef PERFTOP_PERFDATA_INSIDE_H
#define PERFTOP_PERFDATA_INSIDE_H

/*
 * What the files of the reader share: a recording that is open. No file outside includes it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#include "perfdata/disk.h"
#include "perfdata/event_list.h"
#include "perfdata/inlet.h"
#include "perfdata/reader.h"

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

/*
 * header.c: which form and byte order the recording has, where its parts are, its attributes and,
 * of a file, its features. The inlet is open and at the beginning; it is left at the first record.
 */
bool header_read(struct perfdata *file, const char *path, struct error *error);

/*
 * feature_in.c: what a recording says of its machine, its command and its events. In a file the
 * features are behind the data, in a pipe each is a record; those that nothing here needs are left
 * alone. Those of a file: a section for each bit that is set in `words`, listed from `place` on.
 */
void feature_in_read_all(struct perfdata *file, uint64_t place, const uint64_t *words);

/* Whether a list of features can begin at `place`, rather than records. */
bool feature_in_begins_at(const struct perfdata *file, uint64_t place);

/* One of a pipe. */
void feature_in_take(struct perfdata *file, uint64_t feature, struct fields fields);

/* user_records.c: records that perf itself writes between those of the kernel (types from 64 on).
 */
enum user_record {
	USER_RECORD_DONE,       /* understood or skipped, and counted where it was of no use */
	USER_RECORD_ROUND,      /* all rings were emptied once */
	USER_RECORD_COMPRESSED, /* its body is a piece of a zstd stream */
	USER_RECORD_STOP        /* what follows cannot be found */
};

bool user_record_is(uint32_t type);

/*
 * `bytes` are the record with its header, which is in our byte order where `type` and `size` are;
 * the body is in that of the file. is_inner: it came out of a compressed stream, where nothing can
 * lie behind a record.
 */
enum user_record user_record_take(struct perfdata *file, uint32_t type, const unsigned char *bytes,
				  size_t size, bool is_inner);

/* Of a compressed record: the piece. */
void user_record_piece(const struct perfdata *file, uint32_t type, const unsigned char *bytes,
		       size_t size, const unsigned char **piece, size_t *piece_size);

#endif
