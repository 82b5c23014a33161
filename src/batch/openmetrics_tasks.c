/*
 * Tasks: a bounded number of series, however many tasks there are. Those that stand first in the
 * order of the view (-s) have series of their own, as many as --top says, and all others are one
 * series that is called "rest". top.h says how they are chosen and why their sums only grow: what a
 * task does while it is listed is added to its own series, and before and afterwards to the
 * rest. So the series of an exposition and those that have ended are together what all tasks did,
 * and a task's own is what it did since it was first listed.
 *
 * A task that was born or has ended in the interval gets no series of its own any more: nobody
 * could see it twice. That keeps a compiler run from leaving a thousand series behind.
 */

#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/openmetrics_parts.h"
#include "batch/totals.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/table.h"

static bool is_written(const struct view_row *row)
{
	return row->kind == ROW_TASK && !row->is_held;
}

static uint64_t key_of(const struct batch_input *input, int32_t pid, int32_t tid)
{
	return (uint64_t)(input->settings->threads ? tid : pid);
}

static void note_task(const struct batch_input *input, const struct snapshot_task *task)
{
	const uint64_t key = key_of(input, task->pid, task->tid);
	struct top_one *one = top_find(&input->totals->tasks, key);

	if (!one || task->is_exited || task->is_held)
		return;
	/* the number is used again, by another one */
	if (task->is_new && (uint64_t)task->tid == key)
		one->is_reused = true;
	one->is_over = false;
}

/* A name with only ended tasks has no series from the next interval on. */
static void note_ends(const struct batch_input *input)
{
	struct top *top = &input->totals->tasks;
	const struct snapshot *snapshot = input->snapshot;

	for (size_t i = 0; i < top->count; i++)
		top->ones[i]->is_over = true;
	for (size_t i = 0; i < snapshot->task_count; i++)
		note_task(input, &snapshot->tasks[i]);
}

static void name_task(const struct batch_input *input, struct top_one *one,
		      const struct view_row *row)
{
	struct strbuf labels = {0};

	exposition_add_number_label(&labels, "pid", (uint64_t)row->pid);
	if (input->settings->threads)
		exposition_add_number_label(&labels, "tid", (uint64_t)row->tid);
	exposition_add_label(&labels, "command", row->task->name);
	if (row->is_from_proc)
		exposition_add_label(&labels, "from", "proc");
	top_name(one, strbuf_text(&labels));
	strbuf_fini(&labels);
}

static void choose(const struct batch_input *input)
{
	struct top *top = &input->totals->tasks;

	top_begin(top, input->top);
	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);

		if (is_written(row) && !row->is_new)
			top_offer(top, key_of(input, row->pid, row->tid), !row->is_exited);
	}
	top_choose(top);
}

/* The one with the series that the row belongs to; NULL: it is one of the rest. */
static struct top_one *one_of(const struct batch_input *input, const struct view_row *row)
{
	struct top_one *one = top_find(&input->totals->tasks, key_of(input, row->pid, row->tid));

	return one && one->is_shown && !row->is_new ? one : NULL;
}

/* Adds the interval to the series that it belongs to; returns what of the rest is not known. */
static uint32_t credit(const struct batch_input *input)
{
	struct totals *totals = input->totals;
	uint32_t unknown = 0;

	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);
		struct top_one *one;

		if (!is_written(row))
			continue;
		one = one_of(input, row);
		tally_add(one ? &one->tally : &totals->tasks.rest, input->snapshot->layout,
			  row->interval, row->unknown, row->interval_ns);
		if (one) {
			name_task(input, one, row);
			one->unknown = row->unknown;
		} else {
			unknown |= row->unknown;
		}
	}
	return unknown;
}

static void put_totals(struct exposition *exposition, const struct batch_input *input,
		       uint32_t rest_unknown)
{
	const struct top *top = &input->totals->tasks;
	struct tallied *items = xcalloc(top->shown_count + 1, sizeof(*items));
	struct tallied_list list = {.items = items, .count = top->shown_count + 1};

	for (size_t i = 0; i < top->shown_count; i++)
		items[i] = (struct tallied){
			.tally = &top->ones[i]->tally,
			.labels = top->ones[i]->labels,
			.unknown = top->ones[i]->unknown | input->session->unknown,
		};
	items[top->shown_count] = (struct tallied){
		.tally = &top->rest,
		.labels = input->settings->threads ? "pid=\"rest\",tid=\"rest\",command=\"rest\""
						   : "pid=\"rest\",command=\"rest\"",
		.unknown = rest_unknown | input->session->unknown,
	};
	openmetrics_tallies(exposition, "task_", input->snapshot->layout, &list);
	free(items);
}

static void put_gauges(struct exposition *exposition, const struct batch_input *input)
{
	const size_t count = view_table_row_count(input->table);
	const char **labels = xcalloc(count, sizeof(*labels));

	for (size_t i = 0; i < count; i++) {
		const struct view_row *row = view_table_row(input->table, i);
		const struct top_one *one = is_written(row) ? one_of(input, row) : NULL;

		labels[i] = one ? one->labels : NULL;
	}
	openmetrics_gauges(exposition, "task_", input, labels);
	free(labels);
}

void openmetrics_tasks(struct exposition *exposition, const struct batch_input *input)
{
	struct view_settings settings = *input->settings;
	uint32_t rest_unknown;

	settings.fold_exited = false;
	settings.extra_rows = false;
	view_table_build(input->table, &view_tasks, &settings, input->snapshot, input->session,
			 input->metrics);
	choose(input);
	note_ends(input);
	rest_unknown = credit(input);
	put_totals(exposition, input, rest_unknown);
	put_gauges(exposition, input);
}
