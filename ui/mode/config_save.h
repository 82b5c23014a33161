#ifndef PERFTOP_CONFIG_SAVE_H
#define PERFTOP_CONFIG_SAVE_H

/* The text of a configuration file with the settings of this run in it. */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

/*
 * Writes the settings of this run into the configuration file: whole or not at all. A link is
 * followed to a file of the same owner. False: error says why the file is as it was.
 */
bool config_save(struct app *app, struct error *error);

/*
 * Appends `old` with its settings as they are now: comments, blank lines and whatever is no setting
 * of ours stay where they are; a setting that is as by default again goes, one that is new comes
 * behind the others.
 */
void config_text_renew(const struct app *app, const char *old, struct strbuf *out);

#endif
