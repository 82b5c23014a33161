/*
 * Which task it is, and what the interval says of it besides its metrics (page_trends.c): cells of
 * its row in the view of tasks.
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/page.h"
#include "view/sleep_reason.h"
#include "view/task_page.h"

enum {
	NUMBER_WIDTH = 7,
	LABEL_WIDTH = 9,
	ITEM_WIDTH = 2 + LABEL_WIDTH + NUMBER_WIDTH + 1, /* label, number, mark */
	INTERVAL_WIDTH = 16,                             /* of a count */
	TOTAL_WIDTH = 20
};

/* Columns of the view of tasks: those of each line. */
#define STALLS "throttled%,psi-cpu,psi-mem,psi-io"
#define COLD   "cold-ipc,warm-ipc,cold"

/*
 * A pid is a process from its first thread on up to the first thread of the next one; threads of
 * the oldest may have become known before that. NULL: what has the pid now began later.
 */
static const struct view_row *find_row_at(const struct view_table *table, uint64_t id,
					  struct view_request *request)
{
	const struct view_row *found = NULL;

	request->id_to = UINT64_MAX;
	for (size_t i = 0; i < view_table_row_count(table); i++) {
		const struct view_row *row = view_table_row(table, i);

		if (row->id > id) {
			request->id_to = row->id < request->id_to ? row->id : request->id_to;
			continue;
		}
		if (found)
			request->id_from = row->id > found->id ? row->id : found->id;
		if (!found || row->id > found->id)
			found = row;
	}
	return found;
}

/* The row is copied: the table makes others after it. */
static void take_page_row(struct page *page, const struct view_row *row)
{
	const size_t bytes = layout_width(page->input->snapshot->layout) * sizeof(*row->interval);

	page->row = *row;
	page->interval = xcalloc(1, bytes);
	page->total = xcalloc(1, bytes);
	memcpy(page->interval, row->interval, bytes);
	memcpy(page->total, row->total, bytes);
	if (row->timing)
		timing_merge(&page->timing, row->timing);
}

static void build_items(const struct page *page)
{
	struct view_request request = page->request;

	request.settings.threads = page->input->tid != page->input->pid;
	page_build(page, &request, STALLS "," COLD);
}

void page_find_row(struct page *page)
{
	const struct task_page_input *input = page->input;
	const struct view_row *row;

	build_items(page);
	row = find_row_at(input->table, input->id > 0 ? input->id : UINT64_MAX, &page->request);
	if (row)
		take_page_row(page, row);
}

static const char *state_of(const struct page *page)
{
	const struct view_row *row = &page->row;

	if (!row->task)
		return page->past.has_exited ? "exited; shown from the history"
					     : "no longer there; shown from the history";
	if (row->is_held)
		return "ended";
	if (row->is_exited)
		return "exited in this interval";
	if (row->task->has_run)
		return "ran in this interval";
	if (page->interval[QUANTITY_RUN_NS] > 0)
		return "main thread idle; other threads ran";
	if (task_is_uninterruptible(row->task))
		return "in uninterruptible sleep (D), did not run in this interval";
	return task_has_waited(row->task) ? "runnable but did not run in this interval"
					  : "did not run in this interval";
}

/* ", sleeps now: futex (futex_do_wait)" */
static void add_sleep_now(struct page *page)
{
	const char *function = page->input->asleep_in;
	const char *word = function ? sleep_reason_word(function) : NULL;

	if (!function || function[0] == '\0' || !page->row.task || page->row.is_held ||
	    page->row.is_exited || page->interval[QUANTITY_RUN_NS] > 0)
		return;
	strbuf_add(&page->text, ", sleeps now: ");
	if (word)
		strbuf_printf(&page->text, "%s (", word);
	page_add_words(page, 0, function);
	strbuf_add(&page->text, word ? ")" : "");
}

/* "nginx 4711: ran in the interval"; of a thread "nginx 4715, thread of 4711: ..." */
static void write_page_name(struct page *page)
{
	const struct task_page_input *input = page->input;
	const char *name = page->row.task ? page->row.task->name : page->past.latest.name;

	strbuf_add(&page->text, "# ");
	page_add_words(page, 0, name);
	strbuf_printf(&page->text, " %" PRId32, input->tid);
	if (input->tid != input->pid)
		strbuf_printf(&page->text, ", thread of %" PRId32, input->pid);
	strbuf_printf(&page->text, ": %s", state_of(page));
	add_sleep_now(page);
	strbuf_add_char(&page->text, '\n');
}

/* Goes on in a line of its own where so many columns have no room in this one. */
static void make_room(struct page *page, size_t columns)
{
	const char *line = strrchr(strbuf_text(&page->text), '\n');
	const size_t used = text_width(line ? line + 1 : strbuf_text(&page->text));

	if (page->input->width > 0 && used > 0 && used + columns > (size_t)page->input->width)
		strbuf_add_char(&page->text, '\n');
}

static void add_number(struct page *page, const char *label, int64_t number)
{
	make_room(page, 2 + strlen(label) + 1 + NUMBER_WIDTH);
	strbuf_printf(&page->text, "  %s ", label);
	page_add_metric(page, -NUMBER_WIDTH, NULL, number >= 0 ? (double)number : NAN, 0);
}

