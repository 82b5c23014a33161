#include <limits.h>
#include <locale.h>
#include <math.h>

#include "base/strbuf.h"

#include "term/screen.h"
#include "unit.h"

static struct screen *screen;

/* The screen, with a frame of dumped text around the comparison. */
static void assert_dump(const char *expected)
{
	struct strbuf dump = {0};

	screen_dump(screen, &dump);
	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&dump);
}

static struct screen_cell *cell(int x, int y)
{
	return &screen->cells[y * screen->width + x];
}

static int set_up(void **state)
{
	static struct screen one;

	screen_init(&one, 10, 3);
	screen = &one;
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(screen);
	return 0;
}

/* What is written, and how it is on an empty screen of 10 x 3. */
UNIT_TEST(screen_text_is_where_it_has_room)
{
	static const struct {
		const char *name;
		struct {
			int x, y, columns;
			const char *text;
		} written[3];
		int end; /* of the last; -1: any */
		const char *dump;
	} cases[] = {
		/* clang-format off */
		{"plain text", {{2, 1, 5, "abc"}}, 5, "\n  abc\n\n"},
		{"longer than its columns", {{0, 0, 3, "abcdef"}}, 3, "abc\n\n\n"},
		{"beyond the right edge", {{8, 0, 100, "abcdef"}}, 10, "        ab\n\n\n"},
		{"from before the left edge", {{-2, 0, 100, "abcdef"}}, 4, "cdef\n\n\n"},
		{"above the first line", {{0, -1, 10, "abc"}}, -1, "\n\n\n"},
		{"below the last line", {{0, 3, 10, "abc"}}, -1, "\n\n\n"},
		{"far outside", {{INT_MAX, 0, INT_MAX, "abc"}}, -1, "\n\n\n"},
		{"in no columns", {{0, 0, -5, "abc"}}, -1, "\n\n\n"},
		{"wide", {{0, 0, 10, "漢a"}}, 3, "漢a\n\n\n"},
		{"wide without room", {{0, 0, 2, "a漢b"}}, 1, "a\n\n\n"},
		{"wide at the left edge", {{0, 0, 10, "xxxxxxxxxx"}, {-1, 0, 10, "漢"}}, -1, " xxxxxxxxx\n\n\n"},
		{"wide at the right edge", {{0, 0, 10, "xxxxxxxxxx"}, {9, 0, 10, "漢"}}, -1, "xxxxxxxxx\n\n\n"},
		{"over the left half of a wide one", {{0, 0, 10, "a漢b"}, {1, 0, 1, "x"}}, -1, "ax b\n\n\n"},
		{"over the right half of a wide one", {{0, 0, 10, "a漢b"}, {2, 0, 1, "x"}}, -1, "a xb\n\n\n"},
		{"wide over two halves", {{0, 0, 10, "漢漢"}, {1, 0, 2, "字"}}, -1, " 字\n\n\n"},
		{"controls and broken bytes", {{0, 0, 10, "\x1b[\n\x7f\xc2\x9b\xff\xe2\x80\xae."}}, -1, "?[?????.\n\n\n"},
		{"combining", {{0, 0, 2, "e\xcc\x81xy"}}, 2, "e\xcc\x81x\n\n\n"},
		{"combining after the last column", {{0, 0, 1, "e\xcc\x81"}}, -1, "e\xcc\x81\n\n\n"},
		{"combining without a base", {{0, 0, 10, "a"}, {1, 0, 10, "\xcc\x81"}}, -1, "a\n\n\n"},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		int end = 0;

		begin_case(cases[i].name);
		tear_down(NULL);
		set_up(NULL);
		for (size_t j = 0; j < 3 && cases[i].written[j].text; j++)
			end = screen_text(screen, cases[i].written[j].x, cases[i].written[j].y,
					  cases[i].written[j].columns, cases[i].written[j].text,
					  STYLE_BOLD);
		if (cases[i].end >= 0)
			assert_int_equal(end, cases[i].end);
		assert_dump(cases[i].dump);
	}
}

UNIT_TEST(screen_text_has_its_style_and_width)
{
	screen_text(screen, 2, 1, 5, "漢c", STYLE_BOLD);
	assert_int_equal(cell(4, 1)->style, STYLE_BOLD);
	assert_int_equal(cell(5, 1)->style, STYLE_NORMAL);
	assert_int_equal(cell(2, 1)->width, 2);
	assert_int_equal(cell(3, 1)->width, 0);
	assert_string_equal(cell(3, 1)->bytes, "");
	screen_text(screen, 2, 1, 1, "x", STYLE_BOLD);
	assert_int_equal(cell(3, 1)->width, 1);
	screen_text(screen, 9, 0, 10, "漢", STYLE_NORMAL);
	assert_int_equal(cell(9, 0)->width, 1);
}

