#ifndef PERFTOP_VIEW_PAIR_SCAN_H
#define PERFTOP_VIEW_PAIR_SCAN_H

/* How pairs are made of the entries of a history: what pairs.c and locks.c share. */

#include "base/map.h"
#include "view/pairs.h"
#include "view/takers.h"

/* A victim waits for a CPU. */
struct wait {
	uint64_t victim; /* actor */
	uint64_t begin_ns, end_ns;
	uint64_t first; /* actor on the CPU when the wait began, if no slice shows it */
	size_t cpu;
	int32_t pair_cpu;             /* -1 unless BY_CPU */
	const struct pair_lock *lock; /* NULL: it is for a CPU */
	enum pair_kind kind;
	bool is_taken; /* as of its pair */
};

struct party {
	uint64_t identity; /* task id, or a hash of the name */
	uint64_t actor;
	size_t next;  /* of the same identity, + 1; 0: none */
	bool is_many; /* it has several tasks */
	/* The wait for a lock that ended last: its pair, + 1, in which most was lost; 0: none. */
	size_t lock_pair;
	uint64_t lock_begin_ns, lock_end_ns;
	char words[48];
};

struct pair_table {
	struct pair *pairs; /* owned */
	size_t count, capacity;
	struct party *parties; /* owned */
	size_t party_count, party_capacity;
	struct pair_lock *locks; /* owned; they do not move; NULL: none was found */
	size_t lock_count;
	struct map by_lock;     /* hash of process and address to lock + 1 */
	struct map by_actor;    /* number to party + 1 */
	struct map by_identity; /* to party + 1 */
	struct map by_key;      /* to pair + 1 */
	struct map residents;   /* tasks with a cgroup, by id; only while entries are looked at */
	struct map containers;  /* of actors, by number: names, or `unknown` */
	struct map limits;      /* of tasks, by id: the cgroup of which a limit was reached last */
	struct pair others;
};

/* What a pair is made of while entries are looked at. */
struct pair_scan {
	struct pair_table *table;
	const struct pair_query *query;
	struct window window; /* the query's, as far as its entries can say it */
	struct takers takers;
	struct window_chunk chunk;
};

/* A task in a wanted pair is a party, as long as there is room for pairs: its number, + 1; 0: it is
 * none. */
size_t pair_table_party(struct pair_table *table, const struct pair_query *query, uint64_t number);

bool pair_is_wanted(struct actor_filter *actors, uint64_t victim, uint64_t taker);

/* The pair of these two, or that of all others if there is no room for more. */
struct pair *pair_scan_find(struct pair_scan *scan, struct wait *wait, uint64_t taker);

/* Enters in it what the victim lost of the wait while the taker ran. */
struct pair *pair_scan_charge(struct pair_scan *scan, struct wait *wait, const struct taker *taker);

#endif
