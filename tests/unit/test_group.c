/*
 * Groups against a kernel of our own: descriptors are 100, 101, ... in the order of their
 * opening, the id of a descriptor is ten times its number.
 */

#include <errno.h>

#include <linux/perf_event.h>
#include <sys/resource.h>

#include "kernel/group.h"

#include "unit.h"

enum {
	FIRST_FD = 100,
	OPENS_MAX = 64,
	WORDS_MAX = 128
};

static struct {
	struct perf_event_attr attrs[OPENS_MAX];
	int group_fds[OPENS_MAX];
	pid_t pid;
	int cpu;
	size_t opens;
	size_t attempts;  /* opens and refusals */
	size_t refuse_at; /* which open fails */
	int refusal;      /* 0: none */
	int id_refusal;
	bool is_open[OPENS_MAX];
	int closed[OPENS_MAX];
	size_t closes;
	int ioctl_fd;
	unsigned long request, argument;
	int ioctl_result;
	bool refuses_kernel;
	bool refuses_guests; /* whoever excludes guests gets EINVAL */
	size_t guest_refusals;
	unsigned int too_precise; /* from this precise_ip on: EOPNOTSUPP; 0: none */
	const char *filter;       /* set last */
	int filter_result;
	bool enabled_before_filter;
	uint64_t words[WORDS_MAX];
	ssize_t read_result;
} kernel;

enum {
	BOTH = TIMELINE_SWITCHES | TIMELINE_TASKS
};

/* What the last call left; set anew for each test. */
static struct group group;
static struct group_reading reading;
static int failed, errno_value;

static const struct attr_features FEATURES = {true, true, true, true, true, true};

int __wrap_sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags);
int __wrap_sys_perf_ioctl(int fd, unsigned long request, unsigned long argument);
ssize_t __wrap_sys_read(int fd, void *buffer, size_t size);
int __wrap_sys_close(int fd);

int __wrap_sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags)
{
	size_t i = kernel.opens;

	assert_true(i < OPENS_MAX);
	kernel.attempts++;
	assert_int_equal(flags, PERF_FLAG_FD_CLOEXEC);
	if (kernel.refusal != 0 && i == kernel.refuse_at)
		return -kernel.refusal;
	if (kernel.refuses_kernel && !attr->exclude_kernel)
		return -EACCES;
	if (kernel.refuses_guests && attr->exclude_guest) {
		kernel.guest_refusals++;
		return -EINVAL;
	}
	if (kernel.too_precise > 0 && attr->precise_ip >= kernel.too_precise)
		return -EOPNOTSUPP;
	kernel.attrs[i] = *attr;
	kernel.group_fds[i] = group_fd;
	kernel.pid = pid;
	kernel.cpu = cpu;
	kernel.is_open[i] = true;
	kernel.opens++;
	return FIRST_FD + (int)i;
}

int __wrap_sys_perf_ioctl(int fd, unsigned long request, unsigned long argument)
{
	if (request == PERF_EVENT_IOC_ID) {
		if (kernel.id_refusal != 0)
			return -kernel.id_refusal;
		*(uint64_t *)argument = (uint64_t)fd * 10;
		return 0;
	}
	if (request == PERF_EVENT_IOC_SET_FILTER) {
		kernel.ioctl_fd = fd;
		kernel.enabled_before_filter = kernel.request == PERF_EVENT_IOC_ENABLE;
		kernel.filter = (const char *)argument;
		return kernel.filter_result;
	}
	kernel.ioctl_fd = fd;
	kernel.request = request;
	kernel.argument = argument;
	return kernel.ioctl_result;
}

ssize_t __wrap_sys_read(int fd, void *buffer, size_t size)
{
	assert_true(kernel.is_open[fd - FIRST_FD]);
	if (kernel.read_result > 0) {
		assert_true(size >= (size_t)kernel.read_result);
		memcpy(buffer, kernel.words, (size_t)kernel.read_result);
	}
	return kernel.read_result;
}

int __wrap_sys_close(int fd)
{
	size_t i = (size_t)(fd - FIRST_FD);

	assert_true(i < OPENS_MAX && kernel.is_open[i]);
	kernel.is_open[i] = false;
	kernel.closed[kernel.closes++] = fd;
	return 0;
}

