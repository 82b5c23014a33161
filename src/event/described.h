#ifndef PERFTOP_EVENT_DESCRIBED_H
#define PERFTOP_EVENT_DESCRIBED_H

/*
 * What events mean that the kernel only gives a name, in a sentence without a full stop. (Generic
 * events are with theirs in kernel/generic.h, libpfm4 brings its own.)
 */

/* Of a cache event as perf lists it; "" for another name. */
const char *described_cache(const char *name);

/* Of all the tracepoints of a group; "" for a group that is not known here. */
const char *described_group(const char *group);

#endif
