#ifndef PERFTOP_SOURCE_TASKS_WATCHED_H
#define PERFTOP_SOURCE_TASKS_WATCHED_H

/*
 * One watched thread: its groups of counters, and where they are available the rings of its
 * births (at once) and of its switches (in batches).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/ring.h"
#include "source/plan/plan.h"

enum watched_stream {
	WATCHED_BIRTHS,
	WATCHED_SWITCHES,
	WATCHED_STREAMS
};

/* What of a thread is to be delivered next in a round. */
enum watched_phase {
	WATCHED_FACTS,    /* once: which task it is */
	WATCHED_BASELINE, /* and a reading to count from, as again for other counters */
	WATCHED_RINGS,    /* what they hold is merged with that of the others */
	WATCHED_READINGS,
	WATCHED_COUNTS,  /* switches from /proc, where no ring reports them, or not all */
	WATCHED_DELAY,   /* and how long it waited, where that is wanted */
	WATCHED_END,     /* it has exited and everything of it was read */
	WATCHED_RENAMED, /* and goes on under another id */
	WATCHED_DONE     /* nothing more this round */
};

struct watched;

/* The next record of a ring, in a round. */
struct watched_ring {
	struct watched *owner;
	enum watched_stream stream;
	const void *bytes;
	size_t size;
};

struct watched {
	int32_t pid, tid;
	int32_t new_tid; /* under which it goes on after execve(2) by this thread; 0: none */
	struct bundle bundle;
	int fds[WATCHED_STREAMS];
	struct ring rings[WATCHED_STREAMS];
	struct watched_ring next_of[WATCHED_STREAMS];
	bool is_introduced;        /* facts and baseline were delivered */
	bool is_gone;              /* it has exited: its last values are read once more */
	bool is_replaced;          /* another thread has its id by now: its exit is not reported */
	bool is_survived;          /* it has exited, and its process goes on, by now or so far */
	bool begins_anew;          /* its counters were changed: their baseline is due */
	bool goes_on;              /* its counters have counted before: for another id, or plan */
	uint64_t start_ticks;      /* as in struct proc_task; 0: not known */
	bool counts_were_reported; /* its switches so far, from /proc */
	bool delay_was_reported;   /* its wait so far */
	bool has_lost;             /* its rings, since its switches were reported */
	uint64_t broken_reported;  /* times that its rings were broken, as far as reported */
	uint64_t exit_ns;          /* when, as the kernel reported it; 0: it did not */
	uint64_t missed_ns;        /* on CPU before its counters were opened */
	uint64_t counted_ns;       /* the clock group's time as of the last reading */
	bool has_run;              /* that clock moved at the last reading */
	enum watched_phase phase;
	size_t next; /* group within the phase */
};

struct watched_request {
	const struct plan *plan;
	const struct group_target *target; /* pid is the thread; cpu -1 */
	const struct attr_features *features;
	size_t page_bytes;
	size_t ring_bytes; /* of the switches, or less where that is refused; 0: no rings */
	bool wants_births;
};

/*
 * Opens the counters; what rings the kernel does not grant are left out. 0, or a positive errno.
 */
int watched_open(struct watched *watched, const struct watched_request *request);
void watched_close(struct watched *watched);

/*
 * Follows a change of the plan. watched_prepare() opens the new groups; they count from
 * watched_cross_border() on, or without it from watched_commit() on, which closes the old ones. A
 * thread that waits for its exec goes on waiting. 0, or a positive errno: nothing has changed.
 */
int watched_prepare(struct watched *watched, const struct plan *plan);
void watched_cross_border(const struct watched *watched);
void watched_commit(struct watched *watched, const struct plan *plan);

/* Bytes of memory that its rings take; and how full the fullest is, 0 to 1. */
size_t watched_ring_bytes(const struct watched *watched);
double watched_fill(const struct watched *watched);

bool watched_has_ring(const struct watched *watched, enum watched_stream stream);
void watched_begin(struct watched *watched);
void watched_end(struct watched *watched);

#endif
