/*
 * The model as a whole: its parts are made, changed and closed together.
 *
 *	tasks.h         the tasks there are
 *	sched_state.h   which task runs on which CPU
 *	attribution.h   readings of CPUs: which task they belong to
 *	smt.h           which threads of a core are busy at once
 *	per_task.h      readings of tasks
 *	scheduling.h    what the scheduler did with tasks
 *	journal.h       where switches are written down
 *	profile.h       where tasks were when they were sampled
 *	interrupts.h    how often they come to CPUs, and how long they take
 *	stalls.h        what was stolen from CPUs, and held cgroups back
 */
#include "model/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/seldom.h"
#include "base/topology.h"
#include "model/attribution.h"
#include "model/coverage.h"
#include "model/history.h"
#include "model/per_task.h"
#include "model/profile.h"
#include "model/resync.h"
#include "model/sampled.h"
#include "model/sched_state.h"
#include "model/session.h"
#include "model/stalls.h"

struct model {
	struct layout layout;  /* with the states of the events as of the last interval */
	struct layout planned; /* with those the source began with */
	struct task_table tasks;
	struct scheduling scheduling;
	struct journal journal;
	struct attribution attribution;
	struct profile_book samples, closed_samples; /* of this interval, and of the one before */
	struct sampled sampled;
	struct stalls stalls;
	bool has_fed_tasks;       /* some task is fed per task */
	struct snapshot snapshot; /* of the interval closed last */
	uint64_t start_ns;        /* of the first interval */
	uint64_t interval_start_ns;
	uint64_t lost_records, lost_records_total;
	uint64_t throttled, throttled_ns;
	char *others;         /* owned; what else uses the counters */
	struct own_usage own; /* for the snapshot of the interval that goes on, as are the next two
			       */
	bool has_off_cpu;
	int32_t off_cpu_pid;
};

struct model *model_create(const struct layout *layout)
{
	struct model *model = xcalloc(1, sizeof(*model));

	layout_copy(&model->layout, layout);
	layout_copy(&model->planned, layout);
	model->others = xstrdup("");
	task_table_init(&model->tasks, layout_width(&model->layout), &model->journal);
	journal_init(&model->journal, &model->tasks, &model->layout);
	model->scheduling.tasks = &model->tasks;
	model->scheduling.attribution = &model->attribution;
	model->attribution = (struct attribution){
		.layout = &model->layout,
		.tasks = &model->tasks,
		.scheduling = &model->scheduling,
		.journal = &model->journal,
	};
	attribution_init(&model->attribution);
	return model;
}

void model_continue_ids(struct model *model, const struct model *before)
{
	model->tasks.next_id = before->tasks.next_id;
}

void model_destroy(struct model *model)
{
	if (!model)
		return;
	attribution_fini(&model->attribution);
	scheduling_fini(&model->scheduling);
	journal_fini(&model->journal);
	profile_book_fini(&model->samples);
	profile_book_fini(&model->closed_samples);
	sampled_fini(&model->sampled);
	stalls_fini(&model->stalls);
	task_table_fini(&model->tasks);
	free(model->others);
	layout_fini(&model->layout);
	layout_fini(&model->planned);
	free(model);
}

/* The group counts something that it did not count before. */
static bool has_gained(const struct layout *before, const struct layout *layout, size_t group)
{
	const struct event_group *members = &layout->groups[group];

	for (size_t i = 0; i < members->count; i++) {
		const size_t counter = members->counters[i];

		if (counter >= before->counter_count || !before->counters[counter].is_live)
			return true;
	}
	return false;
}

/*
 * In the last interval a new member was counted for none of the time, whatever its group was
 * doing. Not so where the group's time is the run time on a kind of CPU.
 */
static void void_counting_times(struct model *model, const struct layout *before)
{
	const struct layout *layout = &model->layout;

	for (size_t g = 0; g < before->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		if (!has_gained(before, layout, g) ||
		    (layout_is_clock(layout, g) && layout->kind_count > 1))
			continue;
		task_table_void(&model->tasks, group->value_index);
		attribution_void(&model->attribution, group->value_index);
		task_table_void(&model->tasks, group->slices_index);
		attribution_void(&model->attribution, group->slices_index);
	}
}

