#ifndef PERFTOP_LOOK_H
#define PERFTOP_LOOK_H

/* How the screen looks, whatever it shows: colours, and the meters over the table. */

#include "view/cpu_meters.h"
#include "view/meter_history.h"

struct app;
struct frame;
struct theme;

/* An empty one is {0}. */
struct look {
	const struct theme *theme;    /* NULL: the terminal's usual one */
	struct meter_history history; /* of the machine's meters */
	enum cpu_meters_by strips;    /* of the CPUs over the table */
	struct cpu_meters cpus;       /* owned; as they are drawn */
};

/* The columns of trends join those of the views they are for. */
void look_add_columns(struct app *app);
void look_fini(struct look *look);

/* Adds to the settings of a view what its trends begin with. */
void look_settings(struct app *app, struct view_settings *settings);

/* An interval may have ended: what is drawn of it later is kept. */
void look_keep(struct app *app);

/* Something has been measured: what the frame shows of it. */
void look_fill(struct app *app, struct frame *frame);

#endif
