#ifndef PERFTOP_URGENCY_H
#define PERFTOP_URGENCY_H

/*
 * Tasks that wake each other half a million times a second can keep the fair scheduler from
 * running anybody else for seconds, whatever his nice value (Linux 6.18): rings overflow and keys
 * go unanswered meanwhile. Once that has happened to us we ask for a real-time priority, where we
 * may have one. We run some percent of the time, so others lose little by it; the screen says so.
 */

#include <stdbool.h>
#include <stdint.h>

/* An empty one is {0}. */
struct urgency {
	uint64_t waited_ns; /* on a run queue since our birth, as of the last look */
	bool has_looked;
	bool is_over; /* asked, granted or not */
};

enum {
	URGENCY_WAIT_NS = 200000000 /* more than that between two looks is no fair share */
};

/*
 * waited_ns: how long we have waited for a CPU since our birth. True once: we were kept waiting too
 * long since the last look.
 */
bool urgency_is_due(struct urgency *urgency, uint64_t waited_ns);

#endif
