/*
 * Facts about the machine, gathered once at the start. Each fact is found by one small
 * function from one or two files under `root`; a file that is missing or unreadable
 * leaves its fact at "unknown", never stops the others.
 */

#include "kernel/host.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/cpu_topology.h"
#include "kernel/file.h"
#include "kernel/rights.h"

enum {
	PATH_BYTES = 768,
	SHORT_BYTES = 512, /* one number, one name, one list of CPUs */
	STATUS_BYTES = 8192,
	CPUINFO_BYTES = 16384 /* at least the first CPU whole */
};

#define DEVICES "/sys/bus/event_source/devices"

static bool file_exists(const char *root, const char *path)
{
	char full[PATH_BYTES];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return access(full, F_OK) == 0;
}

/* A file of one line, without the blanks at its end. */
static bool read_line(const char *root, const char *path, char *text, size_t size)
{
	long length = file_readf(text, size, "%s%s", root, path);

	if (length <= 0)
		return false;
	for (size_t end = strlen(text); end > 0 && isspace((unsigned char)text[end - 1]);)
		text[--end] = '\0';
	return true;
}

/* Cut to what there is room for. */
static void set_text(char text[static HOST_TEXT_MAX], const char *value)
{
	size_t length = strnlen(value, HOST_TEXT_MAX - 1);

	memcpy(text, value, length);
	text[length] = '\0';
}

bool host_read_online(struct number_list *online, const char *root)
{
	if (file_read_list(online, "%s/sys/devices/system/cpu/online", root) && online->count > 0)
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
	number_list_parse(&host->online, text, INT_MAX);
}

/* nohz_full may hold "(null)", which is no list. */
static void find_isolated(struct host *host, const char *root)
{
	static const char *const names[] = {"isolated", "nohz_full"};
	struct strbuf both = {0};

	for (size_t i = 0; i < 2; i++) {
		struct number_list list;
		char text[STATUS_BYTES];

		if (file_read_list(&list, "%s/sys/devices/system/cpu/%s", root, names[i])) {
			number_list_format(&list, text, sizeof(text));
			strbuf_printf(&both, "%s%s", both.length > 0 && *text ? "," : "", text);
		}
		number_list_fini(&list);
	}
	number_list_parse(&host->isolated, strbuf_text(&both), INT_MAX);
	strbuf_fini(&both);
}

/* A kernel with perf events lists their PMUs; /proc may be mounted without its folder sys. */
static void find_paranoid(struct host *host, const char *root)
{
	char pmus[PATH_MAX];
	long long value;

	host->paranoid = HOST_PARANOID_UNKNOWN;
	if (file_read_number(&value, "%s/proc/sys/kernel/perf_event_paranoid", root) &&
	    value > INT_MIN && value < INT_MAX) {
		host->paranoid = (int)value;
		return;
	}
	snprintf(pmus, sizeof(pmus), "%s/sys/bus/event_source", root);
	host->is_paranoid_hidden = access(pmus, F_OK) == 0;
	if (host->is_paranoid_hidden)
		host->paranoid = HOST_PARANOID_DEFAULT;
}

static void find_sysctls(struct host *host, const char *root)
{
	struct utsname names;
	long long value;

	find_paranoid(host, root);
	host->mlock_kb = -1;
	if (file_read_number(&value, "%s/proc/sys/kernel/perf_event_mlock_kb", root))
		host->mlock_kb = value;
	if (file_read_number(&value, "%s/proc/sys/kernel/nmi_watchdog", root))
		host->nmi_watchdog = value != 0;

	if (!read_line(root, "/proc/sys/kernel/osrelease", host->kernel, sizeof(host->kernel)) &&
	    *root == '\0' && uname(&names) == 0)
		snprintf(host->kernel, sizeof(host->kernel), "%s", names.release);
}

/* The values of some keys of /proc/cpuinfo, of the first CPU; false: one of them is not there. */
static bool find_in_cpuinfo(const char *cpuinfo, const char *const *keys, size_t count,
			    char values[][SHORT_BYTES])
{
	for (size_t i = 0; i < count; i++) {
		const char *value = file_find_key(cpuinfo, keys[i]);

		if (!value || *value == '\n')
			return false;
		snprintf(values[i], SHORT_BYTES, "%.*s", (int)strcspn(value, "\n"), value);
	}
	return true;
}

/* MIDR from its fields; the architecture is 15 where feature registers describe it. */
static unsigned long long midr_of(char values[4][SHORT_BYTES])
{
	const unsigned long long implementer = strtoull(values[0], NULL, 0) & 0xff,
				 variant = strtoull(values[1], NULL, 0) & 0xf,
				 part = strtoull(values[2], NULL, 0) & 0xfff,
				 revision = strtoull(values[3], NULL, 0) & 0xf;

	return implementer << 24 | variant << 20 | UINT64_C(0xf) << 16 | part << 4 | revision;
}

