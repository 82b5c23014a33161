#include "widget/browser.h"

#include <string.h>

#include "base/minmax.h"
#include "base/strbuf.h"

#include "widget/frame.h"
#include "widget/paragraph.h"
#include "widget/prompt.h"

/*
 * From top to bottom: tabs, search, list, details, message, keys. The list and what is typed are
 * there on every screen; details and keys come in where there is room. A long message covers
 * the lines before it.
 */

enum {
	HEAD_LINES = 2,   /* tabs and search */
	KEYS_HEIGHT = 8,  /* least height of a screen with a key line */
	WIDE = 110,       /* least width of one with details at the side */
	BELOW_BODY = 9,   /* least lines for list and details one over the other */
	DETAIL_MOST = 12, /* lines of details under a list */
	LIST_WIDTH_MOST = 76,
	STATE_WIDTH = 17, /* "multiplexed 33 %" */
	SOURCE_WIDTH = 16,
	SOURCE_LIST = 64, /* least width of a list that says where events come from */
	MESSAGE_LINES_MOST = 3,
	GAP = 2
};

/* Where things are. */
struct places {
	int list_width, list_lines;
	int detail_x, detail_y, detail_width, detail_lines; /* 0 lines: none */
	int message_y;
	bool has_keys;
};

static struct places make_places(int width, int height)
{
	struct places places = {.has_keys = height >= KEYS_HEIGHT, .list_width = width};
	int body;

	places.message_y = height - 1 - (places.has_keys ? 1 : 0);
	body = places.message_y - HEAD_LINES;
	places.list_lines = body > 0 ? body : 0;
	if (width >= WIDE) {
		places.list_width = smaller(width * 3 / 5, LIST_WIDTH_MOST);
		places.detail_x = places.list_width + GAP;
		places.detail_y = HEAD_LINES;
		places.detail_width = width - places.detail_x;
		places.detail_lines = places.list_lines;
	} else if (body >= BELOW_BODY) {
		places.detail_lines = smaller(body * 2 / 5, DETAIL_MOST);
		places.list_lines = body - places.detail_lines - 1;
		places.detail_y = HEAD_LINES + places.list_lines + 1;
		places.detail_width = width;
	}
	return places;
}

size_t browser_page(int width, int height)
{
	return (size_t)make_places(width, height).list_lines;
}

static void draw_tabs(struct screen *screen, const struct browser_picture *picture, bool ascii)
{
	const int place_width = paragraph_width(picture->place);
	int x = screen_text(screen, 0, 0, screen->width, "events", STYLE_BOLD) + GAP;

	for (size_t i = 0; i < BROWSER_TABS; i++) {
		const bool is_active = i == picture->active_tab;
		const enum style style = is_active ? STYLE_TAB_ACTIVE : STYLE_TAB;

		if (picture->tabs[i][0] == '\0')
			continue;
		/* without colours the brackets say which one is open */
		x = screen_text(screen, x, 0, 1, is_active ? "[" : " ", style);
		x = paragraph_draw_cut(screen, x, 0, screen->width - x - 1, picture->tabs[i], style,
				       ascii);
		x = screen_text(screen, x, 0, 1, is_active ? "]" : " ", style) + 1;
	}
	if (x + place_width <= screen->width)
		screen_text_right(screen, x, 0, screen->width - x, picture->place, STYLE_DIM);
}

/* A name that has no room loses what it has in common with its neighbours first: the PMU before
 * "::". */
static void draw_name(struct screen *screen, const char *name, int y, int width, bool ascii)
{
	const char *own = strstr(name, "::");
	int x = 0;

	if (own && paragraph_width(name) > width) {
		x = screen_text(screen, 0, y, width, ascii ? "..." : "…", STYLE_DIM);
		name = own;
	}
	paragraph_draw_cut(screen, x, y, width - x, name, STYLE_NORMAL, ascii);
}

static void draw_line(struct screen *screen, const struct browser_line *line, int y, int width,
		      bool ascii)
{
	const bool has_source = width >= SOURCE_LIST;
	const int state_width = smaller(STATE_WIDTH, width / 2);
	const int source_x = width - state_width - SOURCE_WIDTH;
	const int name_width = (has_source ? source_x : width - state_width) - 1;

	draw_name(screen, line->name, y, name_width, ascii);
	if (has_source) {
		paragraph_draw_cut(screen, source_x, y, SOURCE_WIDTH - 1, line->source, STYLE_DIM,
				   ascii);
	}
	paragraph_draw_cut(screen, width - state_width, y, state_width, line->state, line->style,
			   ascii);
}

