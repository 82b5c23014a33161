#ifndef PERFTOP_KERNEL_STALL_H
#define PERFTOP_KERNEL_STALL_H

/*
 * What CPUs' time is used for, stolen by a hypervisor, too, and what holds tasks back: the limits
 * and pressure of cgroups (base/stall.h). Files are read under `root`, "" in production; what is
 * missing or refused is unknown.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stall.h"

/* Where the hierarchies are mounted, under the root; "": they are not. */
struct cgroup_mounts {
	const char *unified; /* version 2: pressure */
	const char *cpu;     /* with the CPU limits: the same, or of version 1 */
};

void cgroup_find_mounts(struct cgroup_mounts *mounts, const char *root);

/*
 * Reads the numbers of the cgroup with this path, as in /proc/PID/cgroup; returns which are known.
 * A path out of the mounted hierarchy ("/../other") is none.
 */
uint32_t cgroup_read_stalls(uint64_t numbers[static STALL_NUMBERS], const char *root,
			    const struct cgroup_mounts *mounts, const char *path);

/*
 * Takes the next CPU's times since boot from the text of /proc/stat. False: there are no more CPUs,
 * or no such times.
 */
bool cpu_times_next(const char **text, int32_t *cpu, struct cpu_times *times);

/* The lines of up to `cpus` CPUs of /proc/stat, to be freed; NULL: there are none. */
char *cpu_times_read(const char *root, size_t cpus);

#endif
