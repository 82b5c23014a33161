/* Rows against a mark: which row is which, signs, and what only one of both has. */

#include "model/profile.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/difference.h"
#include "view/names.h"
#include "view/tree.h"

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

/* What is shown is before the mark: the task is yet to begin. */
UNIT_TEST_OF(difference_to_a_later_mark_has_no_ended_tasks, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .name = "new", .run_ms = 100);
	set_mark(scene);
	marked->time_ns = scene->world.snapshot.time_ns + 1;
	assert_scene(scene, "tasks", "pid,cpu%,command", "7 -10.0 new");
	assert_true(view_table_row(scene->table, 0)->is_gone);
	assert_false(view_table_row(scene->table, 0)->is_exited);
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
		.same_as = number, .whole = number, .function = words[number], .object = "program"};
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
	assert_scene(scene, "functions", "self%,samples,branch-times,function",
		     "+50.0 - - hot, -20.0 - - cold, -30.0 - - main");
}

/* All samples are of the function; names: of both times. */
static struct profile *sample_functions(struct scene *scene, const struct function_names *names,
					const uint32_t *functions, const uint64_t *weights,
					size_t count)
{
	static struct profile_node nodes[8];
	static struct profile_entry entries[8];
	static struct profile profile = {.nodes = nodes, .node_count = 8, .entries = entries};

	profile.entry_count = count;
	for (uint32_t i = 0; i < count; i++) {
		nodes[i + 1] = (struct profile_node){.function = functions[i]};
		entries[i] = (struct profile_entry){
			.pid = 7, .tid = 7, .node = i + 1, .samples = 1, .weight = weights[i]};
	}
	view_table_name_functions(scene->table, names);
	scene->world.snapshot.profile = &profile;
	return &profile;
}

static const struct function_names two_hot = {.find = name_of};

/* Two functions are called hot, 2 and 4, of which the mark has the second only. */
UNIT_TEST_OF(difference_of_functions_that_share_a_name_is_by_their_numbers, struct scene *scene)
{
	sample_functions(scene, &two_hot, (const uint32_t[]){1, 4}, (const uint64_t[]){90, 10}, 2);
	set_mark(scene);
	sample_functions(scene, &two_hot, (const uint32_t[]){1, 2, 4},
			 (const uint64_t[]){50, 38, 12}, 3);
	assert_scene(scene, "functions", "self%,function", "+38.0 hot, +2.0 hot, -40.0 main");
}

/* Those of a name that have other numbers are the first and the second of it. */
UNIT_TEST_OF(difference_of_functions_of_two_recordings_is_by_place_in_their_name,
	     struct scene *scene)
{
	sample_functions(scene, &two_hot, (const uint32_t[]){2, 4}, (const uint64_t[]){70, 30}, 2);
	set_mark(scene);
	scene->request.mark.session = &scene->world.session;
	scene->request.mark.names = &two_hot;
	sample_functions(scene, &two_hot, (const uint32_t[]){4, 1}, (const uint64_t[]){60, 40}, 2);
	assert_scene(scene, "functions", "self%,function", "+40.0 main, -10.0 hot, -30.0 hot");
}

/* Of the same lines, in other folders and with other numbers; the function 3 has none. */
static struct function_name line_of(void *context, uint32_t number, uint64_t time_ns)
{
	static const struct function_name lines[] = {
		{.file = "/old/a.c", .source = "a.c:1", .line = 1},
		{.file = "/old/a.c", .source = "a.c:2", .line = 2},
		{.file = "/new/a.c", .source = "a.c:2", .line = 2},
		{.file = "/new/a.c", .source = "a.c:1", .line = 1},
	};
	struct function_name name =
		number < 10 ? name_of(context, number, time_ns) : lines[number - 10];

	name.same_as = number;
	name.whole = number < 10 ? number : 2;
	name.function = number < 10 ? name.function : "hot";
	name.object = "program";
	return name;
}

