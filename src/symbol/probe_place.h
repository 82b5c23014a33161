#ifndef PERFTOP_SYMBOL_PROBE_PLACE_H
#define PERFTOP_SYMBOL_PROBE_PLACE_H

/*
 * Where a probe of a program or library goes: the offset in the file of a function or of an
 * instruction. A breakpoint inside an instruction kills the program, or makes it compute something
 * else: what the disassembly of the function does not find as the beginning of an instruction is
 * refused unless it is forced. Files are input like any other: none makes this crash or hang.
 */

#include <stdbool.h>
#include <stdint.h>

struct error;

struct probe_request {
	const char *file;
	const char *symbol; /* a function; or 0x...: an offset of the file itself */
	uint64_t offset;    /* added to where the symbol is */
	bool at_entry;      /* only a function's beginning will do: it is for its return */
	bool is_forced;     /* an instruction begins there, whatever the file says */
};

/* Errors: EVENT_PROBE_FILE, EVENT_PROBE_SYMBOL; *file_offset is left as it was. */
bool probe_place_find(const struct probe_request *request, uint64_t *file_offset,
		      struct error *error);

#endif
