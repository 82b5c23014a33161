/* Tasks summed by what they have in common, and the filters of the members. */

#include "model/exited_totals.h"
#include "view/groups.h"

#include "scene_kit.h"
#include "unit.h"

#define ID "3f4e9c1b7a2d5068e1f3a4b5c6d7e8f90123456789abcdef0123456789abcdef"

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	scene->request.extra_rows = true;
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(*state);
	return 0;
}

static int named_grouping(const char *name)
{
	int number = 0;

	while (number < GROUPINGS && strcmp(grouping_get(number)->name, name) != 0)
		number++;
	assert_true(number < GROUPINGS);
	return number;
}

static void build(struct scene *scene, const char *grouping)
{
	scene->request.settings.group_by = named_grouping(grouping);
	scene_build(scene, "groups");
}

static const char *words_of(const struct view_row *row)
{
	const struct getter_input facts = {.unattributed_words = "unaccounted"};

	return get_group(&facts, row).text;
}

/* NULL: there is none. */
static const struct view_row *find(const struct scene *scene, const char *words)
{
	for (size_t i = 0; i < view_table_row_count(scene->table); i++) {
		const struct view_row *row = view_table_row(scene->table, i);

		if (strcmp(words_of(row), words) == 0)
			return row;
	}
	return NULL;
}

static uint64_t run_ms(const struct scene *scene, const char *words)
{
	const struct view_row *row = find(scene, words);

	assert_non_null(row);
	return row->interval[QUANTITY_RUN_NS] / WORLD_NS_PER_MS;
}

static uint64_t total_ms(const struct scene *scene, const char *words)
{
	return find(scene, words)->total[QUANTITY_RUN_NS] / WORLD_NS_PER_MS;
}

/* Six processes; one of them has two threads, one came and went. */
static void add_tasks(struct scene *scene)
{
	struct world *world = &scene->world;
	struct snapshot_task *task;

	task = task(world, .pid = 7, .name = "nginx", .uid = 0, .parent_pid = 1, .run_ms = 100,
		    .counts.cycles = 10, .counts.instructions = 20);
	task->cgroup = "/docker/" ID;
	task->session = 7;
	task = task(world, .pid = 7, .tid = 8, .name = "worker", .uid = 0, .parent_pid = 1,
		    .run_ms = 50, .counts.cycles = 5, .counts.instructions = 1);
	task->cgroup = "/docker/" ID;
	task->session = 7;
	task = task(world, .pid = 20, .name = "nginx", .uid = 1000, .parent_pid = 7, .run_ms = 25,
		    .counts.cycles = 5, .counts.instructions = 9);
	task->cgroup = "/system.slice/nginx.service";
	task->session = 7;
	task = task(world, .pid = 30, .name = "cc1", .uid = 1000, .parent_pid = 7, .run_ms = 10,
		    .is_exited = true, .is_new = true);
	task->cgroup = "/system.slice/nginx.service";
	task(world, .pid = 2, .name = "kworker", .uid = 0, .run_ms = 3, .is_kernel_thread = true);
	task(world, .pid = 40, .name = "sleeper", .uid = 0, .parent_pid = 99, .is_idle = true);
}

UNIT_TEST_OF(groups_by_command_sum_processes_of_a_name, struct scene *scene)
{
	const struct view_row *row;

	add_tasks(scene);
	build(scene, "command");

	row = find(scene, "nginx");
	assert_int_equal(run_ms(scene, "nginx"), 175);
	assert_int_equal(row->interval[WORLD_FIRST + CYCLES], 20);
	assert_int_equal(row->interval[WORLD_FIRST + INSTRUCTIONS], 30);
	assert_int_equal(row->group->tasks, 2);
	assert_int_equal(row->member_count, 3);
	assert_null(find(scene, "worker"));
	assert_null(find(scene, "sleeper"));
	assert_int_equal(run_ms(scene, "cc1"), 10);
}

/* How long any of several processes ran is not known. */
UNIT_TEST_OF(groups_of_one_process_have_its_latency, struct scene *scene)
{
	const uint32_t bit = 1u << QUANTITY_LATENCY_NS;

	add_tasks(scene);
	for (size_t i = 0; i < scene->world.snapshot.task_count; i++) {
		const struct snapshot_task *task = &scene->world.snapshot.tasks[i];

		((uint64_t *)task->interval)[QUANTITY_LATENCY_NS] = !task->is_exited;
	}
	build(scene, "command");
	assert_int_equal(find(scene, "nginx")->unknown & bit, bit);
	assert_int_equal(find(scene, "kworker")->unknown & bit, 0);
	build(scene, "cgroup");
	assert_int_equal(find(scene, "/docker/" ID)->unknown & bit, 0); /* two threads */
}

