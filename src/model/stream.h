#ifndef PERFTOP_MODEL_STREAM_H
#define PERFTOP_MODEL_STREAM_H

/*
 * A stream is the succession of readings of one group on one CPU (or of one task);
 * what lies between two of them is a slice. This is where readings become
 * differences. Which task a slice belongs to is decided elsewhere (attribution.h, per_task.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/seldom.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/smt.h"

/* The numbers of a reading, and of the difference of two. */
enum reading_number {
	READING_SWITCHES, /* the leader's own count */
	READING_ENABLED_NS,
	READING_RUNNING_NS,
	READING_VALUES, /* the first of the group's members */
	READING_MAX = READING_VALUES + LAYOUT_GROUP_MEMBERS_MAX
};

struct stream {
	const struct event_group *group; /* of the layout */
	bool is_clock;                   /* layout_is_clock() */
	uint64_t *last;                  /* the reading before; borrowed from struct streams */
	uint64_t *settled; /* up to it the CPU has got what was counted; likewise; NULL: it is none
			      of a CPU */
	uint64_t whole_count; /* slices since then in which the group was counting all the time */
	bool has_baseline;    /* there was one */
	uint64_t switches;    /* of the CPU, that were reported when it was made (attribution.h) */
	uint32_t generation;  /* of the group of these readings */
	struct smt_times smt; /* as of the last reading, where CPUs share cores (smt.h) */
	/* time that was entered before it was read: of the run time, and of the group counting */
	uint64_t run_ahead_ns, ahead_ns;
};

/* One stream for each group of the layout. */
struct streams {
	struct stream *streams; /* owned */
	uint64_t *numbers;      /* owned */
};

struct slice {
	const struct event_group *group;
	bool is_clock;               /* layout_is_clock() */
	uint64_t delta[READING_MAX]; /* by enum reading_number */
	uint64_t bits;               /* no number has one above the highest of these */
	bool is_whole; /* the group was counting all the time; not so: others had its counters */
};

enum stream_step {
	STREAM_BASELINE, /* the first reading, or the first after a pause: no slice yet */
	STREAM_STALE,    /* older than the one before: to be ignored */
	STREAM_BROKEN,   /* a counter went backwards: this reading is the new baseline */
	STREAM_SLICE     /* *slice holds what was counted since the one before */
};

void streams_init(struct streams *streams, const struct layout *layout);
void streams_fini(struct streams *streams);

/*
 * To a later state of the layout, which had group_count groups before. Streams of groups with the
 * same generation go on; the others begin anew.
 */
void streams_change(struct streams *streams, size_t group_count, const struct layout *layout);

/*
 * A group is enabled a little before it runs, and all groups of a CPU stop for a moment when
 * one of them is switched: ns on silicon, tens of us in an emulator. The kernel's rotation
 * takes a group away for a tick at least; less than this is not rotation.
 */
enum {
	STREAM_SWITCH_ON_NS = 100 * 1000
};

/*
 * Switches between the moment a group is enabled and its first read(2) leave records that
 * are older than that reading (seen on 6.1 and 6.18). A switch always counts one on.
 */
static inline bool stream_is_stale(const struct stream *stream,
				   const struct record_reading *reading, bool at_switch)
{
	const uint64_t last = stream->last[READING_SWITCHES];

	return reading->sequence < last || (at_switch && reading->sequence == last);
}

static inline bool stream_was_on(uint64_t enabled_ns, uint64_t running_ns)
{
	return enabled_ns - running_ns + STREAM_SWITCH_ON_NS <= 2 * STREAM_SWITCH_ON_NS;
}

/*
 * A read(2) fetches the times of the group by interrupting its CPU, and then the counts: the last
 * switch may fall between the two, so that its own reading is ahead in time (seen on Linux 6.18:
 * some us, more where the host of a virtual machine stops it there). What was on already is on
 * still.
 */
static inline void stream_keep_time(const struct stream *stream, uint64_t *now)
{
	if (now[READING_SWITCHES] != stream->last[READING_SWITCHES])
		return;
	for (int i = READING_ENABLED_NS; i <= READING_RUNNING_NS; i++)
		if (now[i] < stream->last[i])
			now[i] = stream->last[i];
}

/* Numbers go on to these. Of the result the highest bit says that one went backwards. */
static inline uint64_t stream_step_on(uint64_t *restrict last, const uint64_t *restrict now,
				      uint64_t *restrict delta, size_t count)
{
	uint64_t signs = 0;

	for (size_t i = 0; i < count; i++) {
		delta[i] = now[i] - last[i];
		last[i] = now[i];
		signs |= delta[i];
	}
	return signs;
}

/* The whole stream goes on to the reading with these times; returns the signs, too. */
static inline uint64_t stream_go_on(struct stream *stream, const uint64_t *now,
				    const uint64_t *values, struct slice *slice)
{
	return stream_step_on(stream->last, now, slice->delta, READING_VALUES) |
	       stream_step_on(stream->last + READING_VALUES, values, slice->delta + READING_VALUES,
			      slice->group->count);
}

/* It begins with what it has gone on to, by a slice that is none. */
SELDOM void stream_begin(struct stream *stream, const struct slice *slice);

/*
 * Takes the next reading of a stream, made at a switch or not; slice->group and is_clock must be
 * set.
 */
static inline enum stream_step stream_advance(struct stream *stream,
					      const struct record_reading *reading, bool at_switch,
					      struct slice *slice)
{
	uint64_t now[READING_VALUES] = {
		[READING_SWITCHES] = reading->sequence,
		[READING_ENABLED_NS] = reading->enabled_ns,
		[READING_RUNNING_NS] = reading->running_ns,
	};

	if (!stream->has_baseline || reading->restarts) {
		stream_go_on(stream, now, reading->values, slice);
		stream_begin(stream, slice);
		return STREAM_BASELINE;
	}
	if (stream_is_stale(stream, reading, at_switch))
		return STREAM_STALE;
	if (!at_switch)
		stream_keep_time(stream, now);
	slice->bits = stream_go_on(stream, now, reading->values, slice);
	if ((int64_t)slice->bits < 0) {
		stream_begin(stream, slice);
		return STREAM_BROKEN;
	}
	slice->is_whole =
		stream_was_on(slice->delta[READING_ENABLED_NS], slice->delta[READING_RUNNING_NS]);
	stream->whole_count += slice->is_whole;
	return STREAM_SLICE;
}

/* What of the slice's time was entered before it was read is taken off. */
void stream_take_ahead(struct stream *stream, struct slice *slice);

/*
 * Adds to a CPU's counts what was counted since the last time, all slices together; what was not
 * believed, or was entered before it was read, left out.
 */
void stream_settle(struct stream *stream, uint64_t *counts);

/* Adds all numbers of the slice to a counts vector. */
static inline void slice_credit(const struct slice *slice, uint64_t *counts)
{
	const struct event_group *group = slice->group;

	if (slice->is_clock) {
		counts[QUANTITY_RUN_NS] += slice->delta[READING_ENABLED_NS];
		counts[QUANTITY_SWITCHES] += slice->delta[READING_SWITCHES];
	}
	counts[group->value_index] += slice->delta[READING_RUNNING_NS];
	counts[group->slices_index] += slice->is_whole;
	for (size_t i = 0; i < group->count; i++)
		counts[group->value_indexes[i]] += slice->delta[READING_VALUES + i];
}

#endif
