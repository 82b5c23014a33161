/* The metric table: values, scaling, unknowns, and that the table is complete. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/metric.h"

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
	WIDTH = QUANTITY_BUILTIN + EVENTS + GROUPS,
	SECOND_NS = 1000000000
};

struct bench {
	struct layout layout;
	struct metrics *metrics;
	uint64_t counts[WIDTH];
};

/* Group 0 counts all but cache-misses and branch-misses, which group 1 does. */
static int set_up(void **state)
{
	struct bench *bench = xcalloc(1, sizeof(*bench));

	bench->layout.event_count = EVENTS;
	bench->layout.events = xcalloc(EVENTS, sizeof(*bench->layout.events));
	bench->layout.group_count = GROUPS;
	bench->layout.groups = xcalloc(GROUPS, sizeof(*bench->layout.groups));
	for (size_t i = 0; i < EVENTS; i++) {
		strcpy(bench->layout.events[i].name, event_names[i]);
		bench->layout.events[i].group = i == MISSES || i == BRANCH_MISSES;
	}
	bench->metrics = metrics_create(&bench->layout);

	bench->counts[QUANTITY_RUN_NS] = SECOND_NS / 2;
	bench->counts[QUANTITY_SWITCHES] = 20;
	bench->counts[QUANTITY_PREEMPTIONS] = 10;
	bench->counts[QUANTITY_MIGRATIONS] = 4;
	bench->counts[QUANTITY_BUILTIN + CYCLES] = 1500000000;
	bench->counts[QUANTITY_BUILTIN + INSTRUCTIONS] = 3000000000;
	bench->counts[QUANTITY_BUILTIN + REFERENCES] = 30000000;
	bench->counts[QUANTITY_BUILTIN + MISSES] = 6000000;
	bench->counts[QUANTITY_BUILTIN + BRANCH_MISSES] = 12000000;
	bench->counts[QUANTITY_BUILTIN + FAULTS] = 300;
	for (size_t g = 0; g < GROUPS; g++)
		bench->counts[layout_group_place(&bench->layout, g)] = SECOND_NS / 2;
	*state = bench;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *bench = *state;

	metrics_destroy(bench->metrics);
	layout_fini(&bench->layout);
	free(bench);
	return 0;
}

static struct metric_value eval(const struct bench *bench, const char *name, uint32_t unknown)
{
	int index = metrics_find(bench->metrics, name);

	assert_true(index >= 0);
	return metrics_eval(bench->metrics, (size_t)index, bench->counts, unknown,
			    2 * (uint64_t)SECOND_NS);
}

static void check_value(const struct bench *bench, const char *name, double expected)
{
	assert_true(fabs(eval(bench, name, 0).value - expected) <= 1e-9 * expected);
}

static void every_metric_has_its_value(void **state)
{
	const struct bench *bench = *state;

	check_value(bench, "cpu_pct", 25);
	check_value(bench, "ipc", 2);
	check_value(bench, "ghz", 3);
	check_value(bench, "miss_pct", 20);
	check_value(bench, "mpki", 2);
	check_value(bench, "branch_mpki", 4);
	check_value(bench, "switches_s", 10);
	check_value(bench, "preemptions_s", 5);
	check_value(bench, "migrations_s", 2);
	check_value(bench, "faults_s", 150);
	check_value(bench, "slice_us", 25000);
}

static void fully_counted_events_are_not_scaled(void **state)
{
	struct bench *bench = *state;

	assert_false(eval(bench, "miss_pct", 0).is_scaled);
	bench->counts[layout_group_place(&bench->layout, 1)] -= 400000; /* 99.92 % */
	assert_false(eval(bench, "miss_pct", 0).is_scaled);
}

static void partly_counted_events_are_scaled_by_their_groups_coverage(void **state)
{
	struct bench *bench = *state;

	bench->counts[layout_group_place(&bench->layout, 1)] = SECOND_NS / 8;

	check_value(bench, "miss_pct", 80);
	assert_true(eval(bench, "miss_pct", 0).is_scaled);
	check_value(bench, "ipc", 2);
	assert_false(eval(bench, "ipc", 0).is_scaled);
}

static void events_never_counted_while_it_ran_are_unknown(void **state)
{
	struct bench *bench = *state;

	bench->counts[layout_group_place(&bench->layout, 1)] = 0;
	bench->counts[QUANTITY_BUILTIN + MISSES] = 0;

	assert_true(isnan(eval(bench, "miss_pct", 0).value));
}

static void group_that_counted_longer_than_it_ran_does_not_shrink_counts(void **state)
{
	struct bench *bench = *state;

	bench->counts[layout_group_place(&bench->layout, 1)] = SECOND_NS;

	check_value(bench, "miss_pct", 20);
}

static void ratios_of_what_never_ran_are_unknown(void **state)
{
	struct bench *bench = *state;

	memset(bench->counts, 0, sizeof(bench->counts));

	assert_true(isnan(eval(bench, "ipc", 0).value));
	assert_true(isnan(eval(bench, "ghz", 0).value));
	assert_true(isnan(eval(bench, "slice_us", 0).value));
	assert_true(eval(bench, "cpu_pct", 0).value == 0);
	assert_true(eval(bench, "faults_s", 0).value == 0);
}

