#include "model/stalls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const uint64_t NS_PER_US = 1000;

/* A sum that only grows, as it was at some time. */
struct stalled_reading {
	uint64_t time_ns;
	uint32_t known;
	uint64_t numbers[STALL_NUMBERS];
};

struct stalled_cgroup {
	char *path;                           /* owned */
	bool is_read;                         /* in this interval */
	struct stalled_reading first, newest; /* of which the interval is the difference */
	uint64_t limited_ns;                  /* as in snapshot.h */
};

struct timed_cpu {
	bool has_first, is_read; /* there is such a reading; the newest is of this interval */
	struct cpu_times first, newest;
};

void stalls_fini(struct stalls *stalls)
{
	for (size_t i = 0; i < stalls->cgroup_count; i++)
		free(stalls->cgroups[i].path);
	free(stalls->cgroups);
	free(stalls->rows);
	free(stalls->cpus);
	free(stalls->times);
	*stalls = (struct stalls){0};
}

/* Where it is, or would be. */
static size_t index_of(const struct stalls *stalls, const char *path)
{
	size_t first = 0, end = stalls->cgroup_count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (strcmp(stalls->cgroups[middle].path, path) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/* NULL: there are too many. */
static struct stalled_cgroup *find_stalled(struct stalls *stalls, const char *path)
{
	const size_t index = index_of(stalls, path);
	struct stalled_cgroup *cgroup;

	if (index < stalls->cgroup_count && strcmp(stalls->cgroups[index].path, path) == 0)
		return &stalls->cgroups[index];
	if (stalls->cgroup_count == STALLS_CGROUPS_MAX)
		return NULL;
	array_reserve(&stalls->cgroups, &stalls->cgroup_capacity, stalls->cgroup_count + 1,
		      sizeof(*stalls->cgroups));
	cgroup = &stalls->cgroups[index];
	memmove(cgroup + 1, cgroup, (stalls->cgroup_count++ - index) * sizeof(*cgroup));
	*cgroup = (struct stalled_cgroup){.path = xstrdup(path)};
	return cgroup;
}

void stalls_take(struct stalls *stalls, const struct record *record)
{
	struct stalled_cgroup *cgroup = find_stalled(stalls, record->stalls.cgroup);
	struct stalled_reading *newest;

	if (!cgroup)
		return;
	newest = &cgroup->newest;
	if (record->stalls.numbers[STALL_THROTTLED] != newest->numbers[STALL_THROTTLED])
		cgroup->limited_ns = record->time_ns;
	newest->time_ns = record->time_ns;
	newest->known = record->stalls.known & STALL_ALL;
	memcpy(newest->numbers, record->stalls.numbers, sizeof(newest->numbers));
	cgroup->is_read = true;
	if (cgroup->first.time_ns == 0)
		cgroup->first = *newest;
}

void stalls_take_cpu_times(struct stalls *stalls, const struct record *record)
{
	const size_t number = (size_t)record->cpu;
	struct timed_cpu *cpu;

	if (number >= stalls->cpu_count) {
		stalls->cpus = xrealloc(stalls->cpus, number + 1, sizeof(*stalls->cpus));
		while (stalls->cpu_count <= number)
			stalls->cpus[stalls->cpu_count++] = (struct timed_cpu){0};
	}
	cpu = &stalls->cpus[number];
	cpu->newest = record->cpu_times;
	cpu->is_read = true;
}

/* False: only one reading was made, so nothing is known. What went backwards is not known either.
 */
static bool subtract_stalls(struct snapshot_cgroup *row, const struct stalled_cgroup *cgroup)
{
	const struct stalled_reading *first = &cgroup->first, *newest = &cgroup->newest;

	if (newest->time_ns <= first->time_ns)
		return false;
	*row = (struct snapshot_cgroup){
		.path = cgroup->path,
		.span_ns = newest->time_ns - first->time_ns,
		.known = first->known & newest->known,
		.limited_ns = cgroup->limited_ns,
	};
	for (unsigned int i = 0; i < STALL_NUMBERS; i++)
		if (newest->numbers[i] < first->numbers[i])
			row->known &= ~(1u << i);
		else
			row->interval[i] = newest->numbers[i] - first->numbers[i];
	return true;
}

/* Those that were not read have gone, or nothing asks for them any more. */
static void drop_unread(struct stalls *stalls)
{
	size_t kept = 0;

	for (size_t i = 0; i < stalls->cgroup_count; i++)
		if (stalls->cgroups[i].is_read)
			stalls->cgroups[kept++] = stalls->cgroups[i];
		else
			free(stalls->cgroups[i].path);
	stalls->cgroup_count = kept;
}

static void close_cgroups(struct stalls *stalls)
{
	drop_unread(stalls);
	array_reserve(&stalls->rows, &stalls->row_capacity, stalls->cgroup_count,
		      sizeof(*stalls->rows));
	stalls->row_count = 0;
	for (size_t i = 0; i < stalls->cgroup_count; i++) {
		const struct stalled_cgroup *cgroup = &stalls->cgroups[i];

		stalls->row_count += subtract_stalls(&stalls->rows[stalls->row_count], cgroup);
	}
}

static uint64_t subtract_time(uint64_t newest_ns, uint64_t first_ns)
{
	return newest_ns == UINT64_MAX || newest_ns < first_ns ? UINT64_MAX : newest_ns - first_ns;
}

static struct cpu_times subtract_times(const struct timed_cpu *cpu)
{
	const struct cpu_times *newest = &cpu->newest, *first = &cpu->first;

	if (!cpu->has_first || !cpu->is_read)
		return (struct cpu_times){UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
					  UINT64_MAX};
	return (struct cpu_times){
		.user_ns = subtract_time(newest->user_ns, first->user_ns),
		.system_ns = subtract_time(newest->system_ns, first->system_ns),
		.irq_ns = subtract_time(newest->irq_ns, first->irq_ns),
		.idle_ns = subtract_time(newest->idle_ns, first->idle_ns),
		.stolen_ns = subtract_time(newest->stolen_ns, first->stolen_ns),
	};
}

uint64_t stalls_idle_ns(const struct stalls *stalls, size_t number)
{
	uint64_t idle_ns = UINT64_MAX;

	if (number < stalls->cpu_count)
		idle_ns = subtract_times(&stalls->cpus[number]).idle_ns;
	return idle_ns == UINT64_MAX ? 0 : idle_ns;
}

/* In the interval, by its own limit or one above it. */
static uint64_t throttled_ns(const struct snapshot *snapshot, const char *path)
{
	const struct snapshot_cgroup *cgroup;
	size_t length = strlen(path);
	uint64_t most_us = 0;

	while ((cgroup = snapshot_climb(snapshot, path, &length)))
		if (cgroup->known & 1u << STALL_THROTTLED &&
		    cgroup->interval[STALL_THROTTLED] > most_us)
			most_us = cgroup->interval[STALL_THROTTLED];
	return most_us * NS_PER_US;
}

/*
 * Preempted or held back, a task is runnable without a CPU, and how long it was held back is added
 * up for its cgroup alone. What is not shown of the one, or of the other, is no doubt.
 */
static bool may_be_limited(const struct snapshot *snapshot, const struct snapshot_task *task)
{
	const uint64_t preempted_ns = task->interval[QUANTITY_PREEMPTED_NS];

	return task->cgroup && !task->is_held && preempted_ns > snapshot->interval_ns / 1000 &&
	       throttled_ns(snapshot, task->cgroup) > preempted_ns / 10;
}

static void doubt_preemptions(struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		struct snapshot_task *task = &snapshot->tasks[i];

		if (!may_be_limited(snapshot, task))
			continue;
		task->unknown |= 1u << QUANTITY_PREEMPTED_NS;
		for (size_t j = 0; j < snapshot->cpu_count; j++)
			if (snapshot->cpus[j].cpu == task->last_cpu)
				snapshot->cpus[j].unknown |= 1u << QUANTITY_PREEMPTED_NS;
	}
}

void stalls_start(struct stalls *stalls)
{
	for (size_t i = 0; i < stalls->cgroup_count; i++) {
		stalls->cgroups[i].first = stalls->cgroups[i].newest;
		stalls->cgroups[i].is_read = false;
	}
	for (size_t i = 0; i < stalls->cpu_count; i++) {
		struct timed_cpu *cpu = &stalls->cpus[i];

		cpu->first = cpu->newest;
		cpu->has_first = cpu->is_read;
		cpu->is_read = false;
	}
}

void stalls_close(struct stalls *stalls, struct snapshot *snapshot)
{
	close_cgroups(stalls);
	snapshot->cgroups = stalls->rows;
	snapshot->cgroup_count = stalls->row_count;
	if (snapshot->cgroup_count > 0)
		doubt_preemptions(snapshot);
	array_reserve(&stalls->times, &stalls->time_capacity, stalls->cpu_count,
		      sizeof(*stalls->times));
	for (size_t i = 0; i < stalls->cpu_count; i++)
		stalls->times[i] = subtract_times(&stalls->cpus[i]);
	snapshot->cpu_times = stalls->times;
	snapshot->cpu_time_count = stalls->cpu_count;
	stalls_start(stalls);
}

void stalls_resync(const struct stalls *stalls, model_listener *listen, void *context)
{
	struct record record = {
		.kind = RECORD_STALLS,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
	};

	for (size_t i = 0; i < stalls->cgroup_count; i++) {
		const struct stalled_cgroup *cgroup = &stalls->cgroups[i];

		record.time_ns = cgroup->first.time_ns;
		record.stalls = (struct record_stalls){
			.cgroup = cgroup->path,
			.known = cgroup->first.known,
			.numbers = cgroup->first.numbers,
		};
		listen(context, &record);
	}
	record.kind = RECORD_CPU_TIMES;
	for (size_t i = 0; i < stalls->cpu_count; i++) {
		record.cpu = (int32_t)i;
		record.cpu_times = stalls->cpus[i].first;
		if (stalls->cpus[i].has_first)
			listen(context, &record);
	}
}
