/* Attributes and event names, and what a kernel that refuses them is taken to know. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/sys.h"

/* A kernel that refuses attributes asking for more than it knows. */
static struct {
	int refusal;                /* errno */
	struct attr_features known; /* what it does not refuse */
	int opens, closes;
} kernel;

int __wrap_sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags);
int __wrap_sys_close(int fd);

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
	    (attr->write_backward && !known->write_backward)) {
		return -kernel.refusal;
	}
	kernel.opens++;
	return 100;
}

int __wrap_sys_close(int fd)
{
	assert_int_equal(fd, 100);
	kernel.closes++;
	return 0;
}

static const struct attr_features ALL = {true, true, true, true, true};
static const struct attr_features NOTHING = {0};

static bool features_equal(const struct attr_features *a, const struct attr_features *b)
{
	return a->format_lost == b->format_lost && a->switch_records == b->switch_records &&
	       a->comm_exec == b->comm_exec && a->clockid == b->clockid &&
	       a->write_backward == b->write_backward;
}

static void probe(struct attr_features *features, struct attr_features known, int refusal)
{
	kernel.known = known;
	kernel.refusal = refusal;
	kernel.opens = 0;
	kernel.closes = 0;
	attr_probe_features(features);
}

static void attr_probe_features_new_kernel_knows_all(void **state)
{
	(void)state;
	struct attr_features features;

	probe(&features, ALL, EINVAL);

	assert_true(features_equal(&features, &ALL));
	assert_int_equal(kernel.closes, kernel.opens);
}

static void attr_probe_features_each_missing_one_is_told_apart(void **state)
{
	(void)state;
	for (int missing = 0; missing < 5; missing++) {
		struct attr_features features, known = ALL;

		switch (missing) {
		case 0:
			known.format_lost = false;
			break;
		case 1:
			known.switch_records = false;
			break;
		case 2:
			known.comm_exec = false;
			break;
		case 3:
			known.clockid = false;
			break;
		default:
			known.write_backward = false;
			break;
		}

		probe(&features, known, missing % 2 == 0 ? EINVAL : E2BIG);

		assert_true(features_equal(&features, &known));
	}
}

static void attr_probe_features_refusal_for_want_of_rights_is_no_lack(void **state)
{
	(void)state;
	static const int refusals[] = {EACCES, EPERM, EMFILE, ENOSYS};

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct attr_features features;

		probe(&features, NOTHING, refusals[i]);

		assert_true(features_equal(&features, &ALL));
	}
}

static void attr_read_format_follows_features(void **state)
{
	(void)state;
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

static void attr_init_all_kinds_share_clock_and_formats(void **state)
{
	(void)state;
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

static void attr_init_member_takes_everything_of_its_event(void **state)
{
	(void)state;
	struct event_spec spec = {.type = 10,
				  .config = 1,
				  .config1 = 2,
				  .config2 = 3,
				  .exclude_user = true,
				  .exclude_kernel = false,
				  .exclude_hv = true};
	struct perf_event_attr attr;

	attr_init_member(&attr, &spec, &ALL);

	assert_int_equal(attr.type, 10);
	assert_int_equal(attr.config, 1);
	assert_int_equal(attr.config1, 2);
	assert_int_equal(attr.config2, 3);
	assert_int_equal(attr.exclude_user, 1);
	assert_int_equal(attr.exclude_kernel, 0);
	assert_int_equal(attr.exclude_hv, 1);
	assert_int_equal(attr.disabled, 0);
	assert_int_equal(attr.sample_period, 0);
}

static void attr_init_switch_leader_samples_every_switch_and_starts_disabled(void **state)
{
	(void)state;
	struct perf_event_attr attr;

	attr_init_switch_leader(&attr, &ALL);

	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(attr.sample_period, 1);
	assert_int_equal(attr.freq, 0);
	assert_true(attr.sample_type & PERF_SAMPLE_READ);
	assert_int_equal(attr.disabled, 1);
	assert_int_equal(attr.exclude_kernel, 0);
}

static void attr_init_task_leader_counts_nothing_and_starts_disabled(void **state)
{
	(void)state;
	struct perf_event_attr attr;

	attr_init_task_leader(&attr, &ALL, true);

	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.disabled, 1);
	assert_int_equal(attr.exclude_kernel, 1);
	assert_int_equal(attr.sample_period, 0);
}

static void attr_init_timeline_asks_for_switches_names_and_births(void **state)
{
	(void)state;
	struct perf_event_attr attr;

	attr_init_timeline(&attr, &ALL, false);

	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.context_switch, 1);
	assert_int_equal(attr.comm, 1);
	assert_int_equal(attr.comm_exec, 1);
	assert_int_equal(attr.task, 1);
	assert_int_equal(attr.watermark, 1);
	assert_int_equal(attr.disabled, 0);
}

static void attr_init_timeline_old_kernel_is_not_asked_for_more(void **state)
{
	(void)state;
	struct perf_event_attr attr;

	attr_init_timeline(&attr, &NOTHING, true);

	assert_int_equal(attr.context_switch, 0);
	assert_int_equal(attr.comm_exec, 0);
	assert_int_equal(attr.exclude_kernel, 1);
}

