#ifndef PERFTOP_SESSION_RESOLVE_H
#define PERFTOP_SESSION_RESOLVE_H

/*
 * From what a user types to columns: the events behind them are opened, metrics defined, names
 * looked up. Options, configuration, commands and the event browser all go through here.
 *
 * Where a text is refused, *position is the byte offset of the fault in it, or RESOLVE_NOWHERE when
 * it is about the text as a whole, and nothing has changed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "view/column.h"
#include "view/request.h"

struct column;
struct column_set;
struct columns;
struct engine;
struct view_info;

#define RESOLVE_NOWHERE SIZE_MAX

struct resolver {
	struct engine *engine;   /* borrowed; open */
	struct columns *columns; /* owned */
	struct error note;       /* what went well, but not as well as it could: a metric with
				    unavailable events, a filter that compares them */
};

void resolver_init(struct resolver *resolver, struct engine *engine);

static inline void resolver_fini(struct resolver *resolver)
{
	columns_destroy(resolver->columns);
	resolver->columns = NULL;
}

/* Sees to it that the events of the list are counted; their columns are appended to *added. */
bool resolve_events(struct resolver *resolver, const char *list, struct column_list *added,
		    size_t *position, struct error *error);

/* Defines a metric and opens its events. */
bool resolve_metric(struct resolver *resolver, const char *definition, const struct column **column,
		    size_t *position, struct error *error);

/* Names of columns, metrics and events: all of them are counted then, and each is appended to
 * *columns once. */
bool resolve_columns(struct resolver *resolver, const char *list, struct column_list *columns,
		     size_t *position, struct error *error);

/*
 * What the view's default columns need is counted then, where options had chosen other columns.
 * shown: all columns that are shown then, in whichever view, sorted by or compared: what was
 * counted for sets of columns and none of these needs is not counted any more.
 */
void resolve_defaults(struct resolver *resolver, const struct view_info *view,
		      const struct column_list *shown);

/* The same where other columns were chosen, whose events are counted already. */
void resolve_own(struct resolver *resolver, const struct column_list *shown);

/*
 * What the set's columns in the view need is counted then. False: the view has no sets, and nothing
 * has changed. lacking: which of the columns stay unknown, and why; no error: none;
 * ERROR_SET_LACKS_MOST: so many that it is not worth showing. shown: as
 * above.
 */
bool resolve_set(struct resolver *resolver, const struct column_set *set,
		 const struct view_info *view, const struct column_list *shown,
		 struct error *lacking, struct error *error);

/* "[-|+]COLUMN[,[-|+]COLUMN]": - descending, + ascending, neither: the column's natural order. */
bool resolve_order(struct resolver *resolver, const char *text, struct sort_order *order,
		   size_t *position, struct error *error);

/*
 * Whether the rows can be sorted by what the column is counted with; false: none of them has a
 * value here, and error says why.
 */
bool resolve_is_sortable(const struct resolver *resolver, const struct column *column,
			 struct error *error);

/* Whether the column is made of counters of the hardware, and the machine has none: it is not
 * offered. */
bool resolve_lacks_counters(const struct resolver *resolver, const struct column *column);

/*
 * A filter of rows (view/filter.h): all that it compares is counted then. The resolver's note says
 * of what the machine refuses it.
 */
bool resolve_filter(struct resolver *resolver, const char *text, size_t *position,
		    struct error *error);

/*
 * Whether a filter that was chosen compares only what the view's rows can have; false: error names
 * the first thing that they do not have.
 */
bool resolve_fits_view(const struct resolver *resolver, const char *text,
		       const struct view_info *view, struct error *error);

/* The first event of these columns that the machine refuses; false: all are counted. */
bool resolve_refusal(const struct resolver *resolver, const struct column_list *columns,
		     struct error *refusal);

/* Adds to the error where in the text the fault is; returns false. */
bool resolve_mark(struct error *error, const char *text, size_t position);

#endif
