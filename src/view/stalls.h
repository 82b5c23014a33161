#ifndef PERFTOP_VIEW_STALLS_H
#define PERFTOP_VIEW_STALLS_H

/* What held tasks back, in percent of the time; NaN: unknown. */

#include <stddef.h>
#include <stdint.h>

#include "base/stall.h"

struct snapshot;
struct snapshot_cpu;

/* What was stolen from a CPU. */
double cpu_steal_pct(const struct snapshot_cpu *cpu, uint64_t interval_ns);

/*
 * Of the cgroup with the first so many bytes of the path (NULL: none is known). Throttling: by its
 * own limit, or by that above it which held its tasks back most.
 */
double cgroup_stall_pct(const struct snapshot *snapshot, const char *path, size_t length,
			enum stall_number number);

#endif
