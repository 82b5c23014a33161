/*
 * The page is made as a text of lines of any length, which are cut to the screen's width at the
 * end, with a sign; of a number nothing is shown rather than a part. Its parts are written in a
 * fixed order; those that need more than a few lines are in files of their own (page.h).
 */

#include "view/task_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/page.h"
#include "view/stalls.h"
#include "view/text_marks.h"

enum {
	NUMBER_WIDTH = 7,
	LABEL_WIDTH = 9,                                /* a longer one takes of the number */
	ITEM_WIDTH = 2 + LABEL_WIDTH + NUMBER_WIDTH + 1 /* label, number, mark */
};

/* A pid is a process from its first thread on up to the first thread of the next one. */
static struct page_ids find_ids(const struct task_page_input *input)
{
	const uint64_t id = input->id > 0 ? input->id : UINT64_MAX;
	struct page_ids ids = {.end = UINT64_MAX};
	size_t before = 0;

	for (size_t i = 0; i < input->snapshot->task_count; i++) {
		const struct snapshot_task *task = &input->snapshot->tasks[i];

		if (task->pid != input->pid || task->tid != task->pid)
			continue;
		before += task->id <= id;
		if (task->id > id && task->id < ids.end)
			ids.end = task->id;
		else if (task->id <= id && task->id > ids.first)
			ids.first = task->id;
	}
	if (before < 2) /* threads of the oldest may have become known before their first one */
		ids.first = 0;
	return ids;
}

bool page_has_task(const struct page *page, const struct snapshot_task *task)
{
	const struct task_page_input *input = page->input;

	return task->pid == input->pid && (input->tid == input->pid || task->tid == input->tid) &&
	       task->id >= page->ids.first && task->id < page->ids.end;
}

/* Whether `task` speaks for it rather than `other`: its first thread, one that lives. */
static bool represents(const struct snapshot_task *task, const struct snapshot_task *other)
{
	const bool is_first = task->tid == task->pid;

	if (!other)
		return true;
	if (task->is_held != other->is_held)
		return other->is_held;
	if (is_first != (other->tid == other->pid))
		return is_first;
	if (task->is_exited != other->is_exited)
		return other->is_exited;
	return task->id > other->id;
}

/* What ended earlier took no part in the interval. */
static void add_task(struct page_now *now, const struct snapshot_task *task, size_t width)
{
	now->threads++;
	now->unknown |= task->unknown;
	now->is_from_proc = now->is_from_proc || task->is_from_proc;
	counts_add(now->total, task->total, width);
	if (task->reaped)
		counts_add(now->total, task->reaped, width);
	if (task->is_held)
		return;
	counts_add(now->interval, task->interval, width);
	if (task->timing) {
		timing_merge(&now->timing, task->timing);
		now->has_timing = true;
	}
}

static void look_at_snapshot(struct page *page)
{
	const struct snapshot *snapshot = page->input->snapshot;
	const size_t width = layout_width(snapshot->layout);
	struct page_now *now = &page->now;

	now->interval = xcalloc(width, sizeof(*now->interval));
	now->total = xcalloc(width, sizeof(*now->total));
	now->unknown = page->input->session->unknown | snapshot->unknown;
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (!page_has_task(page, task))
			continue;
		add_task(now, task, width);
		if (represents(task, now->task))
			now->task = task;
	}
}

static const char *state_of(const struct page *page)
{
	const struct snapshot_task *task = page->now.task;

	if (!task)
		return page->past.has_exited ? "exited; shown from the history"
					     : "no longer there; shown from the history";
	if (task->is_held)
		return "ended";
	if (task->is_exited)
		return "exited in this interval";
	if (task->has_run)
		return "ran in this interval";
	if (page->now.interval[QUANTITY_RUN_NS] > 0)
		return "main thread idle; other threads ran";
	if (task_is_uninterruptible(task))
		return "in uninterruptible sleep (D), did not run in this interval";
	return task_has_waited(task) ? "runnable but did not run in this interval"
				     : "did not run in this interval";
}

