/*
 * The finder on machines that are folders: what a text means there, on one kind of CPU and on
 * several, and what is said about a text that means nothing. libpfm4 sees the machine the test runs
 * on; of it only what it says about every machine is used.
 */

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "kernel/host.h"

#include "error_name.h"
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

/*
 * "TYPE/CONFIG", what else is not 0 of the attribute, "of PMU", its class where that is not
 * hardware, "without" what is excluded, with a * where that of guests is the default.
 */
static void describe(const struct event_spec *spec, struct strbuf *out)
{
	const struct {
		const char *format;
		uint64_t number;
	} numbers[] = {
		{",0x%llx", spec->config1},
		{",%llu", spec->config2},
		{" access %llu", spec->bp_type},
		{" precise %llu", spec->precise},
	};

	strbuf_printf(out, "%u/0x%llx", spec->type, (unsigned long long)spec->config);
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		if (numbers[i].number != 0)
			strbuf_printf(out, numbers[i].format,
				      (unsigned long long)numbers[i].number);
	strbuf_printf(out, "%s%s%s", spec->pmu[0] != '\0' ? " of " : "", spec->pmu,
		      spec->class == EVENT_CLASS_SOFTWARE ? " software" : "");
	strbuf_printf(out, " without %s%s%s%s%s%s%s", spec->exclude_user ? "u" : "",
		      spec->exclude_kernel ? "k" : "", spec->exclude_hv ? "h" : "",
		      spec->exclude_host ? "H" : "", spec->exclude_guest ? "G" : "",
		      spec->guest_is_default ? "*" : "", spec->exclude_idle ? "I" : "");
	assert_true(spec->scale == 1);
}

/* The event has this name, or that of its text (NULL), and these specs, with ; between them. */
static void assert_found(const char *text, const char *name, const char *expected)
{
	const struct evsel *evsel = find_one(text);
	struct strbuf out = {0};

	for (size_t i = 0; i < evsel->spec_count; i++) {
		strbuf_add(&out, i > 0 ? "; " : "");
		describe(&evsel->specs[i], &out);
		assert_string_equal(evsel->specs[i].name, name ? name : text);
	}
	assert_string_equal(strbuf_text(&out), expected);
	assert_string_equal(evsel->name, name ? name : text);
	strbuf_fini(&out);
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
	put_cpu("cpu", "4\n"); /* it has an event cycles of its own, which comes later */
	assert_found("instructions:u", NULL, "0/0x1 without khG*");
	assert_found("cycles", NULL, "0/0x0 without G*");
	assert_found("page-faults", NULL, "1/0x2 software without G*");
	assert_found("dTLB-store-misses:k", NULL, "3/0x10103 without uh");
	assert_refused("cycles,iTLB-stores", ERROR_EVENT_UMASK, 7, "no such operation");
	assert_found("r01c2:pp", NULL, "4/0x1c2 precise 2 without G*");
}

UNIT_TEST(event_find_breakpoints_have_perfs_defaults)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"mem:0x601040", "5/0x0,0x601040,4 access 3 software without G*"},
		{"mem:0x601040:w", "5/0x0,0x601040,4 access 2 software without G*"},
		{"mem:0x601040:r", "5/0x0,0x601040,4 access 1 software without G*"},
		{"mem:0x601040:rwx", "5/0x0,0x601040,4 access 7 software without G*"},
		{"mem:0x601040/8:w", "5/0x0,0x601040,8 access 2 software without G*"},
		{"mem:0x601040/1:x", "5/0x0,0x601040,1 access 4 software without G*"},
		{"mem:0x601040:u", "5/0x0,0x601040,4 access 3 software without khG*"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_found(cases[i].text, NULL, cases[i].expected);
	assert_int_equal(find_spec("mem:0x601040:x")->config2, host_long_bytes());
	assert_int_equal(find_spec("mem:0x601040:x")->bp_type, 4);
}

UNIT_TEST(event_find_events_of_pmus)
{
	put_cpu("cpu", "4\n");
	put_msr();

	assert_found("cpu/event=0x3c,umask=1/uk", NULL, "4/0x13c of cpu without hG*");
	assert_found("msr/aperf/", NULL, "9/0x1 of msr software without G*");
	assert_found("msr/tsc,name=ticks/", "ticks", "9/0x0 of msr software without G*");
	assert_found("cycles/name=c/u", "c", "0/0x0 without khG*");
	assert_found("slots:u", NULL, "4/0x400 of cpu without khG*");
	assert_found("aperf", NULL, "9/0x1 of msr software without G*");
	assert_refused("slots:uu", ERROR_EVENT_SYNTAX, 6, "twice");
}

