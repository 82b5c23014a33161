#ifndef PERFTOP_ENGINE_H
#define PERFTOP_ENGINE_H

/*
 * From the kernel to a snapshot: the source, the model and the metrics as one thing that is
 * drained and ticked. The batch run and the screen both stand on it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "kernel/attr.h"
#include "kernel/host.h"
#include "model/metric.h"
#include "model/snapshot.h"

struct error;
struct options;
struct session;

/* Which tasks are wanted, where more is counted than was asked for. */
enum engine_scope {
	ENGINE_ALL,
	ENGINE_PIDS, /* some processes */
	ENGINE_TREE  /* a process and its descendants */
};

struct engine {
	struct host host;
	struct attr_features features;
	struct source *source;           /* owned */
	struct model *model;             /* owned */
	struct metrics *metrics;         /* owned */
	const struct snapshot *snapshot; /* of the last tick; NULL: none yet */
	enum engine_scope scope;
	struct map wanted;                /* processes in the scope, by pid */
	struct snapshot part;             /* of the model's snapshot: what is in the scope */
	struct snapshot_task *part_tasks; /* owned */
	size_t part_capacity;
	int32_t *strangers; /* owned; processes that wait to be introduced */
	size_t stranger_count, stranger_capacity;
	uint64_t own_cpu_ns; /* our own CPU time at the last tick */
};

/* Events that are counted when none are named. */
extern const char *const engine_default_events[];
extern const size_t engine_default_event_count;

/*
 * Finds the source that the options ask for and this user may have, and opens it. command_pid: the
 * process that waits to become the command; 0: none. False: nothing is open, error says why.
 */
bool engine_open(struct engine *engine, const struct options *options, int32_t command_pid,
		 struct error *error);
void engine_close(struct engine *engine);

/* Lets it count: the first interval begins. */
bool engine_start(struct engine *engine, struct error *error);

/* Takes what the kernel has written; cheap, any time. */
void engine_drain(struct engine *engine);

/* Ends the interval; engine->snapshot is its result, good until the next tick. */
void engine_tick(struct engine *engine);

/*
 * What /proc knows of a process is told to the model, so that idle ones are seen too. Of all of
 * them (pid 0): little by little, with each drain.
 */
void engine_introduce(struct engine *engine, int32_t pid);

/*
 * Sees to it that process `pid` is counted and in the scope. False: there is none, or it may not be
 * watched.
 */
bool engine_attach(struct engine *engine, int32_t pid, struct error *error);

/* Every process in the scope has ended, and nothing will come any more. */
bool engine_is_finished(const struct engine *engine);

/* The process of thread `id`, which may be the process itself. False: there is none. */
bool engine_find_process(int32_t id, int32_t *pid, struct error *error);

const struct session *engine_session(const struct engine *engine);

#endif
