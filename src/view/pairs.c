/*
 * A party is what counts as one: a task, or all that have the same name. An actor is looked up
 * once; two parties and the CPU are the key of their pair. When there are PAIRS_MAX pairs, no
 * party is added any more, so that memory is bounded whatever the history holds.
 */

#include "view/pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/column_table.h"
#include "view/filter_term.h"
#include "view/locks.h"
#include "view/names.h"
#include "view/pair_scan.h"
#include "view/row_kind.h"
#include "view/rows.h"
#include "view/window.h"

enum {
	CPU_BITS = 16,
	KIND_BITS = 2,
	TAKEN_BITS = 1,
	PARTY_BITS = 22 /* there are 2 * PAIRS_MAX at most */
};

/* No task has such an id. */
static const uint64_t no_task = UINT64_C(1) << 63;
static const uint64_t others_id = UINT64_MAX;

struct pair_table *pair_table_create(void)
{
	return xcalloc(1, sizeof(struct pair_table));
}

static void forget_pairs(struct pair_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->pairs[i].chain);
	map_fini(&table->by_lock);
	map_fini(&table->by_actor);
	map_fini(&table->by_identity);
	map_fini(&table->by_key);
	map_fini(&table->containers);
	map_fini(&table->limits);
	table->count = 0;
	table->party_count = 0;
	table->lock_count = 0;
}

static void destroy_pair_table(void *kept)
{
	struct pair_table *table = kept;

	forget_pairs(table);
	free(table->pairs);
	free(table->parties);
	free(table->locks);
	free(table);
}

void pair_table_destroy(struct pair_table *table)
{
	if (table)
		destroy_pair_table(table);
}

static const char unknown[] = "?";

/* "": none; NULL: it is not known, as of tasks that have ended. */
static const char *container_of_actor(struct pair_table *table, const struct pair_query *query,
				      uint64_t number)
{
	const char *found = map_get(&table->containers, number);
	const struct snapshot_task *task;
	const struct actor *actor;

	if (!query->containers)
		return NULL;
	if (!found) {
		actor = history_find_actor(query->window.history, number);
		task = actor ? map_get(&table->residents, actor->task_id) : NULL;
		found = task ? containers_name(query->containers, task->cgroup) : NULL;
		found = found ? found : unknown;
		map_put(&table->containers, number, (void *)(uintptr_t)found);
	}
	return found == unknown ? NULL : found;
}

static unsigned int find_relation(struct pair_table *table, const struct pair_query *query,
				  uint64_t victim, uint64_t taker)
{
	const char *of_victim = container_of_actor(table, query, victim);
	const char *of_taker = container_of_actor(table, query, taker);

	if (!of_victim || !of_taker)
		return PAIR_UNKNOWN;
	return strcmp(of_victim, of_taker) == 0 ? PAIR_OWN : PAIR_FOREIGN;
}

static bool is_by_words(enum view_by by)
{
	return by == BY_NAME || by == BY_CONTAINER || by == BY_NAMESAKES;
}

static void write_container(struct party *party, const char *container)
{
	if (!container)
		container = "(unknown)";
	else if (container[0] == '\0')
		container = "(no container)";
	snprintf(party->words, sizeof(party->words), "%s", container);
	party->identity = hash_text(no_task, party->words);
}

static uint64_t identity_of(const struct actor *actor, uint64_t number, enum view_by by)
{
	if ((by != BY_NAME && by != BY_NAMESAKES) || !actor)
		return actor && actor->task_id > 0 ? actor->task_id : no_task + number;
	return hash_text(no_task, actor->name);
}

static void write_task(struct party *party, const struct actor *actor,
		       const struct pair_query *query)
{
	if (query->form != PAIRS_TAKERS)
		waker_write_words(actor, party->words, sizeof(party->words));
	else
		actor_write_words(actor, party->words, sizeof(party->words));
}

static struct party make_party(struct pair_table *table, const struct actor *actor, uint64_t number,
			       const struct pair_query *query)
{
	const enum view_by by = query->by;
	struct party party = {.identity = identity_of(actor, number, by), .actor = number};

	if (by == BY_CONTAINER)
		write_container(&party, container_of_actor(table, query, number));
	else if (is_by_words(by) && number != ACTOR_IDLE)
		snprintf(party.words, sizeof(party.words), "%s", actor ? actor->name : "");
	else
		write_task(&party, actor, query);
	return party;
}

/* The party of that identity, + 1; 0: there is none yet. Names may share a hash. */
static size_t find_party(const struct pair_table *table, const struct party *wanted,
			 enum view_by by)
{
	size_t found = (size_t)(uintptr_t)map_get(&table->by_identity, wanted->identity);

