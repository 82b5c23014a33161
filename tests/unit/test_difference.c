/* Rows against a mark: which row is which, signs, and what only one of both has. */

#include "model/profile.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/difference.h"
#include "view/names.h"

#include "scene_kit.h"
#include "unit.h"

static struct snapshot *marked;

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	scene->request.metric_set = scene->world.metric_set;
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(*state);
	snapshot_destroy(marked);
	marked = NULL;
	return 0;
}

/* What there is becomes the mark, and tasks are begun anew. */
static void set_mark(struct scene *scene)
{
	snapshot_destroy(marked);
	marked = snapshot_copy(&scene->world.snapshot);
	scene->request.mark.snapshot = marked;
	scene->world.snapshot.task_count = 0;
}

UNIT_TEST_OF(difference_of_tasks_is_now_less_mark, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100, .total_ms = 500,
	     .counts = {.cycles = 100, .instructions = 200});
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 300, .total_ms = 500,
	     .counts = {.cycles = 100, .instructions = 100});
	set_mark(scene);
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 200, .total_ms = 800,
	     .counts = {.cycles = 200, .instructions = 100});
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 350, .total_ms = 850,
	     .counts = {.cycles = 100, .instructions = 250});
	assert_scene(scene, "tasks", "pid,cpu%,ipc,time",
		     "7 +25.0 +0.50 +0:00.35, 8 -10.0 -0.50 +0:00.30");
	assert_true(view_table_is_difference(scene->table, 1));
	scene->request.mark.snapshot = NULL;
	assert_scene(scene, "tasks", "pid,cpu%,ipc", "7 35.0 2.50, 8 20.0 0.50");
	assert_false(view_table_is_difference(scene->table, 1));
}

UNIT_TEST_OF(difference_to_itself_has_no_sign, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100,
	     .counts = {.cycles = 100, .instructions = 200});
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100,
	     .counts = {.cycles = 100, .instructions = 200});
	assert_scene(scene, "tasks", "pid,cpu%,ipc", "7 0.0 0.00");
}

/* An amount that is not there is 0, a ratio is nothing. The number was used again. */
UNIT_TEST_OF(difference_of_a_row_of_one_side_is_what_it_has, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .name = "old", .run_ms = 100,
	     .counts = {.cycles = 100, .instructions = 200});
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 71, .name = "new", .run_ms = 200,
	     .counts = {.cycles = 100, .instructions = 200});
	assert_scene(scene, "tasks", "pid,cpu%,ipc,command", "7 +20.0 - new, 7 -10.0 - old");
	assert_false(view_table_row(scene->table, 0)->is_gone);
	assert_true(view_table_row(scene->table, 1)->is_gone);
	assert_true(view_table_row(scene->table, 1)->is_exited);
}

/* It is not shown now, but it is there: its time has not gone. */
UNIT_TEST_OF(difference_of_a_task_that_is_idle_on_one_side, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100, .total_ms = 100);
	task(&scene->world, .pid = 8, .id = 80, .is_idle = true, .total_ms = 5000);
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .is_idle = true, .total_ms = 150);
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 100, .total_ms = 5100);
	assert_scene(scene, "tasks", "pid,cpu%,time", "8 +10.0 +0:00.10, 7 -10.0 +0:00.05");
	assert_false(view_table_row(scene->table, 1)->is_gone);
}

/* One that passes a filter on one side only is compared with what it was on the other. */
UNIT_TEST_OF(difference_of_rows_that_pass_a_filter_on_one_side, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100);
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 400);
	task(&scene->world, .pid = 9, .id = 90, .run_ms = 10);
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 300);
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 150);
	task(&scene->world, .pid = 9, .id = 90, .run_ms = 20);
	scene->request.filter = "cpu% > 20";
	assert_scene(scene, "tasks", "pid,cpu%", "7 +20.0, 8 -25.0");
}

UNIT_TEST_OF(difference_of_groups_and_cpus_is_by_what_they_are, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100);
	task(&scene->world, .pid = 8, .id = 80, .name = "nginx", .run_ms = 100);
	set_mark(scene);
	task(&scene->world, .pid = 9, .id = 90, .name = "nginx", .run_ms = 300);
	task(&scene->world, .pid = 10, .id = 100, .name = "nginx", .run_ms = 100);
	assert_scene(scene, "groups", "tasks,cpu%,group", "+1 +30.0 nginx, -1 -10.0 sh");
	assert_scene(scene, "cpus", "cpu,cpu%", "0 0.0, 1 0.0");
}

