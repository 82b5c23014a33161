#ifndef PERFTOP_STRIPS_CURSOR_H
#define PERFTOP_STRIPS_CURSOR_H

/*
 * Moves in the time line of the CPUs: the cursor, and with it the stretch of time that is shown.
 */

#include <stddef.h>
#include <stdint.h>

#include "widget/list.h"

struct app;

/* How much is shown at first. */
uint64_t strips_first_span_ns(void);

/* The screen goes on: the cursor goes. */
void strips_release(struct app *app);

/* Up and down: another CPU. The others: back and forth in time by a screenful, and to the ends. */
void strips_move(struct app *app, enum list_motion motion);

/* The cursor goes so many cells on, or back. */
void strips_step(struct app *app, int cells);

/* The cursor goes to this cell of this strip. */
void strips_point(struct app *app, size_t strip, size_t cell);

/* A shorter (-1) or longer (1) stretch, the cursor staying where it is. */
void strips_zoom(struct app *app, int by);

#endif
