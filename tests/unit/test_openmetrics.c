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

/* clang-format off */
#define NGINX {{.pid = 4711, .name = "nginx", .run_ms = 400, .counts = {.cycles = 1000000, .instructions = 2500000, .references = 1000, .misses = 333, .switches = 7, .preemptions = 2, .migrations = 1}}}
#define OF_NGINX "{pid=\"4711\",command=\"nginx\"}"
#define REST "{pid=\"rest\",command=\"rest\"}"

/* An interval each, and what is written of it. */
static const struct {
	const char *name; /* NULL: it follows that before */
	struct task_spec tasks[5];
	struct {
		const char *series; /* behind "perftop_task_" */
		double value;       /* NAN: there is none that begins so */
	} samples[10];
	const char *sort;
	size_t top, run_times; /* of how many series there is run time; 0: any */
	bool threads;
} cases[] = {
	{"totals and metrics", NGINX, .samples = {{"run_seconds_total" OF_NGINX, 0.4}}},
	{NULL, NGINX,
	 .samples = {{"run_seconds_total" OF_NGINX, 0.8}, {"switches_total" OF_NGINX, 14}, {"preemptions_total" OF_NGINX, 4}, {"migrations_total" OF_NGINX, 2},
	  {"events_total{pid=\"4711\",command=\"nginx\",event=\"cache-misses\"}", 666}, {"ipc" OF_NGINX, 2.5}, {"miss_ratio" OF_NGINX, 0.333}, {"cpu_ratio" OF_NGINX, 0.4},
	  {"frequency_hertz" OF_NGINX, 2.5e6}, {"run_seconds_total" REST, 0}}},
	{"no rates", NGINX, .samples = {{"switches_s", NAN}}},
	{"those beyond the first are summed up", {{.pid = 1, .name = "t", .run_ms = 10}, {.pid = 2, .name = "t", .run_ms = 20}, {.pid = 3, .name = "t", .run_ms = 30}, {.pid = 4, .name = "t", .run_ms = 40}, {.pid = 5, .name = "t", .run_ms = 50}},
	 {{"run_seconds_total{pid=\"5\",command=\"t\"}", 0.05}, {"run_seconds_total{pid=\"4\",command=\"t\"}", 0.04}, {"run_seconds_total" REST, 0.06}}, .top = 2, .run_times = 3},
	{"ranked by the column that was asked for", {{.pid = 1, .name = "busy", .run_ms = 500, .counts = {.switches = 1}}, {.pid = 2, .name = "flip", .run_ms = 5, .counts = {.switches = 900}}},
	 {{"switches_total{pid=\"2\",command=\"flip\"}", 900}, {"switches_total" REST, 1}}, .sort = "sw/s", .top = 1},
	{"no series for who came and went", {{.pid = 1, .name = "new", .run_ms = 5, .is_new = true}, {.pid = 2, .name = "gone", .run_ms = 6, .is_exited = true}, {.pid = 3, .name = "held", .run_ms = 7, .is_exited = true, .is_held = true}},
	 {{"run_seconds_total" REST, 0.011}}, .run_times = 1},
	{"a task that ends", {{.pid = 2, .name = "job", .run_ms = 6}}, .samples = {{"run_seconds_total{pid=\"2\",command=\"job\"}", 0.006}}},
	{NULL, {{.pid = 2, .name = "job", .run_ms = 4, .is_exited = true}}, .samples = {{"run_seconds_total{pid=\"2\",command=\"job\"}", 0.01}}},
	{NULL, {{0}}, .samples = {{"run_seconds_total{pid=\"2\"", NAN}}},
	{"one that sleeps", {{.pid = 2, .name = "job", .run_ms = 6}}, .samples = {{"run_seconds_total{pid=\"2\",command=\"job\"}", 0.006}}},
	{NULL, {{.pid = 2, .name = "job", .is_idle = true}}, .samples = {{"run_seconds_total{pid=\"2\",command=\"job\"}", 0.006}, {"cpu_ratio{pid=\"2\"", NAN}}},
	{"a pid that is used again", {{.pid = 2, .id = 1, .name = "a", .run_ms = 60}}, .samples = {{"run_seconds_total{pid=\"2\",command=\"a\"}", 0.06}}},
	{NULL, {{.pid = 2, .id = 9, .name = "a", .run_ms = 5, .is_new = true}}, .samples = {{"run_seconds_total" REST, 0.005}}},
	{NULL, {{.pid = 2, .id = 9, .name = "a", .run_ms = 3}}, .samples = {{"run_seconds_total{pid=\"2\",command=\"a\"}", 0.003}}},
	{"threads", {{.pid = 7, .name = "java", .run_ms = 1}, {.pid = 7, .tid = 8, .name = "GC", .run_ms = 2}},
	 {{"run_seconds_total{pid=\"7\",tid=\"8\",command=\"GC\"}", 0.002}, {"run_seconds_total{pid=\"rest\",tid=\"rest\",command=\"rest\"}", 0}}, .threads = true},
};
/* clang-format on */

