#ifndef PERFTOP_MARKS_H
#define PERFTOP_MARKS_H

/*
 * Which rows of tasks are folded, tagged, followed.
 *
 * A tag belongs to a task's identity, so that it stays where it is when rows are sorted, filtered
 * or made anew, and is never taken over by a task that has got the same number.
 *
 * Once the cursor was moved, the row under it is shown although it is idle, so that an action is
 * not meant for another one while the task sleeps. The row of a task that is followed also stays
 * at its line of the screen, and the others go past it. Moving the cursor ends that, and so does
 * the task's end.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "view/tree.h"

struct app;
struct strbuf;
struct view_row;

struct row_marks {
	struct folds folds, calls; /* of tasks, and of the functions' trees */
	struct map tags;           /* ids of rows of tasks; the values have no meaning */
	struct {
		bool is_held;
		uint32_t number;
	} function;        /* the cursor goes to it when the rows of another form are made */
	char followed[80]; /* name of the task followed now or last */
};

/* After the rows were made anew: the cursor goes to the row that is followed; tags of tasks that
 * are no longer known are dropped, but for those of another time, which come back. */
void row_marks_built(struct app *app);

/* Words for the line that says what narrows the rows where they are tasks, each with two blanks
 * behind it. */
void row_marks_write(const struct app *app, struct strbuf *out);

/* Functions are to be shown in another form: the cursor stays on its function. */
void row_marks_hold_function(struct app *app);

/* Whether the rows that are shown are a tree. */
bool row_marks_is_tree(const struct app *app);

/* The tree of tasks has been turned on or off; folds the row under the cursor, or "all". */
void row_marks_tree(struct app *app);

/*
 * The targets of an action: the tasks with a tag that are among the rows shown; where nothing has a
 * tag, the one under the cursor. What is in folded rows is not meant. Returns how many there are,
 * in the order of the rows; the first `most` of them are written, and are good until the rows are
 * made anew.
 */
size_t tags_rows(struct app *app, const struct view_row **rows, size_t most);

#endif
