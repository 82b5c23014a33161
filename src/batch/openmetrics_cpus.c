/*
 * Of each CPU: how long it was busy and idle, the sums of all that ran there, and its metrics. As
 * in the view of CPUs, run time is that of tasks and events are those of the whole CPU.
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

static const double ns_per_s = 1e9;

static void add_row(struct totals *totals, const struct batch_input *input,
		    const struct view_row *row)
{
	struct cpu_totals *cpu = totals_of_cpu(totals, row->cpu->cpu);

	tally_add(&cpu->tally, input->snapshot->layout, row->interval, row->unknown,
		  row->interval_ns);
	cpu->idle_ns += row->cpu->idle[QUANTITY_RUN_NS];
	cpu->unattributed_ns += row->cpu->unattributed[QUANTITY_RUN_NS];
}

static char *labels_of(int cpu)
{
	struct strbuf labels = {0};

	exposition_add_number_label(&labels, "cpu", (uint64_t)cpu);
	return labels.text;
}

static void put_mode(struct exposition *exposition, const char *labels, const char *mode,
		     uint64_t ns)
{
	struct strbuf all = {0};

	strbuf_add(&all, labels);
	exposition_add_label(&all, "mode", mode);
	exposition_sample(exposition, strbuf_text(&all), (double)ns / ns_per_s);
	strbuf_fini(&all);
}

static void put_times(struct exposition *exposition, const struct totals *totals,
		      const struct tallied_list *list)
{
	exposition_family(exposition, EXPOSITION_COUNTER, "cpu_seconds",
			  "Time of the CPU, running tasks (busy) or not (idle).");
	for (size_t i = 0; i < list->count; i++) {
		put_mode(exposition, list->items[i].labels, "busy",
			 totals->cpus[i].tally.quantities[QUANTITY_RUN_NS]);
		put_mode(exposition, list->items[i].labels, "idle", totals->cpus[i].idle_ns);
	}
	exposition_family(exposition, EXPOSITION_COUNTER, "cpu_unattributed_seconds",
			  "Time that belongs to no known task; a part of the busy time.");
	for (size_t i = 0; i < list->count; i++)
		exposition_sample(exposition, list->items[i].labels,
				  (double)totals->cpus[i].unattributed_ns / ns_per_s);
}

static void put_gauges(struct exposition *exposition, const struct batch_input *input)
{
	const size_t count = view_table_row_count(input->table);
	char **labels = xcalloc(count, sizeof(*labels));

	for (size_t i = 0; i < count; i++)
		labels[i] = labels_of(view_table_row(input->table, i)->cpu->cpu);
	openmetrics_gauges(exposition, "cpu_", input, (const char *const *)labels);
	for (size_t i = 0; i < count; i++)
		free(labels[i]);
	free(labels);
}

/* Of run time there is more to be said than one number. */
static void put_totals(struct exposition *exposition, const struct batch_input *input)
{
	const struct totals *totals = input->totals;
	struct tallied *items = xcalloc(totals->cpu_count, sizeof(*items));
	char **labels = xcalloc(totals->cpu_count, sizeof(*labels));
	struct tallied_list list = {.items = items, .count = totals->cpu_count};

	for (size_t i = 0; i < totals->cpu_count; i++) {
		labels[i] = labels_of(totals->cpus[i].cpu);
		items[i] = (struct tallied){.tally = &totals->cpus[i].tally,
					    .labels = labels[i],
					    .unknown = input->session->unknown |
						       1u << QUANTITY_RUN_NS};
	}
	put_times(exposition, totals, &list);
	openmetrics_tallies(exposition, "cpu_", input->snapshot->layout, &list);
	for (size_t i = 0; i < totals->cpu_count; i++)
		free(labels[i]);
	free(labels);
	free(items);
}

void openmetrics_cpus(struct exposition *exposition, const struct batch_input *input)
{
	struct view_settings settings = {.uid = -1, .extras = input->settings->extras};

	if (input->view == &view_cpus)
		settings = *input->settings;
	view_table_build(input->table, &view_cpus, &settings, input->snapshot, input->session,
			 input->metrics);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		add_row(input->totals, input, view_table_row(input->table, i));
	put_totals(exposition, input);
	put_gauges(exposition, input);
}
