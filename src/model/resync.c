/*
 * The order is one in which nothing that is reported disturbs what was reported before:
 *
 *	the tasks there are, by age
 *	per-task readings, since tasks that have these are reported in another way
 *	which tasks are off since when, in order of time, and among that when records were lost
 *	CPU by CPU its last readings, and its running task
 *	what the tasks that run have done meanwhile, and which of them have ended
 *	what is left out by now
 *
 * Of a CPU two moments are possible: in the middle of a slice, where a task is known to run; and
 * in the middle of a switch, where readings of some groups have reported the outgoing task.
 */
#include "model/resync.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/attribution.h"
#include "model/cpu.h"
#include "model/per_task.h"
#include "model/record.h"
#include "model/scheduling.h"
#include "model/tasks.h"

static void tell(const struct resyncing *resyncing, const struct record *record)
{
	resyncing->listen(resyncing->context, record);
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

static int compare_times(const void *a, const void *b)
{
	const uint64_t left = ((const struct record *)a)->time_ns;
	const uint64_t right = ((const struct record *)b)->time_ns;

	return (left > right) - (left < right);
}

static void emit_birth(const struct resyncing *resyncing, const struct task *task)
{
	struct record record = record_of(RECORD_FORK, task, task->first_ns);

	record.fork.parent_pid = record.fork.parent_tid = RECORD_TASK_UNKNOWN;
	tell(resyncing, &record);
}

/*
 * A task born here has not waited before, should waits be reported one day; where they are, that
 * says it. Facts that were not reported yet are to be asked for, as after an exec.
 */
static void write_of(const struct resyncing *resyncing, const struct task *task)
{
	struct record record = record_of(RECORD_PROCINFO, task, task->first_ns);

	if (task->has_run_delay && !resyncing->scheduling->has_run_delays)
		emit_birth(resyncing, task);
	record.procinfo = (struct record_procinfo){
		.name = task->row.name[0] != '\0' ? task->row.name : NULL,
		.command_line = task->command_line,
		.cgroup = task->cgroup,
		.session = task->row.session,
		.parent_pid = task->row.parent_pid,
		.uid = task->row.uid,
		.cpu = task->row.last_cpu,
		.is_kernel_thread = task->row.is_kernel_thread,
	};
	tell(resyncing, &record);
	if (task->has_procinfo)
		return;
	record = record_of(RECORD_COMM, task, task->first_ns);
	record.comm = (struct record_comm){.name = task->row.name, .exec = true};
	tell(resyncing, &record);
}

struct record resync_reading(const struct stream *stream, uint16_t group)
{
	return (struct record){
		.kind = RECORD_READING,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.reading =
			{
				.group = group,
				.restarts = true,
				.sequence = stream->last[READING_SWITCHES],
				.enabled_ns = stream->last[READING_ENABLED_NS],
				.running_ns = stream->last[READING_RUNNING_NS],
				.values = &stream->last[READING_VALUES],
			},
	};
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

static void add_absence(struct pile *pile, const struct task *task)
{
	const struct absence *absence = &task->absence;
	struct record record;

	if (absence->kind != ABSENCE_UNKNOWN) {
		record = switch_of(RECORD_SWITCH_OUT, task, absence->left_ns);
		record.ctx_switch.preempted = absence->kind == ABSENCE_PREEMPTED;
		add(pile, &record);
	} else if (task_is_fed(task) && absence->came_ns > 0) {
		record = switch_of(RECORD_SWITCH_IN, task, absence->came_ns);
		add(pile, &record);
	}
	if (absence->woken_ns > 0 && (absence->kind != ABSENCE_UNKNOWN || absence->waiting > 0)) {
		record = record_of(RECORD_WAKEUP, task, absence->woken_ns);
		add(pile, &record);
	}
}

/* What was before a loss must be reported before it. */
static void emit_absences(const struct resyncing *resyncing, struct task *const *tasks,
			  size_t count)
{
	const uint64_t lost_ns = resyncing->scheduling->lost_ns;
	const struct record lost = record_of(RECORD_LOST, NULL, lost_ns);
	struct pile pile = {0};
	bool has_lost = lost_ns == 0;

	for (size_t i = 0; i < count; i++)
		add_absence(&pile, tasks[i]);
	if (pile.count > 0)
		qsort(pile.records, pile.count, sizeof(*pile.records), compare_times);
	for (size_t i = 0; i < pile.count; i++) {
		if (!has_lost && pile.records[i].time_ns > lost_ns) {
			tell(resyncing, &lost);
			has_lost = true;
		}
		tell(resyncing, &pile.records[i]);
	}
	if (!has_lost)
		tell(resyncing, &lost);
	free(pile.records);
}

/* Of one CPU. */
struct scene {
	const struct resyncing *resyncing;
	const struct cpu *cpu;
	const struct task *idle;
};

static bool is_clock(const struct scene *scene, size_t group)
{
	return scene->resyncing->attribution->places[group].is_clock;
}

/* When a group was read last; the time of the clock group is that of its clock. */
static uint64_t time_of(const struct scene *scene, size_t group)
{
	const struct cpu *cpu = scene->cpu;

	if (is_clock(scene, group) && cpu->has_clock)
		return cpu->streams.streams[group].last[READING_ENABLED_NS] + cpu->clock_offset_ns;
	return cpu->now_ns;
}

static void emit_reading(const struct scene *scene, size_t group, const struct task *leaver,
			 bool at_switch)
{
	struct record record = resync_reading(&scene->cpu->streams.streams[group], (uint16_t)group);

	record.cpu = scene->cpu->number;
	record.time_ns = time_of(scene, group);
	record.reading.at_switch = at_switch;
	if (leaver) {
		record.pid = leaver->row.pid;
		record.tid = leaver->row.tid;
	}
	tell(scene->resyncing, &record);
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
	tell(scene->resyncing, &record);
}

/* Which task is there, and how it came. */
static void write_next(const struct scene *scene, const struct task *comer)
{
	const struct hole *hole = &scene->cpu->hole;

	switch (hole->state) {
	case HOLE_OPEN:
		emit_switch(scene, RECORD_SWITCH_OUT, NULL, scene->idle, scene->cpu->now_ns);
		return;
	case HOLE_CLOSED:
		emit_switch(scene, RECORD_SWITCH_OUT, NULL, scene->idle, hole->end_ns);
		emit_switch(scene, RECORD_SWITCH_IN, comer, scene->idle, hole->end_ns);
		return;
	case HOLE_NONE:
		break;
	}
	emit_switch(scene, RECORD_SWITCH_IN, comer, NULL, comer->absence.came_ns);
}

/* The groups with a reading of this switch leave with the task. */
static void write_prev(const struct scene *scene, const struct task *leaver)
{
	const struct cpu *cpu = scene->cpu;

	for (size_t g = 0; g < cpu->group_count && g < 64; g++)
		if (cpu->streams.streams[g].has_baseline && (cpu->leaver_groups >> g & 1) != 0)
			emit_reading(scene, g, leaver, true);
}

static void emit_cpu(const struct scene *scene)
{
	const struct cpu *cpu = scene->cpu;
	const struct task *who = cpu->running ? cpu->running : cpu->leaver;
	const bool is_leaving = !cpu->running && who;
	struct record record = record_of(RECORD_CPU_OFFLINE, NULL, cpu->now_ns);

	if (cpu->state == CPU_OFFLINE) {
		record.cpu = cpu->number;
		tell(scene->resyncing, &record);
		return;
	}
	emit_clock(scene);
	emit_readings(scene, true, 0);
	if (who)
		write_next(scene, who);
	emit_readings(scene, false, is_leaving ? cpu->leaver_groups : 0);
	if (is_leaving)
		write_prev(scene, who);
}

static void report_cpus(const struct resyncing *resyncing)
{
	const struct attribution *attribution = resyncing->attribution;
	struct task idle = {0};

	for (size_t i = 0; i < attribution->cpu_count; i++) {
		const struct scene scene = {
			.resyncing = resyncing,
			.cpu = attribution->cpus[i],
			.idle = &idle,
		};

		if (scene.cpu)
			emit_cpu(&scene);
	}
}

/* After the first time the difference to the one before is known to be unknown. */
static void emit_delay(const struct resyncing *resyncing, const struct task *task)
{
	struct record record = record_of(RECORD_RUN_DELAY, task, task->first_ns);

	record.run_delay.wait_ns = task->run_delay_ns;
	tell(resyncing, &record);
	if ((task->row.unknown & UINT32_C(1) << QUANTITY_QUEUED_NS) == 0)
		tell(resyncing, &record);
}

/* What is reported of a task wherever it is. */
static void emit_rest(const struct resyncing *resyncing, const struct task *task)
{
	const struct absence *absence = &task->absence;
	struct record record;

	if (absence->kind == ABSENCE_UNKNOWN && absence->waiting == 0 && absence->woken_ns > 0) {
		record = record_of(RECORD_WAKEUP, task, absence->woken_ns);
		tell(resyncing, &record);
	}
	if (absence->yielded_ns > 0) {
		record = record_of(RECORD_YIELD, task, absence->yielded_ns);
		tell(resyncing, &record);
	}
	if (task->has_run_delay && resyncing->scheduling->has_run_delays)
		emit_delay(resyncing, task);
	if (task->has_said_exit) {
		record = record_of(RECORD_EXIT, task, task->exit_ns);
		record.fork.parent_pid = record.fork.parent_tid = RECORD_TASK_UNKNOWN;
		tell(resyncing, &record);
	}
}

/* Only now: before, what was to be known would be left out. */
static void pass_shed(const struct resyncing *resyncing)
{
	struct record record = record_of(RECORD_SHED, NULL, resyncing->scheduling->newest_ns);

	record.shed = (uint8_t)resyncing->shed;
	if (resyncing->shed != MODEL_SHED_NOTHING)
		tell(resyncing, &record);
}

void resync(const struct resyncing *resyncing)
{
	const struct task_list *all = &resyncing->tasks->all;
	struct task **tasks = xcalloc(all->count, sizeof(struct task *));
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		if (is_of_interest(all->tasks[i]))
			tasks[count++] = all->tasks[i];
	qsort(tasks, count, sizeof(struct task *), compare_ages);
	for (size_t i = 0; i < count; i++)
		write_of(resyncing, tasks[i]);
	for (size_t i = 0; i < count; i++)
		per_task_resync(resyncing->per_task, tasks[i], resyncing->listen,
				resyncing->context);
	emit_absences(resyncing, tasks, count);
	report_cpus(resyncing);
	for (size_t i = 0; i < count; i++)
		emit_rest(resyncing, tasks[i]);
	pass_shed(resyncing);
	free(tasks);
}
