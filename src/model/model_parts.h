#ifndef PERFTOP_MODEL_MODEL_PARTS_H
#define PERFTOP_MODEL_MODEL_PARTS_H

/*
 * The model (model.h), for its own files alone: model.c makes it, changes it and closes intervals,
 * model_feed.c hands records to the parts they concern.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/attribution.h"
#include "model/journal.h"
#include "model/layout.h"
#include "model/per_task.h"
#include "model/scheduling.h"
#include "model/snapshot.h"
#include "model/tasks.h"

struct model {
	struct layout layout;        /* with the states of the events as of the last interval */
	struct layout planned;       /* with those the source began with */
	struct group_places *places; /* owned; one per group */
	struct task_table tasks;
	struct scheduling scheduling;
	struct journal journal;
	struct attribution attribution;
	struct per_task per_task;
	bool has_fed_tasks;       /* some task is fed per task */
	struct snapshot snapshot; /* of the interval closed last */
	uint64_t start_ns;        /* of the first interval */
	uint64_t interval_start_ns;
	uint64_t lost_records, lost_records_total;
	uint64_t throttled;
	char *others;         /* owned; what else uses the counters */
	struct own_usage own; /* for the snapshot of the interval that goes on */
};

#endif
