/*
 * Readings:
 *
 *	of a CPU at its switches      a reading, as it is
 *	of a task at its switches     the task's own sums: what each of its counters (there is one
 *	                              for each CPU) has gone on by is added up
 *	others, and periods           RECORD_ESTIMATE
 */
#include "source/replay/tell.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/replay/perf.h"

/* What a counter has shown last. */
struct counter_state {
	uint64_t id, value, enabled_ns, running_ns;
	int32_t tid;
};

/* What a group of a thread has counted so far. */
struct thread_sums {
	int32_t pid, tid;
	bool is_told;
	uint64_t values[LAYOUT_GROUP_MEMBERS_MAX];
};

static bool has_switches(const struct replay_events *events)
{
	return events->tells_switches || events->traces_switches;
}

static struct record *add(struct replay_perf *perf, enum record_kind kind, const struct item *item)
{
	struct record *record = replay_out_add(&perf->out, kind, item->time_ns);

	record->cpu = item->cpu >= 0 && item->cpu < REPLAY_CPUS_MAX ? item->cpu : RECORD_CPU_NONE;
	record->pid = item->pid;
	record->tid = item->tid;
	return record;
}

static void know_pid(struct replay_perf *perf, int32_t pid, int32_t tid)
{
	if (pid > 0 && tid > 0)
		map_put(&perf->pids, (uint64_t)tid, (void *)(uintptr_t)pid);
}

static int32_t pid_of(const struct replay_perf *perf, int32_t tid)
{
	const uintptr_t pid = tid > 0 ? (uintptr_t)map_get(&perf->pids, (uint64_t)tid) : 0;

	if (tid == 0)
		return 0;
	return pid > 0 ? (int32_t)pid : RECORD_TASK_UNKNOWN;
}

static struct counter_state *state_of(struct replay_perf *perf, uint64_t id, int32_t tid)
{
	const int32_t owner = perf->events.is_system ? 0 : tid;
	const uint64_t key = id * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)owner;
	struct counter_state *state = map_get(&perf->counters, key);

	if (!state) {
		state = xcalloc(1, sizeof(*state));
		state->id = id;
		state->tid = owner;
		map_put(&perf->counters, key, state);
	}
	if (state->id != id || state->tid != owner)
		*state = (struct counter_state){.id = id, .tid = owner};
	return state;
}

/*
 * How far a counter has gone on since it was read last. With times it is what it would have been
 * had it not been shared.
 */
static uint64_t step_of(struct replay_perf *perf, const struct item *item,
			const struct item_value *value)
{
	struct counter_state *state = state_of(perf, value->id, item->tid);
	uint64_t step = value->value - state->value;
	const uint64_t enabled_ns = item->enabled_ns - state->enabled_ns;
	const uint64_t running_ns = item->running_ns - state->running_ns;

	if (value->value < state->value) {
		perf->broken++;
		step = 0;
	} else if (item->has_times && running_ns > 0 && running_ns < enabled_ns &&
		   item->enabled_ns >= state->enabled_ns) {
		step = (uint64_t)((double)step * ((double)enabled_ns / (double)running_ns));
	}
	state->value = value->value;
	state->enabled_ns = item->enabled_ns;
	state->running_ns = item->running_ns;
	return step;
}

static void add_estimate(struct replay_perf *perf, const struct item *item, size_t index,
			 uint64_t value)
{
	const struct replay_event *event = &perf->events.events[index];
	struct record *record;

	if (event->group < 0 || value == 0)
		return;
	if (perf->events.is_system && (item->cpu < 0 || item->cpu >= REPLAY_CPUS_MAX)) {
		perf->nowhere++;
		return;
	}
	record = add(perf, RECORD_ESTIMATE, item);
	if (!perf->events.is_system)
		record->cpu = RECORD_CPU_NONE;
	record->estimate = (struct record_estimate){
		.group = (uint16_t)event->group,
		.member = event->member,
		.value = value,
		.run_ns = (int)index == perf->events.run_event ? value : 0,
	};
}

