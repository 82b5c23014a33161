/*
 * Entry `first` is the first row of `rows`; the open ones of these begin with sealed_end().
 *
 * Entries are put into order by a key. It is the time of an entry, but never less than that of the
 * entry before it on the same CPU, nor than the time up to which all is settled. So keys never go
 * backwards from one number to the next, and no time is later than its key, even if the times that
 * are fed make no sense; an entry always holds the time that was fed.
 *
 * Blocks are sealed when all their entries are settled, and from the oldest when there are as many
 * open ones as there may be; these are settled by that. The oldest block goes when there is no room
 * for another one.
 */
#include "model/history.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/seldom.h"
#include "base/topology.h"
#include "model/history_actors.h"
#include "model/history_rows.h"
#include "model/layout.h"
#include "model/record.h"

enum {
	OPEN_BLOCKS_MAX = 64 /* of open entries */
};

struct history {
	size_t capacity; /* entries, a multiple of HISTORY_BLOCK, at least two blocks */
	size_t open_max; /* the same */
	bool is_copy;

	uint64_t first;
	struct history_rows *rows; /* owned; put into order also by mere readers */

	uint64_t settled_ns; /* keys that come are not less */
	size_t settled;      /* rows */
	uint64_t shown_end;  /* of a copy: entries from here on are not shown */
	uint64_t *cpu_keys;  /* owned; of each CPU's last entry, from 1 on; 0: of unknown ones */
	size_t cpu_count, cpu_capacity;
	struct history_actors actors;
};

const struct switch_entry switch_unknown = {
	.slice_ns = SWITCH_NS_UNKNOWN,
	.off_ns = SWITCH_NS_UNKNOWN,
	.wait_ns = SWITCH_NS_UNKNOWN,
	.cpu = -1,
	.from_cpu = -1,
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
	return history->first + history->rows->sealed * HISTORY_BLOCK;
}

/* Where what is there up to `end` ends for readers. */
static uint64_t shown_of(const struct history *history, uint64_t end)
{
	return history->shown_end < end ? history->shown_end : end;
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
	history->shown_end = UINT64_MAX;
	history->rows = xcalloc(1, sizeof(*history->rows));
	history_rows_init(history->rows, width);
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
	history_rows_fini(history->rows);
	free(history->rows);
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
	history_rows_order(history->rows);
	copy->rows = xcalloc(1, sizeof(*copy->rows));
	history_rows_copy(copy->rows, history->rows);
	history_actors_copy(&copy->actors, &history->actors);
	return copy;
}

void history_widen(struct history *history, size_t width)
{
	assert(width >= history_width(history));
	history_rows_widen(history->rows, width);
}

/* The actors named by `count` rows from `from` on are kept: history_actors_note(). */
static void note_actors(struct history *history, size_t from, size_t count, uint64_t until)
{
	static const enum history_field fields[] = {HISTORY_PREV, HISTORY_NEXT, HISTORY_QUEUED_BY};
	uint64_t numbers[HISTORY_BLOCK];

	if (!history_actors_have_old(&history->actors))
		return;
	for (size_t i = 0; i < count; i += HISTORY_BLOCK) {
		const size_t some = count - i < HISTORY_BLOCK ? count - i : HISTORY_BLOCK;

		for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++) {
			history_rows_numbers(history->rows, from + i, some, fields[k], numbers);
			history_actors_note(&history->actors, numbers, some, until);
		}
	}
}

uint64_t history_add_actor(struct history *history, const struct snapshot_task *task)
{
	if (history_actors_are_full(&history->actors)) {
		history_actors_begin_sweep(&history->actors);
		const size_t from = history->rows->sealed * HISTORY_BLOCK;
		note_actors(history, from, history->rows->count - from, HISTORY_ACTORS_OPEN);
		history_actors_end_sweep(&history->actors, history->first);
	}
	return history_actors_add(&history->actors, task);
}

