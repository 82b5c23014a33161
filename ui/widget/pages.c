/*
 * The browser is, from top to bottom: tabs, search, list, details, message, keys; the set-up page:
 * tabs, titles of the lists, lists, details, message, keys. The list with the cursor, and what is
 * typed, are there on every screen; details and keys come in where there is room. A long message
 * covers the lines before it.
 */

#include "widget/pages.h"

#include <string.h>

#include "base/minmax.h"

#include "widget/frame.h"
#include "widget/paragraph.h"
#include "widget/prompt.h"

enum {
	HEAD_LINES = 2,  /* tabs, and the search or the titles of the lists */
	KEYS_HEIGHT = 8, /* least height of a screen with a key line */
	MESSAGE_LINES_MOST = 3,
	GAP = 2,
	/* of the browser */
	SIDE_WIDTH = 110,     /* least width with details at the side */
	BELOW_BODY = 9,       /* least lines for list and details one over the other */
	BROWSER_DETAILS = 12, /* most lines of details under a list */
	LIST_WIDTH_MOST = 76,
	STATE_WIDTH = 17, /* "multiplexed 33 %" */
	SOURCE_WIDTH = 16,
	SOURCE_LIST = 64, /* least width of a list that says where events come from */
	/* of the set-up page */
	TWO_KEYS_HEIGHT = 14, /* least height with two key lines */
	TWO_LISTS_WIDTH = 60, /* least width with both lists */
	LEFT_MOST = 40,       /* columns of the left list */
	SETUP_BODY = 8,       /* least lines for lists and details */
	SETUP_DETAILS = 3,
	NAME_WIDTH = 13,      /* columns of a name and a blank, */
	NAME_WIDTH_WIDE = 19, /* and in a list that is */
	LIST_WIDE = 60        /* so wide */
};

/* Returns the column after it. Without colours the brackets say which one is open. */
static int draw_tab(struct screen *screen, int x, int end, const char *text, bool is_active)
{
	const enum style style = is_active ? STYLE_TAB_ACTIVE : STYLE_TAB;

	x = screen_text(screen, x, 0, end - x, is_active ? "[" : " ", style);
	x = paragraph_draw_cut(screen, x, 0, end - x, text, style);
	return screen_text(screen, x, 0, 1, is_active ? "]" : " ", style) + 1;
}

/* Its last line is at y. */
static void draw_message(struct screen *screen, const char *message, bool is_error, int y)
{
	const int wanted = paragraph_lines(message, screen->width);
	const int lines = smaller(smaller(wanted, MESSAGE_LINES_MOST), y - HEAD_LINES + 1);

	for (int i = 0; i < lines && message[0] != '\0'; i++)
		screen_fill(screen, 0, y - i, screen->width, " ", STYLE_NORMAL);
	paragraph_draw(screen, y - lines + 1, lines, message,
		       is_error ? STYLE_ERROR : STYLE_MESSAGE);
}

/* Where things are in the browser. */
struct browser_layout {
	int list_width, list_lines;
	int detail_x, detail_y, detail_width, detail_lines; /* 0 lines: none */
	int message_y;
	bool has_keys;
};

static struct browser_layout browser_layout(int width, int height)
{
	struct browser_layout layout = {.has_keys = height >= KEYS_HEIGHT, .list_width = width};
	int body;

	layout.message_y = height - 1 - (layout.has_keys ? 1 : 0);
	body = layout.message_y - HEAD_LINES;
	layout.list_lines = body > 0 ? body : 0;
	if (width >= SIDE_WIDTH) {
		layout.list_width = smaller(width * 3 / 5, LIST_WIDTH_MOST);
		layout.detail_x = layout.list_width + GAP;
		layout.detail_y = HEAD_LINES;
		layout.detail_width = width - layout.detail_x;
		layout.detail_lines = layout.list_lines;
	} else if (body >= BELOW_BODY) {
		layout.detail_lines = smaller(body * 2 / 5, BROWSER_DETAILS);
		layout.list_lines = body - layout.detail_lines - 1;
		layout.detail_y = HEAD_LINES + layout.list_lines + 1;
		layout.detail_width = width;
	}
	return layout;
}

size_t browser_page(int width, int height)
{
	return (size_t)browser_layout(width, height).list_lines;
}

static void draw_browser_tabs(struct screen *screen, const struct browser_content *content)
{
	const int place_width = paragraph_width(content->position);
	int x = screen_text(screen, 0, 0, screen->width, "events", STYLE_BOLD) + GAP;

	for (size_t i = 0; i < BROWSER_TABS; i++) {
		const bool is_active = i == content->active_tab;

		if (content->tabs[i][0] != '\0')
			x = draw_tab(screen, x, screen->width - 1, content->tabs[i], is_active);
	}
	if (x + place_width <= screen->width)
		screen_text_right(screen, x, 0, screen->width - x, content->position, STYLE_DIM);
}

