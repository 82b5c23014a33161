/*
 * CSV after RFC 4180, but for the ends of lines, which are LF alone: most tools that read CSV here
 * take the CR for a part of the last cell. There is one header line, before everything else; a
 * cell is empty where the value is not known. Names are made harmless as in all outputs, so no cell
 * goes over the end of a line.
 *
 * The first cell of a line is the end of the interval in seconds since the epoch or, called
 * record_time, of the clock of a recording that was made without a wall clock; then come the
 * view's columns under their names, with a "~" behind those whose values are estimates out of a
 * sampling profile, as plain numbers in full precision. Where these have a unit that the name does
 * not say, it is behind it: slice_us, cpu-time_ns, rss_bytes. That CPU time, elsewhere "time",
 * is "cpu-time" here. In trees of functions there is first the depth below those at the top.
 *
 * Of the log of switches there is a line per switch, with the cells
 *
 *	time_ns,cpu,left_pid,left_tid,left,how,slice_ns,EVENT...,came_pid,came_tid,came,off_ns,
 *	wait_ns,from_cpu
 *
 * as in JSON (json.c). Each event that was asked for has a cell with its raw count, also where it
 * is not counted: the header is before all lines, and states may change.
 */

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "batch/put.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/table.h"

enum {
	MS_PER_S = 1000
};

static const char first_name[] = "time";

/* Every cell but the first begins with its comma. */
static void put_csv_comma(struct strbuf *out)
{
	strbuf_add_char(out, ',');
}

/* "time" is in front of all; the CPU time of the view goes by another name here. */
static const char *csv_column_name(const struct column *column)
{
	return strcmp(column->name, first_name) == 0 ? "cpu-time" : column->name;
}

/* Of what is a number with a unit that its name does not say. */
static const char *const units[COLUMN_FORMATS] = {
	[COLUMN_DURATION] = "_us",
	[COLUMN_CLOCK] = "_us",
	[COLUMN_CPU_TIME] = "_ns",
	[COLUMN_BYTES] = "_bytes",
};

static const char *csv_column_unit(const struct column *column)
{
	return units[column->format] ? units[column->format] : "";
}

/* What was recorded without a wall clock has none. */
static bool has_clock(const struct batch_input *input)
{
	return session_wall_ns(input->session->wall_offset_ns, input->snapshot->time_ns) >= 0;
}

static void write_header(struct strbuf *out, const struct batch_input *input)
{
	const struct view_table *table = input->table;
	struct strbuf name = {0};

	strbuf_add(out, has_clock(input) ? first_name : "record_time");
	if (input->request->state.info->is_tree)
		strbuf_add(out, ",depth");
	for (size_t i = 0; i < view_table_column_count(table); i++) {
		strbuf_clear(&name);
		strbuf_add(&name, csv_column_name(view_table_column(table, i)));
		strbuf_add(&name, csv_column_unit(view_table_column(table, i)));
		strbuf_add(&name, view_table_is_estimate(table, i) ? "~" : "");
		put_csv_comma(out);
		put_csv_text(out, strbuf_text(&name));
	}
	strbuf_add_char(out, '\n');
	strbuf_fini(&name);
}

/* Milliseconds distinguish intervals, whatever clock there is. */
static void write_time(struct strbuf *out, const struct batch_input *input)
{
	const uint64_t time_ns = input->snapshot->time_ns;
	const int64_t wall_ns = session_wall_ns(input->session->wall_offset_ns, time_ns);
	const int64_t ms = wall_ns < 0 ? (int64_t)(time_ns / NS_PER_MS)
				       : (wall_ns + NS_PER_MS / 2) / NS_PER_MS;

	strbuf_printf(out, "%" PRId64 ".%03d", ms / MS_PER_S, (int)(ms % MS_PER_S));
}

static void write_depth(struct strbuf *out, const struct batch_input *input,
			const struct view_row *row)
{
	if (!input->request->state.info->is_tree)
		return;
	put_csv_comma(out);
	put_number(out, row->branch.depth);
}

