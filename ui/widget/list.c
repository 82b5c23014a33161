#include "widget/list.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "view/table.h"

#include "term/screen.h"
#include "widget/branch.h"
#include "widget/places.h"

/*
 * Columns are side by side with one blank between them. That blank holds what is said about a
 * value without taking room from it: ' behind a value that is scaled, and behind the first column
 * on the screen + for a task that has ended and * for one that is new. A tag is at
 * the left end of the line. A number that has
 * no room is not shown in part, because a part of a number is another number; words are cut, and
 * before a number that follows them.
 *
 * The cursor belongs to a row's id; only on the last row of a log it belongs to the place, so that
 * the newest is always shown. cursor, top and page are what followed from it when the
 * table was last looked at.
 *
 * Which columns there is room for, places.c decides. < and > in the titles show where columns are
 * missing.
 */

enum {
	GAP = PLACES_GAP,
	NAME_LEAST = 2 /* columns of a name before its number */
};

/* Everything that drawing a row needs to know. */
struct drawing {
	const struct view_table *table;
	struct screen *screen;
	struct places places;
	bool ascii;
};

static size_t last_of(size_t count)
{
	return count > 0 ? count - 1 : 0;
}

static size_t page_of(const struct list *list)
{
	return list->page > 0 ? list->page : 1;
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
	const size_t before = list->cursor;

	list->cursor = last_of(count);
	if (!list->has_cursor)
		return;
	const size_t place = list_place(table, list->cursor_id);
	if (place < count)
		list->cursor = place;
	list->cursor_id = view_table_row(table, list->cursor)->id;
	if (list->cursor >= before)
		list->top += list->cursor - before;
	else
		list->top -= list->top < before - list->cursor ? list->top : before - list->cursor;
}

/* The part that is shown goes with the row of the cursor to its new place. */
static void keep_line(struct list *list, size_t place)
{
	const size_t line = list->cursor - list->top;

	list->top = list->cursor >= list->top && place > line ? place - line : 0;
}

void list_follow(struct list *list, const struct view_table *table)
{
	const size_t count = view_table_row_count(table);

	if (count == 0) {
		/* the id is kept: the row may come back with the next refresh */
		list->cursor = 0;
		return;
	}
	if (list->is_log) {
		follow_log(list, table, count);
		return;
	}
	if (!list->has_cursor) {
		list->cursor = 0;
		return;
	}
	const int found = view_table_index_of(table, list->cursor_id);
	if (found >= 0) {
		if (list->is_followed)
			keep_line(list, (size_t)found);
		list->cursor = (size_t)found;
		return;
	}
	list_select(list, table, list->cursor);
}

void list_select(struct list *list, const struct view_table *table, size_t row)
{
	const size_t count = view_table_row_count(table);

	list->is_followed = false;
	list->cursor = row < count ? row : last_of(count);
	if (count == 0)
		return;
	list->cursor_id = view_table_row(table, list->cursor)->id;
	list->has_cursor = !list->is_log || list->cursor != last_of(count);
}

static size_t down(size_t place, size_t by, size_t last)
{
	return place >= last || by >= last - place ? last : place + by;
}

static size_t up(size_t place, size_t by)
{
	return by >= place ? 0 : place - by;
}

void list_move(struct list *list, const struct view_table *table, enum list_motion motion)
{
	const size_t count = view_table_row_count(table);
	const size_t page = page_of(list);
	const size_t last = last_of(count);
	const size_t last_top = count > page ? count - page : 0;
	size_t row = list->cursor;

	switch (motion) {
	case LIST_UP:
		row = up(row, 1);
		break;
	case LIST_DOWN:
		row = down(row, 1, last);
		break;
	case LIST_PAGE_UP:
		row = up(row, page);
		list->top = up(list->top, page);
		break;
	case LIST_PAGE_DOWN:
		row = down(row, page, last);
		list->top = down(list->top, page, last_top);
		break;
	case LIST_HOME:
		row = 0;
		break;
	case LIST_END:
		row = last;
		break;
	}
	list_select(list, table, row);
}

/* The first column stays, and one beside it. */
static int scroll_limit(const struct view_table *table)
{
	const size_t count = view_table_column_count(table);

	return count > 2 ? (int)(count - 2) : 0;
}

void list_scroll(struct list *list, const struct view_table *table, int by)
{
	const int limit = scroll_limit(table);
	const long long scroll = (long long)list->scroll + by;

	list->scroll = scroll < 0 ? 0 : scroll > limit ? limit : (int)scroll;
}