/* A clock group begins anew, or another one replaces it. */
static bool clock_changes(const struct layout *before, const struct layout *layout)
{
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		const size_t clock = layout->kinds[kind].clock;

		if (kind >= before->kind_count || before->kinds[kind].clock != clock ||
		    before->groups[clock].generation != layout->groups[clock].generation)
			return true;
	}
	return false;
}

/* What others took in the last interval is known until the next one says otherwise. */
static void keep_states(struct layout *layout, const struct layout *planned,
			const struct layout *before, const struct layout *planned_before)
{
	for (size_t i = 0; i < before->event_count; i++) {
		struct event *event = &layout->events[i];

		if (planned->events[i].state != EVENT_COUNTING ||
		    planned_before->events[i].state != EVENT_COUNTING)
			continue;
		event->state = before->events[i].state;
		memcpy(event->reason, before->events[i].reason, sizeof(event->reason));
	}
}

void model_change_layout(struct model *model, const struct layout *layout)
{
	struct layout before = model->layout, planned_before = model->planned;

	assert(layout->width >= before.width && layout->group_count >= before.group_count);
	attribution_prepare_change(&model->attribution);
	layout_copy(&model->layout, layout);
	layout_copy(&model->planned, layout);
	keep_states(&model->layout, &model->planned, &before, &planned_before);

	task_table_widen(&model->tasks, layout_width(layout), model->snapshot.task_count);
	journal_change(&model->journal, &model->layout);
	attribution_change(&model->attribution, before.group_count, clock_changes(&before, layout));
	per_task_change(&model->attribution, before.group_count);
	void_counting_times(model, &before);
	layout_fini(&before);
	layout_fini(&planned_before);
}

const struct layout *model_layout(const struct model *model)
{
	return &model->layout;
}

/* Streams have as many numbers as a vector, and three more for each group, about. */
uint64_t model_bytes(const struct model *model, const struct layout *layout)
{
	enum {
		TASK_VECTORS = 3,
		STREAM_VECTORS = 4,
		CPU_VECTORS = 12 + STREAM_VECTORS
	};
	const struct task_table *tasks = &model->tasks;
	const size_t width = layout_width(layout ? layout : &model->layout);
	const uint64_t vectors = tasks->opened * TASK_VECTORS + tasks->exited_totals.count +
				 (model->has_fed_tasks ? tasks->all.count * STREAM_VECTORS : 0) +
				 model->attribution.made_count * CPU_VECTORS;

	return vectors * width * sizeof(uint64_t) +
	       tasks->all.count * (sizeof(struct task) + sizeof(struct snapshot_task));
}

void model_start(struct model *model, uint64_t time_ns)
{
	parallel_start(&model->attribution, time_ns);
	task_table_start(&model->tasks);
	attribution_start(&model->attribution);
	scheduling_start(&model->scheduling, time_ns);
	journal_start(&model->journal);
	profile_book_clear(&model->samples);
	stalls_start(&model->stalls);
	model->lost_records = 0;
	model->lost_records_total = 0;
	model->throttled = model->throttled_ns = 0;
	model->start_ns = time_ns;
	model->interval_start_ns = time_ns;
	model->snapshot = (struct snapshot){0};
}

/* A thousandth of the interval is less than the last digit that is shown of it. */
static struct doubt doubt_in(const struct model *model, uint64_t interval_ns)
{
	return (struct doubt){
		.seen_ns = interval_ns / 1000,
		.quantities = scheduling_reported(&model->scheduling),
	};
}

/* The context switches of the interval, as the CPUs counted them. */
static uint64_t count_switches(const struct snapshot *snapshot)
{
	uint64_t count = 0;

	for (size_t i = 0; i < snapshot->cpu_count; i++)
		count += snapshot->cpus[i].counter[QUANTITY_SWITCHES];
	return count;
}

/* Those of this interval; the next one begins with none. NULL: nothing was sampled. */
static const struct profile *close_samples(struct model *model)
{
	const struct profile_book before = model->closed_samples;

	sampled_close(&model->sampled);
	model->closed_samples = model->samples;
	model->samples = before;
	profile_book_clear(&model->samples);
	if (profile_is_empty(&model->closed_samples.profile))
		return NULL;
	return &model->closed_samples.profile;
}