	while (found > 0 && is_by_words(by) &&
	       strcmp(table->parties[found - 1].words, wanted->words) != 0)
		found = table->parties[found - 1].next;
	return found;
}

static size_t add_party(struct pair_table *table, struct party *party)
{
	const size_t number = table->party_count + 1;

	array_reserve(&table->parties, &table->party_capacity, number, sizeof(*table->parties));
	party->next = (size_t)(uintptr_t)map_put(&table->by_identity, party->identity,
						 (void *)(uintptr_t)number);
	table->parties[table->party_count++] = *party;
	return number;
}

/* A task has the newest of its names. */
static void rename_party(struct party *party, const struct party *newer)
{
	if (newer->actor < party->actor)
		return;
	party->actor = newer->actor;
	memcpy(party->words, newer->words, sizeof(party->words));
}

static bool is_same_task(const struct history *history, uint64_t a, uint64_t b)
{
	const struct actor *one = history_find_actor(history, a);
	const struct actor *other = history_find_actor(history, b);

	return one && other && one->task_id == other->task_id;
}

size_t pair_table_party(struct pair_table *table, const struct pair_query *query, uint64_t number)
{
	size_t found = (size_t)(uintptr_t)map_get(&table->by_actor, number);
	struct party party;

	if (found > 0)
		return found;
	party = make_party(table, history_find_actor(query->window.history, number), number, query);
	found = find_party(table, &party, query->by);
	if (found > 0 && !is_by_words(query->by))
		rename_party(&table->parties[found - 1], &party);
	else if (found > 0 &&
		 !is_same_task(query->window.history, number, table->parties[found - 1].actor))
		table->parties[found - 1].is_many = true;
	if (found == 0 && table->count < PAIRS_MAX)
		found = add_party(table, &party);
	if (found > 0)
		map_put(&table->by_actor, number, (void *)(uintptr_t)found);
	return found;
}

static struct pair *add_pair(struct pair_table *table, size_t victim, size_t taker,
			     const struct wait *wait)
{
	struct pair *pair;
	const uint64_t both =
		hash_mix(table->parties[victim - 1].identity, table->parties[taker - 1].identity);

	array_reserve(&table->pairs, &table->capacity, table->count + 1, sizeof(*table->pairs));
	pair = &table->pairs[table->count++];
	*pair = (struct pair){
		.id = hash_mix(both, (uint64_t)wait->pair_cpu ^ (uint64_t)wait->kind << 32 ^
					     (uint64_t)wait->is_taken << 34),
		.victim = victim, /* their parties, until all of them are known (name_pairs()) */
		.taker = taker,
		.cpu = wait->pair_cpu,
		.kind = wait->kind,
		.is_taken = wait->is_taken,
		.lock = wait->lock,
	};
	if (wait->lock)
		pair->id = hash_mix(hash_mix(pair->id, (uint64_t)wait->lock->pid),
				    wait->lock->address);
	return pair;
}

static void number_parties(struct pair_table *table, const struct pair_query *query)
{
	for (size_t i = 0; i < table->party_count; i++) {
		struct party *party = &table->parties[i];

		if (!party->is_many)
			write_task(party, history_find_actor(query->window.history, party->actor),
				   query);
	}
}

/* Pairs get the names of their parties. */
static void name_pairs(struct pair_table *table, const struct pair_query *query)
{
	if (query->by == BY_NAMESAKES)
		number_parties(table, query);
	for (size_t i = 0; i < table->count; i++) {
		struct pair *pair = &table->pairs[i];
		const struct party *victim = &table->parties[pair->victim - 1];
		const struct party *taker = &table->parties[pair->taker - 1];

		pair->victim = victim->actor;
		pair->taker = taker->actor;
		pair->is_of_names = is_by_words(query->by);
		pair->form = query->form;
		memcpy(pair->victim_words, victim->words, sizeof(pair->victim_words));
		memcpy(pair->taker_words, taker->words, sizeof(pair->taker_words));
	}
}

/* The pair of these two, or that of all others if there is no room for more. */
static struct pair *find_pair(struct pair_table *table, size_t victim, size_t taker,
			      const struct wait *wait)
{
	const uint64_t both = (uint64_t)victim << PARTY_BITS | taker;
	const uint64_t kind = (uint64_t)wait->kind << TAKEN_BITS | wait->is_taken;
	const size_t part = wait->lock ? (size_t)(wait->lock - table->locks) + 1
				       : (uint16_t)(wait->pair_cpu + 1);
	const uint64_t key = both << (CPU_BITS + KIND_BITS + TAKEN_BITS) | kind << CPU_BITS | part;
	size_t found;

	if (victim == 0 || taker == 0)
		return &table->others;
	found = (size_t)(uintptr_t)map_get(&table->by_key, key);
	if (found > 0)
		return &table->pairs[found - 1];
	if (table->count == PAIRS_MAX)
		return &table->others;
	map_put(&table->by_key, key, (void *)(uintptr_t)(table->count + 1));
	return add_pair(table, victim, taker, wait);
}

