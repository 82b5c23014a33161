#ifndef PERFTOP_SOURCE_TAPE_SLOTS_H
#define PERFTOP_SOURCE_TAPE_SLOTS_H

/*
 * The events of a tape's file, each with a number: 0 the time line, 1 the notes, then for each
 * group of the layout its leader and its members, again when the group's generation changes. A
 * number is never given again.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfdata/writer.h"
#include "model/layout.h"

struct tape_slot {
	enum writer_event_kind kind;
	char name[EVENT_NAME_MAX];
	size_t group, member; /* of a group's events */
};

/* Where the events of a group of the layout are now. */
struct tape_place {
	uint32_t leader;
	uint32_t generation;
	uint16_t members;
	bool is_open;
};

struct tape_slots {
	int cpu_count;         /* 0: of tasks */
	struct tape_slot *all; /* owned */
	size_t count, capacity;
	struct tape_place *places; /* owned; one per group of the layout */
	size_t place_count;
	struct writer_event *events; /* owned; for tape_slots_events(), as are these two */
	uint64_t *ids;
	int32_t *id_cpus;
};

void tape_slots_init(struct tape_slots *slots, int cpu_count);
void tape_slots_fini(struct tape_slots *slots);

/* Of a machine's CPUs the leaders count switches; those of tasks only hold the group together. */
enum writer_event_kind tape_slots_leader(const struct tape_slots *slots);

/* Gives events to groups that have none yet, or others than they had. */
void tape_slots_follow(struct tape_slots *slots, const struct layout *layout);

/* tape_writer_events() */
const struct writer_event *
tape_slots_events(struct tape_slots *slots, const struct layout *layout,
		  const struct event_spec *(*spec)(const void *source, size_t group, size_t member),
		  const void *source, size_t *count);

#endif
