#include "screen/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "ui/key.h"
#include "ui/theme.h"
#include "view/column.h"
#include "view/cpu_meters.h"
#include "view/groups.h"

#include "screen/app.h"
#include "screen/command.h"
#include "screen/grouped.h"
#include "screen/keys.h"
#include "screen/look.h"
#include "screen/past.h"
#include "screen/strips.h"
#include "session/options.h"
#include "session/resolve.h"

static const char blanks[] = " \t";

/* Writers append nothing where everything is as it is by default. */
typedef void write_fn(const struct app *app, struct strbuf *out);

static void write_delay(const struct app *app, struct strbuf *out)
{
	if (app->delay_s != OPTIONS_DELAY_S)
		strbuf_printf(out, "delay %g\n", app->delay_s);
}

static void write_command_lines(const struct app *app, struct strbuf *out)
{
	if (app->command_lines != COMMAND_LINES_BY_WIDTH)
		strbuf_printf(out, "command-lines %s\n",
			      app->command_lines == COMMAND_LINES_ON ? "on" : "off");
}

static void write_window(const struct app *app, struct strbuf *out)
{
	past_write_window_setting(app, out);
}

static void write_by(const struct app *app, struct strbuf *out)
{
	past_write_by_setting(app, out);
}

static void write_colour(const struct app *app, struct strbuf *out)
{
	strbuf_add(out, app->strips->by_ipc ? "colour ipc\n" : "");
}

static void write_theme(const struct app *app, struct strbuf *out)
{
	if (app->look->theme && app->look->theme != theme_usual())
		strbuf_printf(out, "theme %s\n", theme_name(app->look->theme));
}

static void write_cpu_strips(const struct app *app, struct strbuf *out)
{
	if (app->look->strips != CPU_METERS_USUAL)
		strbuf_printf(out, "cpu-strips %s\n", cpu_meters_name(app->look->strips));
}

static void write_grouping(const struct app *app, struct strbuf *out)
{
	size_t count;

	if (app->grouped->grouping && app->grouped->grouping != grouping_table(&count))
		strbuf_printf(out, "group-by %s\n", app->grouped->grouping->name);
}

static void write_profile(const struct app *app, struct strbuf *out)
{
	if (app->keys.profile > 0)
		strbuf_printf(out, "key-profile %s\n", keys_profile(app->keys.profile));
}

static void write_binds(const struct app *app, struct strbuf *out)
{
	for (size_t i = 0; i < app->keys.count; i++) {
		const struct key_change *change = &app->keys.changes[i];

		if (change->command)
			strbuf_printf(out, "bind %s %s\n", change->name, change->command);
		else
			strbuf_printf(out, "unbind %s\n", change->name);
	}
}

static void write_widths(const struct app *app, struct strbuf *out)
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

/* What follows a command, of which its key is made. */
enum keyed {
	BY_NOTHING, /* the command alone */
	BY_KEY,     /* a key */
	BY_FIRST    /* the first words, up to a number at the end */
};

/* clang-format off */
static const struct setting {
	const char *command;
	const char *of;   /* the setting that it belongs to */
	enum settings_kind kind;
	enum keyed keyed;
	write_fn *write;  /* NULL: another line writes it, or config_text.c */
} settings[] = {
	{"delay",         "delay",         SETTINGS_ONE,     BY_NOTHING, write_delay},
	{"command-lines", "command-lines", SETTINGS_ONE,     BY_NOTHING, write_command_lines},
	{"window",        "window",        SETTINGS_ONE,     BY_NOTHING, write_window},
	{"by",            "by",            SETTINGS_ONE,     BY_NOTHING, write_by},
	{"colour",        "colour",        SETTINGS_ONE,     BY_NOTHING, write_colour},
	{"cpu-strips",    "cpu-strips",    SETTINGS_ONE,     BY_NOTHING, write_cpu_strips},
	{"group-by",      "group-by",      SETTINGS_ONE,     BY_NOTHING, write_grouping},
	{"theme",         "theme",         SETTINGS_ONE,     BY_NOTHING, write_theme},
	{"key-profile",   "key-profile",   SETTINGS_ONE,     BY_NOTHING, write_profile},
	{"bind",          "bind",          SETTINGS_ONE,     BY_KEY,     write_binds},
	{"unbind",        "bind",          SETTINGS_ONE,     BY_KEY,     NULL},
	{"width",         "width",         SETTINGS_ONE,     BY_FIRST,   write_widths},
	{"columns",       "columns",       SETTINGS_OF_VIEW, BY_NOTHING, NULL},
	{"remove-column", "columns",       SETTINGS_OF_VIEW, BY_NOTHING, NULL},
	{"sort",          "sort",          SETTINGS_OF_VIEW, BY_NOTHING, NULL},
	{"reverse",       "sort",          SETTINGS_OF_VIEW, BY_NOTHING, NULL},
	{"event",         "",              SETTINGS_ADDS,    BY_NOTHING, NULL},
	{"column",        "",              SETTINGS_ADDS,    BY_NOTHING, NULL},
	{"metric",        "",              SETTINGS_METRIC,  BY_NOTHING, NULL},
	{"define",        "",              SETTINGS_METRIC,  BY_NOTHING, NULL},
};
/* clang-format on */

