#ifndef PERFTOP_KERNEL_RING_H
#define PERFTOP_KERNEL_RING_H

/*
 * A reader of the ring that perf_event_open(2) maps: one page of metadata, then 2^n pages of
 * records.
 *
 *	ring_begin(&ring);
 *	while (ring_next(&ring, &bytes, &size))
 *		...                  bytes are good until the next ring_next() or ring_end()
 *	ring_end(&ring);             gives the space back to the kernel
 *
 * The kernel publishes with a release store of data_head, we with one of data_tail. A
 * record that wraps is copied into a side buffer. Sizes are input like any other: one that
 * cannot be is the end of what can be believed, `broken` counts it, and the reader goes on with
 * what the kernel writes next.
 *
 * The reader works on any memory laid out like a ring, which is how it is tested.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	void *base; /* metadata page; NULL: not mapped */
	unsigned char *data;
	size_t data_bytes;   /* power of two */
	size_t map_bytes;    /* what to unmap; 0: not ours */
	uint64_t position;   /* next byte to read */
	uint64_t head;       /* end of what ring_begin() saw */
	uint64_t last;       /* where the record returned last begins */
	uint64_t broken;     /* times a size was impossible */
	unsigned char *side; /* owned; a record that wraps */
};

/* Maps a ring of 2^order data pages on fd. False: not mapped, *errno_value says why. */
bool ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes, int *errno_value);
void ring_unmap(struct ring *ring);

/* The same on memory of the caller: metadata at base, data at base + page_bytes. */
void ring_attach(struct ring *ring, void *base, size_t data_bytes, size_t page_bytes);

/* Reads how far the kernel has written. */
void ring_begin(struct ring *ring);

/* After that: read no further than this position, the end of a record. */
void ring_stop_at(struct ring *ring, uint64_t position);

/*
 * The next whole record up to the head seen by ring_begin(): its first byte is that of the
 * perf_event_header, *size its length (at least 8, a multiple of 8). False when there is none.
 */
static inline bool ring_next(struct ring *ring, const void **bytes, size_t *size);

/* What begins at this position, and was returned since ring_begin(), is returned again. */
static inline void ring_return(struct ring *ring, uint64_t position)
{
	ring->position = position;
}

/* Gives the space of all records returned by ring_next() back to the kernel. */
void ring_end(struct ring *ring);

/* From beginning to end: gives all back unread. Returns how many records they were. */
size_t ring_drain(struct ring *ring);

/* Like ring_end(), but the record returned last is kept and will be returned again. */
void ring_keep_last(struct ring *ring);

/* Bytes that the kernel could still write now: everything after the last ring_end() is in use. */
size_t ring_room_bytes(const struct ring *ring);

/* Bytes waiting now, without ring_begin(). */
size_t ring_fill_bytes(const struct ring *ring);

/*
 * --- the hot path. Invariant: position <= head <= position + data_bytes, both multiples of 8, so
 * that the 8 bytes of a record's header never wrap.
 */

enum {
	RING_RECORD_ALIGN = 8
};

/* For ring_next(): skips what makes no sense; and puts together a record that wraps. */
void ring_skip_to_head(struct ring *ring);
const void *ring_join_record(struct ring *ring, size_t offset, size_t size);

static inline bool ring_next(struct ring *ring, const void **bytes, size_t *size)
{
	const size_t offset = (size_t)(ring->position & (ring->data_bytes - 1));
	const uint64_t left = ring->head - ring->position;
	uint16_t record_bytes; /* of struct perf_event_header the last member */

	if (left == 0)
		return false;
	__builtin_memcpy(&record_bytes,
			 ring->data + offset + RING_RECORD_ALIGN - sizeof(record_bytes),
			 sizeof(record_bytes));
	if (record_bytes < RING_RECORD_ALIGN || record_bytes % RING_RECORD_ALIGN != 0 ||
	    record_bytes > left) {
		ring_skip_to_head(ring);
		return false;
	}
	*size = record_bytes;
	*bytes = *size <= ring->data_bytes - offset ? ring->data + offset
						    : ring_join_record(ring, offset, *size);
	ring->last = ring->position;
	ring->position += *size;
	return true;
}

#endif
