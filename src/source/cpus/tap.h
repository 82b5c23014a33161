#ifndef PERFTOP_SOURCE_CPUS_TAP_H
#define PERFTOP_SOURCE_CPUS_TAP_H

/*
 * What the scheduler itself tells on one CPU: events that write a sample into the CPU's ring each
 * time they happen, of wake-ups and of yields. Which events they are, scheduler.h decides.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/event/event.h"
#include "kernel/event/tracepoint.h"

struct attr_features;
struct decoded;
struct record;

enum tap_slot {
	TAP_WAKING,  /* of tasks that slept */
	TAP_NEWBORN, /* the first one of a task */
	TAP_YIELD,
	TAP_SLOTS
};

/* An event that is tapped. */
struct tap_event {
	struct event_spec spec;
	struct tracepoint_field tid; /* who wakes; of a yield there is none: it is who runs */
};

/* One that is open on a CPU. */
struct tap {
	const struct tap_event *event; /* borrowed; NULL: not open */
	int fd;
	uint64_t id; /* its samples carry it */
};

/* Empty: {0}. */
struct taps {
	struct tap of[TAP_SLOTS];
	size_t count; /* that are open */
};

/* Opens one into the ring of `owner_fd`. 0 or -errno. */
int taps_open(struct taps *taps, enum tap_slot slot, const struct tap_event *event, int cpu,
	      int owner_fd, const struct attr_features *features);
void taps_close(struct taps *taps, enum tap_slot slot); /* one that is not open is allowed */
void taps_close_all(struct taps *taps);

/* The slot whose samples carry this id; TAP_SLOTS: none. */
enum tap_slot taps_find(const struct taps *taps, uint64_t id);

/*
 * Makes a record of a sample of that slot; its cpu, time and task stand in it already. False: the
 * sample does not say what it should.
 */
bool taps_tell(const struct taps *taps, enum tap_slot slot, const struct decoded *decoded,
	       struct record *record);

#endif
