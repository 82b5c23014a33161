/*
 * The ring reader on plain memory. `produce` does what the kernel does: it writes a
 * record at data_head, modulo the ring, and moves data_head on.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include <linux/perf_event.h>

#include "kernel/ring.h"

#include "unit.h"

enum {
	PAGE = 4096,
	RECORD = 64
};

static struct {
	void *memory;
	size_t mapped_bytes;
	void *unmapped;
	size_t unmapped_bytes;
	int errno_value;
} map_calls;

void *__wrap_sys_map(int fd, size_t size, int *error_number)
{
	map_calls.mapped_bytes = size;
	if (map_calls.errno_value != 0) {
		*error_number = map_calls.errno_value;
		return NULL;
	}
	return map_calls.memory;
}

int __wrap_sys_unmap(void *address, size_t size)
{
	map_calls.unmapped = address;
	map_calls.unmapped_bytes = size;
	return 0;
}

/* Memory of exactly the ring's size, so that a sanitizer sees every step outside. */
static struct {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	size_t data_bytes;
	struct ring ring;
} memory;

/* The record that was read last. */
static const void *bytes;
static size_t size;

static void memory_init(size_t data_bytes, uint64_t position)
{
	unsigned char *start = calloc(1, PAGE + data_bytes);

	memory.page = (struct perf_event_mmap_page *)(void *)start;
	memory.data = start + PAGE;
	memory.data_bytes = data_bytes;
	memory.page->data_head = position;
	memory.page->data_tail = position;
	ring_attach(&memory.ring, start, data_bytes, PAGE);
}

static int memory_fini(void **state)
{
	ring_unmap(&memory.ring);
	free(memory.page);
	memset(&memory, 0, sizeof(memory));
	return 0;
}

static void begin(void)
{
	ring_begin(&memory.ring);
}

static bool next(void)
{
	return ring_next(&memory.ring, &bytes, &size);
}

static void put(uint64_t position, const void *data, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memory.data[(position + i) % memory.data_bytes] = ((const unsigned char *)data)[i];
}

/* Byte i of record number `mark`. */
static unsigned char pattern(unsigned int mark, size_t i)
{
	return (unsigned char)(mark * 31 + i * 7);
}

static void produce_sized(unsigned int mark, uint16_t header_size, size_t written)
{
	struct perf_event_header header = {.type = mark, .size = header_size};
	uint64_t head = memory.page->data_head;

	put(head, &header, sizeof(header));
	for (size_t i = sizeof(header); i < written; i++) {
		unsigned char byte = pattern(mark, i);

		put(head + i, &byte, 1);
	}
	__atomic_store_n(&memory.page->data_head, head + written, __ATOMIC_RELEASE);
}

static void produce(unsigned int mark, uint16_t record_size)
{
	produce_sized(mark, record_size, record_size);
}

static void assert_record(unsigned int mark, size_t expected_size)
{
	struct perf_event_header header;

	assert_int_equal(size, expected_size);
	memcpy(&header, bytes, sizeof(header));
	assert_int_equal(header.type, mark);
	for (size_t i = sizeof(header); i < size; i++)
		assert_int_equal(((const unsigned char *)bytes)[i], pattern(mark, i));
}

UNIT_TEST(ring_next_record_at_every_offset_is_whole)
{
	for (uint64_t offset = 0; offset < PAGE; offset += 8) {
		memory_init(PAGE, offset);
		produce(7, RECORD);
		begin();
		assert_true(next());
		assert_record(7, RECORD);
		assert_false(next());
		assert_int_equal(memory.ring.broken, 0);
		memory_fini(NULL);
	}
}

