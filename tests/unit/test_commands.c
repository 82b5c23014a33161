/* The commands, each on an app without terminal and kernel. */

#include "kernel/load.h"

#include "command/commands.h"
#include "fake_app.h"
#include "mode/compose_frame.h"
#include "mode/keys.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "term/key.h"
#include "term/theme.h"
#include "unit.h"

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
}

static const struct view_row *cursor_row(void)
{
	return app_row(&kit.app);
}

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		prompt_mode.key(&kit.app, (uint32_t)*text);
}

UNIT_TEST(command_run_nothing_does_nothing)
{
	run("");
	run("   ");
	assert_false(kit.app.needs_build);
}

UNIT_TEST(command_run_unknown_is_named)
{
	assert_refused("fly away", ERROR_COMMAND_UNKNOWN, "fly: unknown command");
	assert_refused("sor", ERROR_COMMAND_AMBIGUOUS,
		       "sor: could be sort, sort-left, sort-menu, sort-right");
	assert_refused("0123456789012345678901234567890123456789", ERROR_COMMAND_UNKNOWN,
		       "0123456789012345678901234567890: unknown command");
}

UNIT_TEST(command_run_takes_a_beginning_that_is_no_others)
{
	struct error error = {0};

	assert_refused("filt", ERROR_COMMAND_AMBIGUOUS, "filt: could be filter, filter-add");
	run("vie cpus");
	assert_string_equal(app_current(&kit.app)->info->name, "cpus");
	assert_refused("q now", ERROR_COMMAND_USAGE, "usage: quit ");
	error = (struct error){0};
	assert_true(command_run(&kit.app, "q", &error));
	assert_int_equal(error.code, ERROR_NONE);
	assert_true(kit.app.is_over);
	assert_false(command_configure(&kit.app, "them dark", &error));
}

UNIT_TEST(command_run_without_its_argument_tells_the_usage)
{
	assert_refused("ask", ERROR_COMMAND_USAGE, "usage: ask PROMPT");
	assert_refused("delay", ERROR_COMMAND_USAGE, "usage: delay SECONDS");
	assert_refused("sort", ERROR_COMMAND_USAGE, "usage: sort [-|+]COLUMN,...");
	assert_refused("view", ERROR_COMMAND_USAGE, "usage: view VIEW");
	assert_refused("width", ERROR_COMMAND_USAGE, "usage: width COLUMN [N]");
}

UNIT_TEST(command_run_with_an_argument_too_many_tells_the_usage)
{
	assert_refused("quit now", ERROR_COMMAND_USAGE, "usage: quit ");
}

UNIT_TEST(command_run_blanks_around_words_are_no_words)
{
	run("  threads  ");
	assert_true(kit.app.threads);
	run("sort   ipc");
	assert_string_equal(app_current(&kit.app)->sort->name, "ipc");
}

/* Each is run or refused for want of an argument; none is unknown to itself. */
UNIT_TEST(command_table_is_sorted_and_complete)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
			!!table[i].run + !!table[i].step + (table[i].switches || table[i].act), 1);
		assert_true(table[i].help[0] != '\0');
		assert_non_null(table[i].argument);
		assert_true(strlen(table[i].name) < 32);
		if (i > 0)
			assert_true(strcmp(table[i - 1].name, table[i].name) < 0);
	}
}

UNIT_TEST(all_lets_go_of_what_was_attached)
{
	run("attach 7");
	assert_int_equal(kit.app.attached.count, 1);
	kit.app.needs_build = false;
	run("all");

	assert_int_equal(kit.app.attached.count, 0);
	assert_true(kit.app.needs_build);
	assert_string_equal(kit.app.message, "all tasks");
}

UNIT_TEST(columns_chooses_and_takes_back)
{
	run("columns pid,ipc");
	assert_int_equal(app_current(&kit.app)->columns.count, 2);
	assert_refused("columns pid,bad", ERROR_COLUMN_UNKNOWN, "bad: unknown column");
	assert_int_equal(app_current(&kit.app)->columns.count, 2);
	run("columns");

	assert_int_equal(app_current(&kit.app)->columns.count, 0);
}

