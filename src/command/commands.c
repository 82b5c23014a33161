#include "command/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include "command/commands_run.h"
#include "session/resolve.h"

static const char blanks[] = " \t";

#define ON(member_)  .switches = COMMAND_SWITCH, .member = offsetof(struct app, member_)
#define OFF(member_) .switches = COMMAND_SWITCH_INVERSE, .member = offsetof(struct app, member_)

/* clang-format off */
static const struct command_info commands[] = {
	{"affinity",      "CPUS",        "CPUs that the task may run on: 0-3,8; all", .run = run_affinity},
	{"all",           "",            "all tasks again after attach", .run = run_all},
	{"ask",           "PROMPT",       "type a command, or what follows attach, delay, filter...", .run = run_ask},
	{"attach",        "[PID|NAME]",  "show only this process; default: the selected row", .run = run_attach},
	{"bind",          "KEY COMMAND", "run this command when the key is pressed", .run = run_bind, .is_setting = true},
	{"by",            "[task|name|cpu]", "pairs of tasks, of names, of tasks on a CPU; of groups as group-by; default: the next", .run = run_by, .is_setting = true},
	{"colour",        "[task|ipc]",  "what the cells of the time line show; default: the other", .run = run_colour, .is_setting = true},
	{"column",        "COLUMN,...",       "add columns: names of columns, metrics, events", .run = run_column, .is_setting = true},
	{"columns",       "[COLUMN,...]",     "the columns of this view; default: the built-in ones", .run = run_columns, .is_setting = true},
	{"command-lines", "[on|off]",    "command lines, or names of tasks; at first by the width", .run = run_command_lines, .is_setting = true},
	{"cpu-strips",    "[busy|ipc|miss|off]", "what the CPU bars show; default: the next", .run = run_cpu_strips, .is_setting = true},
	{"define",        "DEFINITION",  "NAME = FORMULA: a metric, without a column of it", .run = run_define, .is_setting = true},
	{"delay",         "SECONDS",     "length of an interval", .run = run_delay, .is_setting = true},
	{"dot",           "",            "next interval in a replay or when frozen; else sort-menu", .run = run_dot},
	{"down",          "",            "to the next row", .run = run_down},
	{"escape",        "",            "clear the message, then the last filter, then an attachment; leave a group", .run = run_escape},
	{"event",         "EVENT,...",       "count these events too, a column for each", .run = run_event, .is_setting = true},
	{"events",        "",            "search, add and remove events", .run = run_events},
	{"exited",        "[on|off]",    "show or hide exited tasks", .is_setting = true, OFF(rows.no_exited), .said = {"hiding exited tasks", "showing exited tasks"}},
	{"filter",        "[EXPR]",      "only rows with this text, or ipc < 0.5 && user = www; replaces the last filter", .run = run_filter, .is_setting = true},
	{"filter-add",    "EXPR",        "filter the rows that are shown further", .run = run_filter_add, .is_setting = true},
	{"first",         "",            "to the first row", .run = run_first},
	{"fold",          "[all]",       "in a tree: fold the selected branch; all: every branch", .run = run_fold, .is_setting = true},
	{"follow",        "",            "follow the selected task until the cursor moves", .run = run_follow},
	{"freeze",        "",            "freeze the screen, not the counting; again: resume", .run = run_freeze},
	{"group-by",      "[command|user|cgroup|container|parent|session|type]",      "groups of: command, user, cgroup, container, parent, session, type; default: the next", .run = run_group_by, .is_setting = true},
	{"hand-over",     "[PROGRAM]",   "perf record of the selected task; or any command", .run = run_hand_over},
	{"help",          "[WORD]",      "this page; or what a column, metric, event, command... is", .run = run_help},
	{"idle",          "[on|off]",    "show or hide idle tasks", .run = run_idle, .is_setting = true, ON(idle_tasks), .said = {"hiding idle tasks", "showing idle tasks"}},
	{"in",            "VIEW COMMAND", "run a setting's command in this view, not the current one", .run = run_in, .is_setting = true},
	{"jump",          "TIME",        "to a time: 1:30, -10s, +1m, 12:03:44, 50%", .run = run_jump},
	{"kernel-threads", "[on|off]",    "show or hide kernel threads", .is_setting = true, OFF(rows.no_kernel_threads), .said = {"hiding kernel threads", "showing kernel threads"}},
	{"key-profile",   "htop|top|vim", "use the keys of htop, top or vim (own bindings stay)", .run = run_key_profile, .is_setting = true},
	{"last",          "",            "to the last row", .run = run_last},
	{"left",          "",            "previous interval in a replay or when frozen; else scroll left", .run = run_left},
	{"machine-line",  "[on|off]",    "load, memory, swap and uptime over the table, as in top", .is_setting = true, ON(look.has_machine_line)},
	{"metric",        "DEFINITION",  "NAME = FORMULA: a computed column", .run = run_metric, .is_setting = true},
	{"mouse",         "[on|off]",    "use the mouse, or leave it to the terminal", .run = run_mouse, .is_setting = true, OFF(mouse_is_off)},
	{"next-view",     "",            "to the next view", .run = run_next_view},
	{"nice",          "+1|-1|N",     "lower or raise its priority, or set the nice value (=-5)", .run = run_nice},
	{"page-down",     "",            "a page down", .run = run_page_down},
	{"page-up",       "",            "a page up", .run = run_page_up},
	{"previous-view", "",            "to the previous view", .run = run_previous_view},
	{"quit",          "",            "leave", .run = run_quit},
	{"record",        "[FILE]",      "record to this file; without one: end recording", .run = run_record},
	{"redraw",        "",            "redraw the screen", .run = run_redraw},
	{"remove-column", "COLUMN",       "remove a column (keeps counting its events)", .run = run_remove_column, .is_setting = true},
	{"remove-event",  "COUNTED",       "stop counting this event", .run = run_remove_event, .is_setting = true},
	{"reverse",       "",            "reverse the order", .run = run_reverse, .is_setting = true},
	{"right",         "",            "next interval in a replay or when frozen; else scroll right", .run = run_right},
	{"save",          "",            "write the settings into the configuration file", .run = run_save},
	{"scroll-left",   "",            "scroll left", .run = run_scroll_left},
	{"scroll-right",  "",            "scroll right", .run = run_scroll_right},
	{"search",        "[TEXT]",      "to the next row in which the text occurs", .run = run_search},
	{"search-next",   "",            "to the next match", .run = run_search_next},
	{"search-previous", "",          "to the previous match", .run = run_search_previous},
	{"setup",         "",            "choose columns and settings, and save them", .run = run_setup},
	{"signal",        "[SIGNAL]",      "send a signal, after confirmation; default: choose from a list", .run = run_signal},
	{"sort",          "[-|+]COLUMN,...", "sort the rows; - descending, + ascending; A,B: ties by B", .run = run_sort, .is_setting = true},
	{"sort-left",     "",            "sort by the column to the left", .run = run_sort_left},
	{"sort-menu",     "",            "choose the sort column", .run = run_sort_menu},
	{"sort-right",    "",            "sort by the column to the right", .run = run_sort_right},
	{"space",         "",            "pause or resume a replay or a frozen screen; else tag the row", .run = run_space},
	{"speed",         "[2x|0.5x|max|faster|slower]",    "of a replay: 2x, 0.5x, max, faster, slower; default: the next", .run = run_speed},
	{"step-back",     "",            "previous interval; freezes", .run = run_step_back},
	{"step-on",       "",            "next interval", .run = run_step_on},
	{"tag",           "",            "tag or untag the row and go to the next", .run = run_tag},
	{"tag-children",  "",            "tag the row and its descendants", .run = run_tag_children},
	{"task",          "[PID]",       "the page about this task; default: the selected row, or the members of the group", .run = run_task},
	{"theme",         "[default|dark|light|mono|high-contrast]",      "colours: default, dark, light, mono, high-contrast; default: the next", .run = run_theme, .is_setting = true},
	{"threads",       "[on|off]",    "a row for each thread or for each process", .is_setting = true, ON(threads), .said = {"showing processes", "showing threads"}},
	{"tree",          "[on|off]",    "tree view or flat list", .run = run_tree, .is_setting = true, ON(rows.tree)},
	{"unbind",        "KEY",         "unbind a key", .run = run_unbind, .is_setting = true},
	{"untag",         "",            "untag all rows", .run = run_untag},
	{"up",            "",            "to the previous row", .run = run_up},
	{"user",          "[USER]",      "only tasks of this user; default: all users", .run = run_user, .is_setting = true},
	{"view",          "VIEW",        "to this view", .run = run_view, .is_setting = true},
	{"width",         "COLUMN [N]",  "width of the column; default: the built-in one", .run = run_width, .is_setting = true},
	{"window",        "[interval|10s|1m|all]",     "pairs and histogram of: interval, 10s, all; default: next", .run = run_window, .is_setting = true},
	{"zoom-in",       "",            "zoom in on the timeline", .run = run_zoom_in, .is_setting = true},
	{"zoom-out",      "",            "zoom out of the timeline", .run = run_zoom_out, .is_setting = true},
};
/* clang-format on */

