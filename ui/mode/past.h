#ifndef PERFTOP_PAST_H
#define PERFTOP_PAST_H

/*
 * The past, saved: by a command, or by a row that passes the filter of --trigger. That is written
 * when as much has come after it as is kept of before. Rows of what follows are of the same event
 * until there was none in an interval and its file is written.
 */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

/* What the trigger compares is counted. True, too, where there is none. */
bool past_prepare(struct app *app, struct error *error);

/* The same, of what is known only when all that its rows need was asked for. */
bool past_may_come(struct app *app, struct error *error);

/* COLUMN_NEEDS_* of its rows. */
unsigned int past_needs(const struct app *app);

/*
 * At the end of an interval: appends what is to be said, that a row has passed or that a file is
 * written. False: it could not be, error says why.
 */
bool past_look(struct app *app, struct strbuf *said, struct error *error);

/* The run ends: what is to be written is, with as much as there is. Likewise. */
bool past_end(struct app *app, struct strbuf *said, struct error *error);

#endif
