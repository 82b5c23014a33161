/*
 * Compressed recordings: one zstd stream, cut into records anywhere.
 */

#include <zstd.h>

#include "perfdata_kit.h"
#include "unit.h"

static unsigned char packed[KIT_MAX];

enum {
	COMPRESSED = 81,
	COMPRESSED2 = 83
};

/* `count` samples of the times 1, 2..., packed as one stream; returns its size. */
static size_t pack_samples(uint64_t count)
{
	kit_plain(0);
	for (uint64_t i = 1; i <= count; i++)
		kit_sample(&kit, i, i);

	size_t size = ZSTD_compress(packed, sizeof(packed), kit.bytes + kit.data_at,
				    kit.size - kit.data_at, 1);

	assert_false(ZSTD_isError(size));
	return size;
}

/* The stream, in records of at most `most` bytes of it. */
static void put_packed(size_t size, size_t most, uint32_t type)
{
	kit_plain(0);
	for (size_t at = 0; at < size; at += most) {
		size_t piece = size - at < most ? size - at : most;

		kit_record(&kit, type, 0);
		if (type == COMPRESSED2)
			kit_u64(&kit, piece);
		kit_bytes(&kit, packed + at, piece);
		if (type == COMPRESSED2)
			kit_bytes(&kit, "\xff\xff\xff\xff\xff\xff\xff", (8 - piece % 8) % 8);
		kit_end_record(&kit);
	}
	kit_end(&kit);
}

static void expect_samples(uint64_t count)
{
	for (uint64_t i = 1; i <= count; i++) {
		struct perfdata_record record = kit_next();

		assert_int_equal(record.time_ns, i);
		assert_int_equal(record.decoded->id.id, i);
		assert_int_equal((uintptr_t)record.bytes % 8, 0);
	}
}

UNIT_TEST(next_compressed_records_are_unpacked)
{
	static const size_t pieces[] = {1, 5, 4096, 65000};

	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		put_packed(pack_samples(50000), pieces[i], COMPRESSED);
		kit_read();
		expect_samples(50000);
		kit_expect_whole();
	}
}

UNIT_TEST(next_younger_compressed_records_are_unpacked)
{
	put_packed(pack_samples(1000), 13, COMPRESSED2);
	kit_read();
	expect_samples(1000);
	kit_expect_whole();
}

UNIT_TEST(next_compressed_records_can_be_read_again)
{
	struct perfdata_record record;

	put_packed(pack_samples(1000), 100, COMPRESSED);
	kit_read();
	for (int i = 0; i < 500; i++)
		assert_int_equal(perfdata_next(file, &record), PERFDATA_RECORD);
	assert_true(perfdata_rewind(file));
	expect_samples(1000);
}

UNIT_TEST(next_compressed_that_ends_early_says_so)
{
	size_t size = pack_samples(1000);
	struct perfdata_record record;
	uint64_t count = 0;

	put_packed(size - size / 4, 64, COMPRESSED);
	kit_read();
	while (perfdata_next(file, &record) == PERFDATA_RECORD)
		assert_int_equal(record.time_ns, ++count);
	assert_true(count < 1000);
}

UNIT_TEST(next_compressed_that_is_damaged_ends_the_reading)
{
	size_t size = pack_samples(1000);

	memset(packed, 0x55, size / 2);
	put_packed(size, 64, COMPRESSED);
	kit_read();
	kit_expect_cut("cannot be unpacked");
}

/* A few bytes that unpack to very many: only as many as there is room for at a time. */
UNIT_TEST(next_compressed_bomb_needs_no_room)
{
	struct kit_event event = KIT_PLAIN;
	unsigned char *zeros = calloc(1, 64 << 20);
	size_t size = ZSTD_compress(packed, sizeof(packed), zeros, 64 << 20, 1);

	free(zeros);
	kit_begin(&kit, &event, 1);
	put_packed(size, 60000, COMPRESSED);
	kit_read();
	kit_expect_cut("impossible size");
}

/* A record of the file itself may stand between two pieces of one that is packed. */
UNIT_TEST(next_plain_record_is_between_pieces)
{
	ZSTD_CCtx *stream = ZSTD_createCCtx();
	size_t sizes[2];

	kit_plain(0);
	kit_sample(&kit, 1, 1);
	kit_sample(&kit, 3, 3);

	ZSTD_inBuffer in = {kit.bytes + kit.data_at, 30, 0};
	ZSTD_outBuffer out = {packed, sizeof(packed), 0};

	ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush);
	sizes[0] = out.pos;
	in.size = 48;
	ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush);
	sizes[1] = out.pos - sizes[0];
	ZSTD_freeCCtx(stream);
	kit_plain(0);
	kit_record(&kit, COMPRESSED, 0);
	kit_bytes(&kit, packed, sizes[0]);
	kit_sample(&kit, 2, 2);
	kit_record(&kit, COMPRESSED, 0);
	kit_bytes(&kit, packed + sizes[0], sizes[1]);
	kit_read();
	expect_samples(3);
	kit_expect_whole();
	kit_close(NULL);

	/* Without the second piece a record is missing its end. */
	kit.data_size -= 8 + sizes[1];
	kit_header(&kit, kit.data_size);
	kit_read_as_it_is();
	expect_samples(2);
	kit_expect_cut("within a record");
}

/* One small record of the file may hold more than there is room for. */
UNIT_TEST(next_compressed_record_of_many_gives_all_of_them)
{
	kit_plain(0);
	for (int i = 0; i < 100000; i++)
		kit_sample(&kit, 7, 5);

	size_t size = ZSTD_compress(packed, sizeof(packed), kit.bytes + kit.data_at,
				    kit.size - kit.data_at, 1);

	assert_true(size < 60000);
	put_packed(size, size, COMPRESSED);
	kit_read();
	for (int i = 0; i < 100000; i++)
		assert_int_equal(kit_next().time_ns, 5);
	kit_expect_whole();
}

UNIT_MAIN(NULL, kit_close)
