/*
 * A round of what the watched threads (roster.h) have counted and what their rings hold: new
 * threads are introduced, then comes what all rings hold in order of time (a switch log needs the
 * threads of a CPU one after another), then one thread after another what it has counted.
 *
 * A dying thread's counters stay readable as long as their descriptors are open: they are read once
 * more after its exit and then closed.
 */
#include <errno.h>
#include <stdio.h>

#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/convert.h"
#include "source/tasks/parts.h"

enum {
	COMMAND_LINE_MAX = 4096
};

void tasks_begin_round(struct tasks *tasks, bool is_tick, uint64_t start_ns)
{
	tasks->is_tick = is_tick;
	tasks->in_round = true;
	tasks->round_ns = start_ns;
	tasks->round_next = tasks->introduced = 0;
	merge_begin(&tasks->merge, tasks->features->clockid ? start_ns : UINT64_MAX);
	tasks->base.backlog = 0;
	for (size_t i = 0; i < tasks->roster.watched_count; i++) {
		struct watched *watched = tasks->roster.watched[i];
		const double fill = watched_fill(watched);

		tasks->base.backlog = fill > tasks->base.backlog ? fill : tasks->base.backlog;
		watched_begin(watched);
	}
}

static void end_round(struct tasks *tasks)
{
	if (!tasks->in_round)
		return;
	tasks->in_round = false;
	if (tasks->round_ns > tasks->base.settled_ns)
		tasks->base.settled_ns = tasks->round_ns;
	for (size_t i = 0; i < tasks->roster.watched_count; i++)
		watched_end(tasks->roster.watched[i]);
	roster_forget_the_dead(&tasks->roster);
}

static void set_task(const struct watched *watched, enum record_kind kind, struct record *record)
{
	record->kind = kind;
	record->cpu = RECORD_CPU_NONE;
	record->pid = watched->pid;
	record->tid = watched->tid;
	record->time_ns = sys_now_ns();
}

static bool next_facts(struct tasks *tasks, struct watched *watched, struct record *record)
{
	struct proc_task task;

	watched->phase = WATCHED_BASELINE;
	if (!proc_read_task(watched->tid, &task))
		return false;
	strbuf_clear(&tasks->command_line);
	proc_read_command_line(watched->pid, COMMAND_LINE_MAX, &tasks->command_line);
	snprintf(tasks->name, sizeof(tasks->name), "%s", task.name);
	set_task(watched, RECORD_PROCINFO, record);
	record->procinfo = (struct record_procinfo){
		.name = tasks->name,
		.command_line = strbuf_text(&tasks->command_line),
		.parent_pid = task.parent_pid,
		.session = task.session,
		.uid = task.uid,
		.cpu = task.cpu,
		.is_kernel_thread = task.is_kernel_thread,
	};
	return true;
}

static void set_reading(struct tasks *tasks, const struct watched *watched, struct record *record)
{
	const struct group_reading *reading = &tasks->reading;

	set_task(watched, RECORD_READING, record);
	record->reading = (struct record_reading){
		.group = (uint16_t)watched->next,
		.enabled_ns = reading->enabled_ns,
		.running_ns = reading->running_ns,
		.values = &reading->values[1],
	};
}

/* Goes on to the next group of the thread that is open; false: there is none. */
static bool find_group(struct watched *watched)
{
	while (watched->next < watched->bundle.count &&
	       !bundle_is_open(&watched->bundle, watched->next))
		watched->next++;
	return watched->next < watched->bundle.count;
}

static void set_counts(struct watched *watched, const struct record_switch_count *count,
		       struct record *record)
{
	watched->counts_were_reported = true;
	set_task(watched, RECORD_SWITCH_COUNT, record);
	record->switch_count = *count;
}

/* From these on are counted those that its ring may lose; none goes without saying. */
static bool next_first_counts(struct watched *watched, struct record *record)
{
	struct record_switch_count count;

	if (!watched_has_ring(watched, WATCHED_SWITCHES) ||
	    !proc_read_switches(watched->tid, &count.voluntary, &count.involuntary) ||
	    count.voluntary + count.involuntary == 0)
		return false;
	set_counts(watched, &count, record);
	return true;
}

/* The reading of nothing, from which the counters of each group are counted. */
static bool next_baseline(struct tasks *tasks, struct watched *watched, struct record *record)
{
	if (!find_group(watched)) {
		watched->next = 0;
		watched->is_introduced = true;
		watched->phase = WATCHED_RINGS;
		return next_first_counts(watched, record);
	}
	tasks->reading = (struct group_reading){0};
	set_reading(tasks, watched, record);
	record->reading.restarts = true; /* its id may have been another's */
	record->reading.has_switch_records = watched_has_ring(watched, WATCHED_SWITCHES);
	watched->next++;
	return true;
}

/*
 * A birth seen in a parent's ring: the child is watched from now on, and delivered in this round
 * too. One that may not be watched is left to the next walk, which counts all of them.
 */
