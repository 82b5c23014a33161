/* The mouse on a drawn screen: what is clicked is found where it is drawn. */

#include "fake_app.h"
#include "mode/acting.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "mode/setup.h"
#include "mode/strips.h"
#include "mode/table_mode.h"
#include "term/key.h"
#include "unit.h"

static int pointer_x, pointer_y;
static bool terminal_has_mouse, is_on;

void __wrap_term_pointer(const struct term *term, int *x, int *y);
bool __wrap_term_set_mouse(struct term *term, bool on);
void __wrap_term_paint(struct term *term, const struct screen *screen);

void __wrap_term_pointer(const struct term *term, int *x, int *y)
{
	*x = pointer_x;
	*y = pointer_y;
}

bool __wrap_term_set_mouse(struct term *term, bool on)
{
	is_on = on;
	return terminal_has_mouse;
}

void __wrap_term_paint(struct term *term, const struct screen *screen)
{
}

static void draw(void)
{
	if (kit.app.needs_build)
		kit_build();
	compose_frame_draw(&kit.app);
}

/* Where the text stands on the screen as it is drawn. */
static void point_at(const char *text)
{
	struct strbuf lines = {0};
	const char *place, *line;

	draw();
	screen_dump(&kit.app.screen, &lines);
	place = strstr(strbuf_text(&lines), text);
	if (place == NULL)
		fail_msg("\"%s\" is not on the screen:\n%s", text, strbuf_text(&lines));
	pointer_y = 0;
	line = strbuf_text(&lines);
	for (const char *c = line; c < place; c++) {
		if (*c == '\n') {
			pointer_y++;
			line = c + 1;
		}
	}
	pointer_x = (int)(place - line);
	strbuf_fini(&lines);
}

static uint32_t click(const char *text)
{
	point_at(text);
	return mouse_take(&kit.app, KEY_CODE_CLICK);
}

static int set_up(void **state)
{
	kit_set_up(state);
	kit.app.ascii = true;
	screen_resize(&kit.app.screen, 120, 24);
	terminal_has_mouse = true;
	draw();
	return 0;
}

UNIT_TEST(mouse_take_lets_keys_pass)
{
	assert_int_equal(mouse_take(&kit.app, 'k'), 'k');
	assert_int_equal(mouse_take(&kit.app, KEY_CODE_UP), KEY_CODE_UP);
	assert_int_equal(mouse_take(&kit.app, KEY_CODE_RESIZE), KEY_CODE_RESIZE);
	assert_int_equal(mouse_take(&kit.app, KEY_CODE_F12), KEY_CODE_F12);
}

UNIT_TEST(click_on_a_row_selects_it)
{
	assert_int_equal(click("redis"), KEY_CODE_NONE);
	assert_int_equal(app_row(&kit.app)->pid, 8);
	click("nginx-worker");
	assert_int_equal(app_row(&kit.app)->pid, 70);
}

UNIT_TEST(click_on_a_title_sorts_and_again_turns_round)
{
	click("USER");
	assert_string_equal(app_current(&kit.app)->sort->name, "user");
	assert_false(app_current(&kit.app)->sort_reversed);
	click("USER");
	assert_true(app_current(&kit.app)->sort_reversed);
	click("SW/s");
	assert_string_equal(app_current(&kit.app)->sort->name, "sw/s");
	assert_false(app_current(&kit.app)->sort_reversed);
}

/* Ten intervals are kept; the strip stands for the time from the first to the last of them. */
UNIT_TEST(click_on_the_slider_goes_to_that_time)
{
	struct strbuf line = {0};
	struct slider_marks place;

	kit.replay_at = 0;
	for (int i = 0; i < 11; i++) {
		engine_tick(kit.app.engine);
		app_keep_interval(&kit.app);
	}
	run("freeze");
	draw();
	assert_int_equal(app_snapshot(&kit.app)->sequence, 11);
	place = playback_write_slider(kit.app.playback, (size_t)kit.app.screen.width, kit.app.ascii,
				      &line);
	point_at(" ago"); /* for the line */
	pointer_x = place.first;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_int_equal(app_snapshot(&kit.app)->sequence, 1);
	draw();
	pointer_x = place.first + place.cells / 2;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_in_range(app_snapshot(&kit.app)->sequence, 5, 7);
	draw();
	pointer_x = place.first + place.cells; /* behind it */
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_in_range(app_snapshot(&kit.app)->sequence, 5, 7);
	strbuf_fini(&line);
}

