#ifndef PERFTOP_EVENT_SEARCH_H
#define PERFTOP_EVENT_SEARCH_H

/*
 * The work on one event of a list, for the files of the finder alone: event.c takes the list and
 * finishes what was found, search.c knows what an event of each form means, unknown.c what to say
 * of an unknown name.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#include "event/event.h"
#include "event/pmu.h"
#include "event/syntax.h"

struct event_finder {
	char *root; /* owned */
	struct pmus pmus;
};

struct search {
	struct event_finder *finder;
	const struct syntax_event *event;
	char text[EVENT_SPEC_NAME_MAX]; /* the event as typed */
	struct syntax_piece head;       /* of a name: up to its first colon */
	struct syntax_piece tail;       /* and all behind it; text NULL: no colon */
	struct syntax_modifiers own;
	struct evsel *evsel;
	const char *at;       /* the fault, in the list's text */
	struct error foreign; /* of a name that only other machines know */
	struct error *error;
};

/* Sets the error, with its place at the event's beginning; returns false. */
bool search_refuse(struct search *search, enum error_code code, const char *why);

/* False: it does not fit and is cut. */
bool search_copy(struct syntax_piece piece, char *text, size_t size);

/* The first colon; NULL: none. */
const char *search_colon_in(struct syntax_piece piece);

/* Adds a tracepoint. False: there is none of that name; the error says why. */
bool search_tracepoint(struct search *search, struct syntax_piece group, struct syntax_piece name);

/* Adds what the event means. False: the error says why. */
bool search_form(struct search *search);

/* Says of an unknown name what is wrong with it, and which are near; returns false. */
bool search_refuse_unknown(struct search *search);

#endif
