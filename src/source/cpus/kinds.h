#ifndef PERFTOP_SOURCE_CPUS_KINDS_H
#define PERFTOP_SOURCE_CPUS_KINDS_H

/*
 * The kinds of CPU that are watched: CPUs are of one kind that have the same core PMU. Where there
 * is one core PMU or none all CPUs are of one kind.
 */

#include <stddef.h>

#include "base/list.h"
#include "source/plan/plan.h"

#include "event/event.h"

struct kinds {
	struct event_core_pmu pmus[LAYOUT_KINDS_MAX]; /* those that are watched */
	struct event_core_pmu absent[LAYOUT_KINDS_MAX];
	struct plan_target targets[LAYOUT_KINDS_MAX]; /* the first CPU of each */
	struct number_list cpus[LAYOUT_KINDS_MAX];    /* owned; empty: all */
	size_t count, absent_count;                   /* of PMUs */
};

/* only: of the online CPUs these; NULL: all. At least one is watched. */
void kinds_init(struct kinds *kinds, const struct event_core_pmu *pmus, size_t count,
		const struct number_list *online, const struct number_list *only);
void kinds_fini(struct kinds *kinds);

/* What a plan is made for; borrows from the kinds. */
struct plan_setup kinds_setup(const struct kinds *kinds);

/* Kind of a CPU; 0 when unknown. */
size_t kinds_of(const struct kinds *kinds, int cpu);

#endif
