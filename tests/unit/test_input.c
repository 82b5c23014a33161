#include <locale.h>

#include "term/input.h"
#include "term/key.h"
#include "unit.h"

static void feed(struct input *input, const char *bytes)
{
	assert_int_equal(input_feed(input, bytes, strlen(bytes)), strlen(bytes));
}

/* The keys that these bytes make, all of them read at once. */
static void assert_keys(const char *bytes, size_t count, const uint32_t *keys)
{
	struct input input = {.is_utf8 = true};

	feed(&input, bytes);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(input_take(&input, false), keys[i]);
	assert_int_equal(input_take(&input, true), KEY_CODE_NONE);
	assert_false(input_is_pending(&input));
}

static void assert_key(const char *bytes, uint32_t key)
{
	assert_keys(bytes, 1, &key);
}

UNIT_TEST(input_take_characters_come_as_typed)
{
	const uint32_t keys[] = {'a', 0xe9, 0x6f22, 0x1f600, 3, '\t', ' '};

	assert_keys("aé漢😀\x03\t ", COUNT_OF(keys), keys);
}

UNIT_TEST(input_take_control_synonyms_are_folded)
{
	assert_key("\r", KEY_CODE_ENTER);
	assert_key("\n", KEY_CODE_ENTER);
	assert_key("\x7f", KEY_CODE_BACKSPACE);
	assert_key("\x08", KEY_CODE_BACKSPACE);
}

UNIT_TEST(input_take_shift_makes_left_and_right_other_keys)
{
	assert_key("\x1b[1;2D", KEY_CODE_SHIFT_LEFT);
	assert_key("\x1b[1;2C", KEY_CODE_SHIFT_RIGHT);
	assert_key("\x1b[1;5D", KEY_CODE_LEFT);
	assert_key("\x1b[1;2A", KEY_CODE_UP);
}

UNIT_TEST(input_take_usual_sequences_are_keys)
{
	assert_key("\x1b[A", KEY_CODE_UP);
	assert_key("\x1bOB", KEY_CODE_DOWN);
	assert_key("\x1b[5~", KEY_CODE_PAGE_UP);
	assert_key("\x1b[6~", KEY_CODE_PAGE_DOWN);
	assert_key("\x1b[1~", KEY_CODE_HOME);
	assert_key("\x1bOF", KEY_CODE_END);
	assert_key("\x1b[3~", KEY_CODE_DELETE);
	assert_key("\x1b[Z", KEY_CODE_BACK_TAB);
	assert_key("\x1bOP", KEY_CODE_F1);
	assert_key("\x1b[15~", KEY_CODE_F5);
	assert_key("\x1b[24~", KEY_CODE_F12);
	assert_key("\x1b[200~", KEY_CODE_PASTE_BEGIN);
	assert_key("\x1b[201~", KEY_CODE_PASTE_END);
	assert_key("\x1b[[C", KEY_CODE_F3);
	assert_key("\x1bOM", KEY_CODE_ENTER);
	assert_key("\x1bOw", '7');
}

UNIT_TEST(input_take_modifiers_are_ignored)
{
	assert_key("\x1b[1;5A", KEY_CODE_UP);
	assert_key("\x1b[3;2~", KEY_CODE_DELETE);
}

UNIT_TEST(input_take_unknown_sequence_is_swallowed_whole)
{
	assert_key("\x1b[99;1Kq", 'q');
	assert_key("\x1b[?1;2cq", 'q');
	assert_key("\x1b[299~q", 'q');
}

UNIT_TEST(input_take_broken_sequence_keeps_what_follows)
{
	assert_key("\x1b[1;\x1b[A", KEY_CODE_UP);
}

UNIT_TEST(input_take_escape_before_another_key_is_esc)
{
	const uint32_t keys[] = {KEY_CODE_ESCAPE, 'q'};
	const uint32_t twice[] = {KEY_CODE_ESCAPE, KEY_CODE_UP};

	assert_keys("\x1bq", 2, keys);
	assert_keys("\x1b\x1b[A", 2, twice);
}

UNIT_TEST(input_take_lone_escape_waits_until_nothing_comes)
{
	struct input input = {.is_utf8 = true};

	feed(&input, "\x1b");

	assert_int_equal(input_take(&input, false), KEY_CODE_NONE);
	assert_true(input_is_pending(&input));
	assert_int_equal(input_take(&input, true), KEY_CODE_ESCAPE);
	assert_false(input_is_pending(&input));
}

