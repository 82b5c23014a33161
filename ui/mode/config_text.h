#ifndef PERFTOP_CONFIG_TEXT_H
#define PERFTOP_CONFIG_TEXT_H

/* The text of a configuration file with the settings of this run in it. */

struct app;
struct strbuf;

/*
 * Appends `old` with its settings as they are now: comments, blank lines and whatever is no setting
 * of ours stay where they are; a setting that is as by default again goes, one that is new comes
 * behind the others.
 */
void config_text_renew(const struct app *app, const char *old, struct strbuf *out);

#endif
