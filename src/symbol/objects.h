#ifndef PERFTOP_SYMBOL_OBJECTS_H
#define PERFTOP_SYMBOL_OBJECTS_H

/*
 * Objects contain functions: programs, libraries, the kernel, its modules, code made at run time.
 * Each has a table of what is known by address, and lists of the addresses to ask for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#include "symbol/entries.h"
#include "symbol/wire.h"

enum {
	OBJECT_UNKNOWN = 1, /* the ids of two objects that always exist */
	OBJECT_KERNEL = 2,
	OBJECTS_MAX = 1 << 16
};

/* Addresses of an object with the same symbol. */
struct object_range {
	uint64_t start, end;
	uint32_t id;
};

struct code_object {
	char *name;              /* owned, harmless; NULL: the place is free */
	const char *short_name;  /* what follows its last slash */
	char *path;              /* owned, as it was reported */
	uint64_t key;            /* equal for all mappings of it */
	struct wire_object wire; /* its name is not set */
	struct wire_facts facts;
	bool is_function;  /* made at run time by the kernel: it has no other, and its name */
	bool is_bpf;       /* one of BPF: a program or a trampoline */
	bool is_refused;   /* the helper died or hung on it */
	bool has_no_lines; /* it has none, or the helper died of them */
	/* Of code made at run time: how many addresses to skip after a reply without a name, and
	   how many are left. */
	uint32_t misses, skips;
	uint32_t mappings;           /* how many mappings hold it */
	bool is_named;               /* an entry refers to it: it stays, mapped or not */
	struct object_range *ranges; /* owned; by start, but for those from sorted on */
	size_t range_count, range_capacity, sorted;
	struct waiting_list functions, lines;
};

struct code_objects {
	struct code_object *items; /* owned */
	uint32_t bound;            /* ids below were given */
	size_t capacity;
	uint32_t count;
	uint32_t free;     /* all ids below are in use */
	uint32_t named;    /* how many have is_named */
	uint64_t serial;   /* of the last one */
	struct map by_key; /* id */
};

void objects_init(struct code_objects *objects, bool is_live);
void objects_fini(struct code_objects *objects);

struct code_object *objects_get(const struct code_objects *objects, uint32_t id);

/*
 * The object with this key, or a new one. Where `wire` says it is mapped replaces what was known.
 * OBJECT_UNKNOWN: no room. A new object must then be held or named.
 */
uint32_t objects_intern(struct code_objects *objects, uint64_t key, const struct wire_object *wire);

/* The same of a module of the kernel: "[usbcore]". */
uint32_t objects_intern_module(struct code_objects *objects, const char *name);

/* The same of one function that the kernel has made at run time. */
uint32_t objects_intern_function(struct code_objects *objects, const char *name, bool is_bpf);

/* The same of memory of processes: a file that is mapped, "[heap]", "[stack]" or "[anon]". */
uint32_t objects_intern_data(struct code_objects *objects, const char *name);

/* An entry refers to it from now on. */
void objects_note_named(struct code_objects *objects, uint32_t id);

/* Count the mappings of an object. Without any it is dropped, unless it is named. */
void objects_hold(struct code_objects *objects, uint32_t id);
void objects_release(struct code_objects *objects, uint32_t id);

/* The id of the symbol at an address; SYMBOL_NONE: not known yet. */
uint32_t object_find(const struct code_object *object, uint64_t address);

/* object_find() knows it after object_sort(). */
void object_add_range(struct code_object *object, const struct object_range *range);
void object_sort(struct code_object *object);
void object_forget_ranges(struct code_object *object);

/*
 * To drop what is not used any more: forget all names, note those still needed, then forget the
 * rest, which drops objects neither named nor mapped, and ranges whose id is free.
 */
void objects_forget_names(struct code_objects *objects);
void objects_forget_rest(struct code_objects *objects, const struct entries *entries);

#endif
