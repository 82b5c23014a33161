#ifndef PERFTOP_MODEL_ARRIVAL_H
#define PERFTOP_MODEL_ARRIVAL_H

/*
 * A task comes to a CPU, and one leaves: the part of scheduling.h that is on the way of each
 * switch, and inline therefore. What is rarer is in scheduling.c.
 */

#include "base/seldom.h"
#include "model/attribution.h"
#include "model/record.h"
#include "model/scheduling.h"

enum {
	/* A task that leaves within this time after sched_yield(2) yields; later no other task had
	 * wanted the CPU then. The call itself takes some microseconds. */
	YIELD_NS = 100000
};

static inline uint64_t ns_between(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static inline uint64_t ns_later(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

/* Where a task was from this time to that one is known. */
static inline bool scheduling_knows(const struct scheduling *scheduling, uint64_t since_ns,
				    uint64_t until_ns)
{
	return !scheduling->is_partial && !scheduling_has_lost(scheduling, since_ns, until_ns);
}

/* Of an absence up to this time the part in this interval. */
static inline uint64_t absence_ns(const struct scheduling *scheduling,
				  const struct absence *absence, uint64_t time_ns)
{
	return ns_between(ns_later(absence->left_ns, scheduling->interval_start_ns), time_ns);
}

static inline bool absence_is_uninterruptible(const struct absence *absence)
{
	return absence->state == TASK_STATE_DISK_SLEEP && absence->kind == ABSENCE_BLOCKED;
}

/* --- in scheduling.c */

/* It waits from now on; and no more, while it is in the list of those that do. */
SELDOM void scheduling_begin_wait(struct scheduling *scheduling, struct task *task,
				  uint64_t time_ns);
SELDOM void scheduling_drop_wait(struct scheduling *scheduling, struct task *task);

/* The task waited or slept at some time between these, for an unknown time. */
SELDOM void scheduling_doubt(const struct scheduling *scheduling, struct task *task,
			     uint64_t since_ns, uint64_t until_ns);
SELDOM void arrival_after_preemption(struct scheduling *scheduling, struct cpu *cpu,
				     struct task *task, uint64_t time_ns,
				     struct switch_entry *entry);
SELDOM void arrival_after_wakeup(struct scheduling *scheduling, struct cpu *cpu, struct task *task,
				 uint64_t time_ns, struct switch_entry *entry);
SELDOM void arrival_after_disk_sleep(struct scheduling *scheduling, struct cpu *cpu,
				     struct task *task, uint64_t time_ns);

/* --- on the way of each switch */

static inline void arrival_after_block(struct scheduling *scheduling, struct cpu *cpu,
				       struct task *task, uint64_t time_ns,
				       struct switch_entry *entry)
{
	const struct absence *absence = &task->absence;

	entry->off_ns = time_ns - absence->left_ns;
	attribution_wait(scheduling->attribution, cpu, task, QUANTITY_OFF_NS,
			 absence_ns(scheduling, absence, time_ns));
	if (absence_is_uninterruptible(absence))
		arrival_after_disk_sleep(scheduling, cpu, task, time_ns);
}

static inline void arrival_from_absence(struct scheduling *scheduling, struct cpu *cpu,
					struct task *task, uint64_t time_ns,
					struct switch_entry *entry)
{
	const struct absence *absence = &task->absence;
	const bool is_woken = absence->woken_ns > 0 && absence->woken_ns <= time_ns;

	if (absence->kind != ABSENCE_UNKNOWN &&
	    !scheduling_knows(scheduling, absence->left_ns, time_ns)) {
		scheduling_doubt(scheduling, task, absence->left_ns, time_ns);
		return;
	}
	switch (absence->kind) {
	case ABSENCE_PREEMPTED:
		arrival_after_preemption(scheduling, cpu, task, time_ns, entry);
		break;
	case ABSENCE_BLOCKED:
		arrival_after_block(scheduling, cpu, task, time_ns, entry);
		if (is_woken)
			arrival_after_wakeup(scheduling, cpu, task, time_ns, entry);
		break;
	case ABSENCE_UNKNOWN:
		/* a wake-up that was noted while it ran is waited for no longer */
		if (is_woken && absence->waiting > 0 &&
		    scheduling_knows(scheduling, absence->woken_ns, time_ns))
			arrival_after_wakeup(scheduling, cpu, task, time_ns, entry);
		break;
	}
}

/*
 * What the entry says of the task that comes is not known yet (switch_unknown). cpu: NULL where
 * tasks are counted by themselves, and only their own waits are entered.
 */
static inline void scheduling_arrive(struct scheduling *scheduling, struct cpu *cpu,
				     struct task *task, uint64_t time_ns,
				     struct switch_entry *entry)
{
	struct absence *absence = &task->absence;

	entry->from_cpu = task->row.last_cpu;
	if (scheduling->states.is_on && !scheduling->is_off)
		entry->lock = states_arrive(scheduling, task, time_ns);
	if (!scheduling->is_off)
		arrival_from_absence(scheduling, cpu, task, time_ns, entry);
	if (absence->waiting > 0)
		scheduling_drop_wait(scheduling, task);
	absence->kind = ABSENCE_UNKNOWN;
	absence->yielded_ns = 0;
	absence->came_ns = ns_later(absence->came_ns, time_ns);
}

static inline bool absence_yields(const struct absence *absence, uint64_t time_ns)
{
	return absence->yielded_ns > 0 && ns_between(absence->yielded_ns, time_ns) <= YIELD_NS;
}

/*
 * A task that has ended can still be pushed out, or sleep on a lock of the kernel, and come back
 * before its last switch. The kernel takes a task that yields for preempted.
 */
static inline enum switch_how leave_how(const struct task *task,
					const struct record_switch *ctx_switch, uint64_t time_ns)
{
	const uint8_t state = ctx_switch->state;

	if (ctx_switch->preempted)
		return absence_yields(&task->absence, time_ns) ? SWITCH_YIELDED : SWITCH_PREEMPTED;
	return state == TASK_STATE_DEAD || state == TASK_STATE_ZOMBIE ||
			       (task->has_said_exit && state != TASK_STATE_DISK_SLEEP)
		       ? SWITCH_EXITED
		       : SWITCH_BLOCKED;
}

/* Where blocked tasks' states are not reported it is not known which of them are in state D. */
static inline void leave_blocked(struct scheduling *scheduling, struct task *task)
{
	struct absence *absence = &task->absence;

	absence->kind = ABSENCE_BLOCKED;
	scheduling->has_states = absence->state != TASK_STATE_UNKNOWN;
	if (!scheduling->has_states)
		scheduling->has_lacked_states = true;
	if (absence->woken_ns > 0)
		scheduling_begin_wait(scheduling, task, absence->woken_ns);
	else if (absence_is_uninterruptible(absence))
		scheduling_begin_wait(scheduling, task, absence->left_ns);
}

static inline void leave_cpu(struct scheduling *scheduling, struct task *task, uint64_t time_ns,
			     enum switch_how how, uint8_t state)
{
	const bool is_preempted = how == SWITCH_PREEMPTED || how == SWITCH_YIELDED;
	struct absence *absence = &task->absence;

	absence->yielded_ns = 0;
	if (time_ns < absence->came_ns)
		return;
	if (absence->waiting > 0)
		scheduling_drop_wait(scheduling, task);
	absence->left_ns = time_ns;
	absence->state = state;
	/* that one that has ended comes again must be known all the same */
	if (scheduling->is_off && (how == SWITCH_EXITED || !task->has_said_exit)) {
		absence->kind = ABSENCE_BLOCKED; /* before `lost_ns`: not believed */
		return;
	}
	absence->queued_by = ACTOR_UNKNOWN;
	if (absence->woken_ns < time_ns)
		absence->woken_ns = 0;
	if (how == SWITCH_EXITED && task->has_said_exit) {
		absence->kind = ABSENCE_UNKNOWN;
	} else if (is_preempted) {
		absence->kind = ABSENCE_PREEMPTED;
		scheduling_begin_wait(scheduling, task, time_ns);
	} else {
		leave_blocked(scheduling, task);
	}
}

/*
 * At a switch a task comes, and then this one leaves in the state that the record says; neither is
 * idle. Returns how it leaves; what it is then queued by is left unknown.
 */
static inline enum switch_how scheduling_leave(struct scheduling *scheduling, struct task *task,
					       const struct record *record)
{
	const enum switch_how how = leave_how(task, &record->ctx_switch, record->time_ns);

	if (scheduling->states.is_on)
		task->absence.site = record->ctx_switch.site;
	leave_cpu(scheduling, task, record->time_ns, how, record->ctx_switch.state);
	return how;
}

#endif
