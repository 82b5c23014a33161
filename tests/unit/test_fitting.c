/* Which events and formulas the built-in metrics have on a machine, and in a recording. */
#include <errno.h>
#include <math.h>

#include "kernel/group.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/row_kind.h"

#include "event/event.h"
#include "event/processor.h"
#include "fake_sysfs.h"
#include "session/fitting.h"
#include "unit.h"

static struct {
	struct metric_set *set;
	struct event_finder *finder;
	bool has_pmu;
	const char *refused[4];          /* events, by name */
	int refusal;                     /* the errno of these; 0: EINVAL */
	int leader_refusal;              /* of every group; 0: none */
	size_t open_count, opened_count; /* groups now, and in all */
} kit;

int __wrap_group_open(struct group *group, const struct group_request *request,
		      const struct attr_features *features, int *failed_member)
{
	const struct event_spec *spec = request->specs[0];

	assert_int_equal(request->count, 1);
	assert_true(request->target.exclude_kernel);
	group->leader_fd = -1;
	*failed_member = kit.leader_refusal != 0 ? -1 : 0;
	if (kit.leader_refusal != 0)
		return kit.leader_refusal;
	if (!kit.has_pmu && spec->class == EVENT_CLASS_HARDWARE)
		return ENOENT;
	for (size_t i = 0; i < COUNT_OF(kit.refused) && kit.refused[i]; i++)
		if (strcmp(spec->name, kit.refused[i]) == 0)
			return kit.refusal != 0 ? kit.refusal : EINVAL;
	group->leader_fd = 3;
	kit.open_count++;
	kit.opened_count++;
	return 0;
}

void __wrap_group_close(struct group *group)
{
	if (group->leader_fd >= 0)
		kit.open_count--;
	group->leader_fd = -1;
}

static int setup(void **state)
{
	memset(&kit, 0, sizeof(kit));
	kit.set = metric_set_create();
	return fake_root_setup(state);
}

static int teardown(void **state)
{
	metric_set_destroy(kit.set);
	event_finder_destroy(kit.finder);
	assert_int_equal(kit.open_count, 0);
	return fake_root_teardown(state);
}

/* "GenuineIntel,6,85" of x86, else MIDR. */
static void put_processor(const char *id)
{
	char vendor[32], text[256];
	unsigned int family, model;

	if (sscanf(id, "%31[^,],%u,%u", vendor, &family, &model) == 3) {
		snprintf(text, sizeof(text),
			 "vendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nstepping\t: 1\n",
			 vendor, family, model);
		fake_root_file("/proc/cpuinfo", text);
	} else {
		fake_root_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", id);
	}
}

/* A core PMU that has all fields that the table of processors names, and these events of sysfs. */
static void put_pmu(const char *name, const char *type, const char *events)
{
	char rest[256], file[64], *at = rest;

	sysfs_pmu(name, "type", type);
	sysfs_pmu(name, "cpus", "0-3\n");
	sysfs_pmu(name, "format/event", "config:0-7,32-35\n");
	sysfs_pmu(name, "format/umask", "config:8-15\n");
	sysfs_pmu(name, "format/cmask", "config:24-31\n");
	sysfs_pmu(name, "format/offcore_rsp", "config1:0-63\n");
	sysfs_pmu(name, "caps/slots", "0x00000008\n");
	snprintf(rest, sizeof(rest), "%s", events);
	for (const char *word; (word = strsep(&at, " "));) {
		snprintf(file, sizeof(file), "events/%s", word);
		if (*word)
			sysfs_pmu(name, file, "event=0x11\n");
	}
}

static void fit(const char *id, const char *pmus, const char *events)
{
	char rest[64], *at = rest;
	char type[2] = "4";

	fake_root_renew();
	event_finder_destroy(kit.finder);
	kit.finder = event_finder_create(fake_root);
	put_processor(id);
	snprintf(rest, sizeof(rest), "%s", pmus);
	for (const char *name; (name = strsep(&at, " "));) {
		if (*name)
			put_pmu(name, type, events);
		type[0]++;
	}
	kit.has_pmu = *pmus;
	fit_to_machine(kit.set, kit.finder, &(struct attr_features){0});
}

static const struct metric_info *info_of(const char *metric)
{
	return metric_set_info(kit.set, (size_t)metric_set_find(kit.set, metric));
}

static const char LL[] = "ll_cache_rd ll_cache_miss_rd l2d_cache l2d_cache_refill";

