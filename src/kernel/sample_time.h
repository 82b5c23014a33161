#ifndef PERFTOP_KERNEL_SAMPLE_TIME_H
#define PERFTOP_KERNEL_SAMPLE_TIME_H

#include <stddef.h>

#include "kernel/attr.h"

/*
 * ns that a sample takes from the task in which it is taken: the interrupt, the calls and the
 * record. It is by how much longer a loop of our own runs while it is sampled as `request` says,
 * but more often, at the median of some rounds; 10 ms in all. What it calls is near, and caches are
 * warm: a lower bound. 0: it cannot be sampled, or what else runs makes a larger difference.
 */
double sample_time_ns(const struct profiler_request *request, const struct attr_features *features,
		      size_t page_bytes);

/*
 * Likewise where `request` is for tasks off the CPU: ns that a stack takes from who leaves, and the
 * record of a switch from who leaves or comes. By how much longer two processes of our own take to
 * wake each other (switch_time.h); waits for it, some ms.
 */
double off_cpu_time_ns(const struct profiler_request *request, const struct attr_features *features,
		       size_t page_bytes, double *record_ns);

#endif
