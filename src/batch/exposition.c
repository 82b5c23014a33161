/*
 * Where the two formats differ the older one is followed, Prometheus' text format 0.0.4, since
 * promtool and node_exporter's textfile collector read nothing else: HELP and TYPE of a counter
 * name it with its "_total" (in OpenMetrics without), there are no UNIT lines, no timestamps and
 * no types but counter, gauge and histogram. Prometheus itself takes this for either format; "#
 * EOF" is the end in the one and a comment in the other.
 *
 * Names in labels are made harmless first, as in all outputs: then only quotes and backslashes are
 * left to be escaped, as in JSON.
 *
 * A family's samples are together, so the outer loop is over families. Of the metrics there are no
 * rates (unit "/s" and the like): rate() of a counter is one, over whatever time is wanted. Those
 * that are built in have their unit in their name; those of a user may have names that no family
 * can have, and are distinguished by a label.
 */

#include "batch/exposition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "batch/put.h"
#include "batch/totals.h"
#include "model/layout.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/table.h"

static const char *const type_names[] = {
	[EXPOSITION_GAUGE] = "gauge",
	[EXPOSITION_COUNTER] = "counter",
	[EXPOSITION_HISTOGRAM] = "histogram",
};

void exposition_family(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help)
{
	snprintf(exposition->name, sizeof(exposition->name), "perftop_%s%s", name,
		 type == EXPOSITION_COUNTER ? "_total" : "");
	exposition->type = type;
	exposition->help = help;
	exposition->is_open = false;
}

static void open_family(struct exposition *exposition)
{
	if (exposition->is_open)
		return;
	exposition->is_open = true;
	strbuf_printf(exposition->out, "# HELP %s %s\n# TYPE %s %s\n", exposition->name,
		      exposition->help, exposition->name, type_names[exposition->type]);
}

void exposition_part(struct exposition *exposition, const char *suffix, const char *labels,
		     double value)
{
	struct strbuf *out = exposition->out;

	if (!isfinite(value))
		return;
	open_family(exposition);
	strbuf_add(out, exposition->name);
	strbuf_add(out, suffix);
	if (labels && labels[0] != '\0')
		strbuf_printf(out, "{%s}", labels);
	strbuf_add_char(out, ' ');
	put_real(out, value);
	strbuf_add_char(out, '\n');
}

void exposition_sample(struct exposition *exposition, const char *labels, double value)
{
	exposition_part(exposition, "", labels, value);
}

void exposition_single(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help, double value)
{
	exposition_family(exposition, type, name, help);
	exposition_sample(exposition, NULL, value);
}

static void add_label_name(struct strbuf *labels, const char *name)
{
	if (labels->length > 0)
		strbuf_add_char(labels, ',');
	strbuf_add(labels, name);
	strbuf_add_char(labels, '=');
}

void exposition_add_label(struct strbuf *labels, const char *name, const char *value)
{
	add_label_name(labels, name);
	put_json_text(labels, value);
}

void exposition_add_number_label(struct strbuf *labels, const char *name, uint64_t value)
{
	add_label_name(labels, name);
	strbuf_add_char(labels, '"');
	put_number(labels, value);
	strbuf_add_char(labels, '"');
}

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
		       const struct layout *layout, const struct tallied *items, size_t count)
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
		for (size_t j = 0; j < count; j++) {
			strbuf_clear(&labels);
			if (items[j].labels)
				strbuf_add(&labels, items[j].labels);
			exposition_add_label(&labels, "event", event->name);
			exposition_sample(exposition, strbuf_text(&labels),
					  tally_event(items[j].tally, i));
		}
	}
	strbuf_fini(&labels);
}

void exposition_tallies(struct exposition *exposition, const char *prefix,
			const struct layout *layout, const struct tallied *items, size_t count)
{
	char name[EXPOSITION_NAME_MAX];

	for (size_t i = 0; i < sizeof(counter_families) / sizeof(counter_families[0]); i++) {
		const struct counter_family *family = &counter_families[i];

		snprintf(name, sizeof(name), "%s%s", prefix, family->name);
		exposition_family(exposition, EXPOSITION_COUNTER, name, family->help);
		for (size_t j = 0; j < count; j++) {
			const struct tallied *item = &items[j];

			if (item->unknown & 1u << family->quantity)
				continue;
			exposition_sample(exposition, item->labels,
					  (double)item->tally->quantities[family->quantity] /
						  family->per_unit);
		}
	}
	put_events(exposition, prefix, layout, items, count);
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
		strbuf_printf(&all, "%s%s%s", labels[i], more[0] != '\0' ? "," : "", more);
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
		exposition_add_label(&more, "metric", view_table_column(table, i)->name);
		exposition_add_label(&more, "unit", metric_of(table, i)->unit);
		put_cells(exposition, table, i, labels, strbuf_text(&more), 1);
	}
	strbuf_fini(&more);
}

void exposition_gauges(struct exposition *exposition, const char *prefix,
		       const struct view_table *table, const char *const *labels)
{
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
