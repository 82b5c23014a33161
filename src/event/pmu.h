#ifndef PERFTOP_EVENT_PMU_H
#define PERFTOP_EVENT_PMU_H

/*
 * The PMUs that sysfs lists (/sys/bus/event_source/devices), what their events are called and where
 * their fields are in the attribute. What a PMU's folders hold is read when it is first asked for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/host.h"

#include "event/event.h"
#include "event/terms.h"

struct error;

struct pmu_field {
	char name[TERM_NAME_MAX];
	struct format format;
	char text[TERM_VALUE_MAX]; /* as sysfs writes it */
	const char *fault;         /* why its format cannot be used (static); NULL: it can */
};

/* A named event: a file of events/, with those beside it. */
struct pmu_event {
	char name[TERM_NAME_MAX];
	char *terms; /* owned */
	double scale;
	char unit[EVENT_SPEC_UNIT_MAX];
};

struct pmu {
	pmu_name name;
	uint32_t type;
	bool is_core;
	bool is_shared;           /* it counts for many CPUs at once: sysfs has a cpumask */
	char *cpus;               /* owned; as sysfs writes them; "" all */
	bool is_loaded;           /* fields and events have been read */
	struct pmu_field *fields; /* owned; sorted by name, as the events are */
	size_t field_count, field_capacity;
	struct pmu_event *events; /* owned */
	size_t event_count, event_capacity;
};

struct pmus {
	const char *root; /* borrowed */
	struct pmu *pmus; /* owned; sorted by name */
	size_t count;
	bool is_read;
};

/* Reads names, types and CPUs, once. */
void pmus_read(struct pmus *pmus);
void pmus_fini(struct pmus *pmus);

/* A PMU by its name; NULL: there is none. */
struct pmu *pmus_find(struct pmus *pmus, const char *name, size_t length);

/* Reads fields and events, once. */
void pmu_load(const struct pmus *pmus, struct pmu *pmu);

/* A named event of a loaded PMU, without regard to case; NULL: none. */
const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t length);

/* What its events need. */
enum event_class pmu_class(const struct pmu *pmu);

/*
 * Makes a spec of terms of a loaded PMU: type, config, scale, and the name when one is given by
 * name=. False: *position is that of the term at fault, and error speaks of `what`.
 */
bool pmu_apply_terms(const struct pmu *pmu, const struct terms *terms, const char *what,
		     struct event_spec *spec, size_t *position, struct error *error);

/*
 * The same for the terms of an event that has no PMU (cycles/name=c/): only those that any event
 * may have.
 */
bool pmu_apply_general_terms(const struct terms *terms, const char *what, struct event_spec *spec,
			     size_t *position, struct error *error);

#endif
