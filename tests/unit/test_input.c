#include <locale.h>
#include <poll.h>
#include <unistd.h>

#include "term/input.h"
#include "term/key.h"
#include "unit.h"

/* What is typed comes byte by byte, each within the time that is waited or not at all. */
static struct {
	const char *bytes;
	int delay_ms; /* of each but the first */
	int fd;       /* behind standard input */
} typed;

int __wrap_poll(struct pollfd *waiting, nfds_t count, int wait_ms)
{
	if (*typed.bytes == '\0' || wait_ms < typed.delay_ms)
		return 0;
	typed.delay_ms = 100;
	return (int)write(typed.fd, typed.bytes++, 1);
}

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

UNIT_TEST(input_take_makes_keys_of_bytes)
{
	static const struct {
		const char *bytes;
		uint32_t keys[8]; /* up to a 0 */
	} cases[] = {
		/* clang-format off */
		/* characters as they are typed */
		{"aé漢😀\x03\t ", {'a', 0xe9, 0x6f22, 0x1f600, 3, '\t', ' '}},
		/* two names of one key */
		{"\r", {KEY_CODE_ENTER}}, {"\n", {KEY_CODE_ENTER}}, {"\x7f", {KEY_CODE_BACKSPACE}}, {"\x08", {KEY_CODE_BACKSPACE}},
		{"\x1b[A", {KEY_CODE_UP}}, {"\x1bOB", {KEY_CODE_DOWN}}, {"\x1b[5~", {KEY_CODE_PAGE_UP}},
		{"\x1b[6~", {KEY_CODE_PAGE_DOWN}}, {"\x1b[1~", {KEY_CODE_HOME}}, {"\x1bOF", {KEY_CODE_END}},
		{"\x1b[3~", {KEY_CODE_DELETE}}, {"\x1b[Z", {KEY_CODE_BACK_TAB}}, {"\x1bOP", {KEY_CODE_F1}},
		{"\x1b[15~", {KEY_CODE_F5}}, {"\x1b[24~", {KEY_CODE_F12}}, {"\x1b[200~", {KEY_CODE_PASTE_BEGIN}},
		{"\x1b[201~", {KEY_CODE_PASTE_END}}, {"\x1b[[C", {KEY_CODE_F3}}, {"\x1bOM", {KEY_CODE_ENTER}}, {"\x1bOw", {'7'}},
		/* of modifiers only Shift, and only of left and right */
		{"\x1b[1;2D", {KEY_CODE_SHIFT_LEFT}}, {"\x1b[1;2C", {KEY_CODE_SHIFT_RIGHT}}, {"\x1b[1;5D", {KEY_CODE_LEFT}},
		{"\x1b[1;2A", {KEY_CODE_UP}}, {"\x1b[1;5A", {KEY_CODE_UP}}, {"\x1b[3;2~", {KEY_CODE_DELETE}},
		/* an unknown sequence is left out whole, a broken one leaves what follows */
		{"\x1b[99;1Kq", {'q'}}, {"\x1b[?1;2cq", {'q'}}, {"\x1b[299~q", {'q'}}, {"\x1b[1;\x1b[A", {KEY_CODE_UP}},
		/* Esc before another key */
		{"\x1bq", {KEY_CODE_ESCAPE, 'q'}}, {"\x1b\x1b[A", {KEY_CODE_ESCAPE, KEY_CODE_UP}},
		/* broken bytes are left out */
		{"\xff\xe6q", {'q'}}, {"\xc2\x9bq", {'q'}}, {"\xed\xa0\x80q", {'q'}},
		/* where the mouse was not asked for, three letters behind such a key are typed ones */
		{"\x1b[Mabc", {'a', 'b', 'c'}}, {"\x1b[<0;1;1Mabc", {'a', 'b', 'c'}},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		size_t count = 0;

		begin_case(cases[i].bytes[0] == '\x1b' ? cases[i].bytes + 1 : cases[i].bytes);
		while (cases[i].keys[count] != 0)
			count++;
		assert_keys(cases[i].bytes, count, cases[i].keys);
	}
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

UNIT_TEST(input_read_waits_longer_for_the_rest_of_a_sequence_than_after_escape)
{
	struct input input = {.is_utf8 = true};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	typed.fd = ends[1];
	feed(&input, "\x1b[");
	typed.bytes = "15~";
	assert_int_equal(input_read(&input), KEY_CODE_F5);

	typed.bytes = "\x1b[15~";
	typed.delay_ms = 0;
	assert_int_equal(input_read(&input), KEY_CODE_ESCAPE);
	close(ends[0]);
	close(ends[1]);
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

UNIT_TEST(input_take_mouse_has_button_and_place)
{
	static const struct {
		const char *bytes;
		uint32_t key;
		int x, y; /* from 0 */
	} cases[] = {
		/* clang-format off */
		{"\x1b[<0;1;1M", KEY_CODE_CLICK, 0, 0},
		{"\x1b[<0;300;100M\x1b[<0;300;100m", KEY_CODE_CLICK, 299, 99},
		{"\x1b[<2;12;3M", KEY_CODE_CLICK_RIGHT, 11, 2},
		{"\x1b[<64;5;6M", KEY_CODE_WHEEL_UP, 4, 5},
		{"\x1b[<65;5;6M", KEY_CODE_WHEEL_DOWN, 4, 5},
		{"\x1b[<80;5;6M", KEY_CODE_WHEEL_UP, 4, 5}, /* with Ctrl */
		/* in the old form */
		{"\x1b[M !!", KEY_CODE_CLICK, 0, 0},
		{"\x1b[M \xff\xff", KEY_CODE_CLICK, 222, 222},
		{"\x1b[M`#$", KEY_CODE_WHEEL_UP, 2, 3},
		{"\x1b[M !!\x1b[M#!!", KEY_CODE_CLICK, 0, 0}, /* and let go */
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct input input = {.is_utf8 = true, .has_mouse = true};

		begin_case(cases[i].bytes + 1);
		feed(&input, cases[i].bytes);
		assert_int_equal(input_take(&input, false), cases[i].key);
		assert_int_equal(input.pointer_x, cases[i].x);
		assert_int_equal(input.pointer_y, cases[i].y);
		assert_int_equal(input_take(&input, true), KEY_CODE_NONE);
		assert_false(input_is_pending(&input));
	}
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
