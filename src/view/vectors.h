#ifndef PERFTOP_VIEW_VECTORS_H
#define PERFTOP_VIEW_VECTORS_H

/*
 * Counts vectors that live as long as one table: taken one by one, all given back at
 * once, and the memory used again for the next refresh. A vector never moves. An
 * empty store is {0}.
 */

#include <stddef.h>
#include <stdint.h>

struct vectors {
	uint64_t **blocks; /* owned */
	size_t block_count, block_capacity;
	size_t used;  /* vectors handed out */
	size_t width; /* numbers in a vector */
};

void vectors_fini(struct vectors *vectors);

/* Takes all vectors back; those handed out from here on have `width` numbers. */
void vectors_reset(struct vectors *vectors, size_t width);

uint64_t *vectors_take(struct vectors *vectors); /* zeros */
uint64_t *vectors_take_copy(struct vectors *vectors, const uint64_t *counts);

#endif
