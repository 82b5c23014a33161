#ifndef PERFTOP_KERNEL_SAMPLE_TIME_H
#define PERFTOP_KERNEL_SAMPLE_TIME_H

/*
 * What samples cost the task in which they are taken: the interrupt, the walk of the calls and the
 * record. Measured in the background, some 30 ms, by processes of our own (switch_time.h): a loop
 * that is sampled, only more often, and that is not; and two that wake each other, for samples off
 * the CPU. Their stacks are short and caches are warm: a lower bound.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/attr.h"
#include "kernel/switch_time.h"

/* Of what; the first ones are also what is on at a level of the switches. */
enum sample_time_of {
	SAMPLE_TIME_NONE,
	SAMPLE_TIME_RECORD, /* of prev or next, at a switch that may be sampled */
	SAMPLE_TIME_OFF_CPU,
	SAMPLE_TIME_CLOCK,
	SAMPLE_TIME_CYCLES,
	SAMPLE_TIMES
};

/* A measurement; {0}: none. */
struct sample_time {
	struct switch_time time;
	double leaving; /* so many tasks leave at a switch of it */
};

/* Begins to measure as the request says, by whatever it says that samples are taken. */
void sample_time_begin(struct sample_time *measured, const struct profiler_request *request,
		       const struct attr_features *features, size_t page_bytes);

/* False: it goes on, or none does. In ns; 0: not so sampled, or noise exceeds the difference. */
bool sample_time_take(struct sample_time *measured, double ns[static SAMPLE_TIMES]);

/* Gives up what goes on. */
void sample_time_end(struct sample_time *measured);

#endif
