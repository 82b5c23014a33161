/*
 * What a task's page lists: its metrics over the last intervals, its threads, the CPUs it used, the
 * lengths of its slices and waits, and the events as they were counted. There are as many lines as
 * there are metrics, threads, CPUs of the machine and events, up to a bound, so that values do not
 * make them move.
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mul_div.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/task_page.h"

enum {
	LABEL_WIDTH = 12,
	MISS_WIDTH = 11, /* "LLC-MISS %" */
	NUMBER_WIDTH = 9,
	TREND_WIDTH_LEAST = 10,
	LEVELS = 8,
	THREADS_MAX = 10,
	SHARE_WIDTH = 2 * NUMBER_WIDTH + 2, /* "64.9 %    18.5s" */
	NAME_WIDTH = 16,
	INTERVAL_WIDTH = 16, /* of a count */
	TOTAL_WIDTH = 20
};

/* A metric's values in the intervals of the past, the newest last; NaN where it is not known. */
struct trend {
	double values[TASK_PAGE_PAST];
	size_t count;
	double least, most; /* NaN: no value is known */
};

/* What the task did in one of the intervals. */
static bool sum_interval(const struct page *page, const struct snapshot *snapshot, uint64_t *sum,
			 uint32_t *unknown)
{
	const size_t width = layout_width(snapshot->layout);
	bool is_there = false;

	counts_clear(sum, width);
	*unknown = page->input->session->unknown | snapshot->unknown;
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (!page_has_task(page, task) || task->is_held)
			continue;
		counts_add(sum, task->interval, width);
		*unknown |= task->unknown;
		is_there = true;
	}
	return is_there;
}

static void add_value(struct trend *trend, double value)
{
	trend->values[trend->count++] = value;
	if (!isfinite(value))
		return;
	trend->least = isfinite(trend->least) ? fmin(trend->least, value) : value;
	trend->most = isfinite(trend->most) ? fmax(trend->most, value) : value;
}

/* Metrics are bound to the layout of now: what was counted in another one is not known. */
static void gather(const struct page *page, struct trend *trends)
{
	const struct task_page_input *input = page->input;
	const size_t width = layout_width(input->snapshot->layout);
	uint64_t *sum = xcalloc(width, sizeof(*sum));

	for (size_t i = 0; i < input->past_count; i++) {
		const struct snapshot *snapshot = input->past[i];
		uint32_t unknown = 0;
		const bool is_there = layout_width(snapshot->layout) == width &&
				      sum_interval(page, snapshot, sum, &unknown);

		for (size_t j = 0; j < metrics_count(input->metrics); j++) {
			const struct metric_value value =
				is_there ? metrics_eval(input->metrics, j, sum, unknown,
							snapshot->interval_ns)
					 : (struct metric_value){.value = NAN};

			add_value(&trends[j], value.value);
		}
	}
	free(sum);
}

static void add_metric_value(struct page *page, const struct metric_info *info, double value)
{
	page_add_metric(page, NUMBER_WIDTH, info, value,
			strcmp(info->unit, "us") == 0 ? PAGE_TIME : PAGE_DIGITS);
}

/* What a full block means: of a share all of it, so that little looks like little; else the most.
 */
static double top_of(const struct metric_info *info, const struct trend *trend)
{
	return strcmp(info->unit, "%") == 0 ? fmax(trend->most, 100) : trend->most;
}

/* From zero, or from the least where that is below. */
static void add_line(struct page *page, const struct metric_info *info, const struct trend *trend,
		     size_t room)
{
	static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const signs[LEVELS] = {"_", ".", ":", "-", "=", "+", "*", "#"};
	const double bottom = fmin(trend->least, 0);
	const double span = top_of(info, trend) - bottom;

	for (size_t i = trend->count > room ? trend->count - room : 0; i < trend->count; i++) {
		const double value = trend->values[i];
		const size_t begin = page->text.length;
		const int goodness = metric_goodness(info, value);
		size_t level = 0;

		if (!isfinite(value)) {
			strbuf_add_char(&page->text, ' ');
			continue;
		}
		if (span > 0)
			level = (size_t)fmin((value - bottom) / span * LEVELS, LEVELS - 1);
		strbuf_add(&page->text, page->input->ascii ? signs[level] : blocks[level]);
		if (goodness >= 0)
			page_mark(page, begin, goodness);
	}
}

