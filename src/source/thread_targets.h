#ifndef PERFTOP_SOURCE_THREAD_TARGETS_H
#define PERFTOP_SOURCE_THREAD_TARGETS_H

/* The threads of some processes, to be sampled off the CPU one by one, and nothing but them. */

#include <stdbool.h>
#include <stddef.h>

#include "source/sampling.h"

struct target_pids;

enum {
	THREAD_TARGETS_MAX = 128 /* each has a ring of its own */
};

/*
 * Those that there are now. False: too many, or some of them may only be sampled with all of a CPU;
 * *count is 0 then.
 */
bool thread_targets_list(struct sampling_target targets[static THREAD_TARGETS_MAX], size_t *count,
			 const struct target_pids *of);

#endif
