#ifndef PERFTOP_TESTS_MODEL_STORY_H
#define PERFTOP_TESTS_MODEL_STORY_H

/*
 * Tests of the model as tables: a story is what the model is fed with, step by step, and what must
 * then be true. Each story is a test of its own, with its own name. Records have the fields and the
 * defaults of model_kit.h.
 *
 *	{"slice_at_switch_goes_to_prev", .steps = {
 *		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {130, 240}},
 *		{CLOSE, .time = 2000},
 *		{TASK, .tid = 7, .of = QUANTITY_RUN_NS, .is = 500},
 *	}},
 *
 * Checks of the snapshot are of the one that was closed last; a story in which none was closed
 * before its first check ends its interval at 2000 ns. At each close the books of the CPUs must
 * balance, and the active tasks must be listed.
 */

#include "base/memory.h"
#include "model/session.h"
#include "model/timing.h"

#include "switch_kit.h"
#include "unit.h"

enum step_kind {
	STORY_END,

	/* records */
	SAMPLE,
	READING,
	TASK_READING,
	SWITCH_OUT,
	SWITCH_IN,
	FORK,
	EXIT,
	COMM,
	FACTS,
	SWITCH_COUNT,
	RUN_DELAY,
	WAKEUP,
	YIELD,
	LOST,
	THROTTLED,
	ONLINE,
	OFFLINE,
	UNREAD,  /* an interval ends at .time, and the CPU was not read */
	SETTLED, /* says that times before .time do not change any more */

	/* several at once: see switch_kit.h */
	LEAVE_FOR_8,
	RETURN_FROM_8,
	CALL, /* .call */

	/* what else a model is asked to do */
	CLOSE, /* the interval, at .time */
	START,
	SETTLE,
	SHED,         /* .is: enum model_shed */
	HOLD,         /* the process .tid; 0: none */
	PARTIAL,      /* not all CPUs are watched */
	SHARED_IDLE,  /* tasks outside of the pid namespace look like it */
	KEEP_HISTORY, /* of .is switches */
	SPLIT,        /* ends the interval at .time: a new model goes on with what this one knows */

	/* the snapshot: .is what is at the place .of, for the task .tid or the CPU at index .cpu */
	TASK, /* 0 when there is no such task */
	TOTAL,
	REAPED,
	COUNTER,
	IDLE,
	UNATTRIBUTED,
	COUNTER_TOTAL,
	UNATTRIBUTED_TOTAL,
	ATTRIBUTED_PCT, /* .is, without its fraction */
	INTERVAL,       /* member of the snapshot: enum of_interval */
	CPU,            /* of the CPU: enum of_cpu */
	INFO,           /* of the task: enum of_task */
	TASK_NAME,      /* .name, likewise */
	TASK_COMMAND,
	TASK_CGROUP,
	ROWS,   /* tasks with this tid */
	TIMING, /* enum of_timing */

	/* the history, the entry .nth of it, or the newest one: enum of_entry, or a place */
	HISTORY_CHECKS,
	ENTRIES = HISTORY_CHECKS,
	ENTRY_NAME, /* of the actor .of (LEFT, CAME) of the entry .nth, or of the newest one */
	LAST_NAME,
	ENTRY,
	ENTRY_COUNT,
	LAST,
	LAST_COUNT,

	/* .is tasks of which procinfo is wanted, the first one being .tid (0: any) */
	WANTED,
	STEP_KINDS
};

enum of_interval {
	CPUS,
	KNOWN_TASKS,
	RAN,
	EXITED,
	BROKEN_READINGS,
	MERGED_IDLE,
	LOST_RECORDS,
	LOST_RECORDS_TOTAL,
	THROTTLINGS,
	SHED_SWITCHES,
	SHED_DETAILS,
	UNKNOWN_OF_ALL, /* but for LAYOUT_SMT */
	UNKNOWN_SMT,    /* of that */
	START_NS,
	LENGTH_NS,
	NUMBER
};

