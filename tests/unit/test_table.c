/* Columns, order and cells of tables. */

#include "view/cell.h"
#include "view/column_sets.h"

#include "scene_kit.h"
#include "unit.h"

static struct column_list extras;

static int set_up(void **state)
{
	*state = scene_open();
	return 0;
}

static int tear_down(void **state)
{
	column_list_fini(&extras);
	scene_close(*state);
	return 0;
}

/* The pids of all rows, as text, "-1" for rows of nobody. */
static const char *pids_of(const struct scene *scene)
{
	static char text[512];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < view_table_row_count(scene->table); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%d",
					   i > 0 ? " " : "", view_table_row(scene->table, i)->pid);
	return text;
}

static const char *names_of_columns(const struct scene *scene)
{
	static char text[512];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < view_table_column_count(scene->table); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
					   i > 0 ? "," : "",
					   view_table_column(scene->table, i)->name);
	return text;
}

static void assert_order(struct scene *scene, const char *sort, bool reversed, const char *expected)
{
	scene->request.state.order.sort = columns_find(scene->world.columns, sort);
	scene->request.state.order.sort_reversed = reversed;
	scene_build(scene, "tasks");
	assert_string_equal(pids_of(scene), expected);
}

/* The text of the trend of the row of this pid. */
static const char *trend_of(struct scene *scene, int32_t pid)
{
	static struct cell cell;

	strcpy(cell.text, "no such row");
	for (size_t i = 0; i < view_table_row_count(scene->table); i++)
		if (view_table_row(scene->table, i)->pid == pid)
			view_table_cell(scene->table, i, 1, &cell);
	return cell.text;
}

UNIT_TEST_OF(table_trend_follows_the_sorted_column, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;

	task(&scene->world, .pid = 7, .run_ms = 100,
	     .counts = {.cycles = 100, .instructions = 200});
	task(&scene->world, .pid = 8, .run_ms = 700, .counts = {.cycles = 100, .instructions = 20});
	scene_choose(scene, "pid,trend");
	scene->request.ascii = true;
	snapshot->interval_ns = 1000000000;
	snapshot->time_ns = 5 * snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_string_equal(view_table_trend(scene->table)->name, "cpu%");
	assert_string_equal(trend_of(scene, 7), "               .");
	assert_string_equal(trend_of(scene, 8), "               *");
	snapshot->time_ns += snapshot->interval_ns;
	scene_build(scene, "tasks");
	scene_build(scene, "tasks");
	assert_string_equal(trend_of(scene, 7), "              ..");

	/* by another column, and by one that is no amount */
	scene->request.state.order.sort = columns_find(scene->world.columns, "ipc");
	scene_build(scene, "tasks");
	assert_string_equal(view_table_trend(scene->table)->name, "ipc");
	assert_string_equal(trend_of(scene, 7), "               *");
	assert_string_equal(trend_of(scene, 8), "               .");
	scene->request.state.order.sort = columns_find(scene->world.columns, "pid");
	scene_build(scene, "tasks");
	assert_string_equal(view_table_trend(scene->table)->name, "cpu%");
	assert_string_equal(trend_of(scene, 8), "               *");
}

struct kept {
	struct snapshot snapshots[3];
	size_t asked;
};

static size_t give_past(void *context, uint64_t before_ns, const struct snapshot **snapshots,
			size_t most)
{
	struct kept *kept = context;
	size_t count = 0;

	kept->asked++;
	assert_true(most >= 3);
	for (size_t i = 0; i < 3; i++)
		if (kept->snapshots[i].time_ns < before_ns)
			snapshots[count++] = &kept->snapshots[i];
	return count;
}

UNIT_TEST_OF(table_trend_begins_with_what_is_kept, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;
	struct kept kept = {.asked = 0};

	task(&scene->world, .pid = 7, .run_ms = 700);
	task(&scene->world, .pid = 8, .run_ms = 100);
	scene_choose(scene, "pid,trend");
	scene->request.ascii = true;
	scene->request.past = give_past;
	scene->request.context = &kept;
	scene->request.metric_set = scene->world.metric_set;
	snapshot->interval_ns = 1000000000;
	for (size_t i = 0; i < 3; i++) {
		kept.snapshots[i] = *snapshot;
		kept.snapshots[i].time_ns = (10 + i) * snapshot->interval_ns;
	}
	kept.snapshots[1].task_count = 1; /* 8 did not run */
	snapshot->time_ns = 13 * snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_string_equal(trend_of(scene, 7), "            ****");
	assert_string_equal(trend_of(scene, 8), "            . ..");
	snapshot->time_ns = 14 * snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_int_equal(kept.asked, 1);
	assert_string_equal(trend_of(scene, 7), "           *****");

	/* another column, and another kind of rows */
	scene->request.state.order.sort = columns_find(scene->world.columns, "time");
	scene_build(scene, "tasks");
	assert_int_equal(kept.asked, 2);
	scene->request.settings.threads = true;
	scene_build(scene, "tasks");
	assert_int_equal(kept.asked, 3);
	scene_build(scene, "cpus");
	assert_int_equal(kept.asked, 4);

	/* back to a time that is no longer known */
	snapshot->time_ns = 11 * snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_string_equal(trend_of(scene, 7), "              ##");
}

