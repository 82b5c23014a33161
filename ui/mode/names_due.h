#ifndef PERFTOP_MODE_NAMES_DUE_H
#define PERFTOP_MODE_NAMES_DUE_H

/* When rows are made anew for names of functions that have come since they were. */

#include <stdbool.h>

struct app;

bool names_are_due(const struct app *app);

#endif
