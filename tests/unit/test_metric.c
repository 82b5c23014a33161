/* What metrics are worth: values, scaling by coverage, groups and kinds of CPUs, unknowns. */
#include <math.h>

#include "base/memory.h"
#include "model/metric.h"

#include "unit.h"

enum event_index {
	CYCLES,
	INSTRUCTIONS,
	REFERENCES,
	MISSES,
	BRANCH_MISSES,
	FAULTS,
	EVENTS
};

static const char *const event_names[EVENTS] = {
	"cycles",       "instructions",  "cache-references",
	"cache-misses", "branch-misses", "page-faults",
};

enum {
	GROUPS = 2,
	SECOND_NS = 1000000000
};

/* A layout that a test puts together, and a vector for it. */
static struct {
	struct layout layout;
	struct metric_set *set;
	struct metrics *metrics; /* NULL until they are bound */
	uint64_t counts[256];
} rig;

static int set_up(void **state)
{
	memset(&rig, 0, sizeof(rig));
	layout_init(&rig.layout);
	rig.set = metric_set_create();
	return 0;
}

static int tear_down(void **state)
{
	metrics_destroy(rig.metrics);
	metric_set_destroy(rig.set);
	layout_fini(&rig.layout);
	return 0;
}

static void bind(void)
{
	metrics_destroy(rig.metrics);
	rig.metrics = metrics_create(&rig.layout, rig.set);
}

static uint64_t *count_of(enum event_index event)
{
	for (size_t g = 0; g < GROUPS; g++) {
		const struct counter *counter = layout_counter_in(&rig.layout, event, g);

		if (counter)
			return &rig.counts[counter->value_index];
	}
	return NULL;
}

/* Group 0 counts all but cache-misses and branch-misses, which group 1 does. */
static int set_up_events(void **state)
{
	set_up(state);
	layout_add_group(&rig.layout, 0, 1);
	for (size_t i = 0; i < EVENTS; i++) {
		layout_add_event(&rig.layout, event_names[i]);
		rig.layout.events[i].state = EVENT_COUNTING;
		layout_add_counter(&rig.layout, i == MISSES || i == BRANCH_MISSES, i);
	}
	bind();

	rig.counts[QUANTITY_RUN_NS] = SECOND_NS / 2;
	rig.counts[QUANTITY_SWITCHES] = 20;
	rig.counts[QUANTITY_PREEMPTIONS] = 10;
	rig.counts[QUANTITY_MIGRATIONS] = 4;
	*count_of(CYCLES) = 1500000000;
	*count_of(INSTRUCTIONS) = 3000000000;
	*count_of(REFERENCES) = 30000000;
	*count_of(MISSES) = 6000000;
	*count_of(BRANCH_MISSES) = 12000000;
	*count_of(FAULTS) = 300;
	for (size_t g = 0; g < GROUPS; g++)
		rig.counts[layout_group_index(&rig.layout, g)] = SECOND_NS / 2;
	return 0;
}

static struct metric_value eval(const char *name, uint32_t unknown)
{
	int index = metrics_find(rig.metrics, name);

	assert_true(index >= 0);
	return metrics_eval(rig.metrics, (size_t)index, rig.counts, unknown,
			    2 * (uint64_t)SECOND_NS);
}

static bool is_near(double value, double expected)
{
	return fabs(value - expected) <= 1e-9 * fabs(expected);
}

static void check_value(const char *name, double expected)
{
	assert_true(is_near(eval(name, 0).value, expected));
}

/* A group has counted for so long. */
static void put_time(size_t group, uint64_t counting_ns)
{
	rig.counts[layout_group_index(&rig.layout, group)] = counting_ns;
}