static void find_idle(struct model *model)
{
	for (size_t i = 0; i < model->attribution.cpu_count; i++)
		if (model->attribution.cpus[i] && !model->attribution.clock_stops)
			attribution_find_idle(&model->attribution, model->attribution.cpus[i],
					      stalls_idle_ns(&model->stalls, i));
}

const struct snapshot *model_close_interval(struct model *model, uint64_t time_ns)
{
	struct snapshot *snapshot = &model->snapshot;
	const uint64_t begin_ns = model->interval_start_ns;
	const uint64_t interval_ns = time_ns > begin_ns ? time_ns - begin_ns : 0;
	const struct doubt doubt = doubt_in(model, interval_ns);
	const uint32_t unknown =
		scheduling_unknown(&model->scheduling) |
		(smt_is_known(&model->attribution.smt) ? 0 : (uint32_t)LAYOUT_SMT) |
		parallel_unknown(&model->attribution);

	model->tasks.has_partial_timings = model->scheduling.was_off;
	scheduling_close(&model->scheduling, time_ns);
	parallel_close(&model->attribution, time_ns);
	task_table_close(&model->tasks, &doubt);
	*snapshot = (struct snapshot){
		.time_ns = time_ns,
		.interval_ns = interval_ns,
		.start_ns = model->start_ns,
		.sequence = snapshot->sequence + 1,
		.layout = &model->layout,
		.tasks = model->tasks.rows,
		.task_count = model->tasks.all.count,
		.active = model->tasks.active,
		.active_count = model->tasks.settling.count,
		.exited_totals = model->tasks.exited_totals.list,
		.exited_total_count = model->tasks.exited_totals.count,
		.ran_count = model->tasks.ran_count,
		.exited_count = model->tasks.exited_count,
		.lost_records = model->lost_records,
		.lost_records_total = model->lost_records_total,
		.throttled = model->throttled,
		.throttled_ns = model->throttled_ns,
		.shed_switches = model->journal.shed_switches,
		.shed_details = model->journal.shed_details,
		.unknown = unknown,
		.own = model->own,
		.profile = close_samples(model),
		.has_off_cpu = model->has_off_cpu,
		.off_cpu_pid = model->off_cpu_pid,
		.latency_scope = model->attribution.parallelism.scope.number,
		.parallel_ns = parallel_of_all(&model->attribution),
	};
	find_idle(model);
	attribution_close(&model->attribution, snapshot, &doubt);
	stalls_close(&model->stalls, snapshot);
	interrupts_close(&model->scheduling.interrupts, snapshot);
	snapshot->lock_waits = model->scheduling.states.waits;
	snapshot->lock_wait_count = model->scheduling.states.wait_count;
	snapshot->states_since_ns = model->scheduling.states.since_ns;
	snapshot->first_wake_ns = model->scheduling.first_wake_ns;
	snapshot->own.readings_ns =
		snapshot->own.switch_ns * count_switches(snapshot) + snapshot->own.samples_ns;
	if (snapshot->cpu_count == 0)
		snapshot->attributed_pct = snapshot->ran_count ? 100.0 : NAN;
	contention_note(&model->layout, &model->planned, snapshot,
			&(const struct contention){
				.taken_ns = model->attribution.taken_ns,
				.others = model->others,
				.is_limited = own_is_limited(&snapshot->own),
			});
	attribution_forget_taken(&model->attribution);

	model->interval_start_ns = time_ns;
	model->lost_records = 0;
	model->throttled = model->throttled_ns = 0;
	model->journal.shed_switches = 0;
	model->journal.shed_details = 0;
	return snapshot;
}

void model_note_others(struct model *model, const char *words)
{
	free(model->others);
	model->others = xstrdup(words);
}

void model_note_own(struct model *model, const struct own_usage *own)
{
	model->own = *own;
}

void model_hold(struct model *model, const int32_t *pids, size_t count)
{
	task_table_hold(&model->tasks, pids, count);
}

size_t model_wanted_procinfo(struct model *model, struct task_ref *refs, size_t max)
{
	return task_table_wanted(&model->tasks, refs, max);
}

