/*
 * What `perftop check` says of machines that differ in one thing each: kernel (fake_kernel.h),
 * sysfs (fake_sysfs.h) and facts of the host are a test's own.
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "check.h"
#include "kernel/host.h"

#include "event/event.h"
#include "event/tracepoint.h"
#include "fake_kernel.h"
#include "fake_sched_switch.h"
#include "fake_sysfs.h"
#include "unit.h"

static struct {
	struct host host;
	char said[8192];
	bool works, has_no_tracefs;
	bool has_no_clockid;
	const char *isolated; /* list of CPUs; NULL: none */
	double counter_ns;
} kit;

struct event_finder *__real_event_finder_create(const char *root);

void __wrap_host_read(struct host *host, const char *root)
{
	*host = kit.host;
	number_list_parse(&host->online, "0-3", 8);
	if (kit.isolated)
		number_list_parse(&host->isolated, kit.isolated, 8);
}

uint64_t __wrap_host_raise_fd_limit(void)
{
	return kit.host.fd_limit_hard;
}

void __wrap_attr_probe_features(struct attr_features *features)
{
	*features = FAKE_FEATURES;
	features->clockid = features->clockid && !kit.has_no_clockid;
}

double __wrap_counter_time_ns(const struct attr_features *features)
{
	return kit.counter_ns;
}

struct event_finder *__wrap_event_finder_create(const char *root)
{
	return __real_event_finder_create(fake_root);
}

bool __wrap_tracepoint_find(const char *root, const char *group, const char *name,
			    struct event_spec *spec, struct error *error)
{
	*spec = (struct event_spec){.type = PERF_TYPE_TRACEPOINT, .name = "sched:sched_switch"};
	return !kit.has_no_tracefs ||
	       error_set_errno(error, ERROR_EVENT_TRACEFS, spec->name, EACCES);
}

bool __wrap_tracepoint_read_format(const char *root, const char *group, const char *name,
				   char *text, size_t size, struct error *error)
{
	snprintf(text, size, "%s", FAKE_SWITCH_FORMAT);
	return true;
}

/* A machine that lacks nothing. */
static int setup(void **state)
{
	fake_reset(state);
	if (fake_root_setup(state) != 0)
		return -1;
	sysfs_pmu("cpu", "type", "4\n");
	memset(&kit, 0, sizeof(kit));
	kit.host = (struct host){
		.paranoid = 0,
		.mlock_kb = 516,
		.has_cap_perfmon = true,
		.has_cap_ipc_lock = true,
		.fd_limit_soft = 65536,
		.fd_limit_hard = 65536,
		.memory_bytes = 16ull << 30,
		.page_bytes = 4096,
		.tracefs = "/sys/kernel/tracing",
		.kernel = "6.1",
		.cpu_pmu = "cpu",
	};
	return 0;
}

static void check(void)
{
	struct strbuf out = {0};

	kit.works = check_write(&out);
	snprintf(kit.said, sizeof(kit.said), "%s", strbuf_text(&out));
	strbuf_fini(&out);
}

/* The line that begins with `what`, without it and the blanks behind it. */
static void assert_says(const char *what, const char *expected)
{
	const size_t length = strlen(what);
	char line[512] = "";
	const char *at = kit.said;

	while (at != NULL && (strncmp(at, what, length) != 0 || at[length] != ' ')) {
		at = strchr(at, '\n');
		at = at != NULL ? at + 1 : NULL;
	}
	if (at == NULL)
		fail_msg("nothing is said of %s in:\n%s", what, kit.said);
	at += length + strspn(at + length, " ");
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
	assert_string_equal(line, expected);
}

static int refuse_machine(const struct group_request *request)
{
	return request->target.cpu >= 0 ? EACCES : 0;
}

static int refuse_all(const struct group_request *request)
{
	return EACCES;
}

static int refuse_hardware(const struct group_request *request)
{
	for (size_t i = 0; i < request->count; i++) {
		fake.failed_member = (int)i + 1;
		if (request->specs[i]->class == EVENT_CLASS_HARDWARE)
			return ENOENT;
	}
	return 0;
}

static int refuse_caches(const struct group_request *request)
{
	for (size_t i = 0; i < request->count; i++) {
		fake.failed_member = (int)i + 1;
		if (strncmp(request->specs[i]->name, "cache-", 6) == 0)
			return ENOENT;
	}
	return 0;
}

