/* Attributes, and what a kernel that refuses them is taken to know. */

#include <errno.h>
#include <time.h>

#include <linux/perf_event.h>

#include "kernel/attr.h"

#include "unit.h"

/* A kernel that refuses attributes asking for more than it knows. */
static struct {
	int refusal;                /* errno */
	struct attr_features known; /* what it does not refuse */
	int opens, closes;
} kernel;

int __wrap_sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags)
{
	const struct attr_features *known = &kernel.known;

	assert_int_equal(pid, 0);
	assert_int_equal(cpu, -1);
	assert_int_equal(group_fd, -1);
	assert_true(flags & PERF_FLAG_FD_CLOEXEC);
	if (((attr->read_format & PERF_FORMAT_LOST) && !known->format_lost) ||
	    (attr->context_switch && !known->switch_records) ||
	    (attr->comm_exec && !known->comm_exec) || (attr->use_clockid && !known->clockid) ||
	    (attr->ksymbol && !known->ksymbol) ||
	    ((attr->cgroup || (attr->sample_type & PERF_SAMPLE_CGROUP)) && !known->cgroup))
		return -kernel.refusal;
	kernel.opens++;
	return 100;
}

int __wrap_sys_close(int fd)
{
	assert_int_equal(fd, 100);
	kernel.closes++;
	return 0;
}

static const struct attr_features ALL = {true, true, true, true, true, true};
static const struct attr_features NOTHING = {0};

