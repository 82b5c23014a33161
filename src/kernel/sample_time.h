#ifndef PERFTOP_KERNEL_SAMPLE_TIME_H
#define PERFTOP_KERNEL_SAMPLE_TIME_H

#include <stddef.h>

#include "kernel/attr.h"

/*
 * ns that a sample costs the task in which it is taken: the interrupt, the walk of the calls and
 * the record. Measured as the median difference of a loop of our own that is sampled as `request`
 * says, only more often, and that is not; 10 ms in all. Its stack is short and caches are warm: a
 * lower bound. 0: it cannot be sampled, or noise exceeds the difference.
 */
double sample_time_ns(const struct profiler_request *request, const struct attr_features *features,
		      size_t page_bytes);

/*
 * The same if `request` is for tasks off the CPU: ns for the stack of prev, and for the records of
 * a switch of prev and next. Measured by two processes of our own that wake each other
 * (switch_time.h); waits for it, some ms.
 */
double off_cpu_time_ns(const struct profiler_request *request, const struct attr_features *features,
		       size_t page_bytes, double *record_ns);

#endif
