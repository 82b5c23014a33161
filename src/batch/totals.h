#ifndef PERFTOP_BATCH_TOTALS_H
#define PERFTOP_BATCH_TOTALS_H

/*
 * What a format that writes totals keeps from interval to interval of a run. All of it only grows:
 * a CPU that goes offline and comes back goes on where it was.
 */

#include <stddef.h>
#include <stdint.h>

#include "batch/tally.h"
#include "batch/top.h"
#include "model/distribution.h"
#include "model/switches.h"
#include "view/histogram.h"

struct cpu_totals {
	int cpu;
	struct tally tally;
	uint64_t idle_ns, unattributed_ns;
};

/* How often, and how long together. */
struct times {
	uint64_t count, ns;
};

enum absence_end {
	AFTER_SLEEP,
	AFTER_PREEMPTION,
	ABSENCE_ENDS
};

struct totals {
	struct tally all;
	struct cpu_totals *cpus; /* owned; in the order in which they were seen */
	size_t cpu_count, cpu_capacity;
	struct top tasks, groups, pairs;
	uint64_t exited, throttled, own_cpu_ns, left_out;
	/* of switches: */
	struct times slices[SWITCH_HOWS];
	struct times off[ABSENCE_ENDS], waits[ABSENCE_ENDS];
	/* of lengths: */
	uint64_t octaves[LENGTH_KINDS][DISTRIBUTION_OCTAVES];
	uint64_t octaves_ns[LENGTH_KINDS];
};

struct totals *totals_create(void);
void totals_destroy(struct totals *totals); /* NULL is allowed */

/* Of this CPU; made when it is first asked for. Good until the next one is made. */
struct cpu_totals *totals_of_cpu(struct totals *totals, int cpu);

#endif
