#ifndef PERFTOP_KERNEL_CPU_TOPOLOGY_H
#define PERFTOP_KERNEL_CPU_TOPOLOGY_H

/* Where the CPUs are in the machine, as sysfs shows; each file is read under `root` (host.h). */

struct number_list;
struct topology;

/* Fills an empty topology with these CPUs. What sysfs does not show is unknown. */
void cpu_topology_read(struct topology *topology, const struct number_list *cpus, const char *root);

#endif
