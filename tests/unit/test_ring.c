/*
 * The ring reader on plain memory. `produce` does what the kernel does: it writes a
 * record at data_head, modulo the ring, and moves data_head on.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "kernel/ring.h"

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

void *__wrap_sys_map(int fd, size_t size, int *error_number);
int __wrap_sys_unmap(void *address, size_t size);

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
struct memory {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	size_t data_bytes;
	struct ring ring;
};

static void memory_init(struct memory *memory, size_t data_bytes, uint64_t position)
{
	unsigned char *bytes = calloc(1, PAGE + data_bytes);

	memory->page = (struct perf_event_mmap_page *)(void *)bytes;
	memory->data = bytes + PAGE;
	memory->data_bytes = data_bytes;
	memory->page->data_head = position;
	memory->page->data_tail = position;
	ring_attach(&memory->ring, bytes, data_bytes, PAGE);
}

static void memory_fini(struct memory *memory)
{
	ring_unmap(&memory->ring);
	free(memory->page);
}

static void put(struct memory *memory, uint64_t position, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		memory->data[(position + i) % memory->data_bytes] =
			((const unsigned char *)bytes)[i];
	}
}

/* Byte i of record number `mark`. */
static unsigned char pattern(unsigned int mark, size_t i)
{
	return (unsigned char)(mark * 31 + i * 7);
}

static void produce_sized(struct memory *memory, unsigned int mark, uint16_t header_size,
			  size_t size)
{
	struct perf_event_header header = {.type = mark, .size = header_size};
	uint64_t head = memory->page->data_head;

	put(memory, head, &header, sizeof(header));
	for (size_t i = sizeof(header); i < size; i++) {
		unsigned char byte = pattern(mark, i);

		put(memory, head + i, &byte, 1);
	}
	__atomic_store_n(&memory->page->data_head, head + size, __ATOMIC_RELEASE);
}

static void produce(struct memory *memory, unsigned int mark, uint16_t size)
{
	produce_sized(memory, mark, size, size);
}

static void assert_record(const void *bytes, size_t size, unsigned int mark, size_t expected_size)
{
	struct perf_event_header header;

	assert_int_equal(size, expected_size);
	memcpy(&header, bytes, sizeof(header));
	assert_int_equal(header.type, mark);
	for (size_t i = sizeof(header); i < size; i++)
		assert_int_equal(((const unsigned char *)bytes)[i], pattern(mark, i));
}

static void ring_next_record_at_every_offset_is_whole(void **state)
{
	for (uint64_t offset = 0; offset < PAGE; offset += 8) {
		struct memory memory;
		const void *bytes;
		size_t size;

		memory_init(&memory, PAGE, offset);
		produce(&memory, 7, RECORD);

		ring_begin(&memory.ring);
		bool found = ring_next(&memory.ring, &bytes, &size);

		assert_true(found);
		assert_record(bytes, size, 7, RECORD);
		assert_false(ring_next(&memory.ring, &bytes, &size));
		assert_int_equal(memory.ring.broken, 0);
		memory_fini(&memory);
	}
}

static void ring_next_largest_record_over_the_end_is_whole(void **state)
{
	const uint16_t largest = 65528;
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, 128 * 1024, 128 * 1024 - 8);
	produce(&memory, 3, largest);

	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));

	assert_record(bytes, size, 3, largest);
	memory_fini(&memory);
}

static void ring_next_record_that_fills_the_ring_is_whole(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 8);
	produce(&memory, 3, PAGE);

	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));

	assert_record(bytes, size, 3, PAGE);
	memory_fini(&memory);
}

static void ring_next_position_over_64_bits_goes_on(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, UINT64_MAX - 31);
	produce(&memory, 1, RECORD);
	produce(&memory, 2, RECORD);

	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));
	assert_record(bytes, size, 1, RECORD);
	assert_true(ring_next(&memory.ring, &bytes, &size));
	assert_record(bytes, size, 2, RECORD);

	assert_int_equal(memory.ring.broken, 0);
	memory_fini(&memory);
}

static void ring_next_empty_ring_has_nothing(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);

	ring_begin(&memory.ring);

	assert_false(ring_next(&memory.ring, &bytes, &size));
	memory_fini(&memory);
}

static void ring_next_record_after_begin_waits_for_the_next_begin(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	ring_begin(&memory.ring);
	produce(&memory, 5, RECORD);

	assert_false(ring_next(&memory.ring, &bytes, &size));
	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));

	memory_fini(&memory);
}

/* A header whose size is wrong, with `written` bytes published. */
static void assert_broken(uint16_t header_size, size_t written)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, PAGE - 16);
	produce(&memory, 1, RECORD);
	produce_sized(&memory, 2, header_size, written);

	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));
	assert_false(ring_next(&memory.ring, &bytes, &size));
	ring_end(&memory.ring);

	assert_int_equal(memory.ring.broken, 1);
	assert_int_equal(memory.page->data_tail, memory.page->data_head);

	/* what the kernel writes next is believed again */
	produce(&memory, 3, RECORD);
	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));
	assert_record(bytes, size, 3, RECORD);
	assert_int_equal(memory.ring.broken, 1);
	memory_fini(&memory);
}

