/* How the values of a task's page are written, and which of them are marked. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/metric.h"
#include "view/page.h"
#include "view/task_page.h"

void page_mark(struct page *page, size_t begin, int goodness)
{
	array_reserve(&page->spans, &page->span_capacity, page->span_count + 1,
		      sizeof(*page->spans));
	page->spans[page->span_count++] =
		(struct page_span){.begin = begin, .end = page->text.length, .goodness = goodness};
}

void page_add_value(struct page *page, int width, const char *text)
{
	const bool is_sign = strcmp(text, "-") == 0 && !page->input->ascii;
	const char *shown = is_sign ? "–" : text;
	const size_t begin = page->text.length;
	/* printf counts bytes */
	const int more = is_sign ? (int)strlen(shown) - 1 : 0;

	strbuf_printf(&page->text, "%*s", width < 0 ? width - more : width + more, shown);
	if (strcmp(text, "-") == 0)
		page_mark(page, begin, -1);
}

struct metric_value page_eval(const struct page *page, const char *metric, const uint64_t *counts,
			      uint32_t unknown, uint64_t interval_ns,
			      const struct metric_info **info)
{
	const struct metrics *metrics = page->input->metrics;
	const int index = metrics_find(metrics, metric);

	assert(index >= 0); /* the metrics of pages are built in */
	*info = metrics_info(metrics, (size_t)index);
	if (!counts)
		return (struct metric_value){.value = NAN};
	return metrics_eval(metrics, (size_t)index, counts, unknown, interval_ns);
}

void page_add_metric(struct page *page, int width, const struct metric_info *info, double value,
		     int decimals)
{
	const size_t begin = page->text.length;
	char text[UNITS_TEXT_MAX] = "-";
	int goodness;

	if (isfinite(value) && decimals >= 0)
		units_format_fixed(text, value, decimals);
	else if (isfinite(value) && decimals == PAGE_DIGITS)
		units_format_si(text, value);
	else if (isfinite(value))
		units_format_duration(text, (uint64_t)llround(fmax(value, 0) * 1000));
	page_add_value(page, width, text);
	if (!info || !isfinite(value))
		return;
	goodness = metric_goodness_shown(info, value, text);
	if (goodness >= 0)
		page_mark(page, begin, goodness);
}

void page_add_duration(struct page *page, int width, uint64_t ns)
{
	char text[UNITS_TEXT_MAX] = "-";

	if (ns != SWITCH_NS_UNKNOWN)
		units_format_duration(text, ns);
	page_add_value(page, width, text);
}

void page_add_words(struct page *page, size_t width, const char *words)
{
	struct strbuf safe = {0};
	const size_t begin = page->text.length;
	size_t columns, bytes;

	text_append_safe(&safe, words, strlen(words), page->input->ascii);
	if (words[0] == '\0')
		strbuf_add(&safe, page->input->ascii ? "-" : "–");
	bytes = text_fit(strbuf_text(&safe), width > 0 ? width : SIZE_MAX, &columns);
	strbuf_add_bytes(&page->text, strbuf_text(&safe), bytes);
	if (columns < width)
		strbuf_add_repeated(&page->text, ' ', width - columns);
	if (words[0] == '\0')
		page_mark(page, begin, -1);
	strbuf_fini(&safe);
}
