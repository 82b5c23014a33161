#ifndef PERFTOP_SESSION_UNKNOWN_H
#define PERFTOP_SESSION_UNKNOWN_H

/*
 * Why no row of an engine can have a value of a column: its events are not counted, or what it is
 * made of is not known here or not in the recording. That a column is known does not mean that
 * there is something to show.
 */

#include <stdbool.h>

struct column;
struct engine;
struct snapshot;
struct strbuf;

/*
 * By the events and the session so far and, unless that is NULL, by an interval of it, since some
 * of it only records say. False: rows may have a value. Otherwise *why is "NAME: reason"; it may be
 * NULL.
 */
bool column_is_unknown(const struct engine *engine, const struct column *column,
		       const struct snapshot *snapshot, struct strbuf *why);

#endif