/* Threads have their own numbers; what was asked for stays, also of a set. */
UNIT_TEST_OF(table_columns_of_a_set_are_those_of_the_rows, struct scene *scene)
{
	struct column_list parents = {0};
	struct strbuf names = {0};

	column_list_add(&parents, columns_find(scene->world.columns, "ppid"));
	scene->request.state.set = column_set_find("branches");
	scene->request.state.extras = parents;
	scene->request.settings.threads = true;
	scene->request.has_states = true;
	scene_build(scene, "tasks");
	for (size_t i = 0; i < view_table_column_count(scene->table); i++)
		strbuf_printf(&names, "%s ", view_table_column(scene->table, i)->name);
	assert_string_equal(strbuf_text(&names),
			    "tid cpu% ipc branch_miss_pct br-mpki branch_pct ppid command ");
	strbuf_fini(&names);
	column_list_fini(&parents);
}

UNIT_TEST_OF(table_trend_survives_filter_and_death, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;

	task(&scene->world, .pid = 7, .run_ms = 700, .name = "redis");
	scene_choose(scene, "pid,trend");
	scene->request.ascii = true;
	snapshot->interval_ns = 1000000000;
	snapshot->time_ns = snapshot->interval_ns;
	scene_build(scene, "tasks");
	scene->request.filter = "nobody";
	snapshot->time_ns += snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_string_equal(trend_of(scene, 7), "no such row");
	scene->request.filter = "";
	snapshot->time_ns += snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_string_equal(trend_of(scene, 7), "             * *");
	snapshot->task_count = 0;
	snapshot->time_ns += snapshot->interval_ns;
	scene_build(scene, "tasks");
	assert_string_equal(trend_of(scene, 7), "no such row");
}

UNIT_TEST_OF(table_orders_those_that_are_alike_by_the_second_column, struct scene *scene)
{
	bool descends;

	task(&scene->world, .pid = 1, .run_ms = 5, .uid = 1000);
	task(&scene->world, .pid = 2, .run_ms = 7, .uid = 0);
	task(&scene->world, .pid = 3, .run_ms = 9, .uid = 1000);
	task(&scene->world, .pid = 4, .run_ms = 8, .uid = 0);
	assert_order(scene, "user", false, "1 3 2 4");
	scene->request.state.order.then = columns_find(scene->world.columns, "cpu%");
	assert_order(scene, "user", false, "3 1 4 2");
	assert_order(scene, "user", true, "4 2 3 1");
	scene->request.state.order.then_reversed = true;
	assert_order(scene, "user", false, "1 3 2 4");
	assert_ptr_equal(view_table_then(scene->table, &descends), scene->request.state.order.then);
	assert_false(descends);
	/* where the first one is not known, too */
	scene->request.state.order.then_reversed = false;
	assert_order(scene, "miss%", false, "3 4 2 1");
}

UNIT_TEST_OF(table_of_tasks_stands_in_order_of_cpu_time_at_first, struct scene *scene)
{
	bool descends;

	task(&scene->world, .pid = 1, .run_ms = 10);
	task(&scene->world, .pid = 2, .run_ms = 30);
	task(&scene->world, .pid = 3, .run_ms = 20);
	scene_build(scene, "tasks");

	assert_string_equal(pids_of(scene), "2 3 1");
	assert_ptr_equal(view_table_sort(scene->table, &descends),
			 columns_find(scene->world.columns, "cpu%"));
	assert_true(descends);
}

UNIT_TEST_OF(table_sorted_by_ratio_has_rows_that_hardly_ran_behind, struct scene *scene)
{
	struct cell cell;

	task(&scene->world, .pid = 1, .run_ms = 1, .counts = {.references = 3, .misses = 3});
	task(&scene->world, .pid = 2, .run_ms = 900, .counts = {.references = 100, .misses = 40});
	task(&scene->world, .pid = 3, .run_ms = 2, .counts = {.references = 3, .misses = 1});
	task(&scene->world, .pid = 4, .run_ms = 9, .counts = {.references = 100, .misses = 60});
	task(&scene->world, .pid = 5, .run_ms = 2);

	assert_order(scene, "miss%", false, "4 2 1 3 5");
	assert_order(scene, "miss%", true, "2 4 3 1 5");
	assert_order(scene, "miss/s", false, "4 2 1 3 5"); /* an amount is none too small */
	assert_order(scene, "miss%", false, "4 2 1 3 5");
	scene_choose(scene, "miss%,miss/s");
	scene_build(scene, "tasks");
	view_table_cell(scene->table, 2, 0, &cell);
	assert_true(cell.is_minor);
	view_table_cell(scene->table, 2, 1, &cell);
	assert_false(cell.is_minor);
	view_table_cell(scene->table, 1, 0, &cell);
	assert_false(cell.is_minor);
}

