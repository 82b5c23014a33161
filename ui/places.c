#include "ui/places.h"

#include "view/column.h"
#include "view/table.h"

/*
 * A last column of words says who a row is, so it is always on the screen, and so are columns that
 * the user asked for, and the one the rows are ordered by, as long as there is room: on a narrow
 * screen the others before them are left out, and columns of words are narrower. On a wide one bars
 * take what nobody needs.
 */

enum {
	GAP = PLACES_GAP,
	BAR_GROWTH = 3 /* times its width that a bar grows at most */
};

static bool is_text(const struct column *column)
{
	return column->format == COLUMN_TEXT;
}

bool places_is_left_aligned(const struct column *column)
{
	return is_text(column) || column->format == COLUMN_BAR || column->format == COLUMN_TREND;
}

/* What words have of a narrow screen: a part of them is still worth something. */
static int third_of(const struct places *places)
{
	const int third = (places->width - 3 * GAP) / 3;

	return third > 1 ? third : 1;
}

/* Words that are not the last ones are narrower on a narrow screen. A bar is the longer the more
 * room there is. */
static int width_of(const struct places *places, size_t index)
{
	const struct column *column = view_table_column(places->table, index);
	const bool is_last = index + 1 == view_table_column_count(places->table);
	const int third = third_of(places);

	if (column->format == COLUMN_BAR) {
		const int most = BAR_GROWTH * column->width;

		return column->width + (places->spare < most ? places->spare : most);
	}
	return is_text(column) && !is_last && third < column->width ? third : column->width;
}

/* Columns that each bar can have beside its own, where there is room for all that is shown. */
static int spare_of(const struct places *places)
{
	const size_t count = view_table_column_count(places->table);
	long long rest = places->width;
	int bars = 0;

	if (count == 0 || is_text(view_table_column(places->table, count - 1))) {
		return 0;
	}
	for (size_t i = 0; i < count && rest > 0; i++) {
		if (i > 0 && i <= places->scroll) {
			continue;
		}
		rest -= width_of(places, i) + GAP;
		bars += view_table_column(places->table, i)->format == COLUMN_BAR;
	}
	return bars > 0 && rest > 0 ? (int)(rest / bars) : 0;
}

/* Columns that are kept free for the last column. */
static int reserve(const struct places *places)
{
	const size_t count = view_table_column_count(places->table);
	const int third = third_of(places);

	if (count == 0) {
		return 0;
	}
	const struct column *last = view_table_column(places->table, count - 1);
	if (!is_text(last)) {
		return 0;
	}
	return GAP + (third < last->width ? third : last->width);
}

/* Whether others give way to it. */
static bool is_wanted(const struct places *places, const struct column *column)
{
	bool descends;

	return column->was_asked_for || column == view_table_sort(places->table, &descends);
}

/* Columns that are kept free for what is wanted behind `index`. */
static int reserve_wanted(const struct places *places, size_t index)
{
	const size_t count = view_table_column_count(places->table);
	int width = 0;

	for (size_t i = index + 1; i < count; i++) {
		const struct column *column = view_table_column(places->table, i);

		/* the last one is reserved for already when it is words */
		if (i + 1 == count && is_text(column)) {
			continue;
		}
		if (is_wanted(places, column) && width < places->width) {
			width += GAP + width_of(places, i);
		}
	}
	return width;
}

/* Whether the column can be drawn without driving out one that matters more. */
static bool has_room(const struct places *places, const struct place *place)
{
	const struct column *column = view_table_column(places->table, place->index);
	int kept = reserve(places);

	if (!is_wanted(places, column)) {
		kept += reserve_wanted(places, place->index);
	}
	if (column->gives_way && kept < GAP + width_of(places, place->index + 1)) {
		kept = GAP + width_of(places, place->index + 1);
	}
	return kept == 0 || place->x + width_of(places, place->index) + kept <= places->width;
}

/*
 * Which column follows: one that was scrolled away, or would drive out one that matters more, is
 * left out. Where one has no room, those like it that come later are not tried.
 */
static void next_index(const struct places *places, struct place *place)
{
	const size_t count = view_table_column_count(places->table);
	const size_t skipped = place->index == 0 ? places->scroll : 0;

	place->index += 1 + skipped;
	place->hidden = skipped > 0 ? "<" : NULL;
	while (place->index + 1 < count) {
		const struct column *column = view_table_column(places->table, place->index);

		if (!(place->is_full && !is_wanted(places, column)) && has_room(places, place)) {
			return;
		}
		place->is_full = place->is_full || !column->gives_way;
		place->hidden = ">";
		place->index++;
	}
}

bool places_next(const struct places *places, struct place *place)
{
	const size_t count = view_table_column_count(places->table);

	if (place->column) {
		place->x += place->width + GAP;
		next_index(places, place);
	}
	if (place->index >= count || place->x >= places->width) {
		return false;
	}
	const int room = places->width - place->x;

	place->column = view_table_column(places->table, place->index);
	place->width = width_of(places, place->index);
	if (is_text(place->column) && place->index == count - 1) {
		place->width = room;
	}
	if (place->width > room) {
		place->width = room;
		return places_is_left_aligned(place->column);
	}
	return true;
}

void places_init(struct places *places, const struct view_table *table, int width, size_t scroll)
{
	*places = (struct places){.table = table, .width = width, .scroll = scroll};
	places->spare = spare_of(places);
}
