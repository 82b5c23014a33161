/*
 * Rank comes before value and is not reversed by the direction: ratios of rows that hardly
 * ran come behind those of rows that matter, then unknown values, and what is of no task
 * last. Equal values are ordered by identity,
 * ascending, so that rows do not jump from refresh to refresh.
 */

#include "view/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "view/cell.h"
#include "view/pairs.h"

enum order_rank {
	RANK_KNOWN,
	RANK_MINOR, /* a ratio of hardly anything: by value, too, but behind all that matter */
	RANK_UNKNOWN,
	RANK_LAST
};

static struct order_value make_value(const struct view_row *row, const struct cell_source *source,
				     const struct cell_column *sort)
{
	struct order_value value = {.rank = RANK_KNOWN};

	if (sort->column->words) {
		value.text = sort->column->words(&source->getter_input, row).text;
		if (value.text[0] == '\0')
			value.rank = RANK_UNKNOWN;
	} else {
		value.number = cell_number(source, sort, row).value;
		if (!isfinite(value.number))
			value.rank = RANK_UNKNOWN;
		else if (sort->column->is_ratio && row->is_minor)
			value.rank = RANK_MINOR;
	}
	if (row->kind == ROW_UNATTRIBUTED || row->kind == ROW_IDLE ||
	    (row->pair && row->pair->is_others))
		value.rank = RANK_LAST;
	return value;
}

static int compare_values(const struct order_value *a, const struct order_value *b,
			  const struct order_by *by)
{
	int result;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->rank != RANK_KNOWN && a->rank != RANK_MINOR)
		return 0;
	if (by->column->column->words)
		result = strcasecmp(a->text, b->text);
	else
		result = (a->number > b->number) - (a->number < b->number);
	return by->descends ? -result : result;
}

static int compare(const void *left, const void *right, void *context)
{
	const struct order_key *a = left;
	const struct order_key *b = right;
	const struct order_by *by = context;

	for (size_t i = 0; i < ORDER_COLUMNS_MAX && by[i].column; i++) {
		const int result = compare_values(&a->values[i], &b->values[i], &by[i]);

		if (result != 0)
			return result;
	}
	return (a->id > b->id) - (a->id < b->id);
}

void order_rows(struct order_key *keys, const struct view_row *rows, size_t count,
		const struct cell_source *source, const struct order_by by[ORDER_COLUMNS_MAX])
{
	struct order_by order[ORDER_COLUMNS_MAX];

	memcpy(order, by, sizeof(order));
	for (size_t i = 0; i < count; i++) {
		keys[i] = (struct order_key){.id = rows[i].id, .row = (uint32_t)i};
		for (size_t j = 0; j < ORDER_COLUMNS_MAX && order[j].column; j++)
			keys[i].values[j] = make_value(&rows[i], source, order[j].column);
	}
	if (count > 1)
		qsort_r(keys, count, sizeof(*keys), compare, order);
}
