/*
 * The cursor belongs to a row's id; only on the last row of a log it belongs to the place, so that
 * the newest is always shown. cursor and page are what followed from it when the table was last
 * looked at.
 */

#include "widget/list.h"

#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "base/text.h"
#include "view/table.h"

#include "term/screen.h"
#include "widget/graph.h"
#include "widget/paragraph.h"

static size_t last_slot(size_t count)
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

	list->cursor.at = last_slot(count);
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
	list->cursor.at = row < count ? row : last_slot(count);
	if (count == 0)
		return;
	list->cursor_id = view_table_row(table, list->cursor.at)->id;
	list->has_cursor = !list->is_log || list->cursor.at != last_slot(count);
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

/*
 * Columns are side by side with one blank between them. That blank holds what is said about a
 * value without taking room from it: ' behind a value that is scaled, and behind the first column
 * on the screen × for a task that has ended and * for one that is new. A tag is at the left end of
 * the line. A number that has no room is not shown in part, because a part of a number is another
 * number; words are cut, and before a number that follows them.
 *
 * A last column of words says what a row is, so it is always on the screen, and so are columns that
 * the user asked for, and the one the rows are ordered by, as long as there is room; then come
 * those that say most: on a narrow screen the others are left out, the first one, too, and columns
 * of words are narrower. Where other words say more than the last ones, these give way. On a
 * wide screen bars take the room that is left. < behind the first title, and > at the end of the
 * line, show that columns are missing.
 *
 * A user who scrolls wants to see the others: then all of them come in their order, and none gives
 * way but to the last words.
 */

enum {
	GAP = 1,
	SCROLLED = 2,            /* more, where < says that columns were left out */
	PLACES_MAX = 512,        /* more have no room on any screen */
	BAR_GROWTH = 3,          /* times its width that a bar grows at most */
	WORDS_LEAST = 8,         /* less of a last column that yields is worth nothing */
	WORDS_OF_TREE = 24,      /* of the last column, if there are as many: with branches */
	WORDS_BEFORE_TREND = 30, /* of the last column: a command says more than what was before */
	NAME_LEAST = 2           /* columns of a name before its number */
};

/* A column as it is on the screen. */
struct column_slot {
	size_t index; /* in the table */
	const struct column *column;
	int x, width;
};

/* Which columns of the table have room, and where they are. */
struct column_layout {
	const struct view_table *table;
	size_t column_count; /* of the table */
	int width;           /* of the screen */
	size_t scroll;       /* columns behind the first one that are left out */
	bool is_scrolled;    /* the others come in their order */
	int spare;           /* columns for each bar that nothing else needs */
	int spare_words;     /* the same for words that are narrower than they may be */
	bool has_essential;  /* some columns say most, and may push out the first */
	bool has_asked_for;  /* then these do not: the first column says which row it is */
	bool last_yields;    /* to those: they are words, and the last one is none */
	struct column_slot shown[PLACES_MAX];
	size_t count;
};

/* Which column gives way to which. */
enum column_rank {
	RANK_OTHER,
	RANK_ESSENTIAL,
	RANK_WANTED /* asked for, or the rows are ordered by it */
};

/* Everything that drawing a row needs to know. */
struct list_drawing {
	const struct view_table *table;
	struct screen *screen;
	struct column_layout layout;
};

static bool is_text_column(const struct column *column)
{
	return column->format == COLUMN_TEXT;
}

/* Then a part of it is still worth something. */
static bool is_left_aligned(const struct column *column)
{
	return is_text_column(column) || column->format == COLUMN_BAR ||
	       column->format == COLUMN_TREND;
}

/* What words have of a narrow screen: a part of them is still worth something. */
static int third_of(const struct column_layout *layout)
{
	return larger((layout->width - 3 * GAP) / 3, 1);
}

/* Title and arrow of the column that the rows are ordered by; a blank before "%" can go. */
static int sorted_width(const struct column_layout *layout, const struct column *column)
{
	bool descends;

	if (view_table_sort(layout->table, &descends) != column)
		return 0;
	return (int)text_width(column->title) + 1 - (strstr(column->title, " %") != NULL);
}

/* Words that are not the last ones are narrower on a narrow screen. A bar is the longer the more
 * room there is. */
