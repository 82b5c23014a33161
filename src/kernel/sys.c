/*
 * The system calls around perf_event_open(2), bare. glibc has no wrapper for perf_event_open, so it
 * goes through syscall(2). Failures are returned as a negative errno, since callers do other calls
 * before they look.
 */

#include "kernel/sys.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "kernel/rights.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/*
 * A signal can interrupt the open while it waits for the target's exec lock, which is worth another
 * try; but EINTR is also the permanent answer for a uprobe that ftrace holds.
 */
enum {
	OPEN_TRIES = 4
};

/*
 * A uprobe's path, in config1, is chosen by the user: with CAP_SYS_PTRACE the kernel would open
 * files below /proc/PID/root for it.
 */
static enum rights rights_to_open(const struct perf_event_attr *attr, pid_t pid)
{
	const bool may_have_path = attr->type >= PERF_TYPE_MAX && attr->config1 != 0;

	return pid > 0 && !may_have_path ? RIGHTS_EVENTS_OF_TASK : RIGHTS_EVENTS;
}

int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags)
{
	long fd = -1;

	rights_raise(rights_to_open(attr, pid));
	errno = EINTR;
	for (int i = 0; i < OPEN_TRIES && fd < 0 && errno == EINTR; i++)
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
	rights_lower();
	return fd >= 0 ? (int)fd : -errno;
}

int sys_perf_ioctl(int fd, unsigned long request, unsigned long argument)
{
	int result = ioctl(fd, request, argument);

	return result < 0 ? -errno : result;
}

ssize_t sys_read(int fd, void *buffer, size_t size)
{
	ssize_t count;

	do {
		count = read(fd, buffer, size);
	} while (count < 0 && errno == EINTR);
	return count < 0 ? -errno : count;
}

int sys_write_all(int fd, const void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t count = write(fd, (const char *)bytes + done, size - done);

		if (count == 0)
			return -EIO;
		if (count < 0 && errno != EINTR)
			return -errno;
		done += count > 0 ? (size_t)count : 0;
	}
	return 0;
}

int sys_close(int fd)
{
	/* Not retried: Linux has released the descriptor even if it returns EINTR. */
	return close(fd) < 0 ? -errno : 0;
}

/* One by one. */
static void close_each_from(int first)
{
	DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		const int fd = atoi(entry->d_name); /* 0 for "." and ".." */

		if (fd >= first && fd != dirfd(directory))
			close(fd);
	}
	if (directory)
		closedir(directory);
}

/* Linux before 5.9 has no such call. */
void sys_close_from(int first)
{
	if (syscall(SYS_close_range, first, ~0u, 0) != 0)
		close_each_from(first);
}

void *sys_map(int fd, size_t size, int *error_number)
{
	void *address;

	rights_raise(RIGHTS_RINGS);
	address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	rights_lower();
	if (address == MAP_FAILED) {
		*error_number = errno;
		return NULL;
	}
	return address;
}

int sys_unmap(void *address, size_t size)
{
	return munmap(address, size) < 0 ? -errno : 0;
}

uint64_t sys_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int64_t sys_wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
}

bool sys_task_exists(pid_t pid, pid_t tid)
{
	return tgkill(pid, tid, 0) == 0 || errno != ESRCH;
}

static int set_policy(int policy, const struct sched_param *parameters)
{
	int result;

	rights_raise(RIGHTS_REALTIME);
	result = sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, parameters);
	rights_lower();
	return result == 0 ? 0 : -errno;
}

int sys_be_urgent(void)
{
	const struct sched_param least = {.sched_priority = sched_get_priority_min(SCHED_RR)};

	if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) != SCHED_OTHER ||
	    getpriority(PRIO_PROCESS, 0) > 0)
		return -EALREADY;
	return set_policy(SCHED_RR, &least);
}

int sys_be_fair(void)
{
	const struct sched_param none = {.sched_priority = 0};

	/* without CAP_SYS_NICE the kernel does not allow clearing the flag (sched(7)) */
	return set_policy(SCHED_OTHER, &none);
}