UNIT_TEST(screen_text_many_combining_fill_the_cell_and_no_more)
{
	char text[1 + 2 * 100 + 1] = "e";

	for (int i = 0; i < 100; i++)
		memcpy(text + 1 + 2 * i, "\xcc\x81", 3);
	screen_text(screen, 0, 0, 10, text, STYLE_NORMAL);

	assert_int_equal(strlen(cell(0, 0)->bytes), SCREEN_CELL_BYTES - 1);
	assert_string_equal(cell(1, 0)->bytes, " ");
}

UNIT_TEST(screen_text_combining_that_would_take_the_nul_is_left_out)
{
	char text[2 + 2 * 100 + 1] = "é";

	for (int i = 0; i < 100; i++)
		memcpy(text + 2 + 2 * i, "\xcc\x81", 3);
	screen_text(screen, 0, 0, 10, text, STYLE_NORMAL);

	assert_int_equal(strnlen(cell(0, 0)->bytes, SCREEN_CELL_BYTES), SCREEN_CELL_BYTES - 2);
}

UNIT_TEST(screen_text_right_short_is_aligned)
{
	screen_text_right(screen, 1, 0, 6, "漢1", STYLE_NORMAL);

	assert_dump("    漢1\n\n\n");
}

UNIT_TEST(screen_text_right_long_is_cut_on_the_right)
{
	screen_text_right(screen, 1, 0, 3, "abcdef", STYLE_NORMAL);

	assert_dump(" abc\n\n\n");
}

UNIT_TEST(screen_fill_beyond_both_edges_is_clipped)
{
	screen_fill(screen, -5, 2, INT_MAX, "-", STYLE_NORMAL);

	assert_dump("\n\n----------\n");
}

UNIT_TEST(screen_fill_wide_never_writes_half)
{
	screen_fill(screen, 0, 0, 5, "漢", STYLE_NORMAL);

	assert_dump("漢漢\n\n\n");
}

UNIT_TEST(screen_select_line_survives_later_drawing)
{
	screen_select_line(screen, 1);
	screen_text(screen, 0, 1, 10, "漢", STYLE_NORMAL);
	screen_text(screen, 1, 1, 10, "x", STYLE_NORMAL);

	for (int x = 0; x < 10; x++) {
		assert_true(cell(x, 1)->is_selected);
		assert_false(cell(x, 0)->is_selected);
	}
}

UNIT_TEST(screen_select_line_outside_does_nothing)
{
	screen_select_line(screen, -1);
	screen_select_line(screen, 3);

	assert_false(cell(0, 0)->is_selected);
	assert_false(cell(9, 2)->is_selected);
}

UNIT_TEST(screen_bar_shows_eighths)
{
	screen_bar(screen, 0, 0, 4, 100.0, STYLE_BAR);
	screen_bar(screen, 0, 1, 4, 53.2, STYLE_BAR);
	screen_bar(screen, 0, 2, 4, 3.2, STYLE_BAR);

	assert_dump("████\n██▏\n▏\n");
}

UNIT_TEST(screen_bar_ascii_shows_whole_columns)
{
	screen->is_ascii = true;
	screen_bar(screen, 0, 0, 4, 50.0, STYLE_BAR);

	assert_dump("||\n\n\n");
}

UNIT_TEST(screen_bar_out_of_range_is_clamped)
{
	screen_bar(screen, 0, 0, 4, 1e30, STYLE_BAR);
	screen_bar(screen, 0, 1, 4, -7.0, STYLE_BAR);
	screen_bar(screen, 0, 2, 0, 50.0, STYLE_BAR);

	assert_dump("████\n\n\n");
}

UNIT_TEST(screen_bar_unknown_is_empty)
{
	screen_text(screen, 0, 0, 4, "old!", STYLE_NORMAL);
	screen_bar(screen, 0, 0, 4, NAN, STYLE_BAR);

	assert_dump("\n\n\n");
}

UNIT_TEST(screen_resize_clears_and_forgets_the_cursor)
{
	screen_text(screen, 0, 0, 4, "old", STYLE_NORMAL);
	screen->cursor_x = 3;
	screen_resize(screen, 4, 1);

	assert_dump("\n");
	assert_int_equal(screen->cursor_x, -1);
}

UNIT_TEST(screen_resize_to_nothing_can_be_drawn_on)
{
	screen_resize(screen, 0, 0);
	screen_text(screen, 0, 0, 4, "漢", STYLE_NORMAL);
	screen_fill(screen, 0, 0, 4, "x", STYLE_NORMAL);
	screen_select_line(screen, 0);

	assert_dump("");
}