UNIT_TEST(command_lines_goes_there_and_back)
{
	run("command-lines");
	assert_int_equal(kit.app.command_lines, COMMAND_LINES_ON);
	assert_true(kit.app.needs_build);
	run("command-lines");
	assert_int_equal(kit.app.command_lines, COMMAND_LINES_OFF);
	run("command-lines on");
	assert_true(app_shows_command_lines(&kit.app));
	run("command-lines off");
	assert_false(app_shows_command_lines(&kit.app));
}

UNIT_TEST(delay_of_a_recording_is_refused)
{
	kit.replay_length = 3;
	assert_refused("delay 0.5", ERROR_REPLAY_DELAY,
		       "the interval of a recording is fixed at the start");
}

UNIT_TEST(delay_sets_the_interval)
{
	run("delay 0.5");
	assert_true(kit.app.delay_s == 0.5);
	assert_refused("delay 0", ERROR_NUMBER_BAD, "0: delay must be 0.05 to 86400 seconds");
	assert_true(kit.app.delay_s == 0.5);
}

UNIT_TEST(machine_line_goes_there_and_back)
{
	run("machine-line");
	assert_true(kit.app.has_machine_line);
	run("machine-line");
	assert_false(kit.app.has_machine_line);
	run("machine-line on");
	assert_true(kit.app.has_machine_line);
	assert_refused("machine-line yes", ERROR_COMMAND_USAGE, "usage: machine-line [on|off]");
	run("machine-line off");
	assert_false(kit.app.has_machine_line);
}

UNIT_TEST(machine_line_is_in_the_units_of_top)
{
	const struct load load = {
		.runnable = {0.5, 1.255, 12},
		.memory_bytes = UINT64_C(24) << 30,
		.memory_used_bytes = UINT64_C(3) << 30,
		.swap_used_bytes = 0,
		.uptime_s = 93784,
	};
	char text[128];

	appearance_write_machine(&load, text, sizeof(text));
	assert_string_equal(
		text, "load 0.50 1.25 12.00   memory 3.0G of 24.0G   swap 0 of 0   up 1 d 2:03");
}

UNIT_TEST(cpu_strips_chooses_and_goes_round)
{
	static const char *const said[] = {"miss", "off", "busy", "ipc"};

	run("cpu-strips ipc");
	assert_int_equal(kit.app.appearance->strips, CPU_METERS_IPC);
	assert_refused("cpu-strips mean", ERROR_COMMAND_USAGE,
		       "usage: cpu-strips [busy|ipc|miss|off]");
	assert_int_equal(kit.app.appearance->strips, CPU_METERS_IPC);
	for (size_t i = 0; i < COUNT_OF(said); i++) {
		char words[48];

		run("cpu-strips");
		snprintf(words, sizeof(words), "CPU bars: %s", said[i]);
		assert_string_equal(kit.app.message, words);
	}
	assert_int_equal(kit.app.appearance->strips, CPU_METERS_IPC);
}

UNIT_TEST(cursor_moves_over_the_rows)
{
	assert_int_equal(cursor_row()->pid, 7);
	run("down");
	assert_int_equal(cursor_row()->pid, 70);
	assert_true(kit.app.needs_drawing);
	run("up");
	assert_int_equal(cursor_row()->pid, 7);
	run("last");
	assert_int_equal(cursor_row()->pid, 8);
	run("first");
	assert_int_equal(cursor_row()->pid, 7);
	app_current(&kit.app)->list.page = 2;
	run("page-down");
	assert_int_not_equal(cursor_row()->pid, 7);
	run("page-up");
	assert_int_equal(cursor_row()->pid, 7);
}

UNIT_TEST(escape_takes_back_the_message_then_the_filter)
{
	run("filter nginx");
	app_say(&kit.app, true, "something");
	run("escape");
	assert_string_equal(kit.app.message, "");
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx");
	run("escape");
	assert_string_equal(strbuf_text(&kit.app.filter), "");
}

UNIT_TEST(filter_keeps_its_blanks)
{
	run("filter nginx -g");
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx -g");
	assert_true(kit.app.needs_build);
	run("filter");
	assert_string_equal(strbuf_text(&kit.app.filter), "");
}

