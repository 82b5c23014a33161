#include "widget/setup.h"

#include "base/minmax.h"

#include "term/screen.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

/*
 * From top to bottom: tabs, titles of the lists, lists, details, message, keys. The list with the
 * cursor is there on every screen; details and keys come in where there is room.
 */

enum {
	HEAD_LINES = 2,       /* tabs and titles */
	KEYS_HEIGHT = 8,      /* least height of a screen with key lines */
	TWO_KEYS_HEIGHT = 14, /* and with two of them */
	WIDE = 60,            /* least width of one with both lists */
	LEFT_MOST = 40,       /* columns of the left list */
	BELOW_BODY = 8,       /* least lines for lists and details */
	DETAIL_LINES = 3,
	NAME_WIDTH = 13,      /* columns of a name and a blank, */
	NAME_WIDTH_WIDE = 19, /* and in a list that is */
	LIST_WIDE = 60,       /* so wide */
	MESSAGE_LINES_MOST = 3,
	GAP = 2
};

struct places {
	int x[2], width[2]; /* of the lists; width 0: not there */
	int lines;
	int detail_y; /* 0: none */
	int message_y;
	int key_lines;
};

static struct places make_places(int width, int height, size_t active)
{
	struct places places = {0};
	int body;

	places.key_lines = height >= TWO_KEYS_HEIGHT ? 2 : height >= KEYS_HEIGHT ? 1 : 0;
	places.message_y = height - 1 - places.key_lines;
	body = places.message_y - HEAD_LINES;
	places.lines = body > 0 ? body : 0;
	if (body >= BELOW_BODY) {
		places.lines = body - DETAIL_LINES - 1;
		places.detail_y = HEAD_LINES + places.lines + 1;
	}
	if (width < WIDE) {
		places.width[active] = width;
		return places;
	}
	places.width[0] = smaller(width * 2 / 5, LEFT_MOST);
	places.x[1] = places.width[0] + GAP;
	places.width[1] = width - places.x[1];
	return places;
}

size_t setup_page(int width, int height)
{
	return (size_t)make_places(width, height, 0).lines;
}

/* As many tabs as have room beside the state, the active one among them. */
static void draw_tabs(struct screen *screen, const struct setup_picture *picture, bool ascii)
{
	const int state_width = paragraph_width(picture->state);
	const int end = screen->width - (state_width > 0 ? state_width + 1 : 0);
	size_t first = 0;
	int x = screen_text(screen, 0, 0, end, "Setup", STYLE_BOLD) + GAP;
	int needed = 0;

	for (size_t i = 0; i <= picture->active_tab; i++)
		needed += paragraph_width(picture->tabs[i]) + 3;
	while (first < picture->active_tab && x + needed > end)
		needed -= paragraph_width(picture->tabs[first++]) + 3;
	for (size_t i = first; i < picture->tab_count && x < end; i++) {
		const bool is_active = i == picture->active_tab;
		const enum style style = is_active ? STYLE_TAB_ACTIVE : STYLE_TAB;

		x = screen_text(screen, x, 0, end - x, is_active ? "[" : " ", style);
		x = paragraph_draw_cut(screen, x, 0, end - x, picture->tabs[i], style, ascii);
		x = screen_text(screen, x, 0, end - x, is_active ? "]" : " ", style) + 1;
	}
	screen_text_right(screen, 0, 0, screen->width, picture->state, STYLE_WARNING);
}

static void draw_line(struct screen *screen, const struct setup_line *line, int x, int y, int width,
		      bool ascii)
{
	const int tail_width = paragraph_width(line->tail);
	const int end = x + width - (tail_width > 0 ? tail_width + 1 : 0);
	const int note_x = x + (width < LIST_WIDE ? NAME_WIDTH : NAME_WIDTH_WIDE);
	int at = paragraph_draw_cut(screen, x, y, end - x, line->name, STYLE_NORMAL, ascii) + 1;

	at = at < note_x ? note_x : at;
	if (at < end)
		paragraph_draw_cut(screen, at, y, end - at, line->note, STYLE_DIM, ascii);
	screen_text_right(screen, end, y, x + width - end, line->tail, STYLE_NORMAL);
}

static void select_columns(struct screen *screen, int x, int y, int width)
{
	for (int i = 0; i < width; i++)
		screen_select_cell(screen, x + i, y);
}

static void draw_list(struct screen *screen, const struct setup_list_picture *list, int x,
		      int width, int lines, bool is_active, bool ascii)
{
	paragraph_draw_cut(screen, x, 1, width, list->title,
			   is_active ? STYLE_TITLE_SORTED : STYLE_TITLE, ascii);
	if (list->line_count == 0 && lines > 0)
		paragraph_draw_cut(screen, x, HEAD_LINES, width, list->nothing, STYLE_DIM, ascii);
	for (size_t i = 0; i < list->line_count && (int)i < lines; i++) {
		const int y = HEAD_LINES + (int)i;

		draw_line(screen, &list->lines[i], x, y, width, ascii);
		if (i == list->selected && is_active)
			select_columns(screen, x, y, width);
	}
}

static void draw_message(struct screen *screen, const struct setup_picture *picture, int y,
			 bool ascii)
{
	const int wanted = paragraph_lines(picture->message, screen->width);
	const int lines = smaller(smaller(wanted, MESSAGE_LINES_MOST), y - HEAD_LINES + 1);

	for (int i = 0; i < lines && picture->message[0] != '\0'; i++)
		screen_fill(screen, 0, y - i, screen->width, " ", STYLE_NORMAL);
	paragraph_draw(screen, y - lines + 1, lines, picture->message,
		       picture->message_is_error ? STYLE_ERROR : STYLE_MESSAGE, ascii);
}

/* Half of them on each line, where there are two. */
static void draw_keys(struct screen *screen, const struct setup_picture *picture, int y, int lines)
{
	const size_t first = lines == 2 ? (picture->key_count + 1) / 2 : picture->key_count;

	if (lines > 0)
		frame_draw_keys(screen, picture->keys, first, y);
	if (lines > 1)
		frame_draw_keys(screen, picture->keys + first, picture->key_count - first, y + 1);
}

void setup_draw(struct screen *screen, const struct setup_picture *picture, bool ascii)
{
	const struct places places =
		make_places(screen->width, screen->height, picture->active_list);

	draw_tabs(screen, picture, ascii);
	for (size_t i = 0; i < 2; i++) {
		if (places.width[i] > 0)
			draw_list(screen, &picture->lists[i], places.x[i], places.width[i],
				  places.lines, i == picture->active_list, ascii);
	}
	if (places.detail_y > 0) {
		screen_fill(screen, 0, places.detail_y - 1, screen->width, ascii ? "-" : "─",
			    STYLE_DIM);
		paragraph_draw(screen, places.detail_y, DETAIL_LINES, picture->detail, STYLE_NORMAL,
			       ascii);
	}
	draw_message(screen, picture, places.message_y, ascii);
	draw_keys(screen, picture, places.message_y + 1, places.key_lines);
}