/* Of each event that has a place the step of its counter; of several counters the first. */
static void tell_estimates(struct replay_perf *perf, const struct item *item)
{
	for (uint32_t i = 0; i < item->value_count; i++) {
		const int index = replay_events_find(&perf->events, item->values[i].id);

		if (index >= 0 && (size_t)index < perf->events.laid)
			add_estimate(perf, item, (size_t)index,
				     step_of(perf, item, &item->values[i]));
	}
}

static struct record *add_reading(struct replay_perf *perf, const struct item *item, int group)
{
	struct record *record = add(perf, RECORD_READING, item);

	record->reading = (struct record_reading){
		.group = (uint16_t)group,
		.enabled_ns = item->has_times ? item->enabled_ns : item->time_ns,
		.running_ns = item->has_times ? item->running_ns : item->time_ns,
		.values = perf->out.values,
	};
	return record;
}

/* Puts the values in the order of the layout. False: one is missing. */
static bool take_values(struct replay_perf *perf, const struct item *item, int group,
			uint64_t *sequence)
{
	const struct event_group *members = &perf->source->layout.groups[group];
	size_t found = 0;

	for (uint32_t i = 0; i < item->value_count; i++) {
		const int index = replay_events_find(&perf->events, item->values[i].id);
		const struct replay_event *event;

		if (index < 0)
			continue;
		event = &perf->events.events[index];
		if (event->is_switch_leader && event->group == group)
			*sequence = item->values[i].value;
		if (!event->is_exact || event->group != group)
			continue;
		perf->out.values[event->member] = item->values[i].value;
		found++;
	}
	return found == members->count;
}

static void tell_cpu_reading(struct replay_perf *perf, const struct item *item, int group)
{
	struct replay_cpu *cpu = replay_cpus_see(&perf->cpus, item, &perf->out);
	uint64_t sequence = 0;
	struct record *record;

	if (!cpu) {
		perf->nowhere++;
		return;
	}
	if (!take_values(perf, item, group, &sequence)) {
		perf->broken++;
		return;
	}
	if (!has_switches(&perf->events))
		replay_cpu_read(cpu, item, sequence, &perf->out);
	record = add_reading(perf, item, group);
	record->reading.at_switch = true;
	record->reading.sequence = sequence;
}

static struct thread_sums *sums_of(struct replay_perf *perf, const struct item *item, int group)
{
	const uint64_t key = (uint64_t)(uint32_t)item->tid << 16 | (uint64_t)group;
	struct thread_sums *sums = map_get(&perf->sums, key);

	if (!sums) {
		sums = xcalloc(1, sizeof(*sums));
		map_put(&perf->sums, key, sums);
	}
	if (sums->pid != item->pid || sums->tid != item->tid)
		*sums = (struct thread_sums){.pid = item->pid, .tid = item->tid};
	return sums;
}

/* The first reading of a thread says from where on it is counted: from nothing. */
static void tell_first(struct replay_perf *perf, const struct item *item, int group)
{
	static const uint64_t zeros[LAYOUT_GROUP_MEMBERS_MAX];
	struct record *record = add_reading(perf, item, group);

	record->cpu = RECORD_CPU_NONE;
	record->reading.enabled_ns = record->reading.running_ns = 0;
	record->reading.values = zeros;
}

static void tell_thread_reading(struct replay_perf *perf, const struct item *item, int group)
{
	struct thread_sums *sums;
	struct record *record;
	uint64_t run_ns;

	if (item->tid <= 0)
		return;
	sums = sums_of(perf, item, group);
	if (!sums->is_told)
		tell_first(perf, item, group);
	sums->is_told = true;
	for (uint32_t i = 0; i < item->value_count; i++) {
		const int index = replay_events_find(&perf->events, item->values[i].id);
		const uint64_t step = step_of(perf, item, &item->values[i]);

		if (index >= 0 && perf->events.events[index].is_exact &&
		    perf->events.events[index].group == group)
			sums->values[perf->events.events[index].member] += step;
	}
	run_ns = replay_threads_run_ns(&perf->threads, item);
	memcpy(perf->out.values, sums->values, sizeof(sums->values));
	record = add_reading(perf, item, group);
	record->cpu = RECORD_CPU_NONE;
	record->reading.enabled_ns = record->reading.running_ns = run_ns;
}