UNIT_TEST(fit_to_machine_counts_what_is_nearest_to_memory)
{
	static const struct {
		const char *id, *pmus, *events;
		const char *references, *misses, *traffic;
		enum cache_level level, traffic_level;
	} cases[] = {
		{"AuthenticAMD,25,1", "cpu", "", "cache-llc-references", "cache-llc-misses",
		 "mem-fills", CACHE_LEVEL_LLC, CACHE_LEVEL_MEMORY},
		{"AuthenticAMD,23,49", "cpu", "", "cache-llc-references", "cache-llc-misses",
		 "mem-fills", CACHE_LEVEL_LLC, CACHE_LEVEL_MEMORY},
		{"0x00000000410fd0c1", "armv8_pmuv3_0", LL, "cache-llc-references",
		 "cache-llc-misses", "cache-llc-misses", CACHE_LEVEL_LLC, CACHE_LEVEL_LLC},
		{"0x00000000410fd083", "armv8_cortex_a72", "l2d_cache l2d_cache_refill",
		 "cache-l2-references", "cache-l2-misses", "cache-misses", CACHE_LEVEL_L2,
		 CACHE_LEVEL_L1D},
		{"0x00000000410fd083", "armv8_cortex_a72", "", "cache-references", "cache-misses",
		 "cache-misses", CACHE_LEVEL_L1D, CACHE_LEVEL_L1D},
		/* Intel's generic events are of the last level, and keep their names */
		{"GenuineIntel,6,85", "cpu", "", "cache-references", "cache-misses", "cache-misses",
		 CACHE_LEVEL_LLC, CACHE_LEVEL_LLC},
		{"GenuineIntel,6,143", "cpu", "", "cache-references", "cache-misses", "mem-fills",
		 CACHE_LEVEL_LLC, CACHE_LEVEL_MEMORY},
		{"GenuineIntel,6,151", "cpu_atom cpu_core", "", "cache-references", "cache-misses",
		 "cache-misses", CACHE_LEVEL_LLC, CACHE_LEVEL_LLC},
		/* qemu64, and a machine of which nothing is known: as ever */
		{"AuthenticAMD,15,107", "cpu", "", "cache-references", "cache-misses",
		 "cache-misses", CACHE_LEVEL_UNKNOWN, CACHE_LEVEL_UNKNOWN},
		{"", "cpu", "", "cache-references", "cache-misses", "cache-misses",
		 CACHE_LEVEL_UNKNOWN, CACHE_LEVEL_UNKNOWN},
		/* without a PMU nothing is counted, whatever it is called */
		{"AuthenticAMD,25,1", "", "", "cache-references", "cache-misses", "cache-misses",
		 CACHE_LEVEL_UNKNOWN, CACHE_LEVEL_UNKNOWN},
		{"GenuineIntel,6,85", "", "", "cache-references", "cache-misses", "cache-misses",
		 CACHE_LEVEL_UNKNOWN, CACHE_LEVEL_UNKNOWN},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char formula[128];

		begin_case(cases[i].id);
		fit(cases[i].id, cases[i].pmus, cases[i].events);
		assert_string_equal(default_event(kit.set, 0), "cycles");
		assert_string_equal(default_event(kit.set, 2), cases[i].references);
		assert_string_equal(default_event(kit.set, 3), cases[i].misses);
		assert_string_equal(default_event(kit.set, DEFAULT_EVENTS - 1), "page-faults");
		snprintf(formula, sizeof(formula), "1k * %s / instructions", cases[i].misses);
		assert_string_equal(info_of("mpki")->formula, formula);
		snprintf(formula, sizeof(formula), "64 * %s / interval_s / 1M", cases[i].traffic);
		assert_string_equal(info_of("llc_mb_s")->formula, formula);
		assert_int_equal(info_of("miss_pct")->level, cases[i].level);
		assert_int_equal(info_of("mpki")->level, cases[i].level);
		assert_int_equal(info_of("llc_mb_s")->level, cases[i].traffic_level);
		assert_int_equal(info_of("ipc")->level, CACHE_LEVEL_UNKNOWN);
		assert_int_equal(info_of("dtlb_mpki")->level, CACHE_LEVEL_UNKNOWN);
	}
}

/* --- what a machine refuses that its processor has */

struct refusal {
	const char *id, *pmu, *refused[4];
	const char *misses, *title, *instead_of;
};

static void fit_refusing(const struct refusal *refusal)
{
	begin_case(refusal->id);
	memcpy(kit.refused, refusal->refused, sizeof(kit.refused));
	fit(refusal->id, refusal->pmu, LL);
}