bool host_read_cpu_id(char id[static HOST_TEXT_MAX], const char *root)
{
	static const char *const x86[] = {"vendor_id", "cpu family", "model", "stepping"};
	static const char *const arm[] = {"CPU implementer", "CPU variant", "CPU part",
					  "CPU revision"};
	char text[CPUINFO_BYTES], values[4][SHORT_BYTES];

	*id = '\0';
	if (read_line(root, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", id,
		      HOST_TEXT_MAX))
		return true;
	if (file_readf(text, sizeof(text), "%s/proc/cpuinfo", root) <= 0)
		return false;
	if (find_in_cpuinfo(text, x86, 4, values))
		snprintf(id, HOST_TEXT_MAX, "%.64s,%.8s,%.8s,%.8s", values[0], values[1], values[2],
			 values[3]);
	else if (find_in_cpuinfo(text, arm, 4, values))
		snprintf(id, HOST_TEXT_MAX, "0x%016llx", midr_of(values));
	return *id != '\0';
}

/* The first user namespace maps every id to itself. */
static bool is_first_user_namespace(const char *root)
{
	char text[SHORT_BYTES];
	unsigned long long inside, outside, count;

	if (file_readf(text, sizeof(text), "%s/proc/self/uid_map", root) <= 0)
		return true; /* built without user namespaces */
	return sscanf(text, "%llu %llu %llu", &inside, &outside, &count) == 3 && inside == 0 &&
	       outside == 0 && count == UINT32_MAX;
}

/* The first one has a number of its own (PROC_PID_INIT_INO of include/linux/proc_ns.h). */
static bool is_first_pid_namespace(const char *root)
{
	char path[PATH_BYTES], name[SHORT_BYTES];
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
	char text[STATUS_BYTES];

	host->in_user_namespace = !is_first_user_namespace(root);
	host->in_pid_namespace = !is_first_pid_namespace(root);
	if (file_readf(text, sizeof(text), "%s/proc/self/status", root) <= 0)
		return;

	const char *held = file_find_key(text, rights_are_held_back() ? "CapPrm" : "CapEff");
	const char *seccomp = file_find_key(text, "Seccomp");
	uint64_t set = held ? strtoull(held, NULL, 16) : 0;
	bool counts = !host->in_user_namespace;

	host->has_cap_sys_admin = counts && has_capability(set, CAP_SYS_ADMIN);
	host->has_cap_perfmon =
		host->has_cap_sys_admin || (counts && has_capability(set, CAP_PERFMON));
	host->has_cap_ipc_lock = counts && has_capability(set, CAP_IPC_LOCK);
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
	char text[SHORT_BYTES];
	long page_bytes = sysconf(_SC_PAGESIZE);

	host->page_bytes = page_bytes > 0 ? (size_t)page_bytes : 4096;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		host->fd_limit_soft = limit.rlim_cur;
		host->fd_limit_hard = limit.rlim_max;
	}
	host->memlock_limit_bytes = UINT64_MAX;
	if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		host->memlock_limit_bytes = limit.rlim_cur;
	if (file_readf(text, sizeof(text), "%s/proc/meminfo", root) > 0) {
		const char *total = file_find_key(text, "MemTotal");

		host->memory_bytes = total ? strtoull(total, NULL, 10) * 1024 : 0;
	}
}

/*
 * SELinux may deny perf events, and so does lockdown at its highest level (Linux 5.7 to 6.18).
 * Without a mounted securityfs lockdown is unknown.
 */
static void find_policy(struct host *host, const char *root)
{
	char text[SHORT_BYTES];

	if (file_readf(text, sizeof(text), "%s/sys/kernel/security/lockdown", root) > 0 &&
	    strstr(text, "[confidentiality]"))
		set_text(host->policy, "kernel lockdown");
	else if (file_readf(text, sizeof(text), "%s/sys/fs/selinux/enforce", root) > 0 &&
		 text[0] == '1')
		set_text(host->policy, "SELinux");
}

/* --- virtual machines and containers */

struct known_word {
	const char *word, *name;
};

/* Vendors of virtual machines only, by the beginning of DMI's sys_vendor. */
static const struct known_word VENDOR_NAMES[] = {
	/* clang-format off */
	{"QEMU",         "QEMU"},
	{"VMware",       "VMware"},
	{"innotek GmbH", "VirtualBox"},
	{"Xen",          "Xen"},
	{"Parallels",    "Parallels"},
	{"BHYVE",        "bhyve"},
	/* clang-format on */
};

