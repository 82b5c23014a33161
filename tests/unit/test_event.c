/*
 * The finder on machines that are folders: what a text means there, on one kind of CPU and on
 * several, and what is said about a text that means nothing. libpfm4 sees the machine the test runs
 * on; of it only what it says about every machine is used.
 */

#include <linux/perf_event.h>

#include "base/error.h"

#include "event/event.h"
#include "fake_sysfs.h"
#include "unit.h"

static struct event_set found;

static bool find(const char *text, size_t *position, struct error *error)
{
	struct event_finder *finder = event_finder_create(fake_root);
	bool answer;

	event_set_fini(&found);
	answer = event_find(finder, text, &found, position, error);
	event_finder_destroy(finder);
	return answer;
}

static const struct evsel *find_one(const char *text)
{
	struct error error = {0};

	if (!find(text, NULL, &error))
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(found.count, 1);
	return &found.evsels[0];
}

static const struct event_spec *find_spec(const char *text)
{
	const struct evsel *evsel = find_one(text);

	assert_int_equal(evsel->spec_count, 1);
	assert_string_equal(evsel->name, evsel->specs[0].name);
	return &evsel->specs[0];
}

static void assert_refused(const char *text, enum error_code code, size_t at, const char *contains)
{
	struct error error = {0};
	size_t position = 999;

	if (find(text, &position, &error))
		fail_msg("%s: accepted", text);
	assert_int_equal(found.count, 0);
	if (error.code != code || position != at ||
	    (strstr(error.text, contains) == NULL && strstr(error.remedy, contains) == NULL)) {
		fail_msg("%s: at %zu: %s \"%s\" \"%s\"", text, position, error_name(error.code),
			 error.text, error.remedy);
	}
}

static void put_cpu(const char *name, const char *type)
{
	sysfs_pmu(name, "type", type);
	sysfs_pmu(name, "format/event", "config:0-7\n");
	sysfs_pmu(name, "format/umask", "config:8-15\n");
	sysfs_pmu(name, "events/slots", "event=0,umask=0x4\n");
	sysfs_pmu(name, "events/cycles", "event=0x3c\n");
}

static void put_hybrid(void)
{
	put_cpu("cpu_core", "4\n");
	put_cpu("cpu_atom", "10\n");
	sysfs_pmu("cpu_core", "cpus", "0-3\n");
	sysfs_pmu("cpu_atom", "cpus", "4-7\n");
	sysfs_pmu("cpu_core", "events/topdown-retiring", "event=0,umask=0x80\n");
}

static void put_msr(void)
{
	sysfs_pmu("msr", "type", "9\n");
	sysfs_pmu("msr", "format/event", "config:0-63\n");
	sysfs_pmu("msr", "events/tsc", "event=0x00\n");
	sysfs_pmu("msr", "events/aperf", "event=0x01\n");
}

static void put_tracepoints(void)
{
	fake_root_file("/sys/kernel/tracing/events/sched/sched_switch/id", "372\n");
	fake_root_file("/sys/kernel/tracing/events/sched/sched_wakeup/id", "371\n");
}

