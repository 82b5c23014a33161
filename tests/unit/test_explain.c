/* errno x context -> sentence: a table of situations on machines that a struct host describes. */

#include <errno.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "kernel/explain.h"
#include "kernel/proc.h"

#include "error_name.h"
#include "unit.h"

enum {
	OWN_UID = 1000,
	OWN_PID = 500,
	ROOTS_PID = 1,
	GUARDED_PID = 600,
	GONE_PID = 700
};

static struct {
	uid_t uid;
} user;

int64_t __wrap_proc_owner(int32_t pid)
{
	return pid == ROOTS_PID ? 0 : pid == GONE_PID ? -1 : OWN_UID;
}

bool __wrap_proc_is_guarded(int32_t pid)
{
	return pid == GUARDED_PID;
}

uid_t __wrap_geteuid(void)
{
	return user.uid;
}

static int cpus[] = {0, 1};

static const struct host VIRTUAL = {.online = {cpus, 2},
				    .paranoid = 2,
				    .mlock_kb = 516,
				    .fd_limit_soft = 1024,
				    .is_virtual = true,
				    .hypervisor = "KVM",
				    .pmu_count = 5};
static const struct host METAL = {
	.online = {cpus, 2}, .paranoid = 2, .mlock_kb = 516, .cpu_pmu = "cpu", .pmu_count = 6};
static const struct host WATCHED = {
	.online = {cpus, 2}, .paranoid = 2, .cpu_pmu = "cpu", .nmi_watchdog = true, .pmu_count = 6};
static const struct host ROOT = {.online = {cpus, 2},
				 .paranoid = 2,
				 .has_cap_perfmon = true,
				 .has_cap_sys_admin = true,
				 .cpu_pmu = "cpu",
				 .pmu_count = 6};
static const struct host LOCKED = {
	.online = {cpus, 2}, .paranoid = 2, .has_cap_perfmon = true, .policy = "kernel lockdown"};
static const struct host CAPABLE = {
	.online = {cpus, 2}, .paranoid = 2, .has_cap_perfmon = true, .cpu_pmu = "cpu"};
static const struct host DEBIAN = {
	.online = {cpus, 2}, .paranoid = 3, .has_cap_perfmon = true, .cpu_pmu = "cpu"};
static const struct host DEBIAN_ROOT = {.online = {cpus, 2},
					.paranoid = 3,
					.has_cap_perfmon = true,
					.has_cap_sys_admin = true,
					.cpu_pmu = "cpu"};
static const struct host OPEN = {
	.online = {cpus, 2}, .paranoid = 0, .cpu_pmu = "cpu", .pmu_count = 6};
static const struct host STRICT = {
	.online = {cpus, 2}, .paranoid = 4, .cpu_pmu = "cpu", .pmu_count = 6};
static const struct host DOCKER = {.online = {cpus, 2},
				   .paranoid = 2,
				   .cpu_pmu = "cpu",
				   .pmu_count = 6,
				   .container = "docker",
				   .has_seccomp_filter = true};
static const struct host ROOTLESS = {.online = {cpus, 2},
				     .paranoid = 2,
				     .cpu_pmu = "cpu",
				     .pmu_count = 6,
				     .in_user_namespace = true};
static const struct host NO_PERF = {.online = {cpus, 2}, .paranoid = HOST_PARANOID_UNKNOWN};

static const struct event_spec CYCLES = {
	.name = "cycles", .type = 0, .class = EVENT_CLASS_HARDWARE};
static const struct event_spec FAULTS = {.name = "page-faults", .type = 1, .config = 2};
static const struct event_spec WATCHPOINT = {.name = "mem:0x1:w", .type = PERF_TYPE_BREAKPOINT};
static const struct event_spec KERNEL_WATCHPOINT = {
	.name = "mem:0xffffffff81000000:x",
	.type = PERF_TYPE_BREAKPOINT,
	.config1 = UINT64_C(0xffffffff81000000),
};

static const struct event_spec FILTERED = {
	.name = "sched:sched_switch/x/", .type = PERF_TYPE_TRACEPOINT, .filter = "no_such > 1"};
static const struct event_spec TRACEPOINT = {.name = "sched:sched_waking",
					     .type = PERF_TYPE_TRACEPOINT};
