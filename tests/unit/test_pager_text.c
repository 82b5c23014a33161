/* A text over the table: where words stand in it, and that they are marked. */

#include <locale.h>

#include "view/text_marks.h"

#include "term/screen.h"
#include "unit.h"
#include "widget/pager_text.h"

/* At 20 columns: 0 heading, 1-2 the first entry, 3 the second, 4 the third. */
static struct pager_text pager = {
	.title = "Help",
	.text = "# Keys\n  q  leave, and end what runs\n  a  attach\n  z  run on\n",
};

static void assert_found(const char *words, size_t from, bool back, size_t expected)
{
	size_t line = 99;

	pager.words = words;
	assert_true(pager_text_find(&pager, 20, from, back, &line));
	assert_int_equal(line, expected);
}

static void assert_nowhere(const char *words, size_t from, bool back)
{
	size_t line = 99;

	pager.words = words;
	assert_false(pager_text_find(&pager, 20, from, back, &line));
	assert_int_equal(line, 99);
}

UNIT_TEST(find_goes_to_the_next_line_with_the_words)
{
	assert_found("RUN", 0, false, 1);
	assert_found("run", 2, false, 4);
	assert_nowhere("run", 5, false);
	assert_found("keys", 0, false, 0);
	assert_nowhere("fly", 0, false);
}

UNIT_TEST(find_goes_back_to_the_line_before)
{
	assert_found("run", SIZE_MAX, true, 4);
	assert_found("run", 4, true, 1);
	assert_nowhere("run", 1, true);
}

UNIT_TEST(find_knows_words_that_were_broken)
{
	assert_found("end what", 0, false, 1);
}

UNIT_TEST(find_nothing_finds_nothing)
{
	assert_nowhere("", 0, false);
	assert_nowhere(NULL, 0, false);
}

UNIT_TEST(draw_marks_each_place)
{
	struct screen screen;
	const char *expected = "  a  attach";

	screen_init(&screen, 20, 8);
	pager.words = "A";
	pager.top = 0;
	pager_text_draw(&screen, &pager, 8);
	for (int x = 0; expected[x] != '\0'; x++)
		assert_int_equal(screen.cells[4 * 20 + x].style,
				 expected[x] == 'a' ? STYLE_TITLE_SORTED : STYLE_NORMAL);
	screen_fini(&screen);
}

/* The text is drawn from its second line on; the heading and the rest of the first entry have no
 * marks. */
UNIT_TEST(draw_colours_what_has_a_mark)
{
	struct text_mark list[] = {
		{.line = 0, .column = 0, .columns = 4, .goodness = 1},
		{.line = 2, .column = 2, .columns = 1, .goodness = 4},
		{.line = 2, .column = 5, .columns = 3, .goodness = -1},
		{.line = 3, .column = 2, .columns = 9, .goodness = 0},
	};
	const struct text_marks marks = {.marks = list, .count = 4};
	struct screen screen;

	screen_init(&screen, 20, 4);
	pager.words = NULL;
	pager.marks = &marks;
	pager.top = 2; /* the rest of the first entry, and two more */
	pager_text_draw(&screen, &pager, 4);
	pager.marks = NULL;
	for (int x = 0; x < 20; x++) {
		assert_int_equal(screen.cells[1 * 20 + x].style, STYLE_NORMAL);
		assert_int_equal(screen.cells[2 * 20 + x].style, x == 2            ? STYLE_GOOD_4
								 : x >= 5 && x < 8 ? STYLE_DIM
										   : STYLE_NORMAL);
		assert_int_equal(screen.cells[3 * 20 + x].style,
				 x >= 2 && x < 11 ? STYLE_GOOD_0 : STYLE_NORMAL);
	}
	screen_fini(&screen);
}

/* What is broken has its colours on each line: here words 20 columns wide, behind an indent. */
UNIT_TEST(draw_colours_what_was_broken)
{
	struct pager_text scale = {.title = "Scale", .text = "a   one two three four five\nnext"};
	struct text_mark list[] = {
		{.line = 0, .column = 4, .columns = 9, .goodness = 4},   /* one two t */
		{.line = 0, .column = 13, .columns = 10, .goodness = 3}, /* hree four_ */
		{.line = 0, .column = 23, .columns = 4, .goodness = 0},  /* five */
		{.line = 1, .column = 0, .columns = 2, .goodness = 1},
	};
	static const char *const expected[] = {"....444444444333", "....333330000", "11.."};
	const struct text_marks marks = {.marks = list, .count = 4};
	struct screen screen;

	scale.marks = &marks;
	screen_init(&screen, 19, 4);
	pager_text_draw(&screen, &scale, 4);
	for (int y = 0; y < 3; y++) {
		for (int x = 0; expected[y][x] != '\0'; x++)
			assert_int_equal(screen.cells[(y + 1) * 19 + x].style,
					 expected[y][x] == '.'
						 ? STYLE_NORMAL
						 : STYLE_GOOD_0 + expected[y][x] - '0');
	}
	screen_fini(&screen);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return unit_run(NULL, NULL);
}
