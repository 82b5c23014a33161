#include "widget/menu.h"

#include "term/screen.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

enum {
	WIDTH_MOST = 100,
	LINES_BELOW = 2, /* message and keys */
	NAME_X = 2,
	DETAIL_X = NAME_X + MENU_NAME_MAX + 1
};

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void draw_line(struct screen *screen, const struct menu_line *line, int y, int width,
		      bool ascii)
{
	const int name = width - NAME_X < MENU_NAME_MAX ? width - NAME_X : MENU_NAME_MAX;

	screen_text(screen, 0, y, 1, line->mark, STYLE_KEY);
	paragraph_draw_cut(screen, NAME_X, y, name, line->name, STYLE_BOLD, ascii);
	if (width > DETAIL_X) {
		paragraph_draw_cut(screen, DETAIL_X, y, width - DETAIL_X, line->detail,
				   STYLE_NORMAL, ascii);
	}
}

/* Nothing of what is under it looks out at its side. */
static void clear_line(struct screen *screen, int y)
{
	screen_fill(screen, 0, y, screen->width, " ", STYLE_NORMAL);
	screen_deselect_columns(screen, y, screen->width);
}

void menu_draw(struct screen *screen, const struct menu_picture *menu, bool ascii)
{
	const int width = screen->width < WIDTH_MOST ? screen->width : WIDTH_MOST;
	const int room = screen->height - LINES_BELOW - 1; /* for lines below the heading */
	const size_t page = room > 0 ? (size_t)room : 0;
	const size_t shown = smaller(page, menu->count > 0 ? menu->count : 1);
	const size_t first = menu->chosen < page ? 0 : menu->chosen - page + 1;
	int y = screen->height - LINES_BELOW - (int)shown - 1;

	if (page == 0 || !frame_has_room(screen))
		return;
	/* what is behind it cannot be clicked */
	screen_mark(screen, 0, y, screen->width, screen->height - y, HIT_NOTHING, 0);
	screen_mark(screen, 0, y + 1, width, (int)smaller(shown, menu->count), HIT_CHOICE, first);
	clear_line(screen, y);
	screen_fill(screen, 0, y, width, " ", STYLE_TITLE_SORTED);
	paragraph_draw_cut(screen, 0, y, width, menu->heading, STYLE_TITLE_SORTED, ascii);
	for (size_t i = first; i < first + shown; i++) {
		clear_line(screen, ++y);
		if (i >= menu->count) {
			paragraph_draw_cut(screen, NAME_X, y, width - NAME_X, menu->nothing,
					   STYLE_DIM, ascii);
			continue;
		}
		draw_line(screen, &menu->lines[i], y, width, ascii);
		if (i == menu->chosen)
			screen_select_columns(screen, y, width);
	}
	clear_line(screen, screen->height - 2);
	clear_line(screen, screen->height - 1);
	frame_draw_keys(screen, menu->keys, menu->key_count, screen->height - 1);
}
