/*
 * Packed records are one stream over the whole file. Writing flushes it behind each portion, so
 * that what a record holds can be unpacked as soon as it has been read, and never ends it. A
 * portion nearly always fits into one record; what does not goes on in the next one. Unpacked bytes
 * lie in a buffer; the unfinished record at its end is moved to the front before more is unpacked
 * behind it.
 */

#include "perfdata/zstd.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"
#include "base/strbuf.h"

#include "perfdata/bytes.h"
#include "perfdata/disk.h"

enum {
	BODY_MAX = DISK_RECORD_MAX - sizeof(struct record_header)
};

struct compressor {
	ZSTD_CCtx *stream;
	uint64_t unpacked, packed; /* bytes so far */
	char body[BODY_MAX];
};

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
			bytes_header(buffer, DISK_RECORD_COMPRESSED, 0, out.pos);
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

enum {
	ROOM = 512 * 1024 /* more than the largest record */
};

struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer piece;
	size_t start, fill; /* of bytes: unpacked and not yet given */
	bool is_drained;    /* zstd keeps nothing back */
	const char *reason;
	unsigned char bytes[ROOM] __attribute__((aligned(8)));
};

struct inflate *inflate_create(void)
{
	struct inflate *inflate = xcalloc(1, sizeof(*inflate));

	inflate->stream = ZSTD_createDStream();
	if (!inflate->stream)
		memory_exhausted();
	inflate_restart(inflate);
	return inflate;
}

void inflate_destroy(struct inflate *inflate)
{
	if (!inflate)
		return;
	ZSTD_freeDStream(inflate->stream);
	free(inflate);
}

void inflate_restart(struct inflate *inflate)
{
	ZSTD_initDStream(inflate->stream);
	inflate->piece = (ZSTD_inBuffer){0};
	inflate->start = 0;
	inflate->fill = 0;
	inflate->is_drained = true;
	inflate->reason = "";
}

void inflate_feed(struct inflate *inflate, const void *bytes, size_t size)
{
	inflate->piece = (ZSTD_inBuffer){.src = bytes, .size = size};
	inflate->is_drained = false;
}

bool inflate_has_rest(const struct inflate *inflate)
{
	return inflate->fill > inflate->start;
}

const char *inflate_reason(const struct inflate *inflate)
{
	return inflate->reason;
}

/* Unpacks as much as there is room for. */
static enum inflate_result unpack(struct inflate *inflate)
{
	size_t rest = inflate->fill - inflate->start;

	memmove(inflate->bytes, inflate->bytes + inflate->start, rest);
	inflate->start = 0;

	ZSTD_outBuffer out = {.dst = inflate->bytes, .size = ROOM, .pos = rest};
	size_t result = ZSTD_decompressStream(inflate->stream, &out, &inflate->piece);

	inflate->fill = out.pos;
	if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
		memory_exhausted();
	if (ZSTD_isError(result)) {
		inflate->reason = ZSTD_getErrorName(result);
		return INFLATE_BROKEN;
	}
	inflate->is_drained = inflate->piece.pos == inflate->piece.size && out.pos < out.size;
	return INFLATE_RECORD;
}

static bool has_whole_record(const struct inflate *inflate, size_t *size)
{
	size_t rest = inflate->fill - inflate->start;

	if (rest < sizeof(struct record_header))
		return false;
	*size = bytes_take_header(inflate->bytes + inflate->start).size;
	return *size <= rest;
}

enum inflate_result inflate_next(struct inflate *inflate, const unsigned char **bytes, size_t *size)
{
	while (!has_whole_record(inflate, size)) {
		if (inflate->is_drained)
			return INFLATE_HUNGRY;

		enum inflate_result result = unpack(inflate);

		if (result == INFLATE_BROKEN)
			return result;
	}
	if (*size < sizeof(struct record_header))
		return INFLATE_SIZE;
	*bytes = inflate->bytes + inflate->start;
	inflate->start += *size;
	return INFLATE_RECORD;
}
