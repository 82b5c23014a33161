#ifndef PERFTOP_SESSION_STALLS_H
#define PERFTOP_SESSION_STALLS_H

/*
 * What CPUs' time is used for and what holds cgroups back, read as records. A cgroup is read from
 * when it becomes known that a task is in it until none was active for a while. So are those above
 * it, whose limits hold for it, too.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/stall.h"
#include "kernel/stall.h"
#include "model/record.h"

/* All of it is {0} at first. */
struct cgroups {
	bool is_wanted;              /* those of all tasks in the scope */
	int32_t wanted_pid;          /* those of this process in any case; 0: of none */
	struct map by_path;          /* owned; hash of the path to struct cgroup */
	struct cgroup_mounts mounts; /* where they are */
	uint64_t interval;           /* number of that which goes on */
	bool has_new;                /* some were noted and not read yet */
};

void cgroups_forget(struct cgroups *cgroups);

/* A task in the cgroup with this path is active. */
void cgroups_note(struct cgroups *cgroups, const char *path);

/* The next interval begins. */
void cgroups_close(struct cgroups *cgroups);

/* Walks over them, or over those that are new: start with {0}. */
struct stall_walk {
	const struct map_slot *at;
	uint64_t numbers[STALL_NUMBERS];
};

/* Reads the next one, of which something is known. False: there is none. */
bool cgroups_read(struct cgroups *cgroups, bool are_new, struct stall_walk *walk,
		  struct record *record);

#endif
