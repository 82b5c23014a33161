#ifndef PERFTOP_SOURCE_LANE_H
#define PERFTOP_SOURCE_LANE_H

/*
 * One CPU: its groups of counters, its time line, and the ring both write to, as one
 * ordered stream of records.
 *
 * A read(2) of the counters is put into its place in that stream by the leader's
 * sequence number, no clock is compared: a reading with sequence n falls after exactly
 * the switches with numbers up to n. lane_mark() reads each group, and the stream then
 * delivers each reading right before the group's first sample of a later switch, or at the end
 * of what was in the ring.
 *
 * Where events outnumber counters, group 0 always counts and one of the others does at a
 * time. The last reading of a group's turn has no sample of its own behind it; it gets
 * the place of a reading of group 0, or none when somebody switched between the two.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/group.h"
#include "kernel/ring.h"
#include "model/record.h"
#include "source/plan.h"

struct error;
struct host;

enum {
	LANE_MARK_READINGS_MAX = 3
};

struct lane_reading {
	size_t group;
	bool restarts;
	bool is_delivered;
	struct group_reading values;
};

/* Readings that wait for their place in the stream. */
struct lane_mark {
	struct lane_reading readings[LANE_MARK_READINGS_MAX];
	size_t count;
	struct lane_reading *due; /* the one whose place is reached, of the above; NULL: none */
	bool is_tied;             /* all of them have one place */
	bool is_waiting;          /* taken, and not all delivered */
	bool ends_interval;       /* the stream stops behind the last one until the next round */
};

struct lane {
	int cpu;
	struct group *groups; /* owned; one per group of the plan */
	size_t group_count;
	size_t active;   /* group that counts besides group 0; 0: none */
	int timeline_fd; /* -1: none */
	struct ring ring;
	struct lane_mark mark;
	bool is_dead;    /* the clock of group 0 stood still between two ticks: the CPU was away */
	bool is_stopped; /* behind the mark that ended the interval */
	bool has_baseline;            /* baseline below is to be delivered */
	struct lane_reading baseline; /* first reading of a group that was switched on */
	bool has_record;              /* decoded holds the next record of the ring */
	uint64_t lost_samples;        /* the leader's own count of them, as of the last tick */
	uint64_t lost_now;            /* of these: to be told with the mark */
	uint64_t lost_ahead;          /* told, while the kernel's LOST record is still to come */
	uint64_t last_time_ns;        /* of the record delivered last */
	uint64_t last_enabled_ns; /* group 0's clock at the last mark: stands still when the events
				     are dead */
	struct decoded decoded;
	char name[64]; /* of the COMM record delivered last */
};

struct lane_request {
	const struct plan *plan;
	const struct attr_features *features;
	const struct host *host;
	int cpu;
	size_t ring_bytes; /* tried first; smaller ones follow down to LANE_RING_MIN */
};

enum {
	LANE_RING_MIN = 64 * 1024
};

/* Opens everything, disabled. False: nothing is left open. *ring_bytes what the ring really has. */
bool lane_open(struct lane *lane, const struct lane_request *request, size_t *ring_bytes,
	       struct error *error);
void lane_close(struct lane *lane); /* one that was never opened ({.timeline_fd = -1}) is allowed */

/* Lets group 0 count, and the first of the others. */
bool lane_enable(struct lane *lane, const struct attr_features *features);

/*
 * Ends the interval: reads the counters of all groups that count. lane_next() delivers the readings
 * in their places, and nothing behind the last of them. No mark may be waiting.
 */
void lane_mark(struct lane *lane, const struct attr_features *features);

/*
 * Reads the group whose turn it is for the last time, and lets the next one take its turn. For
 * lanes with more than one group beside group 0; no mark may be waiting.
 */
void lane_rotate(struct lane *lane, const struct attr_features *features);

/* A round: begin, next until false, end. What is not delivered stays in the ring. */
void lane_begin(struct lane *lane);
bool lane_has_next(
	struct lane *lane,
	const struct decode_format *format);      /* fetches; false: nothing more this round */
uint64_t lane_next_time(const struct lane *lane); /* time of what comes; after lane_has_next() */
bool lane_next(
	struct lane *lane,
	struct record *record); /* after lane_has_next(); false: the record was none of ours */
void lane_end(struct lane *lane);

#endif