/* Fields of an entry that are looked at: for wakers the first ones, for locks all. */
enum {
	CPU,
	NEXT,
	PREEMPTED,
	QUEUED_BY,
	WAIT_NS,
	WAKER_FIELDS,
	TIME_NS = WAKER_FIELDS,
	SLICE_NS,
	PREV,
	OFF_NS,
	FROM_CPU,
	FIELDS,
	LOCK = FIELDS,
	LOCK_FIELDS
};
static const enum history_field fields[LOCK_FIELDS] = {
	[CPU] = HISTORY_CPU,
	[NEXT] = HISTORY_NEXT,
	[PREEMPTED] = HISTORY_NEXT_WAS_PREEMPTED,
	[QUEUED_BY] = HISTORY_QUEUED_BY,
	[WAIT_NS] = HISTORY_WAIT_NS,
	[TIME_NS] = HISTORY_TIME_NS,
	[SLICE_NS] = HISTORY_SLICE_NS,
	[PREV] = HISTORY_PREV,
	[OFF_NS] = HISTORY_OFF_NS,
	[FROM_CPU] = HISTORY_FROM_CPU,
	[LOCK] = HISTORY_LOCK,
};
static const size_t field_counts[PAIRS_FORMS] = {
	[PAIRS_TAKERS] = FIELDS,
	[PAIRS_WAKERS] = WAKER_FIELDS,
	[PAIRS_LOCKS] = LOCK_FIELDS,
};

bool pair_is_wanted(struct actor_filter *actors, uint64_t victim, uint64_t taker)
{
	return !actors || !actors->wants || actor_filter_has(actors, victim) ||
	       actor_filter_has(actors, taker);
}

static bool is_taken(struct actor_filter *actors, uint64_t victim)
{
	return actors && actors->wants && !actor_filter_has(actors, victim);
}

struct pair *pair_scan_find(struct pair_scan *scan, struct wait *wait, uint64_t taker)
{
	struct pair_table *table = scan->table;
	const size_t party = pair_table_party(table, scan->query, wait->victim);
	struct pair *pair;

	wait->is_taken = is_taken(scan->query->actors, wait->victim);
	pair = find_pair(table, party, pair_table_party(table, scan->query, taker), wait);
	if (pair->relation == 0 || is_by_words(scan->query->by)) /* of two tasks it is one */
		pair->relation |= find_relation(table, scan->query, wait->victim, taker);
	return pair;
}

struct pair *pair_scan_charge(struct pair_scan *scan, struct wait *wait, const struct taker *taker)
{
	struct pair *pair = pair_scan_find(scan, wait, taker->actor);

	pair->times++;
	pair->lost_ns += taker->ns;
	if (pair->worst_ns < taker->ns)
		pair->worst_ns = taker->ns;
	return pair;
}

static int32_t cpu_of_pair(const struct pair_scan *scan, size_t cpu)
{
	return scan->query->by == BY_CPU ? (int32_t)cpu : -1;
}

static void find_task_limits(struct pair_table *table, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count && snapshot->cgroup_count > 0; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];
		const struct snapshot_cgroup *last = NULL, *each;
		size_t length = task->cgroup ? strlen(task->cgroup) : 0;

		while (length > 0 && (each = snapshot_climb(snapshot, task->cgroup, &length)))
			if (each->limited_ns > (last ? last->limited_ns : 0))
				last = each;
		if (last)
			map_put(&table->limits, task->id, (void *)(uintptr_t)last);
	}
}

/* Whether a limit may have held the task back in a wait that began then. */
static bool is_limited(const struct pair_scan *scan, uint64_t number, uint64_t begin_ns)
{
	const struct actor *actor = history_find_actor(scan->query->window.history, number);
	const struct snapshot_cgroup *last =
		actor ? map_get(&scan->table->limits, actor->task_id) : NULL;

	return last && begin_ns < last->limited_ns;
}

/*
 * An entry whose next task had waited for a CPU: the one it was preempted on, or after a wake-up
 * the one it runs on. False: it had not waited, or that is unknown.
 */
