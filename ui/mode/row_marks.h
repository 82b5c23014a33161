#ifndef PERFTOP_ROW_MARKS_H
#define PERFTOP_ROW_MARKS_H

/* Which rows of tasks are folded, tagged, followed. */

#include <stdbool.h>
#include <stdint.h>

#include "view/tree.h"

#include "mode/tags.h"

struct app;
struct error;
struct strbuf;
struct view_settings;

struct row_marks {
	struct folds folds;
	struct tags tags;
	char followed[80]; /* name of the task followed now or last (follow.h) */
};

void row_marks_fini(struct row_marks *choice);

/* What of the settings follows from it. */
void row_marks_settings(const struct app *app, struct view_settings *settings);

/* After the rows were made anew. */
void row_marks_built(struct app *app);

/* Words for the line that says what narrows the rows where they are tasks, each with two blanks
 * behind it. */
void row_marks_write(const struct app *app, struct strbuf *out);

#endif
