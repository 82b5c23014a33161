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

#include "model/layout.h"
#include "model/smt.h"

struct record_reading;

/* The numbers of a reading, and of the difference of two. */
enum reading_number {
	READING_SWITCHES, /* the leader's own count */
	READING_ENABLED_NS,
	READING_RUNNING_NS,
	READING_VALUES, /* the first of the group's members */
	READING_MAX = READING_VALUES + LAYOUT_GROUP_MEMBERS_MAX
};

struct stream {
	uint64_t *last;       /* the reading before; borrowed from struct streams */
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
 * Takes the next reading of a stream, made at a switch or not; slice->group and is_clock must be
 * set.
 */
enum stream_step stream_advance(struct stream *stream, const struct record_reading *reading,
				bool at_switch, struct slice *slice);

/* What of the slice's time was entered before it was read is taken off. */
void stream_take_ahead(struct stream *stream, struct slice *slice);

/* Adds all numbers of the slice to a counts vector. */
void slice_credit(const struct slice *slice, uint64_t *counts);

#endif
