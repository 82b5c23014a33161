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

/* What is written where columns are listed: the set that it names; NULL: it is a list. */
const struct column_set *column_set_find(const char *text);

/* Behind this one; NULL: the first one, and behind the last. */
const struct column_set *column_set_next(const struct column_set *set);

/* Their names joined by ", ". */
void column_set_names(char *text, size_t size);

#endif
