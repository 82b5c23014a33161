#ifndef PERFTOP_KERNEL_RIGHTS_H
#define PERFTOP_KERNEL_RIGHTS_H

/*
 * Capabilities that the program's file gives to any user who runs it (capabilities(7), setcap(8)).
 * What that user names, in options, keys and the environment, is read and written without them:
 * they are permitted, but in effect only around the system calls listed here, on paths that perftop
 * makes up itself. Root, and a user with capabilities of its own, keeps these: all this does
 * nothing then. Capabilities are those of the calling thread and of forked processes; none outlives
 * an exec.
 */

#include <stdbool.h>

enum rights {
	RIGHTS_EVENTS,         /* perf_event_open(2) */
	RIGHTS_EVENTS_OF_TASK, /* the same for a task of another user: needed before Linux 5.9 */
	RIGHTS_RINGS,          /* mapping a ring for which the limits do not suffice */
	RIGHTS_TASKS,          /* files of /proc/PID that others may not read, and its root */
	RIGHTS_MAPPED_FILES,   /* /proc/PID/map_files */
	RIGHTS_KALLSYMS,       /* opening /proc/kallsyms: with addresses */
	RIGHTS_CGROUP_IDS,     /* open_by_handle_at(2) */
	RIGHTS_REALTIME        /* sched_setscheduler(2) of this process */
};

/*
 * The first call of the program: from now on nothing is in effect, and environment variables that
 * point libraries to files, or change what they do, are removed. False: the kernel refuses, see
 * errno.
 */
bool rights_begin(void);

/* Whether the program holds, or may hold, what its user does not. */
bool rights_are_held_back(void);

/*
 * Before one of the calls above, and after it. False: the program holds nothing that the call
 * needs, or everything is in effect anyway; rights_lower() may be called all the same. That keeps
 * errno.
 */
bool rights_raise(enum rights rights);
void rights_lower(void);

/*
 * For reading a recording, which may be hostile: drops everything but the right to read kallsyms.
 */
void rights_give_up(void);

#endif