UNIT_TEST(attr_probe_features_are_those_that_the_kernel_does_not_refuse)
{
	static const struct {
		struct attr_features known;
		int refusal;
		bool is_lack; /* otherwise a lack of rights, which says nothing */
	} cases[] = {
		{{true, true, true, true, true, true}, EINVAL, true},
		{{false, true, true, true, true, true}, EINVAL, true},
		{{true, false, true, true, true, true}, E2BIG, true},
		{{true, true, false, true, true, true}, EINVAL, true},
		{{true, true, true, false, true, true}, E2BIG, true},
		{{true, true, true, true, false, true}, E2BIG, true},
		{{true, true, true, true, true, false}, EINVAL, true},
		{{0}, EACCES, false},
		{{0}, EPERM, false},
		{{0}, EMFILE, false},
		{{0}, ENOSYS, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct attr_features *wanted = cases[i].is_lack ? &cases[i].known : &ALL;
		struct attr_features features;

		kernel.known = cases[i].known;
		kernel.refusal = cases[i].refusal;
		kernel.opens = kernel.closes = 0;
		attr_probe_features(&features);
		assert_int_equal(features.format_lost, wanted->format_lost);
		assert_int_equal(features.switch_records, wanted->switch_records);
		assert_int_equal(features.comm_exec, wanted->comm_exec);
		assert_int_equal(features.clockid, wanted->clockid);
		assert_int_equal(features.ksymbol, wanted->ksymbol);
		assert_int_equal(features.cgroup, wanted->cgroup);
		assert_int_equal(kernel.closes, kernel.opens);
	}
}

UNIT_TEST(attr_read_format_follows_features)
{
	uint64_t always = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			  PERF_FORMAT_TOTAL_TIME_RUNNING;

	assert_int_equal(attr_read_format(&NOTHING), always);
	assert_int_equal(attr_read_format(&ALL), always | PERF_FORMAT_LOST);
}

/* Members of a group must agree in these, or the kernel refuses them. */
static void assert_template(const struct perf_event_attr *attr,
			    const struct attr_features *features)
{
	assert_int_equal(attr->size, sizeof(*attr));
	assert_int_equal(attr->read_format, attr_read_format(features));
	assert_int_equal(attr->sample_id_all, 1);
	assert_int_equal(attr->use_clockid, features->clockid);
	assert_int_equal(attr->clockid, features->clockid ? CLOCK_MONOTONIC : 0);
	assert_int_equal(attr->sample_type | PERF_SAMPLE_READ, attr_sample_type());
	assert_int_equal(attr->inherit, 0);
}

UNIT_TEST(attr_init_all_kinds_share_clock_and_formats)
{
	const struct attr_features *both[] = {&ALL, &NOTHING};
	struct event_spec spec = {.type = PERF_TYPE_RAW, .config = 0xc0};

	for (size_t i = 0; i < 2; i++) {
		struct perf_event_attr attr;

		memset(&attr, 0xff, sizeof(attr));
		attr_init_member(&attr, &spec, both[i]);
		assert_template(&attr, both[i]);
		memset(&attr, 0xff, sizeof(attr));
		attr_init_switch_leader(&attr, both[i]);
		assert_template(&attr, both[i]);
		memset(&attr, 0xff, sizeof(attr));
		attr_init_task_leader(&attr, both[i], false);
		assert_template(&attr, both[i]);
		memset(&attr, 0xff, sizeof(attr));
		attr_init_timeline(&attr, both[i], false);
		assert_template(&attr, both[i]);
	}
}

UNIT_TEST(attr_init_member_takes_everything_of_its_event)
{
	const struct event_spec event = {
		.type = 10, .config = 1, .config1 = 2, .config2 = 3, .precise = 2};
	const struct event_spec breakpoint = {
		.type = PERF_TYPE_BREAKPOINT, .config1 = 0x1000, .config2 = 8, .bp_type = 2};
	const struct event_spec probe = {
		.type = 8, .config1 = 77, .config2 = 0x30, .target = "/bin/true"};
	struct perf_event_attr attr;

	attr_init_member(&attr, &event, &ALL);
	assert_int_equal(attr.type, 10);
	assert_int_equal(attr.config, 1);
	assert_int_equal(attr.config1, 2);
	assert_int_equal(attr.config2, 3);
	assert_int_equal(attr.precise_ip, 2);
	assert_int_equal(attr.disabled, 0);
	assert_int_equal(attr.sample_period, 0);
	attr_init_member(&attr, &breakpoint, &ALL);
	assert_int_equal(attr.bp_addr, 0x1000);
	assert_int_equal(attr.bp_len, 8);
	assert_int_equal(attr.bp_type, 2);
	attr_init_member(&attr, &probe, &ALL);
	assert_ptr_equal((const void *)(uintptr_t)attr.uprobe_path, probe.target);
	assert_int_equal(attr.probe_offset, 0x30);
	for (int one = 0; one < 6; one++) {
		const struct event_spec spec = {
			.exclude_user = one == 0,
			.exclude_kernel = one == 1,
			.exclude_hv = one == 2,
			.exclude_host = one == 3,
			.exclude_guest = one == 4,
			.exclude_idle = one == 5,
		};

		attr_init_member(&attr, &spec, &ALL);
		assert_int_equal(attr.exclude_user, one == 0);
		assert_int_equal(attr.exclude_kernel, one == 1);
		assert_int_equal(attr.exclude_hv, one == 2);
		assert_int_equal(attr.exclude_host, one == 3);
		assert_int_equal(attr.exclude_guest, one == 4);
		assert_int_equal(attr.exclude_idle, one == 5);
	}
}

UNIT_TEST(attr_is_inheritable_of_a_tracepoint_whose_name_is_known_not_to_be_the_schedulers)
{
	static const struct {
		uint32_t type;
		bool is_inheritable;
		char name[32];
	} cases[] = {
		{PERF_TYPE_SOFTWARE, true, "page-faults"},
		{PERF_TYPE_HARDWARE, false, "cycles"},
		{PERF_TYPE_TRACEPOINT, true, "syscalls:sys_enter_read"},
		{PERF_TYPE_TRACEPOINT, false, "sched:sched_wakeup"},
		{PERF_TYPE_TRACEPOINT, false, "tracepoint/config=378/"},
		{PERF_TYPE_TRACEPOINT, false, "tracepoint/config=378/:u"},
		{PERF_TYPE_TRACEPOINT, false, "mine"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct event_spec spec = {.type = cases[i].type};

		begin_case(cases[i].name);
		snprintf(spec.name, sizeof(spec.name), "%s", cases[i].name);
		assert_int_equal(attr_is_inheritable(&spec), cases[i].is_inheritable);
	}
}

UNIT_TEST(attr_init_tracepoint_leader_samples_every_switch_with_raw_data)
{
	const struct decode_format format = attr_tracepoint_format(),
				   common = attr_cpu_format(&ALL);
	struct perf_event_attr attr, leader;

	attr_init_tracepoint_leader(&attr, &ALL, 378);
	attr_init_switch_leader(&leader, &ALL);

	assert_int_equal(attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(attr.config, 378);
	assert_int_equal(attr.sample_period, 1);
	assert_int_equal(attr.disabled, 1);
	assert_int_equal(attr.read_format, PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
						   PERF_FORMAT_TOTAL_TIME_RUNNING);
	assert_int_equal(attr.read_format, format.read_format);
	assert_int_equal(attr.sample_type, format.sample_type);
	/* one ring, one clock: other records look as with a software leader */
	attr_set_cpu(&leader, 3);
	assert_int_equal(format.sample_type & ~(uint64_t)PERF_SAMPLE_RAW, common.sample_type);
	assert_int_equal(leader.sample_type, common.sample_type);
	assert_int_equal(attr.clockid, leader.clockid);
	assert_int_equal(attr.use_clockid, leader.use_clockid);
	assert_int_equal(attr.sample_id_all, leader.sample_id_all);
}

/* Behind the raw data come two registers, in the order of their numbers. */
UNIT_TEST(attr_add_site_adds_two_registers_of_the_program)
{
	struct perf_event_attr attr;

	attr_init_tracepoint_leader(&attr, &ALL, 378);
	attr_add_site(&attr);

	if (attr.sample_regs_user == 0)
		skip(); /* nothing is known of this architecture */
	assert_int_equal(attr.sample_type,
			 attr_tracepoint_format().sample_type | PERF_SAMPLE_REGS_USER);
	assert_int_equal(__builtin_popcountll(attr.sample_regs_user), 2);
	assert_int_equal(sizeof(struct attr_site), 3 * sizeof(uint64_t));
}

UNIT_TEST(attr_tracepoint_sample_is_what_the_format_decodes)
{
	const struct decode_format format = attr_tracepoint_format();
	const struct attr_tracepoint_sample sample = {
		.id = 1,
		.pid = 2,
		.tid = 3,
		.time_ns = 4,
		.count = 2,
		.enabled_ns = 6,
		.running_ns = 7,
	};
	enum {
		VALUES_AT = sizeof(sample) / sizeof(uint64_t)
	};
	uint64_t bytes[VALUES_AT + 3]; /* two values, and 4 bytes of raw data behind their size */
	const uint32_t raw[2] = {sizeof(raw[0])};
	const struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(bytes)};
	struct decoded decoded;

	memcpy(bytes, &sample, sizeof(sample));
	memcpy(bytes, &header, sizeof(header));
	bytes[VALUES_AT] = 8;
	bytes[VALUES_AT + 1] = 9;
	memcpy(&bytes[VALUES_AT + 2], raw, sizeof(raw));
	assert_int_equal(decode_record(&decoded, bytes, sizeof(bytes), &format), DECODE_OK);
	assert_int_equal(decoded.id.id, 1);
	assert_int_equal(decoded.id.pid, 2);
	assert_int_equal(decoded.id.tid, 3);
	assert_int_equal(decoded.id.time_ns, 4);
	assert_int_equal(decoded.sample.read.count, 2);
	assert_int_equal(decoded.sample.read.enabled_ns, 6);
	assert_int_equal(decoded.sample.read.running_ns, 7);
	assert_int_equal(decoded.sample.read.values[0], 8);
	assert_int_equal(decoded.sample.read.values[1], 9);
	assert_ptr_equal(decoded.sample.raw.bytes,
			 (const char *)&bytes[VALUES_AT + 2] + sizeof(raw[0]));
}

UNIT_TEST(attr_sampler_sample_is_what_the_attribute_asks_for)
{
	const struct event_spec spec = {.type = PERF_TYPE_TRACEPOINT, .config = 375};
	uint64_t bytes[8] = {0}; /* 20 bytes of raw data, and the cgroup */
	struct attr_sampler_sample *sample = (struct attr_sampler_sample *)bytes;
	const struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(bytes)};
	struct perf_event_attr attr;
	struct decoded decoded;

	attr_init_sampler(&attr, &spec, &ALL, true);
	attr_set_cpu(&attr, 0);
	memcpy(&sample->header, &header, sizeof(header));
	sample->id = 1;
	sample->pid = 2;
	sample->tid = 3;
	sample->time_ns = 4;
	sample->raw_bytes = 20;
	bytes[7] = 5;

	assert_int_equal(decode_record(&decoded, bytes, sizeof(bytes),
				       &(struct decode_format){.sample_type = attr.sample_type}),
			 DECODE_OK);
	assert_int_equal(decoded.id.id, 1);
	assert_int_equal(decoded.id.pid, 2);
	assert_int_equal(decoded.id.tid, 3);
	assert_int_equal(decoded.id.time_ns, 4);
	assert_ptr_equal(decoded.sample.raw.bytes, sample->raw);
	assert_int_equal(decoded.sample.raw.size, sample->raw_bytes);
	assert_int_equal(decoded.sample.cgroup, 5);
}

UNIT_TEST(attr_init_leaders_start_disabled)
{
	struct perf_event_attr attr;

	attr_init_switch_leader(&attr, &ALL);
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(attr.sample_period, 1);
	assert_int_equal(attr.freq, 0);
	assert_true(attr.sample_type & PERF_SAMPLE_READ);
	assert_int_equal(attr.disabled, 1);
	assert_int_equal(attr.exclude_kernel, 0);
	attr_init_task_leader(&attr, &ALL, true);
	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.disabled, 1);
	assert_int_equal(attr.exclude_kernel, 1);
	assert_int_equal(attr.sample_period, 0);
}

