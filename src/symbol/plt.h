#ifndef PERFTOP_SYMBOL_PLT_H
#define PERFTOP_SYMBOL_PLT_H

/*
 * Code that the linker makes: the jumps to functions of other files. No symbol table has them; like
 * perf they are called by the function they jump to, "read@plt".
 */

#include <libelf.h>

struct function_table;

/* Adds them, by the addresses that symbols of this file have. */
void plt_add(Elf *elf, struct function_table *table);

#endif
