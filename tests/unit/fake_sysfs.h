#ifndef PERFTOP_TESTS_FAKE_SYSFS_H
#define PERFTOP_TESTS_FAKE_SYSFS_H

/* The PMUs of a machine that is a folder (fake_root.h). */

#include "fake_root.h"

/* Puts a file of a PMU: sysfs_pmu("cpu", "format/event", "config:0-7\n"). */
static inline void sysfs_pmu(const char *pmu, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, file);
	fake_root_file(path, text);
}

#endif
