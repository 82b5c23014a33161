#ifndef PERFTOP_SYMBOL_ELF_FILE_H
#define PERFTOP_SYMBOL_ELF_FILE_H

/*
 * Functions and lines of a program or library, by libdw: of its own symbol tables, of a debug file
 * found by build id or .gnu_debuglink, of .gnu_debugdata. Only the helper process comes here: a
 * file may lie about anything, and libdw believe it.
 */

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct stored;

/* Reads segments and functions. Takes over fd. False: not an ELF file. */
bool elf_file_read(struct stored *stored, int fd);
void elf_file_close(struct stored *stored); /* allowed without a file */

/* Reads what else the symbols are of. */
void elf_file_read_variables(struct stored *stored);

/* Opens and closes what only lines need. False: it cannot be read. */
bool elf_file_begin(struct stored *stored);
void elf_file_end(struct stored *stored);

/*
 * Adds the file to those of a process, mapped there; `at` is the offset in it. Returns its machine;
 * EM_NONE: it cannot be.
 */
int elf_file_report(const struct stored *stored, Dwfl *dwfl, uint64_t start, uint64_t at);

#endif
