#ifndef PERFTOP_MODEL_STALLS_H
#define PERFTOP_MODEL_STALLS_H

/*
 * What CPUs' time was used for, and what held cgroups back, as differences of two readings of
 * what the kernel adds up. One reading says nothing; a cgroup that was not read in an interval
 * begins anew.
 */

#include <stddef.h>

#include "model/model.h"
#include "model/record.h"
#include "model/snapshot.h"

enum {
	STALLS_CGROUPS_MAX = 8192 /* more are not believed */
};

struct stalled_cgroup;
struct timed_cpu;

/* An empty one is {0}. */
struct stalls {
	struct stalled_cgroup *cgroups; /* owned; by path */
	size_t cgroup_count, cgroup_capacity;
	struct snapshot_cgroup *rows; /* owned; of the interval closed last */
	size_t row_count, row_capacity;
	struct timed_cpu *cpus; /* owned; by number */
	size_t cpu_count;
	struct cpu_times *times; /* owned; of the interval closed last, by number */
	size_t time_capacity;
};

void stalls_fini(struct stalls *stalls);

void stalls_take(struct stalls *stalls, const struct record *record);
void stalls_take_cpu_times(struct stalls *stalls, const struct record *record);

/* The next interval begins: what was read up to now is what it is the difference to. */
void stalls_start(struct stalls *stalls);

/* How long the CPU was idle in the interval up to now, to a clock tick; 0 also where it is unknown.
 */
uint64_t stalls_idle_ns(const struct stalls *stalls, size_t number);

/*
 * Writes those of the interval that ends; what the snapshot is given is good until the next time.
 * Of tasks that a limit may have held back it is then not known how long they were preempted.
 */
void stalls_close(struct stalls *stalls, struct snapshot *snapshot);

/* The newest readings, for a model that goes on from here. */
void stalls_resync(const struct stalls *stalls, model_listener *listen, void *context);

#endif
