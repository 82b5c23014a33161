#include "view/stalls.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/snapshot.h"

/* Limits to 100: clocks that are read one after the other differ slightly. */
static double at_most_all(double pct)
{
	return pct > 100 ? 100 : pct;
}

uint64_t cpu_steal_ns(const struct snapshot *snapshot, int cpu)
{
	return (size_t)cpu < snapshot->cpu_time_count ? snapshot->cpu_times[cpu].stolen_ns
						      : UINT64_MAX;
}

double cpu_steal_pct(const struct snapshot *snapshot, int cpu)
{
	const uint64_t steal_ns = cpu_steal_ns(snapshot, cpu);

	if (steal_ns == UINT64_MAX || snapshot->interval_ns == 0)
		return NAN;
	return at_most_all(100.0 * (double)steal_ns / (double)snapshot->interval_ns);
}

/* Of which CPU the times of number `index` are wanted; the end of the times: there is none. */
static size_t cpu_of_shares(const struct snapshot *snapshot, int cpu, size_t index)
{
	if (cpu != CPU_SHARES_ALL)
		return index == 0 ? (size_t)cpu : snapshot->cpu_time_count;
	if (snapshot->cpu_count == 0)
		return index;
	return index < snapshot->cpu_count ? (size_t)snapshot->cpus[index].cpu
					   : snapshot->cpu_time_count;
}

struct cpu_shares cpu_shares_make(const struct snapshot *snapshot, int cpu)
{
	double user = 0, system = 0, irq = 0, idle = 0, stolen = 0;
	size_t i;

	for (size_t n = 0; (i = cpu_of_shares(snapshot, cpu, n)) < snapshot->cpu_time_count; n++) {
		const struct cpu_times *times = &snapshot->cpu_times[i];

		if (times->user_ns == UINT64_MAX || times->system_ns == UINT64_MAX ||
		    times->irq_ns == UINT64_MAX || times->idle_ns == UINT64_MAX)
			continue;
		user += (double)times->user_ns;
		system += (double)times->system_ns;
		irq += (double)times->irq_ns;
		idle += (double)times->idle_ns;
		stolen += times->stolen_ns == UINT64_MAX ? 0 : (double)times->stolen_ns;
	}
	/* 0/0 is NaN: nothing is known */
	const double pct = 100.0 / (user + system + irq + idle + stolen);
	return (struct cpu_shares){user * pct, system * pct, irq * pct, idle * pct};
}

double cpu_system_pct(const struct snapshot *snapshot, int cpu, double busy_pct)
{
	const struct cpu_shares shares = cpu_shares_make(snapshot, cpu);
	const double system_pct = shares.system_pct + shares.irq_pct;
	const double all_pct = system_pct + shares.user_pct;

	return all_pct > 0 ? busy_pct * system_pct / all_pct : busy_pct * all_pct;
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
