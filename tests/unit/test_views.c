/* The table of views. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Needs the headers above it. */
#include <cmocka.h>

#include "model/metric.h"
#include "view/column.h"
#include "view/column_list.h"
#include "view/table.h"

static void view_find_any_case_finds(void **state)
{
	assert_string_equal(view_find("CPUs")->name, "cpus");
}

static void view_find_unknown_gives_null(void **state)
{
	assert_null(view_find("task"));
}

static void view_names_lists_all(void **state)
{
	char text[64];

	view_names(text, sizeof(text));

	assert_string_equal(text, "tasks, cpus, switches, groups, pairs, histogram, timeline");
}

static void view_names_too_small_buffer_cuts(void **state)
{
	char text[4] = "xxx";

	view_names(text, sizeof(text));

	assert_string_equal(text, "tas");
}

static void view_default_columns_are_all_there_in_order(void **state)
{
	size_t count;
	const struct view_info *const *views = view_table_of_views(&count);
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);

	for (size_t i = 0; i < 2 * count; i++) {
		const bool has_pmu = i % 2 == 0;
		const struct view_info *view = views[i / 2];
		const char *names = has_pmu ? view->columns : view->columns_bare;
		struct column_list list = {0};
		char name[64];

		view_default_columns(view, has_pmu, columns, &list);
		for (size_t j = 0; j < list.count; j++) {
			assert_true(column_word_next(columns, &names, name, sizeof(name)));
			assert_string_equal(list.columns[j]->name, name);
		}
		assert_false(column_word_next(columns, &names, name, sizeof(name)));
		assert_non_null(columns_find(columns, view->sort));
		column_list_fini(&list);
	}
	columns_destroy(columns);
	metric_set_destroy(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(view_find_any_case_finds),
		cmocka_unit_test(view_find_unknown_gives_null),
		cmocka_unit_test(view_names_lists_all),
		cmocka_unit_test(view_names_too_small_buffer_cuts),
		cmocka_unit_test(view_default_columns_are_all_there_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
