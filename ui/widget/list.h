#ifndef PERFTOP_WIDGET_LIST_H
#define PERFTOP_WIDGET_LIST_H

/*
 * The table of the screen: titles and rows, a cursor that is bound to a row's identity
 * and not to its place, and which part of it is visible.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/cursor.h"

struct screen;
struct view_table;

struct list {
	struct cursor cursor; /* at: as of the last list_follow() */
	uint64_t cursor_id;   /* row the cursor is on */
	bool has_cursor;      /* false: on the first row, whichever that is; of a log on the last */
	bool is_followed;     /* the row stays at its line of the screen, until the cursor moves */
	bool is_log;          /* rows are in the order of their ids, and new ones come at the end */
	size_t page;          /* visible rows, as of the last list_draw() */
	int scroll;           /* columns scrolled to the right: leading columns left out */
};

/*
 * After the table was built anew: finds the row again; if it has gone, the cursor stays at its
 * place. On the last row of a log it stays on the last; on another one the lines stay where they
 * are on the screen while rows come behind them and go before them.
 */
void list_follow(struct list *list, const struct view_table *table);

/* The first row of a log with an id of at least this; view_table_row_count(): none. */
size_t list_place(const struct view_table *table, uint64_t id);

/* Whether it is on the last row of a log, and stays there. */
bool list_is_following(const struct list *list);

void list_move(struct list *list, const struct view_table *table, enum cursor_motion motion);
void list_select(struct list *list, const struct view_table *table, size_t row);

/* Columns to the right: the first one stays, and one beside it. */
void list_scroll(struct list *list, const struct view_table *table, int by);

/* Draws titles at line y and rows below, `lines` lines in all. */
void list_draw(struct list *list, const struct view_table *table, struct screen *screen, int y,
	       int lines);

#endif