UNIT_TEST(input_take_sequence_in_pieces_is_one_key)
{
	struct input input = {.is_utf8 = true};
	const char *const pieces[] = {"\x1b", "[", "1", "5"};

	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		feed(&input, pieces[i]);
		assert_int_equal(input_take(&input, false), KEY_CODE_NONE);
	}
	feed(&input, "~");

	assert_int_equal(input_take(&input, false), KEY_CODE_F5);
}

UNIT_TEST(input_take_cut_sequence_ends_as_esc)
{
	struct input input = {.is_utf8 = true};

	feed(&input, "\x1b[");

	assert_int_equal(input_take(&input, true), KEY_CODE_ESCAPE);
	assert_false(input_is_pending(&input));
}

/* Where a byte is a character, and where nothing is known of bytes beyond ASCII. */
UNIT_TEST(input_take_byte_is_what_the_locale_says)
{
	struct input input = {.is_utf8 = true, .has_characters = true};

	input.characters[0xf6 - 0x80] = 0xf6;
	input.characters[0xa4 - 0x80] = 0x20ac;
	feed(&input, "g\xf6\xa4\xc3\x1b[A");
	assert_int_equal(input_take(&input, false), 'g');
	assert_int_equal(input_take(&input, false), 0xf6);
	assert_int_equal(input_take(&input, false), 0x20ac);
	assert_int_equal(input_take(&input, false), KEY_CODE_UP);
	input = (struct input){.is_utf8 = false};
	feed(&input, "\xf6g");
	assert_int_equal(input_take(&input, false), 'g');
}

UNIT_TEST(input_take_character_in_pieces_is_one_key)
{
	struct input input = {.is_utf8 = true};

	feed(&input, "\xe6\xbc");
	assert_int_equal(input_take(&input, false), KEY_CODE_NONE);
	feed(&input, "\xa2");

	assert_int_equal(input_take(&input, false), 0x6f22);
}

UNIT_TEST(input_take_broken_bytes_are_left_out)
{
	assert_key("\xff\xe6q", 'q');
	assert_key("\xc2\x9bq", 'q');
	assert_key("\xed\xa0\x80q", 'q');
}

UNIT_TEST(input_take_endless_sequence_does_not_stop_the_rest)
{
	struct input input = {.is_utf8 = true};
	char bytes[INPUT_BYTES_MAX + 1];

	memset(bytes, '1', sizeof(bytes));
	memcpy(bytes, "\x1b[", 2);

	assert_int_equal(input_feed(&input, bytes, sizeof(bytes)), INPUT_BYTES_MAX);
	assert_int_equal(input_take(&input, false), KEY_CODE_ESCAPE);
	feed(&input, "q");
	assert_int_equal(input_take(&input, false), 'q');
}

UNIT_TEST(input_add_sequence_own_one_wins)
{
	struct input input = {.is_utf8 = true};

	input_add_sequence(&input, "\x1b[A", KEY_CODE_HOME);
	input_add_sequence(&input, "\x1b[d", KEY_CODE_LEFT);
	feed(&input, "\x1b[A\x1b[d\x1b[B");

	assert_int_equal(input_take(&input, false), KEY_CODE_HOME);
	assert_int_equal(input_take(&input, false), KEY_CODE_LEFT);
	assert_int_equal(input_take(&input, false), KEY_CODE_DOWN);
}

UNIT_TEST(input_add_sequence_longest_wins)
{
	struct input input = {.is_utf8 = true};

	input_add_sequence(&input, "\x1b!!", KEY_CODE_END);
	input_add_sequence(&input, "\x1b!", KEY_CODE_HOME);
	feed(&input, "\x1b!!");

	assert_int_equal(input_take(&input, false), KEY_CODE_END);
}

UNIT_TEST(input_add_sequence_unfit_ones_are_left_out)
{
	struct input input = {.is_utf8 = true};

	input_add_sequence(&input, "", KEY_CODE_HOME);
	input_add_sequence(&input, "\x1b", KEY_CODE_HOME);
	input_add_sequence(&input, "\x7f", KEY_CODE_HOME);
	input_add_sequence(&input, "\x1b[111111111111111111~", KEY_CODE_HOME);
	assert_int_equal(input.sequence_count, 0);
	for (int i = 0; i < INPUT_SEQUENCES_MAX + 5; i++)
		input_add_sequence(&input, "\x1b[A", KEY_CODE_HOME);

	assert_int_equal(input.sequence_count, INPUT_SEQUENCES_MAX);
}

