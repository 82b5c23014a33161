#include "widget/frame.h"

#include <stdio.h>

#include "base/minmax.h"
#include "view/table.h"

#include "term/key.h"
#include "term/screen.h"
#include "widget/cpu_meters.h"
#include "widget/list.h"
#include "widget/pager_text.h"
#include "widget/paragraph.h"
#include "widget/prompt.h"

/*
 * From top to bottom: head, meters, CPUs, notes, tabs, verdict, table, footer, slider, message,
 * keys. Column titles, one row and the message line are always there; every other part comes in, in
 * the order of its worth, as long as that leaves some rows. Numbers are shown whole or not at all;
 * sentences are cut, with an ellipsis, but what is said to the user has as many lines as it needs,
 * if there are any.
 */

enum {
	WIDTH_LEAST = 20,
	HEIGHT_LEAST = 3,
	ROWS_LEAST = 3,       /* a part comes in only if so many rows remain */
	ROWS_COMFORTABLE = 8, /* a further line of a sentence, only if so many remain */
	FOOTER_HEIGHT = 12,   /* least height of a screen with a line below the table */
	KEY_GAP = 2
};

/* How many lines each part has. */
struct frame_layout {
	int head, meters, cpus, notes, tabs, verdict, table, footer, slider, message, keys;
};

/* As much of a text as there is room for; returns the column after it. */
static int write_screen_text(struct screen *screen, int x, int y, const char *text,
			     enum style style)
{
	return screen_text(screen, x, y, screen->width - x, text, style);
}

/* So many columns of a line are something that can be pointed at. */
static void mark(struct screen *screen, int x, int y, int width, enum hit_kind kind, size_t index)
{
	screen_mark(screen, x, y, width, 1, kind, index);
}

/* How much of the tabs is shown: all titles, these as close as can be, shorter ones, only that of
 * the active one, or nothing but it. */
enum tabs_form {
	TABS_ALL,
	TABS_CLOSE,
	TABS_SHORT,
	TABS_NUMBERS,
	TABS_ACTIVE
};

enum {
	TAB_BYTES = 96
};

static void write_active_tab(const struct frame *frame, char *text)
{
	const char *mode = frame->tab_mode ? frame->tab_mode : "";

	snprintf(text, TAB_BYTES, "[%zu %s%s%s]", frame->active_tab + 1,
		 frame->views[frame->active_tab].info->name, mode[0] != '\0' ? ": " : "", mode);
}

static void write_tab(const struct frame *frame, size_t index, enum tabs_form form, char *text)
{
	const struct view_info *view = frame->views[index].info;
	const char *name = form == TABS_SHORT && view->short_name ? view->short_name : view->name;

	text[0] = '\0';
	if (index == frame->active_tab)
		write_active_tab(frame, text);
	else if (form == TABS_ALL)
		snprintf(text, TAB_BYTES, " %zu %s ", index + 1, name);
	else if (form == TABS_CLOSE || form == TABS_SHORT)
		snprintf(text, TAB_BYTES, " %zu %s", index + 1, name);
	else if (form == TABS_NUMBERS)
		snprintf(text, TAB_BYTES, " %zu ", index + 1);
}

/* Blanks between two of them. */
static int tabs_gap(enum tabs_form form)
{
	return form == TABS_CLOSE || form == TABS_SHORT ? 0 : 1;
}

/* Columns that the tabs take. */
static int tabs_width(const struct frame *frame, enum tabs_form form)
{
	char text[TAB_BYTES];
	int width = 0;

	for (size_t i = 0; i < frame->tab_count; i++) {
		write_tab(frame, i, form, text);
		width += text[0] != '\0' ? paragraph_width(text) + tabs_gap(form) : 0;
	}
	return width;
}

/* What the tabs may leave to a text that is as wide as that: what their numbers leave, and on a
 * small screen half of it. */
static int filters_room(const struct frame *frame, int width, int screen_width)
{
	const int beside = screen_width - tabs_width(frame, TABS_NUMBERS);

	return smaller(width, larger(beside, screen_width / 2));
}

