/*
 * Per-task readings have no sequence: each is the task's own sum, and a slice is all
 * that the task did between two of them, wherever it ran.
 */
#include "model/per_task.h"

#include "base/memory.h"
#include "model/arrival.h"

enum {
	UNKNOWN_SWITCHES = 1 << QUANTITY_SWITCHES | 1 << QUANTITY_PREEMPTIONS,
	/* what only switch records report */
	UNKNOWN_TIMES = 1 << QUANTITY_MIGRATIONS | 1 << QUANTITY_PREEMPTED_NS | 1 << QUANTITY_OFF_NS
};

void per_task_change(struct attribution *attribution, size_t group_count)
{
	const struct task_list *all = &attribution->tasks->all;

	for (size_t i = 0; i < all->count; i++)
		if (all->tasks[i]->feed)
			streams_change(&all->tasks[i]->feed->streams, group_count,
				       attribution->layout);
}

static struct feed *feed_of(const struct attribution *attribution, struct task *task)
{
	if (!task->feed) {
		task->feed = xcalloc(1, sizeof(*task->feed));
		streams_init(&task->feed->streams, attribution->layout);
	}
	return task->feed;
}

/* What the task's feed cannot report is unknown, not zero. */
static void report_unknown(struct attribution *attribution, struct task *task)
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
	task_table_change(attribution->tasks, task);
}

void per_task_reading(struct attribution *attribution, const struct record *record,
		      struct task *task)
{
	const uint16_t group = record->reading.group;
	struct feed *feed = feed_of(attribution, task);
	struct slice slice = {0};

	/* a task that is watched anew may be reported in another way, with other numbers */
	if (record->reading.restarts) {
		feed->has_switch_records = record->reading.has_switch_records;
		feed->has_switch_counts = false;
	}
	slice.group = feed->streams.streams[group].group;
	slice.is_clock = feed->streams.streams[group].is_clock;
	switch (stream_advance(&feed->streams.streams[group], &record->reading, false, &slice)) {
	case STREAM_SLICE:
		if (!counts_are_zero(slice.delta, READING_VALUES + slice.group->count))
			slice_credit(&slice, task_table_counts(attribution->tasks, task));
		break;
	case STREAM_BROKEN:
		attribution->broken_readings++;
		break;
	case STREAM_BASELINE:
	case STREAM_STALE:
		break;
	}
	feed->has_readings = true;
	report_unknown(attribution, task);
}

static void count_quantity(struct attribution *attribution, struct task *task,
			   enum quantity quantity)
{
	task_table_counts(attribution->tasks, task)[quantity]++;
}

/* Run time since it came, if that was seen. */
static uint64_t slice_until(const struct attribution *attribution, const struct task *task,
			    uint64_t time_ns)
{
	const struct absence *absence = &task->absence;

	if (absence->kind != ABSENCE_UNKNOWN || absence->came_ns == 0 ||
	    scheduling_has_lost(attribution->scheduling, absence->came_ns, time_ns))
		return SWITCH_NS_UNKNOWN;
	return time_ns - absence->came_ns;
}

/* NULL: it is not fed. */
static struct task *fed_task(const struct attribution *attribution, int32_t pid, int32_t tid,
			     uint64_t time_ns)
{
	struct task *task = task_table_find(attribution->tasks, pid, tid, time_ns);

	return task && task_is_fed(task) ? task : NULL;
}

static void leave_as_fed(struct attribution *attribution, struct task *prev,
			 const struct record *record)
{
	count_quantity(attribution, prev, QUANTITY_SWITCHES);
	prev->feed->recorded[SWITCH_ALL]++;
	if (record->ctx_switch.preempted) {
		count_quantity(attribution, prev, QUANTITY_PREEMPTIONS);
		prev->feed->recorded[SWITCH_INVOLUNTARY]++;
	}
	prev->feed->has_switch_records = true;
	report_unknown(attribution, prev);
}

static void arrive_as_fed(struct attribution *attribution, struct task *next,
			  const struct record *record)
{
	const int cpu = record->cpu;

	next->feed->has_switch_records = true;
	report_unknown(attribution, next);
	if (cpu < 0 || cpu == next->row.last_cpu)
		return;
	if (next->row.last_cpu >= 0)
		count_quantity(attribution, next, QUANTITY_MIGRATIONS);
	next->row.last_cpu = cpu;
	task_table_change(attribution->tasks, next);
}

bool per_task_switch(struct attribution *attribution, const struct record *record)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct task *prev = fed_task(attribution, record->pid, record->tid, record->time_ns);
	struct task *next =
		fed_task(attribution, ctx_switch->next_pid, ctx_switch->next_tid, record->time_ns);
	struct switch_entry entry = switch_unknown;

	if (!prev && !next)
		return false;
	entry.time_ns = record->time_ns;
	entry.cpu = record->cpu;
	if (prev) {
		entry.slice_ns = slice_until(attribution, prev, record->time_ns);
		entry.state = ctx_switch->state;
	}
	scheduling_note_time(attribution->scheduling, record->time_ns);
	if (next)
		scheduling_arrive(attribution->scheduling, NULL, next, record->time_ns, &entry);
	entry.how = prev ? scheduling_leave(attribution->scheduling, prev, record) : SWITCH_UNKNOWN;
	if (prev) {
		leave_as_fed(attribution, prev, record);
		journal_slice(attribution->journal, prev, entry.slice_ns, NULL);
		entry.prev = journal_actor(attribution->journal, prev);
	}
	if (next) {
		entry.next = journal_actor(attribution->journal, next);
		arrive_as_fed(attribution, next, record);
	}
	if (journal_is_kept(attribution->journal))
		journal_add(attribution->journal, &entry);
	else
		journal_leave_out(attribution->journal);
	return true;
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

void per_task_switch_count(struct attribution *attribution, const struct record *record,
			   struct task *task)
{
	struct feed *feed = feed_of(attribution, task);
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
	report_unknown(attribution, task);
	if (is_first)
		feed->recorded[SWITCH_ALL] = feed->recorded[SWITCH_INVOLUNTARY] = 0;
	if (is_first || !feed->has_readings)
		return;
	if (!grows) {
		attribution->broken_readings++;
		return;
	}
	take_off_recorded(feed, delta);
	if (counts_are_zero(delta, SWITCH_NUMBERS))
		return;

	uint64_t *counts = task_table_counts(attribution->tasks, task);
	counts[QUANTITY_SWITCHES] += delta[SWITCH_ALL];
	counts[QUANTITY_PREEMPTIONS] += delta[SWITCH_INVOLUNTARY];
}
