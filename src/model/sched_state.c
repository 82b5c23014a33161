/*
 * At each switch the time line reports two things, SWITCH_OUT the outgoing and the incoming task,
 * and SWITCH_IN the latter again; what is missing of these makes a slice end as well as can be
 * known. An idle task that leaves no records of its own is noticed here (a hole), and divided where
 * its slice is read.
 */
#include "model/sched_state.h"

#include "base/seldom.h"
#include "model/attribution.h"
#include "model/layout.h"
#include "model/record.h"

static void close_hole(struct attribution *attribution, struct cpu *cpu,
		       const struct task *arriving, uint64_t time_ns)
{
	cpu->hole = (struct hole){
		.state = HOLE_CLOSED,
		.end_ns = time_ns,
		.arrived_id = arriving->row.id,
	};
	if (cpu->smt)
		cpu->hole.smt = smt_at(cpu->smt, time_ns);
	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].missed_idle = true;
}

/* Shared idle does not count: it may be a task outside of this pid namespace. */
static void note_idle(const struct attribution *attribution, struct cpu *cpu,
		      const struct task *next, uint64_t time_ns)
{
	if (next == &attribution->idle && !attribution->idle_is_shared)
		cpu->idled_ns = time_ns;
}

/* A task that leaves and could run on waits for the one that comes; a late record says nothing of
 * the absence that began since. */
static void note_queued(struct task *prev, const struct task *next, enum switch_how how,
			uint64_t time_ns)
{
	if (how == SWITCH_PREEMPTED && prev && next && prev->absence.left_ns == time_ns)
		prev->absence.queued_by = next->actor;
}

/*
 * The incoming task takes the place of the outgoing one: the slice of that ends, and that of the
 * incoming one begins.
 */
static void hand_over(struct attribution *attribution, struct cpu *cpu, struct task *prev,
		      struct task *next, const struct record *record)
{
	struct arrival arrival;
	const enum switch_how how =
		scheduling_switch(attribution->scheduling, cpu, prev, next, record, &arrival);

	slices_break(&cpu->slices, prev);
	slices_end(&cpu->slices, &(const struct slice_end){
					 .time_ns = record->time_ns,
					 .how = how,
					 .state = record->ctx_switch.state,
					 .next = next,
					 .arrival = &arrival,
				 });
	note_queued(prev, next, how, record->time_ns);
	note_idle(attribution, cpu, next, record->time_ns);
}

/* A preemption is one of the switches, so it is counted where its switch is. */
static void count_preemption(struct attribution *attribution, struct cpu *cpu, struct task *prev,
			     uint64_t time_ns)
{
	const bool is_of_prev = cpu->booking == BOOKING_PREV && cpu->prev == prev;

	if (cpu->booking != BOOKING_NONE)
		attribution_count_one(attribution, cpu, is_of_prev ? prev : NULL,
				      QUANTITY_PREEMPTIONS, time_ns);
}

static void end_switch(const struct attribution *attribution, struct cpu *cpu, struct task *next,
		       int32_t next_tid, uint64_t time_ns)
{
	cpu_set_smt(attribution, cpu, next, next_tid, time_ns);
	task_take_reference(&cpu->prev, NULL);
	task_take_reference(&cpu->running, next);
	cpu->booking = BOOKING_UNREAD;
}

void sched_state_switch_out(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);
	const struct record_switch *ctx_switch = &record->ctx_switch;

	if (cpu->state == CPU_OFFLINE)
		return;

	struct task *prev =
		attribution_task(attribution, cpu, record->pid, record->tid, record->time_ns);
	if (!prev)
		prev = cpu->prev ? cpu->prev : cpu->running;
	if (ctx_switch->preempted && prev != &attribution->idle)
		count_preemption(attribution, cpu, prev, record->time_ns);

	struct task *next = attribution_task(attribution, cpu, ctx_switch->other_pid,
					     ctx_switch->other_tid, record->time_ns);
	hand_over(attribution, cpu, prev, next, record);
	cpu_end_hole(cpu);
	if (next == &attribution->idle)
		cpu->hole.state = HOLE_OPEN;
	end_switch(attribution, cpu, next, ctx_switch->other_tid, record->time_ns);
	cpu->left_tid = record->tid;
}

