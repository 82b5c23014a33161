/*
 * Intervals are walked from the kept one on to the newest. In the first one that has a task which
 * the kept one has not, its total less what it did there is what it had all the time before. A
 * process' first thread takes over what its ended threads had when they are shown no more, so that
 * these are taken off it again.
 *
 * Vectors are in one array that grows; places in it become pointers in the end.
 */
#include "playback/whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/layout.h"

#include "playback/kept.h"

enum {
	TASK_VECTORS = 2 /* its total, and what it took over */
};

/* Room for so many vectors; the place of the first one, which are zero. */
static size_t add_vectors(struct whole_interval *whole, size_t count)
{
	const size_t place = whole->number_count;

	array_reserve(&whole->numbers, &whole->number_capacity, place + count * whole->width,
		      sizeof(*whole->numbers));
	whole->number_count += count * whole->width;
	counts_clear(whole->numbers + place, count * whole->width);
	return place;
}

/* What it had before; where that is unknown, what it has. */
static void take_off(const struct whole_interval *whole, uint64_t *had, const uint64_t *since)
{
	uint64_t *before = whole->numbers + whole->width; /* behind the zeros */

	if (since && counts_sub(before, had, since, whole->width))
		memcpy(had, before, whole->width * sizeof(*had));
}

static const uint64_t *ended_threads(const struct whole_interval *whole, int32_t pid)
{
	const uintptr_t place = (uintptr_t)map_get(&whole->reapers, (uint64_t)pid);

	return place != 0 ? whole->numbers + place : NULL;
}

static void add_task(struct whole_interval *whole, const struct snapshot_task *row)
{
	const size_t index = whole->snapshot.task_count++;
	const size_t place = add_vectors(whole, TASK_VECTORS);
	uint64_t *total = whole->numbers + place;
	uint64_t *reaped = total + whole->width;
	struct snapshot_task *task;

	array_reserve(&whole->tasks, &whole->task_capacity, index + 1, sizeof(*whole->tasks));
	task = &whole->tasks[index];
	*task = *row;
	task->is_exited = task->is_held = task->is_new = task->has_run = false;
	task->timing = NULL;
	memcpy(total, row->total, whole->width * sizeof(*total));
	if (!row->is_held) /* otherwise its interval is an earlier one */
		take_off(whole, total, row->interval);
	if (row->reaped) {
		memcpy(reaped, row->reaped, whole->width * sizeof(*reaped));
		take_off(whole, reaped, ended_threads(whole, row->pid));
	}
	array_reserve(&whole->places, &whole->place_capacity, index + 1, sizeof(*whole->places));
	whole->places[index] = place;
}

static void add_absent(struct whole_interval *whole, const struct snapshot *later)
{
	if (layout_width(later->layout) < whole->width)
		return; /* counted anew */
	for (size_t i = 0; i < later->task_count; i++) {
		const struct snapshot_task *row = &later->tasks[i];

		if (row->id <= whole->last_id && !map_put(&whole->seen, row->id, whole))
			add_task(whole, row);
	}
}

static bool is_ended_thread(const struct snapshot_task *row)
{
	return row->is_exited && row->tid != row->pid;
}

static void note_end(struct whole_interval *whole, const struct snapshot_task *row)
{
	uintptr_t place = (uintptr_t)map_get(&whole->reapers, (uint64_t)row->pid);

	if (place == 0) {
		place = add_vectors(whole, 1);
		map_put(&whole->reapers, (uint64_t)row->pid, (void *)place);
	}
	counts_add(whole->numbers + place, row->total, whole->width);
}

/* Threads that are gone, with their totals in their processes in the later one. */
static void note_ends(struct whole_interval *whole, const struct snapshot *snapshot,
		      const struct snapshot *later)
{
	struct map left = {0};

	if (layout_width(snapshot->layout) < whole->width)
		return;
	for (size_t i = 0; i < later->task_count; i++)
		if (is_ended_thread(&later->tasks[i]))
			map_put(&left, later->tasks[i].id, whole);
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *row = &snapshot->tasks[i];

		if (is_ended_thread(row) && !map_get(&left, row->id))
			note_end(whole, row);
	}
	map_fini(&left);
}

static void begin(struct whole_interval *whole, const struct kept_interval *kept)
{
	const struct snapshot *snapshot = kept->snapshot;

	*whole = (struct whole_interval){
		.snapshot = *snapshot,
		.width = layout_width(snapshot->layout),
		.last_id = kept->last_id,
	};
	add_vectors(whole, 2); /* zeros, and one to count in */
	array_reserve(&whole->tasks, &whole->task_capacity, snapshot->task_count,
		      sizeof(*whole->tasks));
	if (snapshot->task_count > 0)
		memcpy(whole->tasks, snapshot->tasks, snapshot->task_count * sizeof(*whole->tasks));
	for (size_t i = 0; i < snapshot->task_count; i++)
		map_put(&whole->seen, snapshot->tasks[i].id, whole);
}

static void finish(struct whole_interval *whole, size_t kept_count)
{
	for (size_t i = kept_count; i < whole->snapshot.task_count; i++) {
		struct snapshot_task *task = &whole->tasks[i];

		task->interval = whole->numbers;
		task->total = whole->numbers + whole->places[i];
		if (task->reaped)
			task->reaped = task->total + whole->width;
	}
	whole->snapshot.tasks = whole->tasks;
}

void whole_interval_init(struct whole_interval *whole, const struct kept *keep, uint64_t time_ns,
			 const struct snapshot *newest)
{
	const struct kept_interval *last = kept_newest(keep);
	const struct kept_interval *kept = kept_at(keep, time_ns);
	bool knows_all = kept->is_whole;

	begin(whole, kept);
	while (!knows_all && kept != last) {
		note_ends(whole, kept->snapshot, kept[1].snapshot);
		kept++;
		add_absent(whole, kept->snapshot);
		knows_all = kept->is_whole;
	}
	if (!knows_all) {
		note_ends(whole, last->snapshot, newest); /* none where it is the same */
		add_absent(whole, newest);
	}
	finish(whole, kept_at(keep, time_ns)->snapshot->task_count);
}

void whole_interval_fini(struct whole_interval *whole)
{
	free(whole->tasks);
	free(whole->places);
	free(whole->numbers);
	map_fini(&whole->seen);
	map_fini(&whole->reapers);
}
