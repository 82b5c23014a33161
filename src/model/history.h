#ifndef PERFTOP_MODEL_HISTORY_H
#define PERFTOP_MODEL_HISTORY_H

/*
 * The last so many context switches, oldest dropped first.
 *
 * Each entry has a sequence number, counted from 0 and never used again; entries
 * [history_first, history_end) are there. Numbers below history_settled() keep their entries for
 * ever; those above may still be put into order, since CPUs are heard one after the other: an entry
 * that comes late is inserted by its time. Entries of one CPU stay in the order of their adding.
 *
 * Settled entries are in blocks that never change, so that a copy shares them and costs next to
 * nothing. Numbers take 32 bits or less, and those that need more a place of their own: a switch
 * with six events takes some 75 bytes.
 *
 * Memory is bounded by the capacity, whatever happens.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

struct slice;

/*
 * One context switch as the log shows it: the outgoing task, why, the sums of its slice, the
 * incoming task, and for how long that one had been away.
 *
 * The slices of a CPU follow each other without a gap: what a CPU counts between two switches is
 * the slice of the second. Time of an unknown task is a slice of ACTOR_UNKNOWN,
 * idle time one of ACTOR_IDLE. So the slices of a CPU add up to what it counted, to the last digit.
 */
enum switch_how {
	SWITCH_UNKNOWN,   /* no record says */
	SWITCH_PREEMPTED, /* it could have run on; a yield looks the same where none is reported */
	SWITCH_BLOCKED,   /* it went to sleep, or waits for something */
	SWITCH_YIELDED,   /* sched_yield(2) */
	SWITCH_EXITED,
	SWITCH_IDLE, /* the CPU had nothing to do, and now it has */
	SWITCH_HOWS
};

/* "preempted"; "" for a value that is none */
const char *switch_how_name(enum switch_how how);

/*
 * What takes part in a switch: a task under the name that it had then; while none was known,
 * under the first one that became known. Numbers are never used again; two actors are the same task
 * when their task_id is the same.
 */
enum {
	ACTOR_UNKNOWN = 0,
	ACTOR_IDLE = 1,
	ACTOR_FIRST = 2 /* the first task */
};

struct actor {
	uint64_t number;
	uint64_t task_id;         /* snapshot_task.id; 0: none */
	int32_t pid, tid;         /* 0: idle; -1: unknown */
	char name[TASK_NAME_MAX]; /* raw bytes; "idle" for ACTOR_IDLE, "" unknown */
};

/* A time that is not known. */
#define SWITCH_NS_UNKNOWN UINT64_MAX

struct switch_entry {
	uint64_t time_ns;  /* of the switch, record time */
	uint64_t slice_ns; /* run time of the slice that ends, as the CPU counted it; where tasks
			      are watched and not CPUs it may be unknown */
	uint64_t off_ns;   /* how long the incoming task was off the CPUs, since its last switch */
	uint64_t wait_ns;  /* of that: runnable, waiting for a CPU: all of it after a preemption,
			      from the wake-up on after a sleep */
	uint64_t prev, next; /* actors */
	uint64_t queued_by;  /* what made the incoming task wait for a CPU: what had preempted it,
				else what had woken it, ACTOR_IDLE: an interrupt;
				ACTOR_UNKNOWN */
	uint64_t lock;       /* address of the futex on which the incoming task slept, while sleeps
				are looked at (states.h); 0: none, or unknown */
	int32_t cpu;         /* below TOPOLOGY_CPUS_MAX; -1: unknown, in recordings of tasks that do
				not have it */
	int32_t from_cpu;    /* where the incoming task had run before; -1: unknown, or never */
	enum switch_how how;
	uint8_t state;           /* enum task_state, in which the outgoing task left; not idle's */
	bool next_was_preempted; /* off_ns is a preempted wait */
	bool has_counts;         /* false: no readings at switches are available, counts are zero */
	const uint64_t *counts; /* the slice's counts vector, all indexes of the layout; NULL: none,
				   or those of `whole` */
	const struct slice *whole; /* NULL, or the only one that is in them; history_add() alone */
};

/* A switch of which nothing is known. */
extern const struct switch_entry switch_unknown;

/* Which way of blocking it was, to be written behind its name: " D", the state; "" in other ways,
 * or where the state is unknown. */
const char *switch_how_mark(const struct switch_entry *entry);

