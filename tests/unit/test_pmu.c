/* PMUs of a machine that is a folder: what is read of them, and terms that become bits. */

#include "base/error.h"

#include "event/pmu.h"
#include "fake_sysfs.h"
#include "unit.h"

static struct pmus machine(void)
{
	return (struct pmus){.root = fake_root};
}

/* A core PMU with fields of all kinds and named events. */
static void put_cpu(void)
{
	sysfs_pmu("cpu", "type", "4\n");
	sysfs_pmu("cpu", "format/event", "config:0-7,32-35\n");
	sysfs_pmu("cpu", "format/umask", "config:8-15\n");
	sysfs_pmu("cpu", "format/inv", "config:23\n");
	sysfs_pmu("cpu", "format/ldlat", "config1:0-15\n");
	sysfs_pmu("cpu", "format/frontend", "config2:4-7\n");
	sysfs_pmu("cpu", "format/acr_mask", "config3:0-63\n");
	sysfs_pmu("cpu", "events/cache-misses", "event=0x2e,umask=0x41\n");
	sysfs_pmu("cpu", "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	sysfs_pmu("cpu", "events/inv", "event=0x77\n");
	sysfs_pmu("cpu", "events/open", "event=?,umask=1\n");
	sysfs_pmu("cpu", "events/strange", "event=1,nofield=2\n");
	sysfs_pmu("cpu", "events/broken", "event=\n");
	sysfs_pmu("cpu", "events/energy", "event=0x02\n");
	sysfs_pmu("cpu", "events/energy.scale", "2.5e-10\n");
	sysfs_pmu("cpu", "events/energy.unit", "Joules\n");
	sysfs_pmu("cpu", "events/energy.snapshot", "1\n");
	sysfs_pmu("cpu", "events/bad-scale", "event=3\n");
	sysfs_pmu("cpu", "events/bad-scale.scale", "much\n");
}

UNIT_TEST(pmu_list_is_sorted_and_complete)
{
	char name[32];
	pmu_name *names;

	assert_int_equal(pmu_list(fake_root, &names), 0);
	assert_null(names);
	for (int i = 199; i >= 0; i--) {
		snprintf(name, sizeof(name), "uncore_%03d", i);
		sysfs_pmu(name, "type", "9\n");
	}

	size_t count = pmu_list(fake_root, &names);

	assert_int_equal(count, 200);
	assert_string_equal(names[0], "uncore_000");
	assert_string_equal(names[199], "uncore_199");
	free(names);
}

UNIT_TEST(pmus_read_tells_kinds_apart)
{
	static const struct {
		const char *name, *extra;
		bool is_core, is_shared;
		enum event_class class;
	} kinds[] = {
		{"cpu", NULL, true, false, EVENT_CLASS_HARDWARE},
		{"cpu_atom", "cpus", true, false, EVENT_CLASS_HARDWARE},
		{"armv8_cortex_a72", "cpus", true, false, EVENT_CLASS_HARDWARE},
		{"apple_icestorm_pmu", "cpus", true, false, EVENT_CLASS_HARDWARE},
		{"cpum_cf", "cpumask", true, false, EVENT_CLASS_HARDWARE},
		{"power", "cpumask", false, true, EVENT_CLASS_SHARED},
		{"amd_iommu", NULL, false, false, EVENT_CLASS_HARDWARE},
		{"intel_pt", NULL, false, false, EVENT_CLASS_TRACE},
		{"arm_spe_0", "cpumask", false, true, EVENT_CLASS_TRACE},
		{"msr", NULL, false, false, EVENT_CLASS_SOFTWARE},
		{"software", NULL, false, false, EVENT_CLASS_SOFTWARE},
		{"tracepoint", NULL, false, false, EVENT_CLASS_SOFTWARE},
		{"breakpoint", NULL, false, false, EVENT_CLASS_SOFTWARE},
		{"kprobe", NULL, false, false, EVENT_CLASS_SOFTWARE},
		{"uprobe", NULL, false, false, EVENT_CLASS_SOFTWARE},
	};
	struct pmus pmus = machine();

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		sysfs_pmu(kinds[i].name, "type", "17\n");
		if (kinds[i].extra != NULL)
			sysfs_pmu(kinds[i].name, kinds[i].extra, "0-3\n");
	}
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		const struct pmu *pmu = pmus_find(&pmus, kinds[i].name, strlen(kinds[i].name));

		assert_non_null(pmu);
		assert_int_equal(pmu->type, 17);
		assert_int_equal(pmu->is_core, kinds[i].is_core);
		assert_int_equal(pmu->is_shared, kinds[i].is_shared);
		assert_int_equal(pmu_class(pmu), kinds[i].class);
	}
	assert_string_equal(pmus_find(&pmus, "cpu_atom", 8)->cpus, "0-3");
	assert_string_equal(pmus_find(&pmus, "cpu", 3)->cpus, "");
	pmus_fini(&pmus);
}