static void write_trend(struct page *page, const struct metric_info *info,
			const struct trend *trend)
{
	const int taken = 2 + LABEL_WIDTH + 3 * NUMBER_WIDTH + 2;
	const int room = page->input->width - taken;
	const double now = trend->count > 0 ? trend->values[trend->count - 1] : NAN;

	strbuf_add(&page->text, "  ");
	page_add_words(page, LABEL_WIDTH, info->title);
	add_metric_value(page, info, now);
	add_metric_value(page, info, trend->least);
	add_metric_value(page, info, trend->most);
	strbuf_add(&page->text, "  ");
	add_line(page, info, trend, room > TREND_WIDTH_LEAST ? (size_t)room : TREND_WIDTH_LEAST);
	strbuf_add_char(&page->text, '\n');
}

void page_write_trends(struct page *page)
{
	const struct task_page_input *input = page->input;
	const size_t count = metrics_count(input->metrics);
	struct trend *trends;
	char span[UNITS_TEXT_MAX];

	if (input->past_count == 0)
		return;
	trends = xcalloc(count, sizeof(*trends));
	for (size_t i = 0; i < count; i++)
		trends[i].least = trends[i].most = NAN;
	gather(page, trends);
	units_format_duration(span, input->snapshot->time_ns - input->past[0]->time_ns +
					    input->past[0]->interval_ns);
	strbuf_printf(&page->text, "#%-*s%*s%*s%*s  the last %zu interval%s (%s)\n",
		      LABEL_WIDTH + 3, " intervals", NUMBER_WIDTH, "now", NUMBER_WIDTH, "least",
		      NUMBER_WIDTH, "most", input->past_count, units_plural(input->past_count),
		      span);
	for (size_t i = 0; i < count; i++)
		if (metrics_is_available(input->metrics, i) &&
		    !metrics_needs(input->metrics, i, input->snapshot->unknown & LAYOUT_SMT))
			write_trend(page, metrics_info(input->metrics, i), &trends[i]);
	free(trends);
}

static int compare_threads(const void *a, const void *b)
{
	const struct snapshot_task *left = *(const struct snapshot_task *const *)a;
	const struct snapshot_task *right = *(const struct snapshot_task *const *)b;
	const uint64_t left_ns = left->is_held ? 0 : left->interval[QUANTITY_RUN_NS];
	const uint64_t right_ns = right->is_held ? 0 : right->interval[QUANTITY_RUN_NS];

	if (left_ns != right_ns)
		return left_ns < right_ns ? 1 : -1;
	if (left->total[QUANTITY_RUN_NS] != right->total[QUANTITY_RUN_NS])
		return left->total[QUANTITY_RUN_NS] < right->total[QUANTITY_RUN_NS] ? 1 : -1;
	return (left->tid > right->tid) - (left->tid < right->tid);
}

static void add_thread_metric(struct page *page, int width, const struct snapshot_task *task,
			      const char *name, int decimals)
{
	const struct snapshot *snapshot = page->input->snapshot;
	const uint32_t unknown = task->unknown | page->input->session->unknown | snapshot->unknown;
	const struct metric_info *info;
	const double value = page_eval(page, name, task->is_held ? NULL : task->interval, unknown,
				       snapshot->interval_ns, &info)
				     .value;

	page_add_metric(page, width, info, value, decimals);
}

static void write_thread(struct page *page, const struct snapshot_task *task)
{
	const uint32_t unknown = task->unknown | page->input->session->unknown;
	char time[UNITS_TEXT_MAX] = "-";

	if (!(unknown & 1u << QUANTITY_RUN_NS))
		units_format_cpu_time(time, task->total[QUANTITY_RUN_NS]);
	strbuf_printf(&page->text, "  %7" PRId32 "  ", task->tid);
	page_add_words(page, NAME_WIDTH, task->name);
	add_thread_metric(page, NUMBER_WIDTH - 1, task, "cpu_pct", 1);
	add_thread_metric(page, NUMBER_WIDTH - 1, task, "ipc", 2);
	add_thread_metric(page, MISS_WIDTH, task, "miss_pct", 1);
	add_thread_metric(page, NUMBER_WIDTH - 1, task, "switches_s", PAGE_DIGITS);
	add_thread_metric(page, NUMBER_WIDTH - 1, task, "preemptions_s", PAGE_DIGITS);
	page_add_value(page, NUMBER_WIDTH + 1, time);
	page_add_metric(page, 5, NULL, task->last_cpu >= 0 ? (double)task->last_cpu : NAN, 0);
	strbuf_add(&page->text, task->is_exited ? "  ended\n" : "\n");
}

