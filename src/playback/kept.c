/*
 * Intervals are kept in an array, ascending by the time they ended; times are record time. There
 * are some hundreds of them, at most some thousands, so what goes is moved out of the array.
 */
#include "playback/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"

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

static uint64_t kept_end(const struct kept *keep, size_t index)
{
	return keep->intervals[index].snapshot->time_ns;
}

static void forget_kept(struct kept *keep, size_t index)
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
	const uint64_t now_ns = kept_end(keep, keep->count - 1);
	double least = 0;
	size_t found = 0;

	for (size_t i = 1; i < keep->count / 2; i++) {
		const double gap_ns = (double)(kept_end(keep, i + 1) - kept_end(keep, i - 1));
		const double share = gap_ns / (double)(now_ns - kept_end(keep, i));

		if (found == 0 || share < least) {
			least = share;
			found = i;
		}
	}
	return found;
}

/* The newest stays, however large it is. */
static void make_kept_room(struct kept *keep)
{
	while (keep->count > 1 && keep->thins &&
	       kept_end(keep, keep->count - 1) - kept_end(keep, 0) > REACH_NS)
		forget_kept(keep, 0);
	while (keep->count > 1 && keep->bytes > keep->bytes_max)
		forget_kept(keep, keep->thins ? least_missed(keep) : 0);
}

/* It is seen, or was just now, or waited all the time. */
static bool was_active(const struct snapshot_task *task)
{
	return task->has_counts || task->is_exited || task->is_new || task->is_held;
}

/* Of a process that is seen all threads, since it is called and summed by them. */
static struct snapshot choose_tasks(struct kept *keep, const struct snapshot *snapshot)
{
	struct snapshot reduced = *snapshot;
	struct map seen = {0};

	reduced.task_count = 0;
	reduced.lacks_idle = true;
	reduced.active = NULL;
	array_reserve(&keep->tasks, &keep->task_capacity, snapshot->task_count,
		      sizeof(*keep->tasks));
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (was_active(&snapshot->tasks[i]))
			map_put(&seen, (uint64_t)snapshot->tasks[i].pid, keep);
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (map_get(&seen, (uint64_t)snapshot->tasks[i].pid))
			keep->tasks[reduced.task_count++] = snapshot->tasks[i];
	reduced.tasks = keep->tasks;
	map_fini(&seen);
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

	while (keep->count > 0 && kept_end(keep, keep->count - 1) > snapshot->time_ns)
		forget_kept(keep, keep->count - 1);
	if (keep->count > 0 && kept_end(keep, keep->count - 1) == snapshot->time_ns)
		return;
	if (has_idle) {
		kept.snapshot = snapshot_copy(snapshot);
	} else {
		const struct snapshot reduced = choose_tasks(keep, snapshot);

		kept.snapshot = snapshot_copy(&reduced);
	}
	kept.has_idle = has_idle;
	kept.bytes = snapshot_bytes(kept.snapshot) + sizeof(kept);
	array_reserve(&keep->intervals, &keep->capacity, keep->count + 1, sizeof(kept));
	keep->intervals[keep->count++] = kept;
	keep->bytes += kept.bytes;
	make_kept_room(keep);
}

size_t kept_count_before(const struct kept *keep, uint64_t time_ns)
{
	size_t low = 0, high = keep->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (kept_end(keep, middle) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct kept_interval *kept_before(const struct kept *keep, uint64_t time_ns)
{
	const size_t before = kept_count_before(keep, time_ns);

	return before > 0 ? &keep->intervals[before - 1] : NULL;
}

const struct kept_interval *kept_at(const struct kept *keep, uint64_t time_ns)
{
	const size_t before = kept_count_before(keep, time_ns);

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
