#ifndef PERFTOP_SOURCE_CPUS_SCHED_TRACEPOINTS_H
#define PERFTOP_SOURCE_CPUS_SCHED_TRACEPOINTS_H

/*
 * What the scheduler itself reports: events that write a sample into their CPU's ring each time
 * that they happen, of switches, and of wake-ups and yields; the latter on all CPUs that are
 * watched or on none. Without them everything else goes on; the session says how run-queue waits
 * are known, or why they are not.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/decode.h"
#include "source/cpus/irq_tracepoints.h"
#include "source/task_states.h"
#include "source/wakeup.h"

#include "event/event.h"

struct attr_features;
struct attr_sampler_sample;
struct cgroup_paths;
struct cpu_stream;
struct host;
struct record;
struct session;

enum sched_event {
	SCHED_WAKING,  /* of tasks that slept */
	SCHED_NEWBORN, /* the first one of a task */
	SCHED_YIELD,
	SCHED_GLANCE, /* no tracepoint: who runs, said once (kernel/group.h) */
	SCHED_EXIT,   /* of tasks that end: their cgroups */
	SCHED_IRQ,    /* the first one of interrupts (irq_tracepoints.h) */
	SCHED_EVENTS = SCHED_IRQ + IRQ_TRACEPOINTS
};

/*
 * sched:sched_switch, which leads the groups of a CPU where it may be read. A sample of it says who
 * leaves, in which state, and who comes, so that no switch records are needed. Where that is in its
 * raw data, behind the 32 bits that say how many bytes these are:
 */
struct sched_switch {
	struct event_spec spec;
	size_t prev_tid, next_tid; /* 32 bits each */
	size_t prev_name;          /* the same, TASK_NAME_MAX bytes; 0: it has none */
	size_t prev_state;         /* its lowest 32 bits */
	struct task_states states; /* what they mean */
	size_t size;               /* the data reach so far at least */
};

/*
 * What the kernel has of it. False: tracefs cannot be read, or the tids in it are not those of this
 * pid namespace.
 */
bool sched_switch_find(const struct host *host, struct sched_switch *found, struct error *error);

/* --- of one CPU */

/* One that is open. */
struct sched_tracepoint {
	const struct sched_tracepoint_spec *event; /* borrowed; NULL: not open */
	int fd;
	uint64_t id;      /* its samples carry it */
	bool is_glancing; /* one of them is to come, of SCHED_GLANCE */
};

/* Empty: {0}. */
struct sched_tracepoints {
	struct sched_tracepoint of[SCHED_EVENTS];
	size_t count;                 /* that are open */
	struct cgroup_paths *cgroups; /* borrowed; NULL: cgroups are not known by their ids */
};

void sched_tracepoints_close(struct sched_tracepoints *tracepoints);

/* Lets the CPU of a stream that is on report once which task runs there; this interrupts it. */
void sched_tracepoints_glance(struct cpu_stream *stream);

/* The same again, unless that is still to come: of each cgroup, when a task of it runs. */
void sched_tracepoints_glance_again(struct cpu_stream *stream);

/* The sample with this id has come; and none is to come that is known of. */
void sched_tracepoints_end_glance(struct cpu_stream *stream, uint64_t id);
void sched_tracepoints_expect_no_glance(struct cpu_stream *stream);

/* The event with samples that carry this id; SCHED_EVENTS: none. */
static inline enum sched_event sched_tracepoints_find(const struct sched_tracepoints *tracepoints,
						      uint64_t id)
{
	int slot = 0;

	while (slot < SCHED_EVENTS &&
	       (!tracepoints->of[slot].event || tracepoints->of[slot].id != id))
		slot++;
	return (enum sched_event)slot;
}

/*
 * Makes a record of a sample of that event; its cpu, time and task are set already. False: the
 * sample does not say what it should. A path in it is good until a cgroup is made.
 */
bool sched_tracepoints_report(const struct sched_tracepoints *tracepoints, enum sched_event event,
			      const struct attr_sampler_sample *sample, struct record *record);

/* --- of all CPUs */

struct scheduler {
	const struct host *host; /* borrowed, as are the features */
	const struct attr_features *features;
	bool is_wanted;
	struct sched_tracepoint_spec events[SCHED_EVENTS]; /* those that are open */
	bool is_open[SCHED_EVENTS];
	struct error refusals[SCHED_EVENTS]; /* why one is not */
};

/*
 * From now on each task says in which cgroup it ends, where the kernel can report that: one may not
 * live so long that /proc can be read, and have left the cgroup that it was born in. Streams are
 * between rounds.
 */
void scheduler_report_cgroups(struct scheduler *scheduler, struct cpu_stream **streams,
			      size_t count);

/* Descriptors that its events take at the most on so many CPUs. */
size_t scheduler_descriptors(size_t cpu_count);

/* Streams between rounds, with the events or without. Updates the session. */
void scheduler_want(struct scheduler *scheduler, bool is_wanted, struct cpu_stream **streams,
		    size_t count, struct session *session);

/*
 * Interrupts are reported from now on, or no more; without that everything else goes on. Streams
 * are between rounds.
 */
void scheduler_want_interrupts(struct scheduler *scheduler, bool are_wanted,
			       struct cpu_stream **streams, size_t count);

/* `added`, one of the streams, is new: it gets what the others have. */
void scheduler_add(struct scheduler *scheduler, struct cpu_stream **streams, size_t count,
		   struct cpu_stream *added, struct session *session);

#endif
