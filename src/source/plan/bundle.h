#ifndef PERFTOP_SOURCE_PLAN_BUNDLE_H
#define PERFTOP_SOURCE_PLAN_BUNDLE_H

/*
 * The groups of a plan as they are open on one target, a CPU or a task. To follow a new plan
 * everything that it needs is opened first; only when all targets have it, the old is let go.
 * What fails on the way leaves nothing behind.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"
#include "source/plan/plan.h"

struct bundle {
	struct group *groups; /* owned; by the index of the layout's group; many are not open */
	size_t count;
	struct group *next; /* owned; opened for the plan to come; NULL: none is to come */
	size_t next_count;
};

struct bundle_request {
	const struct plan *before; /* as it is open; NULL: nothing is */
	const struct plan *after;
	size_t kind; /* groups of other kinds of CPU are not opened */
	struct plan_target target;
	const struct attr_features *features;
	uint32_t wakeup_bytes;
	bool is_disabled; /* nothing counts yet: groups may take more members */
};

bool bundle_is_open(const struct bundle *bundle, size_t group);

/* What bundle_commit() does with a group. */
enum plan_step bundle_step(const struct bundle_request *request, size_t group);

/* False: nothing has changed, *errno_value says why. */
bool bundle_prepare(struct bundle *bundle, const struct bundle_request *request, int *errno_value);
/* Of a target that is about to go: what the new plan changes is closed, and nothing is opened. */
void bundle_prepare_nothing(struct bundle *bundle, const struct bundle_request *request);
void bundle_abandon(struct bundle *bundle, const struct bundle_request *request);
void bundle_commit(struct bundle *bundle, const struct bundle_request *request);

void bundle_close(struct bundle *bundle);

/* Descriptors it holds; the highest of them, and of those prepared (-1: none). */
size_t bundle_descriptors(const struct bundle *bundle);
int bundle_last_descriptor(const struct bundle *bundle);

#endif
