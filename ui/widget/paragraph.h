#ifndef PERFTOP_WIDGET_PARAGRAPH_H
#define PERFTOP_WIDGET_PARAGRAPH_H

/*
 * Sentences on a screen of any width: broken into lines, or cut with an ellipsis.
 * Texts are harmless (base/text.h); '\n' ends a line.
 */

#include <stdbool.h>
#include <stddef.h>

#include "term/screen.h"

/* Columns of a text as an int. */
int paragraph_width(const char *text);

/*
 * Takes the next line of at most `columns` columns off *text, broken at a blank where there is one;
 * the line is *begin and the bytes returned. *text is NULL at the end.
 */
size_t paragraph_wrap(const char **text, int columns, const char **begin);

/*
 * A text with lines of "NAME  explanation": what of an explanation does not fit is continued
 * under its beginning, which is behind the last gap of two blanks or more in the left half; where
 * there is none, under the beginning of the line.
 */
struct paragraph_list {
	const char *text; /* what is left; NULL: nothing */
	bool is_rest;     /* of a line that was broken */
	int hang;         /* columns before it */
};

/* Takes the next line off it, as above; it is to be drawn from column *indent on. */
size_t paragraph_list_wrap(struct paragraph_list *list, int columns, const char **begin,
			   int *indent);
int paragraph_list_lines(const char *text, int columns);

/* How many lines that makes, at least 1; 0 for NULL. */
int paragraph_lines(const char *text, int columns);

/* Draws a text cut to `columns`, with an ellipsis when something is missing; returns the column
 * after it. */
int paragraph_draw_cut(struct screen *screen, int x, int y, int columns, const char *text,
		       enum style style);

/*
 * Draws the branch of a tree: a text of which the first `head` bytes are the lines that a name
 * hangs on. Where it is wider than `columns`, the lines leave the name two thirds of them if it
 * wants so many: levels next to the root go first. What is in brackets before the name
 * stays. Returns the column after it.
 */
int paragraph_draw_branch(struct screen *screen, int x, int y, int columns, const char *text,
			  size_t head, enum style style);

/* Draws a text over `lines` lines; what does not fit into the last one is cut. */
void paragraph_draw(struct screen *screen, int y, int lines, const char *text, enum style style);

#endif