/* A number says how much it is, but for zeros, which are as good as nothing. */
UNIT_TEST_OF(cell_has_its_load, struct scene *scene)
{
	static const int loads[] = {3, 2, 1, 0, 0};
	struct cell cell;

	task(&scene->world, .pid = 1, .run_ms = 990);
	task(&scene->world, .pid = 2, .run_ms = 500);
	task(&scene->world, .pid = 3, .run_ms = 250);
	task(&scene->world, .pid = 4, .run_ms = 200);
	task(&scene->world, .pid = 5);
	scene->request.settings.idle = true;
	scene_choose(scene, "cpu%");
	scene_build(scene, "tasks");
	for (size_t i = 0; i < COUNT_OF(loads); i++) {
		view_table_cell(scene->table, i, 0, &cell);
		assert_int_equal(cell.load, loads[i]);
		assert_int_equal(cell.is_minor, i == 4);
	}
}

UNIT_TEST_OF(bar_of_a_cpu_has_the_part_of_the_kernel, struct scene *scene)
{
	const struct cpu_times times[] = {{60, 10, 10, 20, 0}};
	struct cell cell;

	scene->world.snapshot.cpu_times = times;
	scene->world.snapshot.cpu_time_count = 1;
	scene_choose(scene, "busy");
	scene_build(scene, "cpus");
	view_table_cell(scene->table, 0, 0, &cell);
	assert_true(cell.value == 50);
	assert_true(cell.system_pct == 12.5);
	view_table_cell(scene->table, 1, 0, &cell);
	assert_true(cell.system_pct == 0);
}

UNIT_TEST_OF(command_line_begins_with_a_program, struct scene *scene)
{
	struct cell cell;

	task(&scene->world, .pid = 1, .run_ms = 1, .command_line = "/usr/bin/python3 /opt/x.py");
	scene->request.settings.command_lines = true;
	scene_choose(scene, "command");
	scene_build(scene, "tasks");
	view_table_cell(scene->table, 0, 0, &cell);
	assert_string_equal(cell.text, "python3 /opt/x.py");
	assert_int_equal(cell.program, strlen("python3"));
}

/* clang-format off */
static const struct {
	const char *name, *sort;
	struct task_spec tasks[4];
	const char *rows, *reversed;
} orders[] = {
	{"a metric obeys the direction", "miss%",
	 {{.pid = 1, .run_ms = 1, .counts = {.references = 100, .misses = 20}}, {.pid = 2, .run_ms = 9, .counts = {.references = 100, .misses = 5}},
	  {.pid = 3, .run_ms = 5, .counts = {.references = 100, .misses = 60}}},
	 .rows = "3 1 2", .reversed = "2 1 3"},
	{"of equal miss rates most misses come first", "miss%",
	 {{.pid = 1, .run_ms = 9, .counts = {.references = 10, .misses = 5}}, {.pid = 2, .run_ms = 5, .counts = {.references = 100, .misses = 50}},
	  {.pid = 3, .run_ms = 9, .counts = {.references = 50, .misses = 25}}},
	 .rows = "2 3 1", .reversed = "2 3 1"},
	{"the unknown comes last", "miss%",
	 {{.pid = 1, .run_ms = 1}, {.pid = 2, .run_ms = 9, .counts = {.references = 100, .misses = 5}},
	  {.pid = 3, .run_ms = 5, .counts = {.references = 100, .misses = 60}}, {.pid = 4, .run_ms = 1}},
	 .rows = "3 2 1 4", .reversed = "2 3 1 4"},
	{"equal values are ordered by id", "cpu%",
	 {{.pid = 5, .id = 3, .run_ms = 1}, {.pid = 6, .id = 1, .run_ms = 1}, {.pid = 4, .id = 2, .run_ms = 1}},
	 .rows = "6 4 5", .reversed = "6 4 5"},
	{"texts are compared in any case, none comes last", "command",
	 {{.pid = 1, .name = "zsh", .run_ms = 1}, {.pid = 2, .name = "Xorg", .run_ms = 1}, {.pid = 3, .name = "bash", .run_ms = 1}, {.pid = 4, .name = "", .run_ms = 1}},
	 .rows = "3 2 1 4", .reversed = "1 2 3 4"},
	{"folded tasks are among the others", "cpu%",
	 {{.pid = 1, .run_ms = 10}, {.pid = 2, .run_ms = 30}, {.pid = 3, .run_ms = 12, .is_new = true, .is_exited = true}, {.pid = 4, .run_ms = 8, .is_new = true, .is_exited = true}},
	 .rows = "2 -1 1", .reversed = "1 -1 2"},
};
/* clang-format on */

