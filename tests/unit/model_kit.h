#ifndef PERFTOP_TESTS_MODEL_KIT_H
#define PERFTOP_TESTS_MODEL_KIT_H

/*
 * What tests of the model are written with: a layout, builders of records, and ways
 * to look something up in a snapshot.
 *
 *	feed(model, sample(.tid = 7, .seq = 3, .ns = 100, .values = {10, 20}));
 *
 * Defaults: CPU 0, group 0, pid = tid, time = ns (the group's clock).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/model.h"

enum {
	KIT_MEMBERS = 2,
	KIT_GROUPS_MAX = 3,
	NOBODY = RECORD_TASK_UNKNOWN
};

/* Fields of all builders and of the steps of model_story.h; each uses those it needs. */
struct step {
	int kind; /* of a step: enum step_kind */
	int32_t cpu, pid, tid;
	uint64_t time; /* 0: ns */
	uint16_t group;
	uint64_t seq, ns; /* of a reading: sequence, enabled_ns */
	uint64_t off_ns;  /* enabled but not running */
	uint64_t values[KIT_MEMBERS];
	bool restarts, has_switch_records;
	int32_t next, prev; /* tid (and pid) of who comes or who left */
	bool preempted;
	int state; /* of who left: enum task_state; 0: runnable when preempted, else sleeping; -1:
		      not told */
	int32_t parent; /* tid (and pid) */
	int32_t waker;  /* tid; 0: an interrupt */
	const char *name;
	bool exec;
	uint64_t lost;
	uint64_t voluntary, involuntary;
	uint64_t wait_ns; /* of a run delay */
	const char *command_line;
	const char *cgroup;
	int32_t session;
	int64_t uid; /* of facts; 0: unknown, likewise at_cpu and parent */
	int at_cpu;
	void (*call)(struct model *model);
	uint64_t nth; /* entry of the history */
	int of, is;   /* what is checked, and its value */
};

/* Two events in each group, called e0, e1, e2...; all counting. */
static inline void kit_layout(struct layout *layout, size_t groups)
{
	layout_init(layout);
	for (size_t i = 0; i < groups * KIT_MEMBERS; i++) {
		char name[24];

		if (i > 0 && i % KIT_MEMBERS == 0)
			layout_add_group(layout, 0, 1);
		snprintf(name, sizeof(name), "e%zu", i);
		layout_add_event(layout, name);
		layout->events[i].state = groups > 1 ? EVENT_MULTIPLEXED : EVENT_COUNTING;
		layout_add_counter(layout, i / KIT_MEMBERS, i);
	}
}

static inline struct model *kit_model(size_t groups)
{
	struct layout layout;

	kit_layout(&layout, groups);
	struct model *model = model_create(&layout);
	layout_fini(&layout);
	return model;
}

/* Place of event number `index` of the kit's layout: each group's two stand before its members'. */
static inline size_t event_place(size_t index)
{
	return QUANTITY_BUILTIN + index + 2 * (index / KIT_MEMBERS + 1);
}

static inline int32_t kit_pid(const struct step *step)
{
	return step->pid ? step->pid : step->tid;
}

static inline struct record kit_record(enum record_kind kind, const struct step *step)
{
	return (struct record){
		.kind = kind,
		.cpu = step->cpu,
		.pid = kit_pid(step),
		.tid = step->tid,
		.time_ns = step->time ? step->time : step->ns,
	};
}

static inline struct record kit_reading(const struct step *step, bool at_switch)
{
	struct record record = kit_record(RECORD_READING, step);

	record.reading = (struct record_reading){
		.group = step->group,
		.at_switch = at_switch,
		.restarts = step->restarts,
		.has_switch_records = step->has_switch_records,
		.sequence = step->seq,
		.enabled_ns = step->ns,
		.running_ns = step->ns - step->off_ns,
		.values = step->values,
	};
	if (at_switch)
		record.ctx_switch.name = step->name;
	return record;
}

static inline struct record kit_switch(enum record_kind kind, const struct step *step)
{
	const int32_t other = kind == RECORD_SWITCH_OUT ? step->next : step->prev;
	struct record record = kit_record(kind, step);

	record.ctx_switch = (struct record_switch){
		.other_pid = other,
		.other_tid = other,
		.preempted = step->preempted,
		.state = kind == RECORD_SWITCH_IN || step->state < 0 ? TASK_STATE_UNKNOWN
			 : step->state > 0                           ? (uint8_t)step->state
			 : step->preempted                           ? TASK_STATE_RUNNABLE
								     : TASK_STATE_SLEEPING,
	};
	return record;
}

static inline struct record kit_fork(const struct step *step)
{
	struct record record = kit_record(RECORD_FORK, step);

	record.fork = (struct record_fork){step->parent, step->parent};
	return record;
}

static inline struct record kit_comm(const struct step *step)
{
	struct record record = kit_record(RECORD_COMM, step);

	record.comm = (struct record_comm){step->name, step->exec};
	return record;
}

