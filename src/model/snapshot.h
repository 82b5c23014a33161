#ifndef PERFTOP_MODEL_SNAPSHOT_H
#define PERFTOP_MODEL_SNAPSHOT_H

/*
 * The state of everything at the end of an interval: what views make rows of.
 *
 * The books: for every CPU and every place of the layout's vector
 *
 *	sum over tasks (their share on this CPU) + idle + unattributed = counter
 *
 * holds exactly, and summed over CPUs the tasks' vectors take part in it as a whole:
 *	sum of tasks[].interval = sum over CPUs of (counter - idle - unattributed)
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stall.h"
#include "model/layout.h"
#include "model/record.h"

struct exited_total;
struct profile;
struct timing;

struct snapshot_task {
	uint64_t id;        /* identity: never reused, not even when the tid is */
	uint64_t parent_id; /* of the process parent_pid; 0: unknown */
	int32_t pid, tid;
	int32_t parent_pid;       /* -1: unknown */
	int32_t session;          /* id; 0: none, or unknown */
	int64_t uid;              /* -1: unknown */
	int last_cpu;             /* -1: unknown */
	char name[TASK_NAME_MAX]; /* raw bytes; "" unknown */
	const char *command_line; /* raw bytes; NULL unknown; valid as long as the snapshot */
	const char *cgroup;       /* path, the same */
	bool is_exited;
	bool is_held; /* exited earlier and kept by model_hold(): takes no part in the books */
	bool is_new;  /* born in this interval */
	bool is_kernel_thread;
	bool is_from_proc;           /* it is not counted: its numbers are what /proc says */
	bool has_run;                /* was on a CPU in this interval */
	bool has_counts;             /* not all of its interval is 0 */
	bool is_silent;              /* it left no record when it left a CPU last */
	uint32_t unknown;            /* bit per enum quantity that is not known for this task */
	const uint64_t *interval;    /* counts vector of this interval */
	const uint64_t *total;       /* since the start */
	const struct timing *timing; /* of this interval; NULL: nothing of it is known */
	const uint64_t *parallel_ns; /* of a process' first thread: how long so many of its threads
					ran at once (parallel.h); NULL: unknown */
	const uint64_t *reaped;      /* of a process' first thread: total of its threads that were
					forgotten; NULL: none */
};

/* Runnable without a CPU in the interval: if so all the time, it has not run, and is not idle. */
static inline bool task_has_waited(const struct snapshot_task *task)
{
	return task->interval[QUANTITY_PREEMPTED_NS] > 0 || task->interval[QUANTITY_QUEUED_NS] > 0;
}

/* In uninterruptible sleep: it need not have run either, and is not idle. */
static inline bool task_is_uninterruptible(const struct snapshot_task *task)
{
	return task->interval[QUANTITY_UNINTERRUPTIBLE_NS] > 0;
}

struct snapshot_cpu {
	int cpu;
	bool is_online;
	uint32_t unknown;        /* bit per enum quantity that is not known for this CPU */
	uint64_t unread_ns;      /* of the interval's run time, idle included: passed by without a
				    reading (RECORD_UNREAD) */
	const uint64_t *counter; /* everything counted on this CPU in the interval */
	const uint64_t *idle;    /* of this: the idle task */
	const uint64_t *unattributed; /* of this: of unknown tasks */
	const uint64_t *counter_total, *idle_total, *unattributed_total; /* since the start */
};

/* What held back the tasks of a cgroup (base/stall.h), from reading to reading of it. */
struct snapshot_cgroup {
	const char *path;
	uint64_t span_ns; /* between the two */
	uint32_t known;   /* bit per number */
	uint64_t interval[STALL_NUMBERS];
	uint64_t
		limited_ns; /* up to this time its CPU limit may have held it back; 0: it has not */
};

/* One interrupt of one CPU, in the interval. */
struct snapshot_interrupt {
	int cpu;
	uint8_t kind; /* enum interrupt_kind */
	int32_t number;
	char name[INTERRUPT_NAME_MAX]; /* raw bytes */
	uint64_t count;                /* times that it ended */
	uint64_t ns;                   /* how long it took, without those that interrupted it */
};

/* A wait for a lock that goes on at the end of the interval, of which it is known what has it. */
struct snapshot_lock_wait {
	uint64_t waiter, holder; /* actors, threads of one process */
	uint64_t lock;           /* address of the futex */
	uint64_t since_ns;       /* it sleeps since then, if not for longer */
	int32_t pid;             /* of the process */
	bool is_deadlock;        /* the holder waits for another one, and so on, up to the waiter:
				    none can release what it has */
};

/* perftop's own consumption, filled by the program or by the recording of one. */
struct own_usage {
	uint64_t cpu_ns; /* in this interval */
	uint64_t rss_bytes;
	uint64_t descriptors;
	bool is_urgent; /* with a real-time priority */
	/* estimates of what the readings cost the watched; 0: not known */
	uint64_t switch_ns;   /* by which they lengthen a context switch */
	uint64_t readings_ns; /* in all, of this interval, with samples; of the whole machine, in a
				 part of it too */
	uint64_t samples_ns;  /* of that */
	/* in thousandths of a percent: what all of it may cost, 0: no budget; and for how much of
	 * the interval hardware events were counted to keep that */
	uint32_t budget_mpct, counting_mpct;
};

enum {
	OWN_MPCT = 1000,          /* of a percent */
	OWN_ALL_MPCT = 100 * 1000 /* all the time */
};