/* A task comes that no switch has announced. */
static void come_unannounced(struct attribution *attribution, struct cpu *cpu, struct task *next,
			     const struct record *record)
{
	struct slices *slices = &cpu->slices;
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct arrival arrival;

	scheduling_switch(attribution->scheduling, cpu, &attribution->idle, next, record, &arrival);

	const bool is_hidden = cpu->hole.state == HOLE_CLOSED;
	if (!is_hidden && slices->is_announced && !slices->owner) {
		slices_adopt(slices, next);
		return;
	}

	struct task *prev = is_hidden ? &attribution->idle
				      : attribution_task(attribution, cpu, ctx_switch->other_pid,
							 ctx_switch->other_tid, record->time_ns);
	const struct slice_end end = {
		.time_ns = record->time_ns,
		.how = prev == &attribution->idle ? SWITCH_IDLE : SWITCH_UNKNOWN,
		.next = next,
		.arrival = &arrival,
	};
	slices_break(slices, prev);
	if (is_hidden)
		slices_hide_idle(slices, &end);
	else
		slices_end(slices, &end);
}

/*
 * It comes from a task that was not known to run, and has not left just before either (an OUT may
 * name another one that comes): that one left neither records nor readings.
 */
static bool comes_from_unseen(const struct cpu *cpu, const struct task *next, int32_t prev_tid)
{
	return next && cpu->running && next != cpu->running && prev_tid >= 0 &&
	       prev_tid != cpu->running->row.tid && prev_tid != cpu->left_tid;
}

/*
 * A software leader has counted the switch to it, so that the sequence shows it; a tracepoint may
 * not have.
 */
static void miss_task(const struct attribution *attribution, struct cpu *cpu)
{
	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].missed_task = true;
}

void sched_state_switch_in(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	if (cpu->state == CPU_OFFLINE)
		return;

	struct task *next =
		attribution_task(attribution, cpu, record->pid, record->tid, record->time_ns);
	if (cpu->hole.state == HOLE_OPEN && next && next != &attribution->idle &&
	    record->ctx_switch.other_tid == 0)
		close_hole(attribution, cpu, next, record->time_ns);
	else
		cpu_end_hole(cpu);
	if (comes_from_unseen(cpu, next, record->ctx_switch.other_tid))
		miss_task(attribution, cpu);
	if (next && next != cpu->slices.owner)
		come_unannounced(attribution, cpu, next, record);
	end_switch(attribution, cpu, next, record->tid, record->time_ns);
	attribution_move(attribution, cpu, next, record->time_ns);
}

/* The task that leaves is the one that is known to run, and its name is no news. */
static bool leaves_as_known(const struct attribution *attribution, const struct cpu *cpu,
			    const struct record *record)
{
	const struct task *running = cpu->running;

	if (running == &attribution->idle)
		return record->tid == 0;
	if (record->ctx_switch.name && attribution_doubts_name(attribution, running))
		return false;
	return record->tid == running->row.tid && running->is_mapped &&
	       (record->pid == running->row.pid || record->pid == RECORD_TASK_UNKNOWN) &&
	       running->row.last_cpu == cpu->number;
}

/* Nothing is special about what is known of the CPU, so that a plain switch can follow. */
static SELDOM bool begin_streak(const struct attribution *attribution, struct cpu *cpu)
{
	const struct stream *stream;

	if (cpu->state != CPU_ONLINE || cpu->clock_group == CLOCK_UNREAD || !cpu->running ||
	    cpu->prev || cpu->hole.state != HOLE_NONE ||
	    !slices_are_plain(&cpu->slices, cpu->running))
		return false;
	stream = &cpu->streams.streams[cpu->clock_group];
	if (!stream->has_baseline || stream->run_ahead_ns > 0 || stream->missed_idle ||
	    stream->missed_task)
		return false;
	streak_begin(&cpu->streak, stream, &attribution->layout->groups[cpu->clock_group],
		     journal_ipc_source(attribution->journal, cpu->clock_group));
	return true;
}

/*
 * The slice of the running task, which leaves, is entered for it, and nothing has to be remembered
 * up to the end of the switch. False: nothing was done, attribution_reading() has to.
 */
