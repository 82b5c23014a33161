/*
 * Each ring is in order by itself, so what comes is made of few ascending runs, which lie one
 * behind the other in blocks. They are not sorted but merged while they are taken: a heap has the
 * runs by their next pieces, and of the run that is in front piece after piece is taken as long as
 * no other one is before it. The last run grows until a piece comes that is older than its last, or
 * until something is to be taken.
 *
 * Invariant: `front` is before all runs of the heap; it is empty only when the heap is. A block is
 * in use as long as a piece of it is not taken, or it is the last one.
 */
#include "perfdata/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	ORDER_BYTES_MAX = 64 * 1024 * 1024,
	BLOCK_BYTES = 32 * 1024, /* several pieces */
	ALIGNMENT = 8
};

struct order_block {
	struct order_block *next; /* came after it; or of the list of spare ones */
	struct order_block *made_before;
	size_t used; /* bytes of the pieces */
	size_t left; /* pieces that are not taken */
	unsigned char bytes[BLOCK_BYTES];
};

/* In front of each piece. */
struct piece {
	uint64_t time_ns;
	uint64_t size;
};

static size_t room_of(size_t size)
{
	return sizeof(struct piece) + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void order_init(struct order *order, size_t most, size_t rounds)
{
	assert(rounds > 0 && rounds <= ORDER_ROUNDS_MAX);
	*order = (struct order){.most = most > 0 ? most : ORDER_BYTES_MAX, .rounds = rounds};
}

void order_fini(struct order *order)
{
	for (struct order_block *block = order->made, *next; block; block = next) {
		next = block->made_before;
		free(block);
	}
	free(order->heap);
	*order = (struct order){0};
}

static void spare(struct order *order, struct order_block *block)
{
	block->next = order->spare;
	order->spare = block;
	order->block_count--;
}

static bool is_before(const struct order_run *a, const struct order_run *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

/* Puts the run where one is missing on top. */
static void sift_down(struct order *order, const struct order_run *run)
{
	struct order_run *heap = order->heap;
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < order->waiting && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (child >= order->waiting || !is_before(&heap[child], run))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = *run;
}

static void add_waiting(struct order *order, const struct order_run *run)
{
	size_t i = order->waiting;

	array_reserve(&order->heap, &order->capacity, order->waiting + 1, sizeof(*order->heap));
	order->waiting++;
	for (; i > 0 && is_before(run, &order->heap[(i - 1) / 2]); i = (i - 1) / 2)
		order->heap[i] = order->heap[(i - 1) / 2];
	order->heap[i] = *run;
}

/* The run in front has gone on, or ended. */
static void change_front(struct order *order)
{
	const struct order_run front = order->front;

	if (order->waiting == 0 || (front.left > 0 && !is_before(&order->heap[0], &front)))
		return;
	order->front = order->heap[0];
	if (front.left > 0) {
		sift_down(order, &front);
	} else {
		order->waiting--;
		if (order->waiting > 0) {
			const struct order_run last = order->heap[order->waiting];

			sift_down(order, &last);
		}
	}
}

/* Nothing more is added to the open run: it can be taken. */
static void close_run(struct order *order)
{
	if (order->open.left == 0)
		return;
	if (order->front.left == 0) {
		order->front = order->open;
	} else {
		add_waiting(order, &order->open);
		change_front(order);
	}
	order->open.left = 0;
}

/* When all is taken that could be, what is older than that is late. */
static void unsettle(struct order *order)
{
	if (order->is_ended || order_is_ready(order))
		return;
	order->settled_ns = order->taken_ns;
	order->is_forced = false;
}

size_t order_bytes(const struct order *order)
{
	return order->block_count * sizeof(struct order_block) +
	       order->waiting * sizeof(*order->heap);
}

static struct order_block *take_block(struct order *order)
{
	struct order_block *block = order->spare;

	if (block) {
		order->spare = block->next;
	} else {
		block = xrealloc(NULL, 1, sizeof(*block));
		block->made_before = order->made;
		order->made = block;
	}
	block->next = NULL;
	block->used = block->left = 0;
	order->block_count++;
	return block;
}

/* More than that cannot be kept: what is oldest goes, until half of it is left. */
static void force(struct order *order)
{
	close_run(order);
	order->settled_ns = UINT64_MAX;
	order->is_forced = true;
	order->forced++;
}

static void see_to_memory(struct order *order)
{
	if (order_bytes(order) >= order->most)
		force(order);
}

static void begin_block(struct order *order)
{
	struct order_block *last = order->last;

	order->last = take_block(order);
	if (last)
		last->next = order->last;
}

void *order_place(struct order *order, size_t size)
{
	struct order_block *last = order->last;

	assert(size <= ORDER_PIECE_MAX);
	if (last && last->left == 0)
		last->used = 0;
	if (!last || last->used + room_of(size) > BLOCK_BYTES)
		begin_block(order);
	return order->last->bytes + order->last->used + sizeof(struct piece);
}

static void begin_run(struct order *order, uint64_t time_ns)
{
	close_run(order);
	order->open = (struct order_run){
		.time_ns = time_ns,
		.number = order->run_count++,
		.block = order->last,
		.offset = order->last->used,
	};
}

void order_put(struct order *order, uint64_t time_ns, size_t size)
{
	const struct piece piece = {time_ns, size};
	struct order_block *last = order->last;
	const bool is_first = last->left == 0;
	const bool begins = order->open.left == 0 || time_ns < order->open_ns;

	memcpy(last->bytes + last->used, &piece, sizeof(piece));
	if (begins)
		begin_run(order, time_ns);
	last->left++;
	last->used += room_of(size);
	order->open.left++;
	order->open_ns = time_ns;
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
	order->late += time_ns > 0 && time_ns < order->taken_ns;
	if (time_ns <= order->settled_ns)
		close_run(order);
	if (begins || is_first)
		see_to_memory(order);
}

void order_round(struct order *order)
{
	const size_t last = order->rounds - 1;

	close_run(order);
	if (order->round_ns[0] > order->settled_ns)
		order->settled_ns = order->round_ns[0];
	for (size_t i = 0; i < last; i++)
		order->round_ns[i] = order->round_ns[i + 1];
	order->round_ns[last] = order->newest_ns;
	unsettle(order);
}

void order_end(struct order *order)
{
	close_run(order);
	order->is_ended = true;
	order->settled_ns = UINT64_MAX;
}

/* What was too much is gone. */
static void relax(struct order *order)
{
	if (!order->is_forced || order_bytes(order) > order->most / 2)
		return;
	order->is_forced = false;
	order->settled_ns = order->is_ended ? UINT64_MAX : order->taken_ns;
}

/* The first piece of the run in front is taken. */
static void advance(struct order *order, size_t room)
{
	struct order_run *run = &order->front;
	struct order_block *block = run->block;

	run->left--;
	run->offset += room;
	block->left--;
	if (run->left > 0 && run->offset == block->used) {
		run->block = block->next;
		run->offset = 0;
	}
	if (block->left == 0 && block != order->last) {
		spare(order, block);
		relax(order);
	}
	if (run->left > 0)
		memcpy(&run->time_ns, run->block->bytes + run->offset, sizeof(run->time_ns));
	if (run->left == 0 || (order->waiting > 0 && is_before(&order->heap[0], run)))
		change_front(order);
}

const void *order_take(struct order *order, uint64_t *time_ns, size_t *size)
{
	const unsigned char *place;
	struct piece piece;

	if (!order_is_ready(order))
		return NULL;
	place = order->front.block->bytes + order->front.offset;
	memcpy(&piece, place, sizeof(piece));
	*time_ns = piece.time_ns;
	*size = (size_t)piece.size;
	if (piece.time_ns > order->taken_ns)
		order->taken_ns = piece.time_ns;
	advance(order, room_of(*size));
	if (!order_is_ready(order))
		unsettle(order);
	return place + sizeof(piece);
}
