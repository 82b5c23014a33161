/* Tasks under their parents: who stands under whom, sums of what is folded, and how long it takes.
 */

#include <locale.h>
#include <time.h>

#include "base/memory.h"
#include "view/table.h"
#include "view/tree.h"

#include "snapshot_builder.h"
#include "unit.h"
#include "users_fake.h"

struct scene {
	struct world world;
	struct view_settings settings;
	struct folds folds;
	struct view_table *table;
	struct column_list columns;
};

static int set_up(void **state)
{
	static struct scene scene;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return -1;
	scene = (struct scene){.settings = {.uid = -1, .tree = true, .folds = &scene.folds}};
	world_init(&scene.world);
	scene.table = view_table_create(scene.world.columns);
	world_choose(&scene.world, "pid,command", &scene.columns);
	scene.settings.columns = &scene.columns;
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	view_table_destroy(scene->table);
	column_list_fini(&scene->columns);
	folds_fini(&scene->folds);
	world_fini(&scene->world);
	return 0;
}

static void build(struct scene *scene)
{
	view_table_build(scene->table, view_find("tasks"), &scene->settings, &scene->world.snapshot,
			 &scene->world.session, scene->world.metrics);
}

/* Thread ids in their order, a dot before each for every row that it stands under. */
static void assert_tree(struct scene *scene, const char *expected)
{
	char text[256] = "";
	size_t length = 0;

	build(scene);
	for (size_t i = 0; i < view_table_row_count(scene->table); i++) {
		const struct view_row *row = view_table_row(scene->table, i);

		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%.*s%d",
					   i > 0 ? " " : "", (int)row->branch.depth, "........",
					   row->tid);
	}
	assert_string_equal(text, expected);
}

/* The words of the command column, a line for each row. */
static void assert_drawn(struct scene *scene, const char *expected)
{
	char text[1024] = "";
	size_t length = 0;

	build(scene);
	for (size_t i = 0; i < view_table_row_count(scene->table); i++) {
		struct cell cell;

		view_table_cell(scene->table, i, 1, &cell);
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s\n", cell.text);
	}
	assert_string_equal(text, expected);
}

/* 1 over 2 and 3, 3 over 4 and 5; 9 stands alone. */
static void make_family(struct scene *scene)
{
	task(&scene->world, .pid = 4, .parent_pid = 3, .run_ms = 40, .name = "four");
	task(&scene->world, .pid = 2, .parent_pid = 1, .run_ms = 20, .name = "two");
	task(&scene->world, .pid = 9, .parent_pid = 0, .run_ms = 90, .name = "nine");
	task(&scene->world, .pid = 1, .parent_pid = 0, .run_ms = 10, .name = "one");
	task(&scene->world, .pid = 3, .parent_pid = 1, .run_ms = 30, .name = "three");
	task(&scene->world, .pid = 5, .parent_pid = 3, .run_ms = 50, .name = "five");
}

UNIT_TEST_OF(tree_has_children_under_parents_siblings_in_order, struct scene *scene)
{
	make_family(scene);
	assert_tree(scene, "9 1 .3 ..5 ..4 .2");
	scene->settings.sort = columns_find(scene->world.columns, "pid");
	assert_tree(scene, "1 .2 .3 ..4 ..5 9");
	scene->settings.sort_reversed = true;
	assert_tree(scene, "9 1 .3 ..5 ..4 .2");
	scene->settings.tree = false;
	assert_tree(scene, "9 5 4 3 2 1");
}

/* 1 over 2 over 3, which has the most; 8 over 9, and 7 alone. */
UNIT_TEST_OF(tree_branch_stands_where_the_most_of_it_would, struct scene *scene)
{
	task(&scene->world, .pid = 7, .parent_pid = 0, .run_ms = 60, .name = "seven");
	task(&scene->world, .pid = 1, .parent_pid = 0, .run_ms = 1, .name = "one");
	task(&scene->world, .pid = 4, .parent_pid = 1, .run_ms = 30, .name = "four");
	task(&scene->world, .pid = 2, .parent_pid = 1, .run_ms = 2, .name = "two");
	task(&scene->world, .pid = 3, .parent_pid = 2, .run_ms = 90, .name = "three");
	task(&scene->world, .pid = 8, .parent_pid = 0, .run_ms = 40, .name = "eight");
	task(&scene->world, .pid = 9, .parent_pid = 8, .run_ms = 10, .name = "nine");
	assert_tree(scene, "1 .2 ..3 .4 7 8 .9");
	folds_toggle(&scene->folds, 2); /* of pid 1 */
	assert_tree(scene, "1 7 8 .9");
	folds_toggle(&scene->folds, 2);
	scene->settings.sort_reversed = true;
	assert_tree(scene, "1 .2 ..3 .4 8 .9 7");
	scene->settings.sort_reversed = false;
	/* a name is no amount: each by its own */
	scene->settings.sort = columns_find(scene->world.columns, "command");
	assert_tree(scene, "8 .9 1 .4 .2 ..3 7");
}

