#ifndef PERFTOP_SESSION_BUDGET_H
#define PERFTOP_SESSION_BUDGET_H

/*
 * What all of it may cost, in percent of the machine's CPU time: perftop itself, and what its
 * readings take from the watched. When it is more, hardware events are counted for a part of the
 * time only, as long as there is room for. Run times and switches are always counted: where these
 * alone cost more, that is said.
 */

#include <stdbool.h>
#include <stdint.h>

struct error;
struct own_usage;

/* A budget as a user writes it: "1%", "0.5"; "none": 0. */
bool budget_parse(const char *text, double *pct, struct error *error);

/* An interval that has ended. */
struct budget_interval {
	const struct own_usage *own;
	uint64_t machine_ns; /* its length times the CPUs */
	uint64_t turn_ns;    /* hardware events add this to a switch while they are counted; 0: they
				are always, or there are none */
	double share;        /* for how much of it they were to be counted, 0 to 1 */
};

/*
 * For how much of the next one they are to be counted. Less of it comes at once, more by and by,
 * so that it does not swing.
 */
double budget_share(double budget_pct, const struct budget_interval *interval);

#endif
