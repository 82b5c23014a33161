#ifndef PERFTOP_BATCH_EVENT_SUMS_H
#define PERFTOP_BATCH_EVENT_SUMS_H

/*
 * Where the raw counts of the events that are to be written stand, found once for many lines.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout;

struct event_sum {
	size_t event;        /* of the layout */
	size_t first, count; /* its counters' places */
	bool is_counted;
};

/* An empty one is {0}. */
struct event_sums {
	struct event_sum *sums; /* owned; of all events but those that were taken out */
	size_t count;
	size_t *places; /* owned */
};

void event_sums_init(struct event_sums *sums, const struct layout *layout);
void event_sums_fini(struct event_sums *sums);

/* What the event has counted in all, not scaled. */
uint64_t event_sum_of(const struct event_sums *sums, size_t index, const uint64_t *counts);

#endif
