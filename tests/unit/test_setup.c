/* The keys of the set-up page, and what it shows. */

#include <locale.h>
#include <unistd.h>

#include "view/column.h"
#include "view/groups.h"

#include "fake_app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/grouped.h"
#include "mode/setup.h"
#include "term/key.h"
#include "unit.h"
#include "widget/setup.h"

static void press(uint32_t key)
{
	setup_mode.key(&kit.app, key);
}

static void press_times(uint32_t key, int times)
{
	for (int i = 0; i < times; i++)
		press(key);
}

static const char *picture(void)
{
	static struct strbuf text;
	struct frame frame = {.ascii = kit.app.ascii};

	screen_clear(&kit.app.screen);
	setup_mode.draw(&kit.app, &frame);
	strbuf_clear(&text);
	screen_dump(&kit.app.screen, &text);
	return strbuf_text(&text);
}

static void assert_sees(const char *words)
{
	if (strstr(picture(), words) == NULL)
		fail_msg("\"%s\" is not in\n%s", words, picture());
}

static void assert_sees_not(const char *words)
{
	if (strstr(picture(), words) != NULL)
		fail_msg("\"%s\" is in\n%s", words, picture());
}

/* Names of what the view shows, with commas. */
static const char *shown(size_t view)
{
	static char text[512];
	struct column_list list = {0};

	text[0] = '\0';
	view_columns_list(&kit.app, &kit.app.views[view], &list);
	for (size_t i = 0; i < list.count; i++) {
		strcat(text, i > 0 ? "," : "");
		strcat(text, list.columns[i]->name);
	}
	column_list_fini(&list);
	return text;
}

static int set_up(void **state)
{
	kit_set_up(state);
	run("columns pid,user,ipc,command");
	run("setup");
	return 0;
}

UNIT_TEST(setup_opens_at_the_view_that_is_shown)
{
	assert_true(mode_is_open(&kit.app, &setup_mode));
	assert_sees("[tasks]");
	assert_sees("shown: 4 columns");
	assert_sees("pid: Process id.");
	press(KEY_CODE_ESCAPE);
	assert_false(mode_is_open(&kit.app, &setup_mode));
	run("view pairs");
	run("setup");
	assert_sees("[pairs]");
	assert_sees("victim");
	press('q');
	run("view timeline");
	run("setup");
	assert_sees("[tasks]"); /* strips have no columns */
}

UNIT_TEST(setup_adds_behind_the_cursor)
{
	press(KEY_CODE_DOWN);
	press(KEY_CODE_ENTER); /* to the other list */
	assert_int_equal(kit.app.setup->side, SETUP_AVAILABLE);
	assert_sees("tid: Thread id.");
	press(KEY_CODE_ENTER);
	assert_string_equal(shown(0), "pid,user,tid,ipc,command");
	press(KEY_CODE_ENTER);
	assert_string_equal(shown(0), "pid,user,tid,ppid,ipc,command");
	assert_sees("not saved");
	assert_true(kit.app.needs_build);
}

UNIT_TEST(setup_removes_but_not_the_last)
{
	press(KEY_CODE_DELETE);
	assert_string_equal(shown(0), "user,ipc,command");
	press_times(KEY_CODE_DELETE, 5);
	assert_string_equal(shown(0), "command");
	assert_sees("the last column of a view cannot be removed");
	press(KEY_CODE_TAB);
	press(KEY_CODE_DELETE); /* there is nothing to remove here */
	assert_string_equal(shown(0), "command");
}

UNIT_TEST(setup_moves_with_the_cursor)
{
	press(KEY_CODE_F7);
	assert_string_equal(shown(0), "pid,user,ipc,command");
	assert_false(kit.app.setup->is_changed);
	press(KEY_CODE_F8);
	press(']');
	assert_string_equal(shown(0), "user,ipc,pid,command");
	press(KEY_CODE_F7);
	assert_string_equal(shown(0), "user,pid,ipc,command");
	press_times(']', 9);
	assert_string_equal(shown(0), "user,ipc,command,pid");
	assert_true(kit.app.setup->is_changed);
}

UNIT_TEST(setup_resizes)
{
	const struct column *column = columns_find(kit.engine.resolver.columns, "pid");
	const int own = column->width;

	press_times('+', 3);
	assert_int_equal(column->width, own + 3);
	press_times('-', 100);
	assert_int_equal(column->width, 1);
	press_times('+', 100);
	assert_int_equal(column->width, 80);
	press('=');
	assert_int_equal(column->width, own);
}

UNIT_TEST(setup_takes_the_first_columns_back)
{
	press('r');
	assert_int_equal(kit.app.views[0].columns.count, 0);
	assert_non_null(strstr(shown(0), "pid,user,cpu%,"));
}

UNIT_TEST(setup_changes_the_view_of_its_tab_only)
{
	char before[512];

	press(KEY_CODE_RIGHT);
	assert_sees("[cpus]");
	snprintf(before, sizeof(before), "%s", shown(1));
	press(KEY_CODE_DELETE);
	assert_string_equal(shown(1), before + strlen("cpu,"));
	assert_string_equal(shown(0), "pid,user,ipc,command");
	assert_int_equal(kit.app.view, 0);
	press(KEY_CODE_LEFT);
	press(KEY_CODE_LEFT);
	assert_sees("[settings]");
	press(KEY_CODE_RIGHT);
	assert_sees("[tasks]");
}

