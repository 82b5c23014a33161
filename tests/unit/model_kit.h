#ifndef PERFTOP_TESTS_MODEL_KIT_H
#define PERFTOP_TESTS_MODEL_KIT_H

/*
 * What tests of the model are written with: a layout, builders of records, and ways
 * to look something up in a snapshot.
 *
 *	feed(model, sample(.tid = 7, .seq = 3, .ns = 100, .values = {10, 20}));
 *
 * Defaults: CPU 0, group 0, pid = tid, time = ns (the group's clock).
 *
 * A switch is fed in the parts in which the kernel writes it: a sample of each group, what the
 * outgoing task says (switch_out), and what the incoming one does (switch_in). feed() makes one
 * record of them, as a stream does; what is missing of it stays unknown.
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

static inline struct record kit_reading(const struct step *step)
{
	struct record record = kit_record(RECORD_READING, step);

	record.reading = (struct record_reading){
		.group = step->group,
		.restarts = step->restarts,
		.has_switch_records = step->has_switch_records,
		.sequence = step->seq,
		.enabled_ns = step->ns,
		.running_ns = step->ns - step->off_ns,
		.values = step->values,
	};
	return record;
}

/* Parts of a switch. */
enum {
	KIT_SAMPLE = RECORD_KINDS + 1,
	KIT_OUT,
	KIT_IN
};

static inline struct record kit_sample(const struct step *step, struct record_reading *reading)
{
	struct record record = kit_record((enum record_kind)KIT_SAMPLE, step);

	*reading = kit_reading(step).reading;
	record.ctx_switch = (struct record_switch){
		.next_pid = NOBODY,
		.next_tid = NOBODY,
		.name = step->name,
		.readings = reading,
		.reading_count = 1,
	};
	return record;
}

static inline struct record kit_out(const struct step *step)
{
	struct record record = kit_record((enum record_kind)KIT_OUT, step);

	record.ctx_switch = (struct record_switch){
		.next_pid = step->next,
		.next_tid = step->next,
		.knows_how = true,
		.preempted = step->preempted,
		.state = step->state < 0   ? TASK_STATE_UNKNOWN
			 : step->state > 0 ? (uint8_t)step->state
			 : step->preempted ? TASK_STATE_RUNNABLE
					   : TASK_STATE_SLEEPING,
	};
	return record;
}

