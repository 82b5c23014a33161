/* A lock is taken as a CPU is: what runs there has it, from one wake-up to the next (takers). */

#include "view/locks.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/pair_scan.h"

enum {
	LOCKS_MAX = 8192 /* all others are one that is not known */
};

/* NULL: it is one of too many. */
static const struct pair_lock *find_lock(struct pair_table *table, int32_t pid, uint64_t address)
{
	const uint64_t key = hash_mix(hash_mix(1, (uint32_t)pid), address);
	const size_t found = (size_t)(uintptr_t)map_get(&table->by_lock, key);
	struct pair_lock *lock;

	if (found > 0)
		return &table->locks[found - 1];
	if (table->lock_count == LOCKS_MAX)
		return NULL;
	if (!table->locks)
		table->locks = xcalloc(LOCKS_MAX, sizeof(*table->locks));
	lock = &table->locks[table->lock_count++];
	*lock = (struct pair_lock){.address = address, .pid = pid};
	snprintf(lock->place, sizeof(lock->place), "0x%" PRIx64, address);
	map_put(&table->by_lock, key, (void *)(uintptr_t)table->lock_count);
	return lock;
}

/*
 * A wait for a lock whose next task has slept in futex(2). What woke it is noted as the holder of
 * the lock since the wake-up before. False: there was none; or a timer ended it, as it does where
 * a condition or a semaphore is waited for with a time limit, and no task has held anything.
 */
static bool find_lock_wait(struct pair_scan *scan, const struct lock_entry *entry,
			   struct wait *wait)
{
	const uint64_t waited_ns = entry->wait_ns, off_ns = entry->off_ns;
	const uint64_t end_ns = entry->time_ns;
	const struct actor *victim;

	if (entry->address == 0 || off_ns == SWITCH_NS_UNKNOWN || entry->queued_by == ACTOR_IDLE)
		return false;
	victim = history_find_actor(scan->query->window.history, entry->next);
	*wait = (struct wait){
		.victim = entry->next,
		.begin_ns = end_ns > off_ns ? end_ns - off_ns : 0,
		.end_ns = end_ns - (waited_ns < off_ns ? waited_ns : 0),
		.first = entry->queued_by,
		.pair_cpu = -1,
		.lock = find_lock(scan->table, victim ? victim->pid : -1, entry->address),
	};
	if (wait->lock && wait->first >= ACTOR_FIRST)
		takers_note(&scan->takers, (size_t)(wait->lock - scan->table->locks), wait->end_ns,
			    SWITCH_NS_UNKNOWN, wait->first, ACTOR_UNKNOWN);
	return true;
}

static size_t split_lock_wait(const struct pair_scan *scan, const struct wait *wait,
			      struct taker shares[static TAKERS_MAX])
{
	if (wait->lock && wait->first >= ACTOR_FIRST)
		return takers_split(&scan->takers, (size_t)(wait->lock - scan->table->locks),
				    wait->begin_ns, wait->end_ns, wait->first, shares);
	shares[0] = (struct taker){.actor = wait->first, .ns = wait->end_ns - wait->begin_ns};
	return 1;
}

/* The taker waited for another lock while the victim waited for this one. */
static void link_lock_waits(struct pair_scan *scan, struct pair *pair, const struct wait *wait,
			    uint64_t taker)
{
	struct pair_table *table = scan->table;
	const size_t number = pair_table_party(table, scan->query, taker);
	const struct party *party = number > 0 ? &table->parties[number - 1] : NULL;

	if (party && party->lock_pair > 0 && pair != &table->others &&
	    party->lock_begin_ns < wait->end_ns && party->lock_end_ns > wait->begin_ns &&
	    table->pairs[party->lock_pair - 1].lock != wait->lock)
		pair->behind_index = party->lock_pair;
}

/* The victim's; most of it was lost in this pair, + 1. */
static void note_last_wait(struct pair_scan *scan, const struct wait *wait, size_t pair)
{
	struct pair_table *table = scan->table;
	struct party *party =
		&table->parties[pair_table_party(table, scan->query, wait->victim) - 1];

	party->lock_pair = pair;
	party->lock_begin_ns = wait->begin_ns;
	party->lock_end_ns = wait->end_ns;
}

static void charge_lock_wait(struct pair_scan *scan, struct wait *wait)
{
	struct pair_table *table = scan->table;
	struct taker shares[TAKERS_MAX];
	const size_t count = split_lock_wait(scan, wait, shares);
	uint64_t most_ns = 0;
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		struct pair *pair;

		pair = pair_scan_charge(scan, wait, &shares[i]);
		pair->is_behind =
			!pair_is_wanted(scan->query->actors, wait->victim, shares[i].actor);
		link_lock_waits(scan, pair, wait, shares[i].actor);
		if (shares[i].ns >= most_ns && pair != &table->others) {
			most_ns = shares[i].ns;
			most = (size_t)(pair - table->pairs) + 1;
		}
	}
	if (most > 0)
		note_last_wait(scan, wait, most);
}

void locks_cut_window(struct window *window, const struct snapshot *snapshot)
{
	uint64_t end;

	if (!snapshot || !window->history)
		return;
	if (snapshot->lock_wait_count > 0 && window->first < window->end) {
		end = history_seek(window->history, snapshot->time_ns + 1);
		window->end = end < window->end ? end : window->end;
		window->end_ns = snapshot->time_ns;
	}
	window_begin_at(window, snapshot->states_since_ns);
}