static size_t rows_shown(void)
{
	kit_build();
	return view_table_row_count(kit.app.table);
}

UNIT_TEST(filter_compares_columns)
{
	run("filter cpu% >= 20 && command ~ \"^nginx\"");
	assert_int_equal(rows_shown(), 2);
	run("filter !nginx");
	assert_int_equal(rows_shown(), 1);
}

UNIT_TEST(filter_refused_leaves_the_one_before)
{
	run("filter nginx");
	assert_refused("filter cpu% > ", ERROR_FILTER_EXPECTED, "expected a value");
	assert_int_equal(kit.app.fault, 7);
	assert_string_equal(strbuf_text(&kit.app.filter), "nginx");
}

UNIT_TEST(filter_says_what_the_machine_refuses)
{
	run("filter refused > 5");
	assert_string_equal(kit.app.message, "refused: not counted: the test says so");
	assert_int_equal(rows_shown(), 0);
}

UNIT_TEST(freeze_keeps_what_is_shown)
{
	run("freeze");
	assert_true(playback_is_frozen(kit.app.playback));
	assert_ptr_equal(app_snapshot(&kit.app), kit.app.playback->frozen);
	assert_int_equal(playback_snapshot(kit.app.playback)->task_count, 3);
	run("freeze");

	assert_false(playback_is_frozen(kit.app.playback));
	assert_ptr_equal(app_snapshot(&kit.app), &kit.world.snapshot);
}

UNIT_TEST(help_opens_the_pager)
{
	run("help");
	assert_true(mode_is_open(&kit.app, &pager_mode));
	assert_non_null(strstr(strbuf_text(&kit.app.pager->text), "# Keys"));
}

static void page(const char *keys)
{
	for (; *keys != '\0'; keys++)
		mode_top(&kit.app)->key(&kit.app, (uint32_t)*keys);
}

/* Whether the first line of the help in sight has the words. */
static bool top_has(const char *words)
{
	struct pager_text shown = kit.app.pager->shown;
	size_t line;

	shown.words = words;
	return pager_text_find(&shown, kit.app.screen.width, shown.top, false, &line) &&
	       line == shown.top;
}

UNIT_TEST(help_is_searched)
{
	size_t first;

	screen_resize(&kit.app.screen, 80, 24);
	run("help");
	page("/sort m");
	assert_true(top_has("sort miss%"));
	assert_true(kit.app.pager->search.is_open);
	mode_top(&kit.app)->key(&kit.app, KEY_CODE_ESCAPE);
	assert_int_equal(kit.app.pager->shown.top, 0);
	assert_true(mode_is_open(&kit.app, &pager_mode));

	page("/signal\r");
	first = kit.app.pager->shown.top;
	assert_true(top_has("signal"));
	page("n");
	assert_true(top_has("signal"));
	assert_true(kit.app.pager->shown.top > first);
	page("N");
	assert_int_equal(kit.app.pager->shown.top, first);
	page("/no such words\r");
	assert_string_equal(kit.app.message, "no match for \"no such words\"");
	page("q");
	assert_false(mode_is_open(&kit.app, &pager_mode));
}

UNIT_TEST(idle_asks_proc_who_is_there)
{
	run("idle");
	assert_true(kit.app.idle_tasks);
	assert_int_equal(kit.walks, 1);
	run("idle");

	assert_false(kit.app.idle_tasks);
	assert_int_equal(kit.walks, 1);
}

UNIT_TEST(idle_among_chosen_tasks_asks_nobody)
{
	kit.source.session.scope = SCOPE_TASKS;
	run("idle");

	assert_true(kit.app.idle_tasks);
	assert_int_equal(kit.walks, 0);
}

UNIT_TEST(views_follow_each_other_in_a_ring)
{
	run("next-view");
	assert_int_equal(kit.app.view, 1);
	assert_true(kit.app.needs_build);
	for (size_t i = 2; i < kit.app.view_count; i++)
		run("next-view");
	assert_int_equal(kit.app.view, kit.app.view_count - 1);
	run("next-view");
	assert_int_equal(kit.app.view, 0);
	run("previous-view");
	assert_int_equal(kit.app.view, kit.app.view_count - 1);
	run("view tasks");
	assert_int_equal(kit.app.view, 0);
}

