#include <locale.h>

#include "base/strbuf.h"

#include "term/screen.h"
#include "unit.h"
#include "widget/paragraph.h"

/* All lines of a text, each ended by '|'. */
static void assert_wrapped(const char *text, int columns, const char *expected)
{
	struct strbuf all = {0};
	int lines = 0;

	for (const char *rest = text; rest;) {
		const char *begin;
		const size_t length = paragraph_wrap(&rest, columns, &begin);

		strbuf_add_bytes(&all, begin, length);
		strbuf_add_char(&all, '|');
		lines++;
	}
	assert_string_equal(strbuf_text(&all), expected);
	assert_int_equal(paragraph_lines(text, columns), lines);
	strbuf_fini(&all);
}

UNIT_TEST(paragraph_wrap_breaks_at_the_last_blank_that_fits)
{
	assert_wrapped("one two three", 8, "one two|three|");
	assert_wrapped("one two three", 7, "one two|three|");
	assert_wrapped("one two three", 6, "one|two|three|");
}

UNIT_TEST(paragraph_wrap_long_word_is_broken_anywhere)
{
	assert_wrapped("abcdefgh ij", 3, "abc|def|gh|ij|");
}

UNIT_TEST(paragraph_wrap_wide_characters_stay_whole)
{
	assert_wrapped("漢漢漢", 3, "漢|漢|漢|");
}

UNIT_TEST(paragraph_wrap_line_ends_are_kept)
{
	assert_wrapped("a\n\nb\n", 10, "a||b|");
	assert_wrapped("", 10, "|");
}

UNIT_TEST(paragraph_wrap_indentation_is_no_place_to_break)
{
	assert_wrapped("  abcdefgh", 6, "  abcd|efgh|");
}

static void assert_listed(const char *text, int columns, const char *expected)
{
	struct paragraph_list list = {.text = text};
	struct strbuf all = {0};
	int lines = 0;

	while (list.text) {
		const char *begin;
		int indent;
		const size_t length = paragraph_list_wrap(&list, columns, &begin, &indent);

		strbuf_printf(&all, "%d:", indent);
		strbuf_add_bytes(&all, begin, length);
		strbuf_add_char(&all, '|');
		lines++;
	}
	assert_string_equal(strbuf_text(&all), expected);
	assert_int_equal(paragraph_list_lines(text, columns), lines);
	strbuf_fini(&all);
}

UNIT_TEST(paragraph_list_explanation_goes_on_under_its_beginning)
{
	assert_listed("a  one two three\nb  one", 10, "0:a  one two|3:three|0:b  one|");
	/* three lines of one, and each begins there */
	assert_listed("  ab   one two six\n\nx", 16, "0:  ab   one two|7:six|0:|0:x|");
	assert_listed("a  one two three four", 8, "0:a  one|3:two|3:three|3:four|");
	/* a key, its command and what that does */
	assert_listed("k  x  one two three", 15, "0:k  x  one two|6:three|");
}

UNIT_TEST(paragraph_list_without_a_gap_goes_on_under_the_line)
{
	assert_listed("  one two three", 11, "0:  one two|2:three|");
	assert_listed("one two three", 8, "0:one two|0:three|");
	/* a gap too far to the right leaves no room */
	assert_listed("  abcdefgh  one two", 15, "0:  abcdefgh  one|2:two|");
}

UNIT_TEST(paragraph_list_wide_characters_are_measured)
{
	assert_listed("漢  one two three", 13, "0:漢  one two|4:three|");
}

UNIT_TEST(paragraph_list_every_width_comes_to_an_end)
{
	for (int columns = -1; columns < 40; columns++)
		assert_in_range(
			paragraph_list_lines("a  漢字 e\xcc\x81 long-word\n\n  x  yy zz", columns),
			3, 60);
}

UNIT_TEST(paragraph_wrap_every_width_comes_to_an_end)
{
	for (int columns = -1; columns < 40; columns++) {
		assert_in_range(paragraph_lines("a 漢字 e\xcc\x81 long-word\n\n  x", columns), 3,
				30);
	}
}

static void assert_drawn(int columns, const char *text, bool ascii, const char *expected)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, 12, 1);
	screen.is_ascii = ascii;
	paragraph_draw_cut(&screen, 1, 0, columns, text, STYLE_NORMAL);
	screen_dump(&screen, &dump);
	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(paragraph_draw_cut_marks_what_is_missing)
{
	assert_drawn(8, "abcdefgh", false, " abcdefgh\n");
	assert_drawn(8, "abcdefghi", false, " abcdefg…\n");
	assert_drawn(8, "abcdefghi", true, " abcdefg~\n");
	assert_drawn(4, "漢漢漢", false, " 漢…\n");
	assert_drawn(0, "abc", false, "\n");
	assert_drawn(-3, "abc", false, "\n");
}

UNIT_TEST(paragraph_draw_last_line_is_cut)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, 8, 4);
	paragraph_draw(&screen, 1, 2, "one two three four", STYLE_NORMAL);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), "\none two\nthree f…\n\n");
	strbuf_fini(&dump);
	screen_fini(&screen);
}

static void assert_branch(const char *lines, const char *name, int columns, bool ascii,
			  const char *expected)
{
	struct strbuf text = {0}, dump = {0};
	struct screen screen;

	screen_init(&screen, columns + 1, 1);
	strbuf_add(&text, lines);
	strbuf_add(&text, name);
	screen.is_ascii = ascii;
	paragraph_draw_branch(&screen, 0, 0, columns, strbuf_text(&text), strlen(lines),
			      STYLE_NORMAL);
	screen_dump(&screen, &dump);
	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&text);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(paragraph_draw_branch_leaves_the_name_its_room)
{
	/* with room it is drawn as it is */
	assert_branch("│  └─ ", "qemu", 12, false, "│  └─ qemu\n");
	assert_branch("│  └─ ", "qemu", 10, false, "│  └─ qemu\n");
	/* without it loses levels next to the root */
	assert_branch("│  │  │  └─ ", "qemu", 12, false, "…│  └─ qemu\n");
	assert_branch("│  │  │  └─ ", "qemu", 10, false, "…└─ qemu\n");
	assert_branch("│  └─ ", "qemu", 9, false, "…└─ qemu\n");
	/* a long name has two thirds */
	assert_branch("│  │  │  └─ ", "qemu-system-x86", 12, false, "…└─ qemu-sy…\n");
	assert_branch("├─ ", "qemu-system-x86", 12, false, "├─ qemu-sys…\n");
	assert_branch("|  |  `- ", "qemu-system-x86", 12, true, "~`- qemu-sy~\n");
	/* a folded row keeps how many */
	assert_branch("│  └─ [+12] ", "make", 14, false, "…└─ [+12] make\n");
	assert_branch("│  └─ [+12] ", "make", 12, false, "…[+12] make\n");
	assert_branch("└─ [+4] ", "make", 8, false, "…[+4] m…\n");
}

UNIT_TEST(paragraph_branch_never_leaves_its_columns)
{
	for (int columns = 0; columns < 40; columns++) {
		struct screen screen;

		screen_init(&screen, 60, 1);
		assert_in_range(paragraph_draw_branch(&screen, 2, 0, columns, "│  │  └─ 漢字漢字",
						      strlen("│  │  └─ "), STYLE_NORMAL),
				2, 2 + columns);
		screen_fini(&screen);
	}
}

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(NULL, NULL);
}
