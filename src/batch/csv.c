/*
 * CSV after RFC 4180, but for the ends of lines, which are LF alone: most tools that read CSV here
 * take the CR for a part of the last cell. There is one header line, before everything else; a
 * cell is empty where the value is not known. Names are made harmless as in all outputs, so no cell
 * goes over the end of a line.
 *
 * The first cell of a line is the end of the interval in seconds since the epoch; then come the
 * view's columns under their names, as plain numbers in full precision and in the unit of the
 * column: times in us, CPU time in ns. Of the log of switches there is a line per switch with
 * columns of its own (switches_csv.c).
 */

#include "batch/csv.h"

#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/put.h"
#include "batch/switches_csv.h"
#include "view/table.h"

static void write_header(struct strbuf *out, const struct view_table *table)
{
	strbuf_add(out, "time");
	for (size_t i = 0; i < view_table_column_count(table); i++) {
		strbuf_add_char(out, ',');
		put_csv_text(out, view_table_column(table, i)->name);
	}
	strbuf_add_char(out, '\n');
}

static void write_cell(struct strbuf *out, const struct view_table *table, size_t row,
		       size_t column)
{
	struct cell cell;

	strbuf_add_char(out, ',');
	view_table_cell(table, row, column, &cell);
	if (cell.is_unknown)
		return;
	if (view_table_column(table, column)->words)
		put_csv_text(out, cell.text);
	else
		put_real(out, cell.value);
}

void csv_write(struct strbuf *out, const struct batch_input *input)
{
	struct view_table *table = input->table;

	if (input->view->is_log) {
		switches_csv_write(out, input);
		return;
	}
	view_table_build(table, input->view, input->settings, input->snapshot, input->session,
			 input->metrics);
	if (input->is_first)
		write_header(out, table);
	for (size_t i = 0; i < view_table_row_count(table); i++) {
		put_time(out, input->snapshot, input->session);
		for (size_t j = 0; j < view_table_column_count(table); j++)
			write_cell(out, table, i, j);
		strbuf_add_char(out, '\n');
	}
}