UNIT_TEST(view_unknown_lists_those_there_are)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, "view moon", &error));
	assert_int_equal(error.code, ERROR_VIEW_UNKNOWN);
	assert_non_null(strstr(error.remedy, "tasks, cpus"));
	assert_int_equal(kit.app.view, 0);
}

UNIT_TEST(quit_ends_the_loop)
{
	run("quit");
	loop_run(kit.app.loop); /* would wait for ever */
}

UNIT_TEST(quit_asks_twice_while_the_command_runs)
{
	static char name[] = "sleep", time[] = "100";
	static char *const command[] = {name, time, NULL};

	kit.options.command = command;
	assert_true(child_prepare(&kit.engine.child, command, false, NULL));
	assert_true(child_start(&kit.engine.child, name, NULL));
	run("quit");
	assert_string_equal(kit.app.message, "sleep still runs; q again ends it (SIGTERM)");
	run("quit");
	child_finish(&kit.engine.child);

	assert_int_equal(kit.engine.child.exit_status, 128 + 15);
}

UNIT_TEST(redraw_paints_everything)
{
	run("redraw");
	assert_int_equal(kit.repaints, 1);
	assert_true(kit.app.needs_drawing);
}

UNIT_TEST(reverse_turns_the_order)
{
	run("reverse");
	assert_true(app_current(&kit.app)->sort_reversed);
	kit_build();
	run("first");
	assert_int_equal(cursor_row()->pid, 8);
	run("reverse");
	assert_false(app_current(&kit.app)->sort_reversed);
}

UNIT_TEST(scroll_moves_columns)
{
	run("scroll-right");
	assert_int_equal(app_current(&kit.app)->list.scroll, 1);
	run("scroll-left");
	assert_int_equal(app_current(&kit.app)->list.scroll, 0);
	run("scroll-left");
	assert_int_equal(app_current(&kit.app)->list.scroll, 0);
}

UNIT_TEST(search_finds_the_next_and_goes_round)
{
	run("search NGINX");
	assert_int_equal(cursor_row()->pid, 7);
	run("search-next");
	assert_int_equal(cursor_row()->pid, 70);
	run("search-next");
	assert_int_equal(cursor_row()->pid, 7);
	run("search 8");
	assert_int_equal(cursor_row()->pid, 8);
}

UNIT_TEST(search_finds_a_command_line_that_is_not_shown)
{
	run("last");
	run("search -g x");
	assert_int_equal(cursor_row()->pid, 7);
}

UNIT_TEST(search_without_a_match_says_so_and_stays)
{
	run("down");
	run("search apache");
	assert_string_equal(kit.app.message, "no match for \"apache\" (i: include idle tasks)");
	assert_true(kit.app.message_is_error);
	assert_int_equal(cursor_row()->pid, 70);
}

UNIT_TEST(search_next_without_words_asks_for_them)
{
	run("search-next");
	assert_true(kit.app.prompt.is_open);
	assert_string_equal(kit.app.prompt.label, "Search");
}

UNIT_TEST(search_in_no_rows_says_so)
{
	kit.world.snapshot.task_count = 0;
	kit_build();
	run("search nginx");
	assert_true(kit.app.message_is_error);
}

UNIT_TEST(sort_takes_signs)
{
	run("sort +ipc");
	assert_string_equal(app_current(&kit.app)->sort->name, "ipc");
	assert_true(app_current(&kit.app)->sort_reversed);
	assert_refused("sort bad", ERROR_COLUMN_UNKNOWN, "bad: unknown column");
	assert_string_equal(app_current(&kit.app)->sort->name, "ipc");
}

