#ifndef PERFTOP_EVENT_CATALOG_SEARCH_H
#define PERFTOP_EVENT_CATALOG_SEARCH_H

/*
 * What of the catalog answers some words, in sections: what can be counted by its topics, and
 * behind it what cannot, by its reasons.
 */

#include <stdbool.h>
#include <stddef.h>

struct catalog;
struct catalog_entry;
struct strbuf;

/*
 * Their indices; returns how many. found: room for catalog_count() of them. What matches and opens
 * quickly is tried before; of what takes milliseconds only as much as slow_tries_max, or none.
 * Without words sections are in the order of the topics; with them the better answer is first, in
 * each section and of the sections.
 */
size_t catalog_search(struct catalog *catalog, const char *words, size_t slow_tries_max,
		      size_t *found);

/* Of two entries, as they were found. */
bool catalog_is_same_section(const struct catalog_entry *a, const struct catalog_entry *b);

/* "branches: jumps, and those that were predicted wrong", or "not available: " and why. */
void catalog_append_heading(const struct catalog_entry *entry, struct strbuf *out);

#endif
