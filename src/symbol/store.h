#ifndef PERFTOP_SYMBOL_STORE_H
#define PERFTOP_SYMBOL_STORE_H

/*
 * What the helper has read of objects: as much as is worth keeping. What was given back is read
 * anew when it is asked for.
 */

#include <stdbool.h>
#include <stdint.h>

#include "symbol/answer.h"
#include "symbol/wire.h"

struct elf_file;
struct opener;
struct store;  /* opaque */
struct stored; /* opaque: an object in it */

/* The opener is borrowed. */
struct store *store_create(struct opener *opener);
void store_destroy(struct store *store);

/* Opens and reads it if that is necessary. Good until the next call; never NULL. */
struct stored *store_open(struct store *store, const struct wire_object *object);

/* NULL: there is none. Good until the next store_open(). */
const struct elf_file *stored_file(const struct stored *stored);

void stored_facts(const struct stored *stored, struct wire_facts *facts);

/* Whether it has debug information. */
bool stored_has_lines(struct store *store, struct stored *stored);

/* NULL: it is in no file that can be read, and why. */
struct elf_file *stored_code(struct store *store, struct stored *stored,
			     enum symbol_reason *reason);

/*
 * A file of source that it names, where the process sees it that has the object, or else on this
 * machine: a descriptor, or a value of open_file.h.
 */
int stored_open_source(struct store *store, const struct stored *stored, const char *path);

/* Texts are good until the next call. */
void stored_find(struct store *store, struct stored *stored, uint64_t address, bool wants_line,
		 struct answer *answer);

#endif
