#ifndef PERFTOP_PERFDATA_ORDER_H
#define PERFTOP_PERFDATA_ORDER_H

/*
 * Puts things in order by time: pieces of bytes, each with its time; of equal times the one that
 * came first is first. What has no time (0) is before everything else.
 *
 * perf record reads the rings of the CPUs one after the other, in rounds: what is in one round may
 * be older than what is in it before, but not older than all of the round before the last. So when
 * a round ends, what is not newer than the newest at the end of the last one can be given out. perf
 * does not always keep to that: a caller that can wait does so for more rounds.
 *
 * Memory is bounded: where a round does not end in time the older half is given out all the same.
 * What comes later and is older than what was given out is given out at once, and counted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"

struct order_block; /* bytes, in the order in which they came */
struct order_run;   /* pieces that came one after the other, none older than the one before */

enum {
	ORDER_ROUNDS_MAX = 4,
	ORDER_PIECE_MAX = 72 * 1024 /* bytes: more than the largest record */
};

struct order {
	struct heap runs; /* that are not taken whole, owned; the one with the next piece on top */
	struct order_run *open;              /* owned; still grows; NULL: there is none */
	struct order_run *unused;            /* owned; a list */
	uint64_t open_ns;                    /* of its last piece */
	struct order_block *made;            /* owned; a list of all blocks */
	struct order_block *last;            /* where the next piece goes; NULL: none yet */
	struct order_block *spare;           /* a list of those that are empty */
	size_t block_count;                  /* with pieces that are not taken, or `last` */
	size_t most;                         /* bytes */
	size_t rounds;                       /* that are waited for */
	uint64_t newest_ns;                  /* of all */
	uint64_t round_ns[ORDER_ROUNDS_MAX]; /* it was at the ends of the last rounds, oldest first
					      */
	uint64_t settled_ns;                 /* what is not newer can be taken */
	uint64_t taken_ns;                   /* the newest that was given out */
	uint64_t late;                       /* came after newer ones had been given out */
	bool is_forced, is_ended;
};

/*
 * most: bytes that are kept at a time; 0: as many as usual. rounds: that are waited for before a
 * piece is given out, 1 to ORDER_ROUNDS_MAX.
 */
void order_init(struct order *order, size_t most, size_t rounds);
void order_fini(struct order *order);

/*
 * A place, 8-aligned, for a piece of so many bytes (ORDER_PIECE_MAX) or less, until order_put().
 * What order_take() gave is not good any more.
 */
void *order_place(struct order *order, size_t size);

/* What was written to the place is a piece of this time, and so long. */
void order_put(struct order *order, uint64_t time_ns, size_t size);

/* A round has ended. */
void order_round(struct order *order);

/* Nothing more will come. */
void order_end(struct order *order);

/* There is something to take. */
static inline bool order_is_ready(const struct order *order)
{
	return order->runs.count > 0 && order->runs.items[0].time_ns <= order->settled_ns;
}

/* The next one, good until the next order_place(); NULL: none for now. */
const void *order_take(struct order *order, uint64_t *time_ns, size_t *size);

/* Bytes that are in use. */
size_t order_bytes(const struct order *order);

#endif
