#ifndef PERFTOP_EVENT_PROBE_H
#define PERFTOP_EVENT_PROBE_H

/*
 * Probes: functions of programs and of the kernel as events, counted each time they are entered or
 * returned from. The kernel has a PMU of its own for each of the two kinds; their numbers are read
 * under `root` ("" in production); files of programs are where the user says.
 */

#include <stdbool.h>
#include <stdint.h>

struct error;
struct event_spec;
struct probe_request;

/* Errors: EVENT_PMU_ABSENT, and those of probe_place_find(). */
bool probe_find_user(const char *root, const struct probe_request *request, struct event_spec *spec,
		     struct error *error);

/*
 * symbol: a function of the kernel, or 0x...: an address. Whether it may be probed only the kernel
 * knows, when it is opened. Errors: EVENT_PMU_ABSENT, EVENT_PROBE_SYMBOL.
 */
bool probe_find_kernel(const char *root, const char *symbol, uint64_t offset, bool returns,
		       struct event_spec *spec, struct error *error);

#endif