static void tell_reading(struct replay_perf *perf, const struct item *item)
{
	const struct replay_event *event = &perf->events.events[item->event];

	if (!event->is_switch_leader)
		tell_estimates(perf, item);
	else if (event->group < 0)
		return;
	else if (perf->events.is_system)
		tell_cpu_reading(perf, item, event->group);
	else
		tell_thread_reading(perf, item, event->group);
}

/* A tracepoint reports both sides at once; of the incoming task only the thread. */
static void tell_traced_switch(struct replay_perf *perf, const struct item *item)
{
	struct replay_cpu *cpu = replay_cpus_see(&perf->cpus, item, &perf->out);
	struct item out = {.time_ns = item->time_ns};

	if (!cpu)
		return;
	out.cpu = item->cpu;
	out.pid = item->pid;
	out.tid = item->tid;
	out.other_pid = pid_of(perf, item->other_tid);
	out.other_tid = item->other_tid;
	out.flag = item->flag;
	replay_cpu_out(cpu, &out, &perf->out);

	struct item in = out;
	in.pid = out.other_pid;
	in.tid = out.other_tid;
	in.other_pid = out.pid;
	in.other_tid = out.tid;
	replay_cpu_in(cpu, &in, &perf->out);
}

static void tell_role(struct replay_perf *perf, const struct item *item)
{
	struct record *record;

	switch ((enum replay_role)item->role) {
	case REPLAY_ROLE_SWITCH:
		if (perf->events.traces_switches)
			tell_traced_switch(perf, item);
		break;
	case REPLAY_ROLE_WAKING:
	case REPLAY_ROLE_NEWBORN:
		if (!perf->events.tells_waking)
			break;
		record = add(perf, RECORD_WAKEUP, item);
		record->pid = RECORD_TASK_UNKNOWN;
		record->tid = item->other_tid;
		break;
	case REPLAY_ROLE_YIELD:
		add(perf, RECORD_YIELD, item);
		break;
	case REPLAY_ROLE_NONE:
		break;
	}
}

static void tell_sample(struct replay_perf *perf, const struct item *item)
{
	if (perf->events.traces_switches)
		know_pid(perf, item->pid, item->tid);
	if (perf->events.is_system && has_switches(&perf->events))
		replay_cpus_see(&perf->cpus, item, &perf->out);
	else if (perf->events.tells_switches)
		replay_threads_see(&perf->threads, item, &perf->out);
	/* what was counted was so before the switch that the sample may report */
	if (item->kind == ITEM_READ)
		tell_reading(perf, item);
	else
		add_estimate(perf, item, item->event, item->value);
	tell_role(perf, item);
}

static void tell_switch(struct replay_perf *perf, const struct item *item)
{
	const bool is_out = item->kind == ITEM_SWITCH_OUT;
	struct replay_thread *thread;
	struct replay_cpu *cpu;

	if (item->is_cpu_wide) {
		cpu = replay_cpus_see(&perf->cpus, item, &perf->out);
		if (cpu)
			(is_out ? replay_cpu_out : replay_cpu_in)(cpu, item, &perf->out);
		return;
	}
	thread = perf->events.is_system ? NULL
					: replay_threads_see(&perf->threads, item, &perf->out);
	if (!thread)
		return;
	(is_out ? replay_thread_out : replay_thread_in)(thread, item, &perf->out);
}

static const struct record_procinfo no_facts = {.parent_pid = -1, .uid = -1, .cpu = -1};

