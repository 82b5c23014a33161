#ifndef PERFTOP_SOURCE_TASKS_SHORTFALL_H
#define PERFTOP_SOURCE_TASKS_SHORTFALL_H

/*
 * Which of the tasks asked for are not watched, and why: counted again in every walk through /proc,
 * and reported in the session.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct host;
struct session;

enum {
	SHORTFALL_TEXT_MAX = 200
};

/* The errors' texts begin with ": ": the task meant is named before it. */
struct shortfall {
	size_t refused;       /* this user may not count them, or they cannot be counted */
	struct error refusal; /* of the first of them */
	size_t unopened;      /* there are no descriptors for them */
	struct error shortage;
	uint64_t missed;               /* ended before their counters were open, since the start */
	char said[SHORTFALL_TEXT_MAX]; /* as it is in the session */
};

/* Whether errno_value says that there are no more descriptors. */
bool shortfall_is_shortage(int errno_value);

/* A new walk: none is missing yet. Those that were missed stay so. */
void shortfall_begin(struct shortfall *shortfall);

/* Thread tid could not be opened. */
void shortfall_add(struct shortfall *shortfall, int32_t tid, int errno_value,
		   const struct host *host);

/*
 * Says it in the session, the worst only. What others have put there as the reason for not
 * watching more stays before it, with its remedy.
 */
void shortfall_say(struct shortfall *shortfall, struct session *session);

#endif
