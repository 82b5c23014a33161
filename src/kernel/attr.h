#ifndef PERFTOP_KERNEL_ATTR_H
#define PERFTOP_KERNEL_ATTR_H

/*
 * What is to be counted (struct event_spec), and the perf_event_attr made of it.
 *
 * All attributes come from one template, because the members of a group must agree
 * in clock and read format (perf_event_open(2); a member with another clockid is
 * refused with EINVAL). What the running kernel does not know is probed once and left out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"

struct error;
struct perf_event_attr;

/* One event in the kernel's terms. */
struct event_spec {
	char name[64];
	uint32_t type;
	uint64_t config, config1, config2;
	bool is_hardware; /* needs a counter of a PMU; software events always fit */
	bool exclude_user, exclude_kernel, exclude_hv;
};

/*
 * Finds an event by name: the kernel's generic names as perf writes them (cycles,
 * cache-misses, page-faults, context-switches...), then libpfm4's. Fails with PERF_UNSUPPORTED.
 */
bool event_spec_find(const char *name, struct event_spec *spec, struct error *error);

/* What the running kernel knows of newer features. */
struct attr_features {
	bool format_lost;    /* PERF_FORMAT_LOST, Linux 6.0 */
	bool switch_records; /* attr.context_switch, Linux 4.3 */
	bool comm_exec;      /* Linux 3.16 */
	bool clockid;        /* Linux 4.1 */
	bool write_backward; /* Linux 4.7 */
};

/* Tries each feature on a dummy event of this process. */
void attr_probe_features(struct attr_features *features);

/* PERF_FORMAT_* and PERF_SAMPLE_* masks of all perftop events under these features. */
uint64_t attr_read_format(const struct attr_features *features);
uint64_t attr_sample_type(void);

/* How the records of these events are to be decoded: time lines and leaders alike (only samples
 * hold a reading). */
struct decode_format attr_decode_format(const struct attr_features *features);

/* A counting member of a group. */
void attr_init_member(struct perf_event_attr *attr, const struct event_spec *spec,
		      const struct attr_features *features);

/*
 * The leader of a CPU's group: context-switches with sample_period 1, every sample a
 * reading of the group (DESIGN: every context switch is a reading). Opened disabled.
 */
void attr_init_switch_leader(struct perf_event_attr *attr, const struct attr_features *features);

/* The leader of a task's group: a dummy event that only holds the group together. Opened disabled.
 */
void attr_init_task_leader(struct perf_event_attr *attr, const struct attr_features *features,
			   bool exclude_kernel);

/*
 * The time line: a dummy event that writes context switches, births, deaths and names.
 * wakeup_bytes: the ring wakes its reader when so much is in it (1: at once).
 */
void attr_init_timeline(struct perf_event_attr *attr, const struct attr_features *features,
			bool exclude_kernel);

/* Takes from a time line what is not wanted of it. */
void attr_limit_timeline(struct perf_event_attr *attr, bool switches, bool tasks);
void attr_set_wakeup(struct perf_event_attr *attr, uint32_t wakeup_bytes);

#endif
