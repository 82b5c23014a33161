#ifndef PERFTOP_SOURCE_PLAN_TRIAL_H
#define PERFTOP_SOURCE_PLAN_TRIAL_H

/*
 * Whether events can be counted together, found out by counting them for a moment, and remembered
 * for the run: a plan that is made again tries only what is new.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"

struct event_spec;
struct host;
struct trials; /* opaque */

/* What a group of counters is opened on. */
struct plan_target {
	enum group_leader leader;
	uint64_t tracepoint; /* that leads (kernel/group.h) */
	pid_t pid;
	int cpu;
	bool exclude_kernel;
	bool enable_on_exec;
};

/* Where events are tried. */
struct trial_scope {
	struct plan_target target;
	size_t kind;      /* of CPU; what counts on one may not on another */
	const char *cpus; /* of a target without a CPU: those that have the PMU; "" or NULL: all */
	size_t counters;  /* that the PMU is known to have free: so many events run if they open */
	bool is_hasty;    /* others may have counters that they give back at once: not waited for */
};

/* Both are borrowed for the life of the trials. */
struct trials *trials_create(const struct host *host, const struct attr_features *features);
void trials_destroy(struct trials *trials);

const struct host *trials_host(const struct trials *trials);

/*
 * A new round. Counters of ours that are in use would spoil a trial of others: before the first of
 * the round pause() is called, unless it is NULL. Its provider lets them go on again.
 */
void trials_begin(struct trials *trials, void (*pause)(void *context), void *context);

/*
 * The round is over, and what it has found available is counted. Until then tracepoints that were
 * tried stay open: call it when their events are open. trials_destroy() ends the round as well.
 */
void trials_end(struct trials *trials);

/* How often something was opened for a trial in this round. */
size_t trials_count(const struct trials *trials);

/*
 * Tries events that need no counter. 0, or a positive errno and *failed the one that was refused
 * (-1: none in particular). Never remembered: breakpoints come and go.
 */
int trials_try_software(struct trials *trials, const struct trial_scope *scope,
			const struct event_spec *const *specs, size_t count, int *failed);

/*
 * Tries events of one PMU. 0 when they are counted together, otherwise a positive errno. What
 * includes a group that is known not to fit does not fit either, and what is part of one that
 * fits does.
 */
int trials_try(struct trials *trials, const struct trial_scope *scope,
	       const struct event_spec *const *specs, size_t count);

/* Whether trials_try() knows the answer without trying. */
bool trials_know(const struct trials *trials, const struct trial_scope *scope,
		 const struct event_spec *const *specs, size_t count);

#endif
