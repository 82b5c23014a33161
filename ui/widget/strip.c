#include "widget/strip.h"

#include <math.h>
#include <stdio.h>

#include "base/minmax.h"
#include "view/timeline.h"

#include "term/screen.h"
#include "widget/cursor.h"
#include "widget/paragraph.h"

/*
 * From top to bottom: strips, axis, legend, sentence. At least one strip is always there; the
 * sentence comes in first, then the axis, then the legend. Where there are more CPUs than lines
 * the strips scroll with the cursor.
 */

enum {
	LABEL = 5,        /* columns of a CPU's number, and a blank */
	DETAIL_LEAST = 3, /* least lines for the sentence, */
	AXIS_LEAST = 5,   /* the axis and */
	LEGEND_LEAST = 7, /* the legend, which has more where they are left over */
	DETAIL_MOST = 2,
	GAP = 2
};

static const double IPC_FULL = 4.0; /* the highest block: this and above */

/* How many lines each part has, at least. */
struct parts {
	int strips, axis, legend, detail;
};

size_t strip_cells(int width)
{
	return width > LABEL + 1 ? (size_t)(width - LABEL) : 1;
}

static struct parts make_parts(const struct strip_content *content, int lines)
{
	const size_t count = content->timeline->strip_count;
	struct parts parts = {
		.detail = lines >= DETAIL_LEAST,
		.axis = lines >= AXIS_LEAST,
		.legend = lines >= LEGEND_LEAST,
	};
	const int rest = lines - parts.detail - parts.axis - parts.legend;

	parts.strips = count < (size_t)rest ? (int)count : rest;
	return parts;
}

/* Blocks in steps of half an instruction per cycle; in ASCII digits that are twice the IPC. */
static void draw_ipc(struct screen *screen, int x, int y, const struct timeline_cell *cell)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
	const int most = screen->is_ascii ? 9 : 7;

	if (isnan(cell->ipc)) {
		screen_text(screen, x, y, 1, "?", STYLE_DIM);
		return;
	}
	const double step = cell->ipc / IPC_FULL * 8;
	const int level = step < most ? (int)step : most;
	screen_text(screen, x, y, 1, screen->is_ascii ? digits[level] : blocks[level],
		    style_of_goodness(cell->goodness, STYLE_NORMAL));
}

static void draw_task(struct screen *screen, const struct strip_content *content, int x, int y,
		      const struct timeline_cell *cell)
{
	char letter[2] = "#";
	enum style style = STYLE_NORMAL;

	if (cell->colour < TIMELINE_COLOURS) {
		const unsigned int colour = content->colours[cell->colour];

		letter[0] = (char)('a' + colour);
		style = (enum style)(STYLE_TASK_0 + colour);
	}
	screen_text(screen, x, y, 1, letter, style);
}

static void draw_strip_cell(struct screen *screen, const struct strip_content *content, int x,
			    int y, const struct timeline_cell *cell)
{
	switch (cell->kind) {
	case TIMELINE_NOTHING:
		return;
	case TIMELINE_IDLE:
		screen_text(screen, x, y, 1, "·", STYLE_DIM);
		return;
	case TIMELINE_UNKNOWN:
		screen_text(screen, x, y, 1, "?", STYLE_DIM);
		return;
	case TIMELINE_TASK:
		break;
	}
	if (content->by_ipc)
		draw_ipc(screen, x, y, cell);
	else
		draw_task(screen, content, x, y, cell);
}

static void draw_strip(struct screen *screen, const struct strip_content *content, size_t index,
		       int y)
{
	const struct timeline *timeline = content->timeline;
	const struct timeline_strip *strip = &timeline->strips[index];
	const bool is_selected = index == content->cpu;
	char label[16];

	snprintf(label, sizeof(label), "%d", strip->cpu);
	screen_text_right(screen, 0, y, LABEL - 1, label, STYLE_NORMAL);
	if (is_selected)
		screen_select_columns(screen, y, LABEL - 1);
	for (size_t i = 0; i < timeline->cell_count; i++)
		draw_strip_cell(screen, content, LABEL + (int)i, y, &strip->cells[i]);
	screen_mark(screen, LABEL, y, (int)timeline->cell_count, 1, HIT_CELL, index);
	if (is_selected && content->cell < timeline->cell_count)
		screen_select_cell(screen, LABEL + (int)content->cell, y);
}

