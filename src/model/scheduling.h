#ifndef PERFTOP_MODEL_SCHEDULING_H
#define PERFTOP_MODEL_SCHEDULING_H

/*
 * What the scheduler did with the tasks: since when they have been off the CPUs, whether pushed out
 * or by themselves, when they were woken, and how long all that took when they come back.
 *
 * Each wait is counted twice: as one length in the task's timing when it is over, and as time in
 * the books of the task and of the CPU that it runs on next, there split at the ends of intervals:
 *
 *	PREEMPTED_NS, QUEUED_NS  the part so far at each end, the rest when the task runs
 *	OFF_NS                   the part so far at the end of intervals in which the task ran;
 *	                         nothing of intervals in which it did not run
 *	UNINTERRUPTIBLE_NS       time in state D up to the wake-up, of all intervals
 *
 *	WAKEUP_NS, WAKEUPS       whole, when the task runs
 *
 * An absence in which records were lost is unknown: the most that it could have added is counted
 * as doubt instead.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/history.h"
#include "model/interrupts.h"
#include "model/states.h"
#include "model/tasks.h"

struct attribution;
struct record;

struct scheduling {
	struct attribution *attribution; /* borrowed; enters waits, and doubts */
	struct task_table *tasks;        /* borrowed */
	struct task_list waiting; /* runnable and not running, or in state D, as far as is known;
				     holds references */
	struct states states;
	struct interrupts interrupts;
	uint64_t interval_start_ns;
	uint64_t newest_ns;     /* of all switches */
	uint64_t first_wake_ns; /* since then wake-ups are recorded; 0: they are not */
	uint64_t lost_ns;       /* what was before it need not have been all there was */
	bool is_partial;        /* tasks also run where nothing is watched */
	bool is_off;            /* nothing is noted */
	bool was_off;           /* for some of this interval */
	bool has_run_delays;    /* RECORD_RUN_DELAY comes: QUEUED_NS is what it says */
	bool has_states;        /* the last switch reported in which state the task left */
	bool has_lacked_states; /* one of this interval did not */
};

void scheduling_fini(struct scheduling *scheduling);

/* The first interval begins; which tasks are off since when stays known. */
void scheduling_start(struct scheduling *scheduling, uint64_t time_ns);

/* There is a record of this time. */
static inline void scheduling_note_time(struct scheduling *scheduling, uint64_t time_ns)
{
	if (scheduling->newest_ns < time_ns)
		scheduling->newest_ns = time_ns;
}

/*
 * Whether a task that left in a runnable state has been followed by idle on its CPU. Then it was
 * not preempted: something else holds it back, mostly the limit of its cgroup, which no record
 * reports. The wait is part of QUEUED_NS, but of no preempted wait.
 */
bool scheduling_is_held(const struct attribution *attribution, const struct task *task);

/* It runs as another thread did until now. */
void scheduling_forget(struct scheduling *scheduling, struct task *task);

void scheduling_wake(struct scheduling *scheduling, const struct record *record);
void scheduling_yield(struct scheduling *scheduling, const struct record *record);
void scheduling_run_delay(struct scheduling *scheduling, const struct record *record);

/* Records are missing; time_ns is when that was found out. */
void scheduling_lose(struct scheduling *scheduling, uint64_t time_ns);

/* Stops or goes on noting; what happened meanwhile is unknown. */
void scheduling_turn_off(struct scheduling *scheduling, bool is_off);

/* Bit per enum quantity that only the switches report. */
uint32_t scheduling_reported(const struct scheduling *scheduling);

/*
 * Bit per enum quantity that is known of no task in this interval: something was not noted, or
 * tasks also run where nothing is watched.
 */
uint32_t scheduling_unknown(const struct scheduling *scheduling);

/* Not all is known that happened from this time to that one, where anything is watched. */
static inline bool scheduling_has_lost(const struct scheduling *scheduling, uint64_t since_ns,
				       uint64_t until_ns)
{
	return since_ns <= scheduling->lost_ns || since_ns > until_ns;
}

/* Ends the interval; to be called before the tasks' accounts are closed. */
void scheduling_close(struct scheduling *scheduling, uint64_t time_ns);

/* It was on a CPU since the last close. */
bool task_has_run(const struct task *task);

#endif
