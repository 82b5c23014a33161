/* The table of views. */

#include "model/metric.h"
#include "view/column.h"
#include "view/table.h"

#include "unit.h"

UNIT_TEST(view_find_finds_in_any_case)
{
	assert_string_equal(view_find("CPUs")->name, "cpus");
	assert_null(view_find("task"));
}

UNIT_TEST(view_names_are_cut_where_there_is_no_room)
{
	char text[16] = "xxx";

	view_names(text, sizeof(text));
	assert_string_equal(text, "tasks, cpus, sw");
	view_names(text, 4);
	assert_string_equal(text, "tas");
}

UNIT_TEST(view_default_columns_are_all_there_in_order)
{
	size_t count;
	const struct view_info *const *views = view_table_of_views(&count);
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);

	for (size_t i = 0; i < 2 * count; i++) {
		const bool has_pmu = i % 2 == 0;
		const struct view_info *view = views[i / 2];
		const char *names =
			has_pmu || !view->columns_bare ? view->columns : view->columns_bare;
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
	return unit_run(NULL, NULL);
}
