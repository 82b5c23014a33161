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
	{"affinity",      "CPUS",        "CPUs that the task may run on: 0-3,8; all",                   run_affinity, false},
	{"all",           "",            "all tasks again after attach",                            run_all, false},
	{"ask",           "PROMPT",       "type a command, or what follows attach, delay, filter...",  run_ask, false},
	{"attach",        "[PID|NAME]",  "show only this process; default: the selected row", run_attach, false},
	{"bind",          "KEY COMMAND", "run this command when the key is pressed",                      run_bind, true},
	{"by",            "[task|name|cpu]", "pairs of tasks, of names, of tasks on a CPU; of groups as group-by; default: the next", run_by, true},
	{"colour",        "[task|ipc]",  "what the cells of the time line show; default: the other",  run_colour, true},
	{"column",        "COLUMN,...",       "add columns: names of columns, metrics, events",            run_column, true},
	{"columns",       "[COLUMN,...]",     "the columns of this view; default: the built-in ones",     run_columns, true},
	{"command-lines", "[on|off]",    "command lines, or names of tasks; at first by the width",   run_command_lines, true},
	{"cpu-strips",    "[busy|ipc|miss|off]", "what the CPU bars show; default: the next", run_cpu_strips, true},
	{"define",        "DEFINITION",  "NAME = FORMULA: a metric, without a column of it",         run_define, true},
	{"delay",         "SECONDS",     "length of an interval",                                     run_delay, true},
	{"dot",           "",            "next interval in a replay or when frozen; else sort-menu", run_dot, false},
	{"down",          "",            "to the next row",                                           run_down, false},
	{"escape",        "",            "clear the message, then the last filter, then an attachment; leave a group", run_escape, false},
	{"event",         "EVENT,...",       "count these events too, a column for each",                 run_event, true},
	{"events",        "",            "search, add and remove events",                 run_events, false},
	{"exited",        "",            "show or hide exited tasks",                             run_exited, true},
	{"filter",        "[EXPR]",      "only rows with this text, or ipc < 0.5 && user = www; replaces the last filter", run_filter, true},
	{"filter-add",    "EXPR",        "filter the rows that are shown further",       run_filter_add, true},
	{"first",         "",            "to the first row",                                          run_first, false},
	{"fold",          "[all]",       "in a tree: fold the selected branch; all: every branch", run_fold, true},
	{"follow",        "",            "follow the selected task until the cursor moves", run_follow, false},
	{"freeze",        "",            "freeze the screen, not the counting; again: resume",           run_freeze, false},
	{"group-by",      "[command|user|cgroup|container|parent|session|type]",      "groups of: command, user, cgroup, container, parent, session, type; default: the next", run_group_by, true},
	{"hand-over",     "[PROGRAM]",   "perf record of the selected task; or any command",   run_hand_over, false},
	{"help",          "[WORD]",      "this page; or what a column, metric, event, command... is",                                                   run_help, false},
	{"idle",          "",            "show or hide idle tasks",          run_idle, true},
	{"in",            "VIEW COMMAND", "run a setting's command in this view, not the current one",   run_in, true},
	{"jump",          "TIME",        "to a time: 1:30, -10s, +1m, 12:03:44, 50%",                  run_jump, false},
	{"kernel-threads", "",           "show or hide kernel threads",                                    run_kernel_threads, true},
	{"key-profile",   "htop|top|vim", "use the keys of htop, top or vim (own bindings stay)",           run_key_profile, true},
	{"last",          "",            "to the last row",                                           run_last, false},
	{"left",          "",            "previous interval in a replay or when frozen; else scroll left", run_left, false},
	{"machine-line",  "[on|off]",    "load, memory, swap and uptime over the table, as in top",   run_machine_line, true},
	{"metric",        "DEFINITION",  "NAME = FORMULA: a computed column",                 run_metric, true},
	{"mouse",         "on|off",      "use the mouse, or leave it to the terminal",       run_mouse, true},
	{"next-view",     "",            "to the next view",                                          run_next_view, false},
	{"nice",          "+1|-1|N",     "lower or raise its priority, or set the nice value (=-5)",  run_nice, false},
	{"page-down",     "",            "a page down",                                               run_page_down, false},
	{"page-up",       "",            "a page up",                                                 run_page_up, false},
	{"previous-view", "",            "to the previous view",                                      run_previous_view, false},
	{"quit",          "",            "leave",                                                     run_quit, false},
	{"record",        "[FILE]",      "record to this file; without one: end recording",                       run_record, false},
	{"redraw",        "",            "redraw the screen",                                run_redraw, false},
	{"remove-column", "COLUMN",       "remove a column (keeps counting its events)",           run_remove_column, true},
	{"remove-event",  "COUNTED",       "stop counting this event",                                run_remove_event, true},
	{"reverse",       "",            "reverse the order",                                      run_reverse, true},
	{"right",         "",            "next interval in a replay or when frozen; else scroll right", run_right, false},
	{"save",          "",            "write the settings into the configuration file",            run_save, false},
	{"scroll-left",   "",            "scroll left",                                              run_scroll_left, false},
	{"scroll-right",  "",            "scroll right",                                                run_scroll_right, false},
	{"search",        "[TEXT]",      "to the next row in which the text occurs",                  run_search, false},
	{"search-next",   "",            "to the next match",                                         run_search_next, false},
	{"search-previous", "",          "to the previous match",                                       run_search_previous, false},
	{"setup",         "",            "choose columns and settings, and save them",              run_setup, false},
	{"signal",        "[SIGNAL]",      "send a signal, after confirmation; default: choose from a list",        run_signal, false},
	{"sort",          "[-|+]COLUMN,...", "sort the rows; - descending, + ascending; A,B: ties by B",                 run_sort, true},
	{"sort-left",     "",            "sort by the column to the left",                           run_sort_left, false},
	{"sort-menu",     "",            "choose the sort column",                      run_sort_menu, false},
	{"sort-right",    "",            "sort by the column to the right",                          run_sort_right, false},
	{"space",         "",            "pause or resume a replay or a frozen screen; else tag the row", run_space, false},
	{"speed",         "[2x|0.5x|max|faster|slower]",    "of a replay: 2x, 0.5x, max, faster, slower; default: the next", run_speed, false},
	{"step-back",     "",            "previous interval; freezes",                                  run_step_back, false},
	{"step-on",       "",            "next interval",                                             run_step_on, false},
	{"tag",           "",            "tag or untag the row and go to the next",     run_tag, false},
	{"tag-children",  "",            "tag the row and its descendants",                   run_tag_children, false},
	{"task",          "[PID]",       "the page about this task; default: the selected row, or the members of the group", run_task, false},
	{"theme",         "[default|dark|light|mono|high-contrast]",      "colours: default, dark, light, mono, high-contrast; default: the next", run_theme, true},
	{"threads",       "",            "a row for each thread or for each process",                 run_threads, true},
	{"tree",          "",            "tree view or flat list",                 run_tree, true},
	{"unbind",        "KEY",         "unbind a key",                            run_unbind, true},
	{"untag",         "",            "untag all rows",                                        run_untag, false},
	{"up",            "",            "to the previous row",                                         run_up, false},
	{"user",          "[USER]",      "only tasks of this user; default: all users",                  run_user, true},
	{"view",          "VIEW",        "to this view",                                              run_view, true},
	{"width",         "COLUMN [N]",  "width of the column; default: the built-in one",              run_width, true},
	{"window",        "[interval|10s|1m|all]",     "pairs and histogram of: interval, 10s, all; default: next", run_window, true},
	{"zoom-in",       "",            "zoom in on the timeline",                                run_zoom_in, true},
	{"zoom-out",      "",            "zoom out of the timeline",                                run_zoom_out, true},
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

static bool is_switch(const char *argument)
{
	return strcmp(argument, "on") == 0 || strcmp(argument, "off") == 0;
}

/* Whether the command is to be run with this argument: one that is all in brackets may be left out.
 */
static bool fits(const struct command_info *info, const char *argument)
{
	const size_t length = strlen(info->argument);

	if (argument[0] == '\0')
		return length == 0 ||
		       (info->argument[0] == '[' && info->argument[length - 1] == ']');
	return length > 0 && (!strstr(info->argument, "on|off") || is_switch(argument));
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
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
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
	if (!info)
		info = find_beginning(text, &unknown);
	if (!info) {
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
	if (info && info->run == run_in)
		info = command_find(argument + strcspn(argument, blanks), &argument, error);
	if (!info || info->is_setting)
		return info;
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
