#ifndef PERFTOP_PLAYBACK_KEPT_H
#define PERFTOP_PLAYBACK_KEPT_H

/*
 * Intervals that were shown, kept as copies of their snapshots within a bound of bytes.
 *
 * Of processes that did nothing in an interval nothing is kept, unless they are asked for: most
 * sleep, and with them the minutes would be seconds. When the bound is reached either the oldest
 * goes, so that what is kept has no gaps; or the past is thinned out: the newer half of the
 * intervals stays whole, and of the older ones those go first that lie closest together for their
 * age.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snapshot;
struct snapshot_task;

struct kept_interval {
	struct snapshot *snapshot; /* owned */
	size_t bytes;
	bool has_idle; /* with the processes that did not run */
	double rate;   /* context switches a second, as far as its CPUs or tasks say */
};

struct kept {
	struct kept_interval *intervals; /* owned; ascending by time */
	size_t count, capacity;
	uint64_t bytes, bytes_max;
	bool thins;                  /* the past is thinned out, and not cut off */
	struct snapshot_task *tasks; /* owned; room to choose tasks in */
	size_t task_capacity;
};

void kept_init(struct kept *keep, uint64_t bytes_max, bool thins);
void kept_fini(struct kept *keep);

/*
 * Takes a copy, unless it is kept already. has_idle: with the processes that did not run. What
 * ended later than this one is forgotten: the recording has begun anew.
 */
void kept_add(struct kept *keep, const struct snapshot *snapshot, bool has_idle);

/* How many ended before this time. */
size_t kept_count_before(const struct kept *keep, uint64_t time_ns);

/* The newest that ended before this time, the oldest that ended after it, the oldest that did not
 * end before it; NULL: none. */
const struct kept_interval *kept_before(const struct kept *keep, uint64_t time_ns);
const struct kept_interval *kept_after(const struct kept *keep, uint64_t time_ns);
const struct kept_interval *kept_at(const struct kept *keep, uint64_t time_ns);

/* The oldest and the newest; NULL: none is kept. */
const struct kept_interval *kept_oldest(const struct kept *keep);
const struct kept_interval *kept_newest(const struct kept *keep);

#endif
