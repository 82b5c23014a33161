#ifndef PERFTOP_PERFDATA_CLOCK_H
#define PERFTOP_PERFDATA_CLOCK_H

/*
 * Run time out of records of switches: for each CPU readings of a clock group are made up as the
 * kernel would have written them, one at each switch, in which the clock is the record's time and
 * the sequence counts the switches. For recordings of tasks the same is done for each thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "kernel/decode.h"
#include "model/layout.h"
#include "model/record.h"

enum {
	REPLAY_CPUS_MAX = 8192,
	REPLAY_CLOCK_GROUP = 0
};

/*
 * The records that one record of a file becomes, until they are taken: a few at a time. One of them
 * at most is a reading with values.
 */
struct replay_out {
	struct record *first; /* borrowed; the place of the first one, which is taken at once */
	struct record records[DECODE_READ_MAX + 8]; /* the others, from 1 on */
	size_t count, next;
	uint64_t values[LAYOUT_GROUP_MEMBERS_MAX];
};

struct replay_cpu {
	bool is_seen;
	uint64_t sequence, last_ns;
	int32_t running_pid, running_tid; /* -1: not known */
};

struct replay_cpus {
	struct replay_cpu *cpus; /* owned; by number */
	size_t count, capacity;  /* numbers up to the highest one that was mentioned */
	size_t seen;
};

/* A thread with its own switches reported. */
struct replay_thread {
	int32_t pid, tid;
	uint64_t run_ns;
	uint64_t since_ns; /* it runs since then; 0: it does not, or it is not known */
	bool is_known;     /* whether it runs */
	bool is_emitted;   /* its first reading was */
};

struct replay_threads {
	struct map by_tid; /* owns the threads */
	size_t closing;    /* how far the threads are read that run */
};

/* The first one that is added from now on is written to this place. All must have been taken. */
static inline void replay_out_begin(struct replay_out *out, struct record *first)
{
	out->first = first;
	out->count = 0;
	out->next = 1;
}

/* Room for one more record, of this time and of no task. */
struct record *replay_out_add(struct replay_out *out, enum record_kind kind, uint64_t time_ns);

/* One of those behind the first. False: all were taken. */
static inline bool replay_out_take(struct replay_out *out, struct record *record)
{
	if (out->next >= out->count)
		return false;
	*record = out->records[out->next++];
	return true;
}

void replay_cpus_fini(struct replay_cpus *cpus);
void replay_threads_fini(struct replay_threads *threads);

/* The first mention of a CPU is its first reading. NULL: a number that cannot be. */
struct replay_cpu *replay_cpus_meet(struct replay_cpus *cpus, const struct record *from,
				    struct replay_out *out);

/* The record's CPU, which is met if it has not been. NULL: a number that cannot be. */
static inline struct replay_cpu *replay_cpus_see(struct replay_cpus *cpus,
						 const struct record *from, struct replay_out *out)
{
	if (from->cpu >= 0 && (size_t)from->cpu < cpus->count && cpus->cpus[from->cpu].is_seen)
		return &cpus->cpus[from->cpu];
	return replay_cpus_meet(cpus, from, out);
}

/* Switches of a CPU. */
void replay_cpu_out(struct replay_cpu *cpu, const struct record *from, struct replay_out *out);
void replay_cpu_in(struct replay_cpu *cpu, const struct record *from, struct replay_out *out);

/* A reading was made in the switch in which the record's task leaves; nothing else reports it. */
void replay_cpu_read(struct replay_cpu *cpu, const struct record *from, uint64_t sequence,
		     struct replay_out *out);

/* Records are missing up to here. */
void replay_cpu_lose(struct replay_cpu *cpu, const struct record *from, struct replay_out *out);

/* The reading that ends the interval. */
void replay_cpu_close(struct replay_cpu *cpu, int number, uint64_t time_ns, struct replay_out *out);

/* The same for threads. */
struct replay_thread *replay_threads_see(struct replay_threads *threads, const struct record *from,
					 struct replay_out *out);
void replay_thread_out(struct replay_thread *thread, const struct record *from,
		       struct replay_out *out);
void replay_thread_in(struct replay_thread *thread, const struct record *from,
		      struct replay_out *out);

/* It ends, and is forgotten. */
void replay_threads_end(struct replay_threads *threads, const struct record *from,
			struct replay_out *out);

/* Records are missing: the running task is unknown. */
void replay_threads_lose(struct replay_threads *threads);

/* Run time of the record's thread at its time; 0: not known. */
uint64_t replay_threads_run_ns(const struct replay_threads *threads, const struct record *from);

/* Reads the next one that runs, from the one at `closing` on. False: there is none. */
bool replay_threads_close_next(struct replay_threads *threads, uint64_t time_ns,
			       struct replay_out *out);
void replay_thread_close(struct replay_thread *thread, uint64_t time_ns, struct replay_out *out);

#endif
