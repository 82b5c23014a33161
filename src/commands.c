#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/text.h"
#include "model/session.h"
#include "options.h"
#include "ui/key.h"
#include "view/column.h"
#include "view/users.h"

#include "attach.h"
#include "help.h"
#include "lend.h"
#include "pager.h"
#include "player.h"
#include "saving.h"
#include "shown.h"

static const char blanks[] = " \t";

static bool open_prompt(struct app *app, const char *name, struct error *error);

static bool run_quit(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app_quit(app);
	return true;
}

static bool run_help(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	help_write(&app->pager_text, app->chooser.columns, app->engine.metric_set);
	app->page.is_open = false;
	pager_open(app, "Help (q: back, arrows and page keys: scroll)");
	return true;
}

static bool run_attach(struct app *app, const char *argument, struct error *error)
{
	return attach_to(app, argument, error);
}

static bool run_all(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	attach_to_all(app);
	app_say(app, false, "all tasks");
	return true;
}

/* If so, says it. */
static bool has_fixed_order(struct app *app)
{
	const char *order = app_current(app)->info->fixed_order;

	if (order != NULL)
		app_say(app, false, "%s", order);
	return order != NULL;
}

static bool run_sort(struct app *app, const char *argument, struct error *error)
{
	if (has_fixed_order(app))
		return true;
	return shown_sort(app, argument, error);
}

/* Sorts by the column `by` places from the one sorted by now; a column that is not shown counts as
 * the first. */
static bool move_sort(struct app *app, int by)
{
	struct app_view *view = app_current(app);
	int count = (int)view_table_column_count(app->table);
	bool descends;
	const struct column *sort = view_table_sort(app->table, &descends);

	if (count == 0 || has_fixed_order(app))
		return true;
	for (int i = 0; i < count; i++) {
		if (view_table_column(app->table, (size_t)i) != sort && i != count - 1)
			continue;
		view->sort = view_table_column(app->table, (size_t)((i + by + count) % count));
		view->sort_reversed = false;
		break;
	}
	app->needs_build = true;
	return true;
}

static bool run_sort_left(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_sort(app, -1);
}

static bool run_sort_right(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_sort(app, 1);
}

static bool run_reverse(struct app *app, const char *argument, struct error *error)
{
	struct app_view *view = app_current(app);

	(void)argument;
	(void)error;
	if (has_fixed_order(app))
		return true;
	view->sort_reversed = !view->sort_reversed;
	app->needs_build = true;
	return true;
}

static bool run_search(struct app *app, const char *argument, struct error *error)
{
	(void)error;
	search_for(app, argument);
	return true;
}

static bool run_search_next(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	if (app->search.words.length == 0)
		return open_prompt(app, "search", error);
	search_next(app);
	return true;
}

/* One that is still being typed, or held before. */
static void set_filter(struct app *app, const char *text)
{
	strbuf_clear(&app->filter);
	strbuf_add(&app->filter, text);
	app->needs_build = true;
}

static bool run_filter(struct app *app, const char *argument, struct error *error)
{
	return shown_filter(app, argument, error);
}

static bool run_threads(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app->threads = !app->threads;
	app->needs_build = true;
	app_say(app, false, app->threads ? "a row for each thread" : "a row for each process");
	return true;
}

/* Tasks that have slept since the start are known to nobody but /proc. */
static void introduce_all(struct app *app)
{
	if (engine_session(&app->engine)->scope == SCOPE_SYSTEM)
		engine_introduce(&app->engine, 0);
}

static bool run_idle(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app->idle_tasks = !app->idle_tasks;
	if (app->idle_tasks)
		introduce_all(app);
	app->needs_build = true;
	app_say(app, false, app->idle_tasks ? "idle tasks too" : "only tasks that ran");
	return true;
}

static bool run_command_lines(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app->command_lines = !app->command_lines;
	app->needs_build = true;
	return true;
}

static bool run_user(struct app *app, const char *argument, struct error *error)
{
	int64_t uid = -1;

	if (argument[0] != '\0' && strcmp(argument, "all") != 0) {
		uid = users_find(argument);
		if (uid < 0)
			return error_set(error, ERROR_USER_UNKNOWN, argument, NULL);
	}
	app->uid = uid;
	app->needs_build = true;
	return true;
}