/* Vendors of both virtual and real machines. */
static const struct known_word CLOUD_NAMES[] = {
	/* clang-format off */
	{"Microsoft",    "Microsoft"},
	{"Amazon EC2",   "Amazon EC2"},
	{"Google",       "Google"},
	{"Alibaba",      "Alibaba"},
	{"DigitalOcean", "DigitalOcean"},
	{"OpenStack",    "OpenStack"},
	/* clang-format on */
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *find_word(const struct known_word *words, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, words[i].word, strlen(words[i].word)) == 0)
			return words[i].name;
	return NULL;
}

#if defined(__x86_64__) || defined(__i386__)
/* Signatures of hypervisors in CPUID leaf 0x40000000. */
static const struct known_word CPUID_NAMES[] = {
	/* clang-format off */
	{"KVMKVMKVM",    "KVM"},
	{"Microsoft Hv", "Microsoft"},
	{"VMwareVMware", "VMware"},
	{"XenVMMXenVMM", "Xen"},
	{"TCGTCGTCGTCG", "QEMU"},
	{"VBoxVBoxVBox", "VirtualBox"},
	{"bhyve bhyve ", "bhyve"},
	{"ACRNACRNACRN", "ACRN"},
	{" lrpepyh vr",  "Parallels"},
	{"prl hyperv",   "Parallels"},
	/* clang-format on */
};

/* Asks the CPU itself; only valid when the root is that of this machine. */
static const char *ask_cpu(void)
{
	unsigned int highest, words[3] = {0};
	char signature[sizeof(words) + 1] = "";

	__cpuid(0x40000000, highest, words[0], words[1], words[2]);
	if (highest < 0x40000000)
		return NULL;
	memcpy(signature, words, sizeof(words));
	return find_word(CPUID_NAMES, COUNT_OF(CPUID_NAMES), signature);
}

/* The source of the kernel's flag "hypervisor": bit 31 of ECX in leaf 1. */
static bool cpu_announces_hypervisor(void)
{
	unsigned int a, b, c, d;

	__cpuid(1, a, b, c, d);
	return c >> 31 != 0;
}
#else
static const char *ask_cpu(void)
{
	return NULL;
}

static bool cpu_announces_hypervisor(void)
{
	return false;
}
#endif

/* " hypervisor" as a word in the first line of flags. Where /proc has only processes (subset=pid)
 * there are none. */
static bool has_hypervisor_flag(const char *root)
{
	char text[CPUINFO_BYTES];

	if (file_readf(text, sizeof(text), "%s/proc/cpuinfo", root) <= 0)
		return *root == '\0' && cpu_announces_hypervisor();

	const char *flags = file_find_key(text, "flags");

	if (!flags)
		return false;
	text[(size_t)(flags - text) + strcspn(flags, "\n")] = '\0';
	for (const char *at = strstr(flags, "hypervisor"); at; at = strstr(at + 1, "hypervisor")) {
		char after = at[strlen("hypervisor")];

		if ((at == flags || at[-1] == ' ') && (after == ' ' || after == '\0'))
			return true;
	}
	return false;
}

static void set_hypervisor(struct host *host, const char *name)
{
	if (name) {
		host->is_virtual = true;
		set_text(host->hypervisor, name);
	}
}

static void find_hypervisor(struct host *host, const char *root)
{
	char text[SHORT_BYTES];

	host->is_virtual = has_hypervisor_flag(root);
	if (host->is_virtual && *root == '\0')
		set_hypervisor(host, ask_cpu());
	if (*host->hypervisor == '\0' &&
	    read_line(root, "/sys/hypervisor/type", text, sizeof(text)))
		set_hypervisor(host, strcmp(text, "xen") == 0 ? "Xen" : text);
	/* CPUs other than x86 have no such flag; their device tree or DMI may tell. */
	if (*host->hypervisor == '\0' &&
	    file_readf(text, sizeof(text), "%s/sys/firmware/devicetree/base/hypervisor/compatible",
		       root) > 0)
		set_hypervisor(host, strcmp(text, "linux,kvm") == 0 ? "KVM" : text);
	if (*host->hypervisor == '\0' &&
	    file_readf(text, sizeof(text), "%s/sys/class/dmi/id/sys_vendor", root) > 0) {
		set_hypervisor(host, find_word(VENDOR_NAMES, COUNT_OF(VENDOR_NAMES), text));
		if (host->is_virtual && *host->hypervisor == '\0')
			set_hypervisor(host, find_word(CLOUD_NAMES, COUNT_OF(CLOUD_NAMES), text));
	}
}

/* Words in a container's cgroup path, and the engine they belong to. */
static const struct known_word CGROUP_WORDS[] = {
	/* clang-format off */
	{"docker",     "docker"},
	{"kubepods",   "kubernetes"},
	{"libpod",     "podman"},
	{"containerd", "containerd"},
	{"lxc",        "lxc"},
	/* clang-format on */
};

