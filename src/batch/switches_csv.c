/*
 * A switch in CSV has the cells
 *
 *	time_ns,cpu,left_pid,left_tid,left,how,slice_ns,EVENT...,came_pid,came_tid,came,off_ns,
 *	wait_ns,from_cpu
 *
 * as in JSON (switches_json.c), with empty cells for what is not known. Each event that was asked
 * for has a cell with its raw count, also where it is not counted: the header stands before all
 * lines, and states may change.
 */

#include "batch/switches_csv.h"

#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/event_sums.h"
#include "batch/put.h"
#include "model/layout.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "view/table.h"

/* Every cell but the first begins with its comma. */
static void put_comma(struct strbuf *out)
{
	strbuf_add_char(out, ',');
}

static void put_time_cell(struct strbuf *out, uint64_t ns)
{
	put_comma(out);
	if (ns != SWITCH_NS_UNKNOWN)
		put_number(out, ns);
}

static void put_id_cell(struct strbuf *out, int32_t id)
{
	put_comma(out);
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
	put_comma(out);
	put_csv_text(out, actor->name);
}

static void put_how_cell(struct strbuf *out, enum switch_how how)
{
	put_comma(out);
	if (how != SWITCH_UNKNOWN)
		strbuf_add(out, switch_how_name(how));
}

static void put_count_cells(struct strbuf *out, const struct event_sums *sums,
			    const struct view_row *row)
{
	for (size_t i = 0; i < sums->count; i++) {
		put_comma(out);
		if (row->entry->has_counts && sums->sums[i].is_counted)
			put_number(out, event_sum_of(sums, i, row->interval));
	}
}

static void write_header(struct strbuf *out, const struct event_sums *sums,
			 const struct layout *layout)
{
	strbuf_add(out, "time_ns,cpu,left_pid,left_tid,left,how,slice_ns");
	for (size_t i = 0; i < sums->count; i++) {
		put_comma(out);
		put_csv_text(out, layout->events[sums->sums[i].event].name);
	}
	strbuf_add(out, ",came_pid,came_tid,came,off_ns,wait_ns,from_cpu\n");
}

static void write_line(struct strbuf *out, const struct event_sums *sums,
		       const struct view_row *row)
{
	const struct switch_entry *entry = row->entry;

	if (entry->time_ns != SWITCH_NS_UNKNOWN)
		put_number(out, entry->time_ns);
	put_id_cell(out, entry->cpu);
	put_actor_cells(out, row->prev);
	put_how_cell(out, entry->how);
	put_time_cell(out, entry->slice_ns);
	put_count_cells(out, sums, row);
	put_actor_cells(out, row->next);
	put_time_cell(out, entry->off_ns);
	put_time_cell(out, entry->wait_ns);
	put_id_cell(out, entry->from_cpu);
	strbuf_add_char(out, '\n');
}

void switches_csv_write(struct strbuf *out, const struct batch_input *input)
{
	const struct layout *layout = input->snapshot->layout;
	struct event_sums sums;

	view_table_build(input->table, input->view, input->settings, input->snapshot,
			 input->session, input->metrics);
	event_sums_init(&sums, layout);
	if (input->is_first)
		write_header(out, &sums, layout);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		write_line(out, &sums, view_table_row(input->table, i));
	event_sums_fini(&sums);
}