UNIT_TEST(sort_left_and_right_move_over_the_columns)
{
	run("columns pid,ipc,time");
	run("sort ipc");
	kit_build();
	run("sort-right");
	assert_string_equal(app_current(&kit.app)->sort->name, "time");
	kit_build();
	run("sort-right");
	assert_string_equal(app_current(&kit.app)->sort->name, "pid");
	kit_build();
	run("sort-left");
	assert_string_equal(app_current(&kit.app)->sort->name, "time");
	kit_build();
	run("sort-left");
	assert_string_equal(app_current(&kit.app)->sort->name, "ipc");
}

UNIT_TEST(sort_from_a_column_not_shown_goes_to_one_that_is)
{
	const struct app_view *view = app_current(&kit.app);

	run("columns pid,ipc");
	run("sort time");
	kit_build();
	run("sort-right");

	assert_true(strcmp(view->sort->name, "pid") == 0 || strcmp(view->sort->name, "ipc") == 0);
}

UNIT_TEST(theme_is_kept_for_the_screen)
{
	run("theme light");
	assert_ptr_equal(kit.app.appearance->theme, theme_find("light"));
	assert_refused("theme pink", ERROR_THEME_UNKNOWN, "pink: unknown theme");
	assert_ptr_equal(kit.app.appearance->theme, theme_find("light"));
	run("theme");
	assert_ptr_equal(kit.app.appearance->theme, theme_find("mono"));
}

UNIT_TEST(trend_is_no_order)
{
	run("columns pid,ipc,trend,time");
	assert_refused("sort -trend", ERROR_COLUMN_NO_ORDER,
		       "trend: cannot sort by it; it shows the sort column");
	assert_int_equal(kit.app.fault, 1);
	run("sort ipc");
	kit_build();
	run("sort-right");
	assert_string_equal(app_current(&kit.app)->sort->name, "time");
	kit_build();
	run("sort-left");
	assert_string_equal(app_current(&kit.app)->sort->name, "ipc");
	run("columns trend");
	kit_build();
	run("sort-right");
	assert_string_equal(app_current(&kit.app)->sort->name, "ipc");
}

UNIT_TEST(trend_joins_the_views_of_tasks_and_cpus)
{
	appearance_add_columns(&kit.app);
	for (size_t i = 0; i < kit.app.view_count; i++) {
		const struct app_view *view = &kit.app.views[i];
		const bool wants = strcmp(view->info->name, "tasks") == 0 ||
				   strcmp(view->info->name, "cpus") == 0;

		assert_int_equal(view->extras.count, wants);
	}
}

UNIT_TEST(threads_goes_there_and_back)
{
	run("threads");
	assert_true(kit.app.threads);
	assert_string_equal(kit.app.message, "showing threads");
	run("threads");
	assert_false(kit.app.threads);
	assert_string_equal(kit.app.message, "showing processes");
}

UNIT_TEST(user_chooses_and_takes_back)
{
	run("user root");
	assert_int_equal(kit.app.uid, 0);
	assert_refused("user no-such-user", ERROR_USER_UNKNOWN, "no-such-user: unknown user");
	assert_int_equal(kit.app.uid, 0);
	run("user all");
	assert_int_equal(kit.app.uid, -1);
	run("user root");
	run("user");
	assert_int_equal(kit.app.uid, -1);
}

UNIT_TEST(ask_opens_each_prompt)
{
	static const char *const names[] = {"attach", "column", "command", "delay", "event",
					    "filter", "metric", "search",  "user"};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char text[32];

		snprintf(text, sizeof(text), "ask %s", names[i]);
		run(text);
		assert_true(kit.app.prompt.is_open);
		assert_string_equal(kit.app.prompt_info->name, names[i]);
		prompt_close(&kit.app.prompt);
	}
	assert_refused("ask why", ERROR_COMMAND_USAGE,
		       "usage: ask affinity|attach|column|command|delay|event|filter|filter-add|"
		       "hand-over|jump|metric|nice|record|search|user");
}

UNIT_TEST(prompt_of_command_runs_what_was_typed)
{
	run("ask command");
	type("threads\r");

	assert_true(kit.app.threads);
	assert_false(kit.app.prompt.is_open);
}

UNIT_TEST(prompt_refused_stays_open_with_the_reason)
{
	run("ask delay");
	type("soon\r");

	assert_true(kit.app.prompt.is_open);
	assert_string_equal(kit.app.prompt.error, "soon: delay must be 0.05 to 86400 seconds");
	assert_string_equal(prompt_text(&kit.app.prompt), "soon");
}