UNIT_TEST_OF(tree_is_drawn_with_lines_or_in_ascii, struct scene *scene)
{
	make_family(scene);
	assert_drawn(scene, "nine\n"
			    "one\n"
			    "├─ three\n"
			    "│  ├─ five\n"
			    "│  └─ four\n"
			    "└─ two\n");
	scene->settings.ascii = true;
	scene->settings.sort = columns_find(scene->world.columns, "pid");
	assert_drawn(scene, "one\n"
			    "|- two\n"
			    "`- three\n"
			    "   |- four\n"
			    "   `- five\n"
			    "nine\n");
}

UNIT_TEST_OF(tree_shows_idle_ancestors_only_over_those_that_ran, struct scene *scene)
{
	task(&scene->world, .pid = 1, .is_idle = true);
	task(&scene->world, .pid = 2, .parent_pid = 1, .is_idle = true);
	task(&scene->world, .pid = 3, .parent_pid = 2, .run_ms = 30);
	task(&scene->world, .pid = 4, .parent_pid = 1, .is_idle = true);
	assert_tree(scene, "1 .2 ..3");
	scene->settings.tree = false;
	assert_tree(scene, "3");
}

UNIT_TEST_OF(tree_passes_over_ancestors_of_which_nothing_is_known, struct scene *scene)
{
	task(&scene->world, .pid = 5, .is_idle = true, .name = "", .uid = -1);
	task(&scene->world, .pid = 6, .run_ms = 2, .parent_pid = 5);
	assert_tree(scene, "6");
	scene->settings.idle_tasks = true;
	assert_tree(scene, "6");
}

UNIT_TEST_OF(tree_passes_over_ancestors_that_a_filter_leaves_out, struct scene *scene)
{
	make_family(scene);
	scene->settings.filter = "cpu% > 0 && pid != 3";
	assert_tree(scene, "9 1 .5 .4 .2");
	scene->settings.filter = "pid >= 4";
	assert_tree(scene, "9 5 4");
}

UNIT_TEST_OF(tree_with_parents_that_are_not_known_has_more_roots, struct scene *scene)
{
	task(&scene->world, .pid = 5, .parent_pid = 777, .run_ms = 5);
	task(&scene->world, .pid = 6, .parent_pid = -1, .run_ms = 4);
	task(&scene->world, .pid = 7, .parent_pid = 5, .run_ms = 3);
	assert_tree(scene, "5 .7 6");
}

UNIT_TEST_OF(tree_of_rings_is_opened_at_the_oldest, struct scene *scene)
{
	task(&scene->world, .pid = 5, .parent_pid = 6, .run_ms = 5, .id = 30);
	task(&scene->world, .pid = 6, .parent_pid = 7, .run_ms = 4, .id = 10);
	task(&scene->world, .pid = 7, .parent_pid = 5, .run_ms = 3, .id = 20);
	task(&scene->world, .pid = 8, .parent_pid = 5, .run_ms = 2, .id = 40);
	task(&scene->world, .pid = 9, .parent_pid = 9, .run_ms = 1, .id = 50);
	assert_tree(scene, "6 .5 ..7 ..8 9");
}

UNIT_TEST_OF(tree_of_reused_pids_gives_children_to_who_lives, struct scene *scene)
{
	scene->settings.threads = true;
	task(&scene->world, .pid = 5, .run_ms = 9, .is_exited = true, .id = 90);
	task(&scene->world, .pid = 5, .run_ms = 8, .id = 10);
	task(&scene->world, .pid = 6, .run_ms = 7, .parent_pid = 5, .id = 20);
	assert_tree(scene, "5 5 .6");
	assert_int_equal(view_table_row(scene->table, 1)->id, 10);
}

UNIT_TEST_OF(tree_of_reused_pids_gives_no_children_to_a_stranger, struct scene *scene)
{
	task(&scene->world, .pid = 5, .run_ms = 8, .id = 30);
	task(&scene->world, .pid = 6, .run_ms = 7, .parent_pid = 5, .parent_id = 10, .id = 20);
	task(&scene->world, .pid = 7, .run_ms = 6, .parent_pid = 5, .parent_id = 30, .id = 40);
	assert_tree(scene, "5 .7 6");
}