UNIT_TEST(click_on_the_sched_state_takes_the_cell)
{
	const uint64_t nginx = (kit_keep_history(256), told_actor(&kit.told, 7, 7, "nginx"));
	size_t cell;

	kit.told.now_ns = kit.world.snapshot.time_ns;
	for (int i = 0; i < 200; i++)
		switched(&kit.told, .time_ns = kit.told.now_ns + 100000000, .left = nginx,
			 .slice_ns = 50000000, .from_cpu = -1, .off_ns = SWITCH_NS_UNKNOWN);
	kit.world.snapshot.time_ns = kit.told.now_ns;
	run("view timeline");
	draw();
	point_at("   1\n");
	pointer_x = 5 + 42;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	draw();
	cell = strips_cell_index(kit.app.strips);
	assert_int_equal(cell, 42);
	assert_int_equal(strips_index(kit.app.strips), 1);
	assert_true(playback_is_frozen(kit.app.playback));
	pointer_y--;
	pointer_x++;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	draw();
	assert_int_equal(strips_cell_index(kit.app.strips), 43);
	assert_int_equal(strips_index(kit.app.strips), 0);
}

UNIT_TEST(right_click_on_a_title_explains_it)
{
	point_at("SW/s");
	assert_int_equal(mouse_take(&kit.app, KEY_CODE_CLICK_RIGHT), KEY_CODE_NONE);
	assert_true(mode_is_open(&kit.app, &pager_mode));
	assert_non_null(strstr(strbuf_text(&kit.app.pager->text), "# SW/s: column sw/s"));
}

UNIT_TEST(click_on_a_tab_shows_the_view)
{
	click("2 cpus");
	assert_string_equal(app_current(&kit.app)->info->name, "cpus");
	click("1 tasks");
	assert_string_equal(app_current(&kit.app)->info->name, "tasks");
}

UNIT_TEST(click_on_a_key_is_that_key)
{
	assert_int_equal(click("F1 help"), KEY_CODE_F1);
	assert_int_equal(click("attach"), 'a');
	assert_int_equal(click("Enter open"), KEY_CODE_ENTER);
}

UNIT_TEST(click_on_nothing_does_nothing)
{
	pointer_x = 119;
	pointer_y = 0;
	assert_int_equal(mouse_take(&kit.app, KEY_CODE_CLICK), KEY_CODE_NONE);
	pointer_x = 5000;
	assert_int_equal(mouse_take(&kit.app, KEY_CODE_CLICK), KEY_CODE_NONE);
	assert_int_equal(app_row(&kit.app)->pid, 7);
}

UNIT_TEST(wheel_moves_in_the_table_and_in_the_help)
{
	draw();
	mouse_take(&kit.app, KEY_CODE_WHEEL_DOWN);
	assert_true(app_row(&kit.app)->pid != 7);
	mouse_take(&kit.app, KEY_CODE_WHEEL_UP);
	assert_int_equal(app_row(&kit.app)->pid, 7);
	run("help");
	mouse_take(&kit.app, KEY_CODE_WHEEL_DOWN);
	assert_int_equal(kit.app.pager->shown.top, 3);
	assert_true(mode_is_open(&kit.app, &pager_mode));
}

/* What is behind the list of signals cannot be clicked; its items can. */
UNIT_TEST(click_in_the_list_of_signals_chooses)
{
	run("signal");
	point_at("SIGKILL");
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_int_equal(kit.app.acting->step, ACTING_CHOOSES);
	mouse_take(&kit.app, KEY_CODE_WHEEL_DOWN);
	mouse_take(&kit.app, KEY_CODE_WHEEL_UP);
	click("2 cpus");
	assert_string_equal(app_current(&kit.app)->info->name, "tasks");
	click("SIGKILL");
	assert_int_equal(kit.app.acting->step, ACTING_ASKS);
	assert_int_equal(click("y yes"), 'y');
	acting_mode.key(&kit.app, 'n');
}

