#ifndef PERFTOP_WIDGET_FLAME_GRAPH_H
#define PERFTOP_WIDGET_FLAME_GRAPH_H

/*
 * A flame graph that hangs from the top: the way to what is zoomed into, the frames, what their
 * colours mean, and a sentence about the selected one. It is given finished words. A frame begins
 * with a line, the selected one is in brackets, and one that is searched for has a '*' before its
 * name; what its colour says is at its end where there is room.
 */

#include <stdbool.h>
#include <stddef.h>

#include "term/screen.h"

enum {
	FLAME_GRAPH_NAME = 64 /* bytes of the name in a frame */
};

struct flame_graph_frame {
	int line, begin, end; /* of the graph; columns */
	size_t row;           /* of the table, for a click */
	char name[FLAME_GRAPH_NAME];
	char tag[8]; /* at its end; "": nothing */
	enum style style;
	bool is_selected, is_match;
};

struct flame_graph_legend {
	char words[32];
	enum style style;
};

enum {
	FLAME_GRAPH_LEGENDS = 8
};

struct flame_graph_content {
	const struct flame_graph_frame *frames; /* none: `nothing` is shown */
	size_t count;
	int lines, selected_line; /* of the graph */
	int *top;                 /* its first visible line; corrected when drawn */
	const char *nothing;
	const char *path, *matches; /* the line above it, at the left and at the right */
	const char *detail;         /* the sentence */
	const struct flame_graph_legend *legend;
	size_t legend_count;
};

void flame_graph_draw(struct screen *screen, const struct flame_graph_content *content, int y,
		      int lines);

#endif
