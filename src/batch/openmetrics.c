/*
 * An interval is an exposition of its own, from the first line to "# EOF"; a file holds one, the
 * last, and so does a pipe (src/output.h). Counters are totals since perftop began, so that rate()
 * over any time is right whatever the interval is; gauges are of the last interval. Times are
 * seconds, shares ratios, memory bytes.
 *
 *	-V tasks      what is watched as a whole, its CPUs, the tasks that consume most and the sum
 *	              of the others
 *	-V groups     the same with groups of tasks
 *	-V cpus       the same without tasks
 *	-V histogram  how long slices and waits are
 *
 * The families of the last and those of the first three share no name, so that a host can have
 * files of both. Single switches, pairs and functions have no series: there is no end of them.
 *
 * What is not known has no sample: an event that cannot be counted is in perftop_event_info
 * with the reason, and has no counter that would stand still.
 *
 * Tasks and groups have a bounded number of series, however many there are. Those that are first in
 * the order of the view (-s) have series of their own, as many as --top says, and all others are
 * one series that is called "rest". What a task does while it is listed is added to its own series,
 * and before and afterwards to the rest (exposition.h). So the series of an exposition and those
 * that have ended are together what all tasks did, and a task's own is what it did since it was
 * first listed. A task that was born or has ended in the interval gets no series of its own any
 * more: it could be seen only once. That keeps a compiler run from leaving a thousand series
 * behind. A group has no end: one whose tasks have all gone goes on where it was when others come,
 * as far as sums are kept.
 */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/put.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/groups.h"
#include "view/histogram.h"
#include "view/summary.h"
#include "view/table.h"

static const double ns_per_s = 1e9;

static void add_interval_families(struct totals *totals, const struct batch_input *input)
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
	if (snapshot->unattributed)
		totals->all.unattributed_ns += snapshot->unattributed[QUANTITY_RUN_NS];
	totals->exited += snapshot->exited_count;
	totals->throttled += snapshot->throttled;
	totals->own_cpu_ns += snapshot->own.cpu_ns;
	totals->readings_ns += snapshot->own.readings_ns;
}

static void put_scope(struct exposition *exposition, const struct session *session)
{
	struct strbuf labels = {0};

	exposition_add_label(&labels, "scope", session_scope_name(session->scope));
	exposition_add_label(&labels, "words", session->scope_words);
	exposition_add_label(&labels, "reason", session->scope_reason);
	exposition_family(exposition, EXPOSITION_GAUGE, "scope_info",
			  "What is watched, and why not more; always 1.");
	exposition_sample(exposition, strbuf_text(&labels), 1);
	strbuf_fini(&labels);
}

/* What is one number of the run. */
enum single {
	SINGLE_START,
	SINGLE_INTERVAL,
	SINGLE_ATTRIBUTED,
	SINGLE_RAN,
	SINGLE_EXITED,
	SINGLE_LOST,
	SINGLE_UNATTRIBUTED,
	SINGLE_THROTTLED,
	SINGLE_OWN_CPU,
	SINGLE_OWN_BYTES,
	SINGLE_OWN_DESCRIPTORS,
	SINGLE_SWITCH_COST,
	SINGLE_READINGS,
	SINGLES
};

/* clang-format off */
static const struct {
	enum exposition_type type;
	const char *name, *help;
} single_families[SINGLES] = {
	[SINGLE_START] = {EXPOSITION_GAUGE, "start_time_seconds", "When the totals began, in seconds since the epoch."},
	[SINGLE_INTERVAL] = {EXPOSITION_GAUGE, "interval_seconds", "Length of the interval that gauges are of."},
	[SINGLE_ATTRIBUTED] = {EXPOSITION_GAUGE, "attributed_ratio", "Share of the time of the CPUs that is known to be a task's or idle's."},
	[SINGLE_RAN] = {EXPOSITION_GAUGE, "tasks_ran", "Threads that were on a CPU in the interval."},
	[SINGLE_EXITED] = {EXPOSITION_COUNTER, "tasks_exited", "Threads that ended."},
	[SINGLE_LOST] = {EXPOSITION_COUNTER, "lost_records", "Records of the kernel that were lost; what they would have reported is unattributed."},
	[SINGLE_UNATTRIBUTED] = {EXPOSITION_COUNTER, "unattributed_seconds", "CPU time of unknown tasks, on all CPUs."},
	[SINGLE_THROTTLED] = {EXPOSITION_COUNTER, "throttled", "Times that the kernel held an event back."},
	[SINGLE_OWN_CPU] = {EXPOSITION_COUNTER, "own_cpu_seconds", "CPU time of perftop itself."},
	[SINGLE_OWN_BYTES] = {EXPOSITION_GAUGE, "own_resident_bytes", "Memory of perftop itself."},
	[SINGLE_OWN_DESCRIPTORS] = {EXPOSITION_GAUGE, "own_descriptors", "File descriptors of perftop itself."},
	[SINGLE_SWITCH_COST] = {EXPOSITION_GAUGE, "switch_cost_seconds", "By how much the readings lengthen a context switch; an estimate."},
	[SINGLE_READINGS] = {EXPOSITION_COUNTER, "readings_cpu_seconds", "CPU time that the readings take from the watched; an estimate."},
};
/* clang-format on */