UNIT_TEST_OF(tree_of_reused_pids_gives_children_to_the_later_of_the_dead, struct scene *scene)
{
	scene->settings.threads = true;
	task(&scene->world, .pid = 5, .run_ms = 9, .is_exited = true, .id = 90);
	task(&scene->world, .pid = 5, .run_ms = 8, .is_exited = true, .id = 10);
	task(&scene->world, .pid = 6, .run_ms = 7, .parent_pid = 5, .id = 20);
	assert_tree(scene, "5 .6 5");
	assert_int_equal(view_table_row(scene->table, 0)->id, 90);
}

UNIT_TEST_OF(tree_has_threads_under_their_process, struct scene *scene)
{
	scene->settings.threads = true;
	task(&scene->world, .pid = 2, .run_ms = 1, .parent_pid = 1);
	task(&scene->world, .pid = 3, .run_ms = 2, .parent_pid = 2);
	task(&scene->world, .pid = 2, .tid = 21, .run_ms = 9, .parent_pid = 1);
	task(&scene->world, .pid = 1, .run_ms = 1);
	/* its first thread is not known */
	task(&scene->world, .pid = 7, .tid = 71, .run_ms = 1, .parent_pid = 1);
	assert_tree(scene, "1 .2 ..21 ..3 .71");
}

/* Not even memory for them. */
UNIT_TEST_OF(tree_of_no_rows_is_none, struct scene *scene)
{
	build(scene);
	assert_int_equal(view_table_row_count(scene->table), 0);
}

UNIT_TEST_OF(folded_row_has_the_sums_of_what_stood_under_it, struct scene *scene)
{
	const struct view_row *row;

	make_family(scene);
	folds_toggle(&scene->folds, 5);  /* of pid 3 */
	assert_tree(scene, "1 .3 .2 9"); /* 120 ms are more than those of 9 */
	row = view_table_row(scene->table, 1);
	assert_int_equal(row->interval[QUANTITY_RUN_NS], 120 * WORLD_NS_PER_MS);
	assert_int_equal(row->branch.folded, 2);
	assert_int_equal(row->member_count, 3);
	assert_int_equal(scene->world.tasks[4].interval[QUANTITY_RUN_NS], 30 * WORLD_NS_PER_MS);
	assert_drawn(scene, "one\n├─ [+2] three\n└─ two\nnine\n");
	folds_toggle(&scene->folds, 5);
	assert_tree(scene, "9 1 .3 ..5 ..4 .2");
}

UNIT_TEST_OF(folded_row_stands_where_its_sums_belong, struct scene *scene)
{
	make_family(scene);
	folds_toggle(&scene->folds, 4); /* of pid 1: 150 ms in all, more than 9 */
	folds_toggle(&scene->folds, 5); /* inside of it */
	assert_tree(scene, "1 9");
	assert_int_equal(view_table_row(scene->table, 0)->interval[QUANTITY_RUN_NS],
			 150 * WORLD_NS_PER_MS);
	assert_int_equal(view_table_row(scene->table, 0)->branch.folded, 4);
}

UNIT_TEST_OF(folded_row_has_metrics_of_the_sums, struct scene *scene)
{
	struct cell cell;

	world_choose(&scene->world, "ipc,command", &scene->columns);
	task(&scene->world, .pid = 1, .run_ms = 1, .counts = {.cycles = 100, .instructions = 100});
	task(&scene->world, .pid = 2, .parent_pid = 1, .run_ms = 1,
	     .counts = {.cycles = 300, .instructions = 1100});
	folds_toggle(&scene->folds, scene->world.tasks[0].id);
	build(scene);
	view_table_cell(scene->table, 0, 0, &cell);
	assert_int_equal(view_table_row_count(scene->table), 1);
	assert_string_equal(cell.text, "3.00");
}

/* Or a machine would be two rows: that of process 1 and that of the kernel's threads. */
UNIT_TEST_OF(folding_all_leaves_roots_open_but_those_folded_by_hand, struct scene *scene)
{
	make_family(scene);
	scene->folds.all = true;
	assert_tree(scene, "1 .3 .2 9");
	folds_toggle(&scene->folds, 4); /* of pid 1 */
	assert_tree(scene, "1 9");
	folds_toggle(&scene->folds, 4);
	folds_toggle(&scene->folds, 5); /* of pid 3 */
	assert_tree(scene, "9 1 .3 ..5 ..4 .2");
}

UNIT_TEST_OF(folded_row_leaves_out_what_held_members_did_before, struct scene *scene)
{
	task(&scene->world, .pid = 1, .run_ms = 10);
	task(&scene->world, .pid = 2, .parent_pid = 1, .run_ms = 500, .is_exited = true,
	     .is_held = true);
	folds_toggle(&scene->folds, scene->world.tasks[0].id);
	build(scene);
	assert_int_equal(view_table_row(scene->table, 0)->interval[QUANTITY_RUN_NS],
			 10 * WORLD_NS_PER_MS);
	assert_int_equal(view_table_row(scene->table, 0)->total[QUANTITY_RUN_NS],
			 510 * WORLD_NS_PER_MS);
}

