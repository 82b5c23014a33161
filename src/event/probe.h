#ifndef PERFTOP_EVENT_PROBE_H
#define PERFTOP_EVENT_PROBE_H

/*
 * Probes: functions of programs and of the kernel as events, counted each time they are entered or
 * returned from. The kernel has a PMU of its own for each of the two kinds; their numbers are read
 * under `root` ("" in production); files of programs are where the user says.
 */

#include <stdbool.h>
#include <stdint.h>

struct error;
struct event_spec;

/* A function of an ELF file. */
struct symbol_request {
	const char *file;
	const char *symbol; /* a function, with @VERSION where there are several; or 0x...: an
			       offset into the file itself */
	uint64_t offset;    /* added to where the symbol is */
	bool at_entry;      /* nothing but a function's beginning will do: it is for its return */
	bool is_forced;     /* it is not asked whether an instruction begins there */
};

/*
 * Where it begins, as an offset into the file. A breakpoint inside an instruction kills whoever
 * runs it, or makes it compute something else: what the disassembly of the function does not find
 * as the beginning of an instruction is refused unless it is forced. Files are input like any
 * other: none makes this crash, hang or lie. Errors: EVENT_PROBE_FILE, EVENT_PROBE_SYMBOL.
 */
bool symbol_find_in_file(const struct symbol_request *request, uint64_t *file_offset,
			 struct error *error);

/*
 * `request` as for symbol_find_in_file(); at_entry: of returns. Errors: EVENT_PMU_ABSENT,
 * EVENT_PROBE_FILE, EVENT_PROBE_SYMBOL.
 */
bool probe_find_user(const char *root, const struct symbol_request *request,
		     struct event_spec *spec, struct error *error);

/*
 * symbol: a function of the kernel, or 0x...: an address. Whether it may be probed only the kernel
 * knows, when it is opened. Errors: EVENT_PMU_ABSENT, EVENT_PROBE_SYMBOL.
 */
bool probe_find_kernel(const char *root, const char *symbol, uint64_t offset, bool returns,
		       struct event_spec *spec, struct error *error);

#endif
