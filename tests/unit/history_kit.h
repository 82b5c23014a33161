#ifndef PERFTOP_TESTS_HISTORY_KIT_H
#define PERFTOP_TESTS_HISTORY_KIT_H

/*
 * A history and beside it all that was ever put into it, in plain arrays. Steps that are made of
 * eight bytes each change both; kit_check() compares them. What does not hold ends the program.
 *
 * The plain one keeps its order by inserting: an entry goes behind all whose key is not greater;
 * the key is its time, or that of the CPU's entry before it, or of the last settled one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"
#include "model/history.h"
#include "model/history_actors.h"
#include "model/history_rows.h"
#include "model/layout.h"
#include "model/record.h"

enum {
	KIT_TASKS = 24,
	KIT_CPUS = 5, /* the last one is unknown, the one before has the highest number */
	KIT_WIDTH_MAX = QUANTITY_BUILTIN + 12,
	KIT_STEP_BYTES = 8
};

struct kit_entry {
	struct switch_entry entry;
	uint64_t counts[KIT_WIDTH_MAX];
	uint64_t key;
};

struct kit_copy {
	struct history *history; /* NULL: none */
	struct kit_entry *entries;
	size_t first, end;
};

struct history_kit {
	struct history *history;
	size_t asked; /* capacity */
	struct kit_entry *entries;
	size_t count, capacity;
	size_t most;         /* no entries are added when there are so many; 0: there is no bound */
	struct actor *named; /* by number */
	uint64_t named_count;
	size_t named_capacity;
	struct snapshot_task tasks[KIT_TASKS];
	uint64_t known[KIT_TASKS];
	uint64_t last_id;
	uint64_t clock_ns[KIT_CPUS], keys[KIT_CPUS];
	uint64_t settled_key, settled;
	struct kit_copy copy;
	uint64_t random;
};

static inline void kit_fail(int line)
{
	fprintf(stderr, "history_kit.h:%d does not hold\n", line);
	abort();
}

#define KIT_REQUIRE(holds) ((holds) ? (void)0 : kit_fail(__LINE__))

static inline uint64_t kit_random(struct history_kit *kit)
{
	kit->random ^= kit->random >> 12;
	kit->random ^= kit->random << 25;
	kit->random ^= kit->random >> 27;
	return kit->random * UINT64_C(0x2545f4914f6cdd1d);
}

static inline uint64_t kit_below(struct history_kit *kit, uint64_t end)
{
	return (kit_random(kit) >> 16) % end;
}

/* Of any magnitude; all bits set now and then. */
static inline uint64_t kit_number(struct history_kit *kit)
{
	return kit_below(kit, 32) ? kit_random(kit) >> kit_below(kit, 64) : UINT64_MAX;
}

static inline void kit_init(struct history_kit *kit, size_t asked, size_t width, uint64_t seed)
{
	*kit = (struct history_kit){.asked = asked, .random = seed | 1};
	kit->history = history_create(asked, width);
	for (size_t i = 0; i < KIT_TASKS; i++) {
		kit->tasks[i].id = ++kit->last_id;
		kit->tasks[i].pid = kit->tasks[i].tid = (int32_t)i;
		snprintf(kit->tasks[i].name, sizeof(kit->tasks[i].name), "task %zu", i);
	}
}

/*
 * The most that it may take: no number has room in its row, and each is of new tasks. Those that
 * are named by what is kept may begin and end within a piece.
 */
static inline size_t kit_bytes_max(const struct history *history)
{
	const size_t entries = history_capacity(history);
	const size_t numbers = HISTORY_FIELDS + history_width(history) - QUANTITY_BUILTIN;
	const size_t row = numbers * (sizeof(uint32_t) + 2 * sizeof(struct history_wide));
	const size_t actors = 3 * entries; /* that an entry names, at the most */

	return entries * row +
	       (actors + (HISTORY_ACTORS_YOUNG + 3) * HISTORY_ACTORS_PIECE) *
		       (sizeof(struct actor) + 1) +
	       4096;
}

static inline bool kit_is_named(const struct actor *actor, const struct snapshot_task *task)
{
	return actor && actor->task_id == task->id && strcmp(actor->name, task->name) == 0;
}

