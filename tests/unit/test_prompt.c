#include <locale.h>

#include "base/strbuf.h"

#include "term/key.h"
#include "term/screen.h"
#include "unit.h"
#include "widget/prompt.h"

static int set_up(void **state)
{
	static struct prompt prompt;

	prompt_open(&prompt, "Attach", "");
	*state = &prompt;
	return 0;
}

static int tear_down(void **state)
{
	prompt_fini(*state);
	return 0;
}

static void type(struct prompt *prompt, const char *text)
{
	for (; *text; text++)
		prompt_key(prompt, (unsigned char)*text);
}

static void press(struct prompt *prompt, uint32_t key, int times)
{
	while (times-- > 0)
		prompt_key(prompt, key);
}

/* The prompt drawn on one line of `width` columns; *cursor is where the text cursor stands. */
static void assert_drawn(const struct prompt *prompt, int width, const char *expected, int cursor)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, width, 1);
	prompt_draw(prompt, &screen, 0, false);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), expected);
	assert_int_equal(screen.cursor_x, cursor);
	assert_int_equal(screen.cursor_y, 0);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(prompt_key_characters_are_inserted_at_the_cursor)
{
	struct prompt *prompt = *state;

	type(prompt, "ac");
	prompt_key(prompt, KEY_CODE_LEFT);

	assert_int_equal(prompt_key(prompt, 'b'), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "abc");
	assert_int_equal(prompt->cursor, 2);
}

UNIT_TEST(prompt_key_wide_characters_are_utf8)
{
	struct prompt *prompt = *state;

	prompt_key(prompt, 0x6f22);
	prompt_key(prompt, 0xe9);

	assert_string_equal(prompt_text(prompt), "漢é");
	assert_int_equal(prompt->cursor, 5);
}

UNIT_TEST(prompt_key_combining_moves_and_goes_with_its_base)
{
	struct prompt *prompt = *state;

	type(prompt, "ae");
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
	struct prompt *prompt = *state;

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
	struct prompt *prompt = *state;

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		assert_int_equal(prompt_key(prompt, keys[i]), PROMPT_GOES_ON);
	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_key_backspace_takes_the_character_before)
{
	struct prompt *prompt = *state;

	type(prompt, "ab");
	prompt_key(prompt, 0x6f22);

	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "ab");
}

UNIT_TEST(prompt_key_backspace_in_an_empty_line_leaves)
{
	struct prompt *prompt = *state;

	type(prompt, "a");

	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_CHANGED);
	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_LEFT);
}

UNIT_TEST(prompt_key_backspace_before_text_does_nothing)
{
	struct prompt *prompt = *state;

	type(prompt, "a");
	prompt_key(prompt, KEY_CODE_HOME);

	assert_int_equal(prompt_key(prompt, KEY_CODE_BACKSPACE), PROMPT_GOES_ON);
	assert_string_equal(prompt_text(prompt), "a");
}

UNIT_TEST(prompt_key_delete_takes_the_character_at_the_cursor)
{
	struct prompt *prompt = *state;

	type(prompt, "abc");
	prompt_key(prompt, KEY_CTRL('A'));

	assert_int_equal(prompt_key(prompt, KEY_CODE_DELETE), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "bc");
	prompt_key(prompt, KEY_CTRL('E'));
	assert_int_equal(prompt_key(prompt, KEY_CODE_DELETE), PROMPT_GOES_ON);
}

UNIT_TEST(prompt_key_cursor_stops_at_both_ends)
{
	struct prompt *prompt = *state;

	type(prompt, "ab");
	press(prompt, KEY_CODE_RIGHT, 3);
	assert_int_equal(prompt->cursor, 2);
	press(prompt, KEY_CODE_LEFT, 5);
	assert_int_equal(prompt->cursor, 0);
}

UNIT_TEST(prompt_key_u_and_k_erase_up_to_the_cursor_and_behind)
{
	struct prompt *prompt = *state;

	type(prompt, "abcdef");
	press(prompt, KEY_CODE_LEFT, 2);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('K')), PROMPT_CHANGED);
	assert_string_equal(prompt_text(prompt), "abcd");
	press(prompt, KEY_CODE_LEFT, 1);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('U')), PROMPT_CHANGED);

	assert_string_equal(prompt_text(prompt), "d");
	assert_int_equal(prompt->cursor, 0);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('U')), PROMPT_GOES_ON);
}

