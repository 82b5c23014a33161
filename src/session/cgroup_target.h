#ifndef PERFTOP_SESSION_CGROUP_TARGET_H
#define PERFTOP_SESSION_CGROUP_TARGET_H

/*
 * The cgroup (version 2) that a user means: by its path, as in /proc/PID/cgroup or below
 * /sys/fs/cgroup, or by the name of a container, a service or a cgroup where only one has it.
 */

#include <stdbool.h>

struct error;
struct strbuf;

/* Appends its path, as in /proc/PID/cgroup. Files are read under `root`, "" in production. */
bool cgroup_target_find(struct strbuf *path, const char *word, const char *root,
			struct error *error);

/* Opens that of a path found; a descriptor above 0, as of perf_event_open(2). -1: error says why.
 */
int cgroup_target_open(const char *path, struct error *error);

#endif
