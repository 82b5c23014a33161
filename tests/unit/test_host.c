/* Facts about machines that are folders: each test makes a root of its own and removes it. */

#include <errno.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/utsname.h>

#include "kernel/host.h"

#include "fake_sysfs.h"
#include "unit.h"

static struct {
	bool fake_limits;
	struct rlimit files, memlock;
	struct rlimit set;
	bool refuse_set;
	const char *name; /* of the processors; NULL: the true one */
	bool holds_rights_back;
} machine;

static struct host host;

int __real_getrlimit(int resource, struct rlimit *limit);
int __real_setrlimit(int resource, const struct rlimit *limit);

int __wrap_getrlimit(int resource, struct rlimit *limit)
{
	if (!machine.fake_limits)
		return __real_getrlimit(resource, limit);
	*limit = resource == RLIMIT_NOFILE ? machine.files : machine.memlock;
	return 0;
}

int __wrap_setrlimit(int resource, const struct rlimit *limit)
{
	/* the sanitizers set a limit before there is a test */
	if (!machine.fake_limits)
		return __real_setrlimit(resource, limit);
	assert_int_equal(resource, RLIMIT_NOFILE);
	if (machine.refuse_set) {
		errno = EPERM;
		return -1;
	}
	machine.set = *limit;
	return 0;
}

int __real_uname(struct utsname *names);

int __wrap_uname(struct utsname *names)
{
	const int result = __real_uname(names);

	if (machine.name)
		snprintf(names->machine, sizeof(names->machine), "%s", machine.name);
	return result;
}

bool __wrap_rights_are_held_back(void)
{
	return machine.holds_rights_back;
}

static int set_up(void **state)
{
	memset(&machine, 0, sizeof(machine));
	return fake_root_setup(state);
}

/* What is in the folder. */
static void read_host(void)
{
	host_fini(&host);
	host_read(&host, fake_root);
}

static int tear_down(void **state)
{
	host_fini(&host);
	return fake_root_teardown(state);
}

UNIT_TEST(host_read_empty_root_knows_nothing)
{
	read_host();

	assert_int_equal(host.paranoid, HOST_PARANOID_UNKNOWN);
	assert_int_equal(host.mlock_kb, -1);
	assert_false(host.has_cap_perfmon || host.has_cap_ipc_lock);
	assert_false(host.is_virtual || host.nmi_watchdog || host.has_seccomp_filter);
	assert_false(host.in_user_namespace);
	assert_string_equal(host.hypervisor, "");
	assert_string_equal(host.container, "");
	assert_string_equal(host.tracefs, "");
	assert_string_equal(host.cpu_pmu, "");
	assert_int_equal(host.pmu_count, 0);
	assert_int_equal(host.isolated.count, 0);
	assert_int_equal(host.memory_bytes, 0);
	assert_true(host.online.count > 0); /* assumed from the C library */
	assert_true(host.page_bytes >= 4096);
}

UNIT_TEST(host_read_capabilities_are_read_bit_by_bit)
{
	static const struct {
		const char *status;
		bool perfmon, admin, ipc_lock, seccomp;
	} cases[] = {
		{"CapEff:\t0000000000000000\nSeccomp:\t0\n", false, false, false, false},
		{"CapEff:\t000001ffffffffff\nSeccomp:\t2\n", true, true, true, true},
		{"CapEff:\t0000004000000000\nSeccomp:\t1\n", true, false, false, false},
		{"CapEff:\t0000000000200000\n", true, true, false, false},
		{"CapEff:\t0000000000080000\n", false, false, false, false},
		{"CapEff:\t0000000000004000\n", false, false, true, false},
		{"CapPrm:\t000001ffffffffff\n", false, false, false, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fake_root_file("/proc/self/status", cases[i].status);
		read_host();

		assert_int_equal(host.has_cap_perfmon, cases[i].perfmon);
		assert_int_equal(host.has_cap_sys_admin, cases[i].admin);
		assert_int_equal(host.has_cap_ipc_lock, cases[i].ipc_lock);
		assert_int_equal(host.has_seccomp_filter, cases[i].seccomp);
	}
}

/* Those of the program's file are in effect only around the calls that need them. */
UNIT_TEST(host_read_capabilities_that_are_held_back_count)
{
	machine.holds_rights_back = true;
	fake_root_file("/proc/self/status",
		       "CapPrm:\t0000004000000000\nCapEff:\t0000000000000000\n");
	read_host();
	assert_true(host.has_cap_perfmon);
	assert_false(host.has_cap_sys_admin);
}

UNIT_TEST(host_read_limits_of_samples_are_those_of_the_kernel_or_unknown)
{
	static const struct {
		const char *text;
		uint32_t is;
	} cases[] = {{"997\n", 997},
		     {"0\n", 0},
		     {"-5\n", 0},
		     {"many\n", 0},
		     {"4294967295\n", UINT32_MAX},
		     {"4294967296\n", 0},
		     {"", 0}};

	assert_int_equal(host_read_max_sample_rate(fake_root), 0);
	assert_int_equal(host_read_max_stack(fake_root), 0);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		fake_root_file("/proc/sys/kernel/perf_event_max_sample_rate", cases[i].text);
		assert_int_equal(host_read_max_sample_rate(fake_root), cases[i].is);
		assert_int_equal(host_read_max_stack(fake_root), 0);
	}
	fake_root_file("/proc/sys/kernel/perf_event_max_stack", "127\n");
	assert_int_equal(host_read_max_stack(fake_root), 127);
}