static inline struct record kit_in(const struct step *step)
{
	struct record record = kit_record((enum record_kind)KIT_IN, step);

	record.ctx_switch.next_pid = record.pid;
	record.ctx_switch.next_tid = record.tid;
	record.pid = record.tid = step->prev;
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
#define sample(...)       kit_sample(STEP(__VA_ARGS__), &(struct record_reading){0})
#define reading(...)      kit_reading(STEP(.tid = NOBODY, __VA_ARGS__))
#define task_reading(...) kit_reading(STEP(.cpu = RECORD_CPU_NONE, __VA_ARGS__))
#define switch_out(...)   kit_out(STEP(__VA_ARGS__))
#define switch_in(...)    kit_in(STEP(__VA_ARGS__))
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

/* What was fed of a switch of this CPU, and who runs there. */
struct kit_cpu {
	const struct model *model;
	int32_t cpu, running;
	bool is_announced; /* by what the outgoing task said, and by nothing else yet */
	bool has_switch;
	struct record record;
	struct record_reading readings[KIT_GROUPS_MAX];
	uint64_t values[KIT_GROUPS_MAX][KIT_MEMBERS];
};

static inline struct kit_cpu *kit_cpus(void)
{
	static struct kit_cpu cpus[64];

	return cpus;
}

static inline struct kit_cpu *kit_cpu(const struct model *model, int32_t cpu)
{
	struct kit_cpu *found = kit_cpus();

	while (found->model && (found->model != model || found->cpu != cpu))
		found++;
	if (!found->model)
		*found = (struct kit_cpu){.model = model, .cpu = cpu, .running = NOBODY};
	return found;
}

static inline void kit_end_switch(struct model *model, struct kit_cpu *cpu)
{
	if (!cpu->has_switch)
		return;
	cpu->has_switch = false;
	cpu->record.kind = RECORD_SWITCH;
	cpu->record.ctx_switch.readings = cpu->readings;
	cpu->running = cpu->record.ctx_switch.next_tid;
	model_feed(model, &cpu->record);
}

/* What was fed of switches is all that comes. */
static inline void kit_flush(const struct model *model)
{
	for (struct kit_cpu *cpu = kit_cpus(); cpu->model; cpu++)
		if (cpu->model == model)
			kit_end_switch((struct model *)model, cpu);
}

/* The address may be another model's soon. */
static inline void kit_destroy(struct model *model)
{
	struct kit_cpu *end = kit_cpus();

	while (end->model)
		end++;
	for (struct kit_cpu *cpu = kit_cpus(); cpu->model;) {
		if (cpu->model != model) {
			cpu++;
			continue;
		}
		*cpu = *--end;
		end->model = NULL;
	}
	model_destroy(model);
}

/* The other model goes on with what this one knows. */
static inline void kit_pass_on(const struct model *from, const struct model *to)
{
	for (struct kit_cpu *cpu = kit_cpus(); cpu->model; cpu++)
		if (cpu->model == from)
			kit_cpu(to, cpu->cpu)->running = cpu->running;
}

static inline void kit_feed_sample(struct model *model, struct kit_cpu *cpu, struct record record)
{
	const struct record_reading *reading = record.ctx_switch.readings;
	size_t count = cpu->has_switch ? cpu->record.ctx_switch.reading_count : 0;

	for (size_t i = 0; i < count; i++)
		if (cpu->readings[i].group == reading->group) {
			kit_end_switch(model, cpu);
			count = 0;
		}
	if (count == 0)
		cpu->record = record;
	cpu->has_switch = true;
	cpu->readings[count] = *reading;
	memcpy(cpu->values[count], reading->values, sizeof(cpu->values[count]));
	cpu->readings[count].values = cpu->values[count];
	cpu->record.ctx_switch.reading_count = (uint16_t)(count + 1);
	cpu->is_announced = false;
}

static inline void kit_feed_out(struct model *model, struct kit_cpu *cpu, struct record record)
{
	if (cpu->has_switch) {
		record.ctx_switch.reading_count = cpu->record.ctx_switch.reading_count;
		record.ctx_switch.name = cpu->record.ctx_switch.name;
		if (record.tid == NOBODY) {
			record.pid = cpu->record.pid;
			record.tid = cpu->record.tid;
		}
	}
	cpu->record = record;
	cpu->has_switch = true;
	kit_end_switch(model, cpu);
	cpu->is_announced = true;
}

static inline void kit_feed_in(struct model *model, struct kit_cpu *cpu, struct record record)
{
	if (cpu->has_switch) {
		cpu->record.ctx_switch.next_pid = record.ctx_switch.next_pid;
		cpu->record.ctx_switch.next_tid = record.ctx_switch.next_tid;
	} else if (!cpu->is_announced || cpu->running != record.ctx_switch.next_tid) {
		cpu->record = record;
		cpu->has_switch = true;
	}
	kit_end_switch(model, cpu);
	cpu->is_announced = false;
}

/* Who runs on the CPU after a record that is no part of a switch. */
static inline void kit_note(const struct model *model, const struct record *record)
{
	for (struct kit_cpu *cpu = kit_cpus(); cpu->model; cpu++) {
		if (cpu->model != model || cpu->cpu != record->cpu)
			continue;
		if (record->kind == RECORD_LOST || record->kind == RECORD_CPU_ONLINE ||
		    record->kind == RECORD_CPU_OFFLINE)
			cpu->running = NOBODY;
		if (record->kind == RECORD_COMM && record->comm.exec && cpu->running > 0)
			cpu->running = record->tid;
	}
}

static inline void feed(struct model *model, struct record record)
{
	switch ((int)record.kind) {
	case KIT_SAMPLE:
		kit_feed_sample(model, kit_cpu(model, record.cpu), record);
		return;
	case KIT_OUT:
		kit_feed_out(model, kit_cpu(model, record.cpu), record);
		return;
	case KIT_IN:
		kit_feed_in(model, kit_cpu(model, record.cpu), record);
		return;
	case RECORD_FORK:
	case RECORD_EXIT:
	case RECORD_COMM:
	case RECORD_PROCINFO:
	case RECORD_WAKEUP:
	case RECORD_YIELD:
		break;
	default:
		kit_flush(model);
	}
	model_feed(model, &record);
	kit_note(model, &record);
}

/* Before anything is asked of the model; not where a test has names of its own for these. */
#ifndef model_start
#define model_close_interval(model, time_ns)                                                       \
	(kit_flush(model), model_close_interval(model, time_ns))
#define model_start(model, time_ns)        (kit_flush(model), model_start(model, time_ns))
#define model_settle(model, time_ns)       (kit_flush(model), model_settle(model, time_ns))
#define model_history(model)               (kit_flush(model), model_history(model))
#define model_shed(model, shed)            (kit_flush(model), model_shed(model, shed))
#define model_destroy(model)               kit_destroy(model)
#define model_resync(model, listen, to)    (kit_flush(model), model_resync(model, listen, to))
#define model_change_layout(model, layout) (kit_flush(model), model_change_layout(model, layout))
#define model_keep_history(model, count)   (kit_flush(model), model_keep_history(model, count))
#define model_wanted_procinfo(model, refs, max)                                                    \
	(kit_flush(model), model_wanted_procinfo(model, refs, max))
#define model_who_ran(model, refs, max) (kit_flush(model), model_who_ran(model, refs, max))
#define model_hold(model, ...)          (kit_flush(model), model_hold(model, __VA_ARGS__))
#endif

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

/* What is entered for tasks only. */
static inline bool is_of_life(size_t place)
{
	return place >= QUANTITY_LIFE_NS && place <= QUANTITY_UNSURE_NS;
}

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

/*
 * The books of the interval, summed over the CPUs: true when for every place
 * tasks + idle + unattributed = counter. With one CPU it is that CPU's books.
 */
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
		if (credited != counted && !is_of_life(place))
			return false;
	}
	return true;
}

static inline bool is_listed_active(const struct snapshot *snapshot,
				    const struct snapshot_task *task)
{
	for (size_t i = 0; i < snapshot->active_count; i++)
		if (snapshot_active_task(snapshot, i) == task)
			return true;
	return false;
}

/* Those that have counts, and those that have ended, are all listed. */
static inline bool active_are_listed(const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if ((task->has_counts || task->is_exited) && !task->is_held &&
		    !is_listed_active(snapshot, task))
			return false;
	}
	return true;
}

#endif
