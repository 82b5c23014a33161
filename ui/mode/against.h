#ifndef PERFTOP_AGAINST_H
#define PERFTOP_AGAINST_H

/* The recording that another one is compared with (--against). */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

/*
 * Reads it, if one is asked for, with the same configuration and options; for totals, which are of
 * all its intervals, it is ready to be read. Appends a line to remarks where only a part of it can
 * be compared. False: error says why not.
 */
bool against_read(struct app *app, struct strbuf *remarks, struct error *error);

/* NULL: there is none. */
struct app *against_old(const struct app *app);

#endif