/* What is available is what rows of the view can have, and nothing twice. */
UNIT_TEST(setup_offers_what_the_view_can_show)
{
	for (size_t tab = 0; tab + 1 < setup_tabs(&kit.app); tab++) {
		const struct app_view *view = &kit.app.views[setup_view(&kit.app, tab)];
		const struct column_list *list = &kit.app.setup->columns[SETUP_AVAILABLE];

		setup_refresh(&kit.app);
		for (size_t i = 0; i < list->count; i++) {
			assert_true(column_is_of(list->columns[i], view->info->kind));
			assert_false(column_list_has(&kit.app.setup->columns[SETUP_SHOWN],
						     list->columns[i]));
		}
		press(KEY_CODE_RIGHT);
	}
}

/* Every column of every view explains itself here. */
UNIT_TEST(setup_explains_every_column)
{
	press(KEY_CODE_TAB);
	for (size_t i = 0; i < kit.app.setup->columns[SETUP_AVAILABLE].count; i++) {
		const struct column *column = kit.app.setup->columns[SETUP_AVAILABLE].columns[i];
		char words[COLUMN_NAME_MAX + 16];

		snprintf(words, sizeof(words), "%s: %.8s", column->name, column_help(column));
		assert_sees(words);
		press(KEY_CODE_DOWN);
	}
}

UNIT_TEST(setup_chooses_settings)
{
	press(KEY_CODE_LEFT);
	assert_sees("key-profile");
	while (strcmp(setup_choice(&kit.app, kit.app.setup->cursors[SETUP_SHOWN].at),
		      "key-profile") != 0)
		press(KEY_CODE_DOWN);
	assert_sees("vim");
	press(KEY_CODE_ENTER);
	press_times(KEY_CODE_DOWN, 2);
	press(KEY_CODE_ENTER);
	assert_string_equal(keys_profile(kit.app.keys.profile), "vim");
	assert_sees("key-profile  vim");
	assert_sees("vim          current");
	press(KEY_CODE_UP);
	press(KEY_CODE_ENTER);
	assert_string_equal(keys_profile(kit.app.keys.profile), "top");
}

/* What is set here is for later: the view does not change under the page. */
UNIT_TEST(setup_chooses_groups_without_showing_them)
{
	const size_t view = kit.app.view;

	press(KEY_CODE_LEFT);
	while (strcmp(setup_choice(&kit.app, kit.app.setup->cursors[SETUP_SHOWN].at), "group-by") !=
	       0)
		press(KEY_CODE_DOWN);
	press(KEY_CODE_ENTER);
	press(KEY_CODE_DOWN);
	press(KEY_CODE_ENTER);
	assert_string_equal(kit.app.grouped->grouping->name, "user");
	assert_sees("user         current");
	assert_int_equal(kit.app.view, view);
}

UNIT_TEST(setup_writes_only_when_told)
{
	char folder[] = "/tmp/perftop-setup-XXXXXX", path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/conf", folder);
	kit.options.config_path = path;
	press(KEY_CODE_DELETE);
	press(KEY_CODE_ESCAPE);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_non_null(strstr(kit.app.message, ":save keeps it"));
	run("setup");
	assert_sees("not saved");
	press('s');
	assert_int_equal(access(path, F_OK), 0);
	assert_sees_not("not saved");
	assert_true(mode_is_open(&kit.app, &setup_mode));
	press('+');
	press(KEY_CODE_F10);
	assert_false(mode_is_open(&kit.app, &setup_mode));
	unlink(path);
	rmdir(folder);
}

UNIT_TEST(setup_that_cannot_be_written_stays_open)
{
	kit.options.no_config = true;
	press(KEY_CODE_DELETE);
	press(KEY_CODE_F10);
	assert_true(mode_is_open(&kit.app, &setup_mode));
	assert_sees("--no-config");
	assert_sees("not saved");
}

/* No line is wider than the screen, and the cursor's line is there. */
UNIT_TEST(setup_on_screens_of_any_size)
{
	press(KEY_CODE_TAB);
	for (int height = 3; height < 60; height++) {
		for (int width = 20; width < 200; width += 13) {
			kit.app.ascii = (width + height) % 2;
			screen_resize(&kit.app.screen, width, height);
			press(KEY_CODE_END);
			picture();
			if (setup_page(width, height) > 0)
				assert_sees(kit.app.setup->columns[1]
						    .columns[kit.app.setup->cursors[1].at]
						    ->name);
			press(KEY_CODE_HOME);
			press(KEY_CODE_PAGE_DOWN);
			picture();
		}
	}
}

UNIT_TEST(setup_takes_any_key)
{
	unsigned int seed = 5;

	kit.options.no_config = true;
	for (int i = 0; i < 3000; i++) {
		static const uint32_t keys[] = {
			KEY_CODE_UP,
			KEY_CODE_DOWN,
			KEY_CODE_LEFT,
			KEY_CODE_RIGHT,
			KEY_CODE_TAB,
			KEY_CODE_ENTER,
			KEY_CODE_DELETE,
			KEY_CODE_HOME,
			KEY_CODE_END,
			KEY_CODE_PAGE_UP,
			KEY_CODE_PAGE_DOWN,
			'[',
			']',
			'+',
			'-',
			'=',
			'r',
			's',
			'x',
			KEY_CODE_F1,
		};

		seed = seed * 1103515245 + 12345;
		press(keys[(seed >> 16) % (COUNT_OF(keys))]);
		assert_true(mode_is_open(&kit.app, &setup_mode));
		picture();
	}
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return unit_run(set_up, kit_tear_down);
}