UNIT_TEST(fit_to_machine_takes_the_next_choice_where_events_are_refused)
{
	static const struct refusal cases[] = {
		/* to the generic events, with their level */
		{"AuthenticAMD,25,1",
		 "cpu",
		 {"cache-llc-misses"},
		 "cache-misses",
		 "L2-MISS %",
		 "cache-llc-misses"},
		{"AuthenticAMD,25,1",
		 "cpu",
		 {"cache-llc-references"},
		 "cache-misses",
		 "L2-MISS %",
		 "cache-llc-references"},
		/* to the next preset, and from that to the generic ones */
		{"0x00000000410fd0c1",
		 "armv8_pmuv3_0",
		 {"cache-llc-references"},
		 "cache-l2-misses",
		 "L2-MISS %",
		 "cache-llc-references"},
		{"0x00000000410fd0c1",
		 "armv8_pmuv3_0",
		 {"cache-llc-references", "cache-l2-misses"},
		 "cache-misses",
		 "L1D-MISS %",
		 "cache-llc-references"},
		/* the generic ones refused: what there is */
		{"GenuineIntel,6,85",
		 "cpu",
		 {"cache-misses"},
		 "cache-llc-misses",
		 "LLC-MISS %",
		 ""},
		{"AuthenticAMD,25,1",
		 "cpu",
		 {"cache-misses", "cache-llc-misses"},
		 "cache-l2-misses",
		 "L2-MISS %",
		 "cache-llc-misses"},
		{"AuthenticAMD,25,1",
		 "cpu",
		 {"cache-misses", "cache-llc-misses", "cache-l2-misses"},
		 "cache-misses",
		 "MISS %",
		 "cache-llc-misses"},
		{"AuthenticAMD,25,1", "cpu", {NULL}, "cache-llc-misses", "LLC-MISS %", ""},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fit_refusing(&cases[i]);
		assert_string_equal(default_event(kit.set, 3), cases[i].misses);
		assert_string_equal(info_of("miss_pct")->title, cases[i].title);
		assert_string_equal(info_of("miss_pct")->refused, cases[i].instead_of);
		assert_string_equal(info_of("ipc")->refused, "");
	}
}

UNIT_TEST(fit_to_machine_gives_up_what_is_refused_for_good_only)
{
	static const struct refusal zen = {
		.id = "AuthenticAMD,25,1", .pmu = "cpu", .refused = {"cache-llc-misses"}};
	static const int for_good[] = {ENOENT, EINVAL, EOPNOTSUPP, ENXIO};
	static const int for_now[] = {EACCES, EPERM, EMFILE, EBUSY};

	for (size_t i = 0; i < COUNT_OF(for_good); i++) {
		kit.refusal = for_good[i];
		fit_refusing(&zen);
		assert_string_equal(info_of("miss_pct")->title, "L2-MISS %");
	}
	for (size_t i = 0; i < COUNT_OF(for_now); i++) {
		kit.refusal = for_now[i];
		fit_refusing(&zen);
		assert_string_equal(info_of("miss_pct")->title, "LLC-MISS %");
	}
	/* nothing is known of an event whose leader is refused */
	kit.leader_refusal = EINVAL;
	fit_refusing(&zen);
	assert_string_equal(info_of("miss_pct")->title, "LLC-MISS %");
}

/* All of a start; each once. */
UNIT_TEST(fit_to_machine_opens_few_events)
{
	static const char *const ids[] = {"AuthenticAMD,25,17", "GenuineIntel,6,143"};

	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		kit.opened_count = 0;
		fit(ids[i], "cpu", "");
		assert_in_range(kit.opened_count, 10, 32);
	}
}

/* --- top-down */

struct count {
	const char *event;
	uint64_t count;
};

/* What the metric makes of counts that were there all the time. */
static double value_of(const char *metric, const struct count *counts)
{
	struct layout layout;
	struct metrics *metrics;
	uint64_t vector[64] = {0};
	double value;

	layout_init(&layout);
	for (; counts->event; counts++) {
		const size_t event = layout_add_event(&layout, counts->event);
		struct event_set set = {0};
		size_t counter;

		assert_true(event_find(kit.finder, counts->event, &set, NULL, NULL));
		layout.events[event].state = EVENT_COUNTING;
		layout.events[event].scale = set.evsels[0].specs[0].scale;
		counter = layout_add_counter(&layout, 0, event);
		vector[layout.counters[counter].value_index] = counts->count;
		event_set_fini(&set);
	}
	vector[QUANTITY_RUN_NS] = vector[layout_group_index(&layout, 0)] = 1000;
	metrics = metrics_create(&layout, kit.set);
	value = metrics_eval(metrics, (size_t)metrics_find(metrics, metric), vector, 0, 1000).value;
	metrics_destroy(metrics);
	layout_fini(&layout);
	return value;
}