static inline struct record kit_facts(const struct step *step)
{
	struct record record = kit_record(RECORD_PROCINFO, step);

	record.procinfo = (struct record_procinfo){
		.name = step->name,
		.command_line = step->command_line,
		.parent_pid = step->parent ? step->parent : -1,
		.uid = step->uid ? step->uid : -1,
		.cpu = step->at_cpu ? step->at_cpu : -1,
		.cgroup = step->cgroup,
		.session = step->session,
	};
	record.cpu = RECORD_CPU_NONE;
	return record;
}

static inline struct record kit_switch_count(const struct step *step)
{
	struct record record = kit_record(RECORD_SWITCH_COUNT, step);

	record.switch_count = (struct record_switch_count){step->voluntary, step->involuntary};
	return record;
}

static inline struct record kit_run_delay(const struct step *step)
{
	struct record record = kit_record(RECORD_RUN_DELAY, step);

	record.run_delay = (struct record_run_delay){step->wait_ns};
	return record;
}

/* Its pid is not told. */
static inline struct record kit_wakeup(const struct step *step)
{
	struct record record = kit_record(RECORD_WAKEUP, step);

	record.pid = NOBODY;
	record.wakeup.waker_tid = step->waker;
	return record;
}

static inline struct record kit_lost(const struct step *step)
{
	struct record record = kit_record(RECORD_LOST, step);

	record.lost = step->lost;
	return record;
}

/* The records live as long as the block in which they are written. */
#define STEP(...)         (&(const struct step){__VA_ARGS__})
#define sample(...)       kit_reading(STEP(__VA_ARGS__), true)
#define reading(...)      kit_reading(STEP(.tid = NOBODY, __VA_ARGS__), false)
#define task_reading(...) kit_reading(STEP(.cpu = RECORD_CPU_NONE, __VA_ARGS__), false)
#define switch_out(...)   kit_switch(RECORD_SWITCH_OUT, STEP(__VA_ARGS__))
#define switch_in(...)    kit_switch(RECORD_SWITCH_IN, STEP(__VA_ARGS__))
#define forked(...)       kit_fork(STEP(__VA_ARGS__))
#define exited(...)       kit_record(RECORD_EXIT, STEP(__VA_ARGS__))
#define comm(...)         kit_comm(STEP(__VA_ARGS__))
#define facts(...)        kit_facts(STEP(__VA_ARGS__))
#define switch_count(...) kit_switch_count(STEP(.cpu = RECORD_CPU_NONE, __VA_ARGS__))
#define run_delay(...)    kit_run_delay(STEP(.cpu = RECORD_CPU_NONE, __VA_ARGS__))
#define wakeup(...)       kit_wakeup(STEP(__VA_ARGS__))
#define yielded(...)      kit_record(RECORD_YIELD, STEP(__VA_ARGS__))
#define lost(...)         kit_lost(STEP(__VA_ARGS__))
#define throttled(...)    kit_record(RECORD_THROTTLED, STEP(__VA_ARGS__))
#define cpu_online(...)   kit_record(RECORD_CPU_ONLINE, STEP(__VA_ARGS__))
#define cpu_offline(...)  kit_record(RECORD_CPU_OFFLINE, STEP(__VA_ARGS__))

static inline void feed(struct model *model, struct record record)
{
	model_feed(model, &record);
}

/* The first task with this tid, NULL: none. */
static inline const struct snapshot_task *find_task(const struct snapshot *snapshot, int32_t tid)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == tid)
			return &snapshot->tasks[i];
	return NULL;
}

/* Number of the task at a place in the interval; 0 when there is no such task. */
static inline uint64_t task_count(const struct snapshot *snapshot, int32_t tid, size_t place)
{
	const struct snapshot_task *task = find_task(snapshot, tid);

	return task ? task->interval[place] : 0;
}

/*
 * The books of the interval, summed over the CPUs: true when for every place
 * tasks + idle + unattributed = counter. With one CPU it is that CPU's books.
 */
/* Each preemption is one of the task's switches. */
static inline bool preemptions_are_switches(const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const uint64_t *counts = snapshot->tasks[i].interval;

		if (counts[QUANTITY_PREEMPTIONS] > counts[QUANTITY_SWITCHES])
			return false;
	}
	return true;
}

static inline bool books_balance(const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	if (!preemptions_are_switches(snapshot))
		return false;
	for (size_t place = 0; place < width; place++) {
		uint64_t credited = 0, counted = 0;

		for (size_t i = 0; i < snapshot->task_count; i++)
			if (!snapshot->tasks[i].is_held)
				credited += snapshot->tasks[i].interval[place];
		for (size_t i = 0; i < snapshot->cpu_count; i++) {
			credited += snapshot->cpus[i].idle[place] +
				    snapshot->cpus[i].unattributed[place];
			counted += snapshot->cpus[i].counter[place];
		}
		if (credited != counted)
			return false;
	}
	return true;
}

#endif
