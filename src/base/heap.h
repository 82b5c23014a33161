#ifndef PERFTOP_BASE_HEAP_H
#define PERFTOP_BASE_HEAP_H

/*
 * Merges sequences that are each ordered by time: holds the next time of each, the earliest on top.
 * Of equal times the sequence that was added first is on top. An empty heap is {0}.
 */

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

#endif
