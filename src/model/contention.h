#ifndef PERFTOP_MODEL_CONTENTION_H
#define PERFTOP_MODEL_CONTENTION_H

/*
 * Others may take hardware counters at any time (another perf, the NMI watchdog), and the kernel
 * then shares them out. It does not report this; it shows in how long each group was counting.
 */

#include <stdint.h>

struct layout;
struct snapshot;

struct contention {
	const uint64_t *taken_ns; /* per group: how long others had its counters in its turn */
	const char *others;       /* other users of the counters; "" unknown */
};

/*
 * Brings the states of the events in `layout` up to date with the snapshot: an event that was
 * planned to count all the time and did not is multiplexed, with the reason; it is counting again
 * when it did. Of one that was planned to take turns the reason says so when others had its turns.
 */
void contention_note(struct layout *layout, const struct layout *planned,
		     const struct snapshot *snapshot, const struct contention *contention);

#endif