/* Events of group 1, of group 0, and what they are worth when group 1 counted for so long. */
UNIT_TEST_WITH(events_are_scaled_by_their_groups_coverage, set_up_events, tear_down)
{
	static const struct {
		const char *name;
		uint64_t counting_ns;
		double miss_pct; /* NAN: unknown */
		bool is_scaled;
	} cases[] = {
		{"all of the time", SECOND_NS / 2, 20, false},
		{"99.92 % of it", SECOND_NS / 2 - 400000, 20 / 0.9992, false},
		{"partly", SECOND_NS / 8, 80, true},
		{"a little longer than it ran", SECOND_NS / 2 + 9000000, 20, false},
		{"part of one little longer", SECOND_NS / 2 + 25000000, 20 / 1.05, true},
		{"part of a longer slice", SECOND_NS, 10, true},
		{"never", 0, NAN, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		put_time(1, cases[i].counting_ns);
		if (isnan(cases[i].miss_pct)) {
			*count_of(MISSES) = 0;
			assert_true(isnan(eval("miss_pct", 0).value));
		} else {
			check_value("miss_pct", cases[i].miss_pct);
			assert_int_equal(eval("miss_pct", 0).is_scaled, cases[i].is_scaled);
		}
		check_value("ipc", 2);
		assert_false(eval("ipc", 0).is_scaled);
	}
}

UNIT_TEST_WITH(events_with_a_unit_are_in_that_unit, set_up_events, tear_down)
{
	rig.layout.events[CYCLES].scale = 4;
	bind();
	check_value("ipc", 0.5);
	assert_false(eval("ipc", 0).is_scaled);
}

UNIT_TEST_WITH(ratios_of_what_is_not_known_are_unknown, set_up_events, tear_down)
{
	const uint32_t switches = UINT32_C(1) << QUANTITY_SWITCHES;
	const size_t index = (size_t)metrics_find(rig.metrics, "switches_s");

	assert_true(isnan(eval("switches_s", switches).value));
	assert_true(isnan(eval("slice_us", switches).value));
	assert_true(!isnan(eval("switches_s", UINT32_C(1) << QUANTITY_MIGRATIONS).value));
	/* an interval of no length */
	assert_true(isnan(metrics_eval(rig.metrics, index, rig.counts, 0, 0).value));
	/* what never ran */
	memset(rig.counts, 0, sizeof(rig.counts));
	assert_true(isnan(eval("ipc", 0).value));
	assert_true(isnan(eval("ghz", 0).value));
	assert_true(isnan(eval("slice_us", 0).value));
	assert_true(eval("cpu_pct", 0).value == 0);
	assert_true(eval("faults_s", 0).value == 0);
}

static bool is_available(const struct metrics *metrics, const char *name)
{
	return metrics_is_available(metrics, (size_t)metrics_find(metrics, name));
}

UNIT_TEST_WITH(metrics_of_uncounted_events_are_unavailable_and_unknown, set_up_events, tear_down)
{
	rig.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	bind();

	assert_false(is_available(rig.metrics, "ipc"));
	assert_false(is_available(rig.metrics, "ghz"));
	assert_true(is_available(rig.metrics, "mpki"));
	assert_true(is_available(rig.metrics, "cpu_pct"));
	assert_true(isnan(eval("ipc", 0).value));
}

UNIT_TEST_WITH(running_pct_is_the_groups_share_of_run_time, set_up_events, tear_down)
{
	put_time(1, SECOND_NS / 8);

	assert_true(fabs(metrics_running_pct(&rig.layout, MISSES, rig.counts) - 25) <= 1e-9);
	assert_true(fabs(metrics_running_pct(&rig.layout, CYCLES, rig.counts) - 100) <= 1e-9);
	rig.counts[QUANTITY_RUN_NS] = 0;
	assert_true(isnan(metrics_running_pct(&rig.layout, MISSES, rig.counts)));
	rig.layout.events[MISSES].state = EVENT_DENIED;
	assert_true(isnan(metrics_running_pct(&rig.layout, MISSES, rig.counts)));
}

static size_t event_of(const char *name)
{
	const int known = layout_find_event(&rig.layout, name);

	if (known >= 0)
		return (size_t)known;

	const size_t event = layout_add_event(&rig.layout, name);
	rig.layout.events[event].state = EVENT_COUNTING;
	return event;
}

static size_t put_group(size_t kind, size_t rotation, uint64_t counting_ns)
{
	const size_t group = layout_add_group(&rig.layout, kind, rotation);

	put_time(group, counting_ns);
	return group;
}

/* The group counts the event, and has counted so much of it. */
static void put(size_t group, const char *name, uint64_t count)
{
	const size_t counter = layout_add_counter(&rig.layout, group, event_of(name));

	rig.counts[rig.layout.counters[counter].value_index] = count;
}

/* A second kind of CPUs, whose clock is the group that is returned; times are those of the kinds.
 */
static size_t put_second_kind(uint64_t first_ns, uint64_t second_ns)
{
	rig.layout.kind_count = 2;
	rig.layout.kinds[1].clock = (uint16_t)put_group(1, 0, second_ns);
	put_time(0, first_ns);
	rig.counts[QUANTITY_RUN_NS] = first_ns + second_ns;
	return rig.layout.kinds[1].clock;
}

static void put_metric(const char *definition)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;

	assert_true(metric_set_add(rig.set, definition, NULL, &position, message));
}

