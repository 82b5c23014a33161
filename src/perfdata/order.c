/*
 * Each ring is in order by itself, so what comes is made of few ascending runs, which lie one
 * behind the other in blocks. They are not sorted but merged while they are taken. The last run
 * grows until a piece comes that is older than its last, or until something is to be taken. A block
 * is in use as long as a piece of it is not taken, or it is the last one.
 */
#include "perfdata/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	ORDER_BYTES_MAX = 64 * 1024 * 1024,
	BLOCK_BYTES = 128 * 1024, /* several pieces */
	ALIGNMENT = 8
};

struct order_block {
	struct order_block *next; /* came after it; or of the list of spare ones */
	struct order_block *made_before;
	size_t used; /* bytes of the pieces */
	size_t left; /* pieces that are not taken */
	unsigned char bytes[BLOCK_BYTES];
};

struct order_run {
	struct order_block *block;
	size_t offset;          /* where the first piece that is not taken lies in the block */
	size_t left;            /* pieces that are not taken */
	uint64_t time_ns;       /* of the first */
	struct order_run *next; /* of the list of unused ones */
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
	while (order->runs.count > 0) {
		free(heap_top(&order->runs));
		heap_remove_top(&order->runs);
	}
	heap_fini(&order->runs);
	free(order->open);
	for (struct order_run *run = order->unused, *next; run; run = next) {
		next = run->next;
		free(run);
	}
	*order = (struct order){0};
}

static void spare(struct order *order, struct order_block *block)
{
	block->next = order->spare;
	order->spare = block;
	order->block_count--;
}

/* Nothing more is added to the open run: it can be taken. */
static void close_run(struct order *order)
{
	if (order->open)
		heap_add(&order->runs, order->open, order->open->time_ns);
	order->open = NULL;
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
	       order->runs.count * sizeof(struct order_run);
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
void *order_place(struct order *order, size_t size)
{
	struct order_block *last = order->last;

	assert(size <= ORDER_PIECE_MAX);
	if (last && last->left == 0)
		last->used = 0;
	if (!last || last->used + room_of(size) > BLOCK_BYTES) {
		order->last = take_block(order);
		if (last)
			last->next = order->last;
	}
	return order->last->bytes + order->last->used + sizeof(struct piece);
}

static void begin_run(struct order *order, uint64_t time_ns)
{
	struct order_run *run = order->unused;

	close_run(order);
	if (run)
		order->unused = run->next;
	else
		run = xrealloc(NULL, 1, sizeof(*run));
	*run = (struct order_run){
		.time_ns = time_ns,
		.block = order->last,
		.offset = order->last->used,
	};
	order->open = run;
}

void order_put(struct order *order, uint64_t time_ns, size_t size)
{
	const struct piece piece = {time_ns, size};
	struct order_block *last = order->last;
	const bool is_first = last->left == 0;
	const bool begins = !order->open || time_ns < order->open_ns;

	memcpy(last->bytes + last->used, &piece, sizeof(piece));
	if (begins)
		begin_run(order, time_ns);
	last->left++;
	last->used += room_of(size);
	order->open->left++;
	order->open_ns = time_ns;
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
	order->late += time_ns > 0 && time_ns < order->taken_ns;
	if (time_ns <= order->settled_ns)
		close_run(order);
	if ((begins || is_first) && order_bytes(order) >= order->most) {
		close_run(order);
		order->settled_ns = UINT64_MAX;
		order->is_forced = true;
	}
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

/* The first piece of the run on top is taken. */
static void advance_run(struct order *order, struct order_run *run, size_t room)
{
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
	if (run->left > 0) {
		memcpy(&run->time_ns, run->block->bytes + run->offset, sizeof(run->time_ns));
		heap_advance(&order->runs, run->time_ns);
		return;
	}
	heap_remove_top(&order->runs);
	run->next = order->unused;
	order->unused = run;
}

const void *order_take(struct order *order, uint64_t *time_ns, size_t *size)
{
	const unsigned char *place;
	struct order_run *run;
	struct piece piece;

	if (!order_is_ready(order))
		return NULL;
	run = heap_top(&order->runs);
	place = run->block->bytes + run->offset;
	memcpy(&piece, place, sizeof(piece));
	*time_ns = piece.time_ns;
	*size = (size_t)piece.size;
	if (piece.time_ns > order->taken_ns)
		order->taken_ns = piece.time_ns;
	advance_run(order, run, room_of(*size));
	if (!order_is_ready(order))
		unsettle(order);
	return place + sizeof(piece);
}