static int width_of_slot(const struct column_layout *layout, size_t index)
{
	const struct column *column = view_table_column(layout->table, index);
	const bool is_last = index + 1 == layout->column_count;
	const int third = third_of(layout);

	if (column->format == COLUMN_BAR) {
		const int most = BAR_GROWTH * column->width;

		return column->width + smaller(layout->spare, most);
	}
	if (!is_text_column(column) || is_last || third >= column->width)
		return larger(column->width + view_table_is_difference(layout->table, index),
			      sorted_width(layout, column));
	return smaller(third + layout->spare_words, column->width);
}

/* Columns that each bar can have beside its own, where there is room for all that is shown. */
static int spare_of(const struct column_layout *layout)
{
	long long rest = layout->width;
	int bars = 0;

	if (is_text_column(view_table_column(layout->table, layout->column_count - 1)))
		return 0;
	for (size_t i = 0; i < layout->column_count && rest > 0; i++) {
		if (i > 0 && i <= layout->scroll)
			continue;
		rest -= width_of_slot(layout, i) + GAP;
		bars += view_table_column(layout->table, i)->format == COLUMN_BAR;
	}
	return bars > 0 && rest > 0 ? (int)(rest / bars) : 0;
}

/* Columns that are kept free for the last column. */
static int reserve_widths(const struct column_layout *layout)
{
	const struct column *last = view_table_column(layout->table, layout->column_count - 1);
	if (!is_text_column(last))
		return 0;
	const int words = view_table_is_tree(layout->table) ? larger(WORDS_OF_TREE, last->width)
							    : last->width;
	return GAP + smaller(third_of(layout), words);
}

static enum column_rank rank_of_slot(const struct column_layout *layout, size_t index)
{
	const struct column *column = view_table_column(layout->table, index);
	bool descends;

	if (layout->is_scrolled)
		return RANK_OTHER;
	if (view_table_is_added(layout->table, index) ||
	    column == view_table_sort(layout->table, &descends))
		return RANK_WANTED;
	return view_table_is_essential(layout->table, index) ? RANK_ESSENTIAL : RANK_OTHER;
}

/* Columns that are kept free for what is behind `index` and does not give way to it. */
static int reserve_behind(const struct column_layout *layout, size_t index)
{
	const enum column_rank rank = rank_of_slot(layout, index);
	int width = 0;

	for (size_t i = index + 1; i < layout->column_count; i++) {
		/* the last one is reserved for already when it is words */
		if (i <= layout->scroll || (i + 1 == layout->column_count &&
					    is_text_column(view_table_column(layout->table, i))))
			continue;
		if (rank_of_slot(layout, i) > rank && width < layout->width)
			width += GAP + width_of_slot(layout, i);
	}
	return width;
}

/* Whether the column can be drawn without driving out one that matters more. */
static bool has_slot_room(const struct column_layout *layout, const struct column_slot *slot)
{
	const struct column *column = view_table_column(layout->table, slot->index);
	const bool is_first = slot->index == 0 && (!layout->has_essential || layout->has_asked_for);
	int kept = reserve_behind(layout, slot->index);

	if (!layout->last_yields || rank_of_slot(layout, slot->index) == RANK_OTHER)
		kept += reserve_widths(layout);
	if (column->is_shrinkable && kept < GAP + width_of_slot(layout, slot->index + 1))
		kept = GAP + width_of_slot(layout, slot->index + 1);
	if (column->format == COLUMN_TREND && kept > 0 &&
	    rank_of_slot(layout, slot->index) == RANK_OTHER && !layout->is_scrolled &&
	    kept < GAP + WORDS_BEFORE_TREND)
		kept = GAP + WORDS_BEFORE_TREND;
	return is_first || kept == 0 ||
	       slot->x + width_of_slot(layout, slot->index) + kept <= layout->width;
}

static size_t next_index(const struct column_layout *layout, size_t index)
{
	return index + 1 + (index == 0 ? layout->scroll : 0);
}

/*
 * Which column comes: one that would drive out one that matters more is left out. Where one has no
 * room, those like it that come later are not tried.
 */
static void choose_slot(const struct column_layout *layout, struct column_slot *slot, bool *is_full)
{
	while (slot->index + 1 < layout->column_count) {
		const struct column *column = view_table_column(layout->table, slot->index);
		const bool is_other = rank_of_slot(layout, slot->index) == RANK_OTHER;

		if (!(*is_full && is_other) && has_slot_room(layout, slot))
			return;
		*is_full = *is_full || !column->is_shrinkable;
		slot->index = next_index(layout, slot->index);
	}
}

