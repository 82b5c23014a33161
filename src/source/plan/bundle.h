#ifndef PERFTOP_SOURCE_PLAN_BUNDLE_H
#define PERFTOP_SOURCE_PLAN_BUNDLE_H

/*
 * The groups of a plan as they are open on one target, a CPU or a task. To follow another plan all
 * of its groups are opened beside them, disabled; when all targets have theirs, these take over,
 * and the old ones are closed. Counters of the hardware do not stand in the way: the kernel takes
 * one only for what is enabled. Breakpoints do, from when they are opened: of these there are four.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"
#include "source/plan/plan.h"

/* An empty one has the first three members only. */
struct bundle {
	struct plan_target target;
	const struct attr_features *features; /* borrowed */
	size_t kind;                          /* groups of other kinds of CPU are not opened */
	struct group *groups; /* owned; by the index of the layout's group; many are not open */
	size_t count;
	struct group *next; /* owned; opened for the plan to come; NULL: none is to come */
	size_t next_count;
	bool is_late; /* they find no room beside the others: bundle_commit() opens them */
};

/*
 * Opens what the plan has. 0, or a positive errno: nothing has changed. Then comes either
 * bundle_commit() with the same plan or bundle_abandon().
 */
int bundle_prepare(struct bundle *bundle, const struct plan *plan);

/* Of a target that is about to go: nothing is opened. */
void bundle_prepare_nothing(struct bundle *bundle);
void bundle_abandon(struct bundle *bundle);

/* Closes the old groups. A late one has none then if the kernel refuses what it has tried. */
void bundle_commit(struct bundle *bundle, const struct plan *plan);
void bundle_close(struct bundle *bundle);

static inline bool bundle_is_open(const struct bundle *bundle, size_t group)
{
	return group < bundle->count && bundle->groups[group].leader_fd >= 0;
}

/* What was prepared can take over at any moment. */
static inline bool bundle_is_ready(const struct bundle *bundle)
{
	return bundle->next && !bundle->is_late;
}

/* Descriptors it holds; the highest of them, and of those prepared (-1: none). */
size_t bundle_descriptors(const struct bundle *bundle);
int bundle_last_descriptor(const struct bundle *bundle);

#endif