UNIT_TEST_WITH(table_is_ordered_in_both_directions, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		struct scene *scene = scene_open();

		begin_case(orders[i].name);
		for (size_t j = 0; j < COUNT_OF(orders[i].tasks) && orders[i].tasks[j].pid > 0; j++)
			world_add(&scene->world, orders[i].tasks[j]);
		scene->request.fold_exited = FOLD_TO_ONE;
		assert_order(scene, orders[i].sort, false, orders[i].rows);
		assert_order(scene, orders[i].sort, true, orders[i].reversed);
		scene_close(scene);
	}
}

UNIT_TEST_OF(table_sorted_has_unattributed_last_in_both_directions, struct scene *scene)
{
	scene->request.extra_rows = true;
	scene->world.cpus[0].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 20});
	task(&scene->world, .pid = 1, .run_ms = 10);
	task(&scene->world, .pid = 2, .run_ms = 30, .unknown = 1u << QUANTITY_RUN_NS);

	assert_order(scene, "cpu%", false, "1 2 -1");
	assert_order(scene, "cpu%", true, "1 2 -1");
}

UNIT_TEST_OF(table_knows_which_metrics_are_ratios, struct scene *scene)
{
	static const char *const ratios[] = {"ipc", "miss%", "mpki", "ghz", "branch_miss_pct"};
	static const char *const others[] = {"cpu%",    "sw/s",  "miss/s", "pwait%",
					     "rqwait%", "slice", "wake",   "pid"};

	for (size_t i = 0; i < COUNT_OF(ratios); i++)
		assert_true(columns_find(scene->world.columns, ratios[i])->is_ratio);
	for (size_t i = 0; i < COUNT_OF(others); i++)
		assert_false(columns_find(scene->world.columns, others[i])->is_ratio);
}

UNIT_TEST_OF(table_of_cpus_ascends, struct scene *scene)
{
	bool descends;

	scene_build(scene, "cpus");

	assert_int_equal(view_table_row(scene->table, 0)->cpu->cpu, 0);
	assert_int_equal(view_table_row(scene->table, 1)->cpu->cpu, 1);
	assert_ptr_equal(view_table_sort(scene->table, &descends),
			 columns_find(scene->world.columns, "cpu"));
	assert_false(descends);
}

static void assert_filtered(struct scene *scene, const char *filter, const char *expected)
{
	scene->request.filter = filter;
	scene_build(scene, "tasks");
	assert_string_equal(pids_of(scene), expected);
}

static void assert_fault(const struct scene *scene, const char *expected, size_t place)
{
	size_t position = 0;

	assert_string_equal(view_table_filter_fault(scene->table, &position), expected);
	if (expected[0] != '\0')
		assert_int_equal(position, place);
}

UNIT_TEST_OF(table_filtered_has_only_rows_that_pass, struct scene *scene)
{
	task(&scene->world, .pid = 1, .name = "sh", .run_ms = 10);
	task(&scene->world, .pid = 2, .name = "nginx", .run_ms = 30);
	task(&scene->world, .pid = 3, .name = "nginx", .run_ms = 20);

	assert_filtered(scene, "cpu% < 2.5", "3 1");
	assert_filtered(scene, "cpu% < 2.5 && task = nginx", "3");
	assert_filtered(scene, "nginx", "2 3");
	assert_filtered(scene, "", "2 3 1");
	assert_filtered(scene, "cpu% < 2.5 && task = nginx", "3");
	assert_filtered(scene, NULL, "2 3 1");
	assert_fault(scene, "", 0);
}

/* CPUs have no names: a filter that asks for one is none there, and holds again among tasks. */
UNIT_TEST_OF(table_filter_is_left_out_where_its_columns_do_not_exist, struct scene *scene)
{
	task(&scene->world, .pid = 1, .run_ms = 10, .name = "nginx");
	task(&scene->world, .pid = 2, .run_ms = 30);
	assert_filtered(scene, "task = nginx", "1");
	assert_null(view_table_filter_unsupported(scene->table));

	scene_build(scene, "cpus");
	assert_int_equal(view_table_row_count(scene->table), scene->world.snapshot.cpu_count);
	assert_string_equal(view_table_filter_unsupported(scene->table), "task");

	assert_filtered(scene, "task = nginx", "1");
	assert_null(view_table_filter_unsupported(scene->table));
	assert_filtered(scene, "busy > 0", "2 1");
	assert_string_equal(view_table_filter_unsupported(scene->table), "busy");
	assert_filtered(scene, NULL, "2 1");
	assert_null(view_table_filter_unsupported(scene->table));
}

/* The text may be another one at the same address. */
UNIT_TEST_OF(table_filter_is_understood_anew_with_another_text, struct scene *scene)
{
	char text[] = "pid = 1";

	task(&scene->world, .pid = 1, .run_ms = 10);
	task(&scene->world, .pid = 2, .run_ms = 30);
	assert_filtered(scene, text, "1");
	text[6] = '2';
	assert_filtered(scene, text, "2");
}