UNIT_TEST(event_find_tracepoints_with_filter_and_modifiers)
{
	static const char filtered[] = "sched:sched_switch/prev_comm == \"a,/b\" && x < 1/u";

	put_tracepoints();
	assert_found("sched:sched_switch", NULL, "2/0x174 software without G*");
	assert_string_equal(found.evsels[0].specs[0].filter, "");
	assert_found("sched:sched_wakeup:k", NULL, "2/0x173 software without uh");
	assert_found(filtered, NULL, "2/0x174 software without khG*");
	assert_string_equal(found.evsels[0].specs[0].filter, "prev_comm == \"a,/b\" && x < 1");
	assert_refused("sched:sched_swich", ERROR_EVENT_TRACEPOINT_UNKNOWN, 0,
		       "no such tracepoint");
	assert_refused("sched:sched_swich/a/", ERROR_EVENT_TRACEPOINT_UNKNOWN, 0,
		       "no such tracepoint");
	assert_refused("sched:sched_switch:z", ERROR_EVENT_SYNTAX, 19, "letters of");
}

UNIT_TEST(event_find_hybrid_has_a_spec_for_each_kind)
{
	put_hybrid();
	assert_found(
		"cycles:u", NULL,
		"0/0xa00000000 of cpu_atom without khG*; 0/0x400000000 of cpu_core without khG*");
	assert_found("LLC-load-misses", NULL,
		     "3/0xa00010002 of cpu_atom without G*; 3/0x400010002 of cpu_core without G*");
	/* a raw event has the type of each PMU */
	assert_found("r1c2", NULL,
		     "10/0x1c2 of cpu_atom without G*; 4/0x1c2 of cpu_core without G*");
	assert_found("cycles/config1=5,name=c/", "c",
		     "0/0xa00000000,0x5 of cpu_atom without G*; "
		     "0/0x400000000,0x5 of cpu_core without G*");
	/* a named event is where it is */
	assert_int_equal(find_one("slots")->spec_count, 2);
	assert_string_equal(find_spec("topdown-retiring")->pmu, "cpu_core");
	assert_string_equal(find_spec("cpu_atom/event=1/")->pmu, "cpu_atom");
	/* software is one */
	assert_int_equal(find_one("page-faults")->spec_count, 1);
	assert_int_equal(find_one("mem:0x10:w")->spec_count, 1);
}

UNIT_TEST(event_find_big_little_is_hybrid_too)
{
	sysfs_pmu("armv8_cortex_a53", "type", "8\n");
	sysfs_pmu("armv8_cortex_a53", "cpus", "0-3\n");
	sysfs_pmu("armv8_cortex_a72", "type", "9\n");
	sysfs_pmu("armv8_cortex_a72", "cpus", "4-5\n");
	assert_found("instructions", NULL,
		     "0/0x800000001 of armv8_cortex_a53 without G*; "
		     "0/0x900000001 of armv8_cortex_a72 without G*");
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
	assert_refused("page-faults:p", ERROR_EVENT_PRECISE, 0, "only hardware");
	assert_refused("page-faults/branch_type=any/", ERROR_EVENT_BRANCHES, 0,
		       "only samples of hardware");
	assert_true(find_spec("cycles:P")->is_most_precise);
	assert_true(find_spec("page-faults:P")->is_most_precise);
}

