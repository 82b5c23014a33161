#include "session/result.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "source/task_counts.h"

#include "session/child.h"

/* Metrics of a whole run. */
static const char *const metric_names[] = {"ipc", "miss_pct", "mpki", "branch_mpki"};

static const struct {
	const char *name, *words; /* in JSON, and as text */
	enum quantity quantity;
} QUANTITIES[] = {
	{"run_ns", NULL, QUANTITY_RUN_NS}, /* with words of its own */
	{"switches", "context switches", QUANTITY_SWITCHES},
	{"preemptions", "of these preemptions", QUANTITY_PREEMPTIONS},
	{"migrations", "migrations", QUANTITY_MIGRATIONS},
};

enum {
	QUANTITIES_COUNT = sizeof(QUANTITIES) / sizeof(QUANTITIES[0]),
	METRICS = sizeof(metric_names) / sizeof(metric_names[0]),
	NUMBER_WIDTH = 16
};

void result_fini(struct result *result)
{
	free(result->counts);
	free(result->unattributed);
	*result = (struct result){0};
}

void result_add(struct result *result, const struct snapshot *snapshot)
{
	const bool is_first = !result->counts;
	const size_t width = snapshot->layout->width;

	if (is_first) {
		result->counts = xcalloc(width, sizeof(*result->counts));
		result->unattributed = xcalloc(width, sizeof(*result->unattributed));
	} else if (result->width < width) {
		result->counts = counts_widen(result->counts, result->width, width);
		result->unattributed = counts_widen(result->unattributed, result->width, width);
	}
	result->width = width;
	if (snapshot->unattributed)
		counts_add(result->unattributed, snapshot->unattributed, width);
	result->elapsed_ns += snapshot->interval_ns;
	result->unknown |= snapshot->unknown;
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->is_held)
			continue;
		counts_add(result->counts, task->interval, width);
		result->unknown |= task->has_run ? task->unknown : 0;
		result->process_count += task->tid == task->pid && (is_first || task->is_new);
	}
}

static bool is_known(const struct result *result, const struct result_words *words,
		     enum quantity quantity)
{
	return !words->lacks_tasks && (result->unknown & 1u << quantity) == 0;
}

/*
 * What the tasks have counted by themselves. False: it is not known, or lacks something: the kernel
 * takes a task's counters away before its last switch, and what follows is in its row only.
 */
static bool find_own_count(const struct result *result, const struct result_words *words,
			   size_t event, uint64_t *count)
{
	const struct layout *layout = words->layout;

	return task_counts_find(words->task_counts, layout->events[event].name, count) &&
	       *count >= layout_event_count(layout, event, result->counts);
}

/* In its unit. NaN: not counted. */
static double event_total(const struct result *result, const struct result_words *words,
			  size_t event)
{
	const struct layout *layout = words->layout;
	const struct event *counted = &layout->events[event];
	uint64_t count;

	if (find_own_count(result, words, event, &count))
		return (double)count * counted->scale;
	if (words->lacks_tasks)
		return NAN;
	if (counted->state == EVENT_COUNTING && counted->scale == 1.0)
		return (double)layout_event_count(layout, event, result->counts);
	return metrics_event_rate(layout, event, -1, result->counts, result->elapsed_ns).value *
	       ((double)result->elapsed_ns / NS_PER_S);
}

/* What of an event was counted of tasks that are not known, and may be missing in its total. */
static uint64_t event_missing(const struct result *result, const struct result_words *words,
			      size_t event)
{
	uint64_t count;

	if (find_own_count(result, words, event, &count))
		return 0;
	return layout_event_count(words->layout, event, result->unattributed);
}

static double metric_total(const struct result *result, const struct result_words *words,
			   int metric)
{
	if (metric < 0 || words->lacks_tasks)
		return NAN;
	return metrics_eval(words->metrics, (size_t)metric, result->counts, result->unknown,
			    result->elapsed_ns)
		.value;
}

static void add_result_line(struct strbuf *out, const struct result_words *words,
			    const char *number, const char *what)
{
	strbuf_printf(out, "%s%*s %s\n", words->begin, NUMBER_WIDTH, number, what);
}

static void add_times(struct strbuf *out, const struct result_words *words,
		      const struct result *result)
{
	const double run_s = (double)result->counts[QUANTITY_RUN_NS] / NS_PER_S;
	const double elapsed_s = (double)result->elapsed_ns / NS_PER_S;
	char number[32], what[128] = "s of CPU time";

	snprintf(number, sizeof(number), "%.3f", elapsed_s);
	add_result_line(out, words, number, "s");
	snprintf(number, sizeof(number), "%.3f", run_s);
	if (elapsed_s > 0)
		snprintf(what, sizeof(what), "s of CPU time, %.2f CPUs in use", run_s / elapsed_s);
	add_result_line(out, words, is_known(result, words, QUANTITY_RUN_NS) ? number : "-",
			words->lacks_tasks ? "s of CPU time: some tasks are in no row" : what);
	if (result->unattributed[QUANTITY_RUN_NS] > 0) {
		snprintf(number, sizeof(number), "%.3f",
			 (double)result->unattributed[QUANTITY_RUN_NS] / NS_PER_S);
		add_result_line(out, words, number,
				"s of all CPUs unaccounted: the task is not known");
	}
	if (words->child && words->child->has_ended) {
		snprintf(what, sizeof(what), "s in user mode, %.3f s in the kernel",
			 words->child->system_s);
		snprintf(number, sizeof(number), "%.3f", words->child->user_s);
		add_result_line(out, words, number, what);
	}
}

