#include "base/topology.h"

#include <stdlib.h>

#include "base/memory.h"

void topology_fini(struct topology *topology)
{
	free(topology->places);
	*topology = (struct topology){0};
}

void topology_copy(struct topology *copy, const struct topology *topology)
{
	topology_fini(copy);
	copy->places = xcalloc(topology->count, sizeof(*copy->places));
	copy->count = topology->count;
	for (size_t i = 0; i < topology->count; i++)
		copy->places[i] = topology->places[i];
}

struct cpu_place *topology_add(struct topology *topology, int cpu)
{
	struct cpu_place *place;

	topology->places =
		xrealloc(topology->places, topology->count + 1, sizeof(*topology->places));
	place = &topology->places[topology->count++];
	*place = (struct cpu_place){
		.cpu = cpu,
		.socket = -1,
		.core = -1,
		.thread = -1,
		.node = -1,
	};
	return place;
}

static int compare(const void *key, const void *element)
{
	const int cpu = *(const int *)key;
	const struct cpu_place *place = element;

	return (cpu > place->cpu) - (cpu < place->cpu);
}

const struct cpu_place *topology_find(const struct topology *topology, int cpu)
{
	if (topology->count == 0)
		return NULL;
	return bsearch(&cpu, topology->places, topology->count, sizeof(*topology->places), compare);
}