UNIT_TEST_OF(tree_keeps_rows_of_nobody_at_the_end, struct scene *scene)
{
	scene->settings.extra_rows = true;
	make_family(scene);
	assert_tree(scene, "9 1 .3 ..5 ..4 .2 -1");
	scene->folds.all = true;
	assert_tree(scene, "1 .3 .2 9 -1");
}

UNIT_TEST_OF(exited_and_kernel_threads_can_be_left_out, struct scene *scene)
{
	const int32_t asked[] = {2, 4};

	scene->settings.tree = false;
	task(&scene->world, .pid = 1, .run_ms = 9);
	task(&scene->world, .pid = 2, .run_ms = 8, .is_kernel_thread = true);
	task(&scene->world, .pid = 3, .run_ms = 7, .is_exited = true);
	task(&scene->world, .pid = 4, .run_ms = 6, .is_exited = true, .is_held = true);
	assert_tree(scene, "1 2 3 4");
	scene->settings.no_kernel_threads = true;
	assert_tree(scene, "1 3 4");
	scene->settings.no_exited = true;
	assert_tree(scene, "1");
	scene->settings.pids = asked;
	scene->settings.pid_count = 2;
	assert_tree(scene, "2 4");
}

UNIT_TEST_OF(followed_row_is_there_though_it_did_not_run, struct scene *scene)
{
	scene->settings.tree = false;
	task(&scene->world, .pid = 1, .is_idle = true);
	task(&scene->world, .pid = 2, .is_idle = true);
	scene->settings.followed = 2;
	assert_tree(scene, "2");
}

/* Deep ones draw no more than has room. */
UNIT_TEST(tree_of_a_thousand_generations_has_its_names_on_the_screen)
{
	struct row_branch branch = {.depth = 1000, .folded = 4294967295u, .lines = UINT64_MAX};
	char text[128];

	tree_write_branch(text, sizeof(text), &branch, false);
	assert_non_null(strstr(text, "[+4294967295] "));
	tree_write_branch(text, 8, &branch, false);
	assert_true(strlen(text) < 8);
}

/* How long a table of so many tasks takes; `generation`: how many a parent is before its child. */
static double build_seconds(struct scene *scene, int32_t count, int32_t generation)
{
	struct snapshot snapshot = scene->world.snapshot;
	struct snapshot_task *tasks = xcalloc((size_t)count, sizeof(*tasks));
	const struct snapshot_task like =
		*task(&scene->world, .pid = 1, .run_ms = 1, .name = "many");
	struct timespec begin, end;
	double best = 1e9;

	scene->world.snapshot.task_count = 0;
	for (int32_t i = 0; i < count; i++) {
		tasks[i] = like;
		tasks[i].id = (uint64_t)i + 1;
		tasks[i].pid = tasks[i].tid = i + 1;
		tasks[i].parent_pid = (i + 1) / generation < i + 1 ? (i + 1) / generation : i;
	}
	snapshot.tasks = tasks;
	snapshot.task_count = (size_t)count;
	for (int i = 0; i < 5; i++) {
		double seconds;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
		view_table_build(scene->table, view_find("tasks"), &scene->settings, &snapshot,
				 &scene->world.session, scene->world.metrics);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
		seconds = (double)(end.tv_sec - begin.tv_sec) +
			  (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
		best = seconds < best ? seconds : best;
	}
	print_message("%d tasks, generation %d: %.2f ms\n", count, generation, best * 1e3);
	assert_true(view_table_row_count(scene->table) == (size_t)count || scene->folds.all);
	free(tasks);
	return best;
}

/* Against the list of the same rows, so that the machine does not matter. */
static void assert_not_much_slower_than_a_list(struct scene *scene, int32_t generation)
{
	double list, tree;

	scene->settings.tree = false;
	list = build_seconds(scene, 10000, generation);
	scene->settings.tree = true;
	tree = build_seconds(scene, 10000, generation);
	assert_true(tree < list * 8);
	scene->folds.all = true;
	tree = build_seconds(scene, 10000, generation);
	assert_true(tree < list * 8);
	scene->folds.all = false;
}

UNIT_TEST(tree_of_ten_thousand_tasks_costs_little_more_than_a_list)
{
	assert_not_much_slower_than_a_list(*state, 3);
}

/* Each under the one before: as deep as it has rows. */
UNIT_TEST(tree_of_ten_thousand_generations_costs_little_more_than_a_list)
{
	assert_not_much_slower_than_a_list(*state, 1);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
