/* Which row of the table a text means, and whether it may be run. */
#include "mode/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "model/session.h"
#include "view/pairs.h"
#include "view/settings.h"

#include "mode/app.h"
#include "mode/drawing.h"
#include "mode/marks.h"
#include "session/resolve.h"

enum {
	COMMAND_MAX = 600 /* two names of columns, and more */
};

static const char blanks[] = " \t";

/* Whether the command is to be run with this argument: one that is all in brackets may be left out.
 */
static bool argument_fits(const struct command_info *info, const char *argument)
{
	const size_t length = strlen(info->argument);

	if (argument[0] == '\0')
		return length == 0 ||
		       (info->argument[0] == '[' && info->argument[length - 1] == ']');
	return length > 0;
}

void command_take_word(const char **text, char *word, size_t size)
{
	const size_t length = strcspn(*text, blanks);

	snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *text);
	*text += length + strspn(*text + length, blanks);
}

const struct command_info *command_find(const struct command_table *table, const char *text,
					const char **argument, struct error *error)
{
	char name[32];

	*argument = text + strspn(text, blanks);
	command_take_word(argument, name, sizeof(name));
	for (size_t i = 0; i < table->count; i++)
		if (strcmp(table->rows[i].name, name) == 0)
			return &table->rows[i];
	error_set(error, ERROR_COMMAND_UNKNOWN, name, NULL);
	return NULL;
}

const struct command_info *command_of_key(const struct command_table *table, const char *text)
{
	const struct command_info *asked = NULL;
	const char *rest;

	if (strncmp(text, "ask ", 4) == 0)
		asked = command_find(table, text + 4, &rest, NULL);
	return asked ? asked : command_find(table, text, &rest, NULL);
}

const struct command_info *command_next(const struct command_table *table,
					const struct command_info *row)
{
	const struct command_info *next = NULL;

	for (size_t i = 0; i < table->count; i++) {
		const struct command_info *other = &table->rows[i];

		if ((!row || strcmp(other->name, row->name) > 0) &&
		    (!next || strcmp(other->name, next->name) < 0))
			next = other;
	}
	return next;
}

bool command_is_of_view(const struct view_info *view, const char *text)
{
	return word_list_has(view->keys, text) || word_list_has(view_in_form(view, 0)->keys, text);
}

static bool shows_column(const struct app *app, const char *name)
{
	for (size_t i = 0; i < view_table_column_count(app->table); i++)
		if (strcmp(view_table_column(app->table, i)->name, name) == 0)
			return true;
	return false;
}

/* Elsewhere the rows that are tagged are hidden. */
static bool has_task_row(const struct app *app)
{
	const struct row_marks *marks = app->parts[PART_row_marks];
	const struct view_info *view = app->views[app->view].info;
	const size_t place = app->lists[app->view].cursor.at;
	const struct drawing *drawing = app_drawing(app);
	const struct view_row *row = NULL;

	if (marks->tags.count > 0)
		return view_is_of_tasks(view);
	if (drawing)
		return drawing->actor && drawing->actor(app);
	if (place < view_table_row_count(app->table))
		row = view_table_row(app->table, place);
	return row && row->kind == view->kind && view_has_rows_of_a_task(view) &&
	       !(row->pair && row->pair->is_of_names);
}

/* All needs that are met, but that of a view with the command. */
static unsigned int needs_met(const struct app *app)
{
	const struct view_info *view = app->views[app->view].info;
	const struct session *session = engine_session(app->engine);
	const bool is_sorted =
		!view->fixed_order || (view->is_log && playback_is_still(app->playback));
	unsigned int met;

	met = engine_is_replay(app->engine) ? COMMAND_NEEDS_REPLAY : COMMAND_NEEDS_PRESENT;
	met |= session->has_pmu ? COMMAND_NEEDS_COUNTERS : 0;
	met |= view_is_of_cpus(view) ? 0 : COMMAND_NEEDS_BARS;
	met |= view->around ? COMMAND_NEEDS_SETS : 0;
	met |= is_sorted ? COMMAND_NEEDS_ORDER : 0;
	met |= row_marks_is_tree(app) ? COMMAND_NEEDS_TREE : 0;
	met |= view_is_of_tasks(view) ? COMMAND_NEEDS_ROWS : 0;
	met |= has_task_row(app) ? COMMAND_NEEDS_TASK : 0;
	met |= view_is_of_tasks(view) || view->kind == ROW_GROUP ? COMMAND_NEEDS_IDLE : 0;
	met |= !engine_is_replay(app->engine) || view->kind == ROW_FUNCTION ? COMMAND_NEEDS_SUBJECT
									    : 0;
	return met;
}

unsigned int command_lacks(const struct app *app, const char *text)
{
	const struct command_info *info = command_of_key(app->commands, text);
	unsigned int met = needs_met(app);

	if (command_is_of_view(app->views[app->view].info, text))
		met |= COMMAND_NEEDS_VIEW;
	if (strncmp(text, "sort ", 5) == 0 && !shows_column(app, text + 5))
		met &= ~(unsigned int)COMMAND_NEEDS_ORDER;
	return info ? info->needs & ~met : 0;
}

/* The one command that begins as the text's first word does; NULL: *error says that there are
 * several, or stays as it is. */
