/*
 * The commands there are, and those of them that are only a few calls of what is on the screen.
 * Settings that are one of a few words are in view/setting.def.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/session.h"
#include "view/column.h"
#include "view/functions.h"
#include "view/settings.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/code_page.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/page.h"
#include "mode/past.h"
#include "mode/prompts.h"
#include "mode/task_scope.h"
#include "mode/terminal_handoff.h"
#include "mode/views.h"
#include "session/budget.h"
#include "session/options.h"
#include "session/resolve.h"

enum {
	WIDTH_MOST = 80
};

/* Where the cursor, the columns and the time that is shown go. */

void command_search_on(struct app *app, int by)
{
	struct search *search = app->parts[PART_search];
	struct error error = {0};

	if (search->words.length > 0)
		search_next(app, by < 0);
	else if (!prompts_open(app, "search", &error))
		app_refuse(app, &error);
}

/* context: whether it stands still, and is to go on */
static bool toggle_host(struct app *app, void *context)
{
	const bool *is_still = context;

	if (playback_is_still(app->playback) == *is_still)
		playback_toggle(app->playback);
	return true;
}

void command_freeze(struct app *app)
{
	bool is_still = playback_is_still(app->playback);

	hosts_each(app, toggle_host, &is_still);
}

/* by: an enum cursor_motion */
void command_move_cursor(struct app *app, int by)
{
	const enum cursor_motion motion = (enum cursor_motion)by;
	const struct drawing *drawing = app_drawing(app);

	if (drawing && drawing->move) {
		drawing->move(app, motion);
		return;
	}
	list_move(&app->lists[app->view], app->table, motion);
	app->needs_drawing = true;
}

void command_scroll_columns(struct app *app, int by)
{
	const struct drawing *drawing = app_drawing(app);

	if (drawing && drawing->step) {
		drawing->step(app, by);
		return;
	}
	list_scroll(&app->lists[app->view], app->table, by);
	app->needs_drawing = true;
}

void command_zoom(struct app *app, int by)
{
	const struct drawing *drawing = app_drawing(app);

	if (drawing && drawing->zoom)
		drawing->zoom(app, by);
	else
		app_say(app, false, "only the timeline (%s) can be zoomed",
			keys_name_of(app->parts[PART_keys], "view timeline"));
}

static bool step_host(struct app *app, void *context)
{
	const int *by = context;

	playback_step(app->playback, *by);
	return true;
}

void command_step_time(struct app *app, int by)
{
	hosts_each(app, step_host, &by);
}

/* An interval back or on; where time is not stopped, and where arrows go from cell to cell, columns
 * or cells as ever. */
void command_step_or_scroll(struct app *app, int by)
{
	if (!playback_has_keys(app->playback) || app_drawing(app))
		command_scroll_columns(app, by);
	else
		command_step_time(app, by);
}

/* Where time can be stopped or is stopped, these are keys for that. */
static bool has_time_keys(const struct app *app)
{
	return playback_has_keys(app->playback) || mode_is_open(app, &page_mode) ||
	       mode_is_open(app, &code_page_mode);
}

void command_dot(struct app *app)
{
	if (has_time_keys(app))
		command_step_time(app, 1);
	else
		sort_menu_open(app);
}

void command_plus(struct app *app)
{
	const struct view_row *row = app_row(app);
	const bool is_folded = row_marks_is_tree(app) && row && row->branch.folded > 0;
	struct error error = {0};

	if (!(is_folded ? row_marks_fold(app, "", &error) : prompts_open(app, "column", &error)))
		app_refuse(app, &error);
}

void command_space(struct app *app)
{
	if (has_time_keys(app))
		command_freeze(app);
	else
		tags_toggle(app);
}

struct time_words {
	const char *text;
	struct error *error;
	bool is_there; /* of one of the hosts */
};

/* Each has its own clock: of some it may be no time that was recorded. */
static bool jump_in_host(struct app *app, void *context)
{
	struct time_words *words = context;

	if (playback_jump(app->playback, words->text, words->error))
		words->is_there = true;
	return true;
}

bool command_jump(struct app *app, const char *argument, struct error *error)
{
	struct time_words words = {.text = argument, .error = error};

	hosts_each(app, jump_in_host, &words);
	if (words.is_there)
		*error = (struct error){0};
	return words.is_there;
}

static bool set_host_speed(struct app *app, void *context)
{
	const struct time_words *words = context;

	return playback_set_speed(app->playback, words->text, words->error);
}

