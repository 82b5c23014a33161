/* A list to choose from: what keys and clicks do, and what is drawn where. */

#include "base/strbuf.h"

#include "term/key.h"
#include "unit.h"
#include "widget/chooser.h"

enum {
	WIDTH = 20,
	HEIGHT = 6
};

static struct screen screen;
static struct cursor cursor;
static struct strbuf text;

static int set_up(void **state)
{
	screen_init(&screen, WIDTH, HEIGHT);
	for (int y = 0; y < HEIGHT; y++) {
		screen_fill(&screen, 0, y, WIDTH, "x", STYLE_NORMAL);
		screen_select_line(&screen, y);
	}
	cursor = (struct cursor){0};
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(&screen);
	strbuf_fini(&text);
	return 0;
}

static void draw_number(void *context, struct screen *on, size_t index, int x, int y, int width)
{
	char line[16];

	snprintf(line, sizeof(line), "line %zu", index);
	screen_text(on, x, y, width, line, STYLE_NORMAL);
}

static const char *draw(size_t count, int lines, bool is_active)
{
	const struct chooser chooser = {
		.cursor = &cursor,
		.count = count,
		.nothing = "no lines",
		.draw_line = draw_number,
	};

	chooser_draw(&chooser, &screen, 2, 1, 8, lines, is_active);
	strbuf_clear(&text);
	screen_dump(&screen, &text);
	return strbuf_text(&text);
}

static const struct screen_cell *cell(int x, int y)
{
	return &screen.cells[y * WIDTH + x];
}

UNIT_TEST(chooser_draw_shows_the_lines_around_the_chosen_one)
{
	cursor.at = 7;
	assert_string_equal(draw(9, 3, true), "xxxxxxxxxxxxxxxxxxxx\n"
					      "xxline 5  xxxxxxxxxx\n"
					      "xxline 6  xxxxxxxxxx\n"
					      "xxline 7  xxxxxxxxxx\n"
					      "xxxxxxxxxxxxxxxxxxxx\n"
					      "xxxxxxxxxxxxxxxxxxxx\n");
	/* what was under it does not shine through */
	assert_false(cell(2, 1)->is_selected);
	assert_true(cell(2, 3)->is_selected);
	assert_true(cell(9, 3)->is_selected);
	assert_true(cell(10, 1)->is_selected);
	assert_int_equal(screen_find(&screen, 2, 1).kind, HIT_CHOICE);
	assert_int_equal(screen_find(&screen, 9, 3).index, 7);
	assert_int_equal(screen_find(&screen, 10, 3).kind, HIT_NOTHING);
}

UNIT_TEST(chooser_draw_of_a_list_without_keys_has_no_chosen_line)
{
	draw(2, 3, false);
	assert_false(cell(2, 1)->is_selected);
	assert_false(cell(2, 2)->is_selected);
}

UNIT_TEST(chooser_draw_says_why_there_is_nothing)
{
	assert_non_null(strstr(draw(0, 3, true), "no lines"));
	assert_null(strstr(draw(3, 0, true), "line 0"));
}

UNIT_TEST(chooser_keys_move_take_and_leave)
{
	assert_int_equal(chooser_key(&cursor, KEY_CODE_DOWN, 3, 2), CHOOSER_MOVED);
	assert_int_equal(cursor.at, 1);
	assert_int_equal(chooser_key(&cursor, KEY_CODE_END, 3, 2), CHOOSER_MOVED);
	assert_int_equal(cursor.at, 2);
	assert_int_equal(chooser_key(&cursor, KEY_CODE_ENTER, 3, 2), CHOOSER_DONE);
	assert_int_equal(chooser_key(&cursor, KEY_CODE_ESCAPE, 3, 2), CHOOSER_LEFT);
	assert_int_equal(chooser_key(&cursor, KEY_CTRL('G'), 3, 2), CHOOSER_LEFT);
	assert_int_equal(chooser_key(&cursor, 'q', 3, 2), CHOOSER_OTHER);
}

UNIT_TEST(chooser_click_chooses_then_takes)
{
	const struct hit line = {.kind = HIT_CHOICE, .index = 2}, beside = {0};

	assert_int_equal(chooser_click(&cursor, beside, false), CHOOSER_OTHER);
	assert_int_equal(chooser_click(&cursor, line, true), CHOOSER_OTHER);
	assert_int_equal(cursor.at, 0);
	assert_int_equal(chooser_click(&cursor, line, false), CHOOSER_MOVED);
	assert_int_equal(cursor.at, 2);
	assert_int_equal(chooser_click(&cursor, line, false), CHOOSER_DONE);
}

UNIT_TEST(chooser_message_that_is_long_covers_what_is_above)
{
	chooser_draw_message(&screen, "a sentence of more than one line", false, 3, 5);
	strbuf_clear(&text);
	screen_dump(&screen, &text);
	assert_non_null(strstr(strbuf_text(&text), "xxxx\na sentence of more\nthan one line\n"));
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
