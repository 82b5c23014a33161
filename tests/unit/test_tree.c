/* Tasks under their parents: who stands under whom, sums of what is folded, and how long it takes.
 */

#include <locale.h>
#include <time.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "view/table.h"
#include "view/tree.h"

#include "snapshot_builder.h"
#include "unit.h"

struct scene {
	struct world world;
	struct view_request request;
	struct folds folds;
	struct view_table *table;
	struct column_list columns;
};

static int set_up(void **state)
{
	static struct scene scene;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return -1;
	scene = (struct scene){0};
	view_request_init(&scene.request, &view_tasks);
	scene.request.settings.tree = true;
	scene.request.folds = &scene.folds;
	world_init(&scene.world);
	scene.table = view_table_create(scene.world.columns);
	world_choose(&scene.world, "pid,command", &scene.columns);
	scene.request.state.columns = scene.columns;
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
	view_table_build(scene->table, &scene->request, &scene->world.snapshot,
			 &scene->world.session, scene->world.metrics);
}

/*
 * Thread ids in their order, a dot before each for every row that it is under; with the numbers of
 * tasks where threads are shown; of what is folded how many, and the time in the interval and in
 * all.
 */
static void assert_tree(struct scene *scene, const char *expected)
{
	struct strbuf text = {0};

	build(scene);
	for (size_t i = 0; i < view_table_row_count(scene->table); i++) {
		const struct view_row *row = view_table_row(scene->table, i);

		strbuf_printf(&text, "%s%.*s%d", i > 0 ? " " : "", (int)row->branch.depth,
			      "........", row->tid);
		if (scene->request.settings.threads)
			strbuf_printf(&text, "#%d", (int)row->id);
		if (row->branch.folded > 0)
			strbuf_printf(&text, "+%u=%d/%d", row->branch.folded,
				      (int)(row->interval[QUANTITY_RUN_NS] / WORLD_NS_PER_MS),
				      (int)(row->total[QUANTITY_RUN_NS] / WORLD_NS_PER_MS));
	}
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_fini(&text);
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

/* clang-format off */
/* 1 over 2 and 3, 3 over 4 and 5; 9 is alone. */
#define FAMILY \
	{{.pid = 4, .parent_pid = 3, .run_ms = 40, .name = "four"}, {.pid = 2, .parent_pid = 1, .run_ms = 20, .name = "two"}, \
	 {.pid = 9, .run_ms = 90, .name = "nine"}, {.pid = 1, .run_ms = 10, .name = "one"}, \
	 {.pid = 3, .parent_pid = 1, .run_ms = 30, .name = "three"}, {.pid = 5, .parent_pid = 3, .run_ms = 50, .name = "five"}}
/* clang-format on */

static void make_family(struct scene *scene)
{
	static const struct task_spec family[] = FAMILY;

	for (size_t i = 0; i < COUNT_OF(family); i++)
		world_add(&scene->world, family[i]);
}

/* clang-format off */
static const struct {
	const char *name; /* NULL: the tasks of the case before, otherwise set */
	struct task_spec tasks[7];
	const char *tree;
	struct view_request set;
	const char *sort;
	uint64_t folded[2]; /* ids */
	bool folds_all, is_list, no_kernel_threads, no_exited;
} cases[] = {
	{"children under parents, siblings in order", FAMILY, .tree = "9 1 .3 ..5 ..4 .2"},
	{.tree = "1 .2 .3 ..4 ..5 9", .sort = "pid"},
	{.tree = "9 1 .3 ..5 ..4 .2", .sort = "pid", .set.state.order.sort_reversed = true},
	{.tree = "9 5 4 3 2 1", .sort = "pid", .set.state.order.sort_reversed = true, .is_list = true},
	{"a folded row is where its sums belong", FAMILY, .tree = "1+4=150/150 9", .folded = {4, 5}},
	/* or a machine would be two rows: that of process 1 and that of the kernel's threads */
	{"folding all leaves roots open but those folded by hand", FAMILY, .tree = "1 .3+2=120/120 .2 9", .folds_all = true},
	{.tree = "1+4=150/150 9", .folds_all = true, .folded = {4}},
	{.tree = "9 1 .3 ..5 ..4 .2", .folds_all = true, .folded = {5}},
	{"rows of no task are at the end", FAMILY, .tree = "9 1 .3 ..5 ..4 .2 -1", .set.extra_rows = true},
	{.tree = "1 .3+2=120/120 .2 9 -1", .set.extra_rows = true, .folds_all = true},
	{"rows of no task beside one", {{.pid = 1, .run_ms = 5}}, .tree = "1 -1", .set.extra_rows = true},
	{"ancestors that a filter leaves out", FAMILY, .tree = "9 1 .5 .4 .2", .set.filter = "cpu% > 0 && pid != 3"},
	{.tree = "9 5 4", .set.filter = "pid >= 4"},
	/* 1 over 2 over 3, which has the most; 8 over 9, and 7 alone */
	{"a branch is where the most of it would be",
	 {{.pid = 7, .run_ms = 60, .name = "seven"}, {.pid = 1, .run_ms = 1, .name = "one"}, {.pid = 4, .parent_pid = 1, .run_ms = 30, .name = "four"},
	  {.pid = 2, .parent_pid = 1, .run_ms = 2, .name = "two"}, {.pid = 3, .parent_pid = 2, .run_ms = 90, .name = "three"},
	  {.pid = 8, .run_ms = 40, .name = "eight"}, {.pid = 9, .parent_pid = 8, .run_ms = 10, .name = "nine"}}, .tree = "1 .2 ..3 .4 7 8 .9"},
	{.tree = "1+3=123/123 7 8 .9", .folded = {2}},
	{.tree = "1 .2 ..3 .4 8 .9 7", .set.state.order.sort_reversed = true},
	{.tree = "8 .9 1 .4 .2 ..3 7", .sort = "command"}, /* a name is no amount: each by its own */
	{"idle ancestors only over those that ran", {{.pid = 1, .is_idle = true}, {.pid = 2, .parent_pid = 1, .is_idle = true}, {.pid = 3, .parent_pid = 2, .run_ms = 30},
	  {.pid = 4, .parent_pid = 1, .is_idle = true}}, .tree = "1 .2 ..3"},
	{.tree = "3", .is_list = true},
	{"ancestors of which nothing is known", {{.pid = 5, .is_idle = true, .name = "", .uid = -1}, {.pid = 6, .run_ms = 2, .parent_pid = 5}}, .tree = "6"},
	{.tree = "6", .set.settings.idle = true},
	{"parents that are not known", {{.pid = 5, .parent_pid = 777, .run_ms = 5}, {.pid = 6, .parent_pid = -1, .run_ms = 4}, {.pid = 7, .parent_pid = 5, .run_ms = 3}}, .tree = "5 .7 6"},
	{"rings are opened at the oldest", {{.pid = 5, .parent_pid = 6, .run_ms = 5, .id = 30}, {.pid = 6, .parent_pid = 7, .run_ms = 4, .id = 10}, {.pid = 7, .parent_pid = 5, .run_ms = 3, .id = 20},
	  {.pid = 8, .parent_pid = 5, .run_ms = 2, .id = 40}, {.pid = 9, .parent_pid = 9, .run_ms = 1, .id = 50}}, .tree = "6 .5 ..7 ..8 9"},
	{"of a reused pid children are of who lives", {{.pid = 5, .run_ms = 9, .is_exited = true, .id = 90}, {.pid = 5, .run_ms = 8, .id = 10},
	  {.pid = 6, .run_ms = 7, .parent_pid = 5, .id = 20}}, .tree = "5#90 5#10 .6#20", .set.settings.threads = true},
	{"of a reused pid a stranger has no children", {{.pid = 5, .run_ms = 8, .id = 30}, {.pid = 6, .run_ms = 7, .parent_pid = 5, .parent_id = 10, .id = 20},
	  {.pid = 7, .run_ms = 6, .parent_pid = 5, .parent_id = 30, .id = 40}}, .tree = "5 .7 6"},
	{"of a reused pid children are of the later of the dead", {{.pid = 5, .run_ms = 9, .is_exited = true, .id = 90}, {.pid = 5, .run_ms = 8, .is_exited = true, .id = 10},
	  {.pid = 6, .run_ms = 7, .parent_pid = 5, .id = 20}}, .tree = "5#90 .6#20 5#10", .set.settings.threads = true},
	{"threads are under their process", /* of 7 its first is not known */
	 {{.pid = 2, .run_ms = 1, .parent_pid = 1}, {.pid = 3, .run_ms = 2, .parent_pid = 2}, {.pid = 2, .tid = 21, .run_ms = 9, .parent_pid = 1}, {.pid = 1, .run_ms = 1},
	  {.pid = 7, .tid = 71, .run_ms = 1, .parent_pid = 1}}, .tree = "1#4 .2#1 ..21#3 ..3#2 .71#5", .set.settings.threads = true},
	{"no rows", {{0}}, .tree = ""},
	{"held members did that before", {{.pid = 1, .run_ms = 10}, {.pid = 2, .parent_pid = 1, .run_ms = 500, .is_exited = true, .is_held = true}},
	 .tree = "1+1=10/510", .folded = {1}},
	{"a selected row is there though it is idle", {{.pid = 1, .is_idle = true}, {.pid = 2, .is_idle = true}}, .tree = "2", .set.selected = 2},
	{"exited and kernel threads can be left out", {{.pid = 1, .run_ms = 9}, {.pid = 2, .run_ms = 8, .is_kernel_thread = true}, {.pid = 3, .run_ms = 7, .is_exited = true},
	  {.pid = 4, .run_ms = 6, .is_exited = true, .is_held = true}}, .tree = "1 2 3 4"},
	{.tree = "1 3 4", .no_kernel_threads = true},
	{.tree = "1", .no_kernel_threads = true, .no_exited = true},
	{.tree = "2 4", .no_kernel_threads = true, .no_exited = true, .set = {.pids = (const int32_t[]){2, 4}, .pid_count = 2}},
};
/* clang-format on */

UNIT_TEST_WITH(tree_is_as_expected, NULL, NULL)
{
	struct scene *scene = NULL;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		if (cases[i].name) {
			begin_case(cases[i].name);
			if (scene)
				tear_down((void **)&scene);
			set_up((void **)&scene);
			for (size_t j = 0;
			     j < COUNT_OF(cases[i].tasks) && cases[i].tasks[j].pid > 0; j++)
				world_add(&scene->world, cases[i].tasks[j]);
		}
		const struct view_request before = scene->request;

		scene->request = cases[i].set;
		scene->request.uid = -1;
		scene->request.settings.tree = !cases[i].is_list;
		scene->request.settings.kernel_threads = !cases[i].no_kernel_threads;
		scene->request.settings.exited = !cases[i].no_exited;
		scene->request.state.info = &view_tasks;
		scene->request.state.columns = before.state.columns;
		scene->request.folds = before.folds;
		if (cases[i].sort)
			scene->request.state.order.sort =
				columns_find(scene->world.columns, cases[i].sort);
		scene->folds.all = cases[i].folds_all;
		for (size_t j = 0; j < 2; j++)
			if (cases[i].folded[j] > 0)
				folds_toggle(&scene->folds, cases[i].folded[j]);
		assert_tree(scene, cases[i].tree);
		for (size_t j = 0; j < 2; j++)
			if (cases[i].folded[j] > 0)
				folds_toggle(&scene->folds, cases[i].folded[j]);
		scene->request = before;
	}
	tear_down((void **)&scene);
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
	scene->request.ascii = true;
	scene->request.state.order.sort = columns_find(scene->world.columns, "pid");
	assert_drawn(scene, "one\n"
			    "|- two\n"
			    "`- three\n"
			    "   |- four\n"
			    "   `- five\n"
			    "nine\n");
}

UNIT_TEST_OF(folded_row_has_the_sums_of_what_stood_under_it, struct scene *scene)
{
	make_family(scene);
	folds_toggle(&scene->folds, 5);            /* of pid 3 */
	assert_tree(scene, "1 .3+2=120/120 .2 9"); /* 120 ms are more than those of 9 */
	assert_int_equal(view_table_row(scene->table, 1)->member_count, 3);
	assert_int_equal(scene->world.tasks[4].interval[QUANTITY_RUN_NS], 30 * WORLD_NS_PER_MS);
	assert_drawn(scene, "one\n├─ [+2] three\n└─ two\nnine\n");
	folds_toggle(&scene->folds, 5);
	assert_tree(scene, "9 1 .3 ..5 ..4 .2");
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
		view_table_build(scene->table, &scene->request, &snapshot, &scene->world.session,
				 scene->world.metrics);
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

	scene->request.settings.tree = false;
	list = build_seconds(scene, 10000, generation);
	scene->request.settings.tree = true;
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
