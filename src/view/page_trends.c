/* A task's metrics over the last intervals. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/task_page.h"
#include "view/trends.h"

enum {
	LABEL_WIDTH = 12,
	NUMBER_WIDTH = 9,
	TREND_WIDTH_LEAST = 10
};

/* A metric's values in the intervals of the past, the newest last; NaN where it is not known. */
struct page_trend {
	double values[TASK_PAGE_PAST];
	size_t count;
	double least, most;       /* NaN: no value is known */
	struct metric_value last; /* the newest */
};

static bool has_task(const struct page *page, const struct snapshot_task *task)
{
	return task->pid == page->input->pid &&
	       request_wants_thread(&page->request, task->tid, task->id);
}

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

		if (task->is_held || !has_task(page, task))
			continue;
		counts_add(sum, task->interval, width);
		*unknown |= task->unknown;
		is_there = true;
	}
	if (sum[QUANTITY_RUN_NS] == 0 && sum[QUANTITY_SWITCHES] == 0)
		*unknown |= UINT32_C(1) << QUANTITY_OFF_NS; /* rows.c */
	return is_there;
}

static void add_value(struct page_trend *trend, struct metric_value value)
{
	trend->values[trend->count++] = value.value;
	trend->last = value;
	if (!isfinite(value.value))
		return;
	trend->least = fmin(trend->least, value.value);
	trend->most = fmax(trend->most, value.value);
}

/* Whether numbers of both are of the same events, in the same places. */
static bool counts_alike(const struct layout *a, const struct layout *b)
{
	size_t i = 0;

	if (layout_width(a) != layout_width(b) || a->event_count != b->event_count)
		return false;
	while (i < a->event_count && a->events[i].is_removed == b->events[i].is_removed &&
	       event_is_counted(&a->events[i]) == event_is_counted(&b->events[i]))
		i++;
	return i == a->event_count;
}

/* Metrics are bound to the layout of now: what was counted in another one is not known. */
static void add_interval(const struct page *page, struct page_trend *trends,
			 const struct snapshot *snapshot, uint64_t *sum)
{
	const struct task_page_input *input = page->input;
	uint32_t unknown = 0;
	const bool is_there = counts_alike(snapshot->layout, input->snapshot->layout) &&
			      sum_interval(page, snapshot, sum, &unknown);

	for (size_t i = 0; i < metrics_count(input->metrics); i++)
		add_value(&trends[i], is_there ? metrics_eval(input->metrics, i, sum, unknown,
							      snapshot->interval_ns)
					       : (struct metric_value){.value = NAN});
}

/* What is kept of the past may be without what was idle; the newest is that of now. */
static void gather_trends(const struct page *page, struct page_trend *trends)
{
	const struct task_page_input *input = page->input;
	uint64_t *sum = xcalloc(layout_width(input->snapshot->layout), sizeof(*sum));

	for (size_t i = 0; i + 1 < input->past_count; i++)
		add_interval(page, trends, input->past[i], sum);
	add_interval(page, trends, input->snapshot, sum);
	free(sum);
}

static void add_metric_value(struct page *page, int width, const struct metric_info *info,
			     double value)
{
	page_add_metric(page, width, info, value,
			strcmp(info->unit, "us") == 0 ? PAGE_TIME : PAGE_DIGITS);
}

/* What a full block means: of a share all of it, so that little looks like little; else the most.
 */
static double top_of(const struct metric_info *info, const struct page_trend *trend)
{
	return strcmp(info->unit, "%") == 0 ? fmax(trend->most, 100) : trend->most;
}

