/*
 * Copies of snapshots. A copy is one piece of memory, however many tasks it has, so that hundreds
 * of them that come and go leave no holes behind: struct copy, and behind it the parts.
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

enum copied_part {
	PART_CPUS,
	PART_TASKS,
	PART_EXITED_TOTALS,
	PART_CGROUPS,
	PART_CPU_TIMES,
	PART_INTERRUPTS,
	PART_LOCK_WAITS,
	PART_VECTORS,
	PART_PARALLEL,
	PART_TIMINGS,
	PART_STEPS,
	PART_EVENTS,
	PART_COUNTERS,
	PART_GROUPS,
	PART_PROFILE,
	PART_NODES,
	PART_ENTRIES,
	PART_NUMBERS,
	PART_MOMENTS,
	PART_TEXTS,
	PARTS
};

enum {
	TASK_VECTORS = 2, /* and one where threads were reaped */
	CPU_VECTORS = 6,
	UNATTRIBUTED_VECTORS = 2, /* of a part */
	ALIGNMENT = sizeof(uint64_t)
};

struct copy {
	_Alignas(ALIGNMENT) struct snapshot snapshot; /* first: its address is the copy's */
	struct layout layout;
	size_t width;
	size_t bytes;         /* of all */
	uint64_t *next_place; /* for a vector; likewise for what follows */
	uint64_t *next_parallel;
	struct timing *next_timing;
	uint32_t *next_step;
	char *next_text;
};

static_assert(sizeof(struct copy) % ALIGNMENT == 0, "the first part lies behind it");

