#ifndef PERFTOP_SUSPENDS_H
#define PERFTOP_SUSPENDS_H

/*
 * How long the machine had slept at which time. Records have a clock that stops then, the
 * beginnings of tasks one that goes on: to compare the two is right only with what lay between them
 * at the time of the record.
 */

#include <stddef.h>
#include <stdint.h>

struct sleep_note {
	uint64_t since_ns; /* record time */
	int64_t slept_ns;  /* since boot */
};

/* An empty one is {0}. */
struct suspends {
	struct sleep_note *notes; /* owned; one for each sleep, in the order of time */
	size_t count, capacity;
};

void suspends_fini(struct suspends *sleeps);

/* At the end of each interval: whether it has slept since. */
void suspends_note(struct suspends *sleeps, uint64_t now_ns);

/* How long it had slept then; what was never noted is as now. */
int64_t suspends_at(const struct suspends *sleeps, uint64_t time_ns);

#endif
