#ifndef PERFTOP_SETTINGS_H
#define PERFTOP_SETTINGS_H

/*
 * The settings of this run as lines of a configuration file: only what differs from the defaults.
 * The table of commands says which are settings, and how each is written.
 */

#include <stdbool.h>
#include <stddef.h>

#include "mode/command.h"

struct app;
struct strbuf;

enum {
	SETTINGS_KEY_MAX = 400 /* a column's name and more */
};

/*
 * What the line is about; `view` is the one that lines of the file are for by now. A setting's key
 * goes to key[]: lines with the same key are about the same thing.
 */
enum settings_kind settings_kind_of(const struct command_table *commands, const char *line,
				    const char *view, char key[static SETTINGS_KEY_MAX]);

/* Whether the line goes to another view; its name is copied then. */
bool settings_goes_to_view(const char *line, char *view, size_t size);

/* Lines of all settings but those of views. Each ends in '\n'. */
void settings_write(const struct app *app, struct strbuf *out);

/* Value of the setting that has no key but its command: "vim" for key-profile. False: there is no
 * such setting, or it is as it is by default. */
bool settings_value(const struct app *app, const char *command, struct strbuf *out);

#endif