UNIT_TEST(ring_next_record_of_any_size_is_whole)
{
	static const struct {
		const char *name;
		size_t data_bytes;
		uint64_t position;
		uint16_t size;
		unsigned int count;
	} cases[] = {
		{"the largest, over the end", 128 * 1024, 128 * 1024 - 8, 65528, 1},
		{"one that fills the ring", PAGE, 8, PAGE, 1},
		{"a position over 64 bits", PAGE, UINT64_MAX - 31, RECORD, 2},
		{"none", PAGE, 0, RECORD, 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		memory_init(cases[i].data_bytes, cases[i].position);
		for (unsigned int mark = 1; mark <= cases[i].count; mark++)
			produce(mark, cases[i].size);
		begin();
		for (unsigned int mark = 1; mark <= cases[i].count; mark++) {
			assert_true(next());
			assert_record(mark, cases[i].size);
		}
		produce(9, RECORD); /* it waits for the next begin */
		assert_false(next());
		assert_int_equal(memory.ring.broken, 0);
		memory_fini(NULL);
	}
}

UNIT_TEST(ring_next_head_that_wraps_as_a_long_does_goes_on)
{
	memory_init(PAGE, SIZE_MAX - RECORD - 7);
	for (unsigned int mark = 1; mark <= 3; mark++) {
		produce(mark, RECORD);
		memory.page->data_head = (size_t)memory.page->data_head;
		begin();
		assert_int_equal(ring_fill_bytes(&memory.ring), RECORD);
		assert_int_equal(ring_room_bytes(&memory.ring), PAGE - RECORD);
		assert_true(next());
		assert_record(mark, RECORD);
		assert_false(next());
		ring_end(&memory.ring);
		assert_int_equal((size_t)memory.page->data_tail, memory.page->data_head);
	}
	assert_int_equal(memory.ring.broken, 0);
}

/* A header whose size is wrong, with `written` bytes published. */
static void assert_broken(uint16_t header_size, size_t written)
{
	memory_init(PAGE, PAGE - 16);
	produce(1, RECORD);
	produce_sized(2, header_size, written);

	begin();
	assert_true(next());
	assert_false(next());
	ring_end(&memory.ring);

	assert_int_equal(memory.ring.broken, 1);
	assert_int_equal(memory.page->data_tail, memory.page->data_head);

	/* what the kernel writes next is believed again */
	produce(3, RECORD);
	begin();
	assert_true(next());
	assert_record(3, RECORD);
	assert_int_equal(memory.ring.broken, 1);
	memory_fini(NULL);
}

UNIT_TEST(ring_next_impossible_size_is_broken)
{
	for (uint16_t i = 0; i < 8; i++)
		assert_broken(i, RECORD);
	for (uint16_t i = 9; i < 16; i++)
		assert_broken(i, RECORD);
	assert_broken(RECORD + 8, RECORD);
	assert_broken(65528, RECORD);
	assert_broken(16, 8);
}

UNIT_TEST(ring_begin_impossible_head_is_broken_and_nothing_is_read)
{
	static const struct {
		const char *name;
		uint64_t tail, head, position; /* afterwards */
	} cases[] = {
		{"beyond the ring", 0, PAGE + 8, PAGE + 8},
		{"behind the position", 1024, 512, 512},
		{"unaligned", 0, RECORD + 3, RECORD},
		{"the tail unaligned", PAGE - 4, PAGE + 60, PAGE + 56},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		memory_init(PAGE, cases[i].tail);
		memory.page->data_head = cases[i].head;
		begin();
		assert_false(next());
		assert_int_equal(memory.ring.broken, 1);
		assert_int_equal((size_t)memory.ring.position, cases[i].position);
		memory_fini(NULL);
	}
}

UNIT_TEST(ring_end_gives_back_only_what_was_returned)
{
	memory_init(PAGE, 0);
	produce(1, RECORD);
	produce(2, RECORD);
	assert_int_equal(ring_fill_bytes(&memory.ring), 2 * RECORD);
	begin();
	next();

	assert_int_equal(ring_fill_bytes(&memory.ring), RECORD);
	assert_int_equal(memory.page->data_tail, 0);
	assert_int_equal(ring_room_bytes(&memory.ring), PAGE - 2 * RECORD);
	ring_end(&memory.ring);
	assert_int_equal(memory.page->data_tail, RECORD);
	assert_int_equal(ring_room_bytes(&memory.ring), PAGE - RECORD);
	memory.page->data_head = 1 << 20;
	assert_int_equal(ring_fill_bytes(&memory.ring), PAGE);
	assert_int_equal(ring_room_bytes(&memory.ring), 0);
}

UNIT_TEST(ring_drain_gives_all_back)
{
	memory_init(PAGE, 0);
	produce(1, RECORD);
	produce(2, RECORD);

	assert_int_equal(ring_drain(&memory.ring), 2);
	assert_int_equal(memory.page->data_tail, 2 * RECORD);
	assert_int_equal(ring_drain(&memory.ring), 0);
}

UNIT_TEST(ring_keep_last_returns_the_record_again)
{
	memory_init(PAGE, 0);
	produce(1, RECORD);
	begin();
	next();
	ring_end(&memory.ring);
	produce(2, RECORD);
	begin();
	ring_keep_last(&memory.ring); /* none was returned: the place is kept */
	assert_int_equal(memory.page->data_tail, RECORD);
	begin();
	next();
	ring_keep_last(&memory.ring);
	assert_int_equal(memory.page->data_tail, RECORD);
	begin();
	assert_true(next());
	assert_record(2, RECORD);
	assert_false(next());

	/* not behind a broken one */
	produce_sized(3, 4, RECORD);
	begin();
	next();
	ring_keep_last(&memory.ring);
	assert_int_equal(memory.page->data_tail, memory.page->data_head);
}

UNIT_TEST(ring_map_takes_and_gives_back_page_and_data)
{
	struct ring ring;
	int errno_value = 0;

	map_calls.errno_value = EPERM;
	assert_false(ring_map(&ring, 3, PAGE, PAGE, &errno_value));
	assert_int_equal(errno_value, EPERM);
	assert_null(ring.base);

	map_calls.errno_value = 0;
	map_calls.memory = calloc(1, PAGE + 2 * PAGE);
	assert_true(ring_map(&ring, 3, 2 * PAGE, PAGE, &errno_value));
	assert_int_equal(map_calls.mapped_bytes, 3 * PAGE);
	ring_unmap(&ring);
	assert_ptr_equal(map_calls.unmapped, map_calls.memory);
	assert_int_equal(map_calls.unmapped_bytes, 3 * PAGE);
	assert_null(ring.base);
	free(map_calls.memory);
}

UNIT_TEST(ring_unmapped_ring_is_empty)
{
	struct ring ring = {0};

	ring_begin(&ring);

	assert_false(ring_next(&ring, &bytes, &size));
	ring_end(&ring);
	ring_keep_last(&ring);
	assert_int_equal(ring_fill_bytes(&ring), 0);
	ring_unmap(&ring);
}

enum {
#ifdef PERFTOP_SANITIZED
	STREAM_RECORDS = 50000
#else
	STREAM_RECORDS = 200000
#endif
};

/* Writes records of many sizes, numbered, and never over what the reader has not given back. */
static void *produce_stream(void *context)
{
	for (unsigned int i = 0; i < STREAM_RECORDS; i++) {
		uint16_t length = (uint16_t)(16 + i % 13 * 8);

		while (memory.page->data_head + length -
			       __atomic_load_n(&memory.page->data_tail, __ATOMIC_ACQUIRE) >
		       memory.data_bytes)
			sched_yield();
		produce(i, length);
	}
	return NULL;
}

UNIT_TEST(ring_next_against_a_writer_loses_and_tears_nothing)
{
	pthread_t writer;
	unsigned int expected = 0;

	memory_init(PAGE, 0);
	assert_int_equal(pthread_create(&writer, NULL, produce_stream, NULL), 0);

	while (expected < STREAM_RECORDS) {
		begin();
		while (next()) {
			struct perf_event_header header;

			memcpy(&header, bytes, sizeof(header));
			if (header.type != expected || size != 16 + expected % 13 * 8 ||
			    ((const unsigned char *)bytes)[size - 1] != pattern(expected, size - 1))
				fail_msg("record %u is torn", expected);
			expected++;
		}
		ring_end(&memory.ring);
	}

	pthread_join(writer, NULL);
	assert_int_equal(memory.ring.broken, 0);
}

UNIT_MAIN(NULL, memory_fini)