static void put_run_time(uint64_t run_ns)
{
	rig.counts[QUANTITY_RUN_NS] = run_ns;
	put_time(0, run_ns);
}

/* Of one kind of CPU; -1: of all. */
static struct metric_value rig_eval(const char *name, int kind)
{
	bind();

	const size_t index = (size_t)metrics_find(rig.metrics, name);
	return kind < 0 ? metrics_eval(rig.metrics, index, rig.counts, 0, SECOND_NS)
			: metrics_eval_kind(rig.metrics, index, (size_t)kind, rig.counts, 0,
					    SECOND_NS);
}

static void check_rig(const char *name, double expected, bool is_scaled)
{
	const struct metric_value value = rig_eval(name, -1);

	assert_true(is_near(value.value, expected));
	assert_int_equal(value.is_scaled, is_scaled);
}

static void check_rig_unknown(const char *name)
{
	const struct metric_value value = rig_eval(name, -1);

	assert_true(isnan(value.value));
	assert_false(value.is_scaled);
}

enum {
	MS = 1000000
};

/* A machine with a group 0 that is always on, and others; and what metrics are worth on it. */
enum {
	ALL = -1 /* kinds of CPUs */
};

struct counted {
	const char *event;
	uint64_t count;
};

/* clang-format off */
static const struct {
	const char *name;
	uint64_t run_ms, second_run_ms; /* of the second kind of CPUs; 0: there is none */
	struct counted always[2];
	struct {
		size_t kind;
		uint64_t counting_ms;
		struct counted counted[2];
	} turns[4];
	const char *metrics[3];
	struct {
		const char *metric;
		int kind;
		double value; /* NAN: unknown */
		bool is_scaled;
	} checks[4];
} cases[] = {
	{"sides of a formula are taken from the group that has both", 400,
	 .turns = {{0, 100, {{"cycles", 100}, {"instructions", 150}}},
		   {0, 200, {{"instructions", 9000}, {"cache-misses", 90}}}},
	 .checks = {{"ipc", ALL, 1.5, true}, {"mpki", ALL, 10, true}, {"ghz", ALL, 400.0 / (400 * MS), true},
		    {"mips", ALL, (9000 + 150) * 4 / 3.0 / 1e6, true}}},
	{"groups that all have both sides are added up", 300,
	 .turns = {{0, 100, {{"cycles", 100}, {"instructions", 100}}},
		   {0, 200, {{"cycles", 200}, {"instructions", 500}}}},
	 .checks = {{"ipc", ALL, 2, false}, {"ghz", ALL, 300.0 / (300 * MS), false}}},
	{"sides without a common group are scaled each by itself", 400,
	 .turns = {{0, 100, {{"cycles", 100}}}, {0, 200, {{"instructions", 300}}}},
	 .checks = {{"ipc", ALL, 1.5, true}}},
	{"always-on events go with those of any group", 400,
	 .always = {{"page-faults", 7}},
	 .turns = {{0, 100, {{"cycles", 50}, {"instructions", 80}}}, {0, 100, {{"instructions", 5}}}},
	 .metrics = {"x = page-faults + instructions / cycles"},
	 .checks = {{"x", ALL, 7 + 1.6, true}, {"faults_s", ALL, 7, false}}},
	{"named metrics are counted in the same windows", 400,
	 .turns = {{0, 100, {{"cycles", 100}, {"instructions", 150}}},
		   {0, 200, {{"instructions", 9000}}}, {0, 100, {{"cycles", 7000}}}},
	 .metrics = {"c = cycles", "x = 2 * instructions / c", "y = x + ipc"},
	 .checks = {{"x", ALL, 3, true}, {"y", ALL, 4.5, true}}},
	{"a named metric elsewhere does not part the sides of a formula", 400,
	 .turns = {{0, 100, {{"cycles", 100}, {"instructions", 150}}},
		   {0, 200, {{"instructions", 9000}, {"cache-misses", 90}}}},
	 .metrics = {"x = instructions / cycles * mpki"},
	 .checks = {{"x", ALL, 15, true}}},
	{"a metric is scaled when a metric it names is", 400,
	 .turns = {{0, 100, {{"cycles", 100 * MS}}}},
	 .metrics = {"x = 10 * ghz"},
	 .checks = {{"x", ALL, 10, true}}},
	{"groups of one turn do not serve another kind", 100, 300,
	 .turns = {{0, 50, {{"cycles", 100}, {"instructions", 100}}},
		   {1, 100, {{"cycles", 100}, {"instructions", 300}}}},
	 .checks = {{"ipc", ALL, (100 * 2 + 300 * 3) / (100 * 2 + 100 * 3.0), true},
		    {"ipc", 0, 1, true}, {"ipc", 1, 3, true}}},
	{"sides without a common group are scaled on each kind", 100, 300,
	 .turns = {{0, 50, {{"cycles", 100}}}, {0, 50, {{"instructions", 300}}},
		   {1, 100, {{"cycles", 50}}}, {1, 200, {{"instructions", 400}}}},
	 .checks = {{"ipc", ALL, (300 * 2 + 400 * 1.5) / (100 * 2 + 50 * 3), true}}},
	{"a kind that does not count an event makes it unknown where it ran", 100, 300,
	 .always = {{"cycles", 100 * MS}},
	 .checks = {{"ghz", ALL, NAN, false}, {"ghz", 0, 1, false}, {"ghz", 1, NAN, false}}},
	{"a kind on which it hardly ran does not matter", 995, 5,
	 .always = {{"cycles", 995 * MS}}, .checks = {{"ghz", ALL, 0.995, true}}},
	{"a kind on which it ran a little more does", 995, 11,
	 .always = {{"cycles", 995 * MS}}, .checks = {{"ghz", ALL, NAN, false}}},
	{"of one kind only its run time is known besides events", 100, 300,
	 .metrics = {"x = interval_ns + interval_s"},
	 .checks = {{"cpu_pct", 1, 30, false}, {"switches_s", 1, NAN, false},
		    {"switches_s", ALL, 40, false}, {"x", 1, 1e9 + 1, false}}},
	{"of the only kind everything is known", 400,
	 .checks = {{"switches_s", 0, 40, false}, {"cpu_pct", 0, 40, false}}},
};
/* clang-format on */

