#ifndef PERFTOP_VIEW_PAIRS_H
#define PERFTOP_VIEW_PAIRS_H

/*
 * Which tasks disturb which: for each task that had to wait for a CPU, pushed out of it or woken,
 * the tasks that ran on it until the victim did, in how many of its waits, and for how long. A wait
 * is entered when the victim runs again, in the window in which that is; its parts add up to it,
 * but for idle time. Waits after wake-ups are known where these are recorded.
 *
 * Or which tasks wake which: then the taker is the waker of the victim, and lost is how long that
 * waited for a CPU from then on.
 *
 * Or which tasks keep which waiting by a lock: the victim slept in futex(2), and the taker is the
 * task that had the lock meanwhile: of what is between two of its wake-ups, the one that did the
 * second. Without a wake-up by a task, the whole is that of what woke it. Waits that go on are
 * known of locks that say what has them. Each is a form of the view.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/table.h"
#include "view/window.h"

enum {
	PAIRS_MAX = 65536, /* listed; the others are one pair behind them */
	PAIR_CHAIN_MAX = 4 /* locks behind that of a pair that are shown */
};

/* Bits: whether the two are in the same container, or both outside all containers. */
enum pair_relation {
	PAIR_OWN = 1,
	PAIR_FOREIGN = 2,
	PAIR_UNKNOWN = 4
};

extern const char *const pairs_by_names[BY_CONTAINER + 1]; /* by enum view_by */

/* What preceded the victim's waits. */
enum pair_kind {
	PAIR_PREEMPTED,
	PAIR_WOKEN,
	PAIR_LIMITED, /* either, or the CPU limit of its cgroup held the victim back meanwhile */
	PAIR_KINDS
};

/* NULL: there are no more. */
static inline const char *pair_kind_name(size_t kind)
{
	static const char *const names[PAIR_KINDS] = {"preempted", "woken", "limit?"};

	return kind < PAIR_KINDS ? names[kind] : NULL;
}

/* A futex of a process. */
struct pair_lock {
	uint64_t address;
	int32_t pid;
	char place[20]; /* the address in words */
	char words[96]; /* raw bytes: the variable, "queue+0x18", or else what is mapped there,
			   "[heap]";
			   "": not known, or not yet */
};

/* The words of the setting `pairs`. */
enum pairs_form {
	PAIRS_TAKERS,
	PAIRS_WAKERS,
	PAIRS_LOCKS,
	PAIRS_FORMS
};

struct pair {
	uint64_t id;            /* stays the same from making to making */
	uint64_t victim, taker; /* actors; by name: of the first that had it */
	int32_t cpu;            /* -1 unless BY_CPU: that for which the victim waited */
	enum pair_kind kind;    /* of takers */
	unsigned int relation;  /* of all its waits */
	bool is_of_names;       /* BY_NAME, BY_CONTAINER: the words have no numbers behind them */
	enum pairs_form form;
	const struct pair_lock *lock; /* of locks; NULL: not known (is_others) */
	bool is_behind; /* of locks: neither is one of the query's actors, it is for `behind` alone
			 */
	const struct pair *behind; /* of locks: the taker itself waited for another one meanwhile,
				      the last time; NULL: not seen to */
	size_t behind_index;       /* of that, + 1; 0: none */
	bool is_deadlock;          /* one waits for the other, and so on, up to the victim itself */
	char *chain;               /* owned by the table; that one and those behind it in words,
				      NULL: none */
	bool is_others;            /* all pairs beyond PAIRS_MAX */
	bool is_taken;             /* the victim is none of the query's actors, the taker is */
	uint64_t times;            /* waits in which the taker ran */
	uint64_t lost_ns;          /* of the victim's waits: while the taker ran */
	uint64_t worst_ns;         /* most of that in one wait */
	uint64_t now_ns;           /* of locks: in waits that go on, which are in none of these */
	uint64_t now_inside_ns;    /* of that: since the window began */
	uint64_t all_times, all_lost_ns; /* of all pairs that are taken, or not, as this one */
	uint64_t window_ns;              /* of all pairs of its kind: how long was looked at */
	char victim_words[48],
		taker_words[48]; /* raw bytes: "nginx 4711"; by name without the number */
};

/* What is behind that one in the chain of the pair; NULL: nothing, or the chain is a circle. */
static inline const struct pair *pair_chain_next(const struct pair *pair, const struct pair *each)
{
	return each->behind == pair || each->behind == pair->behind ? NULL : each->behind;
}

struct containers;

struct pair_query {
	struct window window;
	enum view_by by;
	enum pairs_form form;
	/* says which tasks a limit holds back, and in which containers they are; NULL: unknown */
	const struct snapshot *snapshot;
	struct containers *containers;      /* with a snapshot; NULL: they are unknown */
	struct actor_filter *actors;        /* one of these takes part in each; NULL: any task */
	const struct function_names *names; /* of locks; NULL: none are known */
};

/* Pairs, and what finds them. Memory is kept from gathering to gathering. */
struct pair_table; /* opaque */

struct pair_table *pair_table_create(void);
void pair_table_destroy(struct pair_table *table); /* NULL is allowed */

void pair_table_gather(struct pair_table *table, const struct pair_query *query);

/* The pair that lost most, of those that no CPU limit may explain; NULL: there is none. */
const struct pair *pair_table_worst(const struct pair_table *table);

#endif
