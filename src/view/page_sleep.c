/* Why a task is off the CPU, by the stacks with which it left in the last intervals. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/sleep_reason.h"
#include "view/task_page.h"

enum {
	REASONS = 5,      /* that have a line */
	REASONS_MAX = 64, /* that are counted apart */
	NUMBER_WIDTH = 10
};

struct reason {
	char words[SLEEP_REASON_MAX];
	uint64_t ns, times;
};

struct reasons {
	struct reason list[REASONS_MAX];
	size_t count;
	uint64_t ns;        /* of all */
	uint64_t window_ns; /* in which they were */
};

static void add_sleep(struct reasons *reasons, const char *words, const struct profile_entry *entry)
{
	size_t i = 0;

	while (i < reasons->count && strcmp(reasons->list[i].words, words) != 0)
		i++;
	if (i == REASONS_MAX)
		i--;
	if (i == reasons->count)
		memcpy(reasons->list[reasons->count++].words, words, SLEEP_REASON_MAX);
	reasons->list[i].ns += entry->ns;
	reasons->list[i].times += entry->samples;
	reasons->ns += entry->ns;
}

static bool is_absence(enum sample_kind kind)
{
	return kind == SAMPLE_BLOCKED || kind == SAMPLE_PREEMPTED || kind == SAMPLE_QUEUED;
}

/* In an interval in which its stacks were not taken it may have been off the CPU as well. */
static void add_slept_interval(struct reasons *reasons, const struct task_page_input *input,
			       const struct snapshot *snapshot)
{
	const struct profile *profile = snapshot->profile;
	char words[SLEEP_REASON_MAX];

	if (!snapshot->has_off_cpu ||
	    (snapshot->off_cpu_pid != 0 && snapshot->off_cpu_pid != input->pid))
		return;
	reasons->window_ns += snapshot->interval_ns;
	for (size_t i = 0; profile && i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];

		if (!is_absence(entry->kind) || entry->pid != input->pid ||
		    (input->tid != input->pid && entry->tid != input->tid))
			continue;
		sleep_reason_write(words, profile, entry, input->function_names, snapshot->time_ns);
		add_sleep(reasons, words, entry);
	}
}

static int by_time(const void *left, const void *right)
{
	const struct reason *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->words, b->words);
}

static void gather_sleeps(struct reasons *reasons, const struct task_page_input *input)
{
	const struct snapshot *now = input->snapshot;

	for (size_t i = 0; i + 1 < input->past_count; i++)
		if (now->time_ns - input->past[i]->time_ns < PAGE_STACKS_NS)
			add_slept_interval(reasons, input, input->past[i]);
	add_slept_interval(reasons, input, now);
	qsort(reasons->list, reasons->count, sizeof(*reasons->list), by_time);
}

static void write_sleep_title(struct page *page, const struct reasons *reasons)
{
	const bool is_estimate = page->input->session->off_cpu.are_estimates;
	char span[UNITS_TEXT_MAX];

	if (reasons->count == 0) {
		strbuf_add(&page->text, "# off the CPU\n");
		return;
	}
	units_format_span(span, reasons->window_ns);
	strbuf_printf(&page->text, "# off the CPU, the last %-12s%*s%*s%*s\n", span, NUMBER_WIDTH,
		      is_estimate ? "share~" : "share", NUMBER_WIDTH,
		      is_estimate ? "time~" : "time", NUMBER_WIDTH,
		      is_estimate ? "samples" : "times");
}

static void write_nothing(struct page *page)
{
	const struct session *session = page->input->session;

	strbuf_add(&page->text, "  ");
	page_add_words(page, 0,
		       session->off_cpu.words[0] != '\0' && !session->off_cpu.are_taken
			       ? session->off_cpu.words
		       : session->is_live ? "nothing yet"
					  : "not in this recording");
	strbuf_add_char(&page->text, '\n');
}

void page_write_sleep(struct page *page)
{
	struct reasons reasons = {0};
	size_t lines = 0;

	gather_sleeps(&reasons, page->input);
	if (reasons.count == 0 && page->input->lines > 0)
		return;
	write_sleep_title(page, &reasons);
	for (; lines < reasons.count && lines < REASONS; lines++) {
		const struct reason *reason = &reasons.list[lines];

		strbuf_add(&page->text, "  ");
		page_add_words(page, 32, reason->words);
		page_add_metric(page, NUMBER_WIDTH, NULL,
				100.0 * (double)reason->ns / (double)reasons.ns, 1);
		page_add_duration(page, NUMBER_WIDTH, reason->ns);
		strbuf_printf(&page->text, "%*" PRIu64 "\n", NUMBER_WIDTH, reason->times);
	}
	if (lines == 0)
		write_nothing(page);
}
