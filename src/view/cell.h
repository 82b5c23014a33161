#ifndef PERFTOP_VIEW_CELL_H
#define PERFTOP_VIEW_CELL_H

/*
 * One cell of a row: its number for sorting and its text for display. The column table decides what
 * a column shows.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"
#include "view/column.h"
#include "view/column_table.h"
#include "view/table.h"

struct difference;
struct view_row;

struct cell_source {
	const struct row_kind_info *const *kinds; /* row_kinds (row_kind.h) */
	struct getter_input getter_input;
	const struct metrics *metrics;
	const struct layout *layout;  /* of the snapshot that the rows are from */
	const struct trends *trends;  /* of the rows, up to */
	uint64_t time_ns;             /* the end of its interval */
	uint64_t id_tag;              /* by which ids of rows differ from those in trends */
	const struct cell_mark *mark; /* numbers are those of the row less those it has there; NULL:
					 they are its own */
};

/* What rows are compared with (difference.h). */
struct cell_mark {
	const struct cell_source *source; /* of its rows */
	/* the same row there; NULL: there is none */
	const struct view_row *(*find)(const struct difference *difference,
				       const struct view_row *row);
	const struct difference *difference;
	const struct view_row *nothing_now, *nothing_there; /* what a row has that is not there */
	bool are_two;                                       /* recordings, each from its start */
};

enum {
	CELL_ABSENT = -1 /* no such thing in this run, or not wanted */
};

/* A column, and the index of its metric or event; bound once per table, not once per cell. */
struct cell_column {
	const struct column *column;
	int metric; /* CELL_ABSENT: none */
	int event;  /* CELL_ABSENT: none, or not counted */
	int kind;   /* of the layout, where the column is about one; CELL_ABSENT: there is none */
};

struct cell_column cell_column_bind(const struct column *column, const struct metrics *metrics,
				    const struct layout *layout);

/* Whether what it shows is out of a sampling profile. */
bool cell_column_is_estimate(const struct cell_source *source, const struct cell_column *bound);

/* Whether the column is an amount or a ratio, and neither a name nor a number of something. */
bool cell_has_difference(const struct column *column);

struct metric_value cell_number(const struct cell_source *source, const struct cell_column *bound,
				const struct view_row *row);

/* Where there is a mark: what the row has more or less than there. */
void cell_make(const struct cell_source *now, const struct cell_column *column,
	       const struct view_row *row, struct cell *cell);

/* The order of rows. Each row's key is made once; comparisons use the keys only. */

enum {
	ORDER_COLUMNS_MAX = 2 /* the second one orders those that are alike in the first */
};

struct order_by {
	const struct cell_column *column; /* NULL: none, after the first */
	bool descends;
};

struct order_value {
	union {
		double number;
		const char *text; /* borrowed as struct getter_text is */
	};
	uint8_t rank; /* known, minor, unknown, always last */
};

struct order_key {
	struct order_value values[ORDER_COLUMNS_MAX];
	uint64_t id;
	uint32_t row;
	uint32_t table; /* that it is of, where rows of several are shown together */
};

/* Fills keys[0..count) in the order wanted; their `row` is the index into rows. */
void order_rows(struct order_key *keys, const struct view_row *rows, size_t count,
		const struct cell_source *source, const struct order_by by[ORDER_COLUMNS_MAX]);

/* Puts keys in order that were made for several tables. */
void order_keys(struct order_key *keys, size_t count, const struct order_by by[ORDER_COLUMNS_MAX]);

#endif