static bool find_wait(const struct pair_scan *scan, size_t i, struct wait *wait)
{
	const uint64_t(*numbers)[WINDOW_CHUNK] = scan->chunk.numbers;
	const uint64_t from = numbers[FROM_CPU][i];
	const bool was_preempted = numbers[PREEMPTED][i];
	const uint64_t ns = numbers[was_preempted ? OFF_NS : WAIT_NS][i];
	const uint64_t end_ns = numbers[TIME_NS][i];
	const bool is_where_it_was = was_preempted && from != UINT64_MAX;

	if (ns == SWITCH_NS_UNKNOWN)
		return false;
	*wait = (struct wait){
		.victim = numbers[NEXT][i],
		.begin_ns = end_ns > ns ? end_ns - ns : 0,
		.end_ns = end_ns,
		.first = was_preempted ? numbers[QUEUED_BY][i] : ACTOR_UNKNOWN,
		.cpu = (size_t)(is_where_it_was ? from : numbers[CPU][i]),
		.kind = was_preempted ? PAIR_PREEMPTED : PAIR_WOKEN,
	};
	wait->pair_cpu = cpu_of_pair(scan, wait->cpu);
	if (scan->table->limits.count > 0 && is_limited(scan, wait->victim, wait->begin_ns))
		wait->kind = PAIR_LIMITED;
	return true;
}

static void charge_entry(struct pair_scan *scan, size_t i)
{
	struct taker shares[TAKERS_MAX];
	struct wait wait;
	size_t count;

	if (!find_wait(scan, i, &wait))
		return;
	count = takers_split(&scan->takers, wait.cpu, wait.begin_ns, wait.end_ns, wait.first,
			     shares);
	for (size_t j = 0; j < count; j++)
		if (pair_is_wanted(scan->query->actors, wait.victim, shares[j].actor))
			pair_scan_charge(scan, &wait, &shares[j]);
}

/* An entry whose next task had been woken, and waited for the CPU that it runs on. */
static void look_at_waker(struct pair_scan *scan, size_t i)
{
	const uint64_t(*numbers)[WINDOW_CHUNK] = scan->chunk.numbers;
	const struct taker waker = {.actor = numbers[QUEUED_BY][i], .ns = numbers[WAIT_NS][i]};
	struct wait wait = {
		.victim = numbers[NEXT][i],
		.pair_cpu = cpu_of_pair(scan, (size_t)numbers[CPU][i]),
		.kind = PAIR_WOKEN,
	};

	if (numbers[PREEMPTED][i] || waker.actor == ACTOR_UNKNOWN || waker.ns == SWITCH_NS_UNKNOWN)
		return;
	if (pair_is_wanted(scan->query->actors, wait.victim, waker.actor))
		pair_scan_charge(scan, &wait, &waker);
}

/* Waits that began before the window have takers from before it. */
static uint64_t first_of(const struct window *window)
{
	const uint64_t oldest = history_first(window->history);

	return window->first - oldest > HISTORY_BLOCK ? window->first - HISTORY_BLOCK : oldest;
}

/* Before the window it is only noted. */
static void look_at_entry(struct pair_scan *scan, size_t i)
{
	const uint64_t(*numbers)[WINDOW_CHUNK] = scan->chunk.numbers;
	const bool is_inside = scan->chunk.at + i >= scan->window.first;

	switch (scan->query->form) {
	case PAIRS_WAKERS:
		look_at_waker(scan, i);
		return;
	case PAIRS_LOCKS:
		locks_look_at(scan,
			      &(struct lock_entry){
				      .address = numbers[LOCK][i],
				      .next = numbers[NEXT][i],
				      .queued_by = numbers[QUEUED_BY][i],
				      .off_ns = numbers[OFF_NS][i],
				      .wait_ns = numbers[WAIT_NS][i],
				      .time_ns = numbers[TIME_NS][i],
			      },
			      is_inside);
		return;
	case PAIRS_TAKERS:
	case PAIRS_FORMS:
		break;
	}
	if (numbers[CPU][i] != UINT64_MAX) /* recordings of tasks need not say it */
		takers_note(&scan->takers, (size_t)numbers[CPU][i], numbers[TIME_NS][i],
			    numbers[SLICE_NS][i], numbers[PREV][i], numbers[NEXT][i]);
	if (is_inside)
		charge_entry(scan, i);
}

