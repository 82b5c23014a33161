#ifndef PERFTOP_KERNEL_CONTROL_H
#define PERFTOP_KERNEL_CONTROL_H

/*
 * The system calls by which one task acts on another: signals, nice values, CPUs. One thin function
 * each; 0, or the value described, or a negative errno.
 */

#include <stdint.h>

#include "base/list.h"

enum {
	CONTROL_NICE_LEAST = -20, /* the highest priority */
	CONTROL_NICE_MOST = 19
};

/*
 * A descriptor of the process that has this pid now (pidfd_open(2)); it refers to this process
 * alone, even if the pid is reused. -ESRCH: there is none; -ENOSYS: Linux before 5.3. Others as
 * open(2) has them. To be closed with sys_close().
 */
int control_open(int32_t pid);

/* Sends a signal to the process of such a descriptor; 0 only looks whether it is still there. */
int control_signal_open(int fd, int number);

/* Sends a signal to the process that has this pid now. */
int control_signal(int32_t pid, int number);

/* The nice value of a thread. */
int control_nice(int32_t tid, int *nice);
int control_set_nice(int32_t tid, int nice);

/* The CPUs that a thread may run on; the list is the caller's to free. */
int control_cpus(int32_t tid, struct number_list *cpus);
int control_set_cpus(int32_t tid, const struct number_list *cpus);

/* How long the machine has slept since boot, in ns. */
int64_t control_slept_ns(void);

/*
 * The earliest time of something that happened `ticks` clock ticks after boot (field 22 of
 * /proc/PID/stat), and the time before which it happened, in ns of CLOCK_MONOTONIC; negative:
 * before that clock began. slept_ns: how long the machine had slept at the time to compare with.
 */
void control_tick_time(uint64_t ticks, int64_t slept_ns, int64_t *from_ns, int64_t *to_ns);

#endif
