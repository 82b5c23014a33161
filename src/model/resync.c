/*
 * The order is one in which nothing that is reported disturbs what was reported before:
 *
 *	the tasks there are, by age, and which of them have ended
 *	per-task readings, since tasks that have these are reported in another way
 *	which tasks are off since when, in order of time, and among that when records were lost, or
 *	what is left out since
 *	CPU by CPU its last readings, and its running task
 *	what the tasks that run have done meanwhile
 *
 * Of a CPU two moments are possible: in the middle of a slice, where a task is known to run; and
 * in the middle of a switch, where readings of some groups have reported the outgoing task.
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

static void emit(const struct emitter *to, const struct record *record)
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

static struct record wakeup_of(const struct task *task)
{
	struct record record = record_of(RECORD_WAKEUP, task, task->absence.woken_ns);

	record.wakeup.waker_tid = task->absence.waker_tid;
	return record;
}

static void emit_of(const struct emitter *to, enum record_kind kind, const struct task *task,
		    uint64_t time_ns)
{
	struct record record = record_of(kind, task, time_ns);

	if (kind == RECORD_FORK || kind == RECORD_EXIT)
		record.fork = (struct record_fork){RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN};
	emit(to, &record);
}

static int compare_ages(const void *a, const void *b)
{
	const uint64_t left = (*(const struct task *const *)a)->row.id;
	const uint64_t right = (*(const struct task *const *)b)->row.id;

	return (left > right) - (left < right);
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t left = ((const struct record *)a)->time_ns;
	const uint64_t right = ((const struct record *)b)->time_ns;

	return (left > right) - (left < right);
}

static void emit_name(const struct emitter *to, const struct task *task)
{
	struct record record = record_of(RECORD_COMM, task, task->named_ns);

	record.comm = (struct record_comm){.name = task->row.name};
	emit(to, &record);
}

/* A task that has ended keeps the parent that had ended before. */
static void emit_former_parent(const struct emitter *to, const struct task *task)
{
	const int32_t pid = task->row.parent_pid;
	const struct task *namesake = task_table_lookup(to->attribution->tasks, pid);
	struct record record = record_of(RECORD_EXIT, NULL, task->first_ns);

	if (pid <= 0 || task->process || task->parent || (namesake && !namesake->row.is_exited))
		return;
	record.pid = record.tid = pid;
	record.fork = (struct record_fork){RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN};
	emit(to, &record);
}

/*
 * A task born here has not waited before, should waits be reported one day; where they are, that
 * says it. A name that was reported after a loss is not doubted any more.
 */
static void emit_task(const struct emitter *to, const struct task *task)
{
	const uint64_t lost_ns = to->attribution->scheduling->lost_ns;
	struct record record = record_of(RECORD_PROCINFO, task, task->first_ns);

	if (task->has_run_delay && !to->attribution->scheduling->has_run_delays)
		emit_of(to, RECORD_FORK, task, task->first_ns);
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
	emit(to, &record);
	emit_former_parent(to, task);
	if (task->first_ns <= lost_ns && task->named_ns > lost_ns)
		emit_name(to, task);
}

/* The reading that a stream goes on from; it is a new beginning. */
static struct record_reading reading_of(const struct stream *stream, uint16_t group)
{
	return (struct record_reading){
		.group = group,
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
		record.reading = reading_of(&feed->streams.streams[g], (uint16_t)g);
		record.reading.has_switch_records = feed->has_switch_records;
		emit(to, &record);
	}
	if (!feed->has_switch_counts)
		return;
	record = record_of(RECORD_SWITCH_COUNT, task, task->first_ns);
	record.switch_count = (struct record_switch_count){
		.voluntary = feed->switches[SWITCH_ALL] - feed->switches[SWITCH_INVOLUNTARY],
		.involuntary = feed->switches[SWITCH_INVOLUNTARY],
	};
	emit(to, &record);
}

/* Where it was when it left, or came. */
static struct record switch_of(enum record_kind kind, const struct task *task, uint64_t time_ns)
{
	struct record record = record_of(kind, task, time_ns);

	record.cpu = task->row.last_cpu >= 0 ? task->row.last_cpu : 0;
	record.ctx_switch = (struct record_switch){
		.other_pid = RECORD_TASK_UNKNOWN,
		.other_tid = RECORD_TASK_UNKNOWN,
	};
	return record;
}

/* Records that are to be put in order. */
struct pile {
	struct record *records; /* owned */
	size_t count, capacity;
};

static void add(struct pile *pile, const struct record *record)
{
	array_reserve(&pile->records, &pile->capacity, pile->count + 1, sizeof(*pile->records));
	pile->records[pile->count++] = *record;
}

/* One that was forgotten after a loss does not mean that none are reported. */
static uint8_t state_of(const struct emitter *to, const struct absence *absence)
{
	return absence->state == TASK_STATE_UNKNOWN && to->attribution->scheduling->has_states
		       ? (uint8_t)TASK_STATE_SLEEPING
		       : absence->state;
}

