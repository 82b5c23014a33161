/*
 * Rows in slots, and their order. The lowest free slot is used first, so that rows that come one
 * after the other mostly lie so, and that after a crowd few pages are in use again: slots that were
 * used again in the order in which their rows went would be scattered over all of them in a minute.
 * The order is a list of (key, slot) of which the first `ordered` are in order and the rest as they
 * came.
 *
 * What came is made of runs that are in order already (a CPU's entries since it was last heard), so
 * it is sorted by merging runs: each entry is moved once for each doubling of the number of CPUs.
 * Merging is stable: equal keys stay in the order of their adding.
 *
 * Packing: the bits of a column's entries follow each other without a gap, lowest first. One of
 * them is had by one load of 8 bytes from where it begins, a shift and a mask; since it may begin
 * at any bit of a byte, it has 56 bits at the most, or else all 64. Behind each column there are
 * spare bytes, so that such a load (and the store) may go beyond its end.
 *
 * Rows are gone through in tiles that stay in the processor's nearest cache, column by column.
 */
#include "model/history_rows.h"

#include <assert.h>
#include <endian.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	FIRST_ROWS = 1024,
	ROWS_KEPT = 1 << 14, /* not worth giving back */
	TILE = 64,           /* rows that are packed at once; so each tile begins with a byte */
	BITS_MAX = 56,
	WORD = 64, /* slots that a word of history_open.free has */
	SPARE_BYTES = sizeof(uint64_t)
};

void history_open_init(struct history_open *open, size_t columns)
{
	*open = (struct history_open){.columns = columns};
}

void history_open_fini(struct history_open *open)
{
	free(open->rows);
	free(open->order);
	free(open->free);
	*open = (struct history_open){0};
}

static uint64_t *row_in(const struct history_open *open, size_t slot)
{
	return open->rows + slot * open->columns;
}

void history_open_copy(struct history_open *copy, const struct history_open *open)
{
	const size_t row_bytes = open->columns * sizeof(*open->rows);

	history_open_init(copy, open->columns);
	copy->capacity = copy->count = open->count;
	copy->ordered = open->ordered;
	copy->rows = xcalloc(open->count, row_bytes);
	copy->order = xcalloc(open->count, sizeof(*copy->order));
	for (size_t i = 0; i < open->count; i++) {
		copy->order[i] = (struct history_order){open->order[i].key, (uint32_t)i};
		memcpy(row_in(copy, i), row_in(open, open->order[i].slot), row_bytes);
	}
}

void history_open_widen(struct history_open *open, size_t columns)
{
	uint64_t *rows;

	if (columns <= open->columns)
		return;
	rows = xcalloc(open->capacity, columns * sizeof(*rows));
	for (size_t i = 0; i < open->count; i++) {
		uint64_t *row = rows + open->order[i].slot * columns;

		memcpy(row, row_in(open, open->order[i].slot), open->columns * sizeof(*rows));
		for (size_t c = open->columns; c < columns; c++)
			row[c] = 1;
	}
	free(open->rows);
	open->rows = rows;
	open->columns = columns;
}

static void grow(struct history_open *open, size_t max)
{
	size_t capacity = open->capacity ? open->capacity * 2 : FIRST_ROWS;

	if (capacity > max)
		capacity = max;
	assert(capacity > open->count);
	open->rows = xrealloc(open->rows, capacity, open->columns * sizeof(*open->rows));
	open->order = xrealloc(open->order, capacity, sizeof(*open->order));
	open->free = xrealloc(open->free, capacity / WORD, sizeof(*open->free));
	memset(open->free + open->capacity / WORD, 0xff, (capacity - open->capacity) / CHAR_BIT);
	open->capacity = capacity;
}

static bool has_free_half(const struct history_open *open)
{
	for (size_t i = open->capacity / 2 / WORD; i < open->capacity / WORD; i++)
		if (open->free[i] != UINT64_MAX)
			return false;
	return true;
}

/* What a crowd had needed is given back. */
static void shrink(struct history_open *open)
{
	const size_t capacity = open->capacity / 2;

	if (capacity % (2 * WORD) != 0 || capacity < ROWS_KEPT || open->count > capacity / 2 ||
	    !has_free_half(open))
		return;
	open->rows = xrealloc(open->rows, capacity, open->columns * sizeof(*open->rows));
	open->order = xrealloc(open->order, capacity, sizeof(*open->order));
	open->free = xrealloc(open->free, capacity / WORD, sizeof(*open->free));
	open->capacity = capacity;
}

