#ifndef PERFTOP_CHOOSE_H
#define PERFTOP_CHOOSE_H

/*
 * From what a user types to columns: the events behind them are opened, metrics defined, names
 * looked up. Options, configuration, commands and the event browser all go through here.
 *
 * Where a text is refused, *position is the byte offset of the fault in it, or CHOOSE_NOWHERE when
 * it is about the text as a whole, and nothing has changed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "view/column_list.h"

struct column;
struct columns;
struct engine;
struct view_info;

#define CHOOSE_NOWHERE SIZE_MAX

struct chooser {
	struct engine *engine;   /* borrowed; open */
	struct columns *columns; /* owned */
	struct error note;       /* what went well, but not as well as it could: a metric with
				    unavailable events, a filter that compares them */
};

void chooser_init(struct chooser *chooser, struct engine *engine);
void chooser_fini(struct chooser *chooser);

/* Sees to it that the events of the list are counted; their columns are appended to *added. */
bool choose_events(struct chooser *chooser, const char *list, struct column_list *added,
		   size_t *position, struct error *error);

/* Defines a metric and opens its events. */
bool choose_metric(struct chooser *chooser, const char *definition, const struct column **column,
		   size_t *position, struct error *error);

/* Names of columns, metrics and events: all of them are counted then. */
bool choose_columns(struct chooser *chooser, const char *list, struct column_list *chosen,
		    size_t *position, struct error *error);

/* "[-|+]COLUMN": - descending, + ascending, neither: the column's natural order. */
bool choose_sort(struct chooser *chooser, const char *text, const struct column **column,
		 bool *reversed, size_t *position, struct error *error);

/* An order of rows: by one column, and those that are alike in it by another. */
struct chosen_order {
	const struct column *sort, *then; /* then: NULL: none */
	bool sort_reversed, then_reversed;
};

/* "[-|+]COLUMN[,[-|+]COLUMN]". */
bool choose_order(struct chooser *chooser, const char *text, struct chosen_order *order,
		  size_t *position, struct error *error);

/*
 * A filter of rows (view/filter.h): all that it compares is counted then. The chooser's note says
 * of what the machine refuses it.
 */
bool choose_filter(struct chooser *chooser, const char *text, size_t *position,
		   struct error *error);

/*
 * Whether a filter that was chosen compares only what the view's rows can have; false: error names
 * the first thing that they do not have.
 */
bool choose_fits_view(const struct chooser *chooser, const char *text, const struct view_info *view,
		      struct error *error);

/* The first event of these columns that the machine refuses; false: all are counted. */
bool choose_refusal(const struct chooser *chooser, const struct column_list *columns,
		    struct error *refusal);

/* Adds to the error where in the text the fault is. */
void choose_mark(struct error *error, const char *text, size_t position);

#endif
