#include "view/interrupts.h"

#include <math.h>

#include "model/snapshot.h"

struct sums {
	uint64_t count, ns;
};

/* The first one of the CPU. */
static size_t find_first(const struct snapshot *snapshot, int cpu)
{
	size_t first = 0, end = snapshot->interrupt_count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (snapshot->interrupts[middle].cpu < cpu)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static struct sums sum_of(const struct snapshot *snapshot, int cpu, bool are_soft)
{
	struct sums sums = {0};

	for (size_t i = find_first(snapshot, cpu);
	     i < snapshot->interrupt_count && snapshot->interrupts[i].cpu == cpu; i++) {
		const struct snapshot_interrupt *interrupt = &snapshot->interrupts[i];

		if ((interrupt->kind == INTERRUPT_SOFT) != are_soft)
			continue;
		sums.count += interrupt->count;
		sums.ns += interrupt->ns;
	}
	return sums;
}

static bool are_known(const struct snapshot *snapshot)
{
	return snapshot->has_interrupts && snapshot->interval_ns > 0;
}

double cpu_interrupts_pct(const struct snapshot *snapshot, int cpu, bool are_soft)
{
	return are_known(snapshot) ? 100.0 * (double)sum_of(snapshot, cpu, are_soft).ns /
					     (double)snapshot->interval_ns
				   : NAN;
}

double cpu_interrupts_rate(const struct snapshot *snapshot, int cpu, bool are_soft)
{
	const double ns_per_s = 1e9;

	return are_known(snapshot) ? (double)sum_of(snapshot, cpu, are_soft).count * ns_per_s /
					     (double)snapshot->interval_ns
				   : NAN;
}

const char *cpu_top_interrupt(const struct snapshot *snapshot, int cpu)
{
	const size_t first = find_first(snapshot, cpu);

	return first < snapshot->interrupt_count && snapshot->interrupts[first].cpu == cpu
		       ? snapshot->interrupts[first].name
		       : NULL;
}
