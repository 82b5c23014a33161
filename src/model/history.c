/*
 * Packed blocks, and behind them the open entries: entry `first` is the first of blocks[0], every
 * block holds HISTORY_BLOCK entries, the first open one has the number history_sealed_end().
 *
 * Entries are put into order by a key. It is the time of an entry, but never less than that of the
 * entry before it on the same CPU, nor than the time up to which all is settled. So keys never go
 * backwards from one number to the next, and no time is later than its key, even if the times that
 * are fed make no sense; an entry always holds the time that was fed.
 *
 * Blocks are packed from entries that are settled, and from the oldest when there are as many open
 * ones as there may be; these are settled by that. With each packed block the oldest goes when
 * there is no room for it and as many open ones as there may be.
 */
#include "model/history.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/history_parts.h"
#include "model/layout.h"

enum {
	OPEN_BLOCKS_MAX = 32, /* of open entries */
	CPUS_MAX = 8192       /* of which keys are kept apart; all others share one */
};

static_assert(SWITCH_HOWS <= 1 << HISTORY_HOW_BITS, "ways to leave do not fit");

/* Counts vectors are kept without what is known from the entry itself. */
static size_t columns_of(size_t width)
{
	return HISTORY_COLUMNS + (width > QUANTITY_BUILTIN ? width - QUANTITY_BUILTIN : 0);
}

/* One block more than asked for: the oldest one goes as a whole. */
struct history *history_create(size_t capacity, size_t width)
{
	struct history *history = xcalloc(1, sizeof(*history));
	const size_t blocks = capacity / HISTORY_BLOCK + (capacity % HISTORY_BLOCK != 0) + 1;

	assert(capacity > 0);
	history->capacity = blocks * HISTORY_BLOCK;
	history->open_max = blocks < OPEN_BLOCKS_MAX ? history->capacity
						     : (size_t)OPEN_BLOCKS_MAX * HISTORY_BLOCK;
	history->width = width;
	history->shown_end = UINT64_MAX;
	history->open = xcalloc(1, sizeof(*history->open));
	history_open_init(history->open, columns_of(width));
	history_actors_init(&history->actors);
	return history;
}

void history_name_idle(struct history *history, const char *name)
{
	struct actor *idle = &history->actors.idle;

	snprintf(idle->name, sizeof(idle->name), "%s", name);
}

void history_destroy(struct history *history)
{
	if (!history)
		return;
	for (size_t i = 0; i < history->block_count; i++)
		history_block_drop(history->blocks[i]);
	free(history->blocks);
	history_open_fini(history->open);
	free(history->open);
	free(history->cpu_keys);
	history_actors_fini(&history->actors);
	free(history);
}

struct history *history_copy(const struct history *history)
{
	struct history *copy = xcalloc(1, sizeof(*copy));

	*copy = *history;
	copy->is_copy = true;
	copy->cpu_keys = NULL;
	copy->cpu_count = copy->cpu_capacity = 0;
	copy->block_capacity = copy->block_count;
	copy->blocks = xcalloc(copy->block_count, sizeof(*copy->blocks));
	for (size_t i = 0; i < copy->block_count; i++) {
		copy->blocks[i] = history->blocks[i];
		history_block_keep(copy->blocks[i]);
	}
	history_open_order(history->open);
	copy->open = xcalloc(1, sizeof(*copy->open));
	history_open_copy(copy->open, history->open);
	history_actors_copy(&copy->actors, &history->actors);
	return copy;
}

void history_widen(struct history *history, size_t width)
{
	assert(width >= history->width);
	history->width = width;
	history_open_widen(history->open, columns_of(width));
}

