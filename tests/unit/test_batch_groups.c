/* Groups as programs read them: JSON and OpenMetrics. */

#include <jansson.h>

#include "batch/exposition.h"
#include "view/groups.h"

#include "batch_kit.h"
#include "unit.h"

static struct totals *totals; /* owned */

static struct scene *scene;

static int set_up(void **state)
{
	scene = scene_open();

	scene->request.extra_rows = true;
	totals = totals_create();
	task(&scene->world, .pid = 7, .name = "nginx", .uid = 0, .run_ms = 100,
	     .counts.cycles = 10);
	task(&scene->world, .pid = 8, .name = "nginx", .uid = 1000, .run_ms = 50,
	     .counts.cycles = 5);
	task(&scene->world, .pid = 9, .name = "sh", .uid = -1, .run_ms = 25, .is_new = true,
	     .is_exited = true);
	return 0;
}

static int tear_down(void **state)
{
	totals_destroy(totals);
	scene_close(scene);
	return 0;
}

static const char *write(const char *format, int grouping, size_t top)
{
	struct batch_input input = scene_input(scene, "groups");

	input.totals = totals;
	input.is_first = true;
	input.top = top;
	scene->request.settings.group_by = grouping;
	return scene_write(scene, format, &input);
}

UNIT_TEST(json_of_groups_is_exact)
{
	json_t *root = json_loads(write("json", 1, 0), 0, NULL);
	const json_t *groups = json_object_get(root, "groups");
	const json_t *first = json_array_get(groups, 0), *last = json_array_get(groups, 2);

	assert_null(json_object_get(root, "tasks"));
	assert_int_equal(json_array_size(groups), 3);
	assert_string_equal(json_string_value(json_object_get(first, "by")), "user");
	assert_string_equal(json_string_value(json_object_get(first, "group")), "root");
	assert_int_equal(json_integer_value(json_object_get(first, "tasks")), 1);
	assert_int_equal(json_integer_value(json_object_get(first, "run_ns")),
			 100 * WORLD_NS_PER_MS);
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(first, "counts"), "cycles")),
		10);
	assert_true(json_is_null(json_object_get(last, "group")));
	assert_int_equal(json_integer_value(json_object_get(last, "run_ns")), 25 * WORLD_NS_PER_MS);
	json_decref(root);
}

static void assert_has(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("no %s in\n%s", line, text);
}

UNIT_TEST(openmetrics_of_groups_only_grow)
{
	write("openmetrics", 0, 50);
	write("openmetrics", 0, 50);
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_run_seconds_total{by=\"command\",group=\"nginx\"} 0.3\n");
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_run_seconds_total{by=\"command\",group=\"sh\"} 0.05\n");
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_run_seconds_total{by=\"command\",group=\"rest\"} 0\n");
	assert_null(strstr(strbuf_text(&scene->out), "perftop_task_"));
}

UNIT_TEST(openmetrics_of_groups_are_bounded)
{
	write("openmetrics", 0, 1);
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_run_seconds_total{by=\"command\",group=\"nginx\"} 0.15\n");
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_run_seconds_total{by=\"command\",group=\"rest\"} 0.025\n");
	assert_null(strstr(strbuf_text(&scene->out), "group=\"sh\""));
}

/* What of a cgroup is not known has no sample; that of its parent limits it, too. */
UNIT_TEST(openmetrics_of_cgroups_has_limits_and_pressure)
{
	const struct snapshot_cgroup cgroups[] = {
		{.path = "/a",
		 .span_ns = 1000 * WORLD_NS_PER_MS,
		 .known = 1u << STALL_THROTTLED | STALL_HAS_CPU_STAT,
		 .interval[STALL_THROTTLED] = 250000},
		{.path = "/a/web",
		 .span_ns = 1000 * WORLD_NS_PER_MS,
		 .known = 1u << STALL_CPU_SOME | STALL_HAS_CPU_STAT,
		 .interval[STALL_CPU_SOME] = 500000},
	};

	scene->world.snapshot.cgroups = cgroups;
	scene->world.snapshot.cgroup_count = COUNT_OF(cgroups);
	scene->world.tasks[0].cgroup = "/a/web";
	scene_choose(scene, "throttled%,psi-cpu,psi-mem");
	write("openmetrics", 2, 50);
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_throttled_ratio{by=\"cgroup\",group=\"/a/web\"} 0.25\n");
	assert_has(strbuf_text(&scene->out),
		   "perftop_group_pressure_cpu_ratio{by=\"cgroup\",group=\"/a/web\"} 0.5\n");
	assert_null(strstr(strbuf_text(&scene->out), "pressure_memory"));
	assert_null(strstr(strbuf_text(&scene->out),
			   "throttled_ratio{by=\"cgroup\",group=\"(unknown)"));
}

UNIT_TEST(csv_of_groups_has_their_names)
{
	const char *text = write("csv", 0, 0);

	assert_has(text, ",group\n");
	assert_has(text, ",nginx\n");
	assert_has(text, ",unaccounted\n");
	assert_has(text, ",idle\n");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