static void attr_set_wakeup_sets_bytes_not_events(void **state)
{
	(void)state;
	struct perf_event_attr attr = {0};

	attr_set_wakeup(&attr, 12345);

	assert_int_equal(attr.watermark, 1);
	assert_int_equal(attr.wakeup_watermark, 12345);
}

static void event_spec_find_generic_names_have_perf_numbers(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} events[] = {
		{"cycles", 0, 0},
		{"cpu-cycles", 0, 0},
		{"instructions", 0, 1},
		{"cache-references", 0, 2},
		{"cache-misses", 0, 3},
		{"branches", 0, 4},
		{"branch-instructions", 0, 4},
		{"branch-misses", 0, 5},
		{"bus-cycles", 0, 6},
		{"stalled-cycles-frontend", 0, 7},
		{"idle-cycles-frontend", 0, 7},
		{"stalled-cycles-backend", 0, 8},
		{"idle-cycles-backend", 0, 8},
		{"ref-cycles", 0, 9},
		{"cpu-clock", 1, 0},
		{"task-clock", 1, 1},
		{"page-faults", 1, 2},
		{"faults", 1, 2},
		{"context-switches", 1, 3},
		{"cs", 1, 3},
		{"cpu-migrations", 1, 4},
		{"migrations", 1, 4},
		{"minor-faults", 1, 5},
		{"major-faults", 1, 6},
		{"alignment-faults", 1, 7},
		{"emulation-faults", 1, 8},
		{"dummy", 1, 9},
		{"bpf-output", 1, 10},
		{"cgroup-switches", 1, 11},
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct event_spec spec;

		assert_true(event_spec_find(events[i].name, &spec, NULL));
		assert_string_equal(spec.name, events[i].name);
		assert_int_equal(spec.type, events[i].type);
		assert_int_equal(spec.config, events[i].config);
		assert_int_equal(spec.is_hardware, events[i].type == PERF_TYPE_HARDWARE);
		assert_false(spec.exclude_user || spec.exclude_kernel || spec.exclude_hv);
	}
}

static void event_spec_find_modes_exclude_the_others(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool no_user, no_kernel, no_hv;
	} events[] = {
		{"instructions:u", false, true, true},  {"instructions:k", true, false, true},
		{"instructions:h", true, true, false},  {"instructions:uk", false, false, true},
		{"page-faults:ku", false, false, true}, {"cycles:ukh", false, false, false},
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct event_spec spec;

		assert_true(event_spec_find(events[i].name, &spec, NULL));
		assert_int_equal(spec.exclude_user, events[i].no_user);
		assert_int_equal(spec.exclude_kernel, events[i].no_kernel);
		assert_int_equal(spec.exclude_hv, events[i].no_hv);
	}
}

static void event_spec_find_cache_event_comes_from_libpfm(void **state)
{
	(void)state;
	struct event_spec spec;

	assert_true(event_spec_find("L1-dcache-load-misses", &spec, NULL));

	assert_int_equal(spec.type, PERF_TYPE_HW_CACHE);
	assert_int_equal(spec.config, PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
	assert_true(spec.is_hardware);
}

static void event_spec_find_unknown_name_is_unsupported_and_changes_nothing(void **state)
{
	(void)state;
	static const char *const names[] = {
		"",
		"nonsense",
		"cycle",
		"cyclesx",
		"cycles:",
		"dummy:x",
		"dummy:u:k",
		"dummy u",
		/* libpfm would find it; it does not fit into the name of an event */
		"perf::PERF_COUNT_HW_CACHE_DTLB:PREFETCH:MISS:u=1:k=1:h=1:mg=1:mh=1",
		"a-name-that-is-so-long-that-it-would-not-fit-into-the-name-of-an-event-at-all",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct event_spec spec = {.config = 77};
		struct error error = {0};

		assert_false(event_spec_find(names[i], &spec, &error));
		assert_int_equal(error.code, ERROR_PERF_UNSUPPORTED);
		assert_int_equal(spec.config, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attr_probe_features_new_kernel_knows_all),
		cmocka_unit_test(attr_probe_features_each_missing_one_is_told_apart),
		cmocka_unit_test(attr_probe_features_refusal_for_want_of_rights_is_no_lack),
		cmocka_unit_test(attr_read_format_follows_features),
		cmocka_unit_test(attr_init_all_kinds_share_clock_and_formats),
		cmocka_unit_test(attr_init_member_takes_everything_of_its_event),
		cmocka_unit_test(attr_init_switch_leader_samples_every_switch_and_starts_disabled),
		cmocka_unit_test(attr_init_task_leader_counts_nothing_and_starts_disabled),
		cmocka_unit_test(attr_init_timeline_asks_for_switches_names_and_births),
		cmocka_unit_test(attr_init_timeline_old_kernel_is_not_asked_for_more),
		cmocka_unit_test(attr_set_wakeup_sets_bytes_not_events),
		cmocka_unit_test(event_spec_find_generic_names_have_perf_numbers),
		cmocka_unit_test(event_spec_find_modes_exclude_the_others),
		cmocka_unit_test(event_spec_find_cache_event_comes_from_libpfm),
		cmocka_unit_test(event_spec_find_unknown_name_is_unsupported_and_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
