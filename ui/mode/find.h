#ifndef PERFTOP_FIND_H
#define PERFTOP_FIND_H

/*
 * The filters that are in force, one upon the other: a row passes all of them. They are lines of
 * app->filter (view/filter.h).
 */

/*
 * Words looked for in the rows: from the cursor on, round the end; in a log from the cursor back
 * to older lines. Of a million rows only so many are looked at for one key; the next search for
 * the same words goes on where the last one stopped.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#include "widget/list.h"

struct app;
struct error;
struct strbuf;

/* The last one; "": there is none. */
const char *filters_last(const struct app *app);

/* All of them, one a line; "": all rows are shown. */
bool filters_set(struct app *app, const char *lines, struct error *error);

/* The same of those that held before: nothing is said about them, nor counted for them. */
void filters_restore(struct app *app, const char *lines);

/* One that is still being typed, upon the lines of `before`, or in place of their last. */
void filters_try(struct app *app, const char *before, const char *text, bool is_added);

/* Says it if a filter compares what the rows of the current view do not have, where it is left out.
 */
void filters_report_unsupported(struct app *app);

/* "ipc < 0.5 · www" */
void filters_write(const char *lines, struct strbuf *out, bool ascii);

enum {
	SEARCH_ROWS_MOST = 50000 /* looked at for one key */
};

struct search {
	struct strbuf words;
	bool is_back;       /* it goes to the rows before */
	struct list origin; /* where it began, while words are typed */
	size_t left;        /* rows that were not looked at yet; 0: the search is over */
	uint64_t next_id;   /* the first of them */
	uint64_t cursor_id; /* row that the cursor was on: elsewhere a search begins anew */
};

/* To the next one behind the cursor, or to the one before it. */
void search_next(struct app *app, bool is_back);

/* While words are typed: remembers where the cursor is, and takes it back there. */
void search_begin(struct app *app);
void search_return(struct app *app);

#endif
