#ifndef PERFTOP_VIEW_LOCKS_H
#define PERFTOP_VIEW_LOCKS_H

/* The pairs of what waited for a lock and what had it (pairs.h): how the entries of a history make
 * them, what their locks are called, and for which other lock a holder waited itself. */

#include <stdbool.h>
#include <stdint.h>

struct pair_query;
struct pair_scan;
struct pair_table;
struct snapshot;
struct window;

enum {
	LOCK_SLICES = 64 /* kept of each: what had it before is unknown */
};

/* What an entry says of the task that comes to a CPU. */
struct lock_entry {
	uint64_t address;         /* of the futex on which it slept; 0: none */
	uint64_t next, queued_by; /* actors: itself, and what woke it */
	uint64_t off_ns, wait_ns, time_ns;
};

/* The waits that go on are as of the snapshot, and so are those that are over. Before states were
 * asked for it is not known for what tasks slept. */
void locks_cut_window(struct window *window, const struct snapshot *snapshot);

/* Before the window an entry is only noted: what woke the task has had the lock. */
void locks_look_at(struct pair_scan *scan, const struct lock_entry *entry, bool is_inside);

/* Behind all entries: the waits that go on. */
void locks_look_at_present(struct pair_scan *scan);

/* When all were looked at: "queue+0x18"; of what is no variable "[heap]". */
void locks_name(struct pair_table *table, const struct pair_query *query);

/* Pairs, which have the names of their tasks, do not move any more: each gets what is behind it. */
void locks_link(struct pair_table *table);

#endif
