/*
 * A task's way through its absence:
 *
 *	runs -> PREEMPTED -> runs           runnable all the time: it is in the list of waiting ones
 *	runs -> BLOCKED -> woken -> runs    it is in the list from its wake-up on
 *
 * Records of different CPUs may come a little out of order: a wake-up can be reported before the
 * switch after which it happened. So what is reported is kept, and times are compared when the
 * task comes back.
 *
 * Losses are one time for all: since any CPU may have had any task, any task that was off then may
 * have run meanwhile.
 */
#include "model/scheduling.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/seldom.h"
#include "model/arrival.h"
#include "model/record.h"
#include "model/timing.h"

void scheduling_begin_wait(struct scheduling *scheduling, struct task *task, uint64_t time_ns)
{
	struct task_list *list = &scheduling->waiting;

	task->absence.entered_ns = time_ns;
	if (task->absence.waiting > 0)
		return;
	array_reserve(&list->tasks, &list->capacity, list->count + 1, sizeof(struct task *));
	list->tasks[list->count++] = task;
	task->absence.waiting = list->count;
	task->references++;
}

void scheduling_drop_wait(struct scheduling *scheduling, struct task *task)
{
	struct task_list *list = &scheduling->waiting;
	struct task *last = list->tasks[--list->count];
	list->tasks[task->absence.waiting - 1] = last;
	last->absence.waiting = task->absence.waiting;
	task->absence.waiting = 0;
	task->references--;
}

static void end_wait(struct scheduling *scheduling, struct task *task)
{
	if (task->absence.waiting > 0)
		scheduling_drop_wait(scheduling, task);
}

void scheduling_fini(struct scheduling *scheduling)
{
	while (scheduling->waiting.count > 0)
		end_wait(scheduling, scheduling->waiting.tasks[0]);
	states_fini(&scheduling->states);
	interrupts_fini(&scheduling->interrupts);
	free(scheduling->waiting.tasks);
	scheduling->waiting = (struct task_list){0};
}

void scheduling_start(struct scheduling *scheduling, uint64_t time_ns)
{
	scheduling->interval_start_ns = time_ns;
	scheduling->has_lacked_states = false;
	scheduling->states.was_off = !scheduling->states.is_on;
	for (size_t i = 0; i < scheduling->waiting.count; i++) {
		struct task *task = scheduling->waiting.tasks[i];

		/* a task that has not run yet: its whole wait is charged to the CPU that it first
		 * runs on */
		if (task->absence.entered_ns < time_ns && task->row.last_cpu >= 0)
			task->absence.entered_ns = time_ns;
	}
	/* what was reported before is of no interval */
	interrupts_start(&scheduling->interrupts);
	for (size_t i = 0; i < scheduling->tasks->changed.count; i++)
		scheduling->tasks->changed.tasks[i]->is_delay_reported = false;
}

void scheduling_lose(struct scheduling *scheduling, uint64_t time_ns)
{
	scheduling_note_time(scheduling, time_ns);
	scheduling->lost_ns = scheduling->newest_ns;
}

void scheduling_turn_off(struct scheduling *scheduling, bool is_off)
{
	if (scheduling->is_off == is_off)
		return;
	scheduling->is_off = is_off;
	scheduling->was_off = true;
	scheduling->lost_ns = scheduling->newest_ns;
}

uint32_t scheduling_reported(const struct scheduling *scheduling)
{
	return scheduling->has_run_delays ? LAYOUT_WAITS & ~(UINT32_C(1) << QUANTITY_QUEUED_NS)
					  : LAYOUT_WAITS;
}

/* The time of interrupts that are not reported cannot be separated from that of the task they hit.
 */
static uint32_t unknown_states(const struct scheduling *scheduling)
{
	const bool is_known =
		scheduling->states.is_on && !scheduling->states.was_off && !scheduling->is_partial;

	if (is_known && scheduling->interrupts.have_come)
		return 0;
	return is_known ? UINT32_C(1) << QUANTITY_IRQ_NS : (uint32_t)LAYOUT_STATES;
}