enum of_cpu {
	CPU_NUMBER,
	CPU_UNKNOWN,
	CPU_UNREAD_NS,
	CPU_ONLINE
};

enum of_task {
	PID,
	PARENT,
	UID,
	SESSION,
	LAST_CPU,
	UNKNOWN,
	IS_EXITED,
	IS_HELD,
	IS_NEW,
	HAS_RUN,
	HAS_TIMING,
	HAS_REAPED,
	IS_KERNEL_THREAD,
	IS_SILENT
};

enum of_timing {
	SLICES,
	SLICES_NS,
	PREEMPTIONS,
	PREEMPTED_NS,
	WAKEUPS_NS,
	COLD_SLICES,
	COLD_NS,
	COLD_INSTRUCTIONS,
	COLD_CYCLES,
	LATE_SLICES,
	LATE_NS,
	LATE_INSTRUCTIONS,
	LATE_CYCLES
};

/* Times that are unknown are -1. */
enum of_entry {
	LEFT, /* tid; 0: idle, -1: unknown */
	CAME,
	QUEUED_BY,
	LEFT_ACTOR, /* number of the actor */
	CAME_ACTOR,
	QUEUED_BY_ACTOR,
	HOW,
	TIME_NS,
	SLICE_NS,
	OFF_NS,
	WAIT_NS,
	ON_CPU,
	FROM_CPU,
	STATE,
	CAME_PREEMPTED,
	HAS_COUNTS
};

/* Places of the kit's layout. */
enum {
	GROUP0_NS = QUANTITY_BUILTIN,
	E0 = GROUP0_NS + 2,
	E1,
	GROUP1_NS,
	E2 = GROUP1_NS + 2,
	E3
};

enum {
	STORY_STEPS = 40
};

struct story {
	const char *name;
	struct step steps[STORY_STEPS];
	size_t groups;                         /* 0: one */
	struct model *(*begin)(size_t groups); /* NULL: that of the table */
};

/* One that is being played. */
struct stage {
	const struct story *story;
	struct model *(*begin)(size_t groups);
	size_t step;
	struct model *model;
	const struct snapshot *snapshot; /* NULL: no interval was closed */
};

static inline void story_feed(struct model *model, const struct step *step)
{
	static const enum record_kind plain[] = {
		[EXIT] = RECORD_EXIT,           [YIELD] = RECORD_YIELD,
		[THROTTLED] = RECORD_THROTTLED, [ONLINE] = RECORD_CPU_ONLINE,
		[OFFLINE] = RECORD_CPU_OFFLINE, [SETTLED] = RECORD_SETTLED,
		[UNREAD] = RECORD_UNREAD,
	};
	struct step record = *step;

	switch (step->kind) {
	case SAMPLE:
		feed(model, kit_sample(&record, &(struct record_reading){0}));
		return;
	case READING:
		record.tid = record.tid == 0 ? NOBODY : record.tid;
		feed(model, kit_reading(&record));
		return;
	case TASK_READING:
		record.cpu = RECORD_CPU_NONE;
		feed(model, kit_reading(&record));
		return;
	case SWITCH_OUT:
		feed(model, kit_out(&record));
		return;
	case SWITCH_IN:
		feed(model, kit_in(&record));
		return;
	case FORK:
		feed(model, kit_fork(&record));
		return;
	case COMM:
		feed(model, kit_comm(&record));
		return;
	case FACTS:
		feed(model, kit_facts(&record));
		return;
	case SWITCH_COUNT:
		record.cpu = RECORD_CPU_NONE;
		feed(model, kit_switch_count(&record));
		return;
	case RUN_DELAY:
		record.cpu = RECORD_CPU_NONE;
		feed(model, kit_run_delay(&record));
		return;
	case WAKEUP:
		feed(model, kit_wakeup(&record));
		return;
	case LOST:
		feed(model, kit_lost(&record));
		return;
	case LEAVE_FOR_8:
		leave_for_8_as(model, step);
		return;
	case RETURN_FROM_8:
		return_from_8(model, step->seq, step->ns);
		return;
	default:
		feed(model, kit_record(plain[step->kind], &record));
	}
}

