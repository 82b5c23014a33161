#ifndef PERFTOP_KERNEL_CGROUP_PATHS_H
#define PERFTOP_KERNEL_CGROUP_PATHS_H

/*
 * The paths of cgroups, as in /proc/PID/cgroup, by the ids that samples carry
 * (PERF_SAMPLE_CGROUP): those of version 2. The kernel reports the path of each that is made
 * (PERF_RECORD_CGROUP); of those that were there before it is asked, which takes
 * CAP_DAC_READ_SEARCH.
 */

#include <stddef.h>
#include <stdint.h>

struct cgroup_paths;

/*
 * Files are read under `root`, "" in production. NULL: an id does not say which path it is, since
 * tasks are in hierarchies of version 1 too, or since paths are those of a cgroup namespace.
 */
struct cgroup_paths *cgroup_paths_create(const char *root);
void cgroup_paths_destroy(struct cgroup_paths *paths); /* NULL is allowed */

void cgroup_paths_put(struct cgroup_paths *paths, uint64_t id, const char *path, size_t length);

/* NULL: not known. Good until the next call. */
const char *cgroup_paths_find(struct cgroup_paths *paths, uint64_t id);

#endif
