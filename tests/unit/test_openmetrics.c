/* OpenMetrics of what is now: tasks and CPUs, from interval to interval. */

#include "openmetrics_kit.h"
#include "unit.h"

enum {
	CPU_VECTORS = 6
};

static struct scene *scene;

static int set_up(void **state)
{
	scene = exposed_open();
	return 0;
}

static int tear_down(void **state)
{
	exposed_close(scene);
	return 0;
}

/* Ends the interval: its exposition is in exposed.reading, and the next has no tasks yet. */
static void close_interval(const char *view)
{
	struct world *world = &scene->world;
	const struct batch_input input = exposed_input(scene, view);

	exposed_write(scene, &input);
	memset(world->vectors[CPU_VECTORS], 0,
	       (WORLD_VECTORS - CPU_VECTORS) * sizeof(world->vectors[0]));
	world->vector_count = CPU_VECTORS;
	world->snapshot.task_count = 0;
}

static void assert_absent(const char *beginning)
{
	assert_int_equal(read_count(&exposed.reading, beginning), 0);
}

UNIT_TEST(openmetrics_of_tasks_has_their_totals_and_metrics)
{
	for (int i = 1; i <= 2; i++) {
		task(&scene->world, .pid = 4711, .name = "nginx", .run_ms = 400,
		     .counts = {.cycles = 1000000,
				.instructions = 2500000,
				.references = 1000,
				.misses = 333,
				.switches = 7,
				.preemptions = 2,
				.migrations = 1});
		close_interval("tasks");
	}

	assert_value("perftop_task_run_seconds_total{pid=\"4711\",command=\"nginx\"}", 0.8);
	assert_value("perftop_task_switches_total{pid=\"4711\",command=\"nginx\"}", 14);
	assert_value("perftop_task_preemptions_total{pid=\"4711\",command=\"nginx\"}", 4);
	assert_value("perftop_task_migrations_total{pid=\"4711\",command=\"nginx\"}", 2);
	assert_value(
		"perftop_task_events_total{pid=\"4711\",command=\"nginx\",event=\"cache-misses\"}",
		666);
	assert_value("perftop_task_ipc{pid=\"4711\",command=\"nginx\"}", 2.5);
	assert_value("perftop_task_miss_ratio{pid=\"4711\",command=\"nginx\"}", 0.333);
	assert_value("perftop_task_cpu_ratio{pid=\"4711\",command=\"nginx\"}", 0.4);
	assert_value("perftop_task_frequency_hertz{pid=\"4711\",command=\"nginx\"}", 2.5e6);
	assert_value("perftop_task_run_seconds_total{pid=\"rest\",command=\"rest\"}", 0);
	assert_absent("perftop_task_switches_s");
}

UNIT_TEST(openmetrics_of_cpus_adds_intervals_up)
{
	for (int i = 0; i < 3; i++)
		close_interval("cpus");

	assert_value("perftop_cpu_seconds_total{cpu=\"1\",mode=\"busy\"}", 1.5);
	assert_value("perftop_cpu_seconds_total{cpu=\"1\",mode=\"idle\"}", 1.5);
	assert_value("perftop_cpu_unattributed_seconds_total{cpu=\"0\"}", 0);
	assert_value("perftop_cpu_switches_total{cpu=\"0\"}", 300);
	assert_value("perftop_cpu_events_total{cpu=\"0\",event=\"cycles\"}", 6e6);
	assert_value("perftop_cpu_ipc{cpu=\"0\"}", 0.5);
	assert_value("perftop_events_total{event=\"cache-misses\"}", 12000);
	assert_value("perftop_run_seconds_total", 3);
	assert_value("perftop_interval_seconds", 1);
	assert_value("perftop_attributed_ratio", 1);
	assert_absent("perftop_task_");
}