UNIT_TEST(prompt_key_w_erases_the_word_before_the_cursor)
{
	struct prompt *prompt = *state;

	type(prompt, "sort miss%  x");
	press(prompt, KEY_CODE_LEFT, 1);
	prompt_key(prompt, KEY_CTRL('W'));

	assert_string_equal(prompt_text(prompt), "sort x");
	assert_int_equal(prompt->cursor, 5);
}

UNIT_TEST(prompt_key_end_of_line_keys_are_told)
{
	struct prompt *prompt = *state;

	assert_int_equal(prompt_key(prompt, KEY_CODE_ENTER), PROMPT_DONE);
	assert_int_equal(prompt_key(prompt, KEY_CODE_ESCAPE), PROMPT_LEFT);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('C')), PROMPT_LEFT);
	assert_int_equal(prompt_key(prompt, KEY_CTRL('G')), PROMPT_LEFT);
}

UNIT_TEST(prompt_key_any_clears_the_error)
{
	struct prompt *prompt = *state;

	snprintf(prompt->error, sizeof(prompt->error), "no such process");
	prompt_key(prompt, KEY_CODE_LEFT);

	assert_string_equal(prompt->error, "");
}

UNIT_TEST(prompt_key_flood_is_bounded)
{
	struct prompt *prompt = *state;

	press(prompt, 'x', 5000);

	assert_int_equal(strlen(prompt_text(prompt)), 4096);
	assert_int_equal(prompt_key(prompt, 'x'), PROMPT_GOES_ON);
}

UNIT_TEST(prompt_open_text_is_taken_with_the_cursor_behind)
{
	struct prompt *prompt = *state;

	type(prompt, "old");
	prompt_open(prompt, "Filter", "java");

	assert_string_equal(prompt_text(prompt), "java");
	assert_int_equal(prompt->cursor, 4);
	assert_true(prompt->is_open);
}

UNIT_TEST(prompt_proposal_is_replaced_by_the_first_character)
{
	struct prompt *prompt = *state;

	prompt_propose(prompt, "CPUs", "0-15");
	assert_true(prompt->is_proposed);
	type(prompt, "5,6");
	assert_string_equal(prompt_text(prompt), "5,6");
}

UNIT_TEST(prompt_proposal_is_edited_by_any_other_key)
{
	static const uint32_t keys[] = {KEY_CODE_END, KEY_CODE_LEFT, KEY_CODE_HOME,
					KEY_CODE_BACKSPACE, KEY_CODE_DELETE};
	static const char *const texts[] = {"0-155", "0-155", "50-15", "0-15", "0-155"};
	struct prompt *prompt = *state;

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
	struct prompt *prompt = *state;

	prompt_open(prompt, "Filter", "a\x1b[2Jb");

	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_close_empties_the_line)
{
	struct prompt *prompt = *state;

	type(prompt, "old");
	prompt_close(prompt);

	assert_false(prompt->is_open);
	assert_string_equal(prompt_text(prompt), "");
}

UNIT_TEST(prompt_draw_short_text_follows_the_label)
{
	struct prompt *prompt = *state;

	type(prompt, "12");
	prompt_key(prompt, 0x6f22);

	assert_drawn(prompt, 40, "Attach: 12漢\n", 12);
}

UNIT_TEST(prompt_draw_label_without_room_loses_what_is_in_brackets)
{
	struct prompt *prompt = *state;

	prompt_open(prompt, "To a time (1:30, 50%)", "1");

	assert_drawn(prompt, 32, "To a time (1:30, 50%): 1\n", 24);
	assert_drawn(prompt, 30, "To a time: 1\n", 12);
	assert_drawn(prompt, 12, "To a ti…: 1\n", 11);
}

UNIT_TEST(prompt_draw_one_character_label_stands_alone)
{
	struct prompt *prompt = *state;

	prompt_open(prompt, "/", "java");

	assert_drawn(prompt, 40, "/java\n", 5);
}