UNIT_TEST(screen_restyle_changes_no_text)
{
	screen_text(screen, 0, 0, 10, "a\u6f22b", STYLE_NORMAL);
	screen_restyle(screen, 1, 0, 2, STYLE_BOLD);
	screen_restyle(screen, screen->width - 1, 0, 9, STYLE_DIM);
	screen_restyle(screen, 0, screen->height, 9, STYLE_DIM);
	assert_string_equal(screen->cells[1].bytes, "\u6f22");
	assert_int_equal(screen->cells[0].style, STYLE_NORMAL);
	assert_int_equal(screen->cells[1].style, STYLE_BOLD);
	assert_int_equal(screen->cells[2].style, STYLE_BOLD);
	assert_int_equal(screen->cells[3].style, STYLE_NORMAL);
	assert_int_equal(screen->cells[screen->width - 1].style, STYLE_DIM);
	assert_int_equal(screen->cells[screen->width].style, STYLE_NORMAL);
}

UNIT_TEST(screen_text_in_ascii_is_replaced)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"a–b…▼", "a-b~v"},
		{"▁▄█▏", "_=#|"},
		{"é日x", "??x"},
		{"e\u0301x", "ex"},
	};

	screen->is_ascii = true;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		screen_resize(screen, 10, 1);
		screen_text(screen, 0, 0, 10, cases[i].text, STYLE_NORMAL);
		assert_string_equal(screen->cells[strlen(cases[i].expected)].bytes, " ");
		for (int x = 0; cases[i].expected[x] != '\0'; x++)
			assert_int_equal(screen->cells[x].bytes[0], cases[i].expected[x]);
	}
}

UNIT_TEST(screen_cell_characters_are_what_a_terminal_can_show)
{
	static const struct {
		const char *bytes;
		int width;
		bool is_utf8;
		const wchar_t *expected;
	} cases[] = {
		{"e\u0301\u0302", 1, true, L"e\u0301\u0302"},
		{"\u65e5", 2, true, L"\u65e5"},
		/* more than a cell takes */
		{"e\u0301\u0301\u0301\u0301\u0301", 1, true, L"e\u0301\u0301\u0301\u0301"},
		/* not as wide as the cell */
		{"\u65e5", 1, true, L"?"},
		{"a", 1, false, L"a"},
		{"\u2588", 1, false, L"?"},
		{"e\u0301", 1, false, L"?"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct screen_cell cell = {.width = (uint8_t)cases[i].width};
		wchar_t characters[SCREEN_CELL_CHARACTERS + 1];

		begin_case(cases[i].bytes);
		strcpy(cell.bytes, cases[i].bytes);
		screen_cell_characters(&cell, cases[i].is_utf8, characters);
		assert_int_equal(wcscmp(characters, cases[i].expected), 0);
	}
}

static void assert_hit(int x, int y, enum hit_kind kind, size_t index)
{
	const struct hit hit = screen_find(screen, x, y);

	assert_int_equal(hit.kind, kind);
	if (kind != HIT_NOTHING)
		assert_int_equal(hit.index, index);
}

UNIT_TEST(screen_find_outside_of_all_marks_is_nothing)
{
	assert_hit(0, 0, HIT_NOTHING, 0);
	screen_mark(screen, 2, 3, 4, 1, HIT_TAB, 0);
	assert_hit(1, 3, HIT_NOTHING, 0);
	assert_hit(6, 3, HIT_NOTHING, 0);
	assert_hit(2, 2, HIT_NOTHING, 0);
	assert_hit(2, 4, HIT_NOTHING, 0);
	assert_hit(-1, -1, HIT_NOTHING, 0);
	assert_hit(100000, 100000, HIT_NOTHING, 0);
	assert_hit(2, 3, HIT_TAB, 0);
	assert_hit(5, 3, HIT_TAB, 0);
}

UNIT_TEST(screen_mark_later_areas_lie_above_and_lines_count_up)
{
	screen_mark(screen, 0, 5, 80, 10, HIT_ROW, 42);
	screen_mark(screen, 0, 5, 5, 5, HIT_NOTHING, 0);
	screen_mark(screen, 0, 5, 0, 9, HIT_TAB, 0);
	assert_hit(0, 5, HIT_NOTHING, 0);
	assert_hit(5, 5, HIT_ROW, 42);
	assert_hit(79, 14, HIT_ROW, 51);
	screen_clear(screen);
	assert_hit(5, 5, HIT_NOTHING, 0);
}

int main(void)
{
	/* widths of characters come from the locale */
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(set_up, tear_down);
}
