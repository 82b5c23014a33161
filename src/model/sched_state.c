/*
 * At each switch the time line reports two things, SWITCH_OUT the outgoing and the incoming task,
 * and SWITCH_IN the latter again; what is missing of these makes a slice end as well as can be
 * known. An idle task that leaves no records of its own is noticed here (a hole), and divided where
 * its slice is read.
 */
#include "model/sched_state.h"

#include "model/attribution.h"
#include "model/layout.h"
#include "model/record.h"

static void close_hole(struct attribution *attribution, struct cpu *cpu,
		       const struct task *arriving, uint64_t time_ns)
{
	cpu->hole = (struct hole){HOLE_CLOSED, time_ns, arriving->row.id};
	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].missed_idle = true;
}

/* A task comes to the CPU, as records report: idle, an unknown one, or any other. */
static void arrive(struct attribution *attribution, struct cpu *cpu, struct task *comer,
		   uint64_t time_ns, struct arrival *arrival)
{
	if (!comer || comer == &attribution->idle) {
		*arrival = arrival_unknown;
		return;
	}
	scheduling_arrive(attribution->scheduling, comer, time_ns, arrival);
	attribution_wait(attribution, cpu, comer, &arrival->waits);
}

static enum switch_how how_of(const struct attribution *attribution, const struct task *leaver,
			      bool preempted, uint64_t time_ns)
{
	if (leaver == &attribution->idle)
		return SWITCH_IDLE;
	if (leaver)
		return scheduling_how(leaver, preempted, time_ns);
	return preempted ? SWITCH_PREEMPTED : SWITCH_BLOCKED;
}

/* The slice of the outgoing task ends, and that of the incoming one begins. */
static void change_slice(struct attribution *attribution, struct cpu *cpu, struct task *leaver,
			 const struct slice_end *end)
{
	const bool is_task = leaver && leaver != &attribution->idle;

	slices_break(&cpu->slices, leaver);
	slices_end(&cpu->slices, end);
	if (is_task)
		scheduling_leave(attribution->scheduling, leaver, end->time_ns, end->how,
				 end->how == SWITCH_PREEMPTED && end->comer ? end->comer->actor
									    : ACTOR_UNKNOWN);
}

/* A preemption is one of the switches, so it is counted where its switch is. */
static void count_preemption(struct attribution *attribution, struct cpu *cpu, struct task *leaver,
			     uint64_t time_ns)
{
	const bool is_leavers = cpu->booking == BOOKING_LEAVERS && cpu->leaver == leaver;

	if (cpu->booking != BOOKING_NONE)
		attribution_count_one(attribution, cpu, is_leavers ? leaver : NULL,
				      QUANTITY_PREEMPTIONS, time_ns);
}

static void end_switch(struct cpu *cpu, struct task *comer)
{
	task_take_reference(&cpu->leaver, NULL);
	task_take_reference(&cpu->running, comer);
	cpu->booking = BOOKING_UNREAD;
}

void sched_state_switch_out(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct arrival arrival;

	if (cpu->state == CPU_OFFLINE)
		return;

	struct task *leaver =
		attribution_task(attribution, cpu, record->pid, record->tid, record->time_ns);
	if (!leaver)
		leaver = cpu->leaver ? cpu->leaver : cpu->running;
	if (ctx_switch->preempted && leaver != &attribution->idle)
		count_preemption(attribution, cpu, leaver, record->time_ns);

	struct task *comer = attribution_task(attribution, cpu, ctx_switch->other_pid,
					      ctx_switch->other_tid, record->time_ns);
	arrive(attribution, cpu, comer, record->time_ns, &arrival);
	change_slice(
		attribution, cpu, leaver,
		&(const struct slice_end){
			.time_ns = record->time_ns,
			.how = how_of(attribution, leaver, ctx_switch->preempted, record->time_ns),
			.comer = comer,
			.arrival = &arrival,
		});
	cpu_end_hole(cpu);
	if (comer == &attribution->idle)
		cpu->hole.state = HOLE_OPEN;
	end_switch(cpu, comer);
}

/* A task comes that no switch has announced. */
static void come_unannounced(struct attribution *attribution, struct cpu *cpu, struct task *comer,
			     const struct record *record)
{
	struct slices *slices = &cpu->slices;
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct arrival arrival;

	arrive(attribution, cpu, comer, record->time_ns, &arrival);

	const bool is_hidden = cpu->hole.state == HOLE_CLOSED;
	if (!is_hidden && slices->is_announced && !slices->owner) {
		slices_adopt(slices, comer);
		return;
	}

	struct task *leaver = is_hidden ? &attribution->idle
					: attribution_task(attribution, cpu, ctx_switch->other_pid,
							   ctx_switch->other_tid, record->time_ns);
	const struct slice_end end = {
		.time_ns = record->time_ns,
		.how = leaver == &attribution->idle ? SWITCH_IDLE : SWITCH_UNKNOWN,
		.comer = comer,
		.arrival = &arrival,
	};
	slices_break(slices, leaver);
	if (is_hidden)
		slices_hide_idle(slices, &end);
	else
		slices_end(slices, &end);
}

void sched_state_switch_in(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	if (cpu->state == CPU_OFFLINE)
		return;

	struct task *comer =
		attribution_task(attribution, cpu, record->pid, record->tid, record->time_ns);
	if (cpu->hole.state == HOLE_OPEN && comer && comer != &attribution->idle &&
	    record->ctx_switch.other_tid == 0)
		close_hole(attribution, cpu, comer, record->time_ns);
	else
		cpu_end_hole(cpu);
	if (comer && comer != cpu->slices.owner)
		come_unannounced(attribution, cpu, comer, record);
	end_switch(cpu, comer);
	attribution_place(attribution, cpu, comer, record->time_ns);
}

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
	if (cpu->running)
		scheduling_forget(attribution->scheduling, cpu->running);
}

void sched_state_lost(struct attribution *attribution, const struct record *record)
{
	cpu_forget_who_runs(attribution_cpu(attribution, record));
}

void sched_state_cpu_online(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].has_baseline = false;
	cpu_forget_who_runs(cpu);
	slices_stop(&cpu->slices);
	slices_begin(&cpu->slices);
	cpu->has_clock = false;
	cpu->state = CPU_ONLINE;
}

void sched_state_cpu_offline(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	cpu_forget_who_runs(cpu);
	slices_stop(&cpu->slices);
	cpu->state = CPU_OFFLINE;
}

void sched_state_release(struct attribution *attribution, struct task *task)
{
	for (size_t i = 0; task->references > 0 && i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (cpu &&
		    (cpu->running == task || cpu->leaver == task || cpu->slices.owner == task))
			cpu_forget_who_runs(cpu);
	}
}
