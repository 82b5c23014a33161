#ifndef PERFTOP_EVENT_PROCESSOR_H
#define PERFTOP_EVENT_PROCESSOR_H

/*
 * Known families of processors and their events: which cache level the kernel's generic cache
 * events mean on each, and the codes of its presets. A table; the machine is not asked.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cache_level.h"

enum preset {
#define PRESET(id, name, level, help) PRESET_##id,
#include "event/presets.def"
	PRESETS
};

/* A family; a row of the table. */
struct processor; /* opaque */

/* By host_read_cpu_id() of kernel/host.h; one that is not in the table is unknown, never NULL. */
const struct processor *processor_find(const char *cpu_id);

/* "AMD Zen 3"; "unknown processor, generic events". */
const char *processor_name(const struct processor *processor);
bool processor_is_known(const struct processor *processor);

/*
 * Which level an event counts there, modifiers behind its name or not: one of the kernel's generic
 * and cache events or a preset. UNKNOWN: it is none of these, or the family is not known.
 */
enum cache_level processor_event_level(const struct processor *processor, const char *event);

/* A preset by its name, length bytes of it; -1: none. */
int preset_find(const char *name, size_t length);
const char *preset_name(enum preset preset);
const char *preset_help(enum preset preset);

/*
 * The terms, as between the slashes of cpu/.../, by which cores of the family that have the PMU of
 * this name count it; NULL: they do not.
 */
const char *processor_terms(const struct processor *processor, const char *pmu, enum preset preset);

/* What the count is to be multiplied by; 0: by caps/slots of the PMU. */
double processor_scale(const struct processor *processor, const char *pmu, enum preset preset);

#endif
