/*
 * A reader of perf's ring. Positions are bytes since the ring began and never
 * wrap in practice; only an access is taken modulo data_bytes.
 *
 * Invariant: position <= head <= position + data_bytes, both multiples of 8, so that
 * the 8 bytes of a record's header never lie across the end of the ring.
 */

#include "kernel/ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"
#include "kernel/sys.h"

enum {
	RECORD_BYTES_MAX = 1 << 16, /* perf_event_header.size has 16 bits */
	RECORD_ALIGN = 8
};

static_assert(offsetof(struct perf_event_mmap_page, data_head) == 1024,
	      "the ring's positions stand behind the first KiB");
static_assert(sizeof(struct perf_event_header) == RECORD_ALIGN, "a header is one unit of the ring");

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
	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

static void store_tail(const struct ring *ring)
{
	struct perf_event_mmap_page *page = ring->base;

	/* The line is shared with the writing CPU: do not touch it for nothing. */
	if (page->data_tail != ring->position)
		__atomic_store_n(&page->data_tail, ring->position, __ATOMIC_RELEASE);
}

static void skip_to_head(struct ring *ring)
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
	bool aligned = (head | ring->position) % RECORD_ALIGN == 0;

	ring->last = ring->position;
	ring->head = head - head % RECORD_ALIGN;
	if (!aligned || ring->head - ring->position > ring->data_bytes)
		skip_to_head(ring);
}

/* A record that goes over the end of the ring, put together in the side buffer. */
static const void *join_record(struct ring *ring, size_t offset, size_t size)
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

uint64_t ring_word_at(const struct ring *ring, uint64_t position)
{
	uint64_t word;

	memcpy(&word, ring->data + (position & (ring->data_bytes - 1)), sizeof(word));
	return word;
}

bool ring_peek(const struct ring *ring, uint64_t *position, uint64_t *header)
{
	const uint64_t left = ring->head - *position;
	struct perf_event_header head;

	if (left == 0)
		return false;
	*header = ring_word_at(ring, *position);
	memcpy(&head, header, sizeof(head));
	*position += head.size;
	return head.size >= sizeof(head) && head.size % RECORD_ALIGN == 0 && head.size <= left;
}

bool ring_next(struct ring *ring, const void **bytes, size_t *size)
{
	const size_t offset = (size_t)(ring->position & (ring->data_bytes - 1));
	uint64_t behind = ring->position, header;

	if (ring->position == ring->head)
		return false;
	if (!ring_peek(ring, &behind, &header)) {
		skip_to_head(ring);
		return false;
	}
	*size = (size_t)(behind - ring->position);
	if (*size <= ring->data_bytes - offset)
		*bytes = ring->data + offset;
	else
		*bytes = join_record(ring, offset, *size);
	ring->last = ring->position;
	ring->position = behind;
	return true;
}

void ring_end(struct ring *ring)
{
	if (ring->base)
		store_tail(ring);
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
