/* The system calls' own layer: what the kernel says arrives as a result, EINTR only where it lasts.
 */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "kernel/sys.h"

#include "unit.h"

/* What the next calls answer: an errno (0: success), for so many calls; then success. */
static struct {
	int errno_value, failures, calls;
	long result;
	bool active;
} kernel;

static void kernel_fails(int errno_value, int failures)
{
	kernel.errno_value = errno_value;
	kernel.failures = failures;
	kernel.calls = 0;
	kernel.result = 42;
	kernel.active = true;
}

static int teardown(void **state)
{
	kernel.active = false;
	return 0;
}

static long answer(void)
{
	kernel.calls++;
	if (kernel.calls <= kernel.failures) {
		errno = kernel.errno_value;
		return -1;
	}
	return kernel.result;
}

ssize_t __real_read(int fd, void *buffer, size_t size);
int __real_close(int fd);

long __wrap_syscall(long number, ...)
{
	if (number != SYS_perf_event_open) { /* as a kernel does that is too old */
		errno = ENOSYS;
		return -1;
	}
	return answer();
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	return (int)answer();
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	return kernel.active ? answer() : __real_read(fd, buffer, size);
}

int __wrap_close(int fd)
{
	return kernel.active ? (int)answer() : __real_close(fd);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	assert_int_equal(protection, PROT_READ | PROT_WRITE);
	assert_int_equal(flags, MAP_SHARED);
	assert_int_equal(offset, 0);
	return answer() < 0 ? MAP_FAILED : &kernel;
}

int __wrap_munmap(void *address, size_t size)
{
	return (int)answer();
}

/* How we are scheduled before, and how we ask to be. */
static struct {
	int policy, nice;
	int asked_policy, asked_priority;
	unsigned asked;
} scheduled;

int __wrap_sched_getscheduler(pid_t pid)
{
	assert_int_equal(pid, 0);
	return scheduled.policy;
}

int __wrap_getpriority(__priority_which_t which, id_t who)
{
	assert_int_equal(which, PRIO_PROCESS);
	assert_int_equal(who, 0);
	return scheduled.nice;
}

int __wrap_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	assert_int_equal(pid, 0);
	scheduled.asked++;
	scheduled.asked_policy = policy;
	scheduled.asked_priority = param->sched_priority;
	return (int)answer();
}

/* The flag stays when it is fair again: taking it back needs a right that asking does not. */
UNIT_TEST(sys_be_urgent_and_fair_ask_for_their_policies)
{
	static const struct {
		const char *name;
		int (*be)(void);
		int policy, nice, refusal, result, asked; /* asked -1: nothing */
	} cases[] = {
		{"granted", sys_be_urgent, SCHED_OTHER, 0, 0, 0, SCHED_RR | SCHED_RESET_ON_FORK},
		{"refused", sys_be_urgent, SCHED_OTHER, -20, EPERM, -EPERM,
		 SCHED_RR | SCHED_RESET_ON_FORK},
		{"nice was chosen", sys_be_urgent, SCHED_OTHER, 1, 0, -EALREADY, -1},
		{"a policy was chosen", sys_be_urgent, SCHED_FIFO, 0, 0, -EALREADY, -1},
		{"after being fair", sys_be_urgent, SCHED_OTHER | SCHED_RESET_ON_FORK, 0, 0, 0,
		 SCHED_RR | SCHED_RESET_ON_FORK},
		{"fair", sys_be_fair, SCHED_RR | SCHED_RESET_ON_FORK, 0, 0, 0,
		 SCHED_OTHER | SCHED_RESET_ON_FORK},
		{"fair, refused", sys_be_fair, SCHED_RR | SCHED_RESET_ON_FORK, 0, EPERM, -EPERM,
		 SCHED_OTHER | SCHED_RESET_ON_FORK},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		memset(&scheduled, 0, sizeof(scheduled));
		scheduled.policy = cases[i].policy;
		scheduled.nice = cases[i].nice;
		kernel_fails(cases[i].refusal, cases[i].refusal != 0);
		kernel.result = 0;
		assert_int_equal(cases[i].be(), cases[i].result);
		assert_int_equal(scheduled.asked, cases[i].asked >= 0);
		if (cases[i].asked < 0)
			continue;
		assert_int_equal(scheduled.asked_policy, cases[i].asked);
		assert_int_equal(scheduled.asked_priority,
				 cases[i].be == sys_be_urgent ? sched_get_priority_min(SCHED_RR)
							      : 0);
	}
}

