#include "widget/cpu_meters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "view/meters.h"
#include "view/trends.h"

#include "term/screen.h"
#include "widget/graph.h"

/*
 * Items are in columns, so that the same CPU is at the same place always. Cells come in groups of
 * eight with a blank between them, and each line begins with the number of its first CPU. A cell of
 * several CPUs is as high as these were busy on average, and coloured by how well they did,
 * weighted by how busy they were; how many they are is said at the end of the first line.
 */

enum {
	GAP = 3, /* between bars */
	BAR_GOOD = 12,
	BAR_LEAST = 4,  /* where there are no lines for good ones */
	BUSY_WIDTH = 4, /* "100%" */
	GROUP = 8,      /* cells */
	CELL_WIDE = 2,
	COUNT_WIDTH = 5 /* " x256" behind the first line of a heat map */
};

static int divide_up(int a, int b)
{
	return (a + b - 1) / b;
}

static int digits_of(int number)
{
	int digits = 1;

	for (; number >= 10; number /= 10)
		digits++;
	return digits;
}

/* Bars so wide that they can be read, or as wide as the lines allow; spread over these evenly. */
static bool fold_bars(struct cpu_fold *fold, int count, int text_width, int width, int most)
{
	const int fixed = fold->label + 1 + 1 + text_width;
	int bar = BAR_GOOD + 1;
	int per_line;

	do {
		bar--;
		per_line = (width + GAP) / (fixed + bar + GAP);
	} while (bar > BAR_LEAST && (per_line < 1 || divide_up(count, per_line) > most));
	if (per_line < 1 || divide_up(count, per_line) > most)
		return false;
	fold->form = CPU_FORM_BARS;
	fold->lines = divide_up(count, per_line);
	fold->per_line = divide_up(count, fold->lines);
	fold->item = (width + GAP) / fold->per_line - GAP;
	return true;
}

/* How many cells of so many columns find room in a line, in whole groups if there is one. */
static int cells_in(int columns, int item)
{
	const int groups = (columns + 1) / (GROUP * item + 1);

	return groups > 0 ? groups * GROUP : columns / item;
}

static bool fold_cells(struct cpu_fold *fold, int cells, int columns, int item, int most)
{
	const int per_line = cells_in(columns, item);

	if (per_line < 1 || divide_up(cells, per_line) > most)
		return false;
	fold->form = fold->cpus > 1 ? CPU_FORM_HEAT : CPU_FORM_CELLS;
	fold->lines = divide_up(cells, per_line);
	fold->item = item;
	/* whole groups, spread over the lines evenly */
	fold->per_line = smaller(per_line, divide_up(divide_up(cells, fold->lines), GROUP) * GROUP);
	return true;
}

struct cpu_fold cpu_fold_make(size_t count, int last_cpu, int text_width, int width, int most)
{
	struct cpu_fold fold = {.label = digits_of(last_cpu), .cpus = 1};
	const int columns = width - fold.label - 1;
	const int all = (int)count;

	if (all == 0 || most < 1 || fold_bars(&fold, all, text_width, width, most))
		return fold;
	if (fold_cells(&fold, all, columns, 1, most)) {
		/* wide ones where that takes no line from the table */
		fold_cells(&fold, all, columns, CELL_WIDE, fold.lines);
		return fold;
	}
	while (fold.cpus < all) {
		fold.cpus *= 2;
		if (fold_cells(&fold, divide_up(all, fold.cpus), columns - COUNT_WIDTH, 1, most))
			return fold;
	}
	return (struct cpu_fold){.form = CPU_FORM_NONE};
}

/* " IPC 1.93" behind how busy it was, where there is room for that at each bar. */
static int words_width(const struct cpu_meters *meters)
{
	return meters->name[0] != '\0' ? 1 + (int)strlen(meters->name) + 1 + meters->text_width : 0;
}

static struct cpu_fold fold_of_meters(const struct cpu_meters *meters, int width, int most)
{
	const int last = meters->count > 0 ? meters->meters[meters->count - 1].cpu : 0;
	const int words = words_width(meters);
	struct cpu_fold fold = cpu_fold_make(meters->count, last, BUSY_WIDTH + words, width, most);

	if (fold.form == CPU_FORM_BARS) {
		fold.words = words;
		return fold;
	}
	return cpu_fold_make(meters->count, last, BUSY_WIDTH, width, most);
}

int cpu_meters_lines(const struct cpu_meters *meters, int width, int most)
{
	const struct cpu_fold fold = fold_of_meters(meters, width, most);

	/* the last line is for bars, which say more */
	return fold.form == CPU_FORM_BARS
		       ? fold.lines
		       : fold_of_meters(meters, width, larger(1, most - 1)).lines;
}

static void draw_cpu_number(struct screen *screen, int x, int y, int columns, int cpu)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", cpu);
	screen_text_right(screen, x, y, columns, text, STYLE_DIM);
}

static void draw_busy(struct screen *screen, const struct cpu_meter *meter, int x, int y,
		      enum style style)
{
	char text[16];

