/*
 * The cursor belongs to a row's id; only on the last row of a log it belongs to the place, so that
 * the newest is always shown. cursor and page are what followed from it when the table was last
 * looked at.
 */

#include "widget/list.h"

#include "view/table.h"

static size_t last_of(size_t count)
{
	return count > 0 ? count - 1 : 0;
}

size_t list_place(const struct view_table *table, uint64_t id)
{
	size_t low = 0;
	size_t high = view_table_row_count(table);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (view_table_row(table, middle)->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool list_is_following(const struct list *list)
{
	return list->is_log && !list->has_cursor;
}

/* There are rows. The one of the cursor may have been dropped: then the next one takes its place.
 */
static void follow_log(struct list *list, const struct view_table *table, size_t count)
{
	const size_t before = list->cursor.at;

	list->cursor.at = last_of(count);
	if (!list->has_cursor)
		return;
	const size_t place = list_place(table, list->cursor_id);
	if (place < count)
		list->cursor.at = place;
	list->cursor_id = view_table_row(table, list->cursor.at)->id;
	if (list->cursor.at >= before)
		list->cursor.top += list->cursor.at - before;
	else
		list->cursor.top -= list->cursor.top < before - list->cursor.at
					    ? list->cursor.top
					    : before - list->cursor.at;
}

/* The part that is shown goes with the row of the cursor to its new place. */
static void keep_line(struct list *list, size_t place)
{
	const size_t line = list->cursor.at - list->cursor.top;

	list->cursor.top = list->cursor.at >= list->cursor.top && place > line ? place - line : 0;
}

void list_follow(struct list *list, const struct view_table *table)
{
	const size_t count = view_table_row_count(table);

	if (count == 0) {
		/* the id is kept: the row may come back with the next refresh */
		list->cursor.at = 0;
		return;
	}
	if (list->is_log) {
		follow_log(list, table, count);
		return;
	}
	if (!list->has_cursor) {
		list->cursor.at = 0;
		return;
	}
	const int found = view_table_index_of(table, list->cursor_id);
	if (found >= 0) {
		if (list->is_followed)
			keep_line(list, (size_t)found);
		list->cursor.at = (size_t)found;
		return;
	}
	list_select(list, table, list->cursor.at);
}

void list_select(struct list *list, const struct view_table *table, size_t row)
{
	const size_t count = view_table_row_count(table);

	list->is_followed = false;
	list->cursor.at = row < count ? row : last_of(count);
	if (count == 0)
		return;
	list->cursor_id = view_table_row(table, list->cursor.at)->id;
	list->has_cursor = !list->is_log || list->cursor.at != last_of(count);
}

void list_move(struct list *list, const struct view_table *table, enum cursor_motion motion)
{
	struct cursor *cursor = &list->cursor;

	cursor_move(cursor, motion, view_table_row_count(table), list->page);
	list_select(list, table, cursor->at);
}

void list_scroll(struct list *list, const struct view_table *table, int by)
{
	const size_t count = view_table_column_count(table);
	const int limit = count > 2 ? (int)(count - 2) : 0;
	const long long scroll = (long long)list->scroll + by;

	list->scroll = scroll < 0 ? 0 : scroll > limit ? limit : (int)scroll;
}