void model_name_idle(struct model *model, const char *name)
{
	if (model->journal.history)
		history_name_idle(model->journal.history, name);
}

void model_keep_history(struct model *model, size_t capacity)
{
	journal_keep(&model->journal, capacity);
	attribution_forget_actors(&model->attribution);
}

const struct history *model_history(const struct model *model)
{
	return model->journal.history;
}

void model_settle(struct model *model, uint64_t time_ns)
{
	journal_settle(&model->journal, attribution_settled(&model->attribution, time_ns));
}

void model_shed(struct model *model, enum model_shed shed)
{
	model->journal.shed = shed;
	scheduling_turn_off(&model->scheduling, shed == MODEL_SHED_DETAIL);
}

void model_note_session(struct model *model, const struct session *session)
{
	model->scheduling.is_partial = session->is_partial;
	model->attribution.idle_is_shared = session->idle_is_shared;
	model->attribution.clock_stops = session->clock_stops;
}

void model_note_off_cpu(struct model *model, const struct session_samples *off_cpu)
{
	model->has_off_cpu = off_cpu->are_taken;
	model->off_cpu_pid = off_cpu->pid;
}

void model_note_topology(struct model *model, const struct topology *topology)
{
	attribution_note_topology(&model->attribution, topology);
}

void model_resync(const struct model *model, model_listener *listen, void *context)
{
	resync(&model->attribution, listen, context);
	stalls_resync(&model->stalls, listen, context);
}

void model_divide_life(struct model *model, bool is_on)
{
	states_turn(&model->scheduling, is_on);
}

void model_measure_parallelism(struct model *model, bool is_on, const struct parallel_scope *scope)
{
	parallel_turn(&model->attribution, is_on, scope);
}

size_t model_unseen_sleepers(struct model *model, struct task_ref *refs, size_t max)
{
	return states_unseen(&model->scheduling, refs, max);
}

size_t model_who_ran(const struct model *model, struct task_ref *refs, size_t max)
{
	const struct task_list *changed = &model->tasks.changed;
	size_t count = 0;

	for (size_t i = 0; i < changed->count && count < max; i++) {
		const struct task *task = changed->tasks[i];

		if (task_has_run(task) && !task->row.is_exited)
			refs[count++] = (struct task_ref){task->row.pid, task->row.tid};
	}
	return count;
}

/* --- records: each is checked whether it makes sense, and goes to the part it concerns */

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

/* Each names a group that is read. */
static inline bool readings_make_sense(const struct layout *layout,
				       const struct record_reading *readings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint16_t group = readings[i].group;

		if (group >= layout->group_count || !layout->groups[group].is_open ||
		    layout->groups[group].is_reported)
			return false;
	}
	return true;
}

/* What is in a record that is no switch. */
static bool content_makes_sense(const struct model *model, const struct record *record)
{
	switch (record->kind) {
	case RECORD_READING:
		return readings_make_sense(&model->layout, &record->reading, 1) &&
		       (has_cpu(record) || record->tid > 0);
	case RECORD_ESTIMATE:
		return is_reported(&model->layout, &record->estimate);
	case RECORD_COMM:
		return record->comm.name;
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
	case RECORD_UNREAD:
	case RECORD_CPU_TIMES:
		return has_cpu(record);
	case RECORD_INTERRUPT:
		return has_cpu(record) && record->interrupt.kind < INTERRUPT_KINDS;
	case RECORD_SLICE:
		return has_cpu(record) && record->slice.place < layout_width(&model->layout) &&
		       record->slice.news <= SLICE_NEWS_TIME;
	case RECORD_STALLS:
		return record->stalls.cgroup && record->stalls.numbers;
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
	case RECORD_MAPPING:
	case RECORD_SITE:
	case RECORD_SLEEP:
	case RECORD_CPU_USE:
		return true;
	case RECORD_SAMPLE:
		return !record->sample.reading ||
		       readings_make_sense(&model->layout, record->sample.reading, 1);
	case RECORD_SWITCH:
	case RECORD_KINDS:
		break;
	}
	return false;
}

