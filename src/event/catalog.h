#ifndef PERFTOP_EVENT_CATALOG_H
#define PERFTOP_EVENT_CATALOG_H

/*
 * Everything that can be counted on this machine, for people who search: the text to type, where it
 * comes from and what it means. Thousands of entries in well under a second.
 */

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

struct catalog; /* opaque */
struct host;
struct topic;

enum catalog_state {
	CATALOG_UNTRIED,
	CATALOG_OPENS,
	CATALOG_REFUSED
};

struct catalog_entry {
	const char *name;   /* the text to type */
	const char *source; /* "hardware", "cache", "preset", "software", "PMU msr", "tracepoint",
			       "libpfm4 skl"... */
	const char *description; /* one sentence or more; "" none. One line, no control characters
				  */
	const struct topic *topic;
	size_t topic_place;  /* of topic_of(): orders the events of a topic */
	bool is_pattern;     /* the name is a pattern with a part to be filled in: mem:ADDR */
	bool may_try;        /* opening it is harmless */
	bool is_slow_to_try; /* milliseconds: not for hundreds of them */
	enum catalog_state state;
	const char *reason; /* CATALOG_REFUSED: why, one sentence without the name; else "" */
};

/*
 * finder and host are borrowed for the catalog's life. root: "" in production; a prefix before /sys
 * under which a test shows another machine, the same as the finder's. Entries of one source are
 * together, in the order of their names.
 */
struct catalog *catalog_create(const char *root, struct event_finder *finder,
			       const struct host *host);
void catalog_destroy(struct catalog *catalog);

size_t catalog_count(const struct catalog *catalog);

/* Valid until the catalog is destroyed; catalog_try() changes it in place. */
const struct catalog_entry *catalog_entry(const struct catalog *catalog, size_t index);

/* Lines for the browser: umasks, modifiers, terms, fields; "" none. Read when first asked for. */
const char *catalog_details(struct catalog *catalog, size_t index);

/* Whether each word of `words` occurs in the entry's name, topic, source or description, without
 * regard to case. */
bool catalog_matches(const struct catalog_entry *entry, const char *words);

/*
 * How well a matching entry answers the words, 0 best: its name is these words, begins with them,
 * contains them, or only its source or description does.
 */
enum {
	CATALOG_RANKS = 4
};
size_t catalog_rank(const struct catalog_entry *entry, const char *words);

/*
 * Opens the entry once on this process (disabled) to see whether it can be counted, and remembers
 * the answer. Entries that may not be tried stay as they are.
 */
void catalog_try(struct catalog *catalog, size_t index);

#endif
