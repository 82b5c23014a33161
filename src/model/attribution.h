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
 * With one exception. On some virtual machines the idle task of a CPU leaves no
 * records at all (Linux 6.18): the time line says that the CPU went idle, and then that
 * a task arrives from idle, with no word of idle's own in between, and the sequence has
 * one number too many. What is missing is idle's slice, so the two slices that have
 * become one are divided: time at the arrival, one switch to idle, and all events to
 * the arriving task, since counters do not advance while a CPU is idle; except clocks, which go
 * on and are divided as the time is. Such slices are counted (merged_idle).
 *
 * The books: for each CPU, `counter` grows by every difference that is believed, and by
 * construction the same difference is credited to tasks, idle or unattributed. So at any time
 *
 *	tasks + idle + unattributed = counter
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/account.h"
#include "model/journal.h"
#include "model/scheduling.h"
#include "model/stream.h"
#include "model/tasks.h"

struct cpu;
struct layout;
struct record;
struct snapshot;
struct snapshot_cpu;

enum {
	ATTRIBUTION_CPUS_MAX = 8192
}; /* no Linux has more (NR_CPUS) */

struct attribution {
	const struct layout *layout;       /* borrowed */
	const struct group_places *places; /* borrowed; one per group */
	struct task_table *tasks;          /* borrowed */
	struct scheduling *scheduling;     /* borrowed */
	struct journal *journal;           /* borrowed */
	size_t width;                      /* of a counts vector */
	struct cpu **cpus;                 /* owned; by number, NULL: never mentioned */
	size_t cpu_count;                  /* length of cpus */
	size_t made_count;                 /* of these: not NULL */
	struct snapshot_cpu *rows;         /* owned; of the last close */
	size_t row_count;
	struct task idle;         /* represents the idle tasks; nothing is counted in it */
	uint64_t *taken_ns;       /* owned; per group: how long others had its counters; until
				     attribution_forget_taken() */
	uint64_t broken_readings; /* since the last close */
	uint64_t merged_idle;
	uint64_t silent_switches; /* in the sequence but not reported; merged ones left out */
};

/* What an attribution borrows; it must outlive it, and the attribution must stay where it is. */
struct attribution_parts {
	const struct layout *layout;
	const struct group_places *places;
	struct task_table *tasks;
	struct scheduling *scheduling;
	struct journal *journal;
};
void attribution_init(struct attribution *attribution, const struct attribution_parts *parts);
void attribution_fini(struct attribution *attribution);

/*
 * The layout has become a later state of itself, and had group_count groups before; `places` are
 * its groups'. Rows of the last close point to the new vectors. clock_changes: the times that were
 * learnt from a clock group are those of another one.
 */
void attribution_change(struct attribution *attribution, const struct group_places *places,
			size_t group_count, bool clock_changes);

/* The interval closed last has not known this place: it is zero in all that is shown of it. */
void attribution_void(struct attribution *attribution, size_t place);

/* Forgets all counts; the running tasks and the readings before stay known. */
void attribution_start(struct attribution *attribution);

/* record->cpu is below ATTRIBUTION_CPUS_MAX and not negative. */
void attribution_reading(struct attribution *attribution, const struct record *record);

/* The same for RECORD_ESTIMATE: no reading, so no running task and no slice follow from it. */
void attribution_estimate(struct attribution *attribution, const struct record *record);

/* The task has waited for this CPU. Nothing is entered where the CPU is not counted. */
void attribution_enter_waits(struct attribution *attribution, int cpu, struct task *task,
			     const struct waits *waits);

/* So much may be missing in the waits that were entered for this CPU. */
void attribution_doubt(struct attribution *attribution, int cpu, uint64_t ns);

/* No switch earlier than the result will be reported any more once all is known up to time_ns. */
uint64_t attribution_settled(const struct attribution *attribution, uint64_t time_ns);

/* The history has begun anew: numbers of actors mean nothing any more. */
void attribution_forget_actors(struct attribution *attribution);

/* Begins anew to add up how long others had the counters. */
void attribution_forget_taken(struct attribution *attribution);

/* Ends the interval: fills the CPUs and the numbers that are about attribution. */
void attribution_close(struct attribution *attribution, struct snapshot *snapshot,
		       const struct doubt *doubt);

#endif