static double seconds_if(bool is_known, uint64_t ns)
{
	return is_known ? (double)ns / ns_per_s : NAN;
}

static void put_singles(struct exposition *exposition, const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const struct totals *totals = input->totals;
	const bool has_own = own_is_known(&snapshot->own);
	const bool has_cost = snapshot->own.switch_ns != 0;
	const int64_t start_ns =
		session_wall_ns(input->session->wall_offset_ns, snapshot->start_ns);
	const double values[SINGLES] = {
		[SINGLE_START] = start_ns >= 0 ? round((double)start_ns / 1e6) / 1e3 : NAN,
		[SINGLE_INTERVAL] = (double)snapshot->interval_ns / ns_per_s,
		[SINGLE_ATTRIBUTED] = snapshot->attributed_pct / 100,
		[SINGLE_RAN] = (double)snapshot->ran_count,
		[SINGLE_EXITED] = (double)totals->exited,
		[SINGLE_LOST] = (double)snapshot->lost_records_total,
		[SINGLE_UNATTRIBUTED] =
			seconds_if(snapshot->unattributed, totals->all.unattributed_ns),
		[SINGLE_THROTTLED] = (double)totals->throttled,
		[SINGLE_OWN_CPU] = seconds_if(has_own, totals->own_cpu_ns),
		[SINGLE_OWN_BYTES] = has_own ? (double)snapshot->own.rss_bytes : NAN,
		[SINGLE_OWN_DESCRIPTORS] = has_own ? (double)snapshot->own.descriptors : NAN,
		[SINGLE_SWITCH_COST] = seconds_if(has_cost, snapshot->own.switch_ns),
		[SINGLE_READINGS] = seconds_if(has_cost, totals->readings_ns),
	};

	for (int i = 0; i < SINGLES; i++) {
		exposition_family(exposition, single_families[i].type, single_families[i].name,
				  single_families[i].help);
		exposition_sample(exposition, NULL, values[i]);
	}
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

static void add_labels(struct strbuf *labels, const struct batch_input *input,
		       const struct view_row *row)
{
	if (row->kind == ROW_CPU) {
		exposition_add_number_label(labels, "cpu", (uint64_t)row->cpu->cpu);
	} else if (row->kind == ROW_GROUP) {
		exposition_add_label(labels, "by", row->group->grouping->name);
		exposition_add_label(labels, "group", row->group->words);
	} else {
		exposition_add_number_label(labels, "pid", (uint64_t)row->pid);
		if (input->request->settings.threads)
			exposition_add_number_label(labels, "tid", (uint64_t)row->tid);
		exposition_add_label(labels, "command", row->task->name);
		if (row->is_from_proc)
			exposition_add_label(labels, "from", "proc");
	}
}

static uint64_t key_of_task(const struct batch_input *input, int32_t pid, int32_t tid)
{
	return (uint64_t)(input->request->settings.threads ? tid : pid);
}

static uint64_t key_of_row(const struct batch_input *input, const struct view_row *row)
{
	return row->kind == ROW_TASK ? key_of_task(input, row->pid, row->tid) : row->id;
}

static bool may_have_series(const struct view_row *row)
{
	return row->kind != ROW_TASK || !row->is_new;
}

/* The one with the series that the row belongs to; NULL: it is one of the rest. */
static struct top_one *one_of(const struct batch_input *input, const struct top *top,
			      const struct view_row *row)
{
	struct top_one *one = may_have_series(row) ? top_find(top, key_of_row(input, row)) : NULL;

	return one && one->is_shown ? one : NULL;
}

static void choose_rows(const struct batch_input *input, struct top *top, size_t limit)
{
	top_begin(top, limit);
	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);

		if (!row->is_held && may_have_series(row))
			top_offer(top, key_of_row(input, row),
				  row->kind != ROW_TASK || !row->is_exited);
	}
	top_choose(top);
}

static void add_row(struct tally *tally, const struct batch_input *input,
		    const struct view_row *row)
{
	tally_add(tally, input->snapshot->layout, row->interval, row->unknown, row->interval_ns);
	if (row->kind == ROW_CPU) {
		tally->idle_ns += row->cpu->idle[QUANTITY_RUN_NS];
		tally->unattributed_ns += row->cpu->unattributed[QUANTITY_RUN_NS];
	}
}

