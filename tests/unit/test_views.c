/* The table of views. */

#include "base/list.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/row_kind.h"
#include "view/table.h"

#include "lists.h"
#include "unit.h"

UNIT_TEST(view_find_finds_in_any_case)
{
	assert_string_equal(find_list("CPUs")->name, "cpus");
	assert_null(find_list("task"));
}

UNIT_TEST(view_names_are_cut_where_there_is_no_room)
{
	char text[16] = "xxx";

	view_names(&view_lists, text, sizeof(text));
	assert_string_equal(text, "tasks, cpus, sw");
	view_names(&view_lists, text, 4);
	assert_string_equal(text, "tas");
}

UNIT_TEST(view_default_columns_are_all_there_in_order)
{
	size_t count = view_lists.count;
	const struct view_info *const *views = view_lists.views;
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);

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
	struct columns *columns = columns_create(set, row_kinds);
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
	view_default_columns(find_list("tasks"), true, metrics, columns, &list);
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

/* What a kind of rows brings is asked of no others. */
UNIT_TEST(columns_of_a_kind_are_of_its_rows_alone)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);

	for (enum row_kind kind = 0; kind < ROW_KINDS; kind++) {
		assert_non_null(row_kinds[kind]);
		for (size_t i = 0; i < row_kinds[kind]->column_count; i++) {
			const char *name = row_kinds[kind]->columns[i].name;
			const struct column *column = columns_find(columns, name);

			begin_case(name);
			assert_true(columns_is_built_in(columns, name));
			for (enum row_kind other = 0; other < ROW_KINDS; other++)
				assert_int_equal(column_is_of(column, other),
						 other == kind || row_kinds[kind]->columns[i].rows &
									  1u << other);
		}
	}
	columns_destroy(columns);
	metric_set_destroy(set);
}

int main(void)
{
	return unit_run(NULL, NULL);
}

/* How many columns of the set there are in the view; with the others and 12 for the command, and
 * without the last, which may give way, they have room at 80 columns. */
static size_t count_of_set(struct columns *columns, const struct view_info *view,
			   const struct column_set *set)
{
	struct column_list list = {0};
	size_t count = 0;
	int width = 0, last = 0;

	view_set_columns(view, set, true, columns, &list);
	for (size_t i = 0; i < list.count; i++) {
		const char *name = list.columns[i]->name;

		assert_true(column_is_of(list.columns[i], view->kind));
		width += 1 + (strcmp(name, "command") == 0 ? 12 : list.columns[i]->width);
		if (word_list_has(set->columns, name)) {
			last = 1 + list.columns[i]->width;
			count++;
		}
		for (size_t j = 0; j < i; j++)
			assert_ptr_not_equal(list.columns[i], list.columns[j]);
	}
	/* those of the states are 100 % in all, and the last ones mostly 0 */
	if (strcmp(set->name, "states") != 0)
		assert_true(width - last <= 80);
	column_list_fini(&list);
	return count;
}

UNIT_TEST(view_set_columns_are_there_and_have_room)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);
	size_t view_count = view_lists.count, set_count;
	const struct view_info *const *views = view_lists.views;
	const struct column_set *sets = column_sets(&set_count);

	for (size_t i = 0; i < set_count; i++) {
		const struct column *column = columns_find(columns, sets[i].name);

		begin_case(sets[i].name);
		/* a title may be the same: sets are looked for first */
		assert_true(!column || strcasecmp(column->name, sets[i].name) != 0);
		for (size_t j = 0; j < view_count; j++)
			if (views[j]->around)
				assert_true(count_of_set(columns, views[j], &sets[i]) >= 3);
	}
	columns_destroy(columns);
	metric_set_destroy(set);
}

/* As the view's own: without a PMU there is no IPC, and threads have numbers of their own. */
UNIT_TEST(view_set_columns_are_between_those_of_the_view)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);
	struct column_list list = {0};

	view_set_columns(find_list("tasks"), column_set_find("branches"), false, columns, &list);
	assert_string_equal(list.columns[0]->name, "pid");
	assert_string_equal(list.columns[1]->name, "cpu%");
	assert_string_equal(list.columns[2]->name, "branch_miss_pct");
	assert_string_equal(list.columns[list.count - 1]->name, "command");
	column_list_fini(&list);
	columns_destroy(columns);
	metric_set_destroy(set);
}

UNIT_TEST(column_set_find_takes_one_word)
{
	assert_string_equal(column_set_find("Memory")->name, "memory");
	assert_string_equal(column_set_find(" topdown ")->name, "topdown");
	assert_null(column_set_find("memory,pid"));
	assert_null(column_set_find("default"));
	assert_null(column_set_find(""));
}
