#ifndef PERFTOP_VIEW_SAMPLE_SCOPE_H
#define PERFTOP_VIEW_SAMPLE_SCOPE_H

/*
 * Which samples of an interval the request asks for, and what each represents. A filter selects
 * samples of tasks: their columns are those of the interval, except that "cpu" is where the sample
 * was taken.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct profile;
struct profile_entry;
struct sample_filter;
struct snapshot;
struct view_request;

enum {
	SAMPLE_INTERVALS_MAX = 120 /* summing so many is fast enough */
};

/*
 * The intervals of the window, as far as they are kept and sampled at the same event, in the order
 * of time: `now` is the last one. By latency they are those that have it of the scope that is asked
 * for, so that there may be none. Returns how many.
 */
size_t sample_scope_intervals(const struct view_request *request, const struct snapshot *now,
			      const struct snapshot *intervals[static SAMPLE_INTERVALS_MAX]);

struct sample_scope {
	const struct view_request *request; /* borrowed; so is the next */
	const struct sample_filter *samples_of;
	struct map users; /* pid to uid + 1, where one is asked for */
	struct map fates; /* where there is a filter: of a task on a CPU */
};

/* Of the samples of this interval. samples_of: only those of these tasks; NULL: of all. */
void sample_scope_init(struct sample_scope *scope, const struct view_request *request,
		       const struct sample_filter *samples_of, const struct snapshot *snapshot);
void sample_scope_fini(struct sample_scope *scope);

bool sample_scope_has(const struct sample_scope *scope, const struct profile_entry *entry);

/* Whether its task is meant, whatever kind of sample it is. */
bool sample_scope_has_task(const struct sample_scope *scope, const struct profile_entry *entry);

/* The weight of a sample: what it represents, a time if some of them are off the CPU. */
uint64_t sample_scope_weight(const struct sample_scope *scope, const struct profile_entry *entry);

/* The same of samples that the profile has no room for. */
uint64_t sample_scope_left_out(const struct sample_scope *scope, const struct profile *profile);

/* Both; false: it is not meant. */
bool sample_scope_weigh(const struct sample_scope *scope, const struct profile_entry *entry,
			uint64_t *weight);

/* Those of the intervals of the window that have samples, one after the other. */
struct sample_window {
	const struct snapshot *intervals[SAMPLE_INTERVALS_MAX];
	size_t count, next;
	uint64_t lost, left_out;         /* samples of all of them */
	const struct snapshot *interval; /* the one it is at */
	const struct profile *profile;   /* its samples */
	struct sample_scope scope;       /* which of these are asked for */
};

void sample_window_begin(struct sample_window *window, const struct view_request *request,
			 const struct sample_filter *samples_of, const struct snapshot *now);

/* False: there are no more; it is called until then. */
bool sample_window_next(struct sample_window *window);

#endif
