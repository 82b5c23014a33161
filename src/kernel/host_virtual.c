/*
 * What is around this machine: a hypervisor, reported by the CPU, sysfs, device tree or DMI, and a
 * container, known by its marks, the first process's environment or its control group.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "kernel/file.h"
#include "kernel/host_parts.h"

enum {
	CPUINFO_BYTES = 16384 /* at least the first CPU whole */
};

static bool file_exists(const char *root, const char *path)
{
	char full[HOST_PATH_BYTES];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return access(full, F_OK) == 0;
}

struct known_word {
	const char *word, *name;
};

/* What hypervisors put into CPUID leaf 0x40000000. */
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

/* Makers of machines that exist only as virtual ones, by the beginning of DMI's sys_vendor. */
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

/* Makers of virtual and of real machines. */
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

/* The CPU itself announces a hypervisor; only of use when the machine is the real one. */
static const char *ask_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int highest, words[3] = {0};
	char signature[sizeof(words) + 1] = "";

	__cpuid(0x40000000, highest, words[0], words[1], words[2]);
	if (highest >= 0x40000000) {
		memcpy(signature, words, sizeof(words));
		return find_word(CPUID_NAMES, COUNT_OF(CPUID_NAMES), signature);
	}
#endif
	return NULL;
}

/* " hypervisor" as a word in the first line of flags. */
static bool has_hypervisor_flag(const char *root)
{
	char text[CPUINFO_BYTES];

	if (host_read_file(root, "/proc/cpuinfo", text, sizeof(text)) <= 0)
		return false;

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
		host_set_text(host->hypervisor, name);
	}
}

void host_find_hypervisor(struct host *host, const char *root)
{
	char text[HOST_SHORT_BYTES];

	host->is_virtual = has_hypervisor_flag(root);
	if (host->is_virtual && *root == '\0')
		set_hypervisor(host, ask_cpu());
	if (*host->hypervisor == '\0' &&
	    host_read_file(root, "/sys/hypervisor/type", text, sizeof(text)) > 0) {
		host_trim_end(text);
		set_hypervisor(host, strcmp(text, "xen") == 0 ? "Xen" : text);
	}
	/* Other CPUs than x86 have no such flag; their device tree or DMI may say so. */
	if (*host->hypervisor == '\0' &&
	    host_read_file(root, "/sys/firmware/devicetree/base/hypervisor/compatible", text,
			   sizeof(text)) > 0)
		set_hypervisor(host, strcmp(text, "linux,kvm") == 0 ? "KVM" : text);
	if (*host->hypervisor == '\0' &&
	    host_read_file(root, "/sys/class/dmi/id/sys_vendor", text, sizeof(text)) > 0) {
		set_hypervisor(host, find_word(VENDOR_NAMES, COUNT_OF(VENDOR_NAMES), text));
		if (host->is_virtual && *host->hypervisor == '\0')
			set_hypervisor(host, find_word(CLOUD_NAMES, COUNT_OF(CLOUD_NAMES), text));
	}
}

/* What may be in the path of a control group of a container, and its container engine. */
static const struct known_word CGROUP_WORDS[] = {
	/* clang-format off */
	{"docker",     "docker"},
	{"kubepods",   "kubernetes"},
	{"libpod",     "podman"},
	{"containerd", "containerd"},
	{"lxc",        "lxc"},
	/* clang-format on */
};

static bool find_container_by_cgroup(struct host *host, const char *root)
{
	char text[HOST_STATUS_BYTES];

	if (host_read_file(root, "/proc/1/cgroup", text, sizeof(text)) <= 0)
		return false;
	for (size_t i = 0; i < COUNT_OF(CGROUP_WORDS); i++) {
		if (strstr(text, CGROUP_WORDS[i].word)) {
			host_set_text(host->container, CGROUP_WORDS[i].name);
			return true;
		}
	}
	return false;
}

/* "container=NAME" in the environment of the first process; only root can read it. */
static bool find_container_by_environment(struct host *host, const char *root)
{
	static const char key[] = "container=";
	char text[HOST_STATUS_BYTES];
	long length = host_read_file(root, "/proc/1/environ", text, sizeof(text));

	for (const char *at = text; length > 0 && at < text + length; at += strlen(at) + 1) {
		if (strncmp(at, key, strlen(key)) == 0 && at[strlen(key)] != '\0') {
			host_set_text(host->container, at + strlen(key));
			return true;
		}
	}
	return false;
}

void host_find_container(struct host *host, const char *root)
{
	char text[HOST_TEXT_MAX];

	if (file_exists(root, "/run/.containerenv")) {
		host_set_text(host->container, "podman");
	} else if (file_exists(root, "/.dockerenv")) {
		host_set_text(host->container, "docker");
	} else if (host_read_file(root, "/run/systemd/container", text, sizeof(text)) > 0) {
		host_trim_end(text);
		host_set_text(host->container, text);
	} else if (!find_container_by_environment(host, root)) {
		find_container_by_cgroup(host, root);
	}
}
