#ifndef PERFTOP_MODEL_ATTRIBUTION_H
#define PERFTOP_MODEL_ATTRIBUTION_H

/*
 * Attribution: which task the counts of a CPU belong to.
 *
 * At every context switch the kernel writes down all counters of the CPU, so the
 * difference of two neighbouring readings is a slice of exactly one task: of the one
 * that leaves, or, when we read in between, of the one that runs. Neighbours are known
 * by their sequence number; when it jumps, a reading is missing, and the whole slice
 * goes to no task ("unattributed"), never to the next one.
 *
 * The switches that were reported are counted, too: a group without a reading at one of them (which
 * some tasks never have, on some virtual machines with Linux 6.18) has a slice of two tasks then,
 * even where its leader has not counted that switch.
 *
 * With one exception: where the task that left no reading is idle, the two slices that have become
 * one are divided: time at the arrival of the next task, the switch to idle where the leader has
 * counted it, and all events to the arriving task, since counters do not advance while a CPU is
 * idle; except clocks, which go on and are divided as the time is. Such slices are counted
 * (merged_idle).
 *
 * Other tasks that leave no records are known only from what the records of others say came or
 * went. Their time is unattributed together with what idle had around them; what the kernel says
 * that idle had in the interval is given to it when that ends.
 *
 * The books: for each CPU, `counter` grows by every difference that is believed, and by
 * construction the same difference is credited to tasks, idle or unattributed. So at any time
 *
 *	tasks + idle + unattributed = counter
 *
 * Where CPUs share cores (smt.h) the run time of each slice is divided by whether another thread of
 * the core was busy: exactly, as switches are known to the nanosecond. Cycles and instructions are
 * known for whole slices only; those of a slice are entered as alone, or as beside a busy thread,
 * when nine tenths of it were that, and else as neither.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/counts.h"
#include "model/interrupts.h"
#include "model/journal.h"
#include "model/parallel.h"
#include "model/record.h"
#include "model/scheduling.h"
#include "model/slices.h"
#include "model/smt.h"
#include "model/snapshot.h"
#include "model/stream.h"
#include "model/tasks.h"

enum cpu_state {
	CPU_UNSEEN, /* the time line mentions it, but it is not counted (so far) */
	CPU_ONLINE,
	CPU_OFFLINE /* whatever still comes from it is not believed */
};

/* An idle slice that has left no reading. */
struct hole {
	uint64_t switches;    /* of the CPU, with the one in which it ended; 0: there is none */
	uint64_t end_ns;      /* its record time */
	struct smt_times smt; /* as of then */
};

/* The running task is NULL while unknown. */
struct cpu {
	int number;
	enum cpu_state state;
	struct task *running;
	uint64_t switches; /* that were reported so far */
	struct hole hole;
	bool has_clock;
	uint64_t clock_offset_ns; /* record time - enabled_ns of its clock, modulo 2^64 */
	uint64_t now_ns;          /* record time of the reading before */
	uint64_t idled_ns;        /* when it went idle last; 0: never so far */
	struct streams streams;   /* one per group */
	size_t group_count;
	struct account counter, idle, unattributed;
	uint64_t *entered; /* the counts in which the last slice of its clock was entered; NULL: in
			      none */
	uint64_t doubted_ns; /* of the waits of its tasks so much may be missing in this interval */
	uint64_t unread_ns;  /* so much of this interval has passed by without a reading */
	struct slices slices;
	struct open_interrupt soft, hard;
	struct smt_thread *smt;   /* borrowed; NULL: it is not known which CPUs share its core */
	struct smt_times smt_now; /* as of the last reading */
	struct smt_times smt_run; /* up to where run time is entered */
	struct task *sharing;     /* holds a reference; the thread that is on it for parallel.h */
	int32_t unseen_tid;  /* `running` is not known, but this number of it; for parallel.h */
	bool shares_unseen;  /* for parallel.h it is one of all tasks */
	struct share shared; /* up to where its latency is entered */
};

struct attribution {
	const struct layout *layout;   /* borrowed */
	struct task_table *tasks;      /* borrowed */
	struct scheduling *scheduling; /* borrowed */
	struct journal *journal;       /* borrowed */
	size_t width;                  /* of a counts vector */
	struct cpu **cpus;             /* owned; by number, NULL: never mentioned */
	size_t cpu_count;              /* length of cpus */
	size_t made_count;             /* of these: not NULL */
	struct smt smt;
	struct parallelism parallelism;
	struct snapshot_cpu *rows; /* owned; of the last close */
	size_t row_count;
	struct task idle;         /* represents the idle tasks; nothing is counted in it */
	bool idle_is_shared;      /* and those outside of this pid namespace (session.h) */
	bool clock_stops;         /* while tasks outside run (session.h) */
	uint64_t *taken_ns;       /* owned; per group: how long others had its counters; until
				     attribution_forget_taken() */
	uint64_t broken_readings; /* since the last close */
	uint64_t merged_idle;
	uint64_t silent_switches; /* in the sequence but not reported; merged ones left out */
};

