#ifndef PERFTOP_SLEEPS_H
#define PERFTOP_SLEEPS_H

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
struct sleeps {
	struct sleep_note *notes; /* owned; one for each sleep, in the order of time */
	size_t count, capacity;
};

void sleeps_fini(struct sleeps *sleeps);

/* At the end of each interval: whether it has slept since. */
void sleeps_note(struct sleeps *sleeps, uint64_t now_ns);

/* How long it had slept then; what was never noted is as now. */
int64_t sleeps_at(const struct sleeps *sleeps, uint64_t time_ns);

#endif