static void follow_birth(struct tasks *tasks, const struct record *record)
{
	int errno_value = 0;
	bool is_thread = record->pid == record->fork.parent_pid;

	if (tasks->roster.mode == TASKS_PIDS && !is_thread)
		return;
	if (roster_find(&tasks->roster, record->tid))
		return;
	if (!roster_add(&tasks->roster, record->pid, record->tid, true, &errno_value) &&
	    errno_value == ESRCH)
		roster_note_missed(&tasks->roster);
}

/* An exit is delivered when all that the thread has counted is (next_end()). */
static bool is_wanted(const struct tasks *tasks, const struct record *record)
{
	if (record->kind == RECORD_EXIT)
		return false;
	if (record->kind != RECORD_FORK)
		return true;
	return tasks->roster.mode != TASKS_PIDS || record->pid == record->fork.parent_pid;
}

/*
 * The thread goes on under the id of the first one, which has ended for it: the process has not,
 * and it has a new name. Where no ring has records of ends the first one is still taken for alive;
 * one that has a ring and is alive is the heir, and watched already.
 */
static void bequeath(const struct tasks *tasks, struct watched *watched, int32_t heir_tid)
{
	struct watched *first = roster_find(&tasks->roster, heir_tid);

	watched->is_gone = true;
	watched->heir_tid = heir_tid;
	if (!first || (!first->is_gone && watched_has_ring(first, WATCHED_BIRTHS)))
		return;
	first->is_gone = true;
	first->is_replaced = true;
}

/* What makes no sense is as good as lost. */
static void set_lost(struct watched *watched, uint64_t count, struct record *record)
{
	watched->has_lost = true;
	set_task(watched, RECORD_LOST, record);
	record->lost = count;
}

/* A ring of which nothing could be believed up to its end. */
static bool next_broken(const struct tasks *tasks, struct watched *watched, struct record *record)
{
	uint64_t broken = 0;

	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		broken += watched->rings[i].broken;
	watched->phase = tasks->is_tick || watched->is_gone ? WATCHED_READINGS : WATCHED_DONE;
	if (broken == watched->broken_reported)
		return false;
	set_lost(watched, broken - watched->broken_reported, record);
	watched->broken_reported = broken;
	return true;
}

/* False: the record is none that is delivered. */
static bool take_record(struct tasks *tasks, const struct merge_strand *strand,
			struct record *record)
{
	struct watched *watched = strand->owner;

	switch (decode_record(&tasks->decoded, strand->bytes, strand->size, &tasks->format)) {
	case DECODE_OK:
		break;
	case DECODE_UNKNOWN:
		return false;
	case DECODE_BROKEN:
		set_lost(watched, 1, record);
		return true;
	}
	record->cpu = (int32_t)tasks->decoded.id.cpu;
	record->pid = watched->pid;
	record->tid = watched->tid;
	record->time_ns = tasks->decoded.id.time_ns;
	if (!convert_record(&tasks->decoded, tasks->name, sizeof(tasks->name), record))
		return false;
	watched->has_lost = watched->has_lost || record->kind == RECORD_LOST;
	if (record->kind == RECORD_FORK)
		follow_birth(tasks, record);
	if (record->kind == RECORD_EXIT && record->tid == watched->tid) {
		watched->is_gone = true;
		watched->exit_ns = record->time_ns;
	}
	if (record->kind == RECORD_COMM && record->tid != watched->tid)
		bequeath(tasks, watched, record->tid);
	return is_wanted(tasks, record);
}

static bool next_reading(struct tasks *tasks, struct watched *watched, struct record *record)
{
	if (!find_group(watched)) {
		watched->next = 0;
		watched->phase = WATCHED_COUNTS;
		return false;
	}
	if (!group_read(&watched->bundle.groups[watched->next], tasks->features, &tasks->reading)) {
		watched->next++;
		return false;
	}
	if (watched->next == 0) {
		watched->has_run = tasks->reading.enabled_ns != watched->counted_ns;
		watched->counted_ns = tasks->reading.enabled_ns;
		if (tasks->reading.enabled_ns > 0)
			tasks->reading.enabled_ns += watched->missed_ns;
	}
	set_reading(tasks, watched, record);
	watched->next++;
	return true;
}

/* Where its ring has lost records, /proc says how many switches are missing. */
static bool next_counts(struct watched *watched, struct record *record)
{
	const bool has_ring = watched_has_ring(watched, WATCHED_SWITCHES);
	struct record_switch_count count;

	watched->phase = WATCHED_DELAY;
	if (watched->is_replaced ||
	    (has_ring ? !watched->has_lost : !watched->has_run && watched->counts_were_reported))
		return false;
	if (!proc_read_switches(watched->tid, &count.voluntary, &count.involuntary))
		return false;
	if (has_ring && !watched->counts_were_reported) {
		watched->phase = WATCHED_COUNTS;
		count = (struct record_switch_count){0};
	} else {
		watched->has_lost = false;
	}
	set_counts(watched, &count, record);
	return true;
}

