/* A binary heap: the children of item i are 2i + 1 and 2i + 2, and not before it. */
#include "base/heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

void heap_fini(struct heap *heap)
{
	free(heap->items);
	*heap = (struct heap){0};
}

void heap_clear(struct heap *heap)
{
	heap->count = heap->added = 0;
}

static bool is_before(const struct heap_item *a, const struct heap_item *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->rank < b->rank;
}

void heap_add(struct heap *heap, void *value, uint64_t time_ns)
{
	const struct heap_item item = {time_ns, heap->added++, value};
	size_t i = heap->count;

	array_reserve(&heap->items, &heap->capacity, heap->count + 1, sizeof(*heap->items));
	heap->count++;
	for (; i > 0 && is_before(&item, &heap->items[(i - 1) / 2]); i = (i - 1) / 2)
		heap->items[i] = heap->items[(i - 1) / 2];
	heap->items[i] = item;
}

/* Puts the item on top and lets it sink. */
static void sink(struct heap *heap, struct heap_item item)
{
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->count &&
		    is_before(&heap->items[child + 1], &heap->items[child]))
			child++;
		if (child >= heap->count || !is_before(&heap->items[child], &item))
			break;
		heap->items[i] = heap->items[child];
		i = child;
	}
	heap->items[i] = item;
}

void heap_sink_top(struct heap *heap)
{
	sink(heap, heap->items[0]);
}

void heap_remove_top(struct heap *heap)
{
	if (--heap->count > 0)
		sink(heap, heap->items[heap->count]);
}
