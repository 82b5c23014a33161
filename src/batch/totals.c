#include "batch/totals.h"

#include <stdlib.h>

#include "base/memory.h"

struct totals *totals_create(void)
{
	return xcalloc(1, sizeof(struct totals));
}

void totals_destroy(struct totals *totals)
{
	if (!totals)
		return;
	tally_fini(&totals->all);
	for (size_t i = 0; i < totals->cpu_count; i++)
		tally_fini(&totals->cpus[i].tally);
	free(totals->cpus);
	top_fini(&totals->tasks);
	top_fini(&totals->groups);
	top_fini(&totals->pairs);
	free(totals);
}

struct cpu_totals *totals_of_cpu(struct totals *totals, int cpu)
{
	for (size_t i = 0; i < totals->cpu_count; i++)
		if (totals->cpus[i].cpu == cpu)
			return &totals->cpus[i];
	array_reserve(&totals->cpus, &totals->cpu_capacity, totals->cpu_count + 1,
		      sizeof(*totals->cpus));
	totals->cpus[totals->cpu_count] = (struct cpu_totals){.cpu = cpu};
	return &totals->cpus[totals->cpu_count++];
}