static int setup(void **state)
{
	memset(&kernel, 0, sizeof(kernel));
	group = (struct group){.leader_fd = -1};
	failed = 99;
	errno_value = 0;
	return 0;
}

static const struct event_spec SPECS[] = {
	{.name = "cycles", .type = PERF_TYPE_HARDWARE, .config = 0, .class = EVENT_CLASS_HARDWARE},
	{.name = "instructions",
	 .type = PERF_TYPE_HARDWARE,
	 .config = 1,
	 .class = EVENT_CLASS_HARDWARE},
	{.name = "page-faults", .type = PERF_TYPE_SOFTWARE, .config = 2},
};

static struct group_request request_of(enum group_leader leader, size_t count)
{
	return (struct group_request){.target.leader = leader,
				      .target.pid = -1,
				      .target.cpu = 1,
				      .specs = {&SPECS[0], &SPECS[1], &SPECS[2]},
				      .count = count};
}

static bool open_group(const struct group_request *request)
{
	errno_value = group_open(&group, request, &FEATURES, &failed);
	return errno_value == 0;
}

static void open_three(void)
{
	struct group_request request = request_of(GROUP_LEADER_SWITCHES, 3);

	assert_int_equal(group_open(&group, &request, &FEATURES, NULL), 0);
}

UNIT_TEST(group_open_puts_members_behind_a_disabled_leader)
{
	open_three();

	assert_int_equal(kernel.opens, 4);
	assert_int_equal(kernel.pid, -1);
	assert_int_equal(kernel.cpu, 1);
	assert_int_equal(kernel.group_fds[0], -1);
	assert_int_equal(kernel.attrs[0].disabled, 1);
	assert_int_equal(kernel.attrs[0].config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	for (size_t i = 1; i < 4; i++) {
		assert_int_equal(kernel.group_fds[i], FIRST_FD);
		assert_int_equal(kernel.attrs[i].disabled, 0);
		assert_int_equal(kernel.attrs[i].config, SPECS[i - 1].config);
		assert_int_equal(group.ids[i], (FIRST_FD + i) * 10);
	}
	assert_int_equal(group.count, 3);
	assert_int_equal(group.leader_fd, FIRST_FD);
}

UNIT_TEST(group_open_task_leader_is_a_dummy)
{
	struct group_request request = request_of(GROUP_LEADER_TASK, 1);

	request.target.pid = 4711;
	request.target.cpu = -1;

	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[0].config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(kernel.pid, 4711);
	assert_int_equal(kernel.cpu, -1);
}

UNIT_TEST(group_open_tracepoint_leader_is_the_one_asked_for)
{
	struct group_request request = request_of(GROUP_LEADER_TRACEPOINT, 1);

	request.target.tracepoint = 378;

	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[0].type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(kernel.attrs[0].config, 378);
	assert_int_equal(kernel.attrs[0].disabled, 1);
	assert_int_equal(kernel.group_fds[1], FIRST_FD);
}

/* The leader alone has registers, and no other kind of leader. */
UNIT_TEST(group_open_tracepoint_leader_says_the_site_only_when_asked)
{
	struct group_request request = request_of(GROUP_LEADER_TRACEPOINT, 1);
	struct perf_event_attr with_site = {0};

	attr_add_site(&with_site);
	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[0].sample_regs_user, 0);
	request.target.has_site = true;
	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[2].sample_regs_user, with_site.sample_regs_user);
	assert_int_equal(kernel.attrs[3].sample_regs_user, 0);
	request.target.leader = GROUP_LEADER_SWITCHES;
	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[4].sample_regs_user, 0);
}

UNIT_TEST(group_open_without_members_is_the_leader_alone)
{
	struct group_request request = request_of(GROUP_LEADER_SWITCHES, 0);

	assert_true(open_group(&request));
	assert_int_equal(kernel.opens, 1);
	assert_int_equal(group.count, 0);
}

UNIT_TEST(group_open_options_reach_the_right_attributes)
{
	struct group_request request = request_of(GROUP_LEADER_TASK, 2);

	request.target.exclude_kernel = true;
	request.target.enable_on_exec = true;

	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[0].enable_on_exec, 1);
	assert_int_equal(kernel.attrs[1].enable_on_exec, 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(kernel.attrs[i].exclude_kernel, 1);
}

