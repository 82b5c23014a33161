#ifndef PERFTOP_KERNEL_HOST_H
#define PERFTOP_KERNEL_HOST_H

/*
 * Facts about this machine and this process that decide what perf_event_open(2) will allow. Each
 * file is read under `root` ("" in production), so that tests can show another machine.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/topology.h"
#include "kernel/spec.h"

enum {
	HOST_TEXT_MAX = 128,
	HOST_PMUS_MAX = 128
};

enum {
	HOST_PARANOID_UNKNOWN = -100, /* the file is missing: no perf events */
	HOST_PARANOID_DEFAULT = 2
};

struct host {
	struct number_list online; /* CPUs */
	struct topology topology;  /* of them */
	int paranoid;              /* kernel.perf_event_paranoid: -1..4 */
	bool is_paranoid_hidden;   /* it cannot be read: the kernel's default is assumed */
	int64_t mlock_kb;          /* kernel.perf_event_mlock_kb; -1 unknown */
	bool has_cap_perfmon;      /* CAP_PERFMON or CAP_SYS_ADMIN, and not in_user_namespace
				    */
	bool has_cap_sys_admin;    /* and not in_user_namespace */
	bool has_cap_ipc_lock;     /* and not in_user_namespace */
	bool in_user_namespace; /* not the first one: perf events ignore capabilities held here */
	bool in_pid_namespace;  /* not the first one: tracepoints use other pids than this namespace
				   does */
	uint64_t fd_limit_soft, fd_limit_hard;
	uint64_t memlock_limit_bytes; /* UINT64_MAX: none */
	uint64_t memory_bytes;        /* RAM */
	size_t page_bytes;
	bool is_virtual;                /* a hypervisor is announced */
	char hypervisor[HOST_TEXT_MAX]; /* "KVM", "Microsoft", ...; "" none or unknown */
	char container[HOST_TEXT_MAX];  /* "docker", "podman", "lxc", ...; "" none */
	char policy[HOST_TEXT_MAX];  /* what may refuse perf events to everybody: "SELinux", "kernel
					lockdown"; "" none, or not visible */
	bool has_seccomp_filter;     /* Seccomp: 2 in /proc/self/status */
	bool nmi_watchdog;           /* it holds a counter on every CPU */
	char tracefs[HOST_TEXT_MAX]; /* mount point that this user can read; "" none */
	char kernel[HOST_TEXT_MAX];  /* "6.1.0-28-amd64" */
	char cpu_id[HOST_TEXT_MAX];  /* host_read_cpu_id() */
	char cpu_pmu[HOST_TEXT_MAX]; /* sysfs names of the core PMUs, joined by ", "; "" none */
	char pmus[HOST_PMUS_MAX][32]; /* every PMU in sysfs, sorted */
	size_t pmu_count;
	struct number_list isolated; /* CPUs that are isolated or nohz_full: not to be disturbed */
};

void host_read(struct host *host, const char *root);
void host_fini(struct host *host);

/*
 * Memory that this user may lock for all rings together, a page of metadata for each included;
 * UINT64_MAX: no limit (perf_mmap() of Linux: perf_event_mlock_kb for each online CPU, plus
 * RLIMIT_MEMLOCK; neither applies with CAP_IPC_LOCK or perf_event_paranoid -1).
 */
uint64_t host_ring_memory_bytes(const struct host *host);

/*
 * The processor's id as perf writes it into its files: vendor, family, model and stepping on x86
 * ("GenuineIntel,6,85,7"), MIDR of the first CPU on ARM ("0x00000000410fd0c1"). False: unknown, *id
 * is "".
 */
bool host_read_cpu_id(char id[static HOST_TEXT_MAX], const char *root);

/* Only the list of online CPUs: cheap, for noticing hotplug once per refresh. */
bool host_read_online(struct number_list *online, const char *root);

/*
 * The most samples a second that an event may take now (kernel.perf_event_max_sample_rate): the
 * kernel lowers it when sampling takes too long. 0: unknown.
 */
uint32_t host_read_max_sample_rate(const char *root);

/* The most calls in a sample's chain (kernel.perf_event_max_stack). 0: unknown. */
uint32_t host_read_max_stack(const char *root);

/* Raises the soft limit of open files to the hard limit; returns the limit in force. */
uint64_t host_raise_fd_limit(void);

typedef char pmu_name[EVENT_SPEC_PMU_MAX];

/* The names of all PMUs that sysfs lists (/sys/bus/event_source/devices), sorted; *names is to be
 * freed. Returns how many. */
size_t pmu_list(const char *root, pmu_name **names);

/*
 * Whether a PMU counts what CPUs execute. x86, POWER and RISC-V call it "cpu", hybrid x86
 * "cpu_core" and "cpu_atom", s390 "cpum_cf"; on ARM its name is that of the core's design and it
 * has a file "cpus" (PMUs outside the cores have "cpumask" instead).
 */
bool pmu_is_core(const char *root, const char *name);

/* Bytes of the kernel's long: 8 or 4; this program's may be shorter. */
size_t host_long_bytes(void);

/* Whether `name` is this machine's name, and not empty. */
bool host_is_called(const char *name);

/* Why there is no hardware PMU, as one sentence without a full stop; text is "" when there is one.
 */
void host_explain_no_pmu(const struct host *host, char *text, size_t size);

#endif