UNIT_TEST(pmus_find_absent_or_without_type_is_none)
{
	struct pmus pmus = machine();

	sysfs_pmu("broken", "type", "many\n");
	sysfs_pmu("empty", "uevent", "\n");
	put_cpu();

	assert_null(pmus_find(&pmus, "broken", 6));
	assert_null(pmus_find(&pmus, "empty", 5));
	assert_null(pmus_find(&pmus, "cp", 2));
	assert_null(pmus_find(&pmus, "cpu_core", 8));
	assert_non_null(pmus_find(&pmus, "cpu/event", 3));
	pmus_fini(&pmus);
}

UNIT_TEST(pmu_load_files_beside_an_event_are_no_events)
{
	struct pmus pmus = machine();
	struct pmu *cpu;

	put_cpu();
	cpu = pmus_find(&pmus, "cpu", 3);
	pmu_load(&pmus, cpu);

	assert_int_equal(cpu->event_count, 8);
	assert_int_equal(cpu->field_count, 6);
	assert_string_equal(cpu->events[0].name, "bad-scale");
	assert_non_null(pmu_find_event(cpu, "ENERGY", 6));
	assert_null(pmu_find_event(cpu, "energy.scale", 12));
	assert_true(pmu_find_event(cpu, "energy", 6)->scale == 2.5e-10);
	assert_string_equal(pmu_find_event(cpu, "energy", 6)->unit, "Joules");
	assert_true(pmu_find_event(cpu, "bad-scale", 9)->scale == 1);
	assert_true(pmu_find_event(cpu, "open", 4)->scale == 1);
	pmus_fini(&pmus);
}

/* Applies terms to the cpu of put_cpu(); *position and *error as pmu_apply_terms leaves them. */
static bool apply(const char *text, struct event_spec *spec, size_t *position, struct error *error)
{
	struct pmus pmus = machine();
	struct terms terms;
	struct text_cursor cursor = {.text = text};
	bool applied;
	struct pmu *cpu;

	put_cpu();
	cpu = pmus_find(&pmus, "cpu", 3);
	pmu_load(&pmus, cpu);
	assert_true(terms_parse(&cursor, &terms));
	*spec = (struct event_spec){.scale = 1};
	applied = pmu_apply_terms(cpu, &terms, "cpu/x/", spec, position, error);
	pmus_fini(&pmus);
	return applied;
}

