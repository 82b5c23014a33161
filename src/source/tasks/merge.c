#include "source/tasks/merge.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/ring.h"

void merge_fini(struct merge *merge)
{
	free(merge->heap);
	*merge = (struct merge){0};
}

void merge_begin(struct merge *merge, uint64_t until_ns)
{
	merge->until_ns = until_ns;
	merge->count = merge->added = 0;
	merge->top_was_used = false;
}

static bool is_before(const struct merge_strand *a, const struct merge_strand *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->rank < b->rank;
}

static void ctx_switch(struct merge_strand *a, struct merge_strand *b)
{
	const struct merge_strand kept = *a;

	*a = *b;
	*b = kept;
}

static void sift_down(struct merge *merge, size_t i)
{
	struct merge_strand *heap = merge->heap;

	for (;;) {
		size_t first = i, left = 2 * i + 1, right = 2 * i + 2;

		if (left < merge->count && is_before(&heap[left], &heap[first]))
			first = left;
		if (right < merge->count && is_before(&heap[right], &heap[first]))
			first = right;
		if (first == i)
			return;
		ctx_switch(&heap[i], &heap[first]);
		i = first;
	}
}

static void sift_up(struct merge *merge, size_t i)
{
	while (i > 0 && is_before(&merge->heap[i], &merge->heap[(i - 1) / 2])) {
		ctx_switch(&merge->heap[i], &merge->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

static bool fetch(const struct merge *merge, struct merge_strand *strand,
		  const struct sample_offsets *offsets)
{
	if (!ring_next(strand->ring, &strand->bytes, &strand->size))
		return false;
	strand->time_ns = decode_peek_time(strand->bytes, strand->size, offsets);
	if (strand->time_ns <= merge->until_ns)
		return true;
	ring_keep_last(strand->ring);
	return false;
}

/* The strand of the delivered record goes on to its next one, or leaves. */
static void advance(struct merge *merge, const struct sample_offsets *offsets)
{
	merge->top_was_used = false;
	if (!fetch(merge, &merge->heap[0], offsets))
		merge->heap[0] = merge->heap[--merge->count];
	sift_down(merge, 0);
}

void merge_add(struct merge *merge, struct ring *ring, void *owner,
	       const struct sample_offsets *offsets)
{
	struct merge_strand strand = {.ring = ring, .owner = owner, .rank = merge->added++};

	if (merge->top_was_used)
		advance(merge, offsets);
	if (!fetch(merge, &strand, offsets))
		return;
	array_reserve(&merge->heap, &merge->capacity, merge->count + 1, sizeof(*merge->heap));
	merge->heap[merge->count] = strand;
	sift_up(merge, merge->count++);
}

const struct merge_strand *merge_next(struct merge *merge, const struct sample_offsets *offsets)
{
	if (merge->top_was_used)
		advance(merge, offsets);
	if (merge->count == 0)
		return NULL;
	merge->top_was_used = true;
	return &merge->heap[0];
}
