/*
 * Groups of counters: open all or nothing, enable as a whole, read with one call. Invariant:
 * descriptors and ids of members 0 .. count - 1 are valid; the leader's id is ids[0]. Values of a
 * reading are matched by these ids; those of a tracepoint leader have none and are in the order in
 * which the members were opened (the kernel's list of siblings). A profiler that has joined the
 * group has a value behind those of the members.
 */

#include "kernel/group.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/resource.h>

#include "kernel/decode.h"
#include "kernel/sys.h"

enum {
	KEPT_DESCRIPTORS = 32, /* of few half */
	VALUES_MAX = 1 + GROUP_MEMBERS_MAX,
	/* count, enabled, running, then value, id and lost of each, and of a profiler */
	READ_WORDS_MAX = 3 + 3 * (VALUES_MAX + 1)
};

static_assert((int)VALUES_MAX <= (int)DECODE_READ_MAX, "the decoder keeps every value of a group");
static_assert(VALUES_MAX < 64, "seen values are bits of one word");

size_t group_cgroups_gone(const struct group_cgroups *cgroups)
{
	size_t gone = 0;

	for (size_t i = 0; i < cgroups->count; i++)
		gone += faccessat(cgroups->fds[i], "cgroup.procs", F_OK, 0) != 0;
	return gone;
}

/*
 * Whether a write of this process is counted: there are hypervisors that take the addresses of
 * breakpoints and never stop at them. Where that cannot be tried it is believed.
 */
static bool breakpoints_fire(void)
{
	volatile int target = 0;
	struct perf_event_attr attr = {.type = PERF_TYPE_BREAKPOINT,
				       .size = sizeof(attr),
				       .bp_type = HW_BREAKPOINT_W,
				       .bp_addr = (uintptr_t)&target,
				       .bp_len = sizeof(target),
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	const int fd = sys_perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t count;
	bool is_counted;

	if (fd < 0)
		return true;
	target = 1;
	is_counted = sys_read(fd, &count, sizeof(count)) != sizeof(count) || count > 0;
	sys_close(fd);
	return is_counted;
}

/*
 * Keeps the last descriptors free for the loop, for a recording, for the terminal and /proc. The
 * kernel gives the lowest one that is free.
 */
static int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd)
{
	const unsigned long flags = pid > 0 && cpu >= 0 ? PERF_FLAG_PID_CGROUP : 0;
	struct rlimit limit;
	rlim_t kept;
	int fd;

	if (attr->type == PERF_TYPE_BREAKPOINT && !breakpoints_fire())
		return -ENODEV;
	fd = sys_perf_event_open(attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC | flags);
	if (fd < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return fd;
	kept = limit.rlim_cur / 2 < KEPT_DESCRIPTORS ? limit.rlim_cur / 2 : KEPT_DESCRIPTORS;
	if ((rlim_t)fd + kept < limit.rlim_cur)
		return fd;
	sys_close(fd);
	return -EMFILE;
}

/* Opens one event and learns its id; descriptor or -errno. */
static int open_with_id(struct perf_event_attr *attr, const struct group_target *target,
			int group_fd, uint64_t *id)
{
	int fd;

	attr_set_cpu(attr, target->cpu);
	fd = perf_open(attr, target->pid, target->cpu, group_fd);
	if (fd < 0)
		return fd;

	int result = sys_perf_ioctl(fd, PERF_EVENT_IOC_ID, (unsigned long)id);

	if (result < 0) {
		sys_close(fd);
		return result;
	}
	return fd;
}

static int open_leader(struct group *group, const struct group_request *request,
		       const struct attr_features *features)
{
	struct perf_event_attr attr;

	switch (request->target.leader) {
	case GROUP_LEADER_SWITCHES:
		attr_init_switch_leader(&attr, features);
		break;
	case GROUP_LEADER_TRACEPOINT:
		attr_init_tracepoint_leader(&attr, features, request->target.tracepoint);
		if (request->target.has_site)
			attr_add_site(&attr);
		break;
	case GROUP_LEADER_TASK:
		attr_init_task_leader(&attr, features, request->target.exclude_kernel);
		break;
	}
	attr.enable_on_exec = request->target.enable_on_exec;
	group->read_format = attr.read_format;
	group->leader_fd = open_with_id(&attr, &request->target, -1, &group->ids[0]);
	return group->leader_fd;
}

/*
 * Opens a member's event. One that would stay 0 because the kernel must be excluded is refused with
 * the errno of missing permission, one that would count in other modes than it says as invalid.
 * Some PMUs (msr) and some kernels refuse any exclude_guest; if that is only the default, the event
 * is opened without it.
 */
static int open_event(const struct group *group, const struct group_request *request,
		      const struct attr_features *features, size_t i, uint64_t *id)
{
	const struct event_spec *spec = request->specs[i];
	struct perf_event_attr attr;

	if (request->target.exclude_kernel && attr_needs_kernel(spec))
		return -EACCES;
	if (attr_ignores_modes(spec))
		return -EINVAL;
	attr_init_member(&attr, spec, features);
	if (request->target.exclude_kernel)
		attr.exclude_kernel = 1;

	int fd = open_with_id(&attr, &request->target, group->leader_fd, id);

	if (fd != -EINVAL || !spec->guest_is_default || !attr.exclude_guest)
		return fd;
	attr.exclude_guest = 0;
	return open_with_id(&attr, &request->target, group->leader_fd, id);
}

/*
 * Called before the group is enabled, so that nothing is counted unfiltered. For unmatched brackets
 * and quotes the kernel returns internal numbers of its parser (-1 to -3) instead of an errno.
 */
static int set_filter(int fd, const char *filter)
{
	if (*filter == '\0')
		return 0;

	const int result = sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)filter);

	return result >= -3 && result < 0 ? -EINVAL : result;
}

