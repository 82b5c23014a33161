#ifndef PERFTOP_HOST_ROWS_H
#define PERFTOP_HOST_ROWS_H

/*
 * Of several hosts (hosts.h) the rows of tasks, groups and CPUs are in one table. The host that is
 * shown is that of the selected row, so that its page, and what is above the tabs, are of the same
 * machine.
 */

#include <stdbool.h>

struct app;

/* Makes the rows of the view: app->table. */
void host_rows_build(struct app *app);

/* The host of the selected row is shown from now on. False: it is already. */
bool host_rows_follow(struct app *app);

/* The rows of one that comes through a pipe go when that ends, unless it is the last one; one that
 * has no interval yet is not shown while others have. */
void host_rows_look_after(struct app *app);

#endif