bool command_speed(struct app *app, const char *argument, struct error *error)
{
	return hosts_each(app, set_host_speed,
			  &(struct time_words){.text = argument, .error = error});
}

/* Which rows there are, and what is shown of them and beside them. */

bool command_user(struct app *app, const char *argument, struct error *error)
{
	int64_t uid = -1;

	if (argument[0] != '\0' && strcmp(argument, "all") != 0) {
		uid = engine_find_user(app->engine, argument);
		if (uid < 0)
			return error_set(error, ERROR_USER_UNKNOWN, argument, NULL);
	}
	app->request.uid = uid;
	app->needs_build = true;
	return true;
}

/* The view of that name; NULL: error says that there is none. */
static struct view_state *find_view(struct app *app, const char *name, struct error *error)
{
	const struct view_info *info = view_find(&all_views, name);
	char names[256];

	for (size_t i = 0; info && i < app->view_count; i++)
		if (view_in_form(app->views[i].info, 0) == info)
			return &app->views[i];
	view_names(&all_views, names, sizeof(names));
	error_set(error, ERROR_VIEW_UNKNOWN, name, names);
	return NULL;
}

bool command_view(struct app *app, const char *argument, struct error *error)
{
	const struct view_state *view = find_view(app, argument, error);

	if (!view)
		return false;
	/* of an error the user may want to read more */
	if (view != app_current(app) && !app->message.is_error)
		app_unsay(app);
	view_order_show_view(app, (size_t)(view - app->views));
	return true;
}

/* What is behind a row of samples: the code of a function, or a task. */
static bool open_sampled(struct app *app, struct error *error)
{
	const struct view_row *row = app_row(app);
	char number[16] = "";

	if (!row || (row->tid < 0 && row->function && function_has_name(row->function)))
		return code_page_open(app, error);
	if (row->tid >= 0)
		snprintf(number, sizeof(number), "%d", row->tid);
	return page_open(app, number, error);
}

bool command_task(struct app *app, const char *argument, struct error *error)
{
	const struct view_info *info = app_current(app)->info;
	const struct drawing *drawing = app_drawing(app);

	if (argument[0] != '\0')
		return page_open(app, argument, error);
	if (info->members)
		return grouped_open(app, error);
	if (view_order_sorts_log(app)) {
		view_order_leave(app);
		return true;
	}
	if (drawing && drawing->open) {
		drawing->open(app);
		return true;
	}
	return view_is_of_samples(info) ? open_sampled(app, error) : page_open(app, "", error);
}

bool command_by(struct app *app, const char *argument, struct error *error)
{
	const struct view_info *info = app_current(app)->info;
	char word[SETTING_WORD_MAX], command[64];

	if (!info->by)
		return history_view_set_by(app, argument, error);
	if (argument[0] == '\0' && info->form == SETTING_calls) {
		setting_word(&setting_table[SETTING_calls],
			     functions_next_list(app->request.settings.calls,
						 engine_session(app->engine)->has_branches),
			     word);
		argument = word;
	}
	snprintf(command, sizeof(command), "%s %s", info->by, argument);
	return command_run(app, command, error);
}

bool command_hand_over(struct app *app, const char *argument, struct error *error)
{
	return argument[0] == '\0' ? prompts_open(app, "hand-over", error)
				   : terminal_handoff_start(app, argument, error);
}

static bool go_back(struct app *app)
{
	const struct drawing *drawing = app_drawing(app);

	return (drawing && drawing->back && drawing->back(app)) || task_scope_leave(app) ||
	       grouped_leave(app);
}

void command_back(struct app *app)
{
	if (!go_back(app))
		app_say(app, false, "nothing was opened here");
}

void command_close(struct app *app)
{
	if (!task_scope_leave(app) && !grouped_leave(app))
		app_quit(app);
}

void command_next_form(struct app *app)
{
	const char *command = app_current(app)->info->to_next_form;

	command_do(app, "%s", command ? command : "tree");
}

/* Takes back the last of: message, way into a group, the filter on top of the others. */
bool command_escape(struct app *app, const char *argument, struct error *error)
{
	struct grouped *grouped = app->parts[PART_grouped];
	const struct task_scope *scope = app->parts[PART_task_scope];
	const struct drawing *drawing = app_drawing(app);

	if (app->message.text[0] != '\0') {
		app_unsay(app);
		/* in a group or a scope it may be the one that mentions this key */
		if (app->message.is_error ||
		    !(grouped->is_inside || scope->is_on || (drawing && drawing->back)))
			return true;
	}
	if ((drawing && drawing->unmark && drawing->unmark(app)) || go_back(app))
		return true;
	if (app->filter.length == 0 && attach_can_end(app)) {
		attach_to_all(app);
		return true;
	}
	welcome_end_pmu(app);
	return filters_replace(app, "", error);
}

