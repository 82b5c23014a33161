/* Cross references between the tables of keys, commands, columns and views, and the help made of
 * them. */

#include "base/list.h"
#include "base/strbuf.h"
#include "model/formula.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/row_kind.h"
#include "view/table.h"

#include "mode/command.h"
#include "mode/help.h"
#include "mode/keys.h"
#include "mode/prompts.h"
#include "mode/views.h"
#include "session/options.h"
#include "term/key.h"
#include "term/theme.h"
#include "unit.h"

static struct strbuf help;
static struct metric_set *set;
static struct columns *columns;

static int write_help(void **state)
{
	set = metric_set_create();
	columns = columns_create(set, row_kinds);
	help_write(&help, columns, set, NULL);
	return 0;
}

static int free_help(void **state)
{
	strbuf_fini(&help);
	columns_destroy(columns);
	metric_set_destroy(set);
	return 0;
}

static void assert_in_help(const char *text)
{
	if (strstr(strbuf_text(&help), text) == NULL)
		fail_msg("the help does not know \"%s\"", text);
}

static bool is_command(const char *text)
{
	const struct command_info *const table = command_table.rows;
	const size_t length = strcspn(text, " ");

	for (size_t i = 0; i < command_table.count; i++)
		if (strlen(table[i].name) == length && strncmp(table[i].name, text, length) == 0)
			return true;
	return false;
}

/* It is read in the set-up, with `?` and after a search, too, without the one before it. */
UNIT_TEST(columns_help_needs_no_other_column)
{
	for (size_t i = 0; i < columns_count(columns); i++) {
		const char *text = column_help(columns_get(columns, i));

		if (strncmp(text, "The same", strlen("The same")) == 0 || strstr(text, ". As "))
			fail_msg("%s: %s", columns_get(columns, i)->name, text);
	}
}

UNIT_TEST(keys_all_have_a_name_that_parses)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		if (key_parse(table[i].key) == KEY_CODE_NONE)
			fail_msg("%s is no key", table[i].key);
}

UNIT_TEST(keys_are_bound_once)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++)
			if (key_parse(table[i].key) == key_parse(table[j].key))
				fail_msg("%s is bound twice", table[i].key);
	}
}

UNIT_TEST(keys_of_views_are_the_numbers_of_their_tabs)
{
	struct keys keys;

	keys_init(&keys);
	for (size_t i = 0; i < all_views.count; i++) {
		char command[64];
		char key[] = {(char)('0' + (i + 1) % 10), '\0'};

		snprintf(command, sizeof(command), "view %s", all_views.views[i]->name);
		assert_string_equal(keys_find(&keys, command), key);
	}
	keys_fini(&keys);
}

UNIT_TEST(keys_ask_for_commands_that_have_a_prompt)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count; i++) {
		const struct command_info *asked = NULL;

		if (strncmp(table[i].command, "ask ", 4) != 0)
			continue;
		while ((asked = prompts_next(&command_table, asked)) &&
		       strcmp(asked->name, table[i].command + 4) != 0)
			;
		if (!asked)
			fail_msg("%s asks for \"%s\"", table[i].key, table[i].command + 4);
	}
}

UNIT_TEST(prompts_are_the_commands_that_have_a_label_and_one_for_any)
{
	const struct command_info *asked = NULL;
	const char *before = "";
	size_t prompts = 0, labels = 1;

	for (size_t i = 0; i < command_table.count; i++)
		labels += command_table.rows[i].prompt != NULL;
	for (; (asked = prompts_next(&command_table, asked)); prompts++) {
		assert_true(strcmp(before, asked->name) < 0);
		before = asked->name;
	}

	assert_int_equal(labels, prompts);
}

UNIT_TEST(keys_run_commands_that_exist)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count; i++)
		if (!is_command(table[i].command))
			fail_msg("%s runs %s", table[i].key, table[i].command);
}