	snprintf(text, sizeof(text), "%.0f%%", meter->busy_pct);
	if (isnan(meter->busy_pct))
		screen_text_right(screen, x, y, BUSY_WIDTH, "–", STYLE_DIM);
	else
		screen_text_right(screen, x, y, BUSY_WIDTH, text, style);
}

/* What it is coloured by. */
static void draw_meter_words(struct screen *screen, const struct cpu_meters *meters,
			     const struct cpu_meter *meter, int x, int y)
{
	const int name = (int)strlen(meters->name);
	const bool is_unknown = strcmp(meter->text, "-") == 0;

	screen_text(screen, x + 1, y, name, meters->name, STYLE_DIM);
	screen_text_right(
		screen, x + 1 + name + 1, y, meters->text_width, is_unknown ? "–" : meter->text,
		is_unknown ? STYLE_DIM : style_of_goodness(meter->goodness, STYLE_NORMAL));
}

static void draw_bar(struct screen *screen, const struct cpu_fold *fold,
		     const struct cpu_meters *meters, size_t index, int x, int y)
{
	const struct cpu_meter *meter = &meters->meters[index];
	const int bar = fold->item - fold->label - 1 - 1 - BUSY_WIDTH - fold->words;
	const enum style style = style_of_goodness(meter->goodness, STYLE_NORMAL);

	draw_cpu_number(screen, x, y, fold->label, meter->cpu);
	x += fold->label + 1;
	graph_draw_bar(screen, x, y, bar, meter->busy_pct, meter->system_pct,
		       style_of_goodness(meter->goodness, STYLE_BAR));
	x += bar + 1;
	draw_busy(screen, meter, x, y, fold->words > 0 ? STYLE_NORMAL : style);
	if (fold->words > 0)
		draw_meter_words(screen, meters, meter, x + BUSY_WIDTH, y);
}

static void draw_bars(struct screen *screen, const struct cpu_fold *fold,
		      const struct cpu_meters *meters, int y)
{
	for (size_t i = 0; i < meters->count; i++) {
		const int line = (int)i / fold->per_line;
		const int column = (int)i % fold->per_line;

		draw_bar(screen, fold, meters, i, column * (fold->item + GAP), y + line);
	}
}

/* What a cell of several CPUs is like. */
static struct cpu_meter mean_of(const struct cpu_meter *meters, size_t count)
{
	double busy = 0, known = 0, good = 0, weight = 0;

	for (size_t i = 0; i < count; i++) {
		if (isnan(meters[i].busy_pct))
			continue;
		busy += meters[i].busy_pct;
		known++;
		if (meters[i].goodness >= 0) {
			good += meters[i].goodness * meters[i].busy_pct;
			weight += meters[i].busy_pct;
		}
	}
	return (struct cpu_meter){
		.cpu = meters[0].cpu,
		.busy_pct = known > 0 ? busy / known : NAN,
		.goodness = weight > 0 ? (int)lround(good / weight) : -1,
	};
}

static void draw_meter_cell(struct screen *screen, const struct cpu_meter *cell, int x, int y,
			    int columns)
{
	const bool is_unknown = isnan(cell->busy_pct);
	const char *sign = is_unknown ? (screen->is_ascii ? "?" : "–")
				      : spark_sign(cell->busy_pct / 100, screen->is_ascii);

	screen_fill(screen, x, y, columns, sign,
		    is_unknown ? STYLE_DIM : style_of_goodness(cell->goodness, STYLE_BAR));
}

static void draw_cells(struct screen *screen, const struct cpu_fold *fold,
		       const struct cpu_meters *meters, int y)
{
	const size_t cpus = (size_t)fold->cpus;

	for (size_t i = 0; i * cpus < meters->count; i++) {
		const size_t first = i * cpus;
		const size_t left = meters->count - first;
		const struct cpu_meter cell =
			mean_of(&meters->meters[first], left < cpus ? left : cpus);
		const int line = y + (int)i / fold->per_line;
		const int place = (int)i % fold->per_line;

		if (place == 0)
			draw_cpu_number(screen, 0, line, fold->label, cell.cpu);
		draw_meter_cell(screen, &cell, fold->label + 1 + place * fold->item + place / GROUP,
				line, fold->item);
	}
}

static void draw_count(struct screen *screen, const struct cpu_fold *fold, int y)
{
	const int end = fold->label + 1 + fold->per_line + (fold->per_line - 1) / GROUP;
	char text[16];

	snprintf(text, sizeof(text), "%s%d", "×", fold->cpus);
	screen_text(screen, end + 1, y, COUNT_WIDTH - 1, text, STYLE_DIM);
}

void cpu_meters_draw(struct screen *screen, const struct cpu_meters *meters, int y, int lines)
{
	const struct cpu_fold fold = fold_of_meters(meters, screen->width, lines);

	switch (fold.form) {
	case CPU_FORM_NONE:
		break;
	case CPU_FORM_BARS:
		draw_bars(screen, &fold, meters, y);
		break;
	case CPU_FORM_HEAT:
		draw_count(screen, &fold, y);
		draw_cells(screen, &fold, meters, y);
		break;
	case CPU_FORM_CELLS:
		draw_cells(screen, &fold, meters, y);
		break;
	}
}
