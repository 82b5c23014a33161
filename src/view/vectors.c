/*
 * Vectors are cut from blocks of equal size. Blocks are kept from refresh to refresh,
 * so that a table of steady size allocates nothing; only another width frees them.
 */

#include "view/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	VECTORS_PER_BLOCK = 128
};

void vectors_fini(struct vectors *vectors)
{
	for (size_t i = 0; i < vectors->block_count; i++)
		free(vectors->blocks[i]);
	free(vectors->blocks);
	*vectors = (struct vectors){0};
}

void vectors_reset(struct vectors *vectors, size_t width)
{
	if (vectors->width != width)
		vectors_fini(vectors);
	vectors->width = width;
	vectors->used = 0;
}

static uint64_t *take(struct vectors *vectors)
{
	size_t block = vectors->used / VECTORS_PER_BLOCK;

	if (block == vectors->block_count) {
		array_reserve(&vectors->blocks, &vectors->block_capacity, block + 1,
			      sizeof(*vectors->blocks));
		vectors->blocks[vectors->block_count++] =
			xcalloc(VECTORS_PER_BLOCK * vectors->width, sizeof(uint64_t));
	}
	return vectors->blocks[block] + (vectors->used++ % VECTORS_PER_BLOCK) * vectors->width;
}

uint64_t *vectors_take(struct vectors *vectors)
{
	uint64_t *counts = take(vectors);

	memset(counts, 0, vectors->width * sizeof(*counts));
	return counts;
}

uint64_t *vectors_take_copy(struct vectors *vectors, const uint64_t *counts)
{
	uint64_t *copy = take(vectors);

	memcpy(copy, counts, vectors->width * sizeof(*copy));
	return copy;
}