/* Puts the visible part where the cursor can be seen and no line is wasted. */
static void keep_visible(struct list *list, const struct view_table *table)
{
	const size_t count = view_table_row_count(table);
	const size_t page = page_of(list);

	if (list->cursor >= count)
		list->cursor = last_of(count);
	if (list->top > list->cursor)
		list->top = list->cursor;
	if (list->cursor - list->top >= page)
		list->top = list->cursor - page + 1;
	if (list->top + page > count)
		list->top = count > page ? count - page : 0;
}

/* Words that have no room end in a sign of it; returns the column after them. */
static int draw_cut(const struct drawing *drawing, int x, int y, int columns, const char *text,
		    enum style style)
{
	if (text_width(text) <= (size_t)columns || columns <= 1)
		return screen_text(drawing->screen, x, y, columns, text, style);
	x = screen_text(drawing->screen, x, y, columns - 1, text, style);
	return screen_text(drawing->screen, x, y, 1, drawing->ascii ? "~" : "…", style);
}

/* "MISS % TREND", as far as there is room for it. */
static void write_title(const struct drawing *drawing, const struct place *place, char *title,
			size_t size)
{
	const struct column *column = place->column;
	const struct column *of = view_table_trend(drawing->table);
	const int room = place->width - (int)text_width(column->title) - 1;

	if (column->format == COLUMN_TREND && of && (int)text_width(of->title) <= room)
		snprintf(title, size, "%s %s", of->title, column->title);
	else
		snprintf(title, size, "%s", column->title);
}

static void draw_title(const struct drawing *drawing, const struct place *place, int y)
{
	char title[COLUMN_NAME_MAX];
	write_title(drawing, place, title, sizeof(title));
	const int width = (int)text_width(title);
	const int room = drawing->screen->width - place->x;
	bool descends;

	const bool is_first = view_table_sort(drawing->table, &descends) == place->column;
	const enum style style = is_first ? STYLE_TITLE_SORTED : STYLE_TITLE;
	const bool is_sorted =
		is_first || view_table_then(drawing->table, &descends) == place->column;
	int x = place->x;

	if (!places_is_left_aligned(place->column) && width < place->width)
		x += place->width - width;
	/* the arrow is in the gap; where there is none, the title makes room */
	if (is_sorted && x > place->x && x + width >= place->x + room)
		x--;
	x = draw_cut(drawing, x, y, place->x + place->width - x, title, style);
	if (is_sorted) {
		const char *down_arrow = drawing->ascii ? "v" : "▼";
		const char *up_arrow = drawing->ascii ? "^" : "▲";

		screen_text(drawing->screen, x, y, 1, descends ? down_arrow : up_arrow, style);
	}
	screen_mark(drawing->screen, place->x, y, place->width + GAP, 1, HIT_TITLE, place->index);
}

static void draw_titles(const struct drawing *drawing, int y)
{
	const size_t count = view_table_column_count(drawing->table);
	struct place place = {0};
	size_t last = count;
	int end = 0;

	while (places_next(&drawing->places, &place)) {
		if (place.hidden) {
			screen_text(drawing->screen, place.x - GAP, y, GAP, place.hidden,
				    STYLE_DIM);
		}
		last = place.index;
		end = place.x + place.width;
	}
	if (last + 1 < count && end < drawing->screen->width)
		screen_text(drawing->screen, end, y, GAP, ">", STYLE_DIM);
	/* the arrow of the sorted column may take the place of such a mark */
	place = (struct place){0};
	while (places_next(&drawing->places, &place))
		draw_title(drawing, &place, y);
}

static bool is_ended(const struct view_row *row)
{
	return row->is_exited || row->kind == ROW_EXITED;
}

static enum style style_of(const struct view_row *row, const struct cell *cell)
{
	if (cell->is_unknown || cell->is_minor)
		return STYLE_DIM;
	if (is_ended(row))
		return STYLE_EXITED;
	switch (cell->goodness) {
	case 0:
		return STYLE_GOOD_0;
	case 1:
		return STYLE_GOOD_1;
	case 2:
		return STYLE_GOOD_2;
	case 3:
		return STYLE_GOOD_3;
	case 4:
		return STYLE_GOOD_4;
	default:
		return row->is_tagged ? STYLE_BOLD : STYLE_NORMAL;
	}
}

/* What is in the gap behind the value. An estimate is said before anything about the row. */
static const char *mark_of(const struct view_row *row, const struct cell *cell, int x,
			   bool is_ascii)
{
	if (cell->is_estimate && !cell->is_unknown)
		return "~";
	if (cell->is_scaled && !cell->is_unknown)
		return "'";
	if (x > 0)
		return "";
	if (is_ended(row))
		return is_ascii ? "x" : "×";
	return row->is_new ? "*" : "";
}

