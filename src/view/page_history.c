/*
 * One pass over the history, in which the entries that the task takes part in are looked at more
 * closely: lengths, CPUs, moves between these.
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/history.h"
#include "model/record.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/task_page.h"
#include "view/window.h"

enum {
	CPU_BITS = 32,
	CPU_LINES = 8,
	MOVE_LINES = 5,
	NUMBER_WIDTH = 9,
	SHARE_WIDTH = 2 * NUMBER_WIDTH + 2 /* "64.9 %    18.5s" */
};

/* Fields of an entry that are looked at. */
enum {
	PREV,
	NEXT,
	TIME_NS,
	SLICE_NS,
	CPU,
	FROM_CPU,
	HOW,
	STATE,
	OFF_NS,
	WAIT_NS,
	PREEMPTED,
	FIELDS
};
static const enum history_field fields[FIELDS] = {
	[PREV] = HISTORY_PREV,
	[NEXT] = HISTORY_NEXT,
	[TIME_NS] = HISTORY_TIME_NS,
	[SLICE_NS] = HISTORY_SLICE_NS,
	[CPU] = HISTORY_CPU,
	[FROM_CPU] = HISTORY_FROM_CPU,
	[HOW] = HISTORY_HOW,
	[STATE] = HISTORY_STATE,
	[OFF_NS] = HISTORY_OFF_NS,
	[WAIT_NS] = HISTORY_WAIT_NS,
	[PREEMPTED] = HISTORY_NEXT_WAS_PREEMPTED,
};

struct scan {
	const struct page *page;
	struct page_history *past;
	struct map states; /* of those that are off: actor to enum task_state */
	struct window_chunk chunk;
};

/* now: of `amount` that was in the interval. */
static void add_tally(struct page_tallies *tallies, uint64_t key, uint64_t amount, bool is_now)
{
	size_t index = (size_t)(uintptr_t)map_get(&tallies->indexes, key);
	const uint64_t now = is_now ? amount : 0;

	if (index == 0) {
		array_reserve(&tallies->list, &tallies->capacity, tallies->count + 1,
			      sizeof(*tallies->list));
		tallies->list[tallies->count++] = (struct page_tally){.key = key};
		index = tallies->count;
		map_put(&tallies->indexes, key, (void *)(uintptr_t)index);
	}
	tallies->list[index - 1].now += now;
	tallies->list[index - 1].all += amount;
	tallies->sum.now += now;
	tallies->sum.all += amount;
}

