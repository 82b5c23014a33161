#include <locale.h>

#include "base/strbuf.h"

#include "term/key.h"
#include "term/screen.h"
#include "unit.h"
#include "widget/prompt.h"

static struct prompt *prompt;

static int set_up(void **state)
{
	static struct prompt one;

	prompt_open(&one, "Attach", "");
	prompt = &one;
	return 0;
}

static int tear_down(void **state)
{
	prompt_fini(prompt);
	return 0;
}

static void type(const char *text)
{
	for (; *text; text++)
		prompt_key(prompt, (unsigned char)*text);
}

static void press(uint32_t key, int times)
{
	while (times-- > 0)
		prompt_key(prompt, key);
}

/* The prompt drawn on one line of `width` columns; *cursor is where the text cursor stands. */
static void assert_drawn(int width, const char *expected, int cursor)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, width, 1);
	prompt_draw(prompt, &screen, 0);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), expected);
	assert_int_equal(screen.cursor_x, cursor);
	assert_int_equal(screen.cursor_y, 0);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(prompt_key_characters_are_inserted_at_the_cursor)
{
	type("ac");
	prompt_key(prompt, KEY_CODE_LEFT);

	assert_int_equal(prompt_key(prompt, 'b'), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "abc");
	assert_int_equal(prompt->cursor, 2);
}

UNIT_TEST(prompt_key_wide_characters_are_utf8)
{
	prompt_key(prompt, 0x6f22);
	prompt_key(prompt, 0xe9);

	assert_string_equal(prompt_text(prompt), "漢é");
	assert_int_equal(prompt->cursor, 5);
}

UNIT_TEST(prompt_key_combining_moves_and_goes_with_its_base)
{
	type("ae");
	prompt_key(prompt, 0x301);
	prompt_key(prompt, KEY_CODE_LEFT);
	assert_int_equal(prompt->cursor, 1);
	prompt_key(prompt, KEY_CODE_RIGHT);
	assert_int_equal(prompt->cursor, 4);
	prompt_key(prompt, KEY_CODE_BACKSPACE);

	assert_string_equal(prompt_text(prompt), "a");
}

UNIT_TEST(prompt_key_combining_at_the_beginning_is_refused)
{
	assert_int_equal(prompt_key(prompt, 0x301), PROMPT_GOES_ON);
	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_key_control_characters_are_refused)
{
	const uint32_t keys[] = {2,
				 '\t',
				 0x9b,
				 0x202e,
				 0x2028,
				 KEY_CODE_F1,
				 KEY_CODE_UP,
				 KEY_CODE_RESIZE,
				 KEY_CODE_NONE};

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		assert_int_equal(prompt_key(prompt, keys[i]), PROMPT_GOES_ON);
	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_key_backspace_takes_the_character_before)
{
	type("ab");
	prompt_key(prompt, 0x6f22);

	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "ab");
}

UNIT_TEST(prompt_key_backspace_in_an_empty_line_leaves)
{
	type("a");

	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_CHANGED);
	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_LEFT);
}

UNIT_TEST(prompt_key_backspace_before_text_does_nothing)
{
	type("a");
	prompt_key(prompt, KEY_CODE_HOME);

	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_GOES_ON);
	assert_string_equal(prompt_text(prompt), "a");
}

UNIT_TEST(prompt_key_delete_takes_the_character_at_the_cursor)
{
	type("abc");
	prompt_key(prompt, KEY_CTRL('A'));

	assert_int_equal(prompt_key(prompt, KEY_CODE_DELETE), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "bc");
	prompt_key(prompt, KEY_CTRL('E'));
	assert_int_equal(prompt_key(prompt, KEY_CODE_DELETE), PROMPT_GOES_ON);
}

UNIT_TEST(prompt_key_cursor_stops_at_both_ends)
{
	type("ab");
	press(KEY_CODE_RIGHT, 3);
	assert_int_equal(prompt->cursor, 2);
	press(KEY_CODE_LEFT, 5);
	assert_int_equal(prompt->cursor, 0);
}

UNIT_TEST(prompt_key_u_and_k_erase_up_to_the_cursor_and_behind)
{
	type("abcdef");
	press(KEY_CODE_LEFT, 2);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('K')), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "abcd");
	press(KEY_CODE_LEFT, 1);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('U')), PROMPT_CHANGED);

	assert_string_equal(prompt_text(prompt), "d");
	assert_int_equal(prompt->cursor, 0);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('U')), PROMPT_GOES_ON);
}