/* From zero, or from the least where that is below. */
static void add_trend_line(struct page *page, const struct metric_info *info,
			   const struct page_trend *trend, size_t room)
{
	const double bottom = fmin(trend->least, 0);
	const double span = top_of(info, trend) - bottom;

	for (size_t i = trend->count > room ? trend->count - room : 0; i < trend->count; i++) {
		const double value = trend->values[i];
		const size_t begin = page->text.length;
		const int goodness = metric_goodness(info, value);
		const double share = span > 0 ? (value - bottom) / span : 0;

		strbuf_add(&page->text,
			   spark_sign(isfinite(value) ? share : NAN, page->input->ascii));
		if (goodness >= 0)
			page_mark(page, begin, goodness);
	}
}

static void write_trend(struct page *page, const struct metric_info *info,
			const struct page_trend *trend)
{
	const int taken = 2 + LABEL_WIDTH + 3 * NUMBER_WIDTH + 2;
	const int room = page->input->width - taken;
	const struct metric_value *now = &trend->last;
	const bool is_known = isfinite(now->value);

	strbuf_add(&page->text, "  ");
	page_add_words(page, LABEL_WIDTH, info->title);
	add_metric_value(page, NUMBER_WIDTH, info, now->value);
	page_add_sign(page, is_known && (now->is_estimate || page->row.is_from_proc),
		      is_known && now->is_scaled);
	add_metric_value(page, NUMBER_WIDTH - 1, info, trend->least);
	add_metric_value(page, NUMBER_WIDTH, info, trend->most);
	strbuf_add(&page->text, "  ");
	add_trend_line(page, info, trend,
		       room > TREND_WIDTH_LEAST ? (size_t)room : TREND_WIDTH_LEAST);
	strbuf_add_char(&page->text, '\n');
}

static bool is_trend_shown(const struct page *page, size_t metric, const struct page_trend *trend)
{
	const struct task_page_input *input = page->input;

	if (input->lines > 0 && !isfinite(trend->most))
		return false;
	/* the states and what is parallel have parts of their own */
	return metrics_is_available(input->metrics, metric) &&
	       !metrics_needs(input->metrics, metric,
			      (input->snapshot->unknown & LAYOUT_SMT) | (uint32_t)LAYOUT_STATES |
				      UINT32_C(1) << QUANTITY_LATENCY_NS);
}

/* "3 min 33 s", "12 s", "600ms" */
static void write_span(char text[static UNITS_TEXT_MAX], uint64_t ns)
{
	const uint64_t seconds = (ns + NS_PER_S / 2) / NS_PER_S;

	if (ns >= NS_PER_S && seconds < 60)
		snprintf(text, UNITS_TEXT_MAX, "%u s", (unsigned int)seconds);
	else
		units_format_span(text, ns >= NS_PER_S ? seconds * NS_PER_S : ns);
}

static void write_trend_title(struct page *page)
{
	const struct task_page_input *input = page->input;
	const struct snapshot *first = input->past_count > 0 ? input->past[0] : input->snapshot;
	char span[UNITS_TEXT_MAX];

	write_span(span, input->snapshot->time_ns - first->time_ns + first->interval_ns);
	strbuf_printf(&page->text, "#%-*s%*s%*s%*s  last %s%s\n", LABEL_WIDTH + 3, " intervals",
		      NUMBER_WIDTH, "now", NUMBER_WIDTH, "min", NUMBER_WIDTH, "max", span,
		      page->row.task && page->row.member_count > 1 ? ", its threads summed" : "");
}

void page_write_trends(struct page *page)
{
	const struct metrics *metrics = page->input->metrics;
	const size_t count = metrics_count(metrics);
	struct page_trend *trends = xcalloc(count, sizeof(*trends));
	bool has_title = false;

	for (size_t i = 0; i < count; i++)
		trends[i].least = trends[i].most = NAN;
	gather_trends(page, trends);
	for (size_t i = 0; i < count && !page_is_full(page); i++) {
		if (!is_trend_shown(page, i, &trends[i]))
			continue;
		if (!has_title)
			write_trend_title(page);
		has_title = true;
		write_trend(page, metrics_info(metrics, i), &trends[i]);
	}
	free(trends);
}
