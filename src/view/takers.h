#ifndef PERFTOP_VIEW_TAKERS_H
#define PERFTOP_VIEW_TAKERS_H

/*
 * What ran on a CPU while a task waited for it: entries of a history are noted in order, and a wait
 * is split among the tasks whose slices are in it.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	TAKERS_MAX = 256,    /* distinct ones in one wait; all others are ACTOR_UNKNOWN */
	TAKERS_SLICES = 4096 /* kept of a CPU; which tasks ran before is unknown */
};

struct taker {
	uint64_t actor;
	uint64_t ns; /* of the wait, more than 0 */
};

struct cpu_slices;

/* Locks are taken as CPUs are: the one that runs is the one that has it. */
struct takers {
	size_t kept;              /* slices of each CPU; 0: TAKERS_SLICES */
	struct cpu_slices **cpus; /* owned; by number, NULL: nothing was noted of it */
	size_t count;
};

void takers_fini(struct takers *takers); /* leaves an empty one, which is {0}, or has `kept` */

/* A switch: `prev` had run for slice_ns (may be SWITCH_NS_UNKNOWN), `next` runs from now on. */
void takers_note(struct takers *takers, size_t cpu, uint64_t time_ns, uint64_t slice_ns,
		 uint64_t prev, uint64_t next);

/* It runs since what was noted last. */
void takers_run(struct takers *takers, size_t cpu, uint64_t actor);

/*
 * Splits a wait for this CPU, and returns how many takers there are. Time that is idle's is in no
 * share; time before anything was noted is in that of `first`, which took the CPU when the wait
 * began; time that is not kept any more is in that of ACTOR_UNKNOWN.
 */
size_t takers_split(const struct takers *takers, size_t cpu, uint64_t begin_ns, uint64_t end_ns,
		    uint64_t first, struct taker shares[static TAKERS_MAX]);

#endif