uint32_t scheduling_unknown(const struct scheduling *scheduling)
{
	const uint32_t states = unknown_states(scheduling);

	if (scheduling->is_partial) /* where it came from is not seen */
		return states | scheduling_reported(scheduling) |
		       UINT32_C(1) << QUANTITY_MIGRATIONS;
	if (scheduling->was_off)
		return states | scheduling_reported(scheduling);
	return scheduling->has_states && !scheduling->has_lacked_states
		       ? states
		       : states | UINT32_C(1) << QUANTITY_UNINTERRUPTIBLE_NS;
}

void scheduling_doubt(const struct scheduling *scheduling, struct task *task, uint64_t since_ns,
		      uint64_t until_ns)
{
	const uint64_t ns = ns_between(ns_later(since_ns, scheduling->interval_start_ns), until_ns);

	if (!scheduling->is_partial)
		attribution_doubt(scheduling->attribution, task, ns);
}

/* It can only be a birth: it was never seen, and no CPU is known to have it. */
static bool is_newborn(const struct task *task)
{
	return task->absence.kind == ABSENCE_UNKNOWN && task->absence.came_ns == 0 &&
	       task->references == 0;
}

/* Of several wake-ups the first after it left by itself is the one; the others found it awake. */
void scheduling_wake(struct scheduling *scheduling, const struct record *record)
{
	struct task *task = task_table_lookup(scheduling->tasks, record->tid);

	if (scheduling->first_wake_ns == 0)
		scheduling->first_wake_ns = record->time_ns;
	if (!task || scheduling->is_off)
		return;

	struct absence *absence = &task->absence;
	switch (absence->kind) {
	case ABSENCE_PREEMPTED:
		break;
	case ABSENCE_BLOCKED:
		if (record->time_ns < absence->left_ns || absence->woken_ns > 0)
			break;
		absence->woken_ns = record->time_ns;
		absence->waker_tid = record->wakeup.waker_tid;
		scheduling_begin_wait(scheduling, task, record->time_ns);
		break;
	case ABSENCE_UNKNOWN:
		if (is_newborn(task))
			scheduling_begin_wait(scheduling, task, record->time_ns);
		else if (task->absence.waiting > 0)
			break;
		absence->woken_ns = record->time_ns;
		absence->waker_tid = record->wakeup.waker_tid;
		break;
	}
}

bool scheduling_is_held(const struct attribution *attribution, const struct task *task)
{
	const struct cpu *cpu = task_is_fed(task) ? NULL : attribution_cpu_of(attribution, task);

	return cpu && cpu->idled_ns >= task->absence.left_ns;
}

void arrival_after_preemption(struct scheduling *scheduling, struct cpu *cpu, struct task *task,
			      uint64_t time_ns, struct switch_entry *entry)
{
	struct attribution *attribution = scheduling->attribution;
	const struct absence *absence = &task->absence;
	const uint64_t rest_ns = ns_between(absence->entered_ns, time_ns);

	entry->off_ns = time_ns - absence->left_ns;
	if (cpu && cpu->idled_ns >= absence->left_ns && cpu->number == task->row.last_cpu) {
		if (!scheduling->has_run_delays)
			attribution_wait(attribution, cpu, task, QUANTITY_QUEUED_NS, rest_ns);
		return;
	}
	entry->wait_ns = entry->off_ns;
	entry->queued_by = absence->queued_by;
	entry->next_was_preempted = true;
	attribution_wait(attribution, cpu, task, QUANTITY_PREEMPTED_NS, rest_ns);
	if (!scheduling->has_run_delays)
		attribution_wait(attribution, cpu, task, QUANTITY_QUEUED_NS, rest_ns);
	distribution_add(&task_table_timing(scheduling->tasks, task)->of[TIMING_PREEMPTED],
			 entry->off_ns);
}

/* The actor. */
static uint64_t find_waker(const struct scheduling *scheduling, int32_t tid)
{
	struct task *waker = tid > 0 ? task_table_lookup(scheduling->tasks, tid) : NULL;

	if (tid == 0)
		return ACTOR_IDLE;
	return waker ? journal_actor(scheduling->attribution->journal, waker) : ACTOR_UNKNOWN;
}

