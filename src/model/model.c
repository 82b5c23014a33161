/*
 * The front of the model: looks whether a record makes sense, and hands it to whom it
 * concerns.
 *
 *	tasks.h         who there is
 *	attribution.h   readings of CPUs: whose was it
 *	per_task.h      readings of tasks
 */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/attribution.h"
#include "model/crowding.h"
#include "model/per_task.h"
#include "model/tasks.h"

struct model {
	struct layout layout;        /* with the states of the events as of the last interval */
	struct layout planned;       /* with those the source began with */
	struct group_places *places; /* owned; one per group */
	struct task_table tasks;
	struct attribution attribution;
	struct per_task per_task;
	bool has_fed_tasks;       /* some task is fed per task */
	struct snapshot snapshot; /* of the interval closed last */
	uint64_t start_ns;        /* of the first interval */
	uint64_t interval_start_ns;
	uint64_t lost_records, lost_records_total;
	uint64_t throttled;
	struct own_usage own; /* for the snapshot of the interval that goes on */
};

struct model *model_create(const struct layout *layout)
{
	struct model *model = xcalloc(1, sizeof(*model));

	layout_copy(&model->layout, layout);
	layout_copy(&model->planned, layout);
	model->places = group_places_create(&model->layout);
	task_table_init(&model->tasks, layout_width(&model->layout));
	attribution_init(&model->attribution, &model->layout, model->places, &model->tasks);
	model->per_task = (struct per_task){
		.layout = &model->layout,
		.places = model->places,
		.tasks = &model->tasks,
	};
	return model;
}

void model_destroy(struct model *model)
{
	if (!model)
		return;
	attribution_fini(&model->attribution);
	task_table_fini(&model->tasks);
	free(model->places);
	layout_fini(&model->layout);
	layout_fini(&model->planned);
	free(model);
}

static bool has_cpu(const struct record *record)
{
	return record->cpu != RECORD_CPU_NONE;
}

/* Ids that can be: of a task, of the idle task, or unknown. */
static bool ids_make_sense(int32_t pid, int32_t tid)
{
	return pid >= RECORD_TASK_UNKNOWN && tid >= RECORD_TASK_UNKNOWN;
}

static bool makes_sense(const struct model *model, const struct record *record)
{
	if (record->cpu < RECORD_CPU_NONE || record->cpu >= ATTRIBUTION_CPUS_MAX ||
	    !ids_make_sense(record->pid, record->tid))
		return false;

	switch (record->kind) {
	case RECORD_READING:
		return record->reading.group < model->layout.group_count &&
		       (has_cpu(record) || record->tid > 0);
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		return ids_make_sense(record->swap.other_pid, record->swap.other_tid);
	case RECORD_COMM:
		return record->comm.name != NULL;
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
		return has_cpu(record);
	case RECORD_FORK:
	case RECORD_EXIT:
	case RECORD_FACTS:
	case RECORD_SWITCH_COUNT:
	case RECORD_LOST:
	case RECORD_THROTTLED:
		return true;
	case RECORD_KINDS:
		break;
	}
	return false;
}

static void lose(struct model *model, uint64_t records)
{
	model->lost_records += records;
	model->lost_records_total += records;
}

static struct task *task_of(struct model *model, const struct record *record)
{
	return task_table_find(&model->tasks, record->pid, record->tid, record->time_ns);
}

static void feed_reading(struct model *model, const struct record *record)
{
	if (has_cpu(record)) {
		attribution_reading(&model->attribution, record);
		return;
	}

	struct task *task = task_of(model, record);
	if (!task)
		return;
	if (!task_is_fed(task))
		attribution_release(&model->attribution, task);
	model->has_fed_tasks = true;
	per_task_reading(&model->per_task, record, task);
}

static void feed_switch(struct model *model, const struct record *record)
{
	const bool is_out = record->kind == RECORD_SWITCH_OUT;
	struct task *task = model->has_fed_tasks ? task_of(model, record) : NULL;

	if (task && task_is_fed(task)) {
		if (is_out)
			per_task_switch_out(&model->per_task, record, task);
		else
			per_task_switch_in(&model->per_task, record, task);
	} else if (has_cpu(record)) {
		if (is_out)
			attribution_switch_out(&model->attribution, record);
		else
			attribution_switch_in(&model->attribution, record);
	}
}