/* Adds the rows of the table to their series; returns what of the rest is not known. */
static uint32_t add_rows(const struct batch_input *input, struct top *top, size_t limit)
{
	struct strbuf labels = {0};
	uint32_t unknown = 0;

	choose_rows(input, top, limit);
	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);
		struct top_one *one = one_of(input, top, row);

		if (row->is_held)
			continue;
		add_row(one ? &one->tally : &top->rest, input, row);
		if (!one) {
			unknown |= row->unknown;
			continue;
		}
		strbuf_clear(&labels);
		add_labels(&labels, input, row);
		top_name(one, strbuf_text(&labels));
		one->unknown = row->unknown;
	}
	strbuf_fini(&labels);
	return unknown;
}

/* rest: its labels; NULL: there is none. hidden: bits of quantities without samples. */
static void put_counters(struct exposition *exposition, const struct batch_input *input,
			 const char *prefix, const struct top *top, const char *rest,
			 uint32_t rest_unknown, uint32_t hidden)
{
	const uint32_t unknown = input->session->unknown | input->snapshot->unknown | hidden;
	struct tallied *items = xcalloc(top->shown_count + 1, sizeof(*items));

	for (size_t i = 0; i < top->shown_count; i++) {
		const struct top_one *one = top->ones[i];

		items[i] = (struct tallied){&one->tally, one->labels, one->unknown | unknown};
	}
	items[top->shown_count] = (struct tallied){&top->rest, rest, rest_unknown | unknown};
	exposition_tallies(exposition, prefix, input->snapshot->layout, items,
			   top->shown_count + (rest ? 1 : 0));
	free(items);
}

static void put_gauges(struct exposition *exposition, const struct batch_input *input,
		       const char *prefix, const struct top *top)
{
	const size_t count = view_table_row_count(input->table);
	const char **labels = xcalloc(count, sizeof(*labels));

	for (size_t i = 0; i < count; i++) {
		const struct view_row *row = view_table_row(input->table, i);
		const struct top_one *one = row->is_held ? NULL : one_of(input, top, row);

		labels[i] = one ? one->labels : NULL;
	}
	exposition_gauges(exposition, prefix, input->table, labels);
	free(labels);
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

/* Of run time there is more to be said than one number. */
static void put_cpu_times(struct exposition *exposition, const struct top *cpus)
{
	exposition_family(exposition, EXPOSITION_COUNTER, "cpu_seconds",
			  "Time of the CPU, running tasks (busy) or not (idle).");
	for (size_t i = 0; i < cpus->shown_count; i++) {
		const struct top_one *cpu = cpus->ones[i];

		put_mode(exposition, cpu->labels, "busy", cpu->tally.quantities[QUANTITY_RUN_NS]);
		put_mode(exposition, cpu->labels, "idle", cpu->tally.idle_ns);
	}
	exposition_family(exposition, EXPOSITION_COUNTER, "cpu_unattributed_seconds",
			  "Time that belongs to no known task; a part of the busy time.");
	for (size_t i = 0; i < cpus->shown_count; i++)
		exposition_sample(exposition, cpus->ones[i]->labels,
				  (double)cpus->ones[i]->tally.unattributed_ns / ns_per_s);
}

/* As in the view of CPUs, run time is that of tasks and events are those of the whole CPU. */
static void put_cpus(struct exposition *exposition, const struct batch_input *input)
{
	struct view_request request;
	const struct view_info *view = input->request->state.info;
	struct top *cpus = &input->totals->cpus;

	view_request_init(&request, &view_cpus);
	request.state.extras = input->request->state.extras;
	batch_build(input, view->kind == ROW_CPU ? input->request : &request);
	add_rows(input, cpus, SIZE_MAX);
	if (!(input->session->unknown & 1u << QUANTITY_RUN_NS))
		put_cpu_times(exposition, cpus);
	put_counters(exposition, input, "cpu_", cpus, NULL, 0, 1u << QUANTITY_RUN_NS);
	put_gauges(exposition, input, "cpu_", cpus);
}

/* A pid with only ended tasks has no series from the next interval on, nor has one that is used
 * again, by another task. */
static void note_ends(const struct batch_input *input)
{
	struct top *top = &input->totals->tasks;
	const struct snapshot *snapshot = input->snapshot;

	for (size_t i = 0; i < top->count; i++)
		top->ones[i]->is_over = true;
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];
		const uint64_t key = key_of_task(input, task->pid, task->tid);
		struct top_one *one = top_find(top, key);

		if (!one || task->is_exited || task->is_held)
			continue;
		if (task->is_new && (uint64_t)task->tid == key)
			one->is_reused = true;
		one->is_over = false;
	}
}