UNIT_TEST(prompt_draw_long_text_scrolls_with_the_cursor)
{
	struct prompt *prompt = *state;

	type(prompt, "abcdefghijklmnop");
	assert_drawn(prompt, 20, "Attach: fghijklmnop\n", 19);
	prompt_key(prompt, KEY_CODE_HOME);
	assert_drawn(prompt, 20, "Attach: abcdefghijkl\n", 8);
}

UNIT_TEST(prompt_draw_wide_text_scrolls_by_whole_characters)
{
	struct prompt *prompt = *state;

	press(prompt, 0x6f22, 10);

	assert_drawn(prompt, 20, "Attach: 漢漢漢漢漢\n", 18);
}

UNIT_TEST(prompt_draw_error_stands_behind_the_text)
{
	struct prompt *prompt = *state;

	type(prompt, "99");
	snprintf(prompt->error, sizeof(prompt->error), "99: no such process");

	assert_drawn(prompt, 40, "Attach: 99  99: no such process\n", 10);
}

UNIT_TEST(prompt_draw_long_error_on_the_first_line_is_cut)
{
	struct prompt *prompt = *state;

	type(prompt, "12345678901234567890");
	prompt_refuse(prompt, "not your process (somebody else)", SIZE_MAX);

	assert_drawn(prompt, 38, "Attach: 12345678901234567890  not you…\n", 28);
}

UNIT_TEST(prompt_draw_long_error_stands_over_the_line)
{
	struct prompt *prompt = *state;
	struct screen screen;
	struct strbuf dump = {0};

	type(prompt, "12345678901234567890");
	prompt_refuse(prompt, "not your process, but that of somebody else", SIZE_MAX);
	screen_init(&screen, 30, 4);
	screen_fill(&screen, 0, 2, 30, "x", STYLE_NORMAL);
	prompt_draw(prompt, &screen, 3, false);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), "\nnot your process, but that of\nsomebody "
						"else\nAttach: 12345678901234567890\n");
	strbuf_fini(&dump);
	screen_fini(&screen);
}

/* The same on the second line of two: an error stands over a text that is marked. */
static void assert_drawn_below(const struct prompt *prompt, const char *expected)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, 30, 2);
	prompt_draw(prompt, &screen, 1, false);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(prompt_refuse_puts_the_cursor_on_the_fault)
{
	struct prompt *prompt = *state;

	type(prompt, "ab");
	press(prompt, 0xe4, 1); /* two bytes */
	type(prompt, "cd");
	prompt_refuse(prompt, "no", 3); /* in the middle of it */
	assert_int_equal(prompt->cursor, 2);
	assert_true(prompt->has_fault);
	assert_drawn(prompt, 30, "Attach: abäcd  no\n", 10);
	assert_drawn_below(prompt, "no\nAttach: abäcd\n");
	prompt_key(prompt, KEY_CODE_RIGHT);
	assert_false(prompt->has_fault);
	assert_string_equal(prompt->error, "");
	prompt_refuse(prompt, "no", 6);
	assert_int_equal(prompt->cursor, 6);
}

UNIT_TEST(prompt_refuse_without_a_place_leaves_the_cursor)
{
	struct prompt *prompt = *state;

	type(prompt, "ab");
	prompt_refuse(prompt, "no", SIZE_MAX);
	assert_int_equal(prompt->cursor, 2);
	assert_false(prompt->has_fault);
	prompt_refuse(prompt, "no", 3);
	assert_false(prompt->has_fault);
}

UNIT_TEST(prompt_draw_fits_every_width)
{
	struct prompt *prompt = *state;
	struct screen screen;

	press(prompt, 0x6f22, 30);
	snprintf(prompt->error, sizeof(prompt->error), "漢漢漢漢");
	for (int width = 1; width < 100; width++) {
		screen_init(&screen, width, 1);
		prompt_draw(prompt, &screen, 0, false);
		assert_in_range(screen.cursor_x, 0, width - 1);
		screen_fini(&screen);
	}
}

UNIT_TEST(prompt_replace_word_ends_at_the_cursor)
{
	struct prompt *prompt = *state;

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
	struct prompt *prompt = *state;

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
