#ifndef PERFTOP_HELP_ABOUT_H
#define PERFTOP_HELP_ABOUT_H

/*
 * The help about one thing, from the same tables: a column or metric with its meaning, unit,
 * formula and what a good value is; an event; a command; a view; a key.
 */

#include <stdbool.h>

struct catalog;
struct columns;
struct keys;
struct strbuf;
struct text_marks;

struct help_input {
	struct columns *columns;
	const struct keys *keys;                   /* those that hold now */
	struct catalog *(*catalog)(void *context); /* asked only where nothing else has the name;
						      may return NULL: events are not described */
	void *context;
};

/*
 * Replaces what is in `out`, and adds to `marks` (NULL: not wanted) which of it has which colour.
 * False: nothing has this name, and `out` is empty.
 */
bool help_about(struct strbuf *out, struct text_marks *marks, const struct help_input *input,
		const char *name);

#endif
