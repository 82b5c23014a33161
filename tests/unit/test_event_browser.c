/* The keys of the event browser, and what it shows. */

#include <locale.h>

#include "view/column.h"

#include "fake_app.h"
#include "mode/browser.h"
#include "mode/command.h"
#include "term/key.h"
#include "unit.h"

static void press(uint32_t key)
{
	browser_mode.key(&kit.app, key);
}

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		press((uint32_t)(unsigned char)*text);
}

static const char *picture(void)
{
	static struct strbuf text;
	struct frame frame = {.ascii = false};

	screen_clear(&kit.app.screen);
	browser_mode.draw(&kit.app, &frame);
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

static void open_browser(void)
{
	assert_true(command_run(&kit.app, "events", NULL));
	assert_true(mode_is_open(&kit.app, &browser_mode));
}

static bool is_open(const char *name)
{
	const int index = layout_find_event(&kit.source.layout, name);

	return index >= 0 && !kit.source.layout.events[index].is_removed;
}

static bool is_shown(const char *name)
{
	kit_build();
	for (size_t i = 0; i < view_table_column_count(kit.app.table); i++)
		if (strcmp(view_table_column(kit.app.table, i)->name, name) == 0)
			return true;
	return false;
}

UNIT_TEST(browser_shows_all_and_their_state)
{
	open_browser();
	assert_sees("[all 8]");
	assert_sees("open 6");
	assert_sees("1 of 8");
	assert_sees("sched:sched_switch");
	assert_sees("counting"); /* cycles */
	assert_sees("to be filled in");
	assert_sees("CPU cycles.");
}

/* What can be counted here says nothing of what was counted there. */
UNIT_TEST(browser_of_a_recording_shows_only_its_events)
{
	kit.replay_length = 3;
	open_browser();
	assert_sees("[in the recording 6]");
	assert_sees_not("all 8");
	assert_sees_not("sched:sched_switch");
	assert_sees_not("Tab ");
	assert_int_equal(kit.tries, 0);
	press(KEY_CODE_TAB);
	assert_int_equal(kit.app.browser->tab, BROWSER_OPEN);
}

UNIT_TEST(browser_typing_narrows_the_list)
{
	open_browser();
	type("sched");
	assert_sees("Search: sched");
	assert_sees("1 of 4"); /* three, and what is typed */
	assert_sees_not("mem:ADDR");
	press(KEY_CODE_BACKSPACE);
	press(KEY_CODE_BACKSPACE);
	type("nothing at all");
	assert_sees("as it is typed");
}

/* What is the name comes before what only says something of it. */
UNIT_TEST(browser_best_match_comes_first)
{
	open_browser();
	type("s");
	assert_string_equal(kit_catalog[kit.app.browser->lists[BROWSER_ALL].items[0]].name,
			    "sched:sched_switch");
	press(21); /* ^U */
	type("PAGE-FAULTS");
	assert_int_equal(kit.app.browser->lists[BROWSER_ALL].items[0], 1);
}

UNIT_TEST(browser_tries_what_is_harmless_and_seen)
{
	open_browser();
	picture();
	assert_int_equal(kit_catalog[1].state, CATALOG_OPENS);
	assert_int_equal(kit_catalog[6].state, CATALOG_UNTRIED); /* may not be tried */
	assert_int_equal(kit_catalog[3].state, CATALOG_UNTRIED); /* takes long */
	kit.tries = 0;
	picture();
	assert_int_equal(kit.tries, 0);
}

UNIT_TEST(browser_tries_what_takes_long_only_under_the_cursor)
{
	open_browser();
	type("slow");
	picture();
	assert_int_equal(kit_catalog[3].state, CATALOG_OPENS);
	assert_int_equal(kit_catalog[4].state, CATALOG_UNTRIED);
	press(KEY_CODE_DOWN);
	picture();
	assert_int_equal(kit_catalog[4].state, CATALOG_OPENS);
}

UNIT_TEST(browser_tries_only_what_can_be_seen)
{
	screen_resize(&kit.app.screen, 40, 5);
	open_browser();
	picture();
	assert_int_equal(kit.tries, 2);
}

UNIT_TEST(browser_refused_entry_says_why)
{
	open_browser();
	type("sched:refused");
	assert_sees("refused: nobody may");
}

UNIT_TEST(browser_detail_has_the_fields)
{
	open_browser();
	type("sched_sw");
	assert_sees("fields: prev_pid next_pid");
}

UNIT_TEST(browser_enter_adds_the_column)
{
	open_browser();
	type("sched_sw");
	press(KEY_CODE_ENTER);
	assert_true(is_open("sched:sched_switch"));
	assert_true(is_shown("sched:sched_switch"));
	assert_true(mode_is_open(&kit.app, &browser_mode));
	assert_sees("column SCHED_SWITCH/s of the view tasks");
	assert_sees("open 7");
}

UNIT_TEST(browser_enter_on_a_pattern_asks_to_fill_it_in)
{
	open_browser();
	type("mem:");
	press(KEY_CODE_ENTER);
	assert_string_equal(prompt_text(&kit.app.browser->search), "mem:");
	assert_sees("continue as in mem:ADDR");
	assert_false(is_open("mem:ADDR"));
	type("0x1000:w");
	press(KEY_CODE_ENTER);
	assert_true(is_open("mem:0x1000:w"));
}

UNIT_TEST(browser_enter_adds_what_was_typed)
{
	open_browser();
	type("r01c2,cycles:u");
	press(KEY_CODE_ENTER);
	assert_true(is_open("r01c2"));
	assert_true(is_open("cycles:u"));
	assert_string_equal(prompt_text(&kit.app.browser->search), "");
}

UNIT_TEST(browser_wrong_text_stays_and_has_the_cursor)
{
	open_browser();
	type("r1,bad");
	press(KEY_CODE_ENTER);
	assert_true(mode_is_open(&kit.app, &browser_mode));
	assert_string_equal(prompt_text(&kit.app.browser->search), "r1,bad");
	assert_int_equal(kit.app.browser->search.cursor, 3);
	assert_true(kit.app.message_is_error);
	assert_sees("bad: this kernel has no such event");
	assert_false(is_open("r1"));
}

/* The cursor has been put on what was wrong; ^U is a new search all the same. */
UNIT_TEST(browser_search_is_cleared_wherever_the_cursor_is)
{
	open_browser();
	type("bad");
	press(KEY_CODE_ENTER);
	assert_int_equal(kit.app.browser->search.cursor, 0);
	press('U' - '@');
	assert_string_equal(prompt_text(&kit.app.browser->search), "");
	assert_sees("page-faults");
}

UNIT_TEST(browser_next_page_of_details_ends_with_the_line)
{
	open_browser();
	press('N' - '@');
	press('N' - '@');
	assert_int_equal(kit.app.browser->detail_page, 2);
	press(KEY_CODE_DOWN);
	assert_int_equal(kit.app.browser->detail_page, 0);
}

UNIT_TEST(browser_tab_shows_what_is_open)
{
	kit.source.layout.events[CACHE_MISSES].state = EVENT_DENIED;
	strcpy(kit.source.layout.events[CACHE_MISSES].reason, "a higher power");
	open_browser();
	press(KEY_CODE_TAB);
	assert_sees("[open 6]");
	assert_sees("branch-misses");
	assert_sees("refused");
	for (int i = 0; i < CACHE_MISSES; i++)
		press(KEY_CODE_DOWN);
	assert_sees("refused: a higher power");
	press(KEY_CODE_TAB);
	assert_sees("[all 8]");
}

UNIT_TEST(browser_multiplexed_event_has_its_share)
{
	struct snapshot_cpu *cpu = &kit.world.cpus[0];

	cpu->counter =
		world_vector(&kit.world, (struct counts_spec){.run_ms = 1000, .counting_ms = 330});
	cpu->idle = world_vector(&kit.world, (struct counts_spec){0});
	kit.world.snapshot.cpu_count = 1;
	kit.source.layout.events[CYCLES].state = EVENT_MULTIPLEXED;
	open_browser();
	press(KEY_CODE_TAB);
	assert_sees("multiplexed 33 %");
}

UNIT_TEST(browser_delete_removes_the_event)
{
	open_browser();
	press(KEY_CODE_TAB);
	press(KEY_CODE_DELETE);
	assert_false(is_open("cycles"));
	assert_sees("open 5");
	press(4); /* ^D */
	assert_false(is_open("instructions"));
	press(KEY_CODE_TAB);
	press(KEY_CODE_DELETE); /* cycles, which is not counted any more */
	assert_sees("nothing to remove");
}

UNIT_TEST(browser_delete_of_the_last_line_moves_up)
{
	open_browser();
	press(KEY_CODE_TAB);
	press(KEY_CODE_END);
	press(KEY_CODE_DELETE);
	assert_sees("5 of 5");
	for (int i = 0; i < 5; i++)
		press(KEY_CODE_DELETE);
	assert_sees("0 of 0");
	press(KEY_CODE_DELETE);
	press(KEY_CODE_ENTER);
	press(KEY_CODE_DOWN);
	press(KEY_CODE_UP);
	assert_sees("0 of 0");
}

UNIT_TEST(browser_escape_leaves_q_is_text)
{
	open_browser();
	type("q");
	assert_true(mode_is_open(&kit.app, &browser_mode));
	press(KEY_CODE_BACKSPACE);
	press(KEY_CODE_BACKSPACE);
	assert_true(mode_is_open(&kit.app, &browser_mode));
	press(KEY_CODE_ESCAPE);
	assert_false(mode_is_open(&kit.app, &browser_mode));
}

UNIT_TEST(browser_opened_again_begins_anew)
{
	open_browser();
	type("slow");
	press(KEY_CODE_ESCAPE);
	open_browser();
	assert_sees("1 of 8");
}

UNIT_TEST(browser_moves_by_pages)
{
	screen_resize(&kit.app.screen, 40, 6);
	open_browser();
	press(KEY_CODE_PAGE_DOWN);
	assert_sees("4 of 8");
	press(KEY_CODE_END);
	assert_sees("8 of 8");
	press(KEY_CODE_PAGE_UP);
	assert_sees("5 of 8");
	press(KEY_CODE_HOME);
	assert_sees("1 of 8");
	press(KEY_CODE_UP);
	assert_sees("1 of 8");
}

UNIT_TEST(browser_on_a_screen_that_grows_wastes_no_line)
{
	screen_resize(&kit.app.screen, 40, 6);
	open_browser();
	press(KEY_CODE_END);
	assert_sees_not("cycles");
	screen_resize(&kit.app.screen, 80, 24);
	assert_sees("cycles");
	assert_sees("8 of 8");
}

/* No size and no key of all may break it. */
UNIT_TEST(browser_any_size_any_key_goes_on)
{
	static const uint32_t keys[] = {KEY_CODE_DOWN,
					KEY_CODE_TAB,
					KEY_CODE_END,
					'c',
					KEY_CODE_ENTER,
					KEY_CODE_PAGE_DOWN,
					4,
					'x',
					KEY_CODE_F1,
					KEY_CODE_BACKSPACE,
					KEY_CODE_HOME};

	open_browser();
	for (int width = 1; width <= 200; width += 7) {
		for (int height = 1; height <= 60; height += 3) {
			screen_resize(&kit.app.screen, width, height);
			press(keys[(width * 31 + height) % 11]);
			picture();
		}
	}
	assert_true(mode_is_open(&kit.app, &browser_mode));
}

UNIT_TEST(browser_before_the_first_interval_has_states)
{
	kit.app.engine->snapshot = NULL;
	kit.source.layout.events[CYCLES].state = EVENT_MULTIPLEXED;
	open_browser();
	press(KEY_CODE_TAB);
	assert_sees("multiplexed");
	assert_sees_not("multiplexed 0");
	kit.app.engine->snapshot = &kit.world.snapshot;
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return unit_run(kit_set_up, kit_tear_down);
}
