#ifndef PERFTOP_HELP_H
#define PERFTOP_HELP_H

/* The help page, and the help about one thing, made from the tables of the program. */

#include <stdbool.h>
#include <stddef.h>

#include "mode/command.h"

struct app;
struct columns;
struct key_binding;
struct keys;
struct metric_set;
struct strbuf;
struct text_marks;

/* Chapters: those of commands and their keys, and others. */
enum {
	HELP_VIEW = TOPICS, /* the view that is shown */
	HELP_COLUMNS,       /* its columns */
	HELP_MANUAL         /* all */
};

extern const char *const help_topics[TOPICS]; /* titles */

/* Places in the table of the keys that a topic has, the first of each command, in its order; at
 * most max. Returns how many. */
size_t help_list_topic(size_t topic, const struct key_binding *table, size_t count, size_t *places,
		       size_t max);

/* Appends a chapter. */
void help_write_chapter(struct strbuf *out, const struct app *app, size_t topic);

/* Replaces what is in it. keys: those that hold now; NULL: those of the table. */
void help_write(struct strbuf *out, struct columns *columns, const struct metric_set *set,
		const struct keys *keys);

/*
 * Replaces what is in `out`, and adds to `marks` which of it has which colour. False: nothing has
 * this name, and `out` is empty.
 */
bool help_about(struct strbuf *out, struct text_marks *marks, struct app *app, const char *name);

/* How events are written, one form a line; how filters are; how metrics are, and those there are.
 */
void help_write_events(struct strbuf *out);
void help_write_filters(struct strbuf *out);
void help_write_metrics(struct strbuf *out, const struct metric_set *set);

#endif
