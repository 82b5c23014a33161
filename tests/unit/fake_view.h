#ifndef PERFTOP_TESTS_FAKE_VIEW_H
#define PERFTOP_TESTS_FAKE_VIEW_H

/*
 * A table of rows for the tests of the ui, in place of the real view: what the ui asks of a
 * table is answered from arrays. It defines functions, so one file of a test includes it.
 *
 * A cell is a text: "-" is unknown, ' at the end makes it scaled, "!N" at the end gives it the
 * goodness N; what stands behind a | is a number that belongs to the words before it.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/table.h"

enum {
	FAKE_COLUMNS_MAX = 12
};

struct fake_row {
	struct view_row row;
	const char *cells[FAKE_COLUMNS_MAX];
};

struct view_table {
	const struct column *columns;
	size_t column_count;
	struct fake_row *rows;
	size_t row_count;
	const struct column *sort, *then; /* then: NULL: none */
	bool descends, then_descends, is_tree;
	const bool *telling; /* one per column; NULL: none is */
};

size_t view_table_row_count(const struct view_table *table)
{
	return table->row_count;
}

const struct view_row *view_table_row(const struct view_table *table, size_t index)
{
	return &table->rows[index].row;
}

size_t view_table_column_count(const struct view_table *table)
{
	return table->column_count;
}

const struct column *view_table_column(const struct view_table *table, size_t index)
{
	return &table->columns[index];
}

bool view_table_is_tree(const struct view_table *table)
{
	return table->is_tree;
}

bool view_table_is_essential(const struct view_table *table, size_t index)
{
	return table->telling && table->telling[index];
}

bool view_table_is_difference(const struct view_table *table, size_t index)
{
	return false;
}

bool view_table_is_added(const struct view_table *table, size_t index)
{
	return table->columns[index].was_asked_for;
}

const struct column *view_table_sort(const struct view_table *table, bool *descends)
{
	*descends = table->descends;
	return table->sort;
}

const struct column *view_table_trend(const struct view_table *table)
{
	return table->sort;
}

const struct column *view_table_then(const struct view_table *table, bool *descends)
{
	*descends = table->then_descends;
	return table->then;
}

int view_table_index_of(const struct view_table *table, uint64_t id)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].row.id == id)
			return (int)i;
	return -1;
}

void view_table_cell(const struct view_table *table, size_t row, size_t column, struct cell *cell)
{
	const char *text = table->rows[row].cells[column];

	memset(cell, 0, sizeof(*cell));
	snprintf(cell->text, sizeof(cell->text), "%s", text ? text : "");
	cell->goodness = -1;
	cell->value = NAN;
	cell->is_unknown = strcmp(cell->text, "-") == 0;
	char *goodness = strrchr(cell->text, '!');
	if (goodness) {
		cell->goodness = goodness[1] - '0';
		*goodness = '\0';
	}
	const size_t length = strlen(cell->text);
	if (length > 0 && (cell->text[length - 1] == '\'' || cell->text[length - 1] == '~')) {
		cell->is_scaled = cell->text[length - 1] == '\'';
		cell->is_estimate = !cell->is_scaled;
		cell->text[length - 1] = '\0';
	}
	char *number = strchr(cell->text, '|');
	if (number) {
		memmove(number, number + 1, strlen(number));
		cell->tail = strlen(number);
	}
	if (!cell->is_unknown)
		cell->value = strtod(cell->text, NULL);
}

#endif
