/* The mouse on a drawn screen: what is clicked is found where it is drawn. Text that is pasted. */

#include "app_story.h"

static int pointer_x, pointer_y;
static bool terminal_has_mouse, is_on;

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

static void point_at(const char *text)
{
	find_shown(text, &pointer_x, &pointer_y);
}

static int set_up(void **state)
{
	kit_set_up(state);
	kit.app.screen.is_ascii = true;
	screen_resize(&kit.app.screen, 120, 24);
	terminal_has_mouse = true;
	draw_shown();
	return 0;
}

static void paste(const char *text)
{
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_BEGIN));
	for (; *text != '\0'; text++)
		assert_true(paste_take(&kit.app, *text == '~'    ? '\n'
						 : *text == '\b' ? KEY_CODE_BACKSPACE
								 : (uint32_t)*text));
	assert_true(paste_take(&kit.app, KEY_CODE_PASTE_END));
}

/* "key line NAME": a click there is that key. "paste": ~ is the end of a line. */
static bool take_own_step(const char *step)
{
	struct pager *pager = kit.app.parts[PART_pager];
	struct setup *setup = kit.app.parts[PART_setup];
	struct acting *acting = kit.app.parts[PART_acting];
	char text[64], name[16];
	int x, y;
	size_t number;

	if (strcmp(step, "@drawn") == 0) {
		kit_tear_down(NULL);
		set_up(NULL);
	} else if (sscanf(step, "key line %15s %63[^|]", name, text) == 2) {
		point_at(text);
		assert_int_equal(mouse_take(&kit.app, KEY_CODE_CLICK), key_parse(name));
	} else if (strncmp(step, "click ", 6) == 0 || strncmp(step, "right ", 6) == 0) {
		point_at(step + 6);
		assert_int_equal(mouse_take(&kit.app,
					    step[0] == 'c' ? KEY_CODE_CLICK : KEY_CODE_CLICK_RIGHT),
				 KEY_CODE_NONE);
		draw_shown();
	} else if (sscanf(step, "at %d %d", &x, &y) == 2) {
		pointer_x = x;
		pointer_y = y;
		assert_int_equal(mouse_take(&kit.app, KEY_CODE_CLICK), KEY_CODE_NONE);
	} else if (strncmp(step, "wheel ", 6) == 0) {
		mouse_take(&kit.app, step[6] == 'u' ? KEY_CODE_WHEEL_UP : KEY_CODE_WHEEL_DOWN);
		draw_shown();
	} else if (strncmp(step, "passes ", 7) == 0) {
		assert_int_equal(mouse_take(&kit.app, key_parse(step + 7)), key_parse(step + 7));
	} else if (strncmp(step, "paste ", 6) == 0) {
		paste(step + 6);
	} else if (strcmp(step, "not pasted Enter") == 0) {
		assert_false(paste_take(&kit.app, KEY_CODE_ENTER));
	} else if (sscanf(step, "top %zu", &number) == 1) {
		assert_int_equal(pager->shown.top, number);
	} else if (sscanf(step, "set-up line %zu", &number) == 1) {
		assert_int_equal(setup->cursors[SETUP_SHOWN].at, number);
	} else if (strncmp(step, "asks ", 5) == 0) {
		assert_int_equal(acting->step == ACTING_ASKS, step[5] == 'y');
	} else if (strncmp(step, "sought ", 7) == 0) {
		assert_string_equal(prompt_text(&pager->search), step + 7);
	} else if (strncmp(step, "terminal ", 9) == 0) { /* reports it, or cannot */
		terminal_has_mouse = step[9] == 'y';
		kit.app.term = (struct term *)&kit;
	} else if (strncmp(step, "mouse ", 6) == 0) {
		assert_int_equal(kit.app.request.settings.mouse, step[6] == 'y');
	} else if (strncmp(step, "reported ", 9) == 0) {
		assert_int_equal(is_on, step[9] == 'y');
	} else {
		return false;
	}
	return true;
}

