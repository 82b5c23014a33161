/*
 * A reader of perf's ring. Positions are bytes since the ring began and never wrap in practice; an
 * access is taken modulo data_bytes. A 32-bit kernel's data_head does wrap, so it is taken as a
 * distance from the position.
 */

#include "kernel/ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"
#include "kernel/sys.h"

enum {
	RECORD_BYTES_MAX = 1 << 16 /* perf_event_header.size has 16 bits */
};

static_assert(offsetof(struct perf_event_mmap_page, data_head) == 1024,
	      "the ring's positions stand behind the first KiB");
static_assert(sizeof(struct perf_event_header) == RING_RECORD_ALIGN &&
		      offsetof(struct perf_event_header, size) ==
			      RING_RECORD_ALIGN - sizeof(uint16_t),
	      "a header is one unit of the ring, with the size at its end");

bool ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes, int *errno_value)
{
	void *base = sys_map(fd, page_bytes + data_bytes, errno_value);

	if (!base) {
		*ring = (struct ring){0};
		return false;
	}
	ring_attach(ring, base, data_bytes, page_bytes);
	ring->map_bytes = page_bytes + data_bytes;
	return true;
}

void ring_unmap(struct ring *ring)
{
	if (ring->map_bytes > 0)
		sys_unmap(ring->base, ring->map_bytes);
	free(ring->side);
	*ring = (struct ring){0};
}

void ring_attach(struct ring *ring, void *base, size_t data_bytes, size_t page_bytes)
{
	const struct perf_event_mmap_page *page = base;

	*ring = (struct ring){
		.base = base,
		.data = (unsigned char *)base + page_bytes,
		.data_bytes = data_bytes,
		.position = page->data_tail,
	};
	ring->head = ring->position;
	ring->last = ring->position;
}

static uint64_t load_head(const struct ring *ring)
{
	const struct perf_event_mmap_page *page = ring->base;

	/* Pairs with the kernel's barrier before it moves data_head: the records below are whole.
	 */
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	return ring->position + (size_t)(head - ring->position);
}

static void store_tail(const struct ring *ring)
{
	struct perf_event_mmap_page *page = ring->base;

	/* The line is shared with the writing CPU: do not touch it for nothing. */
	if (page->data_tail != ring->position)
		__atomic_store_n(&page->data_tail, ring->position, __ATOMIC_RELEASE);
}

void ring_skip_to_head(struct ring *ring)
{
	ring->broken++;
	ring->position = ring->head;
	ring->last = ring->head;
}

void ring_begin(struct ring *ring)
{
	if (!ring->base)
		return;

	uint64_t head = load_head(ring);
	bool aligned = (head | ring->position) % RING_RECORD_ALIGN == 0;

	ring->last = ring->position;
	ring->head = head - head % RING_RECORD_ALIGN;
	if (!aligned || ring->head - ring->position > ring->data_bytes)
		ring_skip_to_head(ring);
}

void ring_stop_at(struct ring *ring, uint64_t position)
{
	if (position >= ring->position && position < ring->head)
		ring->head = position;
}

const void *ring_join_record(struct ring *ring, size_t offset, size_t size)
{
	size_t first = ring->data_bytes - offset;

	if (!ring->side) {
		size_t most =
			ring->data_bytes < RECORD_BYTES_MAX ? ring->data_bytes : RECORD_BYTES_MAX;

		ring->side = xcalloc(1, most);
	}
	memcpy(ring->side, ring->data + offset, first);
	memcpy(ring->side + first, ring->data, size - first);
	return ring->side;
}

void ring_end(struct ring *ring)
{
	if (ring->base)
		store_tail(ring);
}

size_t ring_drain(struct ring *ring)
{
	const void *bytes;
	size_t size, count = 0;

	ring_begin(ring);
	while (ring_next(ring, &bytes, &size))
		count++;
	ring_end(ring);
	return count;
}

void ring_keep_last(struct ring *ring)
{
	ring->position = ring->last;
	ring_end(ring);
}

size_t ring_room_bytes(const struct ring *ring)
{
	const struct perf_event_mmap_page *page = ring->base;

	if (!page)
		return 0;

	uint64_t taken = load_head(ring) - page->data_tail;

	return taken < ring->data_bytes ? ring->data_bytes - (size_t)taken : 0;
}

size_t ring_fill_bytes(const struct ring *ring)
{
	if (!ring->base)
		return 0;

	uint64_t fill = load_head(ring) - ring->position;

	return fill < ring->data_bytes ? (size_t)fill : ring->data_bytes;
}
