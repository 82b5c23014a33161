/*
 * Copies of snapshots. A copy is one piece of memory, however many tasks it has, so that hundreds
 * of them that come and go leave no holes behind: struct copy, and behind it what it points to. One
 * walk over the snapshot is made twice: the first one counts how much room all that takes, the
 * second one fills it.
 */
#include "model/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/exited_totals.h"
#include "model/parallel.h"
#include "model/profile.h"
#include "model/timing.h"

enum {
	ALIGNMENT = sizeof(uint64_t)
};

struct copy {
	_Alignas(ALIGNMENT) struct snapshot snapshot; /* first: its address is the copy's */
	struct layout layout;
	size_t bytes; /* of all */
};

static_assert(sizeof(struct copy) % ALIGNMENT == 0, "what follows is aligned");

struct copying {
	char *memory; /* NULL: the walk only counts */
	size_t bytes; /* used so far */
	size_t vector_bytes;
};

/* NULL where the walk only counts. */
static void *room_for(struct copying *copying, size_t bytes)
{
	const size_t begin = copying->bytes;

	copying->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	return copying->memory ? copying->memory + begin : NULL;
}

/* An array may be missing (NULL). */
static void *keep_array(struct copying *copying, const void *array, size_t bytes)
{
	void *kept = array ? room_for(copying, bytes) : NULL;

	return kept ? memcpy(kept, array, bytes) : NULL;
}

static const uint64_t *keep_vector(struct copying *copying, const uint64_t *counts)
{
	return keep_array(copying, counts, copying->vector_bytes);
}

static const char *keep_text(struct copying *copying, const char *text)
{
	return keep_array(copying, text, text ? strlen(text) + 1 : 0);
}

static const struct timing *keep_timing(struct copying *copying, const struct timing *timing)
{
	struct timing *kept;
	uint32_t *steps;

	if (!timing)
		return NULL;
	kept = room_for(copying, sizeof(*kept));
	steps = room_for(copying, timing_steps(timing) * sizeof(*steps));
	if (kept)
		timing_copy(kept, timing, steps);
	return kept;
}

/*
 * In these a walk that only counts has no element to write to but `unused`. A task is copied with
 * what it points to, while it is in the cache.
 */
static void keep_tasks(struct copying *copying, struct snapshot *copy, const struct snapshot *from)
{
	struct snapshot_task *tasks = room_for(copying, from->task_count * sizeof(*tasks));
	struct snapshot_task unused, *kept = &unused;

	for (size_t i = 0; i < from->task_count; i++) {
		const struct snapshot_task *task = &from->tasks[i];

		if (tasks) {
			kept = &tasks[i];
			*kept = *task;
		}
		kept->command_line = keep_text(copying, task->command_line);
		kept->cgroup = keep_text(copying, task->cgroup);
		kept->interval = keep_vector(copying, task->interval);
		kept->total = keep_vector(copying, task->total);
		kept->parallel_ns =
			keep_array(copying, task->parallel_ns, sizeof(uint64_t[PARALLEL_BINS]));
		kept->reaped = keep_vector(copying, task->reaped);
		kept->timing = keep_timing(copying, task->timing);
	}
	copy->tasks = tasks;
}

static void keep_cpus(struct copying *copying, struct snapshot *copy, const struct snapshot *from)
{
	struct snapshot_cpu *cpus =
		keep_array(copying, from->cpus, from->cpu_count * sizeof(*from->cpus));
	struct snapshot_cpu unused;

	for (size_t i = 0; i < from->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &from->cpus[i];
		struct snapshot_cpu *kept = cpus ? &cpus[i] : &unused;

		kept->counter = keep_vector(copying, cpu->counter);
		kept->idle = keep_vector(copying, cpu->idle);
		kept->unattributed = keep_vector(copying, cpu->unattributed);
		kept->counter_total = keep_vector(copying, cpu->counter_total);
		kept->idle_total = keep_vector(copying, cpu->idle_total);
		kept->unattributed_total = keep_vector(copying, cpu->unattributed_total);
	}
	copy->cpus = cpus;
}

