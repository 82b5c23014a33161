#ifndef PERFTOP_SYMBOL_KALLSYMS_H
#define PERFTOP_SYMBOL_KALLSYMS_H

/* The functions of the kernel, its modules and BPF programs, from /proc/kallsyms. */

#include <stddef.h>
#include <stdint.h>

#include "symbol/symbols.h"

struct function_table;

/*
 * Fills an empty table from such a text (size bytes, with a NUL behind it), which is changed. NONE,
 * KPTR_RESTRICT where all addresses are 0, or NO_KALLSYMS: nothing is in it.
 */
enum symbol_reason kallsyms_parse(struct function_table *table, char *text, size_t size);

/* The same from the file. fd is consumed; below 0: it could not be opened. */
enum symbol_reason kallsyms_read(struct function_table *table, int fd);

/* Where the symbol of that name is; 0: there is none, or the file does not show it. fd as above. */
uint64_t kallsyms_find(const char *name, int fd);

#endif
