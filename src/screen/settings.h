#ifndef PERFTOP_SETTINGS_H
#define PERFTOP_SETTINGS_H

/*
 * The settings of this run as lines of a configuration file: only what differs from the defaults.
 * One table says which commands are settings of what, and how each is written.
 */

#include <stdbool.h>
#include <stddef.h>

struct app;
struct command_table;
struct strbuf;

enum {
	SETTINGS_KEY_MAX = 400 /* a column's name and more */
};

/* What a line of a file is about. */
enum settings_kind {
	SETTINGS_FOREIGN, /* nothing that is written: it stays as it is */
	SETTINGS_ONE,     /* a setting, which has a key */
	SETTINGS_OF_VIEW, /* likewise, of a view: it must come after what adds columns */
	SETTINGS_ADDS,    /* adds columns to all views: event, column */
	SETTINGS_METRIC   /* defines a metric: metric, define */
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
