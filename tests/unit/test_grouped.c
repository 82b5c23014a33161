/* The view of groups on the screen: by what, into a group and back. */

#include "view/groups.h"

#include "fake_app.h"
#include "mode/command.h"
#include "mode/grouped.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "term/key.h"
#include "unit.h"

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

UNIT_TEST(group_by_takes_names_and_goes_round)
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

UNIT_TEST(by_is_of_what_is_shown)
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

UNIT_TEST(enter_shows_the_members_and_escape_goes_back)
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

UNIT_TEST(escape_does_what_the_message_about_it_says)
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

UNIT_TEST(enter_narrows_a_filter_and_escape_gives_it_back)
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

UNIT_TEST(another_filter_leaves_the_group)
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

UNIT_TEST(enter_on_no_group_is_refused)
{
	struct error error = {0};

	run("view groups");
	run("filter nobody");
	assert_false(command_run(&kit.app, "task", &error));
	assert_int_equal(error.code, ERROR_GROUP_NONE);
	run("task 7"); /* a page all the same */
	assert_int_equal(kit.pages, 1);
}

UNIT_TEST(group_by_shows_the_groups)
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

UNIT_TEST(group_by_is_a_setting)
{
	struct error error = {0};

	assert_true(command_configure(&kit.app, "group-by container", &error));
	assert_string_equal(kit.app.grouped->grouping->name, "container");
}

UNIT_TEST(rows_need_cgroups_while_they_are_shown)
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

UNIT_TEST(options_need_what_they_name)
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

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
