#ifndef PERFTOP_RECORD_COMMAND_H
#define PERFTOP_RECORD_COMMAND_H

/* A recording that is begun and ended on the screen. */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

#define RECORD_COMMAND_FILE "perftop.data" /* proposed */

bool record_command_is_on(const struct app *app);

/* "recording perftop.data 12.3 MB  ", for the tab line; nothing while nothing is recorded. */
void record_command_write(const struct app *app, struct strbuf *out);

#endif