static inline void story_close(struct stage *stage, uint64_t time_ns)
{
	stage->snapshot = model_close_interval(stage->model, time_ns);
	if (stage->snapshot->cpu_count > 0)
		assert_true(books_balance(stage->snapshot));
	assert_true(active_are_listed(stage->snapshot));
}

static inline void story_pass_on(void *context, const struct record *record)
{
	model_feed(context, record);
}

static inline void story_split(struct stage *stage, uint64_t time_ns)
{
	struct model *before = stage->model;

	story_close(stage, time_ns);
	stage->snapshot = NULL;
	stage->model = model_create(model_layout(before));
	model_resync(before, story_pass_on, stage->model);
	kit_pass_on(before, stage->model);
	model_start(stage->model, time_ns);
	model_destroy(before);
}

static inline void story_act(struct stage *stage, const struct step *step)
{
	switch (step->kind) {
	case CALL:
		step->call(stage->model);
		return;
	case CLOSE:
		story_close(stage, step->time);
		return;
	case START:
		model_start(stage->model, step->time);
		return;
	case SETTLE:
		model_settle(stage->model, step->time);
		return;
	case SHED:
		model_shed(stage->model, (enum model_shed)step->is);
		return;
	case SPLIT:
		story_split(stage, step->time);
		return;
	case HOLD:
		model_hold(stage->model, &step->tid, step->tid != 0 ? 1 : 0);
		return;
	case PARTIAL:
		model_note_session(stage->model, &(struct session){.is_partial = true});
		return;
	case SHARED_IDLE:
		model_note_session(stage->model, &(struct session){.idle_is_shared = true});
		return;
	default:
		model_keep_history(stage->model, (size_t)step->is);
	}
}

static inline uint64_t story_interval(const struct snapshot *snapshot, enum of_interval of)
{
	const uint64_t values[] = {
		[CPUS] = snapshot->cpu_count,
		[KNOWN_TASKS] = snapshot->task_count,
		[RAN] = snapshot->ran_count,
		[EXITED] = snapshot->exited_count,
		[BROKEN_READINGS] = snapshot->broken_readings,
		[MERGED_IDLE] = snapshot->merged_idle,
		[LOST_RECORDS] = snapshot->lost_records,
		[LOST_RECORDS_TOTAL] = snapshot->lost_records_total,
		[THROTTLINGS] = snapshot->throttled,
		[SHED_SWITCHES] = snapshot->shed_switches,
		[SHED_DETAILS] = snapshot->shed_details,
		[UNKNOWN_OF_ALL] = snapshot->unknown & ~(uint32_t)LAYOUT_SMT &
				   ~(uint32_t)LAYOUT_STATES & ~(UINT32_C(1) << QUANTITY_LATENCY_NS),
		[UNKNOWN_SMT] = snapshot->unknown & LAYOUT_SMT,
		[START_NS] = snapshot->start_ns,
		[LENGTH_NS] = snapshot->interval_ns,
		[NUMBER] = snapshot->sequence,
	};

	return values[of];
}

static inline int64_t story_task(const struct snapshot_task *task, enum of_task of)
{
	const int64_t values[] = {
		[PID] = task->pid,
		[PARENT] = task->parent_pid,
		[UID] = task->uid,
		[SESSION] = task->session,
		[LAST_CPU] = task->last_cpu,
		[UNKNOWN] = task->unknown,
		[IS_EXITED] = task->is_exited,
		[IS_HELD] = task->is_held,
		[IS_NEW] = task->is_new,
		[HAS_RUN] = task->has_run,
		[HAS_TIMING] = task->timing != NULL,
		[HAS_REAPED] = task->reaped != NULL,
		[IS_KERNEL_THREAD] = task->is_kernel_thread,
		[IS_SILENT] = task->is_silent,
	};

	return values[of];
}

