#ifndef PERFTOP_VIEW_BUSY_H
#define PERFTOP_VIEW_BUSY_H

/*
 * Counts of a CPU, or of the whole machine, made fit for metrics: the events are those
 * of the whole CPU, the run time is that of its tasks without idle. So "cpu %" is how
 * busy it was, and rates are those of everything that happened there.
 */

#include <stdbool.h>
#include <stdint.h>

struct layout;
struct snapshot;

/*
 * Writes the vector; false when idle ran longer than the CPU, which no reading can
 * mean: the run time is then 0 and nothing in it is to be used.
 */
bool busy_counts(uint64_t *counts, const uint64_t *counter, const uint64_t *idle,
		 const struct layout *layout);

/*
 * Everything the interval counted, as it is (`sum`, idle included): of all CPUs, or, where
 * tasks are watched and not CPUs, of all tasks. `idle` is what idle had of it.
 */
void busy_sum_machine(uint64_t *sum, uint64_t *idle, const struct snapshot *snapshot);

#endif
