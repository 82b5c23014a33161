#include "playback/slim.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"

static const uint64_t HARDLY = 1000; /* one in so many of the interval */

struct slimming {
	const struct snapshot *snapshot;
	struct map threaded; /* pids of processes with more than the first thread */
	struct map places;   /* hash of name and user: place in `tasks`, from 1 */
	struct snapshot_task *tasks;
	size_t count;
	uint64_t *vectors; /* two for each task that represents others */
	size_t vector_count;
	size_t width;
};

static bool hardly_ran(const struct slimming *slimming, const struct snapshot_task *task)
{
	return task->is_new && task->is_exited && !task->is_held && task->tid == task->pid &&
	       task->interval[QUANTITY_RUN_NS] < slimming->snapshot->interval_ns / HARDLY &&
	       !map_get(&slimming->threaded, (uint64_t)task->pid);
}

static void find_threaded(struct slimming *slimming)
{
	static char mark;

	for (size_t i = 0; i < slimming->snapshot->task_count; i++) {
		const struct snapshot_task *task = &slimming->snapshot->tasks[i];

		if (task->tid != task->pid)
			map_put(&slimming->threaded, (uint64_t)task->pid, &mark);
	}
}

static uint64_t *own_vector(struct slimming *slimming, const uint64_t *counts)
{
	uint64_t *vector = &slimming->vectors[slimming->vector_count++ * slimming->width];

	memcpy(vector, counts, slimming->width * sizeof(*vector));
	return vector;
}

static bool are_alike(const struct snapshot_task *a, const struct snapshot_task *b)
{
	return a->uid == b->uid && strcmp(a->name, b->name) == 0;
}

/* False: it has to stay by itself. */
static bool join(struct slimming *slimming, const struct snapshot_task *task)
{
	const uint64_t hash = hash_text((uint64_t)task->uid, task->name);
	const size_t place = (size_t)(uintptr_t)map_get(&slimming->places, hash);
	struct snapshot_task *first = place > 0 ? &slimming->tasks[place - 1] : NULL;

	if (first && are_alike(first, task)) {
		counts_add((uint64_t *)first->interval, task->interval, slimming->width);
		counts_add((uint64_t *)first->total, task->total, slimming->width);
		first->unknown |= task->unknown;
		first->has_run = first->has_run || task->has_run;
		first->others += 1 + task->others;
		return true;
	}
	if (first)
		return false;
	first = &slimming->tasks[slimming->count++];
	*first = *task;
	first->interval = own_vector(slimming, task->interval);
	first->total = own_vector(slimming, task->total);
	first->timing = NULL;
	first->command_line = NULL;
	map_put(&slimming->places, hash, (void *)(uintptr_t)slimming->count);
	return true;
}

static struct snapshot *copy_of(const struct slimming *slimming)
{
	struct snapshot slim = *slimming->snapshot;

	if (slimming->count == slim.task_count)
		return NULL;
	slim.tasks = slimming->tasks;
	slim.task_count = slimming->count;
	return snapshot_copy(&slim);
}

struct snapshot *slim_copy(const struct snapshot *snapshot)
{
	struct slimming slimming = {.snapshot = snapshot, .width = layout_width(snapshot->layout)};
	struct snapshot *slim;
	size_t short_count = 0;

	find_threaded(&slimming);
	for (size_t i = 0; i < snapshot->task_count; i++)
		short_count += hardly_ran(&slimming, &snapshot->tasks[i]);
	slimming.tasks = xcalloc(snapshot->task_count + 1, sizeof(*slimming.tasks));
	slimming.vectors = xcalloc(2 * short_count * slimming.width + 1, sizeof(uint64_t));
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (!hardly_ran(&slimming, task) || !join(&slimming, task))
			slimming.tasks[slimming.count++] = *task;
	}
	slim = copy_of(&slimming);
	map_fini(&slimming.threaded);
	map_fini(&slimming.places);
	free(slimming.tasks);
	free(slimming.vectors);
	return slim;
}
