/* Tags, whom an action is meant for, and the row that is followed. */

#include "mode/keys.h"
#include "mode/marks.h"
#include "rows_kit.h"
#include "term/key.h"
#include "unit.h"

/* The pids of tags_rows(). */
static void assert_meant(const char *expected)
{
	const struct view_row *rows[8];
	const size_t count = tags_rows(&kit.app, rows, 8);
	char text[64] = "";
	size_t length = 0;

	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%d",
					   i > 0 ? " " : "", rows[i]->pid);
	assert_string_equal(text, expected);
}

static void press(const char *key)
{
	run(keys_command(key_parse(key)));
}

UNIT_TEST(action_without_tags_is_meant_for_the_cursor)
{
	assert_meant("7");
	press("Down");
	assert_meant("70");
	press("2"); /* CPUs */
	assert_meant("");
}

UNIT_TEST(space_tags_and_goes_down)
{
	press("Space");
	assert_rows("7 [70] 8");
	press("Space");
	assert_rows("7 70 [8]");
	assert_meant("7 70");
	assert_on_screen("tagged: 2");
	press("Up");
	press("Space");
	assert_meant("7");
	assert_int_equal(playback_is_frozen(kit.app.playback), false);
	press("U");
	assert_meant("8");
	assert_string_equal(kit.app.message, "no task is tagged");
}

UNIT_TEST(tags_are_marked_without_colour)
{
	kit.app.ascii = true;
	run("tag");
	assert_on_screen("\n>     7 ");
	assert_on_screen("\n     70 ");
}

/* The first column may be full. */
UNIT_TEST(tag_finds_room_behind_a_long_number)
{
	kit.app.ascii = true;
	kit.world.tasks[0].pid = kit.world.tasks[0].tid = 4194303;
	run("tag");
	assert_on_screen("\n4194303>");
}

UNIT_TEST(tags_stay_with_their_tasks_when_rows_move)
{
	run("tag");
	run("sort -pid");
	assert_meant("7");
	run("tree");
	run("threads");
	assert_meant("7");
	/* somebody else has got the number */
	kit.world.tasks[0].id = 99;
	kit_build();
	assert_int_equal(kit.app.row_marks->tags.count, 0);
}

UNIT_TEST(tags_that_are_not_shown_keep_actions_from_the_cursor)
{
	run("tag");
	run("filter redis");
	assert_rows("[8]");
	assert_meant("");
	run("view cpus");
	assert_meant("");
}

UNIT_TEST(tags_rows_counts_more_than_there_is_room_for)
{
	const struct view_row *rows[1];

	run("tag");
	run("tag");
	assert_int_equal(tags_rows(&kit.app, rows, 1), 2);
	assert_int_equal(tags_rows(&kit.app, NULL, 0), 2);
}

UNIT_TEST(tag_children_tags_all_that_descend)
{
	make_family(); /* 7 over 8 over 70 */
	run("down");
	run("tag-children");
	assert_meant("70");
	run("untag");
	run("first");
	run("tag-children");
	assert_meant("7 70 8");
	assert_string_equal(kit.app.message, "3 tasks tagged; U takes all tags away");
	run("untag");
	/* who stands between is not shown, and is left alone */
	run("filter nginx");
	run("first");
	run("tag-children");
	run("filter");
	assert_meant("7 70");
}

UNIT_TEST(tag_of_what_is_no_task_is_refused_in_words)
{
	run("view cpus");
	run("tag");
	assert_string_equal(kit.app.message, "this row is not a task");
	run("tag-children");
	assert_string_equal(kit.app.message, "this row is not a task");
	run("follow");
	assert_string_equal(kit.app.message, "this row is not a task");
	assert_int_equal(kit.app.row_marks->tags.count, 0);
}

UNIT_TEST(tagged_is_a_word_of_filters)
{
	run("tag");
	run("filter tagged");
	assert_rows("[7]");
	run("filter !tagged && cpu% > 0");
	assert_rows("[70] 8");
	run("filter \"tagged\"");
	assert_rows("");
	run("filter tagged");
	run("view cpus");
	assert_on_screen("left out: no tagged");
}

UNIT_TEST(space_stops_and_goes_on_where_time_stands_still)
{
	press("Z");
	press("Space");
	assert_false(playback_is_frozen(kit.app.playback));
	assert_int_equal(kit.app.row_marks->tags.count, 0);
}

UNIT_TEST(space_on_the_page_of_a_task_stops)
{
	run("task 7");
	press("Space");
	assert_true(playback_is_frozen(kit.app.playback));
}

UNIT_TEST(tags_are_set_and_kept_on_a_frozen_screen)
{
	press("Z");
	press("Ins");
	press("Ins");
	assert_meant("7 70");
	run("sort pid");
	run("filter nginx");
	assert_meant("7 70");
	press("Space");
	run("filter");
	assert_meant("7 70");
}

UNIT_TEST(followed_row_keeps_its_line_of_the_screen)
{
	struct list *list = &app_current(&kit.app)->list;

	for (int i = 0; i < 12; i++)
		task(&kit.world, .pid = 100 + i, .run_ms = (uint64_t)(50 - i));
	kit.app.screen.height = 12;
	kit_build();
	run("sort pid");
	compose_frame_draw(&kit.app);
	press("End");
	compose_frame_draw(&kit.app);
	press("Up");
	press("F");
	assert_on_screen("following task 110");
	const size_t line = list->cursor - list->top;
	run("sort cpu%");
	assert_int_equal(list->cursor - list->top, line);
	compose_frame_draw(&kit.app);
	assert_int_equal(list->cursor - list->top, line);
	assert_int_equal(app_row(&kit.app)->pid, 110);
	press("Up");
	assert_false(list->is_followed);
}

UNIT_TEST(followed_row_is_shown_while_it_does_not_run)
{
	press("Down");
	press("F");
	kit.world.tasks[1].has_run = false;
	kit_build();
	assert_rows("7 [70] 8");
	press("F");
	assert_string_equal(kit.app.message, "no longer following nginx-worker 70");
	assert_rows("7 [8]");
}

UNIT_TEST(follow_ends_with_the_task)
{
	press("F");
	kit.world.tasks[0].id = 99; /* the number was used again */
	kit_build();
	assert_string_equal(kit.app.message, "nginx 7 is no longer shown; no longer following it");
	assert_false(app_current(&kit.app)->list.is_followed);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