static void unknown_quantity_makes_its_metrics_unknown(void **state)
{
	const struct bench *bench = *state;

	assert_true(isnan(eval(bench, "switches_s", UINT32_C(1) << QUANTITY_SWITCHES).value));
	assert_true(isnan(eval(bench, "slice_us", UINT32_C(1) << QUANTITY_SWITCHES).value));
	assert_true(!isnan(eval(bench, "switches_s", UINT32_C(1) << QUANTITY_MIGRATIONS).value));
}

static void interval_of_no_length_gives_no_rates(void **state)
{
	const struct bench *bench = *state;
	int index = metrics_find(bench->metrics, "switches_s");

	struct metric_value value =
		metrics_eval(bench->metrics, (size_t)index, bench->counts, 0, 0);

	assert_true(isnan(value.value));
}

static bool is_available(const struct metrics *metrics, const char *name)
{
	return metrics_is_available(metrics, (size_t)metrics_find(metrics, name));
}

static void metrics_of_uncounted_events_are_unavailable_and_unknown(void **state)
{
	struct bench *bench = *state;

	bench->layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	metrics_destroy(bench->metrics);
	bench->metrics = metrics_create(&bench->layout);

	assert_false(is_available(bench->metrics, "ipc"));
	assert_false(is_available(bench->metrics, "ghz"));
	assert_true(is_available(bench->metrics, "mpki"));
	assert_true(is_available(bench->metrics, "cpu_pct"));
	assert_true(isnan(eval(bench, "ipc", 0).value));
}

static void running_pct_is_the_groups_share_of_run_time(void **state)
{
	struct bench *bench = *state;

	bench->counts[layout_group_place(&bench->layout, 1)] = SECOND_NS / 8;

	assert_true(fabs(metrics_running_pct(&bench->layout, MISSES, bench->counts) - 25) <= 1e-9);
	assert_true(fabs(metrics_running_pct(&bench->layout, CYCLES, bench->counts) - 100) <= 1e-9);
	bench->counts[QUANTITY_RUN_NS] = 0;
	assert_true(isnan(metrics_running_pct(&bench->layout, MISSES, bench->counts)));
	bench->layout.events[MISSES].state = EVENT_DENIED;
	assert_true(isnan(metrics_running_pct(&bench->layout, MISSES, bench->counts)));
}

static void goodness_follows_the_metrics_direction(void **state)
{
	(void)state;
	const struct metric_info high = {.direction = METRIC_HIGH_IS_GOOD, .steps = {1, 2, 3, 4}};
	const struct metric_info low = {.direction = METRIC_LOW_IS_GOOD, .steps = {1, 2, 3, 4}};
	const struct metric_info neutral = {.direction = METRIC_NEUTRAL, .steps = {1, 2, 3, 4}};

	assert_int_equal(metric_goodness(&high, 0.5), 0);
	assert_int_equal(metric_goodness(&high, 2), 2);
	assert_int_equal(metric_goodness(&high, 9), 4);
	assert_int_equal(metric_goodness(&low, 0.5), 4);
	assert_int_equal(metric_goodness(&low, 9), 0);
	assert_int_equal(metric_goodness(&neutral, 2), -1);
	assert_int_equal(metric_goodness(&high, NAN), -1);
}

static void every_metric_of_the_table_is_described(void **state)
{
	const struct bench *bench = *state;
	size_t count;
	const struct metric_info *table = metric_table(&count);

	assert_int_equal(metrics_count(bench->metrics), count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(metrics_find(bench->metrics, table[i].name), (int)i);
		assert_ptr_equal(metrics_info(bench->metrics, i), &table[i]);
		assert_true(strlen(table[i].help) > 0 && table[i].unit && table[i].good);
		assert_true(strlen(table[i].good) > 0 || table[i].direction == METRIC_NEUTRAL);
		assert_true(metrics_is_available(bench->metrics, i));
		for (size_t k = 1; k < METRIC_STEPS - 1; k++)
			assert_true(table[i].steps[k] > table[i].steps[k - 1]);
	}
	assert_int_equal(metrics_find(bench->metrics, "no such metric"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_metric_has_its_value, set_up, tear_down),
		cmocka_unit_test_setup_teardown(fully_counted_events_are_not_scaled, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			partly_counted_events_are_scaled_by_their_groups_coverage, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(events_never_counted_while_it_ran_are_unknown,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			group_that_counted_longer_than_it_ran_does_not_shrink_counts, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(ratios_of_what_never_ran_are_unknown, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(unknown_quantity_makes_its_metrics_unknown, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(interval_of_no_length_gives_no_rates, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			metrics_of_uncounted_events_are_unavailable_and_unknown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(running_pct_is_the_groups_share_of_run_time, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(goodness_follows_the_metrics_direction, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(every_metric_of_the_table_is_described, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