const struct history_actors *history_actors(const struct history *history)
{
	return &history->actors;
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

/* The first so many blocks are from now on; all rows are in order. */
static void seal(struct history *history, size_t blocks)
{
	struct history_rows *rows = history->rows;
	const size_t from = rows->sealed * HISTORY_BLOCK, end = blocks * HISTORY_BLOCK;

	if (end == from)
		return;
	rows->sealed = blocks;
	history_actors_note_young(&history->actors, sealed_end(history));
	note_actors(history, from, end - from, sealed_end(history));
	if (history->settled < end) {
		history->settled = end;
		history->settled_ns = rows->blocks[blocks - 1]->keys[HISTORY_BLOCK - 1];
	}
}

static SELDOM void begin_block(struct history *history)
{
	struct history_rows *rows = history->rows;

	if (rows->count - rows->sealed * HISTORY_BLOCK == history->open_max) {
		history_rows_order(rows);
		seal(history, rows->sealed + 1);
	}
	if (rows->count == history->capacity) {
		history_rows_drop_block(rows);
		history->first += HISTORY_BLOCK;
		history->settled -= HISTORY_BLOCK;
	}
	history_rows_begin_block(rows);
}

/* The first entry of a CPU, which has this place in the keys. */
static SELDOM void add_history_cpu(struct history *history, size_t place)
{
	assert(place <= TOPOLOGY_CPUS_MAX);
	array_reserve(&history->cpu_keys, &history->cpu_capacity, place + 1,
		      sizeof(*history->cpu_keys));
	memset(history->cpu_keys + history->cpu_count, 0,
	       (place + 1 - history->cpu_count) * sizeof(*history->cpu_keys));
	history->cpu_count = place + 1;
}

static uint64_t key_for(struct history *history, const struct switch_entry *entry)
{
	const size_t cpu = (size_t)entry->cpu + 1; /* -1: the first */
	uint64_t key = entry->time_ns;

	if (cpu >= history->cpu_count)
		add_history_cpu(history, cpu);
	key = history->settled_ns > key ? history->settled_ns : key;
	key = history->cpu_keys[cpu] > key ? history->cpu_keys[cpu] : key;
	history->cpu_keys[cpu] = key;
	return key;
}

void history_add(struct history *history, const struct switch_entry *entry)
{
	const bool is_queuer_gone = entry->queued_by != ACTOR_UNKNOWN &&
				    !history_actors_ask(&history->actors, entry->queued_by) &&
				    !history_find_actor(history, entry->queued_by);

	assert(!history->is_copy);
	assert((unsigned)entry->how < SWITCH_HOWS);
	assert(history_find_actor(history, entry->prev));
	assert(history_find_actor(history, entry->next));
	if (history->rows->count % HISTORY_BLOCK == 0)
		begin_block(history);
	history_rows_add(history->rows, key_for(history, entry), entry,
			 is_queuer_gone ? (uint64_t)ACTOR_UNKNOWN : entry->queued_by);
}

void history_settle(struct history *history, uint64_t time_ns)
{
	assert(!history->is_copy);
	if (time_ns > history->settled_ns)
		history->settled_ns = time_ns;
	history_rows_order(history->rows);
	history->settled = history_rows_not_above(history->rows, history->settled_ns);
	seal(history, history->settled / HISTORY_BLOCK);
}

uint64_t history_first(const struct history *history)
{
	return history->first;
}

uint64_t history_settled(const struct history *history)
{
	return shown_of(history, history->first + history->settled);
}

uint64_t history_end(const struct history *history)
{
	return shown_of(history, history->first + history->rows->count);
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
	return QUANTITY_BUILTIN + history->rows->width;
}

size_t history_bytes(const struct history *history)
{
	return sizeof(*history) + sizeof(*history->rows) +
	       history->cpu_capacity * sizeof(*history->cpu_keys) +
	       history_rows_bytes(history->rows) + history_actors_bytes(&history->actors);
}

void history_numbers(const struct history *history, uint64_t from, size_t count,
		     enum history_field field, uint64_t *out)
{
	history_rows_order(history->rows);
	history_rows_numbers(history->rows, (size_t)(from - history->first), count, field, out);
}

void history_counts(const struct history *history, uint64_t from, size_t count, uint64_t *out)
{
	history_rows_order(history->rows);
	history_rows_counts(history->rows, (size_t)(from - history->first), count, out);
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
		.prev = numbers[HISTORY_PREV],
		.next = numbers[HISTORY_NEXT],
		.queued_by = numbers[HISTORY_QUEUED_BY],
		.cpu = (int32_t)numbers[HISTORY_CPU],
		.from_cpu = (int32_t)numbers[HISTORY_FROM_CPU],
		.how = (enum switch_how)numbers[HISTORY_HOW],
		.state = (uint8_t)numbers[HISTORY_STATE],
		.next_was_preempted = numbers[HISTORY_NEXT_WAS_PREEMPTED],
		.has_counts = numbers[HISTORY_HAS_COUNTS],
		.lock = numbers[HISTORY_LOCK],
		.counts = counts,
	};
	if (counts)
		history_counts(history, sequence, 1, counts);
}

/* No time is later than its key; and should the times not be in order, it may be far behind. */
uint64_t history_seek(const struct history *history, uint64_t time_ns)
{
	const uint64_t end = history_end(history);
	uint64_t at = history->first;

	history_rows_order(history->rows);
	if (time_ns > 0)
		at += history_rows_not_above(history->rows, time_ns - 1);
	while (at < end && history_number(history, at, HISTORY_TIME_NS) < time_ns)
		at++;
	return at < end ? at : end;
}
