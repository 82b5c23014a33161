#ifndef PERFTOP_GROUPED_H
#define PERFTOP_GROUPED_H

/*
 * The view of groups: by what tasks are summed, and the way into a group and back. Its members are
 * the tasks that pass a filter, which is seen like any other and is taken back by Esc.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct app;
struct startup_selection;
struct columns;
struct error;
struct grouping;
struct options;

struct grouped {
	bool is_inside;               /* the members of a group are shown, as far as the filter
					 is still that of the group */
	size_t view;                  /* from which they were opened */
	struct strbuf before, inside; /* owned; the filter before, and that of the group */
};

void grouped_fini(struct grouped *grouped);

/* What the options say of groups. */
void grouped_apply_options(struct app *app);

/* Whether the view of groups is shown. */
bool grouped_is_shown(const struct app *app);

/* By what tasks are summed. */
const struct grouping *grouped_by(const struct app *app);

/* The members of the group under the cursor. */
bool grouped_open(struct app *app, struct error *error);

/* Back to the group they were opened from; false: no group's members are shown. */
bool grouped_leave(struct app *app);

/* "by cgroup", for the right end of the tabs. */
void grouped_write(const struct app *app, struct strbuf *out);

#endif