static void put_case(size_t i)
{
	if (cases[i].second_run_ms > 0)
		put_second_kind(cases[i].run_ms * MS, cases[i].second_run_ms * MS);
	else
		put_run_time(cases[i].run_ms * MS);
	rig.counts[QUANTITY_SWITCHES] = 40;
	for (size_t k = 0; k < COUNT_OF(cases[i].always) && cases[i].always[k].event; k++)
		put(0, cases[i].always[k].event, cases[i].always[k].count);
	for (size_t g = 0; g < COUNT_OF(cases[i].turns) && cases[i].turns[g].counting_ms > 0; g++) {
		const struct counted *counted = cases[i].turns[g].counted;
		const size_t group =
			put_group(cases[i].turns[g].kind, 1, cases[i].turns[g].counting_ms * MS);

		for (size_t k = 0; k < COUNT_OF(cases[i].turns[g].counted) && counted[k].event; k++)
			put(group, counted[k].event, counted[k].count);
	}
	for (size_t m = 0; m < COUNT_OF(cases[i].metrics) && cases[i].metrics[m]; m++)
		put_metric(cases[i].metrics[m]);
}

UNIT_TEST_WITH(metrics_are_worth_what_the_groups_counted, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		set_up(state);
		put_case(i);
		for (size_t c = 0; c < COUNT_OF(cases[i].checks) && cases[i].checks[c].metric;
		     c++) {
			const struct metric_value value =
				rig_eval(cases[i].checks[c].metric, cases[i].checks[c].kind);

			assert_int_equal(isnan(value.value), isnan(cases[i].checks[c].value));
			assert_true(isnan(value.value) ||
				    is_near(value.value, cases[i].checks[c].value));
			assert_int_equal(value.is_scaled, cases[i].checks[c].is_scaled);
		}
		tear_down(state);
	}
}