static const struct command_info *find_command_beginning(const struct command_table *table,
							 const char *text, struct error *error)
{
	const struct command_info *found = NULL;
	struct strbuf names = {0};
	size_t count = 0;

	text += strspn(text, blanks);
	const size_t length = strcspn(text, blanks);
	for (const struct command_info *row = NULL; (row = command_next(table, row));) {
		if (strncmp(row->name, text, length) != 0)
			continue;
		found = row;
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

/* Without a word the next one. */
static bool run_setting(struct app *app, const struct command_info *info, const char *word,
			struct error *error)
{
	const struct setting_info *setting = info->setting;
	int *value = &app->request.settings.all[setting->number];
	char text[APP_MESSAGE_MAX];
	int wanted;

	if (word[0] == '\0') {
		wanted = *value != SETTING_UNSET || !info->usual ? *value : info->usual(app);
		wanted = setting_next(setting, wanted);
	} else {
		wanted = setting_find(setting, word);
	}
	if (wanted == SETTING_UNSET) {
		snprintf(text, sizeof(text), "%s: %s", setting->name, setting->words);
		return error_set(error, ERROR_SETTING_UNKNOWN, word, text);
	}
	if (info->change && !info->change(app, wanted, error))
		return false;
	*value = wanted;
	app->needs_build = true;
	app->needs_drawing = true;
	setting_message(setting, wanted, text, sizeof(text));
	if (text[0] != '\0')
		app_say(app, false, "%s", text);
	if (info->act)
		info->act(app);
	if (app->commands->changed)
		app->commands->changed(app, setting->number);
	return true;
}

bool command_may_run(const struct app *app, const struct command_info *info, struct error *error)
{
	return app->is_starting || !(info->needs & COMMAND_NEEDS_PRESENT) ||
	       !engine_is_replay(app->engine) ||
	       error_set(error, ERROR_REPLAY_NOT, info->name, NULL);
}

static bool run_command(struct app *app, const char *text, struct error *error)
{
	const struct command_info *info;
	const char *argument;
	struct error unknown = {0};
	char usage[96];

	info = command_find(app->commands, text, &argument, &unknown);
	if (!info)
		info = find_command_beginning(app->commands, text, &unknown);
	if (!info) {
		*error = unknown;
		return false;
	}
	if (!argument_fits(info, argument)) {
		snprintf(usage, sizeof(usage), "%s %s", info->name, info->argument);
		return error_set(error, ERROR_COMMAND_USAGE, usage, NULL);
	}
	if (!command_may_run(app, info, error))
		return false;
	if (info->run) {
		const bool good = info->run(app, argument, error);

		if (app->fault != RESOLVE_NOWHERE)
			app->fault += (size_t)(argument - text);
		return good;
	}
	if (info->setting)
		return run_setting(app, info, argument, error);
	if (info->step)
		info->step(app, info->by);
	else
		info->act(app);
	return true;
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
	good = run_command(app, copy, error);
	free(copy);
	return good;
}

bool command_do(struct app *app, const char *format, ...)
{
	struct error error = {0};
	char text[COMMAND_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (command_run(app, text, &error))
		return true;
	app_refuse(app, &error);
	return false;
}

bool command_is_setting(const struct command_table *table, const char *text, struct error *error)
{
	const char *argument;
	const struct command_info *info = command_find(table, text, &argument, error);

	if (info && info->takes_command)
		info = command_find(table, argument + strcspn(argument, blanks), &argument, error);
	if (!info || info->is_setting)
		return info;
	return error_set(error, ERROR_CONFIG_COMMAND, info->name, NULL);
}

bool command_configure(struct app *app, const char *text, struct error *error)
{
	const char *argument;

	if (!command_is_setting(app->commands, text, error))
		return false;
	if (command_run(app, text, error))
		return true;
	command_find(app->commands, text, &argument, NULL);
	return resolve_mark(error, argument,
			    app->fault == RESOLVE_NOWHERE ? app->fault
							  : app->fault - (size_t)(argument - text));
}

/* Whether the line's first word is this one; *rest is what follows. */
static bool begins_with(const char *line, const char *word, const char **rest)
{
	const size_t length = strlen(word);

	if (strncmp(line, word, length) != 0 ||
	    (line[length] != '\0' && !strchr(blanks, line[length])))
		return false;
	*rest = line + length + strspn(line + length, blanks);
	return true;
}

/* As a line; nothing where it is as at first. */
static void write_setting(const struct app *app, const struct command_info *info,
			  struct strbuf *out)
{
	const struct setting_info *setting = info->setting;
	const int value = setting ? app->request.settings.all[setting->number] : 0;
	char word[SETTING_WORD_MAX];

	if (info->write) {
		info->write(app, out);
	} else if (setting && value != setting->first) {
		setting_word(setting, value, word);
		strbuf_printf(out, "%s %s\n", setting->name, word);
	}
}

void settings_write(const struct app *app, struct strbuf *out)
{
	for (const struct command_info *row = NULL; (row = command_next(app->commands, row));)
		write_setting(app, row, out);
}

void settings_reset(struct app *app)
{
	for (const struct command_info *row = NULL; (row = command_next(app->commands, row));) {
		if (!row->setting ||
		    app->request.settings.all[row->setting->number] == row->setting->first)
			continue;
		if (row->change && !row->change(app, row->setting->first, NULL))
			continue;
		app->request.settings.all[row->setting->number] = row->setting->first;
		if (row->act)
			row->act(app);
	}
}

void settings_value(const struct app *app, const struct command_info *info, struct strbuf *out)
{
	struct strbuf line = {0};
	char word[SETTING_WORD_MAX];
	const char *rest;
	int value;

	if (!info->setting) {
		info->write(app, &line);
		if (begins_with(strbuf_text(&line), info->name, &rest))
			strbuf_add_bytes(out, rest, strcspn(rest, "\n"));
		strbuf_fini(&line);
		return;
	}
	value = app->request.settings.all[info->setting->number];
	if (value == SETTING_UNSET)
		return;
	setting_word(info->setting, value, word);
	strbuf_add(out, word);
}
