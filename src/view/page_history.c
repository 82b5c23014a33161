/*
 * Two passes over the window: one over everything, in which the entries that the task takes part
 * in are looked at more closely, and one over the preemptions, for the pairs. Moves between CPUs
 * are counted by a map, of which only the most frequent are kept.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/task_page.h"
#include "view/window.h"

enum {
	CPU_BITS = 32
};

struct scan {
	struct page_history *page;
	struct actor_filter actors;
	struct map moves;      /* from << CPU_BITS | to, to how often */
	struct page_cpu *runs; /* owned; of each CPU that it ran on */
	size_t run_count, run_capacity;
	struct map run_places;     /* CPU to its place in runs, from 1 on */
	struct map states;         /* of the threads that are off: tid to enum task_state */
	uint64_t begin_ns, end_ns; /* of it */
};

bool page_is_meant(const struct actor *actor, const void *context)
{
	const struct page_history *page = context;

	if (!actor || actor->number < ACTOR_FIRST || actor->pid != page->pid ||
	    (actor->task_id > 0 &&
	     (actor->task_id < page->ids.first || actor->task_id >= page->ids.end)))
		return false;
	return page->is_process || actor->tid == page->tid;
}

static void note_switch(struct page_history *page, uint64_t sequence)
{
	const size_t kept =
		page->switch_count < PAGE_SWITCHES ? page->switch_count : PAGE_SWITCHES - 1;

	memmove(&page->switches[1], &page->switches[0], kept * sizeof(page->switches[0]));
	page->switches[0] = sequence;
	page->switch_count = kept + 1;
}

static void note_actor(struct page_history *page, uint64_t number)
{
	const struct actor *actor = history_find_actor(page->window.history, number);

	page->knows = true;
	if (actor && (!page->is_process || actor->tid == page->pid || page->latest.number == 0 ||
		      page->latest.tid != page->pid))
		page->latest = *actor;
}

static struct page_cpu *run_on(struct scan *scan, uint64_t cpu)
{
	const uintptr_t place = (uintptr_t)map_get(&scan->run_places, cpu);

	if (place > 0)
		return &scan->runs[place - 1];
	array_reserve(&scan->runs, &scan->run_capacity, scan->run_count + 1, sizeof(*scan->runs));
	scan->runs[scan->run_count] = (struct page_cpu){.cpu = (int32_t)cpu};
	map_put(&scan->run_places, cpu, (void *)(uintptr_t)(scan->run_count + 1));
	return &scan->runs[scan->run_count++];
}

static void add_run(const struct scan *scan, struct page_cpu *run, uint64_t time_ns,
		    uint64_t slice_ns)
{
	run->all_ns += slice_ns;
	if (time_ns > scan->begin_ns && time_ns <= scan->end_ns)
		run->now_ns += slice_ns;
}

static void note_run(struct scan *scan, uint64_t sequence, uint64_t slice_ns)
{
	const struct history *history = scan->page->window.history;
	const uint64_t cpu = history_number(history, sequence, HISTORY_CPU);
	const uint64_t time_ns = history_number(history, sequence, HISTORY_TIME_NS);

	if (slice_ns == 0)
		return;
	add_run(scan, &scan->page->run, time_ns, slice_ns);
	if (cpu != UINT64_MAX)
		add_run(scan, run_on(scan, cpu), time_ns, slice_ns);
}

static void note_state(struct scan *scan, int32_t tid, uint64_t state)
{
	if (state == TASK_STATE_UNKNOWN || state == TASK_STATE_RUNNABLE || tid <= 0)
		return;
	scan->page->knows_states = true;
	map_put(&scan->states, (uint64_t)tid, (void *)(uintptr_t)state);
}

/* The thread is back. */
static void note_sleep(struct scan *scan, int32_t tid, uint64_t off_ns, uint64_t wait_ns)
{
	const uintptr_t state = (uintptr_t)map_remove(&scan->states, (uint64_t)tid);

	if (off_ns == SWITCH_NS_UNKNOWN)
		return;
	if (wait_ns != SWITCH_NS_UNKNOWN) /* from the wake-up on it was awake */
		off_ns -= wait_ns < off_ns ? wait_ns : off_ns;
	if (state == TASK_STATE_SLEEPING)
		distribution_add(&scan->page->sleeps, off_ns);
	if (state == TASK_STATE_DISK_SLEEP)
		distribution_add(&scan->page->disk_waits, off_ns);
}

