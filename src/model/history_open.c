/*
 * Rows in slots, and their order. Slots are used again, the last freed first; the order is a list
 * of (key, slot) of which the first `ordered` are in order and the rest as they came.
 *
 * What came is made of runs that are in order already (a CPU's entries since it was last heard), so
 * it is sorted by merging runs: each entry is moved once for each doubling of the number of CPUs.
 * Merging is stable: equal keys stay in the order of their adding.
 */
#include "model/history_open.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	FIRST_ROWS = 1024
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
	copy->free = xcalloc(open->count, sizeof(*copy->free));
	for (size_t i = 0; i < open->count; i++) {
		copy->order[i] = (struct history_place){open->order[i].key, (uint32_t)i};
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
	open->free = xrealloc(open->free, capacity, sizeof(*open->free));
	open->capacity = capacity;
}

uint64_t *history_open_add(struct history_open *open, uint64_t key, size_t max)
{
	if (open->count == open->capacity)
		grow(open, max);

	/* As long as no slot is free, all that have ever been used are taken. */
	const size_t at = open->count++;
	const uint32_t slot = open->free_count ? open->free[--open->free_count] : (uint32_t)at;
	open->order[at] = (struct history_place){.key = key, .slot = slot};
	if (open->ordered == at && (at == 0 || open->order[at - 1].key <= key))
		open->ordered++;
	return row_in(open, slot);
}

/* One behind the end of the run that begins at `from`. */
static size_t run_end(const struct history_place *order, size_t from, size_t count)
{
	if (from == count)
		return count;
	for (from++; from < count && order[from - 1].key <= order[from].key; from++)
		;
	return from;
}

static void merge(struct history_place *to, const struct history_place *order, size_t middle,
		  size_t end)
{
	size_t left = 0, right = middle;

	while (left < middle && right < end)
		*to++ = order[right].key < order[left].key ? order[right++] : order[left++];
	memcpy(to, order + left, (middle - left) * sizeof(*to));
	memcpy(to + (middle - left), order + right, (end - right) * sizeof(*to));
}

static void sort(struct history_place *order, size_t count)
{
	struct history_place *scratch = xcalloc(count, sizeof(*scratch));
	struct history_place *from = order, *to = scratch;

	while (run_end(from, 0, count) < count) {
		for (size_t begin = 0; begin < count;) {
			size_t middle = run_end(from, begin, count);
			size_t end = run_end(from, middle, count);

			merge(to + begin, from + begin, middle - begin, end - begin);
			begin = end;
		}
		struct history_place *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != order)
		memcpy(order, from, count * sizeof(*order));
	free(scratch);
}

size_t history_open_not_above(const struct history_open *open, uint64_t key)
{
	size_t low = 0, high = open->ordered;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (open->order[middle].key <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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

const uint64_t *history_open_row(const struct history_open *open, size_t index)
{
	return row_in(open, open->order[index].slot);
}

void history_open_drop(struct history_open *open, size_t count)
{
	for (size_t i = count; i > 0; i--)
		open->free[open->free_count++] = open->order[i - 1].slot;
	open->count -= count;
	open->ordered -= count;
	memmove(open->order, open->order + count, open->count * sizeof(*open->order));
}

size_t history_open_bytes(const struct history_open *open)
{
	return history_open_bytes_max(open->columns, open->capacity);
}

size_t history_open_bytes_max(size_t columns, size_t max)
{
	return max * (columns * sizeof(uint64_t) + sizeof(struct history_place) + sizeof(uint32_t));
}