enum {
	SETTING_COUNT = sizeof(settings) / sizeof(*settings)
};

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

/* False: it is none. */
static bool find_setting(const struct command_table *commands, const char *line, const char **rest,
			 struct setting *setting)
{
	const struct command_info *info;

	for (size_t i = 0; i < SETTING_COUNT; i++) {
		*setting = settings[i];
		if (begins_with(line, setting->command, rest))
			return true;
	}
	info = command_find(commands, line, rest, NULL);
	if (!info || !info->switches)
		return false;
	*setting = (struct setting){info->name, info->name, SETTINGS_ONE, BY_NOTHING, NULL};
	return true;
}

/* Takes the first word off the text. */
static void take_word(const char **text, char *word, size_t size)
{
	const size_t length = strcspn(*text, blanks);

	snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *text);
	*text += length + strspn(*text + length, blanks);
}

/* A key by the name that is shown; one that is none by what is written. */
static void write_key_of_key(const char *rest, char *key, size_t size)
{
	char word[KEYS_NAME_MAX];
	struct key_sequence keys;

	take_word(&rest, word, sizeof(word));
	snprintf(key, size, "%s", word);
	if (keys_parse(word, &keys) && keys.two[1] == KEY_CODE_NONE)
		key_name(keys.two[0], key, size);
}

static void write_key(const struct setting *setting, const char *rest,
		      char key[static SETTINGS_KEY_MAX])
{
	const size_t length = (size_t)snprintf(key, SETTINGS_KEY_MAX, "%s ", setting->of);
	const char *blank;

	switch (setting->keyed) {
	case BY_NOTHING:
		return;
	case BY_KEY:
		write_key_of_key(rest, key + length, SETTINGS_KEY_MAX - length);
		return;
	case BY_FIRST:
		blank = strrchr(rest, ' ');
		snprintf(key + length, SETTINGS_KEY_MAX - length, "%.*s",
			 (int)(blank ? blank - rest : (long)strlen(rest)), rest);
		return;
	}
}

enum settings_kind settings_kind_of(const struct command_table *commands, const char *line,
				    const char *view, char key[static SETTINGS_KEY_MAX])
{
	struct setting setting;
	const char *rest = line;
	char scope[64];
	bool is_scoped, is_found;

	key[0] = '\0';
	snprintf(scope, sizeof(scope), "%s", view);
	is_scoped = begins_with(line, "in", &rest);
	if (is_scoped)
		take_word(&rest, scope, sizeof(scope));
	is_found = find_setting(commands, rest, &rest, &setting);
	if (!is_found || (is_scoped && !view_find(scope)))
		return SETTINGS_FOREIGN;
	/* a column of one view only is one of its columns */
	if (is_scoped && setting.kind == SETTINGS_ADDS) {
		snprintf(key, SETTINGS_KEY_MAX, "in %s columns ", scope);
		return SETTINGS_OF_VIEW;
	}
	if (setting.kind == SETTINGS_OF_VIEW)
		snprintf(key, SETTINGS_KEY_MAX, "in %s %s ", scope, setting.of);
	else if (setting.kind == SETTINGS_ONE)
		write_key(&setting, rest, key);
	return setting.kind;
}

bool settings_goes_to_view(const char *line, char *view, size_t size)
{
	const char *rest;

	if (!begins_with(line, "view", &rest) || !view_find(rest))
		return false;
	snprintf(view, size, "%s", view_find(rest)->name);
	return true;
}

static void write_switch(const struct app *app, const struct command_info *info, struct strbuf *out)
{
	const bool is_on = command_is_on(app, info);

	if (is_on == (info->switches == COMMAND_SWITCH))
		strbuf_printf(out, "%s %s\n", info->name, is_on ? "on" : "off");
}

void settings_write(const struct app *app, struct strbuf *out)
{
	const struct command_table *commands = app->commands;

	for (size_t i = 0; i < commands->count; i++)
		if (commands->rows[i].switches)
			write_switch(app, &commands->rows[i], out);
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (settings[i].write)
			settings[i].write(app, out);
}

bool settings_value(const struct app *app, const char *command, struct strbuf *out)
{
	const struct command_info *info =
		command_find(app->commands, command, &(const char *){NULL}, NULL);
	struct strbuf line = {0};
	const char *rest;
	bool is_set = false;

	if (info && info->switches) {
		strbuf_add(out, command_is_on(app, info) ? "on" : "off");
		return true;
	}
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (strcmp(settings[i].command, command) != 0 || !settings[i].write)
			continue;
		settings[i].write(app, &line);
		is_set = begins_with(strbuf_text(&line), command, &rest);
		if (is_set)
			strbuf_add_bytes(out, rest, strcspn(rest, "\n"));
	}
	strbuf_fini(&line);
	return is_set;
}