static int open_member(struct group *group, const struct group_request *request,
		       const struct attr_features *features, size_t i)
{
	int fd = open_event(group, request, features, i, &group->ids[1 + i]);

	if (fd < 0)
		return fd;

	int result = set_filter(fd, request->specs[i]->filter);

	if (result < 0) {
		sys_close(fd);
		return result;
	}
	group->member_fds[i] = fd;
	group->count = i + 1;
	return fd;
}

int group_open(struct group *group, const struct group_request *request,
	       const struct attr_features *features, int *failed_member)
{
	*group = (struct group){.leader_fd = -1};
	assert(request->count <= GROUP_MEMBERS_MAX);

	int failed = -1;
	int fd = open_leader(group, request, features);

	for (size_t i = 0; fd >= 0 && i < request->count; i++) {
		failed = (int)i;
		fd = open_member(group, request, features, i);
	}
	if (fd >= 0)
		return 0;
	if (failed_member)
		*failed_member = failed;
	group_close(group);
	return -fd;
}

bool group_should_linger(const struct group_request *request)
{
	bool has_tracepoint = request->target.leader == GROUP_LEADER_TRACEPOINT;

	for (size_t i = 0; i < request->count; i++) {
		if (request->specs[i]->type == PERF_TYPE_BREAKPOINT)
			return false;
		has_tracepoint = has_tracepoint || request->specs[i]->type == PERF_TYPE_TRACEPOINT;
	}
	return has_tracepoint;
}

void group_close(struct group *group)
{
	/*
	 * Members first: if the leader were closed before them, each would become a group of its
	 * own.
	 */
	while (group->count > 0)
		sys_close(group->member_fds[--group->count]);
	if (group->leader_fd >= 0)
		sys_close(group->leader_fd);
	group->leader_fd = -1;
}

