#ifndef PERFTOP_SETUP_H
#define PERFTOP_SETUP_H

/*
 * The set-up page: which columns each view shows, in which order and how wide, and settings that
 * are one of a few words. What is chosen holds at once; it is written only when that is said.
 * Everything it does is a command.
 */

#include <stdbool.h>
#include <stddef.h>

#include "view/column.h"

#include "mode/complete.h"
#include "widget/cursor.h"

struct app;
struct command_info;

enum setup_side {
	SETUP_SHOWN,    /* columns that the view shows; settings */
	SETUP_AVAILABLE /* those that it could show; words of the setting */
};

struct setup {
	bool is_changed; /* since it was written */
	size_t tab;      /* of setup_tabs() */
	enum setup_side side;
	struct cursor cursors[2]; /* by enum setup_side */
	struct column_list
		columns[2];    /* of the view, likewise; made anew when they are looked at */
	struct complete words; /* of the setting */
};

/* How many tabs there are: views with columns, and the settings. */
size_t setup_tabs(const struct app *app);

/* The view of a tab, as an index; its count: the tab of the settings. */
size_t setup_view(const struct app *app, size_t tab);

/* The commands that are set by one of a few words; NULL behind the last that there is. */
const struct command_info *setup_setting(const struct app *app, size_t index);

/* Finds the lists of the tab that is open, and keeps the cursors in them. */
void setup_refresh(struct app *app);

#endif
