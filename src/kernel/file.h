#ifndef PERFTOP_KERNEL_FILE_H
#define PERFTOP_KERNEL_FILE_H

/*
 * Small files of /proc and /sys, read whole. Their size is not known before they are read.
 */

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads at most size - 1 bytes of a file and ends them with NUL (they may hold others).
 * Returns how many; -errno when it cannot be opened or read: text is then "".
 */
long file_read(const char *path, char *text, size_t size);

/* The value behind "\nKEY:" and blanks in such a text (the first line counts too); NULL: none. */
const char *file_find_key(const char *text, const char *key);

#endif
