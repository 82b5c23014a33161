#ifndef PERFTOP_MODEL_PARALLEL_H
#define PERFTOP_MODEL_PARALLEL_H

/*
 * How parallel a scope is, a process or all tasks that are wanted, while that is asked for: at each
 * moment the time that passes is shared by its threads that are on a CPU. While n of them are, each
 * has 1/n of it for its latency:
 *
 *	of a scope     the sum of its threads: the time in which any of them ran
 *	run / latency  the mean of n, in which each moment counts for as much as it does in latency
 *
 * Each scope has the integral of 1/n up to now, and what a slice is worth is the difference of its
 * two ends: a switch costs the same however many threads there are.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attribution;
struct cpu;
struct task;

/* Numbers of threads: 1 to 4 by themselves, then 5 to 8, 9 to 16 and so on; the last one has all
 * above. */
enum {
	PARALLEL_SINGLE = 4,
	PARALLEL_BINS = 14
};

/* Samples come later than the switches around them, in the same interval: so many of its last
 * changes are kept. */
enum {
	PARALLEL_CHANGES_MAX = 1 << 16
};

/* From this time on so many ran. */
struct parallel_change {
	uint64_t time_ns;
	uint32_t running;
};

/* Of a scope. */
struct parallel {
	uint32_t running;  /* its threads that are on a CPU */
	uint64_t at_ns;    /* up to here it is known */
	uint64_t integral; /* of 1/n, in parts of a ns; modulo 2^64 */
	/* how long so many ran at once: in this interval, and in the one closed last */
	uint64_t interval_ns[PARALLEL_BINS], shown_ns[PARALLEL_BINS];
	struct parallel_change *changes; /* owned; a ring of those of this interval, before them the
					    last one of the interval before; none while one thread
					    ran at most */
	size_t change_count, change_capacity; /* the former of all of them */
};

/* An end of what is entered of a thread: of its scope, and its own run time in the interval. */
struct share {
	uint64_t at_ns, integral, run_ns;
};

/* Which tasks share the time that passes. */
struct parallel_scope {
	uint32_t number; /* 0: those of each process; else all that are wanted, and another one for
			    each choice of these */
	bool (*wants_pid)(int32_t pid, const void *context); /* NULL: all are */
	const void *context;
};

struct parallelism {
	bool is_on, was_off; /* now; for some of this interval */
	struct parallel_scope scope;
	struct parallel all; /* while it is one scope */
};

size_t parallel_bin(uint32_t running);

/* The least number that is in the bin. */
uint32_t parallel_bin_begin(size_t bin);

void parallel_destroy(struct parallel *parallel);
void parallel_fini(struct parallelism *parallelism);

/* Begins, or ends. */
void parallel_turn(struct attribution *attribution, bool is_on, const struct parallel_scope *scope);

/* From this time on the CPU runs what is said of it now; if it is on. */
void parallel_follow(struct attribution *attribution, struct cpu *cpu, uint64_t time_ns);

/*
 * Up to now the CPU has run a slice of a task that was not seen to come, as it was not known: while
 * it is on. Its latency is known where the scope is all tasks, or where no other thread of its own
 * ran. Where another one came, and has left no record, it is an estimate: by how many run now.
 */
void parallel_take_unseen(struct attribution *attribution, struct cpu *cpu, struct task *task,
			  uint64_t slice_ns);

/* Start and end of an interval: before anything is counted for the tasks, and before the tasks'
 * own interval is closed. */
void parallel_start(struct attribution *attribution, uint64_t time_ns);
void parallel_close(struct attribution *attribution, uint64_t time_ns);

/* How many threads of its scope ran when it was sampled on a CPU, itself included. 0: it is not
 * known. */
uint32_t parallel_at(struct attribution *attribution, struct task *thread, uint64_t time_ns);

/* How long so many ran at once in the interval that is closed, of all tasks; NULL: of each process.
 */
const uint64_t *parallel_of_all(const struct attribution *attribution);

/* Bit per enum quantity that is not known of this interval. */
uint32_t parallel_unknown(const struct attribution *attribution);

#endif
