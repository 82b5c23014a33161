#include "session/stalls.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
	KEPT_INTERVALS = 10
};

struct cgroup {
	char *path;      /* owned */
	uint64_t active; /* interval in which a task of it was */
	bool is_new;     /* not read yet */
};

/* Those with active tasks since that interval are left. */
static void keep_since(struct cgroups *cgroups, uint64_t interval)
{
	struct map left = {0};

	for (const struct map_slot *each = NULL; (each = map_next(&cgroups->by_path, each));) {
		struct cgroup *cgroup = each->value;

		if (cgroup->active >= interval) {
			map_put(&left, each->key, cgroup);
			continue;
		}
		free(cgroup->path);
		free(cgroup);
	}
	map_fini(&cgroups->by_path);
	cgroups->by_path = left;
}

void cgroups_forget(struct cgroups *cgroups)
{
	keep_since(cgroups, UINT64_MAX);
	map_fini(&cgroups->by_path);
}

/* False: it was already in this interval. */
static bool note(struct cgroups *cgroups, const char *path)
{
	const uint64_t hash = hash_text(1, path);
	struct cgroup *cgroup = map_get(&cgroups->by_path, hash);

	if (cgroup && cgroup->active == cgroups->interval)
		return false;
	if (!cgroup) {
		cgroup = xcalloc(1, sizeof(*cgroup));
		cgroup->path = xstrdup(path);
		cgroup->is_new = cgroups->has_new = true;
		map_put(&cgroups->by_path, hash, cgroup);
	}
	cgroup->active = cgroups->interval;
	return true;
}

void cgroups_note(struct cgroups *cgroups, const char *path)
{
	char *above, *slash;

	if (!note(cgroups, path))
		return;
	above = xstrdup(path);
	while ((slash = strrchr(above, '/')) && strcmp(above, "/") != 0) {
		slash[slash == above] = '\0';
		if (!note(cgroups, above))
			break;
	}
	free(above);
}

void cgroups_close(struct cgroups *cgroups)
{
	if (cgroups->interval > KEPT_INTERVALS)
		keep_since(cgroups, cgroups->interval - KEPT_INTERVALS);
	cgroups->interval++;
}

bool cgroups_read(struct cgroups *cgroups, bool are_new, struct stall_walk *walk,
		  struct record *record)
{
	if (!walk->at && cgroups->by_path.count > 0)
		cgroup_find_mounts(&cgroups->mounts, "");
	while ((walk->at = map_next(&cgroups->by_path, walk->at))) {
		struct cgroup *cgroup = walk->at->value;

		if (are_new && !cgroup->is_new)
			continue;
		cgroup->is_new = false;
		record->stalls.cgroup = cgroup->path;
		record->stalls.numbers = walk->numbers;
		record->stalls.known =
			cgroup_read_stalls(walk->numbers, "", &cgroups->mounts, cgroup->path);
		if (record->stalls.known != 0)
			return true;
	}
	cgroups->has_new = false;
	return false;
}