UNIT_TEST(event_that_is_always_on_is_not_counted_again_in_its_turn)
{
	put_run_time(400 * MS);
	put(0, "cycles", 400 * MS);
	put(put_group(0, 1, 100 * MS), "cycles", 100 * MS);
	put(put_group(0, 0, 400 * MS), "cycles", 400 * MS);
	put(put_group(0, 2, 100 * MS), "faults", 5);
	put(put_group(0, 1, 200 * MS), "faults", 50);

	check_rig("ghz", 1, false);
	assert_true(
		is_near(metrics_event_rate(&rig.layout, 1, -1, rig.counts, SECOND_NS).value, 100));
	assert_true(is_near(metrics_running_pct(&rig.layout, 0, rig.counts), 100));
	assert_true(is_near(metrics_event_rate(&rig.layout, 0, -1, rig.counts, SECOND_NS).value,
			    400 * MS));
}

UNIT_TEST(running_pct_is_of_all_kinds_on_which_something_ran)
{
	put_second_kind(100 * MS, 300 * MS);
	put(put_group(0, 1, 50 * MS), "cycles", 100);
	put(put_group(1, 1, 100 * MS), "cycles", 100);
	assert_true(is_near(metrics_running_pct(&rig.layout, 0, rig.counts), 37.5));

	tear_down(NULL);
	set_up(NULL);
	put_second_kind(100 * MS, 0);
	put(0, "cycles", 100 * MS);
	check_rig("ghz", 1, false);
}

/* What an event that counted 1 comes to, when it ran and was counted for so long. */
static double scaled_one(uint64_t run_ns, uint64_t counting_ns)
{
	rig.counts[QUANTITY_RUN_NS] = run_ns;
	rig.counts[layout_group_index(&rig.layout, 1)] = counting_ns;
	return rig_eval("faults_s", -1).value;
}

UNIT_TEST(value_with_too_little_coverage_is_unknown)
{
	put(put_group(0, 1, 0), "page-faults", 1);

	assert_true(is_near(scaled_one(200 * MS, 2 * MS), 100));
	assert_true(isnan(scaled_one(201 * MS, 2 * MS)));
	assert_true(is_near(scaled_one(50 * MS, MS), 50));
	assert_true(isnan(scaled_one(50 * MS, MS - 1)));
	assert_true(is_near(scaled_one(5 * MS, MS / 2), 10));
	assert_true(isnan(scaled_one(5 * MS + 100, MS / 2)));
	assert_true(isnan(scaled_one(1000, 0)));
	assert_true(is_near(scaled_one(900, 900), 1)); /* a short task that was covered is exact */
	assert_false(rig_eval("faults_s", -1).is_scaled);
}

UNIT_TEST(only_the_branch_taken_needs_to_be_known)
{
	put_run_time(400 * MS);
	rig.counts[QUANTITY_SWITCHES] = 40;
	put_metric("x = if(switches > 30, 5, nowhere)");
	put_metric("y = if(switches < 30, 5, nowhere)");

	check_rig("x", 5, false);
	check_rig_unknown("y");
	assert_false(metrics_is_available(rig.metrics, (size_t)metrics_find(rig.metrics, "x")));
}

