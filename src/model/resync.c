/*
 * As a recording of perf begins: with the tasks that there are, and which of them run. The order is
 * one in which nothing that is reported disturbs what was reported before: tasks by age, ends, what
 * is left out, readings, running tasks.
 */
#include "model/resync.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/attribution.h"

/* Where records go, and of what model they are. */
struct emitter {
	const struct attribution *attribution;
	model_listener *listen;
	void *context;
};

static void emit_to_listener(const struct emitter *to, const struct record *record)
{
	to->listen(to->context, record);
}

static struct record record_of(enum record_kind kind, const struct task *task, uint64_t time_ns)
{
	return (struct record){
		.kind = kind,
		.cpu = RECORD_CPU_NONE,
		.pid = task ? task->row.pid : RECORD_TASK_UNKNOWN,
		.tid = task ? task->row.tid : RECORD_TASK_UNKNOWN,
		.time_ns = time_ns,
	};
}

/* A task that has left for good, or with an id that is another's by now, matters no more. */
static bool is_of_interest(const struct task *task)
{
	return task->is_mapped && !task->row.is_held &&
	       (!task->row.is_exited || task->references > 0);
}

static int compare_ages(const void *a, const void *b)
{
	const uint64_t left = (*(const struct task *const *)a)->row.id;
	const uint64_t right = (*(const struct task *const *)b)->row.id;

	return (left > right) - (left < right);
}

static void emit_task(const struct emitter *to, const struct task *task)
{
	const uint64_t lost_ns = to->attribution->scheduling->lost_ns;
	struct record record = record_of(RECORD_PROCINFO, task, task->first_ns);

	record.procinfo = (struct record_procinfo){
		.name = task->row.name[0] != '\0' ? task->row.name : NULL,
		.command_line = task->command_line,
		.cgroup = task->cgroup,
		.session = task->row.session,
		.parent_pid = task->process ? -1 : task->row.parent_pid,
		.uid = task->row.uid,
		.cpu = task->row.last_cpu,
		.is_kernel_thread = task->row.is_kernel_thread,
	};
	emit_to_listener(to, &record);
	if (record.time_ns > lost_ns || task->named_ns <= lost_ns)
		return;
	record.time_ns = task->named_ns; /* the name was heard behind what was lost */
	emit_to_listener(to, &record);
}

static void emit_exit(const struct emitter *to, const struct task *task)
{
	struct record record = record_of(RECORD_EXIT, task, task->exit_ns);

	record.fork = (struct record_fork){RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN};
	if (task->has_said_exit)
		emit_to_listener(to, &record);
}

/* The reading that a stream goes on from; it is a new beginning. */
static struct record_reading reading_of(const struct stream *stream, size_t group)
{
	return (struct record_reading){
		.group = (uint16_t)group,
		.restarts = true,
		.sequence = stream->last[READING_SWITCHES],
		.enabled_ns = stream->last[READING_ENABLED_NS],
		.running_ns = stream->last[READING_RUNNING_NS],
		.values = &stream->last[READING_VALUES],
	};
}

/* What the numbers of a task that is fed by itself go on from. */
static void emit_feed(const struct emitter *to, const struct task *task)
{
	const struct feed *feed = task->feed;
	struct record record;

	if (!feed)
		return;
	for (size_t g = 0; g < to->attribution->layout->group_count; g++) {
		if (!feed->streams.streams[g].has_baseline)
			continue;
		record = record_of(RECORD_READING, task, task->first_ns);
		record.reading = reading_of(&feed->streams.streams[g], g);
		record.reading.has_switch_records = feed->has_switch_records;
		emit_to_listener(to, &record);
	}
	if (!feed->has_switch_counts)
		return;
	record = record_of(RECORD_SWITCH_COUNT, task, task->first_ns);
	record.switch_count = (struct record_switch_count){
		.voluntary = feed->switches[SWITCH_ALL] - feed->switches[SWITCH_INVOLUNTARY],
		.involuntary = feed->switches[SWITCH_INVOLUNTARY],
	};
	emit_to_listener(to, &record);
}

static void emit_run_delay(const struct emitter *to, const struct task *task)
{
	struct record record = record_of(RECORD_RUN_DELAY, task, task->first_ns);

	record.run_delay.wait_ns = task->run_delay_ns;
	if (!to->attribution->scheduling->has_run_delays || !task->has_run_delay)
		return;
	emit_to_listener(to, &record);
	/* from the second one on it is known how long it waited in an interval */
	if (!(task->row.unknown & UINT32_C(1) << QUANTITY_QUEUED_NS))
		emit_to_listener(to, &record);
}