/* The actors named by the entries from `from` to below `end` are kept: history_actors_note(). */
static void note_actors(struct history *history, uint64_t from, uint64_t end, uint64_t until)
{
	static const enum history_column columns[HISTORY_ACTORS_NAMED] = {
		HISTORY_COLUMN_LEFT, HISTORY_COLUMN_CAME, HISTORY_COLUMN_PUSHED_BY};
	uint64_t numbers[HISTORY_BLOCK];

	while (from < end) {
		const size_t count = end - from < HISTORY_BLOCK ? end - from : HISTORY_BLOCK;

		for (size_t c = 0; c < HISTORY_ACTORS_NAMED; c++) {
			history_read_column(history, from, count, columns[c], numbers);
			history_actors_note(&history->actors, numbers, count, until);
		}
		from += count;
	}
}

uint64_t history_actor(struct history *history, uint64_t known, const struct snapshot_task *task)
{
	const uint64_t number = history_actors_known(&history->actors, known, task);

	if (number != ACTOR_UNKNOWN)
		return number;
	if (history_actors_are_many(&history->actors)) {
		history_actors_begin_sweep(&history->actors);
		note_actors(history, history_sealed_end(history), history_end(history),
			    HISTORY_ACTORS_OPEN);
		history_actors_end_sweep(&history->actors, history->first);
	}
	return history_actors_add(&history->actors, task);
}

void history_name_actor(struct history *history, uint64_t number, const struct snapshot_task *task)
{
	assert(!history->is_copy);
	history_actors_name(&history->actors, number, task);
}

const struct actor *history_find_actor(const struct history *history, uint64_t number)
{
	return history_actors_find(&history->actors, number);
}

static void drop_oldest(struct history *history)
{
	struct history_block *block = history->blocks[0];

	history->block_bytes -= block->bytes;
	history_block_drop(block);
	history->first += HISTORY_BLOCK;
	history->block_count--;
	memmove(history->blocks, history->blocks + 1,
		history->block_count * sizeof(*history->blocks));
}

/* Packs the oldest open entries; all are in order. */
static void seal(struct history *history)
{
	struct history_block *block = history_block_pack(history->open);

	array_reserve(&history->blocks, &history->block_capacity, history->block_count + 1,
		      sizeof(*history->blocks));
	history->blocks[history->block_count++] = block;
	history->block_bytes += block->bytes;
	history_open_drop(history->open, HISTORY_BLOCK);
	note_actors(history, history_sealed_end(history) - HISTORY_BLOCK,
		    history_sealed_end(history), history_sealed_end(history));
	if (history->settled_ns < block->last_key)
		history->settled_ns = block->last_key;
	history->settled -= history->settled < HISTORY_BLOCK ? history->settled : HISTORY_BLOCK;
}

static void make_room(struct history *history)
{
	if (history->open->count == history->open_max) {
		history_open_order(history->open);
		seal(history);
	}
	if (history_end(history) - history->first == history->capacity)
		drop_oldest(history);
}

static uint64_t key_for(struct history *history, const struct switch_entry *entry)
{
	const bool has_own = entry->cpu >= 0 && entry->cpu < CPUS_MAX;
	const size_t cpu = has_own ? (size_t)entry->cpu + 1 : 0;
	uint64_t key = entry->time_ns;

	if (cpu >= history->cpu_count) {
		array_reserve(&history->cpu_keys, &history->cpu_capacity, cpu + 1,
			      sizeof(*history->cpu_keys));
		memset(history->cpu_keys + history->cpu_count, 0,
		       (cpu + 1 - history->cpu_count) * sizeof(*history->cpu_keys));
		history->cpu_count = cpu + 1;
	}
	key = history->settled_ns > key ? history->settled_ns : key;
	key = history->cpu_keys[cpu] > key ? history->cpu_keys[cpu] : key;
	history->cpu_keys[cpu] = key;
	return key;
}

/* See enum history_column. */
static uint64_t encode_cpu(int32_t cpu)
{
	return (uint64_t)(int64_t)cpu + 1;
}

