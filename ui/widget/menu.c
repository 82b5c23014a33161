#include "widget/menu.h"

#include <string.h>
#include <strings.h>

#include "base/minmax.h"

#include "term/key.h"
#include "term/screen.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

enum {
	MENU_WIDTH = 100,
	LINES_BELOW = 2, /* message and keys */
	NAME_X = 2,
	DETAIL_X = NAME_X + MENU_NAME_MAX + 1,
	PICKER_WIDTH = 76,
	NUMBER_WIDTH = 4,
	NAME_WIDTH = 10 /* with the blank behind it */
};

/* Nothing of what is under it looks out at its side. */
static void clear_line(struct screen *screen, int y, int width, enum style style)
{
	screen_fill(screen, 0, y, width, " ", style);
	screen_deselect_columns(screen, y, width);
}

static void draw_line(struct screen *screen, const struct menu_line *line, int y, int width)
{
	const int name = smaller(width - NAME_X, MENU_NAME_MAX);

	screen_text(screen, 0, y, 1, line->mark, STYLE_KEY);
	paragraph_draw_cut(screen, NAME_X, y, name, line->name, STYLE_BOLD);
	if (width > DETAIL_X) {
		paragraph_draw_cut(screen, DETAIL_X, y, width - DETAIL_X, line->detail,
				   STYLE_NORMAL);
	}
}

void menu_draw(struct screen *screen, const struct menu_content *menu)
{
	const int width = smaller(screen->width, MENU_WIDTH);
	const int room = screen->height - LINES_BELOW - 1; /* for lines below the heading */
	const size_t page = room > 0 ? (size_t)room : 0;
	const size_t wanted = menu->count > 0 ? menu->count : 1;
	const size_t shown = page < wanted ? page : wanted;
	const size_t first = menu->selected < page ? 0 : menu->selected - page + 1;
	int y = screen->height - LINES_BELOW - (int)shown - 1;

	if (page == 0 || !frame_has_room(screen))
		return;
	/* what is behind it cannot be clicked */
	screen_mark(screen, 0, y, screen->width, screen->height - y, HIT_NOTHING, 0);
	screen_mark(screen, 0, y + 1, width, smaller((int)shown, (int)menu->count), HIT_CHOICE,
		    first);
	clear_line(screen, y, screen->width, STYLE_NORMAL);
	screen_fill(screen, 0, y, width, " ", STYLE_TITLE_SORTED);
	paragraph_draw_cut(screen, 0, y, width, menu->heading, STYLE_TITLE_SORTED);
	for (size_t i = first; i < first + shown; i++) {
		clear_line(screen, ++y, screen->width, STYLE_NORMAL);
		if (i >= menu->count) {
			paragraph_draw_cut(screen, NAME_X, y, width - NAME_X, menu->nothing,
					   STYLE_DIM);
			continue;
		}
		draw_line(screen, &menu->lines[i], y, width);
		if (i == menu->selected)
			screen_select_columns(screen, y, width);
	}
	clear_line(screen, screen->height - 2, screen->width, STYLE_NORMAL);
	clear_line(screen, screen->height - 1, screen->width, STYLE_NORMAL);
	frame_draw_keys(screen, menu->keys, menu->key_count, screen->height - 1);
}

static bool begins(const char *name, const char *typed)
{
	return strncasecmp(name, typed, strlen(typed)) == 0;
}

/* How well it answers what was typed, 0 best; 3: not. */
static int rank_of(const struct picker *picker, const struct picker_item *item)
{
	const size_t prefix = picker->prefix ? strlen(picker->prefix) : 0;

	if (strcmp(item->number, picker->typed) == 0)
		return 0;
	if (begins(item->name, picker->typed) ||
	    (prefix > 0 && begins(item->name, picker->prefix) &&
	     begins(item->name + prefix, picker->typed)))
		return 1;
	return item->number[0] != '\0' && begins(item->number, picker->typed) ? 2 : 3;
}

/* False: nothing begins so. */
static bool find_typed(struct picker *picker)
{
	for (int rank = 0; rank < 3; rank++) {
		for (size_t i = 0; i < picker->count; i++) {
			if (rank_of(picker, &picker->items[i]) == rank) {
				picker->cursor.at = i;
				return true;
			}
		}
	}
	return false;
}

/* What leads nowhere begins anew with this character, or is forgotten. */
static void type(struct picker *picker, char character)
{
	const size_t length = strlen(picker->typed);

	if (length + 1 < sizeof(picker->typed)) {
		picker->typed[length] = character;
		picker->typed[length + 1] = '\0';
	}
	if (find_typed(picker))
		return;
	picker->typed[0] = character;
	picker->typed[1] = '\0';
	if (!find_typed(picker))
		picker->typed[0] = '\0';
}

enum picker_result picker_key(struct picker *picker, uint32_t key)
{
	if (cursor_key(&picker->cursor, key, picker->count, picker->page)) {
		picker->typed[0] = '\0';
		return PICKER_GOES_ON;
	}
	switch (key) {
	case KEY_CODE_ENTER:
		return PICKER_DONE;
	case KEY_CODE_ESCAPE:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		return PICKER_LEFT;
	default:
		if (key > ' ' && key < 0x7f)
			type(picker, (char)key);
		return PICKER_GOES_ON;
	}
}

/* What is behind it goes on behind the bar. */
static void draw_edge(struct screen *screen, int y, int width)
{
	screen_fill(screen, width, y, 1, "│", STYLE_DIM);
}

static void draw_item(const struct picker *picker, size_t index, struct screen *screen, int y,
		      int width)
{
	const struct picker_item *item = &picker->items[index];
	int x = 1 + NUMBER_WIDTH;

	clear_line(screen, y, width, STYLE_NORMAL);
	screen_text_right(screen, 1, y, NUMBER_WIDTH - 1, item->number, STYLE_DIM);
	x = screen_text(screen, x, y, width - x, item->name, STYLE_KEY) + 1;
	if (x < 1 + NUMBER_WIDTH + NAME_WIDTH)
		x = 1 + NUMBER_WIDTH + NAME_WIDTH;
	if (x < width)
		paragraph_draw_cut(screen, x, y, width - x, item->note, STYLE_NORMAL);
	if (index == picker->cursor.at)
		screen_select_columns(screen, y, width);
	draw_edge(screen, y, width);
}

void picker_draw(struct picker *picker, struct screen *screen, int y, int lines)
{
	const int width = smaller(screen->width, PICKER_WIDTH);

	if (lines < 1)
		return;
	picker->page = (size_t)lines - 1;
	cursor_keep(&picker->cursor, picker->count, picker->page);
	clear_line(screen, y, width, STYLE_TITLE);
	paragraph_draw_cut(screen, 1, y, width - 1, picker->title, STYLE_TITLE);
	draw_edge(screen, y, width);
	for (size_t i = 0; i < picker->page && picker->cursor.top + i < picker->count; i++)
		draw_item(picker, picker->cursor.top + i, screen, y + 1 + (int)i, width);
	screen_mark(screen, 0, y, screen->width, lines, HIT_NOTHING, 0);
	screen_mark(screen, 0, y + 1, width,
		    smaller((int)picker->page, (int)(picker->count - picker->cursor.top)),
		    HIT_CHOICE, picker->cursor.top);
}
