/*
 * What the model does with real readings it does with these: what the records contradict it finds
 * out, and the time goes to no task.
 *
 * An idle task that leaves no record of its own (OUT says that it comes, IN that it has left)
 * counts one silently, as the kernel's counter does; the model divides that slice by the times of
 * the records.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"

#include "perfdata/replaying.h"

struct record *replay_out_add(struct replay_out *out, enum record_kind kind, uint64_t time_ns)
{
	struct record *record = out->count == 0 ? out->first : &out->records[out->count];

	*record = (struct record){
		.kind = kind,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = time_ns,
	};
	out->count++;
	return record;
}

enum {
	SWITCH_NS = 1000000 /* all that belongs to a switch comes long before */
};

static struct record_reading clock_reading(struct replay_cpu *cpu, uint64_t time_ns,
					   const uint64_t *values)
{
	/* records that came late must not turn the clock back */
	cpu->last_ns = time_ns > cpu->last_ns ? time_ns : cpu->last_ns;
	return (struct record_reading){
		.group = REPLAY_CLOCK_GROUP,
		.sequence = cpu->sequence,
		.enabled_ns = cpu->last_ns,
		.running_ns = cpu->last_ns,
		.values = values,
	};
}

void replay_cpu_close(struct replay_cpu *cpu, int number, uint64_t time_ns, struct replay_out *out)
{
	const struct record_reading reading = clock_reading(cpu, time_ns, out->values);
	struct record *record = replay_out_add(out, RECORD_READING, cpu->last_ns);

	record->cpu = number;
	record->reading = reading;
}

static void hold_reading(struct replay_cpu *cpu, const struct record_reading *reading)
{
	kept_readings_add(&cpu->readings[cpu->turn], reading, LAYOUT_GROUP_MEMBERS_MAX);
}

static bool holds_group(const struct replay_cpu *cpu, uint16_t group)
{
	const struct kept_readings *readings = &cpu->readings[cpu->turn];

	for (size_t i = 0; i < readings->count; i++)
		if (readings->readings[i].group == group)
			return true;
	return false;
}

static void hold_switch(struct replay_cpu *cpu, const struct record *from)
{
	cpu->held = (struct record){
		.kind = RECORD_SWITCH,
		.cpu = from->cpu,
		.pid = from->pid,
		.tid = from->tid,
		.time_ns = from->time_ns,
		.ctx_switch = {.next_pid = RECORD_TASK_UNKNOWN, .next_tid = RECORD_TASK_UNKNOWN},
	};
	cpu->holds = true;
}

bool replay_cpu_end_switch(struct replay_cpu *cpu, struct replay_out *out)
{
	if (!cpu->holds)
		return false;
	kept_readings_give(&cpu->readings[cpu->turn], &cpu->held.ctx_switch);
	*replay_out_add(out, RECORD_SWITCH, cpu->held.time_ns) = cpu->held;
	cpu->running_tid = cpu->held.ctx_switch.next_tid;
	cpu->holds = false;
	cpu->turn ^= 1;
	return true;
}

static void hold_clock(struct replay_cpu *cpu, uint64_t time_ns, const struct replay_out *out)
{
	const struct record_reading reading = clock_reading(cpu, time_ns, out->values);

	hold_reading(cpu, &reading);
}

struct replay_cpu *replay_cpus_meet(struct replay_cpus *cpus, const struct record *from,
				    struct replay_out *out)
{
	struct replay_cpu *cpu;
	size_t number;

	if (from->cpu < 0 || from->cpu >= TOPOLOGY_CPUS_MAX)
		return NULL;
	number = (size_t)from->cpu;
	array_reserve(&cpus->cpus, &cpus->capacity, number + 1, sizeof(*cpus->cpus));
	for (; cpus->count <= number; cpus->count++)
		cpus->cpus[cpus->count] = (struct replay_cpu){.running_tid = -1};
	cpu = &cpus->cpus[number];
	cpu->is_seen = true;
	replay_cpu_close(cpu, from->cpu, from->time_ns, out);
	return cpu;
}

void replay_cpu_out(struct replay_cpu *cpu, const struct record *from, struct replay_out *out)
{
	hold_switch(cpu, from);
	cpu->held.ctx_switch = from->ctx_switch;
	cpu->sequence++;
	hold_clock(cpu, from->time_ns, out);
	replay_cpu_end_switch(cpu, out);
}

void replay_cpu_in(struct replay_cpu *cpu, const struct record *from, struct replay_out *out)
{
	const int32_t next_tid = from->ctx_switch.next_tid;

	replay_cpu_end_switch(cpu, out);
	if (cpu->running_tid == next_tid)
		return; /* as announced */
	if (cpu->running_tid == 0 && from->tid == 0)
		cpu->sequence++;
	hold_switch(cpu, from);
	cpu->held.ctx_switch = from->ctx_switch;
	if (cpu->running_tid > 0 && cpu->running_tid == from->tid) {
		cpu->sequence++;
		hold_clock(cpu, from->time_ns, out);
	}
	replay_cpu_end_switch(cpu, out);
}

void replay_cpu_read(struct replay_cpu *cpu, const struct record *from, bool is_all,
		     struct replay_out *out)
{
	const struct record_reading *reading = &from->reading;

