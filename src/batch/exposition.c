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
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/put.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/table.h"

enum {
	HELP_MAX = 512
};

static const double ns_per_s = 1e9;

/*
 * Sums of estimates grow as sums of counts do, while an estimate from a sum may be less than the
 * one before. So each interval is scaled by itself.
 *
 * Series of their own have the first `limit` of the interval, and, while there is room, those that
 * were among the first most recently: a series that comes and goes is of little use to whoever
 * keeps it, and each new one costs it. One that gives its place to another keeps its sum, and goes
 * on with it should it come back.
 */

static void tally_fini(struct tally *tally)
{
	free(tally->events);
	*tally = (struct tally){0};
}

/* Events are added to a layout, none is ever taken off it. */
static void widen(struct tally *tally, size_t event_count)
{
	if (tally->event_count >= event_count)
		return;
	tally->events = xrealloc(tally->events, event_count, sizeof(*tally->events));
	for (size_t i = tally->event_count; i < event_count; i++)
		tally->events[i] = 0;
	tally->event_count = event_count;
}

/* NaN: not counted. */
static double worth(const struct layout *layout, size_t index, const uint64_t *counts,
		    uint64_t interval_ns)
{
	const struct event *event = &layout->events[index];

	if (event->state == EVENT_COUNTING && event->scale == 1.0)
		return (double)layout_event_count(layout, index, counts);
	return metrics_event_rate(layout, index, -1, counts, interval_ns).value *
	       ((double)interval_ns / ns_per_s);
}

/* Of a task that /proc alone has page faults may be known, and no other event. */
static bool is_unknown_event(const struct layout *layout, size_t index, uint32_t unknown)
{
	return unknown & METRIC_EVENTS_UNKNOWN &&
	       !(unknown & METRIC_FAULTS_KNOWN &&
		 strcmp(layout->events[index].name, METRIC_FAULTS_EVENT) == 0);
}

void tally_add(struct tally *tally, const struct layout *layout, const uint64_t *counts,
	       uint32_t unknown, uint64_t interval_ns)
{
	for (int i = 0; i < QUANTITY_BUILTIN; i++)
		if (!(unknown & 1u << i))
			tally->quantities[i] += counts[i];
	widen(tally, layout->event_count);
	for (size_t i = 0; i < layout->event_count; i++) {
		const double count = is_unknown_event(layout, i, unknown)
					     ? NAN
					     : worth(layout, i, counts, interval_ns);

		if (isfinite(count))
			tally->events[i] += count;
	}
}

static double tally_event(const struct tally *tally, size_t event)
{
	return event < tally->event_count ? tally->events[event] : 0;
}

static void destroy_exposition(struct top_one *one)
{
	tally_fini(&one->tally);
	free(one->labels);
	free(one);
}

void top_fini(struct top *top)
{
	for (size_t i = 0; i < top->count; i++)
		destroy_exposition(top->ones[i]);
	free(top->ones);
	map_fini(&top->by_key);
	tally_fini(&top->rest);
	*top = (struct top){0};
}

void top_begin(struct top *top, size_t limit)
{
	size_t kept = 0;

	for (size_t i = 0; i < top->count; i++) {
		struct top_one *one = top->ones[i];

		if (!one->is_over && !one->is_reused && i < top->shown_count + TOP_KEPT_MAX) {
			top->ones[kept++] = one;
			continue;
		}
		map_remove(&top->by_key, one->key);
		destroy_exposition(one);
	}
	top->count = kept;
	top->shown_count = 0;
	top->limit = limit;
	top->rank = 0;
	top->round++;
}

struct top_one *top_find(const struct top *top, uint64_t key)
{
	return map_get(&top->by_key, key);
}

static struct top_one *add_exposed(struct top *top, uint64_t key)
{
	struct top_one *one = xcalloc(1, sizeof(*one));

	one->key = key;
	array_reserve(&top->ones, &top->capacity, top->count + 1, sizeof(*top->ones));
	top->ones[top->count++] = one;
	map_put(&top->by_key, key, one);
	return one;
}

void top_offer(struct top *top, uint64_t key, bool may_enter)
{
	struct top_one *one = top_find(top, key);

	if (top->rank >= top->limit || (!one && !may_enter))
		return;
	if (!one)
		one = add_exposed(top, key);
	one->last_round = top->round;
	one->last_rank = top->rank++;
}

static int compare_indexes(const void *a, const void *b)
{
	const struct top_one *left = *(struct top_one *const *)a;
	const struct top_one *right = *(struct top_one *const *)b;

	if (left->last_round != right->last_round)
		return left->last_round > right->last_round ? -1 : 1;
	return left->last_rank < right->last_rank ? -1 : 1;
}

