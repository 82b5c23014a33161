#ifndef PERFTOP_TESTS_SNAPSHOT_BUILDER_H
#define PERFTOP_TESTS_SNAPSHOT_BUILDER_H

/*
 * A small world for tests of views and writers: an interval of one second on two CPUs
 * with the default events, to which tasks are added one by one.
 *
 *	struct world world;
 *
 *	world_init(&world);
 *	task(&world, .pid = 7, .name = "sh", .run_ms = 20);
 */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/column.h"
#include "view/row_kind.h"

enum {
	WORLD_EVENTS = 6,
	WORLD_TASKS = 16,
	WORLD_GROUP = QUANTITY_BUILTIN,     /* place of the counting time */
	WORLD_FIRST = QUANTITY_BUILTIN + 2, /* of the events */
	WORLD_WIDTH = WORLD_FIRST + WORLD_EVENTS,
	WORLD_VECTORS = 3 * WORLD_TASKS + 16,
	WORLD_NS_PER_MS = 1000000
};

enum world_event {
	CYCLES,
	INSTRUCTIONS,
	CACHE_REFERENCES,
	CACHE_MISSES,
	BRANCH_MISSES,
	PAGE_FAULTS
};

struct world {
	struct layout layout; /* owns its parts */
	uint64_t vectors[WORLD_VECTORS][WORLD_WIDTH];
	size_t vector_count;
	struct snapshot_task tasks[WORLD_TASKS];
	struct snapshot_cpu cpus[2];
	struct snapshot snapshot;
	struct session session;
	struct metric_set *metric_set; /* owned */
	struct metrics *metrics;       /* owned */
	struct columns *columns;       /* owned */
};

/* What a test says of a counts vector; what it leaves out is 0. */
struct counts_spec {
	uint64_t run_ms, switches, preemptions, migrations;
	uint64_t cycles, instructions, references, misses, branch_misses, faults;
	uint64_t counting_ms; /* 0: all the time */
	uint64_t preempted_ms, queued_ms, uninterruptible_ms;
};

struct task_spec {
	int32_t pid, tid; /* tid 0: as pid */
	uint64_t id;      /* 0: the next free one */
	const char *name;
	const char *command_line;
	int64_t uid;
	int32_t parent_pid;
	uint64_t parent_id;
	int last_cpu;
	bool is_exited, is_held, is_new, is_kernel_thread, is_from_proc;
	bool is_idle; /* was on no CPU */
	uint32_t unknown;
	uint64_t run_ms;
	struct counts_spec counts; /* run_ms above goes first */
	uint64_t total_ms;         /* run time since the start; 0: that of the interval */
	uint64_t reaped_ms;        /* of threads that were forgotten; 0: none */
};

static inline uint64_t *world_vector(struct world *world, struct counts_spec spec)
{
	uint64_t *counts = world->vectors[world->vector_count++];

	assert(world->vector_count <= WORLD_VECTORS);
	counts[QUANTITY_RUN_NS] = spec.run_ms * WORLD_NS_PER_MS;
	counts[QUANTITY_SWITCHES] = spec.switches;
	counts[QUANTITY_PREEMPTIONS] = spec.preemptions;
	counts[QUANTITY_MIGRATIONS] = spec.migrations;
	counts[QUANTITY_PREEMPTED_NS] = spec.preempted_ms * WORLD_NS_PER_MS;
	counts[QUANTITY_QUEUED_NS] = spec.queued_ms * WORLD_NS_PER_MS;
	counts[QUANTITY_UNINTERRUPTIBLE_NS] = spec.uninterruptible_ms * WORLD_NS_PER_MS;
	counts[WORLD_FIRST + CYCLES] = spec.cycles;
	counts[WORLD_FIRST + INSTRUCTIONS] = spec.instructions;
	counts[WORLD_FIRST + CACHE_REFERENCES] = spec.references;
	counts[WORLD_FIRST + CACHE_MISSES] = spec.misses;
	counts[WORLD_FIRST + BRANCH_MISSES] = spec.branch_misses;
	counts[WORLD_FIRST + PAGE_FAULTS] = spec.faults;
	counts[WORLD_GROUP] =
		(spec.counting_ms > 0 ? spec.counting_ms : spec.run_ms) * WORLD_NS_PER_MS;
	return counts;
}

static inline void world_init_layout(struct world *world)
{
	static const char *const names[WORLD_EVENTS] = {
		"cycles",       "instructions",  "cache-references",
		"cache-misses", "branch-misses", "page-faults",
	};

	layout_init(&world->layout);
	for (size_t i = 0; i < WORLD_EVENTS; i++) {
		layout_add_event(&world->layout, names[i]);
		world->layout.events[i].state = EVENT_COUNTING;
		layout_add_counter(&world->layout, 0, i);
	}
}

