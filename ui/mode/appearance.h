#ifndef PERFTOP_APPEARANCE_H
#define PERFTOP_APPEARANCE_H

/* How the screen looks, whatever it shows: colours, and the meters over the table. */

#include <stdbool.h>

#include "view/cpu_meters.h"
#include "view/meter_history.h"

struct app;
struct app_view;
struct column;
struct frame;
struct load;
struct summary;
struct theme;
struct view_info;

/* An empty one is {0}. */
struct appearance {
	const struct theme *theme; /* NULL: the terminal's usual one */
	bool adds_trends; /* views come with a column of trends, where it is one of theirs */
	struct meter_history history; /* of the machine's meters */
	enum cpu_meters_by strips;    /* of the CPUs over the table */
	struct cpu_meters cpus;       /* owned; as they are drawn */
};

/* The columns of trends join those of the views they are for. */
void appearance_add_columns(struct app *app);
void appearance_add_column(const struct app *app, struct app_view *view);

/* The one that a view comes with on the screen; NULL: none. */
const struct column *appearance_column(const struct app *app, const struct view_info *info);

void appearance_fini(struct appearance *look);

/* Adds to the settings of a view what its trends begin with. */
void appearance_settings(struct app *app, struct view_settings *settings);

/* An interval may have ended: what is drawn of it later is kept. */
void appearance_keep(struct app *app);

/* "load 0.52 0.31 0.25   memory 3.2G of 24G   swap 0 of 0   up 1 d 2:03" */
void appearance_write_machine(const struct load *load, char *text, size_t size);

/* Something has been measured: what the frame shows of it. */
void appearance_fill(struct app *app, struct summary *summary, struct frame *frame);

#endif