UNIT_TEST(host_read_online_is_a_list_with_holes_or_false)
{
	static const char *const malformed[] = {NULL, "\n", "0-x\n"};
	struct number_list online;

	for (size_t i = 0; i < COUNT_OF(malformed); i++) {
		if (malformed[i])
			fake_root_file("/sys/devices/system/cpu/online", malformed[i]);
		assert_false(host_read_online(&online, fake_root));
		assert_int_equal(online.count, 0);
	}
	fake_root_file("/sys/devices/system/cpu/online", "0-2,5,8-9\n");
	assert_true(host_read_online(&online, fake_root));
	assert_int_equal(online.count, 6);
	assert_int_equal(online.numbers[3], 5);
	assert_int_equal(online.numbers[5], 9);
	number_list_fini(&online);
}

/* As systemd's ProcSubset=pid mounts /proc. */
UNIT_TEST(host_read_without_sysctls_knows_perf_events_by_their_pmus)
{
	fake_root_file("/sys/bus/event_source/devices/software/type", "1\n");
	read_host();
	assert_true(host.is_paranoid_hidden);
	assert_int_equal(host.paranoid, HOST_PARANOID_DEFAULT);
}

UNIT_TEST(host_read_sysctls_are_read_or_unknown)
{
	fake_root_file("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	fake_root_file("/proc/sys/kernel/perf_event_mlock_kb", "516\n");
	fake_root_file("/proc/sys/kernel/nmi_watchdog", "1\n");
	fake_root_file("/proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
	fake_root_file("/proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 5 kB\n");
	read_host();
	assert_int_equal(host.paranoid, -1);
	assert_int_equal(host.mlock_kb, 516);
	assert_true(host.nmi_watchdog);
	assert_string_equal(host.kernel, "6.1.0-28-amd64");
	assert_int_equal(host.memory_bytes, UINT64_C(16384000) * 1024);

	fake_root_file("/proc/sys/kernel/perf_event_paranoid", "two\n");
	fake_root_file("/proc/sys/kernel/perf_event_mlock_kb", "516x\n");
	fake_root_file("/proc/sys/kernel/nmi_watchdog", "0\n");
	read_host();
	assert_int_equal(host.paranoid, HOST_PARANOID_UNKNOWN);
	assert_int_equal(host.mlock_kb, -1);
	assert_false(host.nmi_watchdog);
}

UNIT_TEST(host_read_capabilities_of_a_user_namespace_do_not_count)
{
	fake_root_file("/proc/self/status", "CapEff:\t000001ffffffffff\n");
	fake_root_file("/proc/self/uid_map", "         0       1000          1\n");
	read_host();
	assert_true(host.in_user_namespace);
	assert_false(host.has_cap_perfmon);
	assert_false(host.has_cap_ipc_lock);

	fake_root_file("/proc/self/uid_map", "         0          0 4294967295\n");
	read_host();
	assert_false(host.in_user_namespace);
}

UNIT_TEST(host_read_pid_namespace_is_known_by_its_number)
{
	static const struct {
		const char *name; /* NULL: a kernel without pid namespaces */
		bool in_namespace;
	} cases[] = {{NULL, false},
		     {"pid:[4026531836]", false},
		     {"pid:[4026532100]", true},
		     {"pid:[40265318360]", true}};
	char path[FAKE_PATH_BYTES];

	fake_root_folder("/proc/self/ns");
	fake_root_path(path, "/proc/self/ns/pid");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		unlink(path);
		if (cases[i].name)
			assert_int_equal(symlink(cases[i].name, path), 0);
		read_host();
		assert_int_equal(host.in_pid_namespace, cases[i].in_namespace);
	}
}

UNIT_TEST(host_read_limits_are_read_and_raised)
{
	machine.fake_limits = true;
	machine.files = (struct rlimit){1024, 4096};
	machine.memlock = (struct rlimit){65536, 65536};
	read_host();
	assert_int_equal(host.fd_limit_soft, 1024);
	assert_int_equal(host.fd_limit_hard, 4096);
	assert_int_equal(host.memlock_limit_bytes, 65536);
	machine.memlock.rlim_cur = RLIM_INFINITY;
	read_host();
	assert_int_equal(host.memlock_limit_bytes, UINT64_MAX);

	assert_int_equal(host_raise_fd_limit(), 4096);
	assert_int_equal(machine.set.rlim_cur, 4096);
	assert_int_equal(machine.set.rlim_max, 4096);
	machine.refuse_set = true;
	assert_int_equal(host_raise_fd_limit(), 1024);
}

UNIT_TEST(host_read_policy_is_what_refuses_perf_events)
{
	static const char lockdown[] = "/sys/kernel/security/lockdown";
	static const char selinux[] = "/sys/fs/selinux/enforce";

	read_host();
	assert_string_equal(host.policy, "");
	fake_root_file(lockdown, "none [integrity] confidentiality\n");
	fake_root_file(selinux, "0");
	read_host();
	assert_string_equal(host.policy, "");
	fake_root_file(selinux, "1");
	read_host();
	assert_string_equal(host.policy, "SELinux");
	fake_root_file(lockdown, "none integrity [confidentiality]\n");
	read_host();
	assert_string_equal(host.policy, "kernel lockdown");
}

UNIT_TEST(host_read_hypervisors_have_names)
{
	static const char vendor[] = "/sys/class/dmi/id/sys_vendor";
	static const char with[] = "processor\t: 0\nflags\t\t: fpu hypervisor vme\n";
	static const char without[] = "processor\t: 0\nflags\t\t: fpu vme\n";
	static const struct {
		const char *path, *text, *cpuinfo;
		bool is_virtual;
		const char *name;
	} cases[] = {
		{vendor, "QEMU\n", without, true, "QEMU"},
		{vendor, "VMware, Inc.\n", with, true, "VMware"},
		{vendor, "innotek GmbH\n", with, true, "VirtualBox"},
		{vendor, "Microsoft Corporation\n", with, true, "Microsoft"},
		{vendor, "Microsoft Corporation\n", without, false, ""},
		{vendor, "Amazon EC2\n", without, false, ""},
		{vendor, "Dell Inc.\n", without, false, ""},
		{vendor, "Dell Inc.\n", with, true, ""},
		{"/sys/hypervisor/type", "xen\n", without, true, "Xen"},
		{"/sys/firmware/devicetree/base/hypervisor/compatible", "linux,kvm", "", true,
		 "KVM"},
		/* the flag is a whole word among flags */
		{vendor, "", "flags\t\t: hypervisor\n", true, ""},
		{vendor, "", "flags\t\t: fpu hypervisor\nbugs: x\n", true, ""},
		{vendor, "", "flags\t\t: nohypervisor hypervisors\n", false, ""},
		{vendor, "", "flags\t\t: hypervisors hypervisor vme\n", true, ""},
		{vendor, "", "model name\t: a hypervisor \nflags\t\t: fpu\n", false, ""},
		{vendor, "", "model name\t: x\n", false, ""},
		{vendor, "", "", false, ""},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		fake_root_renew();
		/* the device tree ends its texts with a NUL */
		fake_root_bytes(cases[i].path, cases[i].text, strlen(cases[i].text) + (i == 9));
		fake_root_file("/proc/cpuinfo", cases[i].cpuinfo);
		read_host();
		assert_int_equal(host.is_virtual, cases[i].is_virtual);
		assert_string_equal(host.hypervisor, cases[i].name);
	}
}

UNIT_TEST(host_read_cpu_id_is_that_of_perf)
{
	static const char midr[] = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
	static const char cpuinfo[] = "/proc/cpuinfo";
	static const struct {
		const char *path, *text, *id;
	} cases[] = {
		{cpuinfo,
		 "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
		 "model name\t: Intel(R) Xeon(R)\nstepping\t: 7\n\nprocessor\t: 1\n",
		 "GenuineIntel,6,85,7"},
		{midr, "0x00000000413fd0c1\n", "0x00000000413fd0c1"},
		{cpuinfo,
		 "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
		 "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n",
		 "0x00000000413fd0c1"},
		{cpuinfo, "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n", ""},
		{cpuinfo, "cpu\t\t: POWER9\n", ""},
		{cpuinfo, "", ""},
		{"/proc/version", "Linux\n", ""},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		fake_root_renew();
		fake_root_file(cases[i].path, cases[i].text);
		read_host();
		assert_string_equal(host.cpu_id, cases[i].id);
	}
}

UNIT_TEST(host_read_containers_have_names)
{
	static const struct {
		const char *path, *text;
		size_t size;
		const char *name;
	} cases[] = {
		{"/run/.containerenv", "", 0, "podman"},
		{"/.dockerenv", "", 0, "docker"},
		{"/run/systemd/container", "systemd-nspawn\n", 15, "systemd-nspawn"},
		{"/proc/1/environ", "HOME=/\0container=lxc\0A=b", 24, "lxc"},
		{"/proc/1/environ", "HOME=/\0container=lxc", 20, "lxc"},
		{"/proc/1/environ", "mycontainer=lxc\0container=\0", 27, ""},
		{"/proc/1/cgroup", "0::/kubepods/pod1\n", 18, "kubernetes"},
		{"/proc/1/cgroup", "1:cpu:/docker/0123\n", 19, "docker"},
		{"/proc/1/cgroup", "0::/init.scope\n", 15, ""},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fake_root_renew();
		fake_root_bytes(cases[i].path, cases[i].text, cases[i].size);
		read_host();
		assert_string_equal(host.container, cases[i].name);
	}
	/* one without a name is looked for elsewhere */
	fake_root_bytes("/proc/1/environ", "container=\0A=b", 14);
	fake_root_file("/proc/1/cgroup", "0::/lxc/x\n");
	read_host();
	assert_string_equal(host.container, "lxc");
}

UNIT_TEST(host_read_tracefs_is_the_first_mounted)
{
	static const char *const folders[] = {"/host/sys/kernel/tracing",
					      "/sys/kernel/debug/tracing", "/sys/kernel/tracing"};

	fake_root_folder("/sys/kernel/tracing");
	read_host();
	assert_string_equal(host.tracefs, "");
	for (size_t i = 0; i < COUNT_OF(folders); i++) {
		char file[FAKE_NAME_BYTES], expected[FAKE_PATH_BYTES];

		snprintf(file, sizeof(file), "%s/events/enable", folders[i]);
		fake_root_file(file, "0\n");
		read_host();
		fake_root_path(expected, folders[i]);
		assert_string_equal(host.tracefs, expected);
	}
}

UNIT_TEST(host_read_pmus_are_sorted_and_core_ones_named)
{
	static const char *const names[] = {"uprobe",       "cpu_core",
					    "msr",          "cpu_atom",
					    "uncore_imc_0", "one-more-than-fits-into-its-plac"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		sysfs_pmu(names[i], "type", "4\n");
	sysfs_pmu("uncore_imc_0", "cpumask", "0\n");
	read_host();
	assert_int_equal(host.pmu_count, 5);
	assert_string_equal(host.pmus[0], "cpu_atom");
	assert_string_equal(host.pmus[4], "uprobe");
	assert_string_equal(host.cpu_pmu, "cpu_atom, cpu_core");

	sysfs_pmu("thirty-one-characters-long-here", "type", "4\n");
	read_host();
	assert_string_equal(host.pmus[3], "thirty-one-characters-long-here");
}

UNIT_TEST(host_read_core_pmus_of_other_machines_are_known)
{
	static const struct {
		const char *name;
		bool has_cpus, is_core;
	} cases[] = {
		{"cpu", false, true},
		{"armv8_pmuv3_0", true, true},
		{"armv8_cortex_a53", false, true},
		{"apple_icestorm_pmu", true, true},
		{"cpum_cf", false, true},
		{"software", false, false},
		{"breakpoint", false, false},
		{"cpuidle_pmu", false, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fake_root_renew();
		sysfs_pmu(cases[i].name, "type", "4\n");
		if (cases[i].has_cpus)
			sysfs_pmu(cases[i].name, "cpus", "0-3\n");
		read_host();

		assert_string_equal(host.cpu_pmu, cases[i].is_core ? cases[i].name : "");
	}
}

UNIT_TEST(host_read_many_pmus_are_cut_not_overrun)
{
	for (int i = 0; i < HOST_PMUS_MAX + 20; i++) {
		char name[32];

		snprintf(name, sizeof(name), "armv8_a_long_name_%d", i);
		sysfs_pmu(name, "type", "4\n");
	}

	read_host();

	assert_int_equal(host.pmu_count, HOST_PMUS_MAX);
	assert_int_equal(strlen(host.cpu_pmu), HOST_TEXT_MAX - 1);
	for (size_t i = 0; i < host.pmu_count; i++)
		assert_memory_equal(host.pmus[i], "armv8_a_long_name_", 18);
}

UNIT_TEST(host_read_isolated_is_the_union_with_nohz_full)
{
	static const struct {
		const char *isolated, *full, *expected;
	} cases[] = {
		{"2-3\n", "3,5\n", "2-3,5"}, {"\n", "(null)\n", ""},    {"7\n", "(null)\n", "7"},
		{"\n", "1-2\n", "1-2"},      {"5-6\n", "1\n", "1,5-6"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char text[64];

		fake_root_file("/sys/devices/system/cpu/isolated", cases[i].isolated);
		fake_root_file("/sys/devices/system/cpu/nohz_full", cases[i].full);
		read_host();
		number_list_format(&host.isolated, text, sizeof(text));

		assert_string_equal(text, cases[i].expected);
	}
}

UNIT_TEST(host_read_this_machine_agrees_with_the_c_library)
{
	host_read(&host, "");

	assert_int_equal(host.online.count, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(host.page_bytes, sysconf(_SC_PAGESIZE));
	assert_true(host.memory_bytes > 0);
	assert_string_not_equal(host.kernel, "");
}

UNIT_TEST(host_explain_no_pmu_says_why)
{
	static const struct {
		struct host host;
		const char *expected;
	} cases[] = {
		{{.cpu_pmu = "cpu", .is_virtual = true, .pmu_count = 1}, ""},
		{{.paranoid = HOST_PARANOID_UNKNOWN}, "without perf events"},
		{{.paranoid = 2}, "sysfs"},
		{{.paranoid = 2, .pmu_count = 5, .is_virtual = true, .hypervisor = "KVM"}, "(KVM)"},
		{{.paranoid = 2, .pmu_count = 5, .is_virtual = true}, "hypervisor gives"},
		{{.paranoid = 2, .pmu_count = 5}, "no driver"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char text[256] = "before";

		host_explain_no_pmu(&cases[i].host, text, sizeof(text));

		assert_non_null(strstr(text, cases[i].expected));
		assert_int_equal(strlen(text) == 0, i == 0);
		assert_true(i == 0 || text[strlen(text) - 1] != '.');
		host_explain_no_pmu(&cases[i].host, text, 5);
		assert_int_equal(strlen(text), i == 0 ? 0 : 4);
	}
}

UNIT_TEST(long_bytes_are_those_of_the_kernel)
{
	static const struct {
		const char *machine;
		size_t bytes;
	} cases[] = {
		{"x86_64", 8},          {"aarch64", 8},
		{"ppc64le", 8},         {"riscv64", 8},
		{"s390x", 8},           {"mips64", 8},
		{"i686", sizeof(long)}, {"armv7l", sizeof(long)},
		{"ppc", sizeof(long)},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin_case(cases[i].machine);
		machine.name = cases[i].machine;
		assert_int_equal(host_long_bytes(), cases[i].bytes);
	}
}

UNIT_MAIN(set_up, tear_down)
