#include "widget/chooser.h"

#include "base/minmax.h"

#include "term/key.h"
#include "widget/paragraph.h"

enum {
	MESSAGE_LINES_MOST = 3
};

static void draw_chooser_line(const struct chooser *chooser, struct screen *screen, size_t index,
			      int x, int y, int width, bool is_chosen)
{
	screen_fill(screen, x, y, width, " ", STYLE_NORMAL);
	for (int i = 0; i < width; i++)
		screen_deselect_cell(screen, x + i, y);
	chooser->draw_line(chooser->context, screen, index, x, y, width);
	for (int i = 0; i < width && is_chosen; i++)
		screen_select_cell(screen, x + i, y);
	screen_mark(screen, x, y, width, 1, HIT_CHOICE, index);
}

void chooser_draw(const struct chooser *chooser, struct screen *screen, int x, int y, int width,
		  int lines, bool is_active)
{
	struct cursor *cursor = chooser->cursor;

	if (lines < 1)
		return;
	cursor_keep(cursor, chooser->count, (size_t)lines);
	if (chooser->count == 0)
		paragraph_draw_cut(screen, x, y, width, chooser->nothing, STYLE_DIM);
	for (size_t i = cursor->top; i < chooser->count && i - cursor->top < (size_t)lines; i++)
		draw_chooser_line(chooser, screen, i, x, y + (int)(i - cursor->top), width,
				  is_active && i == cursor->at);
}

enum chooser_result chooser_key(struct cursor *cursor, uint32_t key, size_t count, size_t page)
{
	if (cursor_key(cursor, key, count, page))
		return CHOOSER_MOVED;
	switch (key) {
	case KEY_CODE_ENTER:
		return CHOOSER_DONE;
	case KEY_CODE_ESCAPE:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		return CHOOSER_LEFT;
	default:
		return CHOOSER_OTHER;
	}
}

enum chooser_result chooser_click(struct cursor *cursor, struct hit hit, bool is_right)
{
	if (hit.kind != HIT_CHOICE || is_right)
		return CHOOSER_OTHER;
	if (hit.index == cursor->at)
		return CHOOSER_DONE;
	cursor->at = hit.index;
	return CHOOSER_MOVED;
}

int chooser_draw_tab(struct screen *screen, int x, int end, const char *text, bool is_active)
{
	const enum style style = is_active ? STYLE_TAB_ACTIVE : STYLE_TAB;

	x = screen_text(screen, x, 0, end - x, is_active ? "[" : " ", style);
	x = paragraph_draw_cut(screen, x, 0, end - x, text, style);
	return screen_text(screen, x, 0, 1, is_active ? "]" : " ", style) + 1;
}

void chooser_draw_message(struct screen *screen, const char *message, bool is_error, int top, int y)
{
	const int wanted = paragraph_lines(message, screen->width);
	const int lines = smaller(smaller(wanted, MESSAGE_LINES_MOST), y - top + 1);

	for (int i = 0; i < lines && message[0] != '\0'; i++)
		screen_fill(screen, 0, y - i, screen->width, " ", STYLE_NORMAL);
	paragraph_draw(screen, y - lines + 1, lines, message,
		       is_error ? STYLE_ERROR : STYLE_MESSAGE);
}
