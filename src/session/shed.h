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
#include <stdint.h>

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

/*
 * Tasks that wake each other half a million times a second can keep the fair scheduler from running
 * any other for seconds, whatever its nice value (Linux 6.18): rings overflow and keys go
 * unanswered meanwhile. So we ask for the least real-time priority, where we may have one, and the
 * screen says so. We run some percent of the time and others lose little by it; should we ever need
 * more than half a CPU for a second, the priority is given back, until we are kept waiting again.
 */
struct urgency {
	bool is_urgent;  /* we have the priority */
	bool is_refused; /* it was asked for in vain */
	bool has_looked;
	uint64_t waited_ns;         /* on a run queue since our birth, as of the last look */
	uint64_t since_ns, used_ns; /* the second that is judged: its begin, our CPU time then */
};

enum {
	URGENCY_WAIT_NS = 200000000, /* more than that between two looks is no fair share */
	URGENCY_JUDGED_NS = 1000000000
};

/* Asks for the priority. */
void urgency_raise(struct urgency *urgency);

/*
 * waited_ns: how long we have waited for a CPU since our birth. True: we were kept waiting too
 * long since the last look.
 */
bool urgency_is_due(struct urgency *urgency, uint64_t waited_ns);

/*
 * now_ns: any clock; cpu_ns: what we have used of the CPU since our birth. True: the last second
 * has passed and we have used more than half of it.
 */
bool urgency_is_too_much(struct urgency *urgency, uint64_t now_ns, uint64_t cpu_ns);

#endif