static bool run_delay(struct app *app, const char *argument, struct error *error)
{
	double delay_s;

	return options_parse_delay(argument, &delay_s, error) && app_set_delay(app, delay_s, error);
}

static bool run_freeze(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	player_toggle(app);
	return true;
}

static bool run_view(struct app *app, const char *argument, struct error *error)
{
	char names[256];

	for (size_t i = 0; i < app->view_count; i++) {
		if (strcmp(app->views[i].info->name, argument) == 0) {
			app_show_view(app, i);
			return true;
		}
	}
	view_names(names, sizeof(names));
	return error_set(error, ERROR_VIEW_UNKNOWN, argument, names);
}

static bool run_next_view(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app_show_view(app, (app->view + 1) % app->view_count);
	return true;
}

static bool run_previous_view(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app_show_view(app, (app->view + app->view_count - 1) % app->view_count);
	return true;
}

static bool run_columns(struct app *app, const char *argument, struct error *error)
{
	return shown_set_columns(app, argument, error);
}

static bool run_column(struct app *app, const char *argument, struct error *error)
{
	return shown_add_columns(app, argument, error);
}

static bool run_remove_column(struct app *app, const char *argument, struct error *error)
{
	return shown_remove_column(app, argument, error);
}

static bool run_event(struct app *app, const char *argument, struct error *error)
{
	return shown_add_events(app, argument, error);
}

static bool run_remove_event(struct app *app, const char *argument, struct error *error)
{
	return shown_remove_event(app, argument, error);
}

static bool run_metric(struct app *app, const char *argument, struct error *error)
{
	return shown_add_metric(app, argument, error);
}

static bool run_events(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	browser_open(app);
	return true;
}

static bool move_cursor(struct app *app, enum list_motion motion)
{
	if (strips_are_shown(app)) {
		strips_move(app, motion);
		return true;
	}
	list_move(&app_current(app)->list, app->table, motion);
	app->needs_drawing = true;
	return true;
}

static bool run_up(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_cursor(app, LIST_UP);
}

static bool run_down(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_cursor(app, LIST_DOWN);
}

static bool run_page_up(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_cursor(app, LIST_PAGE_UP);
}

static bool run_page_down(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_cursor(app, LIST_PAGE_DOWN);
}

static bool run_first(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_cursor(app, LIST_HOME);
}

static bool run_last(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return move_cursor(app, LIST_END);
}

static bool scroll_columns(struct app *app, int by)
{
	if (strips_are_shown(app)) {
		strips_step(app, by);
		return true;
	}
	list_scroll(&app_current(app)->list, app->table, by);
	app->needs_drawing = true;
	return true;
}

static bool run_scroll_left(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return scroll_columns(app, -1);
}

static bool run_scroll_right(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return scroll_columns(app, 1);
}

/* An interval back or on; where time does not stand still, and in the time line, columns or cells
 * as ever. */
static bool step_or_scroll(struct app *app, int by)
{
	if (!player_is_shown(app) || strips_are_shown(app))
		return scroll_columns(app, by);
	player_step(app, by);
	return true;
}

static bool run_left(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return step_or_scroll(app, -1);
}

static bool run_right(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return step_or_scroll(app, 1);
}

static bool run_step_back(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	player_step(app, -1);
	return true;
}

static bool run_step_on(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	player_step(app, 1);
	return true;
}

static bool run_jump(struct app *app, const char *argument, struct error *error)
{
	return player_jump(app, argument, error);
}

static bool run_speed(struct app *app, const char *argument, struct error *error)
{
	return player_set_speed(app, argument, error);
}

static bool run_record(struct app *app, const char *argument, struct error *error)
{
	return saving_run(app, argument, error);
}

static bool run_hand_over(struct app *app, const char *argument, struct error *error)
{
	if (argument[0] == '\0')
		return open_prompt(app, "hand-over", error);
	return lend_terminal(app, argument, error);
}

static bool run_task(struct app *app, const char *argument, struct error *error)
{
	return page_open(app, argument, error);
}

static bool run_window(struct app *app, const char *argument, struct error *error)
{
	return past_set_window(app, argument, error);
}

static bool run_by(struct app *app, const char *argument, struct error *error)
{
	return past_set_by(app, argument, error);
}

static bool run_colour(struct app *app, const char *argument, struct error *error)
{
	return strips_set_colour(app, argument, error);
}

