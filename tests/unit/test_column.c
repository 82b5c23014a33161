/* The table of columns. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Needs the headers above it. */
#include <cmocka.h>

#include "model/metric.h"
#include "view/column.h"

static void column_find_any_case_finds(void **state)
{
	(void)state;
	assert_string_equal(column_find("Miss%")->title, "MISS %");
}

static void column_find_unknown_gives_null(void **state)
{
	(void)state;
	assert_null(column_find("miss"));
	assert_null(column_find(""));
}

static void column_table_names_each_column_once(void **state)
{
	size_t count;
	const struct column *columns = column_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++)
		assert_ptr_equal(column_find(columns[i].name), &columns[i]);
}

static void column_table_gives_each_column_one_source(void **state)
{
	size_t count;
	const struct column *columns = column_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		int sources = (columns[i].metric != NULL) + (columns[i].number != NULL) +
			      (columns[i].words != NULL);

		assert_int_equal(sources, 1);
		assert_int_equal(columns[i].words != NULL, columns[i].format == COLUMN_TEXT);
	}
}

static void column_table_titles_fit_their_widths(void **state)
{
	size_t count;
	const struct column *columns = column_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++)
		assert_true(strlen(columns[i].title) <= (size_t)columns[i].width);
}

static bool is_metric(const char *name)
{
	size_t count;
	const struct metric_info *metrics = metric_table(&count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(metrics[i].name, name) == 0)
			return true;
	}
	return false;
}

static void column_table_names_only_metrics_that_exist(void **state)
{
	size_t count;
	const struct column *columns = column_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		if (columns[i].metric && !is_metric(columns[i].metric))
			fail_msg("column %s: no metric %s", columns[i].name, columns[i].metric);
	}
}

static void column_help_says_something_for_each(void **state)
{
	size_t count;
	const struct column *columns = column_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++)
		assert_true(strlen(column_help(&columns[i])) >= strlen("Thread id."));
}

static void column_names_lists_all_with_commas(void **state)
{
	char text[512];

	(void)state;
	column_names(text, sizeof(text));

	assert_memory_equal(text, "pid, tid, ppid, user, ", 22);
	assert_string_equal(strstr(text, "attr%"), "attr%, command");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(column_find_any_case_finds),
		cmocka_unit_test(column_find_unknown_gives_null),
		cmocka_unit_test(column_table_names_each_column_once),
		cmocka_unit_test(column_table_gives_each_column_one_source),
		cmocka_unit_test(column_table_titles_fit_their_widths),
		cmocka_unit_test(column_table_names_only_metrics_that_exist),
		cmocka_unit_test(column_help_says_something_for_each),
		cmocka_unit_test(column_names_lists_all_with_commas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