UNIT_TEST(group_open_refuses_what_would_be_zero_without_the_kernel)
{
	static const struct {
		struct event_spec spec;
		bool is_refused;
	} cases[] = {
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES}, true},
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_MIGRATIONS}, true},
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CGROUP_SWITCHES}, true},
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS}, false},
		{{.type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_PAGE_FAULTS,
		  .exclude_user = true},
		 true},
		{{.type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		  .exclude_kernel = true},
		 false},
		{{.type = PERF_TYPE_TRACEPOINT, .config = 3}, true},
		{{.type = PERF_TYPE_HARDWARE}, false},
		{{.type = 10, .pmu = "msr"}, true},
		{{.type = 10, .pmu = "msr", .exclude_kernel = true}, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct group_request request = request_of(GROUP_LEADER_TASK, 1);

		memset(&kernel, 0, sizeof(kernel));
		request.specs[0] = &cases[i].spec;
		assert_true(open_group(&request));
		group_close(&group);
		memset(&kernel, 0, sizeof(kernel));
		request.target.exclude_kernel = true;
		assert_int_equal(group_open(&group, &request, &FEATURES, NULL),
				 cases[i].is_refused ? EACCES : 0);
	}
}

/* Sampled, it fires in the modes that it says. */
UNIT_TEST(group_open_refuses_a_clock_of_some_modes)
{
	const struct event_spec clock = {.type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_CPU_CLOCK,
					 .is_clock = true,
					 .exclude_kernel = true};
	const struct profiler_request profiler = {
		.tid = -1, .cpu = 1, .hz = PROFILER_HZ, .spec = &clock};
	struct group_request request = request_of(GROUP_LEADER_SWITCHES, 1);

	request.specs[0] = &clock;
	assert_false(open_group(&request));
	assert_int_equal(errno_value, EINVAL);
	assert_int_equal(failed, 0);
	assert_false(attr_is_inheritable(&clock));
	assert_true(profiler_open(&profiler, &FEATURES) > 0);
	assert_int_equal(kernel.attrs[1].exclude_kernel, 1);
}

UNIT_TEST(group_open_enable_on_exec_only_when_asked)
{
	open_three();

	assert_int_equal(kernel.attrs[0].enable_on_exec, 0);
	assert_int_equal(kernel.attrs[0].exclude_kernel, 0);
}

static void assert_nothing_open(void)
{
	for (size_t i = 0; i < OPENS_MAX; i++)
		assert_false(kernel.is_open[i]);
	assert_int_equal(group.leader_fd, -1);
	assert_int_equal(group.count, 0);
}

UNIT_TEST(group_open_refused_member_closes_all_and_is_named)
{
	static const int refusals[] = {EINVAL, ENOENT, EACCES, EMFILE, ESRCH, EBUSY, ENODEV, E2BIG};

	for (size_t i = 0; i < COUNT_OF(refusals); i++) {
		struct group_request request = request_of(GROUP_LEADER_SWITCHES, 3);

		setup(NULL);
		kernel.refuse_at = 2;
		kernel.refusal = refusals[i];

		assert_false(open_group(&request));
		assert_int_equal(failed, 1);
		assert_int_equal(errno_value, refusals[i]);
		assert_nothing_open();
	}
}

UNIT_TEST(group_open_refused_leader_is_member_minus_one)
{
	struct group_request request = request_of(GROUP_LEADER_SWITCHES, 3);

	kernel.refuse_at = 0;
	kernel.refusal = EACCES;

	assert_false(open_group(&request));
	assert_int_equal(failed, -1);
	assert_int_equal(errno_value, EACCES);
	assert_nothing_open();
}

/* Names and users of tasks could not be read any more, and nothing would say so. */
UNIT_TEST(group_open_leaves_descriptors_to_others)
{
	struct group_request request = request_of(GROUP_LEADER_SWITCHES, 3);
	struct rlimit before, limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = FIRST_FD + 3 + 32;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_false(open_group(&request));
	assert_int_equal(failed, 2);
	assert_int_equal(errno_value, EMFILE);
	assert_nothing_open();
	setup(state);
	limit.rlim_cur++;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(open_group(&request));
	group_close(&group);
	setrlimit(RLIMIT_NOFILE, &before);
}

