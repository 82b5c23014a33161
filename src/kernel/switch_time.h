#ifndef PERFTOP_KERNEL_SWITCH_TIME_H
#define PERFTOP_KERNEL_SWITCH_TIME_H

/*
 * How much longer a context switch takes on a CPU while something is on there: two processes of our
 * own wake each other in turn, in short rounds with it and without, and the difference is that of
 * the CPU time they used, so that others who run meanwhile are no part of it. The shortest rounds
 * are compared: an interrupt, a hypervisor, or a third task that wants the CPU makes them longer.
 *
 * It goes on beside us, in milliseconds. What it opens, it opens there, and none of our descriptors
 * is open there: nothing of it is left when it is over, or was given up since its CPU was too busy.
 */

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

enum {
	SWITCH_TIME_LEVELS_MAX = 4
};

/* What is measured. The functions are called in the process of the measurement. */
struct switch_time_trial {
	int cpu;
	unsigned int (*open)(
		void *context); /* the levels that there are, as bits; 0: none can be */
	void (*turn)(void *context, size_t level); /* before each round; 0: nothing is on */
	void *context;
};

enum switch_time_state {
	SWITCH_TIME_MEASURED,
	SWITCH_TIME_NO_CPU,  /* we may not run on it, or there are no more processes */
	SWITCH_TIME_REFUSED, /* what is to be measured cannot be opened once more */
	SWITCH_TIME_LATE,    /* given up: the CPU has too much to do */
	SWITCH_TIME_NOISE    /* what is on makes a smaller difference than all else */
};

struct switch_time_result {
	enum switch_time_state state;
	/* ns that a switch takes longer at this level than at the one before; 0 where there is none
	 */
	double added_ns[SWITCH_TIME_LEVELS_MAX];
};

/* A measurement; {.fd = -1}: none goes on. */
struct switch_time {
	int fd;    /* its result comes here */
	pid_t pid; /* 0: there is no process that we have to collect */
};

/*
 * Begins to measure, but not while the process of the one before is still there. What the trial
 * borrows is needed for the call only.
 */
void switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial);

/* Whether there is one that goes on, and the result has come. */
bool switch_time_is_ready(const struct switch_time *time);

/*
 * Waits so long at the most for the result, and then for a moment for the process to end. Once for
 * each beginning.
 */
struct switch_time_result switch_time_end(struct switch_time *time, int wait_ms);

/* Collects the process if it has ended by now; to be called from time to time. */
void switch_time_collect(struct switch_time *time);

/* How much longer the shortest of the rounds are; count is not 0. */
double switch_time_least(const double *later, const double *earlier, size_t count);

/* The median of later[i] - earlier[i]; `later` is destroyed. */
double switch_time_median(double *later, const double *earlier, size_t count);

#endif
