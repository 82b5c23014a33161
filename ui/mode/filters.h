#ifndef PERFTOP_FILTERS_H
#define PERFTOP_FILTERS_H

/*
 * The filters that are in force, one upon the other: a row passes all of them. They are lines of
 * app->filter (view/filter.h).
 */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

/* The last one; "": there is none. */
const char *filters_last(const struct app *app);

/* All of them, one a line; "": all rows are shown. */
bool filters_set(struct app *app, const char *lines, struct error *error);

/* The same of those that held before: nothing is said about them, nor counted for them. */
void filters_restore(struct app *app, const char *lines);

/* In place of the last one; "": it goes. */
bool filters_replace(struct app *app, const char *text, struct error *error);

/* Upon the others. */
bool filters_add(struct app *app, const char *text, struct error *error);

/* One that is still being typed, upon the lines of `before`, or in place of their last. */
void filters_try(struct app *app, const char *before, const char *text, bool is_added);

/* Says it if a filter compares what the rows of the current view do not have, where it is left out.
 */
void filters_report_unsupported(struct app *app);

/* "ipc < 0.5 · www" */
void filters_write(const char *lines, struct strbuf *out, bool ascii);

#endif
