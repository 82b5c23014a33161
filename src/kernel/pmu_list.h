#ifndef PERFTOP_KERNEL_PMU_LIST_H
#define PERFTOP_KERNEL_PMU_LIST_H

/* The PMUs that sysfs lists (/sys/bus/event_source/devices) under `root` ("" in production). */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/spec.h"

typedef char pmu_name[EVENT_SPEC_PMU_MAX];

/* The names of all PMUs, sorted; *names is to be freed. Returns how many. */
size_t pmu_list(const char *root, pmu_name **names);

/*
 * Whether a PMU counts what CPUs execute. x86, POWER and RISC-V call it "cpu", hybrid x86
 * "cpu_core" and "cpu_atom", s390 "cpum_cf"; on ARM its name is that of the core's design and it
 * has a file "cpus" (PMUs outside the cores have "cpumask" instead).
 */
bool pmu_is_core(const char *root, const char *name);

#endif
