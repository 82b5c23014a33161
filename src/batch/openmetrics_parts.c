/*
 * Counters and gauges of any kind of row. A family's samples stand together, so the outer loop is
 * over families.
 *
 * Of the metrics there are no rates (unit "/s" and the like): rate() of a counter is one, over
 * whatever time is wanted. Those that are built in have their unit in their name; those of a user
 * may have names that no family can have, and are told apart by a label.
 */

#include "batch/openmetrics_parts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/tally.h"
#include "model/layout.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/table.h"

/* clang-format off */
static const struct counter_family {
	enum quantity quantity;
	const char *name;
	double per_unit; /* so many of the quantity are one */
	const char *help;
} counter_families[] = {
	{ QUANTITY_RUN_NS,       "run_seconds",       1e9, "Time on a CPU." },
	{ QUANTITY_SWITCHES,     "switches",          1,    "Times that a CPU was left." },
	{ QUANTITY_PREEMPTIONS,  "preemptions",       1,    "Involuntary context switches." },
	{ QUANTITY_MIGRATIONS,   "migrations",        1,    "Times that it went on running on another CPU." },
	{ QUANTITY_PREEMPTED_NS, "preempted_seconds", 1e9, "Time waited for a CPU after a preemption." },
	{ QUANTITY_QUEUED_NS,    "queued_seconds",    1e9, "Time waited for a CPU, after being pushed out or woken." },
};

/* How a metric is called and multiplied; the unit in front decides where no name is given. */
static const struct gauge_family {
	const char *unit, *metric; /* metric NULL: any of that unit */
	const char *cut, *suffix;  /* the end of the metric's name that goes, and what comes instead */
	double scale;              /* 0: it is no gauge */
} gauge_families[] = {
	{ "%",      NULL,       "_pct",  "_ratio",                1e-2 },
	{ "us",     NULL,       "_us",   "_seconds",              1e-6 },
	{ "GHz",    "ghz",      "ghz",   "frequency_hertz",       1e9 },
	{ "MB/s",   "llc_mb_s", "_mb_s", "_bytes_per_second",     1e6 },
	{ "/s",     NULL,       "",      "",                      0 },
	{ "10^6/s", NULL,       "",      "",                      0 },
};
/* clang-format on */

enum {
	HELP_MAX = 512
};

static void put_events(struct exposition *exposition, const char *prefix,
		       const struct layout *layout, const struct tallied_list *list)
{
	char name[EXPOSITION_NAME_MAX];
	struct strbuf labels = {0};

	snprintf(name, sizeof(name), "%sevents", prefix);
	exposition_family(
		exposition, EXPOSITION_COUNTER, name,
		"What the event has counted, in its unit; perftop_event_info says how well.");
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];

		if (event->is_removed || !event_is_counted(event))
			continue;
		for (size_t j = 0; j < list->count; j++) {
			strbuf_clear(&labels);
			if (list->items[j].labels)
				strbuf_add(&labels, list->items[j].labels);
			exposition_add_label(&labels, "event", event->name);
			exposition_sample(exposition, strbuf_text(&labels),
					  tally_event(list->items[j].tally, i));
		}
	}
	strbuf_fini(&labels);
}

void openmetrics_tallies(struct exposition *exposition, const char *prefix,
			 const struct layout *layout, const struct tallied_list *list)
{
	char name[EXPOSITION_NAME_MAX];

	for (size_t i = 0; i < sizeof(counter_families) / sizeof(counter_families[0]); i++) {
		const struct counter_family *family = &counter_families[i];

		snprintf(name, sizeof(name), "%s%s", prefix, family->name);
		exposition_family(exposition, EXPOSITION_COUNTER, name, family->help);
		for (size_t j = 0; j < list->count; j++) {
			const struct tallied *item = &list->items[j];

			if (item->unknown & 1u << family->quantity)
				continue;
			exposition_sample(exposition, item->labels,
					  (double)item->tally->quantities[family->quantity] /
						  family->per_unit);
		}
	}
	put_events(exposition, prefix, layout, list);
}

