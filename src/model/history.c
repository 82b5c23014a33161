/*
 * Packed blocks, and behind them the open entries: entry `first` is the first of blocks[0], every
 * block holds HISTORY_BLOCK entries, the first open one has the number sealed_end().
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
#include "model/history_actors.h"
#include "model/history_rows.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/stream.h"

enum {
	OPEN_BLOCKS_MAX = 32, /* of open entries */
	NOTED_AT_ONCE = 64,
	CPUS_MAX = 8192 /* of which keys are kept apart; all others share one */
};

struct history {
	size_t capacity; /* entries, a multiple of HISTORY_BLOCK, at least two blocks */
	size_t open_max; /* the same */
	size_t width;
	bool is_copy;

	uint64_t first;
	struct history_block **blocks; /* owned; one reference to each */
	size_t block_count, block_capacity;
	size_t block_bytes;        /* of all of them */
	struct history_open *open; /* owned; put into order also by mere readers */

	uint64_t settled_ns; /* keys that come are not less */
	size_t settled;      /* so many of the open ones are */
	uint64_t shown_end;  /* of a copy: entries from here on are not shown */
	uint64_t *cpu_keys;  /* owned; of the last entry of each CPU, from 1 on; 0: of all others */
	size_t cpu_count, cpu_capacity;
	struct history_actors actors;
};

/* As the log, filters and batch output write them. */
static const char *const how_names[SWITCH_HOWS] = {
	[SWITCH_UNKNOWN] = "unknown", [SWITCH_PREEMPTED] = "preempted",
	[SWITCH_BLOCKED] = "blocked", [SWITCH_YIELDED] = "yielded",
	[SWITCH_EXITED] = "exited",   [SWITCH_IDLE] = "idle",
};

const char *switch_how_name(enum switch_how how)
{
	if ((unsigned)how >= SWITCH_HOWS)
		return "";
	return how_names[how];
}

const char *switch_how_mark(const struct switch_entry *entry)
{
	static const char marks[TASK_STATES][3] = {
		[TASK_STATE_SLEEPING] = " S", [TASK_STATE_DISK_SLEEP] = " D",
		[TASK_STATE_STOPPED] = " T",  [TASK_STATE_TRACED] = " t",
		[TASK_STATE_PARKED] = " P",   [TASK_STATE_IDLE] = " I",
	};

	return entry->how == SWITCH_BLOCKED && entry->state < TASK_STATES ? marks[entry->state]
									  : "";
}

/* The number of the first open entry. */
static uint64_t sealed_end(const struct history *history)
{
	return history->first + history->block_count * HISTORY_BLOCK;
}

/* Where what is there up to `end` ends for readers. */
static uint64_t shown_of(const struct history *history, uint64_t end)
{
	return history->shown_end < end ? history->shown_end : end;
}

static bool is_sealed(const struct history *history, uint64_t sequence)
{
	assert(sequence >= history->first && sequence < history_end(history));
	return sequence < sealed_end(history);
}

/*
 * So many numbers of one column (enum history_field, or one of the counts behind them) from `from`
 * on, all in the same block or all open.
 */
static void read_column(const struct history *history, uint64_t from, size_t count, size_t column,
			uint64_t *out)
{
	if (is_sealed(history, from)) {
		const size_t at = (size_t)(from - history->first);

		history_block_numbers(history->blocks[at / HISTORY_BLOCK], at % HISTORY_BLOCK,
				      count, column, out);
		return;
	}

	const size_t at = (size_t)(from - sealed_end(history));
	history_open_order(history->open);
	for (size_t i = 0; i < count; i++)
		out[i] = history_open_row(history->open, at + i)[column] - 1;
}

