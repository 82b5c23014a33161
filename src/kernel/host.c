/*
 * Facts about the machine, gathered once at the start. Each fact is found by one small
 * function from one or two files under `root`; a file that is missing or unreadable
 * leaves its fact at "unknown", never stops the others.
 */

#include "kernel/host.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "kernel/file.h"
#include "kernel/host_parts.h"
#include "kernel/places.h"
#include "kernel/pmu_list.h"

/* Younger than some headers this must build with (Linux 5.8). */
enum {
	CAPABILITY_PERFMON = 38
};

/* Above any number of CPUs that Linux can be built for. */
static const int CPU_NUMBER_MAX = 65535;

static bool read_number(const char *root, const char *path, long long *value)
{
	char text[HOST_SHORT_BYTES];
	char *end;

	if (host_read_file(root, path, text, sizeof(text)) <= 0)
		return false;
	*value = strtoll(text, &end, 10);
	return end != text && (*end == '\n' || *end == '\0');
}

/* A list of CPUs; false and an empty list when there is none ("(null)" in nohz_full, too). */
static bool read_cpu_list(const char *root, const char *path, struct number_list *list)
{
	char text[HOST_STATUS_BYTES];

	*list = (struct number_list){0};
	return host_read_file(root, path, text, sizeof(text)) > 0 &&
	       number_list_parse(list, text, CPU_NUMBER_MAX);
}

bool host_read_online(struct number_list *online, const char *root)
{
	if (read_cpu_list(root, "/sys/devices/system/cpu/online", online) && online->count > 0)
		return true;
	number_list_fini(online);
	return false;
}

static void find_online(struct host *host, const char *root)
{
	if (host_read_online(&host->online, root))
		return;

	/* No sysfs: assume that CPUs are numbered without holes. */
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	char text[32];

	snprintf(text, sizeof(text), "0-%ld", count > 0 ? count - 1 : 0);
	number_list_parse(&host->online, text, CPU_NUMBER_MAX);
}

static void find_isolated(struct host *host, const char *root)
{
	char isolated[HOST_STATUS_BYTES] = "", full[HOST_STATUS_BYTES] = "",
	     both[2 * HOST_STATUS_BYTES];
	struct number_list list;

	if (read_cpu_list(root, "/sys/devices/system/cpu/isolated", &list) && list.count > 0) {
		host_read_file(root, "/sys/devices/system/cpu/isolated", isolated,
			       sizeof(isolated));
		host_trim_end(isolated);
	}
	number_list_fini(&list);
	if (read_cpu_list(root, "/sys/devices/system/cpu/nohz_full", &list) && list.count > 0) {
		host_read_file(root, "/sys/devices/system/cpu/nohz_full", full, sizeof(full));
		host_trim_end(full);
	}
	number_list_fini(&list);
	snprintf(both, sizeof(both), "%s%s%s", isolated, *isolated && *full ? "," : "", full);
	number_list_parse(&host->isolated, both, CPU_NUMBER_MAX);
}

static void find_sysctls(struct host *host, const char *root)
{
	long long value;

	host->paranoid = HOST_PARANOID_UNKNOWN;
	if (read_number(root, "/proc/sys/kernel/perf_event_paranoid", &value) && value > INT_MIN &&
	    value < INT_MAX)
		host->paranoid = (int)value;
	host->mlock_kb = -1;
	if (read_number(root, "/proc/sys/kernel/perf_event_mlock_kb", &value))
		host->mlock_kb = value;
	if (read_number(root, "/proc/sys/kernel/nmi_watchdog", &value))
		host->nmi_watchdog = value != 0;

	char text[HOST_SHORT_BYTES];

	if (host_read_file(root, "/proc/sys/kernel/osrelease", text, sizeof(text)) > 0) {
		host_trim_end(text);
		host_set_text(host->kernel, text);
	}
}

/* The first user namespace maps every id to itself. */
static bool is_first_user_namespace(const char *root)
{
	char text[HOST_SHORT_BYTES];
	unsigned long long inside, outside, count;

	if (host_read_file(root, "/proc/self/uid_map", text, sizeof(text)) <= 0)
		return true; /* built without user namespaces */
	return sscanf(text, "%llu %llu %llu", &inside, &outside, &count) == 3 && inside == 0 &&
	       outside == 0 && count == UINT32_MAX;
}

/* The first one has a number of its own (PROC_PID_INIT_INO of include/linux/proc_ns.h). */
static bool is_first_pid_namespace(const char *root)
{
	char path[HOST_PATH_BYTES], name[HOST_SHORT_BYTES];
	ssize_t length;

	snprintf(path, sizeof(path), "%s/proc/self/ns/pid", root);
	length = readlink(path, name, sizeof(name) - 1);
	if (length <= 0)
		return true; /* built without pid namespaces */
	name[length] = '\0';
	return strcmp(name, "pid:[4026531836]") == 0;
}

static bool has_capability(uint64_t set, int capability)
{
	return (set >> capability & 1) != 0;
}

