#ifndef PERFTOP_MODEL_ARRIVAL_H
#define PERFTOP_MODEL_ARRIVAL_H

/*
 * A task comes to a CPU: the part of scheduling.h that is on the way of each switch, and inline
 * therefore. What is rarer is in scheduling.c.
 */

#include "base/seldom.h"
#include "model/attribution.h"
#include "model/record.h"
#include "model/scheduling.h"

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

/* It is in the list of those that wait. */
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

#endif
