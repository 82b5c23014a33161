#ifndef PERFTOP_BASE_STALL_H
#define PERFTOP_BASE_STALL_H

/*
 * How a cgroup held its tasks back, as the kernel reports it: CPU limit (cpu.stat) and pressure
 * (PSI: time in which some of the tasks, or all of them, waited). Sums since the group was made;
 * times in us. The numbers are in recordings. And what a CPU's time was used for.
 */

#include <stdint.h>

enum stall_number {
	STALL_PERIODS, /* of the CPU limit: in which the group ran */
	STALL_PERIODS_THROTTLED,
	STALL_THROTTLED, /* of its CPUs, added up */
	STALL_CPU_SOME,
	STALL_CPU_FULL,
	STALL_MEMORY_SOME,
	STALL_MEMORY_FULL,
	STALL_IO_SOME,
	STALL_IO_FULL,
	STALL_NUMBERS
};

/* Bit per number that is known. */
enum {
	STALL_LIMIT = 1 << STALL_PERIODS | 1 << STALL_PERIODS_THROTTLED | 1 << STALL_THROTTLED,
	STALL_HAS_CPU_STAT = 1 << STALL_NUMBERS, /* and no limit of its own, where STALL_LIMIT is
						    not: those above it count */
	STALL_ALL = (1 << (STALL_NUMBERS + 1)) - 1
};

/* Of a CPU, to a clock tick; UINT64_MAX: unknown. */
struct cpu_times {
	uint64_t user_ns;   /* programs, also with a low priority, and guests */
	uint64_t system_ns; /* the kernel for them */
	uint64_t irq_ns;    /* interrupts, soft ones too */
	uint64_t idle_ns;   /* also while something waits for a disk */
	uint64_t stolen_ns; /* by a hypervisor */
};

#endif