static bool zoom(struct app *app, int by)
{
	if (strips_are_shown(app))
		strips_zoom(app, by);
	else
		app_say(app, false, "the time line can be zoomed (view timeline)");
	return true;
}

static bool run_zoom_in(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return zoom(app, -1);
}

static bool run_zoom_out(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return zoom(app, 1);
}

/* Takes back the last of: message, filter. */
static bool run_escape(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	if (app->message[0] != '\0') {
		app->message[0] = '\0';
		app->needs_drawing = true;
		return true;
	}
	return run_filter(app, "", error);
}

static bool run_redraw(struct app *app, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	app_redraw_all(app);
	return true;
}

static bool run_ask(struct app *app, const char *argument, struct error *error)
{
	return open_prompt(app, argument, error);
}

/* clang-format off */
static const struct command_info commands[] = {
	{"all",           "",            "back to all tasks after attach",                            run_all, false},
	{"ask",           "WHAT",        "type a command, or what follows attach, delay, filter...",  run_ask, false},
	{"attach",        "[PID|NAME]",  "show only this process; nothing: the one under the cursor", run_attach, false},
	{"by",            "[task|name|cpu]", "pairs of tasks, of names, of tasks on a CPU; nothing: the next", run_by, true},
	{"colour",        "[task|ipc]",  "what the cells of the time line show; nothing: the other",  run_colour, true},
	{"column",        "LIST",        "add columns: names of columns, metrics, events",            run_column, true},
	{"columns",       "[LIST]",      "the columns of this view; nothing: those it came with",     run_columns, true},
	{"command-lines", "",            "command line or name of the task",                          run_command_lines, true},
	{"delay",         "SECONDS",     "length of an interval",                                     run_delay, true},
	{"down",          "",            "to the next row",                                           run_down, false},
	{"escape",        "",            "take back the message, then the filter",                    run_escape, false},
	{"event",         "LIST",        "count these events too, a column for each",                 run_event, true},
	{"events",        "",            "the events there are: search, add, remove",                 run_events, false},
	{"filter",        "[EXPR]",      "only rows with this text, or ipc < 0.5 && user = www",      run_filter, true},
	{"first",         "",            "to the first row",                                          run_first, false},
	{"freeze",        "",            "stop the screen, not the counting; again: go on",           run_freeze, false},
	{"hand-over",     "[COMMAND]",   "perf record of the task under the cursor; or any command",   run_hand_over, false},
	{"help",          "",            "this page",                                                 run_help, false},
	{"idle",          "",            "tasks that did not run, too",                               run_idle, true},
	{"jump",          "TIME",        "to a time: 1:30, -10s, +1m, 12:03:44, 50%",                  run_jump, false},
	{"last",          "",            "to the last row",                                           run_last, false},
	{"left",          "",            "an interval back in a replay or when frozen; else columns back", run_left, false},
	{"metric",        "DEFINITION",  "NAME = FORMULA: a column that is computed",                 run_metric, true},
	{"next-view",     "",            "to the next view",                                          run_next_view, false},
	{"page-down",     "",            "a page down",                                               run_page_down, false},
	{"page-up",       "",            "a page up",                                                 run_page_up, false},
	{"previous-view", "",            "to the previous view",                                      run_previous_view, false},
	{"quit",          "",            "leave",                                                     run_quit, false},
	{"record",        "[FILE]",      "record to this file; nothing: end it",                       run_record, false},
	{"redraw",        "",            "draw the whole screen anew",                                run_redraw, false},
	{"remove-column", "NAME",        "a column less in this view; its events count on",           run_remove_column, true},
	{"remove-event",  "NAME",        "count this event no longer",                                run_remove_event, true},
	{"reverse",       "",            "turn the order round",                                      run_reverse, true},
	{"right",         "",            "an interval on in a replay or when frozen; else columns on", run_right, false},
	{"scroll-left",   "",            "columns back",                                              run_scroll_left, false},
	{"scroll-right",  "",            "columns on",                                                run_scroll_right, false},
	{"search",        "[TEXT]",      "to the next row in which the text occurs",                  run_search, false},
	{"search-next",   "",            "to the next match",                                         run_search_next, false},
	{"sort",          "[-|+]COLUMN", "order the rows; - descending, + ascending",                 run_sort, true},
	{"sort-left",     "",            "order by the column to the left",                           run_sort_left, false},
	{"sort-right",    "",            "order by the column to the right",                          run_sort_right, false},
	{"speed",         "[SPEED]",     "of a replay: 2x, 0.5x, max, faster, slower; nothing: the next", run_speed, false},
	{"step-back",     "",            "an interval back; freezes",                                  run_step_back, false},
	{"step-on",       "",            "an interval on",                                             run_step_on, false},
	{"task",          "[PID]",       "the page about this task; nothing: the one under the cursor", run_task, false},
	{"threads",       "",            "a row for each thread or for each process",                 run_threads, true},
	{"up",            "",            "to the row before",                                         run_up, false},
	{"user",          "[NAME]",      "only tasks of this user; nothing: of all",                  run_user, true},
	{"view",          "NAME",        "to this view",                                              run_view, true},
	{"window",        "[TIME]",      "pairs and histogram of: interval, 10s, all; nothing: next", run_window, true},
	{"zoom-in",       "",            "less time in the time line",                                run_zoom_in, true},
	{"zoom-out",      "",            "more time in the time line",                                run_zoom_out, true},
};

