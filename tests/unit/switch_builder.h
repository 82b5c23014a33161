#ifndef PERFTOP_TESTS_SWITCH_BUILDER_H
#define PERFTOP_TESTS_SWITCH_BUILDER_H

/*
 * Histories of context switches for tests of views and writers; of counts vectors as in
 * snapshot_builder.h.
 *
 *	struct told_switches told;
 *
 *	told_init(&told, 8192);
 *	const uint64_t sh = told_actor(&told, 7, 8, "sh");
 *	switched(&told, .prev = sh, .next = ACTOR_IDLE, .slice_ns = 5000, .how = SWITCH_BLOCKED);
 *
 * Switches follow each other by a microsecond, one to a preempted task by its wait, too, and are
 * settled at once.
 */

#include <stdio.h>

#include "model/history.h"
#include "model/record.h"

#include "snapshot_builder.h"

struct told_switches {
	struct history *history; /* owned */
	uint64_t now_ns;         /* of the last one */
	uint64_t counts[WORLD_WIDTH];
};

enum {
	TOLD_STEP_NS = 1000
};

static inline void told_init(struct told_switches *told, size_t capacity)
{
	*told = (struct told_switches){.history = history_create(capacity, WORLD_WIDTH)};
}

static inline void told_fini(struct told_switches *told)
{
	history_destroy(told->history);
}

/* The number of a task's name; its id is its tid. */
static inline uint64_t told_actor(struct told_switches *told, int32_t pid, int32_t tid,
				  const char *name)
{
	struct snapshot_task task = {.id = (uint64_t)tid, .pid = pid, .tid = tid};

	snprintf(task.name, sizeof(task.name), "%s", name);
	return history_add_actor(told->history, &task);
}

/* Without settling it: another CPU may still come before. */
static inline void told_add(struct told_switches *told, struct switch_entry entry)
{
	const bool has_waited = entry.next_was_preempted && entry.off_ns != SWITCH_NS_UNKNOWN;
	const uint64_t step_ns = TOLD_STEP_NS + (has_waited ? entry.off_ns : 0);

	told->now_ns = entry.time_ns > 0 ? entry.time_ns : told->now_ns + step_ns;
	entry.time_ns = told->now_ns;
	history_add(told->history, &entry);
}

static inline void told_switch(struct told_switches *told, struct switch_entry entry)
{
	told_add(told, entry);
	history_settle(told->history, told->now_ns + 1);
}

#define switched(told_, ...) told_switch((told_), (struct switch_entry){__VA_ARGS__})

/* Counts of a slice that was counted all the time; good until the next. */
static inline const uint64_t *told_counts(struct told_switches *told, uint64_t slice_ns,
					  struct counts_spec spec)
{
	struct world world = {0};
	const uint64_t *counts = world_vector(&world, spec);

	memcpy(told->counts, counts, sizeof(told->counts));
	told->counts[QUANTITY_RUN_NS] = told->counts[WORLD_GROUP] = slice_ns;
	told->counts[QUANTITY_SWITCHES] = 1;
	return told->counts;
}

#endif
