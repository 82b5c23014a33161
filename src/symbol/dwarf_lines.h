#ifndef PERFTOP_SYMBOL_DWARF_LINES_H
#define PERFTOP_SYMBOL_DWARF_LINES_H

/* Lines of source, and functions that were inlined there, out of the DWARF of one file. */

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/strbuf.h"

#include "symbol/wire.h"

/* Where units or functions are. */
struct dwarf_ranges {
	struct dwarf_range *items; /* owned; by address */
	size_t count, capacity;
};

/* {0} is an empty one. */
struct dwarf_lines {
	Dwfl_Module *module; /* borrowed; NULL when no lines are read */
	struct dwarf_ranges units;
	bool has_units;       /* units has been filled */
	struct map functions; /* offset of a unit: its struct dwarf_ranges, owned */
	struct strbuf texts[ANSWER_LINES_MAX]; /* files, each with its folder */
};

/* Drops everything of the module. */
void dwarf_lines_drop(struct dwarf_lines *lines);
void dwarf_lines_fini(struct dwarf_lines *lines);

/* Adds the lines at an address to an answer, if any are known. */
void dwarf_lines_find(struct dwarf_lines *lines, uint64_t address, struct address_answer *answer);

/* The line of the innermost function that was inlined there. False: none is known. */
bool dwarf_lines_find_one(struct dwarf_lines *lines, uint64_t address, struct answer_line *line);

#endif
