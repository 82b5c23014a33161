/* Columns that come and go while the screen runs. */

#include "view/column.h"

#include "fake_app.h"
#include "mode/app_view.h"
#include "mode/find.h"
#include "unit.h"

static struct app *app(void)
{
	return &kit.app;
}

/* Names of what the current view shows. */
static const char *shown(void)
{
	static char text[1024];

	kit_build();
	text[0] = '\0';
	for (size_t i = 0; i < view_table_column_count(kit.app.table); i++) {
		strcat(text, view_table_column(kit.app.table, i)->name);
		strcat(text, " ");
	}
	return text;
}

static void assert_shows(const char *names)
{
	if (strstr(shown(), names) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", names, shown());
}

static void assert_hides(const char *name)
{
	if (strstr(shown(), name) != NULL)
		fail_msg("%s is shown", name);
}

UNIT_TEST(shown_add_events_stand_before_the_command)
{
	assert_true(view_columns_add_events(app(), "r1,r2", NULL));
	assert_shows("time r1 r2 command ");
	assert_string_equal(app()->message, "2 columns added to the view tasks");
	assert_false(app()->message_is_error);
}

UNIT_TEST(shown_add_events_go_to_the_view_that_is_shown)
{
	app()->view = 1;
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_shows(" r1 ");
	app()->view = 0;
	assert_hides("r1");
}

UNIT_TEST(shown_add_events_of_the_configuration_go_to_all_views)
{
	app()->is_starting = true;
	assert_true(view_columns_add_events(app(), "r1", NULL));
	app()->is_starting = false;
	assert_shows("r1 command ");
	app()->view = 1;
	assert_shows(" r1 ");
}

UNIT_TEST(shown_add_events_refused_by_the_machine_says_why)
{
	assert_true(view_columns_add_events(app(), "refused-x", NULL));
	assert_true(app()->message_is_error);
	assert_string_equal(app()->message, "refused-x: not counted: the test says so");
	assert_shows("refused-x command ");
}

UNIT_TEST(shown_add_events_wrong_changes_nothing_but_the_table_is_built)
{
	struct error error = {0};

	assert_false(view_columns_add_events(app(), "r1,bad", &error));
	assert_int_equal(app()->fault, 3);
	/* the interval may have ended: rows of before are gone */
	assert_true(app()->needs_build);
	assert_hides("r1");
}

UNIT_TEST(shown_add_events_to_a_list_of_ones_own)
{
	assert_true(view_columns_set(app(), "pid,command", NULL));
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_string_equal(shown(), "pid r1 command ");
}

UNIT_TEST(shown_remove_event_takes_its_columns)
{
	assert_true(view_columns_add_events(app(), "r1,r2", NULL));
	assert_true(view_order_sort(app(), "-r1", NULL));
	assert_true(view_columns_remove_event(app(), "r1", NULL));
	assert_hides("r1");
	assert_shows("r2 command ");
	assert_null(app_current(app())->sort);
	assert_string_equal(app()->message, "r1 is no longer counted");
}

UNIT_TEST(shown_remove_event_unknown_is_refused)
{
	struct error error = {0};

	assert_false(view_columns_remove_event(app(), "r9", &error));
	assert_int_equal(error.code, ERROR_PERF_UNKNOWN);
}

UNIT_TEST(shown_removed_event_comes_again)
{
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_true(view_columns_remove_event(app(), "r1", NULL));
	assert_true(view_columns_add(app(), "r1", NULL));
	assert_shows("r1 command ");
}

UNIT_TEST(shown_add_metric_appears_at_once)
{
	assert_true(view_columns_add_metric(app(), "double = 2 * cycles", NULL));
	assert_shows("double command ");
	assert_non_null(strstr(app()->message, "double"));
}

UNIT_TEST(shown_add_metric_wrong_has_its_place)
{
	struct error error = {0};

	assert_false(view_columns_add_metric(app(), "double = 2 * (cycles", &error));
	assert_true(app()->fault <= strlen("double = 2 * (cycles"));
	assert_hides("double");
}

/* A frozen screen has its own layout and its own metrics, new ones too. */
UNIT_TEST(shown_add_metric_while_frozen_has_its_value)
{
	struct cell cell;

	kit.world.tasks[0].interval =
		world_vector(&kit.world, (struct counts_spec){.run_ms = 300, .cycles = 21});
	playback_freeze(app()->playback, true);
	kit_build();
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_true(view_columns_add_metric(app(), "double = 2 * cycles", NULL));
	assert_true(view_columns_set(app(), "double,r1", NULL));
	kit_build();
	view_table_cell(app()->table, 0, 0, &cell);
	assert_string_equal(cell.text, "42.0");
	view_table_cell(app()->table, 0, 1, &cell);
	assert_true(cell.is_unknown);
}

UNIT_TEST(shown_remove_column_keeps_the_others)
{
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_true(view_columns_remove(app(), "ghz", NULL));
	assert_hides("ghz");
	assert_shows("pid user cpu% ipc ");
	assert_shows("r1 command ");
	assert_true(view_columns_remove(app(), "r1", NULL));
	assert_hides("r1");
	assert_true(layout_find_event(&kit.source.layout, "r1") >= 0);
}

UNIT_TEST(shown_remove_column_hidden_or_last_is_refused)
{
	struct error error = {0};

	assert_false(view_columns_remove(app(), "ppid", &error));
	assert_int_equal(error.code, ERROR_COLUMN_HIDDEN);
	assert_false(view_columns_remove(app(), "moon", &error));
	assert_int_equal(error.code, ERROR_COLUMN_HIDDEN);
	assert_true(view_columns_set(app(), "pid", NULL));
	assert_false(view_columns_remove(app(), "pid", &error));
	assert_int_equal(error.code, ERROR_COLUMN_LAST);
	assert_string_equal(shown(), "pid ");
}

UNIT_TEST(shown_set_columns_nothing_gives_those_of_the_view)
{
	char before[1024];

	strcpy(before, shown());
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_true(view_columns_set(app(), "", NULL));
	assert_string_equal(shown(), before);
}

UNIT_TEST(shown_sort_by_what_is_hidden_says_so)
{
	assert_true(view_order_sort(app(), "ppid", NULL));
	assert_non_null(strstr(app()->message, "(column not shown)"));
}

/* What the rows were ordered by cannot be seen any more. */
UNIT_TEST(shown_remove_column_that_orders_gives_the_order_back)
{
	assert_true(view_columns_add_events(app(), "r1", NULL));
	assert_true(view_order_sort(app(), "+r1", NULL));
	assert_true(view_columns_remove(app(), "user", NULL));
	assert_non_null(app_current(app())->sort);
	assert_true(view_columns_remove(app(), "r1", NULL));
	assert_null(app_current(app())->sort);
	assert_false(app_current(app())->sort_reversed);
}

UNIT_TEST(shown_sort_of_pairs_is_by_what_they_have)
{
	struct app_view *pairs = &kit.app.views[4];

	kit.app.view = 4;
	kit_build();
	assert_true(view_order_sort(app(), "times", NULL));
	assert_string_equal(pairs->sort->name, "times");
	assert_true(view_order_sort(app(), "cpu%", NULL));
	assert_string_equal(pairs->sort->name, "times");
	assert_string_equal(app()->message,
			    "this view has no CPU % column; > sorts by the next one");
}

/* Typed where it cannot hold, and carried to where it can and where it cannot. */
UNIT_TEST(shown_filter_that_does_not_fit_the_view_says_so)
{
	static const char said[] =
		"kind: a filter of the view tasks cannot compare it; showing all rows";

	assert_true(filters_set(app(), "kind = preempted", NULL));
	assert_string_equal(app()->message, said);
	app()->message[0] = '\0';
	view_order_show_view(app(), 2);
	assert_string_equal(app()->message, "");
	view_order_show_view(app(), 5);
	assert_string_equal(app()->message, "");
	view_order_show_view(app(), 0);
	assert_string_equal(app()->message, said);
	kit_build();
	assert_int_equal(view_table_row_count(app()->table), 3);
	app()->message[0] = '\0';
	assert_true(filters_set(app(), "", NULL));
	view_order_show_view(app(), 1);
	assert_string_equal(app()->message, "");
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