void locks_look_at(struct pair_scan *scan, const struct lock_entry *entry, bool is_inside)
{
	struct wait wait;

	if (find_lock_wait(scan, entry, &wait) && is_inside)
		charge_lock_wait(scan, &wait);
}

/* False: one of its tasks is not known any more. */
static bool find_present_wait(struct pair_scan *scan, const struct snapshot_lock_wait *now,
			      struct wait *wait)
{
	const struct history *history = scan->query->window.history;
	const struct actor *waiter = history ? history_find_actor(history, now->waiter) : NULL;

	if (!waiter || now->waiter < ACTOR_FIRST || now->holder < ACTOR_FIRST ||
	    !history_find_actor(history, now->holder))
		return false;
	*wait = (struct wait){
		.victim = now->waiter,
		.begin_ns = now->since_ns,
		.end_ns = scan->query->snapshot->time_ns,
		.first = now->holder,
		.pair_cpu = -1,
		.lock = find_lock(scan->table, waiter->pid, now->lock),
	};
	return true;
}

/* What has it now has had it since the last wake-up, and others before: as when it is over. */
static size_t split_present_wait(struct pair_scan *scan, const struct wait *wait,
				 struct taker shares[static TAKERS_MAX])
{
	if (wait->lock)
		takers_run(&scan->takers, (size_t)(wait->lock - scan->table->locks), wait->first);
	return split_lock_wait(scan, wait, shares);
}

/* What of it is inside the window. */
static void enter_present_part(struct pair_scan *scan, struct wait *wait)
{
	struct taker shares[TAKERS_MAX];
	struct wait part = *wait;
	size_t count;

	if (part.begin_ns < scan->window.begin_ns)
		part.begin_ns = scan->window.begin_ns;
	if (part.begin_ns >= part.end_ns)
		return;
	count = split_present_wait(scan, &part, shares);
	for (size_t i = 0; i < count; i++)
		pair_scan_find(scan, wait, shares[i].actor)->now_inside_ns += shares[i].ns;
}

static void enter_present_wait(struct pair_scan *scan, struct wait *wait)
{
	struct pair_table *table = scan->table;
	struct taker shares[TAKERS_MAX];
	const size_t count = split_present_wait(scan, wait, shares);

	enter_present_part(scan, wait);
	for (size_t i = 0; i < count; i++) {
		struct pair *pair = pair_scan_find(scan, wait, shares[i].actor);

		if (pair == &table->others)
			continue;
		pair->is_behind =
			!pair_is_wanted(scan->query->actors, wait->victim, shares[i].actor);
		pair->now_ns += shares[i].ns;
		if (shares[i].actor == wait->first)
			note_last_wait(scan, wait, (size_t)(pair - table->pairs) + 1);
	}
}

/* The holder itself waits now. */
static void link_present_wait(struct pair_scan *scan, struct wait *wait, bool is_deadlock)
{
	struct pair *pair = pair_scan_find(scan, wait, wait->first);

	if (pair == &scan->table->others)
		return;
	link_lock_waits(scan, pair, wait, wait->first);
	pair->is_deadlock |= is_deadlock;
}

void locks_look_at_present(struct pair_scan *scan)
{
	const struct snapshot *snapshot = scan->query->snapshot;
	struct wait wait;

	for (size_t i = 0; i < snapshot->lock_wait_count; i++)
		if (find_present_wait(scan, &snapshot->lock_waits[i], &wait))
			enter_present_wait(scan, &wait);
	for (size_t i = 0; i < snapshot->lock_wait_count; i++)
		if (find_present_wait(scan, &snapshot->lock_waits[i], &wait))
			link_present_wait(scan, &wait, snapshot->lock_waits[i].is_deadlock);
}

void locks_name(struct pair_table *table, const struct pair_query *query)
{
	for (size_t i = 0; i < table->lock_count; i++) {
		struct pair_lock *lock = &table->locks[i];
		const struct variable_name name =
			function_names_variable(query->names, lock->pid, lock->address);

		if (name.offset > 0)
			snprintf(lock->words, sizeof(lock->words), "%.70s+0x%" PRIx64, name.name,
				 name.offset);
		else
			snprintf(lock->words, sizeof(lock->words), "%s",
				 name.name[0] != '\0' ? name.name : name.object);
	}
}

/* "lock_2: db 44; lock_7: cache 12"; "deadlock; lock_2: db 44". */
static char *write_chain(const struct pair *pair)
{
	const struct pair *each = pair->behind;
	struct strbuf text = {0};

	if (pair->is_deadlock)
		strbuf_add(&text, "deadlock");
	for (size_t i = 0; each && i < PAIR_CHAIN_MAX; i++, each = pair_chain_next(pair, each)) {
		strbuf_add(&text, text.text ? "; " : "");
		if (each->lock && each->lock->words[0] != '\0')
			strbuf_add(&text, each->lock->words);
		else if (each->lock)
			strbuf_printf(&text, "0x%" PRIx64, each->lock->address);
		strbuf_printf(&text, ": %s", each->taker_words);
	}
	return text.text;
}

void locks_link(struct pair_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->pairs[i].behind_index > 0)
			table->pairs[i].behind = &table->pairs[table->pairs[i].behind_index - 1];
	for (size_t i = 0; i < table->count; i++) {
		struct pair *pair = &table->pairs[i];

		pair->is_deadlock = pair->is_deadlock && !pair->is_of_names;
		if (pair->behind || pair->is_deadlock)
			pair->chain = write_chain(pair);
	}
}
