/* Where the task's time went in the interval: the states of its threads as a bar. */

#include <stdint.h>

#include "model/layout.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/task_page.h"

enum {
	BAR_WIDTH = 72,
	BAR_INDENT = 2,
	STATES_A_LINE = 5
};

/* In the order of the bar. */
/* clang-format off */
static const struct {
	enum quantity quantity;
	char mark;
	const char *words;
} shown_states[] = {
	{QUANTITY_USER_NS,   'U', "USR"},
	{QUANTITY_SYSTEM_NS, 'S', "SYS"},
	{QUANTITY_IRQ_NS,    'I', "IRQ"},
	{QUANTITY_RUNQ_NS,   'R', "RUNQ"},
	{QUANTITY_PUSHED_NS, 'P', "PREEMPT"},
	{QUANTITY_LOCK_NS,   'L', "LOCK"},
	{QUANTITY_DISK_NS,   'D', "DISK"},
	{QUANTITY_NET_NS,    'N', "NET"},
	{QUANTITY_SLEEP_NS,  '.', "SLEEP"},
	{QUANTITY_STOP_NS,   'T', "STOP"},
	{QUANTITY_UNSURE_NS, '?', "UNKNOWN"},
};
/* clang-format on */

enum {
	SHOWN_STATES = sizeof(shown_states) / sizeof(*shown_states)
};

/* Each ends at its place, rounded, so that all of them have the width of the bar. */
static void write_bar(struct page *page, uint64_t life_ns)
{
	const int room = page->input->width - BAR_INDENT;
	const int width = room > 0 && room < BAR_WIDTH ? room : BAR_WIDTH;
	uint64_t sum_ns = 0;
	int at = 0;

	strbuf_add(&page->text, "  ");
	for (size_t i = 0; i < SHOWN_STATES; i++) {
		int end;

		sum_ns += page->interval[shown_states[i].quantity];
		end = (int)((double)sum_ns / (double)life_ns * width + 0.5);
		for (; at < end && at < width; at++)
			strbuf_add_char(&page->text, shown_states[i].mark);
	}
	strbuf_add_char(&page->text, '\n');
}

/* What the marks mean, of those states that there were. */
static void write_state_shares(struct page *page, uint64_t life_ns)
{
	size_t count = 0;

	for (size_t i = 0; i < SHOWN_STATES; i++) {
		const uint64_t ns = page->interval[shown_states[i].quantity];

		if (ns == 0)
			continue;
		strbuf_add(&page->text, count % STATES_A_LINE == 0 ? "  " : "   ");
		strbuf_printf(&page->text, "%c %s %.1f", shown_states[i].mark,
			      shown_states[i].words, 100.0 * (double)ns / (double)life_ns);
		if (++count % STATES_A_LINE == 0)
			strbuf_add_char(&page->text, '\n');
	}
	if (count % STATES_A_LINE != 0)
		strbuf_add_char(&page->text, '\n');
}

void page_write_states(struct page *page)
{
	const uint32_t unknown = page->input->session->unknown | page->input->snapshot->unknown;
	const uint64_t life_ns = page->interval ? page->interval[QUANTITY_LIFE_NS] : 0;

	if (!page->row.task || life_ns == 0 || (unknown & 1u << QUANTITY_LIFE_NS) != 0)
		return;
	strbuf_add(&page->text, "# states in the interval, percent of a thread's time\n");
	write_bar(page, life_ns);
	write_state_shares(page, life_ns);
}
