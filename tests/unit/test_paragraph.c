#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "ui/paragraph.h"
#include "ui/screen.h"

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

static void paragraph_wrap_breaks_at_the_last_blank_that_fits(void **state)
{
	(void)state;
	assert_wrapped("one two three", 8, "one two|three|");
	assert_wrapped("one two three", 7, "one two|three|");
	assert_wrapped("one two three", 6, "one|two|three|");
}

static void paragraph_wrap_long_word_is_broken_anywhere(void **state)
{
	(void)state;
	assert_wrapped("abcdefgh ij", 3, "abc|def|gh|ij|");
}

static void paragraph_wrap_wide_characters_stay_whole(void **state)
{
	(void)state;
	assert_wrapped("漢漢漢", 3, "漢|漢|漢|");
}

static void paragraph_wrap_line_ends_are_kept(void **state)
{
	(void)state;
	assert_wrapped("a\n\nb\n", 10, "a||b|");
	assert_wrapped("", 10, "|");
}

static void paragraph_wrap_indentation_is_no_place_to_break(void **state)
{
	(void)state;
	assert_wrapped("  abcdefgh", 6, "  abcd|efgh|");
}

static void paragraph_wrap_every_width_comes_to_an_end(void **state)
{
	(void)state;
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
	paragraph_draw_cut(&screen, 1, 0, columns, text, STYLE_NORMAL, ascii);
	screen_dump(&screen, &dump);
	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

static void paragraph_draw_cut_marks_what_is_missing(void **state)
{
	(void)state;
	assert_drawn(8, "abcdefgh", false, " abcdefgh\n");
	assert_drawn(8, "abcdefghi", false, " abcdefg…\n");
	assert_drawn(8, "abcdefghi", true, " abcde...\n");
	assert_drawn(4, "漢漢漢", false, " 漢…\n");
	assert_drawn(0, "abc", false, "\n");
	assert_drawn(-3, "abc", false, "\n");
}

static void paragraph_draw_last_line_is_cut(void **state)
{
	struct screen screen;
	struct strbuf dump = {0};

	(void)state;
	screen_init(&screen, 8, 4);
	paragraph_draw(&screen, 1, 2, "one two three four", STYLE_NORMAL, false);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), "\none two\nthree f…\n\n");
	strbuf_fini(&dump);
	screen_fini(&screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paragraph_wrap_breaks_at_the_last_blank_that_fits),
		cmocka_unit_test(paragraph_wrap_long_word_is_broken_anywhere),
		cmocka_unit_test(paragraph_wrap_wide_characters_stay_whole),
		cmocka_unit_test(paragraph_wrap_line_ends_are_kept),
		cmocka_unit_test(paragraph_wrap_indentation_is_no_place_to_break),
		cmocka_unit_test(paragraph_wrap_every_width_comes_to_an_end),
		cmocka_unit_test(paragraph_draw_cut_marks_what_is_missing),
		cmocka_unit_test(paragraph_draw_last_line_is_cut),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		return 1;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
