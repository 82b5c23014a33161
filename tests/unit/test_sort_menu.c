/* The menu of columns: what it lists, what its keys do, and that it draws inside of any screen. */

#include "mode/keys.h"
#include "mode/sort_menu.h"
#include "rows_kit.h"
#include "term/key.h"
#include "unit.h"

/* A key as app.c hands it on. */
static void press(const char *key)
{
	if (mode_is_open(&kit.app, &sort_menu_mode)) {
		sort_menu_mode.key(&kit.app, key_parse(key));
		if (kit.app.needs_build)
			kit_build();
	} else {
		run(keys_command(key_parse(key)));
	}
}

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		press((const char[]){*text, '\0'});
}

static void assert_sort(const char *name, bool reversed)
{
	assert_false(mode_is_open(&kit.app, &sort_menu_mode));
	assert_string_equal(app_current(&kit.app)->sort->name, name);
	assert_int_equal(app_current(&kit.app)->sort_reversed, reversed);
}

UNIT_TEST(menu_begins_at_the_sorted_column_and_goes_up_and_down)
{
	press("F6");
	assert_true(mode_is_open(&kit.app, &sort_menu_mode));
	assert_int_equal(kit.app.sort_menu->cursor.at, 2); /* pid, user, cpu% */
	assert_on_screen("Sort by:");
	assert_on_screen("CPU %");
	assert_on_screen("Owner of the task."); /* what a column means */
	press("Up");
	press("Up");
	press("Up");
	press("Enter");
	assert_sort("pid", false);
	assert_rows("[7] 8 70");
}

UNIT_TEST(menu_is_narrowed_by_letters)
{
	press(".");
	type("fau");
	press("Enter");
	assert_sort("fault/s", false);
	press("F6");
	type("zz");
	assert_on_screen("no column of this view has that in its name");
	press("Enter");
	assert_true(mode_is_open(&kit.app, &sort_menu_mode));
	press("Backspace");
	press("Backspace");
	type("MISS");
	press("Enter");
	assert_sort("miss%", false);
}

UNIT_TEST(menu_turns_round_what_is_sorted_already)
{
	run("sort pid");
	press("F6");
	press("Enter");
	assert_sort("pid", true);
	assert_rows("[70] 8 7");
}

UNIT_TEST(menu_chooses_a_second_column_with_space)
{
	run("sort +user");
	press("F6");
	press("Home");
	press("Space");
	assert_sort("user", false);
	assert_string_equal(app_current(&kit.app)->then->name, "pid");
	assert_rows("[7] 8 70");
	press("F6");
	assert_on_screen("Sort by:");
	press("Esc");
	assert_sort("user", false);
}

UNIT_TEST(menu_ends_stay_in_the_list)
{
	press("F6");
	press("End");
	press("Down");
	press("Enter");
	assert_sort("command", false);
}

UNIT_TEST(menu_is_not_opened_where_the_order_is_fixed)
{
	kit_keep_history(16);
	run("view switches");
	press("F6");
	assert_false(mode_is_open(&kit.app, &sort_menu_mode));
	assert_string_equal(
		kit.app.message,
		"switches are in time order; stopped (Z) they sort by ran, off-cpu and sch-delay");
}

UNIT_TEST(dot_steps_on_where_time_stands_still)
{
	press("Z");
	press(".");
	assert_false(mode_is_open(&kit.app, &sort_menu_mode));
	press("F6");
	assert_true(mode_is_open(&kit.app, &sort_menu_mode));
	press("Home");
	press("Enter");
	assert_rows("[7] 8 70");
}

/* The sanitizer watches. */
UNIT_TEST(menu_draws_inside_of_any_screen)
{
	press("F6");
	press("End");
	for (int width = 1; width < 130; width += 3) {
		for (int height = 1; height < 30; height++) {
			screen_resize(&kit.app.screen, width, height);
			compose_frame_draw(&kit.app);
		}
	}
	screen_resize(&kit.app.screen, 40, 7);
	assert_on_screen("COMMAND");
}

/* The bar of the cursor under it does not look out at its side. */
UNIT_TEST(menu_lines_hide_what_is_under_them)
{
	screen_resize(&kit.app.screen, 300, 20);
	press("F6");
	compose_frame_draw(&kit.app);
	for (int y = 18 - (int)view_table_column_count(kit.app.table); y < 18; y++)
		for (int x = 100; x < 300; x++)
			assert_false(kit.app.screen.cells[y * 300 + x].is_selected);
	/* nor a row at its foot, where there is no line for messages */
	screen_resize(&kit.app.screen, 20, 5);
	compose_frame_draw(&kit.app);
	for (int x = 0; x < 20; x++)
		assert_true(screen_is_blank(&kit.app.screen, x, 3));
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