UNIT_TEST(openmetrics_of_tasks_is_as_expected)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		if (cases[i].name) {
			begin_case(cases[i].name);
			tear_down(NULL);
			set_up(NULL);
		}
		if (cases[i].top > 0)
			exposed.top = cases[i].top;
		if (cases[i].sort)
			scene->request.state.order.sort =
				columns_find(scene->world.columns, cases[i].sort);
		scene->request.settings.threads = cases[i].threads;
		for (size_t j = 0; j < 5 && cases[i].tasks[j].pid > 0; j++)
			world_add(&scene->world, cases[i].tasks[j]);
		close_interval("tasks");
		for (size_t j = 0; j < 10 && cases[i].samples[j].series; j++) {
			char series[128];

			snprintf(series, sizeof(series), "perftop_task_%s",
				 cases[i].samples[j].series);
			if (isnan(cases[i].samples[j].value))
				assert_absent(series);
			else
				assert_value(series, cases[i].samples[j].value);
		}
		if (cases[i].run_times > 0)
			assert_int_equal(
				read_count(&exposed.reading, "perftop_task_run_seconds_total"),
				cases[i].run_times);
	}
}

UNIT_TEST(openmetrics_of_some_tasks_have_what_is_unattributed)
{
	for (int i = 0; i < 2; i++) {
		scene->world.snapshot.unattributed = scene->world.snapshot.unattributed_total =
			world_vector(&scene->world, (struct counts_spec){.run_ms = 500});
		close_interval("tasks");
	}
	assert_value("perftop_unattributed_seconds_total", 1);
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
	scene->request.state.columns = scene->columns;
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

UNIT_TEST(openmetrics_of_quantities_unknown_in_the_interval_has_no_sample)
{
	scene->world.snapshot.unknown = LAYOUT_SMT | 1u << QUANTITY_UNINTERRUPTIBLE_NS;
	task(&scene->world, .pid = 12, .name = "x", .run_ms = 3);
	close_interval("tasks");

	assert_absent("perftop_smt_");
	assert_absent("perftop_uninterruptible_");
	assert_absent("perftop_task_smt_");
	assert_absent("perftop_task_uninterruptible_");
	assert_absent("perftop_cpu_uninterruptible_");
	assert_value("perftop_task_run_seconds_total{pid=\"12\",command=\"x\"}", 0.003);
}

UNIT_TEST(openmetrics_of_a_foreign_recording_invents_nothing)
{
	scene->world.session.wall_offset_ns = INT64_MIN / 2;
	scene->world.session.unknown = 1u << QUANTITY_RUN_NS;
	scene->world.snapshot.own = (struct own_usage){0};
	close_interval("tasks");

	assert_absent("perftop_start_time_seconds");
	assert_absent("perftop_own_");
	assert_absent("perftop_cpu_seconds_total");
	assert_absent("perftop_cpu_unattributed_seconds_total");
}

UNIT_TEST(openmetrics_of_readings_is_what_they_cost_so_far)
{
	close_interval("tasks");
	assert_absent("perftop_switch_cost_");
	assert_absent("perftop_readings_");

	scene->world.snapshot.own.switch_ns = 1250;
	scene->world.snapshot.own.readings_ns = 5000000;
	close_interval("tasks");
	close_interval("tasks");
	assert_value("perftop_switch_cost_seconds", 0.00000125);
	assert_value("perftop_readings_cpu_seconds_total", 0.01);
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