UNIT_TEST(prompt_of_command_may_open_another)
{
	run("ask command");
	type("ask delay\r");

	assert_true(kit.app.prompt.is_open);
	assert_string_equal(kit.app.prompt_info->name, "delay");
}

/* It stays the prompt of commands, with the reason. */
UNIT_TEST(prompt_of_command_may_ask_in_vain)
{
	kit.replay_length = 3;
	run("ask command");
	type("ask nice\r");
	assert_true(kit.app.prompt.is_open);
	assert_string_equal(kit.app.prompt_info->name, "command");
	assert_true(kit.app.prompt.error[0] != '\0');
	prompt_mode.key(&kit.app, 21); /* ^U */
	type("view cpus\r");
	assert_false(kit.app.prompt.is_open);
	assert_string_equal(app_current(&kit.app)->info->name, "cpus");
}

UNIT_TEST(prompt_of_search_left_says_no_more_of_it)
{
	run("ask search");
	type("nobody-is-called-so");
	assert_string_not_equal(kit.app.message, "");
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_false(kit.app.prompt.is_open);
	assert_string_equal(kit.app.message, "");
}

UNIT_TEST(prompt_of_filter_is_live_and_escape_takes_it_back)
{
	run("filter old");
	run("ask filter");
	assert_string_equal(prompt_text(&kit.app.prompt), "old");
	prompt_mode.key(&kit.app, KEY_CODE_END);
	type("er");
	assert_string_equal(strbuf_text(&kit.app.filter), "older");
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);

	assert_string_equal(strbuf_text(&kit.app.filter), "old");
	assert_false(kit.app.prompt.is_open);
}

UNIT_TEST(prompt_of_filter_over_a_log_waits_for_its_end)
{
	run("view switches");
	run("filter sh");
	run("ask filter");
	prompt_mode.key(&kit.app, KEY_CODE_END);
	type("x");
	assert_string_equal(strbuf_text(&kit.app.filter), "sh");
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_string_equal(strbuf_text(&kit.app.filter), "sh");
	run("ask filter");
	prompt_mode.key(&kit.app, KEY_CODE_END);
	type("x");
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_string_equal(strbuf_text(&kit.app.filter), "shx");
}

UNIT_TEST(prompt_of_filter_shows_half_an_expression_as_text)
{
	size_t fault;

	run("ask filter");
	type("nginx && cpu% >");
	assert_int_equal(rows_shown(), 0);
	assert_string_equal(view_table_filter_fault(kit.app.table, &fault), "expected a value");
	assert_int_equal(fault, 15);
	type(" 25");
	assert_int_equal(rows_shown(), 1);
	assert_string_equal(view_table_filter_fault(kit.app.table, &fault), "");
	assert_int_equal(kit.needed, 0);
	type("\r");
	assert_false(kit.app.prompt.is_open);
	assert_int_equal(kit.needed, 1);
}

UNIT_TEST(prompt_refused_filter_has_the_cursor_at_the_fault)
{
	run("filter redis");
	run("ask filter");
	prompt_mode.key(&kit.app, KEY_CODE_END);
	type(" || ipc <\r");
	assert_true(kit.app.prompt.is_open);
	assert_int_equal(kit.app.prompt.cursor, 14);
	assert_true(kit.app.prompt.has_fault);
	assert_non_null(strstr(kit.app.prompt.error, "expected a value"));
	type("\033");
	assert_string_equal(strbuf_text(&kit.app.filter), "redis");
}

UNIT_TEST(prompt_of_search_is_live)
{
	run("ask search");
	type("red");
	assert_int_equal(cursor_row()->pid, 8);
}

UNIT_TEST(prompt_of_attach_shows_who_matches)
{
	run("ask attach");
	type("ngi");
	assert_int_equal(kit.app.candidate_count, 2);
	assert_int_equal(kit.app.candidate_pids[0], 7);
	assert_string_equal(strbuf_text(&kit.app.candidates[0]), "       7  /usr/sbin/nginx -g x");
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_int_equal(kit.app.candidate_count, 0);
}

