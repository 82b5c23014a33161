/*
 * The door for records: checks whether a record makes sense, and hands it to the part it concerns.
 */
#include "model/model.h"
#include "model/model_parts.h"
#include "model/sched_state.h"

static bool has_cpu(const struct record *record)
{
	return record->cpu != RECORD_CPU_NONE;
}

/* Ids that can be: of a task, of the idle task, or unknown. */
static bool ids_make_sense(int32_t pid, int32_t tid)
{
	return pid >= RECORD_TASK_UNKNOWN && tid >= RECORD_TASK_UNKNOWN;
}

static bool is_reported(const struct layout *layout, const struct record_estimate *estimate)
{
	return estimate->group < layout->group_count && layout->groups[estimate->group].is_open &&
	       layout->groups[estimate->group].is_reported &&
	       estimate->member < layout->groups[estimate->group].count;
}

static bool makes_sense(const struct model *model, const struct record *record)
{
	if (record->cpu < RECORD_CPU_NONE || record->cpu >= ATTRIBUTION_CPUS_MAX ||
	    !ids_make_sense(record->pid, record->tid))
		return false;

	switch (record->kind) {
	case RECORD_READING:
		return record->reading.group < model->layout.group_count &&
		       model->layout.groups[record->reading.group].is_open &&
		       !model->layout.groups[record->reading.group].is_reported &&
		       (has_cpu(record) || record->tid > 0);
	case RECORD_ESTIMATE:
		return is_reported(&model->layout, &record->estimate);
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		return ids_make_sense(record->ctx_switch.other_pid, record->ctx_switch.other_tid);
	case RECORD_COMM:
		return record->comm.name;
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
		return has_cpu(record);
	case RECORD_SHED:
		return record->shed <= MODEL_SHED_DETAIL;
	case RECORD_FORK:
	case RECORD_EXIT:
	case RECORD_PROCINFO:
	case RECORD_SWITCH_COUNT:
	case RECORD_LOST:
	case RECORD_THROTTLED:
	case RECORD_WAKEUP:
	case RECORD_YIELD:
	case RECORD_RUN_DELAY:
	case RECORD_SETTLED:
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
		sched_state_release(&model->attribution, task);
	model->has_fed_tasks = true;
	per_task_reading(&model->per_task, record, task);
}

/* Of no CPU: the task's alone; the task is known, or is none that the books know. */
static void feed_estimate(struct model *model, const struct record *record)
{
	const struct record_estimate *estimate = &record->estimate;
	const struct group_places *places = &model->places[estimate->group];
	struct task *task;
	uint64_t *counts;

	if (has_cpu(record)) {
		attribution_estimate(&model->attribution, record);
		return;
	}
	task = task_of(model, record);
	if (!task)
		return;
	counts = task_table_counts(&model->tasks, task);
	counts[places->members[estimate->member]] += estimate->value;
	counts[places->slices]++;
	counts[QUANTITY_RUN_NS] += estimate->run_ns;
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
			sched_state_switch_out(&model->attribution, record);
		else
			sched_state_switch_in(&model->attribution, record);
	}
}

static void feed_comm(struct model *model, const struct record *record)
{
	task_table_comm(&model->tasks, record);
	if (record->comm.exec && has_cpu(record))
		sched_state_exec(&model->attribution, record);
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
	scheduling_lose(&model->scheduling, record->time_ns);
	if (has_cpu(record))
		sched_state_lost(&model->attribution, record);
}

/* What ran there meanwhile is unknown. */
static void feed_hotplug(struct model *model, const struct record *record)
{
	scheduling_lose(&model->scheduling, record->time_ns);
	if (record->kind == RECORD_CPU_ONLINE)
		sched_state_cpu_online(&model->attribution, record);
	else
		sched_state_cpu_offline(&model->attribution, record);
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
	case RECORD_ESTIMATE:
		feed_estimate(model, record);
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
	case RECORD_PROCINFO:
		task_table_procinfo(&model->tasks, record);
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
	case RECORD_CPU_OFFLINE:
		feed_hotplug(model, record);
		break;
	case RECORD_WAKEUP:
		scheduling_wake(&model->scheduling, record);
		break;
	case RECORD_YIELD:
		scheduling_yield(&model->scheduling, record);
		break;
	case RECORD_RUN_DELAY:
		scheduling_run_delay(&model->scheduling, record);
		break;
	case RECORD_SHED:
		model_shed(model, (enum model_shed)record->shed);
		break;
	case RECORD_SETTLED:
		model_settle(model, record->time_ns);
		break;
	case RECORD_KINDS:
		break;
	}
}
