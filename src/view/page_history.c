/*
 * Two passes over the window: one over everything, in which the entries that the task takes part
 * in are looked at more closely, and one over the preemptions, for the pairs. Moves between CPUs
 * are counted by a map, of which only the most frequent are kept.
 */

#include "view/page_history.h"

#include <string.h>

#include "base/map.h"
#include "model/history.h"
#include "view/actors.h"

enum {
	CPU_BITS = 32
};

struct scan {
	struct page_history *page;
	struct actor_choice choice;
	struct map moves;          /* from << CPU_BITS | to, to how often */
	struct map runs, runs_now; /* CPU to ns; of the interval */
	uint64_t begin_ns, end_ns; /* of it */
};

bool page_history_is_meant(const struct page_history *page, const struct actor *actor)
{
	if (!actor || actor->number < ACTOR_FIRST || actor->pid != page->pid)
		return false;
	return page->is_process || actor->tid == page->tid;
}

static bool is_meant(const struct actor *actor, const void *context)
{
	return page_history_is_meant(context, actor);
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

static void add_run(struct map *runs, uint64_t cpu, uint64_t ns)
{
	const uintptr_t sum = (uintptr_t)map_get(runs, cpu) + ns;

	if (sum > 0)
		map_put(runs, cpu, (void *)sum);
}

static void note_run(struct scan *scan, uint64_t sequence, uint64_t slice_ns)
{
	const struct history *history = scan->page->window.history;
	const uint64_t cpu = history_number(history, sequence, HISTORY_CPU);
	const uint64_t time_ns = history_number(history, sequence, HISTORY_TIME_NS);

	scan->page->run.all_ns += slice_ns;
	add_run(&scan->runs, cpu, slice_ns);
	if (time_ns <= scan->begin_ns || time_ns > scan->end_ns)
		return;
	scan->page->run.now_ns += slice_ns;
	add_run(&scan->runs_now, cpu, slice_ns);
}

static void look_at_leaver(struct scan *scan, uint64_t sequence, uint64_t number)
{
	struct page_history *page = scan->page;
	const struct history *history = page->window.history;
	const struct actor *actor = history_find_actor(history, number);
	const uint64_t slice_ns = history_number(history, sequence, HISTORY_SLICE_NS);

	note_actor(page, number);
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

	if (from == UINT64_MAX || from == to)
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

	note_actor(page, number);
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
	const struct window *window = &scan->page->window;
	uint64_t left[WINDOW_CHUNK], came[WINDOW_CHUNK];

	for (uint64_t at = window->first; at < window->end; at += WINDOW_CHUNK) {
		const uint64_t rest = window->end - at;
		const size_t count = rest < WINDOW_CHUNK ? (size_t)rest : WINDOW_CHUNK;

		history_numbers(window->history, at, count, HISTORY_LEFT, left);
		history_numbers(window->history, at, count, HISTORY_CAME, came);
		for (size_t i = 0; i < count; i++) {
			const bool leaves = actor_choice_has(&scan->choice, left[i]);
			const bool comes = actor_choice_has(&scan->choice, came[i]);

			if (!leaves && !comes)
				continue;
			note_switch(scan->page, at + i);
			if (leaves)
				look_at_leaver(scan, at + i, left[i]);
			if (comes)
				look_at_comer(scan, at + i, came[i]);
		}
	}
}

static bool is_before(const struct page_move *a, const struct page_move *b)
{
	if (a->times != b->times)
		return a->times > b->times;
	return a->from != b->from ? a->from < b->from : a->to < b->to;
}

/* Puts it where it belongs among those that happened most. */
static void rank_move(struct page_history *page, const struct page_move *move)
{
	size_t at = page->move_count;

	while (at > 0 && is_before(move, &page->moves[at - 1]))
		at--;
	if (at == PAGE_MOVES)
		return;
	if (page->move_count < PAGE_MOVES)
		page->move_count++;
	memmove(&page->moves[at + 1], &page->moves[at],
		(page->move_count - at - 1) * sizeof(*page->moves));
	page->moves[at] = *move;
}

static void rank_moves(struct scan *scan)
{
	size_t cursor = 0;
	uint64_t key;
	void *times;

	while (map_next(&scan->moves, &cursor, &key, &times)) {
		const struct page_move move = {
			.from = (int32_t)(key >> CPU_BITS),
			.to = (int32_t)(key & UINT32_MAX),
			.times = (uintptr_t)times,
		};

		rank_move(scan->page, &move);
	}
}

static bool ran_longer(const struct page_cpu *a, const struct page_cpu *b)
{
	if (a->now_ns != b->now_ns)
		return a->now_ns > b->now_ns;
	return a->all_ns != b->all_ns ? a->all_ns > b->all_ns : a->cpu < b->cpu;
}

static void rank_cpu(struct page_history *page, const struct page_cpu *cpu)
{
	size_t at = page->cpu_count;

	while (at > 0 && ran_longer(cpu, &page->cpus[at - 1]))
		at--;
	if (at == PAGE_CPUS)
		return;
	if (page->cpu_count < PAGE_CPUS)
		page->cpu_count++;
	memmove(&page->cpus[at + 1], &page->cpus[at],
		(page->cpu_count - at - 1) * sizeof(*page->cpus));
	page->cpus[at] = *cpu;
}

static void rank_cpus(struct scan *scan)
{
	size_t cursor = 0;
	uint64_t cpu;
	void *ns;

	while (map_next(&scan->runs, &cursor, &cpu, &ns)) {
		const struct page_cpu run = {
			.cpu = (int32_t)cpu,
			.now_ns = (uintptr_t)map_get(&scan->runs_now, cpu),
			.all_ns = (uintptr_t)ns,
		};

		rank_cpu(scan->page, &run);
	}
}

static bool has_victim(const struct pair *pair, const void *context)
{
	const struct page_history *page = context;

	return page_history_is_meant(page, history_find_actor(page->window.history, pair->victim));
}

static bool has_taker(const struct pair *pair, const void *context)
{
	const struct page_history *page = context;

	return page_history_is_meant(page, history_find_actor(page->window.history, pair->taker));
}

static void find_pairs(struct page_history *page)
{
	const struct pair_query query = {
		.window = page->window,
		.by = BY_TASK,
		.wants = is_meant,
		.context = page,
	};
	struct pair_table *table = pair_table_create();

	pair_table_gather(table, &query);
	page->disturber_count =
		pair_table_worst(table, has_victim, page, page->disturbers, PAGE_PAIRS);
	page->disturbed_count =
		pair_table_worst(table, has_taker, page, page->disturbed, PAGE_PAIRS);
	pair_table_destroy(table);
}

void page_history_init(struct page_history *page, const struct history *history, int32_t pid,
		       int32_t tid, uint64_t begin_ns, uint64_t end_ns)
{
	struct scan scan = {.page = page, .begin_ns = begin_ns, .end_ns = end_ns};

	*page = (struct page_history){
		.window = window_of_all(history),
		.pid = pid,
		.tid = tid,
		.is_process = pid == tid,
	};
	scan.choice = (struct actor_choice){.history = history, .wants = is_meant, .context = page};
	if (page->window.first == page->window.end)
		return;
	look_through(&scan);
	rank_moves(&scan);
	rank_cpus(&scan);
	map_fini(&scan.moves);
	map_fini(&scan.runs);
	map_fini(&scan.runs_now);
	find_pairs(page);
}

void page_history_fini(struct page_history *page)
{
	for (int kind = 0; kind < LENGTH_KINDS; kind++)
		distribution_fini(&page->of[kind]);
}
