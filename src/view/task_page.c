/*
 * The page is a list of sections, which are made and written by the views of what they show
 * (page_section.c), and of parts that no view has. It is made as a text of lines of any length,
 * which are cut to the screen's width at the end.
 */

#include "view/task_page.h"

#include <stdlib.h>

#include "model/snapshot.h"
#include "view/functions.h"
#include "view/page.h"
#include "view/pairs.h"

enum {
	NEWEST_OF_LINES = 32768, /* switches that some lines are made of: it takes a few ms */
	NEWEST_OF_PAGE = 131072  /* and all of them, of a task that is there */
};

/* clang-format off */
static const struct page_section beginning[] = {
	{.write = page_write_title},
	{.write = page_write_states},
	{.write = page_write_parallel},
	{.write = page_write_sleep},
	{.title = "waits for locks", .view = &view_pairs, .form = PAIRS_LOCKS, .lines = 5, .has_span = true, .is_optional = true,
	 .columns = "lock,waiter,holder,times,held,waits-now,chain"},
	{.title = "others wait for its locks", .view = &view_pairs, .form = PAIRS_LOCKS, .lines = 5, .has_span = true, .is_taken = true, .is_optional = true},
	{.title = "ran while it waited for a CPU", .view = &view_pairs, .lines = 5, .has_span = true,
	 .columns = "victim,taker,times,lost,lost%,lost-mean,lost-worst,wait-kind"},
	{.title = "waited for a CPU while it ran", .view = &view_pairs, .lines = 5, .has_span = true, .is_taken = true, .is_optional = true},
	{.title = "woken by", .view = &view_pairs, .form = PAIRS_WAKERS, .by = BY_NAMESAKES, .sort = "times", .lines = 5, .has_span = true,
	 .columns = "wakee,waker,times,times%,delay,lost-mean,lost-worst"},
	{.title = "it wakes", .view = &view_pairs, .lines = 5, .has_span = true, .is_taken = true, .is_optional = true},
	{.title = "hottest functions", .view = &view_functions, .lines = 5, .is_optional = true, .window_ns = PAGE_STACKS_NS,
	 .columns = "self%,total%,samples,ipc,object,function"},
	{.write = page_write_trends},
};

static const struct page_section rest[] = {
	{.write = page_write_interval},
	{.title = "threads", .view = &view_tasks, .sort = "cpu%", .lines = 10,
	 .columns = "tid,command,cpu%,ipc,miss%,sw/s,pre/s,time,cpu"},
	{.write = page_write_cpus},
	{.title = "stacks off the CPU", .view = &view_functions, .form = FUNCTIONS_CALLERS, .lines = 10, .window_ns = PAGE_STACKS_NS,
	 .samples = SAMPLES_OFF_CPU,
	 .columns = "total%,self%,samples,function"},
	{.write = page_write_lengths},
	{.title = "distribution", .view = &view_histogram, .lines = PAGE_LINES, .has_span = true,
	 .columns = "length,slices,slices-bar,pwaits,pwaits-bar,rqwaits,rqwaits-bar"},
	{.write = page_write_moves},
	{.title = "last switches", .view = &view_switches, .lines = 20,
	 .columns = "when,cpu,prev,how,ran,ipc,off-cpu,next"},
	{.write = page_write_events},
};
/* clang-format on */

static size_t page_past_intervals(void *context, uint64_t before_ns,
				  const struct snapshot **snapshots, size_t most)
{
	const struct task_page_input *input = context;
	size_t end = input->past_count, count;

	while (end > 0 && input->past[end - 1]->time_ns >= before_ns)
		end--;
	count = end < most ? end : most;
	for (size_t i = 0; i < count; i++)
		snapshots[i] = input->past[end - count + i];
	return count;
}

/* To its newest switches. */
static void limit_history(struct view_request *request, uint64_t count)
{
	const uint64_t end = history_end(request->history);

	request->history_from = end > count ? end - count : 0;
	request->history_to = end;
}

static void ask_for_task(struct view_request *request, const struct task_page_input *input)
{
	view_request_init(request, &view_tasks);
	request->settings.threads = true;
	request->settings.idle = true;
	request->pids = &input->pid;
	request->pid_count = 1;
	request->tid = input->tid != input->pid ? input->tid : 0;
	request->history = input->history;
	if (input->lines > 0 && input->history)
		limit_history(request, NEWEST_OF_LINES);
	request->past = page_past_intervals;
	request->context = (void *)(uintptr_t)input;
	request->latency_scope = input->snapshot->latency_scope;
	request->ascii = input->ascii;
}

static void write_page_sections(struct page *page, const struct page_section *sections,
				size_t count)
{
	for (size_t i = 0; i < count && !page_is_full(page); i++)
		if (sections[i].write)
			sections[i].write(page);
		else
			page_write_section(page, &sections[i]);
}

static void write_all_sections(struct page *page, struct strbuf *out)
{
	write_page_sections(page, beginning, sizeof(beginning) / sizeof(*beginning));
	if (page->input->lines == 0)
		write_page_sections(page, rest, sizeof(rest) / sizeof(*rest));
	page_copy_lines(out, page);
}

static void fini_task_page(struct page *page)
{
	strbuf_fini(&page->text);
	timing_fini(&page->timing);
	free(page->interval);
	free(page->total);
	free(page->spans);
	page_history_fini(&page->past);
}

bool task_page_write(struct strbuf *out, const struct task_page_input *input)
{
	struct page page = {.input = input};
	bool is_known;

	ask_for_task(&page.request, input);
	view_table_name_functions(input->table, input->function_names);
	page_find_row(&page);
	if (input->lines == 0 && input->history && page.row.task)
		limit_history(&page.request, NEWEST_OF_PAGE);
	page_history_init(&page);
	is_known = page.row.task || page.past.knows;
	if (is_known)
		write_all_sections(&page, out);
	fini_task_page(&page);
	return is_known;
}
