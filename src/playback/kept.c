/*
 * Intervals are kept in an array, ascending by the time they ended; times are record time. There
 * are some hundreds of them, at most some thousands, so what goes is moved out of the array.
 */
#include "playback/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"

enum {
	NS_PER_S = 1000000000,
	TASK_VECTORS = 2 /* of one that is added: its total, and what it took over */
};

static const uint64_t REACH_NS = UINT64_C(3600) * NS_PER_S; /* older ones are not thinned but go */

void kept_init(struct kept *keep, uint64_t bytes_max, bool thins)
{
	*keep = (struct kept){.bytes_max = bytes_max, .thins = thins};
}

void kept_fini(struct kept *keep)
{
	for (size_t i = 0; i < keep->count; i++)
		snapshot_destroy(keep->intervals[i].snapshot);
	free(keep->intervals);
	free(keep->tasks);
	*keep = (struct kept){0};
}

static uint64_t end_of(const struct kept *keep, size_t index)
{
	return keep->intervals[index].snapshot->time_ns;
}

static void forget(struct kept *keep, size_t index)
{
	keep->bytes -= keep->intervals[index].bytes;
	snapshot_destroy(keep->intervals[index].snapshot);
	keep->count--;
	memmove(&keep->intervals[index], &keep->intervals[index + 1],
		(keep->count - index) * sizeof(*keep->intervals));
}

/* Of the older half, but for the oldest, the one that leaves the least gap for its age. */
static size_t least_missed(const struct kept *keep)
{
	const uint64_t now_ns = end_of(keep, keep->count - 1);
	double least = 0;
	size_t found = 0;

	for (size_t i = 1; i < keep->count / 2; i++) {
		const double gap_ns = (double)(end_of(keep, i + 1) - end_of(keep, i - 1));
		const double share = gap_ns / (double)(now_ns - end_of(keep, i));

		if (found == 0 || share < least) {
			least = share;
			found = i;
		}
	}
	return found;
}

/* The newest stays, however large it is. */
static void make_room(struct kept *keep)
{
	while (keep->count > 1 && keep->thins &&
	       end_of(keep, keep->count - 1) - end_of(keep, 0) > REACH_NS)
		forget(keep, 0);
	while (keep->count > 1 && keep->bytes > keep->bytes_max)
		forget(keep, keep->thins ? least_missed(keep) : 0);
}

/* Those that are seen, or were just now, or waited all the time. */
static struct snapshot choose_tasks(struct kept *keep, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);
	struct snapshot reduced = *snapshot;

	reduced.task_count = 0;
	array_reserve(&keep->tasks, &keep->task_capacity, snapshot->task_count,
		      sizeof(*keep->tasks));
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->has_run || task->is_exited || task->is_new || task->is_held ||
		    !counts_are_zero(task->interval, width))
			keep->tasks[reduced.task_count++] = *task;
	}
	reduced.tasks = keep->tasks;
	return reduced;
}

static double rate_of(const struct snapshot *snapshot)
{
	uint64_t switches = 0;

	if (snapshot->interval_ns == 0)
		return 0;
	for (size_t i = 0; i < snapshot->cpu_count; i++)
		switches += snapshot->cpus[i].counter[QUANTITY_SWITCHES];
	for (size_t i = 0; i < snapshot->task_count && snapshot->cpu_count == 0; i++)
		switches += snapshot->tasks[i].interval[QUANTITY_SWITCHES];
	return (double)switches * NS_PER_S / (double)snapshot->interval_ns;
}

void kept_add(struct kept *keep, const struct snapshot *snapshot, bool has_idle)
{
	struct kept_interval kept = {.rate = rate_of(snapshot)};

	while (keep->count > 0 && end_of(keep, keep->count - 1) > snapshot->time_ns)
		forget(keep, keep->count - 1);
	if (keep->count > 0 && end_of(keep, keep->count - 1) == snapshot->time_ns)
		return;
	if (has_idle) {
		kept.snapshot = snapshot_copy(snapshot);
	} else {
		const struct snapshot reduced = choose_tasks(keep, snapshot);

		kept.snapshot = snapshot_copy(&reduced);
	}
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].id > kept.last_id)
			kept.last_id = snapshot->tasks[i].id;
	kept.is_whole = has_idle;
	kept.bytes = snapshot_bytes(kept.snapshot) + sizeof(kept);
	array_reserve(&keep->intervals, &keep->capacity, keep->count + 1, sizeof(kept));
	keep->intervals[keep->count++] = kept;
	keep->bytes += kept.bytes;
	make_room(keep);
}