static void keep_cgroups(struct copying *copying, struct snapshot *copy,
			 const struct snapshot *from)
{
	struct snapshot_cgroup *cgroups =
		keep_array(copying, from->cgroups, from->cgroup_count * sizeof(*from->cgroups));
	struct snapshot_cgroup unused;

	for (size_t i = 0; i < from->cgroup_count; i++)
		(cgroups ? &cgroups[i] : &unused)->path = keep_text(copying, from->cgroups[i].path);
	copy->cgroups = cgroups;
}

static void keep_exited_totals(struct copying *copying, struct snapshot *copy,
			       const struct snapshot *from)
{
	struct exited_total *totals =
		keep_array(copying, from->exited_totals,
			   from->exited_total_count * sizeof(*from->exited_totals));
	struct exited_total unused;

	for (size_t i = 0; i < from->exited_total_count; i++) {
		const struct exited_total *total = &from->exited_totals[i];
		struct exited_total *kept = totals ? &totals[i] : &unused;

		kept->like.cgroup = keep_text(copying, total->like.cgroup);
		kept->like.total = keep_vector(copying, total->like.total);
		kept->cgroup = NULL;
		kept->total = NULL;
	}
	copy->exited_totals = totals;
}

static void keep_layout(struct copying *copying, struct layout *copy, const struct layout *from)
{
	*copy = *from;
	copy->events = keep_array(copying, from->events, from->event_count * sizeof(*from->events));
	copy->counters =
		keep_array(copying, from->counters, from->counter_count * sizeof(*from->counters));
	copy->groups = keep_array(copying, from->groups, from->group_count * sizeof(*from->groups));
}

static const struct profile *keep_profile(struct copying *copying, const struct profile *from)
{
	struct profile *profile = keep_array(copying, from, sizeof(*from));
	struct profile unused, *kept = profile ? profile : &unused;

	if (!from)
		return NULL;
	kept->nodes = keep_array(copying, from->nodes, from->node_count * sizeof(*from->nodes));
	kept->entries =
		keep_array(copying, from->entries, from->entry_count * sizeof(*from->entries));
	kept->numbers =
		keep_array(copying, from->numbers, from->number_count * sizeof(*from->numbers));
	kept->moments =
		keep_array(copying, from->moments, from->moment_count * sizeof(*from->moments));
	return profile;
}

static void walk_snapshot(struct copying *copying, struct copy *copy, const struct snapshot *from)
{
	struct snapshot *kept = &copy->snapshot;

	*kept = *from;
	kept->active = NULL;
	kept->layout = &copy->layout;
	keep_layout(copying, &copy->layout, from->layout);
	keep_tasks(copying, kept, from);
	keep_cpus(copying, kept, from);
	keep_cgroups(copying, kept, from);
	kept->cpu_times = keep_array(copying, from->cpu_times,
				     from->cpu_time_count * sizeof(*from->cpu_times));
	kept->interrupts = keep_array(copying, from->interrupts,
				      from->interrupt_count * sizeof(*from->interrupts));
	kept->lock_waits = keep_array(copying, from->lock_waits,
				      from->lock_wait_count * sizeof(*from->lock_waits));
	keep_exited_totals(copying, kept, from);
	kept->parallel_ns = keep_array(copying, from->parallel_ns, sizeof(uint64_t[PARALLEL_BINS]));
	kept->unattributed = keep_vector(copying, from->unattributed);
	kept->unattributed_total = keep_vector(copying, from->unattributed_total);
	kept->profile = keep_profile(copying, from->profile);
}

struct snapshot *snapshot_copy(const struct snapshot *snapshot)
{
	struct copying copying = {
		.bytes = sizeof(struct copy),
		.vector_bytes = layout_width(snapshot->layout) * sizeof(uint64_t),
	};
	struct copy unused, *copy;