UNIT_TEST_OF(difference_of_lines_is_by_file_line_and_function, struct scene *scene)
{
	static const struct function_names names = {.find = line_of};
	const char *columns = "self%,line,function";

	scene->request.settings.calls = scene->form = FUNCTIONS_LINES;
	sample_functions(scene, &names, (const uint32_t[]){10, 11}, (const uint64_t[]){60, 40}, 2);
	set_mark(scene);
	sample_functions(scene, &names, (const uint32_t[]){11, 10, 3},
			 (const uint64_t[]){50, 30, 20}, 3);
	assert_scene(scene, "functions", columns, "+20.0 - cold, +10.0 a.c:2 hot, -30.0 a.c:1 hot");
	scene->request.mark.session = &scene->world.session;
	scene->request.mark.names = &names;
	sample_functions(scene, &names, (const uint32_t[]){12, 13, 3},
			 (const uint64_t[]){50, 30, 20}, 3);
	assert_scene(scene, "functions", columns, "+20.0 - cold, +10.0 a.c:2 hot, -30.0 a.c:1 hot");
}

static void sample_threads(struct scene *scene, const int32_t *tids, const uint64_t *weights,
			   size_t count)
{
	struct profile *profile =
		sample_functions(scene, &two_hot, (const uint32_t[]){1, 1, 1, 1}, weights, count);

	for (size_t i = 0; i < count; i++)
		profile->entries[i].tid = tids[i];
}

/* Those of one run by number, whether it is known what they are called; of another run by name. */
UNIT_TEST_OF(difference_of_threads_is_by_number_or_name, struct scene *scene)
{
	scene->request.settings.calls = scene->form = FUNCTIONS_THREADS;
	task(&scene->world, .pid = 7, .tid = 7, .id = 70, .name = "worker", .run_ms = 100);
	task(&scene->world, .pid = 7, .tid = 8, .id = 80, .name = "logger", .run_ms = 100);
	sample_threads(scene, (const int32_t[]){7, 8, 9}, (const uint64_t[]){50, 30, 20}, 3);
	set_mark(scene);
	task(&scene->world, .pid = 7, .tid = 7, .id = 70, .name = "logger", .run_ms = 100);
	task(&scene->world, .pid = 7, .tid = 8, .id = 80, .name = "worker", .run_ms = 100);
	sample_threads(scene, (const int32_t[]){7, 8, 9}, (const uint64_t[]){40, 50, 10}, 3);
	assert_scene(scene, "functions", "self%,tid,command",
		     "+20.0 8 worker, -10.0 7 logger, -10.0 9 -");
	scene->request.mark.session = &scene->world.session;
	scene->request.mark.names = &two_hot;
	assert_scene(scene, "functions", "self%,tid,command",
		     "+10.0 7 logger, +10.0 9 -, 0.0 8 worker, -20.0 9 -");
}

/* The function 4 is not known. */
static struct function_name start_of(void *context, uint32_t number, uint64_t time_ns)
{
	struct function_name name = name_of(context, number, time_ns);

	name.start = number < 4 ? 0x100 * number : 0;
	return name;
}

static const struct function_names starts = {.find = start_of};

/* Each leads from `from` in main to the start of another function, and is mispredicted once. */
struct made_branch {
	uint64_t from;
	uint32_t to, times;
};

static void sample_branches(struct scene *scene, const struct made_branch *branches, size_t count)
{
	static struct profile_node nodes[9];
	static struct profile_entry entries[4];
	static struct profile profile = {.nodes = nodes, .node_count = 9, .entries = entries};

	profile.entry_count = count;
	for (uint32_t i = 0; i < count; i++) {
		nodes[2 * i + 1] = (struct profile_node){.function = 1, .at = branches[i].from};
		nodes[2 * i + 2] =
			(struct profile_node){.function = branches[i].to, .parent = 2 * i + 1};
		entries[i] = (struct profile_entry){
			.pid = 7,
			.tid = 7,
			.node = 2 * i + 2,
			.at = 0x100 * branches[i].to,
			.kind = SAMPLE_BRANCH,
			.samples = branches[i].times,
			.weight = 1,
			.branch.is_predictable = true,
		};
	}
	view_table_name_functions(scene->table, &starts);
	scene->world.snapshot.profile = &profile;
}