static bool read_plainly(struct attribution *attribution, struct cpu *cpu,
			 const struct record *record, struct slice *slice)
{
	struct task *running = cpu->running;
	struct stream *stream = &cpu->streams.streams[cpu->clock_group];
	uint64_t *counts;

	if (!streak_continues(stream, &record->reading))
		return false;
	counts = attribution_counts(attribution, cpu, running);
	if (!streak_credit(&cpu->streak, stream, &record->reading, slice, counts))
		return false;
	cpu->clock_offset_ns = record->time_ns - record->reading.enabled_ns;
	cpu->now_ns = record->time_ns;
	if (running->moved_ns < cpu->now_ns)
		running->moved_ns = cpu->now_ns;
	if (cpu->smt)
		smt_enter_whole(attribution, cpu, stream, slice, counts);
	if (!slices_write_whole(&cpu->slices, slice, cpu->streak.ipc))
		slice_credit(slice, slices_of(&cpu->slices, running, cpu->now_ns, SLICE_NEWS_TIME));
	return true;
}

/* What follows a plain reading. */
static void end_plain_switch(struct attribution *attribution, struct cpu *cpu, struct task *next,
			     const struct record *record, const struct slice *slice)
{
	struct task *prev = cpu->running;
	struct arrival arrival;
	const enum switch_how how =
		scheduling_switch(attribution->scheduling, cpu, prev, next, record, &arrival);

	const struct slice_end end = {
		.time_ns = record->time_ns,
		.how = how,
		.state = record->ctx_switch.state,
		.next = next,
		.arrival = &arrival,
		.whole = slice,
	};

	if (cpu->slices.is_written && next) {
		slices_pass_on(&cpu->slices, &end);
		cpu->running = cpu->slices.owner = next;
		prev->references -= 2;
		next->references += 2;
	} else {
		slices_end(&cpu->slices, &end);
		task_take_reference(&cpu->running, next);
	}
	note_queued(prev, next, how, record->time_ns);
	note_idle(attribution, cpu, next, record->time_ns);
	cpu_set_smt(attribution, cpu, next, record->ctx_switch.other_tid, record->time_ns);
	cpu->booking = BOOKING_UNREAD;
	if (next)
		attribution_move(attribution, cpu, next, record->time_ns);
	else
		cpu_end_streak(cpu);
}

/* Nearly all switches go this way: it is one piece of code, and what is SELDOM is beside it. */
__attribute__((flatten)) bool sched_state_plain_switch(struct attribution *attribution,
						       const struct record *record)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct cpu *cpu = attribution_known_cpu(attribution, record);
	struct slice slice;

	if (!cpu || (!cpu->streak.goes_on && !begin_streak(attribution, cpu)) ||
	    record->reading.group != cpu->clock_group ||
	    !leaves_as_known(attribution, cpu, record) ||
	    ctx_switch->other_pid < RECORD_TASK_UNKNOWN ||
	    ctx_switch->other_tid < RECORD_TASK_UNKNOWN ||
	    !read_plainly(attribution, cpu, record, &slice))
		return false;
	if (ctx_switch->preempted && cpu->running != &attribution->idle)
		attribution_count_one(attribution, cpu, cpu->running, QUANTITY_PREEMPTIONS,
				      record->time_ns);
	end_plain_switch(attribution, cpu,
			 attribution_find(attribution, ctx_switch->other_pid, ctx_switch->other_tid,
					  record->time_ns),
			 record, &slice);
	return true;
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
	cpu_forget_running(attribution_cpu(attribution, record));
}

void sched_state_cpu_online(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].has_baseline = false;
	cpu_set_smt(attribution, cpu, NULL, RECORD_TASK_UNKNOWN, record->time_ns);
	cpu_forget_running(cpu);
	slices_stop(&cpu->slices);
	slices_begin(&cpu->slices);
	cpu->has_clock = false;
	cpu->state = CPU_ONLINE;
}

void sched_state_cpu_offline(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);

	cpu->state = CPU_OFFLINE;
	cpu_set_smt(attribution, cpu, &attribution->idle, RECORD_TASK_UNKNOWN, record->time_ns);
	cpu_forget_running(cpu);
	slices_stop(&cpu->slices);
}

void sched_state_release(struct attribution *attribution, struct task *task)
{
	for (size_t i = 0; task->references > 0 && i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (cpu && (cpu->running == task || cpu->prev == task || cpu->slices.owner == task))
			cpu_forget_running(cpu);
	}
}