UNIT_TEST(group_open_without_ids_fails_and_leaks_nothing)
{
	struct group_request request = request_of(GROUP_LEADER_SWITCHES, 3);

	kernel.id_refusal = ENOTTY;

	assert_false(open_group(&request));
	assert_int_equal(errno_value, ENOTTY);
	assert_nothing_open();
}

static struct group_request request_for(const struct event_spec *spec)
{
	return (struct group_request){.target.leader = GROUP_LEADER_SWITCHES,
				      .target.pid = -1,
				      .target.cpu = 1,
				      .specs = {spec},
				      .count = 1};
}

UNIT_TEST(group_open_default_guest_exclusion_is_given_up_where_refused)
{
	struct event_spec spec = {
		.name = "msr/tsc/", .type = 9, .exclude_guest = true, .guest_is_default = true};
	struct group_request request = request_for(&spec);

	kernel.refuses_guests = true;

	assert_true(open_group(&request));
	assert_int_equal(kernel.guest_refusals, 1);
	assert_int_equal(kernel.attrs[1].exclude_guest, 0);
	assert_int_equal(kernel.attrs[1].type, 9);
	assert_int_equal(kernel.opens, 2);
}

/* A write of its own is counted first. */
UNIT_TEST(group_open_breakpoint_that_never_fires_is_refused)
{
	static const struct {
		ssize_t read_result;
		uint64_t count;
		int refusal, expected;
	} cases[] = {
		{sizeof(uint64_t), 1, 0, 0},
		{sizeof(uint64_t), 0, 0, ENODEV},
		{-EIO, 0, 0, 0},
		{-EIO, 0, ENOSPC, ENOSPC},
	};
	const struct event_spec spec = {.type = PERF_TYPE_BREAKPOINT};
	const struct group_request request = request_for(&spec);

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setup(NULL);
		kernel.read_result = cases[i].read_result;
		kernel.words[0] = cases[i].count;
		kernel.refuse_at = 1;
		kernel.refusal = cases[i].refusal;
		assert_int_equal(open_group(&request), cases[i].expected == 0);
		if (cases[i].expected == 0)
			group_close(&group);
		else
			assert_int_equal(errno_value, cases[i].expected);
		assert_nothing_open();
	}
}

UNIT_TEST(group_open_guest_exclusion_that_was_asked_for_is_kept)
{
	struct event_spec spec = {.name = "msr/tsc/H", .type = 9, .exclude_guest = true};
	struct group_request request = request_for(&spec);

	kernel.refuses_guests = true;

	assert_false(open_group(&request));
	assert_int_equal(errno_value, EINVAL);
	assert_int_equal(kernel.guest_refusals, 1);
	assert_nothing_open();
}

UNIT_TEST(group_open_without_refusal_guests_stay_excluded)
{
	struct event_spec spec = {.type = 9, .exclude_guest = true, .guest_is_default = true};
	struct group_request request = request_for(&spec);

	assert_true(open_group(&request));
	assert_int_equal(kernel.attrs[1].exclude_guest, 1);
}

UNIT_TEST(group_open_other_refusals_are_not_tried_again)
{
	struct event_spec spec = {.type = 9, .exclude_guest = true, .guest_is_default = true};
	struct group_request request = request_for(&spec);

	kernel.refuse_at = 1;
	kernel.refusal = EACCES;

	assert_false(open_group(&request));
	assert_int_equal(errno_value, EACCES);
	assert_int_equal(kernel.attempts, 2);
}

UNIT_TEST(group_open_filter_is_set_on_its_member_before_enabling)
{
	struct event_spec specs[] = {SPECS[0],
				     {.name = "sched:sched_switch/prev_prio < 100/",
				      .type = PERF_TYPE_TRACEPOINT,
				      .filter = "prev_prio < 100"}};
	struct group_request request = request_for(specs);

	request.specs[1] = &specs[1];
	request.count = 2;

	assert_true(open_group(&request));
	assert_string_equal(kernel.filter, "prev_prio < 100");
	assert_int_equal(kernel.ioctl_fd, FIRST_FD + 2);
	assert_false(kernel.enabled_before_filter);
}

