#ifndef PERFTOP_MODEL_EXITED_TOTALS_H
#define PERFTOP_MODEL_EXITED_TOTALS_H

/*
 * What exited tasks have consumed, added up by what they were, so that sums over all tasks since
 * the start are whole although tasks are forgotten.
 *
 * Their number is bounded: when half of the room is taken parents and sessions are no longer
 * distinguished, and in the end all that is new is one sum of which nothing is known.
 */

#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

enum {
	EXITED_TOTALS_MAX = 1024
};

/* Tasks that were alike in all of this. */
struct exited_total {
	struct snapshot_task like; /* name, uid, parent_pid, session, cgroup, is_kernel_thread and
				      total; nothing else */
	uint64_t *total;           /* owned */
	char *cgroup;              /* owned */
};

/* An empty one is {0}. */
struct exited_totals {
	struct exited_total *list; /* owned */
	uint64_t *hashes;          /* owned; of each */
	size_t count, capacity, hash_capacity;
};

void exited_totals_fini(struct exited_totals *totals);

/* Adds what a task has consumed since the start: its total, and that of its forgotten threads. */
void exited_totals_add(struct exited_totals *totals, const struct snapshot_task *task,
		       size_t width);

void exited_totals_widen(struct exited_totals *totals, size_t width, size_t new_width);

#endif
