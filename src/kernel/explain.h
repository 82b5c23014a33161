#ifndef PERFTOP_KERNEL_EXPLAIN_H
#define PERFTOP_KERNEL_EXPLAIN_H

/*
 * errno + context -> what happened, why, and what to do. perf_event_open(2) has few error numbers
 * for many causes; the request and the host tell them apart.
 */

#include <stdbool.h>

#include "kernel/host.h"

struct error;
struct event_spec;

enum explain_call {
	EXPLAIN_OPEN,
	EXPLAIN_MAP,
	EXPLAIN_IOCTL
};

struct explain_context {
	enum explain_call call;
	const char *what; /* the event's name, "rings", "switch records": %1 of the sentence */
	const struct event_spec *spec; /* NULL: none */
	int pid, cpu;                  /* as given to perf_event_open */
	bool is_group_member;
	bool has_branches; /* its samples were to have branches with them */
	const struct host *host;
};

/* Fills error; never leaves it empty for errno_value > 0. Always returns false. */
bool explain_perf_error(struct error *error, int errno_value,
			const struct explain_context *context);

/* Whether the cause is that this user lacks permission, not that it is impossible. */
bool explain_is_denial(const struct error *error);

#endif
