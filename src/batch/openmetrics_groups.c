/*
 * Groups: a bounded number of series, as of tasks (openmetrics_tasks.c). Those that stand first in
 * the order of the view have series of their own, all others are the rest. A group has no end: one
 * whose tasks have all gone goes on where it was when others come, as far as sums are kept.
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
#include "view/groups.h"
#include "view/table.h"

static void name_group(struct top_one *one, const struct group *group)
{
	struct strbuf labels = {0};

	exposition_add_label(&labels, "by", group->grouping->name);
	exposition_add_label(&labels, "group", group->words);
	top_name(one, strbuf_text(&labels));
	strbuf_fini(&labels);
}

static void choose(const struct batch_input *input)
{
	struct top *top = &input->totals->groups;

	top_begin(top, input->top);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		top_offer(top, view_table_row(input->table, i)->id, true);
	top_choose(top);
}

/* The one with the series that the row belongs to; NULL: it is one of the rest. */
static struct top_one *one_of(const struct batch_input *input, const struct view_row *row)
{
	struct top_one *one = top_find(&input->totals->groups, row->id);

	return one && one->is_shown ? one : NULL;
}

/* Adds the interval to the series that it belongs to; returns what of the rest is not known. */
static uint32_t credit(const struct batch_input *input)
{
	struct totals *totals = input->totals;
	uint32_t unknown = 0;

	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);
		struct top_one *one = one_of(input, row);

		tally_add(one ? &one->tally : &totals->groups.rest, input->snapshot->layout,
			  row->interval, row->unknown, row->interval_ns);
		if (one) {
			name_group(one, row->group);
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
	const struct top *top = &input->totals->groups;
	const struct grouping *grouping = input->settings->grouping;
	struct tallied *items = xcalloc(top->shown_count + 1, sizeof(*items));
	struct tallied_list list = {.items = items, .count = top->shown_count + 1};
	struct strbuf rest = {0};
	size_t count;

	for (size_t i = 0; i < top->shown_count; i++)
		items[i] = (struct tallied){
			.tally = &top->ones[i]->tally,
			.labels = top->ones[i]->labels,
			.unknown = top->ones[i]->unknown | input->session->unknown,
		};
	exposition_add_label(&rest, "by", grouping ? grouping->name : grouping_table(&count)->name);
	exposition_add_label(&rest, "group", "rest");
	items[top->shown_count] = (struct tallied){
		.tally = &top->rest,
		.labels = strbuf_text(&rest),
		.unknown = rest_unknown | input->session->unknown,
	};
	openmetrics_tallies(exposition, "group_", input->snapshot->layout, &list);
	strbuf_fini(&rest);
	free(items);
}

static void put_gauges(struct exposition *exposition, const struct batch_input *input)
{
	const size_t count = view_table_row_count(input->table);
	const char **labels = xcalloc(count, sizeof(*labels));

	for (size_t i = 0; i < count; i++) {
		const struct top_one *one = one_of(input, view_table_row(input->table, i));

		labels[i] = one ? one->labels : NULL;
	}
	openmetrics_gauges(exposition, "group_", input, labels);
	free(labels);
}

void openmetrics_groups(struct exposition *exposition, const struct batch_input *input)
{
	struct view_settings settings = *input->settings;
	uint32_t rest_unknown;

	settings.extra_rows = false;
	view_table_build(input->table, input->view, &settings, input->snapshot, input->session,
			 input->metrics);
	choose(input);
	rest_unknown = credit(input);
	put_totals(exposition, input, rest_unknown);
	put_gauges(exposition, input);
}
