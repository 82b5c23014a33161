#ifndef PERFTOP_SYMBOL_ENTRIES_H
#define PERFTOP_SYMBOL_ENTRIES_H

/* What ids stand for: functions, lines, addresses without an answer. Equal things have one id. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#include "symbol/symbols.h"

struct symbol_entry {
	struct symbol symbol; /* name and file owned; name NULL: the place is free; `function` NONE:
				 itself; `at` of an address: where in its object, 0: not known */
	bool is_kept;         /* by the next entries_forget_rest() */
	bool is_data;         /* while it waits: no function is meant, but a variable */
	bool is_awaited;      /* symbol_get() returned it as pending */
	uint64_t address;     /* while it waits: what to ask for, in memory or in its object */
	uint32_t next;        /* behind it in its list; SYMBOL_NONE: it is the last one */
};

/* Pending entries that wait for the same, first in, first out. {0} is empty. */
struct waiting_list {
	uint32_t first, last; /* SYMBOL_NONE: it is empty */
	bool is_queued;       /* a job for it is queued or in flight */
};

struct entries {
	struct symbol_entry *items; /* owned; items[SYMBOL_NONE] is none */
	uint32_t bound, max;        /* ids below bound were given; below max they may be */
	uint32_t count;             /* in use */
	size_t capacity;
	uint32_t free;         /* all ids below are in use */
	struct map by_content; /* hash: id */
	uint32_t crowded;      /* the id returned when there is no room */
};

void entries_init(struct entries *entries, uint32_t max);
void entries_fini(struct entries *entries);

struct symbol *entries_get(const struct entries *entries, uint32_t id);

/* The id of an equal entry, texts compared, or of a new one, which copies the texts. */
uint32_t entries_intern(struct entries *entries, const struct symbol *like);

/* A new entry, equal to no other; SYMBOL_NONE: no room. */
uint32_t entries_add(struct entries *entries, const struct symbol *like);

/* What the entry was merged into; its own id if it was not. */
uint32_t entries_resolve(const struct entries *entries, uint32_t id);

/* The entry turned out to be `into`. */
void entries_merge(struct entries *entries, uint32_t id, uint32_t into);

/* A pending entry waits in a list from now on; and the first one of a list, which leaves it;
   SYMBOL_NONE: it is empty. */
void entries_wait(struct entries *entries, struct waiting_list *list, uint32_t id,
		  uint64_t address);
uint32_t entries_take_waiting(struct entries *entries, struct waiting_list *list);

/* What is neither kept nor pending is forgotten. */
void entries_keep(struct entries *entries, uint32_t id);
void entries_forget_rest(struct entries *entries);

#endif
