/* There are so few sums that looking through the hashes of what is distinguished is quick. */
#include "model/exited_totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/counts.h"

void exited_totals_fini(struct exited_totals *totals)
{
	for (size_t i = 0; i < totals->count; i++) {
		free(totals->list[i].cgroup);
		free(totals->list[i].total);
	}
	free(totals->list);
	free(totals->hashes);
	*totals = (struct exited_totals){0};
}

static uint64_t hash_of_task(const struct snapshot_task *like)
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
static struct exited_total *find_total(const struct exited_totals *totals,
				       const struct snapshot_task *like, uint64_t hash)
{
	for (size_t i = 0; i < totals->count; i++)
		if (totals->hashes[i] == hash && are_alike(&totals->list[i].like, like))
			return &totals->list[i];
	return NULL;
}

static struct exited_total *append_total(struct exited_totals *totals,
					 const struct snapshot_task *like, uint64_t hash,
					 size_t width)
{
	struct exited_total *exited;

	array_reserve(&totals->list, &totals->capacity, totals->count + 1, sizeof(*totals->list));
	array_reserve(&totals->hashes, &totals->hash_capacity, totals->count + 1,
		      sizeof(*totals->hashes));
	totals->hashes[totals->count] = hash;
	exited = &totals->list[totals->count++];
	*exited = (struct exited_total){.like = *like};
	exited->cgroup = like->cgroup ? xstrdup(like->cgroup) : NULL;
	exited->total = xcalloc(width, sizeof(*exited->total));
	exited->like.cgroup = exited->cgroup;
	exited->like.total = exited->total;
	return exited;
}

/* As much of it as is distinguished when there are so many already. */
static struct snapshot_task likeness(const struct snapshot_task *task, size_t count)
{
	struct snapshot_task like = {.parent_pid = -1, .uid = -1, .pid = -1, .tid = -1};

	like.last_cpu = -1;
	like.is_exited = true;
	if (count >= EXITED_TOTALS_MAX - 1)
		return like;
	memcpy(like.name, task->name, sizeof(like.name));
	like.uid = task->uid;
	like.cgroup = task->cgroup;
	like.is_kernel_thread = task->is_kernel_thread;
	if (count >= EXITED_TOTALS_MAX / 2)
		return like;
	like.parent_pid = task->parent_pid;
	like.session = task->session;
	return like;
}

/* The one that is most like it. */
static struct exited_total *place_of_total(struct exited_totals *totals,
					   const struct snapshot_task *task, size_t width)
{
	static const size_t steps[] = {0, EXITED_TOTALS_MAX / 2, EXITED_TOTALS_MAX - 1};
	struct snapshot_task like;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct exited_total *found;

		like = likeness(task, steps[i]);
		found = find_total(totals, &like, hash_of_task(&like));
		if (found)
			return found;
	}
	like = likeness(task, totals->count);
	return append_total(totals, &like, hash_of_task(&like), width);
}

void exited_totals_add(struct exited_totals *totals, const struct snapshot_task *task, size_t width)
{
	struct exited_total *exited;

	if (counts_are_zero(task->total, width) &&
	    (!task->reaped || counts_are_zero(task->reaped, width)))
		return;
	exited = place_of_total(totals, task, width);
	counts_add(exited->total, task->total, width);
	if (task->reaped)
		counts_add(exited->total, task->reaped, width);
	exited->like.unknown |= task->unknown;
}

void exited_totals_widen(struct exited_totals *totals, size_t width, size_t new_width)
{
	for (size_t i = 0; i < totals->count; i++) {
		struct exited_total *exited = &totals->list[i];

		exited->total = counts_widen(exited->total, width, new_width);
		exited->like.total = exited->total;
	}
}
