#ifndef PERFTOP_SOURCE_PLAN_H
#define PERFTOP_SOURCE_PLAN_H

/*
 * Which of the events asked for are counted, and in which groups: found out by
 * trying. The plan is made once on one target (a CPU, or this process) and then opened
 * on every CPU or task that is watched.
 *
 * Group 0 holds the software events. It needs no counter, so nobody can take it away: run
 * time and switches are exact whatever happens to the hardware counters. The hardware events stand
 * in as few further groups as possible; where one does not hold them all, the groups take turns.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"
#include "model/layout.h"

struct error;
struct host;

struct plan_target {
	enum group_leader leader;
	pid_t pid;
	int cpu;
	bool exclude_kernel;
	bool enable_on_exec;
};

struct plan_group {
	struct event_spec specs[GROUP_MEMBERS_MAX];
	size_t count;
};

struct plan {
	struct layout layout;      /* owned; every event asked for, with its state and reason */
	struct plan_group *groups; /* owned; layout.group_count of them */
};

/*
 * Makes the plan. False when the target cannot be watched at all; error then says why. An event
 * that is not to be had is not a failure: its state in the layout tells.
 */
bool plan_make(struct plan *plan, const char *const *names, size_t count,
	       const struct plan_target *target, const struct host *host,
	       const struct attr_features *features, struct error *error);
void plan_fini(struct plan *plan);

/* Whether at least one hardware event is counted. */
bool plan_has_hardware(const struct plan *plan);

/* Descriptors that opening the plan on one target takes: events and leaders. */
size_t plan_descriptors(const struct plan *plan);

/* Opens group `index` of the plan on a target; like group_open(). */
bool plan_open_group(const struct plan *plan, size_t index, const struct plan_target *target,
		     const struct attr_features *features, uint32_t wakeup_bytes,
		     struct group *group, int *errno_value);

#endif
