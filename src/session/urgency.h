#ifndef PERFTOP_SESSION_URGENCY_H
#define PERFTOP_SESSION_URGENCY_H

/*
 * Tasks that wake each other half a million times a second can keep the fair scheduler from running
 * any other for seconds, whatever its nice value (Linux 6.18): rings overflow and keys go
 * unanswered meanwhile. Nothing unusual is asked of the system before that is so: only when we were
 * runnable without a CPU for more than half an interval do we ask for the least real-time priority,
 * where we may have one, and the screen says so.
 *
 * How long we waited is what the kernel counts for us (/proc/self/schedstat): a late timer would
 * also show what we took ourselves to handle records, of which no priority is a remedy. Where it
 * does not count that, nothing is asked for.
 *
 * With the priority we are not kept waiting, so whether it is still needed is found out by giving
 * it back: at first after ten seconds. Should it be needed again soon, the next try comes after
 * twice as long. Should we need more than half a CPU for a second it is given back at once.
 */

#include <stdbool.h>
#include <stdint.h>

/* Empty: {0}. Times are of any clock that goes on; cpu_ns and waited_ns are since our birth. */
struct urgency {
	bool is_urgent;   /* we have the priority */
	bool is_refused;  /* it was asked for in vain */
	bool is_wanted;   /* by the user, from the start on: it is not given back to try */
	bool has_looked;  /* at least once */
	uint64_t kept_ns; /* how long we had waited when it was asked for last; 0: never */
	uint64_t looked_ns, waited_ns; /* the last look, and our waits by then */
	uint64_t until_ns;             /* it is kept so long */
	uint64_t hold_ns;              /* of the last time that it was needed */
	uint64_t judged_ns, used_ns;   /* the second that is judged: its begin, our CPU time then */
};

enum {
	URGENCY_JUDGED_NS = 1000000000
};

#define URGENCY_HOLD_NS     UINT64_C(10000000000)
#define URGENCY_HOLD_MAX_NS UINT64_C(320000000000)

/* So much time has passed since the last look that we may have waited too long. */
bool urgency_may_be_due(const struct urgency *urgency, uint64_t now_ns, uint64_t interval_ns);

/* A look: true: of the time since the last one we have waited too long. */
bool urgency_is_due(struct urgency *urgency, uint64_t now_ns, uint64_t waited_ns,
		    uint64_t interval_ns);

/* Asks for the priority, which is needed at this time. */
void urgency_raise(struct urgency *urgency, uint64_t now_ns);

/* It is to be given back: to see whether it is still needed, or since we need too much. */
bool urgency_is_over(struct urgency *urgency, uint64_t now_ns, uint64_t cpu_ns);

/* Both, of this process and now. */
void urgency_look(struct urgency *urgency, uint64_t interval_ns);
void urgency_look_whether_over(struct urgency *urgency, uint64_t cpu_ns);

#endif
