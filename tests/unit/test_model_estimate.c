/* What is told of a sampling profile: no readings, but the books hold all the same. */

#include <math.h>

#include "model/metric.h"

#include "model_kit.h"
#include "unit.h"

enum {
	CLOCK_GROUP,
	PROFILE,
	OCCURRENCES
};

static struct {
	struct layout layout;
	struct model *model;
	size_t cycles, faults; /* places */
} stage;

/* Group 0 tells the time; "cycles" is an estimate, each of "faults" is told. */
static int set_up(void **state)
{
	struct layout *layout = &stage.layout;

	layout_init(layout);
	layout_add_group(layout, 0, 0);
	layout_add_group(layout, 0, 0);
	layout->groups[PROFILE].is_reported = layout->groups[OCCURRENCES].is_reported = true;
	layout_add_event(layout, "cycles");
	layout_add_event(layout, "faults");
	layout->events[0].is_estimate = true;
	layout->events[0].state = layout->events[1].state = EVENT_COUNTING;
	layout_add_counter(layout, PROFILE, 0);
	layout_add_counter(layout, OCCURRENCES, 1);
	stage.cycles = layout->counters[0].value_index;
	stage.faults = layout->counters[1].value_index;
	stage.model = model_create(layout);
	model_start(stage.model, 0);
	return 0;
}

static int tear_down(void **state)
{
	model_destroy(stage.model);
	layout_fini(&stage.layout);
	return 0;
}

static void estimate(int32_t cpu, int32_t tid, uint16_t group, uint64_t value, uint64_t run_ns)
{
	const struct record record = {
		.kind = RECORD_ESTIMATE,
		.cpu = cpu,
		.pid = tid,
		.tid = tid,
		.time_ns = 500,
		.estimate = {.group = group, .value = value, .run_ns = run_ns},
	};

	model_feed(stage.model, &record);
}

UNIT_TEST(estimate_of_a_cpu_is_the_tasks_and_keeps_the_books)
{
	const struct snapshot *snapshot;

	estimate(0, 7, PROFILE, 100, 40);
	estimate(0, 7, PROFILE, 50, 0);
	estimate(1, 0, PROFILE, 30, 20);
	estimate(1, NOBODY, PROFILE, 3, 2);
	snapshot = model_close_interval(stage.model, 1000);
	assert_int_equal(task_count(snapshot, 7, stage.cycles), 150);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 40);
	assert_int_equal(snapshot->cpu_count, 2);
	assert_int_equal(snapshot->cpus[1].idle[stage.cycles], 30);
	assert_int_equal(snapshot->cpus[1].unattributed[stage.cycles], 3);
	assert_int_equal(find_task(snapshot, 7)->last_cpu, 0);
	assert_true(books_balance(snapshot));
	assert_int_equal(snapshot->lost_records, 0);
}

UNIT_TEST(estimate_of_no_cpu_is_the_tasks_alone)
{
	const struct snapshot *snapshot;

	estimate(RECORD_CPU_NONE, 7, PROFILE, 100, 40);
	estimate(RECORD_CPU_NONE, NOBODY, PROFILE, 100, 40);
	snapshot = model_close_interval(stage.model, 1000);
	assert_int_equal(task_count(snapshot, 7, stage.cycles), 100);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_RUN_NS), 40);
	assert_true(find_task(snapshot, 7)->has_run);
	assert_int_equal(snapshot->cpu_count, 0);
}

UNIT_TEST(estimate_of_a_group_that_is_read_is_not_believed)
{
	const struct snapshot *snapshot;

	estimate(0, 7, CLOCK_GROUP, 100, 0);
	estimate(0, 7, 99, 100, 0);
	feed(stage.model, reading(.group = PROFILE, .ns = 10));
	snapshot = model_close_interval(stage.model, 1000);
	assert_int_equal(snapshot->lost_records, 3);
	assert_int_equal(snapshot->cpu_count, 0);
}

UNIT_TEST(estimate_does_not_count_a_migration)
{
	const struct snapshot *snapshot;

	estimate(0, 7, PROFILE, 100, 40);
	estimate(1, 7, PROFILE, 100, 40);
	snapshot = model_close_interval(stage.model, 1000);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_MIGRATIONS), 0);
	assert_int_equal(find_task(snapshot, 7)->last_cpu, 1);
}

static struct metric_value rate_of(const struct snapshot *snapshot, int32_t tid, size_t event)
{
	return metrics_event_rate(&stage.layout, event, -1, find_task(snapshot, tid)->interval,
				  1000000000);
}

UNIT_TEST(estimate_is_marked_and_unknown_where_nothing_was_told)
{
	const struct snapshot *snapshot;

	estimate(0, 7, PROFILE, 100, 40);
	estimate(0, 8, OCCURRENCES, 1, 40);
	snapshot = model_close_interval(stage.model, 1000);
	assert_true(rate_of(snapshot, 7, 0).value == 100);
	assert_true(rate_of(snapshot, 7, 0).is_estimate);
	assert_false(rate_of(snapshot, 7, 0).is_scaled);
	assert_true(isnan(rate_of(snapshot, 8, 0).value));
	assert_false(rate_of(snapshot, 8, 0).is_estimate);
	/* each of these is told: none is none */
	assert_true(rate_of(snapshot, 8, 1).value == 1);
	assert_false(rate_of(snapshot, 8, 1).is_estimate);
	assert_true(rate_of(snapshot, 7, 1).value == 0);
}

UNIT_TEST(running_pct_of_what_is_told_is_unknown)
{
	uint64_t counts[64] = {0};

	counts[layout_kind_index(&stage.layout, 0)] = 1000;
	assert_true(isnan(metrics_running_pct(&stage.layout, 1, counts)));
}

UNIT_TEST(estimate_in_a_metric_marks_it)
{
	struct metric_set *set = metric_set_create();
	const struct metric_info *info;
	char message[FORMULA_ERROR_MAX];
	const struct snapshot *snapshot;
	struct metrics *metrics;
	size_t position;

	assert_true(metric_set_add(set, "mine = cycles / 2", &info, &position, message));
	assert_true(metric_set_add(set, "sure = faults * 2", &info, &position, message));
	stage.layout.estimated = 1u << QUANTITY_RUN_NS;
	metrics = metrics_create(&stage.layout, set);
	estimate(0, 7, PROFILE, 100, 40);
	snapshot = model_close_interval(stage.model, 1000);

	const uint64_t *counts = find_task(snapshot, 7)->interval;
	const size_t mine = (size_t)metrics_find(metrics, "mine");
	const size_t sure = (size_t)metrics_find(metrics, "sure");
	const size_t cpu = (size_t)metrics_find(metrics, "cpu_pct");
	assert_true(metrics_eval(metrics, mine, counts, 0, 1000).is_estimate);
	assert_false(metrics_eval(metrics, sure, counts, 0, 1000).is_estimate);
	assert_true(metrics_eval(metrics, cpu, counts, 0, 1000).is_estimate);
	metrics_destroy(metrics);
	metric_set_destroy(set);
}

UNIT_MAIN(set_up, tear_down)