static void add_absence(const struct emitter *to, struct pile *pile, const struct task *task)
{
	const struct absence *absence = &task->absence;
	struct record record;

	if (absence->kind != ABSENCE_UNKNOWN) {
		record = switch_of(RECORD_SWITCH_OUT, task, absence->left_ns);
		record.ctx_switch.preempted = absence->kind == ABSENCE_PREEMPTED;
		record.ctx_switch.state = state_of(to, absence);
		if (absence->kind == ABSENCE_PREEMPTED && scheduling_is_held(to->attribution, task))
			record.ctx_switch.other_pid = record.ctx_switch.other_tid = 0;
		add(pile, &record);
	} else if (task_is_fed(task) && absence->came_ns > 0) {
		record = switch_of(RECORD_SWITCH_IN, task, absence->came_ns);
		add(pile, &record);
	}
	if (absence->woken_ns > 0 && (absence->kind != ABSENCE_UNKNOWN || absence->waiting > 0)) {
		record = wakeup_of(task);
		add(pile, &record);
	}
}

/* Records were lost, or are left out since. */
static void emit_lost(const struct emitter *to)
{
	const uint64_t lost_ns = to->attribution->scheduling->lost_ns;
	const enum model_shed shed = to->attribution->journal->shed;
	const struct record lost = record_of(RECORD_LOST, NULL, lost_ns);
	struct record left_out = record_of(RECORD_SHED, NULL, lost_ns);

	left_out.shed = (uint8_t)shed;
	if (lost_ns > 0)
		emit(to, &lost);
	if (shed != MODEL_SHED_NOTHING)
		emit(to, &left_out);
}

/* What was before a loss must be reported before it. */
static void emit_absences(const struct emitter *to, struct task *const *tasks, size_t count)
{
	const uint64_t lost_ns = to->attribution->scheduling->lost_ns;
	struct pile pile = {0};
	size_t i = 0;

	for (size_t t = 0; t < count; t++)
		add_absence(to, &pile, tasks[t]);
	if (pile.count > 0)
		qsort(pile.records, pile.count, sizeof(*pile.records), compare_times);
	while (i < pile.count && pile.records[i].time_ns <= lost_ns)
		emit(to, &pile.records[i++]);
	emit_lost(to);
	while (i < pile.count)
		emit(to, &pile.records[i++]);
	free(pile.records);
}

/* Of one CPU. */
struct scene {
	const struct emitter *to;
	const struct cpu *cpu;
	const struct task *idle;
};

static bool is_clock(const struct scene *scene, size_t group)
{
	return layout_is_clock(scene->to->attribution->layout, group);
}

/* Since its last reading so much time was entered already. */
static uint64_t ahead_of(const struct scene *scene)
{
	const struct cpu *cpu = scene->cpu;
	uint64_t ahead_ns = 0;

	for (size_t g = 0; g < cpu->group_count; g++)
		if (cpu->streams.streams[g].run_ahead_ns > ahead_ns)
			ahead_ns = cpu->streams.streams[g].run_ahead_ns;
	return ahead_ns;
}

/* When a group was read last; the time of the clock group is that of its clock. */
static uint64_t time_of(const struct scene *scene, size_t group)
{
	const struct cpu *cpu = scene->cpu;

	if (is_clock(scene, group) && cpu->has_clock)
		return cpu->streams.streams[group].last[READING_ENABLED_NS] + cpu->clock_offset_ns;
	return cpu->now_ns - ahead_of(scene);
}

static void emit_reading(const struct scene *scene, size_t group, const struct task *prev,
			 bool at_switch)
{
	struct record record = record_of(RECORD_READING, prev, time_of(scene, group));

	record.cpu = scene->cpu->number;
	record.reading = reading_of(&scene->cpu->streams.streams[group], (uint16_t)group);
	record.reading.at_switch = at_switch;
	emit(scene->to, &record);
}

/* The groups that missed an idle slice, or those that did not, but for some of the first 64. */
static void emit_readings(const struct scene *scene, bool missed_idle, uint64_t but)
{
	const struct cpu *cpu = scene->cpu;

	for (size_t g = 0; g < cpu->group_count; g++) {
		const struct stream *stream = &cpu->streams.streams[g];

		if (stream->has_baseline && stream->missed_idle == missed_idle &&
		    (g >= 64 || (but >> g & 1) == 0))
			emit_reading(scene, g, NULL, false);
	}
}

/* The clock is known from readings at switches only. */
static void emit_clock(const struct scene *scene)
{
	const struct cpu *cpu = scene->cpu;

	for (size_t g = 0; g < cpu->group_count && cpu->has_clock; g++)
		if (is_clock(scene, g) && cpu->streams.streams[g].has_baseline)
			emit_reading(scene, g, NULL, true);
}

