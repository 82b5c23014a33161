#ifndef PERFTOP_PERFDATA_COMPRESS_H
#define PERFTOP_PERFDATA_COMPRESS_H

/*
 * Records packed into PERF_RECORD_COMPRESSED, as perf record -z writes them: one zstd stream over
 * the whole file, cut where a record ends. Without zstd (COMPRESS_LEVEL_MAX is 0) there is none.
 */

#include <stdbool.h>
#include <stddef.h>

struct compressor; /* opaque */
struct strbuf;

enum {
	COMPRESS_PORTION = 60 * 1024, /* records to be gathered for one */
	/* Unpacked bytes of one: a single record may be larger than a portion. */
	COMPRESS_UNPACKED_MAX = 64 * 1024
};

/* 0: built without zstd. */
int compress_level_max(void);

struct compressor *compressor_create(int level);
void compressor_destroy(struct compressor *compressor); /* NULL is allowed */

/* Appends records that hold `bytes`, whole records. False: zstd has failed. */
bool compressor_pack(struct compressor *compressor, const char *bytes, size_t size,
		     struct strbuf *buffer);

/* Unpacked bytes for one packed, rounded; 1 at least. */
unsigned int compressor_ratio(const struct compressor *compressor);

#endif
