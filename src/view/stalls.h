#ifndef PERFTOP_VIEW_STALLS_H
#define PERFTOP_VIEW_STALLS_H

/* What held tasks back, in percent of the time; NaN: unknown. */

#include <stddef.h>
#include <stdint.h>

#include "base/stall.h"

struct snapshot;
struct snapshot_cpu;

/* The share of a CPU's time that was stolen. */
double cpu_steal_pct(const struct snapshot_cpu *cpu, uint64_t interval_ns);

/*
 * Of the cgroup whose path is the first `length` bytes (NULL: unknown). Throttling: by its own
 * limit, or by the one above it that held its tasks back most.
 */
double cgroup_stall_pct(const struct snapshot *snapshot, const char *path, size_t length,
			enum stall_number number);

#endif