UNIT_TEST(metric_of_events_that_are_gone_is_unavailable)
{
	put_run_time(400 * MS);
	const size_t g1 = put_group(0, 1, 400 * MS);
	put(g1, "cycles", 100);
	put_metric("x = ghz");
	layout_close_group(&rig.layout, g1);

	check_rig_unknown("x");
	assert_false(metrics_is_available(rig.metrics, (size_t)metrics_find(rig.metrics, "x")));
	check_rig_unknown("ghz");
}

UNIT_TEST(metrics_keep_what_was_in_the_set_when_they_were_bound)
{
	put_run_time(400 * MS);
	put_metric("x = 1 + 1");
	check_rig("x", 2, false);
	put_metric("x = 3");
	put_metric("y = 4");

	const size_t index = (size_t)metrics_find(rig.metrics, "x");
	assert_int_equal(metrics_count(rig.metrics), metric_set_count(rig.set) - 1);
	assert_true(is_near(metrics_eval(rig.metrics, index, rig.counts, 0, 1).value, 2));
	assert_string_equal(metrics_info(rig.metrics, index)->formula, "1 + 1");
}

static struct metric_value rate(int kind, uint64_t interval_ns)
{
	return metrics_event_rate(&rig.layout, 0, kind, rig.counts, interval_ns);
}

UNIT_TEST(event_rate_is_scaled_and_in_the_events_unit)
{
	put_run_time(400 * MS);
	put(put_group(0, 1, 100 * MS), "energy", 50);
	rig.layout.events[0].scale = 0.5;

	assert_true(is_near(rate(-1, 2 * (uint64_t)SECOND_NS).value, 50));
	assert_true(rate(-1, 2 * (uint64_t)SECOND_NS).is_scaled);
	assert_true(isnan(rate(-1, 0).value));
	put_run_time(100 * MS);
	assert_true(is_near(rate(0, SECOND_NS).value, 25));
	assert_false(rate(0, SECOND_NS).is_scaled);
}

UNIT_TEST(event_rate_of_one_kind_is_what_that_kind_counted)
{
	const size_t second = put_second_kind(100 * MS, 300 * MS);
	put(0, "faults", 10);
	assert_true(isnan(rate(-1, SECOND_NS).value));
	assert_true(isnan(rate(1, SECOND_NS).value));
	rig.counts[layout_group_index(&rig.layout, second)] = 0;
	assert_true(isnan(rate(1, SECOND_NS).value));
	put_time(second, 300 * MS);
	put(second, "faults", 30);

	assert_true(is_near(rate(-1, SECOND_NS).value, 40));
	assert_true(is_near(rate(0, SECOND_NS).value, 10));
	assert_true(is_near(rate(1, SECOND_NS).value, 30));
}

UNIT_TEST(event_rate_of_what_is_not_counted_is_unknown)
{
	put_run_time(400 * MS);
	put(0, "faults", 10);
	rig.layout.events[0].state = EVENT_DENIED;
	assert_true(isnan(rate(-1, SECOND_NS).value));
	rig.layout.events[0].state = EVENT_COUNTING;
	layout_drop_last_counter(&rig.layout, 0);
	assert_true(isnan(rate(-1, SECOND_NS).value));
}

UNIT_TEST(metric_of_events_that_are_said_to_be_unknown_is_unknown)
{
	size_t index;

	put_run_time(400 * MS);
	put(0, "faults", 10);
	put_metric("x = faults + 1");
	put_metric("y = run_ns + 1");
	check_rig("x", 11, false);
	index = (size_t)metrics_find(rig.metrics, "x");

	assert_true(isnan(
		metrics_eval(rig.metrics, index, rig.counts, METRIC_EVENTS_UNKNOWN, 1).value));
	assert_true(is_near(
		metrics_eval(rig.metrics, index + 1, rig.counts, METRIC_EVENTS_UNKNOWN, 1).value,
		400 * MS + 1));
}

