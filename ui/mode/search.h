#ifndef PERFTOP_SEARCH_H
#define PERFTOP_SEARCH_H

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

/* To the next row with these words, the one under the cursor first. */
void search_for(struct app *app, const char *words);

/* To the next one behind the cursor, and to the one before it. */
void search_next(struct app *app);
void search_previous(struct app *app);

/* While words are typed: remembers where the cursor is, and takes it back there. */
void search_begin(struct app *app);
void search_return(struct app *app);

#endif
