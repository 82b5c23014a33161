/* How the values of a task's page are written, and which of them are marked. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/metric.h"
#include "view/page.h"
#include "view/task_page.h"
#include "view/text_marks.h"

bool page_is_full(const struct page *page)
{
	size_t lines = 0;

	for (size_t i = 0; i < page->text.length; i++)
		lines += page->text.text[i] == '\n';
	return page->input->lines > 0 && lines >= page->input->lines;
}

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

void page_add_cell(struct page *page, int width, const struct cell *cell)
{
	const size_t begin = page->text.length;

	page_add_value(page, width, cell->text);
	if (cell->goodness >= 0)
		page_mark(page, begin, cell->goodness);
	page_add_sign(page, cell->is_estimate && !cell->is_unknown,
		      cell->is_scaled && !cell->is_unknown);
}

void page_add_sign(struct page *page, bool is_estimate, bool is_scaled)
{
	strbuf_add_char(&page->text, is_estimate ? '~' : is_scaled ? '\'' : ' ');
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

/*
 * Lines of any length are cut to the screen's width, with a sign; of a number nothing is shown
 * rather than a part.
 */

/* Bytes of the line without blanks at their end, of `bytes` at most. */
static size_t without_blanks(const char *line, size_t bytes)
{
	while (bytes > 0 && line[bytes - 1] == ' ')
		bytes--;
	return bytes;
}

/* Of that many bytes those before a number at their end: it may not be all of it. A path
 * with digits in it is none. */
static size_t before_number(const char *line, size_t bytes)
{
	size_t begin = bytes;

	while (begin > 0 && line[begin - 1] != ' ')
		begin--;
	if (memchr(line + begin, '/', bytes - begin))
		return bytes;
	return strcspn(line + begin, "0123456789") < bytes - begin ? begin : bytes;
}

/* A line as it fits on the screen; it does not end in blanks. Returns how many bytes of it do. */
static size_t copy_line(struct strbuf *out, const struct page *page, const char *line)
{
	const char *mark = page->input->ascii ? "..." : "…";
	const size_t room = page->input->width > 0 ? (size_t)page->input->width : 0;
	const size_t mark_width = text_width(mark);
	const size_t length = without_blanks(line, strlen(line));
	size_t columns;
	size_t bytes = text_fit(line, room, &columns);

	if (bytes >= length || room <= mark_width) {
		bytes = without_blanks(line, bytes);
		strbuf_add_bytes(out, line, bytes);
		return bytes;
	}
	bytes = before_number(line, text_fit(line, room - mark_width, &columns));
	strbuf_add_bytes(out, line, bytes);
	strbuf_add(out, mark);
	return bytes;
}

/* What a mark says of a heading is not said, and what was cut off has none. */
static void copy_marks(const struct page *page, size_t number, const char *line, size_t bytes,
		       size_t *next)
{
	const size_t begin = (size_t)(line - page->text.text);
	const size_t end = begin + strlen(line);
	size_t columns = 0, at = 0;

	for (; *next < page->span_count && page->spans[*next].begin <= end; (*next)++) {
		const struct page_span *span = &page->spans[*next];
		struct text_mark mark = {.line = number, .goodness = span->goodness};

		if (line[0] == '#' || span->end > begin + bytes)
			continue;
		columns += text_width_part(line + at, span->begin - begin - at);
		at = span->begin - begin;
		mark.column = (int)columns;
		mark.columns = (int)text_width_part(line + at, span->end - span->begin);
		text_marks_add(page->input->marks, &mark);
	}
}

void page_copy_lines(struct strbuf *out, struct page *page)
{
	char *line = page->text.text;
	size_t number = 0, next_span = 0;

	if (page->input->marks)
		text_marks_clear(page->input->marks);
	while (line && *line) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		const size_t bytes = copy_line(out, page, line);

		if (page->input->marks)
			copy_marks(page, number, line, bytes, &next_span);
		strbuf_add_char(out, '\n');
		number++;
		line = end ? end + 1 : NULL;
	}
}