UNIT_TEST(fit_to_machine_shares_the_slots_out)
{
	static const struct {
		const char *id, *pmus, *events;
		double mem_bound; /* 0: unknown */
		struct count counts[10];
	} cases[] = {
		{"GenuineIntel,6,85",
		 "cpu",
		 "",
		 10,
		 {{"slots-all", 1000},
		  {"slots-retiring", 1600},
		  {"slots-issued", 2000},
		  {"slots-recovery", 100},
		  {"slots-fe-bound", 600},
		  {"stalls-mem", 100},
		  {"cycles", 1000}}},
		{"GenuineIntel,6,106",
		 "cpu",
		 "",
		 10,
		 {{"slots-all", 4000},
		  {"slots-retiring", 1600},
		  {"slots-fe-bound", 600},
		  {"slots-be-bound", 1000},
		  {"stalls-mem", 100},
		  {"cycles", 1000}}},
		{"GenuineIntel,6,143",
		 "cpu",
		 "",
		 12.5,
		 {{"slots-all", 4000},
		  {"slots-retiring", 1600},
		  {"slots-bad-spec", 800},
		  {"slots-fe-bound", 600},
		  {"slots-be-bound", 1000},
		  {"slots-mem-bound", 500}}},
		{"GenuineIntel,6,151",
		 "cpu_atom cpu_core",
		 "",
		 0,
		 {{"slots-retiring", 1600},
		  {"slots-bad-spec", 800},
		  {"slots-fe-bound", 600},
		  {"slots-be-bound", 1000}}},
		{"GenuineIntel,6,175",
		 "cpu",
		 "",
		 0,
		 {{"slots-retiring", 1600},
		  {"slots-bad-spec", 800},
		  {"slots-fe-bound", 600},
		  {"slots-be-bound", 1000}}},
		{"AuthenticAMD,25,17",
		 "cpu",
		 "",
		 10,
		 {{"slots-all", 1000},
		  {"slots-retiring", 2400},
		  {"slots-issued", 3600},
		  {"slots-fe-bound", 900},
		  {"slots-be-bound", 1500},
		  {"stalls-all", 100},
		  {"stalls-mem", 40}}},
		{"AuthenticAMD,26,2",
		 "cpu",
		 "",
		 10,
		 {{"slots-all", 1000},
		  {"slots-retiring", 3200},
		  {"slots-issued", 4800},
		  {"slots-fe-bound", 1200},
		  {"slots-be-bound", 2000},
		  {"stalls-all", 100},
		  {"stalls-mem", 40}}},
		{"0x00000000410fd4f0",
		 "armv8_pmuv3_0",
		 "cpu_cycles op_retired op_spec stall_slot_frontend stall_slot_backend "
		 "stall_backend_mem",
		 10,
		 {{"slots-all", 500},
		  {"slots-fe-bound", 600},
		  {"slots-be-bound", 1000},
		  {"ops-retired", 1600},
		  {"ops-issued", 2400},
		  {"stalls-mem", 50},
		  {"cycles", 500}}},
		{"0x00000000410fd490",
		 "armv8_pmuv3_0",
		 "cpu_cycles op_retired op_spec stall_slot_frontend stall_slot_backend "
		 "stall_backend_mem",
		 10,
		 {{"slots-all", 500},
		  {"slots-fe-raw", 1100},
		  {"slots-be-bound", 1000},
		  {"ops-retired", 1600},
		  {"ops-issued", 2400},
		  {"stalls-mem", 50},
		  {"cycles", 500}}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].id);
		fit(cases[i].id, cases[i].pmus, cases[i].events);
		assert_float_equal(value_of("retiring_pct", cases[i].counts), 40, 1e-9);
		assert_float_equal(value_of("bad_spec_pct", cases[i].counts), 20, 1e-9);
		assert_float_equal(value_of("fe_bound_pct", cases[i].counts), 15, 1e-9);
		assert_float_equal(value_of("be_bound_pct", cases[i].counts), 25, 1e-9);
		if (cases[i].mem_bound > 0)
			assert_float_equal(value_of("mem_bound_pct", cases[i].counts),
					   cases[i].mem_bound, 1e-9);
		else
			assert_string_equal(info_of("mem_bound_pct")->formula,
					    "100 * slots-mem-bound / slots-all");
	}
}

