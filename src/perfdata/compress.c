/*
 * The stream is flushed behind each portion, so that what a record holds can be unpacked as soon as
 * it has been read, and never ended: more may come. A portion nearly always fits into one record;
 * what does not goes on in the next one.
 */

#include "perfdata/compress.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"

#include "perfdata/bytes.h"
#include "perfdata/disk.h"

#ifdef PERFTOP_ZSTD

#include <string.h>
#include <zstd.h>

#include <linux/perf_event.h>

enum {
	BODY_MAX = DISK_RECORD_MAX - sizeof(struct perf_event_header)
};

struct compressor {
	ZSTD_CCtx *stream;
	uint64_t unpacked, packed; /* bytes so far */
	char body[BODY_MAX];
};

int compress_level_max(void)
{
	return ZSTD_maxCLevel();
}

struct compressor *compressor_create(int level)
{
	struct compressor *compressor = xcalloc(1, sizeof(*compressor));

	compressor->stream = ZSTD_createCCtx();
	if (!compressor->stream)
		memory_exhausted();
	ZSTD_CCtx_setParameter(compressor->stream, ZSTD_c_compressionLevel, level);
	return compressor;
}

void compressor_destroy(struct compressor *compressor)
{
	if (compressor) {
		ZSTD_freeCCtx(compressor->stream);
		free(compressor);
	}
}

bool compressor_pack(struct compressor *compressor, const char *bytes, size_t size,
		     struct strbuf *buffer)
{
	ZSTD_inBuffer in = {.src = bytes, .size = size};
	size_t left;

	do {
		ZSTD_outBuffer out = {.dst = compressor->body, .size = BODY_MAX};

		left = ZSTD_compressStream2(compressor->stream, &out, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return false;
		if (out.pos > 0) {
			bytes_header(buffer, DISK_RECORD_COMPRESSED,
				     sizeof(struct perf_event_header) + out.pos);
			strbuf_add_bytes(buffer, compressor->body, out.pos);
			compressor->packed += out.pos;
		}
	} while (left > 0 || in.pos < in.size);
	compressor->unpacked += size;
	return true;
}

unsigned int compressor_ratio(const struct compressor *compressor)
{
	double ratio = compressor->packed == 0
			       ? 1
			       : (double)compressor->unpacked / (double)compressor->packed;

	return ratio < 1 ? 1 : (unsigned int)(ratio + 0.5);
}

#else

int compress_level_max(void)
{
	return 0;
}

struct compressor *compressor_create(int level)
{
	return NULL;
}

void compressor_destroy(struct compressor *compressor)
{
}

bool compressor_pack(struct compressor *compressor, const char *bytes, size_t size,
		     struct strbuf *buffer)
{
	return false;
}

unsigned int compressor_ratio(const struct compressor *compressor)
{
	return 1;
}

#endif
