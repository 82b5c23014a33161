#ifndef PERFTOP_EVENTS_H
#define PERFTOP_EVENTS_H

/*
 * perftop events [PATTERN...]: what can be counted here, by source, with whether it can be had and
 * what it means; one line each.
 */

#include <stdbool.h>

struct error;

struct events_request {
	const char *words; /* each must occur in what is shown; "": everything is shown */
	bool as_json;      /* an object a line */
	bool ascii;
};

/*
 * Prints to standard output. 0 when something was shown; 1 with error set when there is no such
 * event, or when it could not be written.
 */
int events_run(const struct events_request *request, struct error *error);

#endif
