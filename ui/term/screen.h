#ifndef PERFTOP_TERM_SCREEN_H
#define PERFTOP_TERM_SCREEN_H

/*
 * A screen as a grid of cells in memory. Everything draws here; term.c carries
 * it to the terminal, and tests read it as text. Coordinates are columns (x) and
 * lines (y) from 0; whatever falls outside is clipped.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/hit.h"

struct strbuf;

/* Styles say what something is; term.c knows how it looks. */
enum style {
	STYLE_NORMAL,
	STYLE_DIM, /* unknown, unimportant */
	STYLE_BOLD,
	STYLE_TITLE, /* column title */
	STYLE_TITLE_SORTED,
	STYLE_TAB,
	STYLE_TAB_ACTIVE,
	STYLE_KEY, /* a key in the key line */
	STYLE_MESSAGE,
	STYLE_WARNING,
	STYLE_ERROR,
	STYLE_PROMPT,
	STYLE_BAR,    /* a meter */
	STYLE_GOOD_0, /* worst */
	STYLE_GOOD_1,
	STYLE_GOOD_2,
	STYLE_GOOD_3,
	STYLE_GOOD_4, /* best */
	STYLE_EXITED,
	STYLE_TASK_0, /* tasks that are distinguished, STYLE_TASK_0 + n */
	STYLE_TASK_7 = STYLE_TASK_0 + 7,
	STYLE_COUNT
};

enum {
	SCREEN_CELL_BYTES = 24
}; /* a base character with its combining ones, UTF-8, NUL */

struct screen_cell {
	char bytes[SCREEN_CELL_BYTES]; /* "" in the right half of a wide character */
	uint8_t width;                 /* 1, 2; 0 in a right half */
	uint8_t style;                 /* enum style */
	bool is_selected;              /* part of the cursor bar */
};

struct screen {
	int width, height;
	struct screen_cell *cells; /* owned; width * height, line by line */
	int cursor_x, cursor_y;    /* where a text cursor is; -1: none */
	struct hit_map hits;       /* what is where */
};

void screen_init(struct screen *screen, int width, int height);
void screen_fini(struct screen *screen);
void screen_resize(struct screen *screen, int width, int height); /* cleared */
void screen_clear(struct screen *screen);

/*
 * Puts text (UTF-8) at x, y in at most `columns` columns; wide characters are never cut in half and
 * combining characters stay with their base. Control characters are shown as '?': text from outside
 * should have gone through text_append_safe() before. Returns the column after it.
 */
int screen_text(struct screen *screen, int x, int y, int columns, const char *text,
		enum style style);

/* The same, right-aligned in the `columns` columns that begin at x. Too long: cut on the right. */
void screen_text_right(struct screen *screen, int x, int y, int columns, const char *text,
		       enum style style);

void screen_fill(struct screen *screen, int x, int y, int columns, const char *character,
		 enum style style);

/* Gives what is there another style. */
void screen_restyle(struct screen *screen, int x, int y, int columns, enum style style);

/* Whether nothing but a blank is there. */
bool screen_is_blank(const struct screen *screen, int x, int y);

/* Marks a line, or its first columns, as the cursor bar. */
void screen_select_line(struct screen *screen, int y);
void screen_select_columns(struct screen *screen, int y, int columns);

/* Takes that back, for what is drawn over it. */
void screen_deselect_columns(struct screen *screen, int y, int columns);

/* Marks one cell as what the cursor is on. */
void screen_select_cell(struct screen *screen, int x, int y);

/* A bar of pct (0..100; NaN: empty) in `columns` columns: eighths of blocks, or '|' in ASCII. */
void screen_bar(struct screen *screen, int x, int y, int columns, double pct, bool ascii,
		enum style style);

/* The screen as text, lines without trailing blanks. */
void screen_dump(const struct screen *screen, struct strbuf *out);

#endif
