#ifndef PERFTOP_KERNEL_PROC_USAGE_H
#define PERFTOP_KERNEL_PROC_USAGE_H

/* What /proc keeps account of for a task, as top shows it: proc(5), stat and io. */

#include <stdbool.h>
#include <stdint.h>

struct proc_usage {
	char state; /* R S D Z T t I */
	int priority, nice;
	uint64_t user_ns, system_ns; /* CPU time since its birth; to a clock tick, mostly 10 ms */
	uint64_t start_s;            /* since boot; 0: it came with it */
	uint64_t resident_bytes;
	uint64_t faults; /* of pages, with disk access and without, since its birth */
	bool has_io;     /* the next two may be read, and were wanted */
	uint64_t read_bytes, written_bytes; /* from and to storage, since its birth */
};

/*
 * Of a process (tid 0), its threads together, or of one thread of it. False when it is gone or may
 * not be seen.
 */
bool proc_read_usage(int32_t pid, int32_t tid, bool wants_io, struct proc_usage *usage);

#endif
