#ifndef PERFTOP_SOURCE_TASK_COUNTS_H
#define PERFTOP_SOURCE_TASK_COUNTS_H

/*
 * What some processes have counted in all of events that can be handed on
 * (attr_is_inheritable()), by counters of their own that the kernel gives to their threads too, or
 * to all that they start. A count by context switches lacks what was counted in switches that are
 * not reported; this one does not. What the kernel does not count at all is in neither: of some
 * tasks Linux 6.18 takes every event for a recursion, from some moment on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attr_features;
struct event_set;

struct task_count; /* opaque */

/* An empty one is {0}. */
struct task_counts {
	struct task_count *counts; /* owned; one for each event and thread */
	size_t count, capacity;
	bool has_processes;
};

void task_counts_fini(struct task_counts *counts);

/*
 * Counts these events of a process from now on, with_children also of what it starts. An
 * event that cannot be counted so in all threads is not known, nor is one that was not counted
 * of the first process.
 */
void task_counts_add(struct task_counts *counts, const struct event_set *events,
		     const struct attr_features *features, int32_t pid, bool with_children);

/* Reads all of them. */
void task_counts_read(struct task_counts *counts);

/* The event's count as of the last reading. False: it is not known. */
bool task_counts_find(const struct task_counts *counts, const char *event, uint64_t *count);

#endif