void page_write_threads(struct page *page)
{
	const struct snapshot *snapshot = page->input->snapshot;
	const struct metrics *metrics = page->input->metrics;
	const struct snapshot_task **threads;
	size_t count = 0;

	if (page->input->tid != page->input->pid)
		return;
	threads = xcalloc(snapshot->task_count, sizeof(*threads));
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (page_has_task(page, &snapshot->tasks[i]))
			threads[count++] = &snapshot->tasks[i];
	if (count > 1)
		qsort(threads, count, sizeof(*threads), compare_threads);
	strbuf_printf(&page->text, "#%-9s  %-*s%8s%8s%*s%8s%8s%*s%5s\n", "thread", NAME_WIDTH,
		      "name", "CPU %", "IPC", MISS_WIDTH,
		      metrics_info(metrics, (size_t)metrics_find(metrics, "miss_pct"))->title,
		      "SW/s", "PRE/s", NUMBER_WIDTH + 1, "TIME", "CPU");
	for (size_t i = 0; i < count && i < THREADS_MAX; i++)
		write_thread(page, threads[i]);
	if (count > THREADS_MAX)
		strbuf_printf(&page->text, "  and %zu more thread%s that ran less\n",
			      count - THREADS_MAX, units_plural(count - THREADS_MAX));
	free(threads);
}

static void add_share(struct page *page, uint64_t ns, uint64_t sum_ns)
{
	page_add_metric(page, NUMBER_WIDTH, NULL,
			sum_ns > 0 ? 100.0 * (double)ns / (double)sum_ns : NAN, 1);
	strbuf_add(&page->text, " %");
}

static void write_cpu(struct page *page, const char *label, const struct page_cpu *cpu)
{
	const struct page_history *past = &page->past;

	strbuf_printf(&page->text, "  %-8s", label);
	add_share(page, cpu->now_ns, past->run.now_ns);
	page_add_duration(page, NUMBER_WIDTH, cpu->now_ns);
	add_share(page, cpu->all_ns, past->run.all_ns);
	page_add_duration(page, NUMBER_WIDTH, cpu->all_ns);
	strbuf_add_char(&page->text, '\n');
}

void page_write_cpus(struct page *page)
{
	const struct page_history *past = &page->past;
	const size_t there_are = page->input->snapshot->cpu_count;
	const size_t lines = there_are > 0 && there_are < PAGE_CPUS ? there_are : PAGE_CPUS;
	struct page_cpu rest = past->run;
	char label[16];

	strbuf_printf(&page->text, "# %-10s%*s%*s\n", "on CPU", SHARE_WIDTH, "interval",
		      SHARE_WIDTH, "history");
	for (size_t i = 0; i < past->cpu_count; i++) {
		snprintf(label, sizeof(label), "%" PRId32, past->cpus[i].cpu);
		write_cpu(page, label, &past->cpus[i]);
		rest.now_ns -= past->cpus[i].now_ns;
		rest.all_ns -= past->cpus[i].all_ns;
	}
	if (past->cpu_count < lines)
		strbuf_add_repeated(&page->text, '\n', lines - past->cpu_count);
	if (rest.all_ns > 0)
		write_cpu(page, "others", &rest);
}

static void write_event(struct page *page, size_t index)
{
	const struct layout *layout = page->input->snapshot->layout;
	const struct event *event = &layout->events[index];
	const struct page_now *now = &page->now;

	strbuf_add(&page->text, "  ");
	page_add_words(page, 28, event->name);
	strbuf_printf(&page->text, " %-12s", event_state_name(event->state));
	if (event_is_counted(event) && now->task && !(now->unknown & METRIC_EVENTS_UNKNOWN)) {
		strbuf_printf(&page->text, "%*" PRIu64 "%*" PRIu64, INTERVAL_WIDTH,
			      layout_event_count(layout, index, now->interval), TOTAL_WIDTH,
			      layout_event_count(layout, index, now->total));
	} else {
		page_add_value(page, INTERVAL_WIDTH, "-");
		page_add_value(page, TOTAL_WIDTH, "-");
	}
	if (event->reason[0] != '\0') {
		strbuf_add(&page->text, "  ");
		page_add_words(page, 0, event->reason);
	}
	strbuf_add_char(&page->text, '\n');
}

