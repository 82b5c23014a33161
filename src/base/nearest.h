#ifndef PERFTOP_BASE_NEAREST_H
#define PERFTOP_BASE_NEAREST_H

/*
 * The few names that are nearest to one that was mistyped. Names are offered one by one, in any
 * order and number; the best three that have something in common with it are kept, copied.
 */

#include <stddef.h>

enum {
	NEAREST_COUNT = 3,
	NEAREST_NAME_MAX = 96 /* longer names are not taken */
};

struct nearest {
	const char *wanted; /* borrowed */
	struct nearest_name {
		char name[NEAREST_NAME_MAX];
		size_t distance; /* edits: insert, delete, replace, swap neighbours */
	} names[NEAREST_COUNT];  /* the nearest first; of equals the shortest, then the first in the
				    alphabet */
	size_t count;
};

void nearest_init(struct nearest *nearest, const char *wanted);
void nearest_offer(struct nearest *nearest, const char *name);

/* "a, b, c", cut at a whole name where it does not fit; "" when there is none. */
void nearest_format(const struct nearest *nearest, char *text, size_t size);

/* The same behind a sentence: "; the nearest: a, b, c". */
void nearest_hint(const struct nearest *nearest, char *text, size_t size);

#endif
