#include "view/stalls.h"

#include <math.h>
#include <string.h>

#include "model/snapshot.h"

static const double NS_PER_US = 1e3;

/* Limits to 100: clocks that are read one after the other differ slightly. */
static double at_most_all(double pct)
{
	return pct > 100 ? 100 : pct;
}

double cpu_steal_pct(const struct snapshot_cpu *cpu, uint64_t interval_ns)
{
	if (cpu->steal_ns == UINT64_MAX || interval_ns == 0)
		return NAN;
	return at_most_all(100.0 * (double)cpu->steal_ns / (double)interval_ns);
}

static double own_pct(const struct snapshot_cgroup *cgroup, enum stall_number number)
{
	const uint64_t *numbers = cgroup->interval;

	if ((cgroup->known & 1u << number) == 0)
		return NAN;
	if (number == STALL_PERIODS_THROTTLED)
		return numbers[STALL_PERIODS] > 0 ? at_most_all(100.0 * (double)numbers[number] /
								(double)numbers[STALL_PERIODS])
						  : 0;
	return 100.0 * NS_PER_US * (double)numbers[number] / (double)cgroup->span_ns;
}

double cgroup_stall_pct(const struct snapshot *snapshot, const char *path, size_t length,
			enum stall_number number)
{
	size_t bytes = path ? strnlen(path, length) : 0;
	const struct snapshot_cgroup *cgroup =
		bytes > 0 ? snapshot_find_cgroup(snapshot, path, bytes) : NULL;
	double pct;

	if (!cgroup)
		return NAN;
	pct = own_pct(cgroup, number);
	if ((STALL_LIMIT & 1u << number) == 0)
		return at_most_all(pct);
	if ((cgroup->known & STALL_HAS_CPU_STAT) == 0)
		return NAN;
	while ((cgroup = snapshot_climb(snapshot, path, &bytes)))
		pct = fmax(pct, own_pct(cgroup, number)); /* of one that is NaN the other */
	return pct;
}
