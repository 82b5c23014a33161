/* The values of the map mean nothing: what is in it is a target. */
#include "source/target_pids.h"

void target_pids_fini(struct target_pids *targets)
{
	map_fini(&targets->pids);
	*targets = (struct target_pids){0};
}

void target_pids_add(struct target_pids *targets, int32_t pid)
{
	map_put(&targets->pids, (uint64_t)pid, targets);
}

bool target_pids_has(const struct target_pids *targets, int32_t pid)
{
	return targets->kind == TARGET_PIDS_ALL || map_get(&targets->pids, (uint64_t)pid);
}

void target_pids_copy(struct target_pids *targets, const struct target_pids *from)
{
	target_pids_fini(targets);
	targets->kind = from->kind;
	for (const struct map_slot *each = NULL; (each = map_next(&from->pids, each));)
		target_pids_add(targets, (int32_t)each->key);
}

void target_pids_follow(struct target_pids *targets, const struct record *birth)
{
	if (targets->kind == TARGET_PIDS_ALL || birth->pid == birth->fork.parent_pid)
		return; /* a thread */
	if (targets->kind == TARGET_PIDS_TREE && target_pids_has(targets, birth->fork.parent_pid))
		target_pids_add(targets, birth->pid);
	else
		map_remove(&targets->pids, (uint64_t)birth->pid);
}