static int refuse_codes(const struct group_request *request)
{
	for (size_t i = 0; i < request->count; i++) {
		fake.failed_member = (int)i + 1;
		if (strncmp(request->specs[i]->name, "cache-l", 7) == 0)
			return EINVAL;
	}
	return 0;
}

static int refuse_tracepoint(const struct group_request *request)
{
	return request->target.leader == GROUP_LEADER_TRACEPOINT ? EACCES : 0;
}

static void put_zen3(void)
{
	strcpy(kit.host.cpu_id, "AuthenticAMD,25,1,1");
	fake_root_file("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\n"
					"model\t\t: 1\nstepping\t: 1\n");
	sysfs_pmu("cpu", "format/event", "config:0-7,32-35\n");
	sysfs_pmu("cpu", "format/umask", "config:8-15\n");
}

UNIT_TEST(check_write_says_what_the_columns_count_on_this_processor)
{
	check();
	assert_says("processor", "part  unknown processor, generic events");
	assert_says("column MISS %", "part  cache level unknown: cache-misses, cache-references");
	assert_says("column IPC", "ok    instructions, cycles");
	assert_says("column FAULT/s", "ok    page-faults");

	put_zen3();
	check();
	assert_says("processor", "ok    AMD Zen 3 (AuthenticAMD,25,1,1)");
	assert_says("column LLC-MISS %",
		    "ok    LLC: cache-llc-misses (0x5c44), cache-llc-references (0x5e44)");
	assert_says("column LLC-MPKI", "ok    LLC: cache-llc-misses (0x5c44), instructions");
	assert_says("event cache-llc-misses", "ok    counting");

	/* where the hypervisor refuses the codes */
	fake.refuse_group = refuse_codes;
	check();
	assert_says("column L2-MISS %", "part  L2: cache-misses, cache-references, as "
					"cache-llc-misses is not available here");
	assert_says("event cache-misses", "ok    counting");

	fake.refuse_group = refuse_caches;
	check();
	assert_says("column MPKI",
		    "no    cache-misses, instructions, as cache-llc-misses is not available here");
	assert_says("column IPC", "ok    instructions, cycles");

	kit.host.cpu_pmu[0] = '\0';
	check();
	assert_null(strstr(kit.said, "column "));
}

UNIT_TEST(check_says_which_event_reports_switches)
{
	check();
	assert_says("context switches", "ok    one record each, of sched:sched_switch");

	kit.has_no_tracefs = true;
	check();
	assert_says("context switches",
		    "part  three records each, at twice the cost: sched:sched_switch: tracepoints "
		    "cannot be read: Permission denied -> run perftop as root, or let a group in: "
		    "mount "
		    "-o remount,gid=GROUP,mode=750 /sys/kernel/tracing; where nothing is mounted: "
		    "mount "
		    "-t tracefs tracefs /sys/kernel/tracing");

	kit.has_no_tracefs = false;
	kit.host.in_pid_namespace = true;
	check();
	assert_non_null(strstr(kit.said, "context switches           part  three records each"));

	kit.host.in_pid_namespace = false;
	fake.refuse_group = refuse_tracepoint;
	check();
	assert_non_null(strstr(kit.said, "context switches           part  three records each"));
}

UNIT_TEST(check_says_what_the_readings_cost)
{
	fake.switch_time = (struct switch_time_result){.state = SWITCH_TIME_MEASURED,
						       .added_ns = {0, 900, 350}};
	check();
	assert_says("cost of readings", "ok    about 1.25us for each context switch");

	fake.switch_time = (struct switch_time_result){.state = SWITCH_TIME_LATE};
	check();
	assert_says("cost of readings", "part  CPU too busy to measure");

	fake.switch_time = (struct switch_time_result){.state = SWITCH_TIME_NOISE};
	check();
	assert_says("cost of readings", "ok    too small to measure");
}

UNIT_TEST(check_names_isolated_cpus_where_they_are_not_interrupted)
{
	kit.isolated = "0";
	check();
	assert_says("isolated CPUs", "part  CPU 0: not interrupted, counters are read only at "
				     "context switches there -> perftop --interrupt-isolated");
	kit.has_no_clockid = true;
	check();
	assert_null(strstr(kit.said, "isolated CPUs"));
}