/* "nginx 4711: ran in the interval"; of a thread "nginx 4715, thread of 4711: ..." */
static void write_title(struct page *page)
{
	const struct task_page_input *input = page->input;
	const char *name = page->now.task ? page->now.task->name : page->past.latest.name;

	strbuf_add(&page->text, "# ");
	page_add_words(page, 0, name);
	strbuf_printf(&page->text, " %" PRId32, input->tid);
	if (input->tid != input->pid)
		strbuf_printf(&page->text, ", thread of %" PRId32, input->pid);
	strbuf_printf(&page->text, ": %s\n", state_of(page));
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
	const struct snapshot_task *task = page->now.task;
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
	add_number(page, "threads", task ? (int64_t)page->now.threads : -1);
	add_number(page, "last on CPU", task ? task->last_cpu : -1);
	strbuf_add_char(&page->text, '\n');
}

/* What a metric came to in the interval. */
struct item {
	const char *metric;
	int decimals; /* or PAGE_DIGITS, PAGE_TIME */
};

static void add_metric(struct page *page, const struct item *item)
{
	const bool is_known = page->now.task && !page->now.task->is_held;
	const struct metric_info *info;
	const struct metric_value value =
		page_eval(page, item->metric, is_known ? page->now.interval : NULL,
			  page->now.unknown, page->input->snapshot->interval_ns, &info);
	const bool is_estimate =
		value.is_estimate || (page->now.is_from_proc && isfinite(value.value));

	const int length = (int)strlen(info->title);
	const int more = length > LABEL_WIDTH ? length - LABEL_WIDTH : 0;

	make_room(page, ITEM_WIDTH);
	strbuf_printf(&page->text, "  %-*s", LABEL_WIDTH, info->title);
	page_add_metric(page, NUMBER_WIDTH - more, info, value.value, item->decimals);
	strbuf_add(&page->text, is_estimate ? "~" : value.is_scaled ? "'" : " ");
}

static void write_items(struct page *page, const struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_metric(page, &items[i]);
	strbuf_add_char(&page->text, '\n');
}

static void write_run_time(struct page *page)
{
	const struct page_now *now = &page->now;
	const bool known = now->task && !(now->unknown & 1u << QUANTITY_RUN_NS);
	char total[UNITS_TEXT_MAX] = "-", span[UNITS_TEXT_MAX];

	units_format_duration(span, page->input->snapshot->interval_ns);
	if (known)
		units_format_cpu_time(total, now->total[QUANTITY_RUN_NS]);
	strbuf_printf(&page->text, "# the interval, %s; ", span);
	page_add_value(page, 0, total);
	strbuf_add(&page->text, " on the CPUs since the start");
	strbuf_add(&page->text,
		   page->now.is_from_proc ? ", as /proc says (~): you may not count it\n" : "\n");
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
	const struct session *session = page->input->session;
	const char *words = session->queue_words;

	if (words[0] == '\0')
		words = session->is_live ? "run-queue waits: not requested"
					 : "run-queue waits are not in this recording";
	strbuf_add(&page->text, "  ");
	page_add_words(page, 0, words);
	strbuf_add_char(&page->text, '\n');
}

/* Why nothing can be said of cold caches. */
static const char *why_not_cold(const struct page *page)
{
	const struct timing *timing = &page->now.timing;

	if (!page->input->session->has_pmu)
		return "no hardware counters";
	if (!page->now.has_timing)
		return "its slices are not known individually";
	if (timing->cold.slices == 0 && timing->late.slices == 0)
		return "no slice ended in the interval";
	if (timing->cold.slices < 16 || timing->late.slices < 16)
		return "needs 16 slices up to 100us and 16 longer ones";
	return "its short slices are not like the beginnings of the longer ones";
}

static void write_cold(struct page *page)
{
	const struct timing *timing = &page->now.timing;
	const double cold = timing_cold_ipc(timing);
	const double warm = timing_warm_ipc(timing);
	const double cost = timing_cold_cost_pct(timing);

	strbuf_add(&page->text, "  cold-cache estimate: IPC cold");
	page_add_metric(page, 6, NULL, cold, 2);
	strbuf_printf(&page->text, "%s  warm", isfinite(cold) ? "~" : " ");
	page_add_metric(page, 6, NULL, warm, 2);
	strbuf_printf(&page->text, "%s  cost", isfinite(warm) ? "~" : " ");
	page_add_metric(page, 6, NULL, cost, 1);
	strbuf_printf(&page->text, "%s %%\n", isfinite(cost) ? "~" : " ");
	if (isfinite(cost))
		strbuf_add(&page->text, "    slices up to 100us represent the beginning "
					"of longer ones\n");
	else
		strbuf_printf(&page->text, "    not available: %s\n", why_not_cold(page));
}

