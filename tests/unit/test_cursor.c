/* A cursor in a list of lines. */

#include "term/key.h"
#include "unit.h"
#include "widget/cursor.h"

UNIT_TEST(cursor_key_moves_within_the_list)
{
	static const struct {
		uint32_t key;
		size_t from, count, page, to;
	} cases[] = {
		{KEY_CODE_UP, 3, 10, 4, 2},        {KEY_CODE_UP, 0, 10, 4, 0},
		{KEY_CODE_DOWN, 3, 10, 4, 4},      {KEY_CODE_DOWN, 9, 10, 4, 9},
		{KEY_CODE_PAGE_UP, 6, 10, 4, 2},   {KEY_CODE_PAGE_UP, 3, 10, 4, 0},
		{KEY_CODE_PAGE_UP, 4, 10, 4, 0},   {KEY_CODE_PAGE_DOWN, 1, 10, 4, 5},
		{KEY_CODE_PAGE_DOWN, 7, 10, 4, 9}, {KEY_CODE_PAGE_DOWN, 7, 10, 0, 8},
		{KEY_CODE_HOME, 7, 10, 4, 0},      {KEY_CODE_END, 2, 10, 4, 9},
		{KEY_CODE_DOWN, 0, 0, 4, 0},       {KEY_CODE_END, 0, 0, 4, 0},
		{KEY_CODE_DOWN, 8, 3, 4, 2}, /* the list has become shorter */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct cursor cursor = {.at = cases[i].from};

		assert_true(cursor_key(&cursor, cases[i].key, cases[i].count, cases[i].page));
		if (cursor.at != cases[i].to)
			fail_msg("case %zu: at %zu", i, cursor.at);
	}
}

UNIT_TEST(cursor_key_leaves_other_keys_alone)
{
	struct cursor cursor = {.at = 3, .top = 1};

	assert_false(cursor_key(&cursor, 'j', 10, 4));
	assert_false(cursor_key(&cursor, KEY_CODE_ENTER, 10, 4));
	assert_int_equal(cursor.at, 3);
	assert_int_equal(cursor.top, 1);
}

UNIT_TEST(cursor_keep_shows_it_and_fills_the_page)
{
	static const struct {
		struct cursor from;
		size_t count, page;
		struct cursor to;
	} cases[] = {
		{{3, 0}, 10, 4, {3, 0}}, {{4, 0}, 10, 4, {4, 1}},  {{2, 5}, 10, 4, {2, 2}},
		{{9, 9}, 10, 4, {9, 6}}, {{12, 3}, 10, 4, {9, 6}}, {{2, 2}, 3, 4, {2, 0}},
		{{5, 1}, 0, 4, {0, 0}},  {{5, 1}, 10, 0, {5, 1}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct cursor cursor = cases[i].from;

		cursor_keep(&cursor, cases[i].count, cases[i].page);
		if (cursor.at != cases[i].to.at || cursor.top != cases[i].to.top)
			fail_msg("case %zu: at %zu, top %zu", i, cursor.at, cursor.top);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