void page_write_events(struct page *page)
{
	const struct layout *layout = page->input->snapshot->layout;

	strbuf_printf(&page->text, "#%-30s%-12s%*s%*s\n", " raw event counts", " state",
		      INTERVAL_WIDTH, "in the interval", TOTAL_WIDTH, "since the start");
	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed)
			write_event(page, i);
}

/*
 * Lengths of slices and waits as numbers and as bars. The steps of the bars are the octaves of
 * distribution.h; those that are shorter or longer than what matters are one step each, so that
 * the same lines are there whatever lengths occur.
 */

enum {
	STEP_FIRST = 4, /* octave from which on each has a line: from 1.02us */
	STEP_LAST = 24, /* this and all longer ones: from 1.07s */
	STEP_WIDTH = 9,
	COUNT_WIDTH = 9,
	BAR_MOST = 32,
	BAR_LEAST = 9, /* the words over it */
	EIGHTHS = 8
};

/* One kind of length, over some time. */
struct kind {
	const char *words;
	const struct distribution *lengths; /* NULL: not known */
};

static void add_length(struct page *page, const struct distribution *lengths, uint64_t ns)
{
	page_add_duration(page, 9, lengths && lengths->count > 0 ? ns : SWITCH_NS_UNKNOWN);
}

static void write_kind(struct page *page, const struct kind *kind)
{
	const struct distribution *lengths = kind->lengths;
	const uint64_t count = lengths ? lengths->count : 0;

	strbuf_printf(&page->text, "  %-32s", kind->words);
	if (lengths)
		strbuf_printf(&page->text, "%9" PRIu64, count);
	else
		page_add_value(page, 9, "-");
	add_length(page, lengths, count > 0 ? lengths->sum / count : 0);
	add_length(page, lengths, count > 0 ? distribution_quantile(lengths, 0.5) : 0);
	add_length(page, lengths, count > 0 ? distribution_quantile(lengths, 0.99) : 0);
	add_length(page, lengths, count > 0 ? lengths->max : 0);
	strbuf_add_char(&page->text, '\n');
}

/* NULL where it is not known. */
static const struct distribution *now(const struct page *page, enum timing_kind kind)
{
	if (!page->now.has_timing)
		return NULL;
	if (kind == TIMING_WAKEUPS && page->input->session->queue != QUEUE_WAKEUPS)
		return NULL;
	return &page->now.timing.of[kind];
}

static const struct distribution *past(const struct page *page, enum length_kind kind)
{
	if (!page->past.knows)
		return NULL;
	/* Those after wake-ups are missing. */
	if (kind == LENGTH_QUEUED && page->input->session->queue != QUEUE_WAKEUPS)
		return NULL;
	return &page->past.of[kind];
}

static void write_table(struct page *page)
{
	const struct kind kinds[] = {
		{"slices in the interval", now(page, TIMING_SLICES)},
		{"preempted waits in the interval", now(page, TIMING_PREEMPTED)},
		{"wake-up waits in the interval", now(page, TIMING_WAKEUPS)},
		{"slices in the history", past(page, LENGTH_SLICES)},
		{"preempted waits in the history", past(page, LENGTH_PREEMPTED)},
		{"run-queue waits in the history", past(page, LENGTH_QUEUED)},
		{"sleeps (S) in the history", page->past.knows_states ? &page->past.sleeps : NULL},
		{"uninterruptible (D) in history",
		 page->past.knows_states ? &page->past.disk_waits : NULL},
	};

	strbuf_printf(&page->text, "#%-33s%9s%9s%9s%9s%9s\n", " slices and waits", "count", "mean",
		      "median", "p99", "max");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		write_kind(page, &kinds[i]);
}

