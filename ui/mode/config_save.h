#ifndef PERFTOP_CONFIG_SAVE_H
#define PERFTOP_CONFIG_SAVE_H

/* The text of a configuration file with the settings of this run in it. */

struct app;
struct strbuf;

/*
 * Appends `old` up to the block that was saved before, and a block with the settings of now: those
 * that differ from the defaults, whatever the lines before it say.
 */
void config_text_renew(const struct app *app, const char *old, struct strbuf *out);

#endif
