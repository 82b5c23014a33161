#ifndef PERFTOP_KERNEL_SPEC_H
#define PERFTOP_KERNEL_SPEC_H

/* An event in the kernel's terms. event/event.h makes specs from texts. */

#include <stdbool.h>
#include <stdint.h>

enum {
	EVENT_SPEC_NAME_MAX = 256,
	EVENT_SPEC_TARGET_MAX = 512,
	EVENT_SPEC_FILTER_MAX = 512,
	EVENT_SPEC_PMU_MAX = 32,
	EVENT_SPEC_UNIT_MAX = 24
};

/* What an event needs to be counted. */
enum event_class {
	EVENT_CLASS_SOFTWARE, /* no counter: software, tracepoints, breakpoints, probes, msr */
	EVENT_CLASS_HARDWARE, /* a counter of a CPU's PMU; members of a group are of one PMU */
	EVENT_CLASS_SHARED,   /* a PMU that many CPUs share (sysfs has a cpumask): it counts for no
				 task in particular, and perftop does not count it */
	EVENT_CLASS_TRACE     /* a PMU that writes a trace and counts nothing */
};

/* PERF_TYPE_* for code that does not include the kernel's header; attr.c asserts the numbers. */
enum event_type {
	EVENT_TYPE_HARDWARE,
	EVENT_TYPE_SOFTWARE,
	EVENT_TYPE_TRACEPOINT,
	EVENT_TYPE_CACHE,
	EVENT_TYPE_RAW,
	EVENT_TYPE_BREAKPOINT
};

/* Likewise of the configs of the first two (PERF_COUNT_HW_*, PERF_COUNT_SW_*). */
enum {
	EVENT_HW_CPU_CYCLES = 0,
	EVENT_HW_BRANCH_INSTRUCTIONS = 4,
	EVENT_SW_CPU_CLOCK = 0,
	EVENT_SW_TASK_CLOCK = 1,
	EVENT_SW_CONTEXT_SWITCHES = 3,
	EVENT_SW_DUMMY = 9,
	EVENT_SW_BPF_OUTPUT = 10
};

/* One event of one PMU. A plain value. */
struct event_spec {
	char name[EVENT_SPEC_NAME_MAX]; /* as it was typed, without the braces of a group but with
					   their modifiers ({cycles}:u is cycles:u); or the NAME of
					   a term name=NAME */
	char pmu[EVENT_SPEC_PMU_MAX];   /* name in sysfs; "" for PERF_TYPE_SOFTWARE, TRACEPOINT,
					   BREAKPOINT, and for generic hardware events where there is
					   only one core PMU or none */
	enum event_class class;
	uint32_t type;
	uint64_t config, config1, config2; /* of a breakpoint: config1 its address, config2 its
					      length (bp_addr, bp_len) */
	uint32_t bp_type;
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest, exclude_idle;
	bool guest_is_default; /* exclude_guest is only the default: left out where a PMU refuses it
				*/
	bool is_clock;         /* counts at one rate, also while the CPU is idle */
	uint8_t precise;       /* 0..3 */
	bool is_most_precise;  /* as precise as its PMU can where it is sampled (:P) */
	uint64_t period, freq; /* where it is sampled: one of so many, or so many a second; 0: not
				  given; never both */
	uint64_t branch_type;  /* which branches samples have with them (PERF_SAMPLE_BRANCH_*); 0:
				  not given */
	char target[EVENT_SPEC_TARGET_MAX]; /* of a probe: its file, or the kernel's function;
					       config1 becomes the address of a copy when it is
					       opened; "" none */
	char filter[EVENT_SPEC_FILTER_MAX]; /* of a tracepoint: set before it is enabled; "" none */
	double scale;                       /* counts x scale = value in `unit`; 1 for most */
	char unit[EVENT_SPEC_UNIT_MAX];     /* "Joules", "MiB"; "" plain counts */
};

#endif
