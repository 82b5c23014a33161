#ifndef PERFTOP_DRAWING_H
#define PERFTOP_DRAWING_H

/*
 * How a view is shown that is no list of rows: what is drawn in the table's place, and what keys
 * and clicks do there. Each is defined at the end of its file, as drawing_NAME, and has a row in
 * view/views.def; views say which one they have (view_info.drawing). What is NULL does nothing, or
 * what it does in a list.
 */

#include <stdbool.h>
#include <stddef.h>

#include "mode/app.h"
#include "widget/cursor.h"
#include "widget/frame.h"

struct actor;

struct drawing {
	struct app_part part;           /* its state, app->parts[PART_NAME]; zeros: it has none */
	void (*build)(struct app *app); /* the view's rows were made */
	frame_body *draw;               /* context: the app */
	void (*move)(struct app *app, enum cursor_motion motion);
	void (*step)(struct app *app, int by); /* Left and Right */
	void (*zoom)(struct app *app, int by);
	void (*click)(struct app *app, struct hit hit); /* HIT_ROW, HIT_CELL */
	void (*open)(struct app *app);                  /* Enter */
	/* out of what was opened last, and nothing is searched for any more; false: nothing was */
	bool (*back)(struct app *app);
	bool (*unmark)(struct app *app);
	void (*reveal)(struct app *app); /* the cursor was put on a row */
	/* under the cursor; NULL: none */
	const struct actor *(*actor)(const struct app *app);
	/* the rows that can be seen, one after the other; SIZE_MAX: no more */
	size_t (*row)(const struct app *app, size_t index);
};

#define DRAWN(name)   extern const struct drawing drawing_##name;
#define DRAWING(name) extern const struct drawing drawing_##name;
#include "view/views.def"

/* Of the current view; NULL: it is a list. */
const struct drawing *app_drawing(const struct app *app);

#endif