static int compare_absences(const void *a, const void *b)
{
	const struct task *left = *(const struct task *const *)a;
	const struct task *right = *(const struct task *const *)b;

	return (left->absence.left_ns > right->absence.left_ns) -
	       (left->absence.left_ns < right->absence.left_ns);
}

/* What leaves does so by itself; what comes is not known. */
static const struct record_switch unknown_comes = {
	.next_pid = RECORD_TASK_UNKNOWN,
	.next_tid = RECORD_TASK_UNKNOWN,
	.knows_how = true,
};

/* That the CPU has been idle since the task was preempted there: who waits longer is held back. */
static void emit_idle(const struct emitter *to, const struct task *task)
{
	static const struct task idle;
	const struct cpu *cpu = attribution_cpu_of(to->attribution, task);
	struct record record = record_of(RECORD_SWITCH, NULL, cpu->idled_ns);

	record.cpu = cpu->number;
	emit_to_listener(to, &record);
	record = record_of(RECORD_SWITCH, &idle, cpu->idled_ns);
	record.cpu = cpu->number;
	record.ctx_switch = unknown_comes;
	emit_to_listener(to, &record);
}

/* That it leaves without a record: as if another one left where it had come. */
static void emit_silence(const struct emitter *to, const struct task *task)
{
	struct record record = record_of(RECORD_SWITCH, NULL, task->first_ns);

	if (!task->row.is_silent || task->row.last_cpu < 0)
		return;
	record.cpu = task->row.last_cpu;
	record.ctx_switch = (struct record_switch){
		.next_pid = task->row.pid,
		.next_tid = task->row.tid,
	};
	emit_to_listener(to, &record);
	record.pid = record.tid = 0;
	record.ctx_switch = unknown_comes;
	emit_to_listener(to, &record);
}

/* That it has run before records were lost of that CPU, and was not seen since: it may be anywhere.
 */
static void emit_unseen(const struct emitter *to, const struct task *task)
{
	const struct absence *absence = &task->absence;
	const struct cpu *cpu = attribution_cpu_of(to->attribution, task);
	struct record record = record_of(RECORD_SWITCH, NULL, absence->came_ns);

	if (absence->kind != ABSENCE_UNKNOWN || absence->came_ns == 0 || !cpu ||
	    cpu->running == task || task->has_said_exit || task->row.is_silent || task->feed ||
	    absence->came_ns > to->attribution->scheduling->lost_ns)
		return;
	record.cpu = cpu->number;
	record.ctx_switch = (struct record_switch){
		.next_pid = task->row.pid,
		.next_tid = task->row.tid,
	};
	emit_to_listener(to, &record);
	record = record_of(RECORD_LOST, NULL, to->attribution->scheduling->lost_ns);
	record.cpu = cpu->number;
	emit_to_listener(to, &record);
}

/* Since when it has been away, and how it left; who came then does not matter any more. */
static void emit_absence(const struct emitter *to, const struct task *task)
{
	struct record record = record_of(RECORD_SWITCH, task, task->absence.left_ns);

	if (task->absence.kind == ABSENCE_UNKNOWN || task->row.last_cpu < 0 || task->feed)
		return;
	record.cpu = task->row.last_cpu;
	record.ctx_switch = unknown_comes;
	record.ctx_switch.preempted = task->absence.kind == ABSENCE_PREEMPTED;
	record.ctx_switch.state = task->absence.state;
	emit_to_listener(to, &record);
	if (task->absence.kind == ABSENCE_PREEMPTED && scheduling_is_held(to->attribution, task))
		emit_idle(to, task);
	if (task->absence.site.place == 0)
		return;
	record.kind = RECORD_SITE;
	record.site = task->absence.site;
	emit_to_listener(to, &record);
}

/* What it waits for since then is a CPU; also if it was not seen to have one. */
static void emit_wakeup(const struct emitter *to, const struct task *task)
{
	const struct absence *absence = &task->absence;
	const struct cpu *cpu = attribution_cpu_of(to->attribution, task);
	const bool is_away = !cpu || cpu->running != task;
	struct record record = record_of(RECORD_WAKEUP, task, absence->woken_ns);

	record.wakeup.waker_tid = absence->waker_tid;
	if (absence->woken_ns > 0 && !task->feed &&
	    (absence->waiting > 0 || (absence->came_ns == 0 && is_away)))
		emit_to_listener(to, &record);
}

/* What its states are known by: its CPU time as of its last share and by now, and what it was seen
 * to sleep for. */