void arrival_after_wakeup(struct scheduling *scheduling, struct cpu *cpu, struct task *task,
			  uint64_t time_ns, struct switch_entry *entry)
{
	struct attribution *attribution = scheduling->attribution;
	const struct absence *absence = &task->absence;

	entry->wait_ns = time_ns - absence->woken_ns;
	entry->queued_by = find_waker(scheduling, absence->waker_tid);
	attribution_wait(attribution, cpu, task, QUANTITY_WAKEUP_NS, entry->wait_ns);
	attribution_wait(attribution, cpu, task, QUANTITY_WAKEUPS, 1);
	if (!scheduling->has_run_delays)
		attribution_wait(attribution, cpu, task, QUANTITY_QUEUED_NS,
				 ns_between(absence->entered_ns, time_ns));
	distribution_add(&task_table_timing(scheduling->tasks, task)->of[TIMING_WAKEUPS],
			 entry->wait_ns);
}

/* Of its absence up to this time its sleep: a task that was woken waits for a CPU, not for what it
 * slept for. */
static uint64_t asleep_ns(const struct scheduling *scheduling, const struct absence *absence,
			  uint64_t time_ns)
{
	const bool is_woken = absence->woken_ns > 0 && absence->woken_ns < time_ns;

	return absence_ns(scheduling, absence, is_woken ? absence->woken_ns : time_ns);
}

void arrival_after_disk_sleep(struct scheduling *scheduling, struct cpu *cpu, struct task *task,
			      uint64_t time_ns)
{
	attribution_wait(scheduling->attribution, cpu, task, QUANTITY_UNINTERRUPTIBLE_NS,
			 asleep_ns(scheduling, &task->absence, time_ns));
}

void scheduling_forget(struct scheduling *scheduling, struct task *task)
{
	end_wait(scheduling, task);
	task->absence = (struct absence){.came_ns = scheduling->newest_ns};
	task->has_run_delay = false;
}

void scheduling_yield(struct scheduling *scheduling, const struct record *record)
{
	struct task *task = task_table_lookup(scheduling->tasks, record->tid);

	if (task)
		task->absence.yielded_ns = record->time_ns;
}

/* The difference to the last time is unknown when there was none. */
static void emit_whether_known(struct scheduling *scheduling, struct task *task)
{
	const uint32_t bit = UINT32_C(1) << QUANTITY_QUEUED_NS;
	const uint32_t unknown =
		task->has_run_delay ? task->row.unknown & ~bit : task->row.unknown | bit;

	if (unknown == task->row.unknown)
		return;
	task->row.unknown = unknown;
	task_table_change(scheduling->tasks, task);
}

void scheduling_run_delay(struct scheduling *scheduling, const struct record *record)
{
	struct task *task =
		task_table_find(scheduling->tasks, record->pid, record->tid, record->time_ns);
	const uint64_t now_ns = record->run_delay.wait_ns;

	if (!task)
		return;

	emit_whether_known(scheduling, task);
	if (task->has_run_delay)
		attribution_enter_wait(scheduling->attribution, task, QUANTITY_QUEUED_NS,
				       ns_between(task->run_delay_ns, now_ns));
	task->has_run_delay = true;
	task->is_delay_reported = true;
	task_table_change(scheduling->tasks, task);
	task->run_delay_ns = now_ns;
	scheduling->has_run_delays = true;
}

/* It may have run meanwhile, and whether it still waits is not known. */
static void doubt_wait(const struct scheduling *scheduling, struct task *task, uint64_t since_ns,
		       uint64_t time_ns)
{
	struct absence *absence = &task->absence;

	scheduling_doubt(scheduling, task, since_ns, time_ns);
	if (absence->kind == ABSENCE_UNKNOWN)
		return;
	absence->kind = ABSENCE_BLOCKED;
	absence->woken_ns = 0;
	absence->state = TASK_STATE_UNKNOWN;
}

/*
 * A task that has ended can be away once more before its last switch. Where no states are reported
 * that is one of an unknown task, if this one was reaped: then it is waited for until the next
 * close.
 */