UNIT_TEST(attr_init_timeline_asks_for_switches_names_and_births_that_are_known)
{
	struct perf_event_attr attr;

	attr_init_timeline(&attr, &ALL, false);
	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.context_switch, 1);
	assert_int_equal(attr.comm, 1);
	assert_int_equal(attr.comm_exec, 1);
	assert_int_equal(attr.task, 1);
	assert_int_equal(attr.watermark, 1);
	assert_int_equal(attr.disabled, 0);
	attr_init_timeline(&attr, &NOTHING, true);
	assert_int_equal(attr.context_switch, 0);
	assert_int_equal(attr.comm_exec, 0);
	assert_int_equal(attr.exclude_kernel, 1);
	attr_set_wakeup(&attr, 12345); /* bytes, not events */
	assert_int_equal(attr.watermark, 1);
	assert_int_equal(attr.wakeup_watermark, 12345);
}

UNIT_TEST(attr_init_sampler_samples_every_time_with_raw_data_and_no_reading)
{
	const struct event_spec spec = {.type = PERF_TYPE_TRACEPOINT, .config = 375};
	struct perf_event_attr attr, leader;

	attr_init_sampler(&attr, &spec, &ALL, false);
	attr_init_switch_leader(&leader, &ALL);

	assert_int_equal(attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(attr.config, 375);
	assert_int_equal(attr.sample_period, 1);
	assert_int_equal(attr.freq, 0);
	assert_int_equal(attr.read_format, 0);
	assert_int_equal(attr.disabled, 0);
	/* all but the reading is as in the others of the ring */
	assert_int_equal(attr.sample_type & ~(uint64_t)PERF_SAMPLE_RAW,
			 leader.sample_type & ~(uint64_t)PERF_SAMPLE_READ);
	assert_true((attr.sample_type & PERF_SAMPLE_RAW) != 0);
	assert_int_equal(attr.clockid, leader.clockid);
	assert_int_equal(attr.use_clockid, leader.use_clockid);
	assert_int_equal(attr.sample_id_all, leader.sample_id_all);
	assert_false(attr.exclude_kernel || attr.exclude_user || attr.exclude_idle ||
		     attr.exclude_guest);
}

/* With a period in a sample each time would have one. */
UNIT_TEST(attr_init_profiler_of_a_tracepoint_has_its_count_and_the_calls)
{
	const struct profiler_request request = {
		.tid = -1, .cpu = 1, .tracepoint = 37, .wakeup_bytes = 4096};
	const struct decode_format format = attr_traced_format();
	struct perf_event_attr attr;

	attr_init_profiler(&attr, &request, &ALL);
	assert_int_equal(attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(attr.config, 37);
	assert_int_equal(attr.sample_period, 1);
	assert_int_equal(attr.freq, 0);
	assert_int_equal(attr.disabled, 0);
	assert_int_equal(attr.wakeup_watermark, 4096);
	assert_int_equal(attr.sample_type, format.sample_type);
	assert_int_equal(attr.read_format, format.read_format);
	assert_true((attr.sample_type & PERF_SAMPLE_READ) && (attr.sample_type & PERF_SAMPLE_RAW) &&
		    (attr.sample_type & PERF_SAMPLE_CALLCHAIN));
	assert_false(attr.sample_type & PERF_SAMPLE_PERIOD);
	assert_false(attr.exclude_kernel || attr.exclude_user);
}

/* With a period in a sample those that need no counter would have one each time. */
UNIT_TEST(attr_init_profiler_by_event_samples_as_often_as_it_says)
{
	static const struct {
		struct event_spec spec;
		uint64_t period, freq; /* expected */
		bool says_period;
	} cases[] = {
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS}, 0, 997, true},
		{{.type = PERF_TYPE_SOFTWARE, .period = 1}, 1, 0, true},
		{{.type = PERF_TYPE_SOFTWARE, .period = 10}, 10, 0, false},
		{{.type = PERF_TYPE_TRACEPOINT}, 1, 0, true},
		{{.type = PERF_TYPE_TRACEPOINT, .freq = 50}, 0, 997, true},
		{{.type = PERF_TYPE_BREAKPOINT}, 1, 0, true},
		{{.type = 9, .target = "/bin/x"}, 1, 0, true},
		{{.type = PERF_TYPE_HARDWARE, .class = EVENT_CLASS_HARDWARE}, 0, 997, true},
		{{.type = PERF_TYPE_RAW, .class = EVENT_CLASS_HARDWARE, .period = 1000},
		 1000,
		 0,
		 true},
		{{.type = PERF_TYPE_TRACEPOINT, .filter = "a > 1"}, 1, 0, true},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct profiler_request request = {
			.tid = -1, .cpu = 1, .hz = 997, .spec = &cases[i].spec};
		struct perf_event_attr attr;

		attr_init_profiler(&attr, &request, &ALL);
		assert_int_equal(attr.type, cases[i].spec.type);
		assert_int_equal(attr.freq, cases[i].freq > 0);
		assert_int_equal(attr.sample_period,
				 cases[i].freq > 0 ? cases[i].freq : cases[i].period);
		assert_int_equal((attr.sample_type & PERF_SAMPLE_PERIOD) != 0,
				 cases[i].says_period);
		assert_int_equal(attr.sample_type,
				 attr_event_format(&ALL, &cases[i].spec, false).sample_type);
		assert_int_equal(attr.disabled, cases[i].spec.filter[0] != '\0');
		assert_true(attr.mmap && attr.task && attr.comm);
		assert_int_equal(attr.mmap_data,
				 attr_has_address(cases[i].spec.type, cases[i].spec.config));
		assert_int_equal((attr.sample_type & PERF_SAMPLE_ADDR) != 0, attr.mmap_data);
	}
}