static void ring_next_size_smaller_than_a_header_is_broken(void **state)
{
	for (uint16_t size = 0; size < 8; size++)
		assert_broken(size, RECORD);
}

static void ring_next_size_not_a_multiple_of_8_is_broken(void **state)
{
	for (uint16_t size = 9; size < 16; size++)
		assert_broken(size, RECORD);
}

static void ring_next_size_beyond_head_is_broken(void **state)
{
	assert_broken(RECORD + 8, RECORD);
	assert_broken(65528, RECORD);
	assert_broken(16, 8);
}

static void ring_begin_head_beyond_the_ring_is_broken(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	memory.page->data_head = PAGE + 8;

	ring_begin(&memory.ring);

	assert_false(ring_next(&memory.ring, &bytes, &size));
	assert_int_equal(memory.ring.broken, 1);
	memory_fini(&memory);
}

static void ring_begin_head_behind_position_is_broken(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 1024);
	memory.page->data_head = 512;

	ring_begin(&memory.ring);

	assert_false(ring_next(&memory.ring, &bytes, &size));
	assert_int_equal(memory.ring.broken, 1);
	assert_int_equal(memory.ring.position, 512);
	memory_fini(&memory);
}

static void ring_begin_unaligned_head_is_broken_and_never_read(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	memory.page->data_head += 3;

	ring_begin(&memory.ring);

	assert_false(ring_next(&memory.ring, &bytes, &size));
	assert_int_equal(memory.ring.broken, 1);
	assert_int_equal(memory.ring.position % 8, 0);
	memory_fini(&memory);
}

static void ring_attach_unaligned_tail_never_splits_a_header(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, PAGE - 4);
	memory.page->data_head = PAGE + 60;

	ring_begin(&memory.ring);

	assert_false(ring_next(&memory.ring, &bytes, &size));
	assert_int_equal(memory.ring.broken, 1);
	memory_fini(&memory);
}

static void ring_end_gives_back_only_what_was_returned(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	produce(&memory, 2, RECORD);
	ring_begin(&memory.ring);
	ring_next(&memory.ring, &bytes, &size);

	assert_int_equal(memory.page->data_tail, 0);
	ring_end(&memory.ring);

	assert_int_equal(memory.page->data_tail, RECORD);
	memory_fini(&memory);
}

static void ring_keep_last_returns_the_record_again(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	produce(&memory, 2, RECORD);
	ring_begin(&memory.ring);
	ring_next(&memory.ring, &bytes, &size);
	ring_next(&memory.ring, &bytes, &size);

	ring_keep_last(&memory.ring);

	assert_int_equal(memory.page->data_tail, RECORD);
	ring_begin(&memory.ring);
	assert_true(ring_next(&memory.ring, &bytes, &size));
	assert_record(bytes, size, 2, RECORD);
	assert_false(ring_next(&memory.ring, &bytes, &size));
	memory_fini(&memory);
}

static void ring_keep_last_before_any_record_keeps_the_place(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	ring_begin(&memory.ring);
	ring_next(&memory.ring, &bytes, &size);
	ring_end(&memory.ring);
	produce(&memory, 2, RECORD);
	ring_begin(&memory.ring);

	ring_keep_last(&memory.ring);

	assert_int_equal(memory.page->data_tail, RECORD);
	memory_fini(&memory);
}

static void ring_keep_last_after_a_broken_record_does_not_go_back(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	produce_sized(&memory, 2, 4, RECORD);
	ring_begin(&memory.ring);
	ring_next(&memory.ring, &bytes, &size);
	ring_next(&memory.ring, &bytes, &size);

	ring_keep_last(&memory.ring);

	assert_int_equal(memory.page->data_tail, memory.page->data_head);
	memory_fini(&memory);
}

static void ring_fill_bytes_counts_what_waits(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	produce(&memory, 2, RECORD);

	assert_int_equal(ring_fill_bytes(&memory.ring), 2 * RECORD);
	ring_begin(&memory.ring);
	ring_next(&memory.ring, &bytes, &size);
	assert_int_equal(ring_fill_bytes(&memory.ring), RECORD);
	memory.page->data_head = 1 << 20;
	assert_int_equal(ring_fill_bytes(&memory.ring), PAGE);
	memory_fini(&memory);
}

static void ring_room_bytes_is_given_back_by_the_end_only(void **state)
{
	struct memory memory;
	const void *bytes;
	size_t size;

	memory_init(&memory, PAGE, 0);
	produce(&memory, 1, RECORD);
	ring_begin(&memory.ring);
	ring_next(&memory.ring, &bytes, &size);

	assert_int_equal(ring_room_bytes(&memory.ring), PAGE - RECORD);
	ring_end(&memory.ring);
	assert_int_equal(ring_room_bytes(&memory.ring), PAGE);
	memory.page->data_head = 1 << 20;
	assert_int_equal(ring_room_bytes(&memory.ring), 0);
	memory_fini(&memory);
}

