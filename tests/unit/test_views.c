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

		view_default_columns(view, has_pmu, NULL, columns, &list);
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

static bool has_column(const struct column_list *list, struct columns *columns, const char *name)
{
	return column_list_has(list, columns_find(columns, name));
}

/* Those that can never have a value are no help. */
UNIT_TEST(view_default_columns_are_those_of_wanted_events)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);
	struct column_list list = {0};
	struct layout layout;
	struct metrics *metrics;
	size_t misses;

	layout_init(&layout);
	layout_add_counter(&layout, 0, layout_add_event(&layout, "cycles"));
	layout_add_counter(&layout, 0, layout_add_event(&layout, "instructions"));
	layout_add_event(&layout, "branch-misses"); /* wanted, and not counted */
	misses = layout_add_event(&layout, "cache-misses");
	layout.events[misses].is_removed = true;
	metrics = metrics_create(&layout, set);
	view_default_columns(view_find("tasks"), true, metrics, columns, &list);
	assert_true(has_column(&list, columns, "ipc"));
	assert_true(has_column(&list, columns, "br-mpki"));
	assert_true(has_column(&list, columns, "command"));
	assert_false(has_column(&list, columns, "mpki"));
	assert_false(has_column(&list, columns, "miss%"));
	column_list_fini(&list);
	metrics_destroy(metrics);
	layout_fini(&layout);
	columns_destroy(columns);
	metric_set_destroy(set);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