/* Without a counting time: they were told, not counted. */
UNIT_TEST_WITH(metric_of_faults_that_proc_tells_is_known, set_up_events, tear_down)
{
	const uint32_t unknown = METRIC_EVENTS_UNKNOWN | METRIC_FAULTS_KNOWN;
	const size_t faults = (size_t)metrics_find(rig.metrics, "faults_s");
	const size_t ipc = (size_t)metrics_find(rig.metrics, "ipc");

	for (size_t g = 0; g < GROUPS; g++)
		rig.counts[layout_group_index(&rig.layout, g)] = 0;

	assert_true(metrics_eval(rig.metrics, faults, rig.counts, unknown, SECOND_NS).value == 300);
	assert_true(isnan(metrics_eval(rig.metrics, ipc, rig.counts, unknown, SECOND_NS).value));
	assert_true(isnan(
		metrics_eval(rig.metrics, faults, rig.counts, METRIC_EVENTS_UNKNOWN, SECOND_NS)
			.value));
}

/* Every event counts its own number; the interval is one second, half of it on a CPU. */
static const struct {
	const char *event;
	uint64_t count;
} all_events[] = {
	/* clang-format off */
	{"cycles", 1000000000}, {"cycles:u", 600000000}, {"cycles:k", 400000000},
	{"ref-cycles", 800000000}, {"instructions", 2000000000}, {"instructions:u", 1800000000},
	{"instructions:k", 200000000}, {"branches", 400000000}, {"branch-misses", 4000000},
	{"cache-references", 30000000}, {"cache-misses", 6000000},
	{"stalled-cycles-frontend", 70000000}, {"stalled-cycles-backend", 110000000},
	{"L1-dcache-loads", 500000000}, {"L1-dcache-load-misses", 26000000},
	{"L1-icache-loads", 300000000}, {"L1-icache-load-misses", 18000000},
	{"LLC-loads", 34000000}, {"LLC-load-misses", 1700000},
	{"dTLB-loads", 510000000}, {"dTLB-load-misses", 2550000},
	{"iTLB-loads", 200000000}, {"iTLB-load-misses", 14000000},
	{"node-loads", 1600000}, {"node-load-misses", 160000},
	{"page-faults", 11}, {"minor-faults", 7}, {"major-faults", 4}, {"alignment-faults", 3},
	{"emulation-faults", 2}, {"slots-all", 4000000000}, {"slots-retiring", 1200000000},
	{"slots-bad-spec", 400000000}, {"slots-fe-bound", 600000000},
	{"slots-be-bound", 1800000000}, {"slots-mem-bound", 800000000},
	/* clang-format on */
};

static const struct {
	const char *metric;
	double value;
} all_values[] = {
	/* clang-format off */
	{"cpu_pct", 50}, {"ipc", 2}, {"ghz", 2}, {"miss_pct", 20}, {"mpki", 3}, {"branch_mpki", 2},
	{"switches_s", 20}, {"preemptions_s", 5}, {"migrations_s", 3}, {"faults_s", 11},
	{"slice_us", 25000}, {"preempted_pct", 25}, {"preempted_wait_pct", 5}, {"queued_pct", 8},
	{"off_pct", 30}, {"uninterruptible_pct", 4},
	{"usr_pct", 1}, {"sys_pct", 2}, {"irq_pct", 3}, {"runq_pct", 4}, {"preempt_pct", 5}, {"lock_pct", 6},
	{"disk_pct", 7}, {"net_pct", 8}, {"sleep_pct", 9}, {"stop_pct", 10}, {"unknown_pct", 45},
	{"lat_pct", 12.5}, {"par", 4},
	{"smt_pct", 25}, {"ipc_1t", 2.5}, {"ipc_2t", 1.5}, {"wakeup_us", 500}, {"wakeups_s", 12}, {"voluntary_s", 15}, {"minor_faults_s", 7}, {"major_faults_s", 4},
	{"alignment_faults_s", 3}, {"emulation_faults_s", 2}, {"mips", 2000}, {"cpi", 0.5},
	{"turbo_ratio", 1.25}, {"user_ipc", 3}, {"kernel_ipc", 0.5}, {"kernel_instr_pct", 10},
	{"kernel_cycle_pct", 40}, {"user_cycle_pct", 60}, {"misses_s", 6e6}, {"branch_miss_pct", 1},
	{"branch_pct", 20}, {"stall_fe_pct", 7}, {"stall_be_pct", 11}, {"l1d_miss_pct", 5.2},
	{"l1d_mpki", 13}, {"l1i_miss_pct", 6}, {"l1i_mpki", 9}, {"llc_miss_pct", 5},
	{"llc_mpki", 0.85}, {"llc_refs_pki", 15}, {"llc_mb_s", 384}, {"dtlb_miss_pct", 0.5},
	{"dtlb_mpki", 1.275}, {"itlb_miss_pct", 7}, {"itlb_mpki", 7}, {"node_miss_pct", 10},
	{"retiring_pct", 30}, {"bad_spec_pct", 10}, {"fe_bound_pct", 15}, {"be_bound_pct", 45},
	{"mem_bound_pct", 20},
	/* clang-format on */
};

