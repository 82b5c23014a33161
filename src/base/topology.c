#include "base/topology.h"

#include <stdlib.h>

#include "base/memory.h"

void topology_fini(struct topology *topology)
{
	free(topology->cpus);
	*topology = (struct topology){0};
}

void topology_copy(struct topology *copy, const struct topology *topology)
{
	topology_fini(copy);
	copy->cpus = xcalloc(topology->count, sizeof(*copy->cpus));
	copy->count = topology->count;
	for (size_t i = 0; i < topology->count; i++)
		copy->cpus[i] = topology->cpus[i];
}

struct cpu_location *topology_add(struct topology *topology, int cpu)
{
	struct cpu_location *location;

	topology->cpus = xrealloc(topology->cpus, topology->count + 1, sizeof(*topology->cpus));
	location = &topology->cpus[topology->count++];
	*location = (struct cpu_location){
		.cpu = cpu,
		.socket = -1,
		.core = -1,
		.thread = -1,
		.node = -1,
	};
	return location;
}

static int compare_cpu(const void *key, const void *element)
{
	const int cpu = *(const int *)key;
	const struct cpu_location *location = element;

	return (cpu > location->cpu) - (cpu < location->cpu);
}

const struct cpu_location *topology_find(const struct topology *topology, int cpu)
{
	if (topology->count == 0)
		return NULL;
	return bsearch(&cpu, topology->cpus, topology->count, sizeof(*topology->cpus), compare_cpu);
}

bool topology_has_siblings(const struct topology *topology)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].thread > 0)
			return true;
	return false;
}