/* What stays as it is until it is changed. */

void command_defaults(struct app *app)
{
	struct columns *columns = engine_resolver(app->engine)->columns;

	settings_reset(app);
	app_follow_forms(app);
	keys_fini(app->parts[PART_keys]);
	keys_init(app->parts[PART_keys]);
	if (app->is_starting || !engine_is_replay(app->engine)) {
		app->delay_s = OPTIONS_DELAY_S;
		engine_set_budget(app->engine, 0);
	}
	history_view_use_defaults(&app->request);
	for (size_t i = 0; i < columns_count(columns); i++)
		columns_set_width(columns, columns_get(columns, i), 0);
	for (size_t i = 0; i < app->view_count; i++) {
		struct view_state *view = &app->views[i];

		column_list_fini(&view->columns);
		column_list_fini(&view->extras);
		view->set = NULL;
		view->order = (struct sort_order){0};
	}
	view_columns_add_trends(app);
	app->needs_build = app->needs_drawing = true;
}

bool command_delay(struct app *app, const char *argument, struct error *error)
{
	double delay_s;

	if (!options_parse_delay(argument, &delay_s, error))
		return false;
	app->delay_s = delay_s;
	return true;
}

static void write_delay(const struct app *app, struct strbuf *out)
{
	if (app->delay_s != OPTIONS_DELAY_S)
		strbuf_printf(out, "delay %g\n", app->delay_s);
}

/* It is on-CPU samples that are taken at it. */
bool command_by_event(struct app *app, const char *argument, struct error *error)
{
	const bool is_of_config = app->is_starting && !app->options->by;

	if (is_of_config && engine_is_replay(app->engine))
		return true;
	if (!engine_sample_by(app->engine, argument, &app->fault, error))
		return false;
	app->request.settings.samples = SAMPLES_ON_CPU;
	app->needs_build = true;
	if (argument[0] != '\0')
		app_say(app, false, "functions by %s", argument);
	else
		app_say(app, false, "functions by time");
	return true;
}

static void write_by_event(const struct app *app, struct strbuf *out)
{
	const char *event = engine_sampled_by(app->engine);

	if (event[0] != '\0')
		strbuf_printf(out, "by-event %s\n", event);
}

bool command_budget(struct app *app, const char *argument, struct error *error)
{
	double pct;

	if (!budget_parse(argument, &pct, error))
		return false;
	engine_set_budget(app->engine, pct);
	if (pct > 0)
		app_say(app, false, "budget: %g %% of the machine", pct);
	else
		app_say(app, false, "no budget");
	return true;
}

static void write_budget(const struct app *app, struct strbuf *out)
{
	if (engine_budget(app->engine) > 0)
		strbuf_printf(out, "budget %g\n", engine_budget(app->engine));
}

bool command_bind(struct app *app, const char *argument, struct error *error)
{
	char key[KEYS_NAME_MAX];
	const char *rest, *command = argument;

	command_take_word(&command, key, sizeof(key));
	if (command[0] == '\0')
		return error_set(error, ERROR_COMMAND_USAGE, "bind KEY COMMAND", NULL);
	if (!command_find(app->commands, command, &rest, error) ||
	    !keys_bind(app->parts[PART_keys], key, command, error))
		return false;
	app_say(app, false, "%s: %s", key, command);
	return true;
}

bool command_unbind(struct app *app, const char *argument, struct error *error)
{
	if (!keys_bind(app->parts[PART_keys], argument, NULL, error))
		return false;
	app_say(app, false, "%s is unbound", argument);
	return true;
}

static void write_bind(const struct app *app, struct strbuf *out)
{
	const struct keys *keys = app->parts[PART_keys];

	for (size_t i = 0; i < keys->count; i++) {
		const struct key_change *change = &keys->changes[i];

		if (change->command)
			strbuf_printf(out, "bind %s %s\n", change->name, change->command);
		else
			strbuf_printf(out, "unbind %s\n", change->name);
	}
}

/* What is no setting acts on the row under the cursor, and other rows than those of the view are on
 * the screen. */
