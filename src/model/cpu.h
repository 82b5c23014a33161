#ifndef PERFTOP_MODEL_CPU_H
#define PERFTOP_MODEL_CPU_H

/*
 * What is known of one CPU: its running task, its readings so far, and its accounts. What the
 * records mean for it is said in attribution.c.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/account.h"
#include "model/attribution.h"
#include "model/record.h"
#include "model/slices.h"
#include "model/stream.h"

struct layout;
struct snapshot_cpu;

enum cpu_state {
	CPU_UNSEEN, /* the time line mentions it, but it is not counted (so far) */
	CPU_ONLINE,
	CPU_OFFLINE /* whatever still comes from it is not believed */
};

enum hole_state {
	HOLE_NONE,
	HOLE_OPEN,  /* a task has left for idle, which has not said a word since */
	HOLE_CLOSED /* a task came from idle, which had not said a word */
};

/* An idle slice that has left no records. */
struct hole {
	enum hole_state state;
	uint64_t end_ns;     /* record time of the arrival */
	uint64_t arrived_id; /* the incoming task */
};

/* The task for which the switch was counted that is to be reported next. */
enum booking {
	BOOKING_UNREAD,  /* no reading of it was seen: it is to belong to no task */
	BOOKING_LEAVERS, /* for the outgoing task */
	BOOKING_NOBODYS,
	BOOKING_NONE /* not in this interval */
};

/* The running and the outgoing task are NULL while unknown. */
struct cpu {
	int number;
	enum cpu_state state;
	struct task *running;
	struct task *leaver;    /* its reading at the switch was seen; until SWITCH_OUT */
	uint64_t leaver_groups; /* bit per group whose reading of this switch was seen */
	enum booking booking;   /* of this switch */
	struct hole hole;
	bool has_clock;
	uint64_t clock_offset_ns; /* record time - enabled_ns of its clock, modulo 2^64 */
	uint64_t now_ns;          /* record time of the reading before */
	struct streams streams;   /* one per group */
	size_t group_count;
	struct account counter, idle, unattributed;
	uint64_t doubted_ns; /* of the waits of its tasks so much may be missing in this interval */
	struct slices slices;
};

struct cpu *cpu_create(int number, const struct layout *layout, struct journal *journal,
		       struct task *idle);
void cpu_destroy(struct cpu *cpu); /* NULL is allowed */

/* Forgets what was counted; the running task stays known. */
void cpu_start(struct cpu *cpu, size_t width);

/* The layout has become a later state of itself; it had group_count groups and this width before.
 */
void cpu_change(struct cpu *cpu, const struct layout *layout, size_t group_count, size_t width);

/* Where its numbers of the last close are. */
void cpu_point(const struct cpu *cpu, struct snapshot_cpu *row);

/* The last interval has not known this place. */
void cpu_void(struct cpu *cpu, size_t place);

/*
 * Ends the interval. False when there is nothing to show of the CPU: it is not watched, and counted
 * nothing.
 */
bool cpu_close(struct cpu *cpu, size_t width, struct snapshot_cpu *row, const struct doubt *doubt);

void cpu_end_hole(struct cpu *cpu);
void cpu_forget_who_runs(struct cpu *cpu);

/* The CPU is mentioned for the first time. */
struct cpu *attribution_add_cpu(struct attribution *attribution, size_t number);

static inline struct cpu *attribution_cpu(struct attribution *attribution,
					  const struct record *record)
{
	const size_t number = (size_t)record->cpu;

	if (number < attribution->cpu_count && attribution->cpus[number])
		return attribution->cpus[number];
	return attribution_add_cpu(attribution, number);
}

static inline bool task_has_ids(const struct task *task, int32_t pid, int32_t tid)
{
	return task && task->row.tid == tid && task->row.pid == pid && task->is_mapped;
}

/* The task with these ids; NULL when they are not known. Mostly it is one that the CPU knows. */
static inline struct task *attribution_task(struct attribution *attribution, const struct cpu *cpu,
					    int32_t pid, int32_t tid, uint64_t time_ns)
{
	if (tid == 0)
		return &attribution->idle;
	if (task_has_ids(cpu->running, pid, tid))
		return cpu->running;
	if (task_has_ids(cpu->leaver, pid, tid))
		return cpu->leaver;
	return task_table_find(attribution->tasks, pid, tid, time_ns);
}

/* The vector in which the CPU's counts are entered for this owner. */
static inline uint64_t *attribution_counts(struct attribution *attribution, struct cpu *cpu,
					   struct task *owner)
{
	if (!owner)
		return cpu->unattributed.interval;
	if (owner == &attribution->idle)
		return cpu->idle.interval;
	return task_table_counts(attribution->tasks, owner);
}

/* Enters one of something that no counter counts. */
void attribution_count_one(struct attribution *attribution, struct cpu *cpu, struct task *owner,
			   enum quantity quantity, uint64_t time_ns);

/* Enters what a task has waited for the CPU. */
void attribution_wait(struct attribution *attribution, struct cpu *cpu, struct task *task,
		      const struct waits *waits);

/*
 * The task is on this CPU. What another CPU reports late about an earlier time is no
 * migration: only the newest place counts.
 */
void attribution_place(struct attribution *attribution, struct cpu *cpu, struct task *task,
		       uint64_t time_ns);

#endif