/* The key line names the first key of a command. */
UNIT_TEST(keys_with_a_label_are_the_first_of_their_command)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; table[i].label && j < i; j++)
			if (strcmp(table[i].command, table[j].command) == 0)
				fail_msg("%s comes before %s", table[j].key, table[i].key);
}

UNIT_TEST(help_has_every_key)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);
	const char *begin = strstr(strbuf_text(&help), "# Keys\n");
	const char *end = strstr(strbuf_text(&help), "\n# Columns");

	assert_non_null(begin);
	assert_non_null(end);
	for (size_t i = 0; i < count; i++) {
		char key[40];
		const char *place;

		snprintf(key, sizeof(key), " %s ", table[i].key);
		place = strstr(begin, key);
		if (place == NULL || place > end)
			fail_msg("the help does not know %s", table[i].key);
	}
}

/* Keys that do the same stand in one line. */
UNIT_TEST(help_has_one_line_for_each_thing_a_key_does)
{
	size_t count, lines = 0, different = 0;
	const struct key_binding *table = keys_now(NULL, &count);
	const char *text = strstr(strbuf_text(&help), "# Keys\n");
	const char *end = strstr(strbuf_text(&help), "\n# Columns");

	for (; text < end; text++)
		lines += strncmp(text, "\n  ", 3) == 0;
	for (size_t i = 0; i < count; i++) {
		bool is_first = true;

		for (size_t j = 0; j < i; j++)
			is_first = is_first && strcmp(table[j].command, table[i].command) != 0;
		different += is_first;
	}
	assert_int_equal(lines, different);
}

UNIT_TEST(help_tells_of_every_command_what_it_does)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++)
		assert_in_help(table[i].help);
}

UNIT_TEST(help_has_every_command_with_its_argument)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		char usage[64];

		snprintf(usage, sizeof(usage), "\n  %s %s", table[i].name, table[i].argument);
		assert_in_help(usage);
	}
}

UNIT_TEST(help_has_every_column_with_what_it_means)
{
	for (size_t i = 0; i < columns_count(columns); i++) {
		const struct column *column = columns_get(columns, i);

		assert_in_help(column->name);
		assert_in_help(column_help(column));
	}
}

UNIT_TEST(help_has_every_metric_with_its_formula)
{
	assert_true(metric_set_count(set) > 0);
	for (size_t i = 0; i < metric_set_count(set); i++) {
		const struct metric_info *info = metric_set_info(set, i);

		assert_in_help(info->name);
		assert_in_help(info->formula);
		assert_in_help(info->help);
	}
}

UNIT_TEST(help_states_the_scale_of_each_metric_that_has_one)
{
	assert_in_help("best > 2.5 > 1.5 > 1 > 0.5 worst"); /* IPC */
	assert_in_help("best < 5 < 10 < 25 < 50 worst");    /* misses */
}

/* Where they are listed by hand, all of them are. */
UNIT_TEST(help_names_every_theme)
{
	struct strbuf options = {0};
	const char *names = "default, dark, light, mono, high-contrast";

	assert_in_help(names);
	options_help(&options);
	assert_non_null(strstr(strbuf_text(&options), names));
	strbuf_fini(&options);
}

UNIT_TEST(help_tells_how_events_are_written)
{
	assert_in_help("sched:sched_switch");
	assert_in_help("uprobe:FILE:SYMBOL");
	assert_in_help("NAME = FORMULA");
}

UNIT_TEST(help_has_every_view)
{
	size_t count = all_views.count;
	const struct view_info *const *table = all_views.views;

	for (size_t i = 0; i < count; i++) {
		assert_in_help(table[i]->name);
		assert_in_help(table[i]->help);
	}
}

UNIT_TEST(help_written_again_replaces_itself)
{
	size_t length = help.length;

	help_write(&help, columns, set, NULL);

	assert_int_equal(help.length, length);
}

