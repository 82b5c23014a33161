#ifndef PERFTOP_SYMBOL_DEMANGLE_H
#define PERFTOP_SYMBOL_DEMANGLE_H

/* Names of C++ and Rust as their programmers wrote them, by GNU libiberty. */

struct strbuf;

/*
 * Appends the name that a linker's name means; that itself where it means nothing else, or is too
 * long to be read. What follows the first '@' is a version and left out, unless it is
 * "@plt" (elf_code.h).
 */
void demangle(struct strbuf *out, const char *name);

#endif
