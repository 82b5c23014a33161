/* The page about a task: who it is about, and that it stays up to date. */

#include "view/names.h"

#include "app_kit.h"
#include "term/key.h"
#include "unit.h"

static void assert_refused(const char *command, enum error_code code, const char *text)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, command, &error));
	assert_int_equal(error.code, code);
	assert_string_equal(error.text, text);
	assert_false(mode_is_open(&kit.app, &page_mode));
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

static struct task_page *page_shown(void)
{
	return kit.app.parts[PART_page];
}

static void assert_page(const char *title, const char *first_line)
{
	assert_true(mode_is_open(&kit.app, &page_mode));
	assert_string_equal(pager_shown()->shown.title, title);
	assert_int_equal(strncmp(pager_shown()->shown.text, first_line, strlen(first_line)), 0);
}

UNIT_TEST(task_of_a_row_is_its_process)
{
	run("down");
	run("task");
	assert_page("nginx-worker 70 (q: back)", "# nginx-worker 70");
}

UNIT_TEST(task_of_a_number_is_that_process)
{
	run("task 8");
	assert_page("redis 8 (q: back)", "# redis 8");
}

UNIT_TEST(task_of_a_number_that_only_the_history_may_know)
{
	switched(&kit.told, .prev = told_actor(&kit.told, 55, 55, "bash"), .next = ACTOR_IDLE);
	run("task 55");
	assert_page("55 (q: back)", "# bash 55");
}

UNIT_TEST(task_unknown_or_wrong_is_refused)
{
	assert_refused("task 950", ERROR_TASK_UNKNOWN, "950: no such task");
	assert_refused("task nginx", ERROR_PID_BAD, "nginx: not a process id");
	assert_refused("task 0", ERROR_PID_BAD, "0: not a process id");
	assert_refused("task 99999999999", ERROR_PID_BAD, "99999999999: not a process id");
}

UNIT_TEST(task_where_there_is_none_is_refused)
{
	show("switches");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	show("timeline");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	show("histogram");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
}

UNIT_TEST(task_of_a_switch_is_who_left_or_else_who_came)
{
	const uint64_t sh = told_actor(&kit.told, 30, 31, "sh");
	const uint64_t ls = told_actor(&kit.told, 40, 40, "ls");

	switched(&kit.told, .prev = sh, .next = ls, .how = SWITCH_BLOCKED);
	switched(&kit.told, .prev = ACTOR_IDLE, .next = ls, .how = SWITCH_IDLE);
	switched(&kit.told, .prev = ACTOR_UNKNOWN, .next = ACTOR_IDLE);
	show("switches");
	assert_refused("task", ERROR_TASK_NONE, "no task selected");
	run("up");
	run("task");
	assert_page("ls 40 (q: back)", "# ls 40");
	pager_close(&kit.app);
	run("up");
	run("task");
	assert_page("sh 31 (q: back)", "# sh 31");
}

UNIT_TEST(task_of_a_pair_is_the_victim)
{
	const uint64_t sh = told_actor(&kit.told, 30, 30, "sh");
	const uint64_t ls = told_actor(&kit.told, 40, 40, "ls");

	switched(&kit.told, .prev = sh, .next = ls, .how = SWITCH_PREEMPTED);
	switched(&kit.told, .prev = ls, .next = sh, .how = SWITCH_BLOCKED, .off_ns = TOLD_STEP_NS,
		 .next_was_preempted = true, .queued_by = ls);
	run("window all");
	show("pairs");
	run("task");

	assert_page("sh 30 (q: back)", "# sh 30");
}

UNIT_TEST(task_name_can_do_no_harm)
{
	kit_task(7)->name = "a\033[2Jb";
	kit_build();
	run("task 7");
	assert_string_equal(pager_shown()->shown.title, "a\\x1B[2Jb 7 (q: back)");
}

UNIT_TEST(page_refreshed_keeps_its_place)
{
	run("task 7");
	pager_shown()->shown.top = 12;
	page_refresh(&kit.app);

	assert_page("nginx 7 (q: back)", "# nginx 7");
	assert_int_equal(pager_shown()->shown.top, 12);
	assert_true(kit.app.needs_drawing);
}

