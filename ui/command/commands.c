/*
 * The commands there are, and those of them that are only a few calls of what is on the screen.
 * Settings that are one of a few words are in session/setting.def.
 */
#include "command/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/session.h"
#include "view/column.h"

#include "command/help.h"
#include "mode/acting.h"
#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/browser.h"
#include "mode/compose_frame.h"
#include "mode/config_save.h"
#include "mode/find.h"
#include "mode/grouped.h"
#include "mode/history_view.h"
#include "mode/marks.h"
#include "mode/mode.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "mode/record_command.h"
#include "mode/setup.h"
#include "mode/sort_menu.h"
#include "mode/strips.h"
#include "mode/terminal_handoff.h"
#include "session/options.h"
#include "session/resolve.h"
#include "session/settings.h"
#include "term/term.h"
#include "term/theme.h"

enum {
	WIDTH_MOST = 80
};

/* Where the cursor, the columns and the time that is shown go. */

static void search_on(struct app *app, int by)
{
	struct error error = {0};

	if (app->search->words.length > 0)
		search_next(app, by < 0);
	else if (!prompts_open(app, "search", &error))
		app_refuse(app, &error);
}

static void freeze(struct app *app)
{
	playback_toggle(app->playback);
}

/* by: an enum cursor_motion */
static void move_cursor(struct app *app, int by)
{
	const enum cursor_motion motion = (enum cursor_motion)by;

	if (strips_are_shown(app)) {
		strips_move(app, motion);
		return;
	}
	list_move(&app_current(app)->list, app->table, motion);
	app->needs_drawing = true;
}

static void scroll_columns(struct app *app, int by)
{
	if (strips_are_shown(app)) {
		strips_step(app, by);
		return;
	}
	list_scroll(&app_current(app)->list, app->table, by);
	app->needs_drawing = true;
}

static void step_time(struct app *app, int by)
{
	playback_step(app->playback, by);
}

/* An interval back or on; where time is not stopped, and in the time line, columns or cells as
 * ever. */
static void step_or_scroll(struct app *app, int by)
{
	if (!playback_has_keys(app->playback) || strips_are_shown(app))
		scroll_columns(app, by);
	else
		step_time(app, by);
}

/* Where time can be stopped or is stopped, these are keys for that. */
static bool has_time_keys(const struct app *app)
{
	return playback_has_keys(app->playback) || app->page->is_open;
}

static void take_dot(struct app *app)
{
	if (has_time_keys(app))
		step_time(app, 1);
	else
		sort_menu_open(app);
}

static void take_space(struct app *app)
{
	if (has_time_keys(app))
		freeze(app);
	else
		tags_toggle(app);
}

static bool run_jump(struct app *app, const char *argument, struct error *error)
{
	return playback_jump(app->playback, argument, error);
}

static bool run_speed(struct app *app, const char *argument, struct error *error)
{
	return playback_set_speed(app->playback, argument, error);
}

/* Which rows there are, and what is shown of them and beside them. */

static bool run_user(struct app *app, const char *argument, struct error *error)
{
	int64_t uid = -1;

	if (argument[0] != '\0' && strcmp(argument, "all") != 0) {
		uid = engine_find_user(app->engine, argument);
		if (uid < 0)
			return error_set(error, ERROR_USER_UNKNOWN, argument, NULL);
	}
	app->uid = uid;
	app->needs_build = true;
	return true;
}

/* The view of that name; NULL: error says that there is none. */
static struct app_view *find_view(struct app *app, const char *name, struct error *error)
{
	const struct view_info *info = view_find(name);
	char names[256];

	for (size_t i = 0; info && i < app->view_count; i++)
		if (app->views[i].info == info)
			return &app->views[i];
	view_names(names, sizeof(names));
	error_set(error, ERROR_VIEW_UNKNOWN, name, names);
	return NULL;
}

static bool run_view(struct app *app, const char *argument, struct error *error)
{
	const struct app_view *view = find_view(app, argument, error);

	if (view)
		view_order_show_view(app, (size_t)(view - app->views));
	return view;
}

static bool run_task(struct app *app, const char *argument, struct error *error)
{
	if (argument[0] == '\0' && grouped_is_shown(app))
		return grouped_open(app, error);
	if (argument[0] == '\0' && view_order_sorts_log(app)) {
		view_order_leave(app);
		return true;
	}
	return page_open(app, argument, error);
}

static bool run_by(struct app *app, const char *argument, struct error *error)
{
	char command[64];

	if (!grouped_is_shown(app))
		return history_view_set_by(app, argument, error);
	snprintf(command, sizeof(command), "group-by %s", argument);
	return command_run(app, command, error);
}

