#ifndef PERFTOP_SESSION_EVENT_SET_H
#define PERFTOP_SESSION_EVENT_SET_H

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
struct event_set_braces {
	char (*names)[EVENT_SPEC_NAME_MAX]; /* owned */
	size_t count;
};

struct event_set {
	struct event_choice *choices; /* owned */
	size_t count, capacity;
	struct event_set_braces *braces; /* owned */
	size_t brace_count, brace_capacity;
	bool scheduler; /* wake-ups and yields too */
};

void event_set_fini(struct event_set *events);

/* A deep copy; *copy must not own anything. */
void event_set_copy(struct event_set *copy, const struct event_set *events);

/*
 * Adds the events of a list that are not requested yet, and calls named() for each of the list.
 * False: nothing was added, as event_find() says.
 */
bool event_set_add(struct event_set *events, struct event_finder *finder, const char *list,
		   void (*named)(const char *name, void *context), void *context, size_t *position,
		   struct error *error);

bool event_set_has(const struct event_set *events, const char *name);

/* False: it was not among them. */
bool event_set_remove(struct event_set *events, const char *name);

/* A request made of the events, which must outlive it. */
struct event_set_request {
	struct event_request request;
	struct weak_group *weak_groups; /* owned */
	uint16_t *events;               /* owned; of all weak groups */
	size_t weak_group_capacity, event_count, event_capacity;
};

/* Weak groups are the braces and those metrics of the set with all events requested. */
void event_set_request_init(struct event_set_request *request, const struct event_set *events,
			    const struct metric_set *metrics);
void event_set_request_fini(struct event_set_request *request);

#endif