static int open_event(void)
{
	struct perf_event_attr attr = {0};

	return sys_perf_event_open(&attr, 0, -1, -1, 0);
}

static int ioctl_event(void)
{
	return sys_perf_ioctl(3, PERF_EVENT_IOC_ENABLE, 0);
}

static int read_some(void)
{
	char buffer[8];

	return (int)sys_read(3, buffer, sizeof(buffer));
}

static int close_event(void)
{
	return sys_close(3);
}

static int map_ring(void)
{
	int error_number = 0;
	const void *ring = sys_map(3, 4096, &error_number);

	assert_true(ring == (error_number == 0 ? &kernel : NULL));
	return error_number == 0 ? 42 : -error_number;
}

static int unmap_ring(void)
{
	return sys_unmap(&kernel, 4096);
}

UNIT_TEST(sys_calls_give_what_the_kernel_says)
{
	static const struct {
		const char *name;
		int (*call)(void);
		int errno_value, failures, result, calls; /* calls 0: not endlessly many */
	} cases[] = {
		{"open", open_event, 0, 0, 42, 1},
		{"open, interrupted once", open_event, EINTR, 1, 42, 2},
		{"open, always interrupted", open_event, EINTR, 1000000, -EINTR, 0},
		{"ioctl, refused", ioctl_event, ENOTTY, 1, -ENOTTY, 1},
		{"read, interrupted", read_some, EINTR, 3, 42, 4},
		{"read, refused", read_some, ENOSPC, 1, -ENOSPC, 1},
		{"close, interrupted: not repeated", close_event, EINTR, 1, -EINTR, 1},
		{"map", map_ring, 0, 0, 42, 1},
		{"map, refused", map_ring, EPERM, 1, -EPERM, 1},
		{"unmap, refused", unmap_ring, EINVAL, 1, -EINVAL, 1},
	};
	static const int errors[] = {E2BIG,  EACCES, EBADF,  EBUSY,  EFAULT,     EINVAL,
				     EMFILE, ENODEV, ENOENT, ENOSPC, EOPNOTSUPP, EOVERFLOW,
				     EPERM,  ESRCH,  ENOSYS, ENOMEM};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		kernel_fails(cases[i].errno_value, cases[i].failures);
		assert_int_equal(cases[i].call(), cases[i].result);
		assert_in_range(kernel.calls, cases[i].calls, cases[i].calls ? cases[i].calls : 99);
	}
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		kernel_fails(errors[i], 1000);
		assert_int_equal(open_event(), -errors[i]);
		assert_int_equal(kernel.calls, 1);
	}
}

UNIT_TEST(sys_now_ns_advances)
{
	uint64_t first = sys_now_ns();

	usleep(1000);

	assert_true(sys_now_ns() - first >= 1000000);
}

/* Where the kernel cannot close them all at once. */
UNIT_TEST(sys_close_from_old_kernel_closes_one_by_one)
{
	const int first = 400;

	for (int fd = first - 1; fd <= first + 2; fd++)
		assert_int_equal(dup2(STDERR_FILENO, fd), fd);
	sys_close_from(first);
	assert_true(fcntl(first - 1, F_GETFD) >= 0);
	for (int fd = first; fd <= first + 2; fd++)
		assert_int_equal(fcntl(fd, F_GETFD), -1);
	__real_close(first - 1);
}

UNIT_MAIN(NULL, teardown)
