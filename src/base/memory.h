#ifndef PERFTOP_BASE_MEMORY_H
#define PERFTOP_BASE_MEMORY_H

/*
 * Allocation that cannot fail for its callers: when there is no memory the
 * hook set by memory_on_exhaustion() puts the terminal back, one line is
 * printed and the program ends with status 1. Sizes multiply checked.
 */

#include <stddef.h>
#include <stdint.h>

/* Zeroed. A count or size of 0 is allowed and gives a valid pointer. */
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *memory, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);

/*
 * Makes room for at least `need` elements in an array that grows by doubling:
 * *capacity elements of `size` bytes at *array (NULL and 0 at first).
 *
 *	array_reserve(&rows, &rows_capacity, rows_count + 1, sizeof(*rows));
 *	rows[rows_count++] = row;
 *
 * The address of the array may change; new elements are not initialised.
 * array is a pointer to the pointer to the elements (void ** in disguise).
 */
void array_reserve(void *array, size_t *capacity, size_t need, size_t size);

/*
 * How many of the elements, which are in order and begin with a uint64_t each, have one that is not
 * above `limit`.
 */
size_t array_not_above(const void *array, size_t count, size_t size, uint64_t limit);

/* Gives back most of the room of such an array where less than a quarter of it is needed. */
void array_shrink(void *array, size_t *capacity, size_t need, size_t size);

/*
 * How freed memory goes back to the system, with glibc. After memory_keep_large_apart(), called
 * before anything is allocated, large pieces do so at once; by default the library soon keeps those
 * too, as room for small ones. memory_trim() gives back all whole pages that are free; with many
 * this takes some milliseconds.
 */
void memory_keep_large_apart(void);
void memory_trim(void);

/* What is allocated; UINT64_MAX: not known. */
uint64_t memory_allocated_bytes(void);

/* Called once before the program ends because memory has run out; NULL: nothing. */
void memory_on_exhaustion(void (*hook)(void));

/* Ends the program as described above; for memory that a library asks for and does not get. */
_Noreturn void memory_exhausted(void);

#endif
