#ifndef PERFTOP_CONDITION_H
#define PERFTOP_CONDITION_H

/*
 * A filter that is watched while the program runs: that of --fail-if, of which the first row that
 * passes is the run's error, and that of --trigger, which saves the past (past.h).
 */

#include <stdbool.h>

#include "base/error.h"
#include "view/column.h"

struct app;
struct strbuf;
struct view_info;
struct view_request;
struct view_table;

struct condition {
	const char *text;      /* NULL: none, and none of this does anything */
	enum error_code never; /* the error where no row can ever pass */
	bool is_of_states;
	struct column_list compared; /* its columns; owned */
	struct column_list doubtful; /* of these, never known so far; owned */
};

void condition_fini(struct condition *condition);

/* False: the filter is none, or asks what rows of the view do not have. */
bool condition_prepare(struct condition *condition, struct app *app, const struct view_info *view,
		       struct error *error);

/* COLUMN_NEEDS_* of the rows that are asked for. */
unsigned int condition_needs(const struct condition *condition, const struct app *app,
			     const struct view_request *request);

/*
 * Whether a row of the interval that has just ended passes, of those asked for, whatever it is
 * compared with and however many are shown: then it is the table's first one.
 */
bool condition_look(struct condition *condition, const struct app *app, struct view_table *table,
		    const struct view_request *request);

/* "PID 4711, LOCK 48.1, COMMAND nginx": of the first row its first and last column, its name and
 * what is compared. */
void condition_write_row(const struct condition *condition, const struct view_table *table,
			 struct strbuf *out);

/*
 * What is compared is known to one host at least, before anything is counted or in the interval
 * that each has come to; else no row would ever pass, and the run that checks something would say
 * that all is well. The first host is shown then.
 */
bool condition_is_known(const struct condition *condition, struct app *app, bool has_counted,
			struct error *error);

#endif