UNIT_TEST(event_find_generic_names)
{
	const struct event_spec *spec = find_spec("instructions:u");

	assert_string_equal(spec->name, "instructions:u");
	assert_string_equal(spec->pmu, "");
	assert_int_equal(spec->type, PERF_TYPE_HARDWARE);
	assert_int_equal(spec->config, PERF_COUNT_HW_INSTRUCTIONS);
	assert_int_equal(spec->class, EVENT_CLASS_HARDWARE);
	assert_true(spec->exclude_kernel && spec->exclude_hv && !spec->exclude_user);
	assert_true(spec->exclude_guest && spec->guest_is_default);
	assert_true(spec->scale == 1);

	spec = find_spec("page-faults");
	assert_int_equal(spec->type, PERF_TYPE_SOFTWARE);
	assert_int_equal(spec->config, PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(spec->class, EVENT_CLASS_SOFTWARE);
	assert_false(spec->exclude_user || spec->exclude_kernel);
}

UNIT_TEST(event_find_generic_comes_before_the_pmus_own_event)
{
	put_cpu("cpu", "4\n");

	const struct event_spec *spec = find_spec("cycles");

	assert_int_equal(spec->type, PERF_TYPE_HARDWARE);
	assert_int_equal(spec->config, 0);
	assert_string_equal(spec->pmu, "");
}

UNIT_TEST(event_find_cache_names)
{
	const struct event_spec *spec = find_spec("dTLB-store-misses:k");

	assert_int_equal(spec->type, PERF_TYPE_HW_CACHE);
	assert_int_equal(spec->config, 0x10103);
	assert_int_equal(spec->class, EVENT_CLASS_HARDWARE);
	assert_true(spec->exclude_user);
	assert_refused("cycles,iTLB-stores", ERROR_EVENT_UMASK, 7, "no such operation");
}

UNIT_TEST(event_find_raw)
{
	const struct event_spec *spec = find_spec("r01c2:pp");

	assert_int_equal(spec->type, PERF_TYPE_RAW);
	assert_int_equal(spec->config, 0x1c2);
	assert_int_equal(spec->precise, 2);
	assert_int_equal(spec->class, EVENT_CLASS_HARDWARE);
}

UNIT_TEST(event_find_breakpoints_have_perfs_defaults)
{
	static const struct {
		const char *text;
		uint32_t kind;
		uint64_t length;
	} cases[] = {
		{"mem:0x601040", 3, 4},
		{"mem:0x601040:w", 2, 4},
		{"mem:0x601040:r", 1, 4},
		{"mem:0x601040:rwx", 7, 4},
		{"mem:0x601040:x", 4, sizeof(long)},
		{"mem:0x601040/8:w", 2, 8},
		{"mem:0x601040/1:x", 4, 1},
		{"mem:0x601040:u", 3, 4},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct event_spec *spec = find_spec(cases[i].text);

		assert_int_equal(spec->type, PERF_TYPE_BREAKPOINT);
		assert_int_equal(spec->config, 0);
		assert_int_equal(spec->config1, 0x601040);
		assert_int_equal(spec->config2, cases[i].length);
		assert_int_equal(spec->bp_type, cases[i].kind);
		assert_int_equal(spec->class, EVENT_CLASS_SOFTWARE);
		assert_string_equal(spec->pmu, "");
		assert_string_equal(spec->name, cases[i].text);
	}
}

UNIT_TEST(event_find_pmu_terms)
{
	put_cpu("cpu", "4\n");
	put_msr();

	const struct event_spec *spec = find_spec("cpu/event=0x3c,umask=1/uk");

	assert_string_equal(spec->pmu, "cpu");
	assert_int_equal(spec->type, 4);
	assert_int_equal(spec->config, 0x13c);
	assert_int_equal(spec->class, EVENT_CLASS_HARDWARE);
	assert_true(spec->exclude_hv && !spec->exclude_user && !spec->exclude_kernel);
	assert_string_equal(spec->name, "cpu/event=0x3c,umask=1/uk");

	spec = find_spec("msr/aperf/");
	assert_string_equal(spec->pmu, "msr");
	assert_int_equal(spec->type, 9);
	assert_int_equal(spec->config, 1);
	assert_int_equal(spec->class, EVENT_CLASS_SOFTWARE);
	assert_true(spec->exclude_guest && spec->guest_is_default);
}

UNIT_TEST(event_find_name_term_names_the_event)
{
	put_msr();

	assert_string_equal(find_spec("msr/tsc,name=ticks/")->name, "ticks");
	assert_string_equal(find_spec("cycles/name=c/u")->name, "c");
	assert_true(find_spec("cycles/name=c/u")->exclude_kernel);
}

UNIT_TEST(event_find_bare_name_of_a_pmus_event)
{
	put_cpu("cpu", "4\n");
	put_msr();

	const struct event_spec *spec = find_spec("slots:u");

	assert_string_equal(spec->pmu, "cpu");
	assert_int_equal(spec->config, 0x400);
	assert_true(spec->exclude_kernel);
	assert_string_equal(spec->name, "slots:u");
	assert_string_equal(find_spec("aperf")->pmu, "msr");
	assert_refused("slots:uu", ERROR_EVENT_SYNTAX, 6, "twice");
}

UNIT_TEST(event_find_shared_pmu_is_refused)
{
	sysfs_pmu("power", "type", "20\n");
	sysfs_pmu("power", "cpumask", "0\n");
	sysfs_pmu("power", "format/event", "config:0-7\n");
	sysfs_pmu("power", "events/energy-pkg", "event=2\n");

	assert_refused("cs,power/energy-pkg/", ERROR_EVENT_SHARED, 3, "(power)");
	assert_refused("energy-pkg", ERROR_EVENT_SHARED, 0, "(power)");
}

UNIT_TEST(event_find_tracepoints_with_filter_and_modifiers)
{
	put_tracepoints();

	const struct event_spec *spec = find_spec("sched:sched_switch");

	assert_int_equal(spec->type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(spec->config, 372);
	assert_string_equal(spec->filter, "");
	assert_string_equal(spec->name, "sched:sched_switch");

	spec = find_spec("sched:sched_wakeup:k");
	assert_int_equal(spec->config, 371);
	assert_true(spec->exclude_user);
	assert_string_equal(spec->name, "sched:sched_wakeup:k");

	spec = find_spec("sched:sched_switch/prev_comm == \"a,/b\" && x < 1/u");
	assert_int_equal(spec->config, 372);
	assert_string_equal(spec->filter, "prev_comm == \"a,/b\" && x < 1");
	assert_true(spec->exclude_kernel);
	assert_string_equal(spec->name, "sched:sched_switch/prev_comm == \"a,/b\" && x < 1/u");

	assert_refused("sched:sched_swich", ERROR_EVENT_TRACEPOINT_UNKNOWN, 0, "sched_switch");
	assert_refused("sched:sched_swich/a/", ERROR_EVENT_TRACEPOINT_UNKNOWN, 0, "sched_switch");
	assert_refused("sched:sched_switch:z", ERROR_EVENT_SYNTAX, 19, "letters of");
}

UNIT_TEST(event_find_tracepoint_without_tracefs_says_so)
{
	assert_refused("sched:sched_switch", ERROR_EVENT_TRACEFS, 0, "mount -t tracefs");
	assert_refused("sched:sched_switch/a/", ERROR_EVENT_TRACEFS, 0, "mount -t tracefs");
}

UNIT_TEST(event_find_hybrid_has_a_spec_for_each_kind)
{
	put_hybrid();

	const struct evsel *evsel = find_one("cycles:u");

	assert_int_equal(evsel->spec_count, 2);
	assert_string_equal(evsel->name, "cycles:u");
	assert_string_equal(evsel->specs[0].pmu, "cpu_atom");
	assert_string_equal(evsel->specs[1].pmu, "cpu_core");
	assert_int_equal(evsel->specs[0].type, PERF_TYPE_HARDWARE);
	assert_int_equal(evsel->specs[0].config, UINT64_C(10) << 32);
	assert_int_equal(evsel->specs[1].config, UINT64_C(4) << 32);
	assert_true(evsel->specs[0].exclude_kernel && evsel->specs[1].exclude_kernel);
	assert_string_equal(evsel->specs[1].name, "cycles:u");

	evsel = find_one("LLC-load-misses");
	assert_int_equal(evsel->spec_count, 2);
	assert_int_equal(evsel->specs[0].type, PERF_TYPE_HW_CACHE);
	assert_int_equal(evsel->specs[0].config, UINT64_C(10) << 32 | 0x10002);
}

UNIT_TEST(event_find_hybrid_raw_has_the_type_of_each_pmu)
{
	put_hybrid();

	const struct evsel *evsel = find_one("r1c2");

	assert_int_equal(evsel->spec_count, 2);
	assert_int_equal(evsel->specs[0].type, 10);
	assert_int_equal(evsel->specs[1].type, 4);
	assert_int_equal(evsel->specs[0].config, 0x1c2);
	assert_int_equal(evsel->specs[1].config, 0x1c2);
}

UNIT_TEST(event_find_hybrid_named_event_where_it_is)
{
	put_hybrid();

	assert_int_equal(find_one("slots")->spec_count, 2);
	assert_string_equal(find_spec("topdown-retiring")->pmu, "cpu_core");
	assert_string_equal(find_spec("cpu_atom/event=1/")->pmu, "cpu_atom");
}

UNIT_TEST(event_find_hybrid_software_is_one)
{
	put_hybrid();

	assert_int_equal(find_one("page-faults")->spec_count, 1);
	assert_int_equal(find_one("mem:0x10:w")->spec_count, 1);
}

UNIT_TEST(event_find_hybrid_terms_reach_all_kinds)
{
	put_hybrid();

	const struct evsel *evsel = find_one("cycles/config1=5,name=c/");

	assert_int_equal(evsel->specs[0].config1, 5);
	assert_int_equal(evsel->specs[1].config1, 5);
	assert_string_equal(evsel->name, "c");
}

UNIT_TEST(event_find_big_little_is_hybrid_too)
{
	sysfs_pmu("armv8_cortex_a53", "type", "8\n");
	sysfs_pmu("armv8_cortex_a53", "cpus", "0-3\n");
	sysfs_pmu("armv8_cortex_a72", "type", "9\n");
	sysfs_pmu("armv8_cortex_a72", "cpus", "4-5\n");

	const struct evsel *evsel = find_one("instructions");

	assert_int_equal(evsel->spec_count, 2);
	assert_int_equal(evsel->specs[1].config, UINT64_C(9) << 32 | 1);
}

UNIT_TEST(event_core_pmus_in_the_order_of_names_with_their_cpus)
{
	struct event_core_pmu pmus[4];
	struct event_finder *finder;

	put_hybrid();
	put_msr();
	finder = event_finder_create(fake_root);

	assert_int_equal(event_core_pmus(finder, pmus, 4), 2);
	assert_string_equal(pmus[0].name, "cpu_atom");
	assert_int_equal(pmus[0].type, 10);
	assert_string_equal(pmus[0].cpus, "4-7");
	assert_string_equal(pmus[1].name, "cpu_core");
	assert_string_equal(pmus[1].cpus, "0-3");
	assert_int_equal(event_core_pmus(finder, pmus, 1), 2);
	assert_string_equal(pmus[0].name, "cpu_atom");
	event_finder_destroy(finder);
}

UNIT_TEST(event_find_list_has_braces_and_positions)
{
	assert_true(find("cs,{cycles, instructions:u},faults", NULL, NULL));
	assert_int_equal(found.count, 4);
	assert_false(found.evsels[0].only_in_braces);
	assert_true(found.evsels[1].only_in_braces);
	assert_true(found.evsels[2].only_in_braces);
	assert_false(found.evsels[3].only_in_braces);
	assert_int_equal(found.weak_group_count, 1);
	assert_true(found.weak_groups[0].must);
	assert_int_equal(found.weak_groups[0].count, 2);
	assert_string_equal(found.weak_groups[0].names[0], found.evsels[1].name);
	assert_string_equal(found.weak_groups[0].names[1], found.evsels[2].name);
}

UNIT_TEST(event_find_modifiers_of_braces_are_in_the_names)
{
	put_msr();
	assert_true(find("{cycles,instructions:u,msr/tsc/,cs:uk}:u", NULL, NULL));
	assert_string_equal(found.evsels[0].name, "cycles:u");
	assert_string_equal(found.evsels[0].specs[0].name, "cycles:u");
	assert_true(found.evsels[0].specs[0].exclude_kernel);
	assert_string_equal(found.evsels[1].name, "instructions:u");
	assert_string_equal(found.evsels[2].name, "msr/tsc/u");
	assert_string_equal(found.evsels[3].name, "cs:uk");
	assert_refused("{cycles:pp}:pp", ERROR_EVENT_SYNTAX, 1, "three p");
	assert_refused("page-faults:p", ERROR_PERF_PRECISE, 0, "samples");
}

UNIT_TEST(event_find_failure_appends_nothing)
{
	struct event_finder *finder = event_finder_create(fake_root);
	struct event_set set = {0};
	struct error error = {0};
	size_t position;

	assert_true(event_find(finder, "cs", &set, NULL, NULL));
	assert_false(event_find(finder, "cycles,no-such-event-at-all", &set, &position, &error));
	assert_int_equal(set.count, 1);
	assert_string_equal(set.evsels[0].name, "cs");
	assert_int_equal(position, 7);
	assert_true(event_find(finder, "faults", &set, NULL, NULL));
	assert_int_equal(set.count, 2);
	event_set_fini(&set);
	event_finder_destroy(finder);
}

UNIT_TEST(event_find_unknown_name_has_the_three_nearest)
{
	put_cpu("cpu", "4\n");
	assert_refused("cyclse", ERROR_EVENT_UNKNOWN, 0, "cycles");
	assert_refused("cyclse:u", ERROR_EVENT_UNKNOWN, 0, "cycles");
	assert_refused("branch-mises", ERROR_EVENT_UNKNOWN, 0, "branch-misses");
	assert_refused("L1-dcache-lods", ERROR_EVENT_UNKNOWN, 0, "L1-dcache-loads");
	assert_refused("slotz", ERROR_EVENT_UNKNOWN, 0, "slots");
	assert_refused("cyclez", ERROR_EVENT_UNKNOWN, 0, "cycles, ");

	struct error error = {0};

	assert_false(find("LLC-load-mises", NULL, &error));
	assert_non_null(strstr(error.remedy, "LLC-load-misses, "));
}

UNIT_TEST(event_find_unknown_name_may_be_a_tracepoint)
{
	put_tracepoints();
	assert_refused("shed:sched_wakup", ERROR_EVENT_UNKNOWN, 0, "nearest: sched:sched_wakeup");
	assert_refused("sched_wakeup", ERROR_EVENT_UNKNOWN, 0, "nearest: sched:sched_wakeup");
}

/* Of Intel's names and AMD's at most one is known on an x86. */
UNIT_TEST(event_find_foreign_name_has_the_nearest_too)
{
	struct error intel = {0}, amd = {0};
	const struct error *foreign;

#if !defined(__x86_64__)
	skip();
#endif
	put_cpu("cpu", "4\n");
	sysfs_pmu("cpu", "events/inst_retird", "event=1\n");
	sysfs_pmu("cpu", "events/retired_instruction", "event=1\n");
	find("INST_RETIRED", NULL, &intel);
	find("RETIRED_INSTRUCTIONS", NULL, &amd);
	foreign = intel.code == ERROR_EVENT_FOREIGN ? &intel : &amd;
	assert_int_equal(foreign->code, ERROR_EVENT_FOREIGN);
	assert_int_equal(error_exit_status(foreign), 2);
	assert_non_null(strstr(foreign->remedy, foreign == &intel
							? "the nearest: inst_retird"
							: "the nearest: retired_instruction"));
}

UNIT_TEST(event_find_wrong_texts_are_refused_with_position)
{
	put_cpu("cpu", "4\n");
	put_msr();
	sysfs_pmu("uprobe", "type", "8\n");
	assert_refused("", ERROR_EVENT_SYNTAX, 0, "missing");
	assert_refused("cycles,", ERROR_EVENT_SYNTAX, 7, "missing");
	assert_refused("cycles:", ERROR_EVENT_SYNTAX, 7, "modifiers are missing");
	assert_refused("cs,cycles:uz", ERROR_EVENT_SYNTAX, 10, "letters of");
	assert_refused("cycles:u:k", ERROR_EVENT_SYNTAX, 7, "letters of");
	assert_refused("LLC-loads:x", ERROR_EVENT_SYNTAX, 10, "letters of");
	assert_refused("nopmu/event=1/", ERROR_EVENT_PMU_ABSENT, 0, "no PMU nopmu");
	assert_refused("cpu/event=1,foo=2/", ERROR_EVENT_TERM, 12, "foo");
	assert_refused("cpu/event=1,,/", ERROR_EVENT_SYNTAX, 12, "a term is missing");
	assert_refused("cycles/umask=1/", ERROR_EVENT_TERM, 7, "umask");
	assert_refused("cycles:u/name=x/", ERROR_EVENT_TRACEFS, 0, "tracepoints");
	assert_refused("uprobe/config=1/", ERROR_EVENT_SYNTAX, 0, "uprobe:FILE:FUNCTION");
	assert_refused("sdt_libc:setjmp@/lib/libc.so.6(0123ab)", ERROR_EVENT_SDT, 0, "perf probe");
	assert_refused("duration_time", ERROR_EVENT_TOOL, 0, "perf stat");
}

UNIT_TEST(event_find_probe_on_missing_file_says_so)
{
	sysfs_pmu("uprobe", "type", "8\n");
	sysfs_pmu("uprobe", "format/retprobe", "config:0\n");
	assert_refused("cs,uprobe:/no/such/file:main", ERROR_EVENT_PROBE_FILE, 3, "/no/such/file");
}

UNIT_TEST(event_find_probe_without_pmu_is_absent)
{
	assert_refused("kprobe:do_exit", ERROR_EVENT_PMU_ABSENT, 0, "kprobe");
}

UNIT_TEST(event_find_libpfm_name_takes_perfs_modifiers)
{
	const struct event_spec *spec = find_spec("perf::PERF_COUNT_HW_CPU_CYCLES:Ik");

	assert_int_equal(spec->type, PERF_TYPE_HARDWARE);
	assert_int_equal(spec->config, 0);
	assert_true(spec->exclude_idle && spec->exclude_user && !spec->exclude_kernel);
	assert_string_equal(spec->name, "perf::PERF_COUNT_HW_CPU_CYCLES:Ik");
}

static int setup(void **state)
{
	return fake_root_setup(state);
}

static int teardown(void **state)
{
	event_set_fini(&found);
	return fake_root_teardown(state);
}

int main(void)
{
	return unit_run(setup, teardown);
}
