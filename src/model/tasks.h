#ifndef PERFTOP_MODEL_TASKS_H
#define PERFTOP_MODEL_TASKS_H

/*
 * The tasks that are known: found by tid, born, renamed, ended, and shown.
 *
 * A task is created when it is first mentioned. It ends by EXIT, or because another
 * one has its tid; it stays known until a close finds that nothing came in for it any
 * more since it was last shown as exited. So the last slice of a dying task is never lost.
 * The first thread of a process names it: it is known as soon, and as long, as any of its threads.
 *
 * The table keeps the rows of the snapshot from close to close and touches only those
 * of tasks to which something has happened: ten thousand sleeping tasks cost nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/queue.h>

#include "base/map.h"
#include "base/seldom.h"
#include "model/counts.h"
#include "model/exited_totals.h"
#include "model/model.h"
#include "model/parallel.h"
#include "model/record.h"
#include "model/snapshot.h"
#include "model/stream.h"

enum switch_number {
	SWITCH_ALL,
	SWITCH_INVOLUNTARY,
	SWITCH_NUMBERS
};

/* What per-task readings of a task go on from (per_task.h). */
struct feed {
	struct streams streams;
	bool has_readings;
	bool has_switch_records; /* they come, or would: of switch counts only what exceeds
				    the records is taken then */
	bool has_switch_counts;
	uint64_t switches[SWITCH_NUMBERS]; /* the absolute numbers before */
	uint64_t recorded[SWITCH_NUMBERS]; /* by records, since these */
};
struct journal;
struct record;
struct timing;

enum absence_kind {
	ABSENCE_UNKNOWN, /* it runs, or was not seen to leave */
	ABSENCE_PREEMPTED,
	ABSENCE_BLOCKED
};

/* Since when a task has been off the CPUs (scheduling.h). Times of records. */
struct absence {
	enum absence_kind kind : 8; /* looked at together with the next one */
	uint8_t state;              /* enum task_state, in which it left */
	uint64_t yielded_ns;        /* when it offered its CPU to others since it came; 0: never */
	uint64_t left_ns;           /* meaningless while it was not seen to leave */
	uint64_t woken_ns;          /* 0: not */
	int32_t waker_tid;          /* as in struct record_wakeup */
	uint64_t came_ns;           /* its last arrival; 0: none was seen */
	uint64_t entered_ns;        /* up to here its wait is in the books */
	uint64_t queued_by;         /* the actor that preempted it; ACTOR_UNKNOWN */
	struct record_site site;
	size_t waiting; /* place in the list of those that wait, from 1; 0: it is not there */
};

/* What is kept of a task while its states are asked for (states.h). */
struct observed_states {
	uint64_t seen_ns, looked_ns; /* from when to when it was looked at last; 0: never */
	uint64_t first_seen_ns;      /* when it was first seen in that absence */
	enum sleep_kind seen;
	bool is_seen_of_call;
	uint64_t lock;                     /* of a futex; 0: not known */
	int32_t holder_tid;                /* what had it then; struct record_sleep */
	struct record_cpu_use before, now; /* as reported; `before` moves on when the difference is
					      large enough (states.c) */
	uint64_t used_ns;                  /* when `now` was reported; 0: never */
};