/* The lowest one that is free; there is one. */
static uint32_t take_slot(struct history_open *open)
{
	while (open->free[open->free_from] == 0)
		open->free_from++;

	uint64_t *word = &open->free[open->free_from];
	const size_t bit = (size_t)__builtin_ctzll(*word);
	*word &= *word - 1;
	return (uint32_t)(open->free_from * WORD + bit);
}

static void free_slot(struct history_open *open, size_t slot)
{
	open->free[slot / WORD] |= UINT64_C(1) << slot % WORD;
	if (open->free_from > slot / WORD)
		open->free_from = slot / WORD;
}

uint64_t *history_open_add(struct history_open *open, uint64_t key, size_t max)
{
	if (open->count == open->capacity)
		grow(open, max);

	const size_t at = open->count++;
	const uint32_t slot = take_slot(open);
	open->order[at] = (struct history_order){.key = key, .slot = slot};
	if (open->ordered == at && (at == 0 || open->order[at - 1].key <= key))
		open->ordered++;
	return row_in(open, slot);
}

/* One behind the end of the run that begins at `from`. */
static size_t run_end(const struct history_order *order, size_t from, size_t count)
{
	if (from == count)
		return count;
	for (from++; from < count && order[from - 1].key <= order[from].key; from++)
		;
	return from;
}

static void merge(struct history_order *to, const struct history_order *order, size_t middle,
		  size_t end)
{
	size_t left = 0, right = middle;

	while (left < middle && right < end)
		*to++ = order[right].key < order[left].key ? order[right++] : order[left++];
	memcpy(to, order + left, (middle - left) * sizeof(*to));
	memcpy(to + (middle - left), order + right, (end - right) * sizeof(*to));
}

static void sort(struct history_order *order, size_t count)
{
	struct history_order *scratch = xcalloc(count, sizeof(*scratch));
	struct history_order *from = order, *to = scratch;

	while (run_end(from, 0, count) < count) {
		for (size_t begin = 0; begin < count;) {
			size_t middle = run_end(from, begin, count);
			size_t end = run_end(from, middle, count);

			merge(to + begin, from + begin, middle - begin, end - begin);
			begin = end;
		}
		struct history_order *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != order)
		memcpy(order, from, count * sizeof(*order));
	free(scratch);
}

size_t history_open_not_above(const struct history_open *open, uint64_t key)
{
	return array_not_above(open->order, open->ordered, sizeof(*open->order), key);
}

void history_open_order(struct history_open *open)
{
	uint64_t least;

	if (open->ordered == open->count)
		return;
	least = open->order[open->ordered].key;
	for (size_t i = open->ordered + 1; i < open->count; i++)
		if (open->order[i].key < least)
			least = open->order[i].key;
	/* What is not above the least of what came stays where it is. */
	const size_t from = history_open_not_above(open, least);
	sort(open->order + from, open->count - from);
	open->ordered = open->count;
}

void history_open_drop(struct history_open *open, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free_slot(open, open->order[i].slot);
	open->count -= count;
	open->ordered -= count;
	memmove(open->order, open->order + count, open->count * sizeof(*open->order));
	shrink(open);
}

size_t history_open_bytes(const struct history_open *open)
{
	return open->capacity * (open->columns * sizeof(*open->rows) + sizeof(*open->order)) +
	       open->capacity / CHAR_BIT;
}

static uint64_t load(const unsigned char *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return le64toh(word);
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

#pragma GCC unroll 8
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
		const uint64_t bytes = htole64(word);
		memcpy(to, &bytes, sizeof(bytes));
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

/* Unknown, which is the greatest, is stored as the least. */
static bool times_are_ordered(const uint64_t *const *rows)
{
	for (size_t i = 1; i < HISTORY_BLOCK; i++)
		if (rows[i][HISTORY_TIME_NS] - 1 < rows[i - 1][HISTORY_TIME_NS] - 1)
			return false;
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
	block->is_ordered = times_are_ordered(rows);
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
