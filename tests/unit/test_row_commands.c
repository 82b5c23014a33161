/* Commands that say which rows there are and how they stand: tree, folds, what is left out. */

#include "mode/marks.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "rows_kit.h"
#include "term/key.h"
#include "unit.h"

UNIT_TEST(tree_command_puts_tasks_under_parents_and_back)
{
	make_family();
	assert_rows("[7] 70 8");
	run("tree");
	assert_rows("[7] 8 70");
	assert_int_equal(kit.walks, 1); /* parents may never have run */
	assert_on_screen("tree");
	run("tree");
	assert_rows("[7] 70 8");
	assert_int_equal(kit.walks, 1);
}

UNIT_TEST(fold_command_folds_and_unfolds_the_row_of_the_cursor)
{
	make_family();
	run("tree");
	run("down");
	run("fold");
	assert_rows("7 [8]");
	run("fold");
	assert_rows("7 [8] 70");
}

UNIT_TEST(fold_command_on_a_leaf_folds_its_parent)
{
	make_family();
	run("tree");
	run("last");
	assert_rows("7 8 [70]");
	run("fold");
	assert_rows("7 [8]");
}

UNIT_TEST(fold_command_on_who_is_alone_says_so)
{
	run("tree");
	run("fold");
	assert_rows("[7] 70 8");
	assert_string_equal(kit.app.message, "this row has no children");
}

UNIT_TEST(fold_all_takes_the_cursor_to_what_it_is_folded_into)
{
	make_family();
	run("tree");
	run("last");
	run("fold all");
	assert_rows("7 [8]");
	run("fold all");
	assert_rows("7 [8] 70");
}

UNIT_TEST(fold_command_without_a_tree_says_how_to_get_one)
{
	make_family();
	run("fold");
	assert_string_equal(kit.app.message, "folding needs the tree view (t)");
	run("fold all");
	assert_rows("[7] 70 8");
	run("tree");
	assert_rows("[7] 8 70");
}

UNIT_TEST(fold_command_refuses_other_words)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, "fold some", &error));
	assert_string_equal(error.text, "usage: fold [all]");
}

UNIT_TEST(cursor_stays_on_its_task_when_the_tree_comes_and_goes)
{
	make_family();
	run("down");
	assert_rows("7 [70] 8");
	run("tree");
	assert_rows("7 8 [70]");
	run("tree");
	assert_rows("7 [70] 8");
}

UNIT_TEST(kernel_threads_and_exited_can_be_hidden_and_it_is_said)
{
	kit.world.tasks[0].is_kernel_thread = true;
	kit.world.tasks[1].is_exited = true;
	run("kernel-threads");
	assert_rows("[70] 8");
	assert_on_screen("no kernel threads");
	run("exited");
	assert_rows("[8]");
	assert_on_screen("no exited");
	run("kernel-threads");
	run("exited");
	assert_rows("[7] 70 8");
}

UNIT_TEST(rows_can_be_chosen_in_a_configuration)
{
	static const char *const lines[] = {"tree", "fold all", "kernel-threads", "exited"};
	struct error error = {0};

	kit.app.is_starting = true;
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		assert_true(command_configure(&kit.app, lines[i], &error));
	kit.app.is_starting = false;
	assert_true(kit.app.tree && kit.app.row_marks->folds.all);
	assert_true(kit.app.no_kernel_threads && kit.app.no_exited);
}

UNIT_TEST(sort_by_two_columns_holds_until_another_order)
{
	const struct app_view *view = app_current(&kit.app);

	run("sort user,-pid");
	assert_rows("[70] 8 7");
	run("reverse"); /* the first only */
	assert_rows("[70] 8 7");
	run("remove-column user");
	assert_string_equal(view->sort->name, "pid");
	assert_true(view->sort_reversed);
	assert_null(view->then);
	run("sort user,pid");
	run("sort-right");
	assert_null(view->then);
}

UNIT_TEST(filters_are_stacked_and_taken_off_one_by_one)
{
	run("filter nginx");
	run("filter-add cpu% < 25");
	assert_rows("[70]");
	assert_on_screen("filter: nginx · cpu% < 25");
	run("filter-add redis");
	assert_rows("");
	kit.app.message[0] = '\0';
	run("escape");
	assert_rows("[70]");
	run("filter cpu% > 25"); /* in place of the last */
	assert_rows("[7]");
	assert_on_screen("filter: nginx · cpu% > 25");
	run("escape");
	assert_rows("[7] 70");
	run("escape");
	assert_rows("[7] 70 8");
	assert_int_equal(kit.app.filter.length, 0);
	run("filter-add redis"); /* upon nothing */
	assert_string_equal(strbuf_text(&kit.app.filter), "redis");
}

UNIT_TEST(filter_that_is_refused_leaves_the_stack_as_it_was)
{
	struct error error = {0};

	run("filter nginx");
	assert_false(command_run(&kit.app, "filter-add bad > 1", &error));
	assert_int_equal(kit.app.fault, 0); /* of its own text */
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx");
}

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		prompt_mode.key(&kit.app, (uint32_t)*text);
	kit_build();
}

UNIT_TEST(prompt_of_filter_add_narrows_while_typing)
{
	run("filter nginx");
	run("ask filter-add");
	assert_string_equal(prompt_text(&kit.app.prompt), "");
	type("wor");
	assert_rows("[70]");
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx");
	run("ask filter-add");
	type("cpu% <");
	assert_rows(""); /* half of it is text, the filter before still holds */
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_true(kit.app.prompt.is_open); /* refused; it can be mended */
	type(" 25");
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_false(kit.app.prompt.is_open);
	kit_build();
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx\ncpu% < 25");
	assert_rows("[70]");
	/* the last one is what is edited */
	run("ask filter");
	assert_string_equal(prompt_text(&kit.app.prompt), "cpu% < 25");
	prompt_mode.key(&kit.app, KEY_CODE_END);
	type("0");
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx\ncpu% < 250");
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx\ncpu% < 25");
}

UNIT_TEST(tree_is_the_same_on_a_frozen_screen)
{
	make_family();
	playback_freeze(kit.app.playback, true);
	kit_build();
	kit.world.snapshot.task_count = 1;
	run("tree");
	assert_rows("[7] 8 70");
	run("fold all");
	assert_rows("[7] 8");
}

/* All of it works on the copy, while the present has become another. */
UNIT_TEST(frozen_screen_is_sorted_filtered_and_opened)
{
	run("freeze");
	kit.world.snapshot.task_count = 1;
	kit_build();
	assert_rows("[7] 70 8");
	run("sort pid");
	assert_rows("[7] 8 70");
	run("filter nginx");
	assert_rows("[7] 70");
	run("filter-add worker");
	assert_rows("[70]");
	run("follow");
	assert_on_screen("following nginx-worker 70");
	run("task");
	assert_true(kit.app.page->is_open);
	assert_int_equal(kit.app.page->pid, 70);
	page_close(&kit.app);
	run("freeze");
	run("filter");
	run("filter");
	assert_rows("[7]");
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
