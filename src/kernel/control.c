/*
 * glibc before 2.36 has no wrappers for the pidfd calls, so they go through syscall(2).
 * getpriority(2) may return -1 as a valid value: only errno says whether it failed.
 */

#include "kernel/control.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "base/topology.h"
#include "base/units.h"

/* The same number on all machines (Linux's asm-generic/unistd.h). */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static int result_or_errno(long result)
{
	return result < 0 ? -errno : (int)result;
}

int control_open(int32_t pid)
{
	return result_or_errno(syscall(SYS_pidfd_open, pid, 0));
}

int control_signal_open(int fd, int number)
{
	return result_or_errno(syscall(SYS_pidfd_send_signal, fd, number, NULL, 0));
}

int control_signal(int32_t pid, int number)
{
	return result_or_errno(kill(pid, number));
}

int control_nice(int32_t tid, int *nice)
{
	errno = 0;
	const int value = getpriority(PRIO_PROCESS, (id_t)tid);

	if (value == -1 && errno != 0)
		return -errno;
	*nice = value;
	return 0;
}

int control_set_nice(int32_t tid, int nice)
{
	return result_or_errno(setpriority(PRIO_PROCESS, (id_t)tid, nice));
}

int control_cpus(int32_t tid, struct number_list *cpus)
{
	const size_t size = CPU_ALLOC_SIZE(TOPOLOGY_CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(TOPOLOGY_CPUS_MAX);

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	const int result = result_or_errno(sched_getaffinity(tid, size, set));
	if (result >= 0) {
		*cpus = (struct number_list){
			.numbers = xcalloc((size_t)CPU_COUNT_S(size, set) + 1, sizeof(int)),
		};
		for (int cpu = 0; cpu < TOPOLOGY_CPUS_MAX; cpu++)
			if (CPU_ISSET_S((size_t)cpu, size, set))
				cpus->numbers[cpus->count++] = cpu;
	}
	CPU_FREE(set);
	return result < 0 ? result : 0;
}

int control_set_cpus(int32_t tid, const struct number_list *cpus)
{
	const size_t size = CPU_ALLOC_SIZE(TOPOLOGY_CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(TOPOLOGY_CPUS_MAX);

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < cpus->count; i++)
		CPU_SET_S((size_t)cpus->numbers[i], size, set);
	const int result = result_or_errno(sched_setaffinity(tid, size, set));
	CPU_FREE(set);
	return result;
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t control_slept_ns(void)
{
	/*
	 * read in this order, time that passes between the two makes the difference smaller, and
	 * start times later
	 */
	const int64_t since_boot_ns = clock_ns(CLOCK_BOOTTIME);

	return since_boot_ns - clock_ns(CLOCK_MONOTONIC);
}

void control_tick_time(uint64_t ticks, int64_t slept_ns, int64_t *from_ns, int64_t *to_ns)
{
	/* the clock of stat includes sleep */
	const int64_t tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);

	*from_ns = (int64_t)ticks * tick_ns - slept_ns;
	*to_ns = *from_ns + tick_ns;
}
