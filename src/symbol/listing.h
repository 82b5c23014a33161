#ifndef PERFTOP_SYMBOL_LISTING_H
#define PERFTOP_SYMBOL_LISTING_H

/* The code of one function as the helper reads it: its instructions, and the lines of source that
 * they were made of. */

#include <stdint.h>

#include "symbol/symbols.h"

struct stored;

/*
 * Gives the parts of a listing, files before what is in them; texts are good during the call.
 * start and end are in the numbers of struct symbol. NONE, or why there is none.
 */
enum symbol_reason listing_make(struct stored *stored, uint64_t start, uint64_t end,
				void (*take)(const struct code_part *part, void *context),
				void *context);

#endif
