#ifndef PERFTOP_VIEW_TRENDS_H
#define PERFTOP_VIEW_TRENDS_H

/*
 * The last values of one column in each row, for the column of sparklines. Rows are known by their
 * ids, so that their past survives any order and filter; what has gone for long is forgotten. It is
 * kept by the time of the intervals, and begins anew when it is about another column, or at a time
 * before all that is kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct column;

enum {
	TRENDS_KEPT = 32,     /* intervals */
	TRENDS_MOST = 1 << 16 /* rows; later ones have no past */
};

struct trend {
	uint64_t id;
	uint64_t last_tick;        /* of which it has a value */
	float values[TRENDS_KEPT]; /* by tick, in a ring; NaN: unknown */
};

/* An empty one is {0}. */
struct trends {
	const struct column *of; /* NULL: nothing was noted yet */
	struct map indexes;      /* id to place in `entries` + 1 */
	struct trend *entries;   /* owned */
	size_t count, capacity;
	uint64_t ticks;                 /* intervals that were noted; the newest is tick `ticks` */
	uint64_t times_ns[TRENDS_KEPT]; /* their ends, in a ring; 0: a hole before the next */
	float largest[TRENDS_KEPT];     /* of all rows */
};

void trends_fini(struct trends *trends);

/* Whether the interval follows the newest, or is one of those that are known. */
bool trends_goes_on(const struct trends *trends, const struct column *of, uint64_t time_ns,
		    uint64_t interval_ns);

/*
 * An interval of this length has ended, or its rows have changed. False: it is one before the
 * newest, whose values stay as they are.
 */
bool trends_begin(struct trends *trends, const struct column *of, uint64_t time_ns,
		  uint64_t interval_ns);

/* Whether the row has a value, or is known to have none, in the newest interval. */
bool trends_has(const struct trends *trends, uint64_t id);

/* The value of a row, after trends_begin(). */
void trends_put(struct trends *trends, uint64_t id, double value);

/*
 * The row's values up to a time as characters, the newest at the right end of `columns`. A full
 * character means `full`, or the largest value if that is more. False: none is known, and nothing
 * is written.
 */
bool trends_write(const struct trends *trends, uint64_t id, uint64_t time_ns, double full,
		  size_t columns, bool ascii, char *text, size_t size);

/* Values in time as a line of characters, each one column wide: the higher the more. */

/*
 * The character for a share of the full value: eighths of a block, or ASCII signs. The lowest one
 * means 0, the highest also more than 1; a blank is NaN: unknown.
 */
const char *spark_sign(double share, bool ascii);

/*
 * The value of a full character for this largest value: the next of 1, 1.5, 2, 3, 5, 8, 10 ... that
 * leaves a tenth of room, so that the scale seldom changes. 1 if no value is above 0.
 */
double spark_top(double largest);

#endif
