#ifndef PERFTOP_HELP_SCREEN_H
#define PERFTOP_HELP_SCREEN_H

/* The help of the view that is shown, in one screen, and the chapters that its lines lead to. */

#include <stddef.h>

struct app;

void help_screen_open(struct app *app);

#endif