UNIT_TEST(openmetrics_keeps_the_sum_of_a_cpu_that_was_away)
{
	close_interval("cpus");
	scene->world.snapshot.cpu_count = 1;
	close_interval("cpus");
	assert_value("perftop_cpu_seconds_total{cpu=\"1\",mode=\"idle\"}", 0.5);
	scene->world.snapshot.cpu_count = 2;
	close_interval("cpus");

	assert_value("perftop_cpu_seconds_total{cpu=\"1\",mode=\"idle\"}", 1.0);
	assert_value("perftop_cpu_seconds_total{cpu=\"0\",mode=\"idle\"}", 1.5);
}

UNIT_TEST(openmetrics_sums_up_those_beyond_the_first)
{
	exposed.top = 2;
	for (int pid = 1; pid <= 5; pid++)
		task(&scene->world, .pid = pid, .name = "t", .run_ms = 10 * (uint64_t)pid);
	close_interval("tasks");

	assert_value("perftop_task_run_seconds_total{pid=\"5\",command=\"t\"}", 0.05);
	assert_value("perftop_task_run_seconds_total{pid=\"4\",command=\"t\"}", 0.04);
	assert_value("perftop_task_run_seconds_total{pid=\"rest\",command=\"rest\"}", 0.06);
	assert_int_equal(read_count(&exposed.reading, "perftop_task_run_seconds_total"), 3);
}

UNIT_TEST(openmetrics_ranks_by_the_column_that_was_asked_for)
{
	exposed.top = 1;
	scene->settings.sort = columns_find(scene->world.columns, "sw/s");
	task(&scene->world, .pid = 1, .name = "busy", .run_ms = 500, .counts = {.switches = 1});
	task(&scene->world, .pid = 2, .name = "flip", .run_ms = 5, .counts = {.switches = 900});
	close_interval("tasks");

	assert_value("perftop_task_switches_total{pid=\"2\",command=\"flip\"}", 900);
	assert_value("perftop_task_switches_total{pid=\"rest\",command=\"rest\"}", 1);
}

/* Whoever is told apart, the sums are those of all, and none goes back. */
UNIT_TEST(openmetrics_of_changing_tasks_never_goes_back)
{
	uint64_t random = 12345;
	double before[9] = {0}, rest_before = 0, all = 0;

	exposed.top = 3;
	for (int interval = 0; interval < 200; interval++) {
		double sum = 0, rest;

		for (int pid = 1; pid <= 8; pid++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			if (random >> 62 == 0)
				continue; /* sleeps */
			task(&scene->world, .pid = pid, .name = "t", .run_ms = random >> 55);
			all += (double)(random >> 55) / 1000;
		}
		for (int pid = 1; pid <= 8; pid++)
			if (scene->world.snapshot.task_count < WORLD_TASKS)
				task(&scene->world, .pid = pid, .tid = 100 + pid, .is_idle = true);
		close_interval("tasks");
		rest = read_value(&exposed.reading,
				  "perftop_task_run_seconds_total{pid=\"rest\",command=\"rest\"}");
		assert_true(rest >= rest_before);
		rest_before = sum = rest;
		for (int pid = 1; pid <= 8; pid++) {
			char series[96];
			double value;

			snprintf(series, sizeof(series),
				 "perftop_task_run_seconds_total{pid=\"%d\",command=\"t\"}", pid);
			value = read_value(&exposed.reading, series);
			if (!isnan(value)) {
				assert_true(value >= before[pid]);
				before[pid] = value;
			}
			sum += before[pid];
		}
		assert_true(fabs(sum - all) < 1e-6);
		assert_true(read_count(&exposed.reading, "perftop_task_run_seconds_total") <= 4);
	}
}

UNIT_TEST(openmetrics_gives_no_series_to_who_came_and_went)
{
	task(&scene->world, .pid = 1, .name = "new", .run_ms = 5, .is_new = true);
	task(&scene->world, .pid = 2, .name = "gone", .run_ms = 6, .is_exited = true);
	task(&scene->world, .pid = 3, .name = "held", .run_ms = 7, .is_exited = true,
	     .is_held = true);
	close_interval("tasks");

	assert_value("perftop_task_run_seconds_total{pid=\"rest\",command=\"rest\"}", 0.011);
	assert_int_equal(read_count(&exposed.reading, "perftop_task_run_seconds_total"), 1);
}

