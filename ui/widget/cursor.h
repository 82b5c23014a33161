#ifndef PERFTOP_WIDGET_CURSOR_H
#define PERFTOP_WIDGET_CURSOR_H

/* Which line of a list is selected, and which is the first that is visible. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	size_t at, top;
};

enum cursor_motion {
	CURSOR_UP,
	CURSOR_DOWN,
	CURSOR_PAGE_UP,
	CURSOR_PAGE_DOWN,
	CURSOR_HOME,
	CURSOR_END
};

/* In a list of `count` lines, of which `page` are visible. A page moves what is visible as well. */
void cursor_move(struct cursor *cursor, enum cursor_motion motion, size_t count, size_t page);

/* The keys that move it. False: another key. */
bool cursor_key(struct cursor *cursor, uint32_t key, size_t count, size_t page);

/* Keeps it in the list and visible, and the list's end at the end of the page. */
void cursor_keep(struct cursor *cursor, size_t count, size_t page);

#endif