struct history; /* opaque */
struct history_actors;

enum {
	HISTORY_BLOCK = 2048 /* entries that are sealed together, and dropped together */
};

/*
 * capacity: switches to keep at least; not 0. It is rounded up to whole blocks, and there is one
 * more of them, since the oldest block goes as a whole: history_capacity() is never exceeded.
 * width: of a counts vector (layout_width()).
 */
struct history *history_create(size_t capacity, size_t width);

/* What idle is called from now on; "idle" at first. */
void history_name_idle(struct history *history, const char *name);
void history_destroy(struct history *history); /* NULL is allowed */

/* As it is now, for as long as it is kept; nothing can be added to it. */
struct history *history_copy(const struct history *history);

/*
 * Of a copy: what happened later than this is not there from now on, until another time is given.
 * UINT64_MAX: all of it is there, as at first.
 */
void history_show(struct history *copy, uint64_t time_ns);

/* Counts vectors are longer from now on; entries of before have zeros there. */
void history_widen(struct history *history, size_t width);

/*
 * A new actor: this task as it is named now. Its number may be given until it is old: some 60 000
 * more have come since. An old one goes when no entry names it any more.
 */
uint64_t history_add_actor(struct history *history, const struct snapshot_task *task);

/* That say whether one may still be given (history_actors_ask()). As long as the history is. */
const struct history_actors *history_actors(const struct history *history);

/* The task's first name has become known: its actor, if it had none, gets it, so that the entries
 * of before show it too. Copies stay as they are. */
void history_name_actor(struct history *history, uint64_t number, const struct snapshot_task *task);

/* NULL: not kept any more. ACTOR_UNKNOWN and ACTOR_IDLE are always there. Good until the next
 * history_add_actor(). */
const struct actor *history_find_actor(const struct history *history, uint64_t number);

/*
 * Adds an entry; left and came must be kept, a queued_by that is not becomes ACTOR_UNKNOWN. Without
 * counts all are zeros. Nothing is borrowed. The builtin indexes of counts are not kept: they are
 * given back as the slice's run time (0 where it is unknown), one switch, and one preemption if
 * that is how it ended (or it yielded), all others 0.
 */
void history_add(struct history *history, const struct switch_entry *entry);

/* Nothing earlier than this will be added any more. */
void history_settle(struct history *history, uint64_t time_ns);

uint64_t history_first(const struct history *history);   /* the oldest that is there */
uint64_t history_settled(const struct history *history); /* below it they keep their numbers */
uint64_t history_end(const struct history *history);     /* one behind the newest */
size_t history_capacity(const struct history *history);
size_t history_width(const struct history *history);

/* Memory it takes now, its own blocks or not. */
size_t history_bytes(const struct history *history);

/*
 * Gives entry `sequence`, which is there. counts: room for history_width() numbers, to which
 * entry->counts then points; NULL: they are not wanted, entry->counts is NULL.
 */
void history_get(const struct history *history, uint64_t sequence, struct switch_entry *entry,
		 uint64_t *counts);

/* One number of an entry, for code that looks at many. */
enum history_field {
	HISTORY_TIME_NS,
	HISTORY_SLICE_NS,
	HISTORY_OFF_NS,
	HISTORY_WAIT_NS,
	HISTORY_PREV,
	HISTORY_NEXT,
	HISTORY_QUEUED_BY,
	HISTORY_CPU,
	HISTORY_FROM_CPU, /* as uint64_t; UINT64_MAX: unknown */
	HISTORY_HOW,
	HISTORY_STATE,
	HISTORY_NEXT_WAS_PREEMPTED,
	HISTORY_HAS_COUNTS,
	HISTORY_LOCK,
	HISTORY_FIELDS
};
uint64_t history_number(const struct history *history, uint64_t sequence, enum history_field field);

/*
 * Numbers of a run of entries, which all are there: out[i] = that of entry from + i. The
 * fast way for scans: some ns a number.
 */
void history_numbers(const struct history *history, uint64_t from, size_t count,
		     enum history_field field, uint64_t *out);

/* The same for counts: out[i * history_width() + value_index]. */
void history_counts(const struct history *history, uint64_t from, size_t count, uint64_t *out);

/* The first entry that is not earlier than time_ns; history_end() when all are. */
uint64_t history_seek(const struct history *history, uint64_t time_ns);

#endif
