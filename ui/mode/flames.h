#ifndef PERFTOP_FLAMES_H
#define PERFTOP_FLAMES_H

/*
 * The flame graph, a form of the view of functions: which frame is zoomed into. The selected frame
 * is that of the row under the cursor, so that what selects rows selects frames. Row indexes are
 * those of the table as it was built last.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/flame.h"

#include "widget/cursor.h"
#include "widget/flame_graph.h"

struct app;

enum {
	FLAMES_ZOOMS = 32, /* one inside the other */
	FLAMES_WORDS = 512
};

/* An empty one is {0}. */
struct flames {
	struct flame flame;
	uint64_t zooms[FLAMES_ZOOMS]; /* ids of rows */
	size_t zoom_count;
	int top;                          /* first visible line */
	struct flame_graph_frame *frames; /* owned */
	size_t capacity;
	bool *marks; /* owned; of each row whether it is searched for */
	size_t mark_capacity;
};

/* Words of a picture; what ui/ is given points into it. */
struct flames_words {
	struct flame_graph_content content;
	struct flame_graph_legend legend[FLAME_GRAPH_LEGENDS];
	char path[FLAMES_WORDS], matches[64], detail[FLAMES_WORDS];
};

void flames_fini(struct flames *flames);

/* Whether the current view is the flame graph. */
bool flames_are_shown(const struct app *app);

void flames_fill(struct app *app, struct flames_words *words);

/* Up and down: to the call that it is under, to the widest under it. Home: the zoomed one; End:
 * down to the end. */
void flames_move(struct app *app, enum cursor_motion motion);

/* To the frame at its left or right. */
void flames_step(struct app *app, int by);

/* Into the selected frame, and out of the one that was zoomed into last; false: there is none. */
void flames_zoom_in(struct app *app);
bool flames_zoom_out(struct app *app);

/* Nothing is searched for any more; false: nothing was. */
bool flames_unmark(struct app *app);

/* The cursor was put on a row: out of frames that it is not in. */
void flames_reveal(struct app *app);

#endif