UNIT_TEST(prompt_key_w_erases_the_word_before_the_cursor)
{
	type("sort miss%  x");
	press(KEY_CODE_LEFT, 1);
	prompt_key(prompt, KEY_CTRL('W'));

	assert_string_equal(prompt_text(prompt), "sort x");
	assert_int_equal(prompt->cursor, 5);
}

UNIT_TEST(prompt_key_end_of_line_keys_are_told)
{
	assert_int_equal(prompt_key(prompt, KEY_CODE_ENTER), PROMPT_DONE);
	assert_int_equal(prompt_key(prompt, KEY_CODE_ESCAPE), PROMPT_LEFT);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('C')), PROMPT_LEFT);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('G')), PROMPT_LEFT);
}

UNIT_TEST(prompt_key_any_clears_the_error)
{
	snprintf(prompt->error, sizeof(prompt->error), "no such process");
	prompt_key(prompt, KEY_CODE_LEFT);

	assert_string_equal(prompt->error, "");
}

UNIT_TEST(prompt_key_flood_is_bounded)
{
	press('x', 5000);

	assert_int_equal(strlen(prompt_text(prompt)), 4096);
	assert_int_equal(prompt_key(prompt, 'x'), PROMPT_GOES_ON);
}

UNIT_TEST(prompt_open_text_is_taken_with_the_cursor_behind)
{
	type("old");
	prompt_open(prompt, "Filter", "java");

	assert_string_equal(prompt_text(prompt), "java");
	assert_int_equal(prompt->cursor, 4);
	assert_true(prompt->is_open);
}

UNIT_TEST(prompt_proposal_is_replaced_by_the_first_character)
{
	prompt_propose(prompt, "CPUs", "0-15");
	assert_true(prompt->is_proposed);
	type("5,6");
	assert_string_equal(prompt_text(prompt), "5,6");
}

UNIT_TEST(prompt_proposal_is_edited_by_any_other_key)
{
	static const uint32_t keys[] = {KEY_CODE_END, KEY_CODE_LEFT, KEY_CODE_HOME,
					KEY_CODE_BACKSPACE, KEY_CODE_DELETE};
	static const char *const texts[] = {"0-155", "0-155", "50-15", "0-15", "0-155"};

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		prompt_propose(prompt, "CPUs", "0-15");
		prompt_key(prompt, keys[i]);
		assert_false(prompt->is_proposed);
		prompt_key(prompt, '5');
		assert_string_equal(prompt_text(prompt), texts[i]);
	}
	prompt_propose(prompt, "CPUs", "0-15");
	assert_int_equal(prompt_key(prompt, KEY_CODE_ENTER), PROMPT_DONE);
	assert_string_equal(prompt_text(prompt), "0-15");
}

UNIT_TEST(prompt_open_text_with_control_characters_is_refused)
{
	prompt_open(prompt, "Filter", "a\x1b[2Jb");

	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_close_empties_the_line)
{
	type("old");
	prompt_close(prompt);

	assert_false(prompt->is_open);
	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_draw_short_text_follows_the_label)
{
	type("12");
	prompt_key(prompt, 0x6f22);

	assert_drawn(40, "Attach: 12漢\n", 12);
}

UNIT_TEST(prompt_draw_label_without_room_loses_what_is_in_brackets)
{
	prompt_open(prompt, "To a time (1:30, 50%)", "1");

	assert_drawn(32, "To a time (1:30, 50%): 1\n", 24);
	assert_drawn(30, "To a time: 1\n", 12);
	assert_drawn(12, "To a ti…: 1\n", 11);
}

UNIT_TEST(prompt_draw_one_character_label_stands_alone)
{
	prompt_open(prompt, "/", "java");

	assert_drawn(40, "/java\n", 5);
}

UNIT_TEST(prompt_draw_long_text_scrolls_with_the_cursor)
{
	type("abcdefghijklmnop");
	assert_drawn(20, "Attach: fghijklmnop\n", 19);
	prompt_key(prompt, KEY_CODE_HOME);
	assert_drawn(20, "Attach: abcdefghijkl\n", 8);
}