struct task {
	struct snapshot_task row;  /* as of now; what the snapshot shows is a copy */
	struct task *process;      /* of another thread: the first one, which it keeps; else NULL */
	LIST_HEAD(, task) threads; /* of which it is the process */
	LIST_ENTRY(task) thread;   /* among these */
	struct task *parent; /* of a first thread: that of a process that has not ended, or NULL */
	LIST_HEAD(, task) children; /* of which it is the parent */
	LIST_ENTRY(task) child;     /* among these */
	struct account account;     /* opened when it first runs */
	struct absence absence;
	struct timing *timing;       /* owned; of this interval; NULL: it has not switched yet */
	struct timing *shown_timing; /* owned; of the interval closed last; NULL: likewise */
	uint64_t actor; /* its number in the history, by this name; ACTOR_UNKNOWN: none */
	struct observed_states *states; /* owned; NULL: nothing is kept */
	struct parallel *parallel;      /* owned; of a process' first thread; NULL: likewise */
	struct feed *feed;  /* owned; what per-task readings need (per_task.h); NULL: none came */
	char *command_line; /* owned; NULL: unknown */
	char *cgroup;       /* owned; NULL: unknown */
	uint64_t *last_run; /* owned; interval in which it ran last; NULL unless to be held */
	uint64_t *reaped;   /* owned; totals of its forgotten threads; NULL: none */
	/* children without a name, since its own was unknown at their birth */
	LIST_HEAD(, task) nameless;
	LIST_ENTRY(task) sibling; /* among these; le_prev NULL: it is not */
	uint64_t first_ns;        /* when it was first mentioned */
	uint64_t run_delay_ns;    /* absolute, as reported last */
	uint64_t named_ns;        /* when its name was last known to be right; 0: never */
	uint64_t exit_ns;         /* when it ended; meaningless before */
	uint64_t moved_ns;        /* when last_cpu was last known to be true */
	uint64_t doubted_ns;      /* of its waits so much may be missing in this interval */
	uint64_t unshared_ns;     /* of its run time in this interval so much has no latency */
	uint32_t doubts;          /* bit per enum quantity: not known of the interval closed last */
	size_t index;             /* of it in the table and of its row */
	size_t live_threads;     /* of a first thread: others of its process that have not exited */
	unsigned int references; /* by other holders: it must not be forgotten */
	bool is_mapped;          /* it is the one that is found by its tid */
	bool is_changed;         /* it is in the table's list of changes */
	bool is_counted;         /* it was credited something since the last close */
	bool has_said_exit;      /* EXIT came; its last switch is to come */
	bool has_run_delay;      /* run_delay_ns is known, and every run since was seen */
	bool is_delay_reported;  /* in this interval */
	bool has_procinfo;       /* /proc, or its parent, gave them */
	bool is_asked_for;       /* its procinfo was or is in the queue */
	bool is_to_be_held;      /* model_hold() named its process */
	bool is_outlived;        /* when it was shown as ended its process went on */
};

/* Up to where missing waits are too short to be seen; beyond, these quantities are not known. */
struct doubt {
	uint64_t seen_ns;
	uint32_t quantities; /* bit per enum quantity */
};

static inline uint32_t doubt_of(const struct doubt *doubt, uint64_t missing_ns)
{
	return missing_ns > doubt->seen_ns ? doubt->quantities : 0;
}

/* It is counted by itself (per_task.h). */
static inline bool task_is_fed(const struct task *task)
{
	return task->feed && task->feed->has_readings;
}

/* The first thread of its process. */
static inline struct task *task_process(struct task *task)
{
	return task->process ? task->process : task;
}

static inline bool process_has_ended(const struct task *process)
{
	return process->row.is_exited && process->live_threads == 0;
}

struct task_list {
	struct task **tasks; /* array owned, tasks borrowed */
	size_t count, capacity;
};

enum {
	TASKS_WANTED_MAX = 4096, /* queue of questions; a power of two, as is the next one */
	TASKS_RECENT = 256
};

struct task_table {
	size_t width;                      /* of a counts vector */
	struct map by_tid;                 /* borrows */
	struct task *recent[TASKS_RECENT]; /* borrowed; of by_tid, those found last: each by the
					      lowest bits of its tid; NULL: none */
	struct task_list all;              /* owns the tasks */
	struct snapshot_task *rows; /* one per task, in the order of `all`, valid after a close */
	size_t row_capacity;
	struct task_list changed;  /* to be shown anew at the next close */
	struct task_list settling; /* were shown as changed at the last one */
	uint32_t *active;          /* owned; indices of these */
	size_t active_capacity;
	struct task_ref *wanted; /* ring of TASKS_WANTED_MAX */
	size_t wanted_first, wanted_count;
	char **retired; /* owned texts that the last snapshot may still borrow */
	size_t retired_count, retired_capacity;
	struct exited_totals exited_totals; /* of those that were forgotten */
	int32_t *held;                      /* owned; processes to hold */
	size_t held_count;
	uint64_t *zeros; /* owned; what an unopened account shows */
	uint64_t next_id;
	size_t exits;                   /* since the last close */
	size_t opened;                  /* tasks that have an account */
	size_t ran_count, exited_count; /* in the interval closed last */
	struct journal *journal;        /* borrowed; learns first names */
	bool has_partial_timings;       /* not all slices and waits of the interval are in them */
	bool holds_others;              /* model_hold() was called since the last close */
};

