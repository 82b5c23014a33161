#ifndef PERFTOP_FIND_H
#define PERFTOP_FIND_H

/*
 * Filters, searches and groups. The filters that are in force are lines of app->filter
 * (view/filter.h), one upon the other: a row passes all of them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "view/column.h"

#include "widget/list.h"

struct app;
struct error;
struct strbuf;

/* The last one; "": there is none. */
const char *filters_last(const struct app *app);

/* The same of those that held before: nothing is said about them, nor counted for them. */
void filters_restore(struct app *app, const char *text);

/* One that is still being typed, upon the lines of `before`, or in place of their last. */
void filters_try(struct app *app, const char *before, const char *text, bool is_added);

/* Says it if a filter compares what the rows of the current view do not have, where it is left out.
 */
void filters_report_unsupported(struct app *app);

/* "ipc < 0.5 · www" */
void filters_write(const char *lines, struct strbuf *out, bool ascii);

/*
 * Words looked for in the rows: from the cursor on, round the end; in a log from the cursor back
 * to older lines. Of a million rows only so many are looked at for one key; the next search for
 * the same words goes on where the last one stopped.
 */
enum {
	SEARCH_ROWS_MOST = 50000 /* looked at for one key */
};

struct search {
	struct strbuf words;
	size_t view;        /* with the rows that they were looked for in */
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

/*
 * The view of groups: by what tasks are summed, and the way into a group, an object or a CPU and
 * back. Its members are what passes a filter, which is seen like any other and is taken back by
 * Esc.
 */

struct grouped {
	bool is_inside;               /* the members of a group are shown, as far as the filter
					 is still that of the group */
	size_t view;                  /* from which they were opened, */
	const char *from_members;     /* and the command that leads back to its form; NULL: none */
	struct strbuf before, inside; /* owned; the filter before, and that of the group */
};

/* The members of the group under the cursor, functions of the object, or on the CPU. */
bool grouped_open(struct app *app, struct error *error);

/* Back to the group they were opened from; false: no group's members are shown. */
bool grouped_leave(struct app *app);

#endif