/* With its place, from 0. */
static void assert_mouse(const char *bytes, size_t length, uint32_t key, int x, int y)
{
	struct input input = {.is_utf8 = true, .has_mouse = true};

	assert_int_equal(input_feed(&input, bytes, length), length);
	assert_int_equal(input_take(&input, false), key);
	assert_int_equal(input.pointer_x, x);
	assert_int_equal(input.pointer_y, y);
	assert_int_equal(input_take(&input, true), KEY_CODE_NONE);
	assert_false(input_is_pending(&input));
}

static void assert_mouse_text(const char *text, uint32_t key, int x, int y)
{
	assert_mouse(text, strlen(text), key, x, y);
}

UNIT_TEST(input_take_mouse_tells_button_and_place)
{
	assert_mouse_text("\x1b[<0;1;1M", KEY_CODE_CLICK, 0, 0);
	assert_mouse_text("\x1b[<0;300;100M\x1b[<0;300;100m", KEY_CODE_CLICK, 299, 99);
	assert_mouse_text("\x1b[<2;12;3M", KEY_CODE_CLICK_RIGHT, 11, 2);
	assert_mouse_text("\x1b[<64;5;6M", KEY_CODE_WHEEL_UP, 4, 5);
	assert_mouse_text("\x1b[<65;5;6M", KEY_CODE_WHEEL_DOWN, 4, 5);
	assert_mouse_text("\x1b[<80;5;6M", KEY_CODE_WHEEL_UP, 4, 5); /* with Ctrl */
}

UNIT_TEST(input_take_mouse_in_the_old_form_too)
{
	assert_mouse_text("\x1b[M !!", KEY_CODE_CLICK, 0, 0);
	assert_mouse("\x1b[M \xff\xff", 6, KEY_CODE_CLICK, 222, 222);
	assert_mouse_text("\x1b[M`#$", KEY_CODE_WHEEL_UP, 2, 3);
	assert_mouse_text("\x1b[M !!\x1b[M#!!", KEY_CODE_CLICK, 0, 0); /* and let go */
}

/* Nothing of it is a key, and what follows is read as ever. */
UNIT_TEST(input_take_broken_mouse_is_swallowed)
{
	static const char *const broken[] = {
		"\x1b[<M",
		"\x1b[<0M",
		"\x1b[<0;1M",
		"\x1b[<;;M",
		"\x1b[<0;0;1M",
		"\x1b[<0;1;0M",
		"\x1b[<0;1;2;3;4M",
		"\x1b[<0;1:2M",
		"\x1b[<99;1;2M",
		"\x1b[<3;1;2M",
		"\x1b[<0;1;2m",
		"\x1b[<0;99999999999;1m",
		"\x1b[M\x01\x01\x01",
		"\x1b[M   ",
	};

	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		struct input input = {.is_utf8 = true, .has_mouse = true};

		feed(&input, broken[i]);
		feed(&input, "k");
		assert_int_equal(input_take(&input, false), 'k');
		assert_int_equal(input_take(&input, true), KEY_CODE_NONE);
		assert_int_equal(input.pointer_x, 0);
	}
}

/* Where nobody asked for the mouse, three letters behind such a key are typed ones. */
UNIT_TEST(input_take_without_mouse_knows_none)
{
	const uint32_t typed[] = {'a', 'b', 'c'};

	assert_keys("\x1b[Mabc", 3, typed);
	assert_keys("\x1b[<0;1;1Mabc", 3, typed);
}

UNIT_TEST(input_take_mouse_byte_by_byte_is_the_same)
{
	const char *bytes = "\x1b[<0;12;34M";
	struct input input = {.is_utf8 = true, .has_mouse = true};

	for (size_t i = 0; bytes[i] != '\0'; i++) {
		assert_int_equal(input_take(&input, false), KEY_CODE_NONE);
		input_feed(&input, &bytes[i], 1);
	}
	assert_int_equal(input_take(&input, false), KEY_CODE_CLICK);
	assert_int_equal(input.pointer_x, 11);
	assert_int_equal(input.pointer_y, 33);
}

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(NULL, NULL);
}