static int compare_keys(const void *a, const void *b)
{
	const struct top_one *left = *(struct top_one *const *)a;
	const struct top_one *right = *(struct top_one *const *)b;

	return left->key < right->key ? -1 : left->key > right->key;
}

void top_choose(struct top *top)
{
	if (top->count == 0)
		return;
	qsort(top->ones, top->count, sizeof(struct top_one *), compare_indexes);
	top->shown_count = top->count < top->limit ? top->count : top->limit;
	for (size_t i = 0; i < top->count; i++)
		top->ones[i]->is_shown = i < top->shown_count;
	qsort(top->ones, top->shown_count, sizeof(struct top_one *), compare_keys);
}

void top_name(struct top_one *one, const char *labels)
{
	if (one->labels && strcmp(one->labels, labels) == 0)
		return;
	free(one->labels);
	one->labels = xstrdup(labels);
}

struct totals *totals_create(void)
{
	return xcalloc(1, sizeof(struct totals));
}

void totals_destroy(struct totals *totals)
{
	if (!totals)
		return;
	tally_fini(&totals->all);
	top_fini(&totals->cpus);
	top_fini(&totals->tasks);
	top_fini(&totals->groups);
	stacks_fini(&totals->stacks);
	trace_fini(&totals->trace);
	pprof_fini(&totals->pprof);
	free(totals);
}

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
	{ QUANTITY_UNINTERRUPTIBLE_NS, "uninterruptible_seconds", 1e9, "Time off the CPUs in uninterruptible sleep (state D)." },
	{ QUANTITY_SMT_ALONE_NS, "smt_alone_seconds", 1e9, "Time on a CPU while no sibling thread of its core (SMT) was busy." },
	{ QUANTITY_SMT_BESIDE_NS, "smt_beside_seconds", 1e9, "Time on a CPU while a sibling thread of its core (SMT) was busy." },
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

/* Columns that are no metrics and percents of the time. */
static const struct share_family {
	const char *column, *name;
} share_families[] = {
	{ "throttled%", "throttled_ratio" },
	{ "psi-cpu",    "pressure_cpu_ratio" },
	{ "psi-mem",    "pressure_memory_ratio" },
	{ "psi-io",     "pressure_io_ratio" },
	{ "steal%",     "steal_ratio" },
};
/* clang-format on */

static void put_exposed_events(struct exposition *exposition, const char *prefix,
			       const struct layout *layout, const struct tallied *items,
			       size_t count)
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
			if (is_unknown_event(layout, i, items[j].unknown))
				continue;
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
	put_exposed_events(exposition, prefix, layout, items, count);
}

static bool has_room_for_row(const struct gauge_family *family, const struct metric_info *info)
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

		if (!has_room_for_row(family, info))
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

static void put_column(struct exposition *exposition, const struct view_table *table, size_t column,
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

static void put_metric(struct exposition *exposition, const char *prefix,
		       const struct view_table *table, size_t column, const char *const *labels)
{
	const struct metric_info *info = metric_of(table, column);
	char name[EXPOSITION_NAME_MAX];
	char help[HELP_MAX];
	const double scale = name_gauge(name, sizeof(name), prefix, info);

	if (scale == 0)
		return;
	snprintf(help, sizeof(help), "%s%s", info->help,
		 strcmp(info->unit, "%") == 0 ? " Here 1 means 100." : "");
	exposition_family(exposition, EXPOSITION_GAUGE, name, help);
	put_column(exposition, table, column, labels, "", scale);
}

static void put_share_family(struct exposition *exposition, const char *prefix,
			     const struct view_table *table, size_t column,
			     const char *const *labels)
{
	const struct column *shown = view_table_column(table, column);
	char name[EXPOSITION_NAME_MAX];
	char help[HELP_MAX];

	for (size_t i = 0; i < sizeof(share_families) / sizeof(share_families[0]); i++) {
		if (strcmp(share_families[i].column, shown->name) != 0)
			continue;
		snprintf(name, sizeof(name), "%s%s", prefix, share_families[i].name);
		snprintf(help, sizeof(help), "%s Here 1 means 100.", shown->help);
		exposition_family(exposition, EXPOSITION_GAUGE, name, help);
		put_column(exposition, table, column, labels, "", 1e-2);
	}
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
		put_column(exposition, table, i, labels, strbuf_text(&more), 1);
	}
	strbuf_fini(&more);
}

void exposition_gauges(struct exposition *exposition, const char *prefix,
		       const struct view_table *table, const char *const *labels)
{
	for (size_t i = 0; i < view_table_column_count(table); i++)
		if (!metric_of(table, i))
			put_share_family(exposition, prefix, table, i, labels);
		else if (!needs_label(table, i))
			put_metric(exposition, prefix, table, i, labels);
	put_labelled(exposition, prefix, table, labels);
}