static const struct event_spec UPROBE = {
	.name = "uprobe:/bin/x:main", .type = 8, .pmu = "uprobe", .target = "/bin/x"};
static const struct event_spec KPROBE = {
	.name = "kprobe:nowhere", .type = 7, .pmu = "kprobe", .target = "nowhere"};
static const struct event_spec PRECISE = {
	.name = "cycles:pp", .class = EVENT_CLASS_HARDWARE, .precise = 2};
static const struct event_spec TSC = {.name = "msr/tsc/",
				      .type = 10,
				      .pmu = "msr",
				      .exclude_guest = true,
				      .guest_is_default = true};
static const struct event_spec TSC_BUSY = {
	.name = "msr/tsc/I", .type = 10, .pmu = "msr", .exclude_idle = true};
static const struct event_spec TSC_OF_HOST = {
	.name = "msr/tsc/H", .type = 10, .pmu = "msr", .exclude_guest = true};
static const struct event_spec CLOCK_OF_USERS = {.name = "cpu-clock:u",
						 .type = PERF_TYPE_SOFTWARE,
						 .is_clock = true,
						 .exclude_kernel = true};
static const struct event_spec TSC_OF_USERS = {.name = "msr/tsc/u",
					       .type = 10,
					       .pmu = "msr",
					       .class = EVENT_CLASS_SOFTWARE,
					       .exclude_kernel = true};
static const struct event_spec SHARED = {
	.name = "power/energy-pkg/", .type = 20, .pmu = "power", .class = EVENT_CLASS_SHARED};

struct situation {
	int errno_value;
	const struct host *host;
	const struct event_spec *spec;
	int pid, cpu;
	bool is_group_member;
	enum explain_call call;
	uid_t uid;
	enum error_code expected;
	const char *contains; /* in the text */
};