/* Only a task that got a CPU has waited for it to the end. */
static bool next_delay(const struct tasks *tasks, struct watched *watched, struct record *record)
{
	uint64_t wait_ns;

	watched->phase = watched->is_gone ? WATCHED_END : WATCHED_DONE;
	if (watched->is_replaced || !tasks->has_delay ||
	    (!watched->has_run && watched->delay_was_reported) ||
	    !proc_read_run_delay(watched->pid, watched->tid, &wait_ns))
		return false;
	watched->delay_was_reported = true;
	set_task(watched, RECORD_RUN_DELAY, record);
	record->run_delay.wait_ns = wait_ns;
	return true;
}

/*
 * A thread that executes a program takes the id of the process' first thread. What it has counted
 * so far belongs to its old id; under the new one counting starts again.
 */
static void watch_heir(struct tasks *tasks, const struct watched *watched)
{
	const struct watched *known = roster_find(&tasks->roster, watched->heir_tid);
	int errno_value = 0;

	if (known && !known->is_gone)
		return;
	if (!roster_add(&tasks->roster, watched->pid, watched->heir_tid, false, &errno_value) &&
	    errno_value != ESRCH)
		roster_note_refused(&tasks->roster, watched->heir_tid, errno_value);
}

static bool next_end(struct tasks *tasks, struct watched *watched, struct record *record)
{
	watched->phase = WATCHED_DONE;
	if (watched->is_replaced)
		return false;
	if (watched->heir_tid > 0)
		watch_heir(tasks, watched);
	set_task(watched, RECORD_EXIT, record);
	if (watched->exit_ns > 0)
		record->time_ns = watched->exit_ns;
	record->fork = (struct record_fork){.parent_pid = RECORD_TASK_UNKNOWN,
					    .parent_tid = RECORD_TASK_UNKNOWN};
	return true;
}

/* One step of one thread; false: this step gave no record. */
static bool step(struct tasks *tasks, struct watched *watched, struct record *record)
{
	switch (watched->phase) {
	case WATCHED_FACTS:
		return next_facts(tasks, watched, record);
	case WATCHED_BASELINE:
		return next_baseline(tasks, watched, record);
	case WATCHED_RINGS:
		return next_broken(tasks, watched, record);
	case WATCHED_READINGS:
		return next_reading(tasks, watched, record);
	case WATCHED_COUNTS:
		return next_counts(watched, record);
	case WATCHED_DELAY:
		return next_delay(tasks, watched, record);
	case WATCHED_END:
		return next_end(tasks, watched, record);
	case WATCHED_DONE:
		break;
	}
	return false;
}

static void next_fresh(struct tasks *tasks, struct record *record)
{
	const struct tasks_fresh *fresh = &tasks->fresh[tasks->fresh_next++];
	const struct watched watched = {.pid = fresh->pid, .tid = fresh->tid, .next = fresh->group};

	tasks->reading = fresh->reading;
	set_reading(tasks, &watched, record);
	if (tasks->fresh_next == tasks->fresh_count)
		tasks->fresh_next = tasks->fresh_count = 0;
}

/* New threads are introduced before anything else is delivered. */
static bool next_introduction(struct tasks *tasks, struct record *record)
{
	for (; tasks->introduced < tasks->roster.watched_count; tasks->introduced++) {
		struct watched *watched = tasks->roster.watched[tasks->introduced];

		while (!watched->is_introduced)
			if (step(tasks, watched, record))
				return true;
		for (size_t i = 0; i < WATCHED_STREAMS; i++) {
			if (watched->fds[i] >= 0)
				merge_add(&tasks->merge, &watched->rings[i], watched,
					  &tasks->offsets);
		}
	}
	return false;
}

/* What the rings hold, and threads born in between. */
static bool next_reported(struct tasks *tasks, struct record *record)
{
	const struct merge_strand *strand;

	do {
		if (next_introduction(tasks, record))
			return true;
		strand = merge_next(&tasks->merge, &tasks->offsets);
		if (strand && take_record(tasks, strand, record))
			return true;
	} while (strand);
	return false;
}

bool tasks_next(struct source *source, struct record *record)
{
	struct tasks *tasks = tasks_of(source);

	if (tasks->fresh_next < tasks->fresh_count) {
		next_fresh(tasks, record);
		return true;
	}
	if (tasks->in_round && next_reported(tasks, record))
		return true;
	while (tasks->round_next < tasks->roster.watched_count) {
		struct watched *watched = tasks->roster.watched[tasks->round_next];

		while (watched->phase != WATCHED_DONE)
			if (step(tasks, watched, record))
				return true;
		tasks->round_next++;
	}
	end_round(tasks);
	return false;
}
