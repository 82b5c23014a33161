#ifndef PERFTOP_VIEW_LISTING_H
#define PERFTOP_VIEW_LISTING_H

/*
 * The code of one function with the shares of its samples, as lines of text: its source or its
 * instructions. Shares are of the function's own samples; lines without samples have none. A line
 * that begins with '#' is a heading.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/code_part.h"

struct function_addresses;
struct strbuf;
struct text_marks;

struct listing {
	bool is_pending; /* it is being read */
	const char *why; /* it is not there, or not whole; "" */
	struct code_part *parts;
	size_t count, capacity;
};

/* The code of the function with this number, in an interval that ended then. Good until another one
 * is asked for. */
typedef const struct listing *function_lister(void *context, uint32_t number, uint64_t time_ns);

struct listing_input {
	const struct listing *listing;
	const struct function_addresses *addresses;
	bool is_assembler;
	const char *file; /* of the line of source that is to be found; NULL: none */
	uint32_t line;
	int width; /* columns of the screen */
	bool ascii;
	struct text_marks *marks; /* gets those of the lines */
};

/* Whether there are lines of source. */
bool listing_has_source(const struct listing *listing);

/*
 * Appends the lines. Returns the number of the line that was to be found, or else of the one with
 * most samples.
 */
size_t listing_write(struct strbuf *out, const struct listing_input *input);

#endif