/* Counts vectors are kept without what is known from the entry itself. */
static size_t columns_of(size_t width)
{
	return HISTORY_FIELDS + (width > QUANTITY_BUILTIN ? width - QUANTITY_BUILTIN : 0);
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

/* The actors named by the first `count` open entries are kept: history_actors_note(). */
static void note_actors(struct history *history, size_t count, uint64_t until)
{
	uint64_t numbers[HISTORY_ACTORS_NAMED * NOTED_AT_ONCE];

	for (size_t i = 0; i < count;) {
		size_t noted = 0;

		for (; i < count && noted < HISTORY_ACTORS_NAMED * NOTED_AT_ONCE; i++) {
			const uint64_t *row = history_open_row(history->open, i);

			numbers[noted++] = row[HISTORY_LEFT] - 1;
			numbers[noted++] = row[HISTORY_CAME] - 1;
			numbers[noted++] = row[HISTORY_QUEUED_BY] - 1;
		}
		history_actors_note(&history->actors, numbers, noted, until);
	}
}

uint64_t history_actor(struct history *history, uint64_t known, const struct snapshot_task *task)
{
	const uint64_t number = history_actors_known(&history->actors, known, task);

	if (number != ACTOR_UNKNOWN)
		return number;
	if (history_actors_are_full(&history->actors)) {
		history_actors_begin_sweep(&history->actors);
		note_actors(history, history->open->count, HISTORY_ACTORS_OPEN);
		history_actors_end_sweep(&history->actors, history->first);
	}
	return history_actors_add(&history->actors, task);
}

bool history_ask_actor(struct history *history, uint64_t known)
{
	return history_actors_ask(&history->actors, known);
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
	note_actors(history, HISTORY_BLOCK, sealed_end(history));
	history_open_drop(history->open, HISTORY_BLOCK);
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

/* Of a count that is no builtin one. */
static size_t column_of(size_t value_index)
{
	return HISTORY_FIELDS + value_index - QUANTITY_BUILTIN;
}

static void add_whole(uint64_t *row, const struct slice *slice)
{
	const struct event_group *group = slice->group;

	row[column_of(group->value_index)] += slice->delta[READING_RUNNING_NS];
	row[column_of(group->slices_index)]++;
	for (size_t i = 0; i < group->count; i++)
		row[column_of(group->value_indexes[i])] += slice->delta[READING_VALUES + i];
}

/* See enum history_field; plus one, see history_rows.h. */
static void fill_row(uint64_t *row, size_t columns, const struct switch_entry *entry)
{
	const uint64_t *counts = entry->has_counts ? entry->counts : NULL;

	row[HISTORY_TIME_NS] = entry->time_ns + 1;
	row[HISTORY_SLICE_NS] = entry->slice_ns + 1;
	row[HISTORY_OFF_NS] = entry->off_ns + 1;
	row[HISTORY_WAIT_NS] = entry->wait_ns + 1;
	row[HISTORY_LEFT] = entry->left + 1;
	row[HISTORY_CAME] = entry->came + 1;
	row[HISTORY_QUEUED_BY] = entry->queued_by + 1;
	row[HISTORY_CPU] = (uint64_t)entry->cpu + 1;
	row[HISTORY_FROM_CPU] = (uint64_t)entry->from_cpu + 1;
	row[HISTORY_HOW] = entry->how + UINT64_C(1);
	row[HISTORY_STATE] = entry->state + UINT64_C(1);
	row[HISTORY_CAME_PREEMPTED] = entry->came_preempted + UINT64_C(1);
	row[HISTORY_HAS_COUNTS] = entry->has_counts + UINT64_C(1);
	for (size_t c = HISTORY_FIELDS; c < columns; c++)
		row[c] = counts ? counts[QUANTITY_BUILTIN + c - HISTORY_FIELDS] + 1 : 1;
	if (entry->whole)
		add_whole(row, entry->whole);
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
	if (!history_find_actor(history, entry->queued_by))
		row[HISTORY_QUEUED_BY] = ACTOR_UNKNOWN + 1;
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
	return shown_of(history, sealed_end(history) + history->settled);
}

uint64_t history_end(const struct history *history)
{
	return shown_of(history, sealed_end(history) + history->open->count);
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

/* How many of `count` numbers from `from` on can be read at once. */
static size_t run_of(const struct history *history, uint64_t from, size_t count)
{
	if (!is_sealed(history, from))
		return count;

	const size_t left = HISTORY_BLOCK - (size_t)(from - history->first) % HISTORY_BLOCK;
	return left < count ? left : count;
}

void history_numbers(const struct history *history, uint64_t from, size_t count,
		     enum history_field field, uint64_t *out)
{
	while (count > 0) {
		const size_t run = run_of(history, from, count);

		read_column(history, from, run, field, out);
		from += run;
		out += run;
		count -= run;
	}
}

/* Of the indexes of a counts vector that are not kept. */
static uint64_t builtin_count(size_t value_index, uint64_t slice_ns, enum switch_how how)
{
	if (value_index == QUANTITY_RUN_NS)
		return slice_ns == SWITCH_NS_UNKNOWN ? 0 : slice_ns;
	if (value_index == QUANTITY_PREEMPTIONS)
		return how == SWITCH_PREEMPTED || how == SWITCH_YIELDED;
	return value_index == QUANTITY_SWITCHES;
}

/* One place of `count` entries, all in the same block or all open. */
static void read_counts(const struct history *history, uint64_t from, size_t count,
			size_t value_index, uint64_t *out)
{
	uint64_t numbers[HISTORY_BLOCK], how[HISTORY_BLOCK];

	if (value_index >= QUANTITY_BUILTIN) {
		read_column(history, from, count, column_of(value_index), numbers);
	} else {
		history_numbers(history, from, count, HISTORY_SLICE_NS, numbers);
		history_numbers(history, from, count, HISTORY_HOW, how);
		for (size_t i = 0; i < count; i++)
			numbers[i] =
				builtin_count(value_index, numbers[i], (enum switch_how)how[i]);
	}
	for (size_t i = 0; i < count; i++)
		out[i * history->width + value_index] = numbers[i];
}

void history_counts(const struct history *history, uint64_t from, size_t count, uint64_t *out)
{
	while (count > 0) {
		const size_t most = count < HISTORY_BLOCK ? count : HISTORY_BLOCK;
		const size_t run = run_of(history, from, most);

		for (size_t value_index = 0; value_index < history->width; value_index++)
			read_counts(history, from, run, value_index, out);
		from += run;
		out += run * history->width;
		count -= run;
	}
}

uint64_t history_number(const struct history *history, uint64_t sequence, enum history_field field)
{
	uint64_t number;

	history_numbers(history, sequence, 1, field, &number);
	return number;
}

void history_get(const struct history *history, uint64_t sequence, struct switch_entry *entry,
		 uint64_t *counts)
{
	uint64_t numbers[HISTORY_FIELDS];

	for (int field = 0; field < HISTORY_FIELDS; field++)
		numbers[field] = history_number(history, sequence, (enum history_field)field);
	*entry = (struct switch_entry){
		.time_ns = numbers[HISTORY_TIME_NS],
		.slice_ns = numbers[HISTORY_SLICE_NS],
		.off_ns = numbers[HISTORY_OFF_NS],
		.wait_ns = numbers[HISTORY_WAIT_NS],
		.left = numbers[HISTORY_LEFT],
		.came = numbers[HISTORY_CAME],
		.queued_by = numbers[HISTORY_QUEUED_BY],
		.cpu = (int32_t)numbers[HISTORY_CPU],
		.from_cpu = (int32_t)numbers[HISTORY_FROM_CPU],
		.how = (enum switch_how)numbers[HISTORY_HOW],
		.state = (uint8_t)numbers[HISTORY_STATE],
		.came_preempted = numbers[HISTORY_CAME_PREEMPTED],
		.has_counts = numbers[HISTORY_HAS_COUNTS],
		.counts = counts,
	};
	if (counts)
		history_counts(history, sequence, 1, counts);
}

/* The first of these entries that is not earlier; `end`: none. */
static uint64_t scan_for(const struct history *history, uint64_t from, uint64_t end,
			 uint64_t time_ns)
{
	while (from < end && history_number(history, from, HISTORY_TIME_NS) < time_ns)
		from++;
	return from;
}

/* The same where the times are in order. */
static uint64_t search_for(const struct history *history, uint64_t from, uint64_t end,
			   uint64_t time_ns)
{
	while (from < end) {
		const uint64_t middle = from + (end - from) / 2;

		if (history_number(history, middle, HISTORY_TIME_NS) < time_ns)
			from = middle + 1;
		else
			end = middle;
	}
	return from;
}

/*
 * No time is later than its key, so blocks with an earlier last key are passed over, and so are
 * open entries. From there on one looks at every entry, should the times not be in order.
 */
uint64_t history_seek(const struct history *history, uint64_t time_ns)
{
	size_t low = 0, high = history->block_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (history->blocks[middle]->last_key < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < history->block_count; low++) {
		const uint64_t from = history->first + low * HISTORY_BLOCK;
		const uint64_t end = shown_of(history, from + HISTORY_BLOCK);
		const uint64_t found = history->blocks[low]->is_ordered
					       ? search_for(history, from, end, time_ns)
					       : scan_for(history, from, end, time_ns);
		if (found < end)
			return found;
	}
	history_open_order(history->open);
	const size_t earlier = time_ns ? history_open_not_above(history->open, time_ns - 1) : 0;
	return scan_for(history, shown_of(history, sealed_end(history) + earlier),
			history_end(history), time_ns);
}
