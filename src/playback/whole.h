#ifndef PERFTOP_PLAYER_WHOLE_H
#define PERFTOP_PLAYER_WHOLE_H

/*
 * A kept interval with the tasks that were there and did not run in it, of which nothing is kept: a
 * task that did not run is as the next interval that knows it says, less what it did in that one.
 * What lies in intervals that are kept no more cannot be taken off it.
 */

#include <stdint.h>

#include "base/map.h"
#include "model/snapshot.h"

struct kept;

struct whole_interval {
	struct snapshot snapshot;    /* borrows all but its tasks from the kept one */
	struct snapshot_task *tasks; /* owned */
	size_t task_capacity;
	size_t *places;    /* owned; of the vectors of the tasks that were added */
	uint64_t *numbers; /* owned; zeros, vectors of tasks, and of processes' ended threads */
	size_t place_capacity, number_count, number_capacity, width;
	uint64_t last_id;
	struct map seen; /* ids */
	struct map
		reapers; /* by pid: tasks with threads that have ended since; place of their sum */
};

/*
 * keep: of its interval that ended then. newest: all tasks as they are now; borrowed, as the kept
 * intervals are.
 */
void whole_interval_init(struct whole_interval *whole, const struct kept *keep, uint64_t time_ns,
			 const struct snapshot *newest);
void whole_interval_fini(struct whole_interval *whole);

#endif