/* Groups that are asked for are shown; a setting is for later. */
static void grouped_changed(struct app *app)
{
	if (!app->is_starting && !app->is_scoped && !mode_is_open(app, &setup_mode) &&
	    !grouped_is_shown(app))
		run_view(app, "groups", NULL);
}

static bool run_hand_over(struct app *app, const char *argument, struct error *error)
{
	return argument[0] == '\0' ? prompts_open(app, "hand-over", error)
				   : terminal_handoff_start(app, argument, error);
}

/* Takes back the last of: message, way into a group, the filter on top of the others. */
static bool run_escape(struct app *app, const char *argument, struct error *error)
{
	if (app->message[0] != '\0') {
		app->message[0] = '\0';
		app->needs_drawing = true;
		/* in a group it may be the one that mentions this key */
		if (app->message_is_error || !app->grouped->is_inside)
			return true;
	}
	if (grouped_leave(app))
		return true;
	if (app->filter.length == 0 && app->attached.count > 0) {
		attach_to_all(app);
		return true;
	}
	welcome_end_pmu(app);
	return filters_replace(app, "", error);
}

/* What stays as it is until it is changed. */

static bool run_delay(struct app *app, const char *argument, struct error *error)
{
	double delay_s;

	if (!options_parse_delay(argument, &delay_s, error))
		return false;
	if (!app->is_starting && engine_is_replay(app->engine))
		return error_set(error, ERROR_REPLAY_DELAY, NULL, NULL);
	app->delay_s = delay_s;
	return true;
}

static void write_delay(const struct app *app, struct strbuf *out)
{
	if (app->delay_s != OPTIONS_DELAY_S)
		strbuf_printf(out, "delay %g\n", app->delay_s);
}

static bool run_bind(struct app *app, const char *argument, struct error *error)
{
	char key[KEYS_NAME_MAX];
	const char *rest, *command = argument;

	command_take_word(&command, key, sizeof(key));
	if (command[0] == '\0')
		return error_set(error, ERROR_COMMAND_USAGE, "bind KEY COMMAND", NULL);
	if (!command_find(app->commands, command, &rest, error) ||
	    !keys_bind(&app->keys, key, command, error))
		return false;
	app_say(app, false, "%s: %s", key, command);
	return true;
}

static bool run_unbind(struct app *app, const char *argument, struct error *error)
{
	if (!keys_bind(&app->keys, argument, NULL, error))
		return false;
	app_say(app, false, "%s is unbound", argument);
	return true;
}

static void write_bind(const struct app *app, struct strbuf *out)
{
	for (size_t i = 0; i < app->keys.count; i++) {
		const struct key_change *change = &app->keys.changes[i];

		if (change->command)
			strbuf_printf(out, "bind %s %s\n", change->name, change->command);
		else
			strbuf_printf(out, "unbind %s\n", change->name);
	}
}

/* What is no setting acts on the row under the cursor, and other rows than those of the view are on
 * the screen. */
static bool run_in(struct app *app, const char *argument, struct error *error)
{
	const size_t before = app->view;
	const struct command_info *info;
	const char *rest, *command = argument;
	const struct app_view *view;
	char name[64];
	bool good;

	command_take_word(&command, name, sizeof(name));
	if (command[0] == '\0' || app->is_scoped)
		return error_set(error, ERROR_COMMAND_USAGE, "in VIEW COMMAND", NULL);
	view = find_view(app, name, error);
	info = view ? command_find(app->commands, command, &rest, error) : NULL;
	if (!info)
		return false;
	if (!info->is_setting)
		return error_set(error, ERROR_VIEW_SETTING, info->name, NULL);
	app->view = (size_t)(view - app->views);
	app->is_scoped = true;
	good = command_run(app, command, error);
	app->is_scoped = false;
	app->view = before;
	app->fault = RESOLVE_NOWHERE; /* it would count from where the inner argument begins */
	return good;
}

static bool run_width(struct app *app, const char *argument, struct error *error)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	const char *blank = strrchr(argument, ' ');
	const size_t length = blank ? (size_t)(blank - argument) : strlen(argument);
	char name[COLUMN_NAME_MAX];
	const struct column *column;
	uint64_t width = 0;

	snprintf(name, sizeof(name), "%.*s",
		 (int)(length < sizeof(name) ? length : sizeof(name) - 1), argument);
	column = columns_find(columns, name);
	if (!column)
		return error_set(error, ERROR_COLUMN_HIDDEN, name, NULL);
	if (blank && !units_parse_u64(blank + 1, 1, WIDTH_MOST, &width))
		return error_set(error, ERROR_WIDTH_BAD, blank + 1, NULL);
	columns_set_width(columns, column, (int)width);
	app->needs_drawing = true;
	return true;
}

