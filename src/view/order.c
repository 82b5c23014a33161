/*
 * Rank comes before value and is not turned round by the direction: unknown values and
 * what belongs to nobody stand last either way. Equal values are ordered by identity,
 * ascending, so that rows do not jump from refresh to refresh.
 */

#include "view/order.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "view/cell.h"
#include "view/pairs.h"

enum order_rank {
	RANK_KNOWN,
	RANK_UNKNOWN,
	RANK_LAST
};

struct order {
	bool is_text;
	bool descends;
};

static struct order_key make_key(const struct view_row *row, uint32_t index,
				 const struct cell_source *source, const struct cell_column *sort)
{
	struct order_key key = {.id = row->id, .row = index, .rank = RANK_KNOWN};

	if (sort->column->words) {
		key.text = sort->column->words(&source->facts, row).text;
		if (key.text[0] == '\0')
			key.rank = RANK_UNKNOWN;
	} else {
		key.number = cell_number(source, sort, row).value;
		if (!isfinite(key.number))
			key.rank = RANK_UNKNOWN;
	}
	if (row->kind == ROW_UNATTRIBUTED || row->kind == ROW_IDLE ||
	    (row->pair && row->pair->is_others))
		key.rank = RANK_LAST;
	return key;
}

static int compare_values(const struct order_key *a, const struct order_key *b, bool is_text)
{
	if (is_text)
		return strcasecmp(a->text, b->text);
	return (a->number > b->number) - (a->number < b->number);
}

static int compare(const void *left, const void *right, void *context)
{
	const struct order_key *a = left;
	const struct order_key *b = right;
	const struct order *order = context;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->rank == RANK_KNOWN) {
		int result = compare_values(a, b, order->is_text);

		if (result != 0)
			return order->descends ? -result : result;
	}
	return (a->id > b->id) - (a->id < b->id);
}

void order_rows(struct order_key *keys, const struct view_row *rows, size_t count,
		const struct cell_source *source, const struct cell_column *sort, bool descends)
{
	struct order order = {.is_text = sort->column->words != NULL, .descends = descends};

	for (size_t i = 0; i < count; i++)
		keys[i] = make_key(&rows[i], (uint32_t)i, source, sort);
	if (count > 1)
		qsort_r(keys, count, sizeof(*keys), compare, &order);
}
