#ifndef PERFTOP_SOURCE_TASK_STATES_H
#define PERFTOP_SOURCE_TASK_STATES_H

/*
 * prev_state of sched_switch, the state in which a task leaves its CPU. Its bits differ between
 * kernels (Linux 4.14 renumbered them), so their meaning is taken from the tracepoint's format.
 */

#include <stdint.h>

#include "model/record.h"

enum {
	TASK_STATE_BITS = 32
};

struct task_states {
	uint32_t known;  /* bits that say that it cannot run; others say how it was made to leave */
	uint32_t noload; /* beside D: an idle kernel thread (before 4.14) */
	uint8_t of[TASK_STATE_BITS]; /* enum task_state, by the number of the bit */
};

/* format: of the tracepoint. Where it says nothing, what has always been so is taken. */
struct task_states task_states_parse(const char *format);

/* prev_state's lowest 32 bits. */
static inline uint8_t task_states_find(const struct task_states *states, uint32_t bits)
{
	uint8_t state;

	bits &= states->known;
	if (bits == 0)
		return TASK_STATE_RUNNABLE;
	state = states->of[__builtin_ctz(bits)];
	return state == TASK_STATE_DISK_SLEEP && (bits & states->noload) != 0
		       ? (uint8_t)TASK_STATE_IDLE
		       : state;
}

#endif
