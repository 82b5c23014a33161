#include "source/tasks/thread_steps.h"

#include <stdio.h>

#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/record.h"
#include "source/tasks/roster.h"

enum {
	COMMAND_LINE_MAX = 4096
};

/* A record about the thread, without what belongs to its kind. */
static void set_task(const struct watched *watched, enum record_kind kind, struct record *record)
{
	record->kind = kind;
	record->cpu = RECORD_CPU_NONE;
	record->pid = watched->pid;
	record->tid = watched->tid;
	record->time_ns = sys_now_ns();
}

static bool next_facts(struct thread_steps *steps, struct watched *watched, struct record *record)
{
	struct proc_task task;

	watched->phase = WATCHED_BASELINE;
	if (!proc_read_task(watched->tid, &task))
		return false;
	watched->start_ticks = task.start_ticks;
	strbuf_clear(&steps->command_line);
	proc_read_command_line(watched->pid, COMMAND_LINE_MAX, &steps->command_line);
	snprintf(steps->name, sizeof(steps->name), "%s", task.name);
	set_task(watched, RECORD_PROCINFO, record);
	record->procinfo = (struct record_procinfo){
		.name = steps->name,
		.command_line = strbuf_text(&steps->command_line),
		.parent_pid = task.parent_pid,
		.session = task.session,
		.uid = task.uid,
		.cpu = task.cpu,
		.is_kernel_thread = task.is_kernel_thread,
	};
	return true;
}

/* Of its group watched->next, which is in steps->reading. */
static void set_thread_reading(struct thread_steps *steps, const struct watched *watched,
			       struct record *record)
{
	const struct group_reading *reading = &steps->reading;

	set_task(watched, RECORD_READING, record);
	record->reading = (struct record_reading){
		.group = (uint16_t)watched->next,
		.enabled_ns = reading->enabled_ns,
		.running_ns = reading->running_ns,
		.values = &reading->values[1],
	};
}

/* Goes on to the next group of the thread that is open; false: there is none. */
static bool find_next_group(struct watched *watched)
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

/* The reading from which the counters of each group are counted: of nothing, where they are new. */
static bool next_thread_baseline(struct thread_steps *steps, struct watched *watched,
				 struct record *record)
{
	const bool is_new = !watched->is_introduced;

	if (!find_next_group(watched)) {
		watched->next = 0;
		watched->is_introduced = true;
		watched->begins_anew = false;
		watched->phase = WATCHED_RINGS;
		return is_new && next_first_counts(watched, record);
	}
	if (!watched->goes_on ||
	    !group_read(&watched->bundle.groups[watched->next], &steps->reading))
		steps->reading = (struct group_reading){0};
	set_thread_reading(steps, watched, record);
	record->reading.restarts = is_new; /* its id may have been another's */
	record->reading.has_switch_records = watched_has_ring(watched, WATCHED_SWITCHES);
	watched->next++;
	return true;
}

void thread_set_lost(struct watched *watched, uint64_t count, struct record *record)
{
	watched->has_lost = true;
	set_task(watched, RECORD_LOST, record);
	record->lost = count;
}

/* A ring of which nothing could be believed up to its end. */
static bool next_broken(const struct thread_steps *steps, struct watched *watched,
			struct record *record)
{
	uint64_t broken = 0;

	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		broken += watched->rings[i].broken;
	watched->phase = steps->is_tick || watched->is_gone ? WATCHED_READINGS : WATCHED_DONE;
	if (broken == watched->broken_reported)
		return false;
	thread_set_lost(watched, broken - watched->broken_reported, record);
	watched->broken_reported = broken;
	return true;
}

static bool next_reading(struct thread_steps *steps, struct watched *watched, struct record *record)
{
	if (watched->next == 0 && steps->is_tick)
		watched_cross_border(watched);
	if (!find_next_group(watched)) {
		watched->next = 0;
		watched->phase = WATCHED_COUNTS;
		return false;
	}
	if (!group_read(&watched->bundle.groups[watched->next], &steps->reading)) {
		watched->next++;
		return false;
	}
	if (watched->next == 0) {
		watched->has_run = steps->reading.enabled_ns != watched->counted_ns;
		watched->counted_ns = steps->reading.enabled_ns;
		if (steps->reading.enabled_ns > 0)
			steps->reading.enabled_ns += watched->missed_ns;
	}
	set_thread_reading(steps, watched, record);
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
static bool next_delay(const struct thread_steps *steps, struct watched *watched,
		       struct record *record)
{
	uint64_t run_ns, wait_ns;

	watched->phase = watched->is_gone ? WATCHED_END : WATCHED_DONE;
	if (watched->is_replaced || !steps->has_delay ||
	    (!watched->has_run && watched->delay_was_reported) ||
	    !proc_read_schedstat(watched->pid, watched->tid, &run_ns, &wait_ns))
		return false;
	watched->delay_was_reported = true;
	set_task(watched, RECORD_RUN_DELAY, record);
	record->run_delay.wait_ns = wait_ns;
	return true;
}

/*
 * The end of a first thread is none of its process yet where others go on. One of these may be
 * about to execute a program: it takes the id, and the age, of the first one.
 */
static bool has_thread_ended(const struct thread_steps *steps, struct watched *watched)
{
	struct proc_task task;

	if (watched->is_replaced)
		return false;
	if (watched->tid != watched->pid || !proc_read_task(watched->tid, &task))
		return true;
	if (task.is_survived && !watched->is_survived) {
		roster_keep_survived(steps->roster, watched);
		return false;
	}
	return task.has_exited || watched->start_ticks == 0 ||
	       task.start_ticks != watched->start_ticks;
}

static bool next_end(const struct thread_steps *steps, struct watched *watched,
		     struct record *record)
{
	watched->phase = watched->new_tid > 0 ? WATCHED_RENAMED : WATCHED_DONE;
	if (!has_thread_ended(steps, watched))
		return false;
	set_task(watched, RECORD_EXIT, record);
	if (watched->exit_ns > 0)
		record->time_ns = watched->exit_ns;
	record->fork = (struct record_fork){.parent_pid = RECORD_TASK_UNKNOWN,
					    .parent_tid = RECORD_TASK_UNKNOWN};
	return true;
}

/*
 * A thread that executes a program takes the id of the process' first thread. What it has counted
 * so far belongs to its old id; under the new one counting starts again, on the same counters.
 */
static void inherit_targets(const struct thread_steps *steps, struct watched *watched)
{
	roster_rename(steps->roster, watched, watched->new_tid);
	watched->phase = WATCHED_FACTS;
}

bool thread_step(struct thread_steps *steps, struct watched *watched, struct record *record)
{
	switch (watched->phase) {
	case WATCHED_FACTS:
		return next_facts(steps, watched, record);
	case WATCHED_BASELINE:
		return next_thread_baseline(steps, watched, record);
	case WATCHED_RINGS:
		return next_broken(steps, watched, record);
	case WATCHED_READINGS:
		return next_reading(steps, watched, record);
	case WATCHED_COUNTS:
		return next_counts(watched, record);
	case WATCHED_DELAY:
		return next_delay(steps, watched, record);
	case WATCHED_END:
		return next_end(steps, watched, record);
	case WATCHED_RENAMED:
		inherit_targets(steps, watched);
		return false;
	case WATCHED_DONE:
		break;
	}
	return false;
}

void thread_fini(struct thread_steps *steps)
{
	strbuf_fini(&steps->command_line);
}
