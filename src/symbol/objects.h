#ifndef PERFTOP_SYMBOL_OBJECTS_H
#define PERFTOP_SYMBOL_OBJECTS_H

/*
 * Programs, libraries, the kernel and its modules, code that processes make at run time: where
 * functions are. Of each, what is known already by address, and the addresses that are to be asked
 * for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#include "symbol/wire.h"

struct entries;

enum {
	OBJECT_UNKNOWN = 1, /* the ids of two that are always there */
	OBJECT_KERNEL = 2,
	OBJECTS_MAX = 1 << 16
};

/* Addresses of an object that have one symbol. */
struct object_range {
	uint64_t start, end;
	uint32_t id;
};

/* An address that has been asked for, and the id that was given for it. */
struct asked {
	uint64_t address;
	uint32_t id;
};

struct asked_list {
	struct asked *items; /* owned */
	size_t count, capacity;
	bool is_queued; /* a job is going to ask for them */
};

struct code_object {
	char *name;              /* owned, harmless; NULL: the place is free */
	const char *short_name;  /* what follows its last slash */
	char *path;              /* owned, as it was reported */
	uint64_t key;            /* equal for all mappings of it */
	struct wire_object wire; /* its name is not set */
	struct wire_facts facts;
	bool is_refused;   /* the helper died or hung on one of its stacks */
	bool has_no_lines; /* there are none, or asking for them failed */
	/* Of code made at run time: after an answer without a symbol so many addresses are not
	   asked for; so many of them are left. */
	uint32_t misses, skips;
	uint32_t mappings;           /* that lead to it */
	bool is_named;               /* by symbols: it stays, mapped or not */
	struct object_range *ranges; /* owned; by start, but for those from sorted on */
	size_t range_count, range_capacity, sorted;
	struct asked_list functions, lines;
};

struct code_objects {
	struct code_object *items; /* owned */
	uint32_t bound;            /* ids below were given */
	size_t capacity;
	uint32_t count;
	uint32_t free;     /* all ids below are in use */
	uint32_t named;    /* how many symbols name */
	uint64_t serial;   /* of the last one */
	struct map by_key; /* id */
};

void objects_init(struct code_objects *objects, bool is_live);
void objects_fini(struct code_objects *objects);

struct code_object *objects_get(const struct code_objects *objects, uint32_t id);

/*
 * The one with this key, or a new one; what `wire` says of where it is mapped replaces what was
 * known. OBJECT_UNKNOWN: there is no room. A new one has to be mapped or named.
 */
uint32_t objects_intern(struct code_objects *objects, uint64_t key, const struct wire_object *wire);

/* The same of a module of the kernel: "[usbcore]". */
uint32_t objects_intern_module(struct code_objects *objects, const char *name);

/* Symbols name it from now on. */
void objects_note_named(struct code_objects *objects, uint32_t id);

/* A mapping leads to it; and one does no more: it goes with the last one if no symbol names it. */
void objects_hold(struct code_objects *objects, uint32_t id);
void objects_release(struct code_objects *objects, uint32_t id);

/* The id of the symbol at an address; SYMBOL_NONE: not known yet. */
uint32_t object_find(const struct code_object *object, uint64_t address);

/* Known to object_find() after object_sort(). */
void object_add_range(struct code_object *object, const struct object_range *range);
void object_sort(struct code_object *object);
void object_forget_ranges(struct code_object *object);

void asked_add(struct asked_list *list, const struct asked *asked);
/* The first ones of it. */
void asked_drop(struct asked_list *list, size_t count);
void asked_fini(struct asked_list *list);

/*
 * Which of them symbols name: none, then those that are noted anew. What is neither named nor
 * mapped goes then, and ranges whose id is free.
 */
void objects_forget_names(struct code_objects *objects);
void objects_forget_rest(struct code_objects *objects, const struct entries *entries);

#endif
