#ifndef PERFTOP_KERNEL_COUNTER_TIME_H
#define PERFTOP_KERNEL_COUNTER_TIME_H

#include "kernel/attr.h"

/*
 * From here on a counter is taken for one that is emulated: a processor reads its own in 10 to 40
 * ns, and leaving the guest for the hypervisor, which then does it, takes a microsecond.
 */
enum {
	COUNTER_TIME_SLOW_NS = 300
};

/*
 * ns that reading one more counter of the hardware takes, at the median of some reads of a group
 * for this thread against those of a group of software events. It takes less than a millisecond. 0:
 * there is none, or it may not be read.
 */
double counter_time_ns(const struct attr_features *features);

#endif
