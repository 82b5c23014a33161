#ifndef PERFTOP_SESSION_FITTING_H
#define PERFTOP_SESSION_FITTING_H

/*
 * The built-in metrics as the processor counts what they need (event/processor.h): live of this
 * machine, where each of their events is opened once to see that it is one, of a recording by the
 * events that are in it.
 */

#include <stddef.h>

struct attr_features;
struct event_finder;
struct layout;
struct metric_set;
struct processor;

void fit_to_machine(struct metric_set *set, struct event_finder *finder,
		    const struct attr_features *features);
void fit_to_recording(struct metric_set *set, const struct layout *layout,
		      const struct processor *processor);

enum {
	DEFAULT_EVENTS = 6
};

/* Events that are counted when none are named; those of MISS % as it was fitted. Borrowed from the
 * set. */
const char *default_event(const struct metric_set *set, size_t index);

#endif
