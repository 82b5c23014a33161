#include "mode/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

#include "mode/app.h"
#include "mode/keys.h"
#include "term/key.h"

static const char blanks[] = " \t";

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

/* The command of a line that is a setting; NULL: it is none. */
static const struct command_info *find_setting(const struct command_table *commands,
					       const char *line, const char **rest)
{
	const struct command_info *info = command_find(commands, line, rest, NULL);

	return info && command_keeps(info) != SETTINGS_FOREIGN ? info : NULL;
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

/* The setting that the command belongs to. */
static const char *setting_of(const struct command_info *info)
{
	return info->of ? info->of : info->name;
}

static void write_key(const struct command_info *info, const char *rest,
		      char key[static SETTINGS_KEY_MAX])
{
	const size_t length = (size_t)snprintf(key, SETTINGS_KEY_MAX, "%s ", setting_of(info));
	const char *blank;

	switch (info->keyed) {
	case SETTINGS_BY_NOTHING:
		return;
	case SETTINGS_BY_KEY:
		write_key_of_key(rest, key + length, SETTINGS_KEY_MAX - length);
		return;
	case SETTINGS_BY_FIRST:
		blank = strrchr(rest, ' ');
		snprintf(key + length, SETTINGS_KEY_MAX - length, "%.*s",
			 (int)(blank ? blank - rest : (long)strlen(rest)), rest);
		return;
	}
}

enum settings_kind settings_kind_of(const struct command_table *commands, const char *line,
				    const char *view, char key[static SETTINGS_KEY_MAX])
{
	const struct command_info *info;
	enum settings_kind kind;
	const char *rest = line;
	char scope[64];
	bool is_scoped;

	key[0] = '\0';
	snprintf(scope, sizeof(scope), "%s", view);
	is_scoped = begins_with(line, "in", &rest);
	if (is_scoped)
		take_word(&rest, scope, sizeof(scope));
	info = find_setting(commands, rest, &rest);
	if (!info || (is_scoped && !view_find(scope)))
		return SETTINGS_FOREIGN;
	kind = command_keeps(info);
	/* a column of one view only is one of its columns */
	if (is_scoped && kind == SETTINGS_ADDS) {
		snprintf(key, SETTINGS_KEY_MAX, "in %s columns ", scope);
		return SETTINGS_OF_VIEW;
	}
	if (kind == SETTINGS_OF_VIEW)
		snprintf(key, SETTINGS_KEY_MAX, "in %s %s ", scope, setting_of(info));
	else if (kind == SETTINGS_ONE)
		write_key(info, rest, key);
	return kind;
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

	for (size_t i = 0; i < commands->count; i++) {
		const struct command_info *info = &commands->rows[i];

		if (info->switches)
			write_switch(app, info, out);
		else if (info->write)
			info->write(app, out);
	}
}

bool settings_value(const struct app *app, const char *command, struct strbuf *out)
{
	const struct command_info *info =
		command_find(app->commands, command, &(const char *){NULL}, NULL);
	struct strbuf line = {0};
	const char *rest;
	bool is_set;

	if (info && info->switches) {
		strbuf_add(out, command_is_on(app, info) ? "on" : "off");
		return true;
	}
	if (info && info->write)
		info->write(app, &line);
	is_set = begins_with(strbuf_text(&line), command, &rest);
	if (is_set)
		strbuf_add_bytes(out, rest, strcspn(rest, "\n"));
	strbuf_fini(&line);
	return is_set;
}
