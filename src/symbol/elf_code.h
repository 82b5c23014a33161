#ifndef PERFTOP_SYMBOL_ELF_CODE_H
#define PERFTOP_SYMBOL_ELF_CODE_H

/*
 * Where the code of a program or library is: in the file, and at which addresses its symbols say
 * that it is; and which of its symbols are functions. Only libelf is asked, which checks what it
 * reads against the file's size.
 */

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/disassemble.h"
#include "symbol/table.h"

enum {
	ELF_SEGMENTS_MAX = 64
};

/* A segment that is loaded and executable. */
struct elf_segment {
	uint64_t offset, bytes, address;
};

struct elf_code {
	struct code_machine machine;
	struct elf_segment segments[ELF_SEGMENTS_MAX];
	size_t count;
};

/* False: nothing of it is ever executed. */
bool elf_code_read(Elf *elf, struct elf_code *code);

/* The segment that holds an address, or an offset of the file; NULL: none. */
const struct elf_segment *elf_code_at_address(const struct elf_code *code, uint64_t address);
const struct elf_segment *elf_code_at_offset(const struct elf_code *code, uint64_t offset);

/* Labels of assembler included, but for those that say what is code and what data. */
bool elf_symbol_is_function(const GElf_Sym *symbol, const char *name);
bool elf_symbol_is_variable(const GElf_Sym *symbol);
enum function_rank elf_symbol_rank(const GElf_Sym *symbol);

/*
 * Code that the linker makes: the jumps to functions of other files. No symbol table has them; like
 * perf they are called by the function they jump to, "read@plt". Adds them, by the addresses that
 * symbols of this file have.
 */
void elf_code_add_jumps(Elf *elf, struct function_table *table);

#endif
