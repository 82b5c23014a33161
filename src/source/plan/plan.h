#ifndef PERFTOP_SOURCE_PLAN_PLAN_H
#define PERFTOP_SOURCE_PLAN_PLAN_H

/*
 * Which of the events asked for are counted, in which groups, and these groups as they are open on
 * a CPU or a task.
 *
 * What fits is found out by trying, on one target for each kind of CPU or on this process. The
 * clock group of each kind holds the software events; what it has no room for is in further groups
 * that are always on. The hardware events are in as few groups as their PMU takes. Where all of a
 * CPU fit into one and no other program takes counters, they are in the clock group, so that a
 * switch makes one sample. Where they do not, groups of a PMU take turns, and the clock group needs
 * no counter, so it cannot be taken away: run time and switches are exact whatever happens to the
 * hardware counters.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/group.h"
#include "model/layout.h"

#include "event/event.h"

struct error;
struct host;
struct session;

/* How events are tried: they are opened on a target for a moment. */
struct trials {
	const struct host *host; /* borrowed, as are the features */
	const struct attr_features *features;
	void (*pause)(void *context); /* frees the counters that are ours on the targets; NULL */
	void *context;
	int shortage;       /* EMFILE, ENFILE: nothing more can be tried; 0: none */
	size_t count;       /* groups that were opened for the last change */
	struct group *kept; /* owned; with tracepoints, still open */
	size_t kept_count, kept_capacity;
};

struct plan {
	struct layout layout;                          /* owned */
	struct plan_event *events;                     /* owned; layout.event_count */
	struct plan_unit *units;                       /* owned; core PMUs */
	struct group_target targets[LAYOUT_KINDS_MAX]; /* on which events are tried */
	size_t unit_count;
	bool is_contended;   /* others take counters: the clock group has to do without */
	bool has_sites;      /* switches say where tasks leave the CPU, as far as that is known */
	bool has_new_groups; /* since the last change: all of them are to be opened anew */
};

/* What is watched. A CPU has a kind: that of its core PMU; tasks run on all of them. */
struct plan_setup {
	const struct event_core_pmu *pmus; /* their texts are borrowed for the life of the plan */
	size_t pmu_count;
	const struct group_target *targets; /* at least one; of tasks one, of CPUs one for each of
					      the first PMUs: those of the others are not watched */
	size_t target_count;
};

/*
 * Makes the plan. False when the target cannot be watched at all; error then says why. An
 * unavailable event is not a failure: its state in the layout says so.
 */
bool plan_make(struct plan *plan, const struct plan_setup *setup, const struct event_set *set,
	       struct trials *trials, struct error *error);
void plan_fini(struct plan *plan);

/* A deep copy; *copy must not own anything. */
void plan_copy(struct plan *copy, const struct plan *plan);

/*
 * From now on the events of the set are counted. What is new is tried, and the events of its PMU
 * are put into groups anew. False when there are no descriptors for trials; the plan is of no use
 * then.
 */
bool plan_change(struct plan *plan, const struct event_set *set, struct trials *trials,
		 struct error *error);

/* Others take counters: from now on hardware events have a group of their own. */
void plan_note_contention(struct plan *plan);

/* Whether a leader alone can be opened: 0, or a positive errno. */
int plan_try_leader(struct trials *trials, const struct group_target *target);

/*
 * What was tried is open elsewhere by now: tracepoints have stayed open up to here. To be called
 * once more when nothing is tried any more.
 */
void trials_end(struct trials *trials);

/* The group of hardware events on a kind of CPU, if it is always on; SIZE_MAX: there is none. */
size_t plan_steady_group(const struct plan *plan, size_t kind);

/* Whether at least one hardware event is counted. */
bool plan_has_hardware(const struct plan *plan);

/* Descriptors that opening the plan on one target of the first kind takes: events and leaders. */
size_t plan_descriptors(const struct plan *plan);

/* Writes into the session: "cpu PMU, 4 counters", or why no hardware event is counted. */
void plan_describe_pmus(const struct plan *plan, const struct host *host, struct session *session);

/* What a member of a group counts; NULL: there is none. */
const struct event_spec *plan_spec_at(const struct plan *plan, size_t group, size_t member);

/*
 * The groups of a plan as they are open on one target. To follow another plan all of its groups
 * are opened beside them, disabled; when all targets have theirs, these take over, and the old ones
 * are closed. Counters of the hardware do not stand in the way: the kernel takes one only for what
 * is enabled. Breakpoints do, from when they are opened: of these there are four. An empty bundle
 * has the first four members only.
 */
struct bundle {
	struct group_target target;
	const struct attr_features *features; /* borrowed */
	size_t kind;                          /* groups of other kinds of CPU are not opened */
	struct group_cgroups cgroups;         /* borrowed; the target's pid is each of them */
	struct group *groups; /* owned; by the index of the layout's group, of several cgroups one's
				 behind the other's; many are not open */
	size_t count;
	struct group *next; /* owned; opened for the plan to come; NULL: none are */
	size_t next_count;
};

/* Opens what the plan has. 0, or a positive errno: nothing has changed. */
int bundle_prepare(struct bundle *bundle, const struct plan *plan);
void bundle_abandon(struct bundle *bundle);

/*
 * Closes the old groups. What is not prepared is opened now, where they made no room for it before;
 * if the kernel refuses, none is open then.
 */
void bundle_commit(struct bundle *bundle, const struct plan *plan);
void bundle_close(struct bundle *bundle);

static inline bool bundle_is_open(const struct bundle *bundle, size_t group)
{
	return group < bundle->count && bundle->groups[group].leader_fd >= 0;
}

#endif