static void emit_states(const struct emitter *to, const struct task *task)
{
	const struct observed_states *states = task->states;
	struct record record = record_of(RECORD_CPU_USE, task, 0);

	if (states && states->used_ns > 0) {
		record.time_ns = states->used_ns;
		record.cpu_use = states->before;
		emit_to_listener(to, &record);
		record.cpu_use = states->now;
		emit_to_listener(to, &record);
	}
	if (states && states->seen_ns > 0) {
		record.kind = RECORD_SLEEP;
		record.time_ns = states->first_seen_ns;
		record.sleep = (struct record_sleep){
			.kind = (uint8_t)states->seen,
			.is_of_call = states->is_seen_of_call,
			.until_ns = states->looked_ns,
			.lock = states->lock,
			.holder_tid = states->holder_tid,
		};
		emit_to_listener(to, &record);
		record.time_ns = states->seen_ns;
		emit_to_listener(to, &record);
	}
}

/* What is known of sleeps by where they begin, of the processes that there are. */
static void emit_sites(const struct emitter *to)
{
	const struct scheduling *scheduling = to->attribution->scheduling;
	struct record record = record_of(RECORD_SLEEP, NULL, scheduling->newest_ns);

	for (size_t i = 0; i < scheduling->states.site_count; i++) {
		const struct known_site *site = &scheduling->states.sites[i];
		const struct task *process = task_table_lookup(scheduling->tasks, site->pid);

		record.pid = site->pid;
		record.sleep = states_tell(&scheduling->states, site);
		if (process && process->row.id == site->process)
			emit_to_listener(to, &record);
	}
}

/* Who has been away since before then may have run, and what is left out by now. */
static void emit_loss(const struct emitter *to)
{
	struct record record = record_of(RECORD_LOST, NULL, to->attribution->scheduling->lost_ns);

	if (record.time_ns > 0)
		emit_to_listener(to, &record);
	record.kind = RECORD_SHED;
	record.shed = (uint8_t)to->attribution->journal->shed;
	if (record.shed != MODEL_SHED_NOTHING)
		emit_to_listener(to, &record);
}

/* Since its last reading so much time was entered already. */
static uint64_t ahead_of(const struct cpu *cpu)
{
	uint64_t ahead_ns = 0;

	for (size_t g = 0; g < cpu->group_count; g++)
		if (cpu->streams.streams[g].run_ahead_ns > ahead_ns)
			ahead_ns = cpu->streams.streams[g].run_ahead_ns;
	return ahead_ns;
}

/* Record time of a CPU's last reading. */
static uint64_t read_time_of(const struct cpu *cpu, const struct stream *clock)
{
	if (clock)
		return clock->last[READING_ENABLED_NS] + cpu->clock_offset_ns;
	return cpu->now_ns - ahead_of(cpu);
}

/* What was read last; NULL: its time by the clock is not known. */
static const struct stream *list_readings(const struct emitter *to, const struct cpu *cpu,
					  struct record_reading *readings, uint16_t *count)
{
	const struct stream *clock = NULL;

	for (size_t g = 0; g < cpu->group_count; g++) {
		const struct stream *stream = &cpu->streams.streams[g];

		if (!stream->has_baseline)
			continue;
		readings[(*count)++] = reading_of(stream, g);
		if (cpu->has_clock && layout_is_clock(to->attribution->layout, g))
			clock = stream;
	}
	return clock;
}

/* Up to when its latency is entered. */
static void emit_sharing(const struct emitter *to, const struct cpu *cpu)
{
	struct record record = record_of(RECORD_SWITCH, NULL, cpu->shared.at_ns);

	if (!cpu->sharing || cpu->sharing != cpu->running)
		return;
	record.cpu = cpu->number;
	record.ctx_switch = (struct record_switch){
		.next_pid = cpu->running->row.pid,
		.next_tid = cpu->running->row.tid,
	};
	emit_to_listener(to, &record);
}

/* As if the running task came when the CPU was read last. */
static void emit_running(const struct emitter *to, const struct cpu *cpu)
{
	static const struct task idle;
	const struct task *next = cpu->running == &to->attribution->idle ? &idle : cpu->running;
	struct record_reading *readings = xcalloc(cpu->group_count, sizeof(*readings));
	struct record record = record_of(RECORD_SWITCH, NULL, 0);
	uint16_t count = 0;

	record.cpu = cpu->number;
	record.time_ns = read_time_of(cpu, list_readings(to, cpu, readings, &count));
	record.ctx_switch = (struct record_switch){
		.next_pid = next ? next->row.pid : RECORD_TASK_UNKNOWN,
		.next_tid = next ? next->row.tid : RECORD_TASK_UNKNOWN,
		.readings = readings,
		.reading_count = count,
	};
	emit_to_listener(to, &record);
	free(readings);
}

