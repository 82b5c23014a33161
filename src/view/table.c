/*
 * A table is rows (rows.c), their order (order.c) and bound columns (cell.c); this file
 * puts them together. Everything is kept from build to build and only grows.
 */

#include "view/table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/order.h"
#include "view/rows.h"
#include "view/users.h"

struct view_table {
	struct users *users; /* owned */
	struct rows rows;
	struct order_key *order; /* owned; one per row */
	size_t order_capacity;
	struct cell_column *columns; /* owned */
	size_t column_count, column_capacity;
	struct cell_column sort; /* NULL column: nothing was built yet */
	bool descends;
	struct cell_source source;
};

struct view_table *view_table_create(void)
{
	struct view_table *table = xcalloc(1, sizeof(*table));

	table->users = users_create();
	return table;
}

void view_table_destroy(struct view_table *table)
{
	if (!table)
		return;
	users_destroy(table->users);
	rows_fini(&table->rows);
	free(table->order);
	free(table->columns);
	free(table);
}

static void add_column(struct view_table *table, const struct column *column,
		       const struct metrics *metrics)
{
	array_reserve(&table->columns, &table->column_capacity, table->column_count + 1,
		      sizeof(*table->columns));
	table->columns[table->column_count++] = cell_column_bind(column, metrics);
}

static void take_view_columns(struct view_table *table, const struct view_info *view,
			      const struct view_settings *settings, const struct session *session,
			      const struct metrics *metrics)
{
	const char *list = session->has_pmu ? view->columns : view->columns_bare;
	char word[64];

	while (word_list_next(&list, word, sizeof(word))) {
		const struct column *column = column_find(word);

		assert(column);
		/* A row is a thread: its own number says which. */
		if (settings->threads && column == column_find("pid"))
			add_column(table, column_find("tid"), metrics);
		else
			add_column(table, column, metrics);
	}
}

static void bind_columns(struct view_table *table, const struct view_info *view,
			 const struct view_settings *settings, const struct session *session,
			 const struct metrics *metrics)
{
	const struct column *sort = settings->sort ? settings->sort : column_find(view->sort);

	table->sort = cell_column_bind(sort, metrics);
	table->descends = sort->descends != settings->sort_reversed;
	table->column_count = 0;
	if (!settings->columns) {
		take_view_columns(table, view, settings, session, metrics);
		return;
	}
	for (size_t i = 0; i < settings->column_count; i++)
		add_column(table, settings->columns[i], metrics);
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
