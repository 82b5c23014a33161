/*
 * What the history has besides lengths: moves between CPUs, which task disturbs which, the last
 * switches. Each list has the same number of lines whether they are all needed or not.
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/actors.h"
#include "view/page.h"
#include "view/task_page.h"

enum {
	WORDS_WIDTH = 24,
	NUMBER_WIDTH = 9,
	RAN_WIDTH = 8,
	IPC_WIDTH = 6,
	OFF_WIDTH = 8,
	NS_PER_US = 1000,
	US_PER_S = 1000000
};

static void end_lines(struct page *page, size_t count)
{
	strbuf_add_repeated(&page->text, '\n', count);
}

static void write_moves(struct page *page)
{
	const struct page_history *past = &page->past;

	strbuf_add(&page->text, "# moves to another CPU in the history: ");
	if (past->knows)
		strbuf_printf(&page->text, "%" PRIu64, past->move_sum);
	else
		page_add_value(page, 0, "-");
	strbuf_add_char(&page->text, '\n');
	for (size_t i = 0; i < past->move_count; i++)
		strbuf_printf(&page->text,
			      "  from CPU %-4" PRId32 " to CPU %-4" PRId32 "%12" PRIu64 "\n",
			      past->moves[i].from, past->moves[i].to, past->moves[i].times);
	end_lines(page, PAGE_MOVES - past->move_count);
}

static void write_pair(struct page *page, const struct pair *pair, const char *other,
		       const char *own)
{
	strbuf_add(&page->text, "  ");
	page_add_words(page, WORDS_WIDTH, other);
	strbuf_printf(&page->text, "%*" PRIu64, NUMBER_WIDTH, pair->times);
	page_add_duration(page, NUMBER_WIDTH, pair->lost_ns);
	page_add_duration(page, NUMBER_WIDTH, pair->lost_ns / pair->times);
	page_add_duration(page, NUMBER_WIDTH, pair->worst_ns);
	strbuf_add(&page->text, "  ");
	page_add_words(page, 0, own);
	end_lines(page, 1);
}

static void write_pair_title(struct page *page, const char *words, const char *own)
{
	strbuf_printf(&page->text, "#%-*s%*s%*s%*s%*s  %s\n", WORDS_WIDTH + 1, words, NUMBER_WIDTH,
		      "times", NUMBER_WIDTH, "lost", NUMBER_WIDTH, "mean", NUMBER_WIDTH, "worst",
		      own);
}

static void write_pairs(struct page *page)
{
	const struct page_history *past = &page->past;

	write_pair_title(page, " preempted by", "of its threads");
	for (size_t i = 0; i < past->disturber_count; i++)
		write_pair(page, &past->disturbers[i], past->disturbers[i].taker_words,
			   past->disturbers[i].victim_words);
	end_lines(page, PAGE_PAIRS - past->disturber_count);
	write_pair_title(page, " it preempts", "by its threads");
	for (size_t i = 0; i < past->disturbed_count; i++)
		write_pair(page, &past->disturbed[i], past->disturbed[i].victim_words,
			   past->disturbed[i].taker_words);
	end_lines(page, PAGE_PAIRS - past->disturbed_count);
}

void page_write_history(struct page *page)
{
	write_moves(page);
	write_pairs(page);
}

/* Time of day, to the microsecond. */
static void add_clock(struct page *page, uint64_t time_ns)
{
	const int64_t wall_ns = session_wall_ns(page->input->session->wall_offset_ns, time_ns);
	const int64_t us = wall_ns / NS_PER_US;
	const time_t seconds = (time_t)(us / US_PER_S);
	struct tm local;

	if (wall_ns < 0 || !localtime_r(&seconds, &local)) {
		strbuf_add(&page->text, "  ");
		page_add_value(page, -15, "-");
		return;
	}
	strbuf_printf(&page->text, "  %02d:%02d:%02d.%06d", local.tm_hour, local.tm_min,
		      local.tm_sec, (int)(us % US_PER_S));
}