#undef ON
#undef OFF

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

static bool *switch_of(const struct app *app, const struct command_info *info)
{
	return (bool *)((char *)app + info->member);
}

bool command_is_on(const struct app *app, const struct command_info *info)
{
	return *switch_of(app, info) == (info->switches == COMMAND_SWITCH);
}

/* Without an argument the other way round. */
static bool turn(struct app *app, const struct command_info *info, const char *argument,
		 struct error *error)
{
	const bool is_on =
		argument[0] != '\0' ? strcmp(argument, "on") == 0 : !command_is_on(app, info);

	*switch_of(app, info) = is_on == (info->switches == COMMAND_SWITCH);
	app->needs_build = true;
	app->needs_drawing = true;
	if (info->said[is_on])
		app_say(app, false, "%s", info->said[is_on]);
	return !info->run || info->run(app, is_on ? "on" : "off", error);
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
		return info->switches ? turn(app, info, argument, error)
				      : info->run(app, argument, error);
	snprintf(usage, sizeof(usage), "%s %s", info->name, info->argument);
	return error_set(error, ERROR_COMMAND_USAGE, usage, NULL);
}

bool command_run(struct app *app, const char *text, struct error *error)
{
	char *copy;
	bool good;

	app->fault = RESOLVE_NOWHERE;
	if (text[strspn(text, blanks)] == '\0')
		return true;
	/* the command may take away its own text: a key may bind itself anew */
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
	resolve_mark(error, argument, app->fault);
	return false;
}