/* How wide the column is on what is left of the line; 0: that is worth nothing to it. */
static int width_in(const struct column_layout *layout, const struct column_slot *slot, int room)
{
	const int width = width_of_slot(layout, slot->index);

	if (is_text_column(slot->column) && slot->index + 1 == layout->column_count) {
		const bool is_too_narrow = room < smaller(slot->column->width, WORDS_LEAST);

		return layout->last_yields && is_too_narrow ? 0 : room;
	}
	return width <= room ? width : is_left_aligned(slot->column) ? room : 0;
}

/* Fills in the columns that are shown. */
static void lay_out(struct column_layout *layout)
{
	struct column_slot slot = {0};
	bool is_full = false; /* a column has found no room: only what is wanted comes in */

	layout->count = 0;
	while (layout->count < PLACES_MAX) {
		choose_slot(layout, &slot, &is_full);
		if (slot.index >= layout->column_count || slot.x >= layout->width)
			return;
		slot.column = view_table_column(layout->table, slot.index);
		slot.width = width_in(layout, &slot, layout->width - slot.x);
		if (slot.width == 0)
			return;
		layout->shown[layout->count++] = slot;
		slot.x += slot.width + GAP;
		slot.x += slot.index == 0 && layout->scroll > 0 ? SCROLLED : 0;
		slot.index = next_index(layout, slot.index);
	}
}

static void find_essential_slots(struct column_layout *layout)
{
	bool has_words = false;

	for (size_t i = 0; i < layout->column_count; i++) {
		layout->has_asked_for =
			layout->has_asked_for || view_table_is_added(layout->table, i);
		if (!view_table_is_essential(layout->table, i))
			continue;
		layout->has_essential = true;
		has_words = has_words || is_text_column(view_table_column(layout->table, i));
	}
	layout->last_yields =
		has_words &&
		is_text_column(view_table_column(layout->table, layout->column_count - 1)) &&
		!view_table_is_essential(layout->table, layout->column_count - 1);
}

/* Columns that each column of words can have beside its own, where none takes the rest. */
static int spare_words_of(const struct column_layout *layout)
{
	int rest = layout->width, words = 0;

	for (size_t i = 0; i < layout->count; i++) {
		const struct column_slot *slot = &layout->shown[i];

		if (slot->index + 1 == layout->column_count && is_text_column(slot->column))
			return 0;
		words += is_text_column(slot->column);
		rest = layout->width - slot->x - slot->width;
	}
	return words > 0 && rest > 0 ? rest / words : 0;
}

/* scroll: steps to the right. The first of them may lead to columns that gave way until then. */
static void lay_out_columns(struct column_layout *layout, const struct view_table *table, int width,
			    size_t scroll)
{
	*layout = (struct column_layout){
		.table = table, .width = width, .column_count = view_table_column_count(table)};
	if (layout->column_count == 0)
		return;
	find_essential_slots(layout);
	if (scroll > 0) {
		/* where the second column is not on the screen, it is the first one to scroll to */
		lay_out(layout);
		const bool has_second = (layout->count > 0 && layout->shown[0].index == 1) ||
					(layout->count > 1 && layout->shown[1].index == 1);

		*layout = (struct column_layout){.table = table,
						 .width = width,
						 .column_count = layout->column_count,
						 .scroll = scroll - (has_second ? 0 : 1),
						 .is_scrolled = true};
	}
	layout->spare = spare_of(layout);
	lay_out(layout);
	layout->spare_words = spare_words_of(layout);
	if (layout->spare_words > 0)
		lay_out(layout);
}

/* "MISS % TREND", as far as there is room for it. */
static void write_column_title(const struct list_drawing *drawing, const struct column_slot *slot,
			       char *title, size_t size)
{
	const struct column *column = slot->column;
	const struct column *of = view_table_trend(drawing->table);
	const int room = slot->width - (int)text_width(column->title) - 1;

	if (column->format == COLUMN_TREND && of && (int)text_width(of->title) <= room)
		snprintf(title, size, "%s %s", of->title, column->title);
	else
		snprintf(title, size, "%s", column->title);
}

