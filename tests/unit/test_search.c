/* Words in rows: where a search begins, which way it goes, and when it pauses. */

#include "fake_app.h"
#include "mode/command.h"
#include "mode/find.h"
#include "mode/prompts.h"
#include "term/key.h"
#include "unit.h"

static void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
}

static int set_up(void **state)
{
	kit_set_up(state);
	kit_keep_history(32 * HISTORY_BLOCK);
	return 0;
}

static void tell(const char *name, size_t count)
{
	const uint64_t actor = told_actor(&kit.told, 7, 7, name);

	for (size_t i = 0; i < count; i++)
		switched(&kit.told, .left = actor, .came = ACTOR_IDLE, .how = SWITCH_BLOCKED);
}

static void show_log(void)
{
	run("view switches");
	kit_build();
}

static uint64_t cursor_id(void)
{
	return app_row(&kit.app)->id;
}

UNIT_TEST(search_previous_goes_the_other_way_round)
{
	kit_build(); /* 7 nginx, 70 nginx-worker, 8 redis */
	run("search nginx");
	assert_int_equal(app_row(&kit.app)->pid, 7);
	run("search-previous");
	assert_int_equal(app_row(&kit.app)->pid, 70);
	run("search-previous");
	assert_int_equal(app_row(&kit.app)->pid, 7);
	run("search-next");
	assert_int_equal(app_row(&kit.app)->pid, 70);
}

UNIT_TEST(search_previous_in_a_log_goes_to_newer_lines)
{
	tell("rare", 1);
	tell("often", 10);
	tell("rare", 1);
	tell("often", 10);
	show_log();
	run("search rare");
	run("search-next");
	assert_int_equal(cursor_id(), 0);
	run("search-previous");
	assert_int_equal(cursor_id(), 11);
}

UNIT_TEST(search_previous_without_words_asks_for_them)
{
	run("search-previous");
	assert_true(kit.app.prompt.is_open);
	assert_string_equal(kit.app.prompt_info->name, "search");
}

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		prompt_mode.key(&kit.app, (uint32_t)*text);
}

/* What more letters leave out may be found again before. */
UNIT_TEST(search_while_typing_begins_where_the_cursor_was)
{
	kit_build();
	run("down"); /* 70 nginx-worker */
	run("ask search");
	type("r");
	assert_int_equal(app_row(&kit.app)->pid, 70);
	type("e");
	assert_int_equal(app_row(&kit.app)->pid, 8);
	prompt_mode.key(&kit.app, KEY_CODE_BACKSPACE);
	assert_int_equal(app_row(&kit.app)->pid, 70);
	type("ed");
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_int_equal(app_row(&kit.app)->pid, 8);
}

UNIT_TEST(search_that_is_left_goes_back)
{
	kit_build();
	run("ask search");
	type("redis");
	assert_int_equal(app_row(&kit.app)->pid, 8);
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_int_equal(app_row(&kit.app)->pid, 7);
	assert_false(app_current(&kit.app)->list.has_cursor);
}

UNIT_TEST(search_of_a_log_goes_back_from_the_newest)
{
	tell("rare", 1);
	tell("often", 10);
	tell("rare", 1);
	tell("often", 10);
	show_log();
	run("search rare");
	assert_int_equal(cursor_id(), 11);
	run("search-next");
	assert_int_equal(cursor_id(), 0);
	run("search-next");

	assert_int_equal(cursor_id(), 11);
}

UNIT_TEST(search_of_tasks_goes_down)
{
	run("search nginx");
	assert_int_equal(app_row(&kit.app)->pid, 7);
	run("search-next");
	assert_int_equal(app_row(&kit.app)->pid, 70);
	run("search-next");
	assert_int_equal(app_row(&kit.app)->pid, 7);
}

UNIT_TEST(search_of_a_log_that_finds_holds_the_cursor)
{
	tell("rare", 1);
	tell("often", 10);
	show_log();
	run("search rare");
	tell("often", 10);
	kit_build();

	assert_int_equal(cursor_id(), 0);
}

UNIT_TEST(search_of_many_rows_pauses_and_goes_on)
{
	tell("rare", 1);
	tell("often", 2 * SEARCH_ROWS_MOST);
	show_log();
	run("search rare");
	assert_string_equal(
		kit.app.message,
		"\"rare\" is not in the last 50000 lines; n: search on, \\: filter all");
	run("search-next");
	assert_int_equal(cursor_id(), 2 * SEARCH_ROWS_MOST);
	run("search-next");

	assert_int_equal(cursor_id(), 0);
}

UNIT_TEST(search_for_the_same_words_goes_on_too)
{
	tell("rare", 1);
	tell("often", SEARCH_ROWS_MOST + 100);
	show_log();
	run("search rare");
	assert_int_equal(kit.app.search->left, 101);
	run("search rare");

	assert_int_equal(cursor_id(), 0);
	assert_int_equal(kit.app.search->left, 0);
}

UNIT_TEST(search_for_other_words_begins_anew)
{
	tell("rare", 1);
	tell("often", SEARCH_ROWS_MOST + 100);
	show_log();
	run("search rare");
	run("search rar");

	assert_int_equal(kit.app.search->left, 101);
}

UNIT_TEST(search_after_the_cursor_has_moved_begins_anew)
{
	tell("rare", 1);
	tell("often", SEARCH_ROWS_MOST + 100);
	tell("end", 50);
	show_log();
	run("search rare");
	assert_int_equal(kit.app.search->left, 151);
	for (int i = 0; i < 10; i++)
		run("up");
	run("search-next");

	assert_int_equal(kit.app.search->left, 151);
	assert_int_equal(kit.app.search->next_id, 139);
}

UNIT_TEST(search_without_a_match_says_so)
{
	tell("often", 10);
	show_log();
	run("search rare");
	assert_string_equal(kit.app.message, "no match for \"rare\"");
	assert_int_equal(kit.app.search->left, 0);
}

UNIT_TEST(search_in_an_empty_log_says_so)
{
	show_log();
	run("search rare");
	assert_string_equal(kit.app.message, "no match for \"rare\"");
	run("search-next");
	assert_string_equal(kit.app.message, "no match for \"rare\"");
}

int main(void)
{
	return unit_run(set_up, kit_tear_down);
}
