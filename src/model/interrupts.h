#ifndef PERFTOP_MODEL_INTERRUPTS_H
#define PERFTOP_MODEL_INTERRUPTS_H

/*
 * Interrupts, while the states of threads are asked for: how often each comes to each CPU, and how
 * long it takes. A hard one can come in a soft one, and its time is not the soft one's; soft ones
 * do not nest. The time is also the task's that runs (QUANTITY_IRQ_NS), be it one that the kernel
 * has for soft interrupts.
 *
 * Nothing is known of one of which the beginning or the end is missing, or in which the CPU
 * switched, as it may where the kernel is preemptible everywhere (PREEMPT_RT).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct cpu;
struct record;
struct scheduling;
struct snapshot;
struct snapshot_interrupt;

/* One that goes on. */
struct open_interrupt {
	size_t sum; /* its index + 1; 0: none goes on */
	uint64_t since_ns;
	uint64_t nested_ns; /* of a soft one: of those that came in it */
	uint64_t switches;  /* of the CPU, when it began */
};

/* An empty one is {0}. */
struct interrupts {
	bool have_come;                  /* since they were asked for */
	struct map known;                /* index in `sums` + 1, by CPU, kind and number */
	struct snapshot_interrupt *sums; /* owned; of this interval */
	size_t count, capacity;
	struct snapshot_interrupt *rows; /* owned; of the interval closed last */
};

void interrupts_fini(struct interrupts *interrupts);

/* A record of a CPU. */
void interrupts_take(struct scheduling *scheduling, const struct record *record);

/* Records of the CPU are missing. */
void interrupts_forget(struct cpu *cpu);

/* An interval begins, which has nothing of what ended before. */
void interrupts_start(struct interrupts *interrupts);

/* Ends the interval; what the snapshot is given is good until the next time. */
void interrupts_close(struct interrupts *interrupts, struct snapshot *snapshot);

#endif
