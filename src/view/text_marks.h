#ifndef PERFTOP_VIEW_TEXT_MARKS_H
#define PERFTOP_VIEW_TEXT_MARKS_H

/* Where in a text a value is good, bad or unknown, for colours. */

#include <stddef.h>

struct strbuf;

struct text_mark {
	size_t line;         /* of the text, the first is 0 */
	int column, columns; /* of that line on a screen */
	int goodness;        /* 0 worst to 4 best; -1: unknown */
};

/* In the order of the text. Empty is {0}; text_marks_fini() frees it and leaves that. */
struct text_marks {
	struct text_mark *marks; /* owned */
	size_t count, capacity;
};

void text_marks_fini(struct text_marks *marks);
void text_marks_clear(struct text_marks *marks); /* memory kept */

/* Appends a mark; if it continues the last one with the same goodness, that one is extended. */
void text_marks_add(struct text_marks *marks, const struct text_mark *mark);

/*
 * Adds one for the end of the text, from byte `begin` on, which is in its last line. Goes through
 * all of the text.
 */
void text_marks_add_end(struct text_marks *marks, const struct strbuf *text, size_t begin,
			int goodness);

#endif