static void draw_title(const struct list_drawing *drawing, const struct column_slot *slot, int y)
{
	char title[COLUMN_NAME_MAX];
	write_column_title(drawing, slot, title, sizeof(title));
	bool descends;

	const bool is_sorted = view_table_sort(drawing->table, &descends) == slot->column;
	const enum style style = is_sorted ? STYLE_TITLE_SORTED : STYLE_TITLE;
	char *blank = strstr(title, " %");

	if (is_sorted && blank && (int)text_width(title) >= slot->width)
		memmove(blank, blank + 1, strlen(blank));
	const int width = (int)text_width(title) + is_sorted;
	int x = slot->x;

	if (!is_left_aligned(slot->column) && width < slot->width)
		x += slot->width - width;
	x = paragraph_draw_cut(drawing->screen, x, y, slot->x + slot->width - x - is_sorted, title,
			       style);
	if (is_sorted)
		screen_text(drawing->screen, x, y, 1, descends ? "▼" : "▲", style);
	screen_mark(drawing->screen, slot->x, y, slot->width + GAP, 1, HIT_TITLE, slot->index);
}

static void draw_titles(const struct list_drawing *drawing, int y)
{
	const struct column_layout *layout = &drawing->layout;
	struct screen *screen = drawing->screen;
	const int end = screen->width - 1;

	/* from edge to edge: what is above it ends here */
	screen_restyle(screen, 0, y, screen->width, STYLE_TITLE);
	for (size_t i = 0; i < layout->count; i++)
		draw_title(drawing, &layout->shown[i], y);
	if (layout->scroll > 0 && layout->count > 1)
		screen_text(screen, layout->shown[1].x - SCROLLED, y, 1, "<", STYLE_DIM);
	if (layout->count + layout->scroll < layout->column_count &&
	    screen_is_blank(screen, end, y) && screen_is_blank(screen, end - 1, y))
		screen_text(screen, end, y, 1, ">", STYLE_DIM);
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
	if (cell->is_difference && row->function) /* more red, less blue */
		return cell->value > 0 ? STYLE_GOOD_0 : STYLE_GOOD_4;
	if (cell->load > 0)
		return (enum style)(STYLE_LOAD_0 + cell->load);
	return style_of_goodness(cell->goodness, row->is_tagged ? STYLE_BOLD : STYLE_NORMAL);
}

/* What is in the gap behind the value. An estimate is said before anything about the row. */
static const char *mark_of_cell(const struct view_row *row, const struct cell *cell, int x)
{
	if (cell->is_estimate && !cell->is_unknown)
		return "~";
	if (cell->is_scaled && !cell->is_unknown)
		return "'";
	if (x > 0)
		return "";
	if (is_ended(row))
		return "×";
	return row->is_new ? "*" : "";
}

static void draw_list_number(const struct list_drawing *drawing, const struct column_slot *slot,
			     int y, const char *text, enum style style)
{
	if (text_width(text) > (size_t)slot->width) {
		screen_fill(drawing->screen, slot->x, y, slot->width, "#", style);
		return;
	}
	screen_text_right(drawing->screen, slot->x, y, slot->width, text, style);
}

/* Where there is no room for all of it, the name in front of a number is cut. */
static void draw_cell_words(const struct list_drawing *drawing, const struct column_slot *slot,
			    int y, const struct cell *cell, enum style style)
{
	const char *tail = cell->text + strlen(cell->text) - cell->tail;
	const int room = slot->width - (int)text_width(tail);
	char name[CELL_TEXT_MAX];

	if (cell->head > 0) {
		paragraph_draw_branch(drawing->screen, slot->x, y, slot->width, cell->text,
				      cell->head, style);
		return;
	}
	if (cell->tail == 0 || text_width(cell->text) <= (size_t)slot->width) {
		paragraph_draw_cut(drawing->screen, slot->x, y, slot->width, cell->text, style);
		return;
	}
	if (tail == cell->text) {
		draw_list_number(drawing, slot, y, cell->text, style);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(strlen(cell->text) - cell->tail), cell->text);
	if (room <= NAME_LEAST) {
		paragraph_draw_cut(drawing->screen, slot->x, y, slot->width, name, style);
		return;
	}
	const int x = paragraph_draw_cut(drawing->screen, slot->x, y, room, name, style);
	screen_text(drawing->screen, x, y, slot->x + slot->width - x, tail, style);
}

/* Where the branch of a tree is whole: else the name is somewhere else. */
static void embolden_program(const struct list_drawing *drawing, const struct column_slot *slot,
			     int y, const struct cell *cell)
{
	const int branch = (int)text_width_part(cell->text, cell->head);
	const int name = (int)text_width_part(cell->text + cell->head, cell->program);

	if (branch + name <= slot->width)
		screen_restyle(drawing->screen, slot->x + branch, y, name, STYLE_BOLD);
}

