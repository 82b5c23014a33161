#ifndef PERFTOP_SOURCE_REPLAY_QUEUED_H
#define PERFTOP_SOURCE_REPLAY_QUEUED_H

/*
 * What is kept of a record of perf's file until its turn comes: little of much.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "source/replay/events.h"
#include "source/replay/order.h"

struct perfdata_record;

enum queued_kind {
	QUEUED_NOTHING,
	QUEUED_SAMPLE, /* `value` is its period; 0: not known */
	QUEUED_READ,   /* a sample with a reading: values */
	QUEUED_SWITCH_OUT,
	QUEUED_SWITCH_IN,
	QUEUED_FORK,
	QUEUED_EXIT,
	QUEUED_COMM,
	QUEUED_LOST, /* `value` how many */
	QUEUED_THROTTLED
};

enum {
	QUEUED_NAME_MAX = 16
};

struct queued_value {
	uint64_t id, value;
};

/* After the fixed part comes what only some kinds have, and only as much as is in use. */
struct queued {
	uint64_t time_ns;
	uint64_t value;
	int32_t cpu, pid, tid; /* -1: unknown */
	int32_t other_pid, other_tid;
	uint16_t event;
	uint8_t kind;        /* enum queued_kind */
	uint8_t role;        /* enum replay_role; other_tid is then the incoming or woken task */
	uint8_t value_count; /* of a READ */
	bool flag;           /* preempted; exec; of LOST: a sum of what was lost in all */
	bool is_cpu_wide;
	bool has_times;
	union {
		char name[QUEUED_NAME_MAX]; /* of a COMM */
		struct {
			uint64_t enabled_ns, running_ns;
			struct queued_value values[DECODE_READ_MAX]; /* only so many are kept */
		};
	};
};

static_assert(sizeof(struct queued) <= ORDER_PIECE_MAX, "the order takes it");

/* What of it is in use. */
size_t queued_size(const struct queued *queued);

/*
 * Fills it from a decoded record. False: it is of no use. `is_swapped`: raw data are of the
 * other byte order.
 */
bool queued_make(struct queued *queued, const struct decoded *decoded, size_t event,
		 const struct replay_events *events, bool is_swapped);

/* The same from a plain record. */
void queued_make_plain(struct queued *queued, const struct perfdata_record *record,
		       const struct replay_events *events);

#endif