/* That it goes on; behind the switch before which it began. */
static void emit_interrupt(const struct emitter *to, const struct cpu *cpu,
			   const struct open_interrupt *open)
{
	const struct interrupts *interrupts = &to->attribution->scheduling->interrupts;
	struct record record = record_of(RECORD_INTERRUPT, NULL, open->since_ns);
	const struct snapshot_interrupt *sum;

	if (open->sum == 0 || open->sum > interrupts->count || open->switches != cpu->switches)
		return;
	sum = &interrupts->sums[open->sum - 1];
	record.cpu = cpu->number;
	record.interrupt = (struct record_interrupt){sum->kind, true, sum->number, sum->name};
	emit_to_listener(to, &record);
}

/* What the slice that it is in has counted before; in place of what the records before it say. */
static void emit_slice(const struct emitter *to, const struct cpu *cpu)
{
	uint64_t *counts = xcalloc(cpu->slices.width, sizeof(*counts));
	const struct slice_count *own = slices_copy(&cpu->slices, counts);
	const bool is_known = own->news != SLICE_NO_NEWS && cpu->slices.owner == cpu->running;
	struct record record = record_of(RECORD_SLICE, NULL, own->counted_ns);

	record.cpu = cpu->number;
	for (size_t i = 0; is_known && i < cpu->slices.width; i++) {
		record.slice = (struct record_slice){(uint32_t)i, (uint8_t)own->news, counts[i]};
		if (counts[i] > 0 || i == QUANTITY_RUN_NS)
			emit_to_listener(to, &record);
	}
	free(counts);
}

static void emit_cpu(const struct emitter *to, const struct cpu *cpu)
{
	struct record record = record_of(RECORD_CPU_OFFLINE, NULL, cpu->now_ns);

	record.cpu = cpu->number;
	if (cpu->state == CPU_OFFLINE) {
		emit_to_listener(to, &record);
		return;
	}
	emit_sharing(to, cpu);
	emit_running(to, cpu);
	emit_interrupt(to, cpu, &cpu->soft);
	emit_interrupt(to, cpu, &cpu->hard);
	record.kind = RECORD_UNREAD;
	if (ahead_of(cpu) > 0)
		emit_to_listener(to, &record);
	emit_slice(to, cpu);
}

static int compare_cpus(const void *a, const void *b)
{
	const struct cpu *left = *(const struct cpu *const *)a;
	const struct cpu *right = *(const struct cpu *const *)b;

	if (left->now_ns != right->now_ns)
		return left->now_ns < right->now_ns ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

/* In the order in which they were read: what is between two readings of a core is known then. */
static void emit_cpus(const struct emitter *to)
{
	const struct attribution *attribution = to->attribution;
	const struct cpu **cpus = xcalloc(attribution->made_count, sizeof(*cpus));
	size_t count = 0;

	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			cpus[count++] = attribution->cpus[i];
	qsort(cpus, count, sizeof(*cpus), compare_cpus);
	for (size_t i = 0; i < count; i++)
		emit_cpu(to, cpus[i]);
	free(cpus);
}

void resync(const struct attribution *attribution, model_listener *listen, void *context)
{
	const struct emitter to = {attribution, listen, context};
	const struct task_list *all = &attribution->tasks->all;
	struct task **tasks = xcalloc(all->count, sizeof(struct task *));
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		if (is_of_interest(all->tasks[i]))
			tasks[count++] = all->tasks[i];
	qsort(tasks, count, sizeof(struct task *), compare_ages);
	for (size_t i = 0; i < count; i++)
		emit_task(&to, tasks[i]);
	for (size_t i = 0; i < count; i++)
		emit_exit(&to, tasks[i]);
	emit_loss(&to);
	for (size_t i = 0; i < count; i++)
		emit_feed(&to, tasks[i]);
	for (size_t i = 0; i < count; i++)
		emit_run_delay(&to, tasks[i]);
	emit_sites(&to);
	qsort(tasks, count, sizeof(struct task *), compare_absences);
	for (size_t i = 0; i < count; i++)
		emit_unseen(&to, tasks[i]);
	for (size_t i = 0; i < count; i++)
		emit_silence(&to, tasks[i]);
	for (size_t i = 0; i < count; i++)
		emit_absence(&to, tasks[i]);
	for (size_t i = 0; i < count; i++)
		emit_wakeup(&to, tasks[i]);
	for (size_t i = 0; i < count; i++)
		emit_states(&to, tasks[i]);
	emit_cpus(&to);
	free(tasks);
}
