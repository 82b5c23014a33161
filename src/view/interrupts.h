#ifndef PERFTOP_VIEW_INTERRUPTS_H
#define PERFTOP_VIEW_INTERRUPTS_H

/* Interrupts of one CPU in the interval. */

#include <stdbool.h>

struct footer_input;
struct snapshot;
struct strbuf;

/* In percent of the time, and how many came a second; NaN: unknown. */
double cpu_interrupts_pct(const struct snapshot *snapshot, int cpu, bool are_soft);
double cpu_interrupts_rate(const struct snapshot *snapshot, int cpu, bool are_soft);

/* That took the most time; NULL: there was none. */
const char *cpu_top_interrupt(const struct snapshot *snapshot, int cpu);

/*
 * Appends one line about those of all CPUs together: which took the most time, in percent of that
 * of one CPU, and how many came a second; as many as the width has room for. Nothing if none are
 * known.
 */
void interrupts_footer_write(struct strbuf *out, const struct footer_input *input);

#endif
