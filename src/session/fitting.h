#ifndef PERFTOP_SESSION_FITTING_H
#define PERFTOP_SESSION_FITTING_H

/*
 * The built-in metrics as the processor counts what they need (event/processor.h): live of this
 * machine, of a recording by the events that are in it.
 */

#include <stddef.h>

struct event_finder;
struct layout;
struct metric_set;
struct processor;

void fit_to_machine(struct metric_set *set, struct event_finder *finder);
void fit_to_recording(struct metric_set *set, const struct layout *layout,
		      const struct processor *processor);

enum {
	DEFAULT_EVENTS = 6
};

/* Events that are counted when none are named; those of MISS % as it was fitted. Borrowed from the
 * set. */
const char *default_event(const struct metric_set *set, size_t index);

#endif
