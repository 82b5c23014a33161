#ifndef PERFTOP_MODEL_SWITCHES_H
#define PERFTOP_MODEL_SWITCHES_H

/*
 * One context switch as the log shows it: the outgoing task, why, the sums of its slice, the
 * incoming task, and for how long that one had been away.
 *
 * The slices of a CPU follow each other without a gap: what a CPU counts between two switches is
 * the slice of the second. Time of an unknown task is a slice of ACTOR_UNKNOWN,
 * idle time one of ACTOR_IDLE. So the slices of a CPU add up to what it counted, to the last digit.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/snapshot.h"

enum switch_how {
	SWITCH_UNKNOWN,   /* no record says */
	SWITCH_PREEMPTED, /* it could have run on; a yield looks the same where none is reported */
	SWITCH_BLOCKED,   /* it went to sleep, or waits for something */
	SWITCH_YIELDED,   /* sched_yield(2) */
	SWITCH_EXITED,
	SWITCH_IDLE, /* the CPU had nothing to do, and now it has */
	SWITCH_HOWS
};

/* "preempted"; "" for a value that is none */
const char *switch_how_name(enum switch_how how);

/*
 * What takes part in a switch: a task under the name that it had then; while none was known,
 * under the first one that became known. Numbers are never used again; two actors are the same task
 * when their task_id is the same.
 */
enum {
	ACTOR_UNKNOWN = 0,
	ACTOR_IDLE = 1,
	ACTOR_FIRST = 2 /* the first task */
};

struct actor {
	uint64_t number;
	uint64_t task_id;         /* snapshot_task.id; 0: none */
	int32_t pid, tid;         /* 0: idle; -1: unknown */
	char name[TASK_NAME_MAX]; /* raw bytes; "idle" for ACTOR_IDLE, "" unknown */
};

/* A time that is not known. */
#define SWITCH_NS_UNKNOWN UINT64_MAX

struct switch_entry {
	uint64_t time_ns;  /* of the switch, record time */
	uint64_t slice_ns; /* run time of the slice that ends, as the CPU counted it; where tasks
			      are watched and not CPUs it may be unknown */
	uint64_t off_ns;   /* how long the incoming task was off the CPUs, since its last switch */
	uint64_t wait_ns;  /* of that: runnable, waiting for a CPU: all of it after a preemption,
			      from the wake-up on after a sleep */
	uint64_t left, came; /* actors */
	uint64_t pushed_by;  /* what had taken the CPU from the incoming task, where that was
				preempted; else ACTOR_UNKNOWN */
	int32_t cpu;
	int32_t from_cpu; /* where the incoming task had run before; -1: unknown, or never */
	enum switch_how how;
	bool came_preempted;    /* off_ns is a preempted wait */
	bool has_counts;        /* false: no readings at switches are available, counts are zero */
	const uint64_t *counts; /* the slice's counts vector, all places of the layout */
};

#endif
