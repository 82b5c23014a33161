#ifndef PERFTOP_VIEW_METER_HISTORY_H
#define PERFTOP_VIEW_METER_HISTORY_H

/*
 * What the machine's meters have shown in the last intervals, for the sparklines of the head. It
 * is kept by the time of the intervals, so that a screen of the past shows what came
 * before that. An empty one is {0}; it owns nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/summary.h"

enum {
	METER_HISTORY_KEPT = 120 /* intervals */
};

struct meter_point {
	float value;  /* NaN: unknown */
	int goodness; /* 0 worst to 4 best; -1: says nothing */
};

struct meter_interval {
	uint64_t time_ns; /* its end */
	struct meter_point points[METER_KINDS];
};

struct meter_history {
	struct meter_interval intervals[METER_HISTORY_KEPT]; /* in the order of time */
	size_t count;
};

/*
 * An interval has ended. One that ended before the newest takes its place in time, or takes the
 * place of the one that ended then; when there is no room the oldest goes.
 */
void meter_history_note(struct meter_history *history, uint64_t time_ns,
			const struct summary *summary);

/* The newest that is kept; 0: none. */
uint64_t meter_history_newest_ns(const struct meter_history *history);

/*
 * The last intervals up to a time, at most so many of them, in the order of time; *count is how
 * many. They are good until the next note.
 */
const struct meter_interval *meter_history_last(const struct meter_history *history,
						uint64_t time_ns, size_t most, size_t *count);

/* What a full character means over these: 100 of what is a share of the time. */
double meter_history_top(enum meter_kind kind, const struct meter_interval *intervals,
			 size_t count);

/* Values in time as a line of characters, each one column wide: the higher the more. */

/*
 * The character for a share of what a full one means: eighths of a block, or signs of ASCII.
 * The least means 0, the full one also for more than 1; a blank for NaN: unknown.
 */
const char *spark_sign(double share, bool ascii);

/*
 * What a full character should mean where the largest value to be shown is this: the next of
 * 1, 1.5, 2, 3, 5, 8, 10 ... that leaves it a tenth of room, so that the scale seldom changes. 1
 * where there is none above 0.
 */
double spark_top(double largest);

#endif
