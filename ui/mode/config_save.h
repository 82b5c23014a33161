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
bool config_save(struct app *app, const char *argument, struct error *error);

/*
 * Appends `old` up to the block that was saved before, and a block with the settings of now: those
 * that differ from the defaults, whatever the lines before it say.
 */
void config_text_renew(const struct app *app, const char *old, struct strbuf *out);

#endif
