#ifndef PERFTOP_SOURCE_RECORDING_IDS_H
#define PERFTOP_SOURCE_RECORDING_IDS_H

/*
 * What the writer and the reader of a recording agree on besides the records: an id says which
 * event of the file on which CPU, and two bits of a reading's header what perf has no field for.
 */

#include <stdint.h>

enum {
	RECORDING_SLOT_TIMELINE = 0,
	RECORDING_SLOT_NOTES = 1,
	RECORDING_CPU_BITS = 20,
	/* of PERF_RECORD_READ, where they have no meaning to perf */
	RECORDING_MISC_RESTARTS = 1 << 13,
	RECORDING_MISC_SWITCHES = 1 << 14,
	RECORDING_MISC_USER = 2 /* of a mapping: a process' */
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