UNIT_TEST(check_where_all_is_well_says_ok)
{
	fake.switch_time.added_ns[1] = 900;
	check();
	assert_true(kit.works);
	assert_non_null(strstr(kit.said, " on Linux 6.1\n"));
	assert_says("perf events", "ok    kernel.perf_event_paranoid is 0");
	assert_says("CAP_PERFMON", "ok    held");
	assert_says("tracefs", "ok    /sys/kernel/tracing");
	assert_says("system-wide counting", "ok    every CPU and every task");
	assert_says("own tasks", "ok    each task with its own counters");
	assert_says("PMU", "ok    cpu PMU, 32 counters");
	assert_says("event cycles", "ok    counting");
	assert_says("event page-faults", "ok    counting");
	assert_says("rings", "ok    16.0M for each of 4 CPUs, 64.0M in all");
	assert_null(strstr(kit.said, " no "));
	assert_null(strstr(kit.said, "container"));
	assert_int_equal(fake_open_count(), 0); /* all were closed again */
}

UNIT_TEST(check_where_the_machine_is_refused_still_works)
{
	kit.host.paranoid = 2;
	kit.host.has_cap_perfmon = false;
	fake.refuse_group = refuse_machine;
	check();
	assert_true(kit.works);
	assert_says("CAP_PERFMON", "no    not held -> run as root, or " ERROR_PERFMON_GROUP);
	assert_says("system-wide counting",
		    "no    not permitted: kernel.perf_event_paranoid is 2 -> run perftop as root; "
		    "or sysctl "
		    "kernel.perf_event_paranoid=0; or =2 and " ERROR_PERFMON_GROUP);
	assert_says("own tasks", "ok    each task with its own counters, user mode only");
	assert_says("event cycles", "ok    counting");
	assert_null(strstr(kit.said, "rings")); /* each thread has a small one */
	assert_says("descriptors", "ok    9 needed for each thread, 65536 allowed");
	/* this user may not see the kernel */
	assert_true(fake.count > 0);
	for (size_t i = 0; i < fake.count; i++)
		assert_true(fake.events[i].members == 0 || fake.events[i].exclude_kernel);
}

UNIT_TEST(check_where_nothing_may_be_counted_fails)
{
	kit.host.paranoid = 3;
	kit.host.has_cap_perfmon = false;
	fake.refuse_group = refuse_all;
	check();
	assert_false(kit.works);
	assert_non_null(strstr(kit.said, "system-wide counting       no "));
	assert_non_null(strstr(kit.said, "own tasks                  no "));
	assert_says("PMU", "part  cpu: this user may count nothing with it");
	assert_null(strstr(kit.said, "event "));
	assert_null(strstr(kit.said, "column "));
	assert_null(strstr(kit.said, "descriptors"));
	assert_int_equal(fake_open_count(), 0);
}

UNIT_TEST(check_below_level_1_says_what_the_capability_would_add)
{
	kit.host.has_cap_perfmon = false;
	check();
	assert_says("CAP_PERFMON", "part  not held: at this level only tracepoints need it -> run "
				   "as root, or " ERROR_PERFMON_GROUP);
	kit.host.paranoid = -1;
	check();
	assert_says("CAP_PERFMON", "ok    not held, and not needed at this level");
}

UNIT_TEST(check_above_level_2_says_what_the_capability_is_worth)
{
	kit.host.paranoid = 3;
	kit.host.has_cap_perfmon = false;
	fake.refuse_group = refuse_all;
	check();
	assert_says("CAP_PERFMON", "no    not held -> run as root, or sysctl "
				   "kernel.perf_event_paranoid=2 and " ERROR_PERFMON_GROUP);
	kit.host.has_cap_perfmon = true;
	check();
	assert_says("CAP_PERFMON",
		    "part  held, but above level 2 this kernel wants CAP_SYS_ADMIN -> sysctl "
		    "kernel.perf_event_paranoid=2, or run perftop as root");
	assert_says("system-wide counting",
		    "no    not permitted: kernel.perf_event_paranoid is 3, and above 2 this kernel "
		    "wants CAP_SYS_ADMIN: CAP_PERFMON does not suffice -> sysctl "
		    "kernel.perf_event_paranoid=2, or run perftop as root");
}

UNIT_TEST(check_where_the_level_is_hidden_says_so)
{
	kit.host.is_paranoid_hidden = true;
	check();
	assert_says("perf events", "ok    kernel.perf_event_paranoid cannot be read");
}

