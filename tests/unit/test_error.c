/* The sentences: what goes in for %1 and %2, what is cut, what status belongs to them. */
#include <errno.h>
#include <locale.h>

#include "base/error.h"
#include "base/text.h"

#include "unit.h"

static struct error error;

static int set_up(void **state)
{
	error = (struct error){0};
	return 0;
}

UNIT_TEST(error_set_two_strings_stand_in_the_sentence)
{
	bool result = error_set(&error, ERROR_PROCESS_FOREIGN, "4711", "root");

	assert_false(result);
	assert_int_equal(error.code, ERROR_PROCESS_FOREIGN);
	assert_string_equal(error.text, "4711: not your process (root)");
	assert_non_null(strstr(error.remedy, "CAP_PERFMON"));
}

UNIT_TEST(error_set_place_in_remedy_is_filled)
{
	error_set(&error, ERROR_COLUMN_UNKNOWN, "foo", "columns are: pid, ipc");

	assert_string_equal(error.text, "foo: unknown column");
	assert_string_equal(error.remedy,
			    "columns are: pid, ipc; or any metric (perftop --help) or event "
			    "(perftop events)");
}

UNIT_TEST(error_set_null_strings_leave_places_empty)
{
	error_set(&error, ERROR_SOURCES_CONFLICT, NULL, NULL);

	assert_string_equal(error.text, " and : only one source of records can be watched");
}

UNIT_TEST(error_mark_counts_characters_and_keeps_the_rest)
{
	error_set(&error, ERROR_EVENT_PMU_ABSENT, "foo/a/", "foo");
	const struct error bare = error;

	assert_false(error_mark(&error, "\xc3\xa9+foo/a/\x1b", 3));
	assert_string_equal(error.text, "foo/a/: this machine has no PMU foo (character 3 of "
					"'\xc3\xa9+foo/a/\\x1B')");
	assert_int_equal(error_exit_status(&error), 1);
	assert_string_equal(error.remedy, bare.remedy);
	assert_false(error_mark(NULL, "x", 0));
}

UNIT_TEST(error_mark_of_a_long_text_leaves_the_sentence_whole)
{
	char text[256];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&error, ERROR_EVENT_UNKNOWN, text, "none");
	error_mark(&error, text, 2);
	assert_non_null(strstr(error.text, "aaa: unknown event (character 3)"));
}

UNIT_TEST(error_set_without_remedy_clears_the_old_one)
{
	error_set(&error, ERROR_COLUMN_UNKNOWN, "foo", "pid");

	error_set(&error, ERROR_MEMORY, NULL, NULL);

	assert_string_equal(error.text, "out of memory");
	assert_string_equal(error.remedy, "");
}

UNIT_TEST(error_set_control_characters_are_escaped)
{
	error_set(&error, ERROR_OPTION_UNKNOWN, "-\x1b[2J\n\x7f\xff", NULL);

	assert_string_equal(error.text, "-\\x1B[2J\\x0A\\x7F\\xFF: unknown option");
}

UNIT_TEST(error_set_place_marks_in_a_string_stay_as_they_are)
{
	error_set(&error, ERROR_SYSTEM, "%2%1%s", "why");

	assert_string_equal(error.text, "%2%1%s: why");
}

UNIT_TEST(error_set_long_first_string_leaves_room_for_the_second)
{
	char name[4096];
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';

	error_set(&error, ERROR_FILE_OPEN, name, "No such file");

	assert_int_equal(strspn(error.text, "n"), sizeof(error.text) / 2 - 1);
	assert_string_equal(error.text + strspn(error.text, "n"), ": No such file");
}

UNIT_TEST(error_set_long_second_string_is_cut_at_a_whole_character)
{
	char words[2001] = "";
	for (size_t i = 0; i + 2 < sizeof(words); i += 2)
		memcpy(words + i, "\xc3\xa9", 3);

	error_set(&error, ERROR_SYSTEM, "a", words);

	size_t length = strlen(error.text);
	assert_in_range(length, sizeof(error.text) - 2, sizeof(error.text) - 1);
	assert_int_equal(text_width(error.text), 3 + (length - 3) / 2);
	assert_memory_equal(error.text + length - 2, "\xc3\xa9", 2);
}

UNIT_TEST(error_set_long_only_string_fills_the_sentence)
{
	char words[2001];
	memset(words, 'w', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';

	error_set(&error, ERROR_FORMULA, words, NULL);

	assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
}

UNIT_TEST(error_set_own_text_as_argument_is_read_before_it_is_replaced)
{
	error_set(&error, ERROR_PID_BAD, "abc", NULL);

	error_set(&error, ERROR_FILE_OPEN, "config", error.text);

	assert_string_equal(error.text, "config: abc: not a process id");
}

UNIT_TEST(error_set_without_error_returns_false)
{
	bool result = error_set(NULL, ERROR_MEMORY, NULL, NULL);

	assert_false(result);
}

UNIT_TEST(error_set_errno_names_the_reason)
{
	bool result = error_set_errno(&error, ERROR_FILE_OPEN, "/x", ENOENT);

	assert_false(result);
	assert_string_equal(error.text, "/x: No such file or directory");
}

UNIT_TEST(error_set_errno_unknown_number_is_said)
{
	error_set_errno(&error, ERROR_SYSTEM, "poll", 98765);

	assert_non_null(strstr(error.text, "98765"));
}

UNIT_TEST(error_exit_status_follows_the_table)
{
	struct error usage = {.code = ERROR_PID_BAD};
	struct error failed = {.code = ERROR_PROCESS_GONE};
	struct error none = {.code = ERROR_NONE};

	assert_int_equal(error_exit_status(&usage), 2);
	assert_int_equal(error_exit_status(&failed), 1);
	assert_int_equal(error_exit_status(&none), 0);
	assert_int_equal(error_exit_status(NULL), 0);
}

UNIT_TEST(error_exit_status_of_every_failure_is_one_of_four)
{
	for (unsigned int code = ERROR_NONE + 1; code < ERROR_COUNT; code++) {
		error.code = (enum error_code)code;
		if (code == ERROR_EXEC || code == ERROR_EXEC_MISSING)
			assert_in_range(error_exit_status(&error), 126, 127);
		else
			assert_in_range(error_exit_status(&error), 1, 2);
	}
}

UNIT_TEST(error_name_is_the_word_of_the_table)
{
	assert_string_equal(error_name(ERROR_NONE), "NONE");
	assert_string_equal(error_name(ERROR_PERF_OTHER), "PERF_OTHER");
}

UNIT_TEST(error_table_has_a_text_with_known_places_for_every_code)
{
	for (unsigned int code = ERROR_NONE + 1; code < ERROR_COUNT; code++) {
		error_set(&error, (enum error_code)code, "A", "B");

		assert_true(error.text[0] != '\0');
		assert_null(strchr(error.text, '%'));
		assert_null(strchr(error.remedy, '%'));
		assert_null(strchr(error.text, '\n'));
		assert_true(strlen(error.remedy) < sizeof(error.remedy) / 2);
	}
}

static int set_locale(void **state)
{
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int main(void)
{
	return unit_run_group(set_up, NULL, set_locale, NULL);
}