/* How many ended before this time. */
static size_t count_before(const struct kept *keep, uint64_t time_ns)
{
	size_t low = 0, high = keep->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (end_of(keep, middle) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct kept_interval *kept_before(const struct kept *keep, uint64_t time_ns)
{
	const size_t before = count_before(keep, time_ns);

	return before > 0 ? &keep->intervals[before - 1] : NULL;
}

const struct kept_interval *kept_at(const struct kept *keep, uint64_t time_ns)
{
	const size_t before = count_before(keep, time_ns);

	return before < keep->count ? &keep->intervals[before] : NULL;
}

const struct kept_interval *kept_after(const struct kept *keep, uint64_t time_ns)
{
	return time_ns < UINT64_MAX ? kept_at(keep, time_ns + 1) : NULL;
}

const struct kept_interval *kept_oldest(const struct kept *keep)
{
	return keep->count > 0 ? &keep->intervals[0] : NULL;
}

const struct kept_interval *kept_newest(const struct kept *keep)
{
	return keep->count > 0 ? &keep->intervals[keep->count - 1] : NULL;
}

/*
 * --- an interval with the tasks that did not run in it
 *
 * Intervals are walked from the kept one on to the newest. In the first one that has a task which
 * the kept one has not, its total less what it did there is what it had all the time before. A
 * process' first thread takes over what its ended threads had when they are shown no more, so that
 * these are taken off it again.
 *
 * Vectors are in one array that grows; places in it become pointers in the end.
 */
struct whole {
	struct snapshot snapshot;    /* borrows all but its tasks from the kept one */
	struct snapshot_task *tasks; /* owned */
	size_t task_capacity;
	size_t *offsets;   /* owned; of the vectors of the tasks that were added */
	uint64_t *numbers; /* owned; zeros, vectors of tasks, and of processes' ended threads */
	size_t offset_capacity, number_count, number_capacity, width;
	uint64_t last_id;
	struct map seen;    /* ids */
	struct map reapers; /* by pid: tasks with threads that have ended since; place of their sum
			     */
};

/* Room for so many vectors; the place of the first one, which are zero. */
static size_t add_vectors(struct whole *whole, size_t count)
{
	const size_t offset = whole->number_count;

	array_reserve(&whole->numbers, &whole->number_capacity, offset + count * whole->width,
		      sizeof(*whole->numbers));
	whole->number_count += count * whole->width;
	counts_clear(whole->numbers + offset, count * whole->width);
	return offset;
}

/* What it had before; where that is unknown, what it has. */
static void take_off(const struct whole *whole, uint64_t *had, const uint64_t *since)
{
	uint64_t *before = whole->numbers + whole->width; /* behind the zeros */

	if (since && counts_sub(before, had, since, whole->width))
		memcpy(had, before, whole->width * sizeof(*had));
}

static const uint64_t *ended_threads(const struct whole *whole, int32_t pid)
{
	const uintptr_t offset = (uintptr_t)map_get(&whole->reapers, (uint64_t)pid);

	return offset != 0 ? whole->numbers + offset : NULL;
}

static void add_task(struct whole *whole, const struct snapshot_task *row)
{
	const size_t index = whole->snapshot.task_count++;
	const size_t offset = add_vectors(whole, TASK_VECTORS);
	uint64_t *total = whole->numbers + offset;
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
	array_reserve(&whole->offsets, &whole->offset_capacity, index + 1, sizeof(*whole->offsets));
	whole->offsets[index] = offset;
}

static void add_absent(struct whole *whole, const struct snapshot *later)
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

static void note_end(struct whole *whole, const struct snapshot_task *row)
{
	uintptr_t offset = (uintptr_t)map_get(&whole->reapers, (uint64_t)row->pid);

	if (offset == 0) {
		offset = add_vectors(whole, 1);
		map_put(&whole->reapers, (uint64_t)row->pid, (void *)offset);
	}
	counts_add(whole->numbers + offset, row->total, whole->width);
}

/* Threads that are gone, with their totals in their processes in the later one. */
static void note_ends(struct whole *whole, const struct snapshot *snapshot,
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

static void begin_whole(struct whole *whole, const struct kept_interval *kept)
{
	const struct snapshot *snapshot = kept->snapshot;

	*whole = (struct whole){
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

static void point_to_vectors(struct whole *whole, size_t kept_count)
{
	for (size_t i = kept_count; i < whole->snapshot.task_count; i++) {
		struct snapshot_task *task = &whole->tasks[i];

		task->interval = whole->numbers;
		task->total = whole->numbers + whole->offsets[i];
		if (task->reaped)
			task->reaped = task->total + whole->width;
	}
	whole->snapshot.tasks = whole->tasks;
}

struct snapshot *kept_whole(const struct kept *keep, uint64_t time_ns,
			    const struct snapshot *newest)
{
	const struct kept_interval *last = kept_newest(keep);
	const struct kept_interval *kept = kept_at(keep, time_ns);
	const size_t kept_count = kept->snapshot->task_count;
	bool knows_all = kept->is_whole;
	struct snapshot *copy;
	struct whole whole;

	begin_whole(&whole, kept);
	while (!knows_all && kept != last) {
		note_ends(&whole, kept->snapshot, kept[1].snapshot);
		kept++;
		add_absent(&whole, kept->snapshot);
		knows_all = kept->is_whole;
	}
	if (!knows_all) {
		note_ends(&whole, last->snapshot, newest); /* none where it is the same */
		add_absent(&whole, newest);
	}
	point_to_vectors(&whole, kept_count);
	copy = snapshot_copy(&whole.snapshot);
	free(whole.tasks);
	free(whole.offsets);
	free(whole.numbers);
	map_fini(&whole.seen);
	map_fini(&whole.reapers);
	return copy;
}
