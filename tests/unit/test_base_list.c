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
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

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

static void assert_parses(const char *text, int max, const int *numbers, size_t count)
{
	struct number_list list;

	assert_true(number_list_parse(&list, text, max));
	assert_int_equal(list.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(list.numbers[i], numbers[i]);
	number_list_fini(&list);
}

UNIT_TEST(number_list_parse_ranges_and_numbers_gives_each_number)
{
	const int numbers[] = {0, 1, 2, 3, 8, 10, 11};

	assert_parses("0-3,8,10-11", 11, numbers, 7);
}

UNIT_TEST(number_list_parse_line_end_is_allowed)
{
	const int numbers[] = {0, 1};

	assert_parses("0-1\n", 1, numbers, 2);
}

UNIT_TEST(number_list_parse_empty_text_gives_empty_list)
{
	assert_parses("", 7, NULL, 0);
	assert_parses("\n", 7, NULL, 0);
}

UNIT_TEST(number_list_parse_unsorted_and_repeated_gives_ascending_once)
{
	const int numbers[] = {1, 2, 3, 4, 5, 6, 9};

	assert_parses("9,4-6,1-5,2,3-3,9", 9, numbers, 7);
}

UNIT_TEST(number_list_parse_range_inside_another_does_not_shorten_it)
{
	const int numbers[] = {0, 1, 2, 3, 4, 5};

	assert_parses("0-5,1-2", 9, numbers, 6);
}

UNIT_TEST(number_list_parse_limits_are_included)
{
	const int zero[] = {0};
	const int large[] = {INT_MAX - 1, INT_MAX};

	assert_parses("0", 0, zero, 1);
	assert_parses("2147483646-2147483647", INT_MAX, large, 2);
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

UNIT_TEST(number_list_parse_number_above_int_is_refused_at_the_largest_max)
{
	struct number_list list;

	assert_false(number_list_parse(&list, "2147483648", INT_MAX));
	assert_false(number_list_parse(&list, "4294967297", INT_MAX));
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

UNIT_TEST(number_list_has_finds_members_only)
{
	struct number_list list;
	assert_true(number_list_parse(&list, "2-4,8", 10));

	for (int number = -1; number <= 10; number++) {
		bool member = (number >= 2 && number <= 4) || number == 8;

		assert_int_equal(number_list_has(&list, number), member);
	}
	number_list_fini(&list);
}

UNIT_TEST(number_list_has_empty_list_has_nothing)
{
	struct number_list list = {0};

	assert_false(number_list_has(&list, 0));
}

UNIT_TEST(number_list_fini_leaves_an_empty_list)
{
	struct number_list list;
	assert_true(number_list_parse(&list, "1-3", 10));

	number_list_fini(&list);

	assert_null(list.numbers);
	assert_int_equal(list.count, 0);
}

/* Parses `text` and writes it again into `size` bytes, behind which nothing may be touched. */
static void assert_formats(const char *text, size_t size, const char *expected)
{
	struct number_list list;
	char out[64];
	assert_true(number_list_parse(&list, text, INT_MAX));
	memset(out, '#', sizeof(out));

	number_list_format(&list, out, size);

	assert_int_equal(out[size], '#');
	if (size > 0)
		assert_string_equal(out, expected);
	number_list_fini(&list);
}

UNIT_TEST(number_list_format_gives_the_shortest_form)
{
	assert_formats("0,1,2,3,8", 60, "0-3,8");
	assert_formats("8", 60, "8");
	assert_formats("0,2,4", 60, "0,2,4");
	assert_formats("0-1,2-5,7", 60, "0-5,7");
	assert_formats("", 60, "");
	assert_formats("2147483646-2147483647", 60, "2147483646-2147483647");
}

UNIT_TEST(number_list_format_exact_room_is_not_cut)
{
	assert_formats("0-3,8,128", 10, "0-3,8,128");
}

UNIT_TEST(number_list_format_little_room_is_cut_behind_a_whole_number)
{
	assert_formats("0-3,8,128", 9, "0-3,...");
	assert_formats("0-3,8,128", 8, "0-3,...");
	assert_formats("0-3,8,128", 7, "...");
	assert_formats("10,20,30,40", 10, "10,20,...");
	assert_formats("128,130", 7, "...");
	assert_formats("128,130", 4, "...");
}

UNIT_TEST(number_list_format_no_room_for_dots_writes_what_fits)
{
	assert_formats("128,130", 3, "..");
	assert_formats("128,130", 2, ".");
	assert_formats("128,130", 1, "");
	assert_formats("128,130", 0, "");
}

static void assert_words(const char *text, const char *const *words)
{
	const char *cursor = text;
	char word[16];

	for (; *words; words++) {
		assert_true(word_list_next(&cursor, word, sizeof(word)));
		assert_string_equal(word, *words);
	}
	assert_false(word_list_next(&cursor, word, sizeof(word)));
	assert_false(word_list_next(&cursor, word, sizeof(word)));
}

UNIT_TEST(word_list_next_takes_the_words_in_order)
{
	assert_words("pid,ipc,miss%", (const char *const[]){"pid", "ipc", "miss%", NULL});
}

UNIT_TEST(word_list_next_blanks_around_are_left_out)
{
	assert_words(" pid ,\tcpu %\t, x\n", (const char *const[]){"pid", "cpu %", "x", NULL});
}

UNIT_TEST(word_list_next_empty_word_in_the_middle_is_given)
{
	assert_words("a,,b", (const char *const[]){"a", "", "b", NULL});
	assert_words("a,  ,b", (const char *const[]){"a", "", "b", NULL});
	assert_words(",a", (const char *const[]){"", "a", NULL});
}

UNIT_TEST(word_list_next_comma_at_the_end_adds_no_word)
{
	assert_words("a,", (const char *const[]){"a", NULL});
}

UNIT_TEST(word_list_next_empty_list_has_no_word)
{
	assert_words("", (const char *const[]){NULL});
}

UNIT_TEST(word_list_next_long_word_is_cut)
{
	const char *cursor = "abcdefgh,x";
	char word[6] = "#####";

	assert_true(word_list_next(&cursor, word, 4));

	assert_string_equal(word, "abc");
	assert_int_equal(word[4], '#');
	assert_string_equal(cursor, "x");
}

UNIT_TEST(word_list_next_word_as_long_as_the_room_is_cut)
{
	const char *cursor = "abcd";
	char word[6] = "#####";

	assert_true(word_list_next(&cursor, word, 4));

	assert_string_equal(word, "abc");
	assert_int_equal(word[4], '#');
}

int main(void)
{
	return unit_run(NULL, NULL);
}
