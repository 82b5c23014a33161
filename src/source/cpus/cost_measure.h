#ifndef PERFTOP_SOURCE_CPUS_COST_MEASURE_H
#define PERFTOP_SOURCE_CPUS_COST_MEASURE_H

/*
 * When the cost of the readings (switch_cost.h) is measured: before anything counts, anew when
 * other groups are open, and beside what counts. It needs counters like those that count.
 */

#include <stdbool.h>
#include <stdint.h>

#include "source/cpus/switch_cost.h"

struct cpu_set;

/* Empty: the set, .going = {.fd = -1}, .cpu = -1. */
struct cost_measure {
	struct cpu_set *set;      /* borrowed; its session says why the cost is not known */
	struct switch_time going; /* before anything counts; or beside it: */
	int cpu;                  /* its turns are empty meanwhile; -1: none */
	uint64_t since_ns;
	unsigned int times; /* beside what counts, since the plan has changed */
	bool has_begun;     /* in this interval, and had counters that others seem to have */
	struct switch_cost cost;
};

/* On the CPU where we run, so that there is time, or another one that may be disturbed. */
void cost_measure_begin(struct cost_measure *measure);

/* What is known already stays where nothing better was found out. */
void cost_measure_end(struct cost_measure *measure, int wait_ms);

/* Or the process of one that was given up has its counters still. */
bool cost_measure_is_going(const struct cost_measure *measure);

/* Measures while all count, but the hardware events of one CPU; nothing waits for it. */
void cost_measure_beside(struct cost_measure *measure);

/* Between rounds. */
void cost_measure_follow(struct cost_measure *measure);

/* Gives its counters free. */
void cost_measure_stop(struct cost_measure *measure);

/*
 * Measures at once. must_pause: it needs counters which those that count have; where these may go
 * without them for a moment, they do.
 */
void cost_measure_again(struct cost_measure *measure, bool must_pause);

#endif
