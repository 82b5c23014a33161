#ifndef PERFTOP_SESSION_OTHERS_H
#define PERFTOP_SESSION_OTHERS_H

/*
 * Tasks that this user may not count: what the kernel itself keeps account of, proc(5): schedstat,
 * status and stat of each thread, which everybody may read. CPU time, run-queue waits, switches
 * and faults are differences of two looks; what events count is not known.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/snapshot.h"

struct engine;

/* All of them are {0}. */
struct others {
	bool is_on;
	bool has_schedstat;
	struct map by_tid;           /* owned; struct other */
	uint64_t looks;              /* so far */
	struct snapshot merged;      /* of the model's and this */
	struct snapshot_task *tasks; /* owned */
	size_t task_capacity;
	uint64_t *numbers; /* owned; vectors of its tasks */
	size_t number_capacity;
};

void others_fini(struct others *others);

/*
 * Looks at every thread in /proc as an interval ends. Those that are new, have changed, or are gone
 * are reported to the model.
 */
void others_look(struct engine *engine);

/*
 * The same snapshot, in which tasks that no counter has reported so far are as /proc says
 * (is_from_proc). Good until the next call.
 */
const struct snapshot *others_add(struct others *others, const struct snapshot *whole);

#endif
