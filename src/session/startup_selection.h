#ifndef PERFTOP_SESSION_STARTUP_SELECTION_H
#define PERFTOP_SESSION_STARTUP_SELECTION_H

/*
 * What the options choose: their texts are looked up (choose.h) as soon as there is an engine that
 * can open what they ask for.
 */

#include <stdbool.h>

#include "view/column_list.h"

#include "session/resolve.h"

struct columns;
struct error;
struct options;

/* An empty one is {0}. */
struct startup_selection {
	struct column_list columns; /* -c; empty: those of the view and extras */
	struct column_list extras;  /* of -m and -e */
	struct sort_order order;    /* -s; of NULL: that of the view */
};

/* False: error names the word at fault. */
bool startup_selection_make(struct startup_selection *selection, struct resolver *resolver,
			    const struct options *options, struct error *error);

/* A column for each event, and for a metric; of a metric without a selection none. */
bool startup_selection_add_events(struct startup_selection *selection, struct resolver *resolver,
				  const char *list, struct error *error);
bool startup_selection_add_metric(struct startup_selection *selection, struct resolver *resolver,
				  const char *definition, struct error *error);
void startup_selection_fini(struct startup_selection *selection);

/* What the chosen columns, order, groups and filter need; bits of enum column_need. */
unsigned int startup_selection_needs(const struct startup_selection *selection,
				     struct columns *columns, const struct options *options);

#endif
