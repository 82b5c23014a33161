/*
 * Lengths of slices and waits as numbers and as bars. The steps of the bars are the octaves of
 * distribution.h; those that are shorter or longer than what matters are one step each, so that
 * the same lines are there whatever lengths occur.
 */

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "model/history.h"
#include "model/session.h"
#include "view/page.h"
#include "view/task_page.h"

enum {
	STEP_FIRST = 4, /* octave from which on each has a line: from 1.02us */
	STEP_LAST = 24, /* this and all longer ones: from 1.07s */
	LABEL_WIDTH = 9,
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

static void add_number(struct page *page, const struct distribution *lengths, uint64_t ns)
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
	add_number(page, lengths, count > 0 ? lengths->sum / count : 0);
	add_number(page, lengths, count > 0 ? distribution_quantile(lengths, 0.5) : 0);
	add_number(page, lengths, count > 0 ? distribution_quantile(lengths, 0.99) : 0);
	add_number(page, lengths, count > 0 ? lengths->max : 0);
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

/* What is there at all is seen: it has an eighth of a cell at least. */
static void add_bar(struct page *page, uint64_t count, uint64_t most, size_t width)
{
	static const char *const blocks[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const size_t parts = page->input->ascii ? 1 : EIGHTHS;
	size_t eighths = 0, cells;

	if (most > 0)
		eighths = (size_t)(((unsigned __int128)count * width * parts + most - 1) / most);
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
	strbuf_printf(&page->text, "%*s", LABEL_WIDTH, label);
}

static void write_bars(struct page *page, const struct kind *kinds, size_t count, size_t width)
{
	strbuf_printf(&page->text, "%*s", LABEL_WIDTH, "from");
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
	const int each = (page->input->width - LABEL_WIDTH) / LENGTH_KINDS - COUNT_WIDTH - 1;
	const bool is_narrow = each < BAR_LEAST;
	const int room = is_narrow ? page->input->width - LABEL_WIDTH - COUNT_WIDTH - 1 : each;
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
	char span[UNITS_TEXT_MAX];

	write_table(page);
	units_format_duration(span, page->past.window.end_ns - page->past.window.begin_ns);
	strbuf_printf(&page->text, "# distribution over the history (%s)\n",
		      page->past.window.first < page->past.window.end ? span : "empty");
	write_histograms(page);
}