static void draw_frame_tabs(struct screen *screen, const struct frame *frame, int y)
{
	const char *filters = frame->filters ? frame->filters : "";
	const int whole = paragraph_width(filters);
	int filters_width = filters_room(frame, whole, screen->width);
	enum tabs_form form = TABS_ALL;
	int x = 0;

	while (form != TABS_ACTIVE && tabs_width(frame, form) + filters_width > screen->width)
		form++;
	filters_width = larger(smaller(whole, screen->width - tabs_width(frame, form)), 0);
	for (size_t i = 0; i < frame->tab_count; i++) {
		const bool is_active = i == frame->active_tab;
		char text[TAB_BYTES];

		write_tab(frame, i, form, text);
		if (text[0] == '\0')
			continue;
		const int begin = x;

		x = write_screen_text(screen, x, y, text, is_active ? STYLE_TAB_ACTIVE : STYLE_TAB);
		mark(screen, begin, y, x - begin, HIT_TAB, i);
		x += tabs_gap(form);
	}
	paragraph_draw_cut(screen, screen->width - filters_width, y, filters_width, filters,
			   STYLE_BOLD);
}

static void draw_verdict(struct screen *screen, const struct frame *frame, int y)
{
	int x = 0;

	if (frame->verdict_key) {
		x = write_screen_text(screen, x, y, frame->verdict_key, STYLE_KEY);
		mark(screen, 0, y, screen->width, HIT_KEY, key_parse(frame->verdict_key));
		x++;
	}
	paragraph_draw_cut(screen, x, y, screen->width - x, frame->verdict, STYLE_WARNING);
}

static bool has_prompt(const struct frame *frame)
{
	return frame->prompt && frame->prompt->is_open;
}

static bool has_slider(const struct frame *frame)
{
	return frame->slider && frame->slider[0] != '\0';
}

void frame_draw_nothing(struct screen *screen, const struct frame *frame, int y, int lines)
{
	const char *words = frame->nothing ? frame->nothing : "nothing to show";

	if (view_table_row_count(frame->table) == 0 && lines > 1)
		paragraph_draw_cut(screen, 0, y + 1, screen->width, words, STYLE_DIM);
}

/* Titles and a row stay. */
static int covered_lines(const struct frame *frame, int lines)
{
	return larger(0, smaller(frame->covered, lines - 2));
}

static void draw_table(struct screen *screen, const struct frame *frame, int y, int lines)
{
	lines -= covered_lines(frame, lines);
	if (frame->body) {
		frame->body(frame->body_context, frame, screen, y, lines);
	} else if (!frame->table || !frame->list) {
		screen_text(screen, 0, y, screen->width, "measuring...", STYLE_DIM);
	} else {
		list_draw(frame->list, frame->table, screen, y, lines);
		frame_draw_nothing(screen, frame, y, lines);
	}
}

static void draw_frame_message(struct screen *screen, const struct frame *frame, int y, int lines)
{
	if (has_prompt(frame)) {
		prompt_draw(frame->prompt, screen, y + lines - 1);
		return;
	}
	paragraph_draw(screen, y, lines, frame->message ? frame->message : "",
		       frame->message_is_error ? STYLE_ERROR : STYLE_MESSAGE);
}

void frame_draw_keys(struct screen *screen, const struct frame_key *keys, size_t count, int y)
{
	int x = 0;

	for (size_t i = 0; i < count; i++) {
		const struct frame_key *key = &keys[i];

		if (x + paragraph_width(key->key) + 1 + paragraph_width(key->label) > screen->width)
			return;
		const int begin = x;

		x = write_screen_text(screen, x, y, key->key, STYLE_KEY);
		x++;
		x = write_screen_text(screen, x, y, key->label, STYLE_NORMAL);
		if (key_parse(key->key) != KEY_CODE_NONE)
			mark(screen, begin, y, x - begin, HIT_KEY, key_parse(key->key));
		x += KEY_GAP;
	}
}

