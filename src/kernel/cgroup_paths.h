#ifndef PERFTOP_KERNEL_CGROUP_PATHS_H
#define PERFTOP_KERNEL_CGROUP_PATHS_H

/*
 * The paths of cgroups (version 2), as in /proc/PID/cgroup, by the ids that samples carry
 * (PERF_SAMPLE_CGROUP). The kernel reports the path of each cgroup that is made
 * (PERF_RECORD_CGROUP); those of older ones are looked up, which needs CAP_DAC_READ_SEARCH.
 */

#include <stddef.h>
#include <stdint.h>

struct cgroup_paths;

/*
 * Files are read under `root`, "" in production. NULL: ids do not lead to paths here, because tasks
 * are in hierarchies of version 1 too, or this process is in a cgroup namespace.
 */
struct cgroup_paths *cgroup_paths_create(const char *root);
void cgroup_paths_destroy(struct cgroup_paths *paths); /* NULL is allowed */

void cgroup_paths_put(struct cgroup_paths *paths, uint64_t id, const char *path, size_t length);

/* NULL: not known. Good until the next call. */
const char *cgroup_paths_find(struct cgroup_paths *paths, uint64_t id);

#endif
