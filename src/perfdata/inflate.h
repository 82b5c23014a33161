#ifndef PERFTOP_PERFDATA_INFLATE_H
#define PERFTOP_PERFDATA_INFLATE_H

/*
 * Records out of a zstd stream that comes in pieces, which end anywhere: a record may begin in one
 * and end in the next. Memory is fixed but for zstd's own window (128 MiB at most, if the stream
 * asks for it).
 */

#include <stdbool.h>
#include <stddef.h>

struct inflate; /* opaque */

enum inflate_result {
	INFLATE_RECORD,
	INFLATE_HUNGRY, /* the next record needs another piece */
	INFLATE_BROKEN, /* not zstd's, or damaged */
	INFLATE_SIZE    /* a record's size cannot be true */
};

/* NULL: perftop was built without zstd. */
struct inflate *inflate_create(void);
void inflate_destroy(struct inflate *inflate); /* NULL is allowed */

/* Begins a new stream. */
void inflate_restart(struct inflate *inflate);

/* The next piece, once the one before is used up (INFLATE_HUNGRY). It stays the caller's, and must
 * stay where it is until it is used up. */
void inflate_feed(struct inflate *inflate, const void *bytes, size_t size);

/* The next record, in the byte order of the file; good until the next call. */
enum inflate_result inflate_next(struct inflate *inflate, bool is_swapped,
				 const unsigned char **bytes, size_t *size);

/* Whether the beginning of a record is left over. */
bool inflate_has_rest(const struct inflate *inflate);

/* What zstd says of INFLATE_BROKEN. */
const char *inflate_reason(const struct inflate *inflate);

#endif
