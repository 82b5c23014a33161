/*
 * All bits set means unknown, in 64 bits and in the 32 or less that are kept.
 *
 * What came is made of runs that are in order already (a CPU's entries since it was last heard), so
 * it is sorted by merging runs: each entry is moved once for each doubling of the number of CPUs.
 * Merging is stable: equal keys stay in the order of their adding. What is sorted are keys; then
 * each row is moved once.
 */
#include "model/history_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct row_order {
	uint64_t key;
	uint32_t row; /* where it is yet */
};

/* Where a field is kept, but for the time, and the lock, which few have: in no column. */
static const struct place {
	uint8_t column, shift, bits;
} places[HISTORY_FIELDS] = {
	[HISTORY_SLICE_NS] = {COLUMN_SLICE_NS, 0, 32},
	[HISTORY_OFF_NS] = {COLUMN_OFF_NS, 0, 32},
	[HISTORY_WAIT_NS] = {COLUMN_WAIT_NS, 0, 32},
	[HISTORY_PREV] = {COLUMN_PREV, 0, 32},
	[HISTORY_NEXT] = {COLUMN_NEXT, 0, 32},
	[HISTORY_QUEUED_BY] = {COLUMN_QUEUED_BY, 0, 32},
	[HISTORY_CPU] = {COLUMN_CPUS, 0, 16},
	[HISTORY_FROM_CPU] = {COLUMN_CPUS, 16, 16},
	[HISTORY_HOW] = {COLUMN_KIND, 0, 8},
	[HISTORY_STATE] = {COLUMN_KIND, 8, 8},
	[HISTORY_NEXT_WAS_PREEMPTED] = {COLUMN_KIND, 16, 8},
	[HISTORY_HAS_COUNTS] = {COLUMN_KIND, 24, 8},
};

static size_t block_bytes(size_t width)
{
	return sizeof(struct history_block) + HISTORY_BLOCK * width * sizeof(uint32_t);
}

static struct history_block *create_block(size_t width)
{
	struct history_block *block = xrealloc(NULL, 1, block_bytes(width));

	block->references = 1;
	block->width = width;
	block->wides = (struct history_wides){0};
	return block;
}

static void drop_block(struct history_block *block)
{
	if (--block->references > 0)
		return;
	free(block->wides.list);
	free(block);
}

void history_rows_init(struct history_rows *rows, size_t width)
{
	assert(width >= QUANTITY_BUILTIN);
	*rows = (struct history_rows){.width = width - QUANTITY_BUILTIN, .ordered = SIZE_MAX};
}

void history_rows_fini(struct history_rows *rows)
{
	for (size_t i = 0; i < rows->block_count; i++)
		drop_block(rows->blocks[i]);
	free(rows->blocks);
}