static inline uint64_t story_timing(const struct timing *timing, enum of_timing of)
{
	const uint64_t values[] = {
		[SLICES] = timing->of[TIMING_SLICES].count,
		[SLICES_NS] = timing->of[TIMING_SLICES].sum,
		[PREEMPTIONS] = timing->of[TIMING_PREEMPTED].count,
		[PREEMPTED_NS] = timing->of[TIMING_PREEMPTED].sum,
		[WAKEUPS_NS] = timing->of[TIMING_WAKEUPS].sum,
		[COLD_SLICES] = timing->cold.slices,
		[COLD_NS] = timing->cold.ns,
		[COLD_INSTRUCTIONS] = timing->cold.instructions,
		[COLD_CYCLES] = timing->cold.cycles,
		[LATE_SLICES] = timing->late.slices,
		[LATE_NS] = timing->late.ns,
		[LATE_INSTRUCTIONS] = timing->late.instructions,
		[LATE_CYCLES] = timing->late.cycles,
	};

	return values[of];
}

static inline uint64_t story_entry(const struct kit_entry *kit, enum of_entry of)
{
	const struct switch_entry *entry = &kit->entry;
	const uint64_t values[] = {
		[LEFT] = (uint64_t)kit->prev,
		[CAME] = (uint64_t)kit->next,
		[QUEUED_BY] = (uint64_t)kit->queued_by,
		[LEFT_ACTOR] = entry->prev,
		[CAME_ACTOR] = entry->next,
		[QUEUED_BY_ACTOR] = entry->queued_by,
		[HOW] = entry->how,
		[TIME_NS] = entry->time_ns,
		[SLICE_NS] = entry->slice_ns,
		[OFF_NS] = entry->off_ns,
		[WAIT_NS] = entry->wait_ns,
		[ON_CPU] = (uint64_t)entry->cpu,
		[FROM_CPU] = (uint64_t)entry->from_cpu,
		[STATE] = entry->state,
		[CAME_PREEMPTED] = entry->next_was_preempted,
		[HAS_COUNTS] = entry->has_counts,
	};

	return values[of];
}

static inline uint64_t story_history(const struct model *model, const struct step *step)
{
	const bool is_last = step->kind == LAST || step->kind == LAST_COUNT;
	const struct kit_entry entry = is_last ? last_entry(model) : entry_at(model, step->nth);

	return step->kind == LAST || step->kind == ENTRY
		       ? story_entry(&entry, (enum of_entry)step->of)
		       : entry.counts[step->of];
}

static inline uint64_t story_cpu(const struct snapshot_cpu *cpu, const struct step *step)
{
	switch (step->kind) {
	case COUNTER:
		return cpu->counter[step->of];
	case IDLE:
		return cpu->idle[step->of];
	case UNATTRIBUTED:
		return cpu->unattributed[step->of];
	case COUNTER_TOTAL:
		return cpu->counter_total[step->of];
	case UNATTRIBUTED_TOTAL:
		return cpu->unattributed_total[step->of];
	default:
		return step->of == CPU_NUMBER      ? (uint64_t)cpu->cpu
		       : step->of == CPU_UNREAD_NS ? cpu->unread_ns
		       : step->of == CPU_UNKNOWN   ? cpu->unknown
						   : cpu->is_online;
	}
}

static inline uint64_t story_rows(const struct snapshot *snapshot, int32_t tid)
{
	uint64_t count = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		count += snapshot->tasks[i].tid == tid;
	return count;
}

static inline uint64_t story_value(const struct stage *stage, const struct step *step)
{
	const struct snapshot *snapshot = stage->snapshot;
	const struct snapshot_task *task;

	switch (step->kind) {
	case ENTRIES:
		return entry_count(stage->model);
	case ENTRY:
	case ENTRY_COUNT:
	case LAST:
	case LAST_COUNT:
		return story_history(stage->model, step);
	case TASK:
		return task_count(snapshot, step->tid, (size_t)step->of);
	case ATTRIBUTED_PCT:
		return (uint64_t)snapshot->attributed_pct;
	case INTERVAL:
		return story_interval(snapshot, (enum of_interval)step->of);
	case ROWS:
		return story_rows(snapshot, step->tid);
	case TOTAL:
	case REAPED:
	case INFO:
	case TIMING:
		break;
	default:
		assert_true((size_t)step->cpu < snapshot->cpu_count);
		return story_cpu(&snapshot->cpus[step->cpu], step);
	}
	task = find_task(snapshot, step->tid);
	assert_non_null(task);
	if (step->kind == TIMING)
		return story_timing(task->timing, (enum of_timing)step->of);
	if (step->kind == INFO)
		return (uint64_t)story_task(task, (enum of_task)step->of);
	return (step->kind == TOTAL ? task->total : task->reaped)[step->of];
}

