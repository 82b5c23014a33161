#ifndef PERFTOP_KERNEL_EVENT_SEARCH_H
#define PERFTOP_KERNEL_EVENT_SEARCH_H

/*
 * The work on one event of a list, for the files of the finder alone: event.c takes the list and
 * finishes what was found, names.c knows the places a name is looked for in, slashes.c what is
 * before slashes, unknown.c what to say of an unknown name.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/event/event.h"
#include "kernel/event/pmu.h"
#include "kernel/event/syntax.h"

struct event_finder {
	char *root; /* owned */
	struct pmus pmus;
};

enum answer {
	ANSWER_FOUND,
	ANSWER_REFUSED, /* known here, and wrong: the error says why */
	ANSWER_UNKNOWN  /* ask the next */
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

/* Sets the error and its place, by default the event's beginning; returns false. */
bool search_refuse_at(struct search *search, const char *at, enum error_code code, const char *why);
bool search_refuse(struct search *search, enum error_code code, const char *why);

/* False: it does not fit and is cut. */
bool search_copy(struct syntax_piece piece, char *text, size_t size);

/* The first colon; NULL: none. */
const char *search_colon_in(struct syntax_piece piece);

/* Splits at the first colon; without one the tail is empty, its text NULL. */
void search_split(struct syntax_piece whole, struct syntax_piece *head, struct syntax_piece *tail);

/* Takes letters for the event's own modifiers; false: they are none, and the error says why. */
bool search_take_modifiers(struct search *search, struct syntax_piece letters);

/* Likewise a name's tail, if it has one. */
bool search_take_tail_modifiers(struct search *search);

/* One more spec of the evsel, empty but for its scale. */
struct event_spec *search_add_spec(struct search *search);

/* Adds an event of the CPU itself, on all its kinds. */
void search_add_on_cores(struct search *search, uint32_t type, uint64_t config);

/* Adds a tracepoint. False: there is none of that name; the error says why. */
bool search_tracepoint(struct search *search, struct syntax_piece group, struct syntax_piece name);

/* A generic event, or one of a cache, by the head of the name. */
enum answer search_generic(struct search *search);
enum answer search_cache(struct search *search);

/* A name, and NAME/.../. False: the error says why. */
bool search_name(struct search *search);
bool search_slashes(struct search *search);

/* Says of an unknown name what is wrong with it, and which are near; returns false. */
bool search_refuse_unknown(struct search *search);

#endif
