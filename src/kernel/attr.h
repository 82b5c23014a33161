#ifndef PERFTOP_KERNEL_ATTR_H
#define PERFTOP_KERNEL_ATTR_H

/*
 * The perf_event_attr that is made of what is to be counted (struct event_spec).
 *
 * All attributes come from one template, because the members of a group must agree
 * in clock and read format (perf_event_open(2); a member with another clockid is
 * refused with EINVAL). What the running kernel does not know is probed once and left out.
 */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/spec.h"

struct group;
struct perf_event_attr;

/* What the running kernel knows of newer features. */
struct attr_features {
	bool format_lost;    /* PERF_FORMAT_LOST, Linux 6.0 */
	bool switch_records; /* attr.context_switch, Linux 4.3 */
	bool comm_exec;      /* Linux 3.16 */
	bool clockid;        /* Linux 4.1 */
	bool cgroup;         /* PERF_SAMPLE_CGROUP, Linux 5.7; also depends on how it is built */
};

/* Tries each feature on a dummy event of this process. */
void attr_probe_features(struct attr_features *features);

/*
 * PERF_FORMAT_* and PERF_SAMPLE_* masks of all perftop events under these features, but of the
 * tracepoint that leads (attr_init_tracepoint_leader()).
 */
uint64_t attr_read_format(const struct attr_features *features);
uint64_t attr_sample_type(void);

/* How the records of these events are to be decoded: time lines and leaders alike (only samples
 * hold a reading). */
struct decode_format attr_decode_format(const struct attr_features *features);

/* The same where tracepoints lead; records other than samples look alike. */
struct decode_format attr_tracepoint_format(void);

/* A counting member of a group. A probe's attribute points to spec->target: spec must outlive it.
 */
void attr_init_member(struct perf_event_attr *attr, const struct event_spec *spec,
		      const struct attr_features *features);

/*
 * Whether it happens in the kernel only, or cannot be counted without it (msr): with the kernel
 * left out the count of such an event is 0 for ever, or it is refused (Linux 6.18). One that
 * leaves the kernel out by its own wish is not meant.
 */
bool attr_needs_kernel(const struct event_spec *spec);

/*
 * The leader of a CPU's group: context-switches with sample_period 1, every sample a
 * reading of the group (DESIGN: every context switch is a reading). Opened disabled.
 */
void attr_init_switch_leader(struct perf_event_attr *attr, const struct attr_features *features);

/*
 * The same with a tracepoint in its place, sched:sched_switch, by its number: its raw data name
 * the task that comes, too. Its values are neither named by ids nor is it said how many samples
 * were lost: the order is that of opening, and a loss is a jump of the leader's count.
 */
void attr_init_tracepoint_leader(struct perf_event_attr *attr, const struct attr_features *features,
				 uint64_t tracepoint);

/*
 * A counter outside any group that new threads of the process inherit, and with_children its new
 * processes too (attr.inherit). Opened disabled.
 */
void attr_init_inherited(struct perf_event_attr *attr, const struct event_spec *spec,
			 const struct attr_features *features, bool with_children);

/*
 * Whether an inherited counter of the event counts what a CPU's counter does, and needs no hardware
 * counter: software events and tracepoints. Not tracepoints of the scheduler, which count for the
 * task they are about as well as for the current one; a tracepoint named otherwise than SYSTEM:NAME
 * may be one of these. Not probes: at each fork the kernel reads the attribute's path again, from
 * the memory of the task that forks, and the fork fails (EFAULT; Linux 6.18).
 */
bool attr_is_inheritable(const struct event_spec *spec);

/* The leader of a task's group: a dummy event that only holds the group together. Opened disabled.
 */
void attr_init_task_leader(struct perf_event_attr *attr, const struct attr_features *features,
			   bool exclude_kernel);

/*
 * The time line: a dummy event that writes context switches, births, deaths and names, and which
 * cgroups are made.
 * wakeup_bytes: the ring wakes its reader when so much is in it (1: at once).
 */
void attr_init_timeline(struct perf_event_attr *attr, const struct attr_features *features,
			bool exclude_kernel);

/*
 * An event that writes a sample each time it happens, in any task: the task, time and CPU, and its
 * raw data, and with_cgroup the id of the task's cgroup. Nothing is read with it. Enabled from the
 * start.
 */
void attr_init_sampler(struct perf_event_attr *attr, const struct event_spec *spec,
		       const struct attr_features *features, bool with_cgroup);
struct decode_format attr_sampler_format(bool with_cgroup);

/*
 * Of a sampler that says once which task runs: the CPU's clock, which is set for 10 us or later
 * when the event is refreshed; disabled.
 */
void attr_init_glance(struct perf_event_attr *attr, const struct attr_features *features);

enum {
	PROFILER_HZ = 997, /* no multiple or divisor of what timers run at */
	PROFILER_HZ_DEAR = 499
};

/* An event that takes a sample so many times a second: where a task is, and by which calls. */
struct profiler_request {
	int32_t tid;      /* -1: all, with cpu >= 0 */
	int cpu;          /* -1: any, with tid > 0 */
	bool is_off_cpu;  /* not so: at each context switch, until profiler_set_period() says at
			     which, and all switches are reported */
	bool is_hardware; /* by cycles; else by the CPU's clock */
	uint32_t pmu;     /* of hardware: the core PMU's type where there are several; 0: the one */
	uint32_t hz;      /* samples per second of running */
	const struct group *group; /* that it joins, of the same CPU or task: its samples have a
				      reading of it; NULL: none */
	bool by_lbr; /* the processor says who called in user mode (Intel's LBR), where it can: of
			hardware only. Calls since the task was last put on its CPU, 16 or 32 */
	uint16_t max_stack; /* calls that a chain has at most; 0: as many as the kernel allows */
	bool exclude_kernel;
	uint32_t wakeup_bytes; /* the ring wakes its reader when so much is in it */
	uint64_t tracepoint;   /* not so: each time it happens, or at one of so many likewise; a
				  sample says how often it has been, and has its raw data; 0: none */
};

/*
 * Of what is on the CPU: idle has no samples. It also writes what changes the code in a process:
 * executable mappings, births, ends and execve(2). Enabled from the start.
 */
void attr_init_profiler(struct perf_event_attr *attr, const struct profiler_request *request,
			const struct attr_features *features);
struct decode_format attr_profiler_format(const struct attr_features *features, bool has_group,
					  bool by_lbr);
struct decode_format attr_off_cpu_format(void);
struct decode_format attr_traced_format(void);

/* Takes from a time line what is not wanted of it. */
void attr_limit_timeline(struct perf_event_attr *attr, bool switches, bool names, bool tasks);
void attr_set_wakeup(struct perf_event_attr *attr, uint32_t wakeup_bytes);

#endif