static void write_blocking(struct page *page)
{
	static const struct item items[] = {
		{"uninterruptible_pct", 1},
		{"smt_pct", 1},
		{"ipc_1t", 2},
		{"ipc_2t", 2},
	};
	const char *reason = session_smt_reason(page->input->session);

	if (reason[0] == '\0') {
		write_items(page, items, sizeof(items) / sizeof(items[0]));
		return;
	}
	add_metric(page, &items[0]);
	make_room(page, strlen("  SMT: ") + strlen(reason));
	strbuf_printf(&page->text, "  SMT: %s\n", reason);
}

/* Of the task's cgroup, where it was read. */
static void write_cgroup(struct page *page)
{
	static const struct {
		const char *label;
		enum stall_number number;
	} items[] = {
		{"THROT %", STALL_THROTTLED},
		{"PSI CPU", STALL_CPU_SOME},
		{"PSI MEM", STALL_MEMORY_SOME},
		{"PSI IO", STALL_IO_SOME},
	};
	const char *cgroup = page->now.task ? page->now.task->cgroup : NULL;

	if (!cgroup || !snapshot_find_cgroup(page->input->snapshot, cgroup, strlen(cgroup)))
		return;
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		make_room(page, ITEM_WIDTH);
		strbuf_printf(&page->text, "  %-*s", LABEL_WIDTH, items[i].label);
		page_add_metric(
			page, NUMBER_WIDTH, NULL,
			cgroup_stall_pct(page->input->snapshot, cgroup, SIZE_MAX, items[i].number),
			1);
		strbuf_add_char(&page->text, ' ');
	}
	strbuf_add(&page->text, "\n  cgroup   ");
	page_add_words(page, 0, cgroup);
	strbuf_add_char(&page->text, '\n');
}

static void write_interval(struct page *page)
{
	static const struct item running[] = {
		{"cpu_pct", 1},
		{"ipc", 2},
		{"miss_pct", 1},
		{"faults_s", PAGE_DIGITS},
	};
	static const struct item switching[] = {
		{"switches_s", PAGE_DIGITS},
		{"voluntary_s", PAGE_DIGITS},
		{"preemptions_s", PAGE_DIGITS},
		{"migrations_s", PAGE_DIGITS},
	};
	static const struct item waiting[] = {
		{"preempted_wait_pct", 1},
		{"off_pct", 1},
		{"queued_pct", 1},
		{"wakeup_us", PAGE_TIME},
	};

	write_run_time(page);
	write_items(page, running, sizeof(running) / sizeof(running[0]));
	write_items(page, switching, sizeof(switching) / sizeof(switching[0]));
	write_items(page, waiting, sizeof(waiting) / sizeof(waiting[0]));
	page_write_disturber(page);
	write_blocking(page);
	write_cgroup(page);
	write_source(page);
	write_cold(page);
}

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

static void copy_lines(struct strbuf *out, const struct page *page)
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

bool task_page_write(struct strbuf *out, const struct task_page_input *input)
{
	struct page page = {.input = input, .ids = find_ids(input)};
	bool is_known;

	look_at_snapshot(&page);
	page_history_init(&page);
	is_known = page.now.task || page.past.knows;
	if (is_known) {
		write_title(&page);
		write_who(&page);
		write_reach(&page);
		write_interval(&page);
		page_write_wakers(&page);
		page_write_trends(&page);
		page_write_threads(&page);
		page_write_cpus(&page);
		page_write_sleep(&page);
		page_write_lengths(&page);
		page_write_moves(&page);
		page_write_pairs(&page);
		page_write_switches(&page);
		page_write_events(&page);
		copy_lines(out, &page);
	}
	strbuf_fini(&page.text);
	timing_fini(&page.now.timing);
	free(page.now.interval);
	free(page.now.total);
	free(page.spans);
	page_history_fini(&page.past);
	return is_known;
}
