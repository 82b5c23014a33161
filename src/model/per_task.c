/*
 * Per-task readings have no sequence: each is the task's own sum, and a slice is all
 * that the task did between two of them, wherever it ran.
 */
#include "model/per_task.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/journal.h"
#include "model/record.h"
#include "model/resync.h"
#include "model/scheduling.h"
#include "model/tasks.h"

enum {
	UNKNOWN_SWITCHES = 1 << QUANTITY_SWITCHES | 1 << QUANTITY_PREEMPTIONS,
	/* what only switch records report */
	UNKNOWN_TIMES = 1 << QUANTITY_MIGRATIONS | 1 << QUANTITY_PREEMPTED_NS | 1 << QUANTITY_OFF_NS
};

void per_task_change(struct per_task *per_task, const struct group_places *places,
		     size_t group_count)
{
	const struct task_table *tasks = per_task->tasks;

	per_task->places = places;
	for (size_t i = 0; i < tasks->all.count; i++) {
		struct feed *feed = tasks->all.tasks[i]->feed;

		if (feed)
			streams_change(&feed->streams, group_count, per_task->layout);
	}
}

bool task_is_fed(const struct task *task)
{
	return task->feed && task->feed->has_readings;
}

static struct feed *feed_of(const struct per_task *per_task, struct task *task)
{
	if (!task->feed) {
		task->feed = xcalloc(1, sizeof(*task->feed));
		streams_init(&task->feed->streams, per_task->layout);
	}
	return task->feed;
}

/* What the task's feed cannot report is unknown, not zero. */
static void report_unknown(struct per_task *per_task, struct task *task)
{
	const struct feed *feed = task->feed;
	uint32_t unknown = task->row.unknown & ~(uint32_t)(UNKNOWN_SWITCHES | UNKNOWN_TIMES);

	if (feed->has_readings && !feed->has_switch_records)
		unknown |= UNKNOWN_TIMES;
	if (feed->has_readings && !feed->has_switch_records && !feed->has_switch_counts)
		unknown |= UNKNOWN_SWITCHES;
	if (unknown == task->row.unknown)
		return;
	task->row.unknown = unknown;
	task_table_change(per_task->tasks, task);
}

static bool holds_nothing(const struct slice *slice)
{
	return counts_are_zero(slice->delta, READING_VALUES + slice->places->member_count);
}

/* A task that is watched anew may be reported in another way, with other absolute numbers. */
static void restart(struct feed *feed, const struct record *record)
{
	feed->has_switch_records = record->reading.has_switch_records;
	feed->has_switch_counts = false;
}

void per_task_reading(struct per_task *per_task, const struct record *record, struct task *task)
{
	const uint16_t group = record->reading.group;
	struct feed *feed = feed_of(per_task, task);
	struct slice slice;

	if (record->reading.restarts)
		restart(feed, record);
	slice.places = &per_task->places[group];
	switch (stream_advance(&feed->streams.streams[group], &record->reading, &slice)) {
	case STREAM_SLICE:
		if (!holds_nothing(&slice))
			slice_credit(&slice, task_table_counts(per_task->tasks, task));
		break;
	case STREAM_BROKEN:
		per_task->broken_readings++;
		break;
	case STREAM_BASELINE:
	case STREAM_STALE:
		break;
	}
	feed->has_readings = true;
	report_unknown(per_task, task);
}

static void count(struct per_task *per_task, struct task *task, enum quantity quantity)
{
	task_table_counts(per_task->tasks, task)[quantity]++;
}

static void log_switch(const struct per_task *per_task, struct switch_entry *entry)
{
	if (!journal_is_kept(per_task->journal)) {
		journal_leave_out(per_task->journal);
		return;
	}
	journal_add(per_task->journal, entry);
}

/* Run time since it came, if that was seen. */
static uint64_t slice_ns_of(const struct per_task *per_task, const struct task *task,
			    uint64_t time_ns)
{
	const struct absence *absence = &task->absence;

	if (absence->kind != ABSENCE_UNKNOWN || absence->came_ns == 0 ||
	    scheduling_has_lost(per_task->scheduling, absence->came_ns, time_ns))
		return SWITCH_NS_UNKNOWN;
	return time_ns - absence->came_ns;
}

void per_task_switch_out(struct per_task *per_task, const struct record *record, struct task *task)
{
	const uint64_t slice_ns = slice_ns_of(per_task, task, record->time_ns);
	const enum switch_how how =
		scheduling_how(task, record->ctx_switch.preempted, record->time_ns);

	task->feed->has_switch_records = true;
	count(per_task, task, QUANTITY_SWITCHES);
	task->feed->recorded[SWITCH_ALL]++;
	if (record->ctx_switch.preempted) {
		count(per_task, task, QUANTITY_PREEMPTIONS);
		task->feed->recorded[SWITCH_INVOLUNTARY]++;
	}
	report_unknown(per_task, task);
	journal_slice(per_task->journal, task, slice_ns, NULL);
	log_switch(per_task, &(struct switch_entry){
				     .time_ns = record->time_ns,
				     .slice_ns = slice_ns,
				     .off_ns = SWITCH_NS_UNKNOWN,
				     .wait_ns = SWITCH_NS_UNKNOWN,
				     .left = journal_actor(per_task->journal, task),
				     .cpu = record->cpu,
				     .from_cpu = -1,
				     .how = how,
			     });
	scheduling_leave(per_task->scheduling, task, record->time_ns, how, ACTOR_UNKNOWN);
}

