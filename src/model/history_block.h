#ifndef PERFTOP_MODEL_HISTORY_BLOCK_H
#define PERFTOP_MODEL_HISTORY_BLOCK_H

/*
 * HISTORY_BLOCK entries of a history, packed: of each column the least number, and of each entry as
 * many bits as the greatest difference from it needs. A block never changes, and is freed when the
 * last history that has it releases it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history_open.h"

struct packed_column {
	uint64_t base;
	uint64_t mask; /* `bits` ones */
	size_t bits;   /* 0 to 56, or 64 */
	size_t offset; /* in data */
};

struct history_block {
	size_t references;
	size_t bytes;        /* of all this */
	uint64_t last_key;   /* no time in this block is later, and none in the blocks before */
	bool is_ordered;     /* by time, not only by key */
	size_t column_count; /* columns behind these are the encoded zero */
	unsigned char *data; /* in the same piece of memory */
	struct packed_column columns[];
};

/* Of the first HISTORY_BLOCK rows, which are there and in order. The caller has one reference. */
struct history_block *history_block_pack(const struct history_open *open);
void history_block_keep(struct history_block *block);
void history_block_drop(struct history_block *block);

/* The numbers in `count` rows from `from` on, not plus one any more. */
void history_block_numbers(const struct history_block *block, size_t from, size_t count,
			   size_t column, uint64_t *out);

size_t history_block_bytes_max(size_t columns);

#endif
