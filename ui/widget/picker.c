#include "widget/picker.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "term/key.h"
#include "term/screen.h"
#include "widget/paragraph.h"

enum {
	WIDTH_MOST = 76,
	NUMBER_WIDTH = 4,
	NAME_WIDTH = 10 /* with the blank behind it */
};

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

static void clear_line(struct screen *screen, int y, int width, enum style style)
{
	screen_fill(screen, 0, y, width, " ", style);
	screen_deselect_columns(screen, y, width);
}

/* What is behind it goes on behind the bar. */
static void draw_edge(struct screen *screen, int y, int width, bool ascii)
{
	screen_fill(screen, width, y, 1, ascii ? "|" : "│", STYLE_DIM);
}

static void draw_item(const struct picker *picker, size_t index, struct screen *screen, int y,
		      int width, bool ascii)
{
	const struct picker_item *item = &picker->items[index];
	int x = 1 + NUMBER_WIDTH;

	clear_line(screen, y, width, STYLE_NORMAL);
	screen_text_right(screen, 1, y, NUMBER_WIDTH - 1, item->number, STYLE_DIM);
	x = screen_text(screen, x, y, width - x, item->name, STYLE_KEY) + 1;
	if (x < 1 + NUMBER_WIDTH + NAME_WIDTH)
		x = 1 + NUMBER_WIDTH + NAME_WIDTH;
	if (x < width)
		paragraph_draw_cut(screen, x, y, width - x, item->note, STYLE_NORMAL, ascii);
	if (index == picker->cursor.at)
		screen_select_columns(screen, y, width);
	draw_edge(screen, y, width, ascii);
}

static int visible_items(const struct picker *picker)
{
	const size_t left = picker->count - picker->cursor.top;

	return (int)(left < picker->page ? left : picker->page);
}

void picker_draw(struct picker *picker, struct screen *screen, int y, int lines, bool ascii)
{
	const int width = screen->width < WIDTH_MOST ? screen->width : WIDTH_MOST;

	if (lines < 1)
		return;
	picker->page = (size_t)lines - 1;
	cursor_keep(&picker->cursor, picker->count, picker->page);
	clear_line(screen, y, width, STYLE_TITLE);
	paragraph_draw_cut(screen, 1, y, width - 1, picker->title, STYLE_TITLE, ascii);
	draw_edge(screen, y, width, ascii);
	for (size_t i = 0; i < picker->page && picker->cursor.top + i < picker->count; i++)
		draw_item(picker, picker->cursor.top + i, screen, y + 1 + (int)i, width, ascii);
	screen_mark(screen, 0, y, screen->width, lines, HIT_NOTHING, 0);
	screen_mark(screen, 0, y + 1, width, visible_items(picker), HIT_CHOICE, picker->cursor.top);
}
