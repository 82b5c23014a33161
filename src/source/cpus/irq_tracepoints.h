#ifndef PERFTOP_SOURCE_CPUS_IRQ_TRACEPOINTS_H
#define PERFTOP_SOURCE_CPUS_IRQ_TRACEPOINTS_H

/*
 * Interrupts as the kernel reports them: pairs of tracepoints, at the beginning and at the end of
 * each. On x86 those of timers and of other CPUs have tracepoints of their own; elsewhere all hard
 * ones are alike. The kernel lets no end of an irq_work be sampled.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/decode.h"

struct error;
struct record;
struct sched_tracepoint_spec;

enum {
	IRQ_ESSENTIAL = 4, /* the first ones; the others may be unknown to the kernel */
	IRQ_TRACEPOINTS = 12
};

/* Where an interrupt is in its samples. False: tracefs cannot be read, or it does not have it. */
bool irq_tracepoint_find(size_t index, struct sched_tracepoint_spec *found, struct error *error);

/* Makes a record of a sample of it; false: the sample does not say what it should. */
bool irq_tracepoint_report(size_t index, const struct sched_tracepoint_spec *tracepoint,
			   const struct decoded_bytes *raw, struct record *record);

#endif