static const struct prompt_info prompts[] = {
	{"command", ":",                                                   NULL,     false},
	{"attach",  "Attach to pid or name (Enter: cursor row)", "attach", false},
	{"column",  "Columns to add: columns, metrics, events",           "column", false},
	{"event",   "Events to add, with commas",                        "event", false},
	{"metric",  "Metric: NAME = FORMULA",                            "metric", false},
	{"search",  "Search",                                              "search", true},
	{"filter",  "Filter (Esc: as before)",                             "filter", true},
	{"delay",   "Seconds an interval lasts",                           "delay",  false},
	{"user",    "Only tasks of user (Enter: of all)",                  "user",   false},
	{"jump",    "To a time (1:30, -10s, +1m, 12:03:44, 50%)",          "jump",   false},
	{"record",  "Record to file",                                      "record", false},
	{"hand-over", "Run",                                               "hand-over", false},
};
/* clang-format on */

enum {
	COMMAND_COUNT = sizeof(commands) / sizeof(*commands),
	PROMPT_COUNT = sizeof(prompts) / sizeof(*prompts)
};

const struct command_info *command_table(size_t *count)
{
	*count = COMMAND_COUNT;
	return commands;
}

/* Runs the command of a prompt with the text typed so far. */
static bool run_prompted(struct app *app, struct error *error)
{
	const char *text = prompt_text(&app->prompt);
	struct strbuf command = {0};
	bool good;

	if (app->prompt_info->command == NULL)
		return command_run(app, text, error);
	strbuf_printf(&command, "%s %s", app->prompt_info->command, text);
	good = command_run(app, strbuf_text(&command), error);
	strbuf_fini(&command);
	return good;
}

static bool asks_for(const struct app *app, const char *name)
{
	return strcmp(app->prompt_info->name, name) == 0;
}

/* What stands in it at first. False: there is nothing to ask for. */
static bool write_proposal(struct app *app, struct strbuf *text, struct error *error)
{
	app->candidate_count = 0;
	if (asks_for(app, "filter"))
		strbuf_add(text, strbuf_text(&app->filter));
	else if (asks_for(app, "record"))
		strbuf_add(text, SAVING_FILE);
	else if (asks_for(app, "hand-over"))
		return lend_propose(app, text, error);
	return true;
}

static bool open_this(struct app *app, const struct prompt_info *info, struct error *error)
{
	struct strbuf text = {0};
	bool good;

	app->prompt_info = info;
	good = write_proposal(app, &text, error);
	if (good) {
		strbuf_clear(&app->text_before);
		strbuf_add(&app->text_before, strbuf_text(&app->filter));
		prompt_open(&app->prompt, info->label, strbuf_text(&text));
		app->needs_drawing = true;
		if (asks_for(app, "attach"))
			introduce_all(app);
	}
	strbuf_fini(&text);
	return good;
}

static bool open_prompt(struct app *app, const char *name, struct error *error)
{
	if (strcmp(name, "record") == 0 && saving_is_on(app))
		return saving_run(app, "", error);
	for (size_t i = 0; i < PROMPT_COUNT; i++) {
		if (strcmp(prompts[i].name, name) == 0)
			return open_this(app, &prompts[i], error);
	}
	return error_set(
		error, ERROR_COMMAND_USAGE,
		"ask attach|column|command|delay|event|filter|hand-over|jump|metric|record|"
		"search|user",
		NULL);
}

