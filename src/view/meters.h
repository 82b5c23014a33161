#ifndef PERFTOP_VIEW_METERS_H
#define PERFTOP_VIEW_METERS_H

/*
 * Meters over the table: those of the machine over time, and those of each CPU.
 *
 * What the machine's meters have shown in the last intervals, for the sparklines of the head. It
 * is kept by the time of the intervals, so that a screen of the past shows what came
 * before that. An empty one is {0}; it owns nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/rows.h"
#include "view/summary.h"

enum {
	METER_HISTORY_KEPT = 400 /* intervals: two are a column of the graph */
};

struct meter_point {
	float value;  /* NaN: unknown */
	int goodness; /* 0 worst to 4 best; -1: says nothing */
};

struct meter_interval {
	uint64_t time_ns; /* its end */
	struct meter_point points[METER_KINDS];
};

struct meter_history {
	struct meter_interval intervals[METER_HISTORY_KEPT]; /* in the order of time */
	size_t count;
};

/*
 * Notes the end of an interval. It is inserted by time, or replaces the one that ended then; if
 * there is no room the oldest is dropped.
 */
void meter_history_note(struct meter_history *history, uint64_t time_ns,
			const struct summary *summary);

/* The newest that is kept; 0: none. */
uint64_t meter_history_newest_ns(const struct meter_history *history);

/*
 * The last intervals up to a time, at most `max` of them, by time; *count is how many. Valid until
 * the next note.
 */
const struct meter_interval *meter_history_last(const struct meter_history *history,
						uint64_t time_ns, size_t most, size_t *count);

/* Whether it is known of any interval that is kept. */
bool meter_history_has(const struct meter_history *history, enum meter_kind kind);

/* The value of a full character: 100 for shares of the time. */
double meter_history_top(enum meter_kind kind, const struct meter_interval *intervals,
			 size_t count);

/*
 * The strips of CPUs above the table: how busy each was, and one number with its goodness. The view
 * of CPUs shows the same, one line for each.
 */

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
	double system_pct;         /* of that: kernel and interrupts; NaN: unknown */
	int goodness;              /* of the number; -1: says nothing, or the CPU was idle */
	char text[CPU_METER_TEXT]; /* the number: "1.31", "61.2", "43%"; "-" unknown */
};

/* An empty one is {0}. */
struct cpu_meters {
	struct cpu_meter *meters; /* owned; in the order of the CPUs */
	size_t count, capacity;
	int text_width;   /* columns of the longest number that there can be */
	char name[16];    /* what the number is, where it is not how busy the CPU was; "" that */
	struct rows rows; /* of the CPUs; memory kept from making to making */
};

void cpu_meters_fini(struct cpu_meters *meters);

/* by: not CPU_METERS_OFF. */
void cpu_meters_make(struct cpu_meters *meters, enum cpu_meters_by by,
		     const struct snapshot *snapshot, const struct session *session,
		     const struct metrics *metrics);

#endif