	walk_snapshot(&copying, &unused, snapshot);
	copy = xrealloc(NULL, 1, copying.bytes); /* all that is read is written */
	copying.memory = (char *)copy;
	copying.bytes = sizeof(*copy);
	walk_snapshot(&copying, copy, snapshot);
	copy->bytes = copying.bytes;
	return &copy->snapshot;
}

static int compare_path(const char *path, size_t length, const char *other)
{
	const int order = strncmp(path, other, length);

	return order != 0 || other[length] == '\0' ? order : -1;
}

const struct snapshot_task *snapshot_find_task(const struct snapshot *snapshot, int32_t tid)
{
	for (size_t i = 0; snapshot && i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == tid)
			return &snapshot->tasks[i];
	return NULL;
}

const struct snapshot_cgroup *snapshot_find_cgroup(const struct snapshot *snapshot,
						   const char *path, size_t length)
{
	size_t first = 0, end = snapshot->cgroup_count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		const struct snapshot_cgroup *cgroup = &snapshot->cgroups[middle];
		const int order = compare_path(path, length, cgroup->path);

		if (order == 0)
			return cgroup;
		if (order < 0)
			end = middle;
		else
			first = middle + 1;
	}
	return NULL;
}

/* The one that contains all has "/" for a path. */
static size_t above(const char *path, size_t length)
{
	if (length <= 1)
		return 0;
	while (length > 1 && path[length - 1] != '/')
		length--;
	return length > 1 ? length - 1 : length;
}

const struct snapshot_cgroup *snapshot_climb(const struct snapshot *snapshot, const char *path,
					     size_t *length)
{
	const struct snapshot_cgroup *found = NULL;

	while (!found && *length > 0) {
		found = snapshot_find_cgroup(snapshot, path, *length);
		*length = above(path, *length);
	}
	return found;
}

void snapshot_destroy(struct snapshot *snapshot)
{
	free(snapshot);
}

size_t snapshot_bytes(const struct snapshot *snapshot)
{
	return ((const struct copy *)snapshot)->bytes;
}

void snapshot_part_fini(struct snapshot_part *part)
{
	free(part->tasks);
	free(part->unattributed);
	*part = (struct snapshot_part){0};
}

static void sum_unattributed(struct snapshot_part *part, const struct snapshot *whole)
{
	const size_t width = layout_width(whole->layout);
	uint64_t *interval, *total;

	if (whole->cpu_count == 0)
		return;
	part->unattributed = xrealloc(part->unattributed, 2 * width, sizeof(*part->unattributed));
	interval = part->unattributed;
	total = part->unattributed + width;
	counts_clear(interval, 2 * width);
	for (size_t i = 0; i < whole->cpu_count; i++) {
		counts_add(interval, whole->cpus[i].unattributed, width);
		counts_add(total, whole->cpus[i].unattributed_total, width);
	}
	part->snapshot.unattributed = interval;
	part->snapshot.unattributed_total = total;
}

void snapshot_restrict(struct snapshot_part *part, const struct snapshot *whole,
		       bool (*is_wanted)(int32_t pid, const void *context), const void *context)
{
	struct snapshot *snapshot = &part->snapshot;

	*snapshot = *whole;
	snapshot->task_count = snapshot->ran_count = snapshot->exited_count = 0;
	snapshot->active = NULL;
	snapshot->cpus = NULL;
	snapshot->cpu_count = 0;
	snapshot->exited_total_count = 0;
	for (size_t i = 0; i < whole->task_count; i++) {
		const struct snapshot_task *task = &whole->tasks[i];

		if (!is_wanted(task->pid, context))
			continue;
		array_reserve(&part->tasks, &part->capacity, snapshot->task_count + 1,
			      sizeof(*part->tasks));
		part->tasks[snapshot->task_count++] = *task;
		snapshot->ran_count += task->has_run;
		snapshot->exited_count += task->is_exited && !task->is_held;
	}
	snapshot->tasks = part->tasks;
	sum_unattributed(part, whole);
}
