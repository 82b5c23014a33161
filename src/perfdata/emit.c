/*
 * Readings:
 *
 *	of a CPU at its switches      a reading, as it is
 *	of a task at its switches     the task's own sums: what each of its counters (there is one
 *	                              for each CPU) has gone on by is added up
 *	others, and periods           RECORD_ESTIMATE
 */
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"

#include "perfdata/reader.h"
#include "perfdata/replaying.h"

/* What a counter has shown last. */
struct counter_state {
	uint64_t id, value, off_ns, running_ns;
	int32_t tid;
};

/* What a group of a thread has counted so far. */
struct thread_sums {
	int32_t pid, tid;
	bool is_emitted;
	uint64_t values[LAYOUT_GROUP_MEMBERS_MAX];
	uint64_t off_ns; /* in which it ran and they were not counted */
};

static bool has_switches(const struct replay_events *events)
{
	return events->reports_switches || events->traces_switches;
}

static struct record *add_record_of(struct replay_perf *perf, enum record_kind kind,
				    const struct record *from)
{
	struct record *record = replay_out_add(&perf->out, kind, from->time_ns);

	record->cpu = from->cpu >= 0 && from->cpu < TOPOLOGY_CPUS_MAX ? from->cpu : RECORD_CPU_NONE;
	record->pid = from->pid;
	record->tid = from->tid;
	return record;
}

