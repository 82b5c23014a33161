#ifndef PERFTOP_KERNEL_GROUP_H
#define PERFTOP_KERNEL_GROUP_H

/*
 * A group of counters that the kernel counts, reads and samples together, opened all or nothing.
 * The leader is opened disabled, the members are added, and the group is enabled as a whole: a
 * member added to an enabled leader of another PMU would not count, and enabled == running would
 * hide it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "kernel/attr.h"

enum {
	GROUP_MEMBERS_MAX = 32
};

enum group_leader {
	GROUP_LEADER_SWITCHES,   /* of a CPU: a reading at every context switch */
	GROUP_LEADER_TRACEPOINT, /* the same, by the tracepoint sched:sched_switch */
	GROUP_LEADER_TASK        /* of a task: no samples */
};

/* What counters are opened on. */
struct group_target {
	enum group_leader leader;
	uint64_t tracepoint; /* its number, where it leads */
	bool has_site;       /* of that, samples say where tasks leave the CPU (struct attr_site) */
	pid_t pid; /* -1: all, with cpu >= 0; with such a cpu: an open cgroup, its tasks */
	int cpu;   /* -1: any, with pid > 0 */
	bool exclude_kernel; /* for all members, where the user may not see the kernel */
	bool enable_on_exec;
};

/* Only their tasks are counted; none of them is inside another one. */
struct group_cgroups {
	const int *fds; /* open */
	size_t count;   /* 0: all tasks are */
};

/* How many of them have been removed since they were opened. */
size_t group_cgroups_gone(const struct group_cgroups *cgroups);

struct group_request {
	struct group_target target;
	const struct event_spec *specs[GROUP_MEMBERS_MAX]; /* members */
	size_t count;                                      /* 0: the leader alone */
};

struct group {
	int leader_fd; /* -1: not open */
	int member_fds[GROUP_MEMBERS_MAX];
	uint64_t ids[1 + GROUP_MEMBERS_MAX]; /* kernel's ids: leader, then members */
	size_t count;                        /* members */
	uint64_t read_format;                /* of a reading */
};

/*
 * One read(2) of the group. values[0] is the leader's count, values[1 + i] that of member i.
 */
struct group_reading {
	uint64_t enabled_ns, running_ns;
	uint64_t values[1 + GROUP_MEMBERS_MAX];
	uint64_t leader_lost; /* samples the leader lost; 0 where it is not reported */
	size_t count;         /* values */
};

/*
 * Opens the group, closed on exec. 0, or a positive errno: nothing is open then, and *failed_member
 * (may be NULL) says which spec was refused (-1: the leader).
 * ENODEV for a breakpoint, too, where a try shows that none fires on this machine.
 */
int group_open(struct group *group, const struct group_request *request,
	       const struct attr_features *features, int *failed_member);

/* Closes what is open; a group that was never opened ({.leader_fd = -1}) is allowed. */
void group_close(struct group *group);

/*
 * Whether a group whose events are about to be opened elsewhere should stay open until then: the
 * last close of a tracepoint waits for all CPUs, some 40 ms (Linux 6.18). A group with breakpoints
 * should not: there are only four, which the others need.
 */
bool group_should_linger(const struct group_request *request);

bool group_enable(const struct group *group);
bool group_disable(const struct group *group);

/* Of one that is disabled the leader alone: members show what they had. */
void group_enable_leader(const struct group *group);

/*
 * Reads the group. False when the kernel delivered nothing usable: end of file (an error
 * state), a short read or another number of members than was opened.
 */
bool group_read(const struct group *group, struct group_reading *reading);

/*
 * Counts an event of a thread and of all threads that it creates from now on, with_children also of
 * all processes that descend from it. Returns its descriptor or -errno (-EINVAL: without children
 * not before Linux 5.13).
 */
int inherited_open(pid_t tid, const struct event_spec *spec, const struct attr_features *features,
		   bool with_children);

/* The sum over all of these. False: it cannot be read. */
bool inherited_read(int fd, uint64_t *count);

/* What a timeline writes, as bits. */
enum timeline_content {
	TIMELINE_SWITCHES = 1, /* the outgoing and the incoming task */
	TIMELINE_NAMES = 2,    /* also of a thread that executes a program, under its new id */
	TIMELINE_TASKS = 4 | TIMELINE_NAMES /* forks, exits and names */
};

/* Opens a timeline (attr_init_timeline) of a target's pid and cpu; returns its descriptor or
 * -errno. */
int timeline_open(pid_t pid, int cpu, const struct attr_features *features, bool exclude_kernel,
		  uint32_t wakeup_bytes, unsigned int content);

/* Whether it writes; at first it does. */
void timeline_turn(int fd, bool is_on);

/* Closes a timeline and stops it, even if a forked child has the descriptor, too. */
void timeline_close(int fd);

/*
 * Opens an event of a CPU that writes a sample at each occurrence (attr_init_sampler); *id is in
 * its samples. Returns its descriptor or -errno.
 */
int sampler_open(int cpu, const struct event_spec *spec, const struct attr_features *features,
		 bool with_cgroup, uint64_t *id);

/*
 * The same for an event that writes one sample after each refresh, with the task that runs on the
 * CPU, of a cgroup (pid) its own; idle is task 0. This interrupts the CPU.
 */
int glance_open(pid_t pid, int cpu, const struct attr_features *features, uint64_t *id);
int glance_let_go(int fd); /* 0 or -errno */

/*
 * Opens an event that samples where tasks are (attr_init_profiler). In a group it is enabled and
 * disabled with it, and its value is behind those of the members in readings of the group. Returns
 * its descriptor or -errno.
 */
int profiler_open(const struct profiler_request *request, const struct attr_features *features);

/* The event that leads the group of one that samples accesses to memory (access_fd), which is
 * opened next. A descriptor, or -errno. */
int access_leader_open(const struct profiler_request *request, const struct event_spec *leader,
		       const struct attr_features *features);

/*
 * From now on takes a sample at each n-th switch (off the CPU), each n ns (by the CPU's clock), or
 * n times a second (by cycles, or another event that is sampled so). 0 or -errno.
 */
int profiler_set_period(int fd, uint64_t period);

/* Sends the records of `fd` into the ring of `owner_fd`. 0 or -errno. */
int timeline_redirect(int fd, int owner_fd);

#endif
