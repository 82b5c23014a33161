#ifndef PERFTOP_KERNEL_FILE_H
#define PERFTOP_KERNEL_FILE_H

/*
 * Small files of /proc and /sys, read whole. Their size is not known before they are read.
 */

#include <stdbool.h>
#include <stddef.h>

struct number_list;

/*
 * Reads at most size - 1 bytes of a file and ends them with NUL (they may hold others).
 * Returns how many; -errno when it cannot be opened or read: text is then "". The other one takes
 * the path as printf(3) does; one that is too long is no file.
 */
long file_read(const char *path, char *text, size_t size);
long file_readf(char *text, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* The whole number that a file begins with; nothing but a line end may follow. */
bool file_read_number(long long *value, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/* A list of CPUs or nodes ("0-3,8"). False: there is none, *list is {0}. */
bool file_read_list(struct number_list *list, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/* The value behind "\nKEY:" and blanks in such a text (the first line counts too); NULL: none. */
const char *file_find_key(const char *text, const char *key);

#endif
