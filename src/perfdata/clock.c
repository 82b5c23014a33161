/*
 * What the model does with real readings it does with these: a jump in the sequence says that an
 * unknown task ran, so wherever records contradict each other the sequence is made to jump, and the
 * time goes to no task.
 *
 * An idle task that leaves no record of its own (OUT says that it comes, IN that it has left)
 * counts one silently, as the kernel's counter does; the model divides that slice by the times of
 * the records.
 */
#include <stdlib.h>

#include "base/memory.h"

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

static struct record *add_clock_reading(struct replay_cpu *cpu, int number, uint64_t time_ns,
					struct replay_out *out)
{
	struct record *record;

	/* records that came late must not turn the clock back */
	cpu->last_ns = time_ns > cpu->last_ns ? time_ns : cpu->last_ns;
	record = replay_out_add(out, RECORD_READING, cpu->last_ns);
	record->cpu = number;
	record->reading = (struct record_reading){
		.group = REPLAY_CLOCK_GROUP,
		.sequence = cpu->sequence,
		.enabled_ns = cpu->last_ns,
		.running_ns = cpu->last_ns,
		.values = out->values,
	};
	return record;
}

static void read_at_switch(struct replay_cpu *cpu, const struct record *from, int32_t pid,
			   int32_t tid, struct replay_out *out)
{
	struct record *record;

	cpu->sequence++;
	record = add_clock_reading(cpu, from->cpu, from->time_ns, out);
	record->pid = pid;
	record->tid = tid;
	record->reading.at_switch = true;
}

struct replay_cpu *replay_cpus_meet(struct replay_cpus *cpus, const struct record *from,
				    struct replay_out *out)
{
	struct replay_cpu *cpu;
	size_t number;

	if (from->cpu < 0 || from->cpu >= REPLAY_CPUS_MAX)
		return NULL;
	number = (size_t)from->cpu;
	array_reserve(&cpus->cpus, &cpus->capacity, number + 1, sizeof(*cpus->cpus));
	for (; cpus->count <= number; cpus->count++)
		cpus->cpus[cpus->count] = (struct replay_cpu){.running_pid = -1, .running_tid = -1};
	cpu = &cpus->cpus[number];
	cpu->is_seen = true;
	cpus->seen++;
	add_clock_reading(cpu, from->cpu, from->time_ns, out);
	return cpu;
}

static void add_switch_side(const struct record *from, enum record_kind kind,
			    struct replay_out *out)
{
	struct record *record = replay_out_add(out, kind, from->time_ns);

	*record = *from;
	record->kind = kind;
	if (kind == RECORD_SWITCH_OUT)
		return;
	record->ctx_switch.preempted = false;
	record->ctx_switch.state = TASK_STATE_UNKNOWN;
}

static void set_running(struct replay_cpu *cpu, int32_t pid, int32_t tid)
{
	cpu->running_pid = pid;
	cpu->running_tid = tid;
}

/* An unreported task runs: the time since the last reading belongs to no task. */
static bool contradicts(const struct replay_cpu *cpu, int32_t tid)
{
	return cpu->running_tid >= 0 && tid >= 0 && cpu->running_tid != tid;
}

void replay_cpu_out(struct replay_cpu *cpu, const struct record *from, struct replay_out *out)
{
	if (contradicts(cpu, from->tid))
		cpu->sequence++;
	read_at_switch(cpu, from, from->pid, from->tid, out);
	add_switch_side(from, RECORD_SWITCH_OUT, out);
	set_running(cpu, from->ctx_switch.other_pid, from->ctx_switch.other_tid);
}

void replay_cpu_in(struct replay_cpu *cpu, const struct record *from, struct replay_out *out)
{
	if (!contradicts(cpu, from->tid)) {
		/* as announced */
	} else if (cpu->running_tid == 0 && from->ctx_switch.other_tid == 0) {
		cpu->sequence++;
	} else if (cpu->running_tid == from->ctx_switch.other_tid) {
		read_at_switch(cpu, from, cpu->running_pid, cpu->running_tid, out);
	} else {
		cpu->sequence++;
		add_clock_reading(cpu, from->cpu, from->time_ns, out);
	}
	add_switch_side(from, RECORD_SWITCH_IN, out);
	set_running(cpu, from->pid, from->tid);
}

void replay_cpu_read(struct replay_cpu *cpu, const struct record *from, uint64_t sequence,
		     struct replay_out *out)
{
	cpu->sequence = sequence > 0 ? sequence - 1 : 0;
	read_at_switch(cpu, from, from->pid, from->tid, out);
	set_running(cpu, -1, -1);
}

void replay_cpu_lose(struct replay_cpu *cpu, const struct record *from, struct replay_out *out)
{
	set_running(cpu, -1, -1);
	add_clock_reading(cpu, from->cpu, from->time_ns, out);
}

void replay_cpu_close(struct replay_cpu *cpu, int number, uint64_t time_ns, struct replay_out *out)
{
	add_clock_reading(cpu, number, time_ns, out);
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
	struct replay_thread *thread;

	if (from->tid <= 0)
		return NULL;
	thread = map_get(&threads->by_tid, (uint64_t)from->tid);
	if (!thread) {
		thread = xcalloc(1, sizeof(*thread));
		map_put(&threads->by_tid, (uint64_t)from->tid, thread);
	}
	if (thread->pid != from->pid)
		*thread = (struct replay_thread){.pid = from->pid, .tid = from->tid};
	/* what it does itself it does while it runs */
	if (!thread->is_known && from->kind != RECORD_FORK && from->kind != RECORD_SWITCH_IN) {
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
	add_switch_side(from, RECORD_SWITCH_OUT, out);
}

void replay_thread_in(struct replay_thread *thread, const struct record *from,
		      struct replay_out *out)
{
	thread->run_ns = run_ns_at(thread, from->time_ns);
	thread->since_ns = from->time_ns;
	thread->is_known = true;
	add_switch_side(from, RECORD_SWITCH_IN, out);
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
