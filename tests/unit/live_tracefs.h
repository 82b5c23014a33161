#ifndef PERFTOP_TESTS_LIVE_TRACEFS_H
#define PERFTOP_TESTS_LIVE_TRACEFS_H

#include <sched.h>
#include <unistd.h>

#include <sys/mount.h>

#include "unit.h"

/*
 * Makes tracepoints readable in this process where root may mount tracefs and nothing did: in a
 * mount namespace of its own, so that the machine stays as it is. Call it before threads start.
 */
static inline void live_tracefs_mount(void)
{
	if (geteuid() != 0 || access("/sys/kernel/tracing/events", F_OK) == 0 ||
	    unshare(CLONE_NEWNS) != 0)
		return;
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) != 0)
		print_message("tracefs cannot be mounted here\n");
}

#endif
