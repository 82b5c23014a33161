#ifndef PERFTOP_SAVING_H
#define PERFTOP_SAVING_H

/* A recording that is begun and ended on the screen. */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

#define SAVING_FILE "perftop.data" /* proposed */

bool saving_is_on(const struct app *app);

/* To the file `path`; "": ends it. False: error says why nothing is recorded, or not whole. */
bool saving_run(struct app *app, const char *path, struct error *error);

/* "recording perftop.data 12.3 MB  ", for the tab line; nothing while nothing is recorded. */
void saving_write(const struct app *app, struct strbuf *out);

#endif
