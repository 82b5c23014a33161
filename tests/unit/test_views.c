/* The table of views and lists of columns. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Needs the headers above it. */
#include <cmocka.h>

#include "base/error.h"
#include "view/table.h"

static void view_find_any_case_finds(void **state)
{
	(void)state;
	assert_string_equal(view_find("CPUs")->name, "cpus");
}

static void view_find_unknown_gives_null(void **state)
{
	(void)state;
	assert_null(view_find("task"));
}

static void view_names_lists_all(void **state)
{
	char text[64];

	(void)state;
	view_names(text, sizeof(text));

	assert_string_equal(text, "tasks, cpus");
}

static void view_names_too_small_buffer_cuts(void **state)
{
	char text[4] = "xxx";

	(void)state;
	view_names(text, sizeof(text));

	assert_string_equal(text, "tas");
}

static void view_table_of_views_names_only_columns_that_exist(void **state)
{
	size_t count;
	const struct view_info *views = view_table_of_views(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const char *lists[] = {views[i].columns, views[i].columns_bare, views[i].sort};

		for (size_t j = 0; j < 3; j++) {
			const struct column **columns;
			size_t column_count;

			assert_true(view_parse_columns(lists[j], &columns, &column_count, NULL));
			free(columns);
		}
	}
}

static void view_parse_columns_keeps_order_and_ignores_blanks(void **state)
{
	const struct column **columns;
	size_t count;

	(void)state;
	assert_true(view_parse_columns("command, IPC ,pid", &columns, &count, NULL));

	assert_int_equal(count, 3);
	assert_ptr_equal(columns[0], column_find("command"));
	assert_ptr_equal(columns[1], column_find("ipc"));
	assert_ptr_equal(columns[2], column_find("pid"));
	free(columns);
}

static void view_parse_columns_unknown_name_is_named(void **state)
{
	const struct column **columns;
	struct error error = {0};
	size_t count;

	(void)state;
	assert_false(view_parse_columns("pid,mips,ipc", &columns, &count, &error));

	assert_int_equal(error.code, ERROR_COLUMN_UNKNOWN);
	assert_string_equal(error.text, "mips: unknown column");
	assert_non_null(strstr(error.remedy, "br-mpki"));
}

static void view_parse_columns_empty_list_is_refused(void **state)
{
	static const char *const lists[] = {"", ",", "pid,,ipc", " "};
	const struct column **columns;
	size_t count;

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct error error = {0};

		assert_false(view_parse_columns(lists[i], &columns, &count, &error));
		assert_string_equal(error.text, "\"\": unknown column");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(view_find_any_case_finds),
		cmocka_unit_test(view_find_unknown_gives_null),
		cmocka_unit_test(view_names_lists_all),
		cmocka_unit_test(view_names_too_small_buffer_cuts),
		cmocka_unit_test(view_table_of_views_names_only_columns_that_exist),
		cmocka_unit_test(view_parse_columns_keeps_order_and_ignores_blanks),
		cmocka_unit_test(view_parse_columns_unknown_name_is_named),
		cmocka_unit_test(view_parse_columns_empty_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
