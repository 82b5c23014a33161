#ifndef PERFTOP_WIDGET_PLACES_H
#define PERFTOP_WIDGET_PLACES_H

/*
 * Which columns of a table have room on a screen, and where they are: side by side from the left,
 * with a gap behind each.
 */

#include <stdbool.h>
#include <stddef.h>

struct column;
struct view_table;

enum {
	PLACES_GAP = 1
};

struct places {
	const struct view_table *table; /* borrowed */
	int width;                      /* of the screen */
	size_t scroll;                  /* columns behind the first one that are left out */
	bool is_scrolled;               /* the others come in their order */
	int spare;                      /* columns for each bar that nothing else needs */
	int spare_words;                /* the same for words that are narrower than they may be */
	bool has_essential;             /* some columns say most, and may push out the first */
	bool has_asked_for;             /* then these do not push it out */
	bool last_yields;               /* to those: they are words, and the last one is none */
};

/* A column as it is on the screen. */
struct place {
	size_t index; /* in the table */
	const struct column *column;
	int x, width;
	const char *hidden; /* "<" or ">" when columns before it were left out, or NULL */
	bool is_full;       /* a column has found no room: only what is wanted comes in */
};

/* scroll: steps to the right. The first of them may lead to columns that gave way until then. */
void places_init(struct places *places, const struct view_table *table, int width, size_t scroll);

/* The next column to draw; of {0} the first one. False: there is none, or it has no room. */
bool places_next(const struct places *places, struct place *place);

/* Whether the column is drawn from its left end: then a part of it is still worth something. */
bool places_is_left_aligned(const struct column *column);

#endif
