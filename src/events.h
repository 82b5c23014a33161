#ifndef PERFTOP_EVENTS_H
#define PERFTOP_EVENTS_H

/*
 * perftop events [PATTERN...]: what can be counted here, by topic, with what it means, one line
 * each; behind it what cannot be, by the reason.
 */

#include <stdbool.h>

struct error;
struct strbuf;

struct events_request {
	const char *words; /* each must occur in what is shown; "": everything is shown */
	bool as_json;      /* an object a line */
	bool ascii;
};

/* Writes all that matches, for standard output. False: there is no such event. */
bool events_write(const struct events_request *request, struct strbuf *out, struct error *error);

#endif
