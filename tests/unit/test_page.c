/* The page about a task: who it is about, and that it stays up to date. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/key.h"
#include "view/users.h"

#include "fake_app.h"
#include "screen/command.h"
#include "screen/page.h"
#include "screen/pager.h"

static void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
}

static void assert_refused(const char *command, enum error_code code, const char *text)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, command, &error));
	assert_int_equal(error.code, code);
	assert_string_equal(error.text, text);
	assert_false(kit.app.pager->is_open);
}

static int set_up(void **state)
{
	kit_set_up(state);
	kit_keep_history(HISTORY_BLOCK);
	return 0;
}

static void show(const char *view)
{
	char command[40];

	snprintf(command, sizeof(command), "view %s", view);
	run(command);
	kit_build();
}

static void assert_page(const char *title, const char *first_line)
{
	assert_true(kit.app.page->is_open && kit.app.pager->is_open);
	assert_string_equal(kit.app.pager->shown.title, title);
	assert_int_equal(strncmp(kit.app.pager->shown.text, first_line, strlen(first_line)), 0);
}

static void task_of_a_row_is_its_process(void **state)
{
	run("down");
	run("task");
	assert_page("nginx-worker 70 (q: back)", "# page 1 of 70, thread 70\n");
}

static void task_of_a_number_is_that_process(void **state)
{
	run("task 8");
	assert_page("redis 8 (q: back)", "# page 1 of 8, thread 8\n");
}

static void task_of_a_number_that_only_the_history_may_know(void **state)
{
	run("task 55");
	assert_page("55 (q: back)", "# page 1 of 55, thread 55\n");
}

static void task_unknown_or_wrong_is_refused(void **state)
{
	assert_refused("task 950", ERROR_TASK_UNKNOWN, "950: no such task");
	assert_refused("task nginx", ERROR_PID_BAD, "nginx: not a process id");
	assert_refused("task 0", ERROR_PID_BAD, "0: not a process id");
	assert_refused("task 99999999999", ERROR_PID_BAD, "99999999999: not a process id");
}

static void task_where_there_is_none_is_refused(void **state)
{
	show("cpus");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	show("switches");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	show("timeline");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	show("histogram");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
}

static void task_of_a_switch_is_who_left_or_else_who_came(void **state)
{
	const uint64_t sh = told_actor(&kit.told, 30, 31, "sh");
	const uint64_t ls = told_actor(&kit.told, 40, 40, "ls");

	switched(&kit.told, .left = sh, .came = ls, .how = SWITCH_BLOCKED);
	switched(&kit.told, .left = ACTOR_IDLE, .came = ls, .how = SWITCH_IDLE);
	switched(&kit.told, .left = ACTOR_UNKNOWN, .came = ACTOR_IDLE);
	show("switches");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	run("up");
	run("task");
	assert_page("ls 40 (q: back)", "# page 1 of 40, thread 40\n");
	page_close(&kit.app);
	run("up");
	run("task");
	assert_page("sh 31 (q: back)", "# page 2 of 30, thread 31\n");
}

static void task_of_a_pair_is_the_victim(void **state)
{
	const uint64_t sh = told_actor(&kit.told, 30, 30, "sh");
	const uint64_t ls = told_actor(&kit.told, 40, 40, "ls");

	switched(&kit.told, .left = sh, .came = ls, .how = SWITCH_PREEMPTED);
	switched(&kit.told, .left = ls, .came = sh, .how = SWITCH_BLOCKED, .off_ns = TOLD_STEP_NS,
		 .came_preempted = true, .pushed_by = ls);
	run("window all");
	show("pairs");
	run("task");

	assert_page("sh 30 (q: back)", "# page 1 of 30, thread 30\n");
}

static void task_name_can_do_no_harm(void **state)
{
	snprintf(kit.world.tasks[0].name, TASK_NAME_MAX, "a\033[2Jb");
	run("task 7");
	assert_string_equal(kit.app.pager->shown.title, "a\\x1B[2Jb 7 (q: back)");
}

static void page_refreshed_keeps_its_place(void **state)
{
	run("task 7");
	kit.app.pager->shown.top = 12;
	page_refresh(&kit.app);

	assert_page("nginx 7 (q: back)", "# page 2 of 7, thread 7\n");
	assert_int_equal(kit.app.pager->shown.top, 12);
	assert_true(kit.app.needs_drawing);
}

static void page_refreshed_is_called_what_the_task_calls_itself(void **state)
{
	run("task 7");
	snprintf(kit.world.tasks[0].name, TASK_NAME_MAX, "worker");
	page_refresh(&kit.app);

	assert_page("worker 7 (q: back)", "# page 2 of 7, thread 7\n");
}

static void page_of_a_task_that_is_forgotten_stays(void **state)
{
	run("task 7");
	kit.app.page->pid = 950;
	page_refresh(&kit.app);
	assert_page("nginx 7 (q: back)", "# page 1 of 7, thread 7\n");
}

static void page_asks_for_wakeups_once(void **state)
{
	run("task 7");
	run("task 8");
	assert_int_equal(kit.scheduler_asks, 1);
}

static void page_goes_back_by_its_keys_only(void **state)
{
	static const uint32_t back[] = {'q', KEY_CODE_ESCAPE, KEY_CODE_ENTER};

	for (size_t i = 0; i < sizeof(back) / sizeof(back[0]); i++) {
		run("task 7");
		pager_key(&kit.app, 'x');
		assert_true(kit.app.pager->is_open);
		pager_key(&kit.app, KEY_CODE_DOWN);
		assert_int_equal(kit.app.pager->shown.top, 1);
		pager_key(&kit.app, back[i]);
		assert_false(kit.app.pager->is_open);
		assert_false(kit.app.page->is_open);
	}
}

static void page_freezes_and_goes_on(void **state)
{
	run("task 7");
	pager_key(&kit.app, 'Z');
	assert_true(playback_is_frozen(kit.app.playback));
	assert_true(kit.app.pager->is_open);
	page_refresh(&kit.app);
	assert_page("nginx 7 (q: back)", "# page 2 of 7, thread 7\n");
}

static void page_of_a_task_that_was_not_there_then_says_so(void **state)
{
	run("task 7");
	pager_key(&kit.app, 'Z');
	kit.app.page->pid = kit.app.page->tid = 950;
	page_refresh(&kit.app);
	assert_page("nginx 7 (q: back)", "Task 950 was not there in this interval.\n");
	assert_int_equal(kit.app.pager->marks.count, 0);
}

static void help_over_a_page_goes_away_with_any_key(void **state)
{
	run("task 7");
	run("help");
	page_refresh(&kit.app);
	assert_int_equal(strncmp(kit.app.pager->shown.text, "# Keys", 6), 0);
	pager_key(&kit.app, 'x');
	assert_false(kit.app.pager->is_open);
}

/* Otherwise users would stand there as numbers. */
static void page_is_given_the_names_of_users(void **state)
{
	run("task 7");
	assert_non_null(kit.page_users);
	assert_string_equal(users_name(kit.page_users, 0), "root");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(task_of_a_row_is_its_process),
		TEST(task_of_a_number_is_that_process),
		TEST(task_of_a_number_that_only_the_history_may_know),
		TEST(task_unknown_or_wrong_is_refused),
		TEST(task_where_there_is_none_is_refused),
		TEST(task_of_a_switch_is_who_left_or_else_who_came),
		TEST(task_of_a_pair_is_the_victim),
		TEST(task_name_can_do_no_harm),
		TEST(page_refreshed_keeps_its_place),
		TEST(page_refreshed_is_called_what_the_task_calls_itself),
		TEST(page_of_a_task_that_is_forgotten_stays),
		TEST(page_asks_for_wakeups_once),
		TEST(page_goes_back_by_its_keys_only),
		TEST(page_freezes_and_goes_on),
		TEST(page_of_a_task_that_was_not_there_then_says_so),
		TEST(page_is_given_the_names_of_users),
		TEST(help_over_a_page_goes_away_with_any_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
