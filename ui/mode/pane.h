#ifndef PERFTOP_PANE_H
#define PERFTOP_PANE_H

/*
 * The beginning of the page about the selected row's task, in the lines that a short list leaves
 * free. It says what is counted anyway, and is made when it is drawn: once for each interval and
 * row, and never where there is no room for it.
 */

struct app;
struct frame;

/* What is shown has changed. */
void pane_refresh(struct app *app);

/* The frame gets it, where there is room. */
void pane_show(struct app *app, struct frame *frame);

#endif