static void write_width(const struct app *app, struct strbuf *out)
{
	struct columns *columns = engine_resolver(app->engine)->columns;

	for (size_t i = 0; i < columns_count(columns); i++) {
		const struct column *column = columns_get(columns, i);
		const int width = columns_set_width_of(columns, column);

		if (width > 0)
			strbuf_printf(out, "width %s %d\n", column->name, width);
	}
}

static void keys_profile_changed(struct app *app)
{
	keys_set_profile(&app->keys, (size_t)app->settings.key_profile);
}

static bool run_save(struct app *app, const char *argument, struct error *error)
{
	return config_save(app, error);
}

/* clang-format off */
static const struct command_info commands[] = {
	{"affinity",      "CPUS",        "CPUs that the task may run on: 0-3,8; all", .run = acting_set_cpus},
	{"all",           "",            "all tasks again after attach", .act = attach_to_all},
	{"ask",           "PROMPT",       "type a command, or what follows attach, delay, filter...", .run = prompts_open},
	{"attach",        "[PID|NAME]",  "show only this process; default: the selected row", .run = attach_to},
	{"bind",          "KEY COMMAND", "run this command when the key is pressed", .run = run_bind, .is_setting = true, .write = write_bind, .keyed = SETTINGS_BY_KEY},
	{"by",            "[task|name|cpu]", "pairs of tasks, of names, of tasks on a CPU; of groups as group-by; default: the next", .run = run_by, .is_setting = true, .write = history_view_write_by},
	{"column",        "COLUMN,...",       "add columns: names of columns, metrics, events", .run = view_columns_add, .is_setting = true, .kind = SETTINGS_ADDS},
	{"columns",       "[COLUMN,...]",     "the columns of this view; default: the built-in ones", .run = view_columns_set, .is_setting = true, .kind = SETTINGS_OF_VIEW},
	{"define",        "DEFINITION",  "NAME = FORMULA: a metric, without a column of it", .run = view_columns_define_metric, .is_setting = true, .kind = SETTINGS_METRIC},
	{"delay",         "SECONDS",     "length of an interval", .run = run_delay, .is_setting = true, .write = write_delay},
	{"dot",           "",            "next interval in a replay or when frozen; else sort-menu", .act = take_dot},
	{"down",          "",            "to the next row", .step = move_cursor, .by = CURSOR_DOWN},
	{"escape",        "",            "clear the message, then the last filter, then an attachment; leave a group", .run = run_escape},
	{"event",         "EVENT,...",       "count these events too, a column for each", .run = view_columns_add_events, .is_setting = true, .kind = SETTINGS_ADDS},
	{"events",        "",            "search, add and remove events", .act = browser_open},
	{"filter",        "[EXPR]",      "only rows with this text, or ipc < 0.5 && user = www; replaces the last filter", .run = filters_replace, .is_setting = true},
	{"filter-add",    "EXPR",        "filter the rows that are shown further", .run = filters_add, .is_setting = true},
	{"first",         "",            "to the first row", .step = move_cursor, .by = CURSOR_HOME},
	{"fold",          "[all]",       "in a tree: fold the selected branch; all: every branch", .run = row_marks_fold, .is_setting = true},
	{"follow",        "",            "follow the selected task until the cursor moves", .act = follow_toggle},
	{"freeze",        "",            "freeze the screen, not the counting; again: resume", .act = freeze},
	{"hand-over",     "[PROGRAM]",   "perf record of the selected task; or any command", .run = run_hand_over},
	{"help",          "[WORD]",      "this page; or what a column, metric, event, command... is", .run = help_run},
	{"in",            "VIEW COMMAND", "run a setting's command in this view, not the current one", .run = run_in, .is_setting = true, .takes_command = true},
	{"jump",          "TIME",        "to a time: 1:30, -10s, +1m, 12:03:44, 50%", .run = run_jump},
	{"last",          "",            "to the last row", .step = move_cursor, .by = CURSOR_END},
	{"left",          "",            "previous interval in a replay or when frozen; else scroll left", .step = step_or_scroll, .by = -1},
	{"metric",        "DEFINITION",  "NAME = FORMULA: a computed column", .run = view_columns_add_metric, .is_setting = true, .kind = SETTINGS_METRIC},
	{"next-view",     "",            "to the next view", .step = view_order_next_view, .by = 1},
	{"nice",          "+1|-1|N",     "lower or raise its priority, or set the nice value (=-5)", .run = acting_nice},
	{"page-down",     "",            "a page down", .step = move_cursor, .by = CURSOR_PAGE_DOWN},
	{"page-up",       "",            "a page up", .step = move_cursor, .by = CURSOR_PAGE_UP},
	{"previous-view", "",            "to the previous view", .step = view_order_next_view, .by = -1},
	{"quit",          "",            "leave", .act = app_quit},
	{"record",        "[FILE]",      "record to this file; without one: end recording", .run = record_command_run},
	{"redraw",        "",            "redraw the screen", .act = app_redraw_all},
	{"remove-column", "COLUMN",       "remove a column (keeps counting its events)", .run = view_columns_remove, .is_setting = true, .kind = SETTINGS_OF_VIEW, .of = "columns"},
	{"remove-event",  "COUNTED",       "stop counting this event", .run = view_columns_remove_event, .is_setting = true},
	{"reverse",       "",            "reverse the order", .act = view_order_reverse, .is_setting = true, .kind = SETTINGS_OF_VIEW, .of = "sort"},
	{"right",         "",            "next interval in a replay or when frozen; else scroll right", .step = step_or_scroll, .by = 1},
	{"save",          "",            "write the settings into the configuration file", .run = run_save},
	{"scroll-left",   "",            "scroll left", .step = scroll_columns, .by = -1},
	{"scroll-right",  "",            "scroll right", .step = scroll_columns, .by = 1},
	{"search",        "[TEXT]",      "to the next row in which the text occurs", .run = search_for},
	{"search-next",   "",            "to the next match", .step = search_on, .by = 1},
	{"search-previous", "",          "to the previous match", .step = search_on, .by = -1},
	{"setup",         "",            "choose columns and settings, and save them", .act = setup_open},
	{"signal",        "[SIGNAL]",      "send a signal, after confirmation; default: choose from a list", .run = acting_signal},
	{"sort",          "[-|+]COLUMN,...", "sort the rows; - descending, + ascending; A,B: ties by B", .run = view_order_sort, .is_setting = true, .kind = SETTINGS_OF_VIEW},
	{"sort-left",     "",            "sort by the column to the left", .step = view_order_step, .by = -1},
	{"sort-menu",     "",            "choose the sort column", .act = sort_menu_open},
	{"sort-right",    "",            "sort by the column to the right", .step = view_order_step, .by = 1},
	{"space",         "",            "pause or resume a replay or a frozen screen; else tag the row", .act = take_space},
	{"speed",         "[2x|0.5x|max|faster|slower]",    "of a replay: 2x, 0.5x, max, faster, slower; default: the next", .run = run_speed},
	{"step-back",     "",            "previous interval; freezes", .step = step_time, .by = -1},
	{"step-on",       "",            "next interval", .step = step_time, .by = 1},
	{"tag",           "",            "tag or untag the row and go to the next", .act = tags_toggle},
	{"tag-children",  "",            "tag the row and its descendants", .act = tags_add_children},
	{"task",          "[PID]",       "the page about this task; default: the selected row, or the members of the group", .run = run_task},
	{"unbind",        "KEY",         "unbind a key", .run = run_unbind, .is_setting = true, .kind = SETTINGS_ONE, .of = "bind", .keyed = SETTINGS_BY_KEY},
	{"untag",         "",            "untag all rows", .act = tags_clear},
	{"up",            "",            "to the previous row", .step = move_cursor, .by = CURSOR_UP},
	{"user",          "[USER]",      "only tasks of this user; default: all users", .run = run_user, .is_setting = true},
	{"view",          "VIEW",        "to this view", .run = run_view, .is_setting = true},
	{"width",         "COLUMN [N]",  "width of the column; default: the built-in one", .run = run_width, .is_setting = true, .write = write_width, .keyed = SETTINGS_BY_FIRST},
	{"window",        "[interval|10s|1m|all]",     "pairs and histogram of: interval, 10s, all; default: next", .run = history_view_set_window, .is_setting = true, .write = history_view_write_window},
	{"zoom-in",       "",            "zoom in on the timeline", .step = strips_zoom, .by = -1, .is_setting = true},
	{"zoom-out",      "",            "zoom out of the timeline", .step = strips_zoom, .by = 1, .is_setting = true},
#define SETTING(member_, name_, words_, first_, help_, said_, changed_, usual_) \
	{name_, "[" words_ "]", help_, .is_setting = true, .setting = &setting_table[SETTING_##member_], .act = changed_, .usual = usual_},
#include "session/setting.def"
};
/* clang-format on */

const struct command_table command_table = {
	.rows = commands,
	.count = sizeof(commands) / sizeof(*commands),
};
