/* What one task does to another: each call with what the kernel may answer. */

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/topology.h"
#include "kernel/control.h"

#include "unit.h"

static struct {
	int errno_value; /* 0: success */
	long result;
	long number; /* of the last system call */
	long a, b;   /* its arguments */
} kernel;

static long answer(void)
{
	if (kernel.errno_value == 0)
		return kernel.result;
	errno = kernel.errno_value;
	return -1;
}

static void kernel_says(int errno_value, long result)
{
	kernel.errno_value = errno_value;
	kernel.result = result;
}

long __wrap_syscall(long number, ...)
{
	va_list arguments;

	va_start(arguments, number);
	kernel.number = number;
	kernel.a = va_arg(arguments, int);
	kernel.b = va_arg(arguments, int);
	va_end(arguments);
	return answer();
}

int __wrap_kill(pid_t pid, int signal_number)
{
	kernel.a = pid;
	kernel.b = signal_number;
	return (int)answer();
}

int __wrap_getpriority(__priority_which_t which, id_t who)
{
	assert_int_equal(which, PRIO_PROCESS);
	kernel.a = (long)who;
	return (int)answer();
}

int __wrap_setpriority(__priority_which_t which, id_t who, int value)
{
	assert_int_equal(which, PRIO_PROCESS);
	kernel.a = (long)who;
	kernel.b = value;
	return (int)answer();
}

int __wrap_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	kernel.a = pid;
	kernel.b = CPU_COUNT_S(size, set);
	return (int)answer();
}

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	kernel.a = pid;
	CPU_SET_S(3, size, set);
	CPU_SET_S(7000, size, set);
	return (int)answer();
}

static const int errors[] = {EPERM, ESRCH, EINVAL, EACCES, ENOSYS, EMFILE, ENFILE, ENOMEM, EFAULT};

static void assert_called(long a, long b)
{
	assert_int_equal(kernel.a, a);
	assert_int_equal(kernel.b, b);
}

UNIT_TEST(control_calls_go_to_their_task)
{
	struct number_list cpus;
	int nice = 5;

	kernel_says(0, 7);
	assert_int_equal(control_open(4711), 7);
	assert_int_equal(kernel.number, SYS_pidfd_open);
	assert_called(4711, 0);
	kernel_says(0, 0);
	assert_int_equal(control_signal_open(7, SIGTERM), 0);
	assert_int_equal(kernel.number, SYS_pidfd_send_signal);
	assert_called(7, SIGTERM);
	assert_int_equal(control_signal(4711, SIGHUP), 0);
	assert_called(4711, SIGHUP);
	assert_int_equal(control_set_nice(4712, -5), 0);
	assert_called(4712, -5);
	assert_true(number_list_parse(&cpus, "0-3,8191", TOPOLOGY_CPUS_MAX - 1));
	assert_int_equal(control_set_cpus(4711, &cpus), 0);
	assert_called(4711, 5); /* so many CPUs */
	number_list_fini(&cpus);

	kernel_says(0, -1); /* a value, too */
	assert_int_equal(control_nice(4711, &nice), 0);
	assert_int_equal(nice, -1);
	kernel_says(0, 1024);
	assert_int_equal(control_cpus(4711, &cpus), 0);
	assert_int_equal(cpus.count, 2);
	assert_int_equal(cpus.numbers[0], 3);
	assert_int_equal(cpus.numbers[1], 7000);
	number_list_fini(&cpus);
}

UNIT_TEST(control_refusals_are_negative_errnos)
{
	struct number_list cpus = {0};
	int nice = 77;

	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		kernel_says(errors[i], 0);
		assert_int_equal(control_open(1), -errors[i]);
		assert_int_equal(control_signal_open(1, 15), -errors[i]);
		assert_int_equal(control_signal(1, 15), -errors[i]);
		assert_int_equal(control_nice(1, &nice), -errors[i]);
		assert_int_equal(control_set_nice(1, 0), -errors[i]);
		assert_int_equal(control_cpus(1, &cpus), -errors[i]);
		assert_int_equal(control_set_cpus(1, &cpus), -errors[i]);
		assert_int_equal(nice, 77);
		assert_null(cpus.numbers);
	}
}

/* Something that began at boot did so before all that the clock of records can say. */
UNIT_TEST(control_tick_time_is_a_tick_wide_and_goes_with_the_clock)
{
	struct timespec now;
	int64_t from_ns, to_ns, later_ns;

	control_tick_time(0, control_slept_ns(), &from_ns, &to_ns);
	/* two clocks cannot be read at once */
	assert_true(from_ns < 1000000000);
	assert_int_equal(to_ns - from_ns, 1000000000 / sysconf(_SC_CLK_TCK));
	clock_gettime(CLOCK_BOOTTIME, &now);
	control_tick_time((uint64_t)now.tv_sec * (uint64_t)sysconf(_SC_CLK_TCK), control_slept_ns(),
			  &later_ns, &to_ns);
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_true(later_ns <= (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
	assert_true(later_ns >= ((int64_t)now.tv_sec - 3) * 1000000000);
}

UNIT_MAIN(NULL, NULL)
