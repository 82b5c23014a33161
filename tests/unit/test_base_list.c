/*
 * Lists of numbers and of words. calloc(3) and realloc(3) are watched: a text
 * must not make the parser ask for more than the numbers it may name.
 */
#include <limits.h>

#include "base/list.h"
#include "base/strbuf.h"

#include "unit.h"

static size_t largest_request; /* bytes, since it was last set to 0 */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
	if (count * size > largest_request)
		largest_request = count * size;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	if (size > largest_request)
		largest_request = size;
	return __real_realloc(memory, size);
}

UNIT_TEST(number_list_parse_malformed_text_is_refused)
{
	const char *const texts[] = {
		"3-1",
		"1,",
		"a",
		"-1",
		",1",
		"1,,2",
		"1-",
		"-",
		",",
		"1 ",
		" 1",
		"1-2-3",
		"+1",
		"0x1",
		"1\n\n",
		"1\n2",
		"1;2",
		"1,a",
		"1-a",
		"8",
		"0-8",
		"1.5",
		"1,-",
		"\n1",
		"1,\n",
		"1-\n",
		"3-2,1",
		"1-2,3-",
		"1,8",
		"9-9",
		"18446744073709551617",
		"4294967296",
		"2147483648",
		"0-99999999999999999999",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct number_list list = {.numbers = (int *)&list, .count = 5};

		if (number_list_parse(&list, texts[i], 7))
			fail_msg("accepted: %s", texts[i]);
		assert_null(list.numbers);
		assert_int_equal(list.count, 0);
	}
}

UNIT_TEST(number_list_parse_huge_range_above_max_allocates_nothing_for_it)
{
	struct number_list list;
	largest_request = 0;

	bool parsed = number_list_parse(&list, "0-2000000000", 4095);

	assert_false(parsed);
	assert_in_range(largest_request, 0, 256);
}

UNIT_TEST(number_list_parse_repeated_range_allocates_its_numbers_once)
{
	struct number_list list;
	struct strbuf text = {0};
	for (int i = 0; i < 50; i++)
		strbuf_add(&text, i ? ",0-99999" : "0-99999");
	largest_request = 0;

	bool parsed = number_list_parse(&list, text.text, 99999);

	assert_true(parsed);
	assert_int_equal(list.count, 100000);
	assert_int_equal(largest_request, 100000 * sizeof(int));
	number_list_fini(&list);
	strbuf_fini(&text);
}

UNIT_TEST(number_list_parse_gives_each_number_once_ascending)
{
	static const struct {
		const char *text;
		int max, numbers[8];
		size_t count;
	} cases[] = {
		{"0-3,8,10-11", 11, {0, 1, 2, 3, 8, 10, 11}, 7},
		{"0-1\n", 1, {0, 1}, 2},
		{"", 7, {0}, 0},
		{"\n", 7, {0}, 0},
		{"9,4-6,1-5,2,3-3,9", 9, {1, 2, 3, 4, 5, 6, 9}, 7},
		{"0-5,1-2", 9, {0, 1, 2, 3, 4, 5}, 6},
		{"0", 0, {0}, 1},
		{"2147483646-2147483647", INT_MAX, {INT_MAX - 1, INT_MAX}, 2},
	};
	struct number_list list;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		assert_true(number_list_parse(&list, cases[i].text, cases[i].max));
		assert_int_equal(list.count, cases[i].count);
		for (size_t j = 0; j < list.count; j++)
			assert_int_equal(list.numbers[j], cases[i].numbers[j]);
		number_list_fini(&list);
		assert_null(list.numbers);
		assert_int_equal(list.count, 0);
	}
	assert_false(number_list_parse(&list, "2147483648", INT_MAX));
	assert_false(number_list_parse(&list, "4294967297", INT_MAX));
}

UNIT_TEST(number_list_has_finds_members_only)
{
	struct number_list list = {0};

	assert_false(number_list_has(&list, 0));
	assert_true(number_list_parse(&list, "2-4,8", 10));
	for (int number = -1; number <= 10; number++)
		assert_int_equal(number_list_has(&list, number),
				 (number >= 2 && number <= 4) || number == 8);
	number_list_fini(&list);
}

/* Into `size` bytes, behind which nothing may be touched. */
UNIT_TEST(number_list_format_gives_the_shortest_form_that_fits)
{
	static const struct {
		const char *text;
		size_t size;
		const char *expected;
	} cases[] = {
		{"0,1,2,3,8", 60, "0-3,8"},
		{"8", 60, "8"},
		{"0,2,4", 60, "0,2,4"},
		{"0-1,2-5,7", 60, "0-5,7"},
		{"", 60, ""},
		{"2147483646-2147483647", 60, "2147483646-2147483647"},
		{"0-3,8,128", 10, "0-3,8,128"},
		/* cut behind a whole number */
		{"0-3,8,128", 9, "0-3,..."},
		{"0-3,8,128", 8, "0-3,..."},
		{"0-3,8,128", 7, "..."},
		{"10,20,30,40", 10, "10,20,..."},
		{"128,130", 7, "..."},
		{"128,130", 4, "..."},
		{"128,130", 3, ".."},
		{"128,130", 2, "."},
		{"128,130", 1, ""},
		{"128,130", 0, "#"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct number_list list;
		char out[64] = "################################################################";

		begin_case(cases[i].text);
		assert_true(number_list_parse(&list, cases[i].text, INT_MAX));
		number_list_format(&list, out, cases[i].size);
		assert_int_equal(out[cases[i].size], '#');
		out[sizeof(out) - 1] = '\0';
		assert_memory_equal(out, cases[i].expected,
				    strlen(cases[i].expected) + (cases[i].size > 0));
		number_list_fini(&list);
	}
}

UNIT_TEST(word_list_next_takes_the_words_in_order)
{
	static const struct {
		const char *text, *words[4];
	} cases[] = {
		{"pid,ipc,miss%", {"pid", "ipc", "miss%"}},
		{" pid ,\tcpu %\t, x\n", {"pid", "cpu %", "x"}},
		{"a,,b", {"a", "", "b"}},
		{"a,  ,b", {"a", "", "b"}},
		{",a", {"", "a"}},
		{"a,", {"a"}},
		{"", {NULL}},
	};
	char word[16];

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *cursor = cases[i].text;

		begin_case(cases[i].text);
		for (const char *const *words = cases[i].words; *words; words++) {
			assert_true(word_list_next(&cursor, word, sizeof(word)));
			assert_string_equal(word, *words);
		}
		assert_false(word_list_next(&cursor, word, sizeof(word)));
		assert_false(word_list_next(&cursor, word, sizeof(word)));
	}
}

UNIT_TEST(word_list_next_long_word_is_cut)
{
	static const char *const texts[] = {"abcdefgh,x", "abcd,x"};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		const char *cursor = texts[i];
		char word[6] = "#####";

		assert_true(word_list_next(&cursor, word, 4));
		assert_string_equal(word, "abc");
		assert_int_equal(word[4], '#');
		assert_string_equal(cursor, "x");
	}
}

UNIT_MAIN(NULL, NULL)