/* The kernel takes all of these, and counts what they do not say. */
UNIT_TEST(event_find_what_would_count_something_else_is_refused)
{
	static const struct {
		const char *text;
		enum error_code code;
		const char *contains;
	} cases[] = {
		{"page-faults:G", ERROR_EVENT_GUEST, "guests"},
		{"mem:0x1000:w:G", ERROR_EVENT_GUEST, "guests"},
		{"msr/tsc/G", ERROR_EVENT_GUEST, "guests"},
		{"uprobe:/proc/self/exe:main:k", ERROR_EVENT_PROBE_USER, "user mode only"},
		{"cpu-clock/period=9999/", ERROR_EVENT_CLOCK_PERIOD, "10000 ns"},
		{"intel_pt//u", ERROR_EVENT_TRACE, "intel_pt writes a trace"},
		{"arm_spe_0/event=1/", ERROR_EVENT_TRACE, "arm_spe_0 writes a trace"},
	};

	put_cpu("cpu", "4\n");
	put_msr();
	put_cpu("intel_pt", "11\n");
	put_cpu("arm_spe_0", "12\n");
	sysfs_pmu("arm_spe_0", "cpumask", "0-3\n");
	sysfs_pmu("uprobe", "type", "8\n");
	sysfs_pmu("uprobe", "format/retprobe", "config:0\n");
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_refused(cases[i].text, cases[i].code, 0, cases[i].contains);
	assert_true(find_spec("cycles:G")->exclude_host);
	assert_true(find_spec("page-faults:GH")->type == PERF_TYPE_SOFTWARE);
	assert_int_equal(find_spec("task-clock/period=10000/")->period, 10000);
	assert_int_equal(find_spec("page-faults/period=1/")->period, 1);
	assert_true(find_spec("uprobe:/proc/self/exe:main:u")->exclude_kernel);
}

