#include "command/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include "choose.h"
#include "command/commands_run.h"

static const char blanks[] = " \t";

/* clang-format off */
static const struct command_info commands[] = {
	{"affinity",      "CPUS",        "the CPUs on which it may run: 0-3,8; all",                   run_affinity, false},
	{"all",           "",            "back to all tasks after attach",                            run_all, false},
	{"ask",           "PROMPT",       "type a command, or what follows attach, delay, filter...",  run_ask, false},
	{"attach",        "[PID|NAME]",  "show only this process; nothing: the one under the cursor", run_attach, false},
	{"bind",          "KEY COMMAND", "a key runs this command from now on",                      run_bind, true},
	{"by",            "[task|name|cpu]", "pairs of tasks, of names, of tasks on a CPU; of groups as group-by; nothing: the next", run_by, true},
	{"colour",        "[task|ipc]",  "what the cells of the time line show; nothing: the other",  run_colour, true},
	{"column",        "COLUMN,...",       "add columns: names of columns, metrics, events",            run_column, true},
	{"columns",       "[COLUMN,...]",     "the columns of this view; nothing: those it came with",     run_columns, true},
	{"command-lines", "",            "command line or name of the task",                          run_command_lines, true},
	{"cpu-strips",    "[busy|ipc|miss|off]", "what the CPUs over the table show; nothing: the next", run_cpu_strips, true},
	{"define",        "DEFINITION",  "NAME = FORMULA: a metric, without a column of it",         run_define, true},
	{"delay",         "SECONDS",     "length of an interval",                                     run_delay, true},
	{"dot",           "",            "an interval on in a replay or when frozen; else sort-menu", run_dot, false},
	{"down",          "",            "to the next row",                                           run_down, false},
	{"escape",        "",            "take back the message, then the last filter, then an attachment; out of a group", run_escape, false},
	{"event",         "EVENT,...",       "count these events too, a column for each",                 run_event, true},
	{"events",        "",            "the events there are: search, add, remove",                 run_events, false},
	{"exited",        "",            "tasks that have ended, or not",                             run_exited, true},
	{"filter",        "[EXPR]",      "only rows with this text, or ipc < 0.5 && user = www; in place of the last filter", run_filter, true},
	{"filter-add",    "EXPR",        "of these rows only those that pass this filter, too",       run_filter_add, true},
	{"first",         "",            "to the first row",                                          run_first, false},
	{"fold",          "[all]",       "in a tree: the row under the cursor with what stands under it; all: every branch", run_fold, true},
	{"follow",        "",            "keep the task under the cursor in sight, until the cursor moves", run_follow, false},
	{"freeze",        "",            "stop the screen, not the counting; again: go on",           run_freeze, false},
	{"group-by",      "[command|user|cgroup|container|parent|session|type]",      "groups of: command, user, cgroup, container, parent, session, type; nothing: the next", run_group_by, true},
	{"hand-over",     "[PROGRAM]",   "perf record of the task under the cursor; or any command",   run_hand_over, false},
	{"help",          "[WORD]",      "this page; or what a column, metric, event, command... is",                                                   run_help, false},
	{"idle",          "",            "tasks that neither ran nor waited for a CPU, too",          run_idle, true},
	{"in",            "VIEW COMMAND", "run a setting's command in this view, wherever we are",   run_in, true},
	{"jump",          "TIME",        "to a time: 1:30, -10s, +1m, 12:03:44, 50%",                  run_jump, false},
	{"kernel-threads", "",           "kernel threads, or not",                                    run_kernel_threads, true},
	{"key-profile",   "htop|top|vim", "keys as in one of these; what was bound stays",           run_key_profile, true},
	{"last",          "",            "to the last row",                                           run_last, false},
	{"left",          "",            "an interval back in a replay or when frozen; else columns back", run_left, false},
	{"metric",        "DEFINITION",  "NAME = FORMULA: a column that is computed",                 run_metric, true},
	{"mouse",         "on|off",      "click and wheel for perftop, or all for the terminal",       run_mouse, true},
	{"next-view",     "",            "to the next view",                                          run_next_view, false},
	{"nice",          "+1|-1|N",     "lower or raise its priority, or set the nice value (=-5)",  run_nice, false},
	{"page-down",     "",            "a page down",                                               run_page_down, false},
	{"page-up",       "",            "a page up",                                                 run_page_up, false},
	{"previous-view", "",            "to the previous view",                                      run_previous_view, false},
	{"quit",          "",            "leave",                                                     run_quit, false},
	{"record",        "[FILE]",      "record to this file; nothing: end it",                       run_record, false},
	{"redraw",        "",            "draw the whole screen anew",                                run_redraw, false},
	{"remove-column", "COLUMN",       "a column less in this view; its events count on",           run_remove_column, true},
	{"remove-event",  "COUNTED",       "count this event no longer",                                run_remove_event, true},
	{"reverse",       "",            "turn the order round",                                      run_reverse, true},
	{"right",         "",            "an interval on in a replay or when frozen; else columns on", run_right, false},
	{"save",          "",            "write the settings into the configuration file",            run_save, false},
	{"scroll-left",   "",            "columns back",                                              run_scroll_left, false},
	{"scroll-right",  "",            "columns on",                                                run_scroll_right, false},
	{"search",        "[TEXT]",      "to the next row in which the text occurs",                  run_search, false},
	{"search-next",   "",            "to the next match",                                         run_search_next, false},
	{"search-previous", "",          "to the match before",                                       run_search_previous, false},
	{"setup",         "",            "columns of the views, keys: choose, and save",              run_setup, false},
	{"signal",        "[SIGNAL]",      "send it a signal, after asking; nothing: which one",        run_signal, false},
	{"sort",          "[-|+]COLUMN,...", "order the rows; - descending, + ascending; A,B: alike ones by B",                 run_sort, true},
	{"sort-left",     "",            "order by the column to the left",                           run_sort_left, false},
	{"sort-menu",     "",            "choose a column to order the rows by",                      run_sort_menu, false},
	{"sort-right",    "",            "order by the column to the right",                          run_sort_right, false},
	{"space",         "",            "stop or go on in a replay or when frozen; else tag the row", run_space, false},
	{"speed",         "[2x|0.5x|max|faster|slower]",    "of a replay: 2x, 0.5x, max, faster, slower; nothing: the next", run_speed, false},
	{"step-back",     "",            "an interval back; freezes",                                  run_step_back, false},
	{"step-on",       "",            "an interval on",                                             run_step_on, false},
	{"tag",           "",            "tag the row, or take its tag away, and go to the next",     run_tag, false},
	{"tag-children",  "",            "tag the row and all that it has started",                   run_tag_children, false},
	{"task",          "[PID]",       "the page about this task; nothing: the one under the cursor, or the members of the group", run_task, false},
	{"theme",         "[default|dark|light|mono|high-contrast]",      "colours: default, dark, light, mono, high-contrast; nothing: the next", run_theme, true},
	{"threads",       "",            "a row for each thread or for each process",                 run_threads, true},
	{"tree",          "",            "tasks under their parents, or in one list",                 run_tree, true},
	{"unbind",        "KEY",         "a key does nothing from now on",                            run_unbind, true},
	{"untag",         "",            "take all tags away",                                        run_untag, false},
	{"up",            "",            "to the row before",                                         run_up, false},
	{"user",          "[USER]",      "only tasks of this user; nothing: of all",                  run_user, true},
	{"view",          "VIEW",        "to this view",                                              run_view, true},
	{"width",         "COLUMN [N]",  "how wide the column is; nothing: as at first",              run_width, true},
	{"window",        "[interval|10s|1m|all]",     "pairs and histogram of: interval, 10s, all; nothing: next", run_window, true},
	{"zoom-in",       "",            "less time in the time line",                                run_zoom_in, true},
	{"zoom-out",      "",            "more time in the time line",                                run_zoom_out, true},
};
/* clang-format on */