UNIT_TEST_OF(table_filter_not_understood_is_left_out_with_a_fault, struct scene *scene)
{
	task(&scene->world, .pid = 1, .name = "a <", .run_ms = 10);
	task(&scene->world, .pid = 2, .name = "b", .run_ms = 30);

	assert_filtered(scene, "a <", "2 1");
	assert_fault(scene, "expected a value", 3);
	assert_filtered(scene, "a <\npid = 1", "1");
	assert_fault(scene, "expected a value", 3);
	assert_filtered(scene, "pid != 1", "2");
	assert_fault(scene, "", 0);
	assert_filtered(scene, "[b", "");
	assert_fault(scene, "", 0);
	assert_filtered(scene, "a <", "2 1");
	assert_filtered(scene, NULL, "2 1");
	assert_fault(scene, "", 0);
	scene_build(scene, "cpus");
	assert_int_equal(view_table_row_count(scene->table), 2);
}

UNIT_TEST_OF(table_filter_not_understood_is_when_its_column_comes, struct scene *scene)
{
	task(&scene->world, .pid = 1, .run_ms = 10, .counts = {.faults = 7});
	task(&scene->world, .pid = 2, .run_ms = 30);
	assert_filtered(scene, "page-faults > 5", "2 1");
	assert_fault(scene, "page-faults: unknown column", 0);
	columns_add_event(scene->world.columns, "page-faults", "");
	assert_filtered(scene, "page-faults > 5", "1");
	assert_fault(scene, "", 0);

	scene->world.layout.events[PAGE_FAULTS].is_removed = true;
	assert_filtered(scene, "page-faults > 5", "2 1");
	assert_fault(scene, "page-faults: not counted", 0);
	scene->world.layout.events[PAGE_FAULTS].is_removed = false;
	assert_filtered(scene, "page-faults > 5", "1");
	assert_fault(scene, "", 0);
}

UNIT_TEST_OF(table_index_of_finds_place_in_order, struct scene *scene)
{
	task(&scene->world, .pid = 1, .id = 11, .run_ms = 10);
	task(&scene->world, .pid = 2, .id = 12, .run_ms = 30);
	scene_build(scene, "tasks");

	assert_int_equal(view_table_index_of(scene->table, 11), 1);
	assert_int_equal(view_table_index_of(scene->table, 12), 0);
	assert_int_equal(view_table_index_of(scene->table, 13), -1);
}

/* On 80 columns 12 are left for the command. */
UNIT_TEST_OF(table_columns_are_those_of_the_view_or_chosen, struct scene *scene)
{
	scene_build(scene, "tasks");
	assert_string_equal(
		names_of_columns(scene),
		"pid,user,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,fault/s,time,command");
	assert_in_range(scene_width_up_to(scene, "pre/s"), 1, 80 - 12);
	scene->world.session.has_pmu = false;
	scene->request.settings.threads = true;
	scene_build(scene, "tasks");
	assert_string_equal(names_of_columns(scene),
			    "tid,user,cpu%,sw/s,pre/s,slice,slice-p99,pwait%,time,migr/s,fault/s,"
			    "command");
	assert_in_range(scene_width_up_to(scene, "time"), 1, 80 - 12);
	scene_choose(scene, "command,time,pid");
	scene_build(scene, "tasks");
	assert_string_equal(names_of_columns(scene), "command,time,pid");
}

UNIT_TEST_OF(table_extras_stand_before_the_command, struct scene *scene)
{
	column_list_add(&extras, columns_add_event(scene->world.columns, "cycles", ""));
	scene->request.state.extras = extras;
	scene_build(scene, "tasks");
	assert_non_null(strstr(names_of_columns(scene), ",cycles,command"));
	scene_build(scene, "cpus");
	assert_non_null(strstr(names_of_columns(scene), "node,cycles"));
}

UNIT_TEST_OF(table_extras_of_a_chosen_list_are_its_own_matter, struct scene *scene)
{
	column_list_add(&extras, columns_add_event(scene->world.columns, "cycles", ""));
	scene->request.state.extras = extras;
	scene_choose(scene, "pid,command");
	scene_build(scene, "tasks");
	assert_string_equal(names_of_columns(scene), "pid,command");
}

UNIT_TEST_OF(table_extra_that_is_there_is_not_shown_twice, struct scene *scene)
{
	const char *place;

	column_list_add(&extras, columns_find(scene->world.columns, "ipc"));
	scene->request.state.extras = extras;
	scene_build(scene, "tasks");
	place = strstr(names_of_columns(scene), "ipc");
	assert_non_null(place);
	assert_null(strstr(place + 1, "ipc"));
}

