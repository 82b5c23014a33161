#include "widget/cursor.h"

#include "term/key.h"

static void move_down(struct cursor *cursor, size_t count, size_t by)
{
	const size_t last = count > 0 ? count - 1 : 0;

	if (cursor->at > last || by > last - cursor->at)
		cursor->at = last;
	else
		cursor->at += by;
}

bool cursor_key(struct cursor *cursor, uint32_t key, size_t count, size_t page)
{
	const size_t lines = page > 0 ? page : 1;

	switch (key) {
	case KEY_CODE_UP:
		cursor->at -= cursor->at > 0;
		return true;
	case KEY_CODE_DOWN:
		move_down(cursor, count, 1);
		return true;
	case KEY_CODE_PAGE_UP:
		cursor->at -= lines < cursor->at ? lines : cursor->at;
		return true;
	case KEY_CODE_PAGE_DOWN:
		move_down(cursor, count, lines);
		return true;
	case KEY_CODE_HOME:
		cursor->at = 0;
		return true;
	case KEY_CODE_END:
		move_down(cursor, count, count);
		return true;
	default:
		return false;
	}
}

void cursor_keep(struct cursor *cursor, size_t count, size_t page)
{
	if (cursor->at >= count)
		cursor->at = count > 0 ? count - 1 : 0;
	if (cursor->top > cursor->at)
		cursor->top = cursor->at;
	if (page > 0 && cursor->at - cursor->top >= page)
		cursor->top = cursor->at - page + 1;
	if (cursor->top + page > count)
		cursor->top = count > page ? count - page : 0;
}