/* The cursor stands where the fault is, whichever prompt it was typed into. */
UNIT_TEST(prompt_refused_event_has_the_cursor_at_the_fault)
{
	run("ask event");
	type("cycles,bad\r");
	assert_true(kit.app.prompt.is_open);
	assert_string_equal(prompt_text(&kit.app.prompt), "cycles,bad");
	assert_true(kit.app.prompt.has_fault);
	assert_int_equal(kit.app.prompt.cursor, 7);
	prompt_close(&kit.app.prompt);
	run("ask command");
	type("event  cycles,bad\r");
	assert_int_equal(kit.app.prompt.cursor, 14);
	assert_non_null(strstr(kit.app.prompt.error, "bad"));
}

UNIT_TEST(prompt_refused_metric_has_the_cursor_at_the_fault)
{
	run("ask metric");
	type("double = 2 * (cycles\r");
	assert_true(kit.app.prompt.is_open);
	assert_true(kit.app.prompt.has_fault);
	assert_int_equal(kit.app.prompt.cursor, 20);
}

UNIT_TEST(prompt_refused_without_a_place_has_no_fault)
{
	run("ask command");
	type("delay never\r");
	assert_false(kit.app.prompt.has_fault);
	assert_int_equal(kit.app.prompt.cursor, 11);
}

UNIT_TEST(command_is_setting_only_what_makes_sense_in_a_file)
{
	struct error error = {0};

	assert_true(command_is_setting(&command_table, "metric a = b", &error));
	assert_true(command_is_setting(&command_table, "sort ipc", &error));
	assert_false(command_is_setting(&command_table, "quit", &error));
	assert_int_equal(error.code, ERROR_CONFIG_COMMAND);
	assert_false(command_is_setting(&command_table, "nonsense", &error));
	assert_int_equal(error.code, ERROR_COMMAND_UNKNOWN);
}

UNIT_TEST(command_configure_says_where_in_the_text)
{
	struct error error = {0};

	assert_false(command_configure(&kit.app, "event cycles,bad", &error));
	assert_non_null(strstr(error.text, "character 8 of 'cycles,bad'"));
	assert_false(command_configure(&kit.app, "quit", &error));
	assert_false(kit.app.is_over);
}

/* Every key's command runs here, or opens what it is to open. */
UNIT_TEST(keys_commands_all_run)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);

	kit.threads[0] = 7;
	kit.thread_count = 1;
	for (size_t i = 0; i < count; i++) {
		run("view tasks");
		kit_build();
		run(table[i].command);
		kit_build();
		prompt_close(&kit.app.prompt);
	}
}

/* Each number is the view whose tab has it. */
UNIT_TEST(numbers_are_keys_of_the_views)
{
	for (size_t i = 0; i < kit.app.view_count; i++) {
		run(keys_command((uint32_t)('1' + i)));
		assert_int_equal(kit.app.view, i);
	}
}

UNIT_TEST(sort_where_the_order_is_fixed_says_so)
{
	static const char *const orders[] = {"sort ipc", "sort-left", "sort-right", "reverse"};

	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		run("view switches");
		kit_build();
		kit.app.message[0] = '\0';
		run(orders[i]);
		assert_string_equal(kit.app.message, "switches are in time order; stopped (Z) they "
						     "sort by ran, off-cpu and sch-delay");
		assert_null(app_current(&kit.app)->sort);
		assert_false(app_current(&kit.app)->sort_reversed);
		run("view timeline");
		run(orders[i]);
		assert_string_equal(kit.app.message,
				    "CPUs are always in the order of their numbers");
	}
}

UNIT_TEST(zoom_and_colour_are_bound)
{
	assert_string_equal(keys_command('['), "zoom-in");
	assert_string_equal(keys_command(']'), "zoom-out");
	assert_string_equal(keys_command('o'), "colour");
	assert_string_equal(keys_command('W'), "window");
	assert_string_equal(keys_command('b'), "by");
	assert_string_equal(keys_command(KEY_CODE_ENTER), "task");
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
