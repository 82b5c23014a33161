#ifndef PERFTOP_VIEW_CELL_H
#define PERFTOP_VIEW_CELL_H

/*
 * One cell of a row: its number for sorting and its text for showing. What a column shows
 * is decided by its line in the column table, not here.
 */

#include "model/metric.h"
#include "view/column.h"
#include "view/getter.h"
#include "view/table.h"

struct cell_source {
	struct getter_input getter_input;
	const struct metrics *metrics;
	const struct layout *layout; /* of the snapshot that the rows are from */
	const struct trends *trends; /* of the rows, up to */
	uint64_t time_ns;            /* the end of its interval */
};

enum {
	CELL_ABSENT = -1 /* no such thing in this run, or not wanted */
};

/* A column and where its metric or event stands; bound once per table, not once per cell. */
struct cell_column {
	const struct column *column;
	int metric; /* CELL_ABSENT: none */
	int event;  /* CELL_ABSENT: none, or not counted */
	int kind;   /* of the layout, where the column is about one; CELL_ABSENT: there is none */
};

struct cell_column cell_column_bind(const struct column *column, const struct metrics *metrics,
				    const struct layout *layout);

/* Whether what it shows is out of a sampling profile. */
bool cell_column_is_estimate(const struct cell_source *source, const struct cell_column *column);

struct metric_value cell_number(const struct cell_source *source, const struct cell_column *column,
				const struct view_row *row);
void cell_make(const struct cell_source *source, const struct cell_column *column,
	       const struct view_row *row, struct cell *cell);

#endif