static bool fits(const struct gauge_family *family, const struct metric_info *info)
{
	return strcmp(family->unit, info->unit) == 0 &&
	       (!family->metric || strcmp(family->metric, info->name) == 0);
}

/* Writes the name of a built-in metric's family; returns what its values are multiplied by, or 0:
 * it has none. */
static double name_gauge(char *name, size_t size, const char *prefix,
			 const struct metric_info *info)
{
	for (size_t i = 0; i < sizeof(gauge_families) / sizeof(gauge_families[0]); i++) {
		const struct gauge_family *family = &gauge_families[i];
		const size_t length = strlen(info->name);
		const size_t cut = strlen(family->cut);

		if (!fits(family, info))
			continue;
		if (length >= cut && strcmp(info->name + length - cut, family->cut) == 0)
			snprintf(name, size, "%s%.*s%s", prefix, (int)(length - cut), info->name,
				 family->suffix);
		else
			snprintf(name, size, "%s%s%s", prefix, info->name, family->suffix);
		return family->scale;
	}
	snprintf(name, size, "%s%s", prefix, info->name);
	return 1;
}

static void put_cells(struct exposition *exposition, const struct view_table *table, size_t column,
		      const char *const *labels, const char *more, double scale)
{
	struct strbuf all = {0};
	struct cell cell;

	for (size_t i = 0; i < view_table_row_count(table); i++) {
		if (!labels[i])
			continue;
		view_table_cell(table, i, column, &cell);
		strbuf_clear(&all);
		strbuf_printf(&all, "%s%s", labels[i], more);
		exposition_sample(exposition, strbuf_text(&all), cell.value * scale);
	}
	strbuf_fini(&all);
}

static const struct metric_info *metric_of(const struct view_table *table, size_t column)
{
	return view_table_column(table, column)->info;
}

/* Of one kind of CPU, or with a name of the user's making. */
static bool needs_label(const struct view_table *table, size_t column)
{
	return metric_of(table, column)->is_users || view_table_column(table, column)->kind;
}

static void put_labelled(struct exposition *exposition, const char *prefix,
			 const struct view_table *table, const char *const *labels)
{
	char name[EXPOSITION_NAME_MAX];
	struct strbuf more = {0};

	snprintf(name, sizeof(name), "%smetric", prefix);
	exposition_family(exposition, EXPOSITION_GAUGE, name,
			  "Metrics that were defined by the user or are of one kind of CPU.");
	for (size_t i = 0; i < view_table_column_count(table); i++) {
		if (!metric_of(table, i) || !needs_label(table, i))
			continue;
		strbuf_clear(&more);
		strbuf_add_char(&more, ',');
		struct strbuf own = {0};
		exposition_add_label(&own, "metric", view_table_column(table, i)->name);
		exposition_add_label(&own, "unit", metric_of(table, i)->unit);
		strbuf_add(&more, strbuf_text(&own));
		strbuf_fini(&own);
		put_cells(exposition, table, i, labels, strbuf_text(&more), 1);
	}
	strbuf_fini(&more);
}

void openmetrics_gauges(struct exposition *exposition, const char *prefix,
			const struct batch_input *input, const char *const *labels)
{
	const struct view_table *table = input->table;
	char name[EXPOSITION_NAME_MAX];
	char help[HELP_MAX];

	for (size_t i = 0; i < view_table_column_count(table); i++) {
		const struct metric_info *info = metric_of(table, i);
		double scale;

		if (!info || needs_label(table, i))
			continue;
		scale = name_gauge(name, sizeof(name), prefix, info);
		if (scale == 0)
			continue;
		snprintf(help, sizeof(help), "%s%s", info->help,
			 strcmp(info->unit, "%") == 0 ? " Here 1 means 100." : "");
		exposition_family(exposition, EXPOSITION_GAUGE, name, help);
		put_cells(exposition, table, i, labels, "", scale);
	}
	put_labelled(exposition, prefix, table, labels);
}
