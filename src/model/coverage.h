#ifndef PERFTOP_MODEL_COVERAGE_H
#define PERFTOP_MODEL_COVERAGE_H

/*
 * An event that shares its counters with others was counted for a part of the time only: its
 * coverage. It is taken to have gone on at the same rate for the rest, on each kind of CPU by
 * itself, where enough of the time was covered for that to mean anything.
 *
 * This is about vectors of one interval: what an event has counted before its groups were
 * changed is not in the counting time of those it has now.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout;
struct snapshot;

/* What an event has counted on one kind of CPU, how long it was counted, and how long whatever it
 * is about ran there. */
struct coverage {
	uint64_t count;
	uint64_t counting_ns, run_ns;
	uint64_t slices, all_slices; /* whole ones that it was counted in, and that there were */
	bool is_reported; /* not read: the count is all there is to know (event_group.is_reported)
			   */
	bool is_estimate; /* and that is nothing where nothing was reported */
	bool is_steady;   /* nothing takes turns with it: slices show better than times, which are
			     those of two readings, whether it was counted all the time */
};

/*
 * The number of the turn whose groups count the event on this kind of CPU; -1: none does. Where
 * an event is in several, the one that counts most: 0, always on.
 */
int coverage_rotation(const struct layout *layout, size_t event, size_t kind);

/*
 * Of one event in a vector. Several groups that take turns are added up; of groups that are on at
 * the same time only one counts.
 */
struct coverage coverage_of(const struct layout *layout, size_t event, size_t kind,
			    const uint64_t *counts);

/* Whether the group is on all the time as far as it goes after the plan, and is not itself the
 * clock. */
bool coverage_is_steady(const struct layout *layout, size_t group);

/* A count for the whole run time, made of those of several kinds of CPUs. */
struct estimate {
	double sum;          /* of the kinds that were covered well enough */
	uint64_t run_ns;     /* on all kinds */
	uint64_t missing_ns; /* on those that were not */
	bool is_scaled;      /* something was not counted, but reckoned */
	bool is_unknown;     /* nothing was reported of what cannot be read */
};

void estimate_add(struct estimate *estimate, const struct coverage *coverage);

/* NaN: too little of it was counted to say. */
double estimate_value(const struct estimate *estimate);

/*
 * Others may take hardware counters at any time (another perf, the NMI watchdog), and the kernel
 * then shares them out. It does not report this; it shows in how long each group was counting.
 */
struct contention {
	const uint64_t *taken_ns; /* per group: how long others had its counters in its turn */
	const char *others;       /* other users of the counters; "" unknown */
	bool is_limited;          /* it is we who do not count all the time, to keep a budget */
};

/*
 * Brings the states of the events in `layout` up to date with the snapshot: an event that was
 * planned to count all the time and did not is multiplexed, with the reason; it is counting again
 * when it did. Of one that was planned to take turns the reason says so when others had its turns.
 */
void contention_note(struct layout *layout, const struct layout *planned,
		     const struct snapshot *snapshot, const struct contention *contention);

#endif