static int compare(const void *left, const void *right)
{
	const struct page_tally *a = left, *b = right;

	if (a->now != b->now)
		return a->now > b->now ? -1 : 1;
	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

static void rank(struct page_tallies *tallies)
{
	if (tallies->count > 1)
		qsort(tallies->list, tallies->count, sizeof(*tallies->list), compare);
}

static bool is_process(const struct page *page)
{
	return page->input->tid == page->input->pid;
}

/* Of a process the name is that of its first thread, where this one is known. */
static const struct actor *note_actor(const struct scan *scan, uint64_t number)
{
	struct page_history *past = scan->past;
	const struct actor *actor = history_find_actor(past->window.history, number);

	past->knows = true;
	if (!is_process(scan->page) || actor->tid == actor->pid || past->latest.number == 0 ||
	    past->latest.tid != actor->pid)
		past->latest = *actor;
	return actor;
}

static void add_known(struct distribution *lengths, uint64_t ns)
{
	if (ns != SWITCH_NS_UNKNOWN)
		distribution_add(lengths, ns);
}

static void look_at_prev(struct scan *scan, size_t i)
{
	const uint64_t(*numbers)[WINDOW_CHUNK] = scan->chunk.numbers;
	const struct snapshot *snapshot = scan->page->input->snapshot;
	struct page_history *past = scan->past;
	const uint64_t time_ns = numbers[TIME_NS][i], slice_ns = numbers[SLICE_NS][i];
	const uint64_t state = numbers[STATE][i];
	const struct actor *actor = note_actor(scan, numbers[PREV][i]);

	add_known(&past->of[PAGE_SLICES], slice_ns);
	if (slice_ns > 0 && slice_ns != SWITCH_NS_UNKNOWN)
		add_tally(&past->cpus, numbers[CPU][i], slice_ns,
			  time_ns > snapshot->time_ns - snapshot->interval_ns &&
				  time_ns <= snapshot->time_ns);
	if (state != TASK_STATE_UNKNOWN && state != TASK_STATE_RUNNABLE) {
		past->knows_states = true;
		map_put(&scan->states, numbers[PREV][i], (void *)(uintptr_t)state);
	}
	if (!is_process(scan->page) || actor->tid == actor->pid)
		past->has_exited = numbers[HOW][i] == SWITCH_EXITED;
}

/* It slept, or waited for a disk, until it was woken. */
static void note_sleep(struct scan *scan, uint64_t number, uint64_t off_ns, uint64_t wait_ns)
{
	const uintptr_t state = (uintptr_t)map_remove(&scan->states, number);
	const uint64_t awake_ns = wait_ns == SWITCH_NS_UNKNOWN ? 0 : wait_ns;
	const uint64_t asleep_ns = awake_ns < off_ns ? off_ns - awake_ns : 0;

	if (off_ns == SWITCH_NS_UNKNOWN)
		return;
	if (state == TASK_STATE_SLEEPING)
		distribution_add(&scan->past->of[PAGE_SLEEPS], asleep_ns);
	if (state == TASK_STATE_DISK_SLEEP)
		distribution_add(&scan->past->of[PAGE_DISK_WAITS], asleep_ns);
}

static void look_at_next(struct scan *scan, size_t i)
{
	const uint64_t(*numbers)[WINDOW_CHUNK] = scan->chunk.numbers;
	const uint64_t from = numbers[FROM_CPU][i], to = numbers[CPU][i];
	struct page_history *past = scan->past;

	note_actor(scan, numbers[NEXT][i]);
	note_sleep(scan, numbers[NEXT][i], numbers[OFF_NS][i], numbers[WAIT_NS][i]);
	past->has_exited = past->has_exited && is_process(scan->page);
	if (numbers[PREEMPTED][i])
		add_known(&past->of[PAGE_PREEMPTED], numbers[OFF_NS][i]);
	add_known(&past->of[PAGE_QUEUED], numbers[WAIT_NS][i]);
	if (from != UINT64_MAX && to != UINT64_MAX && from != to)
		add_tally(&past->moves, from << CPU_BITS | to, 1, false);
}

static void look_through(struct scan *scan, struct actor_filter *actors)
{
	const struct window *window = &scan->past->window;
	struct window_chunk *chunk = &scan->chunk;

	chunk->at = window->first;
	while (window_next(chunk, window->history, window->end, fields, FIELDS)) {
		for (size_t i = 0; i < chunk->count; i++) {
			if (actor_filter_has(actors, chunk->numbers[PREV][i]))
				look_at_prev(scan, i);
			if (actor_filter_has(actors, chunk->numbers[NEXT][i]))
				look_at_next(scan, i);
		}
	}
}

void page_history_init(struct page *page)
{
	struct page_history *past = &page->past;
	struct scan scan = {.page = page, .past = past};
	struct actor_filter actors;

	past->window = window_of(&page->request);
	if (page->input->lines > 0 && page->row.task)
		return;
	actor_filter_init(&actors, &page->request, NULL);
	look_through(&scan, &actors);
	actor_filter_fini(&actors);
	map_fini(&scan.states);
	rank(&past->cpus);
	rank(&past->moves);
}

static void fini_tallies(struct page_tallies *tallies)
{
	free(tallies->list);
	map_fini(&tallies->indexes);
}

void page_history_fini(struct page_history *past)
{
	for (int kind = 0; kind < PAGE_LENGTHS; kind++)
		distribution_fini(&past->of[kind]);
	fini_tallies(&past->cpus);
	fini_tallies(&past->moves);
}

static void add_share(struct page *page, uint64_t ns, uint64_t sum_ns)
{
	page_add_metric(page, NUMBER_WIDTH, NULL, units_pct(ns, sum_ns), 1);
	strbuf_add(&page->text, " %");
	page_add_duration(page, NUMBER_WIDTH, ns);
}

static void write_cpu(struct page *page, const char *label, const struct page_tally *cpu)
{
	strbuf_add(&page->text, "  ");
	page_add_words(page, 8, label);
	add_share(page, cpu->now, page->past.cpus.sum.now);
	add_share(page, cpu->all, page->past.cpus.sum.all);
	strbuf_add_char(&page->text, '\n');
}

void page_write_cpus(struct page *page)
{
	const struct page_tallies *cpus = &page->past.cpus;
	struct page_tally rest = cpus->sum;
	char label[16];

	strbuf_printf(&page->text, "# %-10s%*s%*s\n", "on CPU", SHARE_WIDTH, "interval",
		      SHARE_WIDTH, "history");
	for (size_t i = 0; i < cpus->count && i < CPU_LINES; i++) {
		const struct page_tally *cpu = &cpus->list[i];

		snprintf(label, sizeof(label), "%" PRId32, (int32_t)cpu->key);
		write_cpu(page, (int32_t)cpu->key < 0 ? "" : label, cpu);
		rest.now -= cpu->now;
		rest.all -= cpu->all;
	}
	if (rest.all > 0)
		write_cpu(page, "others", &rest);
}

void page_write_moves(struct page *page)
{
	const struct page_tallies *moves = &page->past.moves;

	strbuf_add(&page->text, "# moves to another CPU in the history: ");
	if (page->past.knows)
		strbuf_printf(&page->text, "%" PRIu64, moves->sum.all);
	else
		page_add_value(page, 0, "-");
	strbuf_add_char(&page->text, '\n');
	for (size_t i = 0; i < moves->count && i < MOVE_LINES; i++)
		strbuf_printf(&page->text,
			      "  from CPU %-4" PRIu32 " to CPU %-4" PRIu32 "%12" PRIu64 "\n",
			      (uint32_t)(moves->list[i].key >> CPU_BITS),
			      (uint32_t)moves->list[i].key, moves->list[i].all);
}

/* One kind of length, over some time. */
struct kind {
	const char *words;
	const struct distribution *lengths; /* NULL: not known */
};

static void add_length(struct page *page, const struct distribution *lengths, uint64_t ns)
{
	page_add_duration(page, 9, lengths && lengths->count > 0 ? ns : SWITCH_NS_UNKNOWN);
}

static void write_wait_kind(struct page *page, const struct kind *kind)
{
	const struct distribution *lengths = kind->lengths;
	const uint64_t count = lengths ? lengths->count : 0;

	strbuf_printf(&page->text, "  %-32s", kind->words);
	if (lengths)
		strbuf_printf(&page->text, "%9" PRIu64, count);
	else
		page_add_value(page, 9, "-");
	add_length(page, lengths, count > 0 ? lengths->sum / count : 0);
	add_length(page, lengths, count > 0 ? distribution_quantile(lengths, 0.5) : 0);
	add_length(page, lengths, count > 0 ? distribution_quantile(lengths, 0.99) : 0);
	add_length(page, lengths, count > 0 ? lengths->max : 0);
	strbuf_add_char(&page->text, '\n');
}

/* Lengths of the interval; NULL where they are not known. */
static const struct distribution *now(const struct page *page, enum timing_kind kind)
{
	const bool has_wakeups = page->input->session->queue == QUEUE_WAKEUPS;

	if (!page->row.timing || (kind == TIMING_WAKEUPS && !has_wakeups))
		return NULL;
	return &page->timing.of[kind];
}

/* Of the history; without wake-ups the waits after them are missing. */
static const struct distribution *past(const struct page *page, enum page_length kind)
{
	const bool has_wakeups = page->input->session->queue == QUEUE_WAKEUPS;
	const bool is_sleep = kind == PAGE_SLEEPS || kind == PAGE_DISK_WAITS;

	if (!page->past.knows || (kind == PAGE_QUEUED && !has_wakeups) ||
	    (is_sleep && !page->past.knows_states))
		return NULL;
	return &page->past.of[kind];
}

void page_write_lengths(struct page *page)
{
	const struct kind kinds[] = {
		{"slices in the interval", now(page, TIMING_SLICES)},
		{"preempted waits in the interval", now(page, TIMING_PREEMPTED)},
		{"wake-up waits in the interval", now(page, TIMING_WAKEUPS)},
		{"slices in the history", past(page, PAGE_SLICES)},
		{"preempted waits in the history", past(page, PAGE_PREEMPTED)},
		{"run-queue waits in the history", past(page, PAGE_QUEUED)},
		{"sleeps (S) in the history", past(page, PAGE_SLEEPS)},
		{"uninterruptible (D) in history", past(page, PAGE_DISK_WAITS)},
	};

	strbuf_printf(&page->text, "#%-33s%9s%9s%9s%9s%9s\n", " slices and waits", "count", "mean",
		      "median", "p99", "max");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		write_wait_kind(page, &kinds[i]);
}
