#ifndef PERFTOP_TESTS_FAKE_MACHINE_H
#define PERFTOP_TESTS_FAKE_MACHINE_H

/*
 * A machine around the kernel of fake_kernel.h, for tests of the source that watches CPUs: which
 * ones are online, when its timer has expired, what the scheduler can tell. The functions replaced
 * are listed at perftop_test(WRAPS).
 */

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>
#include <sys/epoll.h>

#include "base/error.h"
#include "base/list.h"
#include "kernel/cgroup_paths.h"
#include "kernel/host.h"
#include "kernel/proc.h"

#include "event/event.h"
#include "event/probe.h"
#include "event/tracepoint.h"
#include "fake_sched_switch.h"

enum {
	MACHINE_WAKING = 375, /* numbers of tracepoints */
	MACHINE_WAKEUP = 376,
	MACHINE_NEWBORN = 377,
	MACHINE_KPROBE = 8,  /* type of the PMU */
	MACHINE_TID_AT = 24, /* in the tracepoints' raw data */
	MACHINE_SWITCH = 378,
	MACHINE_EXIT = 379
};

/* What the test says about CPUs and the rest of the machine. */
static struct {
	const char *online;
	bool timer_expired;
	ssize_t timer_failure;  /* negative errno of reading it; 0: none */
	uint32_t level_watched; /* descriptors that are announced as long as they are ready */
	uint64_t visited;       /* CPUs that we ran on, as bits */
	int64_t owner;
	/* Of the scheduler's events these are not there; NULL: all are. */
	bool (*is_absent)(const char *name);
	bool has_sched_switch; /* can be opened, and so leads */
	bool has_no_schedstat;
	bool has_cgroups; /* their ids say which they are: */
	uint64_t cgroup_id;
	char cgroup_path[32];
} machine;

bool __wrap_host_read_online(struct number_list *online, const char *root)
{
	return number_list_parse(online, machine.online, 1024);
}

ssize_t __wrap_sys_read(int fd, void *buffer, size_t size)
{
	memset(buffer, 1, size);
	if (machine.timer_failure != 0)
		return machine.timer_failure;
	return machine.timer_expired ? (ssize_t)size : -EAGAIN;
}

int __wrap_epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	machine.level_watched += operation == EPOLL_CTL_ADD && !(event->events & EPOLLET);
	return 0;
}

int __wrap_epoll_wait(int epoll_fd, struct epoll_event *events, int max, int timeout)
{
	return 0;
}

int __wrap_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	for (size_t cpu = 0; cpu < 64; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			machine.visited |= UINT64_C(1) << cpu;
	return 0;
}

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	CPU_ZERO_S(size, set);
	return 0;
}

int64_t __wrap_proc_owner(int32_t pid)
{
	return machine.owner;
}

bool __wrap_proc_has_run_delay(void)
{
	return !machine.has_no_schedstat;
}

struct cgroup_paths *__wrap_cgroup_paths_create(const char *root)
{
	return machine.has_cgroups ? (struct cgroup_paths *)&machine : NULL;
}

void __wrap_cgroup_paths_destroy(struct cgroup_paths *paths)
{
}

void __wrap_cgroup_paths_put(struct cgroup_paths *paths, uint64_t id, const char *path,
			     size_t length)
{
	machine.cgroup_id = id;
	snprintf(machine.cgroup_path, sizeof(machine.cgroup_path), "%.*s", (int)length, path);
}

const char *__wrap_cgroup_paths_find(struct cgroup_paths *paths, uint64_t id)
{
	return id == machine.cgroup_id ? machine.cgroup_path : NULL;
}

static bool machine_lacks(const char *name)
{
	return machine.is_absent != NULL && machine.is_absent(name);
}

bool __wrap_tracepoint_find(const char *root, const char *group, const char *name,
			    struct event_spec *spec, struct error *error)
{
	*spec = (struct event_spec){.type = PERF_TYPE_TRACEPOINT, .scale = 1};
	snprintf(spec->name, sizeof(spec->name), "%s:%s", group, name);
	if (machine_lacks(name) || (!machine.has_sched_switch && strcmp(name, "sched_switch") == 0))
		return error_set_errno(error, ERROR_EVENT_TRACEFS, spec->name, EACCES);
	spec->config = strcmp(name, "sched_switch") == 0         ? MACHINE_SWITCH
		       : strcmp(name, "sched_waking") == 0       ? MACHINE_WAKING
		       : strcmp(name, "sched_wakeup") == 0       ? MACHINE_WAKEUP
		       : strcmp(name, "sched_process_exit") == 0 ? MACHINE_EXIT
								 : MACHINE_NEWBORN;
	return true;
}

bool __wrap_tracepoint_read_format(const char *root, const char *group, const char *name,
				   char *text, size_t size, struct error *error)
{
	snprintf(text, size, "%s", FAKE_SWITCH_FORMAT);
	return true;
}

bool __wrap_tracepoint_find_field(const char *root, const char *group, const char *name,
				  const char *field_name, struct tracepoint_field *field,
				  struct error *error)
{
	if (strcmp(group, "sched") != 0 || strcmp(field_name, "pid") != 0 || *name == '\0')
		return false;
	*field = (struct tracepoint_field){.offset = MACHINE_TID_AT, .size = 4, .is_signed = true};
	return true;
}

bool __wrap_probe_find_kernel(const char *root, const char *symbol, uint64_t offset, bool returns,
			      struct event_spec *spec, struct error *error)
{
	if (machine_lacks(symbol))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, symbol, "kprobe");
	*spec = (struct event_spec){.type = MACHINE_KPROBE, .pmu = "kprobe", .scale = 1};
	snprintf(spec->name, sizeof(spec->name), "kprobe:%s", symbol);
	return true;
}

static inline void machine_reset(const char *online)
{
	memset(&machine, 0, sizeof(machine));
	machine.online = online;
}

#endif
