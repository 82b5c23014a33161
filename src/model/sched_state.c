#include "model/sched_state.h"

#include "model/attribution.h"
#include "model/layout.h"
#include "model/record.h"

/* A thread that executes a program goes on under the tid of its process' first thread. */
void sched_state_exec(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);
	struct task *before = cpu->running;

	if (!before || before == &attribution->idle || before->row.pid != record->pid ||
	    before->row.tid == record->tid)
		return;
	task_table_finish(attribution->tasks, before, record->time_ns);
	task_take_reference(&cpu->running, task_table_find(attribution->tasks, record->pid,
							   record->tid, record->time_ns));
	parallel_follow(attribution, cpu, record->time_ns);
	slices_break(&cpu->slices, cpu->running);
	if (cpu->running)
		scheduling_forget(attribution->scheduling, cpu->running);
}

void sched_state_lost(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	cpu_forget_running(cpu);
	parallel_follow(attribution, cpu, record->time_ns);
}

void sched_state_cpu_online(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].has_baseline = false;
	cpu_set_smt(attribution, cpu, NULL, RECORD_TASK_UNKNOWN, record->time_ns);
	cpu_forget_running(cpu);
	slices_stop(&cpu->slices);
	cpu->slices.is_counted = true;
	cpu->has_clock = false;
	cpu->state = CPU_ONLINE;
}

void sched_state_cpu_offline(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	cpu->state = CPU_OFFLINE;
	cpu_set_smt(attribution, cpu, &attribution->idle, RECORD_TASK_UNKNOWN, record->time_ns);
	cpu_forget_running(cpu);
	parallel_follow(attribution, cpu, record->time_ns);
	slices_stop(&cpu->slices);
}

void sched_state_release(struct attribution *attribution, struct task *task)
{
	for (size_t i = 0; task->references > 0 && i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (cpu && cpu->running == task)
			cpu_forget_running(cpu);
	}
}