/* How many fall into a line of the bars. */
static uint64_t count_in(const struct distribution *lengths, size_t step)
{
	uint64_t count = 0;
	const size_t first = step < STEP_FIRST ? 0 : step;
	const size_t end = step < STEP_FIRST   ? STEP_FIRST
			   : step >= STEP_LAST ? (size_t)DISTRIBUTION_OCTAVES
					       : step + 1;

	for (size_t octave = first; octave < end; octave++)
		count += distribution_octave(lengths, octave);
	return count;
}

static uint64_t most_in_a_line(const struct distribution *lengths)
{
	uint64_t most = 0;

	for (size_t step = STEP_FIRST - 1; step <= STEP_LAST; step++) {
		const uint64_t count = count_in(lengths, step);

		if (most < count)
			most = count;
	}
	return most;
}

/* What is there at all is seen: it has an eighth of a cell at least. count: at most `most`. */
static void add_bar(struct page *page, uint64_t count, uint64_t most, size_t width)
{
	static const char *const blocks[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const size_t parts = page->input->ascii ? 1 : EIGHTHS;
	size_t eighths = 0, cells;

	if (most > 0)
		eighths = width * parts - (size_t)mul_div(most - count, width * parts, most);
	cells = eighths / parts;
	for (size_t i = 0; i < cells; i++)
		strbuf_add(&page->text, page->input->ascii ? "#" : "█");
	if (eighths % parts > 0) {
		strbuf_add(&page->text, blocks[eighths % parts]);
		cells++;
	}
	strbuf_add_repeated(&page->text, ' ', width - cells);
}

static void add_bars_of(struct page *page, const struct kind *kind, size_t step, size_t width)
{
	if (!kind->lengths) {
		page_add_value(page, COUNT_WIDTH, "-");
		strbuf_add_repeated(&page->text, ' ', width + 1);
		return;
	}
	const uint64_t count = count_in(kind->lengths, step);

	strbuf_printf(&page->text, "%*" PRIu64 " ", COUNT_WIDTH, count);
	add_bar(page, count, most_in_a_line(kind->lengths), width);
}

/* "<1.02us", "1.02us", and at last ">1.07s". */
static void add_label(struct page *page, size_t step)
{
	char length[UNITS_TEXT_MAX], label[UNITS_TEXT_MAX + 2];
	const char *sign = step < STEP_FIRST ? "<" : step == STEP_LAST ? ">" : "";

	units_format_duration(length,
			      distribution_octave_begin(step < STEP_FIRST ? STEP_FIRST : step));
	snprintf(label, sizeof(label), "%s%s", sign, length);
	strbuf_printf(&page->text, "%*s", STEP_WIDTH, label);
}

static void write_bars(struct page *page, const struct kind *kinds, size_t count, size_t width)
{
	strbuf_printf(&page->text, "%*s", STEP_WIDTH, "from");
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&page->text, "%*s %-*s", COUNT_WIDTH, "", (int)width, kinds[i].words);
	strbuf_add_char(&page->text, '\n');
	for (size_t step = STEP_FIRST - 1; step <= STEP_LAST; step++) {
		add_label(page, step);
		for (size_t i = 0; i < count; i++)
			add_bars_of(page, &kinds[i], step, width);
		strbuf_add_char(&page->text, '\n');
	}
}

static void write_histograms(struct page *page)
{
	const struct kind kinds[LENGTH_KINDS] = {
		[LENGTH_SLICES] = {"slices", past(page, LENGTH_SLICES)},
		[LENGTH_PREEMPTED] = {"preempted", past(page, LENGTH_PREEMPTED)},
		[LENGTH_QUEUED] = {"run queue", past(page, LENGTH_QUEUED)},
	};
	const int each = (page->input->width - STEP_WIDTH) / LENGTH_KINDS - COUNT_WIDTH - 1;
	const bool is_narrow = each < BAR_LEAST;
	const int room = is_narrow ? page->input->width - STEP_WIDTH - COUNT_WIDTH - 1 : each;
	const int width = room < BAR_LEAST ? BAR_LEAST : room > BAR_MOST ? BAR_MOST : room;

	if (!is_narrow) {
		write_bars(page, kinds, LENGTH_KINDS, (size_t)width);
		return;
	}
	for (int kind = 0; kind < LENGTH_KINDS; kind++)
		write_bars(page, &kinds[kind], 1, (size_t)width);
}

void page_write_lengths(struct page *page)
{
	write_table(page);
	strbuf_add(&page->text, "# distribution over the history\n");
	write_histograms(page);
}
