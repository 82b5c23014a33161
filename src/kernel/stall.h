#ifndef PERFTOP_KERNEL_STALL_H
#define PERFTOP_KERNEL_STALL_H

/*
 * What keeps tasks from running though CPUs are free, or look it: time that a hypervisor takes,
 * and the limits and pressure of cgroups (base/stall.h). Files are read under `root`, "" in
 * production; what is not there, or refused, is unknown.
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
 * Reads those of the cgroup with this path, as in /proc/PID/cgroup, and returns which are known.
 * A path that leads out of what is mounted ("/../other") names none.
 */
uint32_t cgroup_read_stalls(uint64_t numbers[static STALL_NUMBERS], const char *root,
			    const struct cgroup_mounts *mounts, const char *path);

/*
 * Takes the next CPU's time that was stolen since boot, to a clock tick, off the text of
 * /proc/stat. False: there are no more, or the kernel does not say it.
 */
bool steal_next(const char **text, int32_t *cpu, uint64_t *steal_ns);

/* The lines of up to so many CPUs in /proc/stat; to be freed. NULL: there are none. */
char *steal_read(const char *root, size_t cpus);

#endif
