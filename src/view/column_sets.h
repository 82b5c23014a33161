#ifndef PERFTOP_VIEW_COLUMN_SETS_H
#define PERFTOP_VIEW_COLUMN_SETS_H

/*
 * Names that stand for several columns, each of them for one question: what the CPU loses its time
 * with, how memory behaves. Around them a view puts what identifies its rows (view_info.around).
 */

#include <stddef.h>

struct column_set {
	const char *name;
	const char *columns; /* comma-separated; the most important first */
	const char *help;    /* a few words */
	const char *reading; /* how to read them, in lines; "" */
};

/* In the order in which one leads to the next. */
const struct column_set *column_sets(size_t *count);

/* The set of this name; NULL: the text is a list of columns. */
const struct column_set *column_set_find(const char *text);

/* The next set, the first after NULL; NULL after the last one. */
const struct column_set *column_set_next(const struct column_set *set);

#endif
