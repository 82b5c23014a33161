#ifndef PERFTOP_MODEL_HISTORY_ROWS_H
#define PERFTOP_MODEL_HISTORY_ROWS_H

/*
 * Entries of a history as rows of numbers: by enum history_field, and behind these the counts
 * vector without its builtin indexes. Every number is stored plus one, so that the unknown (all
 * bits set) is the least and not the greatest: it would take the most room when packed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history.h"

/*
 * The newest entries, not packed yet: rows, which never move, and beside them the order in which
 * they come, by key. Adding appends to the order; it is put right when it is read, since CPUs are
 * heard one after the other, thousands of entries of each.
 */
struct history_order {
	uint64_t key;
	uint32_t slot; /* of its row */
};

struct history_open {
	uint64_t *rows;              /* owned; `capacity` of `columns` numbers */
	struct history_order *order; /* owned; the same capacity */
	uint64_t *free;              /* owned; a bit for each slot; NULL in a copy */
	size_t free_from;            /* words of it before this one have no bit set */
	size_t columns;
	size_t capacity, count; /* a multiple of 64, but for a copy */
	size_t ordered;         /* so many of order[] are in order */
};

void history_open_init(struct history_open *open, size_t columns);
void history_open_fini(struct history_open *open);

/* To be read only. *copy must not own anything. */
void history_open_copy(struct history_open *copy, const struct history_open *open);

/* Rows have more columns from now on; those that are there have the encoded zero in them. */
void history_open_widen(struct history_open *open, size_t columns);

/*
 * Room for one row more, to be filled by the caller: it comes behind all with a key not greater.
 * Room is made for `max` rows at the most; there are fewer yet.
 */
uint64_t *history_open_add(struct history_open *open, uint64_t key, size_t max);

/* Puts all in order. What follows asks for that. */
void history_open_order(struct history_open *open);

static inline const uint64_t *history_open_row(const struct history_open *open, size_t index)
{
	return open->rows + open->order[index].slot * open->columns;
}
size_t history_open_not_above(const struct history_open *open, uint64_t key); /* how many */
void history_open_drop(struct history_open *open, size_t count); /* the first so many */

size_t history_open_bytes(const struct history_open *open);

/*
 * HISTORY_BLOCK entries, packed: of each column the least number, and of each entry as many bits as
 * the greatest difference from it needs. A block never changes, and is freed when the last history
 * that has it releases it.
 */
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

#endif