static void write_who(struct page *page)
{
	const struct snapshot_task *task = page->row.task;
	const int64_t uid = task ? task->uid : -1;

	strbuf_add(&page->text, "  command  ");
	page_add_words(page, 0, task && task->command_line ? task->command_line : "");
	strbuf_add_char(&page->text, '\n');
	strbuf_add(&page->text, "  user ");
	if (page->input->users && uid >= 0)
		page_add_words(page, 10, users_name(page->input->users, uid));
	else
		page_add_metric(page, -10, NULL, uid >= 0 ? (double)uid : NAN, 0);
	add_number(page, "parent", task ? task->parent_pid : -1);
	add_number(page, "threads", task ? (int64_t)page->row.member_count : -1);
	add_number(page, "last on CPU", task ? task->last_cpu : -1);
	strbuf_add_char(&page->text, '\n');
}

/* Of what took no part in the interval nothing is known. */
static void write_items(struct page *page, const char *names)
{
	const struct view_table *table = page->input->table;
	const bool is_there = page->row.task && !page->row.is_held;
	const int row = is_there ? view_table_index_of(table, page->row.id) : -1;

	for (size_t i = 0; i < view_table_column_count(table); i++) {
		const struct column *column = view_table_column(table, i);
		struct cell cell = {.text = "-", .goodness = -1};

		if (!word_list_has(names, column->name))
			continue;
		if (row >= 0)
			view_table_cell(table, (size_t)row, i, &cell);
		make_room(page, ITEM_WIDTH);
		strbuf_printf(&page->text, "  %-*s", LABEL_WIDTH, column->title);
		page_add_cell(page, NUMBER_WIDTH, &cell);
	}
	strbuf_add_char(&page->text, '\n');
}

static void write_run_time(struct page *page)
{
	const bool known = page->row.task && !(page->row.unknown & 1u << QUANTITY_RUN_NS);
	char total[UNITS_TEXT_MAX] = "-", span[UNITS_TEXT_MAX];

	units_format_duration(span, page->input->snapshot->interval_ns);
	if (known)
		units_format_cpu_time(total, page->total[QUANTITY_RUN_NS]);
	strbuf_printf(&page->text, "# the interval, %s; ", span);
	page_add_value(page, 0, total);
	strbuf_add(&page->text, " on the CPUs since the start");
	strbuf_add(&page->text,
		   page->row.is_from_proc ? ", as /proc says (~): you may not count it\n" : "\n");
}

/* What "in the history" means in all that follows. */
static void write_reach(struct page *page)
{
	const struct window *window = &page->past.window;
	char span[UNITS_TEXT_MAX];

	units_format_duration(span, window->end_ns - window->begin_ns);
	strbuf_printf(&page->text, "  history  %s%s\n",
		      window->first < window->end ? "the switches of the last " : "no switches",
		      window->first < window->end ? span : "");
}

static void write_source(struct page *page)
{
	strbuf_add(&page->text, "  ");
	page_add_words(page, 0, page_queue_words(page->input->session));
	strbuf_add_char(&page->text, '\n');
}

/* Nothing where there are too few slices, or no counters. */
static void write_cold(struct page *page)
{
	if (isfinite(timing_cold_cost_pct(&page->timing)))
		write_items(page, COLD);
}

/* Of the task's cgroup, where it was read. */
static void write_cgroup(struct page *page)
{
	const char *cgroup = page->row.task ? page->row.task->cgroup : NULL;

	if (!cgroup || !snapshot_find_cgroup(page->input->snapshot, cgroup, strlen(cgroup)))
		return;
	write_items(page, STALLS);
	strbuf_add(&page->text, "  cgroup   ");
	page_add_words(page, 0, cgroup);
	strbuf_add_char(&page->text, '\n');
}

static void write_namespaces(struct page *page)
{
	const char *namespaces = page->input->namespaces;

	if (!namespaces || namespaces[0] == '\0')
		return;
	strbuf_printf(&page->text, "  namespaces other than those of %s: %s\n",
		      page->input->session->is_live ? "perftop" : "process 1", namespaces);
}

void page_write_title(struct page *page)
{
	write_page_name(page);
	if (page->input->lines == 0)
		write_who(page);
}

void page_write_interval(struct page *page)
{
	build_items(page);
	write_run_time(page);
	write_reach(page);
	write_cgroup(page);
	write_namespaces(page);
	write_source(page);
	write_cold(page);
}

static void write_event(struct page *page, size_t index)
{
	const struct layout *layout = page->input->snapshot->layout;
	const struct event *event = &layout->events[index];

	strbuf_add(&page->text, "  ");
	page_add_words(page, 28, event->name);
	strbuf_printf(&page->text, " %-12s", event_state_name(event->state));
	if (event_is_counted(event) && page->row.task &&
	    !(page->row.unknown & METRIC_EVENTS_UNKNOWN)) {
		strbuf_printf(&page->text, "%*" PRIu64 "%*" PRIu64, INTERVAL_WIDTH,
			      layout_event_count(layout, index, page->interval), TOTAL_WIDTH,
			      layout_event_count(layout, index, page->total));
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
