#ifndef PERFTOP_PERFDATA_QUEUED_H
#define PERFTOP_PERFDATA_QUEUED_H

/*
 * What is kept of a record of perf's file until its turn comes: little of much.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "model/record.h"

#include "perfdata/order.h"
#include "perfdata/replay_events.h"

struct perfdata_record;

enum {
	QUEUED_NAME_MAX = 16
};

struct queued_value {
	uint64_t id, value;
};

/*
 * The record as far as it is known by itself: a sample is a RECORD_ESTIMATE of its period (0: not
 * known) or, with values, a RECORD_READING without its group. Only as much is kept as is in use: of
 * an estimate, which there are most of, the record ends where it does.
 */
struct queued {
	int32_t role_tid; /* the incoming or woken task */
	uint16_t event;
	uint8_t role;        /* enum replay_role */
	uint8_t value_count; /* of a reading */
	bool role_preempted; /* the outgoing task could have run on */
	bool is_cpu_wide;    /* a switch */
	bool is_sum;         /* of a LOST: of all that was lost */
	bool has_times;      /* a reading: when enabled, and when running */
	struct record record;
	union {
		char name[QUEUED_NAME_MAX]; /* of a COMM: the record points to it */
		struct queued_value values[DECODE_READ_MAX]; /* only so many are kept */
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

/* The same from a plain record; only what its kind has is set, since these are most of all. */
void queued_make_plain(struct queued *queued, const struct perfdata_record *record,
		       const struct replay_events *events);

#endif