/* Of two recordings one is the same if it is known where in a function it begins and ends. */
UNIT_TEST_OF(difference_of_branches_is_by_where_they_begin_and_end, struct scene *scene)
{
	static const char columns[] =
		"mispredicted,branch-times,mispredicted%,branch-times%,branch-from,branch-to";

	scene->request.settings.calls = scene->form = FUNCTIONS_BRANCHES;
	sample_branches(scene,
			(const struct made_branch[]){
				{0x110, 2, 50}, {0x120, 2, 20}, {0x110, 3, 10}, {0x110, 4, 20}},
			4);
	set_mark(scene);
	sample_branches(scene,
			(const struct made_branch[]){
				{0x110, 4, 50}, {0x120, 2, 26}, {0x110, 2, 20}, {0x130, 4, 4}},
			4);
	assert_scene(scene, "functions", columns,
		     "- - -3.0 +30.0 main+0x10 hot, - - -1.2 +6.0 main+0x20 hot, "
		     "- - - +4.0 main+0x30 hot, - - - -10.0 main+0x10 cold, "
		     "- - +3.0 -30.0 main+0x10 hot");
	scene->request.mark.session = &scene->world.session;
	scene->request.mark.names = &starts;
	assert_scene(scene, "functions", columns,
		     "- - - +50.0 main+0x10 hot, - - -1.2 +6.0 main+0x20 hot, "
		     "- - - +4.0 main+0x30 hot, - - - -10.0 main+0x10 cold, "
		     "- - - -20.0 main+0x10 hot, - - +3.0 -30.0 main+0x10 hot");
}

/* main calls hot and cold, and then hot alone: it is below the same way. */
UNIT_TEST_OF(difference_of_calls_is_by_the_way_to_them, struct scene *scene)
{
	static struct profile_node nodes[] = {{0}, {.function = 1}, {1, 2, 0}, {1, 3, 0}};
	static struct profile_entry entries[2];
	static struct profile profile = {.nodes = nodes, .node_count = 4, .entries = entries};

	profile.entry_count = 2;
	entries[0] = (struct profile_entry){.pid = 7, .tid = 7, .node = 2, .weight = 25};
	entries[1] = (struct profile_entry){.pid = 7, .tid = 7, .node = 3, .weight = 75};
	view_table_name_functions(scene->table, &two_hot);
	scene->world.snapshot.profile = &profile;
	set_mark(scene);
	profile.entry_count = 1;
	scene->request.settings.calls = scene->form = FUNCTIONS_CALLEES;
	assert_scene(scene, "functions", "total%,self%,function",
		     "0.0 0.0 main, +75.0 +75.0 └─ hot");
	/* who is not called any more is at the top, those who called it are not below it */
	scene->request.settings.calls = scene->form = FUNCTIONS_CALLERS;
	assert_scene(scene, "functions", "total%,self%,function",
		     "+75.0 +75.0 hot, +75.0 +75.0 └─ main, 0.0 0.0 main, -75.0 -75.0 cold");
}

/* Of a process that has ended the row is below its parent, whatever is folded in both. */
UNIT_TEST_OF(difference_of_a_tree_of_tasks_has_what_is_gone_below_its_parent, struct scene *scene)
{
	struct folds folds = {0};

	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100);
	task(&scene->world, .pid = 8, .id = 80, .name = "cc", .parent_pid = 7, .run_ms = 300);
	task(&scene->world, .pid = 9, .id = 90, .name = "ld", .parent_pid = 7, .run_ms = 200);
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100);
	task(&scene->world, .pid = 8, .id = 80, .name = "cc", .parent_pid = 7, .run_ms = 400);
	task(&scene->world, .pid = 5, .id = 50, .name = "up", .run_ms = 50);
	scene->request.settings.tree = true;
	assert_scene(scene, "tasks", "cpu%,command", "0.0 sh, +10.0 ├─ cc, -20.0 └─ ld, +5.0 up");
	folds_toggle(&folds, 70);
	scene->request.folds = &folds;
	assert_scene(scene, "tasks", "cpu%,command", "+5.0 up, -10.0 [+1] sh");
	scene->request.filter = "cpu% > 1";
	assert_non_null(difference_refusal(&scene->request));
	scene->request.filter = NULL;
	folds_fini(&folds);
}