UNIT_TEST(fit_to_machine_leaves_top_down_unknown_where_it_is_not_counted)
{
	static const char *const ids[] = {"AuthenticAMD,25,1", "AuthenticAMD,15,107", "x"};

	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		begin_case(ids[i]);
		fit(ids[i], "cpu", "");
		assert_string_equal(info_of("retiring_pct")->formula,
				    "100 * slots-retiring / slots-all");
	}
}

/* --- recordings */

UNIT_TEST(fit_to_recording_goes_by_its_events_and_its_processor)
{
	static const struct {
		const char *cpu_id, *events[4];
		const char *formula;
		enum cache_level level;
	} cases[] = {
		{"AuthenticAMD,25,1,1",
		 {"cache-llc-references", "cache-llc-misses"},
		 "100 * cache-llc-misses / cache-llc-references",
		 CACHE_LEVEL_LLC},
		/* of perf */
		{"AuthenticAMD,25,1,1",
		 {"cache-references", "cache-misses"},
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_L2},
		{"GenuineIntel,6,85,7",
		 {"cache-references", "cache-misses"},
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_LLC},
		{"0x00000000413fd0c1",
		 {"cache-references", "cache-misses"},
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_L1D},
		{"",
		 {"cache-references", "cache-misses"},
		 "100 * cache-misses / cache-references",
		 CACHE_LEVEL_UNKNOWN},
		/* a name of ours says it all, whoever wrote the file */
		{"",
		 {"cache-l2-references", "cache-l2-misses"},
		 "100 * cache-l2-misses / cache-l2-references",
		 CACHE_LEVEL_L2},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct layout layout;

		begin_case(cases[i].formula);
		layout_init(&layout);
		for (size_t k = 0; cases[i].events[k]; k++) {
			const size_t event = layout_add_event(&layout, cases[i].events[k]);

			layout.events[event].state = EVENT_COUNTING;
		}
		fit_to_recording(kit.set, &layout, processor_find(cases[i].cpu_id));
		assert_string_equal(info_of("miss_pct")->formula, cases[i].formula);
		assert_int_equal(info_of("miss_pct")->level, cases[i].level);
		/* as of a machine without a PMU; what the user was not allowed is another matter */
		layout.events[0].state = EVENT_DENIED;
		fit_to_recording(kit.set, &layout, processor_find(cases[i].cpu_id));
		assert_int_equal(info_of("miss_pct")->level, cases[i].level);
		layout.events[0].state = EVENT_UNSUPPORTED;
		fit_to_recording(kit.set, &layout, processor_find(cases[i].cpu_id));
		assert_int_equal(info_of("miss_pct")->level, CACHE_LEVEL_UNKNOWN);
		layout_fini(&layout);
	}
}

UNIT_MAIN(setup, teardown)

/* --- what is said of caches */

/* How a level is called in a title, and in words. */
static const struct {
	const char *prefix, *words;
} called[] = {
	[CACHE_LEVEL_UNKNOWN] = {"", "a cache"},
	[CACHE_LEVEL_L1D] = {"L1D-", "first-level data cache"},
	[CACHE_LEVEL_L2] = {"L2-", "second-level cache"},
	[CACHE_LEVEL_LLC] = {"LLC-", "last-level cache"},
	[CACHE_LEVEL_MEMORY] = {"MEM-", "from memory"},
};

static enum cache_level level_of_first_event(const struct metric_info *info)
{
	const int index = metric_set_find(kit.set, info->name);
	const struct formula *formula = metric_set_formula(kit.set, (size_t)index);
	const char *name;

	for (size_t i = 0; kit.has_pmu && (name = formula_name(formula, i)); i++)
		if (metric_set_resolve(kit.set, name).kind == METRIC_NAME_EVENT)
			return processor_event_level(event_processor(kit.finder), name);
	return CACHE_LEVEL_UNKNOWN;
}

/* What is before the first semicolon says what is counted; behind it may be another level. */
static bool says(const char *help, const char *words)
{
	const char *found = strstr(help, words);

	return found && found < help + strcspn(help, ";");
}

