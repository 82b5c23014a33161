#ifndef PERFTOP_KERNEL_COUNTER_TIME_H
#define PERFTOP_KERNEL_COUNTER_TIME_H

#include "kernel/attr.h"

/*
 * At this time or above a counter is taken to be emulated: a processor reads its own in 10 to 40
 * ns, while an exit to the hypervisor takes a microsecond.
 */
enum {
	COUNTER_TIME_SLOW_NS = 300
};

/*
 * ns that reading one more hardware counter takes: the median difference between reads of a group
 * with one and of a group of software events, for this thread. Takes less than a millisecond. 0:
 * there is no such counter, or it may not be read.
 */
double counter_time_ns(const struct attr_features *features);

#endif
