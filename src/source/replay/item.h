#ifndef PERFTOP_SOURCE_REPLAY_ITEM_H
#define PERFTOP_SOURCE_REPLAY_ITEM_H

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

enum item_kind {
	ITEM_NOTHING,
	ITEM_SAMPLE, /* `value` is its period; 0: not known */
	ITEM_READ,   /* a sample with a reading: values */
	ITEM_SWITCH_OUT,
	ITEM_SWITCH_IN,
	ITEM_FORK,
	ITEM_EXIT,
	ITEM_COMM,
	ITEM_LOST, /* `value` how many */
	ITEM_THROTTLED
};

enum {
	ITEM_NAME_MAX = 16
};

struct item_value {
	uint64_t id, value;
};

/* After the fixed part comes what only some kinds have, and only as much as is in use. */
struct item {
	uint64_t time_ns;
	uint64_t value;
	int32_t cpu, pid, tid; /* -1: unknown */
	int32_t other_pid, other_tid;
	uint16_t event;
	uint8_t kind;        /* enum item_kind */
	uint8_t role;        /* enum replay_role; other_tid is then the incoming or woken task */
	uint8_t value_count; /* of a READ */
	bool flag;           /* preempted; exec; of LOST: a sum of what was lost in all */
	bool is_cpu_wide;
	bool has_times;
	union {
		char name[ITEM_NAME_MAX]; /* of a COMM */
		struct {
			uint64_t enabled_ns, running_ns;
			struct item_value values[DECODE_READ_MAX]; /* only so many are kept */
		};
	};
};

static_assert(sizeof(struct item) <= ORDER_PIECE_MAX, "the order takes it");

/* What of an item is in use. */
size_t item_size(const struct item *item);

/*
 * Makes an item of a decoded record. False: it is of no use. `is_swapped`: raw data are of the
 * other byte order.
 */
bool item_make(struct item *item, const struct decoded *decoded, size_t event,
	       const struct replay_events *events, bool is_swapped);

/* The same of a record that is plain. */
void item_make_plain(struct item *item, const struct perfdata_record *record,
		     const struct replay_events *events);

#endif
