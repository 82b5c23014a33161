#ifndef PERFTOP_BASE_TOPOLOGY_H
#define PERFTOP_BASE_TOPOLOGY_H

/* Where each CPU is in the machine, and of which kind. */

#include <stdbool.h>
#include <stddef.h>

enum {
	TOPOLOGY_KIND_MAX = 16,
	TOPOLOGY_CPUS_MAX = 8192 /* no Linux has more (NR_CPUS) */
};

struct cpu_location {
	int cpu;
	int socket; /* physical package */
	int core;   /* as the kernel numbers them, within the socket */
	int thread; /* of the core, from 0: the place among those that share it (SMT) */
	int node;   /* of memory (NUMA) */
	/* all of these: -1 not known */
	char kind[TOPOLOGY_KIND_MAX]; /* of core, where there are several: "P", "E", "big",
					 "little";
					 "" one kind, or not known */
};

/* An empty one is {0}: nothing is known. */
struct topology {
	struct cpu_location *cpus; /* owned; ascending by cpu */
	size_t count;
};

void topology_fini(struct topology *topology);

/* Frees what *copy held. */
void topology_copy(struct topology *copy, const struct topology *topology);

/* Appends a CPU with a higher number than those before, of which nothing is known yet. */
struct cpu_location *topology_add(struct topology *topology, int cpu);

/* Whether two CPUs share a core, as far as is known. */
bool topology_has_siblings(const struct topology *topology);

/* NULL: nothing is known of it. */
const struct cpu_location *topology_find(const struct topology *topology, int cpu);

#endif