static void scan_window(struct pair_scan *scan)
{
	const enum pairs_form form = scan->query->form;
	const struct window *window = &scan->window;
	struct window_chunk *chunk = &scan->chunk;
	uint64_t end, next;

	if (window->first >= window->end)
		return;
	chunk->at = form == PAIRS_WAKERS ? window->first : first_of(window);
	while (window_next(chunk, window->history, window->end, fields, field_counts[form])) {
		for (size_t i = 0; i < chunk->count; i++)
			look_at_entry(scan, i);
		end = chunk->at + chunk->count;
		next = window_pause(window, end);
		if (next != end) /* what ran before the gap may have ended in it */
			takers_fini(&scan->takers);
		chunk->at = next - chunk->count;
	}
}

static void add_others(struct pair_table *table)
{
	if (table->others.times == 0)
		return;
	array_reserve(&table->pairs, &table->capacity, table->count + 1, sizeof(*table->pairs));
	table->pairs[table->count++] = table->others;
}

/* Waits after wake-ups can be of the time only since when these are recorded. */
static uint64_t looked_at_ns(const struct pair_scan *scan, enum pair_kind kind)
{
	const struct snapshot *snapshot = scan->query->snapshot;
	const struct window *window = &scan->window;
	uint64_t begin_ns = window->begin_ns;

	if (kind == PAIR_WOKEN && snapshot && snapshot->first_wake_ns > begin_ns)
		begin_ns = snapshot->first_wake_ns;
	return window->end_ns > begin_ns ? window->end_ns - begin_ns : 0;
}

/* What all pairs know of each other. */
static void sum_pairs_up(struct pair_table *table, const struct pair_scan *scan)
{
	uint64_t times[2] = {0}, lost_ns[2] = {0};

	for (size_t i = 0; i < table->count; i++) {
		const struct pair *pair = &table->pairs[i];

		if (pair->is_behind)
			continue;
		times[pair->is_taken] += pair->times;
		lost_ns[pair->is_taken] += pair->lost_ns + pair->now_ns;
	}
	for (size_t i = 0; i < table->count; i++) {
		struct pair *pair = &table->pairs[i];

		pair->window_ns = looked_at_ns(scan, pair->kind);
		pair->all_times = times[pair->is_taken];
		pair->all_lost_ns = lost_ns[pair->is_taken];
	}
}

void pair_table_gather(struct pair_table *table, const struct pair_query *query)
{
	struct pair_scan scan = {
		.table = table,
		.query = query,
		.window = query->window,
		.takers.kept = query->form == PAIRS_LOCKS ? LOCK_SLICES : 0,
	};

	forget_pairs(table);
	table->others = (struct pair){
		.id = others_id,
		.cpu = -1,
		.is_others = true,
		.form = query->form,
		.victim_words = "others",
		.taker_words = "others",
	};
	if (query->snapshot)
		find_task_limits(table, query->snapshot);
	if (query->form == PAIRS_LOCKS)
		locks_cut_window(&scan.window, query->snapshot);
	for (size_t i = 0; query->containers && query->snapshot && i < query->snapshot->task_count;
	     i++)
		if (query->snapshot->tasks[i].cgroup)
			map_put(&table->residents, query->snapshot->tasks[i].id,
				&query->snapshot->tasks[i]);
	scan_window(&scan);
	if (query->form == PAIRS_LOCKS && query->snapshot)
		locks_look_at_present(&scan);
	takers_fini(&scan.takers);
	map_fini(&table->residents);
	name_pairs(table, query);
	locks_name(table, query);
	add_others(table);
	locks_link(table);
	sum_pairs_up(table, &scan);
}

const struct pair *pair_table_worst(const struct pair_table *table)
{
	const struct pair *worst = NULL;

	for (size_t i = 0; i < table->count; i++) {
		const struct pair *pair = &table->pairs[i];

		if (pair->is_others || pair->kind == PAIR_LIMITED)
			continue;
		if (!worst || pair->lost_ns > worst->lost_ns ||
		    (pair->lost_ns == worst->lost_ns && pair->id < worst->id))
			worst = pair;
	}
	return worst;
}

/* part: enum pairs_form */
static void make_pair_rows(struct rows *rows, const struct rows_input *input)
{
	struct pair_table *table = rows_keep(rows, sizeof(*table), destroy_pair_table);
	struct actor_filter actors;

	rows_reset(rows, input);
	actor_filter_init(&actors, input->request, input->snapshot);
	pair_table_gather(table, &(struct pair_query){
					 .window = window_of(input->request),
					 .by = input->request->by,
					 .form = (enum pairs_form)input->request->state.info->part,
					 .snapshot = input->snapshot,
					 .containers = input->source->getter_input.containers,
					 .actors = &actors,
					 .names = input->source->getter_input.function_names,
				 });
	actor_filter_fini(&actors);
	for (size_t i = 0; i < table->count; i++) {
		const struct pair *pair = &table->pairs[i];
		const struct view_row row = {
			.kind = ROW_PAIR,
			.id = pair->id,
			.pid = -1,
			.tid = -1,
			.pair = pair,
			.unknown = METRIC_EVENTS_UNKNOWN,
			.is_active = true,
		};

		if (!pair->is_behind && rows_pass_filter(&row, input))
			*rows_append(rows) = row;
	}
}