static const struct actor *find(const struct page *page, uint64_t number)
{
	return history_find_actor(page->past.window.history, number);
}

static void add_actor(struct page *page, const char *before, uint64_t number)
{
	char words[48];

	actor_write_words(find(page, number), words, sizeof(words));
	strbuf_printf(&page->text, "  %s", before);
	page_add_words(page, 0, words);
}

static void add_start(struct page *page, const struct switch_entry *entry, uint64_t number)
{
	const struct actor *actor = find(page, number);

	add_clock(page, entry->time_ns);
	strbuf_printf(&page->text, "%4" PRId32, entry->cpu);
	if (actor)
		strbuf_printf(&page->text, "%8" PRId32, actor->tid);
	else
		page_add_value(page, 8, "-");
	strbuf_add(&page->text, "  ");
}

static void write_leaving(struct page *page, const struct switch_entry *entry,
			  const uint64_t *counts)
{
	const struct metrics *metrics = page->input->metrics;
	const int ipc = metrics_find(metrics, "ipc");
	char text[UNITS_TEXT_MAX] = "-";
	double value = NAN;

	if (ipc >= 0 && entry->has_counts)
		value = metrics_eval(metrics, (size_t)ipc, counts, 0, entry->slice_ns).value;
	add_start(page, entry, entry->left);
	page_add_value(page, -9, entry->how == SWITCH_UNKNOWN ? "-" : switch_how_name(entry->how));
	page_add_duration(page, RAN_WIDTH, entry->slice_ns);
	if (isfinite(value))
		units_format_fixed(text, value, 2);
	page_add_graded(page, IPC_WIDTH, ipc >= 0 ? metrics_info(metrics, (size_t)ipc) : NULL,
			value, text);
	strbuf_printf(&page->text, "%*s", OFF_WIDTH, "");
	add_actor(page, "to ", entry->came);
	end_lines(page, 1);
}

static void write_coming(struct page *page, const struct switch_entry *entry)
{
	add_start(page, entry, entry->came);
	strbuf_printf(&page->text, "%-9s%*s", "came", RAN_WIDTH + IPC_WIDTH, "");
	page_add_duration(page, OFF_WIDTH, entry->off_ns);
	if (entry->came_preempted)
		add_actor(page, "by ", entry->pushed_by);
	else
		add_actor(page, "from ", entry->left);
	end_lines(page, 1);
}

/* What one switch means for it: it comes, it leaves, or one of its threads follows another.
 * Returns the lines. */
static size_t write_switch(struct page *page, uint64_t sequence, uint64_t *counts, size_t room)
{
	const struct page_history *past = &page->past;
	struct switch_entry entry;
	size_t lines = 0;

	history_get(past->window.history, sequence, &entry, counts);
	if (lines < room && page_history_is_meant(past, find(page, entry.came))) {
		write_coming(page, &entry);
		lines++;
	}
	if (lines < room && page_history_is_meant(past, find(page, entry.left))) {
		write_leaving(page, &entry, counts);
		lines++;
	}
	return lines;
}

void page_write_switches(struct page *page)
{
	const struct page_history *past = &page->past;
	size_t width = layout_width(page->input->snapshot->layout);
	size_t lines = 0;
	uint64_t *counts;

	strbuf_printf(&page->text, "#%-16s%4s%8s  %-9s%*s%*s%*s  %s\n", " last switches", "CPU",
		      "thread", "how", RAN_WIDTH, "ran", IPC_WIDTH, "IPC", OFF_WIDTH, "off for",
		      "to, from, by");
	if (past->switch_count > 0 && width < history_width(past->window.history))
		width = history_width(past->window.history);
	counts = xcalloc(width, sizeof(*counts));
	for (size_t i = 0; i < past->switch_count && lines < PAGE_SWITCHES; i++)
		lines += write_switch(page, past->switches[i], counts, PAGE_SWITCHES - lines);
	free(counts);
	end_lines(page, PAGE_SWITCHES - lines);
}