UNIT_TEST_OF(groups_of_tasks_that_waited_are_there, struct scene *scene)
{
	add_tasks(scene);
	task(&scene->world, .pid = 41, .name = "starved", .is_idle = true,
	     .counts.preempted_ms = 1000);
	build(scene, "command");

	assert_non_null(find(scene, "starved"));
	assert_null(find(scene, "sleeper"));
}

UNIT_TEST_OF(groups_of_threads_have_the_threads_names, struct scene *scene)
{
	add_tasks(scene);
	scene->request.settings.threads = true;
	build(scene, "command");

	assert_int_equal(run_ms(scene, "nginx"), 125);
	assert_int_equal(run_ms(scene, "worker"), 50);
	assert_int_equal(find(scene, "nginx")->group->tasks, 2);
}

UNIT_TEST_OF(groups_by_each_grouping_are_told_apart, struct scene *scene)
{
	static const struct {
		const char *grouping, *words;
		uint64_t ms;
	} wanted[] = {
		{"user", "root", 153},
		{"user", "ben", 35},
		{"cgroup", "/docker/" ID, 150},
		{"cgroup", "/system.slice/nginx.service", 35},
		{"cgroup", "(unknown)", 3},
		{"container", "3f4e9c1b7a2d", 150},
		{"container", "(no container)", 38},
		{"parent", "nginx 7", 35},
		{"parent", "1", 150},
		{"parent", "0", 3},
		{"session", "nginx 7", 175},
		{"session", "(no session)", 13},
		{"type", "kernel", 3},
		{"type", "user", 185},
	};

	add_tasks(scene);
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		build(scene, wanted[i].grouping);
		if (!find(scene, wanted[i].words))
			fail_msg("by %s: no %s", wanted[i].grouping, wanted[i].words);
		assert_int_equal(run_ms(scene, wanted[i].words), wanted[i].ms);
	}
}

/* The books of the machine: whatever tasks are summed by. */
UNIT_TEST_OF(groups_idle_and_unattributed_are_the_machine, struct scene *scene)
{
	const uint64_t spec_ms = 188, idle_ms = 1000;

	add_tasks(scene);
	for (size_t i = 0; i < GROUPINGS; i++) {
		uint64_t sum = 0;

		build(scene, grouping_get((int)i)->name);
		for (size_t j = 0; j < view_table_row_count(scene->table); j++)
			sum += view_table_row(scene->table, j)->interval[QUANTITY_RUN_NS];
		assert_int_equal(sum / WORLD_NS_PER_MS, spec_ms + idle_ms);
		assert_int_equal(run_ms(scene, "idle"), idle_ms);
		assert_int_equal(run_ms(scene, "unaccounted"), 0);
	}
}

UNIT_TEST_OF(groups_idle_that_is_shared_is_not_called_idle, struct scene *scene)
{
	const struct getter_input facts = {.session = &scene->world.session};

	add_tasks(scene);
	build(scene, "command");
	scene->world.session.idle_is_shared = true;
	assert_string_equal(get_group(&facts, find(scene, "idle")).text, "idle/outside");
}

UNIT_TEST_OF(groups_idle_and_unattributed_stand_last, struct scene *scene)
{
	size_t count;

	add_tasks(scene);
	build(scene, "user");

	count = view_table_row_count(scene->table);
	assert_int_equal(count, 4);
	assert_string_equal(words_of(view_table_row(scene->table, 0)), "root");
	assert_int_equal(view_table_row(scene->table, count - 2)->kind, ROW_UNATTRIBUTED);
	assert_int_equal(view_table_row(scene->table, count - 1)->kind, ROW_IDLE);
}

UNIT_TEST_OF(groups_of_a_filter_are_sums_of_what_passes, struct scene *scene)
{
	add_tasks(scene);
	scene->request.filter = "user = ben";
	build(scene, "command");

	assert_int_equal(view_table_row_count(scene->table), 2);
	assert_int_equal(run_ms(scene, "nginx"), 25);
	assert_int_equal(run_ms(scene, "cc1"), 10);
}

UNIT_TEST_OF(groups_held_tasks_are_not_in_the_interval, struct scene *scene)
{
	task(&scene->world, .pid = 7, .name = "sh", .run_ms = 5, .total_ms = 50);
	task(&scene->world, .pid = 8, .name = "sh", .run_ms = 7, .total_ms = 70, .is_held = true,
	     .is_exited = true);
	build(scene, "command");

	assert_int_equal(run_ms(scene, "sh"), 5);
	assert_int_equal(total_ms(scene, "sh"), 120);
	assert_int_equal(find(scene, "sh")->group->tasks, 1);
}