/* To keep the budget hardware events were not counted all the time. */
static inline bool own_is_limited(const struct own_usage *own)
{
	return own->budget_mpct > 0 && own->counting_mpct < OWN_ALL_MPCT;
}

/* No process has no memory: perf's recordings do not say. */
static inline bool own_is_known(const struct own_usage *own)
{
	return own->rss_bytes > 0;
}

struct snapshot {
	uint64_t time_ns;            /* end of the interval, record time */
	uint64_t interval_ns;        /* its length */
	uint64_t start_ns;           /* of the first interval */
	uint64_t sequence;           /* number of the interval, from 1 */
	const struct layout *layout; /* borrowed from the model */
	struct snapshot_task *tasks; /* all that are known, in no particular order */
	size_t task_count;
	bool lacks_idle; /* it was kept without the processes that did not run */
	/* indices of those that have counts or have ended, but for held ones, and of some others;
	 * NULL: not known */
	const uint32_t *active;
	size_t active_count;
	const struct exited_total *exited_totals; /* sums of the tasks that are gone */
	size_t exited_total_count;
	struct snapshot_cpu *cpus; /* ascending; none when fed per task */
	size_t cpu_count;
	/* of a part of the tasks: what all CPUs have counted of unknown tasks, which may be of it;
	 * NULL: the CPUs say it, or it is fed per task */
	const uint64_t *unattributed, *unattributed_total;
	const struct cpu_times
		*cpu_times; /* of the interval; by the CPU's number, as far as known */
	size_t cpu_time_count;
	const struct snapshot_cgroup *cgroups; /* by path; those that were read */
	size_t cgroup_count;
	const struct snapshot_interrupt *interrupts; /* by CPU, the longest first */
	size_t interrupt_count;
	bool has_interrupts;                         /* they are known */
	const struct snapshot_lock_wait *lock_waits; /* while states are asked for (states.h) */
	size_t lock_wait_count;
	uint64_t states_since_ns; /* asked for since then; 0: always, or not at all */
	uint64_t first_wake_ns;   /* since then wake-ups are recorded; 0: they are not */
	size_t ran_count;         /* tasks that ran in this interval */
	size_t exited_count;      /* tasks that ended in it */
	uint64_t lost_records, lost_records_total;
	uint64_t throttled;       /* times that the kernel held a sampling event back */
	uint64_t throttled_ns;    /* for how long, as far as it is known */
	uint64_t broken_readings; /* readings that contradicted the one before */
	uint64_t merged_idle; /* idle slices that left no record of their own (see attribution.h) */
	uint64_t unattributed_ns; /* time on the CPUs of which the task is unknown; of the
				     whole machine, in a part of it too */
	uint64_t shed_switches;   /* of this interval: not in the history, since it was not kept up
				     with */
	uint64_t shed_details;    /* switches with slices and waits in no task's timing */
	uint32_t unknown; /* bit per enum quantity that is unknown for all tasks in this interval */
	uint64_t silent_switches; /* switches that left no record, though none was lost */
	double attributed_pct;    /* share of the CPUs' time that is known to be a task's or idle's;
				     NaN when nothing was counted */
	struct own_usage own;
	const struct profile *profile; /* where tasks were; NULL: nothing was sampled */
	uint32_t latency_scope;        /* number of that of latencies (parallel.h) */
	const uint64_t *parallel_ns;   /* how long so many tasks ran at once in it; NULL: each
					  process is one */
	bool has_off_cpu;              /* they were sampled off the CPU too, */
	int32_t off_cpu_pid;           /* of this process alone; 0: of all */
};

/* Most of many tasks are idle: who looks for others need not touch these. */
static inline size_t snapshot_active_count(const struct snapshot *snapshot)
{
	return snapshot->active ? snapshot->active_count : snapshot->task_count;
}

static inline const struct snapshot_task *snapshot_active_task(const struct snapshot *snapshot,
							       size_t i)
{
	return &snapshot->tasks[snapshot->active ? snapshot->active[i] : i];
}

/* A view of some processes only; {0} at first. */
struct snapshot_part {
	struct snapshot snapshot;
	struct snapshot_task *tasks; /* owned, as is the rest */
	size_t capacity;
	uint64_t *unattributed; /* two vectors */
};

void snapshot_part_fini(struct snapshot_part *part);

/*
 * The part borrows everything from `whole` except its tasks and what is unattributed. It has no
 * CPUs: the books are those of the whole.
 */
void snapshot_restrict(struct snapshot_part *part, const struct snapshot *whole,
		       bool (*is_wanted)(int32_t pid, const void *context), const void *context);

/* The first task with this number; NULL: it has none, or there is no snapshot. */
const struct snapshot_task *snapshot_find_task(const struct snapshot *snapshot, int32_t tid);

/* The cgroup whose path these bytes are; NULL: it was not read. */
const struct snapshot_cgroup *snapshot_find_cgroup(const struct snapshot *snapshot,
						   const char *path, size_t length);

/*
 * The cgroup whose path these bytes are, or the nearest above it that was read; *length is then
 * that of the path above this one, 0 of none. NULL: there are no more.
 */
const struct snapshot_cgroup *snapshot_climb(const struct snapshot *snapshot, const char *path,
					     size_t *length);

/* A deep copy that outlives the model; freed with snapshot_destroy(). */
struct snapshot *snapshot_copy(const struct snapshot *snapshot);
void snapshot_destroy(struct snapshot *snapshot);

/* Memory that a copy takes. */
size_t snapshot_bytes(const struct snapshot *snapshot);

#endif