static void draw_lines(struct screen *screen, const struct browser_picture *picture,
		       const struct places *places, bool ascii)
{
	if (picture->line_count == 0) {
		paragraph_draw_cut(screen, 0, HEAD_LINES, places->list_width, picture->nothing,
				   STYLE_DIM, ascii);
	}
	for (size_t i = 0; i < picture->line_count && (int)i < places->list_lines; i++) {
		const int y = HEAD_LINES + (int)i;

		draw_line(screen, &picture->lines[i], y, places->list_width, ascii);
		screen_mark(screen, 0, y, places->list_width, 1, HIT_LINE, i);
		if (i == picture->selected)
			screen_select_columns(screen, y, places->list_width);
	}
}

/* Draws a text into `lines` lines from y on, without the first `skipped` ones; returns how many it
 * took. */
static int draw_text(struct screen *screen, const struct places *places, int y, int lines,
		     const char *text, int skipped, enum style style)
{
	struct strbuf line = {0};
	int drawn = 0;

	while (text && drawn < lines) {
		const char *begin;
		const size_t length = paragraph_wrap(&text, places->detail_width, &begin);

		if (skipped-- > 0)
			continue;
		strbuf_clear(&line);
		strbuf_add_bytes(&line, begin, length);
		screen_text(screen, places->detail_x, y + drawn, places->detail_width,
			    strbuf_text(&line), style);
		drawn++;
	}
	strbuf_fini(&line);
	return drawn;
}

/* What has no room comes by pages, with a line that says so. */
static void draw_pages(struct screen *screen, const struct browser_picture *picture,
		       const struct places *places, int y, int lines, bool ascii)
{
	const int all = paragraph_lines(picture->detail, places->detail_width);
	int page = lines - 1;
	int skipped = 0;

	if (all <= lines || page < 1) {
		page = lines;
	} else {
		const size_t pages = (size_t)((all + page - 1) / page);

		skipped = (int)(picture->detail_page % pages) * page;
		screen_text(screen, places->detail_x, y + page, places->detail_width,
			    ascii ? "... ^N: more" : "… ^N: more", STYLE_DIM);
	}
	draw_text(screen, places, y, page, picture->detail, skipped, STYLE_NORMAL);
}

static void draw_detail(struct screen *screen, const struct browser_picture *picture,
			const struct places *places, bool ascii)
{
	const char *bar = ascii ? "|" : "│";
	int drawn;

	if (places->detail_lines == 0)
		return;
	if (places->detail_x == 0) {
		screen_fill(screen, 0, places->detail_y - 1, screen->width, ascii ? "-" : "─",
			    STYLE_DIM);
	}
	for (int i = 0; i < places->detail_lines && places->detail_x > 0; i++) {
		screen_text(screen, places->detail_x - GAP, places->detail_y + i, 1, bar,
			    STYLE_DIM);
	}
	if (picture->heading[0] == '\0')
		return;
	drawn = draw_text(screen, places, places->detail_y, places->detail_lines, picture->heading,
			  0, STYLE_BOLD);
	draw_pages(screen, picture, places, places->detail_y + drawn, places->detail_lines - drawn,
		   ascii);
}

static void draw_message(struct screen *screen, const struct browser_picture *picture, int y,
			 bool ascii)
{
	const int wanted = paragraph_lines(picture->message, screen->width);
	const int lines = smaller(smaller(wanted, MESSAGE_LINES_MOST), y - HEAD_LINES + 1);

	for (int i = 0; i < lines; i++)
		screen_fill(screen, 0, y - i, screen->width, " ", STYLE_NORMAL);
	paragraph_draw(screen, y - lines + 1, lines, picture->message,
		       picture->message_is_error ? STYLE_ERROR : STYLE_MESSAGE, ascii);
}

void browser_draw(struct screen *screen, const struct browser_picture *picture, bool ascii)
{
	const struct places places = make_places(screen->width, screen->height);

	draw_tabs(screen, picture, ascii);
	draw_lines(screen, picture, &places, ascii);
	draw_detail(screen, picture, &places, ascii);
	draw_message(screen, picture, places.message_y, ascii);
	if (places.has_keys)
		frame_draw_keys(screen, picture->keys, picture->key_count, places.message_y + 1);
	/* last: the text cursor is here */
	prompt_draw(picture->search, screen, 1, ascii);
}
