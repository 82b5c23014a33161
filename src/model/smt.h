#ifndef PERFTOP_MODEL_SMT_H
#define PERFTOP_MODEL_SMT_H

/*
 * Threads that share a core (SMT): how long each was beside a busy one. Busy is a CPU that runs a
 * task, and not one that is idle or off. Of more than two threads any other one makes a core busy.
 *
 * Records of all threads of a core come in order of time, so their times go on together. Only where
 * an interval ends are the CPUs read one after the other, and what one did before the other was
 * read is reported after that: then the last changes are gone through again, and what was taken for
 * known is put right with what comes next.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attribution;
struct cpu;
struct slice;
struct stream;
struct topology;

enum smt_state {
	SMT_UNKNOWN,
	SMT_IDLE,
	SMT_BUSY
};

enum {
	SMT_CHANGES = 64 /* of a core, that are remembered */
};

/* So far. */
struct smt_times {
	uint64_t alone_ns;   /* no other thread was busy */
	uint64_t beside_ns;  /* one was */
	uint64_t unknown_ns; /* none was known to be, and of one it was not known */
};

struct smt_thread {
	int cpu;
	enum smt_state state;
	uint64_t heard_ns;      /* of its own newest record */
	struct smt_times times; /* up to core->now_ns */
	struct smt_core *core;
};

/* A thread was this, and is that since. */
struct smt_change {
	uint64_t time_ns;
	const struct smt_thread *thread;
	uint8_t before, after; /* enum smt_state */
};

/* How many threads of a core are busy, and how many may be. */
struct smt_census {
	size_t busy, unknown;
};

struct smt_core {
	uint64_t now_ns; /* record time */
	struct smt_thread *threads;
	size_t count;                           /* of them */
	struct smt_census census;               /* as of now, with CPUs that may be threads of it */
	struct smt_change changes[SMT_CHANGES]; /* a ring, by time */
	size_t change_count;                    /* in all */
};

/* Of a machine. An empty one is {0}: no two CPUs share a core, or that is not known. */
struct smt {
	struct smt_thread *threads; /* owned; core by core */
	struct smt_core *cores;     /* owned */
	size_t thread_count, core_count;
};

/* Fills an empty one. */
void smt_init(struct smt *smt, const struct topology *topology);
void smt_fini(struct smt *smt);

static inline bool smt_is_known(const struct smt *smt)
{
	return smt->core_count > 0;
}

/* NULL: it is not known where the CPU is. */
struct smt_thread *smt_find(const struct smt *smt, int cpu);

/* There is a CPU more than the topology knows. */
void smt_doubt(struct smt *smt);

/* Calls to what follows are behind `if (cpu->smt)` on the way of each switch. */

/* The core's time goes on up to this one, if it is not there already. The thread's times then. */
struct smt_times smt_at(struct smt_thread *thread, uint64_t time_ns);

/* From this time on, or from that of its newest record. */
void smt_set(struct smt_thread *thread, enum smt_state state, uint64_t time_ns);

/* --- for attribution.c: what is entered for a CPU, and for the task with the counts `owner` */

/* slice: its time is what is entered now; slice_ns: its length; until: as of its end */
void smt_enter(const struct attribution *attribution, struct cpu *cpu, struct stream *stream,
	       const struct slice *slice, uint64_t slice_ns, const struct smt_times *until,
	       uint64_t *owner);

/* So much run time, with the times up to its end. */
void smt_enter_run(struct cpu *cpu, uint64_t run_ns, const struct smt_times *until,
		   uint64_t *owner);

/* A reading was made at this time. */
void smt_read(struct cpu *cpu, uint64_t time_ns);

/* A slice begins that nothing is known of before; is_clock: of the group that the run time is of.
 */
void smt_begin_slice(struct cpu *cpu, struct stream *stream, bool is_clock);

#endif
