#ifndef PERFTOP_VIEW_PROCESSES_H
#define PERFTOP_VIEW_PROCESSES_H

/*
 * The system's accounts of tasks: state, priority, memory, CPU time since the start, I/O. Read if a
 * cell, an order or a filter needs them, at most once an interval, and only for the present: past
 * intervals have none.
 */

#include <stdbool.h>
#include <stdint.h>

struct snapshot;
struct snapshot_task;
struct processes; /* opaque */

/* An answer; times in ns since the start. */
struct process_account {
	char state; /* R S D Z T t I */
	int priority, nice;
	uint64_t user_ns, system_ns;
	int64_t start_s; /* wall clock, seconds since the epoch */
	uint64_t resident_bytes;
	bool has_io;
	uint64_t read_bytes, written_bytes; /* from and to storage */
};

/* What was found of a task in this interval. */
struct process_now {
	struct process_account account;
	double priority, nice, resident_bytes, lifetime_ns;
	double user_pct, system_pct; /* of a CPU, since it was asked for before; NaN: it was not */
	double read_s, written_s;    /* bytes per second; NaN: not known */
	double memory_pct;           /* of the machine's */
	char start[8];               /* "14:05", or "Nov23" where it is more than a day ago */
	char state[2];
};

struct processes *processes_create(void);
void processes_destroy(struct processes *processes); /* NULL is allowed */

/*
 * The source of answers: tid 0 asks for the process as a whole. False: it is gone, or may not be
 * seen. Without it nothing is known.
 */
typedef bool processes_asker(void *context, int32_t pid, int32_t tid, bool wants_io,
			     struct process_account *account);
void processes_ask(struct processes *processes, processes_asker *ask, void *context);

/* Before rows are made. threads: a row is a thread, not a process. */
void processes_begin(struct processes *processes, const struct snapshot *snapshot, bool threads);

/* NULL: not known. Good until the next begin. */
const struct process_now *processes_find(struct processes *processes,
					 const struct snapshot_task *task);

/* From now on I/O is read, too. */
void processes_want_io(struct processes *processes);

#endif
