#ifndef PERFTOP_FOLLOW_H
#define PERFTOP_FOLLOW_H

/*
 * A task that is followed: its row is shown although it does not run, stays at its line of the
 * screen, and the others go past it. Moving the cursor ends that, and so does the task's end.
 */

#include <stdbool.h>

struct app;
struct strbuf;
struct view_settings;

/* The task under the cursor, or none any more. False: the row is no task. */
bool follow_toggle(struct app *app);

void follow_settings(const struct app *app, struct view_settings *settings);

/* After the rows were made anew: the cursor goes to its row. */
void follow_rows(struct app *app);

/* "following nginx 4711  ", or nothing. */
void follow_write(const struct app *app, struct strbuf *out);

#endif
