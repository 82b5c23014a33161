#ifndef PERFTOP_KERNEL_LOAD_H
#define PERFTOP_KERNEL_LOAD_H

/* What top shows above its table: loadavg, meminfo and uptime of proc(5); and how much is swapped.
 */

#include <stdbool.h>
#include <stdint.h>

struct load {
	double runnable[3]; /* tasks that ran, wanted to, or waited for a device: the mean of the
			       last 1, 5 and 15 minutes */
	uint64_t memory_bytes, memory_used_bytes; /* used: what is not available to others */
	uint64_t swap_bytes, swap_used_bytes;
	uint64_t uptime_s;
};

/* Under `root`, "" in production. False: one of the files is not there, or says something else. */
bool load_read(struct load *load, const char *root);

/* Read back from swap since the machine was started. False: the kernel does not say. */
bool load_read_swapped_in(uint64_t *bytes, const char *root);

#endif
