#ifndef PERFTOP_MODEL_PER_TASK_H
#define PERFTOP_MODEL_PER_TASK_H

/*
 * Where whole CPUs may not be counted, the kernel counts each task by itself: every
 * reading then names its owner, and there is nothing to attribute.
 *
 * A task is fed per task from its first such reading on. Its switch records count
 * for it directly, whichever CPU they name; if none come, its absolute numbers of
 * switches (RECORD_SWITCH_COUNT) do. Nothing is read at its switches: a slice is as long as the
 * records say, and its counts are unknown; so is the task on the other side of the switch.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "model/stream.h"

struct layout;
struct record;
struct scheduling;
struct journal;
struct task;
struct task_table;
struct waits;

struct per_task {
	const struct layout *layout;       /* borrowed */
	const struct group_places *places; /* borrowed; one per group */
	struct task_table *tasks;          /* borrowed */
	struct scheduling *scheduling;     /* borrowed */
	struct journal *journal;           /* borrowed */
	uint64_t broken_readings;
};

bool task_is_fed(const struct task *task);

void per_task_reading(struct per_task *per_task, const struct record *record, struct task *task);
void per_task_switch_out(struct per_task *per_task, const struct record *record, struct task *task);
void per_task_switch_in(struct per_task *per_task, const struct record *record, struct task *task);
void per_task_switch_count(struct per_task *per_task, const struct record *record,
			   struct task *task);

/* The task has waited. */
void per_task_enter_waits(struct per_task *per_task, struct task *task, const struct waits *waits);

/* The layout has become a later state of itself, and had group_count groups before. */
void per_task_change(struct per_task *per_task, const struct group_places *places,
		     size_t group_count);

/* Reports what the task's numbers go on from, if it is fed (resync.h). */
void per_task_resync(const struct per_task *per_task, const struct task *task,
		     model_listener *listen, void *context);

#endif
