#ifndef PERFTOP_BATCH_TALLY_H
#define PERFTOP_BATCH_TALLY_H

/*
 * What intervals come to together: a sum that only grows. Of an event that took turns each interval
 * enters as the estimate that it is shown as, in the unit of the event; all others are exact.
 */

#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"

/* An empty one is {0}. */
struct tally {
	uint64_t quantities[QUANTITY_BUILTIN];
	double *events; /* owned; by index in the layout */
	size_t event_count;
};

void tally_fini(struct tally *tally);

/*
 * Adds what a vector has gathered in interval_ns. Quantities with a bit in `unknown` are left out,
 * and so are events that were not counted: of what is not known nothing is added.
 */
void tally_add(struct tally *tally, const struct layout *layout, const uint64_t *counts,
	       uint32_t unknown, uint64_t interval_ns);

/* Of an event of the layout. */
double tally_event(const struct tally *tally, size_t event);

#endif
