#ifndef PERFTOP_SESSION_SHED_H
#define PERFTOP_SESSION_SHED_H

/*
 * What is left out when records come faster than they can be taken: first the lines of the log
 * that follows on the screen, then the history, then slices and waits of single tasks. The books
 * are never left out, since they are what all else is measured against.
 *
 * How far behind we are is seen from how full the rings were when a round began: they wake us when
 * they are a quarter full, so that more than half means that a whole round came too late.
 */

#include <stdbool.h>

enum shed_level {
	SHED_NOTHING,
	SHED_LINES,
	SHED_HISTORY,
	SHED_DETAIL
};

/* An empty one is {0}. */
struct shed {
	enum shed_level level;
	double worst;   /* fullest ring since the last tick */
	bool has_grown; /* the level has risen since the last tick */
};

/* A round has ended that began with the fullest ring this full (0 to 1). */
void shed_round(struct shed *shed, double backlog, bool has_lost);

/* An interval has ended: after one that was calm all the time one thing is taken up again. */
void shed_tick(struct shed *shed);

#endif