static void look_at_leaver(struct scan *scan, uint64_t sequence, uint64_t number)
{
	struct page_history *page = scan->page;
	const struct history *history = page->window.history;
	const struct actor *actor = history_find_actor(history, number);
	const uint64_t slice_ns = history_number(history, sequence, HISTORY_SLICE_NS);

	note_actor(page, number);
	note_state(scan, actor ? actor->tid : -1, history_number(history, sequence, HISTORY_STATE));
	if (slice_ns != SWITCH_NS_UNKNOWN)
		distribution_add(&page->of[LENGTH_SLICES], slice_ns);
	if (slice_ns != SWITCH_NS_UNKNOWN)
		note_run(scan, sequence, slice_ns);
	if (!page->is_process || (actor && actor->tid == page->pid))
		page->has_exited = history_number(history, sequence, HISTORY_HOW) == SWITCH_EXITED;
}

static void note_move(struct scan *scan, uint64_t from, uint64_t to)
{
	const uint64_t key = from << CPU_BITS | to;
	const uintptr_t times = (uintptr_t)map_get(&scan->moves, key) + 1;

	if (from == UINT64_MAX || to == UINT64_MAX || from == to)
		return;
	scan->page->move_sum++;
	map_put(&scan->moves, key, (void *)times);
}

static void look_at_comer(struct scan *scan, uint64_t sequence, uint64_t number)
{
	struct page_history *page = scan->page;
	const struct history *history = page->window.history;
	const uint64_t off_ns = history_number(history, sequence, HISTORY_OFF_NS);
	const uint64_t wait_ns = history_number(history, sequence, HISTORY_WAIT_NS);
	const struct actor *actor = history_find_actor(history, number);

	note_actor(page, number);
	if (actor && actor->tid > 0)
		note_sleep(scan, actor->tid, off_ns, wait_ns);
	page->has_exited = page->is_process && page->has_exited;
	if (off_ns != SWITCH_NS_UNKNOWN &&
	    history_number(history, sequence, HISTORY_CAME_PREEMPTED))
		distribution_add(&page->of[LENGTH_PREEMPTED], off_ns);
	if (wait_ns != SWITCH_NS_UNKNOWN)
		distribution_add(&page->of[LENGTH_QUEUED], wait_ns);
	note_move(scan, history_number(history, sequence, HISTORY_FROM_CPU),
		  history_number(history, sequence, HISTORY_CPU));
}

static void look_through(struct scan *scan)
{
	static const enum history_field fields[] = {HISTORY_LEFT, HISTORY_CAME};
	const struct window *window = &scan->page->window;
	struct window_chunk chunk;

	chunk.at = window->first;
	chunk.count = 0;
	while (window_next(&chunk, window->history, window->end, fields, 2)) {
		for (size_t i = 0; i < chunk.count; i++) {
			const uint64_t left = chunk.numbers[0][i], came = chunk.numbers[1][i];
			const bool leaves = actor_filter_has(&scan->actors, left);
			const bool comes = actor_filter_has(&scan->actors, came);

			if (leaves || comes)
				note_switch(scan->page, chunk.at + i);
			if (leaves)
				look_at_leaver(scan, chunk.at + i, left);
			if (comes)
				look_at_comer(scan, chunk.at + i, came);
		}
	}
}