bool command_in(struct app *app, const char *argument, struct error *error)
{
	const size_t before = app->view;
	const struct command_info *info;
	const char *rest, *command = argument;
	const struct view_state *view;
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

/* Of "COLUMN" or "COLUMN N", where a name may have blanks in it: the name, and where N is; *width
 * NULL: there is none. */
static const struct column *find_sized(struct columns *columns, const char *argument,
				       char name[static COLUMN_NAME_MAX], const char **width)
{
	const struct column *column = columns_find(columns, argument);
	const char *blank = column ? NULL : strrchr(argument, ' ');

	snprintf(name, COLUMN_NAME_MAX, "%.*s",
		 (int)(blank ? blank - argument : (long)strlen(argument)), argument);
	*width = blank ? blank + 1 : NULL;
	return column ? column : columns_find(columns, name);
}

bool command_width(struct app *app, const char *argument, struct error *error)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	char name[COLUMN_NAME_MAX];
	const char *text;
	const struct column *column = find_sized(columns, argument, name, &text);
	uint64_t width = 0;

	if (!column)
		return error_set(error, ERROR_COLUMN_HIDDEN, name, NULL);
	if (text && !units_parse_u64(text, 1, WIDTH_MOST, &width))
		return error_set(error, ERROR_WIDTH_BAD, text, NULL);
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

/* What the configuration says stays in it while a recording is shown. */
static bool change_light(struct app *app, int value, struct error *error)
{
	return (app->is_starting && engine_is_replay(app->engine)) ||
	       engine_set_light(app->engine, value, error);
}

/* Likewise. */
static bool change_weight(struct app *app, int value, struct error *error)
{
	const struct settings *settings = &app->request.settings;
	const char *lack = engine_lacks_parallelism(app->engine);

	if (value != WEIGHT_LATENCY || app->is_starting)
		return true;
	if (settings->samples != SAMPLES_ON_CPU ||
	    engine_session(app->engine)->sampling_event[0] != '\0')
		return error_set(error, ERROR_WEIGHT_SAMPLES, "weight latency", NULL);
	return !lack || error_set(error, ERROR_WEIGHT_UNKNOWN, lack, NULL);
}

/* Of intervals that were replayed it is known as it was then. */
static bool change_latency_of(struct app *app, int value, struct error *error)
{
	return app->is_starting || !engine_is_replay(app->engine) ||
	       error_set(error, ERROR_LATENCY_REPLAY, NULL, NULL);
}

static int light_usual(const struct app *app)
{
	return engine_is_light(app->engine);
}

/* Of a setting that says in which form a view is shown: its rows were asked for. A line of a
 * configuration is for later. */
static void show_form(struct app *app, enum setting form)
{
	const bool is_for_later =
		app->is_starting || app->is_scoped || mode_is_open(app, &setup_mode);

	for (size_t i = 0; i < app->view_count; i++) {
		if (!app->views[i].info->forms || app->views[i].info->form != form)
			continue;
		if (form == SETTING_calls)
			row_marks_hold_function(app);
		app_follow_forms(app);
		if (!is_for_later && i != app->view)
			view_order_show_view(app, i);
	}
}

/* clang-format off */
static const struct command_info commands[] = {
#define RUN(topic_, run_, name_, argument_, help_, ...) \
	{.topic = TOPIC_##topic_, .name = name_, .argument = argument_, .help = help_, .run = run_, __VA_ARGS__},
#define ACT(topic_, act_, name_, help_, ...) \
	{.topic = TOPIC_##topic_, .name = name_, .argument = "", .help = help_, .act = act_, __VA_ARGS__},
#define STEP(topic_, step_, by_, name_, help_, ...) \
	{.topic = TOPIC_##topic_, .name = name_, .argument = "", .help = help_, .step = step_, .by = by_, __VA_ARGS__},
#include "mode/command.def"
#define SETTING(member_, name_, words_, first_, help_, said_, topic_, changed_, usual_, ...) \
	{.topic = TOPIC_##topic_, .name = name_, .argument = "[" words_ "]", .help = help_, .is_setting = true, .setting = &setting_table[SETTING_##member_], .act = changed_, .usual = usual_, __VA_ARGS__},
#include "view/setting.def"
};
/* clang-format on */

const struct command_table command_table = {
	.rows = commands,
	.count = sizeof(commands) / sizeof(*commands),
	.changed = show_form,
};