/* What is not shown since it is idle is in the sum of what it is folded into, on both sides. */
UNIT_TEST_OF(difference_of_a_folded_row_has_the_idle_tasks_of_both_sides, struct scene *scene)
{
	struct folds folds = {0};

	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100, .total_ms = 1000);
	task(&scene->world, .pid = 8, .id = 80, .name = "cc", .parent_pid = 7, .run_ms = 300,
	     .total_ms = 5000);
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100, .total_ms = 1100);
	task(&scene->world, .pid = 8, .id = 80, .name = "cc", .parent_pid = 7, .is_idle = true,
	     .total_ms = 5000);
	scene->request.settings.tree = true;
	folds_toggle(&folds, 70);
	scene->request.folds = &folds;
	assert_scene(scene, "tasks", "cpu%,time,threads,command", "-30.0 +0:00.10 0 [+1] sh");
	folds_fini(&folds);
}

/* A mean of nothing is nothing, whether it has counts or not. */
UNIT_TEST_OF(difference_of_a_mean_of_one_side_is_unknown, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100,
	     .counts = {.switches = 10, .queued_ms = 5});
	set_mark(scene);
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 200,
	     .counts = {.switches = 10, .queued_ms = 5});
	assert_scene(scene, "tasks", "pid,cpu%,slice,slice-p99,wake,rqwait%,threads",
		     "8 +20.0 - - - +0.5 -, 7 -10.0 - - - -0.5 -");
}

/* What no task had there is not 0 of those that were not there. */
UNIT_TEST_OF(difference_to_what_was_unknown_is_unknown, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100, .unknown = 1u << QUANTITY_QUEUED_NS);
	scene->world.snapshot.unknown = 1u << QUANTITY_QUEUED_NS;
	set_mark(scene);
	scene->world.snapshot.unknown = 0;
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100, .counts = {.queued_ms = 50});
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 200, .counts = {.queued_ms = 50});
	assert_scene(scene, "tasks", "pid,cpu%,rqwait%", "8 +20.0 -, 7 0.0 -");
}

/* An interval that was kept has no idle tasks: that they are not there says nothing of them. */
UNIT_TEST_OF(difference_to_an_interval_without_idle_tasks, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100, .total_ms = 100);
	set_mark(scene);
	marked->lacks_idle = true;
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100, .total_ms = 300);
	task(&scene->world, .pid = 8, .id = 80, .run_ms = 200, .total_ms = 5000);
	assert_scene(scene, "tasks", "pid,cpu%,off%,time", "8 +20.0 - -, 7 0.0 0.0 +0:00.20");
	assert_scene(scene, "groups", "tasks,cpu%", "- +20.0");
	marked->lacks_idle = false;
	scene->world.snapshot.lacks_idle = true;
	scene->world.snapshot.task_count = 0;
	assert_scene(scene, "tasks", "pid,cpu%,time", "7 -10.0 -");
	assert_true(view_table_row(scene->table, 0)->is_gone);
	assert_false(view_table_row(scene->table, 0)->is_exited);
}

static bool wants_it(int32_t pid, const void *context)
{
	return true;
}

/* What was not recorded was not idle: CPUs, and other processes than were chosen there. */
UNIT_TEST_OF(difference_to_what_was_not_recorded_is_unknown, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100);
	scene->world.snapshot.cpu_count = 1;
	set_mark(scene);
	scene->request.mark.session = &scene->world.session;
	scene->world.snapshot.cpu_count = 2;
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 300);
	task(&scene->world, .pid = 8, .id = 80, .name = "cc", .run_ms = 200);
	assert_scene(scene, "cpus", "cpu,busy,cpu%,sw/s,fault/s", "0 0.0 0.0 0 0, 1 - - - -");
	assert_scene(scene, "tasks", "pid,cpu%", "7 +20.0, 8 +20.0");
	scene->request.mark.wants_pid = wants_it;
	assert_scene(scene, "tasks", "pid,cpu%", "7 +20.0, 8 -");
	scene->request.wants_pid = wants_it;
	assert_scene(scene, "tasks", "pid,cpu%", "7 +20.0, 8 +20.0");
}

