/*
 * Socket and core are in a folder of each CPU, nodes have lists of their CPUs. Kinds of core are
 * distinguished by the PMUs of hybrid Intel processors (cpu_core, cpu_atom, cpu_lowpower), or by
 * the capacities that the scheduler knows of (ARM and others): the biggest are P, the smallest E.
 */

#include "kernel/places.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/topology.h"
#include "kernel/file.h"

enum {
	PATH_BYTES = 512,
	LIST_BYTES = 16384,
	NODES_MAX = 1024,
	CPU_MOST = 1 << 20
};

/* -1: there is no such file. */
static int read_number(const char *root, int cpu, const char *name)
{
	char path[PATH_BYTES], text[64], *end;
	long number;

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%d/%s", root, cpu, name);
	if (file_read(path, text, sizeof(text)) <= 0)
		return -1;
	number = strtol(text, &end, 10);
	return end == text || number < 0 || number > INT_MAX ? -1 : (int)number;
}

static bool read_list(const char *root, const char *name, struct number_list *list)
{
	char path[PATH_BYTES], text[LIST_BYTES];

	*list = (struct number_list){0};
	snprintf(path, sizeof(path), "%s/sys/devices/%s", root, name);
	return file_read(path, text, sizeof(text)) > 0 && number_list_parse(list, text, CPU_MOST);
}

/* The place of the CPU among those that share its core. */
static int read_thread(const char *root, int cpu)
{
	struct number_list siblings;
	char name[PATH_BYTES];
	int thread = -1;

	snprintf(name, sizeof(name), "system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	if (!read_list(root, name, &siblings))
		return -1;
	for (size_t i = 0; i < siblings.count; i++)
		if (siblings.numbers[i] == cpu)
			thread = (int)i;
	number_list_fini(&siblings);
	return thread;
}

static void read_nodes(struct topology *topology, const char *root)
{
	struct number_list nodes, cpus;
	char name[PATH_BYTES];

	if (!read_list(root, "system/node/online", &nodes))
		return;
	for (size_t i = 0; i < nodes.count && i < NODES_MAX; i++) {
		snprintf(name, sizeof(name), "system/node/node%d/cpulist", nodes.numbers[i]);
		if (!read_list(root, name, &cpus))
			continue;
		for (size_t j = 0; j < topology->count; j++)
			if (number_list_has(&cpus, topology->places[j].cpu))
				topology->places[j].node = nodes.numbers[i];
		number_list_fini(&cpus);
	}
	number_list_fini(&nodes);
}

static bool read_kinds_of_pmus(struct topology *topology, const char *root)
{
	static const char *const kinds[][2] = {
		{"cpu_core/cpus", "P"},
		{"cpu_atom/cpus", "E"},
		{"cpu_lowpower/cpus", "LP-E"},
	};
	bool are_several = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct number_list cpus;

		if (!read_list(root, kinds[i][0], &cpus))
			continue;
		for (size_t j = 0; j < topology->count; j++) {
			if (number_list_has(&cpus, topology->places[j].cpu))
				snprintf(topology->places[j].kind, TOPOLOGY_KIND_MAX, "%s",
					 kinds[i][1]);
		}
		are_several = true;
		number_list_fini(&cpus);
	}
	return are_several;
}

static void read_kinds_of_capacities(struct topology *topology, const char *root)
{
	int least = INT_MAX, most = -1;

	for (size_t i = 0; i < topology->count; i++) {
		const int capacity = read_number(root, topology->places[i].cpu, "cpu_capacity");

		if (capacity < 0)
			return;
		least = capacity < least ? capacity : least;
		most = capacity > most ? capacity : most;
	}
	for (size_t i = 0; i < topology->count && least < most; i++) {
		struct cpu_place *place = &topology->places[i];
		const int capacity = read_number(root, place->cpu, "cpu_capacity");

		snprintf(place->kind, TOPOLOGY_KIND_MAX, "%s",
			 capacity == most    ? "P"
			 : capacity == least ? "E"
					     : "M");
	}
}

void places_read(struct topology *topology, const struct number_list *cpus, const char *root)
{
	for (size_t i = 0; i < cpus->count && i < TOPOLOGY_CPUS_MAX; i++) {
		const int cpu = cpus->numbers[i];
		struct cpu_place *place = topology_add(topology, cpu);

		place->socket = read_number(root, cpu, "topology/physical_package_id");
		place->core = read_number(root, cpu, "topology/core_id");
		place->thread = read_thread(root, cpu);
	}
	read_nodes(topology, root);
	if (topology->count > 0 && !read_kinds_of_pmus(topology, root))
		read_kinds_of_capacities(topology, root);
}
