#ifndef PERFTOP_SOURCE_CPUS_TAP_H
#define PERFTOP_SOURCE_CPUS_TAP_H

/*
 * What the scheduler itself reports on one CPU: events that write a sample into the CPU's ring each
 * time they happen, of wake-ups and of yields. Which events they are, scheduler.h decides.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "event/tracepoint.h"

struct attr_features;
struct decoded;
struct record;

enum sched_event {
	SCHED_WAKING,  /* of tasks that slept */
	SCHED_NEWBORN, /* the first one of a task */
	SCHED_YIELD,
	SCHED_EVENTS
};

/* An event that is tapped. */
struct sched_tracepoint_spec {
	struct event_spec spec;
	struct tracepoint_field tid; /* the woken task; a yield has none: it is the running one */
};

/* One that is open on a CPU. */
struct sched_tracepoint {
	const struct sched_tracepoint_spec *event; /* borrowed; NULL: not open */
	int fd;
	uint64_t id; /* its samples carry it */
};

/* Empty: {0}. */
struct sched_tracepoints {
	struct sched_tracepoint of[SCHED_EVENTS];
	size_t count; /* that are open */
};

/* Opens one into the ring of `owner_fd`. 0 or -errno. */
int sched_tracepoints_open(struct sched_tracepoints *tracepoints, enum sched_event slot,
			   const struct sched_tracepoint_spec *event, int cpu, int owner_fd,
			   const struct attr_features *features);
void sched_tracepoints_close(struct sched_tracepoints *tracepoints,
			     enum sched_event slot); /* one that is not open is allowed */
void sched_tracepoints_close_all(struct sched_tracepoints *tracepoints);

/* The slot with samples that carry this id; SCHED_EVENTS: none. */
enum sched_event sched_tracepoints_find(const struct sched_tracepoints *tracepoints, uint64_t id);

/*
 * Makes a record of a sample of that slot; its cpu, time and task are set already. False: the
 * sample does not say what it should.
 */
bool sched_tracepoints_report(const struct sched_tracepoints *tracepoints, enum sched_event slot,
			      const struct decoded *decoded, struct record *record);

#endif
