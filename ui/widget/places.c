#include "widget/places.h"

#include "view/column.h"
#include "view/table.h"

/*
 * A last column of words says what a row is, so it is always on the screen, and so are columns that
 * the user asked for, and the one the rows are ordered by, as long as there is room; then come
 * those that say most: on a narrow screen the others are left out, the first one, too, and columns
 * of words are narrower. Where other words say more than the last ones, these give way. On a
 * wide screen bars take the room that is left.
 *
 * A user who scrolls wants to see the others: then all of them come in their order, and none gives
 * way but to the last words.
 */

enum {
	GAP = PLACES_GAP,
	BAR_GROWTH = 3,         /* times its width that a bar grows at most */
	WORDS_LEAST = 8,        /* less of a last column that yields is worth nothing */
	WORDS_BEFORE_TREND = 30 /* of the last column: a command says more than what was before */
};

/* Which column gives way to which. */
enum rank {
	RANK_OTHER,
	RANK_ESSENTIAL,
	RANK_WANTED /* asked for, or the rows are ordered by it */
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
	if (!is_text(column) || is_last || third >= column->width)
		return column->width;
	return third + places->spare_words < column->width ? third + places->spare_words
							   : column->width;
}

/* Columns that each bar can have beside its own, where there is room for all that is shown. */
static int spare_of(const struct places *places)
{
	const size_t count = view_table_column_count(places->table);
	long long rest = places->width;
	int bars = 0;

	if (count == 0 || is_text(view_table_column(places->table, count - 1)))
		return 0;
	for (size_t i = 0; i < count && rest > 0; i++) {
		if (i > 0 && i <= places->scroll)
			continue;
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

	if (count == 0)
		return 0;
	const struct column *last = view_table_column(places->table, count - 1);
	if (!is_text(last))
		return 0;
	return GAP + (third < last->width ? third : last->width);
}

static enum rank rank_of(const struct places *places, size_t index)
{
	const struct column *column = view_table_column(places->table, index);
	bool descends;

	if (places->is_scrolled)
		return RANK_OTHER;
	if (column->was_asked_for || column == view_table_sort(places->table, &descends))
		return RANK_WANTED;
	return view_table_is_essential(places->table, index) ? RANK_ESSENTIAL : RANK_OTHER;
}

/* Columns that are kept free for what is behind `index` and does not give way to it. */
static int reserve_behind(const struct places *places, size_t index)
{
	const size_t count = view_table_column_count(places->table);
	const enum rank rank = rank_of(places, index);
	int width = 0;

	for (size_t i = index + 1; i < count; i++) {
		/* the last one is reserved for already when it is words */
		if (i <= places->scroll ||
		    (i + 1 == count && is_text(view_table_column(places->table, i))))
			continue;
		if (rank_of(places, i) > rank && width < places->width)
			width += GAP + width_of(places, i);
	}
	return width;
}

/* Whether the column can be drawn without driving out one that matters more. */
static bool has_room(const struct places *places, const struct place *place)
{
	const struct column *column = view_table_column(places->table, place->index);
	const bool is_first =
		place->index == 0 && (!places->has_essential || places->has_asked_for);
	int kept = reserve_behind(places, place->index);

	if (!places->last_yields || rank_of(places, place->index) == RANK_OTHER)
		kept += reserve(places);
	if (column->is_shrinkable && kept < GAP + width_of(places, place->index + 1))
		kept = GAP + width_of(places, place->index + 1);
	if (column->format == COLUMN_TREND && kept > 0 &&
	    rank_of(places, place->index) == RANK_OTHER && !places->is_scrolled &&
	    kept < GAP + WORDS_BEFORE_TREND)
		kept = GAP + WORDS_BEFORE_TREND;
	return is_first || kept == 0 ||
	       place->x + width_of(places, place->index) + kept <= places->width;
}

static void go_on(const struct places *places, struct place *place)
{
	place->index += 1 + (place->index == 0 ? places->scroll : 0);
}

/*
 * Which column comes: one that would drive out one that matters more is left out. Where one has no
 * room, those like it that come later are not tried.
 */
static void choose(const struct places *places, struct place *place)
{
	const size_t count = view_table_column_count(places->table);

	while (place->index + 1 < count) {
		const struct column *column = view_table_column(places->table, place->index);
		const bool is_other = rank_of(places, place->index) == RANK_OTHER;

		if (!(place->is_full && is_other) && has_room(places, place))
			return;
		place->is_full = place->is_full || !column->is_shrinkable;
		place->hidden = place->x > 0 ? ">" : NULL;
		go_on(places, place);
	}
}

/* Whether what is left of the line is worth nothing to its last words. */
static bool is_too_narrow(const struct places *places, const struct place *place)
{
	const int width = place->column->width < WORDS_LEAST ? place->column->width : WORDS_LEAST;

	return places->last_yields && places->width - place->x < width;
}

bool places_next(const struct places *places, struct place *place)
{
	const size_t count = view_table_column_count(places->table);

	if (place->column) {
		place->x += place->width + GAP;
		place->hidden = place->index == 0 && places->scroll > 0 ? "<" : NULL;
		go_on(places, place);
	}
	choose(places, place);
	if (place->index >= count || place->x >= places->width)
		return false;
	const int room = places->width - place->x;

	place->column = view_table_column(places->table, place->index);
	place->width = width_of(places, place->index);
	if (is_text(place->column) && place->index == count - 1) {
		if (is_too_narrow(places, place))
			return false;
		place->width = room;
	}
	if (place->width > room) {
		place->width = room;
		return places_is_left_aligned(place->column);
	}
	return true;
}

/* The first column says which row it is: what was asked for does not push it out. */
static bool has_asked_for(const struct view_table *table)
{
	for (size_t i = 0; i < view_table_column_count(table); i++)
		if (view_table_column(table, i)->was_asked_for)
			return true;
	return false;
}

static void find_essential(struct places *places)
{
	const size_t count = view_table_column_count(places->table);
	bool has_words = false;

	for (size_t i = 0; i < count; i++) {
		if (!view_table_is_essential(places->table, i))
			continue;
		places->has_essential = true;
		has_words = has_words || is_text(view_table_column(places->table, i));
	}
	places->last_yields = has_words && is_text(view_table_column(places->table, count - 1)) &&
			      !view_table_is_essential(places->table, count - 1);
}

/* Columns that each column of words can have beside its own, where none takes the rest. */
static int spare_words_of(const struct places *places)
{
	const size_t last = view_table_column_count(places->table) - 1;
	struct place place = {0};
	int rest = places->width, words = 0;

	while (places_next(places, &place)) {
		if (place.index == last && is_text(place.column))
			return 0;
		words += is_text(place.column);
		rest = places->width - place.x - place.width;
	}
	return words > 0 && rest > 0 ? rest / words : 0;
}

/* Whether the second column is on the screen: otherwise it is the first one to scroll to. */
static bool has_second(const struct places *places)
{
	struct place place = {0};

	while (places_next(places, &place))
		if (place.index == 1)
			return true;
	return false;
}

void places_init(struct places *places, const struct view_table *table, int width, size_t scroll)
{
	*places = (struct places){.table = table, .width = width};
	if (view_table_column_count(table) == 0)
		return;
	find_essential(places);
	places->has_asked_for = has_asked_for(table);
	if (scroll > 0) {
		scroll -= has_second(places) ? 0 : 1;
		*places = (struct places){
			.table = table, .width = width, .scroll = scroll, .is_scrolled = true};
	}
	places->spare = spare_of(places);
	places->spare_words = spare_words_of(places);
}
