#ifndef PERFTOP_TESTS_SCREENS_STAYS_H
#define PERFTOP_TESTS_SCREENS_STAYS_H

/*
 * Stays of tasks on CPUs, as different programs tell of them: perf script --show-switch-events,
 * perf sched timehist, and perftop's switches. All are brought into one form, so that they can be
 * laid beside each other. Times are CLOCK_MONOTONIC nanoseconds. Tasks are those of shapes.c: each
 * is a process with one thread, and its pid says all.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STAY_NS_UNKNOWN UINT64_MAX

enum stay_end {
	STAY_END_UNKNOWN,
	STAY_PREEMPTED, /* it could have run on */
	STAY_YIELDED,   /* likewise, and it is told that it offered its CPU */
	STAY_BLOCKED    /* it went to sleep, or ended */
};

struct stay {
	int pid, cpu;
	uint64_t in_ns, out_ns;
	uint64_t slice_ns; /* how long it ran */
	uint64_t off_ns;   /* how long it had been away before */
	uint64_t wait_ns;  /* of that: runnable */
	enum stay_end end;
	bool is_disturbed; /* for the reader of several: their times are not alike */
};

struct stays {
	struct stay *list;
	size_t count, capacity;
};

void stays_free(struct stays *stays);

/* These read a file of the results' folder; they fail the test when it is not there. In the end
 * stays are sorted by pid and time. */
void stays_read_script(struct stays *stays, const char *name);
void stays_read_timehist(struct stays *stays, const char *name);
void stays_take_switches(struct stays *stays, const json_t *lines);

/* The stays of one task: the first, and how many. */
const struct stay *stays_of(const struct stays *stays, int pid, size_t *count);

uint64_t stays_apart_ns(uint64_t a, uint64_t b);

/*
 * Lays the stays of a task in two sets beside each other, in their order. `look` is called for each
 * stay that both tell of, and with NULL for the other where only one does.
 */
typedef void stays_looker(const struct stay *one, const struct stay *other, void *context);
void stays_pair(const struct stays *these, const struct stays *others, int pid, stays_looker *look,
		void *context);

#endif