static void ring_unmapped_ring_is_empty(void **state)
{
	struct ring ring = {0};
	const void *bytes;
	size_t size;

	ring_begin(&ring);

	assert_false(ring_next(&ring, &bytes, &size));
	ring_end(&ring);
	ring_keep_last(&ring);
	assert_int_equal(ring_fill_bytes(&ring), 0);
	ring_unmap(&ring);
}

static void ring_map_refused_leaves_an_empty_ring(void **state)
{
	struct ring ring;
	int errno_value = 0;

	map_calls.errno_value = EPERM;

	assert_false(ring_map(&ring, 3, PAGE, PAGE, &errno_value));
	assert_int_equal(errno_value, EPERM);
	assert_null(ring.base);
	map_calls.errno_value = 0;
}

static void ring_map_takes_and_gives_back_page_and_data(void **state)
{
	struct ring ring;
	int errno_value = 0;

	map_calls.memory = calloc(1, PAGE + 2 * PAGE);

	assert_true(ring_map(&ring, 3, 2 * PAGE, PAGE, &errno_value));
	assert_int_equal(map_calls.mapped_bytes, 3 * PAGE);
	ring_unmap(&ring);

	assert_ptr_equal(map_calls.unmapped, map_calls.memory);
	assert_int_equal(map_calls.unmapped_bytes, 3 * PAGE);
	assert_null(ring.base);
	free(map_calls.memory);
}

enum {
	STREAM_RECORDS = 200000
};

/* Writes records of many sizes, numbered, and never over what the reader has not given back. */
static void *produce_stream(void *context)
{
	struct memory *memory = context;

	for (unsigned int i = 0; i < STREAM_RECORDS; i++) {
		uint16_t size = (uint16_t)(16 + i % 13 * 8);

		while (memory->page->data_head + size -
			       __atomic_load_n(&memory->page->data_tail, __ATOMIC_ACQUIRE) >
		       memory->data_bytes)
			sched_yield();
		produce(memory, i, size);
	}
	return NULL;
}

static void ring_next_against_a_writer_loses_and_tears_nothing(void **state)
{
	struct memory memory;
	pthread_t writer;
	const void *bytes;
	size_t size;
	unsigned int next = 0;

	memory_init(&memory, PAGE, 0);
	assert_int_equal(pthread_create(&writer, NULL, produce_stream, &memory), 0);

	while (next < STREAM_RECORDS) {
		ring_begin(&memory.ring);
		while (ring_next(&memory.ring, &bytes, &size)) {
			struct perf_event_header header;

			memcpy(&header, bytes, sizeof(header));
			if (header.type != next || size != 16 + next % 13 * 8 ||
			    ((const unsigned char *)bytes)[size - 1] != pattern(next, size - 1))
				fail_msg("record %u is torn", next);
			next++;
		}
		ring_end(&memory.ring);
	}

	pthread_join(writer, NULL);
	assert_int_equal(memory.ring.broken, 0);
	memory_fini(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ring_next_record_at_every_offset_is_whole),
		cmocka_unit_test(ring_next_largest_record_over_the_end_is_whole),
		cmocka_unit_test(ring_next_record_that_fills_the_ring_is_whole),
		cmocka_unit_test(ring_next_position_over_64_bits_goes_on),
		cmocka_unit_test(ring_next_empty_ring_has_nothing),
		cmocka_unit_test(ring_next_record_after_begin_waits_for_the_next_begin),
		cmocka_unit_test(ring_next_size_smaller_than_a_header_is_broken),
		cmocka_unit_test(ring_next_size_not_a_multiple_of_8_is_broken),
		cmocka_unit_test(ring_next_size_beyond_head_is_broken),
		cmocka_unit_test(ring_begin_head_beyond_the_ring_is_broken),
		cmocka_unit_test(ring_begin_head_behind_position_is_broken),
		cmocka_unit_test(ring_begin_unaligned_head_is_broken_and_never_read),
		cmocka_unit_test(ring_attach_unaligned_tail_never_splits_a_header),
		cmocka_unit_test(ring_end_gives_back_only_what_was_returned),
		cmocka_unit_test(ring_keep_last_returns_the_record_again),
		cmocka_unit_test(ring_keep_last_before_any_record_keeps_the_place),
		cmocka_unit_test(ring_keep_last_after_a_broken_record_does_not_go_back),
		cmocka_unit_test(ring_fill_bytes_counts_what_waits),
		cmocka_unit_test(ring_room_bytes_is_given_back_by_the_end_only),
		cmocka_unit_test(ring_unmapped_ring_is_empty),
		cmocka_unit_test(ring_map_refused_leaves_an_empty_ring),
		cmocka_unit_test(ring_map_takes_and_gives_back_page_and_data),
		cmocka_unit_test(ring_next_against_a_writer_loses_and_tears_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
