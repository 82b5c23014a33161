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

/* One after the other, so that nothing of the one before may be left. */
UNIT_TEST(error_set_fills_the_places_of_the_sentence)
{
	static const struct {
		enum error_code code;
		const char *first, *second, *text, *remedy;
	} cases[] = {
		{ERROR_PROCESS_FOREIGN, "4711", "root", "4711: not your process (root)", NULL},
		{ERROR_VIEW_UNKNOWN, "foo", "tasks, cpus", "foo: unknown view",
		 "views are: tasks, cpus"},
		{ERROR_FUNCTION_NONE, NULL, NULL, "no function selected", ""},
		{ERROR_SOURCES_CONFLICT, NULL, NULL,
		 " and : only one source of records can be watched", NULL},
		{ERROR_OPTION_UNKNOWN, "-\x1b[2J\n\x7f\xff", NULL,
		 "-\\x1B[2J\\x0A\\x7F\\xFF: unknown option", NULL},
		{ERROR_SYSTEM, "%2%1%s", "why", "%2%1%s: why", NULL},
		{ERROR_CPU_LIST_BAD, "", NULL, "'': not a list of CPUs", NULL},
		{ERROR_PID_BAD, "abc", NULL, "abc: not a process id", NULL},
		/* its own text is read before it is replaced */
		{ERROR_FILE_OPEN, "config", error.text, "config: abc: not a process id", NULL},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		assert_false(error_set(&error, cases[i].code, cases[i].first, cases[i].second));
		assert_int_equal(error.code, cases[i].code);
		assert_string_equal(error.text, cases[i].text);
		if (cases[i].remedy)
			assert_string_equal(error.remedy, cases[i].remedy);
		if (cases[i].code == ERROR_PROCESS_FOREIGN)
			assert_non_null(strstr(error.remedy, "CAP_PERFMON"));
	}
	assert_false(error_set(NULL, ERROR_FUNCTION_NONE, NULL, NULL));
}

UNIT_TEST(error_set_errno_names_the_reason)
{
	assert_false(error_set_errno(&error, ERROR_FILE_OPEN, "/x", ENOENT));
	assert_string_equal(error.text, "/x: No such file or directory");
	error_set_errno(&error, ERROR_SYSTEM, "poll", 98765);
	assert_non_null(strstr(error.text, "98765"));
}

UNIT_TEST(error_table_has_a_status_and_a_text_with_known_places_for_every_code)
{
	for (unsigned int code = ERROR_NONE + 1; code < ERROR_COUNT; code++) {
		const bool is_of_exec = code == ERROR_EXEC || code == ERROR_EXEC_MISSING;
		const int most = code == ERROR_FAIL_IF ? 3 : 2;

		error_set(&error, (enum error_code)code, "A", "B");
		assert_true(error.text[0] != '\0');
		assert_null(strchr(error.text, '%'));
		assert_null(strchr(error.remedy, '%'));
		assert_null(strchr(error.text, '\n'));
		assert_true(strlen(error.remedy) < sizeof(error.remedy) / 2);
		assert_in_range(error_exit_status(&error), is_of_exec ? 126 : 1,
				is_of_exec ? 127 : most);
	}
	assert_int_equal(error_exit_status(&(struct error){.code = ERROR_PID_BAD}), 2);
	assert_int_equal(error_exit_status(&(struct error){.code = ERROR_PROCESS_GONE}), 1);
	assert_int_equal(error_exit_status(&(struct error){.code = ERROR_NONE}), 0);
	assert_int_equal(error_exit_status(NULL), 0);
}

static int set_locale(void **state)
{
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int main(void)
{
	return unit_run_group(set_up, NULL, set_locale, NULL);
}
