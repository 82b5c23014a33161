#ifndef PERFTOP_EXPORT_H
#define PERFTOP_EXPORT_H

/* The history that is on the screen as a trace, into a file (batch/trace.h). */

#include <stdbool.h>

struct app;
struct error;

bool export_run(struct app *app, const char *argument, struct error *error);

#endif