UNIT_TEST(attr_has_address_of_faults_alone)
{
	static const struct {
		struct event_spec spec;
		bool expected;
	} cases[] = {
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS}, true},
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS_MIN}, true},
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ}, true},
		{{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES}, false},
		{{.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_SW_PAGE_FAULTS}, false},
		{{.type = PERF_TYPE_BREAKPOINT}, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(attr_has_address(cases[i].spec.type, cases[i].spec.config),
				 cases[i].expected);
}

/* The kernel wants them of user mode alone. */
UNIT_TEST(attr_init_profiler_by_lbr_has_the_calls_that_have_not_returned)
{
	const struct profiler_request request = {
		.tid = -1, .cpu = 1, .is_hardware = true, .by_lbr = true, .hz = 997};
	const struct decode_format format = attr_profiler_format(&ALL, false, true);
	struct perf_event_attr attr;

	attr_init_profiler(&attr, &request, &ALL);
	assert_int_equal(attr.sample_type, format.sample_type);
	assert_int_equal(attr.branch_sample_type, format.branch_sample_type);
	assert_true(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_true(attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
	assert_int_equal(attr.branch_sample_type & PERF_SAMPLE_BRANCH_PLM_ALL,
			 PERF_SAMPLE_BRANCH_USER);
}

UNIT_TEST(attr_init_profiler_with_branches_has_them_and_their_format)
{
	const struct profiler_request request = {
		.tid = -1, .cpu = 1, .is_hardware = true, .branch_type = 0x18, .hz = 199};
	struct decode_format format = attr_profiler_format(&ALL, false, false);
	struct perf_event_attr attr;

	attr_init_profiler(&attr, &request, &ALL);
	assert_false(format.sample_type & PERF_SAMPLE_BRANCH_STACK);
	attr_add_branches(&format, 0x18);
	assert_int_equal(attr.sample_type, format.sample_type);
	assert_true(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(attr.branch_sample_type, 0x18);
}

UNIT_TEST(attr_init_profiler_of_accesses_has_where_and_how_long_but_no_calls)
{
	const struct event_spec spec = {.type = PERF_TYPE_RAW, .config = 0x1cd, .precise = 2};
	const struct profiler_request request = {
		.tid = -1, .cpu = 1, .hz = 997, .spec = &spec, .has_access = true};
	struct decode_format format = attr_event_format(&ALL, &spec, false);
	struct perf_event_attr attr;

	attr_set_access(&format);
	attr_init_profiler(&attr, &request, &ALL);
	assert_int_equal(attr.sample_type, format.sample_type);
	assert_true(attr.sample_type & PERF_SAMPLE_ADDR && attr.sample_type & PERF_SAMPLE_DATA_SRC);
	assert_true(attr.sample_type & PERF_SAMPLE_WEIGHT);
	assert_false(attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_int_equal(attr.precise_ip, 2);
}

/* perf's words: the kernel follows its own calls only. */
#if defined(__x86_64__) || defined(__aarch64__)
UNIT_TEST(attr_init_profiler_with_a_stack_leaves_the_calls_of_the_user_out)
{
	const struct profiler_request request = {
		.tid = -1, .cpu = 1, .hz = 199, .stack_bytes = 8192};
	struct decode_format format = attr_profiler_format(&ALL, false, false);
	struct perf_event_attr attr;

	attr_init_profiler(&attr, &request, &ALL);
	assert_false(format.sample_type & PERF_SAMPLE_STACK_USER);
	attr_add_stack(&format);
	assert_int_equal(attr.sample_type, format.sample_type);
	assert_true(attr.sample_type & PERF_SAMPLE_STACK_USER);
	assert_true(attr.sample_type & PERF_SAMPLE_REGS_USER);
	assert_int_equal(attr.sample_regs_user, format.user_regs);
	assert_int_not_equal(format.user_regs, 0);
	assert_int_equal(attr.sample_stack_user, 8192);
	assert_true(attr.exclude_callchain_user);
	assert_false(attr.exclude_callchain_kernel);
}
#endif

UNIT_MAIN(NULL, NULL)