static inline uint64_t kit_actor(struct history_kit *kit, size_t index)
{
	const struct snapshot_task *task = &kit->tasks[index];
	const uint64_t known = kit->known[index];
	const bool is_known = kit_is_named(history_find_actor(kit->history, known), task);
	const uint64_t number = is_known ? known : history_add_actor(kit->history, task);
	const struct actor *actor = history_find_actor(kit->history, number);

	kit->known[index] = number;
	KIT_REQUIRE(actor && actor->number == number && kit_is_named(actor, task));
	if (is_known) {
		KIT_REQUIRE(history_actors_ask(history_actors(kit->history), known));
		return number;
	}
	KIT_REQUIRE(number >= ACTOR_FIRST && number >= kit->named_count);
	array_reserve(&kit->named, &kit->named_capacity, (size_t)number + 1, sizeof(*kit->named));
	kit->named[number] = *actor;
	kit->named_count = number + 1;
	return number;
}

static inline uint64_t kit_someone(struct history_kit *kit)
{
	const uint64_t who = kit_below(kit, KIT_TASKS + 2);

	return who < KIT_TASKS ? kit_actor(kit, (size_t)who) : who - KIT_TASKS;
}

static inline void kit_make(struct history_kit *kit, size_t clock, struct kit_entry *made)
{
	static const int32_t cpus[KIT_CPUS] = {0, 1, 2, TOPOLOGY_CPUS_MAX - 1, -1};
	struct switch_entry *entry = &made->entry;

	*made = (struct kit_entry){0};
	kit->clock_ns[clock] += kit_below(kit, 5000);
	entry->time_ns = kit->clock_ns[clock];
	if (kit_below(kit, 64) == 0)
		entry->time_ns -= kit_below(kit, entry->time_ns + 1) >> kit_below(kit, 20);
	entry->slice_ns = kit_number(kit);
	entry->off_ns = kit_number(kit);
	entry->wait_ns = kit_below(kit, 2) ? SWITCH_NS_UNKNOWN : kit_below(kit, 100);
	entry->prev = kit_someone(kit);
	entry->next = kit_someone(kit);
	entry->queued_by = kit->named_count ? kit_below(kit, kit->named_count) : ACTOR_UNKNOWN;
	entry->lock = kit_below(kit, 32) ? 0 : kit_number(kit);
	entry->cpu = cpus[clock];
	entry->from_cpu = cpus[kit_below(kit, KIT_CPUS)];
	entry->how = (enum switch_how)kit_below(kit, SWITCH_HOWS);
	entry->state = (uint8_t)kit_below(kit, TASK_STATES);
	entry->next_was_preempted = kit_below(kit, 2);
	entry->has_counts = kit_below(kit, 8);
	for (size_t place = 0; place < history_width(kit->history); place++)
		made->counts[place] = kit_number(kit) >> kit_below(kit, 64);
	entry->counts = kit_below(kit, 64) ? made->counts : NULL;
}

/* What the history is to give back. */
static inline void kit_expect(struct history_kit *kit, struct kit_entry *entry)
{
	const enum switch_how how = entry->entry.how;

	if (!entry->entry.has_counts || !entry->entry.counts)
		memset(entry->counts, 0, sizeof(entry->counts));
	memset(entry->counts, 0, QUANTITY_BUILTIN * sizeof(*entry->counts));
	entry->counts[QUANTITY_RUN_NS] =
		entry->entry.slice_ns == SWITCH_NS_UNKNOWN ? 0 : entry->entry.slice_ns;
	entry->counts[QUANTITY_SWITCHES] = 1;
	entry->counts[QUANTITY_PREEMPTIONS] = how == SWITCH_PREEMPTED || how == SWITCH_YIELDED;
	if (!history_find_actor(kit->history, entry->entry.queued_by))
		entry->entry.queued_by = ACTOR_UNKNOWN;
}

static inline void kit_insert(struct history_kit *kit, size_t clock, struct kit_entry *entry)
{
	size_t at = kit->count;

	entry->key = entry->entry.time_ns;
	entry->key = kit->keys[clock] > entry->key ? kit->keys[clock] : entry->key;
	entry->key = kit->settled_key > entry->key ? kit->settled_key : entry->key;
	kit->keys[clock] = entry->key;
	array_reserve(&kit->entries, &kit->capacity, kit->count + 1, sizeof(*kit->entries));
	for (; at > 0 && kit->entries[at - 1].key > entry->key; at--)
		kit->entries[at] = kit->entries[at - 1];
	KIT_REQUIRE(at >= kit->settled);
	kit->entries[at] = *entry;
	kit->count++;
}