/* A name that has no room loses what it has in common with its neighbours first: the PMU before
 * "::". */
static void draw_name(struct screen *screen, const char *name, int y, int width)
{
	const char *own = strstr(name, "::");
	int x = 0;

	if (own && paragraph_width(name) > width) {
		x = screen_text(screen, 0, y, width, "…", STYLE_DIM);
		name = own;
	}
	paragraph_draw_cut(screen, x, y, width - x, name, STYLE_NORMAL);
}

static void draw_browser_line(struct screen *screen, const struct browser_line *line, int y,
			      int width)
{
	const bool has_source = width >= SOURCE_LIST;
	const int state_width = smaller(STATE_WIDTH, width / 2);
	const int source_x = width - state_width - SOURCE_WIDTH;
	const int name_width = (has_source ? source_x : width - state_width) - 1;

	draw_name(screen, line->name, y, name_width);
	if (has_source)
		paragraph_draw_cut(screen, source_x, y, SOURCE_WIDTH - 1, line->source, STYLE_DIM);
	paragraph_draw_cut(screen, width - state_width, y, state_width, line->state, line->style);
}

static void draw_browser_lines(struct screen *screen, const struct browser_content *content,
			       const struct browser_layout *layout)
{
	if (content->line_count == 0) {
		paragraph_draw_cut(screen, 0, HEAD_LINES, layout->list_width, content->nothing,
				   STYLE_DIM);
	}
	for (size_t i = 0; i < content->line_count && (int)i < layout->list_lines; i++) {
		const int y = HEAD_LINES + (int)i;

		draw_browser_line(screen, &content->lines[i], y, layout->list_width);
		screen_mark(screen, 0, y, layout->list_width, 1, HIT_LINE, i);
		if (i == content->selected)
			screen_select_columns(screen, y, layout->list_width);
	}
}

/* Draws a text into `lines` lines from y on, without the first `skipped` ones; returns how many it
 * took. */
static int draw_text(struct screen *screen, const struct browser_layout *layout, int y, int lines,
		     const char *text, int skipped, enum style style)
{
	int drawn = 0;

	while (text && drawn < lines) {
		const char *begin;
		const size_t length = paragraph_wrap(&text, layout->detail_width, &begin);

		if (skipped-- > 0)
			continue;
		screen_text_part(screen, layout->detail_x, y + drawn, layout->detail_width, begin,
				 length, style);
		drawn++;
	}
	return drawn;
}

/* What has no room comes by pages, with a line that says so. */
static void draw_pages(struct screen *screen, const struct browser_content *content,
		       const struct browser_layout *layout, int y, int lines)
{
	const int all = paragraph_lines(content->detail, layout->detail_width);
	int page = lines - 1;
	int skipped = 0;

	if (all <= lines || page < 1) {
		page = lines;
	} else {
		const size_t pages = (size_t)((all + page - 1) / page);

		skipped = (int)(content->detail_page % pages) * page;
		screen_text(screen, layout->detail_x, y + page, layout->detail_width, "… ^N: more",
			    STYLE_DIM);
	}
	draw_text(screen, layout, y, page, content->detail, skipped, STYLE_NORMAL);
}

static void draw_detail(struct screen *screen, const struct browser_content *content,
			const struct browser_layout *layout)
{
	const char *bar = "│";
	int drawn;

	if (layout->detail_lines == 0)
		return;
	if (layout->detail_x == 0)
		screen_fill(screen, 0, layout->detail_y - 1, screen->width, "─", STYLE_DIM);
	for (int i = 0; i < layout->detail_lines && layout->detail_x > 0; i++) {
		screen_text(screen, layout->detail_x - GAP, layout->detail_y + i, 1, bar,
			    STYLE_DIM);
	}
	if (content->heading[0] == '\0')
		return;
	drawn = draw_text(screen, layout, layout->detail_y, layout->detail_lines, content->heading,
			  0, STYLE_BOLD);
	draw_pages(screen, content, layout, layout->detail_y + drawn, layout->detail_lines - drawn);
}

void browser_draw(struct screen *screen, const struct browser_content *content)
{
	const struct browser_layout layout = browser_layout(screen->width, screen->height);

	draw_browser_tabs(screen, content);
	draw_browser_lines(screen, content, &layout);
	draw_detail(screen, content, &layout);
	draw_message(screen, content->message, content->message_is_error, layout.message_y);
	if (layout.has_keys)
		frame_draw_keys(screen, content->keys, content->key_count, layout.message_y + 1);
	/* last: the text cursor is here */
	prompt_draw(content->search, screen, 1);
}

/* Where things are in the set-up page. */
struct setup_layout {
	int x[2], width[2]; /* of the lists; width 0: not there */
	int lines;
	int detail_y; /* 0: none */
	int message_y;
	int key_lines;
};

