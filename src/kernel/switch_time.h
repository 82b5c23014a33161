#ifndef PERFTOP_KERNEL_SWITCH_TIME_H
#define PERFTOP_KERNEL_SWITCH_TIME_H

/*
 * How much longer a context switch takes on a CPU while something is enabled there. Two processes
 * of our own wake each other, in short rounds with it and without. Their CPU time is compared,
 * which excludes others that run meanwhile, and the short rounds: an interrupt, a hypervisor, or
 * a third task on the CPU makes a round longer.
 *
 * The measurement runs in the background, some milliseconds. Its process opens its own descriptors
 * and closes ours, so nothing of it is left when it ends, or was given up because its CPU was too
 * busy.
 */

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

enum {
	SWITCH_TIME_LEVELS_MAX = 5
};

/* What is measured. The functions are called in the process of the measurement. */
struct switch_time_trial {
	int cpu;
	/* returns the levels that it could open, as bits; 0: none. Of another one it may give the
	 * figure itself */
	unsigned int (*open)(void *context, double added_ns[]);
	void (*turn)(void *context,
		     size_t level); /* called before each round; level 0: everything off */
	void *context;
};

enum switch_time_state {
	SWITCH_TIME_MEASURED,
	SWITCH_TIME_NO_CPU,  /* we may not run on it, or cannot fork */
	SWITCH_TIME_REFUSED, /* what is to be measured cannot be opened a second time */
	SWITCH_TIME_LATE,    /* given up: the CPU is too busy */
	SWITCH_TIME_NOISE    /* noise exceeds the difference */
};

struct switch_time_result {
	enum switch_time_state state;
	/* ns that a switch takes longer at this level than at the one before; 0 where there is none
	 */
	double added_ns[SWITCH_TIME_LEVELS_MAX];
};

/* A measurement; {0}: none. */
struct switch_time {
	bool is_running; /* its result has not been taken */
	int fd;          /* where that arrives */
	pid_t pid;       /* 0: there is no process to collect */
};

/*
 * Starts a measurement, unless the process of the last one still exists. What the trial borrows is
 * used during the call only.
 */
void switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial);

/*
 * Waits at most wait_ms for the result, then a moment for the process to end. Once for each start.
 */
struct switch_time_result switch_time_end(struct switch_time *time, int wait_ms);

/* The same without waiting. False: there is no result yet, or nothing is measured. */
bool switch_time_take(struct switch_time *time, struct switch_time_result *result);

/* Collects the process if it has ended; to be called from time to time. */
void switch_time_collect(struct switch_time *time);

/*
 * How much longer the second shortest of the `later` rounds is than that of the earlier ones; count
 * is not 0.
 */
double switch_time_short(const double *later, const double *earlier, size_t count);

/* The median of later[i] - earlier[i]; `later` is destroyed. */
double switch_time_median(double *later, const double *earlier, size_t count);

#endif