static void feed_comm(struct model *model, const struct record *record)
{
	task_table_comm(&model->tasks, record);
	if (record->comm.exec && has_cpu(record))
		attribution_exec(&model->attribution, record);
}

static void feed_switch_count(struct model *model, const struct record *record)
{
	struct task *task = task_of(model, record);

	if (task)
		per_task_switch_count(&model->per_task, record, task);
}

static void feed_lost(struct model *model, const struct record *record)
{
	lose(model, record->lost);
	if (has_cpu(record))
		attribution_lost(&model->attribution, record);
}

void model_feed(struct model *model, const struct record *record)
{
	if (!makes_sense(model, record)) {
		lose(model, 1);
		return;
	}

	switch (record->kind) {
	case RECORD_READING:
		feed_reading(model, record);
		break;
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		feed_switch(model, record);
		break;
	case RECORD_FORK:
		task_table_fork(&model->tasks, record);
		break;
	case RECORD_EXIT:
		task_table_exit(&model->tasks, record);
		break;
	case RECORD_COMM:
		feed_comm(model, record);
		break;
	case RECORD_FACTS:
		task_table_facts(&model->tasks, record);
		break;
	case RECORD_SWITCH_COUNT:
		feed_switch_count(model, record);
		break;
	case RECORD_LOST:
		feed_lost(model, record);
		break;
	case RECORD_THROTTLED:
		model->throttled++;
		break;
	case RECORD_CPU_ONLINE:
		attribution_cpu_online(&model->attribution, record);
		break;
	case RECORD_CPU_OFFLINE:
		attribution_cpu_offline(&model->attribution, record);
		break;
	case RECORD_KINDS:
		break;
	}
}

void model_start(struct model *model, uint64_t time_ns)
{
	task_table_start(&model->tasks);
	attribution_start(&model->attribution);
	model->per_task.broken_readings = 0;
	model->lost_records = 0;
	model->lost_records_total = 0;
	model->throttled = 0;
	model->start_ns = time_ns;
	model->interval_start_ns = time_ns;
	model->snapshot = (struct snapshot){0};
}

const struct snapshot *model_close_interval(struct model *model, uint64_t time_ns)
{
	struct snapshot *snapshot = &model->snapshot;
	const uint64_t begin_ns = model->interval_start_ns;

	task_table_close(&model->tasks);
	*snapshot = (struct snapshot){
		.time_ns = time_ns,
		.interval_ns = time_ns > begin_ns ? time_ns - begin_ns : 0,
		.start_ns = model->start_ns,
		.sequence = snapshot->sequence + 1,
		.layout = &model->layout,
		.tasks = model->tasks.rows,
		.task_count = model->tasks.all.count,
		.ran_count = model->tasks.ran_count,
		.exited_count = model->tasks.exited_count,
		.lost_records = model->lost_records,
		.lost_records_total = model->lost_records_total,
		.throttled = model->throttled,
		.broken_readings = model->per_task.broken_readings,
		.own = model->own,
	};
	attribution_close(&model->attribution, snapshot);
	if (snapshot->cpu_count == 0)
		snapshot->attributed_pct = snapshot->ran_count ? 100.0 : NAN;
	crowding_note(&model->layout, &model->planned, snapshot);

	model->interval_start_ns = time_ns;
	model->lost_records = 0;
	model->throttled = 0;
	model->per_task.broken_readings = 0;
	return snapshot;
}

void model_note_own(struct model *model, const struct own_usage *own)
{
	model->own = *own;
}

void model_hold(struct model *model, const int32_t *pids, size_t count)
{
	task_table_hold(&model->tasks, pids, count);
}

size_t model_wanted_facts(struct model *model, struct task_ref *refs, size_t max)
{
	return task_table_wanted(&model->tasks, refs, max);
}
