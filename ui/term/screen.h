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
#include <wchar.h>

struct hit_area;
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
	STYLE_GOOD_4,                    /* best */
	STYLE_LOAD_0,                    /* how much it is: the least */
	STYLE_LOAD_3 = STYLE_LOAD_0 + 3, /* the most */
	STYLE_SYSTEM,                    /* the kernel's part */
	STYLE_EXITED,
	STYLE_TASK_0, /* tasks that are distinguished, STYLE_TASK_0 + n */
	STYLE_TASK_7 = STYLE_TASK_0 + 7,
	STYLE_FRAME_0,                     /* of a flame graph, by its own time: the least */
	STYLE_FRAME_4 = STYLE_FRAME_0 + 4, /* the most */
	STYLE_FRAME_MATCH,                 /* searched for */
	STYLE_COUNT
};

/*
 * What is where on the screen: code that draws something that can be pointed at says so, code that
 * handles a click asks.
 */
enum hit_kind {
	HIT_NOTHING,
	HIT_ROW,    /* index: of the table's row */
	HIT_TITLE,  /* index: of the table's column */
	HIT_TAB,    /* index: of the view */
	HIT_KEY,    /* index: the key that is there (key.h) */
	HIT_CHOICE, /* index: of the item of a list to choose from */
	HIT_SLIDER, /* column: the part of all the time */
	HIT_PANE,   /* what is said of the selected row below the table's rows */
	HIT_CELL    /* index: of the time line's strip; column: the cell in it */
};

struct hit {
	enum hit_kind kind;
	size_t index;
	int column, columns; /* within the area, and how many it has */
};

/* Of how good a value is: 0 to 4; otherwise it is unknown. */
static inline enum style style_of_goodness(int goodness, enum style unknown)
{
	return goodness < 0 || goodness > STYLE_GOOD_4 - STYLE_GOOD_0
		       ? unknown
		       : (enum style)(STYLE_GOOD_0 + goodness);
}

enum {
	SCREEN_CELL_BYTES = 24, /* a base character with its combining ones, UTF-8, NUL */
	SCREEN_CELL_CHARACTERS = 5
};

struct screen_cell {
	char bytes[SCREEN_CELL_BYTES]; /* "" in the right half of a wide character */
	uint8_t width;                 /* 1, 2; 0 in a right half */
	uint8_t style;                 /* enum style */
	bool is_selected;              /* part of the cursor bar */
};

struct screen {
	int width, height;
	bool is_ascii;             /* what is drawn besides ASCII is replaced */
	struct screen_cell *cells; /* owned; width * height, line by line */
	int cursor_x, cursor_y;    /* where a text cursor is; -1: none */
	struct hit_area *hits;     /* owned; what is where */
	size_t hit_count, hit_capacity;
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

/* The same of the first `bytes` bytes. */
int screen_text_part(struct screen *screen, int x, int y, int columns, const char *text,
		     size_t bytes, enum style style);

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

/* Marks one cell as what the cursor is on; takes that back. */
void screen_select_cell(struct screen *screen, int x, int y);
void screen_deselect_cell(struct screen *screen, int x, int y);

/* A bar of pct (0..100; NaN: empty) in `columns` columns: eighths of blocks, or '|' in ASCII. */
void screen_bar(struct screen *screen, int x, int y, int columns, double pct, enum style style);

/*
 * Marks an area as something that can be pointed at; without a column or a line it is left out.
 * Those that are marked later lie over those that were marked before.
 */
void screen_mark(struct screen *screen, int x, int y, int width, int height, enum hit_kind kind,
		 size_t first);
struct hit screen_find(const struct screen *screen, int x, int y);

/*
 * The characters of a cell, ended by 0, for a terminal; '?' where they would not take the cell's
 * columns there, or where it knows ASCII only.
 */
void screen_cell_characters(const struct screen_cell *cell, bool is_utf8,
			    wchar_t characters[static SCREEN_CELL_CHARACTERS + 1]);

/* The screen as text, lines without trailing blanks. */
void screen_dump(const struct screen *screen, struct strbuf *out);

#endif