	if (cpu->holds &&
	    (holds_group(cpu, reading->group) || from->time_ns > cpu->held.time_ns + SWITCH_NS))
		replay_cpu_end_switch(cpu, out);
	if (!cpu->holds) {
		hold_switch(cpu, from);
		if (is_all) {
			cpu->sequence = reading->sequence;
			hold_clock(cpu, from->time_ns, out);
		}
	}
	if (reading->group != REPLAY_CLOCK_GROUP)
		hold_reading(cpu, reading);
}

void replay_cpus_fini(struct replay_cpus *cpus)
{
	for (size_t i = 0; i < cpus->count; i++)
		for (size_t turn = 0; turn < 2; turn++)
			kept_readings_fini(&cpus->cpus[i].readings[turn]);
	free(cpus->cpus);
}

void replay_cpu_lose(struct replay_cpu *cpu, const struct record *from, struct replay_out *out)
{
	replay_cpu_end_switch(cpu, out);
	cpu->running_tid = RECORD_TASK_UNKNOWN;
	replay_cpu_close(cpu, from->cpu, from->time_ns, out);
}

static uint64_t run_ns_at(const struct replay_thread *thread, uint64_t time_ns)
{
	if (thread->since_ns == 0 || time_ns <= thread->since_ns)
		return thread->run_ns;
	return thread->run_ns + (time_ns - thread->since_ns);
}

static void close_thread(struct replay_thread *thread, uint64_t time_ns, struct replay_out *out)
{
	const uint64_t run_ns = run_ns_at(thread, time_ns);
	struct record *record = replay_out_add(out, RECORD_READING, time_ns);

	record->pid = thread->pid;
	record->tid = thread->tid;
	record->reading = (struct record_reading){
		.group = REPLAY_CLOCK_GROUP,
		.restarts = !thread->is_emitted,
		.has_switch_records = !thread->is_emitted,
		.enabled_ns = run_ns,
		.running_ns = run_ns,
		.values = out->values,
	};
	thread->is_emitted = true;
}

struct replay_thread *replay_threads_see(struct replay_threads *threads, const struct record *from,
					 struct replay_out *out)
{
	const bool comes = from->kind == RECORD_SWITCH && !from->ctx_switch.knows_how;
	const int32_t pid = comes ? from->ctx_switch.next_pid : from->pid;
	const int32_t tid = comes ? from->ctx_switch.next_tid : from->tid;
	struct replay_thread *thread;

	if (tid <= 0)
		return NULL;
	thread = map_get(&threads->by_tid, (uint64_t)tid);
	if (!thread) {
		thread = xcalloc(1, sizeof(*thread));
		map_put(&threads->by_tid, (uint64_t)tid, thread);
	}
	if (thread->pid != pid)
		*thread = (struct replay_thread){.pid = pid, .tid = tid};
	/* what it does itself it does while it runs */
	if (!thread->is_known && from->kind != RECORD_FORK && !comes) {
		thread->is_known = true;
		thread->since_ns = from->time_ns;
	}
	if (!thread->is_emitted)
		close_thread(thread, from->time_ns, out);
	return thread;
}

void replay_thread_out(struct replay_thread *thread, const struct record *from,
		       struct replay_out *out)
{
	thread->run_ns = run_ns_at(thread, from->time_ns);
	thread->since_ns = 0;
	thread->is_known = true;
	close_thread(thread, from->time_ns, out);
	*replay_out_add(out, RECORD_SWITCH, from->time_ns) = *from;
}

void replay_thread_in(struct replay_thread *thread, const struct record *from,
		      struct replay_out *out)
{
	thread->run_ns = run_ns_at(thread, from->time_ns);
	thread->since_ns = from->time_ns;
	thread->is_known = true;
	*replay_out_add(out, RECORD_SWITCH, from->time_ns) = *from;
}

void replay_threads_end(struct replay_threads *threads, const struct record *from,
			struct replay_out *out)
{
	struct replay_thread *thread = map_remove(&threads->by_tid, (uint64_t)(uint32_t)from->tid);

	if (thread && thread->since_ns != 0)
		close_thread(thread, from->time_ns, out);
	free(thread);
}

void replay_threads_lose(struct replay_threads *threads)
{
	for (const struct map_slot *each = NULL; (each = map_next(&threads->by_tid, each));) {
		struct replay_thread *thread = each->value;

		thread->since_ns = 0;
		thread->is_known = false;
	}
}

uint64_t replay_threads_run_ns(const struct replay_threads *threads, const struct record *from)
{
	const struct replay_thread *thread =
		map_get(&threads->by_tid, (uint64_t)(uint32_t)from->tid);

	return thread ? run_ns_at(thread, from->time_ns) : 0;
}

bool replay_threads_close_next(struct replay_threads *threads, uint64_t time_ns,
			       struct replay_out *out)
{
	while ((threads->closing = map_next(&threads->by_tid, threads->closing))) {
		struct replay_thread *thread = threads->closing->value;

		if (thread->since_ns == 0)
			continue;
		close_thread(thread, time_ns, out);
		return true;
	}
	return false;
}
