#ifndef PERFTOP_SOURCE_TASKS_TASKS_H
#define PERFTOP_SOURCE_TASKS_TASKS_H

/*
 * The source that watches chosen tasks, each thread with counters of its own: what a user may do
 * without the right to watch the machine.
 */

#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

struct attr_features;
struct event_core_pmu;
struct host;

enum tasks_mode {
	TASKS_PIDS,   /* the processes named, their threads, later threads too */
	TASKS_USER,   /* every task of one user, later ones too */
	TASKS_COMMAND /* one process from its exec on, and all its descendants */
};

struct tasks_request {
	const struct host *host;
	const struct attr_features *features;
	const struct event_core_pmu *core_pmus;
	size_t core_pmu_count;
	const struct event_set *events;
	enum tasks_mode mode;
	const int32_t *pids; /* TASKS_PIDS, TASKS_COMMAND: one or more */
	size_t pid_count;
	int64_t uid;             /* TASKS_USER */
	const char *scope_words; /* "own tasks", "pid 4711", "make -j8" */
};

/*
 * Attaches to everything that is there now. NULL when nothing can be watched at all or a named
 * process cannot be. host and features are borrowed for the life of the source, the rest is copied.
 */
struct source *tasks_create(const struct tasks_request *request, struct error *error);

#endif