/* The record as it is. */
static void pass_on(struct replay_perf *perf, const struct record *from)
{
	struct record *record = add_record_of(perf, from->kind, from);
	const int32_t cpu = record->cpu;

	*record = *from;
	record->cpu = cpu;
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

static struct counter_state *counter_state_of(struct replay_perf *perf, uint64_t id, int32_t tid)
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

/* How far a counter has gone on since it was read last, and for how long others had its place. */
struct counter_step {
	uint64_t value, off_ns, running_ns;
};

static struct counter_step take_step(struct replay_perf *perf, const struct queued *queued,
				     const struct queued_value *value)
{
	struct counter_state *state = counter_state_of(perf, value->id, queued->record.tid);
	const struct record_reading *reading = &queued->record.reading;
	const uint64_t running_ns = queued->has_times ? reading->running_ns : 0;
	const uint64_t off_ns = queued->has_times && running_ns < reading->enabled_ns
					? reading->enabled_ns - running_ns
					: 0;
	const struct counter_step step = {
		.value = value->value >= state->value ? value->value - state->value : 0,
		.off_ns = off_ns > state->off_ns ? off_ns - state->off_ns : 0,
		.running_ns = running_ns > state->running_ns ? running_ns - state->running_ns : 0,
	};

	perf->broken += value->value < state->value;
	state->value = value->value;
	state->off_ns = off_ns;
	state->running_ns = running_ns;
	return step;
}

/* An estimate is of the whole time: events of groups that take turns are compared with each other.
 */
static uint64_t scale_step(const struct counter_step *step)
{
	const double off =
		step->running_ns > 0 ? (double)step->off_ns / (double)step->running_ns : 0;

	return step->value + (uint64_t)((double)step->value * off);
}

static void add_estimate(struct replay_perf *perf, const struct record *from, size_t index,
			 uint64_t value)
{
	const struct replay_event *event = &perf->events.events[index];
	struct record *record;

	if (event->group < 0 || value == 0)
		return;
	if (perf->events.is_system && (from->cpu < 0 || from->cpu >= TOPOLOGY_CPUS_MAX)) {
		perf->nowhere++;
		return;
	}
	record = add_record_of(perf, RECORD_ESTIMATE, from);
	if (!perf->events.is_system)
		record->cpu = RECORD_CPU_NONE;
	record->estimate = (struct record_estimate){
		.group = (uint16_t)event->group,
		.member = event->member,
		.value = value,
		.run_ns = (int)index == perf->events.run_event ? value : 0,
	};
}

/* The event of a value that was read; -1: none that is known. */
static long event_of_value(struct replay_perf *perf, const struct queued_value *value)
{
	const long index = perfdata_find_event(perf->file, value->id);

	return index < (long)perf->events.count ? index : -1;
}

/* Of each event that has a place the step of its counter; of several counters the first. */
static void emit_estimates(struct replay_perf *perf, const struct queued *queued)
{
	for (uint32_t i = 0; i < queued->value_count; i++) {
		const long index = event_of_value(perf, &queued->values[i]);
		struct counter_step taken;
		uint64_t step;

		if (index < 0 || (size_t)index >= perf->events.laid)
			continue;
		taken = take_step(perf, queued, &queued->values[i]);
		step = scale_step(&taken);
		add_estimate(perf, &queued->record, (size_t)index, step);
		if (index == queued->event) {
			perf->has_step = true;
			perf->step = step;
		}
	}
}

static struct record_reading reading_of_queued(const struct replay_perf *perf,
					       const struct queued *queued, int group)
{
	const struct record *from = &queued->record;

	return (struct record_reading){
		.group = (uint16_t)group,
		.enabled_ns = queued->has_times ? from->reading.enabled_ns : from->time_ns,
		.running_ns = queued->has_times ? from->reading.running_ns : from->time_ns,
		.values = perf->out.values,
	};
}

static struct record *add_group_reading(struct replay_perf *perf, const struct queued *queued,
					int group)
{
	struct record *record = add_record_of(perf, RECORD_READING, &queued->record);

	record->cpu = RECORD_CPU_NONE;
	record->reading = reading_of_queued(perf, queued, group);
	return record;
}

/* Puts the values in the order of the layout. False: one is missing. */
static bool take_values(struct replay_perf *perf, const struct queued *queued, int group,
			uint64_t *sequence)
{
	const struct event_group *members = &perf->source->layout.groups[group];
	uint64_t found = 0; /* members, a bit each: one id may come twice, and another not at all */

	for (uint32_t i = 0; i < queued->value_count; i++) {
		const long index = event_of_value(perf, &queued->values[i]);
		const struct replay_event *event;

		if (index < 0)
			continue;
		event = &perf->events.events[index];
		if (event->is_switch_leader && event->group == group)
			*sequence = queued->values[i].value;
		if (!event->is_exact || event->group != group)
			continue;
		perf->out.values[event->member] = queued->values[i].value;
		found |= UINT64_C(1) << event->member;
	}
	return found == (UINT64_C(1) << members->count) - 1;
}

static void emit_cpu_reading(struct replay_perf *perf, const struct queued *queued, int group)
{
	const struct record *from = &queued->record;
	struct replay_cpu *cpu = replay_cpus_see(&perf->cpus, from, &perf->out);
	uint64_t sequence = 0;
	struct record record;

	if (!cpu) {
		perf->nowhere++;
		return;
	}
	if (!take_values(perf, queued, group, &sequence)) {
		perf->broken++;
		return;
	}
	record = *from;
	record.reading = reading_of_queued(perf, queued, group);
	record.reading.sequence = sequence;
	replay_cpu_read(cpu, &record, !has_switches(&perf->events), &perf->out);
}

static struct thread_sums *sums_of(struct replay_perf *perf, const struct queued *queued, int group)
{
	const uint64_t key = (uint64_t)(uint32_t)queued->record.tid << 16 | (uint64_t)group;
	struct thread_sums *sums = map_get(&perf->sums, key);

	if (!sums) {
		sums = xcalloc(1, sizeof(*sums));
		map_put(&perf->sums, key, sums);
	}
	if (sums->pid != queued->record.pid || sums->tid != queued->record.tid)
		*sums = (struct thread_sums){.pid = queued->record.pid, .tid = queued->record.tid};
	return sums;
}

/* The first reading of a thread says from where on it is counted: from nothing. */
static void emit_first(struct replay_perf *perf, const struct queued *queued, int group)
{
	static const uint64_t zeros[LAYOUT_GROUP_MEMBERS_MAX];
	struct record *record = add_group_reading(perf, queued, group);

	record->reading.enabled_ns = record->reading.running_ns = 0;
	record->reading.values = zeros;
}

static void emit_thread_reading(struct replay_perf *perf, const struct queued *queued, int group)
{
	struct thread_sums *sums;
	struct record *record;
	struct counter_step step = {0};
	uint64_t run_ns;

	if (queued->record.tid <= 0)
		return;
	sums = sums_of(perf, queued, group);
	if (!sums->is_emitted)
		emit_first(perf, queued, group);
	sums->is_emitted = true;
	for (uint32_t i = 0; i < queued->value_count; i++) {
		const long index = event_of_value(perf, &queued->values[i]);

		step = take_step(perf, queued, &queued->values[i]);
		if (index >= 0 && perf->events.events[index].is_exact &&
		    perf->events.events[index].group == group)
			sums->values[perf->events.events[index].member] += step.value;
	}
	sums->off_ns += step.off_ns; /* the same for all of a group */
	run_ns = replay_threads_run_ns(&perf->threads, &queued->record);
	memcpy(perf->out.values, sums->values, sizeof(sums->values));
	record = add_group_reading(perf, queued, group);
	record->reading.enabled_ns = run_ns;
	record->reading.running_ns = run_ns > sums->off_ns ? run_ns - sums->off_ns : 0;
}

static void emit_sample_reading(struct replay_perf *perf, const struct queued *queued)
{
	const struct replay_event *event = &perf->events.events[queued->event];

	if (!event->is_switch_leader)
		emit_estimates(perf, queued);
	else if (event->group < 0)
		return;
	else if (perf->events.is_system)
		emit_cpu_reading(perf, queued, event->group);
	else
		emit_thread_reading(perf, queued, event->group);
}

/* A tracepoint reports both sides at once; of the incoming task only the thread. */
static void emit_traced_switch(struct replay_perf *perf, const struct queued *queued)
{
	const struct record *from = &queued->record;
	struct replay_cpu *cpu = replay_cpus_see(&perf->cpus, from, &perf->out);
	struct record record = {.cpu = from->cpu, .time_ns = from->time_ns};

	if (!cpu)
		return;
	record.pid = from->pid;
	record.tid = from->tid;
	record.ctx_switch = (struct record_switch){
		.next_pid = pid_of(perf, queued->role_tid),
		.next_tid = queued->role_tid,
		.knows_how = true,
		.preempted = queued->role_state == TASK_STATE_RUNNABLE,
		.state = queued->role_state,
	};
	replay_cpu_out(cpu, &record, &perf->out);
}

static int32_t find_waker(const struct replay_perf *perf, const struct queued *queued)
{
	if (!perf->events.events[queued->event].is_of_waker)
		return RECORD_TASK_UNKNOWN;
	return queued->is_in_interrupt ? 0 : queued->record.tid;
}

static void emit_role(struct replay_perf *perf, const struct queued *queued)
{
	struct record *record;

	switch ((enum replay_role)queued->role) {
	case REPLAY_ROLE_SWITCH:
		if (perf->events.traces_switches)
			emit_traced_switch(perf, queued);
		break;
	case REPLAY_ROLE_WAKING:
	case REPLAY_ROLE_NEWBORN:
		if (!perf->events.reports_waking)
			break;
		record = add_record_of(perf, RECORD_WAKEUP, &queued->record);
		record->pid = RECORD_TASK_UNKNOWN;
		record->tid = queued->role_tid;
		record->wakeup.waker_tid = find_waker(perf, queued);
		break;
	case REPLAY_ROLE_YIELD:
		add_record_of(perf, RECORD_YIELD, &queued->record);
		break;
	case REPLAY_ROLE_NONE:
		break;
	}
}

static void emit_count(struct replay_perf *perf, const struct queued *queued)
{
	const struct record *from = &queued->record;

	if (perf->events.traces_switches)
		know_pid(perf, from->pid, from->tid);
	if (perf->events.is_system && has_switches(&perf->events))
		replay_cpus_see(&perf->cpus, from, &perf->out);
	else if (perf->events.reports_switches)
		replay_threads_see(&perf->threads, from, &perf->out);
	perf->has_step = false;
	/* what was counted was so before the switch that the sample may report */
	if (from->kind == RECORD_READING)
		emit_sample_reading(perf, queued);
	else
		add_estimate(perf, from, queued->event, from->estimate.value);
	emit_role(perf, queued);
}

static void emit_switch_record(struct replay_perf *perf, const struct queued *queued)
{
	const struct record *from = &queued->record;
	const bool is_out = from->ctx_switch.knows_how;
	struct replay_thread *thread = NULL;
	struct replay_cpu *cpu;

	if (queued->is_cpu_wide) {
		cpu = replay_cpus_see(&perf->cpus, from, &perf->out);
		if (cpu)
			(is_out ? replay_cpu_out : replay_cpu_in)(cpu, from, &perf->out);
		return;
	}
	if (!perf->events.is_system)
		thread = replay_threads_see(&perf->threads, from, &perf->out);
	if (thread)
		(is_out ? replay_thread_out : replay_thread_in)(thread, from, &perf->out);
}

static const struct record_procinfo no_procinfo = {.parent_pid = -1, .uid = -1, .cpu = -1};

/* What perf says of tasks that were there before: first the parent, then the name. */
static void introduce_task(struct replay_perf *perf, const struct record *from)
{
	struct record *record;

	if (from->kind == RECORD_FORK) {
		perf->introduced_tid = from->tid;
		perf->introduced_parent = from->fork.parent_pid;
		return;
	}
	record = add_record_of(perf, RECORD_PROCINFO, from);
	record->cpu = RECORD_CPU_NONE;
	record->time_ns = perf->now_ns;
	record->procinfo = no_procinfo;
	record->procinfo.name = from->comm.name;
	if (perf->introduced_tid == from->tid && from->tid == from->pid)
		record->procinfo.parent_pid = perf->introduced_parent;
	/* kthreadd bears the kernel's */
	record->procinfo.is_kernel_thread = record->procinfo.parent_pid == 2 || from->pid == 2;
}

static void emit_cgroup_of(struct replay_perf *perf, const struct record *from)
{
	struct record *record = add_record_of(perf, RECORD_PROCINFO, from);

	record->cpu = RECORD_CPU_NONE;
	record->procinfo = no_procinfo;
	record->procinfo.cgroup = from->procinfo.cgroup;
}

static void emit_fork(struct replay_perf *perf, const struct record *from)
{
	know_pid(perf, from->pid, from->tid);
	if (from->time_ns == 0) {
		introduce_task(perf, from);
		return;
	}
	if (from->pid != from->fork.parent_pid)
		replay_emit_change(perf, from);
	pass_on(perf, from);
}

static void emit_task_exit(struct replay_perf *perf, const struct record *from)
{
	/* its last switch is not reported, since its counters are gone by then */
	if (!perf->events.is_system)
		replay_threads_end(&perf->threads, from, &perf->out);
	if (from->pid == from->tid)
		replay_emit_change(perf, from);
	pass_on(perf, from);
}

static void emit_comm(struct replay_perf *perf, const struct record *from)
{
	know_pid(perf, from->pid, from->tid);
	if (from->time_ns == 0) {
		introduce_task(perf, from);
		return;
	}
	if (!perf->events.is_system && perf->events.reports_switches && from->comm.exec)
		replay_threads_see(&perf->threads, from, &perf->out);
	if (from->comm.exec)
		replay_emit_change(perf, from);
	pass_on(perf, from);
}

/* At the end perf says how many of each event were lost; most of them were reported before. */
static void emit_lost_sum(struct replay_perf *perf, const struct record *from)
{
	const uint64_t known =
		perf->lost_reported > perf->lost_summed ? perf->lost_reported : perf->lost_summed;
	struct record *record;

	perf->lost_summed += from->lost;
	if (perf->lost_summed <= known)
		return;
	record = add_record_of(perf, RECORD_LOST, from);
	record->time_ns = perf->now_ns;
	record->lost = perf->lost_summed - known;
}

static void emit_lost_record(struct replay_perf *perf, const struct record *from)
{
	struct record *record;
	struct replay_cpu *cpu;

	perf->lost_reported += from->lost;
	record = add_record_of(perf, RECORD_LOST, from);
	record->lost = from->lost;
	if (!perf->events.is_system) {
		record->cpu = RECORD_CPU_NONE;
		replay_threads_lose(&perf->threads);
	} else if (has_switches(&perf->events)) {
		cpu = replay_cpus_see(&perf->cpus, from, &perf->out);
		if (cpu)
			replay_cpu_lose(cpu, from, &perf->out);
	}
}

void replay_emit(struct replay_perf *perf, const struct queued *queued)
{
	const struct record *from = &queued->record;

	perf->has_emitted = true;
	perf->now_ns = from->time_ns > perf->now_ns ? from->time_ns : perf->now_ns;
	perf->first_ns = perf->first_ns > 0 ? perf->first_ns : perf->now_ns;
	perf->source->settled_ns = perf->now_ns;
	switch (from->kind) {
	case RECORD_ESTIMATE:
	case RECORD_READING:
		emit_count(perf, queued);
		break;
	case RECORD_SWITCH:
		emit_switch_record(perf, queued);
		break;
	case RECORD_FORK:
		emit_fork(perf, from);
		break;
	case RECORD_EXIT:
		emit_task_exit(perf, from);
		break;
	case RECORD_COMM:
		emit_comm(perf, from);
		break;
	case RECORD_LOST:
		(queued->is_sum ? emit_lost_sum : emit_lost_record)(perf, from);
		break;
	case RECORD_THROTTLED:
		pass_on(perf, from);
		break;
	case RECORD_SAMPLE:
		(from->sample.kind == SAMPLE_BRANCH ? replay_emit_branches
						    : replay_emit_sample)(perf, queued);
		break;
	case RECORD_MAPPING:
		replay_emit_mapping(perf, queued);
		break;
	case RECORD_PROCINFO:
		emit_cgroup_of(perf, from);
		break;
	case RECORD_SWITCH_COUNT:
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
	case RECORD_WAKEUP:
	case RECORD_YIELD:
	case RECORD_RUN_DELAY:
	case RECORD_SHED:
	case RECORD_SETTLED:
	case RECORD_UNREAD:
	case RECORD_CPU_TIMES:
	case RECORD_STALLS:
	case RECORD_SITE:
	case RECORD_SLEEP:
	case RECORD_CPU_USE:
	case RECORD_INTERRUPT:
	case RECORD_SLICE:
	case RECORD_KINDS:
		break; /* perf has none */
	}
}
