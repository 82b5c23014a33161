/* The view of groups on the screen: by what, into a group and back. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/key.h"
#include "view/groups.h"

#include "fake_app.h"
#include "screen/command.h"
#include "screen/grouped.h"
#include "screen/history_view.h"
#include "screen/keys.h"

static void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
	if (kit.app.needs_build)
		kit_build();
}

/* As if the message had been read. */
static void escape(void)
{
	kit.app.message[0] = '\0';
	run("escape");
}

static void assert_filter(const char *text)
{
	assert_string_equal(strbuf_text(&kit.app.filter), text);
}

static void assert_view(const char *name)
{
	assert_string_equal(app_current(&kit.app)->info->name, name);
}

static void assert_tabs_say(const char *text)
{
	struct strbuf out = {0};

	grouped_write(&kit.app, &out);
	assert_string_equal(strbuf_text(&out), text);
	strbuf_fini(&out);
}

static void group_by_takes_names_and_goes_round(void **state)
{
	struct error error = {0};
	size_t count;
	const struct grouping *table = grouping_table(&count);

	run("view groups");
	assert_tabs_say("by command  ");
	run("group-by cgroup");
	assert_tabs_say("by cgroup  ");
	assert_string_equal(kit.app.message, "a row for each cgroup");
	run("group-by command");
	for (size_t i = 1; i <= count; i++) {
		run("group-by");
		assert_ptr_equal(kit.app.grouped->grouping, &table[i % count]);
	}
	assert_false(command_run(&kit.app, "group-by colour", &error));
	assert_int_equal(error.code, ERROR_GROUPING_UNKNOWN);
	assert_non_null(strstr(error.remedy, "command, user, cgroup"));
}

static void by_is_of_what_is_shown(void **state)
{
	assert_string_equal(keys_command('b'), "by");
	run("view groups");
	run("by");
	assert_string_equal(kit.app.grouped->grouping->name, "user");
	assert_int_equal(kit.app.history_view->by, BY_TASK);
	run("view pairs");
	run("by");
	assert_string_equal(kit.app.grouped->grouping->name, "user");
	assert_int_equal(kit.app.history_view->by, BY_NAME);
	assert_tabs_say("");
}

static void enter_shows_the_members_and_escape_goes_back(void **state)
{
	run("view groups");
	assert_int_equal(view_table_row_count(kit.app.table), 3);
	assert_string_equal(keys_command(key_parse("Enter")), "task");
	run("task");

	assert_view("tasks");
	assert_filter("command = \"nginx\"");
	assert_int_equal(view_table_row_count(kit.app.table), 1);
	assert_int_equal(app_row(&kit.app)->pid, 7);
	assert_int_equal(kit.pages, 0);

	escape();
	assert_view("groups");
	assert_filter("");
	assert_string_equal(app_row(&kit.app)->group->words, "nginx");
	escape();
	assert_view("groups");
}

static void escape_does_what_the_message_about_it_says(void **state)
{
	run("view groups");
	run("task");
	assert_string_equal(kit.app.message, "tasks of the group; Esc: back");
	run("escape");
	assert_view("groups");
	assert_string_equal(kit.app.message, "");

	run("task");
	app_say(&kit.app, true, "something went wrong");
	run("escape");
	assert_view("tasks");
}

static void enter_narrows_a_filter_and_escape_gives_it_back(void **state)
{
	run("view groups");
	run("filter cpu% > 15");
	run("task");
	assert_filter("cpu% > 15\ncommand = \"nginx\"");
	assert_int_equal(view_table_row_count(kit.app.table), 1);
	escape();
	assert_filter("cpu% > 15");

	run("filter nginx");
	run("task");
	assert_filter("nginx\ncommand = \"nginx\"");
	assert_int_equal(view_table_row_count(kit.app.table), 1);
	escape();
	assert_filter("nginx");
	assert_view("groups");
}

static void another_filter_leaves_the_group(void **state)
{
	run("view groups");
	run("task");
	run("filter redis");
	escape();
	assert_view("tasks");
	assert_filter("");
	escape();
	assert_view("tasks");
}

static void enter_on_no_group_is_refused(void **state)
{
	struct error error = {0};

	run("view groups");
	run("filter nobody");
	assert_false(command_run(&kit.app, "task", &error));
	assert_int_equal(error.code, ERROR_GROUP_NONE);
	run("task 7"); /* a page all the same */
	assert_int_equal(kit.pages, 1);
}

static void group_by_shows_the_groups(void **state)
{
	run("view tasks");
	run("group-by container");
	assert_string_equal(app_current(&kit.app)->info->name, "groups");
	run("view tasks");
	run("in cpus group-by user");
	assert_string_equal(app_current(&kit.app)->info->name, "tasks");
	kit.app.is_starting = true;
	run("group-by command");
	kit.app.is_starting = false;
	assert_string_equal(app_current(&kit.app)->info->name, "tasks");
}

static void group_by_is_a_setting(void **state)
{
	struct error error = {0};

	assert_true(command_configure(&kit.app, "group-by container", &error));
	assert_string_equal(kit.app.grouped->grouping->name, "container");
}

static void rows_need_cgroups_while_they_are_shown(void **state)
{
	run("view groups");
	run("group-by container");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_CGROUPS);
	run("view tasks");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), 0);
	run("column cgroup");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_CGROUPS);
}

static void options_need_what_they_name(void **state)
{
	struct column_list list = {0};
	struct startup_selection selection = {0};
	struct options options = {0};
	struct columns *columns = kit.engine.resolver.columns;

	assert_int_equal(startup_selection_needs(&selection, columns, &options), 0);
	options.filter = "container = x || ipc < 1";
	assert_int_equal(startup_selection_needs(&selection, columns, &options),
			 COLUMN_NEEDS_CGROUPS);
	options.filter = "container";
	assert_int_equal(startup_selection_needs(&selection, columns, &options), 0);
	options.grouping = grouping_find("user");
	assert_int_equal(startup_selection_needs(&selection, columns, &options), 0);
	options.grouping = grouping_find("cgroup");
	assert_int_equal(startup_selection_needs(&selection, columns, &options),
			 COLUMN_NEEDS_CGROUPS);
	options.grouping = NULL;
	column_list_add(&list, columns_find(columns, "cgroup"));
	selection.columns = list;
	assert_int_equal(startup_selection_needs(&selection, columns, &options),
			 COLUMN_NEEDS_CGROUPS);
	column_list_add(&list, columns_find(columns, "wakeups/s"));
	selection.columns = list;
	assert_int_equal(startup_selection_needs(&selection, columns, &options),
			 COLUMN_NEEDS_CGROUPS | COLUMN_NEEDS_WAKEUPS);
	column_list_fini(&list);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(group_by_takes_names_and_goes_round),
		TEST(by_is_of_what_is_shown),
		TEST(enter_shows_the_members_and_escape_goes_back),
		TEST(escape_does_what_the_message_about_it_says),
		TEST(enter_narrows_a_filter_and_escape_gives_it_back),
		TEST(another_filter_leaves_the_group),
		TEST(enter_on_no_group_is_refused),
		TEST(group_by_shows_the_groups),
		TEST(group_by_is_a_setting),
		TEST(rows_need_cgroups_while_they_are_shown),
		TEST(options_need_what_they_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