/* Of a trend the newest values stay. */
static void draw_trend(const struct list_drawing *drawing, const struct column_slot *slot, int y,
		       const char *text, enum style style)
{
	uint32_t code;

	while (text_width(text) > (size_t)slot->width) {
		const int length = text_decode(text, strlen(text), &code);

		text += length > 0 ? length : 1;
	}
	screen_text(drawing->screen, slot->x, y, slot->width, text,
		    style == STYLE_NORMAL ? STYLE_BAR : style);
}

static void draw_list_cell(const struct list_drawing *drawing, const struct column_slot *slot,
			   int y, size_t index, const struct view_row *row)
{
	struct cell cell;

	view_table_cell(drawing->table, index, slot->index, &cell);
	const enum style style = style_of(row, &cell);

	if (cell.is_unknown)
		strcpy(cell.text, "–");

	if (slot->column->format == COLUMN_BAR && !cell.is_unknown && !cell.is_difference) {
		screen_bar(drawing->screen, slot->x, y, slot->width, cell.value,
			   style == STYLE_NORMAL ? STYLE_BAR : style);
		graph_mark_system(drawing->screen, slot->x, y, slot->width, cell.value,
				  cell.system_pct);
	} else if (slot->column->format == COLUMN_TREND) {
		draw_trend(drawing, slot, y, cell.text, style);
	} else if (is_left_aligned(slot->column) && !cell.is_difference) {
		draw_cell_words(drawing, slot, y, &cell, style);
		if (style == STYLE_NORMAL)
			embolden_program(drawing, slot, y, &cell);
	} else {
		draw_list_number(drawing, slot, y, cell.text, style);
	}
	const char *mark = mark_of_cell(row, &cell, slot->x);

	screen_text(drawing->screen, slot->x + slot->width, y, GAP, mark,
		    cell.is_estimate || cell.is_scaled ? STYLE_DIM : STYLE_NORMAL);
}

/* Where the first column leaves no room, the mark is in the gap behind it. */
static void draw_tag(const struct list_drawing *drawing, int y)
{
	int x = 0;

	if (drawing->layout.count == 0)
		return;
	if (!screen_is_blank(drawing->screen, x, y))
		x = drawing->layout.shown[0].width;
	screen_text(drawing->screen, x, y, 1, "»", STYLE_KEY);
}

static void draw_row(const struct list_drawing *drawing, int y, size_t index)
{
	const struct view_row *row = view_table_row(drawing->table, index);

	for (size_t i = 0; i < drawing->layout.count; i++)
		draw_list_cell(drawing, &drawing->layout.shown[i], y, index, row);
	if (row->is_tagged)
		draw_tag(drawing, y);
}

/* The cursor's bar is in reverse video, in which what is empty of a bar would look full. */
static void select_line(const struct list_drawing *drawing, int y)
{
	screen_select_line(drawing->screen, y);
	for (size_t i = 0; i < drawing->layout.count; i++) {
		const struct column_slot *slot = &drawing->layout.shown[i];
		const enum column_format format = slot->column->format;

		for (int x = 0; x < slot->width; x++)
			if (format == COLUMN_BAR || format == COLUMN_TREND)
				screen_deselect_cell(drawing->screen, slot->x + x, y);
	}
}

void list_draw(struct list *list, const struct view_table *table, struct screen *screen, int y,
	       int lines)
{
	struct list_drawing drawing = {.table = table, .screen = screen};
	const size_t count = view_table_row_count(table);

	if (lines < 1)
		return;
	list_scroll(list, table, 0);
	lay_out_columns(&drawing.layout, table, screen->width, (size_t)list->scroll);
	draw_titles(&drawing, y);
	list->page = (size_t)lines - 1;
	cursor_keep(&list->cursor, count, list->page > 0 ? list->page : 1);
	screen_mark(screen, 0, y + 1, screen->width,
		    smaller((int)list->page, (int)(count - list->cursor.top)), HIT_ROW,
		    list->cursor.top);
	for (size_t i = 0; i < list->page && list->cursor.top + i < count; i++) {
		const int line = y + 1 + (int)i;

		draw_row(&drawing, line, list->cursor.top + i);
		if (list->cursor.top + i == list->cursor.at)
			select_line(&drawing, line);
	}
}
