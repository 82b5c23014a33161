/*
 * Packing. The bits of a column's entries follow each other without a gap, lowest first. One of
 * them is had by one load of 8 bytes from where it begins, a shift and a mask; since it may begin
 * at any bit of a byte, it has 56 bits at the most, or else all 64. Behind each column there are
 * spare bytes, so that such a load (and the store) may go beyond its end.
 *
 * Rows are gone through in tiles that stay in the processor's nearest cache, column by column.
 */
#include "model/history_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/history.h"

enum {
	TILE = 64, /* rows; so each tile begins with a byte */
	BITS_MAX = 56,
	SPARE_BYTES = sizeof(uint64_t)
};

static uint64_t load(const unsigned char *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

/* One column of a tile. */
static void take_tile(const uint64_t *const *rows, size_t column, uint64_t *tile)
{
	for (size_t i = 0; i < TILE; i++)
		tile[i] = rows[i][column];
}

/* The least and the greatest of each column, into base and mask. */
static void find_ranges(const uint64_t *const *rows, struct packed_column *columns, size_t count)
{
	for (size_t c = 0; c < count; c++)
		columns[c].base = UINT64_MAX;
	for (size_t first = 0; first < HISTORY_BLOCK; first += TILE) {
		for (size_t c = 0; c < count; c++) {
			uint64_t least = columns[c].base, most = columns[c].mask;

			for (size_t i = 0; i < TILE; i++) {
				const uint64_t number = rows[first + i][c];

				least = number < least ? number : least;
				most = number > most ? number : most;
			}
			columns[c].base = least;
			columns[c].mask = most;
		}
	}
}

/* Gives the columns their bits and places. Returns the bytes that they take. */
static size_t place_columns(struct packed_column *columns, size_t count)
{
	size_t bytes = 0;

	for (size_t c = 0; c < count; c++) {
		struct packed_column *column = &columns[c];
		const uint64_t range = column->mask - column->base;

		column->bits = range ? 64 - (size_t)__builtin_clzll(range) : 0;
		if (column->bits > BITS_MAX)
			column->bits = 64;
		column->mask = column->bits ? UINT64_MAX >> (64 - column->bits) : 0;
		column->offset = bytes;
		bytes += HISTORY_BLOCK / 8 * column->bits + SPARE_BYTES;
	}
	return bytes;
}

static void put_tile(const struct packed_column *column, const uint64_t *tile, unsigned char *to)
{
	const uint64_t base = column->base;
	const size_t bits = column->bits;
	uint64_t word = 0; /* the bits that do not fill a byte yet, and those that come */
	size_t filled = 0;

	for (size_t i = 0; i < TILE; i++) {
		word |= (tile[i] - base) << filled;
		memcpy(to, &word, sizeof(word));
		filled += bits;
		to += filled / 8;
		/* In two steps, since it may be all 64. */
		word = word >> filled / 8 * 4 >> filled / 8 * 4;
		filled %= 8;
	}
}

static void put_all(struct history_block *block, const uint64_t *const *rows)
{
	for (size_t first = 0; first < HISTORY_BLOCK; first += TILE) {
		for (size_t c = 0; c < block->column_count; c++) {
			const struct packed_column *column = &block->columns[c];
			uint64_t tile[TILE];

			if (column->bits == 0)
				continue;
			take_tile(rows + first, c, tile);
			put_tile(column, tile,
				 block->data + column->offset + first / 8 * column->bits);
		}
	}
}

static bool times_are_ordered(const struct history_block *block)
{
	uint64_t times[TILE + 1] = {0};

	for (size_t first = 0; first < HISTORY_BLOCK; first += TILE) {
		times[0] = times[TILE];
		history_block_numbers(block, first, TILE, HISTORY_COLUMN_TIME_NS, times + 1);
		for (size_t i = 0; i < TILE; i++)
			if (times[i + 1] < times[i])
				return false;
	}
	return true;
}

struct history_block *history_block_pack(const struct history_open *open)
{
	const size_t count = open->columns;
	const size_t head = sizeof(struct history_block) + count * sizeof(struct packed_column);
	struct packed_column *columns = xcalloc(count, sizeof(*columns));
	const uint64_t *rows[HISTORY_BLOCK];

	for (size_t i = 0; i < HISTORY_BLOCK; i++)
		rows[i] = history_open_row(open, i);
	find_ranges(rows, columns, count);

	const size_t bytes = head + place_columns(columns, count);
	struct history_block *block = xcalloc(bytes, 1);
	*block = (struct history_block){
		.references = 1,
		.bytes = bytes,
		.last_key = open->order[HISTORY_BLOCK - 1].key,
		.column_count = count,
		.data = (unsigned char *)block + head,
	};
	memcpy(block->columns, columns, count * sizeof(*columns));
	free(columns);
	put_all(block, rows);
	block->is_ordered = times_are_ordered(block);
	return block;
}

void history_block_keep(struct history_block *block)
{
	block->references++;
}

void history_block_drop(struct history_block *block)
{
	if (--block->references == 0)
		free(block);
}

void history_block_numbers(const struct history_block *block, size_t from, size_t count,
			   size_t column, uint64_t *out)
{
	if (column >= block->column_count) {
		memset(out, 0, count * sizeof(*out));
		return;
	}

	const struct packed_column *packed = &block->columns[column];
	const unsigned char *data = block->data + packed->offset;
	const uint64_t base = packed->base - 1, mask = packed->mask;
	const size_t bits = packed->bits;
	size_t bit = from * bits;
	for (size_t i = 0; i < count; i++, bit += bits)
		out[i] = (load(data + bit / 8) >> bit % 8 & mask) + base;
}

size_t history_block_bytes_max(size_t columns)
{
	return sizeof(struct history_block) +
	       columns * (sizeof(struct packed_column) + HISTORY_BLOCK * sizeof(uint64_t) +
			  SPARE_BYTES);
}