UNIT_TEST(openmetrics_of_a_task_ends_after_the_interval_of_its_end)
{
	task(&scene->world, .pid = 2, .name = "job", .run_ms = 6);
	close_interval("tasks");
	task(&scene->world, .pid = 2, .name = "job", .run_ms = 4, .is_exited = true);
	close_interval("tasks");
	assert_value("perftop_task_run_seconds_total{pid=\"2\",command=\"job\"}", 0.01);
	close_interval("tasks");
	assert_absent("perftop_task_run_seconds_total{pid=\"2\"");
}

UNIT_TEST(openmetrics_of_a_sleeping_task_stays)
{
	task(&scene->world, .pid = 2, .name = "job", .run_ms = 6);
	close_interval("tasks");
	task(&scene->world, .pid = 2, .name = "job", .is_idle = true);
	close_interval("tasks");

	assert_value("perftop_task_run_seconds_total{pid=\"2\",command=\"job\"}", 0.006);
	assert_absent("perftop_task_cpu_ratio{pid=\"2\"");
}

UNIT_TEST(openmetrics_of_a_pid_that_is_used_again_begins_anew)
{
	task(&scene->world, .pid = 2, .id = 1, .name = "a", .run_ms = 60);
	close_interval("tasks");
	task(&scene->world, .pid = 2, .id = 9, .name = "a", .run_ms = 5, .is_new = true);
	close_interval("tasks");
	assert_value("perftop_task_run_seconds_total{pid=\"rest\",command=\"rest\"}", 0.005);
	task(&scene->world, .pid = 2, .id = 9, .name = "a", .run_ms = 3);
	close_interval("tasks");

	assert_value("perftop_task_run_seconds_total{pid=\"2\",command=\"a\"}", 0.003);
}

UNIT_TEST(openmetrics_of_threads_tells_them_apart)
{
	scene->settings.threads = true;
	task(&scene->world, .pid = 7, .tid = 7, .name = "java", .run_ms = 1);
	task(&scene->world, .pid = 7, .tid = 8, .name = "GC", .run_ms = 2);
	close_interval("tasks");

	assert_value("perftop_task_run_seconds_total{pid=\"7\",tid=\"8\",command=\"GC\"}", 0.002);
	assert_value("perftop_task_run_seconds_total{pid=\"rest\",tid=\"rest\",command=\"rest\"}",
		     0);
}

UNIT_TEST(openmetrics_of_any_name_is_read_back)
{
	for (int first = 1; first < 256; first += 5) {
		char name[TASK_NAME_MAX] = "a";

		for (int i = 0; i < 5 && first + i < 256; i++)
			name[i + 1] = (char)(first + i);
		task(&scene->world, .pid = 12, .name = name, .run_ms = 3);
		close_interval("tasks");
		assert_int_equal(
			read_count(&exposed.reading, "perftop_task_run_seconds_total{pid=\"12\""),
			1);
	}
	task(&scene->world, .pid = 13, .name = "q\"b\\c\nd\xff", .run_ms = 3);
	close_interval("tasks");
	assert_value(
		"perftop_task_run_seconds_total{pid=\"13\",command=\"q\\\"b\\\\c\\\\x0Ad\\\\xFF\"}",
		0.003);
}

UNIT_TEST(openmetrics_of_hostile_events_and_metrics_is_read_back)
{
	const struct metric_info *info;
	char message[FORMULA_ERROR_MAX];
	size_t position;

	snprintf(scene->world.layout.events[0].name, EVENT_NAME_MAX, "uprobe:/a\"\n\\b:f");
	snprintf(scene->world.layout.events[1].reason, EVENT_REASON_MAX, "because \"\n\xc3");
	assert_true(metric_set_add(scene->world.metric_set, "a/b = switches; unit x\"y", &info,
				   &position, message));
	assert_true(metric_set_add(scene->world.metric_set, "a_b = 2 * switches", &info, &position,
				   message));
	world_bind(&scene->world);
	world_choose(&scene->world, "pid,a/b,a_b", &scene->columns);
	scene->settings.columns = &scene->columns;
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 3, .counts = {.switches = 4});
	close_interval("tasks");

	assert_value("perftop_task_metric{pid=\"12\",command=\"x\",metric=\"a/b\",unit=\"x\\\"y\"}",
		     4);
	assert_value("perftop_task_metric{pid=\"12\",command=\"x\",metric=\"a_b\",unit=\"\"}", 8);
}

