#ifndef PERFTOP_SYMBOL_ELF_FILE_H
#define PERFTOP_SYMBOL_ELF_FILE_H

/*
 * Functions and lines of a program or library, by libdw: of its own symbol tables, of a debug file
 * found by build id or .gnu_debuglink, of .gnu_debugdata. Only the helper process comes here: a
 * file may lie about anything, and libdw believe it.
 *
 * Code is named by its offset in the file, which is what mappings have; symbols and DWARF have
 * addresses instead, which the program headers relate to it.
 */

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/answer.h"
#include "symbol/disassemble.h"

struct debug_place;
struct elf_file; /* opaque */
struct stat;

/* fd is consumed; the path of the place is copied. NULL: no ELF file. */
struct elf_file *elf_file_open(int fd, const struct debug_place *place);
void elf_file_close(struct elf_file *file); /* NULL is allowed */

/*
 * The function at an offset of the file, and with wants_line the lines there. Texts of the answer
 * are good until the next call.
 */
void elf_file_find(struct elf_file *file, uint64_t offset, bool wants_line, struct answer *answer);

/* Whether it has debug information, or its debug file has. */
bool elf_file_has_lines(struct elf_file *file);

/* The line at an offset, of the innermost function that was inlined there. False: none is known. */
bool elf_file_line(struct elf_file *file, uint64_t offset, struct answer_line *line);

/* What the code is, where in memory the file says that an offset is, and the code itself: how many
 * bytes of it there are. */
struct code_machine elf_file_machine(const struct elf_file *file);
bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *address);
size_t elf_file_read(const struct elf_file *file, uint64_t offset, void *code, size_t size);

/* The function at such an address, and where it begins; NULL: none. */
const char *elf_file_name(const struct elf_file *file, uint64_t address, uint64_t *start);

/* Whether it was written before the file that this is the status of. */
bool elf_file_is_older(const struct elf_file *file, const struct stat *status);

/* NONE, or NO_SYMBOLS. */
enum symbol_reason elf_file_reason(const struct elf_file *file);

/* Its size, 0: it has none; at most 20 bytes. */
size_t elf_file_build_id(const struct elf_file *file, uint8_t id[static 20]);

/*
 * Adds the file to those of a process, mapped there; `at` is the offset in it. Returns its machine;
 * EM_NONE: it cannot be. The descriptor it is given is another one.
 */
int elf_file_report(const struct elf_file *file, Dwfl *dwfl, uint64_t start, uint64_t at);

/* Whether there is what only lines need; gives that back. */
bool elf_file_is_open(const struct elf_file *file);
void elf_file_drop_lines(struct elf_file *file);

size_t elf_file_bytes(const struct elf_file *file);

#endif