static void find_rights(struct host *host, const char *root)
{
	char text[HOST_STATUS_BYTES];

	host->in_user_namespace = !is_first_user_namespace(root);
	host->in_pid_namespace = !is_first_pid_namespace(root);
	if (host_read_file(root, "/proc/self/status", text, sizeof(text)) <= 0)
		return;

	const char *effective = file_find_key(text, "CapEff");
	const char *seccomp = file_find_key(text, "Seccomp");
	uint64_t set = effective ? strtoull(effective, NULL, 16) : 0;
	bool counts = !host->in_user_namespace;

	host->has_cap_sys_admin = counts && has_capability(set, CAP_SYS_ADMIN);
	host->has_cap_perfmon =
		host->has_cap_sys_admin || (counts && has_capability(set, CAPABILITY_PERFMON));
	host->has_cap_ipc_lock = counts && has_capability(set, CAP_IPC_LOCK);
	host->has_cap_sys_ptrace = has_capability(set, CAP_SYS_PTRACE);
	host->has_seccomp_filter = seccomp && *seccomp == '2';
}

uint64_t host_ring_memory_bytes(const struct host *host)
{
	const uint64_t by_perf =
		host->mlock_kb > 0 ? (uint64_t)host->mlock_kb * 1024 * host->online.count : 0;

	if (host->has_cap_ipc_lock || host->paranoid < 0 ||
	    host->memlock_limit_bytes >= UINT64_MAX - by_perf)
		return UINT64_MAX;
	return by_perf + host->memlock_limit_bytes;
}

static void find_limits(struct host *host, const char *root)
{
	struct rlimit limit;
	char text[HOST_SHORT_BYTES];
	long page_bytes = sysconf(_SC_PAGESIZE);

	host->page_bytes = page_bytes > 0 ? (size_t)page_bytes : 4096;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		host->fd_limit_soft = limit.rlim_cur;
		host->fd_limit_hard = limit.rlim_max;
	}
	host->memlock_limit_bytes = UINT64_MAX;
	if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		host->memlock_limit_bytes = limit.rlim_cur;
	if (host_read_file(root, "/proc/meminfo", text, sizeof(text)) > 0) {
		const char *total = file_find_key(text, "MemTotal");

		host->memory_bytes = total ? strtoull(total, NULL, 10) * 1024 : 0;
	}
}

static void find_tracefs(struct host *host, const char *root)
{
	/* In this order: looking into the second one mounts tracefs there. */
	static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char full[HOST_PATH_BYTES];
		int length = snprintf(full, sizeof(full), "%s%s/events", root, places[i]);

		if (access(full, R_OK | X_OK) == 0) {
			full[(size_t)length - strlen("/events")] = '\0';
			host_set_text(host->tracefs, full);
			return;
		}
	}
}

static void find_pmus(struct host *host, const char *root)
{
	pmu_name *names;
	size_t count = pmu_list(root, &names), length = 0;

	static_assert(sizeof(names[0]) == sizeof(host->pmus[0]), "the names of PMUs fit");
	host->pmu_count = count < HOST_PMUS_MAX ? count : HOST_PMUS_MAX;
	if (host->pmu_count > 0)
		memcpy(host->pmus, names, host->pmu_count * sizeof(names[0]));
	for (size_t i = 0; i < count && length < sizeof(host->cpu_pmu); i++) {
		if (pmu_is_core(root, names[i])) {
			length += (size_t)snprintf(host->cpu_pmu + length,
						   sizeof(host->cpu_pmu) - length, "%s%s",
						   length > 0 ? ", " : "", names[i]);
		}
	}
	free(names);
}

void host_read(struct host *host, const char *root)
{
	memset(host, 0, sizeof(*host));
	find_online(host, root);
	places_read(&host->topology, &host->online, root);
	find_isolated(host, root);
	find_sysctls(host, root);
	find_rights(host, root);
	find_limits(host, root);
	host_find_hypervisor(host, root);
	host_find_container(host, root);
	find_tracefs(host, root);
	find_pmus(host, root);
}

void host_fini(struct host *host)
{
	number_list_fini(&host->online);
	topology_fini(&host->topology);
	number_list_fini(&host->isolated);
}

uint64_t host_raise_fd_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 0;

	struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};

	if (limit.rlim_cur < limit.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0)
		return raised.rlim_cur;
	return limit.rlim_cur;
}

void host_explain_no_pmu(const struct host *host, char *text, size_t size)
{
	if (*host->cpu_pmu != '\0') {
		snprintf(text, size, "%s", "");
	} else if (host->paranoid == HOST_PARANOID_UNKNOWN) {
		snprintf(text, size, "this kernel is built without perf events");
	} else if (host->pmu_count == 0) {
		snprintf(text, size,
			 "no PMU is listed in /sys/bus/event_source/devices "
			 "(is sysfs mounted?)");
	} else if (*host->hypervisor != '\0') {
		snprintf(text, size, "the hypervisor (%s) gives this virtual machine no PMU",
			 host->hypervisor);
	} else if (host->is_virtual) {
		snprintf(text, size, "the hypervisor gives this virtual machine no PMU");
	} else {
		snprintf(text, size, "the kernel has no driver for the counters of this CPU");
	}
}

bool host_is_called(const char *name)
{
	struct utsname names;

	return name[0] != '\0' && strcmp(name, "(none)") != 0 && uname(&names) == 0 &&
	       strcmp(name, names.nodename) == 0;
}