static void write_csv_cell(struct strbuf *out, const struct view_table *table, size_t row,
			   size_t column)
{
	struct cell cell;

	put_csv_comma(out);
	view_table_cell(table, row, column, &cell);
	if (cell.is_unknown)
		return;
	if (view_table_column(table, column)->words)
		put_csv_text(out, cell.text + cell.head);
	else
		put_real(out, cell.value);
}

static void put_time_cell(struct strbuf *out, uint64_t ns)
{
	put_csv_comma(out);
	if (ns != SWITCH_NS_UNKNOWN)
		put_number(out, ns);
}

static void put_id_cell(struct strbuf *out, int32_t id)
{
	put_csv_comma(out);
	if (id >= 0)
		put_number(out, (uint64_t)id);
}

static void put_actor_cells(struct strbuf *out, const struct actor *actor)
{
	if (!actor || actor->number == ACTOR_UNKNOWN) {
		strbuf_add(out, ",,,");
		return;
	}
	put_id_cell(out, actor->pid);
	put_id_cell(out, actor->tid);
	put_csv_comma(out);
	put_csv_text(out, actor->name);
}

static void put_how_cell(struct strbuf *out, enum switch_how how)
{
	put_csv_comma(out);
	if (how != SWITCH_UNKNOWN)
		strbuf_add(out, switch_how_name(how));
}

static void put_count_cells(struct strbuf *out, const struct layout *layout,
			    const struct view_row *row)
{
	for (size_t i = 0; i < layout->event_count; i++) {
		if (layout->events[i].is_removed)
			continue;
		put_csv_comma(out);
		if (row->entry->has_counts && event_is_counted(&layout->events[i]))
			put_number(out, layout_event_count(layout, i, row->interval));
	}
}

static void write_log_header(struct strbuf *out, const struct layout *layout)
{
	strbuf_add(out, "time_ns,cpu,left_pid,left_tid,left,how,slice_ns");
	for (size_t i = 0; i < layout->event_count; i++) {
		if (layout->events[i].is_removed)
			continue;
		put_csv_comma(out);
		put_csv_text(out, layout->events[i].name);
	}
	strbuf_add(out, ",came_pid,came_tid,came,off_ns,wait_ns,from_cpu,state\n");
}

static void write_csv_switch(struct strbuf *out, const struct layout *layout,
			     const struct view_row *row)
{
	const struct switch_entry *entry = row->entry;

	if (entry->time_ns != SWITCH_NS_UNKNOWN)
		put_number(out, entry->time_ns);
	put_id_cell(out, entry->cpu);
	put_actor_cells(out, row->prev);
	put_how_cell(out, entry->how);
	put_time_cell(out, entry->slice_ns);
	put_count_cells(out, layout, row);
	put_actor_cells(out, row->next);
	put_time_cell(out, entry->off_ns);
	put_time_cell(out, entry->wait_ns);
	put_id_cell(out, entry->from_cpu);
	put_csv_comma(out);
	strbuf_add(out, task_state_name(entry->state));
	strbuf_add_char(out, '\n');
}

void csv_write(struct strbuf *out, const struct batch_input *input)
{
	const struct layout *layout = input->snapshot->layout;
	struct view_table *table = input->table;
	const bool is_log = input->request->state.info->is_log;

	batch_build(input, input->request);
	if (input->is_first && is_log)
		write_log_header(out, layout);
	else if (input->is_first)
		write_header(out, input);
	for (size_t i = 0; i < view_table_row_count(table); i++) {
		if (is_log) {
			write_csv_switch(out, layout, view_table_row(table, i));
			continue;
		}
		write_time(out, input);
		write_depth(out, input, view_table_row(table, i));
		for (size_t j = 0; j < view_table_column_count(table); j++)
			write_csv_cell(out, table, i, j);
		strbuf_add_char(out, '\n');
	}
}
