/*
 * Fuzz target: a ring whose records, head and tail are anything. The input is the tail, the head
 * and the bytes of the ring; every record that the reader hands out is read to its end.
 */
#include <linux/perf_event.h>

#include "kernel/ring.h"

#include "fuzz.h"

enum {
	PAGE_BYTES = 4096,
	RING_BYTES = 4096
};

static void drain(struct ring *ring)
{
	const void *bytes;
	size_t size;
	volatile unsigned char sum = 0; /* every byte is looked at, by a sanitizer, too */

	ring_begin(ring);
	while (ring_next(ring, &bytes, &size)) {
		require(size >= 8 && size % 8 == 0 && size <= ring->data_bytes);
		for (size_t i = 0; i < size; i++)
			sum = (unsigned char)(sum + ((const unsigned char *)bytes)[i]);
	}
	ring_fill_bytes(ring);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t positions[2];
	struct ring ring;

	if (size < sizeof(positions))
		return 0;

	unsigned char *memory = calloc(1, PAGE_BYTES + RING_BYTES);
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)(void *)memory;

	memcpy(positions, data, sizeof(positions));
	data += sizeof(positions);
	size -= sizeof(positions);
	memcpy(memory + PAGE_BYTES, data, size < RING_BYTES ? size : RING_BYTES);
	page->data_tail = positions[0];
	page->data_head = positions[1];

	ring_attach(&ring, memory, RING_BYTES, PAGE_BYTES);
	drain(&ring);
	ring_keep_last(&ring);
	page->data_head += size;
	drain(&ring);
	ring_end(&ring);
	require(page->data_tail == ring.position);
	ring_unmap(&ring);
	free(memory);
	return 0;
}