/* Paths of cgroups mean the same in both: what one lacks has run 0 there. */
UNIT_TEST_OF(difference_of_two_recordings_in_a_cgroup_is_of_both, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .name = "old", .run_ms = 100)->cgroup = "/web";
	task(&scene->world, .pid = 8, .id = 80, .name = "sh", .run_ms = 100)->cgroup = "/db";
	set_mark(scene);
	scene->request.mark.session = &scene->world.session;
	scene->request.mark.is_wider = true;
	scene->request.wants_pid = wants_it;
	scene->request.cgroups = "/web";
	task(&scene->world, .pid = 9, .id = 90, .name = "new", .run_ms = 200)->cgroup = "/web";
	task(&scene->world, .pid = 8, .id = 80, .name = "sh", .run_ms = 300)->cgroup = "/db";
	assert_scene(scene, "tasks", "cpu%,command", "+20.0 new, -10.0 old");
}

/* Where nothing was sampled no function has a share of it. */
UNIT_TEST_OF(difference_of_functions_without_samples_now_is_unknown, struct scene *scene)
{
	sample_functions(scene, &two_hot, (const uint32_t[]){1}, (const uint64_t[]){10}, 1);
	set_mark(scene);
	scene->world.snapshot.profile = NULL;
	assert_scene(scene, "functions", "self%,function", "- main");
}

/* One of them may be the longer one. */
UNIT_TEST_OF(difference_of_two_recordings_is_not_of_totals, struct scene *scene)
{
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100, .total_ms = 900);
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .name = "sh", .run_ms = 100, .total_ms = 100);
	assert_scene(scene, "tasks", "cpu%,time", "0.0 -0:00.80");
	assert_scene(scene, "groups", "tasks,time", "0 -0:00.80");
	scene->request.mark.session = &scene->world.session;
	assert_scene(scene, "tasks", "cpu%,time", "0.0 -");
	assert_scene(scene, "groups", "tasks,time", "- -");
}

/* A cell has as many digits as it has room for, what is written has all. */
UNIT_TEST_OF(difference_that_is_too_small_for_its_cell_is_a_number, struct scene *scene)
{
	struct cell cell;

	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100,
	     .counts = {.cycles = 1000, .instructions = 1000});
	set_mark(scene);
	task(&scene->world, .pid = 7, .id = 70, .run_ms = 100,
	     .counts = {.cycles = 1000, .instructions = 999});
	cell = scene_cell(scene, "tasks", "ipc", 0);
	assert_string_equal(cell.text, "0.00");
	assert_true(cell.value > -0.0011 && cell.value < -0.0009);
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
	assert_null(difference_refusal(request));
	request->mark.session = &scene->world.session;
	assert_string_equal(difference_refusal(request),
			    "tasks of two recordings are in no common tree");
	request->settings.tree = false;
	assert_null(difference_refusal(request));
	request->mark.is_wider = true;
	assert_string_equal(difference_refusal(request),
			    "processes have other numbers in the other recording");
	request->state.info = find_list("cpus");
	assert_null(difference_refusal(request));
	request->cgroups = "/web";
	assert_null(difference_refusal(request));
	request->mark.snapshot = NULL; /* samples have pids alone */
	request->state.info = find_list("functions");
	assert_string_equal(difference_refusal(request),
			    "processes have other numbers in the other recording");
	request->mark.snapshot = marked;
	request->state.info = find_list("groups");
	assert_string_equal(difference_refusal(request),
			    "cgroups are not known in the other recording");
	request->cgroups = NULL;
	request->mark.is_wider = false;
	request->state.info = find_list("groups");
	assert_null(difference_refusal(request));
	request->settings.group_by = setting_find(&setting_table[SETTING_group_by], "parent");
	assert_non_null(difference_refusal(request));
	request->mark.session = NULL;
	assert_null(difference_refusal(request));
	request->state.info = find_list("switches");
	assert_non_null(difference_refusal(request));
	request->state.info = find_list("memory");
	assert_non_null(difference_refusal(request));
	request->state.info = find_list("functions");
	assert_string_equal(difference_refusal(request), "nothing was sampled there");
}

UNIT_MAIN(set_up, tear_down)