/* Both CPUs: half idle, everything attributed. */
static inline void world_init_cpus(struct world *world)
{
	for (int i = 0; i < 2; i++) {
		struct counts_spec all = {.run_ms = 1000,
					  .switches = 100,
					  .cycles = 2000000,
					  .instructions = 1000000,
					  .references = 10000,
					  .misses = 2000,
					  .faults = 5};
		struct counts_spec idle = {.run_ms = 500, .switches = 50};
		struct snapshot_cpu *cpu = &world->cpus[i];

		cpu->cpu = i;
		cpu->is_online = true;
		cpu->counter = cpu->counter_total = world_vector(world, all);
		cpu->idle = cpu->idle_total = world_vector(world, idle);
		cpu->unattributed = cpu->unattributed_total =
			world_vector(world, (struct counts_spec){0});
	}
}

static inline void world_init(struct world *world)
{
	*world = (struct world){0};
	world_init_layout(world);
	world_init_cpus(world);
	world->snapshot = (struct snapshot){
		.time_ns = UINT64_C(1000000000),
		.interval_ns = UINT64_C(1000000000),
		.sequence = 1,
		.layout = &world->layout,
		.tasks = world->tasks,
		.cpus = world->cpus,
		.cpu_count = 2,
		.attributed_pct = 100.0,
	};
	world->session = (struct session){
		.scope = SCOPE_SYSTEM,
		.scope_words = "whole machine",
		.pmu_words = "cpu PMU",
		.has_pmu = true,
		.is_live = true,
		.wall_offset_ns = INT64_C(1699999999123000000),
		.cpu_count = 2,
	};
	world->metric_set = metric_set_create();
	world->metrics = metrics_create(&world->layout, world->metric_set);
	world->columns = columns_create(world->metric_set, row_kinds);
}

/* Columns by their names. */
static inline void world_choose(struct world *world, const char *names, struct column_list *list)
{
	char name[COLUMN_NAME_MAX];

	list->count = 0;
	while (column_word_next(world->columns, &names, name, sizeof(name))) {
		const struct column *column = columns_find(world->columns, name);

		assert(column);
		column_list_add(list, column);
	}
}

static inline void world_fini(struct world *world)
{
	columns_destroy(world->columns);
	metrics_destroy(world->metrics);
	metric_set_destroy(world->metric_set);
	layout_fini(&world->layout);
}

/* After the state of an event was changed. */
static inline void world_bind(struct world *world)
{
	metrics_destroy(world->metrics);
	world->metrics = metrics_create(&world->layout, world->metric_set);
}

static inline enum metric_event world_look(const char *event, void *context)
{
	return strncmp(event, "cache-l", 7) != 0 ? METRIC_EVENT_COUNTED : METRIC_EVENT_ABSENT;
}

static inline enum cache_level world_level(const char *event, void *context)
{
	return strncmp(event, "cache-", 6) == 0 ? *(const enum cache_level *)context
						: CACHE_LEVEL_UNKNOWN;
}

/* The generic cache events are those of this level. */
static inline void world_fit(struct world *world, enum cache_level level)
{
	const struct metric_machine machine = {world_look, world_level, &level};

	metric_set_fit(world->metric_set, &machine);
	columns_metrics_fitted(world->columns);
	world_bind(world);
}

static inline struct snapshot_task *world_add(struct world *world, struct task_spec spec)
{
	struct snapshot_task *task = &world->tasks[world->snapshot.task_count++];
	struct counts_spec total;

	assert(world->snapshot.task_count <= WORLD_TASKS);
	if (spec.run_ms > 0)
		spec.counts.run_ms = spec.run_ms;
	total = spec.counts;
	if (spec.total_ms > 0)
		total.run_ms = spec.total_ms;
	*task = (struct snapshot_task){
		.id = spec.id > 0 ? spec.id : world->snapshot.task_count,
		.pid = spec.pid,
		.tid = spec.tid > 0 ? spec.tid : spec.pid,
		.parent_pid = spec.parent_pid,
		.parent_id = spec.parent_id,
		.uid = spec.uid,
		.last_cpu = spec.last_cpu,
		.command_line = spec.command_line,
		.is_exited = spec.is_exited,
		.is_held = spec.is_held,
		.is_from_proc = spec.is_from_proc,
		.is_new = spec.is_new,
		.is_kernel_thread = spec.is_kernel_thread,
		.has_run = !spec.is_idle && !spec.is_held,
		.unknown = spec.unknown,
		.interval = world_vector(world, spec.counts),
		.total = world_vector(world, total),
	};
	for (size_t i = 0; i < WORLD_WIDTH; i++)
		task->has_counts |= task->interval[i] > 0;
	if (spec.reaped_ms > 0)
		task->reaped = world_vector(world, (struct counts_spec){.run_ms = spec.reaped_ms});
	snprintf(task->name, sizeof(task->name), "%s", spec.name ? spec.name : "task");
	return task;
}

#define task(world_, ...) world_add((world_), (struct task_spec){__VA_ARGS__})

#endif