UNIT_TEST(prompt_draw_wide_text_scrolls_by_whole_characters)
{
	press(0x6f22, 10);

	assert_drawn(20, "Attach: 漢漢漢漢漢\n", 18);
}

UNIT_TEST(prompt_draw_error_stands_behind_the_text)
{
	type("99");
	snprintf(prompt->error, sizeof(prompt->error), "99: no such process");

	assert_drawn(40, "Attach: 99  99: no such process\n", 10);
}

UNIT_TEST(prompt_draw_long_error_on_the_first_line_is_cut)
{
	type("12345678901234567890");
	prompt_refuse(prompt, "not your process (somebody else)", SIZE_MAX);

	assert_drawn(38, "Attach: 12345678901234567890  not you…\n", 28);
}

UNIT_TEST(prompt_draw_long_error_stands_over_the_line)
{
	struct screen screen;
	struct strbuf dump = {0};

	type("12345678901234567890");
	prompt_refuse(prompt, "not your process, but that of somebody else", SIZE_MAX);
	screen_init(&screen, 30, 4);
	screen_fill(&screen, 0, 2, 30, "x", STYLE_NORMAL);
	prompt_draw(prompt, &screen, 3);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), "\nnot your process, but that of\nsomebody "
						"else\nAttach: 12345678901234567890\n");
	strbuf_fini(&dump);
	screen_fini(&screen);
}

/* The same on the second line of two: an error stands over a text that is marked. */
static void assert_drawn_below(const char *expected)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, 30, 2);
	prompt_draw(prompt, &screen, 1);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(prompt_refuse_puts_the_cursor_on_the_fault)
{
	type("ab");
	press(0xe4, 1); /* two bytes */
	type("cd");
	prompt_refuse(prompt, "no", 3); /* in the middle of it */
	assert_int_equal(prompt->cursor, 2);
	assert_true(prompt->has_fault);
	assert_drawn(30, "Attach: abäcd  no\n", 10);
	assert_drawn_below("no\nAttach: abäcd\n");
	prompt_key(prompt, KEY_CODE_RIGHT);
	assert_false(prompt->has_fault);
	assert_string_equal(prompt->error, "");
	prompt_refuse(prompt, "no", 6);
	assert_int_equal(prompt->cursor, 6);
}

UNIT_TEST(prompt_refuse_without_a_place_leaves_the_cursor)
{
	type("ab");
	prompt_refuse(prompt, "no", SIZE_MAX);
	assert_int_equal(prompt->cursor, 2);
	assert_false(prompt->has_fault);
	prompt_refuse(prompt, "no", 3);
	assert_false(prompt->has_fault);
}

UNIT_TEST(prompt_draw_fits_every_width)
{
	struct screen screen;

	press(0x6f22, 30);
	snprintf(prompt->error, sizeof(prompt->error), "漢漢漢漢");
	for (int width = 1; width < 100; width++) {
		screen_init(&screen, width, 1);
		prompt_draw(prompt, &screen, 0);
		assert_in_range(screen.cursor_x, 0, width - 1);
		screen_fini(&screen);
	}
}

UNIT_TEST(prompt_replace_word_ends_at_the_cursor)
{
	prompt_open(prompt, "Sort", "sort mi,x");
	prompt->cursor = 7;
	assert_true(prompt_replace_word(prompt, 5, "miss%"));
	assert_string_equal(prompt_text(prompt), "sort miss%,x");
	assert_int_equal(prompt->cursor, 10);
	assert_false(prompt_replace_word(prompt, 5, "miss%"));
	assert_false(prompt_replace_word(prompt, 5, "\x1b[2J"));
	assert_string_equal(prompt_text(prompt), "sort miss%,x");
}

UNIT_TEST(prompt_set_replaces_the_text_and_forgets_the_error)
{
	prompt_open(prompt, "Sort", "nonsense");
	prompt_refuse(prompt, "it is", 3);
	prompt_set(prompt, "pid");
	assert_string_equal(prompt_text(prompt), "pid");
	assert_int_equal(prompt->cursor, 3);
	assert_string_equal(prompt->error, "");
	assert_false(prompt->has_fault);
	prompt_set(prompt, "\x1b[2J");
	assert_string_equal(prompt_text(prompt), "pid");
}

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(set_up, tear_down);
}
