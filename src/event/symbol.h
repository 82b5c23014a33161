#ifndef PERFTOP_EVENT_SYMBOL_H
#define PERFTOP_EVENT_SYMBOL_H

/*
 * Where in an ELF file a function begins, as an offset into the file: that is how the kernel wants
 * the place of a probe. Files are input like any other: no file makes this crash, hang or lie.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

struct symbol_request {
	const char *file;
	const char *symbol; /* a function, with @VERSION where there are several; or 0x...: an
			       offset into the file itself */
	uint64_t offset;    /* added to where the symbol is */
	bool at_entry;      /* nothing but a function's beginning will do: it is for its return */
};

/* Errors: EVENT_PROBE_FILE, EVENT_PROBE_SYMBOL with the nearest names. Never waits for a FIFO. */
bool symbol_find_in_file(const struct symbol_request *request, uint64_t *file_offset,
			 struct error *error);

#endif