UNIT_TEST(columns_of_views_are_those_of_their_rows)
{
	size_t count = all_views.count;
	const struct view_info *const *views = all_views.views;

	for (size_t i = 0; i < count; i++) {
		const char *lists[] = {views[i]->columns, views[i]->columns_bare};
		char name[64];

		for (size_t j = 0; j < 2; j++) {
			while (lists[j] && word_list_next(&lists[j], name, sizeof(name)))
				if (!column_is_of(columns_find(columns, name), views[i]->kind))
					fail_msg("%s: no rows with %s", views[i]->name, name);
		}
	}
}

/* Columns that keys and views name. */
UNIT_TEST(columns_of_views_and_keys_exist)
{
	size_t view_count = all_views.count, key_count;
	const struct view_info *const *views = all_views.views;
	const struct key_binding *keys = keys_now(NULL, &key_count);

	for (size_t i = 0; i < view_count; i++)
		assert_non_null(columns_find(columns, views[i]->sort));
	for (size_t i = 0; i < key_count; i++) {
		if (strncmp(keys[i].command, "sort ", 5) == 0)
			assert_non_null(columns_find(columns, keys[i].command + 5));
		if (strncmp(keys[i].command, "view ", 5) == 0)
			assert_non_null(view_find(&all_views, keys[i].command + 5));
	}
}

/* Not views, but what goes for all of them for a while. */
static bool is_state(const char *name)
{
	static const char *const states[] = {"frozen",      "frozen-line", "replay",
					     "replay-line", "replay-more", "help"};

	for (size_t i = 0; i < COUNT_OF(states); i++)
		if (strcmp(states[i], name) == 0)
			return true;
	return false;
}

UNIT_TEST(keys_are_in_the_lines_of_views_and_times_that_exist)
{
	size_t count, view_count = all_views.count;
	const struct key_binding *table = keys_now(NULL, &count);
	const struct view_info *const *views = all_views.views;
	char name[32];

	for (size_t i = 0; i < count; i++) {
		const char *cursor = table[i].when;

		while (cursor != NULL && word_list_next(&cursor, name, sizeof(name)))
			if (strcmp(name, "view") != 0 && !is_state(name))
				fail_msg("%s is shown when %s", table[i].key, name);
	}
	for (size_t i = 0; i < view_count; i++) {
		const char *cursor = views[i]->keys;

		while (word_list_next(&cursor, name, sizeof(name))) {
			bool is_labelled = false;

			for (size_t j = 0; j < count; j++)
				is_labelled = is_labelled ||
					      (strcmp(table[j].command, name) == 0 &&
					       keys_is_labelled(&table[j], NULL, views[i]->keys));
			if (!is_labelled)
				fail_msg("%s: no key for %s", views[i]->name, name);
		}
	}
}

UNIT_TEST(keys_without_label_or_of_other_views_are_in_no_line)
{
	const struct key_binding silent = {.key = "x", .command = "help"};
	const struct key_binding one = {.command = "by", .label = "x", .when = "frozen,view"};
	const struct key_binding all = {.label = "x"};

	assert_false(keys_is_labelled(&silent, NULL, "help"));
	assert_false(keys_is_labelled(&one, NULL, "sort ipc,help"));
	assert_true(keys_is_labelled(&one, NULL, "help,by"));
	assert_true(keys_is_labelled(&one, "frozen", ""));
	assert_false(keys_is_labelled(&one, "replay", "by"));
	assert_true(keys_is_labelled(&all, NULL, ""));
	assert_false(keys_is_labelled(&all, "frozen", ""));
}

UNIT_TEST(help_has_a_users_metric_too)
{
	char message[FORMULA_ERROR_MAX];
	const struct metric_info *info;
	struct strbuf text = {0};
	size_t position;

	assert_true(metric_set_add(set, "mine = 3 * cycles", &info, &position, message));
	help_write(&text, columns, set, NULL);
	assert_non_null(strstr(strbuf_text(&text), "3 * cycles"));
	strbuf_fini(&text);
}

int main(void)
{
	return unit_run_group(NULL, NULL, write_help, free_help);
}
