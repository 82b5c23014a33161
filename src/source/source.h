#ifndef PERFTOP_SOURCE_SOURCE_H
#define PERFTOP_SOURCE_SOURCE_H

/*
 * A source delivers records: the CPUs of this machine (cpus/cpus.h), chosen tasks (tasks/tasks.h)
 * or a recording (perfdata/replay.h). Its reader does not know which one it is.
 *
 *	source_begin(source)            first readings; records with the running tasks follow
 *	loop:
 *	    a descriptor is ready       source_drain(), then source_next() until false
 *	    the interval ends           source_tick(),  then source_next() until false
 *
 * After source_tick() the records up to each CPU's closing reading are delivered and
 * no more, so that an interval ends at one reading per CPU and group.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/topology.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"

struct error;
struct evsel;
struct event_set;
struct event_spec;
struct source; /* opaque base; each kind embeds it */

struct source_samples;
struct target_pids;

struct source_ops {
	void (*destroy)(struct source *source);
	bool (*begin)(struct source *source, struct error *error);
	void (*drain)(struct source *source);
	void (*tick)(struct source *source);
	bool (*next)(struct source *source, struct record *record);
	bool (*is_finished)(const struct source *source);
	bool (*attach)(struct source *source, int32_t pid, struct error *error);
	bool (*prepare)(struct source *source, const struct event_set *events,
			struct error *error); /* NULL: there is nothing to prepare */
	bool (*change)(struct source *source, const struct event_set *events, struct error *error);
	void (*limit)(struct source *source, double share); /* NULL: it always counts all */
	/* NULL: it cannot; what it has of samples comes by itself */
	bool (*sample)(struct source *source, const struct source_samples *samples,
		       struct error *error);
	void (*report_cgroups)(struct source *source); /* NULL: it cannot */
	const struct event_spec *(*spec)(const struct source *source, size_t group, size_t member);
};

struct source {
	const struct source_ops *ops;
	struct layout layout;     /* what it counts; owned; it only grows */
	struct session session;   /* what it says about itself */
	struct topology topology; /* of a recording: of the machine that it is of; owned */
	int poll_fd;              /* readable when source_drain() has something to do; -1: never */
	uint64_t tick_ns;         /* time of the last source_tick(): the end of an interval */
	/*
	 * After source_next() has returned false no record older than this arrives, except one that
	 * the kernel was still writing: a virtual CPU may be preempted between taking the time and
	 * writing to the ring. (A reading has the time of the record before it.)
	 */
	uint64_t settled_ns;
	uint64_t layout_changes; /* times the layout has changed by itself, as in a replay, or when
				    others take counters: looked at after the records of a tick, the
				    new one is that of all that follow */
	/*
	 * By how much the readings lengthen a context switch of the watched, an estimate of the
	 * interval that the last tick has ended; 0: not known, the session says why. A part of it,
	 * turn_ns, is that of groups that take turns, were they on all the time; they were on for a
	 * share of it.
	 */
	uint64_t switch_ns, turn_ns;
	uint64_t samples_ns;   /* likewise what samples cost the watched in the interval */
	double counting_share; /* 0 to 1; 0 also before CPUs have counted anything */
	double backlog;        /* how full the fullest ring was at the last drain or tick, 0 to 1 */
};

void source_destroy(struct source *source); /* NULL is allowed */
bool source_begin(struct source *source, struct error *error);
void source_drain(struct source *source);
void source_tick(struct source *source);
static inline bool source_next(struct source *source, struct record *record)
{
	return source->ops->next(source, record);
}

/* Nothing will ever come again: every watched process has ended, or the recording is over. */
bool source_is_finished(const struct source *source);

/*
 * Sees to it that process `pid` is among the watched ones. False: there is no such process, or it
 * may not be watched; nothing has changed then.
 */
bool source_attach(struct source *source, int32_t pid, struct error *error);

/*
 * Opens the groups of these events beside those that count, so that they take over at the next
 * tick, the end of an interval, within some us; source_change() with the same events comes right
 * after its records. To be called between source_next() having said false and the next tick. False:
 * nothing has changed.
 */
bool source_prepare(struct source *source, const struct event_set *events, struct error *error);

/*
 * From now on these events are counted, and where they say `scheduler` also wake-ups and yields, as
 * far as available (RECORD_WAKEUP, RECORD_YIELD or RECORD_RUN_DELAY; session.queue says which). To
 * be called between source_next() having said false and the next drain or tick. The layout grows;
 * unless its groups stay as they are all of them begin anew. An unavailable event is not a failure:
 * its state in the layout says so. False: nothing has changed.
 */
bool source_change(struct source *source, const struct event_set *events, struct error *error);

/*
 * From now on hardware events are counted for this share of the time, 0 to 1, in windows; run times
 * and switches always are. To be called as source_change() is: the layout may change by itself at
 * the next tick, from which on that is so. Where a source cannot do that, nothing changes.
 */
void source_limit(struct source *source, double share);

/* Which samples are taken. */
struct source_samples {
	bool is_on;                          /* where tasks run, and what changes the code there */
	const struct evsel *by;              /* at this event instead of by time; NULL: by time */
	bool are_accesses;                   /* to memory, which the event says */
	const struct evsel *accesses_leader; /* that must lead its group; NULL: none */
	bool has_off_cpu; /* with these also where they are when they leave a CPU: */
	/* at least those of these processes, which may change; NULL: all; borrowed until the next
	 * call */
	const struct target_pids *off_cpu_of;
	bool has_branches; /* with the branches before them, where the processor records these */
	bool by_lbr;       /* callers as the processor records them, where it does */
	/* so much of the stack goes with each sample on the CPU, to find its callers there; 0: none
	 */
	uint32_t stack_bytes;
	bool has_wakers; /* with these also where tasks are that wake others; of all CPUs */
};

/*
 * From now on tasks are sampled so (RECORD_SAMPLE, RECORD_MAPPING); session.sampling_words and
 * its off_cpu and wakers say by what. To be called as source_change() is. False: they may
 * not be, error says why.
 */
bool source_sample(struct source *source, const struct source_samples *samples,
		   struct error *error);

/*
 * From now on also RECORD_PROCINFO with the cgroup of each task that ends, and nothing else of it,
 * where the kernel reports that. To be called as source_change() is.
 */
void source_report_cgroups(struct source *source);

/* What a member of a group of the layout counts; NULL: not known (a recording). */
const struct event_spec *source_spec(const struct source *source, size_t group, size_t member);

#endif
