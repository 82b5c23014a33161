#ifndef PERFTOP_BASE_HEAP_H
#define PERFTOP_BASE_HEAP_H

/*
 * Merges sequences that are each ordered by time: holds the next time of each, the earliest on top.
 * Of equal times the sequence that was added first is on top. An empty heap is {0}.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_item {
	uint64_t time_ns;
	size_t rank;
	void *value; /* borrowed */
};

struct heap {
	struct heap_item *items; /* owned; count of them */
	size_t count, capacity;
	size_t added; /* since it was cleared */
	bool is_used; /* what is on top was returned by heap_next() and moves on at the next call */
};

void heap_fini(struct heap *heap);
void heap_clear(struct heap *heap);
void heap_add(struct heap *heap, void *value, uint64_t time_ns);

/* The value of the earliest item. The heap is not empty. */
static inline void *heap_top(const struct heap *heap)
{
	return heap->items[0].value;
}

/* The sequence on top continues at this time, or has ended. */
static inline void heap_advance(struct heap *heap, uint64_t time_ns);
void heap_remove_top(struct heap *heap);

/* For heap_advance(): moves the item on top to its place among several. */
void heap_sink_top(struct heap *heap);

static inline void heap_advance(struct heap *heap, uint64_t time_ns)
{
	heap->items[0].time_ns = time_ns;
	if (heap->count > 1)
		heap_sink_top(heap);
}

/* Whether the sequence goes on, and when. */
typedef bool heap_fetch(void *context, void *value, uint64_t *time_ns);

/* Adds the sequence if it has anything. */
static inline void heap_offer(struct heap *heap, heap_fetch *fetch, void *context, void *value)
{
	uint64_t time_ns;

	if (fetch(context, value, &time_ns))
		heap_add(heap, value, time_ns);
}

/* What heap_next() returned is no longer needed: its sequence goes on, or leaves. */
static inline void heap_move_on(struct heap *heap, heap_fetch *fetch, void *context)
{
	uint64_t time_ns;

	if (!heap->is_used)
		return;
	heap->is_used = false;
	if (fetch(context, heap_top(heap), &time_ns))
		heap_advance(heap, time_ns);
	else
		heap_remove_top(heap);
}

/* The sequence that is next, as it was fetched, until the next call. NULL: there is none. */
static inline void *heap_next(struct heap *heap, heap_fetch *fetch, void *context)
{
	heap_move_on(heap, fetch, context);
	heap->is_used = heap->count > 0;
	return heap->is_used ? heap_top(heap) : NULL;
}

#endif
