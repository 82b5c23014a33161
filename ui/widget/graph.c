/*
 * A cell of braille is two intervals wide and four dots high. All dots of a cell have one colour,
 * that of most of them; the higher the line the warmer it is. Without braille a cell is as high as
 * the higher of its intervals.
 */
#include "widget/graph.h"

#include <math.h>

#include "base/minmax.h"
#include "view/trends.h"

#include "term/screen.h"

enum {
	PER_CELL = 2, /* intervals */
	DOTS = 4      /* of a cell, one over the other */
};

/* Dots of an interval, from the bottom; 0: nothing is known. */
struct dots {
	int all, system;
};

static struct dots make_dots(const struct meter_interval *interval, int lines)
{
	const double busy = interval->points[METER_BUSY].value;
	const double system = interval->points[METER_SYSTEM].value;
	const double dot_pct = 100.0 / (DOTS * lines);
	struct dots dots = {0};

	if (isnan(busy))
		return dots;
	/* that it was idle is known, too */
	dots.all = larger(1, smaller((int)lround(busy / dot_pct), DOTS * lines));
	if (!isnan(system))
		dots.system = smaller((int)lround(system / dot_pct), dots.all);
	return dots;
}

static int dots_in_line(int dots, int line)
{
	return larger(0, smaller(dots - DOTS * line, DOTS));
}

/* The signs of braille are in the order of the bits of their dots. */
static void write_braille(char text[static 4], const int heights[static PER_CELL])
{
	static const unsigned int bits[PER_CELL][DOTS] = {{0x40, 0x04, 0x02, 0x01},
							  {0x80, 0x20, 0x10, 0x08}};
	unsigned int sign = 0x2800;

	for (int i = 0; i < PER_CELL; i++)
		for (int dot = 0; dot < heights[i]; dot++)
			sign |= bits[i][dot];
	text[0] = (char)(0xe0 | sign >> 12);
	text[1] = (char)(0x80 | (sign >> 6 & 0x3f));
	text[2] = (char)(0x80 | (sign & 0x3f));
	text[3] = '\0';
}

/* line: from the bottom. */
static void draw_graph_cell(struct screen *screen, int x, int y, const struct dots *dots, int line,
			    int lines)
{
	static const char *const ascii[DOTS + 1] = {" ", ".", ":", "|", "|"};
	const int heights[PER_CELL] = {dots_in_line(dots[0].all, line),
				       dots_in_line(dots[1].all, line)};
	const int all = heights[0] + heights[1];
	const int system = dots_in_line(dots[0].system, line) + dots_in_line(dots[1].system, line);
	const enum style style =
		2 * system >= all ? STYLE_SYSTEM : (enum style)(STYLE_LOAD_0 + 4 * line / lines);
	char text[4];

	if (all == 0)
		return;
	write_braille(text, heights);
	screen_text(screen, x, y, 1,
		    screen->is_ascii ? ascii[larger(heights[0], heights[1])] : text, style);
}

void graph_draw(struct screen *screen, int y, int columns, int lines,
		const struct meter_history *history, uint64_t time_ns)
{
	size_t count;
	const struct meter_interval *last = meter_history_last(
		history, time_ns, (size_t)(columns > 0 ? columns * PER_CELL : 0), &count);

	for (int cell = 0; cell < columns; cell++) {
		struct dots dots[PER_CELL] = {0};

		for (int i = 0; i < PER_CELL; i++) {
			const size_t behind = (size_t)((columns - cell) * PER_CELL - i);

			if (behind <= count)
				dots[i] = make_dots(&last[count - behind], lines);
		}
		for (int line = 0; line < lines; line++)
			draw_graph_cell(screen, cell, y + lines - 1 - line, dots, line, lines);
	}
}

void graph_draw_spark(struct screen *screen, int x, int y, int columns, enum meter_kind kind,
		      const struct meter_history *history, uint64_t time_ns)
{
	size_t count;
	const struct meter_interval *last =
		meter_history_last(history, time_ns, (size_t)columns, &count);
	const double top = meter_history_top(kind, last, count);
	const int begin = x + columns - (int)count;

	for (size_t i = 0; i < count; i++) {
		const struct meter_point *point = &last[i].points[kind];

		screen_text(screen, begin + (int)i, y, 1,
			    spark_sign((double)point->value / top, screen->is_ascii),
			    style_of_goodness(point->goodness, STYLE_BAR));
	}
}

void graph_mark_system(struct screen *screen, int x, int y, int columns, double pct,
		       double system_pct)
{
	const int end = pct > 0 ? larger(1, smaller((int)ceil(pct / 100 * columns), columns)) : 0;
	const int system =
		system_pct > 0 ? smaller((int)lround(system_pct / 100 * columns), end) : 0;

	screen_restyle(screen, x + end - system, y, system, STYLE_SYSTEM);
}

void graph_draw_bar(struct screen *screen, int x, int y, int columns, double pct, double system_pct,
		    enum style style)
{
	screen_bar(screen, x, y, columns, pct, style);
	graph_mark_system(screen, x, y, columns, pct, system_pct);
	for (int i = 0; i < columns && !isnan(pct); i++)
		if (screen_is_blank(screen, x + i, y))
			screen_text(screen, x + i, y, 1, screen->is_ascii ? "." : "▁", STYLE_DIM);
}