static struct setup_layout setup_layout(int width, int height, size_t active)
{
	struct setup_layout layout = {0};
	int body;

	layout.key_lines = height >= TWO_KEYS_HEIGHT ? 2 : height >= KEYS_HEIGHT ? 1 : 0;
	layout.message_y = height - 1 - layout.key_lines;
	body = layout.message_y - HEAD_LINES;
	layout.lines = body > 0 ? body : 0;
	if (body >= SETUP_BODY) {
		layout.lines = body - SETUP_DETAILS - 1;
		layout.detail_y = HEAD_LINES + layout.lines + 1;
	}
	if (width < TWO_LISTS_WIDTH) {
		layout.width[active] = width;
		return layout;
	}
	layout.width[0] = smaller(width * 2 / 5, LEFT_MOST);
	layout.x[1] = layout.width[0] + GAP;
	layout.width[1] = width - layout.x[1];
	return layout;
}

size_t setup_page(int width, int height)
{
	return (size_t)setup_layout(width, height, 0).lines;
}

/* As many tabs as have room beside the state, the active one among them. */
static void draw_setup_tabs(struct screen *screen, const struct setup_content *content)
{
	const int state_width = paragraph_width(content->state);
	const int end = screen->width - (state_width > 0 ? state_width + 1 : 0);
	size_t first = 0;
	int x = screen_text(screen, 0, 0, end, "Setup", STYLE_BOLD) + GAP;
	int needed = 0;

	for (size_t i = 0; i <= content->active_tab; i++)
		needed += paragraph_width(content->tabs[i]) + 3;
	while (first < content->active_tab && x + needed > end)
		needed -= paragraph_width(content->tabs[first++]) + 3;
	for (size_t i = first; i < content->tab_count && x < end; i++)
		x = draw_tab(screen, x, end, content->tabs[i], i == content->active_tab);
	screen_text_right(screen, 0, 0, screen->width, content->state, STYLE_WARNING);
}

static void draw_setup_line(struct screen *screen, const struct setup_line *line, int x, int y,
			    int width)
{
	const int tail_width = paragraph_width(line->tail);
	const int end = x + width - (tail_width > 0 ? tail_width + 1 : 0);
	const int note_x = x + (width < LIST_WIDE ? NAME_WIDTH : NAME_WIDTH_WIDE);
	int at = paragraph_draw_cut(screen, x, y, end - x, line->name, STYLE_NORMAL) + 1;

	at = at < note_x ? note_x : at;
	if (at < end)
		paragraph_draw_cut(screen, at, y, end - at, line->note, STYLE_DIM);
	screen_text_right(screen, end, y, x + width - end, line->tail, STYLE_NORMAL);
}

static void select_columns(struct screen *screen, int x, int y, int width)
{
	for (int i = 0; i < width; i++)
		screen_select_cell(screen, x + i, y);
}

static void draw_list(struct screen *screen, const struct setup_list_content *list, int x,
		      int width, int lines, bool is_active)
{
	paragraph_draw_cut(screen, x, 1, width, list->title,
			   is_active ? STYLE_TITLE_SORTED : STYLE_TITLE);
	if (list->line_count == 0 && lines > 0)
		paragraph_draw_cut(screen, x, HEAD_LINES, width, list->nothing, STYLE_DIM);
	for (size_t i = 0; i < list->line_count && (int)i < lines; i++) {
		const int y = HEAD_LINES + (int)i;

		draw_setup_line(screen, &list->lines[i], x, y, width);
		if (i == list->selected && is_active)
			select_columns(screen, x, y, width);
	}
}

/* Half of them on each line, where there are two. */
static void draw_keys(struct screen *screen, const struct setup_content *content, int y, int lines)
{
	const size_t first = lines == 2 ? (content->key_count + 1) / 2 : content->key_count;

	if (lines > 0)
		frame_draw_keys(screen, content->keys, first, y);
	if (lines > 1)
		frame_draw_keys(screen, content->keys + first, content->key_count - first, y + 1);
}

void setup_draw(struct screen *screen, const struct setup_content *content)
{
	const struct setup_layout layout =
		setup_layout(screen->width, screen->height, content->active_list);

	draw_setup_tabs(screen, content);
	for (size_t i = 0; i < 2; i++) {
		if (layout.width[i] > 0)
			draw_list(screen, &content->lists[i], layout.x[i], layout.width[i],
				  layout.lines, i == content->active_list);
	}
	if (layout.detail_y > 0) {
		screen_fill(screen, 0, layout.detail_y - 1, screen->width, "─", STYLE_DIM);
		paragraph_draw(screen, layout.detail_y, SETUP_DETAILS, content->detail,
			       STYLE_NORMAL);
	}
	draw_message(screen, content->message, content->message_is_error, layout.message_y);
	draw_keys(screen, content, layout.message_y + 1, layout.key_lines);
}
