/*
 * An interval is an exposition of its own, from the first line to "# EOF"; a file holds one,
 * the last, and so does a pipe (src/output.h). Counters are totals since perftop began, so that
 *rate() over any time is right whatever the interval is; gauges are of the last interval. Times are
 *seconds, shares ratios, memory bytes.
 *
 *	-V tasks      what is watched as a whole, its CPUs (openmetrics_cpus.c), the tasks that
 *	              consume most and the sum of the others (openmetrics_tasks.c)
 *	-V groups     the same with groups of tasks (openmetrics_groups.c)
 *	-V cpus       the same without tasks
 *	-V switches   how slices ended and how long was waited (openmetrics_past.c)
 *	-V pairs      which task preempted which, by name: the worst, and the sum of the others
 *	-V histogram  how long slices and waits are
 *
 * The families of the last three and those of the first three share no name, so that a host can
 * have files of several of them.
 *
 * What is not known has no sample: an event that cannot be counted is in perftop_event_info
 * with the reason, and has no counter that would stand still.
 */

#include "batch/openmetrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/openmetrics_parts.h"
#include "batch/tally.h"
#include "batch/totals.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/busy.h"
#include "view/table.h"

static const double ns_per_s = 1e9;

/* One sample without labels. */
static void put_gauge(struct exposition *exposition, const char *name, const char *help,
		      double value)
{
	exposition_family(exposition, EXPOSITION_GAUGE, name, help);
	exposition_sample(exposition, NULL, value);
}

static void put_counter(struct exposition *exposition, const char *name, const char *help,
			double value)
{
	exposition_family(exposition, EXPOSITION_COUNTER, name, help);
	exposition_sample(exposition, NULL, value);
}

static void add_interval(struct totals *totals, const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const struct layout *layout = snapshot->layout;
	const size_t width = layout_width(layout);
	uint64_t *sum = xcalloc(3 * width, sizeof(*sum));
	uint64_t *busy = sum + 2 * width;

	busy_sum_machine(sum, sum + width, snapshot);
	busy_counts(busy, sum, sum + width, layout);
	tally_add(&totals->all, layout, busy, input->session->unknown, snapshot->interval_ns);
	free(sum);
	totals->exited += snapshot->exited_count;
	totals->throttled += snapshot->throttled;
	totals->own_cpu_ns += snapshot->own.cpu_ns;
}

static void put_session(struct exposition *exposition, const struct batch_input *input)
{
	const struct session *session = input->session;
	const struct snapshot *snapshot = input->snapshot;
	const int64_t start_ns = session_wall_ns(session->wall_offset_ns, snapshot->start_ns);
	struct strbuf labels = {0};

	exposition_add_label(&labels, "scope", session_scope_name(session->scope));
	exposition_add_label(&labels, "words", session->scope_words);
	exposition_add_label(&labels, "reason", session->scope_reason);
	exposition_family(exposition, EXPOSITION_GAUGE, "scope_info",
			  "What is watched, and why not more; always 1.");
	exposition_sample(exposition, strbuf_text(&labels), 1);
	strbuf_fini(&labels);
	put_gauge(exposition, "start_time_seconds",
		  "When the totals began, in seconds since the epoch.",
		  start_ns >= 0 ? round((double)start_ns / 1e6) / 1e3 : NAN);
	put_gauge(exposition, "interval_seconds", "Length of the interval that gauges are of.",
		  (double)snapshot->interval_ns / ns_per_s);
	put_gauge(exposition, "attributed_ratio",
		  "Share of the time of the CPUs that is known to be a task's or idle's.",
		  snapshot->attributed_pct / 100);
}

/* Of all that was counted in the interval, the share during which the event was on. */
static void put_running_ratios(struct exposition *exposition, const struct layout *layout,
			       const uint64_t *machine)
{
	struct strbuf labels = {0};

	exposition_family(
		exposition, EXPOSITION_GAUGE, "event_running_ratio",
		"Share of the time in which the event was counted; below 1 its counters are "
		"estimates.");
	for (size_t i = 0; i < layout->event_count; i++) {
		if (layout->events[i].is_removed || !event_is_counted(&layout->events[i]))
			continue;
		strbuf_clear(&labels);
		exposition_add_label(&labels, "event", layout->events[i].name);
		exposition_sample(exposition, strbuf_text(&labels),
				  metrics_running_pct(layout, i, machine) / 100);
	}
	strbuf_fini(&labels);
}