/* clang-format off */
static const struct story mouse_stories[] = {
	{"keys pass", "@drawn | passes k | passes Up | passes F12"},
	{"a click on a row selects it", "@drawn | click redis | row 8 | click nginx-worker | row 70"},
	{"a click on a title sorts, and again turns round",
	 "@drawn | click USER | order user | reversed no | click USER | reversed yes | click SW/s | order sw/s | reversed no"},
	{"a right click on a title explains it", "@drawn | right SW/s | open help | text # SW/s: column sw/s"},
	{"a click on a tab shows the view", "@drawn | click 2 cpus | view cpus | click 1 tasks | view tasks"},
	{"a click on a key is that key", "@drawn | key line F1 F1 help | key line a attach | key line Enter Enter open"},
	{"a click on nothing does nothing", "@drawn | at 119 0 | at 5000 0 | row 7"},
	{"the wheel moves in the table and in the help",
	 "@drawn | wheel down | row 8 | wheel up | row 7 | :help | key / Enter | wheel down | top 3 | open help"},
	/* what is behind it cannot be clicked */
	{"a click in the list of signals chooses",
	 "@drawn | :signal | click SIGKILL | asks no | wheel down | wheel up | click 2 cpus | view tasks | click SIGKILL | asks yes | "
	 "key line y y yes | key n"},
	{"a click in the menu of columns sorts",
	 "@drawn | :sort-menu | click Process id. | wheel down | row 7 | key Enter | order ghz | :sort-menu | click 2 cpus | view tasks | "
	 "click Owner of the task. | open sort-menu | click Owner of the task. | open - | order user"},
	{"the wheel below the rows moves nothing", "@drawn | right intervals | wheel down | row 7 | wheel down | row 7"},
	{"a click below the rows opens the page of the selected task", "@drawn | click redis | click intervals | open page | key Esc | row 8"},
	{"a right click there does nothing", "@drawn | right intervals | open -"},
	{"the wheel moves in the set-up", "@drawn | :setup | wheel down | set-up line 3 | row 7"},
	{"while a prompt is open it does nothing", "@drawn | :ask filter | click redis | wheel down | row 7"},
	{"it is switched by a command",
	 "terminal yes | :mouse off | reported no | mouse no | :mouse on | reported yes | mouse yes | terminal no | :mouse on | "
	 "said this terminal does not report the mouse | !mouse perhaps => perhaps: no such value"},
	{"it is switched by the configuration", "@starting | :mouse off | @started | said  | mouse no"},
	{"what is pasted into a prompt is one line",
	 ":ask command | paste ~filter nginx~~\tor redis~ | prompt command | typed filter nginx or redis | not pasted Enter"},
	{"a Backspace in it is no key", "@drawn | paste ab\bk | said pasted text ignored: open a prompt first | open -"},
	{"what is pasted into a search of the help is searched",
	 ":help | key / | paste Filters (~ | sought Filters ( | said "},
	{"what is pasted elsewhere is no keys, and that is said",
	 "paste kq~ | over no | said pasted text ignored: open a prompt first | :signal | paste ~y | asks no | open signals | key Esc"},
};
/* clang-format on */

UNIT_TEST(mouse_and_paste_do_what_their_stories_say)
{
	more_steps = take_own_step;
	take_stories(mouse_stories, COUNT_OF(mouse_stories));
	more_steps = NULL;
	kit.app.term = NULL;
}

/* Ten intervals are kept; the strip stands for the time from the first to the last of them. */
UNIT_TEST(click_on_the_slider_goes_to_that_time)
{
	struct strbuf line = {0};
	struct slider_marks place;

	for (int i = 1; i < 11; i++)
		kit_tick();
	run("freeze");
	draw_shown();
	assert_int_equal(app_snapshot(&kit.app)->sequence, 11);
	place = playback_write_slider(kit.app.playback, (size_t)kit.app.screen.width,
				      kit.app.screen.is_ascii, &line);
	point_at(" ago"); /* for the line */
	pointer_x = place.first;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_int_equal(app_snapshot(&kit.app)->sequence, 1);
	draw_shown();
	pointer_x = place.first + place.cells / 2;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_in_range(app_snapshot(&kit.app)->sequence, 5, 7);
	draw_shown();
	pointer_x = place.first + place.cells; /* behind it */
	mouse_take(&kit.app, KEY_CODE_CLICK);
	assert_in_range(app_snapshot(&kit.app)->sequence, 5, 7);
	strbuf_fini(&line);
}

UNIT_TEST(click_on_the_sched_state_takes_the_cell)
{
	const uint64_t nginx = (kit_keep_history(256), kit_actor(7));
	size_t cell;

	for (int i = 0; i < 200; i++)
		switched(&kit.told, .time_ns = kit.told.now_ns + 100000000, .prev = nginx,
			 .slice_ns = 50000000, .from_cpu = -1, .off_ns = SWITCH_NS_UNKNOWN);
	kit_pass_to(kit.told.now_ns);
	run("view timeline");
	draw_shown();
	point_at("   1\n");
	pointer_x = 5 + 42;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	draw_shown();
	cell = strips_cell_index(kit.app.parts[PART_timeline]);
	assert_int_equal(cell, 42);
	assert_int_equal(strips_index(kit.app.parts[PART_timeline]), 1);
	assert_true(playback_is_frozen(kit.app.playback));
	pointer_y--;
	pointer_x++;
	mouse_take(&kit.app, KEY_CODE_CLICK);
	draw_shown();
	assert_int_equal(strips_cell_index(kit.app.parts[PART_timeline]), 43);
	assert_int_equal(strips_index(kit.app.parts[PART_timeline]), 0);
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
