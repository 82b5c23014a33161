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

/* Packs and unpacks so many bytes of the input; how many records that were. */
static size_t pack(struct compressor *compressor, ZSTD_DCtx *stream, size_t length)
{
	struct strbuf packed = {0};
	size_t records;

	assert_true(compressor_pack(compressor, input, length, &packed));
	assert_int_equal(unpack(stream, &packed, &records), length);
	assert_memory_equal(output, input, length);
	strbuf_fini(&packed);
	return records;
}

UNIT_TEST(compressor_pack_each_portion_can_be_unpacked_at_once)
{
	static const struct {
		const char *name;
		int level;
		unsigned int kinds; /* of bytes in the input */
		size_t rounds, length, records;
		size_t ratio_min, ratio_max;
	} cases[] = {
		{"what shrinks", 3, 4, 20, COMPRESS_PORTION, 1, 2, 1000},
		{"noise goes into several", 1, 256, 1, DISK_RECORD_MAX, 2, 1, 1},
		{"a portion of noise into one", 1, 256, 1, COMPRESS_PORTION, 1, 1, 1},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct compressor *compressor = compressor_create(cases[i].level);
		ZSTD_DCtx *stream = ZSTD_createDCtx();

		begin_case(cases[i].name);
		make_input(cases[i].kinds);
		for (size_t j = 0; j < cases[i].rounds; j++)
			assert_int_equal(pack(compressor, stream, cases[i].length - j),
					 cases[i].records);
		assert_in_range(compressor_ratio(compressor), cases[i].ratio_min,
				cases[i].ratio_max);
		ZSTD_freeDCtx(stream);
		compressor_destroy(compressor);
	}
}

UNIT_MAIN(NULL, NULL)