static bool is_more_frequent(const void *left, const void *right)
{
	const struct page_move *a = left, *b = right;

	if (a->times != b->times)
		return a->times > b->times;
	return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static bool ran_longer(const void *left, const void *right)
{
	const struct page_cpu *a = left, *b = right;

	if (a->now_ns != b->now_ns)
		return a->now_ns > b->now_ns;
	return a->all_ns != b->all_ns ? a->all_ns > b->all_ns : a->cpu < b->cpu;
}

/* Only those that happened most, and the CPUs on which it ran longest. */
static void rank(struct scan *scan)
{
	struct page_history *page = scan->page;

	for (const struct map_slot *each = NULL; (each = map_next(&scan->moves, each));)
		rank_insert(page->moves, &page->move_count, PAGE_MOVES, sizeof(*page->moves),
			    &(struct page_move){
				    .from = (int32_t)(each->key >> CPU_BITS),
				    .to = (int32_t)(each->key & UINT32_MAX),
				    .times = (uintptr_t)each->value,
			    },
			    is_more_frequent);
	for (size_t i = 0; i < scan->run_count; i++)
		rank_insert(page->cpus, &page->cpu_count, PAGE_CPUS, sizeof(*page->cpus),
			    &scan->runs[i], ran_longer);
}

static bool has_victim(const struct pair *pair, const void *context)
{
	const struct page_history *page = context;

	return page_is_meant(history_find_actor(page->window.history, pair->victim), page);
}

static bool has_taker(const struct pair *pair, const void *context)
{
	const struct page_history *page = context;

	return page_is_meant(history_find_actor(page->window.history, pair->taker), page);
}

static void find_pairs(struct page_history *page, struct actor_filter *actors,
		       const struct snapshot *snapshot)
{
	struct pair_query query = {
		.window = page->window,
		.by = BY_TASK,
		.snapshot = snapshot,
		.actors = actors,
	};
	struct pair_table *table = pair_table_create();

	pair_table_gather(table, &query);
	page->disturber_count =
		pair_table_worst(table, has_victim, page, page->disturbers, PAGE_PAIRS);
	page->disturbed_count =
		pair_table_worst(table, has_taker, page, page->disturbed, PAGE_PAIRS);
	query.is_of_wakers = true;
	pair_table_gather(table, &query);
	page->waker_count = pair_table_worst(table, has_victim, page, page->wakers, PAGE_PAIRS);
	page->woken_count = pair_table_worst(table, has_taker, page, page->woken, PAGE_PAIRS);
	pair_table_destroy(table);
}

void page_history_init(struct page *of)
{
	const struct task_page_input *input = of->input;
	struct page_history *page = &of->past;
	struct scan scan = {
		.page = page,
		.begin_ns = input->snapshot->time_ns - input->snapshot->interval_ns,
		.end_ns = input->snapshot->time_ns,
	};

	*page = (struct page_history){
		.window = window_of_all(input->history),
		.pid = input->pid,
		.tid = input->tid,
		.ids = of->ids,
		.is_process = input->pid == input->tid,
	};
	scan.actors = (struct actor_filter){
		.history = input->history, .wants = page_is_meant, .context = page};
	if (page->window.first == page->window.end)
		return;
	look_through(&scan);
	rank(&scan);
	map_fini(&scan.moves);
	map_fini(&scan.run_places);
	free(scan.runs);
	map_fini(&scan.states);
	find_pairs(page, &scan.actors, input->snapshot);
}

void page_history_fini(struct page_history *page)
{
	for (int kind = 0; kind < LENGTH_KINDS; kind++)
		distribution_fini(&page->of[kind]);
	distribution_fini(&page->sleeps);
	distribution_fini(&page->disk_waits);
}

/*
 * What the history has besides lengths: moves between CPUs, which task disturbs which, the last
 * switches. Each list has the same number of lines whether they are all needed or not.
 */

enum {
	WORDS_WIDTH = 24,
	NUMBER_WIDTH = 9,
	RAN_WIDTH = 8,
	IPC_WIDTH = 6,
	OFF_WIDTH = 8
};

static void end_lines(struct page *page, size_t count)
{
	strbuf_add_repeated(&page->text, '\n', count);
}

void page_write_moves(struct page *page)
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
	if (!pair->is_of_wakers && pair->kind != PAIR_PREEMPTED)
		strbuf_printf(&page->text, ", %s", pair_kind_name(pair->kind));
	end_lines(page, 1);
}

/* Pairs with what the other task of each is, and the one of the page. */
struct pair_list {
	const char *title, *own, *lost;
	const struct pair *pairs;
	size_t count;
	bool is_taker; /* it is the taker of each */
};

