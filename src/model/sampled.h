#ifndef PERFTOP_MODEL_SAMPLED_H
#define PERFTOP_MODEL_SAMPLED_H

/*
 * What was counted between two samples of a CPU, or of a thread that has counters of its own: it
 * belongs to where the later one was, by estimate. Where the CPU has switched tasks in between, or
 * samples were lost, it is of several and belongs to none of them.
 */

#include <stdbool.h>

#include "base/map.h"

struct layout;
struct record;
struct slice;

/* Zeros at first. */
struct sampled {
	struct map streams; /* owns the last reading of each CPU or thread */
};

void sampled_fini(struct sampled *sampled);

/* Takes the reading of a RECORD_SAMPLE. False: nothing is known of the time before it. */
bool sampled_take(struct sampled *sampled, const struct layout *layout, const struct record *record,
		  struct slice *slice);

/* Ends the interval: forgets those without a sample in it. */
void sampled_close(struct sampled *sampled);

#endif