/* The rows of the view, and the sum of those that have no series; rest: its labels. */
static void put_listed(struct exposition *exposition, const struct batch_input *input,
		       const char *prefix, struct top *top, const char *rest)
{
	struct view_request request = *input->request;

	request.fold_exited = FOLD_NOTHING;
	request.extra_rows = false;
	batch_build(input, &request);
	const uint32_t rest_unknown = add_rows(input, top, input->top);
	put_counters(exposition, input, prefix, top, rest, rest_unknown, 0);
	put_gauges(exposition, input, prefix, top);
}

static void put_tasks(struct exposition *exposition, const struct batch_input *input)
{
	put_listed(exposition, input, "task_", &input->totals->tasks,
		   input->request->settings.threads ? "pid=\"rest\",tid=\"rest\",command=\"rest\""
						    : "pid=\"rest\",command=\"rest\"");
	note_ends(input);
}

static void put_groups(struct exposition *exposition, const struct batch_input *input)
{
	struct strbuf rest = {0};

	exposition_add_label(&rest, "by", grouping_get(input->request->settings.group_by)->name);
	exposition_add_label(&rest, "group", "rest");
	put_listed(exposition, input, "group_", &input->totals->groups, strbuf_text(&rest));
	strbuf_fini(&rest);
}

static void add_lengths(struct totals *totals, const struct length *length)
{
	for (int kind = 0; kind < LENGTH_KINDS; kind++) {
		totals->octaves[kind][length->octave] += length->count[kind];
		totals->octaves_ns[kind] += length->sum_ns[kind];
	}
}

/* An octave holds lengths shorter than its end, a bucket those up to its bound: lengths are whole
 * nanoseconds, so the bound is one less. */
static void put_histogram(struct exposition *exposition, const struct totals *totals,
			  enum length_kind kind)
{
	struct strbuf bound = {0};
	uint64_t count = 0;

	for (size_t i = 0; i + 1 < DISTRIBUTION_OCTAVES; i++) {
		count += totals->octaves[kind][i];
		strbuf_clear(&bound);
		strbuf_add(&bound, "le=\"");
		put_real(&bound, (double)(distribution_octave_begin(i + 1) - 1) / ns_per_s);
		strbuf_add_char(&bound, '"');
		exposition_part(exposition, "_bucket", strbuf_text(&bound), (double)count);
	}
	strbuf_fini(&bound);
	count += totals->octaves[kind][DISTRIBUTION_OCTAVES - 1];
	exposition_part(exposition, "_bucket", "le=\"+Inf\"", (double)count);
	exposition_part(exposition, "_sum", NULL, (double)totals->octaves_ns[kind] / ns_per_s);
	exposition_part(exposition, "_count", NULL, (double)count);
}

static void put_lengths(struct exposition *exposition, const struct batch_input *input)
{
	/* clang-format off */
	static const struct {
		const char *name, *help;
	} families[LENGTH_KINDS] = {
		[LENGTH_SLICES] = { "slice_seconds", "How long tasks were on a CPU from one switch to the next." },
		[LENGTH_PREEMPTED] = { "preempted_wait_seconds", "How long tasks waited for a CPU after a preemption." },
		[LENGTH_QUEUED] = { "queue_wait_seconds", "How long tasks waited for a CPU after being pushed out or woken." },
	};
	/* clang-format on */

	batch_build(input, input->request);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		add_lengths(input->totals, view_table_row(input->table, i)->item);
	for (int kind = 0; kind < LENGTH_KINDS; kind++) {
		if (kind == LENGTH_QUEUED && input->session->queue != QUEUE_WAKEUPS)
			continue;
		if (kind != LENGTH_SLICES && input->session->is_partial)
			continue;
		exposition_family(exposition, EXPOSITION_HISTOGRAM, families[kind].name,
				  families[kind].help);
		put_histogram(exposition, input->totals, (enum length_kind)kind);
	}
}

static void write_now(struct exposition *exposition, const struct batch_input *input)
{
	const struct tallied all = {.tally = &input->totals->all, .unknown = batch_unknown(input)};

	add_interval_families(input->totals, input);
	put_scope(exposition, input->session);
	put_singles(exposition, input);
	put_events(exposition, input);
	exposition_tallies(exposition, "", input->snapshot->layout, &all, 1);
	put_cpus(exposition, input);
	if (input->request->state.info->kind == ROW_TASK)
		put_tasks(exposition, input);
	else if (input->request->state.info->kind == ROW_GROUP)
		put_groups(exposition, input);
}

void openmetrics_write(struct strbuf *out, const struct batch_input *input)
{
	struct exposition exposition = {.out = out};

	if (input->request->state.info->kind == ROW_LENGTH)
		put_lengths(&exposition, input);
	else
		write_now(&exposition, input);
	strbuf_add(out, "# EOF\n");
}