UNIT_TEST(pmu_apply_terms_become_bits)
{
	static const struct {
		const char *text;
		uint64_t config, config1, config2;
	} cases[] = {
		{"", 0, 0, 0},
		{"event=0x3c", 0x3c, 0, 0},
		{"event=60,umask=0xff", 0xff3c, 0, 0},
		{"event=0x5c3", 0x5000000c3, 0, 0},
		{"inv", 0x800000, 0, 0},
		{"inv=0", 0, 0, 0},
		{"ldlat=0xffff,frontend=9", 0, 0xffff, 0x90},
		{"config=0x1000,config1=2,config2=3", 0x1000, 2, 3},
		{"event=1,config=0x1000", 0x1001, 0, 0},
		{"cache-misses", 0x412e, 0, 0},
		{"Cache-Misses", 0x412e, 0, 0},
		{"event=cache-misses", 0x412e, 0, 0},
		{"mem-loads", 0x1cd, 3, 0},
		{"mem-loads,ldlat=4", 0x1cd, 7, 0},
		{"cache-misses,inv", 0x80412e, 0, 0},
		{"open,event=0x12", 0x112, 0, 0},
		{"r1a8", 0x1a8, 0, 0},
		{"r0x1a8,inv,config=0x1000", 0x8011a8, 0, 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct event_spec spec;
		struct error error = {0};
		size_t position;

		if (!apply(cases[i].text, &spec, &position, &error))
			fail_msg("%s: %s", cases[i].text, error.text);
		assert_string_equal(spec.pmu, "cpu");
		assert_int_equal(spec.type, 4);
		assert_int_equal(spec.class, EVENT_CLASS_HARDWARE);
		if (spec.config != cases[i].config || spec.config1 != cases[i].config1 ||
		    spec.config2 != cases[i].config2) {
			fail_msg("%s: %#lx %#lx %#lx", cases[i].text, (unsigned long)spec.config,
				 (unsigned long)spec.config1, (unsigned long)spec.config2);
		}
		assert_string_equal(spec.name, "");
		assert_true(spec.scale == 1);
	}
}

UNIT_TEST(pmu_apply_terms_bring_scale_unit_and_name)
{
	struct pmus pmus = machine();
	struct terms terms = {.count = 0};
	struct event_spec spec;
	size_t position;

	assert_true(apply("energy", &spec, &position, NULL));
	assert_true(spec.scale == 2.5e-10);
	assert_string_equal(spec.unit, "Joules");
	assert_true(apply("event=1,name=mine", &spec, &position, NULL));
	assert_string_equal(spec.name, "mine");

	/* the kernel's own PMUs are not named */
	sysfs_pmu("software", "type", "1\n");
	assert_true(pmu_apply_terms(pmus_find(&pmus, "software", 8), &terms, "software//", &spec,
				    &position, NULL));
	assert_string_equal(spec.pmu, "");
	assert_int_equal(spec.type, 1);
	pmus_fini(&pmus);
}

/* As in perf the last one holds. */
UNIT_TEST(pmu_apply_terms_say_how_often_it_is_sampled)
{
	struct event_spec spec;
	struct error error = {0};
	size_t position;

	assert_true(apply("event=1,period=1000", &spec, &position, &error));
	assert_int_equal(spec.period, 1000);
	assert_int_equal(spec.freq, 0);
	assert_true(apply("period=7,event=1,freq=0x10", &spec, &position, &error));
	assert_int_equal(spec.period, 0);
	assert_int_equal(spec.freq, 16);
}

UNIT_TEST(pmu_apply_terms_say_which_branches_go_with_samples)
{
	const uint64_t any_call_of_users = 1 << 4 | 1; /* PERF_SAMPLE_BRANCH_* */
	struct event_spec spec;
	struct error error = {0};
	size_t position;

	assert_true(apply("branch_type=any_call,u,event=1", &spec, &position, &error));
	assert_int_equal(spec.branch_type, any_call_of_users);
	assert_int_equal(spec.config, 1);
}

UNIT_TEST(pmu_apply_terms_fault_has_position_and_reason)
{
	static const struct {
		const char *text;
		size_t position;
		const char *contains;
	} faults[] = {
		{"event=0x1000", 0, "event: its largest value is 0xfff"},
		{"event=1,umask=256", 8, "umask: its largest value is 0xff"},
		{"inv=2", 0, "inv: its largest value is 0x1"},
		{"event=1,foo=2", 8, "foo: the PMU cpu has no such field"},
		{"event=1, foo", 9, "foo: the PMU cpu has no such event and no such field"},
		{"umsak=1", 0, "the PMU cpu has no such field"},
		{"umask=zz", 0, "umask: its value is no number"},
		{"event=zz", 0, "event: its value is no number"},
		{"config=zz", 0, "config: its value is no number"},
		{"acr_mask=1", 0, "acr_mask: it is in a word"},
		{"event=1,config3=1", 8, "config3: only PMUs that write traces"},
		{"event=1,percore", 8, "percore: events are counted for each CPU"},
		{"call-graph=dwarf", 0, "call-graph: --call-graph says it"},
		{"event=1,aux-action=pause", 8, "aux-action: trace data is not read"},
		{"event=1,sigtrap", 8, "sigtrap: the PMU cpu has no such event"},
		{"rzz", 0, "rzz: the PMU cpu has no such event"},
		{"r1a8=1", 0, "r1a8: the PMU cpu has no such field"},
		{"event=1,period=0x8000000000000000", 8, "period: the kernel takes numbers of 63"},
		{"event=1,period=0", 8, "period: a number above 0 is missing"},
		{"freq,event=1", 0, "freq: a number above 0 is missing"},
		{"branch_type=some", 0, "branch_type: words of perf record -j are missing: any,"},
		{"event=1,branch_type", 8, "branch_type: words of perf record -j are missing"},
		{"name", 0, "name: a value is missing"},
		{"umask=1,open", 8, "event: this event needs it"},
		{"strange", 0, "nofield: the PMU cpu has no such field"},
		{"broken", 0, "broken: a value is missing"},
	};

	for (size_t i = 0; i < COUNT_OF(faults); i++) {
		struct event_spec spec;
		struct error error = {0};
		size_t position = 99;

		assert_false(apply(faults[i].text, &spec, &position, &error));
		assert_int_equal(error.code, ERROR_EVENT_TERM);
		if (position != faults[i].position ||
		    strstr(error.text, faults[i].contains) == NULL ||
		    strncmp(error.text, "cpu/x/: ", 8) != 0)
			fail_msg("%s: at %zu: %s", faults[i].text, position, error.text);
	}
}

UNIT_TEST(pmu_apply_general_terms_knows_no_fields)
{
	struct terms terms;
	struct event_spec spec = {0};
	struct error error = {0};
	struct text_cursor good = {.text = "name=c,config1=3"}, bad = {.text = "name=c,umask=3"};
	size_t position;

	assert_true(terms_parse(&good, &terms));
	assert_true(pmu_apply_general_terms(&terms, "cycles/x/", &spec, &position, &error));
	assert_string_equal(spec.name, "c");
	assert_int_equal(spec.config1, 3);
	assert_true(terms_parse(&bad, &terms));
	assert_false(pmu_apply_general_terms(&terms, "cycles/x/", &spec, &position, &error));
	assert_int_equal(position, 7);
	assert_non_null(strstr(error.text, "only an event of a PMU may"));
	bad = (struct text_cursor){.text = "max-stack=5"};
	assert_true(terms_parse(&bad, &terms));
	assert_false(pmu_apply_general_terms(&terms, "cycles/x/", &spec, &position, &error));
	assert_non_null(strstr(error.text, "kernel.perf_event_max_stack"));
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
