#ifndef PERFTOP_VIEW_INTERRUPTS_H
#define PERFTOP_VIEW_INTERRUPTS_H

/* Interrupts of one CPU in the interval. */

#include <stdbool.h>

struct snapshot;

/* In percent of the time, and how many came a second; NaN: unknown. */
double cpu_interrupts_pct(const struct snapshot *snapshot, int cpu, bool are_soft);
double cpu_interrupts_rate(const struct snapshot *snapshot, int cpu, bool are_soft);

/* That took the most time; NULL: there was none. */
const char *cpu_top_interrupt(const struct snapshot *snapshot, int cpu);

#endif
