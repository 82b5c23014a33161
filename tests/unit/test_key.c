#include "term/key.h"
#include "unit.h"

static void assert_round_trip(uint32_t key)
{
	char name[32];

	key_name(key, name, sizeof(name));
	assert_true(name[0] != '\0');
	assert_int_equal(key_parse(name), key);
}

UNIT_TEST(key_name_every_special_key_is_parsed_back)
{
	for (uint32_t key = KEY_CODE_SPECIAL; key <= KEY_CODE_F12; key++)
		assert_round_trip(key);
}

UNIT_TEST(key_name_every_ascii_key_is_parsed_back)
{
	for (uint32_t key = 1; key < 0x80; key++)
		assert_round_trip(key);
}

UNIT_TEST(key_name_other_characters_are_parsed_back)
{
	assert_round_trip(0xe9);
	assert_round_trip(0x6f22);
	assert_round_trip(0x1f600);
}

UNIT_TEST(key_name_no_key_is_empty)
{
	const uint32_t none[] = {KEY_CODE_NONE, KEY_CODE_F12 + 1, 0x9b, 0xd800, UINT32_MAX};
	char name[32];

	for (size_t i = 0; i < COUNT_OF(none); i++) {
		strcpy(name, "old");
		key_name(none[i], name, sizeof(name));
		assert_string_equal(name, "");
	}
}

UNIT_TEST(key_name_small_buffer_is_not_overrun)
{
	char name[4] = "xxx";

	key_name(0x1f600, name, 3);
	assert_string_equal(name, "");
	assert_int_equal(name[3], '\0');

	key_name(KEY_CODE_PAGE_UP, name, 3);
	assert_string_equal(name, "Pg");
}

UNIT_TEST(key_parse_names_are_those_of_the_help)
{
	assert_int_equal(key_parse("F1"), KEY_CODE_F1);
	assert_int_equal(key_parse("F12"), KEY_CODE_F12);
	assert_int_equal(key_parse("^C"), 3);
	assert_int_equal(key_parse("^c"), 3);
	assert_int_equal(key_parse("Space"), ' ');
	assert_int_equal(key_parse("M"), 'M');
	assert_int_equal(key_parse("m"), 'm');
	assert_int_equal(key_parse("^"), '^');
	assert_int_equal(key_parse("pgup"), KEY_CODE_PAGE_UP);
	assert_int_equal(key_parse("PageUp"), KEY_CODE_PAGE_UP);
	assert_int_equal(key_parse("Escape"), KEY_CODE_ESCAPE);
}

UNIT_TEST(key_parse_unknown_name_is_none)
{
	const char *const names[] = {"",   "F0", "F13",  "Upp", "^AB", "^1",
				     "ab", "\n", "\x1b", "é!",  "\xff"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_int_equal(key_parse(names[i]), KEY_CODE_NONE);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
