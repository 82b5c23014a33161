/* The system calls' own layer: what the kernel says arrives as a result, EINTR only where it lasts.
 */

#include <errno.h>
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

long __wrap_syscall(long number, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __real_read(int fd, void *buffer, size_t size);
int __wrap_close(int fd);
int __real_close(int fd);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *address, size_t size);

long __wrap_syscall(long number, ...)
{
	assert_int_equal(number, SYS_perf_event_open);
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

int __wrap_sched_getscheduler(pid_t pid);
int __wrap_sched_getscheduler(pid_t pid)
{
	assert_int_equal(pid, 0);
	return scheduled.policy;
}

int __wrap_getpriority(__priority_which_t which, id_t who);
int __wrap_getpriority(__priority_which_t which, id_t who)
{
	assert_int_equal(which, PRIO_PROCESS);
	assert_int_equal(who, 0);
	return scheduled.nice;
}

int __wrap_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param);
int __wrap_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	assert_int_equal(pid, 0);
	scheduled.asked++;
	scheduled.asked_policy = policy;
	scheduled.asked_priority = param->sched_priority;
	return (int)answer();
}

static void scheduled_as(int policy, int nice)
{
	memset(&scheduled, 0, sizeof(scheduled));
	scheduled.policy = policy;
	scheduled.nice = nice;
	kernel_fails(0, 0);
	kernel.result = 0;
}

UNIT_TEST(sys_be_urgent_granted_asks_for_least_priority)
{
	scheduled_as(SCHED_OTHER, 0);
	assert_int_equal(sys_be_urgent(), 0);
	assert_int_equal(scheduled.asked_policy, SCHED_RR | SCHED_RESET_ON_FORK);
	assert_int_equal(scheduled.asked_priority, sched_get_priority_min(SCHED_RR));
}

UNIT_TEST(sys_be_urgent_refused_returns_negative_errno)
{
	scheduled_as(SCHED_OTHER, -20);
	kernel_fails(EPERM, 1);
	assert_int_equal(sys_be_urgent(), -EPERM);
}

UNIT_TEST(sys_be_urgent_chosen_otherwise_is_left_alone)
{
	scheduled_as(SCHED_OTHER, 1);
	assert_int_equal(sys_be_urgent(), -EALREADY);
	scheduled_as(SCHED_FIFO, 0);
	assert_int_equal(sys_be_urgent(), -EALREADY);
	assert_int_equal(scheduled.asked, 0);
}

/* What sys_be_fair() leaves is no choice of the user's. */
UNIT_TEST(sys_be_urgent_after_being_fair_asks_again)
{
	scheduled_as(SCHED_OTHER | SCHED_RESET_ON_FORK, 0);
	assert_int_equal(sys_be_urgent(), 0);
	assert_int_equal(scheduled.asked_policy, SCHED_RR | SCHED_RESET_ON_FORK);
}

/* The flag stays: taking it back needs a right that asking for the priority does not. */
UNIT_TEST(sys_be_fair_asks_for_the_common_policy)
{
	scheduled_as(SCHED_RR | SCHED_RESET_ON_FORK, 0);
	assert_int_equal(sys_be_fair(), 0);
	assert_int_equal(scheduled.asked_policy, SCHED_OTHER | SCHED_RESET_ON_FORK);
	assert_int_equal(scheduled.asked_priority, 0);
	kernel_fails(EPERM, 1);
	assert_int_equal(sys_be_fair(), -EPERM);
}

UNIT_TEST(sys_perf_event_open_success_returns_descriptor)
{
	struct perf_event_attr attr = {0};

	kernel_fails(0, 0);

	assert_int_equal(sys_perf_event_open(&attr, 0, -1, -1, 0), 42);
}

UNIT_TEST(sys_perf_event_open_refused_returns_negative_errno)
{
	static const int errors[] = {E2BIG,  EACCES, EBADF,  EBUSY,  EFAULT,     EINVAL,
				     EMFILE, ENODEV, ENOENT, ENOSPC, EOPNOTSUPP, EOVERFLOW,
				     EPERM,  ESRCH,  ENOSYS, ENOMEM};
	struct perf_event_attr attr = {0};

	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		kernel_fails(errors[i], 1000);

		assert_int_equal(sys_perf_event_open(&attr, 0, -1, -1, 0), -errors[i]);
		assert_int_equal(kernel.calls, 1);
	}
}

UNIT_TEST(sys_perf_event_open_interrupted_once_tries_again)
{
	struct perf_event_attr attr = {0};

	kernel_fails(EINTR, 1);

	assert_int_equal(sys_perf_event_open(&attr, 0, -1, -1, 0), 42);
}

UNIT_TEST(sys_perf_event_open_always_interrupted_gives_up)
{
	struct perf_event_attr attr = {0};

	kernel_fails(EINTR, 1000000);

	assert_int_equal(sys_perf_event_open(&attr, 0, -1, -1, 0), -EINTR);
	assert_true(kernel.calls < 100);
}

UNIT_TEST(sys_perf_ioctl_refused_returns_negative_errno)
{
	kernel_fails(ENOTTY, 1);

	assert_int_equal(sys_perf_ioctl(3, PERF_EVENT_IOC_ENABLE, 0), -ENOTTY);
}

UNIT_TEST(sys_read_interrupted_tries_again)
{
	char buffer[8];

	kernel_fails(EINTR, 3);

	assert_int_equal(sys_read(3, buffer, sizeof(buffer)), 42);
	assert_int_equal(kernel.calls, 4);
}

UNIT_TEST(sys_read_refused_returns_negative_errno)
{
	char buffer[8];

	kernel_fails(ENOSPC, 1);

	assert_int_equal(sys_read(3, buffer, sizeof(buffer)), -ENOSPC);
}

UNIT_TEST(sys_close_interrupted_is_not_repeated)
{
	kernel_fails(EINTR, 1);

	assert_int_equal(sys_close(3), -EINTR);
	assert_int_equal(kernel.calls, 1);
}

UNIT_TEST(sys_map_refused_returns_null_and_errno)
{
	int error_number = 0;

	kernel_fails(EPERM, 1);

	assert_null(sys_map(3, 4096, &error_number));
	assert_int_equal(error_number, EPERM);
}

UNIT_TEST(sys_map_success_returns_address)
{
	int error_number = 0;

	kernel_fails(0, 0);

	assert_ptr_equal(sys_map(3, 4096, &error_number), &kernel);
}

UNIT_TEST(sys_unmap_refused_returns_negative_errno)
{
	kernel_fails(EINVAL, 1);

	assert_int_equal(sys_unmap(&kernel, 4096), -EINVAL);
}

UNIT_TEST(sys_now_ns_advances)
{
	uint64_t first = sys_now_ns();

	usleep(1000);

	assert_true(sys_now_ns() - first >= 1000000);
}

int main(void)
{
	return unit_run(NULL, teardown);
}