static void write_pair_list(struct page *page, const struct pair_list *list)
{
	strbuf_printf(&page->text, "#%-*s%*s%*s%*s%*s  %s\n", WORDS_WIDTH + 1, list->title,
		      NUMBER_WIDTH, "times", NUMBER_WIDTH, list->lost, NUMBER_WIDTH, "mean",
		      NUMBER_WIDTH, "worst", list->own);
	for (size_t i = 0; i < list->count; i++) {
		const struct pair *pair = &list->pairs[i];

		if (list->is_taker)
			write_pair(page, pair, pair->victim_words, pair->taker_words);
		else
			write_pair(page, pair, pair->taker_words, pair->victim_words);
	}
	end_lines(page, PAGE_PAIRS - list->count);
}

static const struct pair *find_worst(const struct page_history *past, enum pair_kind kind)
{
	for (size_t i = 0; i < past->disturber_count; i++)
		if (past->disturbers[i].kind == kind)
			return &past->disturbers[i];
	return NULL;
}

/* Of what all threads of the page lost, as far as it is among the worst pairs. */
void page_write_disturber(struct page *page)
{
	const struct page_history *past = &page->past;
	const uint64_t all_ns = past->of[LENGTH_PREEMPTED].sum;
	const struct pair *worst = find_worst(past, PAIR_PREEMPTED);
	uint64_t lost_ns = 0;

	strbuf_add(&page->text, "  preempted by ");
	if (!worst || all_ns == 0) {
		page_add_value(page, 0, "-");
		if (find_worst(past, PAIR_LIMITED))
			strbuf_add(&page->text,
				   ": the CPU limit of its cgroup may have held it back");
		end_lines(page, 1);
		return;
	}
	for (size_t i = 0; i < past->disturber_count; i++)
		if (past->disturbers[i].taker == worst->taker &&
		    past->disturbers[i].kind == PAIR_PREEMPTED)
			lost_ns += past->disturbers[i].lost_ns;
	page_add_words(page, 0, worst->taker_words);
	strbuf_printf(&page->text, ": %.1f %% of these waits in the history",
		      100.0 * (double)lost_ns / (double)all_ns);
	end_lines(page, 1);
}

void page_write_pairs(struct page *page)
{
	const struct page_history *past = &page->past;
	const struct pair_list lists[] = {
		{" waited for", "of its threads", "lost", past->disturbers, past->disturber_count,
		 false},
		{" kept waiting", "by its threads", "lost", past->disturbed, past->disturbed_count,
		 true},
		{" woken by", "of its threads", "delay", past->wakers, past->waker_count, false},
		{" it wakes", "by its threads", "delay", past->woken, past->woken_count, true},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		write_pair_list(page, &lists[i]);
}

/* Time of day, to the microsecond. */
static void add_clock(struct page *page, uint64_t time_ns)
{
	char text[UNITS_TEXT_MAX];

	units_format_clock(text, session_wall_ns(page->input->session->wall_offset_ns, time_ns), 6);
	strbuf_add(&page->text, "  ");
	page_add_value(page, -15, text);
}

static const struct actor *find_actor(const struct page *page, uint64_t number)
{
	return history_find_actor(page->past.window.history, number);
}

static void add_actor(struct page *page, const char *before, uint64_t number)
{
	char words[48];

	actor_write_words(find_actor(page, number), words, sizeof(words));
	strbuf_printf(&page->text, "  %s", before);
	page_add_words(page, 0, words);
}

static void add_start(struct page *page, const struct switch_entry *entry, uint64_t number)
{
	const struct actor *actor = find_actor(page, number);

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
	const struct metric_info *info;
	const double ipc =
		page_eval(page, "ipc", entry->has_counts ? counts : NULL, 0, entry->slice_ns, &info)
			.value;
	char how[16];

	add_start(page, entry, entry->left);
	snprintf(how, sizeof(how), "%s%s", switch_how_name(entry->how), switch_how_mark(entry));
	page_add_value(page, -9, entry->how == SWITCH_UNKNOWN ? "-" : how);
	page_add_duration(page, RAN_WIDTH, entry->slice_ns);
	page_add_metric(page, IPC_WIDTH, info, ipc, 2);
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
		add_actor(page, "by ", entry->queued_by);
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
	if (lines < room && page_is_meant(find_actor(page, entry.came), past)) {
		write_coming(page, &entry);
		lines++;
	}
	if (lines < room && page_is_meant(find_actor(page, entry.left), past)) {
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
