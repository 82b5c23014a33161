#ifndef PERFTOP_SYMBOL_DEBUG_FILE_H
#define PERFTOP_SYMBOL_DEBUG_FILE_H

/*
 * Separate debug files, in place of libdw's own search, which opens files by itself: by build id
 * and by .gnu_debuglink, and what several of them share (.gnu_debugaltlink). They are looked for
 * where the process sees them, then where this one does.
 */

#include <elfutils/libdwfl.h>
#include <stdint.h>

struct opener;

/* From where the debug files of a program or library are looked for. */
struct debug_place {
	struct opener *opener; /* borrowed */
	int32_t pid;           /* process that has it mapped */
	const char *path;      /* as this sees it */
	uint64_t mapped_bytes; /* by libdw: the file and its debug file, as far as they are open */
	uint64_t *all_mapped_bytes; /* borrowed; of all files */
};

/* Borrowed as long as the module is used. */
void debug_file_place(Dwfl_Module *module, struct debug_place *place);

/* libdw is going to map a file of the place. */
void debug_file_allow(struct debug_place *place, int fd);

/* They are not mapped any more. */
void debug_file_unmapped(struct debug_place *place);

/* A callback of libdw (Dwfl_Callbacks, find_debuginfo). */
int debug_file_find(Dwfl_Module *module, void **place, const char *module_name, Dwarf_Addr base,
		    const char *path, const char *link, GElf_Word crc, char **found);

#endif
