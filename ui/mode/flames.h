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

#include "widget/flame_graph.h"

enum {
	FLAMES_ZOOMS = 32 /* one inside the other */
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

void flames_fini(struct flames *flames);

#endif