/* What perf says of tasks that were there before: first the parent, then the name. */
static void introduce(struct replay_perf *perf, const struct item *item)
{
	struct record *record;

	if (item->kind == ITEM_FORK) {
		perf->introduced_tid = item->tid;
		perf->introduced_parent = item->other_pid;
		return;
	}
	record = add(perf, RECORD_PROCINFO, item);
	record->cpu = RECORD_CPU_NONE;
	record->time_ns = perf->now_ns;
	record->procinfo = no_facts;
	memcpy(perf->out.name, item->name, sizeof(perf->out.name));
	record->procinfo.name = perf->out.name;
	if (perf->introduced_tid == item->tid && item->tid == item->pid)
		record->procinfo.parent_pid = perf->introduced_parent;
	/* kthreadd bears the kernel's */
	record->procinfo.is_kernel_thread = record->procinfo.parent_pid == 2 || item->pid == 2;
}

static void tell_birth(struct replay_perf *perf, const struct item *item)
{
	struct record *record;

	know_pid(perf, item->pid, item->tid);
	if (item->time_ns == 0) {
		introduce(perf, item);
		return;
	}
	record = add(perf, RECORD_FORK, item);
	record->fork = (struct record_fork){item->other_pid, item->other_tid};
}

static void tell_death(struct replay_perf *perf, const struct item *item)
{
	struct record *record;

	/* its last switch is not reported, since its counters are gone by then */
	if (!perf->events.is_system)
		replay_threads_end(&perf->threads, item, &perf->out);
	record = add(perf, RECORD_EXIT, item);
	record->fork = (struct record_fork){item->other_pid, item->other_tid};
}

static void tell_name(struct replay_perf *perf, const struct item *item)
{
	struct record *record;

	know_pid(perf, item->pid, item->tid);
	if (item->time_ns == 0) {
		introduce(perf, item);
		return;
	}
	if (!perf->events.is_system && perf->events.tells_switches && item->flag)
		replay_threads_see(&perf->threads, item, &perf->out);
	memcpy(perf->out.name, item->name, sizeof(perf->out.name));
	record = add(perf, RECORD_COMM, item);
	record->comm = (struct record_comm){.name = perf->out.name, .exec = item->flag};
}

/* At the end perf says how many of each event were lost; most of them were reported before. */
static void tell_lost_sum(struct replay_perf *perf, const struct item *item)
{
	const uint64_t known =
		perf->lost_told > perf->lost_summed ? perf->lost_told : perf->lost_summed;
	struct record *record;

	perf->lost_summed += item->value;
	if (perf->lost_summed <= known)
		return;
	record = add(perf, RECORD_LOST, item);
	record->time_ns = perf->now_ns;
	record->lost = perf->lost_summed - known;
}

static void tell_lost(struct replay_perf *perf, const struct item *item)
{
	struct record *record;
	struct replay_cpu *cpu;

	if (item->flag) {
		tell_lost_sum(perf, item);
		return;
	}
	perf->lost_told += item->value;
	record = add(perf, RECORD_LOST, item);
	record->lost = item->value;
	if (!perf->events.is_system) {
		record->cpu = RECORD_CPU_NONE;
		replay_threads_lose(&perf->threads);
	} else if (has_switches(&perf->events)) {
		cpu = replay_cpus_see(&perf->cpus, item, &perf->out);
		if (cpu)
			replay_cpu_lose(cpu, item, &perf->out);
	}
}

void replay_tell(struct replay_perf *perf, const struct item *item)
{
	perf->has_told = true;
	perf->now_ns = item->time_ns > perf->now_ns ? item->time_ns : perf->now_ns;
	perf->first_ns = perf->first_ns > 0 ? perf->first_ns : perf->now_ns;
	perf->source->settled_ns = perf->now_ns;
	switch ((enum item_kind)item->kind) {
	case ITEM_SAMPLE:
	case ITEM_READ:
		tell_sample(perf, item);
		break;
	case ITEM_SWITCH_OUT:
	case ITEM_SWITCH_IN:
		tell_switch(perf, item);
		break;
	case ITEM_FORK:
		tell_birth(perf, item);
		break;
	case ITEM_EXIT:
		tell_death(perf, item);
		break;
	case ITEM_COMM:
		tell_name(perf, item);
		break;
	case ITEM_LOST:
		tell_lost(perf, item);
		break;
	case ITEM_THROTTLED:
		add(perf, RECORD_THROTTLED, item);
		break;
	case ITEM_NOTHING:
		break;
	}
}
