#ifndef PERFTOP_MODEL_PER_TASK_H
#define PERFTOP_MODEL_PER_TASK_H

/*
 * Where whole CPUs may not be counted, the kernel counts each task by itself: every
 * reading then names its owner, and there is nothing to attribute.
 *
 * A task is fed per task from its first such reading on (task_is_fed()). Its switch records count
 * for it directly, whichever CPU they name; if none come, its absolute numbers of
 * switches (RECORD_SWITCH_COUNT) do. Nothing is read at its switches: a slice is as long as the
 * records say, and its counts are unknown; so is the task on the other side of the switch.
 */

#include <stdbool.h>
#include <stddef.h>

struct attribution;
struct record;
struct task;

void per_task_reading(struct attribution *attribution, const struct record *record,
		      struct task *task);
/* False: neither side is a task that is fed. */
bool per_task_switch(struct attribution *attribution, const struct record *record);
void per_task_switch_count(struct attribution *attribution, const struct record *record,
			   struct task *task);

/* The layout has become a later state of itself, and had group_count groups before. */
void per_task_change(struct attribution *attribution, size_t group_count);

#endif
