#ifndef PERFTOP_SOURCE_ORDER_H
#define PERFTOP_SOURCE_ORDER_H

/*
 * Puts things in order by time: blocks of bytes, each with its time; of equal times the one that
 * came first is first. What has no time (0) is before everything else.
 *
 * perf record reads the rings of the CPUs one after the other, in rounds: what is in one round may
 * be older than what is in it before, but not older than all of the round before the last. So when
 * a round ends, what is not newer than the newest at the end of the last one can be given out.
 *
 * Memory is bounded: where a round does not end in time the older half is given out all the same.
 * What comes later and is older than that is given out at once, and counted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order_entry {
	uint64_t time_ns;
	size_t offset, size; /* of the bytes */
};

struct order {
	struct order_entry *entries; /* owned; [first, settled) are in order and can be taken */
	struct order_entry *spare;   /* owned; as many, for sorting */
	size_t first, settled, count, capacity, spare_capacity;
	struct order_entry *late_ones; /* owned; to be taken before all of the above */
	size_t late_first, late_count, late_capacity;
	unsigned char *bytes; /* owned */
	size_t used, bytes_capacity, most;
	size_t wasted;        /* late ones that were taken, and whose bytes are still there */
	uint64_t newest_ns;   /* of all */
	uint64_t complete_ns; /* nothing older is still to come, as far as rounds tell */
	uint64_t taken_ns;    /* the newest that was given out */
	uint64_t late;        /* came after newer ones had been given out */
	uint64_t forced;      /* times that memory did not suffice for a round */
	bool is_forced, is_ended;
};

/* most: bytes that are kept at a time; 0: as many as usual. */
void order_init(struct order *order, size_t most);
void order_fini(struct order *order);

/* Forgets everything. */
void order_clear(struct order *order);

/* The bytes are copied, to an 8-aligned place. What order_take() gave is not good any more. */
void order_put(struct order *order, uint64_t time_ns, const void *bytes, size_t size);

/* A round has ended. */
void order_round(struct order *order);

/* Nothing more will come. */
void order_end(struct order *order);

/* There is something to take. */
static inline bool order_is_ready(const struct order *order)
{
	return order->late_first < order->late_count || order->first < order->settled;
}

/* The next one, good until the next order_put() or order_round(); NULL: none for now. */
const void *order_take(struct order *order, uint64_t *time_ns, size_t *size);

#endif
