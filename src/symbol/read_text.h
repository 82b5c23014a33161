#ifndef PERFTOP_SYMBOL_READ_TEXT_H
#define PERFTOP_SYMBOL_READ_TEXT_H

/* A file of some megabytes, read whole. */

#include <stddef.h>

/*
 * At most `limit` bytes; a NUL is put behind them. The caller frees it; NULL: it cannot be read.
 * fd stays open.
 */
char *read_text(int fd, size_t limit, size_t *size);

#endif
