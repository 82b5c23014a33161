/*
 * Copies of snapshots. All vectors of a copy lie in one block, all command lines and all timings
 * in others, so that a copy is a few allocations however many sleeping tasks there are.
 */
#include "model/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/exited_totals.h"
#include "model/timing.h"

struct copy {
	struct snapshot snapshot; /* first: its address is the copy's */
	struct layout layout;
	uint64_t *numbers; /* owned; next_number .. is free */
	uint64_t *next_number;
	char *texts; /* owned */
	char *next_text;
	struct exited_total *exited_totals; /* owned */
	struct timing *timings;             /* owned */
	size_t timing_count;
	size_t width;
	size_t bytes; /* of what is allocated below this */
};

enum {
	TASK_VECTORS = 3,
	CPU_VECTORS = 6
};

static size_t bytes_of(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static size_t text_bytes(const struct snapshot *snapshot)
{
	size_t bytes = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		bytes += bytes_of(snapshot->tasks[i].command_line) +
			 bytes_of(snapshot->tasks[i].cgroup);
	for (size_t i = 0; i < snapshot->exited_total_count; i++)
		bytes += bytes_of(snapshot->exited_totals[i].like.cgroup);
	return bytes;
}

static const uint64_t *keep_vector(struct copy *copy, const uint64_t *counts)
{
	uint64_t *kept = copy->next_number;

	if (!counts)
		return NULL;
	memcpy(kept, counts, copy->width * sizeof(*kept));
	copy->next_number += copy->width;
	return kept;
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

static size_t count_timings(const struct snapshot *snapshot)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		count += snapshot->tasks[i].timing != NULL;
	return count;
}

static const struct timing *keep_timing(struct copy *copy, const struct timing *timing)
{
	if (!timing)
		return NULL;

	struct timing *kept = &copy->timings[copy->timing_count++];
	timing_copy(kept, timing);
	for (int i = 0; i < TIMING_KINDS; i++) {
		if (kept->of[i].steps)
			copy->bytes += DISTRIBUTION_OCTAVES * DISTRIBUTION_STEPS *
				       sizeof(*kept->of[i].steps);
	}
	return kept;
}

static void copy_tasks(struct copy *copy, const struct snapshot *from)
{
	struct snapshot_task *tasks = xcalloc(from->task_count, sizeof(*tasks));

	for (size_t i = 0; i < from->task_count; i++) {
		tasks[i] = from->tasks[i];
		tasks[i].command_line = keep_text(copy, from->tasks[i].command_line);
		tasks[i].cgroup = keep_text(copy, from->tasks[i].cgroup);
		tasks[i].interval = keep_vector(copy, from->tasks[i].interval);
		tasks[i].total = keep_vector(copy, from->tasks[i].total);
		tasks[i].reaped = keep_vector(copy, from->tasks[i].reaped);
		tasks[i].timing = keep_timing(copy, from->tasks[i].timing);
	}
	copy->snapshot.tasks = tasks;
}

static void copy_exited_totals(struct copy *copy, const struct snapshot *from)
{
	copy->exited_totals = xcalloc(from->exited_total_count, sizeof(*copy->exited_totals));
	for (size_t i = 0; i < from->exited_total_count; i++) {
		struct exited_total *kept = &copy->exited_totals[i];

		*kept = from->exited_totals[i];
		kept->like.cgroup = keep_text(copy, kept->like.cgroup);
		kept->like.total = keep_vector(copy, kept->like.total);
		kept->cgroup = NULL;
		kept->total = NULL;
	}
	copy->snapshot.exited_totals = copy->exited_totals;
}

static void copy_cpus(struct copy *copy, const struct snapshot *from)
{
	struct snapshot_cpu *cpus = xcalloc(from->cpu_count, sizeof(*cpus));

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

static size_t layout_bytes(const struct layout *layout)
{
	return layout->event_count * sizeof(*layout->events) +
	       layout->counter_count * sizeof(*layout->counters) +
	       layout->group_count * sizeof(*layout->groups);
}

struct snapshot *snapshot_copy(const struct snapshot *snapshot)
{
	struct copy *copy = xcalloc(1, sizeof(*copy));
	const size_t vectors = TASK_VECTORS * snapshot->task_count +
			       CPU_VECTORS * snapshot->cpu_count + snapshot->exited_total_count;

	layout_copy(&copy->layout, snapshot->layout);
	copy->snapshot = *snapshot;
	copy->snapshot.layout = &copy->layout;
	copy->width = layout_width(&copy->layout);
	copy->numbers = xcalloc(vectors * copy->width, sizeof(*copy->numbers));
	copy->next_number = copy->numbers;
	copy->texts = xcalloc(text_bytes(snapshot), 1);
	copy->next_text = copy->texts;
	copy->timings = xcalloc(count_timings(snapshot), sizeof(*copy->timings));
	copy->bytes = vectors * copy->width * sizeof(*copy->numbers) + text_bytes(snapshot) +
		      count_timings(snapshot) * sizeof(*copy->timings) +
		      snapshot->task_count * sizeof(*snapshot->tasks) +
		      snapshot->cpu_count * sizeof(*snapshot->cpus) +
		      snapshot->exited_total_count * sizeof(*snapshot->exited_totals) +
		      layout_bytes(&copy->layout);
	copy_tasks(copy, snapshot);
	copy_cpus(copy, snapshot);
	copy_exited_totals(copy, snapshot);
	return &copy->snapshot;
}

void snapshot_destroy(struct snapshot *snapshot)
{
	if (!snapshot)
		return;

	struct copy *copy = (struct copy *)snapshot;
	free(snapshot->tasks);
	free(snapshot->cpus);
	free(copy->exited_totals);
	free(copy->numbers);
	free(copy->texts);
	for (size_t i = 0; i < copy->timing_count; i++)
		timing_fini(&copy->timings[i]);
	free(copy->timings);
	layout_fini(&copy->layout);
	free(copy);
}

size_t snapshot_bytes(const struct snapshot *snapshot)
{
	const struct copy *copy = (const struct copy *)snapshot;

	return sizeof(*copy) + copy->bytes;
}

void snapshot_restrict(struct snapshot *part, const struct snapshot *whole,
		       bool (*is_wanted)(int32_t pid, const void *context), const void *context,
		       struct snapshot_task **tasks, size_t *capacity)
{
	*part = *whole;
	part->task_count = part->ran_count = part->exited_count = 0;
	part->cpus = NULL;
	part->cpu_count = 0;
	part->exited_total_count = 0;
	for (size_t i = 0; i < whole->task_count; i++) {
		const struct snapshot_task *task = &whole->tasks[i];

		if (!is_wanted(task->pid, context))
			continue;
		array_reserve(tasks, capacity, part->task_count + 1, sizeof(**tasks));
		(*tasks)[part->task_count++] = *task;
		part->ran_count += task->has_run;
		part->exited_count += task->is_exited && !task->is_held;
	}
	part->tasks = *tasks;
}