UNIT_TEST(group_open_refused_filter_is_named_and_leaks_nothing)
{
	struct event_spec spec = {
		.name = "sched:sched_switch", .type = PERF_TYPE_TRACEPOINT, .filter = "nonsense"};
	struct group_request request = request_for(&spec);

	/* -1 to -3: what the parser of the kernel says of brackets and quotes */
	static const int results[] = {-EINVAL, -1, -2, -3};

	for (size_t i = 0; i < COUNT_OF(results); i++) {
		kernel.filter_result = results[i];
		assert_false(open_group(&request));
		assert_int_equal(failed, 0);
		assert_int_equal(errno_value, EINVAL);
		assert_nothing_open();
	}
}

UNIT_TEST(group_open_without_filter_sets_none)
{
	open_three();

	assert_null(kernel.filter);
}

UNIT_TEST(group_close_takes_members_before_the_leader)
{
	open_three();

	group_close(&group);

	assert_int_equal(kernel.closes, 4);
	assert_int_equal(kernel.closed[3], FIRST_FD);
	assert_nothing_open();
}

UNIT_TEST(group_should_linger_with_tracepoints_and_without_breakpoints)
{
	static const struct event_spec plain = {.type = PERF_TYPE_SOFTWARE};
	static const struct event_spec tracepoint = {.type = PERF_TYPE_TRACEPOINT};
	static const struct event_spec breakpoint = {.type = PERF_TYPE_BREAKPOINT};
	struct group_request request = {.specs = {&plain, &plain}, .count = 2};

	assert_false(group_should_linger(&request));
	request.specs[1] = &tracepoint;
	assert_true(group_should_linger(&request));
	request.specs[0] = &breakpoint;
	assert_false(group_should_linger(&request));
	request = (struct group_request){.target.leader = GROUP_LEADER_TRACEPOINT};
	assert_true(group_should_linger(&request));
}

UNIT_TEST(group_close_twice_or_never_opened_does_nothing)
{
	group_close(&group);
	open_three();
	group_close(&group);
	group_close(&group);

	assert_int_equal(kernel.closes, 4);
}

UNIT_TEST(group_enable_and_disable_concern_the_whole_group)
{
	open_three();

	assert_true(group_enable(&group));
	assert_int_equal(kernel.ioctl_fd, FIRST_FD);
	assert_int_equal(kernel.request, PERF_EVENT_IOC_ENABLE);
	assert_int_equal(kernel.argument, PERF_IOC_FLAG_GROUP);
	assert_true(group_disable(&group));
	assert_int_equal(kernel.request, PERF_EVENT_IOC_DISABLE);
	assert_int_equal(kernel.argument, PERF_IOC_FLAG_GROUP);
	kernel.ioctl_result = -EINVAL;
	assert_false(group_enable(&group));
	assert_false(group_disable(&group));
}

/* Ids of open_three(). */
static const uint64_t in_order[] = {1000, 1010, 1020, 1030};

/* What the kernel would deliver for open_three(), entries in the order given by ids. */
static void answer_read(const uint64_t ids[4], bool has_lost)
{
	size_t n = 0;

	kernel.words[n++] = 4;
	kernel.words[n++] = 1000; /* enabled */
	kernel.words[n++] = 500;  /* running */
	for (size_t i = 0; i < 4; i++) {
		kernel.words[n++] = ids[i] + 5;
		kernel.words[n++] = ids[i];
		if (has_lost)
			kernel.words[n++] = ids[i] + 7;
	}
	kernel.read_result = (ssize_t)(n * sizeof(uint64_t));
}

UNIT_TEST(group_read_values_find_their_places)
{
	open_three();
	answer_read(in_order, true);

	assert_true(group_read(&group, &reading));
	assert_int_equal(reading.count, 4);
	assert_int_equal(reading.enabled_ns, 1000);
	assert_int_equal(reading.running_ns, 500);
	assert_int_equal(reading.leader_lost, 1007);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(reading.values[i], in_order[i] + 5);
}