/* The stack is the waker's, but the wakee is the task that it says something about. */
static void feed_waker(struct model *model, const struct record *record)
{
	const struct task *wakee = task_table_lookup(&model->tasks, record->sample.wakee_tid);
	struct record of_wakee = *record;

	of_wakee.tid = record->sample.wakee_tid;
	of_wakee.pid = wakee ? wakee->row.pid : RECORD_TASK_UNKNOWN;
	profile_book_take(&model->samples, &of_wakee, NULL, 0);
}

static void feed_sample(struct model *model, const struct record *record)
{
	struct task *task = NULL;
	struct slice slice;
	bool is_counted;

	if (record->sample.kind == SAMPLE_WAKER) {
		feed_waker(model, record);
		return;
	}
	is_counted = sampled_take(&model->sampled, &model->layout, record, &slice);
	if (record->sample.kind == SAMPLE_ON_CPU && record->sample.by == 0)
		task = task_table_lookup(&model->tasks, record->tid);
	profile_book_take(&model->samples, record, is_counted ? &slice : NULL,
			  task ? parallel_at(&model->attribution, task, record->time_ns) : 0);
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
	per_task_reading(&model->attribution, record, task);
}

/* Of no CPU: the task's alone; the task is known, or is none that the books know. */
static void feed_estimate(struct model *model, const struct record *record)
{
	const struct record_estimate *estimate = &record->estimate;
	const struct event_group *group = &model->layout.groups[estimate->group];
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
	counts[group->value_indexes[estimate->member]] += estimate->value;
	counts[group->slices_index]++;
	counts[QUANTITY_RUN_NS] += estimate->run_ns;
}

/*
 * A task that is counted by itself, or a CPU's: what a CPU has counted at a switch is in its books,
 * whoever leaves. All readings must be of groups that are read.
 */
static inline void feed_switch(struct model *model, const struct record *record)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	const bool makes_sense = ids_make_sense(ctx_switch->next_pid, ctx_switch->next_tid) &&
				 readings_make_sense(&model->layout, ctx_switch->readings,
						     ctx_switch->reading_count);

	if (makes_sense && model->has_fed_tasks && ctx_switch->reading_count == 0 &&
	    per_task_switch(&model->attribution, record))
		return;
	if (makes_sense && has_cpu(record))
		attribution_switch(&model->attribution, record);
	else if (!makes_sense || ctx_switch->reading_count > 0)
		lose(model, 1);
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
		per_task_switch_count(&model->attribution, record, task);
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

static SELDOM void feed_other(struct model *model, const struct record *record)
{
	if (!content_makes_sense(model, record)) {
		lose(model, 1);
		return;
	}

	switch (record->kind) {
	case RECORD_READING:
		feed_reading(model, record);
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
		model->throttled_ns += record->throttled_ns;
		break;
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
		feed_hotplug(model, record);
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
	case RECORD_UNREAD:
		attribution_pass(&model->attribution, record);
		break;
	case RECORD_SAMPLE:
		feed_sample(model, record);
		break;
	case RECORD_CPU_TIMES:
		stalls_take_cpu_times(&model->stalls, record);
		break;
	case RECORD_STALLS:
		stalls_take(&model->stalls, record);
		break;
	case RECORD_SITE:
		states_site(&model->scheduling, record);
		break;
	case RECORD_SLEEP:
		states_sleep(&model->scheduling, record);
		break;
	case RECORD_CPU_USE:
		states_cpu_use(&model->scheduling, record);
		break;
	case RECORD_INTERRUPT:
		interrupts_take(&model->scheduling, record);
		break;
	case RECORD_SLICE:
		attribution_slice(&model->attribution, record);
		break;
	case RECORD_MAPPING: /* for those that find out which functions there are */
	case RECORD_SWITCH:
	case RECORD_WAKEUP:
	case RECORD_KINDS:
		break;
	}
}

/* Most of them are switches, or wake-ups. */
void model_feed(struct model *model, const struct record *record)
{
	if (record->cpu < RECORD_CPU_NONE || record->cpu >= TOPOLOGY_CPUS_MAX ||
	    !ids_make_sense(record->pid, record->tid))
		lose(model, 1);
	else if (record->kind == RECORD_SWITCH)
		feed_switch(model, record);
	else if (record->kind == RECORD_WAKEUP)
		scheduling_wake(&model->scheduling, record);
	else
		feed_other(model, record);
}
