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
	uint32_t object;     /* held; OBJECT_UNKNOWN: there was no room for it */
	uint64_t version;    /* the process's version when it was added */
};

enum {
	MAPPINGS_MAX = 4096,       /* of a process; older ones are dropped */
	PROCESS_OUTSIDE = 0,       /* all processes outside the pid namespace: nothing is kept */
	PROCESS_KERNEL = INT32_MIN /* no process: the modules of a kernel that was recorded */
};

struct process {
	int32_t pid;
	struct code_objects *objects; /* borrowed */
	struct mapping *mappings;     /* owned; by address, none overlaps another */
	size_t count, capacity;
	uint64_t program;            /* changes at each exec */
	uint64_t version;            /* grows with each mapping added */
	bool is_not_unwound;         /* the helper died or hung on one of its stacks */
	uint64_t used;               /* time of the last lookup */
	uint32_t misses;             /* addresses that were in no mapping */
	uint64_t read_ns;            /* when all its mappings were read last; 0: not yet */
	uint64_t read_version;       /* its version then */
	enum symbol_reason reason;   /* why there are no mappings; NONE: it has some */
	struct waiting_list waiting; /* for the mappings: addresses in memory */
};

struct mappings {
	struct code_objects *objects; /* borrowed */
	struct map by_pid;            /* owned struct process */
	uint32_t max;
	uint64_t now;
};

void mappings_fini(struct mappings *mappings);
struct process *mappings_find(const struct mappings *mappings, int32_t pid); /* NULL: none */
/* Creates it if needed, which may drop another one. */
struct process *mappings_get(struct mappings *mappings, int32_t pid);

/* Drops all mappings of the process that has most. False: none has any. */
bool mappings_make_room(struct mappings *mappings);

/* The mapping of an address; NULL: there is none. */
const struct mapping *process_find(const struct process *process, uint64_t address);

/* The mapping nearest below an address, or of it; NULL: there is none. */
const struct mapping *process_find_below(const struct process *process, uint64_t address);

/* It takes the place of what was there. Its version is set. */
void process_map(struct process *process, const struct mapping *mapping);
void process_unmap_all(struct process *process);

/* The helper may find the object there. */
void object_note_mapping(struct code_object *object, const struct process *process,
			 const struct mapping *mapping);

#endif
