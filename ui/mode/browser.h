#ifndef PERFTOP_BROWSER_H
#define PERFTOP_BROWSER_H

/*
 * The event browser: what can be counted here and what is counted now, searched by typing.
 * Counting and refreshing go on beneath it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "widget/cursor.h"
#include "widget/prompt.h"

struct app;
struct catalog;

enum browser_tab {
	BROWSER_ALL, /* everything that can be counted here */
	BROWSER_OPEN /* what is counted now */
};

struct browser_line {
	size_t item;     /* index into the catalog, or into the layout's events */
	bool is_heading; /* of the section that begins with the item */
};

/* One of its two lists. */
struct browser_list {
	struct browser_line *lines; /* owned */
	size_t count, capacity;
	size_t headings; /* of the lines */
	struct cursor cursor;
};

struct browser {
	enum browser_tab tab;
	struct catalog *catalog; /* owned; made when it is first opened, which reads a lot */
	struct prompt search;
	struct browser_list lists[2]; /* by enum browser_tab */
	size_t detail_page;           /* of what is said about the selected line */
	size_t refused_at;            /* the first of all lines with what cannot be counted */
	bool offers_text; /* what was typed is last among all events, as an event of its own */
};

/* The events of this machine; made when it is first asked for, which reads a lot. */
struct catalog *browser_catalog(struct app *app);

#endif