static size_t text_bytes(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static void measure_task(const struct snapshot_task *task, size_t vector_bytes, size_t *bytes)
{
	bytes[PART_VECTORS] += (task->reaped ? TASK_VECTORS + 1 : TASK_VECTORS) * vector_bytes;
	bytes[PART_TEXTS] += text_bytes(task->command_line) + text_bytes(task->cgroup);
	bytes[PART_PARALLEL] += task->parallel_ns ? sizeof(uint64_t[PARALLEL_BINS]) : 0;
	if (!task->timing)
		return;
	bytes[PART_TIMINGS] += sizeof(*task->timing);
	bytes[PART_STEPS] += timing_steps(task->timing) * sizeof(uint32_t);
}

/* How much room each part needs, filled up so that the next one is aligned. */
static void measure_parts(const struct snapshot *snapshot, size_t bytes[static PARTS])
{
	const struct layout *layout = snapshot->layout;
	const size_t vector_bytes = layout_width(layout) * sizeof(uint64_t);

	memset(bytes, 0, PARTS * sizeof(*bytes));
	bytes[PART_CPUS] = snapshot->cpu_count * sizeof(*snapshot->cpus);
	bytes[PART_TASKS] = snapshot->task_count * sizeof(*snapshot->tasks);
	bytes[PART_EXITED_TOTALS] = snapshot->exited_total_count * sizeof(*snapshot->exited_totals);
	bytes[PART_VECTORS] = (CPU_VECTORS * snapshot->cpu_count + snapshot->exited_total_count +
			       (snapshot->unattributed ? UNATTRIBUTED_VECTORS : 0)) *
			      vector_bytes;
	bytes[PART_EVENTS] = layout->event_count * sizeof(*layout->events);
	bytes[PART_COUNTERS] = layout->counter_count * sizeof(*layout->counters);
	bytes[PART_GROUPS] = layout->group_count * sizeof(*layout->groups);
	for (size_t i = 0; i < snapshot->task_count; i++)
		measure_task(&snapshot->tasks[i], vector_bytes, bytes);
	for (size_t i = 0; i < snapshot->exited_total_count; i++)
		bytes[PART_TEXTS] += text_bytes(snapshot->exited_totals[i].like.cgroup);
	bytes[PART_CGROUPS] = snapshot->cgroup_count * sizeof(*snapshot->cgroups);
	for (size_t i = 0; i < snapshot->cgroup_count; i++)
		bytes[PART_TEXTS] += text_bytes(snapshot->cgroups[i].path);
	bytes[PART_CPU_TIMES] = snapshot->cpu_time_count * sizeof(*snapshot->cpu_times);
	bytes[PART_INTERRUPTS] = snapshot->interrupt_count * sizeof(*snapshot->interrupts);
	bytes[PART_LOCK_WAITS] = snapshot->lock_wait_count * sizeof(*snapshot->lock_waits);
	if (snapshot->profile) {
		bytes[PART_PROFILE] = sizeof(struct profile);
		bytes[PART_NODES] = snapshot->profile->node_count * sizeof(struct profile_node);
		bytes[PART_ENTRIES] = snapshot->profile->entry_count * sizeof(struct profile_entry);
		bytes[PART_NUMBERS] = snapshot->profile->number_count * sizeof(uint64_t);
		bytes[PART_MOMENTS] =
			snapshot->profile->moment_count * sizeof(struct profile_moment);
	}
	for (int i = 0; i < PARTS; i++)
		bytes[i] = (bytes[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Room for all parts, and where each of them is. */
static struct copy *allocate(const struct snapshot *snapshot, void *parts[static PARTS])
{
	size_t bytes[PARTS], all = sizeof(struct copy);
	struct copy *copy;
	char *next;

	measure_parts(snapshot, bytes);
	for (int i = 0; i < PARTS; i++)
		all += bytes[i];
	copy = xcalloc(all, 1);
	copy->bytes = all;
	next = (char *)(copy + 1);
	for (int i = 0; i < PARTS; i++) {
		parts[i] = next;
		next += bytes[i];
	}
	return copy;
}

static const uint64_t *keep_vector(struct copy *copy, const uint64_t *counts)
{
	uint64_t *kept = copy->next_place;

	if (!counts)
		return NULL;
	memcpy(kept, counts, copy->width * sizeof(*kept));
	copy->next_place += copy->width;
	return kept;
}

static const uint64_t *keep_parallel(struct copy *copy, const uint64_t *parallel_ns)
{
	if (!parallel_ns)
		return NULL;
	copy->next_parallel += PARALLEL_BINS;
	return memcpy(copy->next_parallel - PARALLEL_BINS, parallel_ns,
		      sizeof(uint64_t[PARALLEL_BINS]));
}

static const char *keep_text(struct copy *copy, const char *text)
{
	char *kept = copy->next_text;

	if (!text)
		return NULL;

	size_t bytes = strlen(text) + 1;
	memcpy(kept, text, bytes);
	copy->next_text += bytes;
	return kept;
}

static const struct timing *keep_timing(struct copy *copy, const struct timing *timing)
{
	struct timing *kept = copy->next_timing;

	if (!timing)
		return NULL;
	copy->next_step = timing_copy(kept, timing, copy->next_step);
	copy->next_timing++;
	return kept;
}

static void copy_tasks(struct copy *copy, struct snapshot_task *tasks, const struct snapshot *from)
{
	for (size_t i = 0; i < from->task_count; i++) {
		tasks[i] = from->tasks[i];
		tasks[i].command_line = keep_text(copy, from->tasks[i].command_line);
		tasks[i].cgroup = keep_text(copy, from->tasks[i].cgroup);
		tasks[i].interval = keep_vector(copy, from->tasks[i].interval);
		tasks[i].total = keep_vector(copy, from->tasks[i].total);
		tasks[i].parallel_ns = keep_parallel(copy, from->tasks[i].parallel_ns);
		tasks[i].reaped = keep_vector(copy, from->tasks[i].reaped);
		tasks[i].timing = keep_timing(copy, from->tasks[i].timing);
	}
	copy->snapshot.tasks = tasks;
}

static void copy_exited_totals(struct copy *copy, struct exited_total *totals,
			       const struct snapshot *from)
{
	for (size_t i = 0; i < from->exited_total_count; i++) {
		struct exited_total *kept = &totals[i];

		*kept = from->exited_totals[i];
		kept->like.cgroup = keep_text(copy, kept->like.cgroup);
		kept->like.total = keep_vector(copy, kept->like.total);
		kept->cgroup = NULL;
		kept->total = NULL;
	}
	copy->snapshot.exited_totals = totals;
}

static void copy_cgroups(struct copy *copy, struct snapshot_cgroup *cgroups,
			 const struct snapshot *from)
{
	for (size_t i = 0; i < from->cgroup_count; i++) {
		cgroups[i] = from->cgroups[i];
		cgroups[i].path = keep_text(copy, from->cgroups[i].path);
	}
	copy->snapshot.cgroups = cgroups;
}

static void copy_cpus(struct copy *copy, struct snapshot_cpu *cpus, const struct snapshot *from)
{
	for (size_t i = 0; i < from->cpu_count; i++) {
		cpus[i] = from->cpus[i];
		cpus[i].counter = keep_vector(copy, from->cpus[i].counter);
		cpus[i].idle = keep_vector(copy, from->cpus[i].idle);
		cpus[i].unattributed = keep_vector(copy, from->cpus[i].unattributed);
		cpus[i].counter_total = keep_vector(copy, from->cpus[i].counter_total);
		cpus[i].idle_total = keep_vector(copy, from->cpus[i].idle_total);
		cpus[i].unattributed_total = keep_vector(copy, from->cpus[i].unattributed_total);
	}
	copy->snapshot.cpus = cpus;
}

/* An array may be missing where there is nothing in it. */
static void *keep_array(void *part, const void *array, size_t bytes)
{
	return bytes > 0 ? memcpy(part, array, bytes) : part;
}

static void keep_layout(struct copy *copy, void *const parts[static PARTS],
			const struct layout *layout)
{
	copy->layout = *layout;
	copy->layout.events = keep_array(parts[PART_EVENTS], layout->events,
					 layout->event_count * sizeof(*layout->events));
	copy->layout.counters = keep_array(parts[PART_COUNTERS], layout->counters,
					   layout->counter_count * sizeof(*layout->counters));
	copy->layout.groups = keep_array(parts[PART_GROUPS], layout->groups,
					 layout->group_count * sizeof(*layout->groups));
	copy->snapshot.layout = &copy->layout;
	copy->width = layout_width(layout);
}

static void copy_profile(struct copy *copy, void *const parts[static PARTS],
			 const struct profile *from)
{
	struct profile *profile = parts[PART_PROFILE];

	if (!from)
		return;
	*profile = *from;
	profile->nodes =
		keep_array(parts[PART_NODES], from->nodes, from->node_count * sizeof(*from->nodes));
	profile->entries = keep_array(parts[PART_ENTRIES], from->entries,
				      from->entry_count * sizeof(*from->entries));
	profile->numbers = keep_array(parts[PART_NUMBERS], from->numbers,
				      from->number_count * sizeof(*from->numbers));
	profile->moments = keep_array(parts[PART_MOMENTS], from->moments,
				      from->moment_count * sizeof(*from->moments));
	copy->snapshot.profile = profile;
}

struct snapshot *snapshot_copy(const struct snapshot *snapshot)
{
	void *parts[PARTS];
	struct copy *copy = allocate(snapshot, parts);

	copy->snapshot = *snapshot;
	copy->snapshot.active = NULL;
	copy->next_place = parts[PART_VECTORS];
	copy->next_parallel = parts[PART_PARALLEL];
	copy->next_timing = parts[PART_TIMINGS];
	copy->next_step = parts[PART_STEPS];
	copy->next_text = parts[PART_TEXTS];
	keep_layout(copy, parts, snapshot->layout);
	copy_tasks(copy, parts[PART_TASKS], snapshot);
	copy_cpus(copy, parts[PART_CPUS], snapshot);
	copy_cgroups(copy, parts[PART_CGROUPS], snapshot);
	if (snapshot->cpu_time_count > 0)
		memcpy(parts[PART_CPU_TIMES], snapshot->cpu_times,
		       snapshot->cpu_time_count * sizeof(*snapshot->cpu_times));
	copy->snapshot.cpu_times = parts[PART_CPU_TIMES];
	if (snapshot->interrupt_count > 0)
		memcpy(parts[PART_INTERRUPTS], snapshot->interrupts,
		       snapshot->interrupt_count * sizeof(*snapshot->interrupts));
	copy->snapshot.interrupts = parts[PART_INTERRUPTS];
	if (snapshot->lock_wait_count > 0)
		memcpy(parts[PART_LOCK_WAITS], snapshot->lock_waits,
		       snapshot->lock_wait_count * sizeof(*snapshot->lock_waits));
	copy->snapshot.lock_waits = parts[PART_LOCK_WAITS];
	copy_exited_totals(copy, parts[PART_EXITED_TOTALS], snapshot);
	copy->snapshot.unattributed = keep_vector(copy, snapshot->unattributed);
	copy->snapshot.unattributed_total = keep_vector(copy, snapshot->unattributed_total);
	copy_profile(copy, parts, snapshot->profile);
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
