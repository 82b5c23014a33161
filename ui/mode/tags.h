#ifndef PERFTOP_TAGS_H
#define PERFTOP_TAGS_H

/*
 * Tasks that the user has tagged. A tag belongs to a task's identity, so that it stays where it is
 * when rows are sorted, filtered or made anew, and is never taken over by a task that has got the
 * same number.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"

struct app;
struct view_row;

struct tags {
	struct map ids; /* of rows of tasks */
};

void tags_fini(struct tags *tags);

/* The row under the cursor gets a tag, or loses it. False: it is no task. */
bool tags_toggle(struct app *app);

/* The row under the cursor, and all rows shown of those that it has started. How many that are. */
size_t tags_add_children(struct app *app);

void tags_clear(struct app *app);

/* After rows were made anew: tags of tasks that are no longer known are dropped, but for those of
 * another time, which come back. */
void tags_refresh(struct app *app);

/*
 * The targets of an action: the tasks with a tag that are among the rows shown; where nothing has a
 * tag, the one under the cursor. What is in folded rows is not meant. Returns how many there are,
 * in the order of the rows; the first `most` of them are written, and are good until the rows are
 * made anew.
 */
size_t tags_rows(struct app *app, const struct view_row **rows, size_t most);

#endif