/* The sentence and what would mend it; the cursor goes to the fault. */
static void refuse_prompt(struct app *app, const struct error *error)
{
	const char *command = app->prompt_info->command;
	char sentence[sizeof(error->text) + sizeof(error->remedy) + 2];
	size_t fault = app->fault;

	snprintf(sentence, sizeof(sentence), "%s%s%s", error->text,
		 error->remedy[0] != '\0' ? "; " : "", error->remedy);
	if (fault != CHOOSE_NOWHERE) {
		fault += app->argument_offset;
		fault -= command != NULL ? strlen(command) + 1 : 0;
	}
	prompt_refuse(&app->prompt, sentence, fault);
}

static void finish_prompt(struct app *app)
{
	const struct prompt_info *asked = app->prompt_info;
	struct error error = {0};

	if (!run_prompted(app, &error)) {
		refuse_prompt(app, &error);
		return;
	}
	/* the command may have asked for something else */
	if (app->prompt_info == asked) {
		prompt_close(&app->prompt);
		app->candidate_count = 0;
	}
}

static void leave_prompt(struct app *app)
{
	if (asks_for(app, "filter") && !app_current(app)->info->is_log)
		set_filter(app, strbuf_text(&app->text_before));
	prompt_close(&app->prompt);
	app->candidate_count = 0;
}

/* What is typed so far narrows the rows at once, but for a log: a million entries take longer than
 * the next key. */
static void try_filter(struct app *app)
{
	if (!app_current(app)->info->is_log)
		set_filter(app, prompt_text(&app->prompt));
}

void command_prompt_key(struct app *app, uint32_t key)
{
	struct error error = {0};

	app->needs_drawing = true;
	switch (prompt_key(&app->prompt, key)) {
	case PROMPT_CHANGED:
		/* half an expression is no reason to refuse it, nor to count anything */
		if (asks_for(app, "filter"))
			try_filter(app);
		else if (app->prompt_info->is_live)
			run_prompted(app, &error);
		if (asks_for(app, "attach"))
			attach_list_candidates(app, prompt_text(&app->prompt));
		break;
	case PROMPT_DONE:
		finish_prompt(app);
		break;
	case PROMPT_LEFT:
		leave_prompt(app);
		break;
	case PROMPT_GOES_ON:
		break;
	}
}

/* Whether the command is to be run with this argument: one in brackets may be left out. */
static bool fits(const struct command_info *info, const char *argument)
{
	size_t length = strlen(info->argument);

	if (argument[0] == '\0')
		return length == 0 || info->argument[length - 1] == ']';
	return length > 0;
}

/* The command that the text begins with, and what follows it; NULL: error says that there is none.
 */
static const struct command_info *find_command(const char *text, const char **argument,
					       struct error *error)
{
	char name[32];
	size_t length;

	text += strspn(text, blanks);
	length = strcspn(text, blanks);
	*argument = text + length + strspn(text + length, blanks);
	snprintf(name, sizeof(name), "%.*s",
		 (int)(length < sizeof(name) ? length : sizeof(name) - 1), text);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	error_set(error, ERROR_COMMAND_UNKNOWN, name, NULL);
	return NULL;
}

bool command_run(struct app *app, const char *text, struct error *error)
{
	const struct command_info *info;
	const char *argument;
	char usage[96];

	app->fault = CHOOSE_NOWHERE;
	if (text[strspn(text, blanks)] == '\0')
		return true;
	info = find_command(text, &argument, error);
	if (info == NULL)
		return false;
	app->argument_offset = (size_t)(argument - text);
	if (fits(info, argument))
		return info->run(app, argument, error);
	snprintf(usage, sizeof(usage), "%s %s", info->name, info->argument);
	return error_set(error, ERROR_COMMAND_USAGE, usage, NULL);
}

bool command_is_setting(const char *text, struct error *error)
{
	const char *argument;
	const struct command_info *info = find_command(text, &argument, error);

	if (info == NULL || info->is_setting)
		return info != NULL;
	return error_set(error, ERROR_CONFIG_COMMAND, info->name, NULL);
}

bool command_configure(struct app *app, const char *text, struct error *error)
{
	const char *argument;

	if (!command_is_setting(text, error))
		return false;
	if (command_run(app, text, error))
		return true;
	find_command(text, &argument, NULL);
	choose_mark(error, argument, app->fault);
	return false;
}
