#include "symbol/mappings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void destroy(struct process *process)
{
	free(process->mappings);
	asked_fini(&process->waiting);
	free(process);
}

void mappings_fini(struct mappings *mappings)
{
	size_t cursor = 0;
	uint64_t pid;
	void *process;

	while (map_next(&mappings->by_pid, &cursor, &pid, &process))
		destroy(process);
	map_fini(&mappings->by_pid);
}

struct process *mappings_find(struct mappings *mappings, int32_t pid)
{
	return map_get(&mappings->by_pid, (uint64_t)pid);
}

void mappings_remove(struct mappings *mappings, int32_t pid)
{
	struct process *process = map_remove(&mappings->by_pid, (uint64_t)pid);

	if (process)
		destroy(process);
}

/* The one that was used longest ago goes, unless somebody waits for it. */
static void make_room(struct mappings *mappings)
{
	const struct process *oldest = NULL;
	size_t cursor = 0;
	uint64_t pid;
	void *each;

	while (map_next(&mappings->by_pid, &cursor, &pid, &each)) {
		const struct process *process = each;

		if (!process->waiting.is_queued && (!oldest || process->used < oldest->used))
			oldest = process;
	}
	if (oldest)
		mappings_remove(mappings, oldest->pid);
}

struct process *mappings_get(struct mappings *mappings, int32_t pid)
{
	struct process *process = mappings_find(mappings, pid);

	if (!process) {
		if (mappings->by_pid.count >= mappings->max)
			make_room(mappings);
		process = xcalloc(1, sizeof(*process));
		process->pid = pid;
		process->program = mappings->now;
		map_put(&mappings->by_pid, (uint64_t)pid, process);
	}
	process->used = ++mappings->now;
	return process;
}

/* How many begin at or before an address. */
static size_t count_before(const struct process *process, uint64_t address)
{
	return array_not_above(process->mappings, process->count, sizeof(*process->mappings),
			       address);
}

const struct mapping *process_find(const struct process *process, uint64_t address)
{
	size_t before = count_before(process, address);

	if (before == 0 || address >= process->mappings[before - 1].end)
		return NULL;
	return &process->mappings[before - 1];
}

/* There is room for it. */
static void insert(struct process *process, size_t index, const struct mapping *mapping)
{
	memmove(process->mappings + index + 1, process->mappings + index,
		(process->count - index) * sizeof(*mapping));
	process->mappings[index] = *mapping;
	process->count++;
}

static void cut_front(struct mapping *mapping, uint64_t start)
{
	mapping->at += start - mapping->start;
	mapping->start = start;
}

/* Leaves of the mapping before `index` what is in front of the new one, and behind it. */
static void cut_before(struct process *process, size_t index, const struct mapping *mapping)
{
	struct mapping *before = &process->mappings[index - 1];
	struct mapping behind = *before;

	if (before->end <= mapping->start)
		return;
	before->end = mapping->start;
	if (behind.end > mapping->end) {
		cut_front(&behind, mapping->end);
		insert(process, index, &behind);
	}
}

void process_map(struct process *process, const struct mapping *mapping)
{
	size_t index = count_before(process, mapping->start), last;

	/* one more, and what is behind it of the one that it divides */
	array_reserve(&process->mappings, &process->capacity, process->count + 2,
		      sizeof(*process->mappings));
	if (index > 0 && process->mappings[index - 1].start == mapping->start)
		index--;
	if (index > 0)
		cut_before(process, index, mapping);
	for (last = index; last < process->count && process->mappings[last].end <= mapping->end;)
		last++;
	if (last < process->count && process->mappings[last].start < mapping->end)
		cut_front(&process->mappings[last], mapping->end);
	memmove(process->mappings + index, process->mappings + last,
		(process->count - last) * sizeof(*mapping));
	process->count -= last - index;
	insert(process, index, mapping);
	process->version++;
}

void process_unmap_all(struct process *process)
{
	process->count = 0;
	process->version++;
}

void process_copy_mappings(struct process *process, const struct process *from)
{
	if (from->count > 0) {
		array_reserve(&process->mappings, &process->capacity, from->count,
			      sizeof(*process->mappings));
		memcpy(process->mappings, from->mappings, from->count * sizeof(*from->mappings));
	}
	process->count = from->count;
	process->version++;
}
