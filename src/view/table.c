/*
 * A table is rows (rows.c), their order (order.c) and bound columns (cell.c); this file
 * puts them together. Everything is kept from build to build and only grows.
 */

#include "view/table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/column_list.h"
#include "view/order.h"
#include "view/rows.h"
#include "view/users.h"

struct view_table {
	struct columns *known;    /* borrowed */
	struct column_list shown; /* those of the view; memory kept from build to build */
	struct users *users;      /* owned */
	struct rows rows;
	struct order_key *order; /* owned; one per row */
	size_t order_capacity;
	struct cell_column *columns; /* owned */
	size_t column_count, column_capacity;
	struct cell_column sort; /* NULL column: nothing was built yet */
	bool descends;
	struct cell_source source;
};

struct view_table *view_table_create(struct columns *columns)
{
	struct view_table *table = xcalloc(1, sizeof(*table));

	table->known = columns;
	table->users = users_create();
	return table;
}

void view_table_destroy(struct view_table *table)
{
	if (!table)
		return;
	users_destroy(table->users);
	rows_fini(&table->rows);
	column_list_fini(&table->shown);
	free(table->order);
	free(table->columns);
	free(table);
}

/* Those of the view, and what was added to them. */
static void take_view_columns(struct view_table *table, const struct view_info *view,
			      const struct view_settings *settings, const struct session *session)
{
	struct column_list *shown = &table->shown;

	shown->count = 0;
	view_default_columns(view, session->has_pmu, table->known, shown);
	/* A row is a thread: its own number says which. */
	for (size_t i = 0; i < shown->count && settings->threads; i++) {
		if (shown->columns[i] == columns_find(table->known, "pid"))
			shown->columns[i] = columns_find(table->known, "tid");
	}
	for (size_t i = 0; settings->extras && i < settings->extras->count; i++)
		column_list_insert(shown, settings->extras->columns[i]);
}

static void bind_columns(struct view_table *table, const struct view_info *view,
			 const struct view_settings *settings, const struct session *session,
			 const struct metrics *metrics)
{
	const struct column *sort =
		settings->sort ? settings->sort : columns_find(table->known, view->sort);
	const struct layout *layout = table->source.layout;
	const struct column_list *list = settings->columns;

	table->sort = cell_column_bind(sort, metrics, layout);
	table->descends = sort->descends != settings->sort_reversed;
	if (!list || list->count == 0) {
		take_view_columns(table, view, settings, session);
		list = &table->shown;
	}
	array_reserve(&table->columns, &table->column_capacity, list->count,
		      sizeof(*table->columns));
	for (size_t i = 0; i < list->count; i++)
		table->columns[i] = cell_column_bind(list->columns[i], metrics, layout);
	table->column_count = list->count;
}

void view_table_build(struct view_table *table, const struct view_info *view,
		      const struct view_settings *settings, const struct snapshot *snapshot,
		      const struct session *session, const struct metrics *metrics)
{
	struct rows_input input = {
		.settings = settings,
		.snapshot = snapshot,
		.session = session,
		.users = table->users,
	};

	view->make_rows(&table->rows, &input);
	table->source = (struct cell_source){
		.facts =
			{
				.users = table->users,
				.unattributed_words = strbuf_text(&table->rows.unattributed_words),
				.exited_words = strbuf_text(&table->rows.exited_words),
				.command_lines = settings->command_lines,
				.ascii = settings->ascii,
			},
		.metrics = metrics,
		.layout = snapshot->layout,
	};
	bind_columns(table, view, settings, session, metrics);
	array_reserve(&table->order, &table->order_capacity, table->rows.count,
		      sizeof(*table->order));
	order_rows(table->order, table->rows.rows, table->rows.count, &table->source, &table->sort,
		   table->descends);
}

size_t view_table_row_count(const struct view_table *table)
{
	return table->rows.count;
}

const struct view_row *view_table_row(const struct view_table *table, size_t index)
{
	assert(index < table->rows.count);
	return &table->rows.rows[table->order[index].row];
}

size_t view_table_column_count(const struct view_table *table)
{
	return table->column_count;
}

const struct column *view_table_column(const struct view_table *table, size_t index)
{
	assert(index < table->column_count);
	return table->columns[index].column;
}

const struct column *view_table_sort(const struct view_table *table, bool *descends)
{
	*descends = table->descends;
	return table->sort.column;
}

int view_table_index_of(const struct view_table *table, uint64_t id)
{
	for (size_t i = 0; i < table->rows.count; i++) {
		if (table->order[i].id == id)
			return (int)i;
	}
	return -1;
}

void view_table_cell(const struct view_table *table, size_t row, size_t column, struct cell *cell)
{
	assert(column < table->column_count);
	cell_make(&table->source, &table->columns[column], view_table_row(table, row), cell);
}
