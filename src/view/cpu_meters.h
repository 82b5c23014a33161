#ifndef PERFTOP_VIEW_CPU_METERS_H
#define PERFTOP_VIEW_CPU_METERS_H

/*
 * What the strips of CPUs over the table show: of each how busy it was, and one number with what it
 * says of it. The view of CPUs shows the same, a line for each.
 */

#include <stddef.h>

#include "view/rows.h"

/* In the order of the setting cpu-strips. */
enum cpu_meters_by {
	CPU_METERS_BUSY,
	CPU_METERS_IPC,
	CPU_METERS_MISS,
	CPU_METERS_OFF
};

enum {
	CPU_METER_TEXT = 8 /* bytes */
};

struct cpu_meter {
	int cpu;
	double busy_pct;           /* NaN: unknown, or it is off */
	int goodness;              /* of the number; -1: says nothing, or the CPU was idle */
	char text[CPU_METER_TEXT]; /* the number: "1.31", "61.2", "43%"; "-" unknown */
};

/* An empty one is {0}. */
struct cpu_meters {
	struct cpu_meter *meters; /* owned; in the order of the CPUs */
	size_t count, capacity;
	int text_width;   /* columns of the longest number that there can be */
	const char *name; /* what the number is, where it is not how busy the CPU was; NULL: that */
	struct rows rows; /* of the CPUs; memory kept from making to making */
};

void cpu_meters_fini(struct cpu_meters *meters);

/* by: not CPU_METERS_OFF. */
void cpu_meters_make(struct cpu_meters *meters, enum cpu_meters_by by,
		     const struct snapshot *snapshot, const struct session *session,
		     const struct metrics *metrics);

#endif
