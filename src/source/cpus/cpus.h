#ifndef PERFTOP_SOURCE_CPUS_CPUS_H
#define PERFTOP_SOURCE_CPUS_CPUS_H

/*
 * The source that watches whole CPUs: every task that runs on them is seen, however short
 * it lives, at the cost of CPUs x (events + leaders + time line) descriptors.
 */

#include <stddef.h>

#include "kernel/group.h"
#include "source/source.h"

struct attr_features;
struct event_core_pmu;
struct host;
struct number_list;

struct cpus_request {
	const struct host *host;
	const struct attr_features *features;
	const struct number_list *only;         /* of the online CPUs only these; NULL: all */
	bool interrupts_isolated;               /* also CPUs that are isolated or nohz_full */
	struct group_cgroups of;                /* borrowed */
	const char *cgroup_words;               /* what they are called */
	const struct event_core_pmu *core_pmus; /* one for each kind of CPU */
	size_t core_pmu_count;
	const struct event_set *events;
	/* also one of CPUs, that counts these events: they are in the same groups, and nothing is
	 * tried; it gives its counters back when this one begins; NULL: none */
	struct source *replaced;
};

/*
 * Opens everything with the smallest rings, nothing counts yet; it takes larger ones as it begins.
 * NULL when the CPUs cannot be watched; error says why. The request's host, features and list of
 * CPUs are borrowed for the life of the source.
 */
struct source *cpus_create(const struct cpus_request *request, struct error *error);

/*
 * Bytes of one CPU's ring: all rings together stay under 1/64 of the memory, 512 MiB and half of
 * what the user may lock; 64 KiB to 16 MiB each.
 */
size_t cpus_ring_bytes(const struct host *host, size_t cpu_count);

#endif
