#ifndef PERFTOP_WIDGET_CURSOR_H
#define PERFTOP_WIDGET_CURSOR_H

/* Which line of a list is selected, and which is the first that is visible. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	size_t at, top;
};

/* The keys that move it in a list of `count` lines, of which `page` are visible. False: another
 * key. */
bool cursor_key(struct cursor *cursor, uint32_t key, size_t count, size_t page);

/* Keeps it in the list and visible, and the list's end at the end of the page. */
void cursor_keep(struct cursor *cursor, size_t count, size_t page);

#endif
