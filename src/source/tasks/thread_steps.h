#ifndef PERFTOP_SOURCE_TASKS_THREAD_STEPS_H
#define PERFTOP_SOURCE_TASKS_THREAD_STEPS_H

/*
 * What one watched thread delivers in a round besides what its rings hold, step by step (enum
 * watched_phase): which task it is, its readings, its switches and waits from /proc, its end.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "kernel/group.h"
#include "model/record.h"
#include "source/tasks/watched.h"

struct roster;

struct thread_steps {
	struct roster *roster;        /* borrowed; of the threads */
	bool is_tick;                 /* this round also reads the counters */
	bool has_delay;               /* waits are wanted, and known */
	struct group_reading reading; /* of the record delivered last, as are the next two */
	struct strbuf command_line;
	char name[64];
};

/* One step; false: it gave no record. */
bool thread_step(struct thread_steps *steps, struct watched *watched, struct record *record);
void thread_fini(struct thread_steps *steps);

/* Records of its rings that are lost, or that make no sense, which is as good. */
void thread_set_lost(struct watched *watched, uint64_t count, struct record *record);

#endif
