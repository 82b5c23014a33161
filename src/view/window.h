#ifndef PERFTOP_VIEW_WINDOW_H
#define PERFTOP_VIEW_WINDOW_H

/*
 * The stretch of the history that a view looks at. Only settled entries are in it, so that what
 * was looked at once stays as it is, and windows that follow each other share no entry and leave
 * none out.
 */

#include <stdint.h>

struct history;
struct view_settings;

enum {
	WINDOW_CHUNK = 1024 /* entries that a scan takes at a time */
};

struct window {
	const struct history *history; /* NULL: none is kept; there are no entries then */
	uint64_t first, end;           /* entries [first, end) */
	uint64_t begin_ns, end_ns;     /* of record time: they happened after the one and up to the
					  other */
};

struct window window_of(const struct view_settings *settings);
struct window window_of_all(const struct history *history); /* NULL is allowed */

#endif
