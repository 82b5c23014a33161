#ifndef PERFTOP_VIEW_STALLS_H
#define PERFTOP_VIEW_STALLS_H

/* What held tasks back, in percent of the time; NaN: unknown. */

#include <stddef.h>
#include <stdint.h>

#include "base/stall.h"

enum {
	CPU_SHARES_ALL = -1
};

struct snapshot;

/* The part of a CPU's time that was stolen; UINT64_MAX: unknown. */
uint64_t cpu_steal_ns(const struct snapshot *snapshot, int cpu);
double cpu_steal_pct(const struct snapshot *snapshot, int cpu);

/* What CPUs were used for, in percent of their time, to a clock tick; the rest was stolen. */
struct cpu_shares {
	double user_pct, system_pct, irq_pct, idle_pct;
};

/* Of one CPU; of all that are watched: CPU_SHARES_ALL. */
struct cpu_shares cpu_shares_make(const struct snapshot *snapshot, int cpu);

/*
 * Of what CPUs were busy in percent of their time, which switches say exactly, the part of kernel
 * and interrupts; NaN: unknown.
 */
double cpu_system_pct(const struct snapshot *snapshot, int cpu, double busy_pct);

/*
 * Of the cgroup whose path is the first `length` bytes (NULL: unknown). Throttling: by its own
 * limit, or by the one above it that held its tasks back most.
 */
double cgroup_stall_pct(const struct snapshot *snapshot, const char *path, size_t length,
			enum stall_number number);

#endif
