#ifndef PERFTOP_COMPARED_H
#define PERFTOP_COMPARED_H

/*
 * What rows are compared with (view/difference.h): a mark, which is a copy of the interval that was
 * shown then, or with --against all of another recording as one interval, or its longest part.
 */

#include <stdbool.h>
#include <stdint.h>

#include "view/request.h"

#include "session/options.h"

struct app;
struct error;
struct snapshot;
struct strbuf;

struct compared {
	bool is_on;            /* rows that are built now are compared */
	struct snapshot *mark; /* owned; NULL: there has been none */
	struct app *old; /* the other recording (against.h), destroyed with the app; NULL: none */
	struct options old_options;
	bool is_of_part; /* what is counted changes amid it: of its longest part */
};

/* Its snapshot is NULL where rows are compared with nothing. */
struct view_mark compared_mark(const struct app *app);

/* Says why the rows of the view that is shown now are not compared, where others are; not in place
 * of an error. */
void compared_report_refusal(struct app *app);

/* Whether the row under the cursor is the other recording's alone, then error says so: its numbers
 * mean something else here. */
bool compared_refuse_row(struct app *app, struct error *error);

/* Appends what the rows are compared with, for the right end of the tab line. */
void compared_write(const struct app *app, struct strbuf *out);

#endif
