#ifndef PERFTOP_WIDGET_CHOOSER_H
#define PERFTOP_WIDGET_CHOOSER_H

/*
 * A list of which one line is chosen: what keys and clicks mean in it, and which lines are drawn
 * where. A line itself is drawn by whoever has the list.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/screen.h"
#include "widget/cursor.h"

struct chooser {
	struct cursor *cursor;
	size_t count;
	const char *nothing; /* where there are no lines: why */
	void (*draw_line)(void *context, struct screen *screen, size_t index, int x, int y,
			  int width);
	void *context;
};

/*
 * Draws as many lines as have room, the chosen one among them, which is marked if the list is
 * active. What was under them is hidden; each can be pointed at (HIT_CHOICE).
 */
void chooser_draw(const struct chooser *chooser, struct screen *screen, int x, int y, int width,
		  int lines, bool is_active);

enum chooser_result {
	CHOOSER_MOVED,
	CHOOSER_DONE, /* the line under the cursor is taken */
	CHOOSER_LEFT,
	CHOOSER_OTHER /* the key means nothing here */
};

/* page: lines that are visible. */
enum chooser_result chooser_key(struct cursor *cursor, uint32_t key, size_t count, size_t page);

/* A click on a line moves the cursor to it, one on the chosen line takes it. */
enum chooser_result chooser_click(struct cursor *cursor, struct hit hit, bool is_right);

/* --- parts of pages with lists */

/* A tab in the first line; returns the column after it. Without colours the brackets say which one
 * is open. */
int chooser_draw_tab(struct screen *screen, int x, int end, const char *text, bool is_active);

/* A long message covers the lines before it; its last line is at y, its first not above `top`. */
void chooser_draw_message(struct screen *screen, const char *message, bool is_error, int top,
			  int y);

#endif
