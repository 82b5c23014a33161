/* What stays as it is until it is changed: keys, widths, the file with all of it. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "view/column.h"

#include "command/commands_run.h"
#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/config_save.h"
#include "mode/setup.h"
#include "session/resolve.h"

enum {
	WIDTH_MOST = 80
};

/* Takes the first word off the argument, as much of it as there is room for. */
static const char *take_word(const char *argument, char *word, size_t size)
{
	const size_t length = strcspn(argument, " \t");

	snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), argument);
	return argument + length + strspn(argument + length, " \t");
}

bool run_bind(struct app *app, const char *argument, struct error *error)
{
	char key[KEYS_NAME_MAX];
	const char *command = take_word(argument, key, sizeof(key));
	const char *rest;

	if (command[0] == '\0')
		return error_set(error, ERROR_COMMAND_USAGE, "bind KEY COMMAND", NULL);
	if (!command_find(app->commands, command, &rest, error))
		return false;
	if (!keys_bind(&app->keys, key, command, error))
		return false;
	app_say(app, false, "%s: %s", key, command);
	return true;
}

bool run_unbind(struct app *app, const char *argument, struct error *error)
{
	if (!keys_bind(&app->keys, argument, NULL, error))
		return false;
	app_say(app, false, "%s is unbound", argument);
	return true;
}

void write_bind(const struct app *app, struct strbuf *out)
{
	for (size_t i = 0; i < app->keys.count; i++) {
		const struct key_change *change = &app->keys.changes[i];

		if (change->command)
			strbuf_printf(out, "bind %s %s\n", change->name, change->command);
		else
			strbuf_printf(out, "unbind %s\n", change->name);
	}
}

bool run_key_profile(struct app *app, const char *argument, struct error *error)
{
	if (!keys_set_profile(&app->keys, argument, error))
		return false;
	app_say(app, false, "keys of %s", argument);
	return true;
}

void write_key_profile(const struct app *app, struct strbuf *out)
{
	if (app->keys.profile > 0)
		strbuf_printf(out, "key-profile %s\n", keys_profile(app->keys.profile));
}

/* What is no setting acts on the row under the cursor, and other rows than those of the view are on
 * the screen. */
static bool may_be_scoped(const struct command_table *commands, const char *command,
			  struct error *error)
{
	const char *argument;
	const struct command_info *info = command_find(commands, command, &argument, error);

	if (!info || info->is_setting)
		return info;
	return error_set(error, ERROR_VIEW_SETTING, info->name, NULL);
}

bool run_in(struct app *app, const char *argument, struct error *error)
{
	const size_t before = app->view;
	char name[64];
	const char *command = take_word(argument, name, sizeof(name));
	size_t view = 0;
	bool good;

	if (command[0] == '\0' || app->is_scoped)
		return error_set(error, ERROR_COMMAND_USAGE, "in VIEW COMMAND", NULL);
	while (view < app->view_count && strcmp(app->views[view].info->name, name) != 0)
		view++;
	if (view == app->view_count) {
		char names[256];

		view_names(names, sizeof(names));
		return error_set(error, ERROR_VIEW_UNKNOWN, name, names);
	}
	if (!may_be_scoped(app->commands, command, error))
		return false;
	app->view = view;
	app->is_scoped = true;
	good = command_run(app, command, error);
	app->is_scoped = false;
	app->view = before;
	app->fault = RESOLVE_NOWHERE; /* it would count from where the inner argument begins */
	return good;
}

bool run_width(struct app *app, const char *argument, struct error *error)
{
	const char *blank = strrchr(argument, ' ');
	const size_t length = blank ? (size_t)(blank - argument) : strlen(argument);
	char name[COLUMN_NAME_MAX];
	const struct column *column;
	uint64_t width = 0;

	snprintf(name, sizeof(name), "%.*s",
		 (int)(length < sizeof(name) ? length : sizeof(name) - 1), argument);
	column = columns_find(engine_resolver(app->engine)->columns, name);
	if (!column)
		return error_set(error, ERROR_COLUMN_HIDDEN, name, NULL);
	if (blank && !units_parse_u64(blank + 1, 1, WIDTH_MOST, &width))
		return error_set(error, ERROR_WIDTH_BAD, blank + 1, NULL);
	columns_set_width(engine_resolver(app->engine)->columns, column, (int)width);
	app->needs_drawing = true;
	return true;
}

void write_width(const struct app *app, struct strbuf *out)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	const size_t count = columns_count(columns);

	for (size_t i = 0; i < count; i++) {
		const struct column *column = columns_get(columns, i);
		const int width = columns_set_width_of(columns, column);

		if (width > 0)
			strbuf_printf(out, "width %s %d\n", column->name, width);
	}
}

bool run_define(struct app *app, const char *argument, struct error *error)
{
	return view_columns_define_metric(app, argument, error);
}

bool run_save(struct app *app, const char *argument, struct error *error)
{
	return config_save(app, error);
}

bool run_setup(struct app *app, const char *argument, struct error *error)
{
	setup_open(app);
	return true;
}