UNIT_TEST(click_in_the_menu_of_columns_sorts)
{
	run("sort-menu");
	click("Process id.");
	assert_int_equal(kit.app.sort_menu->cursor.at, 0);
	mouse_take(&kit.app, KEY_CODE_WHEEL_DOWN);
	assert_int_equal(kit.app.sort_menu->cursor.at, 3);
	assert_int_equal(app_row(&kit.app)->pid, 7); /* what is behind it stays as it is */
	click("2 cpus");
	assert_string_equal(app_current(&kit.app)->info->name, "tasks");
	click("Owner of the task.");
	assert_true(mode_is_open(&kit.app, &sort_menu_mode));
	click("Owner of the task.");
	assert_false(mode_is_open(&kit.app, &sort_menu_mode));
	assert_string_equal(app_current(&kit.app)->sort->name, "user");
}

UNIT_TEST(wheel_moves_in_the_set_up)
{
	run("setup");
	draw();
	mouse_take(&kit.app, KEY_CODE_WHEEL_DOWN);
	assert_int_equal(kit.app.setup->cursors[SETUP_SHOWN].at, 3);
	assert_int_equal(app_row(&kit.app)->pid, 7);
}

UNIT_TEST(mouse_while_a_prompt_is_open_does_nothing)
{
	run("ask filter");
	click("redis");
	mouse_take(&kit.app, KEY_CODE_WHEEL_DOWN);
	assert_int_equal(app_row(&kit.app)->pid, 7);
}

UNIT_TEST(mouse_is_switched_by_command)
{
	struct error error = {0};

	kit.app.term = (struct term *)&kit;
	run("mouse off");
	assert_false(is_on);
	assert_false(kit.app.settings.mouse);
	run("mouse on");
	assert_true(is_on);
	assert_true(kit.app.settings.mouse);
	terminal_has_mouse = false;
	run("mouse on");
	assert_string_equal(kit.app.message, "this terminal does not report the mouse");
	assert_false(command_run(&kit.app, "mouse perhaps", &error));
	assert_string_equal(error.text, "perhaps: no such value");
	kit.app.term = NULL;
	kit.app.is_starting = true;
	assert_true(command_configure(&kit.app, "mouse off", &error));
	assert_false(kit.app.settings.mouse);
}

static void paste(const char *text)
{
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_BEGIN));
	for (; *text != '\0'; text++)
		assert_true(paste_take(&kit.app, (uint32_t)*text));
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_END));
}

UNIT_TEST(paste_into_a_prompt_is_one_line)
{
	run("ask command");
	paste("\nfilter nginx\r\n\tor redis\n");
	assert_true(kit.app.prompt.is_open);
	assert_string_equal(prompt_text(&kit.app.prompt), "filter nginx or redis");
	assert_false(paste_take(&kit.app, KEY_CODE_ENTER)); /* this one was typed */
}

UNIT_TEST(paste_into_a_search_of_the_help_is_searched)
{
	run("help");
	mode_top(&kit.app)->key(&kit.app, '/');
	paste("Filters (\n");
	assert_string_equal(prompt_text(&kit.app.pager->search), "Filters (");
	assert_true(kit.app.pager->shown.top > 0);
	assert_string_equal(kit.app.message, "");
}

UNIT_TEST(paste_elsewhere_is_no_keys_and_that_is_said)
{
	paste("kq\n");
	assert_false(kit.app.is_over);
	assert_string_equal(kit.app.message, "pasted text ignored: open a prompt first");
	run("signal");
	paste("\ny");
	assert_int_equal(kit.app.acting->step, ACTING_CHOOSES);
	acting_mode.key(&kit.app, KEY_CODE_ESCAPE);
}

UNIT_TEST(paste_without_an_end_is_over_with_the_next_special_key)
{
	static const uint32_t keys[] = {KEY_CODE_ESCAPE, KEY_CODE_UP, KEY_CODE_END_OF_INPUT};

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		assert_true(paste_take(&kit.app, KEY_CODE_PASTE_BEGIN));
		assert_true(paste_take(&kit.app, 'q'));
		assert_false(paste_take(&kit.app, keys[i]));
		assert_false(paste_take(&kit.app, 'q'));
	}
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_END)); /* that of nothing */
	assert_false(paste_take(&kit.app, 'q'));
}

int main(void)
{
	return unit_run(set_up, kit_tear_down);
}