/* Gives a part one line if that leaves enough rows. */
static void take_line(struct frame_layout *layout, int *part, int least)
{
	if (layout->table - 1 - 1 >= least) {
		*part += 1;
		layout->table--;
	}
}

/* Most lines of CPUs: the table has most of the screen. */
static int cpu_lines_most(int height)
{
	/* clang-format off */
	static const struct { int height, lines; } steps[] = {
		{80, 9}, {60, 6}, {40, 4}, {30, 3}, {24, 2}, {20, 1},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (height >= steps[i].height)
			return steps[i].lines;
	return 0;
}

static void take_cpu_lines(struct frame_layout *layout, const struct frame *frame, int width,
			   int height)
{
	int wanted = 0;

	if (frame->cpus)
		wanted = cpu_meters_lines(frame->cpus, width, cpu_lines_most(height));
	while (wanted-- > 0)
		take_line(layout, &layout->cpus, ROWS_COMFORTABLE);
}

static void take_meter_lines(struct frame_layout *layout, const struct frame *frame, int width,
			     int height)
{
	const int wanted = layout->meters > 0 ? meters_lines(&frame->head, width, height) : 0;

	while (layout->meters < wanted && layout->table - 2 >= ROWS_COMFORTABLE)
		take_line(layout, &layout->meters, ROWS_COMFORTABLE);
}

static struct frame_layout make_frame_layout(const struct frame *frame, int width, int height)
{
	struct frame_layout layout = {.message = 1, .table = height - 1};
	const int wanted =
		frame->head.form == HEAD_FULL ? head_notes_lines(&frame->head, width) : 0;

	if (has_slider(frame))
		take_line(&layout, &layout.slider, ROWS_LEAST);
	if (frame->head.form != HEAD_NONE)
		take_line(&layout, &layout.head, ROWS_LEAST);
	if (frame->tab_count > 0)
		take_line(&layout, &layout.tabs, ROWS_LEAST);
	if (frame->head.summary && frame->head.form == HEAD_FULL)
		take_line(&layout, &layout.meters, ROWS_LEAST);
	if (frame->verdict && frame->verdict[0] != '\0')
		take_line(&layout, &layout.verdict, ROWS_LEAST);
	if (wanted > 0)
		take_line(&layout, &layout.notes, ROWS_LEAST);
	if (frame->key_count > 0)
		take_line(&layout, &layout.keys, ROWS_LEAST);
	if (frame->footer && frame->footer[0] != '\0' && height >= FOOTER_HEIGHT)
		take_line(&layout, &layout.footer, ROWS_LEAST);
	if (frame->head.form == HEAD_FULL) {
		take_cpu_lines(&layout, frame, width, height);
		take_meter_lines(&layout, frame, width, height);
	}
	while (layout.notes > 0 && layout.notes < wanted && layout.table - 2 >= ROWS_COMFORTABLE)
		take_line(&layout, &layout.notes, ROWS_COMFORTABLE);
	if (!has_prompt(frame) && frame->message)
		for (int more = paragraph_lines(frame->message, width) - 1; more > 0; more--)
			take_line(&layout, &layout.message, ROWS_COMFORTABLE);
	return layout;
}

/* Everything above the message line; returns the line after it. */
static int draw_main(struct screen *screen, const struct frame *frame,
		     const struct frame_layout *layout)
{
	int y = 0;

	if (layout->head > 0)
		head_draw(screen, &frame->head, y);
	y += layout->head;
	if (layout->meters > 0)
		meters_draw(screen, &frame->head, y, layout->meters);
	y += layout->meters;
	if (layout->cpus > 0)
		cpu_meters_draw(screen, frame->cpus, y, layout->cpus);
	y += layout->cpus;
	if (layout->notes > 0)
		head_draw_notes(screen, &frame->head, y, layout->notes);
	y += layout->notes;
	if (layout->tabs > 0)
		draw_frame_tabs(screen, frame, y);
	y += layout->tabs;
	if (layout->verdict > 0)
		draw_verdict(screen, frame, y);
	y += layout->verdict;
	draw_table(screen, frame, y, layout->table);
	y += layout->table;
	if (layout->footer > 0) {
		paragraph_draw_cut(screen, 0, y, screen->width, frame->footer,
				   frame->footer_is_warning ? STYLE_WARNING : STYLE_NORMAL);
	}
	return y + layout->footer;
}

static void draw_slider(struct screen *screen, const struct frame *frame, int y)
{
	paragraph_draw_cut(screen, 0, y, screen->width, frame->slider, STYLE_BAR);
	if (frame->slider_mark >= 0)
		screen_select_cell(screen, frame->slider_mark, y);
	mark(screen, frame->slider_first, y, frame->slider_cells, HIT_SLIDER, 0);
}

/* Where the slider has no line, it has that of the message while there is none: that this is not
 * the present must be seen. */
static bool slider_is_message(const struct frame *frame, const struct frame_layout *layout)
{
	return layout->slider == 0 && has_slider(frame) && !has_prompt(frame) &&
	       (!frame->message || frame->message[0] == '\0');
}

/* Its first line is its title. */
static void draw_pane(struct screen *screen, const struct frame *frame)
{
	int y, end;

	if (!frame->pane)
		return;
	end = frame_free(screen, frame, &y) + y;
	pager_text_draw_part(screen, frame->pane, frame->pane_y, end - frame->pane_y);
	screen_restyle(screen, 0, frame->pane_y, screen->width, STYLE_TITLE);
	screen_mark(screen, 0, frame->pane_y, screen->width, end - frame->pane_y, HIT_PANE, 0);
}

static void draw_parts(struct screen *screen, const struct frame *frame)
{
	const struct frame_layout layout = make_frame_layout(frame, screen->width, screen->height);
	int y = screen->height - layout.slider - layout.message - layout.keys;

	if (frame->pager)
		pager_text_draw(screen, frame->pager, y);
	else
		y = draw_main(screen, frame, &layout);
	draw_pane(screen, frame);
	if (layout.slider > 0)
		draw_slider(screen, frame, y);
	y += layout.slider;
	if (slider_is_message(frame, &layout))
		draw_slider(screen, frame, y);
	else
		draw_frame_message(screen, frame, y, layout.message);
	if (layout.keys > 0)
		frame_draw_keys(screen, frame->keys, frame->key_count, y + layout.message);
}

bool frame_has_room(const struct screen *screen)
{
	return screen->width >= WIDTH_LEAST && screen->height >= HEIGHT_LEAST;
}

bool frame_begin(struct screen *screen)
{
	screen_clear(screen);
	if (!frame_has_room(screen))
		screen_text(screen, 0, 0, screen->width, "perftop: terminal too small",
			    STYLE_NORMAL);
	return frame_has_room(screen);
}

int frame_table(const struct screen *screen, const struct frame *frame, int *lines)
{
	const struct frame_layout layout = make_frame_layout(frame, screen->width, screen->height);

	*lines = layout.table;
	return layout.head + layout.meters + layout.cpus + layout.notes + layout.tabs +
	       layout.verdict;
}

int frame_covered(const struct screen *screen, const struct frame *frame, int *lines)
{
	int table_lines;
	const int y = frame_table(screen, frame, &table_lines);

	*lines = frame->pager || !frame_has_room(screen) ? 0 : covered_lines(frame, table_lines);
	return y + table_lines - *lines;
}

int frame_free(const struct screen *screen, const struct frame *frame, int *y)
{
	const size_t rows = frame->table ? view_table_row_count(frame->table) : 0;
	int lines;

	*y = 0;
	if (rows == 0 || rows >= (size_t)screen->height || frame->pager || frame->body ||
	    !frame_has_room(screen))
		return 0;
	*y = frame_table(screen, frame, &lines) + 1 + (int)rows;
	return larger(0, lines - covered_lines(frame, lines) - 1 - (int)rows);
}

void frame_draw(struct screen *screen, const struct frame *frame)
{
	if (frame_begin(screen))
		draw_parts(screen, frame);
}