static void fill_row(uint64_t *row, size_t columns, const struct switch_entry *entry)
{
	const bool has_counts = entry->has_counts && entry->counts;

	row[HISTORY_COLUMN_TIME_NS] = entry->time_ns + 1;
	row[HISTORY_COLUMN_SLICE_NS] = entry->slice_ns + 1;
	row[HISTORY_COLUMN_OFF_NS] = entry->off_ns + 1;
	row[HISTORY_COLUMN_WAIT_NS] = entry->wait_ns + 1;
	row[HISTORY_COLUMN_LEFT] = entry->left + 1;
	row[HISTORY_COLUMN_CAME] = entry->came + 1;
	row[HISTORY_COLUMN_PUSHED_BY] = entry->pushed_by + 1;
	row[HISTORY_COLUMN_CPU] = encode_cpu(entry->cpu);
	row[HISTORY_COLUMN_FROM_CPU] = encode_cpu(entry->from_cpu);
	row[HISTORY_COLUMN_FLAGS] =
		((uint64_t)entry->how | (entry->came_preempted ? HISTORY_FLAG_CAME_PREEMPTED : 0) |
		 (entry->has_counts ? HISTORY_FLAG_HAS_COUNTS : 0)) +
		1;
	for (size_t c = HISTORY_COLUMNS; c < columns; c++)
		row[c] = has_counts ? entry->counts[QUANTITY_BUILTIN + c - HISTORY_COLUMNS] + 1 : 1;
}

void history_add(struct history *history, const struct switch_entry *entry)
{
	uint64_t *row;

	assert(!history->is_copy);
	assert((unsigned)entry->how < SWITCH_HOWS);
	assert(history_find_actor(history, entry->left));
	assert(history_find_actor(history, entry->came));
	make_room(history);
	row = history_open_add(history->open, key_for(history, entry), history->open_max);
	fill_row(row, history->open->columns, entry);
	if (!history_find_actor(history, entry->pushed_by))
		row[HISTORY_COLUMN_PUSHED_BY] = ACTOR_UNKNOWN + 1;
}

void history_settle(struct history *history, uint64_t time_ns)
{
	assert(!history->is_copy);
	if (time_ns > history->settled_ns)
		history->settled_ns = time_ns;
	history_open_order(history->open);
	history->settled = history_open_not_above(history->open, history->settled_ns);
	while (history->settled >= HISTORY_BLOCK)
		seal(history);
}

uint64_t history_first(const struct history *history)
{
	return history->first;
}

uint64_t history_settled(const struct history *history)
{
	return history_shown(history, history_sealed_end(history) + history->settled);
}

uint64_t history_end(const struct history *history)
{
	return history_shown(history, history_sealed_end(history) + history->open->count);
}

void history_show(struct history *copy, uint64_t time_ns)
{
	uint64_t end;

	assert(copy->is_copy);
	copy->shown_end = UINT64_MAX;
	if (time_ns == UINT64_MAX)
		return;
	end = history_seek(copy, time_ns + 1);
	copy->shown_end = end;
}

size_t history_capacity(const struct history *history)
{
	return history->capacity;
}

size_t history_width(const struct history *history)
{
	return history->width;
}

size_t history_bytes(const struct history *history)
{
	return sizeof(*history) + sizeof(*history->open) + history->block_bytes +
	       history->block_capacity * sizeof(*history->blocks) +
	       history->cpu_capacity * sizeof(*history->cpu_keys) +
	       history_open_bytes(history->open) + history_actors_bytes(&history->actors);
}

size_t history_bytes_max(const struct history *history)
{
	const size_t blocks = history->capacity / HISTORY_BLOCK;
	const size_t columns = columns_of(history->width);

	/* Arrays grow by doubling. */
	return sizeof(*history) + sizeof(*history->open) +
	       blocks * history_block_bytes_max(columns) +
	       2 * (blocks + CPUS_MAX) * sizeof(uint64_t) +
	       history_open_bytes_max(columns, history->open_max) +
	       history_actors_bytes_max(history->capacity);
}
