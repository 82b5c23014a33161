#ifndef PERFTOP_PERFDATA_SLOTS_H
#define PERFTOP_PERFDATA_SLOTS_H

/*
 * The events of a recording's file, each with a number: 0 the time line, 1 the notes, then for each
 * group of the layout its leader and its members, again when the group's generation changes. A
 * number is never given again.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"

#include "perfdata/writer.h"

struct recording_slot {
	enum writer_event_kind kind;
	char name[EVENT_NAME_MAX];
	size_t group, member; /* of a group's events */
};

/* Where the events of a group of the layout are now. */
struct recording_slot_group {
	uint32_t leader;
	uint32_t generation;
	uint16_t members;
	bool is_open;
};

struct recording_slots {
	int cpu_count;              /* 0: of tasks */
	struct recording_slot *all; /* owned */
	size_t count, capacity;
	struct recording_slot_group *places; /* owned; one per group of the layout */
	size_t place_count;
	struct writer_event *events; /* owned; for recording_slots_events(), as are these two */
	uint64_t *ids;
	int32_t *id_cpus;
};

void recording_slots_init(struct recording_slots *slots, int cpu_count);
void recording_slots_fini(struct recording_slots *slots);

/* Of a machine's CPUs the leaders count switches; those of tasks only hold the group together. */
enum writer_event_kind recording_slots_leader(const struct recording_slots *slots);

/* Gives events to groups that have none yet, or others than they had. */
void recording_slots_follow(struct recording_slots *slots, const struct layout *layout);

/* recording_writer_events() */
const struct writer_event *recording_slots_events(
	struct recording_slots *slots, const struct layout *layout,
	const struct event_spec *(*spec)(const void *source, size_t group, size_t member),
	const void *source, size_t *count);

/*
 * What the writer and the reader agree on besides the records: an id says which event of the file
 * on which CPU, and two bits of a reading's header what perf has no field for.
 */
enum {
	RECORDING_SLOT_TIMELINE = 0,
	RECORDING_SLOT_NOTES = 1,
	RECORDING_CPU_BITS = 20,
	/* of PERF_RECORD_READ, where they have no meaning to perf */
	RECORDING_MISC_RESTARTS = 1 << 13,
	RECORDING_MISC_SWITCHES = 1 << 14
};

/* cpu -1: of tasks. Never 0, which is no id. */
static inline uint64_t recording_id(uint32_t slot, int32_t cpu)
{
	return ((uint64_t)slot + 1) << RECORDING_CPU_BITS | (uint32_t)(cpu + 1);
}

/* The event of an id; UINT32_MAX: none. */
static inline uint32_t recording_id_slot(uint64_t id)
{
	const uint64_t slot = id >> RECORDING_CPU_BITS;

	return slot > 0 && slot <= UINT32_MAX ? (uint32_t)(slot - 1) : UINT32_MAX;
}

#endif
