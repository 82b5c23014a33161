#ifndef PERFTOP_SYMBOL_STORE_H
#define PERFTOP_SYMBOL_STORE_H

/*
 * What the helper has read of objects: as much as is worth keeping. What was given back is read
 * anew when it is asked for. Code of a file is named by its offset there, which is what mappings
 * have; symbols and DWARF have addresses instead, which its program headers relate to that.
 */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/build_id.h"

#include "symbol/dwarf_lines.h"
#include "symbol/elf_code.h"
#include "symbol/opener.h"
#include "symbol/table.h"
#include "symbol/wire.h"

enum {
	STORE_MAX = 256, /* objects: open files, among others */
	BUILD_ID_TEXT =
		2 * BUILD_ID_MAX + 2 /* "ab/cdef...": as files are kept by their build ids */
};

/* An object as far as it was read. */
struct stored {
	struct store *store;       /* borrowed; NULL: the place is free */
	struct wire_object object; /* as it was asked for first; its name is owned */
	uint64_t used;             /* time of the last use, in calls of the store */
	struct wire_facts facts;
	enum symbol_reason gap_reason;   /* reason for addresses that no function covers */
	struct function_table table;     /* by the addresses that the object gives its code */
	struct function_table variables; /* the same of its data, once they were asked for */
	bool has_variables;

	/* Of a file. */
	int fd; /* owned; -1: it is in none, or that cannot be read */
	struct elf_code code;
	Dwfl *dwfl;               /* owned; NULL: not needed now */
	struct dwarf_lines lines; /* of its module */
	uint64_t mapped_bytes; /* by libdw: the file and its debug file, as far as they are open */

	/* Of a text, which changes. */
	char kernel_id[BUILD_ID_TEXT]; /* of one whose symbols perf has kept; "": of this one */
	uint64_t due_ns, wait_ns;      /* not read again before; the pause after the next reading */
	int64_t read_ns;               /* modification time and size of the file read */
	uint64_t read_bytes;
};

struct store {
	struct opener *opener; /* borrowed */
	struct stored objects[STORE_MAX];
	uint64_t now;          /* calls so far */
	uint64_t mapped_bytes; /* of all objects */
};

struct store *store_create(struct opener *opener);
void store_destroy(struct store *store);

/* Opens and reads the object if needed. Valid until the next call; never NULL. */
struct stored *store_open(struct store *store, const struct wire_object *object);

/* Opens its debug information, closing that of others if there is too much. False: it has none. */
bool stored_has_lines(struct stored *stored);

/*
 * Finds the function at a place of the object, or what has its data there, and, with wants_line
 * after stored_has_lines(), its lines. Texts are valid until the next call.
 */
void stored_find(struct stored *stored, uint64_t at, bool wants_line,
		 struct address_answer *answer);

/*
 * Opens a source file that the object names, as its process sees it, or else on this machine.
 * Returns a descriptor or a value of opener.h.
 */
int stored_open_source(const struct stored *stored, const char *path);

/* "ab/cdef..."; "": it is not known. */
void write_build_id(char text[static BUILD_ID_TEXT], const uint8_t *id, size_t size);

#endif
