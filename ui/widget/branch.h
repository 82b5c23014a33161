#ifndef PERFTOP_WIDGET_BRANCH_H
#define PERFTOP_WIDGET_BRANCH_H

/* A name on the branch of a tree, in a column that may be too narrow for both. */

#include <stdbool.h>
#include <stddef.h>

#include "term/screen.h"

/*
 * Draws a text of which the first `head` bytes are the lines that it hangs on. Where it is wider
 * than `columns`, the lines leave the name two thirds of them if it wants so many: levels next to
 * the root go first. Returns the column after it.
 */
int branch_draw(struct screen *screen, int x, int y, int columns, const char *text, size_t head,
		enum style style, bool ascii);

#endif