static const struct view_info *const forms[PAIRS_FORMS];

/* What its columns show. */

enum {
	PAIR_TIMES,
	PAIR_TIMES_S,
	PAIR_LOST,
	PAIR_LOST_S,
	PAIR_NOW,
	PAIR_TIMES_PCT,
	PAIR_LOST_PCT,
	PAIR_LOST_MEAN,
	PAIR_LOST_WORST
};

static double get_pair(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct pair *pair = row->pair;
	double lost_us, window_s;

	if (!pair)
		return NAN;
	lost_us = (double)(pair->lost_ns + pair->now_ns) / NS_PER_US;
	window_s = pair->window_ns > 0 ? (double)pair->window_ns / NS_PER_S : NAN;
	switch (part) {
	case PAIR_TIMES:
		return (double)pair->times;
	case PAIR_TIMES_S:
		return (double)pair->times / window_s;
	case PAIR_LOST:
		return lost_us;
	case PAIR_LOST_S:
		return (double)(pair->lost_ns + pair->now_inside_ns) / NS_PER_US / window_s;
	case PAIR_NOW:
		return pair->now_ns > 0 ? (double)pair->now_ns / NS_PER_US : NAN;
	case PAIR_TIMES_PCT:
		return units_pct(pair->times, pair->all_times);
	case PAIR_LOST_PCT:
		return units_pct(pair->lost_ns + pair->now_ns, pair->all_lost_ns);
	case PAIR_LOST_MEAN:
		return pair->times > 0 ? (double)pair->lost_ns / NS_PER_US / (double)pair->times
				       : NAN;
	default:
		return pair->times > 0 ? (double)pair->worst_ns / NS_PER_US : NAN;
	}
}

static struct getter_text party_words(const struct pair *pair, enum pairs_form form, bool is_taker)
{
	if (!pair || pair->form != form)
		return as_text("");
	return (struct getter_text){
		.text = is_taker ? pair->taker_words : pair->victim_words,
		.ends_in_number = !pair->is_of_names,
	};
}

static struct getter_text get_victim(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, PAIRS_TAKERS, false);
}

static struct getter_text get_taker(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, PAIRS_TAKERS, true);
}

static struct getter_text get_wait_kind(const struct getter_input *in, const struct view_row *row)
{
	const struct pair *pair = row->pair;

	return as_text(pair && !pair->is_others && pair->form == PAIRS_TAKERS
			       ? pair_kind_name(pair->kind)
			       : "");
}

/* By the bits of enum pair_relation, less one; all words there can be. */
static const char *relation_word(size_t index)
{
	static const char *const words[] = {"own", "foreign", "both", ""};

	return index < sizeof(words) / sizeof(words[0]) ? words[index] : NULL;
}

static struct getter_text get_relation(const struct getter_input *in, const struct view_row *row)
{
	const unsigned int relation = row->pair ? row->pair->relation : 0;

	return as_text(relation > 0 && relation < PAIR_UNKNOWN ? relation_word(relation - 1) : "");
}

static struct getter_text get_wakee(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, PAIRS_WAKERS, false);
}

static struct getter_text get_waker(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, PAIRS_WAKERS, true);
}

static struct getter_text get_waiter(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, PAIRS_LOCKS, false);
}

static struct getter_text get_holder(const struct getter_input *in, const struct view_row *row)
{
	return party_words(row->pair, PAIRS_LOCKS, true);
}

static struct getter_text get_lock(const struct getter_input *in, const struct view_row *row)
{
	return as_text(row->pair && row->pair->lock ? row->pair->lock->words : "");
}

static struct getter_text get_lock_address(const struct getter_input *in,
					   const struct view_row *row)
{
	return as_text(row->pair && row->pair->lock ? row->pair->lock->place : "");
}

static struct getter_text get_chain(const struct getter_input *in, const struct view_row *row)
{
	return as_text(row->pair ? row->pair->chain : "");
}

