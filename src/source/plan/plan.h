#ifndef PERFTOP_SOURCE_PLAN_PLAN_H
#define PERFTOP_SOURCE_PLAN_PLAN_H

/*
 * Which of the events asked for are counted, and in which groups: found out by
 * trying. The plan is made on one target for each kind of CPU (or on this process) and then opened
 * on every CPU or task that is watched.
 *
 * The clock group of each kind of CPU holds the software events; what it has no room for is in
 * further groups that are always on. The hardware events are in as few
 * groups as their PMU takes. Where all of a CPU fit into one and nobody else takes counters, they
 * are in the clock group, so that a switch makes one sample. Where they do not, groups of a PMU
 * take turns, and the clock group needs no counter, so it cannot be taken away: run time and
 * switches are exact whatever happens to the hardware counters.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"
#include "model/layout.h"
#include "source/plan/trial.h"
#include "source/source.h"

#include "event/event.h"

struct error;

enum {
	PLAN_PMUS_MAX = 16,
	PLAN_PARTS_MAX = LAYOUT_KINDS_MAX
};

/* A PMU with events in groups of their own. */
struct plan_pmu {
	char name[EVENT_SPEC_PMU_MAX]; /* "": the core PMU of a machine with one or none */
	char cpus[256];                /* that have it, as sysfs writes them; "" all */
	size_t counters;               /* of a core PMU: how many were found; 0: not tried */
};

/* An event on one kind of CPU, as one of its PMUs counts it. */
struct plan_part {
	size_t kind, pmu; /* pmu PLAN_PMUS_MAX: it needs no counter */
	size_t spec;
	int errno_value; /* 0: it is available */
	bool is_denied;
	char reason[EVENT_REASON_MAX]; /* why not */
};

/* What is known of the event of the same index in the layout. */
struct plan_event {
	struct evsel evsel;
	struct plan_part parts[PLAN_PARTS_MAX];
	size_t part_count;
	bool was_tried;
};

struct plan {
	struct layout layout;                         /* owned */
	struct plan_event *events;                    /* owned; layout.event_count */
	struct plan_target targets[LAYOUT_KINDS_MAX]; /* on which events are tried */
	struct plan_pmu pmus[PLAN_PMUS_MAX];          /* core PMUs first */
	size_t pmu_count, core_count;
	char absent[LAYOUT_KINDS_MAX][EVENT_SPEC_PMU_MAX]; /* core PMUs without watched CPUs */
	size_t absent_count;
	bool is_contended; /* others take counters: the clock group has to do without */
};

/* What is watched. A CPU has a kind: that of its core PMU; tasks run on all of them. */
struct plan_setup {
	const struct event_core_pmu *pmus;
	size_t pmu_count;
	const struct event_core_pmu *absent; /* core PMUs with nothing watched on their CPUs */
	size_t absent_count;
	const struct plan_target *targets; /* one per core PMU, at least one; or one for tasks */
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
 * From now on the events of the set are counted: what is new is tried, and all groups are others
 * unless they have the same events as before. False when there are no descriptors for trials; the
 * plan is of no use then.
 */
bool plan_change(struct plan *plan, const struct event_set *set, struct trials *trials,
		 struct error *error);

/* Others take counters: from now on hardware events have a group of their own. */
void plan_note_contention(struct plan *plan);

/* The group of hardware events on a kind of CPU, if it is always on; SIZE_MAX: there is none. */
size_t plan_steady_group(const struct plan *plan, size_t kind);

/* Whether at least one hardware event is counted. */
bool plan_has_hardware(const struct plan *plan);

/* Descriptors that opening the plan on one target of a kind takes: events and leaders. */
size_t plan_descriptors(const struct plan *plan, size_t kind);

/* Writes into the session: "cpu PMU, 4 counters", or why no hardware event is counted. */
void plan_describe_pmus(const struct plan *plan, const struct host *host, struct session *session);

/* Index of the event that a member of a group counts. */
size_t plan_event_at(const struct plan *plan, size_t group, size_t member);

/* What a member of a group counts; NULL: there is none. */
const struct event_spec *plan_spec_at(const struct plan *plan, size_t group, size_t member);

/* What opens a group of the plan on a target. The events are borrowed from the plan. */
struct group_request plan_group_request(const struct plan *plan, size_t group,
					const struct plan_target *target);

/* Nothing has to be opened or closed where one plan follows the other. */
bool plan_has_same_groups(const struct plan *before, const struct plan *after);

#endif
