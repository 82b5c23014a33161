#ifndef PERFTOP_HELP_SCREEN_H
#define PERFTOP_HELP_SCREEN_H

/* The help of the view that is shown, in one screen, and the chapters that its lines lead to. */

#include <stddef.h>

struct app;

void help_screen_open(struct app *app);

/* A chapter of help.h, as a page of its own. */
void help_screen_open_chapter(struct app *app, size_t topic);

#endif