UNIT_TEST_OF(cell_of_event_is_its_rate_or_unknown_when_it_is_gone, struct scene *scene)
{
	columns_add_event(scene->world.columns, "page-faults", "");
	columns_add_event(scene->world.columns, "never-there", "");
	task(&scene->world, .pid = 1, .run_ms = 1, .counts = {.faults = 2400});
	scene->world.snapshot.interval_ns = UINT64_C(2000000000);
	assert_string_equal(scene_cell(scene, "tasks", "page-faults", 0).text, "1.20k");
	assert_true(scene_cell(scene, "tasks", "never-there", 0).is_unknown);
	scene->world.layout.events[PAGE_FAULTS].is_removed = true;
	assert_true(scene_cell(scene, "tasks", "page-faults", 0).is_unknown);
	scene->world.layout.events[PAGE_FAULTS].is_removed = false;
	scene->world.layout.events[PAGE_FAULTS].state = EVENT_DENIED;
	assert_true(scene_cell(scene, "tasks", "page-faults", 0).is_unknown);
}

UNIT_TEST_OF(cell_of_event_of_half_the_time_is_scaled, struct scene *scene)
{
	struct cell cell;

	columns_add_event(scene->world.columns, "cycles", "");
	task(&scene->world, .pid = 1, .run_ms = 100, .counts = {.cycles = 500, .counting_ms = 50});
	cell = scene_cell(scene, "tasks", "cycles", 0);
	assert_string_equal(cell.text, "1.00k");
	assert_true(cell.is_scaled);
}

/* The layout's one kind gets a name: all its counts are of that kind. */
UNIT_TEST_OF(cell_of_a_kind_counts_only_there, struct scene *scene)
{
	strcpy(scene->world.layout.kinds[0].name, "cpu_core");
	columns_know_kinds(scene->world.columns, &scene->world.layout);
	columns_add_event(scene->world.columns, "cycles", "");
	task(&scene->world, .pid = 1, .run_ms = 100,
	     .counts = {.cycles = 500, .instructions = 600});
	assert_string_equal(scene_cell(scene, "tasks", "cycles@cpu_core", 0).text, "500");
	assert_string_equal(scene_cell(scene, "tasks", "ipc@cpu_core", 0).text, "1.20");
}

UNIT_TEST_OF(cell_of_a_kind_that_is_not_there_is_unknown, struct scene *scene)
{
	const struct column *column;

	strcpy(scene->world.layout.kinds[0].name, "cpu_core");
	columns_know_kinds(scene->world.columns, &scene->world.layout);
	column = columns_find(scene->world.columns, "ipc@cpu_core");
	assert_non_null(column);
	strcpy(scene->world.layout.kinds[0].name, "other");
	task(&scene->world, .pid = 1, .run_ms = 100,
	     .counts = {.cycles = 500, .instructions = 600});
	assert_true(scene_cell(scene, "tasks", "ipc@cpu_core", 0).is_unknown);
}

UNIT_TEST_OF(cell_of_a_row_without_counts_is_unknown, struct scene *scene)
{
	const struct view_row row = {.kind = ROW_PAIR};
	const struct cell_source source = {.metrics = scene->world.metrics,
					   .layout = &scene->world.layout};
	static const char *const names[] = {"ipc", "cpu%", "page-faults", "time"};

	columns_add_event(scene->world.columns, "page-faults", "");
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const struct cell_column column =
			cell_column_bind(columns_find(scene->world.columns, names[i]),
					 scene->world.metrics, &scene->world.layout);
		struct cell cell;

		cell_make(&source, &column, &row, &cell);
		assert_true(cell.is_unknown);
	}
}

UNIT_TEST_OF(cell_of_metric_has_value_text_and_goodness, struct scene *scene)
{
	struct cell cell;

	task(&scene->world, .pid = 1, .run_ms = 500,
	     .counts = {.cycles = 1000, .instructions = 2500});
	cell = scene_cell(scene, "tasks", "ipc", 0);

	assert_float_equal(cell.value, 2.5, 1e-9);
	assert_string_equal(cell.text, "2.50");
	assert_false(cell.is_unknown);
	assert_false(cell.is_scaled);
	assert_in_range(cell.goodness, 3, 4);
}

/* 2.498 and 2.50 look the same. */
UNIT_TEST_OF(cell_is_as_good_as_it_looks, struct scene *scene)
{
	task(&scene->world, .pid = 1, .run_ms = 500,
	     .counts = {.cycles = 1000, .instructions = 2498});
	task(&scene->world, .pid = 2, .run_ms = 400,
	     .counts = {.cycles = 1000, .instructions = 2500});
	const struct cell below = scene_cell(scene, "tasks", "ipc", 0);
	const struct cell at = scene_cell(scene, "tasks", "ipc", 1);

	assert_string_equal(below.text, at.text);
	assert_int_equal(below.goodness, at.goodness);
	assert_in_range(at.goodness, 0, 4);
}

