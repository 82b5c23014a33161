/* A table of sums by a hash of what is told apart; those of the same hash are a chain. */
#include "model/departed.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/counts.h"

void departures_fini(struct departures *departures)
{
	for (size_t i = 0; i < departures->count; i++) {
		free(departures->list[i].cgroup);
		free(departures->list[i].total);
	}
	free(departures->list);
	free(departures->next);
	map_fini(&departures->by_hash);
	*departures = (struct departures){0};
}

static uint64_t hash_of(const struct snapshot_task *like)
{
	uint64_t sum = hash_mix((uint64_t)like->uid, like->is_kernel_thread);

	sum = hash_mix(sum, (uint64_t)(uint32_t)like->parent_pid << 32 | (uint32_t)like->session);
	sum = hash_text(sum, like->name);
	return hash_text(sum, like->cgroup);
}

static bool are_alike(const struct snapshot_task *a, const struct snapshot_task *b)
{
	return a->uid == b->uid && a->parent_pid == b->parent_pid && a->session == b->session &&
	       a->is_kernel_thread == b->is_kernel_thread && strcmp(a->name, b->name) == 0 &&
	       (a->cgroup && b->cgroup ? strcmp(a->cgroup, b->cgroup) == 0
				       : a->cgroup == b->cgroup);
}

/* NULL: there is none yet. */
static struct departed *find(const struct departures *departures, const struct snapshot_task *like,
			     uint64_t hash)
{
	size_t number = (size_t)(uintptr_t)map_get(&departures->by_hash, hash);

	while (number > 0 && !are_alike(&departures->list[number - 1].like, like))
		number = departures->next[number - 1];
	return number > 0 ? &departures->list[number - 1] : NULL;
}

static struct departed *append(struct departures *departures, const struct snapshot_task *like,
			       uint64_t hash, size_t width)
{
	const size_t number = departures->count + 1;
	struct departed *departed;

	array_reserve(&departures->list, &departures->capacity, number, sizeof(*departures->list));
	array_reserve(&departures->next, &departures->next_capacity, number,
		      sizeof(*departures->next));
	departed = &departures->list[departures->count++];
	*departed = (struct departed){.like = *like};
	departed->cgroup = like->cgroup ? xstrdup(like->cgroup) : NULL;
	departed->total = xcalloc(width, sizeof(*departed->total));
	departed->like.cgroup = departed->cgroup;
	departed->like.total = departed->total;
	departures->next[number - 1] =
		(size_t)(uintptr_t)map_put(&departures->by_hash, hash, (void *)(uintptr_t)number);
	return departed;
}

/* As much of it as is told apart when there are so many already. */
static struct snapshot_task likeness(const struct snapshot_task *task, size_t count)
{
	struct snapshot_task like = {.parent_pid = -1, .uid = -1, .pid = -1, .tid = -1};

	like.last_cpu = -1;
	like.is_exited = true;
	if (count >= DEPARTED_MAX - 1)
		return like;
	memcpy(like.name, task->name, sizeof(like.name));
	like.uid = task->uid;
	like.cgroup = task->cgroup;
	like.is_kernel_thread = task->is_kernel_thread;
	if (count >= DEPARTED_MAX / 2)
		return like;
	like.parent_pid = task->parent_pid;
	like.session = task->session;
	return like;
}

/* The one that is most like it. */
static struct departed *place_of(struct departures *departures, const struct snapshot_task *task,
				 size_t width)
{
	static const size_t steps[] = {0, DEPARTED_MAX / 2, DEPARTED_MAX - 1};
	struct snapshot_task like;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct departed *found;

		like = likeness(task, steps[i]);
		found = find(departures, &like, hash_of(&like));
		if (found)
			return found;
	}
	like = likeness(task, departures->count);
	return append(departures, &like, hash_of(&like), width);
}

void departures_add(struct departures *departures, const struct snapshot_task *task, size_t width)
{
	struct departed *departed;

	if (counts_are_zero(task->total, width) &&
	    (!task->reaped || counts_are_zero(task->reaped, width)))
		return;
	departed = place_of(departures, task, width);
	counts_add(departed->total, task->total, width);
	if (task->reaped)
		counts_add(departed->total, task->reaped, width);
	departed->like.unknown |= task->unknown;
	departed->count++;
}

void departures_widen(struct departures *departures, size_t width, size_t new_width)
{
	for (size_t i = 0; i < departures->count; i++) {
		struct departed *departed = &departures->list[i];

		departed->total = counts_widen(departed->total, width, new_width);
		departed->like.total = departed->total;
	}
}
