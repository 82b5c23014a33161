#ifndef PERFTOP_SOURCE_PLAN_BUNDLE_H
#define PERFTOP_SOURCE_PLAN_BUNDLE_H

/*
 * The groups of a plan as they are open on one target, a CPU or a task. To follow a new plan
 * everything that it needs is opened first; only when all targets have it, the old is closed.
 * What fails on the way leaves nothing behind.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"
#include "source/plan/plan.h"

/* An empty one has the first four members only. */
struct bundle {
	struct plan_target target;
	const struct attr_features *features; /* borrowed */
	size_t kind;                          /* groups of other kinds of CPU are not opened */
	struct group *groups; /* owned; by the index of the layout's group; many are not open */
	size_t count;
	struct group *next; /* owned; opened for the plan to come; NULL: none is to come */
	size_t next_count;
	enum plan_step *steps; /* owned; from the last plan to it, for each group */
};

/*
 * Opens what plan `after` has more than `before`, as it is open (NULL: nothing is). is_disabled:
 * nothing counts yet, so that groups may take more members. 0, or a positive errno: nothing has
 * changed. Then comes either bundle_commit() or bundle_abandon().
 */
int bundle_prepare(struct bundle *bundle, const struct plan *before, const struct plan *after,
		   bool is_disabled);
/* Of a target that is about to go: what the new plan changes is closed, and nothing is opened. */
void bundle_prepare_nothing(struct bundle *bundle, const struct plan *before,
			    const struct plan *after);
void bundle_abandon(struct bundle *bundle, const struct plan *before);
void bundle_commit(struct bundle *bundle, const struct plan *before, const struct plan *after);
void bundle_close(struct bundle *bundle);

static inline bool bundle_is_open(const struct bundle *bundle, size_t group)
{
	return group < bundle->count && bundle->groups[group].leader_fd >= 0;
}

/* Descriptors it holds; the highest of them, and of those prepared (-1: none). */
size_t bundle_descriptors(const struct bundle *bundle);
int bundle_last_descriptor(const struct bundle *bundle);

#endif