UNIT_TEST_OF(cell_of_uncounted_event_is_unknown, struct scene *scene)
{
	struct cell cell;

	scene->world.layout.events[INSTRUCTIONS].state = EVENT_UNSUPPORTED;
	world_bind(&scene->world);
	task(&scene->world, .pid = 1, .run_ms = 500, .counts.cycles = 1000);
	cell = scene_cell(scene, "tasks", "ipc", 0);

	assert_true(isnan(cell.value));
	assert_true(cell.is_unknown);
	assert_string_equal(cell.text, "-");
	assert_int_equal(cell.goodness, -1);
}

UNIT_TEST_OF(cell_of_multiplexed_event_is_scaled, struct scene *scene)
{
	struct cell cell;

	scene->world.layout.events[PAGE_FAULTS].state = EVENT_MULTIPLEXED;
	world_bind(&scene->world);
	task(&scene->world, .pid = 1, .run_ms = 500, .counts = {.faults = 10, .counting_ms = 250});
	cell = scene_cell(scene, "tasks", "fault/s", 0);

	assert_true(cell.is_scaled);
	assert_string_equal(cell.text, "20.0");
}

/* clang-format off */
static const struct {
	const char *name, *columns;
	struct task_spec task;
	const char *cells;
	bool command_lines, ascii;
} cells[] = {
	{"facts of a task", "pid,tid,ppid,user,cpu,threads,cpu%,sw/s,pre/s,migr/s,slice,time,command,busy,attr%",
	 {.pid = 4711, .uid = 1000, .parent_pid = 12, .last_cpu = 1, .name = "nginx", .run_ms = 500, .total_ms = 83450, .counts = {.switches = 250, .preemptions = 11, .migrations = 3}},
	 .cells = "4711 4711 12 ben 1 1 50.0 250 11.0 3.00 2.00ms 1:23.45 nginx - -"},
	{"unknown facts", "user,ppid,cpu,time,cpu%",
	 {.pid = 1, .uid = -1, .parent_pid = -1, .last_cpu = -1, .run_ms = 1, .unknown = 1u << QUANTITY_RUN_NS}, .cells = "- - - - -"},
	{"too wide for its column: it gives up a decimal", "ghz", {.pid = 1, .run_ms = 1, .counts = {.cycles = 15340000}}, .cells = "15.3"},
	{"that of many CPUs, too", "cpu%", {.pid = 1, .run_ms = 12345}, .cells = "1235"},
	{"name", "command", {.pid = 1, .name = "nginx", .run_ms = 1, .command_line = "nginx: worker process"}, .cells = "nginx"},
	{"command line", "command", {.pid = 1, .name = "nginx", .run_ms = 1, .command_line = "nginx: worker process"}, .cells = "nginx: worker process", .command_lines = true},
	{"without the directory; what follows stays", "command", {.pid = 1, .run_ms = 1, .command_line = "/usr/bin/python3 /opt/x.py"}, .cells = "python3 /opt/x.py", .command_lines = true},
	{"without the directory", "command", {.pid = 1, .run_ms = 1, .command_line = "./run"}, .cells = "run", .command_lines = true},
	{"no directory", "command", {.pid = 1, .run_ms = 1, .command_line = "sshd: root@pts/0"}, .cells = "sshd: root@pts/0", .command_lines = true},
	{"only a directory", "command", {.pid = 1, .run_ms = 1, .command_line = "/bin/ -x"}, .cells = "bin/ -x", .command_lines = true},
	{"thread with a name of its own", "command", {.pid = 1, .tid = 2, .name = "GC Thread#0", .run_ms = 1, .command_line = "/usr/bin/java -jar x"}, .cells = "GC Thread#0", .command_lines = true},
	{"thread with the name of its program", "command", {.pid = 1, .tid = 2, .name = "a-program-of-lo", .run_ms = 1, .command_line = "./a-program-of-long-name 1"}, .cells = "a-program-of-long-name 1", .command_lines = true},
	{"thread of a script", "command", {.pid = 1, .tid = 2, .name = "thr.py", .run_ms = 1, .command_line = "/usr/bin/python3 ./thr.py --some"}, .cells = "python3 ./thr.py --some", .command_lines = true},
	{"login shell", "command", {.pid = 1, .run_ms = 1, .command_line = "-bash"}, .cells = "-bash", .command_lines = true},
	{"kernel thread", "command", {.pid = 2, .name = "kthreadd", .run_ms = 1, .command_line = "", .is_kernel_thread = true}, .cells = "kthreadd"},
	{"kernel thread among command lines", "command", {.pid = 2, .name = "kthreadd", .run_ms = 1, .command_line = "", .is_kernel_thread = true}, .cells = "[kthreadd]", .command_lines = true},
	{"without command line", "command", {.pid = 2, .name = "zombie", .run_ms = 1}, .cells = "zombie", .command_lines = true},
	{"hostile name", "command", {.pid = 2, .name = "a\033[2J\n\xff", .run_ms = 1}, .cells = "a\\x1B[2J\\x0A\\xFF"},
	{"UTF-8", "command", {.pid = 2, .name = "b\xc3\xa4r", .run_ms = 1}, .cells = "b\xc3\xa4r"},
	{"ASCII", "command", {.pid = 2, .name = "b\xc3\xa4r", .run_ms = 1}, .cells = "b?r", .ascii = true},
};
/* clang-format on */