UNIT_TEST(group_read_matches_by_id_not_by_order)
{
	const uint64_t mixed[] = {1030, 1000, 1010, 1020};

	open_three();
	answer_read(mixed, true);

	assert_true(group_read(&group, &reading));
	assert_int_equal(reading.values[0], 1005);
	assert_int_equal(reading.values[1], 1015);
	assert_int_equal(reading.values[2], 1025);
	assert_int_equal(reading.values[3], 1035);
	assert_int_equal(reading.leader_lost, 1007);
}

UNIT_TEST(group_read_without_lost_says_zero)
{
	open_three();
	answer_read(in_order, true);
	group_read(&group, &reading); /* leaves its count of losses behind */
	group.read_format &= ~(uint64_t)PERF_FORMAT_LOST;
	answer_read(in_order, false);

	assert_true(group_read(&group, &reading));
	assert_int_equal(reading.leader_lost, 0);
	assert_int_equal(reading.values[3], 1035);
}

/* Without ids values are in the order in which their events were opened. */
UNIT_TEST(group_read_of_a_tracepoint_leader_goes_by_the_order)
{
	struct group_request request = request_of(GROUP_LEADER_TRACEPOINT, 3);
	static const uint64_t words[] = {4, 1000, 500, 11, 12, 13, 14};

	assert_true(open_group(&request));
	memcpy(kernel.words, words, sizeof(words));
	kernel.read_result = sizeof(words);
	assert_true(group_read(&group, &reading));
	assert_int_equal(reading.enabled_ns, 1000);
	assert_int_equal(reading.running_ns, 500);
	assert_int_equal(reading.leader_lost, 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(reading.values[i], 11 + i);

	kernel.words[0] = 3; /* a member is missing */
	kernel.read_result = sizeof(words) - sizeof(*words);
	assert_false(group_read(&group, &reading));
}

UNIT_TEST(group_read_foreign_or_double_ids_are_refused)
{
	const uint64_t foreign[] = {1000, 1010, 1020, 4711};
	const uint64_t twice[] = {1000, 1010, 1010, 1030};

	open_three();

	answer_read(foreign, true);
	assert_false(group_read(&group, &reading));
	answer_read(twice, true);
	assert_false(group_read(&group, &reading));
}

UNIT_TEST(group_read_other_number_of_members_is_refused)
{
	open_three();

	for (uint64_t count = 0; count < 4; count++) {
		answer_read(in_order, true);
		kernel.words[0] = count;
		assert_false(group_read(&group, &reading));
	}
	kernel.words[0] = UINT64_MAX;
	assert_false(group_read(&group, &reading));
}

UNIT_TEST(group_read_short_empty_or_failed_read_is_refused)
{
	open_three();
	answer_read(in_order, true);

	for (ssize_t size = kernel.read_result - 1; size >= 0; size--) {
		kernel.read_result = size;
		assert_false(group_read(&group, &reading));
	}
	kernel.read_result = -ENOSPC;
	assert_false(group_read(&group, &reading));
}

UNIT_TEST(group_read_largest_group_fits)
{
	const struct event_spec spec = {0};
	struct group_request request = {.target.leader = GROUP_LEADER_TASK,
					.target.pid = 1,
					.target.cpu = -1,
					.count = GROUP_MEMBERS_MAX};
	size_t n = 0;

	for (size_t i = 0; i < GROUP_MEMBERS_MAX; i++)
		request.specs[i] = &spec;
	assert_true(open_group(&request));
	kernel.words[n++] = 1 + GROUP_MEMBERS_MAX;
	kernel.words[n++] = 1;
	kernel.words[n++] = 1;
	for (uint64_t i = 0; i <= GROUP_MEMBERS_MAX; i++) {
		kernel.words[n++] = i;
		kernel.words[n++] = (FIRST_FD + i) * 10;
		kernel.words[n++] = 0;
	}
	kernel.read_result = (ssize_t)(n * sizeof(uint64_t));

	assert_true(group_read(&group, &reading));
	assert_int_equal(reading.count, 1 + GROUP_MEMBERS_MAX);
	assert_int_equal(reading.values[GROUP_MEMBERS_MAX], GROUP_MEMBERS_MAX);
}

UNIT_TEST(timeline_open_returns_descriptor_or_negative_errno)
{
	assert_int_equal(timeline_open(-1, 3, &FEATURES, false, 777, BOTH), FIRST_FD);
	assert_int_equal(kernel.cpu, 3);
	assert_int_equal(kernel.attrs[0].context_switch, 1);
	assert_int_equal(kernel.attrs[0].wakeup_watermark, 777);
	kernel.refusal = EACCES;
	kernel.refuse_at = 1;
	assert_int_equal(timeline_open(-1, 3, &FEATURES, false, 777, BOTH), -EACCES);
}

UNIT_TEST(timeline_open_writes_only_what_is_targets)
{
	timeline_open(-1, 3, &FEATURES, false, 777, TIMELINE_SWITCHES);
	timeline_open(-1, 3, &FEATURES, false, 777, TIMELINE_TASKS);

	assert_int_equal(kernel.attrs[0].context_switch, 1);
	assert_false(kernel.attrs[0].comm || kernel.attrs[0].comm_exec || kernel.attrs[0].task);
	assert_int_equal(kernel.attrs[1].context_switch, 0);
	assert_true(kernel.attrs[1].comm && kernel.attrs[1].comm_exec && kernel.attrs[1].task);
}

/* Each record of it would cost more, and say what is known. */
UNIT_TEST(open_of_one_cpu_leaves_the_cpu_out_of_records)
{
	const struct event_spec spec = {.type = PERF_TYPE_TRACEPOINT, .config = 375};
	uint64_t id;

	timeline_open(-1, 3, &FEATURES, false, 777, BOTH);
	timeline_open(10, -1, &FEATURES, false, 777, BOTH);
	sampler_open(3, &spec, &FEATURES, false, &id);

	assert_int_equal(kernel.attrs[0].sample_type & PERF_SAMPLE_CPU, 0);
	assert_int_equal(kernel.attrs[1].sample_type & PERF_SAMPLE_CPU, PERF_SAMPLE_CPU);
	assert_int_equal(kernel.attrs[2].sample_type & PERF_SAMPLE_CPU, 0);
	assert_int_equal(attr_tracepoint_format().sample_type & PERF_SAMPLE_CPU, 0);
}

UNIT_TEST(sampler_open_opens_one_event_of_a_cpu)
{
	const struct event_spec spec = {.type = PERF_TYPE_TRACEPOINT, .config = 375};
	uint64_t id = 0;

	assert_int_equal(sampler_open(3, &spec, &FEATURES, false, &id), FIRST_FD);

	assert_int_equal(id, FIRST_FD * 10);
	assert_int_equal(kernel.pid, -1);
	assert_int_equal(kernel.cpu, 3);
	assert_int_equal(kernel.group_fds[0], -1);
	assert_int_equal(kernel.attrs[0].config, 375);
	assert_int_equal(kernel.attrs[0].sample_period, 1);
}

UNIT_TEST(sampler_open_refused_leaves_nothing_open)
{
	const struct event_spec spec = {.type = PERF_TYPE_TRACEPOINT, .config = 375};
	uint64_t id = 0;

	kernel.refusal = EPERM;
	assert_int_equal(sampler_open(3, &spec, &FEATURES, false, &id), -EPERM);
	kernel.refusal = 0;
	kernel.id_refusal = EINVAL;
	assert_int_equal(sampler_open(3, &spec, &FEATURES, false, &id), -EINVAL);

	assert_false(kernel.is_open[0]);
}

UNIT_TEST(timeline_redirect_sets_output)
{
	assert_int_equal(timeline_redirect(100, 101), 0);
	assert_int_equal(kernel.request, PERF_EVENT_IOC_SET_OUTPUT);
	assert_int_equal(kernel.ioctl_fd, 100);
	assert_int_equal(kernel.argument, 101);
	kernel.ioctl_result = -EINVAL;
	assert_int_equal(timeline_redirect(100, 101), -EINVAL);
}

/* A child that was forked keeps the event alive beyond the close. */
UNIT_TEST(timeline_close_disables_it_first)
{
	const int fd = timeline_open(-1, 0, &FEATURES, false, 1, TIMELINE_SWITCHES);

	timeline_close(fd);
	assert_int_equal(kernel.request, PERF_EVENT_IOC_DISABLE);
	assert_int_equal(kernel.ioctl_fd, fd);
	assert_int_equal(kernel.closes, 1);
	assert_int_equal(kernel.closed[0], fd);
}

UNIT_TEST(inherited_open_counts_what_the_thread_makes)
{
	const struct event_spec spec = {
		.type = PERF_TYPE_TRACEPOINT, .config = 9, .filter = "a == 1"};
	uint64_t count;

	assert_int_equal(inherited_open(42, &spec, &FEATURES, true), FIRST_FD);
	assert_int_equal(kernel.pid, 42);
	assert_int_equal(kernel.cpu, -1);
	assert_true(kernel.attrs[0].inherit && kernel.attrs[0].disabled);
	assert_false(kernel.attrs[0].inherit_thread);
	assert_int_equal(kernel.attrs[0].read_format, 0); /* a group's cannot be read */
	assert_string_equal(kernel.filter, "a == 1");
	assert_false(kernel.enabled_before_filter);
	assert_int_equal(kernel.request, PERF_EVENT_IOC_ENABLE);
	kernel.words[0] = 7;
	kernel.read_result = sizeof(kernel.words[0]);
	assert_true(inherited_read(FIRST_FD, &count));
	assert_int_equal(count, 7);
	kernel.read_result = 0;
	assert_false(inherited_read(FIRST_FD, &count));
}

UNIT_TEST(inherited_open_of_threads_leaves_out_processes)
{
	assert_int_equal(inherited_open(42, &SPECS[0], &FEATURES, false), FIRST_FD);
	assert_true(kernel.attrs[0].inherit_thread);
}

/* As for users who may only count in user mode. */
UNIT_TEST(inherited_open_leaves_the_kernel_out_where_it_must)
{
	const struct event_spec faults = {.type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_PAGE_FAULTS};
	const struct event_spec migrations = {.type = PERF_TYPE_SOFTWARE,
					      .config = PERF_COUNT_SW_CPU_MIGRATIONS};

	kernel.refuses_kernel = true;
	assert_int_equal(inherited_open(42, &faults, &FEATURES, true), FIRST_FD);
	assert_true(kernel.attrs[0].exclude_kernel);
	assert_int_equal(inherited_open(42, &migrations, &FEATURES, true), -EACCES);
}

UNIT_TEST(inherited_open_leaves_nothing_open_when_it_fails)
{
	kernel.ioctl_result = -EACCES;
	assert_int_equal(inherited_open(42, &SPECS[0], &FEATURES, true), -EACCES);
	assert_int_equal(kernel.closes, 1);
	kernel.refuse_at = 1;
	kernel.refusal = EINVAL;
	assert_int_equal(inherited_open(42, &SPECS[0], &FEATURES, true), -EINVAL);
}

static int open_precise(const struct event_spec *spec)
{
	const struct profiler_request request = {
		.tid = -1, .cpu = 1, .hz = PROFILER_HZ, .spec = spec};

	return profiler_open(&request, &FEATURES);
}

UNIT_TEST(profiler_open_is_as_precise_as_it_can_be)
{
	struct event_spec spec = SPECS[0];

	spec.is_most_precise = true;
	assert_int_equal(open_precise(&spec), FIRST_FD);
	assert_int_equal(kernel.attrs[0].precise_ip, 3);
	kernel.too_precise = 3;
	assert_int_equal(open_precise(&spec), FIRST_FD + 1);
	assert_int_equal(kernel.attrs[1].precise_ip, 2);
	kernel.too_precise = 1;
	assert_int_equal(open_precise(&spec), FIRST_FD + 2);
	assert_int_equal(kernel.attrs[2].precise_ip, 0);
}

UNIT_TEST(profiler_open_of_a_level_of_precision_is_that_or_nothing)
{
	struct event_spec spec = SPECS[0];

	spec.precise = 2;
	kernel.too_precise = 2;
	assert_int_equal(open_precise(&spec), -EOPNOTSUPP);
	assert_int_equal(kernel.attempts, 1);
	spec.is_most_precise = true;
	kernel.refusal = EACCES;
	assert_int_equal(open_precise(&spec), -EACCES);
	assert_int_equal(kernel.attempts, 2);
}

int main(void)
{
	return unit_run(setup, NULL);
}
