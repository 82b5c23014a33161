#ifndef PERFTOP_SOURCE_CPUS_CPU_SET_H
#define PERFTOP_SOURCE_CPUS_CPU_SET_H

/*
 * Which CPUs have a stream: those that are online and asked for. CPUs that come and go are followed
 * at the tick; until then they make absences doubtful.
 *
 * They are of one kind that have the same core PMU. Where there is one core PMU or none all CPUs
 * are of one kind.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/list.h"
#include "model/record.h"
#include "model/session.h"
#include "source/cpus/cpu_stream.h"
#include "source/cpus/sched_tracepoints.h"
#include "source/plan/plan.h"

#include "event/event.h"

struct attr_features;
struct host;

struct cpu_set {
	const struct host *host; /* borrowed, as are the next three */
	const struct attr_features *features;
	const struct number_list *only; /* of the online CPUs these; NULL: all */
	bool interrupts_isolated;       /* also those that are isolated or nohz_full */
	struct group_cgroups of;        /* borrowed */
	struct session *session;        /* says which are watched */
	const struct plan *plan;        /* borrowed; that all streams follow */
	struct cgroup_paths *cgroups; /* owned; NULL: their ids are not reported, or say nothing */
	struct scheduler scheduler;
	struct sched_switch sched_switch;
	const struct sched_switch *leader;             /* the above; NULL: a software event leads */
	struct event_core_pmu pmus[LAYOUT_KINDS_MAX];  /* those of the kinds first */
	struct group_target targets[LAYOUT_KINDS_MAX]; /* the first CPU of each */
	struct number_list cpus[LAYOUT_KINDS_MAX];     /* owned; empty: all */
	size_t kind_count, pmu_count; /* kinds that are watched; PMUs watched or not */
	struct cpu_stream **streams;  /* owned; ascending by CPU */
	size_t count, capacity;
	size_t ring_bytes;
	int epoll_fd;              /* borrowed; of the rings */
	struct number_list online; /* as of the last look */
	struct error unopened;     /* why one of them is not watched that is wanted; or nothing */
	unsigned int retry_ticks, retry_wait; /* since it was tried, and until it is again */
	struct record *notices; /* owned; records of our own: CPUs that came or went */
	size_t notice_count, notice_capacity;
};

/*
 * Looks which CPUs are online and of which kinds they are; host, features, only, session and
 * epoll_fd are set. Then the plan can be made, for cpu_set_setup(). False: none can be watched.
 */
bool cpu_set_find(struct cpu_set *set, const struct event_core_pmu *pmus, size_t count,
		  struct error *error);

/*
 * Lets sched_switch lead where it may be opened; to be called before cpu_set_open(). Else a
 * software event does, and the error says why.
 */
void cpu_set_choose_leader(struct cpu_set *set, struct trials *trials, struct error *error);

/* What a plan is made for; borrows from the set. */
struct plan_setup cpu_set_setup(const struct cpu_set *set);

/* What opens the stream of a CPU; borrows from the set. */
struct cpu_stream_request cpu_set_request(const struct cpu_set *set, int cpu);

/* Where tasks of a cgroup alone are seen: lets each CPU on which one runs say which, at once. */
void cpu_set_glance(const struct cpu_set *set);

/* Opens a stream for each of them. */
bool cpu_set_open(struct cpu_set *set, struct error *error);

/* Gives each another ring before it counts: of so many bytes, or all of them what is granted. */
bool cpu_set_open_rings(struct cpu_set *set, size_t bytes, struct error *error);
void cpu_set_fini(struct cpu_set *set);

/* The first CPU of a kind that is watched now; NULL: none is. */
struct cpu_stream *cpu_set_first_of_kind(const struct cpu_set *set, size_t kind);

/*
 * Opens for all streams the groups of plan `after`. False: for none; else they follow it from
 * cpu_set_commit() on, after which it takes the place of the other one.
 */
bool cpu_set_prepare(struct cpu_set *set, const struct plan *after, struct error *error);
void cpu_set_commit(struct cpu_set *set, const struct plan *after);

/*
 * Reports that records may be missing for each CPU on which the clock was off for a moment, and
 * visits it. False: there is none.
 */
bool cpu_set_report_restarts(struct cpu_set *set);

/*
 * Runs for a moment on each watched CPU that is silent: the running task is unknown until its first
 * switch, which our arrival causes. A CPU that switches by itself is not waited for: where two
 * tasks wake each other all the time, a third may not get to run for minutes (urgency.h). CPUs that
 * are isolated are not, unless that was asked for: they have glanced when they were switched on.
 */
void cpu_set_visit_silent(const struct cpu_set *set);

/*
 * On a CPU that has come tasks run unseen until the next tick. To be called after a round's
 * beginning was taken: what ran there then is not reported in an earlier round.
 */
void cpu_set_expect_pending_pids(struct cpu_set *set);

/* Brings the streams in line with the CPUs that are online now. One that could not be opened is
 * tried again, at ticks that become rarer. */
void cpu_set_follow_hotplug(struct cpu_set *set);

/* Has a record of our own delivered first in the next round. */
void cpu_set_notice(struct cpu_set *set, enum record_kind kind, int cpu);

#endif
