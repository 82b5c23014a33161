#ifndef PERFTOP_PERFDATA_ZSTD_H
#define PERFTOP_PERFDATA_ZSTD_H

/*
 * Records packed into PERF_RECORD_COMPRESSED, as perf record -z writes them: one zstd stream over
 * the whole file, cut where a record ends when it is written here, and anywhere by perf.
 */

#include <stdbool.h>
#include <stddef.h>

struct compressor; /* opaque */
struct inflate;    /* opaque */
struct strbuf;

enum {
	COMPRESS_PORTION = 60 * 1024, /* records to be gathered for one */
	/* Unpacked bytes of one: a single record may be larger than a portion. */
	COMPRESS_UNPACKED_MAX = 64 * 1024
};

struct compressor *compressor_create(int level);
void compressor_destroy(struct compressor *compressor); /* NULL is allowed */

/* Appends records that hold `bytes`, whole records. False: zstd has failed. */
bool compressor_pack(struct compressor *compressor, const char *bytes, size_t size,
		     struct strbuf *buffer);

/* Unpacked bytes for one packed, rounded; 1 at least. */
unsigned int compressor_ratio(const struct compressor *compressor);

/*
 * Unpacking. Memory is fixed but for zstd's own window (128 MiB at most, if the stream asks for
 * it).
 */
enum inflate_result {
	INFLATE_RECORD,
	INFLATE_HUNGRY, /* the next record needs another piece */
	INFLATE_BROKEN, /* not zstd's, or damaged */
	INFLATE_SIZE    /* a record's size cannot be true */
};

struct inflate *inflate_create(void);
void inflate_destroy(struct inflate *inflate); /* NULL is allowed */

/* Begins a new stream. */
void inflate_restart(struct inflate *inflate);

/* The next piece, once the one before is used up (INFLATE_HUNGRY). It stays the caller's, and must
 * stay where it is until it is used up. */
void inflate_feed(struct inflate *inflate, const void *bytes, size_t size);

/* The next record; good until the next call. */
enum inflate_result inflate_next(struct inflate *inflate, const unsigned char **bytes,
				 size_t *size);

/* Whether the beginning of a record is left over. */
bool inflate_has_rest(const struct inflate *inflate);

/* What zstd says of INFLATE_BROKEN. */
const char *inflate_reason(const struct inflate *inflate);

#endif