void task_table_init(struct task_table *table, size_t width, struct journal *journal);
void task_table_fini(struct task_table *table);

/* Forgets all counts and the tasks that have exited. */
void task_table_start(struct task_table *table);

/*
 * The task with these ids, created if need be; NULL when they name none (unknown or idle).
 * A known tid under another pid is another task: the tid was used again.
 */
SELDOM struct task *task_table_find(struct task_table *table, int32_t pid, int32_t tid,
				    uint64_t time_ns);

static inline struct task **task_table_recent(struct task_table *table, int32_t tid)
{
	return &table->recent[(uint32_t)tid % TASKS_RECENT];
}

/* The task that has this tid; NULL: none is known. Mostly it is one that was found just now. */
SELDOM struct task *task_table_search(struct task_table *table, int32_t tid);
static inline struct task *task_table_lookup(struct task_table *table, int32_t tid)
{
	struct task *task = *task_table_recent(table, tid);

	return task && task->row.tid == tid ? task : task_table_search(table, tid);
}

/*
 * A task that has no name, or one of which it is not known whether it is the present one, is seen
 * under this one, at most TASK_NAME_MAX raw bytes.
 */
void task_table_name(struct task_table *table, struct task *task, const char *name,
		     uint64_t time_ns);

/* What records report about `record`'s task. */
void task_table_fork(struct task_table *table, const struct record *record);
void task_table_exit(struct task_table *table, const struct record *record);
void task_table_comm(struct task_table *table, const struct record *record);
void task_table_procinfo(struct task_table *table, const struct record *record);

/* Ends a task of which it is known that it is no more. */
void task_table_finish(struct task_table *table, struct task *task, uint64_t time_ns);

/* The vector to which counts of the task are to be added now. */
static inline uint64_t *task_table_counts(struct task_table *table, struct task *task);

/*
 * Puts the question for the task's procinfo into the queue, once in its life. When the queue is
 * full nothing happens: the task is to ask again.
 */
SELDOM void task_table_ask(struct task_table *table, struct task *task);

/* Where the task's slices and waits are to be entered now. */
static inline struct timing *task_table_timing(struct task_table *table, struct task *task);

/* Sees to it that the task is shown anew at the next close. */
void task_table_change(struct task_table *table, struct task *task);

/*
 * Counts vectors are `width` wide from now on, not narrower than before. Of the rows that the last
 * close made, the first shown_count are still looked at: they point to the new vectors.
 */
void task_table_widen(struct task_table *table, size_t width, size_t shown_count);

/* The interval closed last did not know this index: it is zero in all that is shown of it. */
void task_table_void(struct task_table *table, size_t value_index);

void task_table_hold(struct task_table *table, const int32_t *pids, size_t count);
size_t task_table_wanted(struct task_table *table, struct task_ref *refs, size_t max);

/* For the two above: it is the first time in the interval. */
SELDOM void task_table_begin_counts(struct task_table *table, struct task *task);
SELDOM void task_table_begin_timing(struct task_table *table, struct task *task);

static inline uint64_t *task_table_counts(struct task_table *table, struct task *task)
{
	if (!task->is_counted)
		task_table_begin_counts(table, task);
	return task->account.interval;
}

static inline struct timing *task_table_timing(struct task_table *table, struct task *task)
{
	if (!task->timing || !task->is_changed)
		task_table_begin_timing(table, task);
	return task->timing;
}

/* Takes a reference to the task, and releases the one held before. */
static inline void task_take_reference(struct task **reference, struct task *task)
{
	if (*reference == task)
		return;
	if (*reference)
		(*reference)->references--;
	*reference = task;
	if (task)
		task->references++;
}

/* If the task was a process that has ended: its living children have no known parent, and are asked
 * for. */
void family_orphan(struct task_table *table, struct task *task);
void family_leave_process(struct task *thread);

/* For task_rows.c. */
bool task_table_is_to_be_held(const struct task_table *table, int32_t pid);
void task_table_free_retired(struct task_table *table);
void task_table_unmap(struct task_table *table, struct task *task); /* no more found by its tid */
void task_table_forget(struct task_table *table,
		       struct task *task); /* the last one takes its place */

/* Ends the interval: rows, ran_count and exited_count are then those of it. */
void task_table_close(struct task_table *table, const struct doubt *doubt);

#endif