static void detect_container_by_cgroup(struct host *host, const char *root)
{
	char text[STATUS_BYTES];

	if (file_readf(text, sizeof(text), "%s/proc/1/cgroup", root) <= 0)
		return;
	for (size_t i = 0; i < COUNT_OF(CGROUP_WORDS); i++) {
		if (strstr(text, CGROUP_WORDS[i].word)) {
			set_text(host->container, CGROUP_WORDS[i].name);
			return;
		}
	}
}

/* "container=NAME" in the environment of the first process; only root can read it. */
static bool detect_container_by_environment(struct host *host, const char *root)
{
	static const char key[] = "container=";
	char text[STATUS_BYTES];
	long length = file_readf(text, sizeof(text), "%s/proc/1/environ", root);

	for (const char *at = text; length > 0 && at < text + length; at += strlen(at) + 1) {
		if (strncmp(at, key, strlen(key)) == 0 && at[strlen(key)] != '\0') {
			set_text(host->container, at + strlen(key));
			return true;
		}
	}
	return false;
}

static void detect_container(struct host *host, const char *root)
{
	char text[HOST_TEXT_MAX];

	if (file_exists(root, "/run/.containerenv"))
		set_text(host->container, "podman");
	else if (file_exists(root, "/.dockerenv"))
		set_text(host->container, "docker");
	else if (read_line(root, "/run/systemd/container", text, sizeof(text)))
		set_text(host->container, text);
	else if (!detect_container_by_environment(host, root))
		detect_container_by_cgroup(host, root);
}

/* --- */

static void find_tracefs(struct host *host, const char *root)
{
	/*
	 * In this order: access to the second one mounts tracefs there. The last one is the node's,
	 * for kubectl debug node.
	 */
	static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
					      "/host/sys/kernel/tracing"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char full[PATH_BYTES];
		int length = snprintf(full, sizeof(full), "%s%s/events", root, folders[i]);

		if (access(full, R_OK | X_OK) == 0) {
			full[(size_t)length - strlen("/events")] = '\0';
			set_text(host->tracefs, full);
			return;
		}
	}
}

static int compare_pmu_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t pmu_list(const char *root, pmu_name **names)
{
	char path[PATH_BYTES];
	size_t count = 0, capacity = 0;

	*names = NULL;
	snprintf(path, sizeof(path), "%s" DEVICES, root);

	DIR *directory = opendir(path);

	if (!directory)
		return 0;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		size_t length = strlen(entry->d_name);

		if (entry->d_name[0] != '.' && length < sizeof(pmu_name)) {
			array_reserve(names, &capacity, count + 1, sizeof(pmu_name));
			memcpy((*names)[count++], entry->d_name, length + 1);
		}
	}
	closedir(directory);
	if (count > 0)
		qsort(*names, count, sizeof(pmu_name), compare_pmu_names);
	return count;
}

bool pmu_is_core(const char *root, const char *name)
{
	char cpus[PATH_BYTES];

	snprintf(cpus, sizeof(cpus), DEVICES "/%s/cpus", name);
	return strcmp(name, "cpu") == 0 || strcmp(name, "cpu_core") == 0 ||
	       strcmp(name, "cpu_atom") == 0 || strcmp(name, "cpum_cf") == 0 ||
	       strncmp(name, "armv", strlen("armv")) == 0 || file_exists(root, cpus);
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
	cpu_topology_read(&host->topology, &host->online, root);
	find_isolated(host, root);
	host_read_cpu_id(host->cpu_id, root);
	find_sysctls(host, root);
	find_rights(host, root);
	find_limits(host, root);
	find_policy(host, root);
	find_hypervisor(host, root);
	detect_container(host, root);
	find_tracefs(host, root);
	find_pmus(host, root);
}

void host_fini(struct host *host)
{
	number_list_fini(&host->online);
	topology_fini(&host->topology);
	number_list_fini(&host->isolated);
}

static uint32_t read_limit(const char *root, const char *name)
{
	long long value;

	if (!file_read_number(&value, "%s/proc/sys/kernel/%s", root, name) || value < 0 ||
	    value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

uint32_t host_read_max_sample_rate(const char *root)
{
	return read_limit(root, "perf_event_max_sample_rate");
}

uint32_t host_read_max_stack(const char *root)
{
	return read_limit(root, "perf_event_max_stack");
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

size_t host_long_bytes(void)
{
	struct utsname names;
	const bool is_named = uname(&names) == 0;

	if (is_named && (strstr(names.machine, "64") || strcmp(names.machine, "s390x") == 0))
		return 8;
	return sizeof(long);
}

bool host_is_called(const char *name)
{
	struct utsname names;

	return name[0] != '\0' && strcmp(name, "(none)") != 0 && uname(&names) == 0 &&
	       strcmp(name, names.nodename) == 0;
}