static inline void kit_add(struct history_kit *kit, size_t clock)
{
	struct kit_entry fed, entry;
	uint64_t settled;

	kit_make(kit, clock, &fed);
	entry = fed;
	kit_expect(kit, &entry);
	history_add(kit->history, &fed.entry);
	settled = history_settled(kit->history);
	KIT_REQUIRE(settled >= kit->settled && settled <= kit->count);
	if (settled > kit->settled) { /* without being told to: there were too many open ones */
		kit->settled = settled;
		if (kit->entries[settled - 1].key > kit->settled_key)
			kit->settled_key = kit->entries[settled - 1].key;
	}
	kit_insert(kit, clock, &entry);
	KIT_REQUIRE(history_end(kit->history) == kit->count);
}

static inline void kit_settle(struct history_kit *kit, uint64_t time_ns)
{
	history_settle(kit->history, time_ns);
	if (time_ns > kit->settled_key)
		kit->settled_key = time_ns;
	while (kit->settled < kit->count && kit->entries[kit->settled].key <= kit->settled_key)
		kit->settled++;
	KIT_REQUIRE(history_settled(kit->history) == kit->settled);
}

static inline uint64_t kit_field(const struct switch_entry *entry, enum history_field field)
{
	const uint64_t fields[HISTORY_FIELDS] = {
		[HISTORY_TIME_NS] = entry->time_ns,
		[HISTORY_SLICE_NS] = entry->slice_ns,
		[HISTORY_OFF_NS] = entry->off_ns,
		[HISTORY_WAIT_NS] = entry->wait_ns,
		[HISTORY_PREV] = entry->prev,
		[HISTORY_NEXT] = entry->next,
		[HISTORY_QUEUED_BY] = entry->queued_by,
		[HISTORY_CPU] = (uint64_t)(int64_t)entry->cpu,
		[HISTORY_FROM_CPU] = (uint64_t)(int64_t)entry->from_cpu,
		[HISTORY_HOW] = entry->how,
		[HISTORY_STATE] = entry->state,
		[HISTORY_NEXT_WAS_PREEMPTED] = entry->next_was_preempted,
		[HISTORY_HAS_COUNTS] = entry->has_counts,
		[HISTORY_LOCK] = entry->lock,
	};

	return fields[field];
}

static inline void kit_check_actor(const struct history_kit *kit, const struct history *history,
				   uint64_t number)
{
	const struct actor *actor = history_find_actor(history, number);

	KIT_REQUIRE(actor && actor->number == number);
	if (number >= ACTOR_FIRST)
		KIT_REQUIRE(memcmp(actor, &kit->named[number], sizeof(*actor)) == 0);
}

static inline void kit_check_entry(struct history_kit *kit, const struct history *history,
				   uint64_t sequence, const struct kit_entry *expected)
{
	const size_t width = history_width(history);
	uint64_t counts[KIT_WIDTH_MAX];
	struct switch_entry entry;

	history_get(history, sequence, &entry, counts);
	for (int i = 0; i < HISTORY_FIELDS; i++) {
		const enum history_field field = (enum history_field)i;

		KIT_REQUIRE(kit_field(&entry, field) == kit_field(&expected->entry, field));
	}
	KIT_REQUIRE(memcmp(counts, expected->counts, width * sizeof(*counts)) == 0);
	uint64_t run[2 * KIT_WIDTH_MAX];
	const size_t before = sequence > history_first(history); /* it may be of another block */
	history_counts(history, sequence - before, 1 + before, run);
	KIT_REQUIRE(memcmp(run + before * width, counts, width * sizeof(*counts)) == 0);
	kit_check_actor(kit, history, entry.prev);
	kit_check_actor(kit, history, entry.next);
	kit_check_actor(kit, history, entry.queued_by);
}

static inline void kit_check_column(struct history_kit *kit, const struct history *history,
				    const struct kit_entry *expected)
{
	const uint64_t first = history_first(history), end = history_end(history);
	const enum history_field field = (enum history_field)kit_below(kit, HISTORY_FIELDS);
	const uint64_t from = kit_below(kit, end - first + 1);
	const size_t count = (size_t)kit_below(kit, end - first - from + 1);
	uint64_t *numbers = xcalloc(count, sizeof(*numbers));

	history_numbers(history, first + from, count, field, numbers);
	for (size_t i = 0; i < count; i++)
		KIT_REQUIRE(numbers[i] == kit_field(&expected[from + i].entry, field));
	free(numbers);
}

static inline void kit_check_seek(struct history_kit *kit, const struct history *history,
				  const struct kit_entry *expected)
{
	const uint64_t first = history_first(history), end = history_end(history);
	uint64_t time_ns = kit_below(kit, 2) ? kit_number(kit) : 0, at = 0;

	if (end > first && kit_below(kit, 4))
		time_ns = expected[kit_below(kit, end - first)].entry.time_ns + kit_below(kit, 2);
	while (at < end - first && expected[at].entry.time_ns < time_ns)
		at++;
	KIT_REQUIRE(history_seek(history, time_ns) == first + at);
}

