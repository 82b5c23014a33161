#ifndef PERFTOP_WISHES_H
#define PERFTOP_WISHES_H

/*
 * The events that are wanted: in which order they came, and which of them belong together, because
 * they were typed in braces or because a metric divides them by each other.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/event/event.h"
#include "source/source.h"

struct error;
struct metric_set;

/* Events that were typed in braces, by name. */
struct wished_braces {
	char (*names)[EVENT_SPEC_NAME_MAX]; /* owned */
	size_t count;
};

struct wishes {
	struct event_choice *choices; /* owned */
	size_t count, capacity;
	struct wished_braces *braces; /* owned */
	size_t brace_count, brace_capacity;
	bool scheduler; /* wake-ups and yields too */
};

void wishes_fini(struct wishes *wishes);

/* A deep copy; *copy must not own anything. */
void wishes_copy(struct wishes *copy, const struct wishes *wishes);

/*
 * Adds the events of a list that are not wished yet, and calls named() for each of the list. False:
 * nothing was added, as event_find() says.
 */
bool wishes_add(struct wishes *wishes, struct event_finder *finder, const char *list,
		void (*named)(const char *name, void *context), void *context, size_t *position,
		struct error *error);

bool wishes_has(const struct wishes *wishes, const char *name);

/* False: it was not among them. */
bool wishes_remove(struct wishes *wishes, const char *name);

/* A request made of the wishes, which must outlive it. */
struct wished_request {
	struct event_request request;
	struct event_bond *bonds; /* owned */
	uint16_t *events;         /* owned; of all bonds */
	size_t bond_capacity, event_count, event_capacity;
};

/* Bonds are the braces and those metrics of the set whose events are all wished. */
void wished_request_init(struct wished_request *request, const struct wishes *wishes,
			 const struct metric_set *metrics);
void wished_request_fini(struct wished_request *request);

#endif
