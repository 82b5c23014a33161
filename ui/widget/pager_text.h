#ifndef PERFTOP_WIDGET_PAGER_TEXT_H
#define PERFTOP_WIDGET_PAGER_TEXT_H

/*
 * A screenful of text over the table: help, or the page of a task. What does not fit into a line is
 * continued as in paragraph.h.
 */

#include <stdbool.h>
#include <stddef.h>

struct screen;
struct text_marks;

struct pager_text {
	const char *title;
	const char *text;               /* lines; one that begins with '#' is a heading */
	const struct text_marks *marks; /* of its lines; NULL: none */
	const char *words; /* marked where they occur, in any case; NULL or "": nothing */
	size_t top;        /* first visible line of the screen; corrected when drawn */
	size_t bottom;     /* the most that top can be, as drawn last; SIZE_MAX: not drawn yet */
};

/* Draws title and text into the first `lines` lines of the screen. */
void pager_text_draw(struct screen *screen, struct pager_text *pager, int lines);

/* Draws that many lines of the text, from `top` on, at line y; without the title. */
void pager_text_draw_part(struct screen *screen, const struct pager_text *pager, int y, int lines);

/*
 * The first line of the screen's, at this width, of the next line of the text that has the words:
 * from `from` on, or before it when `back`. False: there is none.
 */
bool pager_text_find(const struct pager_text *pager, int columns, size_t from, bool back,
		     size_t *line);

#endif