UNIT_TEST_OF(groups_totals_have_those_who_have_gone, struct scene *scene)
{
	struct exited_total gone = {.like = {.uid = 1000, .parent_pid = 7, .name = "cc1"}};

	add_tasks(scene);
	gone.like.total = world_vector(&scene->world, (struct counts_spec){.run_ms = 1000});
	scene->world.snapshot.exited_totals = &gone;
	scene->world.snapshot.exited_total_count = 1;

	build(scene, "command");
	assert_int_equal(run_ms(scene, "cc1"), 10);
	assert_int_equal(total_ms(scene, "cc1"), 1010);
	assert_int_equal(find(scene, "cc1")->group->tasks, 1);
	build(scene, "parent");
	assert_int_equal(total_ms(scene, "nginx 7"), 1035);
}

UNIT_TEST_OF(groups_with_idle_tasks_show_all, struct scene *scene)
{
	add_tasks(scene);
	scene->request.settings.idle = true;
	build(scene, "command");

	assert_int_equal(run_ms(scene, "sleeper"), 0);
}

UNIT_TEST_OF(groups_with_a_selected_one_show_it_idle, struct scene *scene)
{
	add_tasks(scene);
	scene->request.settings.idle = true;
	build(scene, "command");
	scene->request.selected = find(scene, "sleeper")->id;
	scene->request.settings.idle = false;
	build(scene, "command");

	assert_int_equal(run_ms(scene, "sleeper"), 0);
}

UNIT_TEST_OF(groups_keep_their_identity, struct scene *scene)
{
	uint64_t id;

	add_tasks(scene);
	build(scene, "user");
	id = find(scene, "ben")->id;
	task(&scene->world, .pid = 50, .name = "php", .uid = 1000, .run_ms = 400);
	build(scene, "user");

	assert_int_equal(find(scene, "ben")->id, id);
	assert_true(view_table_index_of(scene->table, id) >= 0);
}

UNIT_TEST_OF(groups_need_cgroups_only_where_these_are_shown, struct scene *scene)
{
	add_tasks(scene);
	build(scene, "command");
	assert_int_equal(view_table_needs(scene->table), 0);
	build(scene, "container");
	assert_int_equal(view_table_needs(scene->table), COLUMN_NEEDS_CGROUPS);
	scene->request.filter = "container = 3f4e9c1b7a2d";
	build(scene, "command");
	assert_int_equal(view_table_needs(scene->table), COLUMN_NEEDS_CGROUPS);
	assert_int_equal(run_ms(scene, "nginx"), 150);
	scene->request.filter = "nginx\ncontainer = 3f4e9c1b7a2d";
	build(scene, "command");
	assert_int_equal(view_table_needs(scene->table), COLUMN_NEEDS_CGROUPS);
	scene->request.filter = "ipc > 0";
	build(scene, "command");
	assert_int_equal(view_table_needs(scene->table), 0);
}

/* Who passes the filter of a group is what the group is the sum of. */
UNIT_TEST_OF(group_filter_finds_the_members, struct scene *scene)
{

	add_tasks(scene);
	for (size_t i = 0; i < GROUPINGS; i++) {
		for (size_t j = 0;; j++) {
			const struct view_row *row;
			uint64_t wanted, sum = 0;

			scene->request.filter = NULL;
			build(scene, grouping_get((int)i)->name);
			row = view_table_row(scene->table, j);
			if (row->kind != ROW_GROUP)
				break;
			wanted = row->interval[QUANTITY_RUN_NS];
			strbuf_clear(&scene->out);
			assert_true(group_write_filter(row->group, &scene->out));
			scene->request.filter = strbuf_text(&scene->out);
			scene->request.extra_rows = false;
			scene_build(scene, "tasks");
			scene->request.extra_rows = true;
			for (size_t k = 0; k < view_table_row_count(scene->table); k++)
				sum += view_table_row(scene->table, k)->interval[QUANTITY_RUN_NS];
			if (sum != wanted)
				fail_msg("%s: %s", grouping_get((int)i)->name,
					 scene->request.filter);
		}
	}
}

UNIT_TEST_OF(group_filter_quotes_names, struct scene *scene)
{
	static const struct {
		const char *name, *filter;
	} names[] = {
		{"nginx", "command = \"nginx\""},
		{"a \"b\"", "command = 'a \"b\"'"},
		{"it's", "command = \"it's\""},
		{"", "!(command ~ .)"},
		{"\"'", NULL},
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const struct task_group group = {
			.grouping = grouping_get(0),
			.key = {.text = names[i].name},
			.is_none = names[i].name[0] == '\0',
		};

		strbuf_clear(&scene->out);
		assert_int_equal(group_write_filter(&group, &scene->out), names[i].filter != NULL);
		if (names[i].filter)
			assert_string_equal(strbuf_text(&scene->out), names[i].filter);
	}
}

UNIT_TEST_OF(groupings_are_columns_of_tasks, struct scene *scene)
{

	for (size_t i = 0; i < GROUPINGS; i++) {
		const struct column *column =
			columns_find(scene->world.columns, grouping_get((int)i)->column);

		assert_non_null(column);
		assert_true(column_is_of(column, ROW_TASK));
	}
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
