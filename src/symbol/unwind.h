#ifndef PERFTOP_SYMBOL_UNWIND_H
#define PERFTOP_SYMBOL_UNWIND_H

/*
 * From the registers and a copy of the stack of a thread to its calls, by the unwind tables of its
 * program and libraries (.eh_frame), with libdw: for programs without frame pointers. Only the
 * helper process comes here.
 */

#include <stddef.h>
#include <stdint.h>

#include "symbol/wire.h"

struct store;
struct unwinder; /* opaque: what was made of the mappings of some processes */

/* The store is borrowed. */
struct unwinder *unwinder_create(struct store *store);
void unwinder_destroy(struct unwinder *unwinder);

/*
 * Writes addresses to frames, innermost first, and returns how many; 0: nothing can be said.
 * `process` has the pid and as serial the program of the process. `request` has the version of its
 * mappings, the stack, and all mappings, which are read only where they are not known from before.
 */
size_t unwind_stack(struct unwinder *unwinder, const struct wire_object *process,
		    struct codec *request, uint64_t *frames, size_t max);

#endif
