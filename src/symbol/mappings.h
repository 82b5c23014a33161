#ifndef PERFTOP_SYMBOL_MAPPINGS_H
#define PERFTOP_SYMBOL_MAPPINGS_H

/* What is mapped where in processes: mappings.c has what records say of it, too (symbols.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#include "symbol/objects.h"

struct mapping {
	uint64_t start, end; /* in memory */
	uint64_t at;         /* start in the numbers of the object */
	uint32_t object;     /* held; OBJECT_UNKNOWN: it had no room */
	uint64_t version;    /* of the process's mappings that it came with */
};

enum {
	MAPPINGS_MAX = 4096, /* of a process; older ones go */
	PROCESS_OUTSIDE = 0, /* as a pid namespace has all that are not in it: nothing is kept */
	PROCESS_KERNEL = INT32_MIN /* no process: the modules of a kernel that was recorded */
};

struct process {
	int32_t pid;
	struct code_objects *objects; /* borrowed */
	struct mapping *mappings;     /* owned; by address, none overlaps another */
	size_t count, capacity;
	uint64_t program;          /* differs between those that it runs one after the other */
	uint64_t version;          /* of the mappings; grows with each that comes */
	bool is_not_unwound;       /* the helper died of it */
	uint64_t used;             /* when an address was asked for last */
	uint32_t misses;           /* addresses that were in no mapping */
	enum symbol_reason reason; /* why there are no mappings; NONE: it has some */
	struct asked_list waiting; /* for the mappings: addresses in memory */
};

struct mappings {
	struct code_objects *objects; /* borrowed */
	struct map by_pid;            /* owned struct process */
	uint32_t max;
	uint64_t now;
};

void mappings_fini(struct mappings *mappings);
struct process *mappings_find(const struct mappings *mappings, int32_t pid); /* NULL: none */
/* A new one may make another one go. */
struct process *mappings_get(struct mappings *mappings, int32_t pid);

/* The one with the most mappings loses them. False: none has any. */
bool mappings_make_room(struct mappings *mappings);

/* The mapping of an address; NULL: there is none. */
const struct mapping *process_find(const struct process *process, uint64_t address);

/* It takes the place of what was there. Its version is set. */
void process_map(struct process *process, const struct mapping *mapping);
void process_unmap_all(struct process *process);

/* The helper may find the object there. */
void object_note_mapping(struct code_object *object, const struct process *process,
			 const struct mapping *mapping);

#endif
