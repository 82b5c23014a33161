#ifndef PERFTOP_TESTS_FAKE_CONTROL_H
#define PERFTOP_TESTS_FAKE_CONTROL_H

/*
 * Signals, nice values and CPUs without a kernel: what it answers, and what it was asked for. What
 * it is asked for is done to nobody. Included once per test, with the WRAPS of program.cmake.
 */

#include <errno.h>

#include "kernel/control.h"

#include "unit.h"

enum {
	PIDFD = 1000000 /* a descriptor that there is not: closing it does nothing */
};

static struct {
	int open, signal, set_nice, set_cpus; /* what they answer */
	int gone;                             /* a signal 0 says that it has gone */
	int opened, sent_open, sent_pid;      /* to whom; 0: nobody */
	int number;                           /* of the signal sent */
	int nice[2];                          /* of all threads; of 77 */
	int reniced[4], reniced_count;        /* threads */
	int new_nice;
	size_t bound, cpu_count;
	int64_t slept_ns; /* the machine, since boot */
} fake;

int __wrap_control_open(int32_t pid)
{
	fake.opened = pid;
	return fake.open;
}

int __wrap_control_signal_open(int fd, int number)
{
	assert_int_equal(fd, PIDFD);
	if (number == 0)
		return fake.gone;
	fake.sent_open = fd;
	fake.number = number;
	return fake.signal;
}

int __wrap_control_signal(int32_t pid, int number)
{
	fake.sent_pid = pid;
	fake.number = number;
	return fake.signal;
}

int __wrap_control_nice(int32_t tid, int *nice)
{
	*nice = fake.nice[tid == 77];
	return tid == 999 ? -ESRCH : 0;
}

int __wrap_control_set_nice(int32_t tid, int nice)
{
	fake.reniced[fake.reniced_count++] = tid;
	fake.new_nice = nice;
	return fake.set_nice;
}

int __wrap_control_cpus(int32_t tid, struct number_list *cpus)
{
	return number_list_parse(cpus, "0-3", 100) ? 0 : -EINVAL;
}

int __wrap_control_set_cpus(int32_t tid, const struct number_list *cpus)
{
	fake.bound++;
	fake.cpu_count = cpus->count;
	return fake.set_cpus;
}

int64_t __wrap_control_slept_ns(void)
{
	return fake.slept_ns;
}

void __wrap_control_tick_time(uint64_t ticks, int64_t slept_ns, int64_t *from_ns, int64_t *to_ns)
{
	*from_ns = (int64_t)ticks * 10000000 - slept_ns;
	*to_ns = *from_ns + 10000000;
}

#endif
