#ifndef PERFTOP_KERNEL_SYS_H
#define PERFTOP_KERNEL_SYS_H

/*
 * The system calls around perf_event_open(2), one thin function each. They return
 * what the kernel returned, failures as a negative errno, and retry EINTR where the
 * call has done nothing yet. Nothing else in perftop calls them, so that a test can
 * put its own in their place (ld --wrap).
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

struct perf_event_attr;

/* Whether a positive errno says that there are no more descriptors. */
static inline bool sys_is_shortage(int errno_value)
{
	return errno_value == EMFILE || errno_value == ENFILE;
}

int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags);
int sys_perf_ioctl(int fd, unsigned long request, unsigned long argument);
ssize_t sys_read(int fd, void *buffer, size_t size);
int sys_write_all(int fd, const void *bytes, size_t size); /* 0 or -errno */
int sys_close(int fd);

/* Closes this descriptor and all above it: for a child that inherits nothing. */
void sys_close_from(int first);

/* MAP_SHARED, read and write, from offset 0. NULL on failure, *error_number its (positive) errno.
 */
void *sys_map(int fd, size_t size, int *error_number);
int sys_unmap(void *address, size_t size);

/* CLOCK_MONOTONIC in nanoseconds: the clock of every record. */
uint64_t sys_now_ns(void);

/* CLOCK_REALTIME in nanoseconds since 1970. */
int64_t sys_wall_ns(void);

/* Whether thread tid of process pid exists; a zombie does. */
bool sys_task_exists(pid_t pid, pid_t tid);

/*
 * Gives this process, not its children, the lowest real-time priority (sched(7), SCHED_RR). 0 or
 * -errno; -EALREADY if its user has chosen otherwise: another policy, or a nice value above 0.
 */
int sys_be_urgent(void);

/* Back to SCHED_OTHER. 0 or -errno. */
int sys_be_fair(void);

#endif
