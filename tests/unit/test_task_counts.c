/* Counters of the processes' own, which the kernel hands on. */

#include <errno.h>

#include <linux/perf_event.h>

#include "kernel/group.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/task_counts.h"

#include "event/event.h"
#include "unit.h"

enum {
	FIRST_FD = 50,
	OPENS_MAX = 4096
};

static struct {
	int opens, closes;
	int refuse_tid;
	int unreadable_fd;
	int threads;
	bool with_children;
} kernel;

static struct task_counts counts;
static struct event_set events;

int __wrap_inherited_open(pid_t tid, const struct event_spec *spec,
			  const struct attr_features *features, bool with_children);
bool __wrap_inherited_read(int fd, uint64_t *count);
bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context);
int __wrap_sys_close(int fd);

int __wrap_inherited_open(pid_t tid, const struct event_spec *spec,
			  const struct attr_features *features, bool with_children)
{
	kernel.with_children = with_children;
	return tid == kernel.refuse_tid ? -EINVAL : FIRST_FD + kernel.opens++;
}

/* Each has counted its number. */
bool __wrap_inherited_read(int fd, uint64_t *count)
{
	*count = (uint64_t)fd;
	return fd != kernel.unreadable_fd;
}

bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	for (int i = 0; i < kernel.threads; i++)
		if (!visit(pid + i, context))
			break;
	return true;
}

int __wrap_sys_close(int fd)
{
	kernel.closes++;
	return 0;
}

static int set_up(void **state)
{
	static struct evsel evsels[5];

	memset(&kernel, 0, sizeof(kernel));
	kernel.threads = 2;
	memset(evsels, 0, sizeof(evsels));
	strcpy(evsels[0].specs[0].name, "page-faults");
	evsels[0].specs[0].type = PERF_TYPE_SOFTWARE;
	strcpy(evsels[1].specs[0].name, "cycles");
	evsels[1].specs[0].type = PERF_TYPE_HARDWARE;
	strcpy(evsels[2].specs[0].name, "probe");
	evsels[2].specs[0].type = 8;
	strcpy(evsels[2].specs[0].target, "/bin/true");
	strcpy(evsels[3].specs[0].name, "sched:sched_wakeup");
	evsels[3].specs[0].type = PERF_TYPE_TRACEPOINT;
	strcpy(evsels[4].specs[0].name, "syscalls:sys_enter_read");
	evsels[4].specs[0].type = PERF_TYPE_TRACEPOINT;
	events = (struct event_set){.evsels = evsels, .count = 5};
	return 0;
}

static int tear_down(void **state)
{
	task_counts_fini(&counts);
	assert_int_equal(kernel.closes, kernel.opens);
	return 0;
}

static bool is_known(const char *name, uint64_t expected)
{
	uint64_t count;

	return task_counts_find(&counts, name, &count) && count == expected;
}

UNIT_TEST(task_counts_are_sums_over_threads_and_processes)
{
	uint64_t count;

	task_counts_add(&counts, &events, NULL, 7, false);
	assert_int_equal(kernel.opens, 4);
	assert_false(kernel.with_children);
	task_counts_add(&counts, &events, NULL, 9, true);
	assert_true(kernel.with_children);
	task_counts_read(&counts);
	assert_true(is_known("page-faults", 50 + 51 + 54 + 55));
	assert_true(is_known("syscalls:sys_enter_read", 52 + 53 + 56 + 57));
	/* what counts by the hardware, or for others than those in which it is; and probes, which
	 * make forks fail */
	assert_false(task_counts_find(&counts, "cycles", &count));
	assert_false(task_counts_find(&counts, "probe", &count));
	assert_false(task_counts_find(&counts, "sched:sched_wakeup", &count));
}

/* Of the first process it has no count. */
UNIT_TEST(task_counts_of_an_event_that_was_added_later_are_not_known)
{
	uint64_t count;

	events.count = 1;
	task_counts_add(&counts, &events, NULL, 7, false);
	events.count = 5;
	task_counts_add(&counts, &events, NULL, 9, false);
	task_counts_read(&counts);
	assert_true(is_known("page-faults", 50 + 51 + 52 + 53));
	assert_false(task_counts_find(&counts, "syscalls:sys_enter_read", &count));
}

UNIT_TEST(task_counts_that_lack_a_thread_are_not_known)
{
	uint64_t count;

	kernel.refuse_tid = 8;
	task_counts_add(&counts, &events, NULL, 7, false);
	task_counts_read(&counts);
	assert_false(task_counts_find(&counts, "page-faults", &count));
}

UNIT_TEST(task_counts_that_cannot_be_read_are_not_known)
{
	uint64_t count;

	kernel.unreadable_fd = FIRST_FD + 1;
	task_counts_add(&counts, &events, NULL, 7, false);
	task_counts_read(&counts);
	assert_false(task_counts_find(&counts, "page-faults", &count));
	assert_true(is_known("syscalls:sys_enter_read", 52 + 53));
}

UNIT_TEST(task_counts_of_too_many_threads_are_not_known)
{
	uint64_t count;

	kernel.threads = OPENS_MAX;
	task_counts_add(&counts, &events, NULL, 7, false);
	task_counts_read(&counts);
	assert_false(task_counts_find(&counts, "page-faults", &count));
	assert_false(task_counts_find(&counts, "syscalls:sys_enter_read", &count));
}

UNIT_MAIN(set_up, tear_down)
