/* Packed records are unpacked to what they were, one by one as they come. */

#include <zstd.h>

#include <linux/perf_event.h>

#include "base/strbuf.h"

#include "perfdata/disk.h"
#include "perfdata/zstd.h"
#include "unit.h"

enum {
	BYTES = 64 * 1024
};

static char input[BYTES], output[2 * BYTES];

/* Unpacks the records of the buffer; how many bytes there are then. */
static size_t unpack(ZSTD_DCtx *stream, const struct strbuf *packed, size_t *records)
{
	ZSTD_outBuffer out = {.dst = output, .size = sizeof(output)};
	size_t at = 0;

	*records = 0;
	while (at < packed->length) {
		struct perf_event_header header;

		memcpy(&header, packed->text + at, sizeof(header));
		assert_int_equal(header.type, DISK_RECORD_COMPRESSED);
		assert_in_range(header.size, sizeof(header) + 1, DISK_RECORD_MAX);

		ZSTD_inBuffer in = {packed->text + at + sizeof(header),
				    header.size - sizeof(header), 0};

		while (in.pos < in.size)
			assert_false(ZSTD_isError(ZSTD_decompressStream(stream, &out, &in)));
		at += header.size;
		(*records)++;
	}
	return out.pos;
}

static void make_input(unsigned int kinds)
{
	uint32_t state = 1;

	for (size_t i = 0; i < BYTES; i++) {
		state = state * 1103515245 + 12345;
		input[i] = (char)((state >> 16) % kinds);
	}
}

UNIT_TEST(compressor_pack_each_portion_can_be_unpacked_at_once)
{
	struct compressor *compressor = compressor_create(3);
	ZSTD_DCtx *stream = ZSTD_createDCtx();
	size_t records;

	make_input(4);
	for (size_t i = 0; i < 20; i++) {
		struct strbuf packed = {0};

		assert_true(compressor_pack(compressor, input, COMPRESS_PORTION - i, &packed));
		assert_int_equal(unpack(stream, &packed, &records), COMPRESS_PORTION - i);
		assert_memory_equal(output, input, COMPRESS_PORTION - i);
		assert_int_equal(records, 1);
		strbuf_fini(&packed);
	}
	assert_in_range(compressor_ratio(compressor), 2, 1000);
	ZSTD_freeDCtx(stream);
	compressor_destroy(compressor);
}

UNIT_TEST(compressor_pack_what_does_not_shrink_goes_into_several)
{
	struct compressor *compressor = compressor_create(1);
	ZSTD_DCtx *stream = ZSTD_createDCtx();
	struct strbuf packed = {0};
	size_t records;

	make_input(256);
	assert_true(compressor_pack(compressor, input, DISK_RECORD_MAX, &packed));
	assert_int_equal(unpack(stream, &packed, &records), DISK_RECORD_MAX);
	assert_memory_equal(output, input, DISK_RECORD_MAX);
	assert_int_equal(records, 2);
	assert_int_equal(compressor_ratio(compressor), 1);
	strbuf_fini(&packed);
	ZSTD_freeDCtx(stream);
	compressor_destroy(compressor);
}

UNIT_TEST(compressor_pack_portion_of_noise_fits_into_one)
{
	struct compressor *compressor = compressor_create(1);
	ZSTD_DCtx *stream = ZSTD_createDCtx();
	struct strbuf packed = {0};
	size_t records;

	make_input(256);
	assert_true(compressor_pack(compressor, input, COMPRESS_PORTION, &packed));
	assert_int_equal(unpack(stream, &packed, &records), COMPRESS_PORTION);
	assert_int_equal(records, 1);
	strbuf_fini(&packed);
	ZSTD_freeDCtx(stream);
	compressor_destroy(compressor);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