/* clang-format off */
static const struct column columns[] = {
	{ .name = "victim",     .title = "VICTIM",  .width = 23, .format = COLUMN_TEXT,     .words = get_victim, .help = "The task that waited for a CPU." },
	{ .name = "taker",      .title = "TAKER",   .width = 23, .format = COLUMN_TEXT,     .words = get_taker, .help = "A task that ran on that CPU meanwhile; of a wait that lasts for more than 4096 switches of the CPU only the last ones are known." },
	{ .name = "wait-kind",  .title = "KIND",    .width = 9,  .format = COLUMN_TEXT,     .words = get_wait_kind, .word = pair_kind_name, .help = "Why the victim waited: it was preempted, or woken while the CPU was busy (where wake-ups are recorded); limit?: it may have been the CPU limit of its cgroup." },
	{ .name = "wakee",      .title = "WAKEE",   .width = 23, .format = COLUMN_TEXT,     .words = get_wakee, .help = "The task that was woken." },
	{ .name = "waker",      .title = "WAKER",   .width = 23, .format = COLUMN_TEXT,     .words = get_waker, .help = "What woke it: a task, or an interrupt, as that of a timer or a device." },
	{ .name = "lock",       .title = "LOCK",    .width = 16, .format = COLUMN_TEXT,     .words = get_lock, .help = "What it slept on in futex(2): the variable of the program, or else what is mapped there." },
	{ .name = "lock-address", .title = "ADDRESS", .width = 14, .format = COLUMN_TEXT,     .words = get_lock_address, .help = "Where the lock is in the memory of the process." },
	{ .name = "waiter",     .title = "WAITER",  .width = 20, .format = COLUMN_TEXT,     .words = get_waiter, .help = "The task that slept until it got the lock, or was woken otherwise." },
	{ .name = "holder",     .title = "HOLDER",  .width = 20, .format = COLUMN_TEXT,     .words = get_holder, .help = "The task that had it meanwhile: of what is between two wake-ups of tasks that wait for the lock, the one that did the second; an interrupt, when the time of the wait was over." },
	{ .name = "chain",      .title = "BEHIND", .width = 30, .format = COLUMN_TEXT,     .words = get_chain, .help = "For which other lock the holder itself waited meanwhile, and for its holder; and so on. Tasks that wait now for each other in a circle are in a deadlock." },
	{ .name = "relation",   .title = "RELATION", .width = 8,  .format = COLUMN_TEXT,     .needs = COLUMN_NEEDS_CGROUPS, .words = get_relation, .word = relation_word, .help = "Whether the two are in the same container, or both outside of any (own), or not (foreign); of pairs of names it may be both. Not known once one of them has ended." },
	{ .name = "times",      .title = "TIMES",   .width = 7,  .format = COLUMN_INTEGER,  .descends = true, .number = get_pair, .part = PAIR_TIMES, .help = "In how many waits of the victim, or how often it was woken; a wait is counted when it runs again.", .good = "Few; many mean that the two compete for a CPU." },
	{ .name = "times/s",    .title = "TIMES/s", .width = 7,  .format = COLUMN_SI,       .descends = true, .number = get_pair, .part = PAIR_TIMES_S, .help = "How often per second of the window.", .good = "Below 10; hundreds mean that the two compete for a CPU." },
	{ .name = "times%",     .title = "TIMES %", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, .number = get_pair, .part = PAIR_TIMES_PCT, .help = "Share of the times of all pairs; of chosen tasks those that they took, or woke, are apart.", .good = "Small shares; a large one is worth a look first." },
	{ .name = "lost",       .title = "LOST",    .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST, .help = "How long the victim waited while the taker ran.", .good = "Near 0." },
	{ .name = "lost/s",     .title = "LOST/s",  .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST_S, .help = "How long the victim waited while the taker ran, per second of the window.", .good = "Below 1 ms/s, a thousandth of the time." },
	{ .name = "delay",      .title = "DELAY",   .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST, .help = "How long the task that was woken waited for a CPU from then on.", .good = "Near 0." },
	{ .name = "delay/s",    .title = "DELAY/s", .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST_S, .help = "How long the task that was woken waited for a CPU from then on, per second of the window.", .good = "Below 1 ms/s, a thousandth of the time." },
	{ .name = "held",       .title = "HELD",    .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST, .help = "How long the waiter slept while the holder had the lock; waits that go on (NOW) are in it.", .good = "Near 0; of a queue without work, or a thread that waits for another's end, it says nothing." },
	{ .name = "held/s",     .title = "HELD/s",  .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST_S, .help = "How long the waiter slept while the holder had the lock, per second of the window.", .good = "Below 10 ms/s, a hundredth of the time." },
	{ .name = "waits-now",  .title = "NOW",     .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_NOW, .help = "How long the holder has had the lock by now in a wait that goes on, which is in HELD and not yet in TIMES; seen of locks that say what has them, as mutexes of glibc do, if perftop may read the memory of the process.", .good = "Unknown, or short; a deadlock (BEHIND) does not end." },
	{ .name = "lost%",      .title = "LOST %", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, .number = get_pair, .part = PAIR_LOST_PCT, .help = "Share of the time lost, or of the delay, of all pairs; of chosen tasks those that they took, or woke, are apart.", .good = "Small shares; a large one is worth a look first." },
	{ .name = "lost-mean",  .title = "MEAN",    .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST_MEAN, .help = "Average time lost, or delay, per wait.", .good = "Below what the victim can wait; 4 ms is a full time slice of the scheduler." },
	{ .name = "lost-worst", .title = "WORST",   .width = 7,  .format = COLUMN_DURATION, .descends = true, .number = get_pair, .part = PAIR_LOST_WORST, .help = "Most time lost, or delay, in one wait.", .good = "Below what the victim can wait." },
};
/* clang-format on */

