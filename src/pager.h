#ifndef PERFTOP_PAGER_H
#define PERFTOP_PAGER_H

/* Text over the table, scrolled by keys: the help, and the page of a task (page.h). */

#include <stdint.h>

struct app;

/* Shows app->pager_text under a title, which is borrowed. */
void pager_open(struct app *app, const char *title);

/* Keys while it is open. */
void pager_key(struct app *app, uint32_t key);

#endif
