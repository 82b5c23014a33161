#ifndef PERFTOP_SOURCE_CPUS_CGROUP_SUMS_H
#define PERFTOP_SOURCE_CPUS_CGROUP_SUMS_H

/*
 * A CPU whose groups are open for each of several cgroups: no task is in two of them, so that only
 * those of one count at a time, and their sums are the readings of one group. A switch from a task
 * of one cgroup to that of another is one sample, by that of the first.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/group.h"

struct record_reading;

/* Empty: {0}. */
struct cgroup_sums {
	size_t groups;              /* of one cgroup; 0: there are no sums */
	struct group_reading *sums; /* owned; groups */
	struct group_reading *last; /* owned; of each group of each cgroup; without values: none */
};

/* Nothing was read yet. Of less than two cgroups there are no sums. */
void cgroup_sums_reset(struct cgroup_sums *sums, size_t groups, size_t cgroups);
void cgroup_sums_fini(struct cgroup_sums *sums);

/*
 * Makes that of a reading of a cgroup's group, as of now: the group's index (one cgroup's groups
 * behind the other's), and value_count of its values. What is read first, or anew, is where
 * counting begins. The values are good until the next reading of this group.
 */
void cgroup_sums_add(struct cgroup_sums *sums, struct record_reading *reading, size_t value_count);

#endif