bool group_enable(const struct group *group)
{
	return sys_perf_ioctl(group->leader_fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0;
}

void group_enable_leader(const struct group *group)
{
	sys_perf_ioctl(group->leader_fd, PERF_EVENT_IOC_ENABLE, 0);
}

bool group_disable(const struct group *group)
{
	return sys_perf_ioctl(group->leader_fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) == 0;
}

/* Index of an id in the group, searched from where it is expected; VALUES_MAX: not found. */
static size_t find_id(const struct group *group, uint64_t id, size_t expected)
{
	if (group->ids[expected] == id)
		return expected;
	for (size_t i = 0; i <= group->count; i++)
		if (group->ids[i] == id)
			return i;
	return VALUES_MAX;
}

static bool assign_values(const struct group *group, const struct decoded_read *read,
			  struct group_reading *reading)
{
	const bool has_lost = (group->read_format & PERF_FORMAT_LOST) != 0;
	const bool has_ids = (group->read_format & PERF_FORMAT_ID) != 0;
	uint64_t seen = 0;

	for (size_t i = 0; i <= group->count; i++) {
		size_t index = has_ids ? find_id(group, read->ids[i], i) : i;

		if (index == VALUES_MAX || (seen & (UINT64_C(1) << index)))
			return false;
		seen |= UINT64_C(1) << index;
		reading->values[index] = read->values[i];
		if (index == 0)
			reading->leader_lost = has_lost ? read->lost[i] : 0;
	}
	return true;
}

bool group_read(const struct group *group, struct group_reading *reading)
{
	uint64_t words[READ_WORDS_MAX];
	struct decoded_read read;
	ssize_t size = sys_read(group->leader_fd, words, sizeof(words));

	if (size <= 0 || !decode_read(&read, words, (size_t)size, group->read_format) ||
	    read.count < 1 + group->count || read.count > 2 + group->count)
		return false;
	reading->enabled_ns = read.enabled_ns;
	reading->running_ns = read.running_ns;
	reading->count = 1 + group->count;
	return assign_values(group, &read, reading);
}

/* Returns the descriptor, or a refusal, and then it is closed. */
static int enable_filtered(int fd, const char *filter)
{
	int result = set_filter(fd, filter);

	if (result >= 0)
		result = sys_perf_ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	if (result >= 0)
		return fd;
	sys_close(fd);
	return result;
}

int inherited_open(pid_t tid, const struct event_spec *spec, const struct attr_features *features,
		   bool with_children)
{
	struct perf_event_attr attr;
	int fd;

	attr_init_inherited(&attr, spec, features, with_children);
	fd = perf_open(&attr, tid, -1, -1);
	if (fd == -EACCES && !attr_needs_kernel(spec)) {
		attr.exclude_kernel = 1;
		fd = perf_open(&attr, tid, -1, -1);
	}
	return fd < 0 ? fd : enable_filtered(fd, spec->filter);
}

bool inherited_read(int fd, uint64_t *count)
{
	return sys_read(fd, count, sizeof(*count)) == (ssize_t)sizeof(*count);
}

int timeline_open(pid_t pid, int cpu, const struct attr_features *features, bool exclude_kernel,
		  uint32_t wakeup_bytes, unsigned int content)
{
	struct perf_event_attr attr;

	attr_init_timeline(&attr, features, exclude_kernel);
	attr_limit_timeline(&attr, (content & TIMELINE_SWITCHES) != 0,
			    (content & TIMELINE_NAMES) != 0,
			    (content & TIMELINE_TASKS) == TIMELINE_TASKS);
	attr_set_wakeup(&attr, wakeup_bytes);
	attr_set_cpu(&attr, cpu);
	return perf_open(&attr, pid, cpu, -1);
}

void timeline_turn(int fd, bool is_on)
{
	sys_perf_ioctl(fd, is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void timeline_close(int fd)
{
	timeline_turn(fd, false);
	sys_close(fd);
}

int sampler_open(int cpu, const struct event_spec *spec, const struct attr_features *features,
		 bool with_cgroup, uint64_t *id)
{
	const struct group_target target = {.pid = -1, .cpu = cpu};
	struct perf_event_attr attr;

	attr_init_sampler(&attr, spec, features, with_cgroup);
	return open_with_id(&attr, &target, -1, id);
}

int glance_open(pid_t pid, int cpu, const struct attr_features *features, uint64_t *id)
{
	const struct group_target target = {.pid = pid, .cpu = cpu};
	struct perf_event_attr attr;

	attr_init_glance(&attr, features);
	return open_with_id(&attr, &target, -1, id);
}

int glance_let_go(int fd)
{
	return sys_perf_ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
}

static bool is_more_precise_than_can_be(int fd, const struct profiler_request *request,
					const struct perf_event_attr *attr)
{
	return (fd == -EINVAL || fd == -EOPNOTSUPP) && request->spec &&
	       request->spec->is_most_precise && attr->precise_ip > 0;
}

/* Not every PMU can exclude guests; without that it counts them, too. */
static int open_profiler(const struct profiler_request *request,
			 const struct attr_features *features)
{
	const int no_group = request->access_fd > 0 ? request->access_fd : -1;
	const int group_fd = request->group ? request->group->leader_fd : no_group;
	struct perf_event_attr attr;
	int fd;

	attr_init_profiler(&attr, request, features);
	fd = perf_open(&attr, request->tid, request->cpu, group_fd);
	while (is_more_precise_than_can_be(fd, request, &attr)) {
		attr.precise_ip--;
		fd = perf_open(&attr, request->tid, request->cpu, group_fd);
	}
	if (fd != -EINVAL || !attr.exclude_guest)
		return fd;
	attr.exclude_guest = 0;
	return perf_open(&attr, request->tid, request->cpu, group_fd);
}

int profiler_open(const struct profiler_request *request, const struct attr_features *features)
{
	const int fd = open_profiler(request, features);

	if (fd < 0 || !request->spec || request->spec->filter[0] == '\0')
		return fd;
	return enable_filtered(fd, request->spec->filter);
}

int access_leader_open(const struct profiler_request *request, const struct event_spec *leader,
		       const struct attr_features *features)
{
	struct perf_event_attr attr;

	attr_init_member(&attr, leader, features);
	attr.read_format = 0;
	attr.exclude_kernel |= request->exclude_kernel;
	return perf_open(&attr, request->tid, request->cpu, -1);
}

int profiler_set_period(int fd, uint64_t period)
{
	return sys_perf_ioctl(fd, PERF_EVENT_IOC_PERIOD, (unsigned long)&period);
}

int timeline_redirect(int fd, int owner_fd)
{
	return sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)owner_fd);
}
