/* The values of the map mean nothing: what is in it is wanted. */
#include "source/wanted.h"

void wanted_fini(struct wanted *wanted)
{
	map_fini(&wanted->pids);
	*wanted = (struct wanted){0};
}

void wanted_add(struct wanted *wanted, int32_t pid)
{
	map_put(&wanted->pids, (uint64_t)pid, wanted);
}

bool wanted_has(const struct wanted *wanted, int32_t pid)
{
	return wanted->kind == WANTED_ALL || map_get(&wanted->pids, (uint64_t)pid);
}

void wanted_copy(struct wanted *wanted, const struct wanted *from)
{
	size_t cursor = 0;
	uint64_t pid;
	void *value;

	wanted_fini(wanted);
	wanted->kind = from->kind;
	while (map_next(&from->pids, &cursor, &pid, &value))
		wanted_add(wanted, (int32_t)pid);
}

void wanted_follow(struct wanted *wanted, const struct record *birth)
{
	if (wanted->kind == WANTED_ALL || birth->pid == birth->fork.parent_pid)
		return; /* a thread */
	if (wanted->kind == WANTED_TREE && wanted_has(wanted, birth->fork.parent_pid))
		wanted_add(wanted, birth->pid);
	else
		map_remove(&wanted->pids, (uint64_t)birth->pid);
}
