#ifndef PERFTOP_SESSION_URGENCY_H
#define PERFTOP_SESSION_URGENCY_H

/*
 * Tasks that wake each other half a million times a second can keep the fair scheduler from running
 * any other for seconds, whatever its nice value (Linux 6.18): rings overflow and keys go
 * unanswered meanwhile. So we ask for the least real-time priority, where we may have one, and the
 * screen says so. We run some percent of the time and others lose little by it; should we ever need
 * more than half a CPU for a second, the priority is given back, until we are kept waiting again.
 */

#include <stdbool.h>
#include <stdint.h>

/* An empty one is {0}. */
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
