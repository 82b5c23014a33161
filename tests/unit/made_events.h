#ifndef PERFTOP_TESTS_MADE_EVENTS_H
#define PERFTOP_TESTS_MADE_EVENTS_H

/*
 * Events as the finder would give them, made by their names' first letters: "sw-..." and
 * page-faults need no counter, "other-..." is of a PMU of its own, everything else is of the core
 * PMU. On a hybrid machine (made.hybrid) the latter has a spec for each of cpu_core and cpu_atom;
 * "core-..." and "atom-..." have one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>

#include "model/record.h"

#include "event/event.h"

enum {
	MADE_MAX = 80,
	MADE_BONDS_MAX = 16,
	MADE_PMU_CORE = 4,
	MADE_PMU_ATOM = 10
};

static struct {
	bool hybrid;
	struct evsel evsels[MADE_MAX];
	char names[MADE_BONDS_MAX][8][EVENT_SPEC_NAME_MAX];
	struct weak_group weak_groups[MADE_BONDS_MAX];
	struct event_set set;
} made;

static const struct event_core_pmu MADE_CORES[] = {
	{.name = "cpu_atom", .type = MADE_PMU_ATOM, .cpus = "2-3"},
	{.name = "cpu_core", .type = MADE_PMU_CORE, .cpus = "0-1"},
};

static inline bool made_begins(const char *name, const char *beginning)
{
	return strncmp(name, beginning, strlen(beginning)) == 0;
}

static inline struct event_spec made_spec(const char *name, enum event_class class, uint32_t type,
					  const char *pmu)
{
	struct event_spec spec = {.class = class, .type = type, .scale = 1};

	snprintf(spec.name, sizeof(spec.name), "%s", name);
	snprintf(spec.pmu, sizeof(spec.pmu), "%s", pmu);
	for (const char *letter = name; *letter != '\0'; letter++)
		spec.config = spec.config * 31 + (unsigned char)*letter;
	return spec;
}

static inline struct evsel made_evsel(const char *name)
{
	struct evsel evsel = {.spec_count = 1};
	struct event_spec *spec = evsel.specs;

	snprintf(evsel.name, sizeof(evsel.name), "%s", name);
	if (made_begins(name, "sw-") || strcmp(name, "page-faults") == 0) {
		*spec = made_spec(name, EVENT_CLASS_SOFTWARE, PERF_TYPE_SOFTWARE, "");
		spec->bp_type = made_begins(name, "sw-breakpoint");
	} else if (made_begins(name, "other-")) {
		*spec = made_spec(name, EVENT_CLASS_HARDWARE, 41, "other");
	} else if (made_begins(name, "core-")) {
		*spec = made_spec(name, EVENT_CLASS_HARDWARE, MADE_PMU_CORE, "cpu_core");
	} else if (made_begins(name, "atom-")) {
		*spec = made_spec(name, EVENT_CLASS_HARDWARE, MADE_PMU_ATOM, "cpu_atom");
	} else if (made.hybrid) {
		spec[0] = made_spec(name, EVENT_CLASS_HARDWARE, MADE_PMU_ATOM, "cpu_atom");
		spec[1] = made_spec(name, EVENT_CLASS_HARDWARE, MADE_PMU_CORE, "cpu_core");
		evsel.spec_count = 2;
	} else {
		*spec = made_spec(name, EVENT_CLASS_HARDWARE, PERF_TYPE_HARDWARE, "");
	}
	return evsel;
}

/* A set of these events, without weak groups; the next call overwrites it. */
static inline struct event_set *made_set(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		made.evsels[i] = made_evsel(names[i]);
	made.set = (struct event_set){
		.evsels = made.evsels, .count = count, .weak_groups = made.weak_groups};
	return &made.set;
}

/* Adds a weak group of the events of the set with these indices (ends with -1). */
static inline void made_weak_group(bool must, const int *indices)
{
	const size_t index = made.set.weak_group_count++;
	struct weak_group *weak = &made.weak_groups[index];

	*weak = (struct weak_group){.names = made.names[index], .must = must};
	for (; *indices >= 0; indices++) {
		struct evsel *evsel = &made.evsels[*indices];

		memcpy(weak->names[weak->count++], evsel->name, sizeof(evsel->name));
		evsel->only_in_braces = evsel->only_in_braces || must;
	}
}

static inline void made_reset(void)
{
	memset(&made, 0, sizeof(made));
}

/* For texts. */
static inline const char *record_kind_name(enum record_kind kind)
{
	/* clang-format off */
	static const char *const names[RECORD_KINDS] = {
		[RECORD_READING]      = "reading",
		[RECORD_SWITCH]       = "switch",
		[RECORD_FORK]         = "fork",
		[RECORD_EXIT]         = "exit",
		[RECORD_COMM]         = "comm",
		[RECORD_PROCINFO]        = "facts",
		[RECORD_SWITCH_COUNT] = "switch count",
		[RECORD_LOST]         = "lost",
		[RECORD_THROTTLED]    = "throttled",
		[RECORD_CPU_ONLINE]   = "cpu online",
		[RECORD_CPU_OFFLINE]  = "cpu offline",
		[RECORD_WAKEUP]       = "wake-up",
		[RECORD_YIELD]        = "yield",
		[RECORD_SHED]         = "shed",
		[RECORD_SETTLED]      = "settled",
		[RECORD_UNREAD]       = "unread",
		[RECORD_RUN_DELAY]    = "run delay",
		[RECORD_ESTIMATE]     = "estimate",
		[RECORD_SAMPLE]       = "sample",
		[RECORD_MAPPING]      = "mapping",
		[RECORD_CPU_TIMES]    = "cpu-times",
		[RECORD_STALLS]       = "stalls",
		[RECORD_SITE]         = "site",
		[RECORD_SLEEP]        = "sleep",
		[RECORD_CPU_USE]      = "cpu use",
		[RECORD_INTERRUPT]    = "interrupt",
		[RECORD_SLICE]        = "slice",
	};
	/* clang-format on */

	return (unsigned)kind < RECORD_KINDS ? names[kind] : "unknown";
}

#endif