static void draw_number(const struct drawing *drawing, const struct place *place, int y,
			const char *text, enum style style)
{
	if (text_width(text) > (size_t)place->width) {
		screen_fill(drawing->screen, place->x, y, place->width, "#", style);
		return;
	}
	screen_text_right(drawing->screen, place->x, y, place->width, text, style);
}

/* Where there is no room for all of it, the name in front of a number is cut. */
static void draw_words(const struct drawing *drawing, const struct place *place, int y,
		       const struct cell *cell, enum style style)
{
	const char *tail = cell->text + strlen(cell->text) - cell->tail;
	const int room = place->width - (int)text_width(tail);
	char name[CELL_TEXT_MAX];

	if (cell->head > 0) {
		branch_draw(drawing->screen, place->x, y, place->width, cell->text, cell->head,
			    style, drawing->ascii);
		return;
	}
	if (cell->tail == 0 || text_width(cell->text) <= (size_t)place->width) {
		draw_cut(drawing, place->x, y, place->width, cell->text, style);
		return;
	}
	if (tail == cell->text) {
		draw_number(drawing, place, y, cell->text, style);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(strlen(cell->text) - cell->tail), cell->text);
	if (room <= NAME_LEAST) {
		draw_cut(drawing, place->x, y, place->width, name, style);
		return;
	}
	const int x = draw_cut(drawing, place->x, y, room, name, style);
	screen_text(drawing->screen, x, y, place->x + place->width - x, tail, style);
}

/* Of a trend the newest values stay. */
static void draw_trend(const struct drawing *drawing, const struct place *place, int y,
		       const char *text, enum style style)
{
	uint32_t code;

	while (text_width(text) > (size_t)place->width) {
		const int length = text_decode(text, strlen(text), &code);

		text += length > 0 ? length : 1;
	}
	screen_text(drawing->screen, place->x, y, place->width, text, style);
}

static void draw_cell(const struct drawing *drawing, const struct place *place, int y, size_t index,
		      const struct view_row *row)
{
	struct cell cell;

	view_table_cell(drawing->table, index, place->index, &cell);
	const enum style style = style_of(row, &cell);

	if (cell.is_unknown && !drawing->ascii)
		strcpy(cell.text, "–");

	if (place->column->format == COLUMN_BAR && !cell.is_unknown) {
		screen_bar(drawing->screen, place->x, y, place->width, cell.value,
			   style == STYLE_NORMAL ? STYLE_BAR : style);
	} else if (place->column->format == COLUMN_TREND) {
		draw_trend(drawing, place, y, cell.text, style);
	} else if (places_is_left_aligned(place->column)) {
		draw_words(drawing, place, y, &cell, style);
	} else {
		draw_number(drawing, place, y, cell.text, style);
	}
	screen_text(drawing->screen, place->x + place->width, y, GAP,
		    mark_of(row, &cell, place->x, drawing->ascii), STYLE_NORMAL);
}

/* Where the first column leaves no room, the mark is in the gap behind it. */
static void draw_tag(const struct drawing *drawing, int y)
{
	struct place place = {0};
	int x = 0;

	if (!places_next(&drawing->places, &place))
		return;
	if (!screen_is_blank(drawing->screen, x, y))
		x = place.width;
	screen_text(drawing->screen, x, y, 1, drawing->ascii ? ">" : "»", STYLE_KEY);
}

static void draw_row(const struct drawing *drawing, int y, size_t index)
{
	const struct view_row *row = view_table_row(drawing->table, index);
	struct place place = {0};

	while (places_next(&drawing->places, &place))
		draw_cell(drawing, &place, y, index, row);
	if (row->is_tagged)
		draw_tag(drawing, y);
}

static void mark_rows(const struct list *list, size_t count, struct screen *screen, int y)
{
	const size_t left = count - list->top;

	screen_mark(screen, 0, y, screen->width, (int)(left < list->page ? left : list->page),
		    HIT_ROW, list->top);
}

void list_draw(struct list *list, const struct view_table *table, struct screen *screen, int y,
	       int lines, bool ascii)
{
	struct drawing drawing = {.table = table, .screen = screen, .ascii = ascii};
	const size_t count = view_table_row_count(table);

	if (lines < 1)
		return;
	list_scroll(list, table, 0);
	places_init(&drawing.places, table, screen->width, (size_t)list->scroll);
	draw_titles(&drawing, y);
	list->page = (size_t)lines - 1;
	keep_visible(list, table);
	mark_rows(list, count, screen, y + 1);
	for (size_t i = 0; i < list->page && list->top + i < count; i++) {
		const int line = y + 1 + (int)i;

		draw_row(&drawing, line, list->top + i);
		if (list->top + i == list->cursor)
			screen_select_line(screen, line);
	}
}