/* Every entry, or one of `step`. expected: the one of the history's first entry. */
static inline void kit_check_all(struct history_kit *kit, const struct history *history,
				 const struct kit_entry *expected, size_t step)
{
	const uint64_t first = history_first(history), end = history_end(history);

	for (uint64_t i = first + kit_below(kit, step); i < end; i += step)
		kit_check_entry(kit, history, i, &expected[i - first]);
	kit_check_column(kit, history, expected);
	kit_check_seek(kit, history, expected);
	KIT_REQUIRE(history_bytes(history) <= kit_bytes_max(history));
}

static inline void kit_check(struct history_kit *kit, size_t step)
{
	const uint64_t first = history_first(kit->history);
	const uint64_t kept = kit->count - first;

	KIT_REQUIRE(kept <= history_capacity(kit->history));
	KIT_REQUIRE(kept >= kit->asked || first == 0);
	kit_check_all(kit, kit->history, kit->entries ? kit->entries + first : NULL, step);
}

static inline void kit_drop_copy(struct history_kit *kit)
{
	struct kit_copy *copy = &kit->copy;

	if (!copy->history)
		return;
	KIT_REQUIRE(history_first(copy->history) == copy->first);
	KIT_REQUIRE(history_end(copy->history) == copy->end);
	kit_check_all(kit, copy->history, copy->entries, 1);
	history_destroy(copy->history);
	free(copy->entries);
	*copy = (struct kit_copy){0};
}

static inline void kit_copy(struct history_kit *kit)
{
	struct kit_copy *copy = &kit->copy;

	kit_drop_copy(kit);
	copy->history = history_copy(kit->history);
	copy->first = (size_t)history_first(kit->history);
	copy->end = kit->count;
	copy->entries = xcalloc(copy->end - copy->first, sizeof(*copy->entries));
	if (copy->end > copy->first)
		memcpy(copy->entries, kit->entries + copy->first,
		       (copy->end - copy->first) * sizeof(*copy->entries));
}

static inline void kit_rename(struct history_kit *kit, size_t index, bool is_another)
{
	struct snapshot_task *task = &kit->tasks[index];

	if (is_another) {
		task->id = ++kit->last_id;
		kit->known[index] = ACTOR_UNKNOWN;
	}
	snprintf(task->name, sizeof(task->name), "%x", (unsigned)kit_below(kit, 1000));
}

/* A CPU is heard. */
static inline void kit_burst(struct history_kit *kit, const uint8_t *bytes)
{
	const size_t clock = bytes[1] % KIT_CPUS;
	size_t count = bytes[2] % 64;

	if (bytes[3] >= 0xfc)
		count *= 128;
	for (size_t i = 0; i < count && !(kit->most && kit->count >= kit->most); i++) {
		if (bytes[4] & 1 && i % 4 == 0)
			kit_rename(kit, (size_t)kit_below(kit, KIT_TASKS), true);
		kit_add(kit, clock);
	}
}

static inline void kit_step(struct history_kit *kit, const uint8_t *bytes)
{
	const size_t width = history_width(kit->history);
	const size_t clock = bytes[1] % KIT_CPUS;

	kit->random += bytes[7];
	switch (bytes[0] % 16) {
	case 0:
	case 1:
	case 2:
		kit_settle(kit, kit->clock_ns[clock]);
		break;
	case 3:
		kit_rename(kit, bytes[2] % KIT_TASKS, bytes[3] & 1);
		break;
	case 4:
		history_widen(kit->history,
			      width + bytes[2] % 3 < KIT_WIDTH_MAX ? width + bytes[2] % 3 : width);
		break;
	case 5:
		if (bytes[2] < 64)
			kit_copy(kit);
		break;
	case 6:
		kit_check(kit, 1 + bytes[2]);
		break;
	case 7: /* the clocks meet */
		for (size_t i = 0; i < KIT_CPUS; i++)
			if (kit->clock_ns[i] < kit->clock_ns[clock])
				kit->clock_ns[i] = kit->clock_ns[clock];
		break;
	default:
		kit_burst(kit, bytes);
	}
}

static inline void kit_fini(struct history_kit *kit)
{
	kit_check(kit, 1);
	history_destroy(kit->history);
	kit_drop_copy(kit); /* it outlives what it was made of */
	free(kit->entries);
	free(kit->named);
}

#endif