enum {
	COMMAND_COUNT = sizeof(commands) / sizeof(*commands)
};

const struct command_info *command_table(size_t *count)
{
	*count = COMMAND_COUNT;
	return commands;
}

/* Whether the command is to be run with this argument: one that is all in brackets may be left out.
 */
static bool fits(const struct command_info *info, const char *argument)
{
	const size_t length = strlen(info->argument);

	if (argument[0] == '\0')
		return length == 0 ||
		       (info->argument[0] == '[' && info->argument[length - 1] == ']');
	return length > 0;
}

const struct command_info *command_find(const char *text, const char **argument,
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

/* The one command that begins as the text's first word does; NULL: *error says that there are
 * several, or stays as it is. */
static const struct command_info *find_beginning(const char *text, struct error *error)
{
	const struct command_info *found = NULL;
	struct strbuf names = {0};
	size_t count = 0;

	text += strspn(text, blanks);
	const size_t length = strcspn(text, blanks);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strncmp(commands[i].name, text, length) != 0)
			continue;
		found = &commands[i];
		strbuf_printf(&names, "%s%s", count++ > 0 ? ", " : "", found->name);
	}
	if (count > 1) {
		char *name = xstrndup(text, length);

		error_set(error, ERROR_COMMAND_AMBIGUOUS, name, strbuf_text(&names));
		free(name);
		found = NULL;
	}
	strbuf_fini(&names);
	return found;
}

static bool run(struct app *app, const char *text, struct error *error)
{
	const struct command_info *info;
	const char *argument;
	struct error unknown = {0};
	char usage[96];

	info = command_find(text, &argument, &unknown);
	if (info == NULL)
		info = find_beginning(text, &unknown);
	if (info == NULL) {
		*error = unknown;
		return false;
	}
	app->argument_offset = (size_t)(argument - text);
	if (fits(info, argument))
		return info->run(app, argument, error);
	snprintf(usage, sizeof(usage), "%s %s", info->name, info->argument);
	return error_set(error, ERROR_COMMAND_USAGE, usage, NULL);
}

bool command_run(struct app *app, const char *text, struct error *error)
{
	char *copy;
	bool good;

	app->fault = CHOOSE_NOWHERE;
	if (text[strspn(text, blanks)] == '\0')
		return true;
	/* the command may take away where its text stands: a key may bind itself anew */
	copy = xstrdup(text);
	good = run(app, copy, error);
	free(copy);
	return good;
}

bool command_is_setting(const char *text, struct error *error)
{
	const char *argument;
	const struct command_info *info = command_find(text, &argument, error);

	/* of a view's command that one is looked at */
	if (info != NULL && info->run == run_in)
		info = command_find(argument + strcspn(argument, blanks), &argument, error);
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
	command_find(text, &argument, NULL);
	choose_mark(error, argument, app->fault);
	return false;
}