/* clang-format off */
static const struct situation SITUATIONS[] = {
	{EACCES,     &METAL,    &FAULTS,     -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 2"},
	{EPERM,      &OPEN,     &TRACEPOINT, -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_TRACEPOINT,  "(it is 0)"},
	{EACCES,     &OPEN,     &TRACEPOINT, -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_TRACEPOINT,  "(it is 0)"},
	{EACCES,     &METAL,    &TRACEPOINT, -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 2"},
	{EPERM,      &OPEN,     &FAULTS,     -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 0"},
	{EACCES,     &STRICT,   &FAULTS,     OWN_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID, "paranoid is 4"},
	{EACCES,     &STRICT,   &FAULTS,     ROOTS_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID, "paranoid is 4"},
	{EACCES,     &METAL,    &FAULTS,     OWN_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID, "paranoid is 2"},
	{EACCES,     &METAL,    &FAULTS,     ROOTS_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PROCESS_FOREIGN, "user id 0"},
	{EACCES,     &METAL,    &FAULTS,     GUARDED_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PROCESS_GUARDED, "even from the owner"},
	{EACCES,     &METAL,    &FAULTS,     GONE_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID, "paranoid"},
	{EACCES,     &ROOT,     &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_REFUSED,           "CAP_PERFMON"},
	{EACCES,     &ROOTLESS, &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_NAMESPACE,         "user namespace"},
	{EACCES,     &ROOTLESS, &FAULTS,     -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 2"},
	{EACCES,     NULL,      &FAULTS,     -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "page-faults"},
	{EPERM,      &DOCKER,   &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_SECCOMP,           "docker, seccomp filter"},
	{EPERM,      &ROOT,     &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_REFUSED,           "not permitted"},
	{EPERM,      &LOCKED,   &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_POLICY,            "by kernel lockdown"},
	{EPERM,      &LOCKED,   &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_POLICY,            "by kernel lockdown"},
	{EACCES,     &LOCKED,   &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_POLICY,            "by kernel lockdown"},
	{EPERM,      &METAL,    &FAULTS,     -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 2"},
	{EPERM,      &METAL,    &FAULTS,     ROOTS_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PROCESS_FOREIGN, "user id 0"},
	{EACCES,     &DEBIAN,   &FAULTS,     -1, 0, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_LEVEL,       "paranoid is 3, and above 2 this kernel wants CAP_SYS_ADMIN"},
	{EACCES,     &DEBIAN,   &FAULTS,     OWN_PID, -1, false, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_LEVEL, "CAP_SYS_ADMIN"},
	{EPERM,      &DEBIAN,   &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, OWN_UID, ERROR_PERF_LEVEL,       "CAP_SYS_ADMIN"},
	{EACCES,     &DEBIAN_ROOT, &FAULTS,  -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_REFUSED,           "Permission denied"},
	{EACCES,     &STRICT,   &KPROBE,     -1, 0, true,  EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 4"},
	{EPERM,      &METAL,    &KPROBE,     -1, 0, true,  EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PROBE_RIGHTS, "CAP_PERFMON"},
	{EPERM,      &METAL,    &KERNEL_WATCHPOINT, -1, 0, true, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_KERNEL_ADDRESS, "CAP_SYS_ADMIN"},
	{EINVAL,     &METAL,    &KERNEL_WATCHPOINT, -1, 0, true, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_KERNEL_ADDRESS, "CAP_SYS_ADMIN"},
	{EPERM,      &CAPABLE,  &KERNEL_WATCHPOINT, -1, 0, true, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_KERNEL_ADDRESS, "CAP_SYS_ADMIN"},
	{EINVAL,     &ROOT,     &KERNEL_WATCHPOINT, -1, 0, true, EXPLAIN_OPEN, 0, ERROR_PERF_BREAKPOINT,  "alignment"},
	{EPERM,      &ROOT,     &TRACEPOINT, -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_EVENT_REFUSED,     "not permitted by the kernel"},
	{EPERM,      &DOCKER,   &TRACEPOINT, -1, 0, true,  EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PARANOID,    "paranoid is 2"},
	{EOPNOTSUPP, &METAL,    &PRECISE,    -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_PRECISE_LEVEL,     "precise events (:p) of this level"},
	{ENOSYS,     &DOCKER,   &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_SECCOMP,           "docker"},
	{ENOSYS,     &NO_PERF,  &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_ABSENT,            "without perf events"},
	{ENOSYS,     &METAL,    &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_ABSENT,            "without perf events"},
	{ENOENT,     &VIRTUAL,  &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_PMU,            "KVM"},
	{ENOENT,     &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_UNSUPPORTED,       "cycles"},
	{ENOENT,     &METAL,    &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_UNKNOWN,           "page-faults"},
	{ENOENT,     &METAL,    NULL,        -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_UNKNOWN,           "event"},
	{EINVAL,     &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_COUNTER,        "more than the PMU has"},
	{EINVAL,     &WATCHED,  &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_COUNTER,        "NMI watchdog"},
	{EINVAL,     &METAL,    &CYCLES,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_UNSUPPORTED,       "cycles"},
	{EINVAL,     &VIRTUAL,  &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_PMU,            "KVM"},
	{EINVAL,     &METAL,    &FAULTS,     -1, 7, true,  EXPLAIN_OPEN, 0, ERROR_PERF_CPU_OFFLINE,       "offline"},
	{EINVAL,     &METAL,    &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_INVALID,           "page-faults"},
	{EINVAL,     NULL,      &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_INVALID,           "page-faults"},
	{EMFILE,     &VIRTUAL,  &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_FD_LIMIT,          "1024"},
	{ENFILE,     &VIRTUAL,  &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_FD_SYSTEM,         "open files"},
	{ESRCH,      &METAL,    &FAULTS,     GONE_PID, -1, true, EXPLAIN_OPEN, 0, ERROR_PERF_TARGET_GONE, "ended"},
	{ENODEV,     &METAL,    &FAULTS,     -1, 7, false, EXPLAIN_OPEN, 0, ERROR_PERF_CPU_OFFLINE,       "offline"},
	{ENODEV,     NULL,      &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_CPU_OFFLINE,       "offline"},
	{ENODEV,     &METAL,    &CYCLES,     -1, 1, false, EXPLAIN_OPEN, 0, ERROR_PERF_UNSUPPORTED,       "cycles"},
	{ENODEV,     &VIRTUAL,  &CYCLES,     OWN_PID, -1, false, EXPLAIN_OPEN, 0, ERROR_PERF_NO_PMU,      "KVM"},
	{ENOSPC,     &METAL,    &WATCHPOINT, -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_BREAKPOINTS,       "breakpoints"},
	{EINVAL,     &METAL,    &WATCHPOINT, -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_BREAKPOINT,        "alignment"},
	{EINVAL,     &METAL,    &FILTERED,   -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_EVENT_FILTER,           "no_such > 1"},
	{EINVAL,     &METAL,    &FILTERED,   -1, 0, true,  EXPLAIN_IOCTL, 0, ERROR_EVENT_FILTER,          "no_such > 1"},
	{EINVAL,     &METAL,    &PRECISE,    -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_PRECISE,           "samples"},
	{EINVAL,     &VIRTUAL,  &PRECISE,    -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_PMU,            "KVM"},
	{EINVAL,     &VIRTUAL,  &TSC_OF_USERS, -1, 0, true, EXPLAIN_OPEN, 0, ERROR_PERF_EXCLUDE,          "PMU msr"},
	{EINVAL,     &METAL,    &TSC_BUSY,   -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_EXCLUDE,           "all modes alike"},
	{EINVAL,     &METAL,    &TSC_OF_HOST, -1, 0, true, EXPLAIN_OPEN, 0, ERROR_PERF_EXCLUDE,           "all modes alike"},
	{EINVAL,     &METAL,    &TSC,        -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_INVALID,           "msr/tsc/"},
	{EINVAL,     &METAL,    &TSC,        -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_NO_SAMPLES,        "no samples"},
	{EINVAL,     &METAL,    &CLOCK_OF_USERS, -1, 0, true, EXPLAIN_OPEN, 0, ERROR_PERF_CLOCK,          "all modes alike"},
	{EINVAL,     &METAL,    &SHARED,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_EVENT_SHARED,           "(power)"},
	{ENOENT,     &METAL,    &UPROBE,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_EVENT_PROBE_FILE,       "/bin/x: No such file"},
	{EINVAL,     &METAL,    &UPROBE,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_EVENT_PROBE_SYMBOL,     "no place for a probe"},
	{ENOENT,     &METAL,    &KPROBE,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_EVENT_PROBE_SYMBOL,     "no function nowhere"},
	{EINVAL,     &METAL,    &KPROBE,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_EVENT_PROBE_SYMBOL,     "no place for a probe"},
	{EACCES,     &METAL,    &UPROBE,     -1, 0, true,  EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PROBE_RIGHTS, "CAP_PERFMON"},
	{EACCES,     &METAL,    &KPROBE,     OWN_PID, -1, true, EXPLAIN_OPEN, OWN_UID, ERROR_PERF_PROBE_RIGHTS, "CAP_PERFMON"},
	{EACCES,     &ROOT,     &UPROBE,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_REFUSED,           "CAP_PERFMON"},
	{ENOSPC,     &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_COUNTER,        "counters"},
	{ENOMEM,     &METAL,    &FAULTS,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_NO_MEMORY,         "memory"},
	{EBUSY,      &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_BUSY,              "exclusively"},
	{E2BIG,      &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_OPEN, 0, ERROR_PERF_GROUP_SIZE,        "members"},
	{E2BIG,      &METAL,    &CYCLES,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_INVALID,           "cycles"},
	{EOPNOTSUPP, &METAL,    &CYCLES,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_UNSUPPORTED,       "cycles"},
	{EOPNOTSUPP, &VIRTUAL,  &CYCLES,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_NO_PMU,            "KVM"},
	{EINTR,      &METAL,    &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_PROBE_BUSY,        "ftrace"},
	{EOVERFLOW,  &METAL,    &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_INVALID,           "page-faults"},
	{EFAULT,     &METAL,    &FAULTS,     -1, 0, false, EXPLAIN_OPEN, 0, ERROR_PERF_OTHER,             "Bad address"},
	{EPERM,      &VIRTUAL,  NULL,        -1, 0, false, EXPLAIN_MAP,  OWN_UID, ERROR_PERF_MEMLOCK,     "516 KiB"},
	{EPERM,      &DOCKER,   NULL,        -1, 0, false, EXPLAIN_MAP,  OWN_UID, ERROR_PERF_MEMLOCK,     "locked"},
	{EPERM,      NULL,      NULL,        -1, 0, false, EXPLAIN_MAP,  OWN_UID, ERROR_PERF_MEMLOCK,     "unknown"},
	{EAGAIN,     &VIRTUAL,  NULL,        -1, 0, false, EXPLAIN_MAP,  OWN_UID, ERROR_PERF_MEMLOCK,     "516 KiB"},
	{ENOMEM,     &VIRTUAL,  NULL,        -1, 0, false, EXPLAIN_MAP,  0, ERROR_PERF_NO_MEMORY,         "memory"},
	{EINVAL,     &VIRTUAL,  NULL,        -1, 0, false, EXPLAIN_MAP,  0, ERROR_PERF_INVALID,           "Invalid"},
	{EINVAL,     &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_IOCTL, 0, ERROR_PERF_INVALID,          "Invalid"},
	{ENOTTY,     &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_IOCTL, 0, ERROR_PERF_INVALID,          "cycles"},
	{ENOSPC,     &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_IOCTL, 0, ERROR_PERF_OTHER,            "No space"},
	{ESRCH,      &METAL,    &CYCLES,     -1, 0, true,  EXPLAIN_IOCTL, 0, ERROR_PERF_TARGET_GONE,      "ended"},
};
/* clang-format on */

UNIT_TEST(explain_perf_error_situation_has_its_sentence)
{
	for (size_t i = 0; i < COUNT_OF(SITUATIONS); i++) {
		const struct situation *s = &SITUATIONS[i];
		struct error error = {0};
		struct explain_context context = {
			.call = s->call,
			.what = s->spec != NULL ? s->spec->name : "an event",
			.spec = s->spec,
			.pid = s->pid,
			.cpu = s->cpu,
			.is_group_member = s->is_group_member,
			.host = s->host,
		};

		user.uid = s->uid;
		bool result = explain_perf_error(&error, s->errno_value, &context);

		assert_false(result);
		if (error.code != s->expected || strstr(error.text, s->contains) == NULL) {
			fail_msg("situation %zu: %s \"%s\" instead of %s with \"%s\"", i,
				 error_name(error.code), error.text, error_name(s->expected),
				 s->contains);
		}
	}
}

/* Only counters record them, at whatever event or rate samples are taken. */
UNIT_TEST(explain_perf_error_with_branches_has_its_sentence)
{
	static const struct {
		int errno_value;
		const struct host *host;
		enum error_code expected;
	} cases[] = {
		{EOPNOTSUPP, &METAL, ERROR_PERF_BRANCHES}, {EINVAL, &METAL, ERROR_PERF_BRANCHES},
		{EOPNOTSUPP, &VIRTUAL, ERROR_PERF_NO_PMU}, {ENOENT, &VIRTUAL, ERROR_PERF_NO_PMU},
		{ENOENT, &METAL, ERROR_PERF_UNSUPPORTED},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};
		const struct explain_context context = {
			.what = "cycles",
			.pid = -1,
			.has_branches = true,
			.host = cases[i].host,
		};

		assert_false(explain_perf_error(&error, cases[i].errno_value, &context));
		assert_int_equal(error.code, cases[i].expected);
	}
}

UNIT_TEST(explain_perf_error_is_never_empty)
{
	static const struct host *const hosts[] = {NULL,    &VIRTUAL, &METAL,    &ROOT,
						   &DOCKER, &STRICT,  &ROOTLESS, &NO_PERF};
	static const struct event_spec *const specs[] = {NULL,        &CYCLES,   &FAULTS,
							 &WATCHPOINT, &FILTERED, &UPROBE,
							 &PRECISE,    &SHARED,   &TSC_OF_USERS};

	for (int i = 0; i < 8 * 4 * 8 * 2 * 134; i++) {
		int errno_value = 1 + i % 133;
		struct error error = {0};
		struct explain_context context = {
			.call = (enum explain_call)(i / 133 % 4),
			.what = "this",
			.spec = specs[i / 133 / 4 % 8],
			.pid = i & 1 ? OWN_PID : -1,
			.cpu = i & 1 ? -1 : 0,
			.is_group_member = i / 133 / 32 % 2 != 0,
			.host = hosts[i / 133 / 64 % 8],
		};

		assert_false(explain_perf_error(&error, errno_value, &context));
		assert_int_not_equal(error.code, ERROR_NONE);
		assert_memory_equal(error.text, "this: ", 6);
		assert_null(strchr(error.text, '%'));
	}
}

UNIT_TEST(explain_perf_error_without_error_is_allowed)
{
	struct explain_context context = {.what = "this", .pid = -1, .cpu = 0};

	assert_false(explain_perf_error(NULL, EACCES, &context));
}

UNIT_MAIN(NULL, NULL)