/* The ends of the time, and how long a cell is where there is room between them. */
static void draw_axis(struct screen *screen, const struct strip_content *content, int y)
{
	const int width = screen->width - LABEL;
	const int begin = paragraph_width(content->begin);
	const int end = paragraph_width(content->end);
	const int scale = paragraph_width(content->scale);

	if (begin + GAP + end > width) {
		screen_text_right(screen, LABEL, y, width, content->end, STYLE_DIM);
		return;
	}
	screen_text(screen, LABEL, y, begin, content->begin, STYLE_DIM);
	screen_text_right(screen, LABEL, y, width, content->end, STYLE_DIM);
	if (begin + end + scale + 2 * GAP <= width) {
		screen_text(screen, LABEL + begin + (width - begin - end - scale) / 2, y, scale,
			    content->scale, STYLE_DIM);
	}
}

/* As many of them as have room whole in the lines; the signs before the last names. Returns how
 * many lines there are. */
static int draw_names(struct screen *screen, const struct strip_content *content, int y, int lines,
		      const char *signs)
{
	const int end = screen->width - paragraph_width(signs) - GAP;
	int x = LABEL, line = 0;

	for (unsigned int i = 0; i < TIMELINE_COLOURS; i++) {
		const char letter[] = {(char)('a' + i), '\0'};
		const char *name = content->names[i];
		const int width = 2 + paragraph_width(name);

		if (name[0] == '\0')
			continue;
		if (x + width > (line + 1 < lines ? screen->width : end) && x > LABEL &&
		    line + 1 < lines) {
			x = LABEL;
			line++;
		}
		if (x + width > (line + 1 < lines ? screen->width : end))
			break;
		screen_text(screen, x, y + line, 1, letter, (enum style)(STYLE_TASK_0 + i));
		x = screen_text(screen, x + 2, y + line, screen->width, name, STYLE_NORMAL) + GAP;
	}
	if (x > end && line + 1 < lines) {
		x = LABEL;
		line++;
	}
	paragraph_draw_cut(screen, x, y + line, screen->width - x, signs, STYLE_DIM);
	return line + 1;
}

static int draw_strip_legend(struct screen *screen, const struct strip_content *content, int y,
			     int lines)
{
	const char *blocks =
		screen->is_ascii
			? "IPC: 0 below 0.5, 1 below 1 ... 9 from 4.5 on  . idle  ? unknown"
			: "IPC: ▁ below 0.5, ▂ below 1 … █ from 3.5 on  · idle  ? unknown";

	if (content->by_ipc) {
		paragraph_draw_cut(screen, LABEL, y, screen->width - LABEL, blocks, STYLE_DIM);
		return 1;
	}
	return draw_names(screen, content, y, lines, "# others  · idle  ? unknown");
}

void strip_draw(struct screen *screen, const struct strip_content *content, int y, int lines)
{
	if (lines < 1)
		return;
	if (content->timeline->strip_count == 0) {
		paragraph_draw_cut(screen, 0, y, screen->width, content->nothing, STYLE_DIM);
		return;
	}
	struct parts parts = make_parts(content, lines);
	const int bottom = y + parts.strips;

	struct cursor cursor = {.at = content->cpu, .top = *content->top};
	cursor_keep(&cursor, content->timeline->strip_count, (size_t)larger(parts.strips, 1));
	*content->top = cursor.top;
	for (int i = 0; i < parts.strips; i++)
		draw_strip(screen, content, *content->top + (size_t)i, y + i);
	if (parts.axis > 0)
		draw_axis(screen, content, bottom);
	if (parts.legend > 0) {
		const int rest = lines - parts.strips - parts.axis - DETAIL_MOST;

		parts.legend =
			draw_strip_legend(screen, content, bottom + parts.axis, larger(rest, 1));
	}
	if (parts.detail > 0) {
		/* what is left of the lines is for a sentence that needs more than one */
		const int room = y + lines - bottom - parts.axis - parts.legend;

		paragraph_draw(screen, bottom + parts.axis + parts.legend,
			       smaller(room, DETAIL_MOST), content->detail, STYLE_MESSAGE);
	}
}