static bool pair_has_word(const struct getter_input *in, const struct view_row *row,
			  const char *word)
{
	const struct pair *pair = row->pair;

	return text_contains(pair->victim_words, word) || text_contains(pair->taker_words, word) ||
	       (pair->lock && text_contains(pair->lock->words, word));
}

static bool pair_task_fits(const struct filter_term *term, const struct view_row *row,
			   bool is_second)
{
	return filter_party_fits(term,
				 is_second ? row->pair->taker_words : row->pair->victim_words);
}

const struct row_kind_info kind_pair = {
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.has_word = pair_has_word,
	.task_fits = pair_task_fits,
};

const char *const pairs_by_names[] = {
	[BY_TASK] = "task",
	[BY_NAME] = "name",
	[BY_CPU] = "cpu",
	[BY_CONTAINER] = "container",
};

static void write_pair_mode(struct strbuf *out, const struct view_request *request,
			    const struct session *session)
{
	char form[SETTING_WORD_MAX];

	setting_word(&setting_table[SETTING_pairs], request->settings.pairs, form);
	if (request->settings.pairs != PAIRS_TAKERS)
		strbuf_add(out, form);
	if (request->by != BY_TASK)
		strbuf_printf(out, "%sby %s", out->length > 0 ? ", " : "",
			      pairs_by_names[request->by]);
}

/* clang-format off */
#define EACH_FORM \
	.name = "pairs", \
	.kind = ROW_PAIR, \
	.filtered = ROW_PAIR, \
	.forms = forms, \
	.form = SETTING_pairs, \
	.to_next_form = "pairs", \
	.passing = "pairs", \
	.write_mode = write_pair_mode, \
	.needs_history = true, \
	.has_window = true, \
	.make_rows = make_pair_rows, \
	.keys = "task,window,by,next-form,sort-right,ask search,ask filter,ask hand-over"

const struct view_info view_pairs = {
	EACH_FORM,
	.columns = "victim,taker,wait-kind,relation,cpu,times,times/s,lost/s,lost,lost-mean,lost-worst",
	.essential = "victim,taker,lost",
	.sort = "lost",
	.needs = COLUMN_NEEDS_WAKEUPS | COLUMN_NEEDS_LIMITS,
	.next_form = "wakers",
	.help = "Which task ran while which other one waited for the CPU, preempted or woken, how often, and how long; or which one woke which.",
};

static const struct view_info wakers = {
	EACH_FORM,
	.columns = "wakee,waker,relation,cpu,times,times/s,delay/s,delay,lost-mean,lost-worst",
	.essential = "wakee,waker,delay",
	.sort = "delay",
	.needs = COLUMN_NEEDS_WAKEUPS,
	.part = PAIRS_WAKERS,
	.next_form = "locks",
	.help = "Which task woke which, how often, and how long the one that was woken waited for a CPU then.",
};

static const struct view_info locks = {
	EACH_FORM,
	.columns = "lock,waiter,holder,relation,times,times/s,held/s,held,waits-now,lost-mean,lost-worst,lock-address,chain",
	.essential = "lock,holder,held",
	.sort = "held",
	.has_frames = true,
	.needs = COLUMN_NEEDS_WAKEUPS | COLUMN_NEEDS_STATES,
	.part = PAIRS_LOCKS,
	.next_form = "takers",
	.help = "For which lock tasks slept in futex(2), which task had it meanwhile, how often, and how long; and for what that one waited itself.",
};
#undef EACH_FORM
/* clang-format on */

static const struct view_info *const forms[PAIRS_FORMS] = {
	[PAIRS_TAKERS] = &view_pairs,
	[PAIRS_WAKERS] = &wakers,
	[PAIRS_LOCKS] = &locks,
};
