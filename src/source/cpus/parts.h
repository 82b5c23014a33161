#ifndef PERFTOP_SOURCE_CPUS_PARTS_H
#define PERFTOP_SOURCE_CPUS_PARTS_H

/*
 * The source of all CPUs, for its own files alone: cpus.c opens, changes and closes it,
 * cpu_streams.c sees to it that there is a stream for each CPU that is online, and round.c merges
 * what the streams deliver.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/list.h"
#include "kernel/attr.h"
#include "model/record.h"
#include "source/cpus/cpu_stream.h"
#include "source/cpus/kinds.h"
#include "source/cpus/scheduler.h"
#include "source/plan/plan.h"
#include "source/source.h"

struct host;

struct cpus {
	struct source base;
	const struct host *host;
	const struct attr_features *features;
	const struct number_list *only;
	struct trials *trials; /* owned */
	struct plan plan;
	struct kinds kinds;
	struct scheduler scheduler;
	bool has_begun;
	struct cpu_stream **streams; /* owned; ascending by CPU */
	size_t stream_count, stream_capacity;
	struct cpu_stream **heap; /* streams of this round by time, borrowed */
	size_t heap_count;
	bool top_was_used; /* the heap's first stream has delivered and moves on at the next call */
	bool in_round;
	uint64_t round_ns; /* before anything of this round was looked at */
	bool has_lost;     /* since the last tick: the running task is unknown where it happened */
	size_t ring_bytes;
	int epoll_fd; /* rings and the timer */
	int timer_fd;
	struct number_list online; /* as of the last look */
	struct error unopened;     /* why one of them is not watched that is wanted; or nothing */
	unsigned int retry_ticks, retry_wait; /* since it was tried, and until it is again */
	struct record *notices; /* owned; records of our own: CPUs that came or went */
	size_t notice_count, notice_capacity, notice_next;
};

static inline struct cpus *cpus_of(const struct source *source)
{
	return (struct cpus *)source;
}

/* --- cpu_streams.c */

/* Opens a CPU and adds its stream; the streams stay in ascending order. */
bool cpus_add_stream(struct cpus *cpus, int cpu, struct error *error);
void cpus_remove_stream(struct cpus *cpus, size_t index);

/* A CPU that has gone meanwhile; should it be back at the next tick, it is found then. */
void cpus_let_go(struct cpus *cpus, size_t index);

/* Whether it is one of those asked for, online or not. */
bool cpus_is_wanted(const struct cpus *cpus, int cpu);

/* A CPU can go between the look at the list and the open; the tick will see it. */
bool cpus_is_still_online(int cpu);

/* Writes into the session which CPUs are watched, and whether these are all, or why not: tasks that
 * leave them are out of sight, not asleep. */
void cpus_note_watched(struct cpus *cpus);

/*
 * Runs for a moment on each watched CPU that is silent: the running task is unknown until its first
 * switch, which our arrival causes. A CPU that switches by itself is not waited for: where two
 * tasks wake each other all the time, a third may not get to run for minutes (urgency.h). CPUs that
 * are isolated are left in peace.
 */
void cpus_visit_silent(const struct cpus *cpus);

/*
 * On a CPU that has come tasks run unseen until the next tick. To be called after a round's
 * beginning was taken: what ran there then is not reported in an earlier round.
 */
void cpus_expect_pending_pids(struct cpus *cpus);

/* Brings the streams in line with the CPUs that are online now. One that could not be opened is
 * tried again, at ticks that become rarer. */
void cpus_follow_hotplug(struct cpus *cpus);

/* --- round.c */

/* Has a record of our own delivered first in the next round. */
void cpus_notice(struct cpus *cpus, enum record_kind kind, int cpu);

/*
 * start_ns: before the first CPU was looked at. Whatever happened earlier is delivered in this
 * round, and nothing later is: the rings are read one after the other, and of a task that moves in
 * between the arrival would be delivered and the departure not yet. In a round that ends an
 * interval each CPU goes on to where it was read. Without clockid records are stamped by another
 * clock than ours.
 */
void cpus_begin_round(struct cpus *cpus, uint64_t start_ns);

/* As source_next(). */
bool cpus_next(struct source *source, struct record *record);

#endif