static void put_event_infos(struct exposition *exposition, const struct layout *layout)
{
	struct strbuf labels = {0};

	exposition_family(exposition, EXPOSITION_GAUGE, "event_info",
			  "What is counted, in which unit, how well, and why not; always 1.");
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];

		if (event->is_removed)
			continue;
		strbuf_clear(&labels);
		exposition_add_label(&labels, "event", event->name);
		exposition_add_label(&labels, "state", event_state_name(event->state));
		exposition_add_label(&labels, "unit", event->unit);
		exposition_add_label(&labels, "reason", event->reason);
		exposition_add_label(&labels, "estimate", event->is_estimate ? "true" : "false");
		exposition_sample(exposition, strbuf_text(&labels), 1);
	}
	strbuf_fini(&labels);
}

static void put_events(struct exposition *exposition, const struct batch_input *input)
{
	const struct layout *layout = input->snapshot->layout;
	uint64_t *machine = xcalloc(2 * layout_width(layout), sizeof(*machine));

	put_event_infos(exposition, layout);
	busy_sum_machine(machine, machine + layout_width(layout), input->snapshot);
	put_running_ratios(exposition, layout, machine);
	free(machine);
}

static void put_books(struct exposition *exposition, const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;

	put_gauge(exposition, "tasks_ran", "Threads that were on a CPU in the interval.",
		  (double)snapshot->ran_count);
	put_counter(exposition, "tasks_exited", "Threads that ended.",
		    (double)input->totals->exited);
	put_counter(exposition, "lost_records",
		    "Records of the kernel that were lost; what they would have reported is "
		    "unattributed.",
		    (double)snapshot->lost_records_total);
	put_counter(exposition, "throttled", "Times that the kernel held an event back.",
		    (double)input->totals->throttled);
	if (!own_is_known(&snapshot->own))
		return;
	put_counter(exposition, "own_cpu_seconds", "CPU time of perftop itself.",
		    (double)input->totals->own_cpu_ns / ns_per_s);
	put_gauge(exposition, "own_resident_bytes", "Memory of perftop itself.",
		  (double)snapshot->own.rss_bytes);
	put_gauge(exposition, "own_descriptors", "File descriptors of perftop itself.",
		  (double)snapshot->own.descriptors);
}

/* Of tasks alone a sum is known where it is of each of them. */
static uint32_t unknown_of(const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	uint32_t unknown = input->session->unknown;

	for (size_t i = 0; i < snapshot->task_count && snapshot->cpu_count == 0; i++)
		if (snapshot->tasks[i].has_run)
			unknown |= snapshot->tasks[i].unknown;
	return unknown;
}

static void write_now(struct exposition *exposition, const struct batch_input *input)
{
	const struct tallied all = {.tally = &input->totals->all, .unknown = unknown_of(input)};
	const struct tallied_list list = {.items = &all, .count = 1};

	add_interval(input->totals, input);
	put_session(exposition, input);
	put_events(exposition, input);
	put_books(exposition, input);
	openmetrics_tallies(exposition, "", input->snapshot->layout, &list);
	openmetrics_cpus(exposition, input);
	if (input->view->kind == ROW_TASK)
		openmetrics_tasks(exposition, input);
	else if (input->view->kind == ROW_GROUP)
		openmetrics_groups(exposition, input);
}

void openmetrics_write(struct strbuf *out, const struct batch_input *input)
{
	struct exposition exposition = {.out = out};

	if (input->view->is_log)
		openmetrics_switches(&exposition, input);
	else if (input->view->kind == ROW_PAIR)
		openmetrics_pairs(&exposition, input);
	else if (input->view->needs_history)
		openmetrics_lengths(&exposition, input);
	else
		write_now(&exposition, input);
	strbuf_add(out, "# EOF\n");
}