UNIT_TEST(every_built_in_metric_has_its_value)
{
	const size_t events = COUNT_OF(all_events);
	const size_t values = COUNT_OF(all_values);
	const size_t second = put_group(0, 0, SECOND_NS / 2);

	put_run_time(SECOND_NS / 2);
	rig.counts[QUANTITY_SWITCHES] = 20;
	rig.counts[QUANTITY_PREEMPTIONS] = 5;
	rig.counts[QUANTITY_MIGRATIONS] = 3;
	rig.counts[QUANTITY_PREEMPTED_NS] = 50 * MS;
	rig.counts[QUANTITY_OFF_NS] = 300 * MS;
	rig.counts[QUANTITY_QUEUED_NS] = 80 * MS;
	rig.counts[QUANTITY_WAKEUP_NS] = 6 * MS;
	rig.counts[QUANTITY_WAKEUPS] = 12;
	rig.counts[QUANTITY_UNINTERRUPTIBLE_NS] = 40 * MS;
	rig.counts[QUANTITY_LIFE_NS] = 100 * MS;
	for (size_t i = 1; i < 11; i++)
		rig.counts[QUANTITY_LIFE_NS + i] = i * MS;
	rig.counts[QUANTITY_UNSURE_NS] = 45 * MS;
	rig.counts[QUANTITY_LATENCY_NS] = 125 * MS;
	rig.counts[QUANTITY_SMT_ALONE_NS] = 375 * MS;
	rig.counts[QUANTITY_SMT_BESIDE_NS] = 125 * MS;
	rig.counts[QUANTITY_SMT_ALONE_CYCLES] = 600;
	rig.counts[QUANTITY_SMT_ALONE_INSTRUCTIONS] = 1500;
	rig.counts[QUANTITY_SMT_BESIDE_CYCLES] = 200;
	rig.counts[QUANTITY_SMT_BESIDE_INSTRUCTIONS] = 300;
	for (size_t i = 0; i < events; i++)
		put(i < events / 2 ? 0 : second, all_events[i].event, all_events[i].count);

	for (size_t i = 0; i < values; i++)
		check_rig(all_values[i].metric, all_values[i].value, false);
	assert_int_equal(metrics_count(rig.metrics), values);
	for (size_t i = 0; i < values; i++)
		assert_true(metrics_is_available(rig.metrics, i));
}

/* What the readings of a group that is alone lack in time, by being taken a little later, is no
 * multiplexing. */
UNIT_TEST_WITH(group_is_exact_that_was_in_every_slice_and_takes_no_turns, set_up_events, tear_down)
{
	put_time(1, SECOND_NS / 2 - 20000000);
	rig.counts[rig.layout.groups[0].slices_index] = 20;
	rig.counts[rig.layout.groups[1].slices_index] = 20;
	assert_false(eval("branch_mpki", 0).is_scaled);
	assert_true(fabs(eval("branch_mpki", 0).value - 4) <= 1e-9);

	rig.counts[rig.layout.groups[1].slices_index] = 19; /* one was missed */
	assert_true(eval("branch_mpki", 0).is_scaled);

	rig.counts[rig.layout.groups[1].slices_index] = 20;
	layout_add_group(&rig.layout, 0, 1); /* a group to take turns with */
	bind();
	assert_true(eval("branch_mpki", 0).is_scaled);
}

UNIT_MAIN(set_up, tear_down)