static void add_result_events(struct strbuf *out, const struct result_words *words,
			      const struct result *result)
{
	const struct layout *layout = words->layout;

	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];
		const double total = event_total(result, words, i);
		const uint64_t missing = event_missing(result, words, i);
		char number[32] = "-", what[EVENT_NAME_MAX + EVENT_UNIT_MAX + 64];
		int length;

		if (event->is_removed)
			continue;
		if (isfinite(total))
			snprintf(number, sizeof(number), event->unit[0] != '\0' ? "%.2f" : "%.0f",
				 total);
		length = snprintf(what, sizeof(what), "%s%s%s%s", event->unit,
				  event->unit[0] != '\0' ? " " : "", event->name,
				  event_is_counted(event) ? event->state == EVENT_MULTIPLEXED
								    ? " (took turns: an estimate)"
								    : ""
							  : " (not counted)");
		if (missing > 0)
			snprintf(what + length, sizeof(what) - (size_t)length,
				 ", %" PRIu64 " unaccounted", missing);
		add_result_line(out, words, number, what);
	}
}

static void add_metrics(struct strbuf *out, const struct result_words *words,
			const struct result *result)
{
	for (size_t i = 0; i < METRICS; i++) {
		const int metric = metrics_find(words->metrics, metric_names[i]);
		const double value = metric_total(result, words, metric);
		char number[UNITS_TEXT_MAX];

		if (!isfinite(value))
			continue;
		units_format_fixed(number, value, 2);
		add_result_line(out, words, number,
				metrics_info(words->metrics, (size_t)metric)->title);
	}
}

static void add_result_head(struct strbuf *out, const struct result_words *words,
			    const struct result *result)
{
	strbuf_printf(out, "%stotals of ", words->begin);
	text_append_safe(out, words->name, strlen(words->name), true);
	if (words->child)
		strbuf_add(out, " and its children");
	strbuf_printf(out, ", %zu process%s", result->process_count,
		      result->process_count == 1 ? "" : "es");
	if (words->child && words->child->has_ended)
		strbuf_printf(out, ", exit status %d", words->child->exit_status);
	strbuf_add_char(out, '\n');
}

void result_write_text(const struct result *result, const struct result_words *words,
		       struct strbuf *out)
{
	if (!result->counts)
		return;
	add_result_head(out, words, result);
	add_times(out, words, result);
	for (size_t i = 1; i < QUANTITIES_COUNT; i++) {
		const enum quantity quantity = QUANTITIES[i].quantity;
		char number[32];

		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)result->counts[quantity]);
		add_result_line(out, words, is_known(result, words, quantity) ? number : "-",
				QUANTITIES[i].words);
	}
	add_result_events(out, words, result);
	add_metrics(out, words, result);
}

static json_t *real_or_null(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *pack_unattributed(const struct result *result, const struct result_words *words)
{
	const struct layout *layout = words->layout;
	json_t *counts = json_object();

	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];
		const uint64_t missing = event_missing(result, words, i);

		if (!event->is_removed)
			json_object_set_new(counts, event->name,
					    event_is_counted(event)
						    ? json_integer((json_int_t)missing)
						    : json_null());
	}
	return json_pack("{s:I, s:o}", "ns", (json_int_t)result->unattributed[QUANTITY_RUN_NS],
			 "counts", counts);
}

void result_write_json(const struct result *result, const struct result_words *words,
		       struct strbuf *out)
{
	const struct layout *layout = words->layout;
	const bool has_ended = words->child && words->child->has_ended;
	json_t *root, *summary, *events, *metrics;
	struct strbuf name = {0};
	char *line;

	if (!result->counts)
		return;
	events = json_object();
	metrics = json_object();
	text_append_safe(&name, words->name, strlen(words->name), true);
	summary = json_pack("{s:s, s:f, s:I, s:o, s:o, s:o}", "of", strbuf_text(&name), "elapsed_s",
			    (double)result->elapsed_ns / NS_PER_S, "processes",
			    (json_int_t)result->process_count, "exit_status",
			    has_ended ? json_integer(words->child->exit_status) : json_null(),
			    "user_s", real_or_null(has_ended ? words->child->user_s : NAN),
			    "system_s", real_or_null(has_ended ? words->child->system_s : NAN));
	for (size_t i = 0; i < QUANTITIES_COUNT; i++) {
		const enum quantity quantity = QUANTITIES[i].quantity;

		json_object_set_new(summary, QUANTITIES[i].name,
				    is_known(result, words, quantity)
					    ? json_integer((json_int_t)result->counts[quantity])
					    : json_null());
	}
	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed)
			json_object_set_new(events, layout->events[i].name,
					    real_or_null(event_total(result, words, i)));
	for (size_t i = 0; i < METRICS; i++)
		json_object_set_new(
			metrics, metric_names[i],
			real_or_null(metric_total(result, words,
						  metrics_find(words->metrics, metric_names[i]))));
	json_object_set_new(summary, "events", events);
	json_object_set_new(summary, "metrics", metrics);
	json_object_set_new(summary, "unattributed", pack_unattributed(result, words));
	root = json_pack("{s:o}", "summary", summary);
	line = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(15));
	strbuf_printf(out, "%s\n", line);
	free(line);
	json_decref(root);
	strbuf_fini(&name);
}