/* How many are of rows before this one. */
static size_t wides_before(const struct history_wides *wides, size_t row)
{
	size_t low = 0, high = wides->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (wides->list[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static SELDOM void add_wide(struct history_block *block, size_t row, size_t what, uint64_t number)
{
	struct history_wides *wides = &block->wides;

	array_reserve(&wides->list, &wides->capacity, wides->count + 1, sizeof(*wides->list));
	wides->list[wides->count++] = (struct history_wide){
		.row = (uint32_t)row, .what = (uint32_t)what, .number = number};
}

/* Of an open one; with longer counts where width is more. */
static struct history_block *copy_block(const struct history_block *block, size_t width)
{
	struct history_block *copy = create_block(width);

	for (size_t i = 0; i < block->wides.count; i++)
		add_wide(copy, block->wides.list[i].row, block->wides.list[i].what,
			 block->wides.list[i].number);
	memcpy(copy->keys, block->keys, sizeof(block->keys));
	memcpy(copy->columns, block->columns, sizeof(block->columns));
	memset(copy->counts, 0, HISTORY_BLOCK * width * sizeof(*copy->counts));
	for (size_t i = 0; i < HISTORY_BLOCK; i++)
		memcpy(copy->counts + i * width, block->counts + i * block->width,
		       block->width * sizeof(*block->counts));
	return copy;
}

void history_rows_copy(struct history_rows *copy, const struct history_rows *rows)
{
	*copy = *rows;
	copy->block_capacity = rows->block_count;
	copy->blocks = xcalloc(rows->block_count, sizeof(*copy->blocks));
	for (size_t i = 0; i < rows->block_count; i++) {
		const bool is_shared = i < rows->sealed;

		copy->blocks[i] =
			is_shared ? rows->blocks[i] : copy_block(rows->blocks[i], rows->width);
		copy->blocks[i]->references += is_shared;
	}
}

void history_rows_widen(struct history_rows *rows, size_t width)
{
	rows->width = width - QUANTITY_BUILTIN;
	for (size_t i = rows->sealed; i < rows->block_count; i++) {
		struct history_block *block = rows->blocks[i];

		rows->blocks[i] = copy_block(block, rows->width);
		drop_block(block);
	}
}

void history_rows_begin_block(struct history_rows *rows)
{
	array_reserve(&rows->blocks, &rows->block_capacity, rows->block_count + 1,
		      sizeof(*rows->blocks));
	rows->blocks[rows->block_count++] = create_block(rows->width);
}

void history_rows_add_wides(struct history_block *block, size_t row,
			    const struct switch_entry *entry, uint64_t queued_by)
{
	const uint64_t numbers[] = {
		[HISTORY_SLICE_NS] = entry->slice_ns, [HISTORY_OFF_NS] = entry->off_ns,
		[HISTORY_WAIT_NS] = entry->wait_ns,   [HISTORY_PREV] = entry->prev,
		[HISTORY_NEXT] = entry->next,         [HISTORY_QUEUED_BY] = queued_by,
	};
	uint64_t *counts = xcalloc(QUANTITY_BUILTIN + block->width, sizeof(*counts));

	if (entry->time_ns != block->keys[row])
		add_wide(block, row, HISTORY_TIME_NS, entry->time_ns);
	for (size_t i = HISTORY_SLICE_NS; i <= HISTORY_QUEUED_BY; i++)
		if ((numbers[i] + 1) >> 32 > 0)
			add_wide(block, row, i, numbers[i]);
	if (entry->lock != 0)
		add_wide(block, row, HISTORY_LOCK, entry->lock);
	if (entry->whole)
		slice_credit(entry->whole, counts);
	else if (entry->has_counts && entry->counts)
		memcpy(counts, entry->counts, (QUANTITY_BUILTIN + block->width) * sizeof(*counts));
	for (size_t i = 0; i < block->width; i++)
		if (counts[QUANTITY_BUILTIN + i] > UINT32_MAX)
			add_wide(block, row, HISTORY_FIELDS + i, counts[QUANTITY_BUILTIN + i]);
	free(counts);
}

void history_rows_drop_block(struct history_rows *rows)
{
	assert(rows->sealed > 0);
	drop_block(rows->blocks[0]);
	rows->block_count--;
	rows->sealed--;
	rows->count -= HISTORY_BLOCK;
	rows->ordered -= rows->ordered < SIZE_MAX ? HISTORY_BLOCK : 0;
	memmove(rows->blocks, rows->blocks + 1, rows->block_count * sizeof(*rows->blocks));
}

/* One behind the end of the run that begins at `from`. */
static size_t run_end(const struct row_order *order, size_t from, size_t count)
{
	if (from == count)
		return count;
	for (from++; from < count && order[from - 1].key <= order[from].key; from++)
		;
	return from;
}

static void merge(struct row_order *to, const struct row_order *order, size_t middle, size_t end)
{
	size_t left = 0, right = middle;

	while (left < middle && right < end)
		*to++ = order[right].key < order[left].key ? order[right++] : order[left++];
	memcpy(to, order + left, (middle - left) * sizeof(*to));
	memcpy(to + (middle - left), order + right, (end - right) * sizeof(*to));
}

static void sort_runs(struct row_order *order, size_t count)
{
	struct row_order *scratch = xcalloc(count, sizeof(*scratch));
	struct row_order *from = order, *to = scratch;

	while (run_end(from, 0, count) < count) {
		for (size_t begin = 0; begin < count;) {
			size_t middle = run_end(from, begin, count);
			size_t end = run_end(from, middle, count);

			merge(to + begin, from + begin, middle - begin, end - begin);
			begin = end;
		}
		struct row_order *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != order)
		memcpy(order, from, count * sizeof(*order));
	free(scratch);
}

/* Rows that are put into order: those from `from` on. */
struct move {
	struct history_block **blocks;
	size_t from, count;
	const struct row_order *order;
	unsigned char *scratch;
};

static unsigned char *at(const struct move *move, size_t row, size_t offset, size_t size)
{
	return (unsigned char *)move->blocks[row / HISTORY_BLOCK] + offset +
	       row % HISTORY_BLOCK * size;
}

/* What has `size` bytes in each row, and is at `offset` in the block for its first one. */
static inline __attribute__((always_inline)) void move_row_column(const struct move *move,
								  size_t offset, size_t size)
{
	for (size_t i = 0; i < move->count; i++)
		memcpy(move->scratch + i * size, at(move, move->order[i].row, offset, size), size);
	for (size_t i = 0, run; i < move->count; i += run) {
		run = HISTORY_BLOCK - (move->from + i) % HISTORY_BLOCK;
		run = run < move->count - i ? run : move->count - i;
		memcpy(at(move, move->from + i, offset, size), move->scratch + i * size,
		       run * size);
	}
}

static void move_rows(struct move *move, size_t width)
{
	move->scratch = xcalloc(move->count, width * sizeof(uint32_t) + sizeof(uint64_t));
	move_row_column(move, offsetof(struct history_block, keys), sizeof(uint64_t));
	for (size_t c = 0; c < HISTORY_COLUMNS; c++)
		move_row_column(move, offsetof(struct history_block, columns[c]), sizeof(uint32_t));
	move_row_column(move, offsetof(struct history_block, counts), width * sizeof(uint32_t));
	free(move->scratch);
}

static void move_wides(const struct move *move, size_t block_count)
{
	const size_t first = move->from / HISTORY_BLOCK, end = move->from + move->count;
	struct history_wides *all = xcalloc(block_count, sizeof(*all));
	size_t count = 0;

	for (size_t b = first; b < block_count; b++) {
		all[b] = move->blocks[b]->wides;
		count += all[b].count;
		move->blocks[b]->wides = (struct history_wides){0};
	}
	for (size_t row = first * HISTORY_BLOCK; row < end && count > 0; row++) {
		const size_t old = row < move->from ? row : move->order[row - move->from].row;
		const struct history_wides *wides = &all[old / HISTORY_BLOCK];
		const size_t at = old % HISTORY_BLOCK;

		for (size_t i = wides_before(wides, at);
		     i < wides->count && wides->list[i].row == at; i++)
			add_wide(move->blocks[row / HISTORY_BLOCK], row % HISTORY_BLOCK,
				 wides->list[i].what, wides->list[i].number);
	}
	for (size_t b = first; b < block_count; b++)
		free(all[b].list);
	free(all);
}

size_t history_rows_not_above(const struct history_rows *rows, uint64_t key)
{
	const size_t count = rows->ordered < rows->count ? rows->ordered : rows->count;
	size_t low = 0, high = count / HISTORY_BLOCK; /* full blocks */

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (rows->blocks[middle]->keys[HISTORY_BLOCK - 1] <= key)
			low = middle + 1;
		else
			high = middle;
	}
	if (low * HISTORY_BLOCK == count)
		return count;

	const size_t left = count - low * HISTORY_BLOCK;
	return low * HISTORY_BLOCK + array_not_above(rows->blocks[low]->keys,
						     left < HISTORY_BLOCK ? left : HISTORY_BLOCK,
						     sizeof(uint64_t), key);
}

static uint64_t row_key(const struct history_rows *rows, size_t row)
{
	return rows->blocks[row / HISTORY_BLOCK]->keys[row % HISTORY_BLOCK];
}

void history_rows_order(struct history_rows *rows)
{
	uint64_t least = UINT64_MAX;

	if (rows->ordered >= rows->count)
		return;
	for (size_t i = rows->ordered; i < rows->count; i++)
		least = row_key(rows, i) < least ? row_key(rows, i) : least;
	/* What is not above the least of what came stays where it is. */
	const size_t from = history_rows_not_above(rows, least);
	const size_t count = rows->count - from;
	struct row_order *order = xcalloc(count, sizeof(*order));
	for (size_t i = 0; i < count; i++)
		order[i] = (struct row_order){row_key(rows, from + i), (uint32_t)(from + i)};
	sort_runs(order, count);

	struct move move = {rows->blocks, from, count, order, NULL};
	move_rows(&move, rows->width);
	move_wides(&move, rows->block_count);
	free(order);
	rows->ordered = SIZE_MAX;
	rows->last_key = row_key(rows, rows->count - 1);
}

/* Rows of one block, and the numbers that have no room in them. */
struct run {
	const struct history_block *block;
	size_t row, count;
	size_t wides_from, wides_end;
};

/* The first part of `count` rows from `from` on. */
static struct run run_of_rows(const struct history_rows *rows, size_t from, size_t count)
{
	const size_t row = from % HISTORY_BLOCK, left = HISTORY_BLOCK - row;
	struct run run = {
		.block = rows->blocks[from / HISTORY_BLOCK],
		.row = row,
		.count = count < left ? count : left,
	};

	run.wides_from = wides_before(&run.block->wides, row);
	run.wides_end = wides_before(&run.block->wides, row + run.count);
	return run;
}

static void read_narrow(const struct run *run, struct place place, uint64_t *out)
{
	const uint32_t *column = run->block->columns[place.column] + run->row;
	const uint64_t mask = UINT64_MAX >> (64 - place.bits);

	for (size_t i = 0; i < run->count; i++)
		out[i] = ((((uint64_t)column[i] >> place.shift) + 1) & mask) - 1;
}

void history_rows_numbers(const struct history_rows *rows, size_t from, size_t count,
			  enum history_field field, uint64_t *out)
{
	while (count > 0) {
		const struct run run = run_of_rows(rows, from, count);

		if (field == HISTORY_TIME_NS)
			memcpy(out, run.block->keys + run.row, run.count * sizeof(*out));
		else if (field == HISTORY_LOCK)
			memset(out, 0, run.count * sizeof(*out));
		else
			read_narrow(&run, places[field], out);
		for (size_t i = run.wides_from; i < run.wides_end; i++) {
			const struct history_wide *wide = &run.block->wides.list[i];

			if (wide->what == field)
				out[wide->row - run.row] = wide->number;
		}
		from += run.count;
		out += run.count;
		count -= run.count;
	}
}

/* A counts vector; see history_add() for what is not kept. */
static void read_vector(const struct history_block *block, size_t row, size_t width, uint64_t *out)
{
	const uint32_t slice_ns = block->columns[COLUMN_SLICE_NS][row];
	const uint8_t how = (uint8_t)block->columns[COLUMN_KIND][row];
	const uint32_t *counts = block->counts + row * block->width;
	uint64_t *kept = out + QUANTITY_BUILTIN;

	memset(out, 0, QUANTITY_BUILTIN * sizeof(*out));
	out[QUANTITY_RUN_NS] = slice_ns == UINT32_MAX ? 0 : slice_ns;
	out[QUANTITY_SWITCHES] = 1;
	out[QUANTITY_PREEMPTIONS] = how == SWITCH_PREEMPTED || how == SWITCH_YIELDED;
	for (size_t i = 0; i < block->width; i++)
		kept[i] = counts[i];
	for (size_t i = block->width; i < width; i++)
		kept[i] = 0;
}

static void read_counts(const struct run *run, size_t width, uint64_t *out)
{
	const size_t all = QUANTITY_BUILTIN + width;

	for (size_t i = 0; i < run->count; i++)
		read_vector(run->block, run->row + i, width, out + i * all);
	for (size_t i = run->wides_from; i < run->wides_end; i++) {
		const struct history_wide *wide = &run->block->wides.list[i];
		uint64_t *vector = out + (wide->row - run->row) * all;

		if (wide->what == HISTORY_SLICE_NS)
			vector[QUANTITY_RUN_NS] = wide->number;
		else if (wide->what >= HISTORY_FIELDS)
			vector[QUANTITY_BUILTIN + wide->what - HISTORY_FIELDS] = wide->number;
	}
}

void history_rows_counts(const struct history_rows *rows, size_t from, size_t count, uint64_t *out)
{
	while (count > 0) {
		const struct run run = run_of_rows(rows, from, count);

		read_counts(&run, rows->width, out);
		from += run.count;
		out += run.count * (QUANTITY_BUILTIN + rows->width);
		count -= run.count;
	}
}

size_t history_rows_bytes(const struct history_rows *rows)
{
	size_t bytes = rows->block_capacity * sizeof(*rows->blocks);

	for (size_t i = 0; i < rows->block_count; i++)
		bytes += block_bytes(rows->blocks[i]->width) +
			 rows->blocks[i]->wides.capacity * sizeof(struct history_wide);
	return bytes;
}
