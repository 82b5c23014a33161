#include "widget/cursor.h"

#include "term/key.h"

static size_t down(size_t place, size_t by, size_t last)
{
	return place >= last || by >= last - place ? last : place + by;
}

static size_t up(size_t place, size_t by)
{
	return by >= place ? 0 : place - by;
}

void cursor_move(struct cursor *cursor, enum cursor_motion motion, size_t count, size_t page)
{
	const size_t lines = page > 0 ? page : 1;
	const size_t last = count > 0 ? count - 1 : 0;

	switch (motion) {
	case CURSOR_UP:
		cursor->at = up(cursor->at, 1);
		break;
	case CURSOR_DOWN:
		cursor->at = down(cursor->at, 1, last);
		break;
	case CURSOR_PAGE_UP:
		cursor->at = up(cursor->at, lines);
		cursor->top = up(cursor->top, lines);
		break;
	case CURSOR_PAGE_DOWN:
		cursor->at = down(cursor->at, lines, last);
		cursor->top = down(cursor->top, lines, up(count, lines));
		break;
	case CURSOR_HOME:
		cursor->at = 0;
		break;
	case CURSOR_END:
		cursor->at = last;
		break;
	}
}

bool cursor_key(struct cursor *cursor, uint32_t key, size_t count, size_t page)
{
	static const uint32_t keys[] = {
		[CURSOR_UP] = KEY_CODE_UP,           [CURSOR_DOWN] = KEY_CODE_DOWN,
		[CURSOR_PAGE_UP] = KEY_CODE_PAGE_UP, [CURSOR_PAGE_DOWN] = KEY_CODE_PAGE_DOWN,
		[CURSOR_HOME] = KEY_CODE_HOME,       [CURSOR_END] = KEY_CODE_END,
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i] == key) {
			cursor_move(cursor, (enum cursor_motion)i, count, page);
			return true;
		}
	}
	return false;
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
		cursor->top = up(count, page);
}
