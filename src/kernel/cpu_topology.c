/*
 * Socket and core are in a folder of each CPU, nodes have lists of their CPUs. Kinds of core are
 * distinguished by the PMUs of hybrid Intel processors (cpu_core, cpu_atom, cpu_lowpower), or by
 * the capacities that the scheduler knows of (ARM and others): the biggest are P, the smallest E.
 */

#include "kernel/cpu_topology.h"

#include <limits.h>
#include <stdio.h>

#include "base/list.h"
#include "base/topology.h"
#include "kernel/file.h"

enum {
	NODES_MAX = 1024
};

/* -1: there is no such file. */
static int read_cpu_number(const char *root, int cpu, const char *name)
{
	long long number;

	return file_read_number(&number, "%s/sys/devices/system/cpu/cpu%d/%s", root, cpu, name) &&
			       number >= 0 && number <= INT_MAX
		       ? (int)number
		       : -1;
}

/* Which one the CPU is of those that share its core. */
static int read_thread(const char *root, int cpu)
{
	struct number_list siblings;
	int thread = -1;

	if (!file_read_list(&siblings,
			    "%s/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", root,
			    cpu))
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

	if (!file_read_list(&nodes, "%s/sys/devices/system/node/online", root))
		return;
	for (size_t i = 0; i < nodes.count && i < NODES_MAX; i++) {
		if (!file_read_list(&cpus, "%s/sys/devices/system/node/node%d/cpulist", root,
				    nodes.numbers[i]))
			continue;
		for (size_t j = 0; j < topology->count; j++)
			if (number_list_has(&cpus, topology->cpus[j].cpu))
				topology->cpus[j].node = nodes.numbers[i];
		number_list_fini(&cpus);
	}
	number_list_fini(&nodes);
}

static bool read_kinds_of_pmus(struct topology *topology, const char *root)
{
	static const char *const kinds[][2] = {
		{"cpu_core", "P"},
		{"cpu_atom", "E"},
		{"cpu_lowpower", "LP-E"},
	};
	bool are_several = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct number_list cpus;

		if (!file_read_list(&cpus, "%s/sys/devices/%s/cpus", root, kinds[i][0]))
			continue;
		for (size_t j = 0; j < topology->count; j++) {
			if (number_list_has(&cpus, topology->cpus[j].cpu))
				snprintf(topology->cpus[j].kind, TOPOLOGY_KIND_MAX, "%s",
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
		const int capacity = read_cpu_number(root, topology->cpus[i].cpu, "cpu_capacity");

		if (capacity < 0)
			return;
		least = capacity < least ? capacity : least;
		most = capacity > most ? capacity : most;
	}
	for (size_t i = 0; i < topology->count && least < most; i++) {
		struct cpu_location *location = &topology->cpus[i];
		const int capacity = read_cpu_number(root, location->cpu, "cpu_capacity");

		snprintf(location->kind, TOPOLOGY_KIND_MAX, "%s",
			 capacity == most    ? "P"
			 : capacity == least ? "E"
					     : "M");
	}
}

void cpu_topology_read(struct topology *topology, const struct number_list *cpus, const char *root)
{
	for (size_t i = 0; i < cpus->count && i < TOPOLOGY_CPUS_MAX; i++) {
		const int cpu = cpus->numbers[i];
		struct cpu_location *location = topology_add(topology, cpu);

		location->socket = read_cpu_number(root, cpu, "topology/physical_package_id");
		location->core = read_cpu_number(root, cpu, "topology/core_id");
		location->thread = read_thread(root, cpu);
	}
	read_nodes(topology, root);
	if (topology->count > 0 && !read_kinds_of_pmus(topology, root))
		read_kinds_of_capacities(topology, root);
}
