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
#include <stddef.h>
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
	bool ksymbol;        /* attr.ksymbol, Linux 5.0 */
	bool cgroup;         /* PERF_SAMPLE_CGROUP, Linux 5.7; also depends on how it is built */
};

/* Tries each feature on a dummy event of this process. */
void attr_probe_features(struct attr_features *features);

/*
 * The PERF_FORMAT_* and PERF_SAMPLE_* masks of all perftop's events under these features, except
 * the tracepoint that leads (attr_init_tracepoint_leader()).
 */
uint64_t attr_read_format(const struct attr_features *features);
uint64_t attr_sample_type(void);

/*
 * How to decode the records of these events, leaders and timelines alike: only samples have a
 * reading.
 */
struct decode_format attr_decode_format(const struct attr_features *features);

/*
 * The same of events of one CPU: that need not be in each record, and they are cheaper without.
 * Where tracepoints lead, records other than samples do not differ.
 */
struct decode_format attr_cpu_format(const struct attr_features *features);
struct decode_format attr_tracepoint_format(void);

/* The event is opened on this CPU; -1: on any. */
void attr_set_cpu(struct perf_event_attr *attr, int cpu);

/* A sample of a leader that is a tracepoint, as this format has it. Behind the values are the raw
 * data. */
struct attr_tracepoint_sample {
	uint64_t header, id;
	int32_t pid, tid;
	uint64_t time_ns;
	uint64_t count, enabled_ns, running_ns;
	uint64_t values[]; /* the leader's, those of the members, and of a profiler that has joined
			      them */
};

/* A counting member of a group. A probe's attribute points to spec->target: spec must outlive it.
 */
void attr_init_member(struct perf_event_attr *attr, const struct event_spec *spec,
		      const struct attr_features *features);

/*
 * Whether the event occurs in the kernel only, or cannot be counted without it (msr): with
 * exclude_kernel it would stay 0, or is refused (Linux 6.18). False for an event that excludes the
 * kernel by its own modifier.
 */
bool attr_needs_kernel(const struct event_spec *spec);

/*
 * Whether the event counts in all modes, whatever it is to exclude: the kernel's clocks, which
 * distinguish them in samples only.
 */
bool attr_ignores_modes(const struct event_spec *spec);

/*
 * The leader of a CPU's group: context-switches with sample_period 1, every sample a
 * reading of the group (DESIGN: every context switch is a reading). Opened disabled.
 */
void attr_init_switch_leader(struct perf_event_attr *attr, const struct attr_features *features);

/*
 * The same with the tracepoint sched:sched_switch, given by its number, as the leader: its raw data
 * name the next task, too. Its samples have neither ids nor a count of lost ones: values are in the
 * order in which the members were opened, and a jump of the leader's count is a loss.
 */
void attr_init_tracepoint_leader(struct perf_event_attr *attr, const struct attr_features *features,
				 uint64_t tracepoint);

/*
 * Its samples also say by two of the program's registers where a task leaves the CPU: the place,
 * and the first argument of its system call. Without effect on architectures of which nothing is
 * known.
 */
void attr_add_site(struct perf_event_attr *attr);
bool attr_knows_sites(void); /* whether it has an effect here */

/* What is behind the raw data then. Kernel threads have no registers of a program. */
struct attr_site {
	uint64_t abi; /* of the registers; 0: there are none, 1: those of a 32-bit program */
	uint64_t argument, place;
};

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
 * A dummy event for sideband records: context switches, forks, exits, names, and cgroups that are
 * made. Its ring wakes the reader at each record, unless attr_set_wakeup() says otherwise.
 */
void attr_init_timeline(struct perf_event_attr *attr, const struct attr_features *features,
			bool exclude_kernel);

/*
 * An event of one CPU that writes a sample at each occurrence, in any task: task, time and raw
 * data, and with_cgroup the id of the task's cgroup. Its samples have no counter values. Opened
 * enabled.
 */
void attr_init_sampler(struct perf_event_attr *attr, const struct event_spec *spec,
		       const struct attr_features *features, bool with_cgroup);