UNIT_TEST(check_of_a_kernel_without_perf_events_says_which_to_take)
{
	kit.host.paranoid = HOST_PARANOID_UNKNOWN;
	check();
	assert_says("perf events",
		    "no    this kernel has none -> a kernel with CONFIG_PERF_EVENTS");
}

UNIT_TEST(check_without_a_pmu_says_what_still_counts)
{
	kit.host.cpu_pmu[0] = '\0';
	kit.host.is_virtual = true;
	strcpy(kit.host.hypervisor, "KVM");
	fake.refuse_group = refuse_hardware;
	check();
	assert_true(kit.works);
	assert_non_null(strstr(kit.said, "PMU                        no "));
	assert_non_null(strstr(kit.said, "-> give the guest a virtual PMU"));
	assert_non_null(strstr(kit.said, "event cycles               no "));
	assert_says("event page-faults", "ok    counting");
}

UNIT_TEST(check_says_how_long_reading_a_counter_takes)
{
	kit.counter_ns = 31;
	check();
	assert_says("PMU", "ok    cpu PMU, 32 counters; reading a counter takes 31ns");
	kit.counter_ns = 1300;
	check();
	assert_says("PMU", "ok    cpu PMU, 32 counters; reading a counter takes 1.30us");
	kit.host.is_virtual = true;
	check();
	assert_says("PMU", "part  cpu PMU, 32 counters; reading a counter takes 1.30us -> by "
			   "default only cycles and "
			   "instructions are counted; L or :light off counts all");
}

UNIT_TEST(check_names_what_takes_a_counter_away)
{
	kit.host.nmi_watchdog = true;
	check();
	assert_says("NMI watchdog",
		    "part  holds one counter on every CPU -> sysctl kernel.nmi_watchdog=0");
}

/* What may be locked is divided before the first ring is opened. */
UNIT_TEST(check_of_rings_says_how_large_they_may_be)
{
	kit.host.has_cap_ipc_lock = false;
	check();
	assert_says("rings", "ok    128K for each of 4 CPUs, 512K in all: half of what this user "
			     "may lock");
	kit.host.memlock_limit_bytes = 8 << 20;
	check();
	assert_says("rings",
		    "ok    1.0M for each of 4 CPUs, 4.0M in all: half of what this user may lock");
	kit.host.memlock_limit_bytes = UINT64_MAX;
	check();
	assert_says("rings", "ok    16.0M for each of 4 CPUs, 64.0M in all");
	kit.host.memlock_limit_bytes = 0;
	kit.host.mlock_kb = 67; /* the smallest ring has 64 KiB and a page */
	check();
	assert_says("rings", "no    64.0K for each CPU is more than this user may lock -> sysctl "
			     "kernel.perf_event_mlock_kb=..., ulimit -l, or CAP_IPC_LOCK");
	kit.host.paranoid = -1; /* no limit then */
	check();
	assert_says("rings", "ok    16.0M for each of 4 CPUs, 64.0M in all");
}

/* What is needed in any case, and what wake-ups need besides. */
UNIT_TEST(check_of_descriptors_tells_how_far_they_go)
{
	size_t needed, more;

	check();
	const char *line = strstr(kit.said, "descriptors");

	assert_non_null(line);
	assert_int_equal(sscanf(line, "descriptors ok %zu needed for the whole machine, up to %zu",
				&needed, &more),
			 2);
	kit.host.fd_limit_hard = needed + 64 + more;
	check();
	assert_non_null(strstr(kit.said, "descriptors                ok "));
	kit.host.fd_limit_hard = needed + 64 + more - 1;
	check();
	assert_non_null(strstr(kit.said, "descriptors                part "));
	assert_non_null(strstr(kit.said, "ulimit -Hn"));
	kit.host.fd_limit_hard = needed + 64 - 1;
	check();
	assert_non_null(strstr(kit.said, "descriptors                no "));
}

UNIT_TEST(check_in_a_container_says_so)
{
	strcpy(kit.host.container, "docker");
	kit.host.tracefs[0] = '\0';
	check();
	assert_says("container", "ok    inside docker");
	assert_non_null(strstr(kit.said, "tracefs                    no "));
}

int main(void)
{
	return unit_run(setup, fake_root_teardown);
}