static void move(struct per_task *per_task, struct task *task, int cpu)
{
	if (cpu < 0 || cpu == task->row.last_cpu)
		return;
	if (task->row.last_cpu >= 0)
		count(per_task, task, QUANTITY_MIGRATIONS);
	task->row.last_cpu = cpu;
	task_table_change(per_task->tasks, task);
}

void per_task_switch_in(struct per_task *per_task, const struct record *record, struct task *task)
{
	struct arrival arrival;

	task->feed->has_switch_records = true;
	report_unknown(per_task, task);
	scheduling_arrive(per_task->scheduling, task, record->time_ns, &arrival);
	per_task_enter_waits(per_task, task, &arrival.waits);
	log_switch(per_task, &(struct switch_entry){
				     .time_ns = record->time_ns,
				     .slice_ns = SWITCH_NS_UNKNOWN,
				     .off_ns = arrival.off_ns,
				     .wait_ns = arrival.wait_ns,
				     .came = journal_actor(per_task->journal, task),
				     .pushed_by = arrival.pushed_by,
				     .cpu = record->cpu,
				     .from_cpu = arrival.from_cpu,
				     .came_preempted = arrival.was_preempted,
			     });
	move(per_task, task, record->cpu);
}

void per_task_enter_waits(struct per_task *per_task, struct task *task, const struct waits *waits)
{
	if (!waits->is_none)
		waits_add(waits, task_table_counts(per_task->tasks, task));
}

/* What records have reported ahead of the number is taken off the next one. */
static void take_off_recorded(struct feed *feed, uint64_t *delta)
{
	for (size_t i = 0; i < SWITCH_NUMBERS; i++) {
		const uint64_t both = delta[i] < feed->recorded[i] ? delta[i] : feed->recorded[i];

		delta[i] -= both;
		feed->recorded[i] -= both;
	}
}

void per_task_switch_count(struct per_task *per_task, const struct record *record,
			   struct task *task)
{
	struct feed *feed = feed_of(per_task, task);
	const struct record_switch_count *counted = &record->switch_count;
	const uint64_t now[SWITCH_NUMBERS] = {
		[SWITCH_ALL] = counted->voluntary + counted->involuntary,
		[SWITCH_INVOLUNTARY] = counted->involuntary,
	};
	uint64_t delta[SWITCH_NUMBERS];
	const bool is_first = !feed->has_switch_counts;
	const bool grows = counts_sub(delta, now, feed->switches, SWITCH_NUMBERS);

	feed->has_switch_counts = true;
	for (size_t i = 0; i < SWITCH_NUMBERS; i++)
		feed->switches[i] = now[i];
	report_unknown(per_task, task);
	if (is_first)
		feed->recorded[SWITCH_ALL] = feed->recorded[SWITCH_INVOLUNTARY] = 0;
	if (is_first || !feed->has_readings)
		return;
	if (!grows) {
		per_task->broken_readings++;
		return;
	}
	take_off_recorded(feed, delta);
	if (counts_are_zero(delta, SWITCH_NUMBERS))
		return;

	uint64_t *counts = task_table_counts(per_task->tasks, task);
	counts[QUANTITY_SWITCHES] += delta[SWITCH_ALL];
	counts[QUANTITY_PREEMPTIONS] += delta[SWITCH_INVOLUNTARY];
}

void per_task_resync(const struct per_task *per_task, const struct task *task,
		     model_listener *listen, void *context)
{
	const struct feed *feed = task->feed;
	struct record record = {
		.cpu = RECORD_CPU_NONE,
		.pid = task->row.pid,
		.tid = task->row.tid,
		.time_ns = task->first_ns,
	};

	if (!feed)
		return;
	for (size_t g = 0; g < per_task->layout->group_count; g++) {
		if (!feed->streams.streams[g].has_baseline)
			continue;
		record.kind = RECORD_READING;
		record.reading = resync_reading(&feed->streams.streams[g], (uint16_t)g).reading;
		record.reading.has_switch_records = feed->has_switch_records;
		listen(context, &record);
	}
	if (!feed->has_switch_counts)
		return;
	record.kind = RECORD_SWITCH_COUNT;
	record.switch_count = (struct record_switch_count){
		.voluntary = feed->switches[SWITCH_ALL] - feed->switches[SWITCH_INVOLUNTARY],
		.involuntary = feed->switches[SWITCH_INVOLUNTARY],
	};
	listen(context, &record);
}