UNIT_TEST(page_refreshed_is_called_what_the_task_calls_itself)
{
	run("task 7");
	kit_task(7)->name = "worker";
	kit_build();
	page_refresh(&kit.app);

	assert_page("worker 7 (q: back)", "# worker 7");
}

UNIT_TEST(page_of_a_task_that_is_forgotten_stays)
{
	run("task 7");
	page_shown()->subject.pid = 950;
	page_refresh(&kit.app);
	assert_page("nginx 7 (q: back)", "# nginx 7");
}

UNIT_TEST(page_asks_for_wakeups_once)
{
	struct error error = {0};

	for (int tid = 7; tid <= 8; tid++) {
		run(tid == 7 ? "task 7" : "task 8");
		assert_true(app_need(&kit.app, 0, &error));
		assert_int_equal(kit.changes, 1);
	}
}

UNIT_TEST(page_goes_back_by_its_keys_only)
{
	static const uint32_t back[] = {'q', KEY_CODE_ESCAPE, KEY_CODE_ENTER};

	for (size_t i = 0; i < COUNT_OF(back); i++) {
		run("task 7");
		mode_top(&kit.app)->key(&kit.app, 'x');
		assert_true(mode_is_open(&kit.app, &page_mode));
		mode_top(&kit.app)->key(&kit.app, KEY_CODE_DOWN);
		assert_int_equal(pager_shown()->shown.top, 1);
		mode_top(&kit.app)->key(&kit.app, back[i]);
		assert_false(mode_is_open(&kit.app, &page_mode));
		assert_false(mode_is_open(&kit.app, &page_mode));
	}
}

UNIT_TEST(page_is_left_for_a_view_by_its_key)
{
	run("task 7");
	mode_top(&kit.app)->key(&kit.app, '3');
	assert_false(mode_is_open(&kit.app, &page_mode));
	assert_false(mode_is_open(&kit.app, &page_mode));
	assert_string_equal(app_current(&kit.app)->info->name, "switches");
}

UNIT_TEST(page_is_left_for_a_command)
{
	run("task 7");
	mode_top(&kit.app)->key(&kit.app, ':');
	assert_false(mode_is_open(&kit.app, &page_mode));
	assert_true(mode_is_open(&kit.app, &prompt_mode));
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
}

UNIT_TEST(page_of_help_is_left_for_a_view_by_its_key)
{
	run("help");
	mode_top(&kit.app)->key(&kit.app, '3');
	assert_false(mode_is_open(&kit.app, &pager_mode));
	assert_string_equal(app_current(&kit.app)->info->name, "switches");
}

UNIT_TEST(page_scrolls_up_from_its_last_screenful)
{
	run("task 7");
	pager_shown()->shown.bottom = 5; /* as drawn */
	mode_top(&kit.app)->key(&kit.app, KEY_CODE_END);
	mode_top(&kit.app)->key(&kit.app, KEY_CODE_UP);
	assert_int_equal(pager_shown()->shown.top, 4);
}

UNIT_TEST(page_freezes_and_goes_on)
{
	run("task 7");
	mode_top(&kit.app)->key(&kit.app, 'Z');
	assert_true(playback_is_frozen(kit.app.playback));
	assert_true(mode_is_open(&kit.app, &page_mode));
	page_refresh(&kit.app);
	assert_page("nginx 7 (q: back)", "# nginx 7");
}

UNIT_TEST(page_of_a_task_that_was_not_there_then_says_so)
{
	run("task 7");
	mode_top(&kit.app)->key(&kit.app, 'Z');
	page_shown()->subject.pid = page_shown()->subject.tid = 950;
	page_refresh(&kit.app);
	assert_page("nginx 7 (q: back)", "Task 950 was not there in this interval.\n");
	assert_int_equal(pager_shown()->marks.count, 0);
}

UNIT_TEST(help_over_a_page_leads_back_to_it)
{
	run("task 7");
	run("help");
	page_refresh(&kit.app);
	assert_true(mode_top(&kit.app) == &help_mode);
	mode_top(&kit.app)->key(&kit.app, 'q');
	assert_true(mode_top(&kit.app) == &page_mode);
}

/* Otherwise users would stand there as numbers. */
UNIT_TEST(page_is_given_the_names_of_users)
{
	run("task 7");
	assert_non_null(strstr(pager_shown()->shown.text, "user root"));
}

int main(void)
{
	return unit_run(set_up, kit_tear_down);
}