static bool may_still_switch(const struct scheduling *scheduling, const struct task *task)
{
	const struct absence *absence = &task->absence;

	return !task->row.is_exited ||
	       (task->has_said_exit && task->is_mapped && absence->kind != ABSENCE_UNKNOWN &&
		absence->left_ns >= task->exit_ns &&
		(scheduling->has_states || absence->left_ns >= scheduling->interval_start_ns));
}

/* Up to the close the wait is over. False: it is not known whether the task still waits. */
static bool enter_wait(struct scheduling *scheduling, struct task *task, uint64_t time_ns)
{
	struct attribution *attribution = scheduling->attribution;
	struct absence *absence = &task->absence;
	const bool is_preempted = absence->kind == ABSENCE_PREEMPTED;
	const bool is_runnable = is_preempted || absence->woken_ns > 0;
	const uint64_t since_ns = is_preempted || absence_is_uninterruptible(absence)
					  ? absence->left_ns
					  : absence->woken_ns;
	const uint64_t wait_ns = ns_between(absence->entered_ns, time_ns);

	if (!may_still_switch(scheduling, task))
		return false;
	if (since_ns <= scheduling->lost_ns || scheduling->is_partial) {
		doubt_wait(scheduling, task, since_ns, time_ns);
		return false;
	}
	if (task->row.last_cpu < 0 || scheduling->is_off)
		return true; /* nowhere to enter it yet, or nothing is noted */
	if (is_preempted && !scheduling_is_held(attribution, task))
		attribution_enter_wait(attribution, task, QUANTITY_PREEMPTED_NS, wait_ns);
	if (is_runnable && !scheduling->has_run_delays)
		attribution_enter_wait(attribution, task, QUANTITY_QUEUED_NS, wait_ns);
	if (absence_is_uninterruptible(absence))
		attribution_enter_wait(attribution, task, QUANTITY_UNINTERRUPTIBLE_NS,
				       asleep_ns(scheduling, absence, time_ns));
	absence->entered_ns = ns_later(absence->entered_ns, time_ns);
	return true;
}

bool task_has_run(const struct task *task)
{
	const uint64_t *counts = task->account.interval;

	return task->is_counted && (counts[QUANTITY_RUN_NS] > 0 || counts[QUANTITY_SWITCHES] > 0);
}

static void enter_off(struct scheduling *scheduling, struct task *task, uint64_t time_ns)
{
	const struct absence *absence = &task->absence;

	if (absence->kind != ABSENCE_BLOCKED || !task_has_run(task))
		return;
	if (!scheduling_knows(scheduling, absence->left_ns, time_ns)) {
		scheduling_doubt(scheduling, task, absence->left_ns, time_ns);
		return;
	}
	attribution_enter_wait(scheduling->attribution, task, QUANTITY_OFF_NS,
			       absence_ns(scheduling, absence, time_ns));
}

/*
 * A task that ran and was not asked, or could not be since it has ended, may have waited. What is
 * reported next is then more than one interval's, so the differences begin anew.
 */
static void close_delay(struct scheduling *scheduling, struct task *task)
{
	if (scheduling->has_run_delays && !task->is_delay_reported && task_has_run(task)) {
		task->has_run_delay = false;
		emit_whether_known(scheduling, task);
	}
	task->is_delay_reported = false;
}

void scheduling_close(struct scheduling *scheduling, uint64_t time_ns)
{
	struct task_table *tasks = scheduling->tasks;

	states_close(scheduling, time_ns);
	for (size_t i = scheduling->waiting.count; i-- > 0;) {
		struct task *task = scheduling->waiting.tasks[i];

		if (!enter_wait(scheduling, task, time_ns))
			end_wait(scheduling, task);
	}
	for (size_t i = 0; i < tasks->changed.count; i++) {
		enter_off(scheduling, tasks->changed.tasks[i], time_ns);
		close_delay(scheduling, tasks->changed.tasks[i]);
	}
	scheduling->interval_start_ns = time_ns;
	scheduling->was_off = scheduling->is_off;
	scheduling->has_lacked_states = false;
}