static void emit_switch(const struct scene *scene, enum record_kind kind, const struct task *task,
			const struct task *other, uint64_t time_ns)
{
	struct record record = record_of(kind, task, time_ns);

	record.cpu = scene->cpu->number;
	record.ctx_switch = (struct record_switch){
		.other_pid = other ? other->row.pid : RECORD_TASK_UNKNOWN,
		.other_tid = other ? other->row.tid : RECORD_TASK_UNKNOWN,
	};
	emit(scene->to, &record);
}

/* Which task is there, and how it came; one that was announced only has not moved to the CPU. */
static void emit_next(const struct scene *scene, const struct task *next)
{
	const struct hole *hole = &scene->cpu->hole;

	switch (hole->state) {
	case HOLE_OPEN:
		emit_switch(scene, RECORD_SWITCH_OUT, NULL, scene->idle, scene->cpu->now_ns);
		return;
	case HOLE_CLOSED:
		emit_switch(scene, RECORD_SWITCH_OUT, NULL, scene->idle, hole->end_ns);
		emit_switch(scene, RECORD_SWITCH_IN, next, scene->idle, hole->end_ns);
		return;
	case HOLE_NONE:
		break;
	}
	if (next != &scene->to->attribution->idle && next->row.last_cpu != scene->cpu->number)
		emit_switch(scene, RECORD_SWITCH_OUT, NULL, next, next->absence.came_ns);
	else
		emit_switch(scene, RECORD_SWITCH_IN, next, NULL, next->absence.came_ns);
}

/* The groups with a reading of this switch leave with the task. */
static void emit_prev(const struct scene *scene, const struct task *prev)
{
	const struct cpu *cpu = scene->cpu;

	for (size_t g = 0; g < cpu->group_count && g < 64; g++)
		if (cpu->streams.streams[g].has_baseline && (cpu->prev_groups >> g & 1) != 0)
			emit_reading(scene, g, prev, true);
}

static void emit_passing(const struct scene *scene)
{
	struct record record = record_of(RECORD_UNREAD, NULL, scene->cpu->now_ns);

	record.cpu = scene->cpu->number;
	if (ahead_of(scene) > 0)
		emit(scene->to, &record);
}

static void emit_cpu(const struct scene *scene)
{
	const struct cpu *cpu = scene->cpu;
	const struct task *task = cpu->running ? cpu->running : cpu->prev;
	const bool is_leaving = !cpu->running && task;
	struct record record = record_of(RECORD_CPU_OFFLINE, NULL, cpu->now_ns);

	if (cpu->state == CPU_OFFLINE) {
		record.cpu = cpu->number;
		emit(scene->to, &record);
		return;
	}
	emit_clock(scene);
	emit_readings(scene, true, 0);
	if (task)
		emit_next(scene, task);
	emit_readings(scene, false, is_leaving ? cpu->prev_groups : 0);
	emit_passing(scene);
	if (is_leaving)
		emit_prev(scene, task);
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
	struct task idle = {0};
	size_t count = 0;

	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			cpus[count++] = attribution->cpus[i];
	qsort(cpus, count, sizeof(*cpus), compare_cpus);
	for (size_t i = 0; i < count; i++)
		emit_cpu(&(const struct scene){.to = to, .cpu = cpus[i], .idle = &idle});
	free(cpus);
}

/* After the first time the difference to the one before is known to be unknown. */
static void emit_delay(const struct emitter *to, const struct task *task)
{
	struct record record = record_of(RECORD_RUN_DELAY, task, task->first_ns);

	record.run_delay.wait_ns = task->run_delay_ns;
	emit(to, &record);
	if ((task->row.unknown & UINT32_C(1) << QUANTITY_QUEUED_NS) == 0)
		emit(to, &record);
}

/*
 * What is reported of a task wherever it is. A wake-up while it ran is one only of a task that is
 * known to run: of another it would be taken for that of a newborn.
 */
static void emit_rest(const struct emitter *to, const struct task *task)
{
	const struct absence *absence = &task->absence;

	if (absence->kind == ABSENCE_UNKNOWN && absence->waiting == 0 && absence->woken_ns > 0 &&
	    (task_is_fed(task) ? absence->came_ns > 0 : task->references > 0)) {
		const struct record wakeup = wakeup_of(task);

		emit(to, &wakeup);
	}
	if (absence->yielded_ns > 0)
		emit_of(to, RECORD_YIELD, task, absence->yielded_ns);
	if (task->has_run_delay && to->attribution->scheduling->has_run_delays)
		emit_delay(to, task);
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
		if (tasks[i]->has_said_exit)
			emit_of(&to, RECORD_EXIT, tasks[i], tasks[i]->exit_ns);
	for (size_t i = 0; i < count; i++)
		emit_feed(&to, tasks[i]);
	emit_absences(&to, tasks, count);
	emit_cpus(&to);
	for (size_t i = 0; i < count; i++)
		emit_rest(&to, tasks[i]);
	free(tasks);
}
