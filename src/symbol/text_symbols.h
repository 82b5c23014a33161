#ifndef PERFTOP_SYMBOL_TEXT_SYMBOLS_H
#define PERFTOP_SYMBOL_TEXT_SYMBOLS_H

/*
 * Functions that are listed in a text: those of the kernel, its modules and BPF programs in
 * /proc/kallsyms; code that a process made at run time in /tmp/perf-PID.map, which it writes for
 * perf. Tables are empty at first; texts have a NUL behind them and are changed.
 */

#include <stddef.h>
#include <stdint.h>

#include "symbol/symbols.h"

struct function_table;

/* NONE, KPTR_RESTRICT where all addresses are 0, or NO_KALLSYMS: nothing is in it. *address becomes
 * that of the symbol with this name; 0: there is none, or it is hidden. */
enum symbol_reason kallsyms_parse(struct function_table *table, char *text, size_t size,
				  const char *name, uint64_t *address);

/* The same from the file. fd is consumed; below 0: it could not be opened. */
enum symbol_reason kallsyms_read(struct function_table *table, int fd, const char *name,
				 uint64_t *address);

void jit_map_parse(struct function_table *table, char *text, size_t size);

/* The same from a file of that size: NO_SYMBOL, or JIT_LARGE where only its end was read. */
enum symbol_reason jit_map_read(struct function_table *table, int fd, uint64_t size);

/*
 * A file of some megabytes, read whole from where fd is: at most `limit` bytes; a NUL is put behind
 * them. The caller frees it; NULL: it cannot be read. fd stays open.
 */
char *text_read_whole(int fd, size_t limit, size_t *size);

#endif