static inline const char *story_actor_name(const struct model *model, const struct step *step)
{
	const struct kit_entry kit =
		step->kind == LAST_NAME ? last_entry(model) : entry_at(model, step->nth);
	const uint64_t actor = step->of == LEFT ? kit.entry.prev : kit.entry.next;

	return history_find_actor(model_history(model), actor)->name;
}

static inline const char *story_text(const struct stage *stage, const struct step *step)
{
	const struct snapshot_task *task;

	if (step->kind == ENTRY_NAME || step->kind == LAST_NAME)
		return story_actor_name(stage->model, step);
	task = find_task(stage->snapshot, step->tid);
	assert_non_null(task);
	return step->kind == TASK_NAME      ? task->name
	       : step->kind == TASK_COMMAND ? task->command_line
					    : task->cgroup;
}

/* NULL: it has none. */
static inline void story_check_text(const struct stage *stage, const struct step *step)
{
	const char *text = story_text(stage, step);

	if (!step->name)
		assert_null(text);
	else
		assert_string_equal(text, step->name);
}

static inline void story_check_wanted(const struct stage *stage, const struct step *step)
{
	struct task_ref refs[4];

	assert_int_equal(model_wanted_procinfo(stage->model, refs, 4), step->is);
	if (step->tid != 0)
		assert_int_equal(refs[0].tid, step->tid);
}

static inline void story_play(struct stage *stage, const struct step *step)
{
	if (step->kind < CALL) {
		story_feed(stage->model, step);
		return;
	}
	if (step->kind < TASK) {
		story_act(stage, step);
		return;
	}
	if (step->kind < HISTORY_CHECKS && !stage->snapshot)
		story_close(stage, 2000);
	if ((step->kind >= TASK_NAME && step->kind <= TASK_CGROUP) || step->kind == ENTRY_NAME ||
	    step->kind == LAST_NAME) {
		story_check_text(stage, step);
	} else if (step->kind == WANTED) {
		story_check_wanted(stage, step);
	} else {
		const uint64_t value = story_value(stage, step);

		if (value != (uint64_t)step->is)
			fail_msg("step %zu: %lld, not %lld", stage->step + 1, (long long)value,
				 (long long)step->is);
	}
}

static inline void story_run(void **state)
{
	struct stage *stage = *state;
	const struct story *story = stage->story;

	stage->model = stage->begin(story->groups > 0 ? story->groups : 1);
	for (; story->steps[stage->step].kind != STORY_END; stage->step++)
		story_play(stage, &story->steps[stage->step]);
	model_destroy(stage->model);
}

/* Runs the tests, then the stories. */
static inline int story_run_all_with(const struct story *stories, size_t count,
				     struct model *(*begin)(size_t groups),
				     CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	struct stage *stages = xcalloc(count, sizeof(*stages));

	for (size_t i = 0; i < count; i++) {
		stages[i].story = &stories[i];
		stages[i].begin = stories[i].begin ? stories[i].begin : begin;
		unit_add((struct CMUnitTest){stories[i].name, story_run, NULL, NULL, &stages[i]});
	}
	const int failed = unit_run(set_up, tear_down);
	free(stages);
	return failed;
}

static inline int story_run_all(const struct story *stories, size_t count,
				struct model *(*begin)(size_t groups))
{
	return story_run_all_with(stories, count, begin, NULL, NULL);
}

#endif