/* A title that names a level names the one that is counted, and so does the help. */
static void check_level(const struct metric_info *info)
{
	static const char *const of_any[] = {"miss_pct", "mpki", "llc_refs_pki", "llc_mb_s"};
	const enum cache_level level = level_of_first_event(info);
	bool is_of_any = strcmp(info->name, "misses_s") == 0;

	assert_int_equal(info->level, level);
	for (size_t i = 1; i < COUNT_OF(called) && level != CACHE_LEVEL_UNKNOWN; i++)
		if (strncmp(info->title, called[i].prefix, strlen(called[i].prefix)) == 0)
			assert_int_equal(i, level);
	for (size_t i = 0; i < COUNT_OF(of_any); i++) {
		if (strcmp(info->name, of_any[i]) != 0)
			continue;
		is_of_any = true;
		assert_int_equal(
			strncmp(info->title, called[level].prefix, strlen(called[level].prefix)),
			0);
		if (level == CACHE_LEVEL_UNKNOWN)
			assert_null(strpbrk(info->title, "12"));
	}
	for (size_t i = 1; is_of_any && i < COUNT_OF(called); i++)
		if (i != CACHE_LEVEL_MEMORY || level == CACHE_LEVEL_MEMORY)
			assert_int_equal(says(info->help, called[i].words), i == level);
}

/* Those of tasks, among which no two may be called alike. */
static void check_titles(void)
{
	struct columns *columns = columns_create(kit.set, row_kinds);

	for (size_t i = 0; i < columns_count(columns); i++) {
		const struct column *column = columns_get(columns, i);

		if (!column->info)
			continue;
		assert_true((int)strlen(column->title) <= column->width);
		for (size_t j = 0; j < i; j++)
			if (column_is_of(columns_get(columns, j), ROW_TASK))
				assert_string_not_equal(column->title,
							columns_get(columns, j)->title);
	}
	columns_destroy(columns);
}

UNIT_TEST(fit_to_machine_calls_caches_by_their_level_in_each_family)
{
	static const char *const pmus[] = {"cpu", "cpu_atom cpu_core", "armv8_pmuv3_0", ""};
	static const char *const events[] = {"", "l2d_cache l2d_cache_refill", LL};
	static const char *const ids[] = {
		"GenuineIntel,6,78",  "GenuineIntel,6,85",  "GenuineIntel,6,125",
		"GenuineIntel,6,106", "GenuineIntel,6,151", "GenuineIntel,6,170",
		"GenuineIntel,6,190", "GenuineIntel,6,143", "GenuineIntel,6,175",
		"AuthenticAMD,23,1",  "AuthenticAMD,23,49", "AuthenticAMD,25,1",
		"AuthenticAMD,25,97", "AuthenticAMD,26,2",  "0x00000000410fd034",
		"0x00000000410fd083", "0x00000000410fd0c1", "0x00000000410fd4f0",
		"0x00000000c00fac30", "GenuineIntel,6,15",  "",
	};

	for (size_t i = 0; i < COUNT_OF(ids) * COUNT_OF(pmus) * COUNT_OF(events); i++) {
		begin_case(ids[i / COUNT_OF(pmus) / COUNT_OF(events)]);
		fit(ids[i / COUNT_OF(pmus) / COUNT_OF(events)],
		    pmus[i / COUNT_OF(events) % COUNT_OF(pmus)], events[i % COUNT_OF(events)]);
		for (size_t j = 0; j < metric_set_count(kit.set); j++)
			check_level(metric_set_info(kit.set, j));
		check_titles();
	}
}

/* What is much for one level is little for another; fitted anew it is as on the other machine. */
UNIT_TEST(fit_to_machine_judges_by_the_level)
{
	fit("GenuineIntel,6,85", "cpu", "");
	assert_string_equal(info_of("miss_pct")->title, "LLC-MISS %");
	assert_int_equal(metric_goodness(info_of("miss_pct"), 7), 3);
	fit("0x00000000410fd083", "armv8_cortex_a72", "");
	assert_string_equal(info_of("miss_pct")->title, "L1D-MISS %");
	assert_int_equal(metric_goodness(info_of("miss_pct"), 7), 2);
	fit("0x00000000410fd083", "armv8_cortex_a72", "l2d_cache l2d_cache_refill");
	assert_string_equal(info_of("miss_pct")->title, "L2-MISS %");
	assert_int_equal(metric_goodness(info_of("miss_pct"), 7), 4);
	fit("", "cpu", "");
	assert_string_equal(info_of("miss_pct")->title, "MISS %");
	assert_int_equal(info_of("miss_pct")->width, 6);
}
