#ifndef PERFTOP_EVENT_INVENTORY_H
#define PERFTOP_EVENT_INVENTORY_H

/*
 * Where events come from, one source after the other: what of each can be typed. Nothing is opened
 * or kept here (event/catalog.h does that).
 */

struct catalog_entry;
struct strbuf;

enum inventory_kind { /* in the order in which they are shown */
	INVENTORY_HARDWARE,
	INVENTORY_CACHE,
	INVENTORY_SOFTWARE,
	INVENTORY_CORE_PMU,
	INVENTORY_OTHER_PMU,
	INVENTORY_RAW,
	INVENTORY_BREAKPOINT,
	INVENTORY_PROBE,
	INVENTORY_PFM,
	INVENTORY_TRACEPOINT
};

/* All texts of the entry are valid during the visit, and may hold anything. */
typedef void inventory_visit(void *context, enum inventory_kind kind,
			     const struct catalog_entry *entry);

/* root: "" in production; a prefix before /sys. */
void inventory_walk(const char *root, inventory_visit *visit, void *context);

/* Appends what is to be said about one item beyond its description, in lines. */
void inventory_append_details(const char *root, enum inventory_kind kind, const char *name,
			      struct strbuf *out);

#endif
