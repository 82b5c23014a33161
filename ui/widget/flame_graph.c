#include "widget/flame_graph.h"

#include "base/minmax.h"

#include "term/key.h"
#include "term/screen.h"
#include "widget/paragraph.h"

/*
 * From top to bottom: path, frames, legend, sentence. At least one line of frames is always there;
 * the sentence comes in first, then the path, then the legend.
 */

enum {
	DETAIL_LEAST = 3, /* least lines for the sentence, */
	PATH_LEAST = 4,   /* the path and */
	LEGEND_LEAST = 7, /* the legend */
	GAP = 2
};

static void draw_path(struct screen *screen, const struct flame_graph_content *content, int y)
{
	const int matches = smaller(paragraph_width(content->matches), screen->width / 2);
	const int gap = matches > 0 ? GAP : 0;

	paragraph_draw_cut(screen, 0, y, screen->width - matches - gap, content->path, STYLE_TITLE);
	paragraph_draw_cut(screen, screen->width - matches, y, matches, content->matches,
			   STYLE_FRAME_MATCH);
	screen_mark(screen, 0, y, screen->width - matches, 1, HIT_KEY, KEY_CODE_BACKSPACE);
}

/* The line at its beginning and the brackets of the selected one. */
static void draw_ends(struct screen *screen, const struct flame_graph_frame *frame, int y)
{
	screen_text(screen, frame->begin, y, 1, frame->is_selected ? "[" : "│", frame->style);
	if (!frame->is_selected)
		return;
	if (frame->end - frame->begin > 1)
		screen_text(screen, frame->end - 1, y, 1, "]", frame->style);
	for (int x = frame->begin; x < frame->end; x++)
		screen_select_cell(screen, x, y);
}

/* What it means has no room where the name is cut. */
static void draw_frame(struct screen *screen, const struct flame_graph_frame *frame, int y)
{
	const int first = frame->begin + 1, end = frame->end - frame->is_selected;
	const int tag = paragraph_width(frame->tag);
	const int name = frame->is_match + paragraph_width(frame->name);
	int x = first;

	screen_fill(screen, frame->begin, y, frame->end - frame->begin, " ", frame->style);
	if (frame->is_match && x < end)
		x = screen_text(screen, x, y, 1, "*", frame->style);
	paragraph_draw_cut(screen, x, y, larger(end - x, 0), frame->name, frame->style);
	if (first + name + 1 + tag <= end)
		screen_text_right(screen, end - tag, y, tag, frame->tag, frame->style);
	draw_ends(screen, frame, y);
	screen_mark(screen, frame->begin, y, frame->end - frame->begin, 1, HIT_ROW, frame->row);
}

static void draw_flame_legend(struct screen *screen, const struct flame_graph_content *content,
			      int y)
{
	int x = 0;

	for (size_t i = 0; i < content->legend_count; i++) {
		const struct flame_graph_legend *legend = &content->legend[i];

		if (x + paragraph_width(legend->words) > screen->width)
			return;
		x = screen_text(screen, x, y, screen->width - x, legend->words, legend->style);
		x += 1;
	}
}

/* The line of the selected frame is among those that are visible. */
static void keep_top(const struct flame_graph_content *content, int lines)
{
	int *top = content->top;

	if (content->selected_line < *top)
		*top = content->selected_line;
	if (content->selected_line >= *top + lines)
		*top = content->selected_line - lines + 1;
	*top = larger(smaller(*top, content->lines - lines), 0);
}

static void draw_frames(struct screen *screen, const struct flame_graph_content *content, int y,
			int lines)
{
	keep_top(content, lines);
	for (size_t i = 0; i < content->count; i++) {
		const int line = content->frames[i].line - *content->top;

		if (line >= 0 && line < lines)
			draw_frame(screen, &content->frames[i], y + line);
	}
}

void flame_graph_draw(struct screen *screen, const struct flame_graph_content *content, int y,
		      int lines)
{
	const int detail = lines >= DETAIL_LEAST, path = lines >= PATH_LEAST;
	const int legend = lines >= LEGEND_LEAST;

	if (lines < 1)
		return;
	if (content->count == 0) {
		paragraph_draw_cut(screen, 0, y, screen->width, content->nothing, STYLE_DIM);
		return;
	}
	if (path > 0)
		draw_path(screen, content, y);
	draw_frames(screen, content, y + path, lines - path - legend - detail);
	if (legend > 0)
		draw_flame_legend(screen, content, y + lines - detail - 1);
	if (detail > 0)
		paragraph_draw_cut(screen, 0, y + lines - 1, screen->width, content->detail,
				   STYLE_MESSAGE);
}