UNIT_TEST(event_find_braces_of_two_pmus_are_refused)
{
	put_hybrid();

	assert_refused("{cpu_core/event=1/,page-faults,cpu_atom/event=1/}", ERROR_EVENT_BRACES_PMU,
		       31, "counters of two PMUs cannot be one group");
	assert_true(find("{cpu_core/event=1/,page-faults},{cpu_atom/event=1/,cs}", NULL, NULL));
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

UNIT_TEST(event_find_unknown_name_is_refused_with_where_to_search)
{
	struct error error = {0};

	put_cpu("cpu", "4\n");
	put_tracepoints();
	assert_refused("cyclse", ERROR_EVENT_UNKNOWN, 0, "unknown event");
	assert_refused("cyclse:u", ERROR_EVENT_UNKNOWN, 0, "unknown event");
	assert_refused("shed:sched_wakup", ERROR_EVENT_UNKNOWN, 0, "perftop events");
	assert_false(find("LLC-load-mises", NULL, &error));
	assert_non_null(strstr(error.remedy, "perftop events WORD"));
}

UNIT_TEST(event_find_wrong_texts_are_refused_with_position)
{
	static const struct {
		const char *text;
		enum error_code code;
		size_t at;
		const char *contains;
	} cases[] = {
		{"", ERROR_EVENT_SYNTAX, 0, "missing"},
		{"cycles,", ERROR_EVENT_SYNTAX, 7, "missing"},
		{"cycles:", ERROR_EVENT_SYNTAX, 7, "modifiers are missing"},
		{"cs,cycles:uz", ERROR_EVENT_SYNTAX, 10, "letters of"},
		{"cycles:u:k", ERROR_EVENT_SYNTAX, 7, "letters of"},
		{"LLC-loads:x", ERROR_EVENT_SYNTAX, 10, "letters of"},
		{"nopmu/event=1/", ERROR_EVENT_PMU_ABSENT, 0, "no PMU nopmu"},
		{"cpu/event=1,foo=2/", ERROR_EVENT_TERM, 12, "foo"},
		{"cpu/event=1,,/", ERROR_EVENT_SYNTAX, 12, "a term is missing"},
		{"cycles/umask=1/", ERROR_EVENT_TERM, 7, "umask"},
		{"cycles:u/name=x/", ERROR_EVENT_TRACEFS, 0, "tracepoints"},
		{"uprobe/config=1/", ERROR_EVENT_SYNTAX, 0, "uprobe:FILE:FUNCTION"},
		{"sdt_libc:setjmp@/lib/libc.so.6(0123ab)", ERROR_EVENT_SDT, 0, "perf probe"},
		{"duration_time", ERROR_EVENT_TOOL, 0, "perf stat"},
		{"sched:sched_switch", ERROR_EVENT_TRACEFS, 0, "mount -t tracefs"},
		{"sched:sched_switch/a/", ERROR_EVENT_TRACEFS, 0, "mount -t tracefs"},
		{"cs,power/energy-pkg/", ERROR_EVENT_SHARED, 3, "(power)"},
		{"energy-pkg", ERROR_EVENT_SHARED, 0, "(power)"},
		{"cs,uprobe:/no/such/file:main", ERROR_EVENT_PROBE_FILE, 3, "/no/such/file"},
		{"kprobe:do_exit", ERROR_EVENT_PMU_ABSENT, 0, "kprobe"},
	};

	put_cpu("cpu", "4\n");
	put_msr();
	sysfs_pmu("uprobe", "type", "8\n");
	sysfs_pmu("uprobe", "format/retprobe", "config:0\n");
	sysfs_pmu("power", "type", "20\n");
	sysfs_pmu("power", "cpumask", "0\n");
	sysfs_pmu("power", "format/event", "config:0-7\n");
	sysfs_pmu("power", "events/energy-pkg", "event=2\n");
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_refused(cases[i].text, cases[i].code, cases[i].at, cases[i].contains);
}

static void assert_accesses(bool expected, const char *leader, const char *last)
{
	struct event_finder *finder = event_finder_create(fake_root);
	struct error error = {0};

	event_set_fini(&found);
	assert_int_equal(event_find_accesses(finder, &found, &error), expected);
	event_finder_destroy(finder);
	if (!expected) {
		assert_non_null(strstr(error.text, last));
		assert_int_equal(found.count, 0);
		return;
	}
	assert_int_equal(found.count, leader ? 2 : 1);
	if (leader)
		assert_string_equal(found.evsels[0].name, leader);
	assert_string_equal(found.evsels[found.count - 1].name, last);
	assert_int_equal(found.evsels[found.count - 1].specs[0].precise,
			 strncmp(last, "cpu", 3) == 0 ? 2 : 0);
}

UNIT_TEST(event_find_accesses_is_what_the_processor_has)
{
	assert_accesses(false, NULL, "no event that samples accesses");
	sysfs_pmu("arm_spe_0", "type", "9\n");
	sysfs_pmu("arm_spe_0", "format/ts_enable", "config:0\n");
	assert_accesses(false, NULL, "arm_spe, which is not decoded");
	sysfs_pmu("ibs_op", "type", "11\n");
	sysfs_pmu("ibs_op", "format/cnt_ctl", "config:19\n");
	assert_accesses(true, NULL, "ibs_op/cnt_ctl=0/");
	put_cpu("cpu_core", "4\n");
	sysfs_pmu("cpu_core", "format/ldlat", "config1:0-15\n");
	sysfs_pmu("cpu_core", "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	sysfs_pmu("cpu_core", "events/mem-loads-aux", "event=0x03,umask=0x82\n");
	assert_accesses(true, "cpu_core/mem-loads-aux/", "cpu_core/mem-loads,ldlat=30/pp");
	assert_int_equal(found.evsels[1].specs[0].config1, 30 | 3); /* as perf joins them */
	put_cpu("cpu", "4\n");
	sysfs_pmu("cpu", "format/ldlat", "config1:0-15\n");
	sysfs_pmu("cpu", "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	sysfs_pmu("cpu", "events/mem-loads-aux", "event=0x03,umask=0x82\n");
	assert_accesses(true, "cpu/mem-loads-aux/", "cpu/mem-loads,ldlat=30/pp");
}

UNIT_TEST(event_find_accesses_of_older_processors_needs_no_leader)
{
	put_cpu("cpu", "4\n");
	sysfs_pmu("cpu", "format/ldlat", "config1:0-15\n");
	sysfs_pmu("cpu", "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	assert_accesses(true, NULL, "cpu/mem-loads,ldlat=30/pp");
}

UNIT_TEST(event_find_libpfm_name_takes_perfs_modifiers)
{
	const struct event_spec *spec = find_spec("perf::PERF_COUNT_HW_CPU_CYCLES:Ik");

	assert_int_equal(spec->type, PERF_TYPE_HARDWARE);
	assert_int_equal(spec->config, 0);
	assert_true(spec->exclude_idle && spec->exclude_user && !spec->exclude_kernel);
	assert_string_equal(spec->name, "perf::PERF_COUNT_HW_CPU_CYCLES:Ik");
}

static int teardown(void **state)
{
	event_set_fini(&found);
	return fake_root_teardown(state);
}

UNIT_MAIN(fake_root_setup, teardown)