/* A sample of a sampler. Behind the raw data is the id of the cgroup. */
struct attr_sampler_sample {
	uint64_t header, id;
	int32_t pid, tid;
	uint64_t time_ns;
	uint32_t raw_bytes;
	unsigned char raw[];
};

/*
 * Samples once which task runs: the CPU's clock, which fires 10 us after the event is refreshed, or
 * later. Opened disabled.
 */
void attr_init_glance(struct perf_event_attr *attr, const struct attr_features *features);

enum {
	PROFILER_HZ = 997, /* no multiple or divisor of what timers run at */
	PROFILER_HZ_EXPENSIVE = 499
};

/* An event that takes a sample so many times a second: where a task is, and by which calls. */
struct profiler_request {
	int32_t tid;      /* -1: all, with cpu >= 0; with such a cpu: an open cgroup, its tasks */
	int cpu;          /* -1: any, with tid > 0 */
	bool is_off_cpu;  /* instead of by time: at each context switch, or at each n-th after
			     profiler_set_period(); the switches are reported, too */
	bool is_hardware; /* by cycles; else by the CPU's clock */
	uint32_t pmu;     /* of hardware: the core PMU's type where there are several; 0: the one */
	uint32_t hz;      /* samples per second of running */
	const struct group *group; /* to join, of the same CPU or task: samples have a reading of
				      it; NULL: none */
	bool by_lbr; /* user-mode callers as the processor records them (Intel's LBR), where it can;
			hardware only. The last 16 or 32 calls since the task was put on its CPU */
	uint64_t branch_type; /* which branches before it go with a sample (PERF_SAMPLE_BRANCH_*);
				 not by_lbr, hardware only; 0: none */
	uint32_t stack_bytes; /* so much of the user's stack, and the registers, in place of the
				 user's calls, on the CPU; 0: none. A multiple of 8 */
	uint16_t max_stack;   /* calls that a chain has at most; 0: as many as the kernel allows */
	bool exclude_kernel;
	uint32_t wakeup_bytes;         /* the ring wakes its reader when so much is in it */
	const struct event_spec *spec; /* instead of time: by this event, so many a second or at
					  each n-th (attr_sample_period()); NULL: by time */
	bool has_access; /* samples say which memory was accessed, and have no calls; by an event */
	int access_fd;   /* of the event that leads the group of that; 0: none */
	uint64_t tracepoint; /* instead: each time this tracepoint is hit, or each n-th time
				likewise; samples have its count and raw data; 0: none */
};

/*
 * Samples what runs; idle has no samples. It also writes what changes the code of a process:
 * executable mappings, and others where samples have addresses of data, forks, exits and execve(2).
 * Opened enabled.
 */
void attr_init_profiler(struct perf_event_attr *attr, const struct profiler_request *request,
			const struct attr_features *features);
struct decode_format attr_profiler_format(const struct attr_features *features, bool has_group,
					  bool by_lbr);
/* The same of samples with a copy of the stack, and with branches. */
void attr_add_stack(struct decode_format *format);
void attr_add_branches(struct decode_format *format, uint64_t branch_type);
/* The same of samples that say which memory was accessed. */
void attr_set_access(struct decode_format *format);
struct decode_format attr_event_format(const struct attr_features *features,
				       const struct event_spec *spec, bool by_lbr);
/* Whether samples of an event (struct perf_event_attr) may have the address of data that it is
 * about: that of a page that was not there. */
bool attr_has_address(uint32_t type, uint64_t config);
struct decode_format attr_off_cpu_format(void);
struct decode_format attr_traced_format(void);

/*
 * At one of how many occurrences of the event a sample is taken; 0: at as many as make so many a
 * second. Tracepoints, probes and breakpoints are sampled each time, unless it is given.
 */
uint64_t attr_sample_period(const struct event_spec *spec);

/* Leaves out of a timeline the records that are not wanted. */
void attr_limit_timeline(struct perf_event_attr *attr, bool switches, bool names, bool tasks);
void attr_set_wakeup(struct perf_event_attr *attr, uint32_t wakeup_bytes);

#endif