UNIT_TEST(openmetrics_of_what_is_not_counted_says_why_and_has_no_counter)
{
	struct event *cycles = &scene->world.layout.events[CYCLES];

	cycles->state = EVENT_UNSUPPORTED;
	snprintf(cycles->reason, sizeof(cycles->reason), "no PMU");
	scene->world.layout.events[BRANCH_MISSES].is_removed = true;
	scene->world.layout.events[PAGE_FAULTS].is_estimate = true;
	world_bind(&scene->world);
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 3, .counts = {.instructions = 4});
	close_interval("tasks");

	assert_value(
		"perftop_event_info{event=\"cycles\",state=\"unsupported\",unit=\"\",reason=\"no "
		"PMU\",estimate=\"false\"}",
		1);
	assert_value(
		"perftop_event_info{event=\"page-faults\",state=\"counting\",unit=\"\",reason=\"\","
		"estimate=\"true\"}",
		1);
	assert_absent("perftop_events_total{event=\"cycles\"}");
	assert_absent("perftop_task_ipc");
	assert_null(strstr(strbuf_text(&scene->out), "branch-misses"));
}

UNIT_TEST(openmetrics_of_an_event_that_took_turns_is_scaled_by_interval)
{
	scene->world.layout.events[CYCLES].state = EVENT_MULTIPLEXED;
	world_bind(&scene->world);
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 100,
	     .counts = {.cycles = 1000, .counting_ms = 25});
	close_interval("tasks");
	assert_value("perftop_task_events_total{pid=\"12\",command=\"x\",event=\"cycles\"}", 4000);
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 100,
	     .counts = {.cycles = 1000, .counting_ms = 100});
	close_interval("tasks");

	assert_value("perftop_task_events_total{pid=\"12\",command=\"x\",event=\"cycles\"}", 5000);
}

UNIT_TEST(openmetrics_of_unknown_quantities_has_no_sample)
{
	scene->world.session.unknown = 1u << QUANTITY_QUEUED_NS;
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 3, .unknown = 1u << QUANTITY_SWITCHES,
	     .counts = {.switches = 4});
	task(&scene->world, .pid = 13, .name = "y", .run_ms = 3, .counts = {.switches = 4});
	close_interval("tasks");

	assert_absent("perftop_task_switches_total{pid=\"12\"");
	assert_value("perftop_task_switches_total{pid=\"13\",command=\"y\"}", 4);
	assert_absent("perftop_task_queued_seconds_total");
	assert_absent("perftop_queued_seconds_total");
}

UNIT_TEST(openmetrics_of_a_foreign_recording_invents_nothing)
{
	scene->world.session.wall_offset_ns = INT64_MIN / 2;
	scene->world.snapshot.own = (struct own_usage){0};
	close_interval("tasks");

	assert_absent("perftop_start_time_seconds");
	assert_absent("perftop_own_");
}

UNIT_TEST(openmetrics_of_tasks_alone_has_their_sum)
{
	scene->world.snapshot.cpus = NULL;
	scene->world.snapshot.cpu_count = 0;
	scene->world.session.scope = SCOPE_TASKS;
	exposed.top = 1;
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 3, .counts = {.cycles = 10});
	task(&scene->world, .pid = 13, .name = "y", .run_ms = 4, .counts = {.cycles = 10});
	close_interval("tasks");

	assert_value("perftop_run_seconds_total", 0.007);
	assert_value("perftop_events_total{event=\"cycles\"}", 20);
	assert_absent("perftop_cpu_");
	task(&scene->world, .pid = 13, .name = "y", .run_ms = 4,
	     .unknown = 1u << QUANTITY_SWITCHES);
	close_interval("tasks");
	assert_absent("perftop_switches_total");
	assert_value("perftop_run_seconds_total", 0.011);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
