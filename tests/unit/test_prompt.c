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

/* clang-format off */
static const struct {
	const char *name;
	const char *text; /* with the cursor behind it */
	uint32_t keys[4];
	enum prompt_result result; /* of the last key */
	const char *after;
	size_t cursor;
} key_cases[] = {
	{"inserted at the cursor", "ac", {KEY_CODE_LEFT, 'b'}, PROMPT_CHANGED, "abc", 2},
	{"in UTF-8", "", {0x6f22, 0xe9}, PROMPT_CHANGED, "漢é", 5},
	{"left of a base", "ae\u0301", {KEY_CODE_LEFT}, PROMPT_GOES_ON, "ae\u0301", 1},
	{"right of its marks", "ae\u0301", {KEY_CODE_LEFT, KEY_CODE_RIGHT}, PROMPT_GOES_ON, "ae\u0301", 4},
	{"marks go with the base", "a", {'e', 0x301, KEY_CODE_BACKSPACE}, PROMPT_CHANGED, "a", 1},
	{"no mark without a base", "", {0x301}, PROMPT_GOES_ON, "", 0},
	{"backspace", "ab漢", {KEY_CODE_BACKSPACE}, PROMPT_CHANGED, "ab", 2},
	{"backspace of all", "a", {KEY_CODE_BACKSPACE}, PROMPT_CHANGED, "", 0},
	{"backspace of nothing", "a", {KEY_CODE_BACKSPACE, KEY_CODE_BACKSPACE}, PROMPT_LEFT, "", 0},
	{"backspace before text", "a", {KEY_CODE_HOME, KEY_CODE_BACKSPACE}, PROMPT_GOES_ON, "a", 0},
	{"delete", "abc", {KEY_CTRL('A'), KEY_CODE_DELETE}, PROMPT_CHANGED, "bc", 0},
	{"delete at the end", "bc", {KEY_CODE_HOME, KEY_CTRL('E'), KEY_CODE_DELETE}, PROMPT_GOES_ON, "bc", 2},
	{"right stops", "ab", {KEY_CODE_RIGHT, KEY_CODE_RIGHT}, PROMPT_GOES_ON, "ab", 2},
	{"left stops", "ab", {KEY_CODE_LEFT, KEY_CODE_LEFT, KEY_CODE_LEFT}, PROMPT_GOES_ON, "ab", 0},
	{"^K erases what is behind", "abcd", {KEY_CODE_LEFT, KEY_CTRL('K')}, PROMPT_CHANGED, "abc", 3},
	{"^U erases what is before", "abcd", {KEY_CODE_LEFT, KEY_CTRL('U')}, PROMPT_CHANGED, "d", 0},
	{"^U at the beginning", "d", {KEY_CODE_LEFT, KEY_CTRL('U')}, PROMPT_GOES_ON, "d", 0},
	{"^W erases a word", "sort miss%  x", {KEY_CODE_LEFT, KEY_CTRL('W')}, PROMPT_CHANGED, "sort x", 5},
	{"done", "x", {KEY_CODE_ENTER}, PROMPT_DONE, "x", 1},
	{"left by Esc", "x", {KEY_CODE_ESCAPE}, PROMPT_LEFT, "x", 1},
	{"left by ^C", "x", {KEY_CTRL('C')}, PROMPT_LEFT, "x", 1},
	{"left by ^G", "x", {KEY_CTRL('G')}, PROMPT_LEFT, "x", 1},
};
/* clang-format on */

UNIT_TEST(prompt_key_edits_the_line)
{
	for (size_t i = 0; i < COUNT_OF(key_cases); i++) {
		enum prompt_result result = PROMPT_GOES_ON;

		begin_case(key_cases[i].name);
		prompt_open(prompt, "Attach", key_cases[i].text);
		for (size_t j = 0; j < 4 && key_cases[i].keys[j] != KEY_CODE_NONE; j++)
			result = prompt_key(prompt, key_cases[i].keys[j]);
		assert_int_equal(result, key_cases[i].result);
		assert_string_equal(prompt_text(prompt), key_cases[i].after);
		assert_int_equal(prompt->cursor, key_cases[i].cursor);
	}
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

UNIT_TEST(prompt_draw_has_label_text_and_cursor)
{
	static const struct {
		const char *label, *text, *expected;
		int width, cursor;
	} cases[] = {
		{"Attach", "12漢", "Attach: 12漢\n", 40, 12},
		/* without room it loses what is in brackets */
		{"To a time (1:30, 50%)", "1", "To a time (1:30, 50%): 1\n", 32, 24},
		{"To a time (1:30, 50%)", "1", "To a time: 1\n", 30, 12},
		{"To a time (1:30, 50%)", "1", "To a ti…: 1\n", 12, 11},
		{"/", "java", "/java\n", 40, 5},
		/* a long text moves with the cursor, by whole characters */
		{"Attach", "abcdefghijklmnop", "Attach: fghijklmnop\n", 20, 19},
		{"Attach", "漢漢漢漢漢漢漢漢漢漢", "Attach: 漢漢漢漢漢\n", 20, 18},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].expected);
		prompt_open(prompt, cases[i].label, cases[i].text);
		assert_drawn(cases[i].width, cases[i].expected, cases[i].cursor);
	}
}

UNIT_TEST(prompt_draw_long_text_begins_where_the_cursor_is)
{
	type("abcdefghijklmnop");
	prompt_key(prompt, KEY_CODE_HOME);
	assert_drawn(20, "Attach: abcdefghijkl\n", 8);
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

/* The prompt on the last line of a screen that is full. */
static void assert_drawn_at(int y, const char *expected)
{
	struct screen screen;
	struct strbuf dump = {0};

	screen_init(&screen, 30, y + 1);
	for (int i = 1; i < y; i++)
		screen_fill(&screen, 0, i, 30, "x", STYLE_NORMAL);
	prompt_draw(prompt, &screen, y);
	screen_dump(&screen, &dump);

	assert_string_equal(strbuf_text(&dump), expected);
	strbuf_fini(&dump);
	screen_fini(&screen);
}

UNIT_TEST(prompt_draw_long_error_stands_over_the_line)
{
	type("12345678901234567890");
	prompt_refuse(prompt, "not your process, but that of somebody else", SIZE_MAX);
	assert_drawn_at(3, "\nnot your process, but that of\nsomebody else\n"
			   "Attach: 12345678901234567890\n");
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
	assert_drawn_at(1, "no\nAttach: abäcd\n");
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