void attribution_init(struct attribution *attribution);
void attribution_fini(struct attribution *attribution);

/*
 * The layout has become a later state of itself, and had group_count groups before. Rows of the
 * last close point to the new vectors. clock_changes: the times that were learnt from a clock group
 * are those of another one.
 */
void attribution_change(struct attribution *attribution, size_t group_count, bool clock_changes);

/* Which CPUs share cores; what is known already stays. */
void attribution_note_topology(struct attribution *attribution, const struct topology *topology);

/* The interval closed last did not know this index: it is zero in all that is shown of it. */
void attribution_void(struct attribution *attribution, size_t value_index);

/* The layout is going to change. */
void attribution_prepare_change(struct attribution *attribution);

/* Forgets all counts; the running tasks and the readings before stay known. */
void attribution_start(struct attribution *attribution);

/*
 * A RECORD_SWITCH, and a RECORD_READING, of a CPU. record->cpu is below TOPOLOGY_CPUS_MAX and
 * not negative.
 */
void attribution_switch(struct attribution *attribution, const struct record *record);
void attribution_reading(struct attribution *attribution, const struct record *record);

/* The same for RECORD_ESTIMATE: no reading, so no running task and no slice follow from it. */
void attribution_estimate(struct attribution *attribution, const struct record *record);

/*
 * The CPU runs up to this time what it is known to run, and was not read. Its run time is entered
 * at once and taken off the next reading; what its counters counted meanwhile comes with that. Of
 * idle they count nothing, so that they have counted all of its time.
 */
void attribution_pass(struct attribution *attribution, const struct record *record);

/* A RECORD_SLICE: what runs on the CPU had counted so much before. */
void attribution_slice(struct attribution *attribution, const struct record *record);

/* The CPU on which it ran last; NULL: it is not known. */
struct cpu *attribution_cpu_of(const struct attribution *attribution, const struct task *task);

/* What a task has waited that is not coming just now: on the CPU on which it ran last. Nothing is
 * entered where that is not counted. */
void attribution_enter_wait(struct attribution *attribution, struct task *task,
			    enum quantity quantity, uint64_t number);

/* So much may be missing in the waits that were entered for the task. */
void attribution_doubt(struct attribution *attribution, struct task *task, uint64_t ns);

/* No switch earlier than the result will be reported any more once all is known up to time_ns. */
uint64_t attribution_settled(const struct attribution *attribution, uint64_t time_ns);

/* The history has begun anew: numbers of actors mean nothing any more. */
void attribution_forget_actors(struct attribution *attribution);

/* Begins anew to add up how long others had the counters. */
void attribution_forget_taken(struct attribution *attribution);

/*
 * The kernel says that the CPU was idle so long in this interval: what of that is not known to be
 * idle's was among what is unattributed, with no other counts than those of clocks.
 */
void attribution_find_idle(struct attribution *attribution, struct cpu *cpu, uint64_t idle_ns);

/* Ends the interval: fills the CPUs and the numbers that are about attribution. */
void attribution_close(struct attribution *attribution, struct snapshot *snapshot,
		       const struct doubt *doubt);

/* --- for sched_state.c: what is known of one CPU */

void cpu_forget_running(struct cpu *cpu);

/*
 * From this time on the other threads of its core see the CPU run this task. NULL: one that is not
 * known, or only by its tid; RECORD_TASK_UNKNOWN: not even so.
 */
static inline void cpu_set_smt(const struct attribution *attribution, struct cpu *cpu,
			       const struct task *running, int32_t tid, uint64_t time_ns)
{
	if (cpu->smt)
		smt_set(cpu->smt,
			running == &attribution->idle ? SMT_IDLE
			: running || tid > 0          ? SMT_BUSY
						      : SMT_UNKNOWN,
			time_ns);
}

/* Enters what no counter counts: waits of a task and their number, and that it has moved. CPU NULL:
 * the task is counted by itself. */
static inline void attribution_wait(struct attribution *attribution, struct cpu *cpu,
				    struct task *task, enum quantity quantity, uint64_t number)
{
	if (number == 0 || (cpu && cpu->state != CPU_ONLINE))
		return;
	task_table_counts(attribution->tasks, task)[quantity] += number;
	if (cpu)
		cpu->counter.interval[quantity] += number;
}

/* The CPU of the record; one that is mentioned for the first time is made. */
struct cpu *attribution_add_cpu(struct attribution *attribution, size_t number);
static inline struct cpu *attribution_cpu(struct attribution *attribution,
					  const struct record *record)
{
	const size_t number = (size_t)record->cpu;

	if (number < attribution->cpu_count && attribution->cpus[number])
		return attribution->cpus[number];
	return attribution_add_cpu(attribution, number);
}

#endif