UNIT_TEST_WITH(cells_of_a_task_are_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cells); i++) {
		struct scene *scene = scene_open();

		begin_case(cells[i].name);
		world_add(&scene->world, cells[i].task);
		scene->request.settings.command_lines = cells[i].command_lines;
		scene->request.ascii = cells[i].ascii;
		assert_scene(scene, "tasks", cells[i].columns, cells[i].cells);
		scene_close(scene);
	}
}

UNIT_TEST_OF(cells_of_extra_rows_say_what_they_are, struct scene *scene)
{
	scene->request.extra_rows = true;
	scene->request.fold_exited = FOLD_TO_ONE;
	task(&scene->world, .pid = 3, .name = "ls", .run_ms = 12, .is_new = true,
	     .is_exited = true);
	assert_scene(scene, "tasks", "user,pid,command",
		     "(exited) - ls (1 exited, avg 12.0ms), - - unaccounted");
}

/* Attribution never rounds up to everything. */
UNIT_TEST_OF(cells_of_a_cpu_show_busy_share_and_attribution, struct scene *scene)
{
	struct snapshot_cpu *cpu = &scene->world.cpus[0];
	uint64_t *unattributed = world_vector(&scene->world, (struct counts_spec){.run_ms = 5});

	scene->world.snapshot.cpu_count = 1;
	cpu->unattributed = unattributed;
	assert_scene(scene, "cpus", "cpu,busy,cpu%,ipc,attr%,time,pid,command",
		     "0 50.0 50.0 0.50 99.50 0:00.50 - -");
	unattributed[QUANTITY_RUN_NS] = 1;
	assert_scene(scene, "cpus", "attr%", "99.99");
	unattributed[QUANTITY_RUN_NS] = 0;
	cpu->idle = cpu->counter;
	assert_scene(scene, "cpus", "attr%,busy", "100.00 0.0");
}

UNIT_TEST_OF(cell_of_integer_fact_has_its_value, struct scene *scene)
{
	task(&scene->world, .pid = 4711, .run_ms = 1);

	assert_float_equal(scene_cell(scene, "tasks", "pid", 0).value, 4711.0, 0);
}

/* What tells two of one name apart is not cut. */
UNIT_TEST_OF(cell_of_a_host_keeps_its_number, struct scene *scene)
{
	char *host = scene->world.session.host;

	task(&scene->world, .pid = 4711, .run_ms = 1);
	strcpy(host, "web-frontend#12");
	assert_int_equal(scene_cell(scene, "tasks", "host", 0).tail, strlen("#12"));
	strcpy(host, "web-frontend12");
	assert_int_equal(scene_cell(scene, "tasks", "host", 0).tail, 0);
}

UNIT_TEST_OF(rates_of_a_cpu_are_per_second_of_its_own_clock, struct scene *scene)
{
	scene->world.snapshot.cpu_count = 1;
	scene->world.snapshot.interval_ns /= 2; /* the readings were taken a little apart */

	assert_string_equal(scene_cell(scene, "cpus", "cpu%", 0).text, "50.0");
}

UNIT_TEST_OF(cell_of_idle_cpu_is_neither_good_nor_bad, struct scene *scene)
{
	scene->world.snapshot.cpu_count = 1;
	scene_build(scene, "cpus");
	assert_string_equal(scene_cell(scene, "cpus", "ipc", 0).text, "0.50");
	assert_in_range(scene_cell(scene, "cpus", "ipc", 0).goodness, 0, 4);
	scene->world.cpus[0].idle = scene->world.cpus[0].counter;
	assert_string_equal(scene_cell(scene, "cpus", "cpu%", 0).text, "0.0");
	assert_int_equal(scene_cell(scene, "cpus", "ipc", 0).goodness, -1);
}

UNIT_TEST_OF(cell_of_long_command_line_is_cut, struct scene *scene)
{
	char line[3000];

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	task(&scene->world, .pid = 2, .name = "zombie", .run_ms = 1, .command_line = line);
	scene->request.settings.command_lines = true;

	assert_int_equal(strlen(scene_cell(scene, "tasks", "command", 0).text), CELL_TEXT_MAX - 1);
}

UNIT_TEST_OF(cell_of_long_kernel_name_keeps_both_brackets, struct scene *scene)
{
	struct cell cell;

	task(&scene->world, .pid = 2, .name = "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", .run_ms = 1,
	     .is_kernel_thread = true);
	scene->request.settings.command_lines = true;
	cell = scene_cell(scene, "tasks", "command", 0);

	assert_int_equal(cell.text[0], '[');
	assert_int_equal(cell.text[strlen(cell.text) - 1], ']');
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