static struct function_name name_of(void *context, uint32_t number, uint64_t time_ns)
{
	static const char *const words[] = {"", "main", "hot", "cold", "hot"};

	return (struct function_name){
		.same_as = number, .function = words[number], .object = "program"};
}

/* Numbers are of a run; the function 4 is the 2 of before. */
UNIT_TEST_OF(difference_of_functions_is_in_points_by_name, struct scene *scene)
{
	static const struct function_names names = {.find = name_of};
	static struct profile_node nodes[] = {
		{0}, {.function = 1}, {.function = 2}, {.function = 3}, {.function = 4}};
	static struct profile_entry entries[3];
	static struct profile profile = {.nodes = nodes, .node_count = 5, .entries = entries};

	profile.entry_count = 3;
	entries[0] =
		(struct profile_entry){.pid = 7, .tid = 7, .node = 1, .samples = 50, .weight = 500};
	entries[1] =
		(struct profile_entry){.pid = 7, .tid = 7, .node = 2, .samples = 30, .weight = 300};
	entries[2] =
		(struct profile_entry){.pid = 7, .tid = 7, .node = 3, .samples = 20, .weight = 200};
	view_table_name_functions(scene->table, &names);
	scene->world.snapshot.profile = &profile;
	set_mark(scene);
	profile.entry_count = 2;
	entries[0].weight = 200;
	entries[1] =
		(struct profile_entry){.pid = 7, .tid = 7, .node = 4, .samples = 80, .weight = 800};
	assert_scene(scene, "functions", "self%,samples,function",
		     "+50.0 +50 hot, -20.0 -20 cold, -30.0 0 main");
}

/* Numbers are others there: the second of a name is the second of that name. */
UNIT_TEST_OF(difference_of_two_recordings_is_by_name, struct scene *scene)
{
	task(&scene->world, .pid = 30, .id = 3, .name = "nginx", .run_ms = 100);
	task(&scene->world, .pid = 20, .id = 2, .name = "nginx", .run_ms = 200);
	task(&scene->world, .pid = 10, .id = 1, .name = "sh", .run_ms = 50);
	set_mark(scene);
	scene->request.mark.session = &scene->world.session;
	task(&scene->world, .pid = 7, .id = 1, .name = "nginx", .run_ms = 500);
	task(&scene->world, .pid = 8, .id = 2, .name = "nginx", .run_ms = 0);
	task(&scene->world, .pid = 9, .id = 3, .name = "nginx", .run_ms = 40);
	assert_scene(scene, "tasks", "pid,cpu%,command",
		     "7 +30.0 nginx, 9 +4.0 nginx, 10 -5.0 sh, 8 -10.0 nginx");
}

UNIT_TEST_OF(difference_is_not_of_names_and_numbers, struct scene *scene)
{
	static const char *const amounts[] = {"cpu%", "ipc", "time", "sw/s", "self%"};
	static const char *const others[] = {"pid", "tid", "command", "user", "cpu", "trend"};

	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++)
		assert_true(cell_has_difference(columns_find(scene->world.columns, amounts[i])));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(cell_has_difference(columns_find(scene->world.columns, others[i])));
}

/* What was not counted there is not 0 there. */
UNIT_TEST_OF(difference_of_what_the_mark_did_not_count_is_unknown, struct scene *scene)
{
	static struct layout without_events;

	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100);
	set_mark(scene);
	columns_add_event(scene->world.columns, "cycles", "");
	without_events = *marked->layout;
	without_events.event_count = 0;
	marked->layout = &without_events;
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 100, .counts = {.cycles = 100});
	assert_scene(scene, "tasks", "pid,cpu%,cycles", "8 +10.0 -, 7 -10.0 -");
}

/* Nothing is shown as more or less of what cannot be found again. */
UNIT_TEST_OF(difference_of_what_has_no_rows_to_compare_is_refused, struct scene *scene)
{
	struct view_request *request = &scene->request;

	set_mark(scene);
	request->state.info = find_list("tasks");
	assert_null(difference_refusal(request));
	request->settings.tree = true;
	assert_non_null(difference_refusal(request));
	request->settings.tree = false;
	request->state.info = find_list("switches");
	assert_non_null(difference_refusal(request));
	request->state.info = find_list("memory");
	assert_non_null(difference_refusal(request));
	request->state.info = find_list("functions");
	assert_string_equal(difference_refusal(request), "nothing was sampled there");
	request->settings.calls = FUNCTIONS_LINES;
	assert_string_not_equal(difference_refusal(request), "nothing was sampled there");
}

UNIT_MAIN(set_up, tear_down)
