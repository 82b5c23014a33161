/* Tasks made into rows: sums, filters, folding, extra rows. */

#include "base/error.h"
#include "view/cell.h"
#include "view/filter.h"
#include "view/names.h"
#include "view/rows.h"

#include "snapshot_builder.h"
#include "unit.h"

/* A world, what is wanted of it, and the rows made. */
struct scene {
	struct world world;
	struct view_request request;
	struct users *users;
	struct filter *filter;
	struct cell_source source; /* what the filter looks at rows with */
	struct rows rows;
};

static int set_up(void **state)
{
	static struct scene scene;

	scene = (struct scene){.users = users_create()};
	view_request_init(&scene.request, &view_tasks);
	world_init(&scene.world);
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	rows_fini(&scene->rows);
	filter_destroy(scene->filter);
	users_destroy(scene->users);
	world_fini(&scene->world);
	return 0;
}

static struct rows_input input_of(struct scene *scene)
{
	return (struct rows_input){
		.request = &scene->request,
		.snapshot = &scene->world.snapshot,
		.session = &scene->world.session,
		.filter = scene->filter,
		.source = &scene->source,
	};
}

static const struct view_row *make_tasks(struct scene *scene)
{
	struct rows_input input = input_of(scene);

	view_tasks.make_rows(&scene->rows, &input);
	return scene->rows.rows;
}

static const struct view_row *make_cpus(struct scene *scene)
{
	struct rows_input input = input_of(scene);

	rows_make_cpus(&scene->rows, &input);
	return scene->rows.rows;
}

/* All rows: "PID/TID#ID xMEMBERS RUN/TOTAL" in ms, then what else there is to be said of them. */
static void assert_rows(struct scene *scene, const char *expected)
{
	struct strbuf text = {0};
	const struct view_row *rows = make_tasks(scene);

	rows = make_tasks(scene); /* twice gives the same */
	for (const struct view_row *row = rows; row < rows + scene->rows.count; row++) {
		strbuf_add(&text, row > rows ? ", " : "");
		if (row->kind == ROW_TASK)
			strbuf_printf(&text, "%d/%d#%d", row->pid, row->tid, (int)row->id);
		else
			strbuf_add(&text, row->kind == ROW_EXITED ? "exited" : "unattributed");
		assert_true(row->kind == ROW_TASK || (row->pid == -1 && !row->task));
		strbuf_printf(&text, " x%d %d/%d", (int)row->member_count,
			      (int)(row->interval[QUANTITY_RUN_NS] / WORLD_NS_PER_MS),
			      (int)(row->total[QUANTITY_RUN_NS] / WORLD_NS_PER_MS));
		if (row->interval[WORLD_FIRST + CYCLES] > 0)
			strbuf_printf(&text, " c%d", (int)row->interval[WORLD_FIRST + CYCLES]);
		if (row->kind == ROW_TASK)
			strbuf_printf(&text, "%s%s%s%s%s", row->is_exited ? " exited" : "",
				      row->is_new ? " new" : "", row->is_held ? " held" : "",
				      row->is_from_proc ? " proc" : "",
				      row->is_active ? "" : " idle");
		if (row->task && strcmp(row->task->name, "task") != 0)
			strbuf_printf(&text, " %s", row->task->name);
		if (row->kind == ROW_EXITED)
			strbuf_printf(&text, ": %s",
				      strbuf_text(&scene->rows.exited_words) + row->words_at);
		if (row->kind == ROW_UNATTRIBUTED)
			strbuf_printf(&text, ": %s", strbuf_text(&scene->rows.unattributed_words));
	}
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_fini(&text);
}

static void set_filter(struct scene *scene, const char *text);

#define ENDED .is_exited = true, .is_held = true
#define SHORT(pid_, name_, ms_)                                                                    \
	{                                                                                          \
		.pid = pid_, .name = name_, .run_ms = ms_, .is_new = true, .is_exited = true       \
	}
#define COMPILER                                                                                   \
	SHORT(100, "as", 4), SHORT(101, "cc1", 6), SHORT(102, "sh", 3), SHORT(103, "cc1", 6),      \
		SHORT(104, "ld", 1)

/* clang-format off */
static const struct {
	const char *name;
	struct task_spec tasks[7];
	const char *rows;
	bool threads, idle_tasks;
	enum view_fold fold_exited;
	int32_t pid, uid; /* asked for; 0: all */
	const char *filter;
} cases[] = {
	{"threads are summed by pid",
	 {{.pid = 7, .tid = 8, .run_ms = 10, .counts.cycles = 1, .total_ms = 100}, {.pid = 9, .run_ms = 5, .counts.cycles = 50},
	  {.pid = 7, .run_ms = 20, .counts.cycles = 2, .total_ms = 200}, {.pid = 7, .tid = 10, .run_ms = 30, .counts.cycles = 3, .total_ms = 300}},
	 .rows = "9/9#2 x1 5/5 c50, 7/7#3 x3 60/600 c6"},
	{"a process is its first thread",
	 {{.pid = 7, .tid = 8, .id = 1, .name = "worker", .run_ms = 1}, {.pid = 7, .id = 5, .name = "main", .run_ms = 1}, {.pid = 7, .tid = 9, .id = 2, .name = "worker", .run_ms = 1}},
	 .rows = "7/7#5 x3 3/3 main"},
	{"without a first thread it is that of the lowest id, and not new",
	 {{.pid = 7, .tid = 9, .id = 3, .run_ms = 1}, {.pid = 7, .tid = 8, .id = 2, .run_ms = 1, .is_new = true}},
	 .rows = "7/7#2 x2 2/2"},
	{"a pid that is used again is another process", {{.pid = 7, .run_ms = 1, .is_exited = true}, {.pid = 7, .run_ms = 2}}, .rows = "7/7#1 x1 1/1 exited, 7/7#2 x1 2/2"},
	{"its threads are those that are younger, in whatever order they come",
	 {{.pid = 7, .tid = 9, .id = 7, .run_ms = 100}, {.pid = 7, .id = 5, .run_ms = 10}, {.pid = 7, .tid = 8, .id = 3, .run_ms = 2}, {.pid = 7, .id = 2, .run_ms = 1, .is_exited = true}, {.pid = 7, .tid = 6, .id = 1, .run_ms = 4}},
	 .rows = "7/7#5 x2 110/110, 7/7#2 x3 7/7"},
	{"forgotten threads are in the total", {{.pid = 7, .run_ms = 20, .total_ms = 100, .reaped_ms = 40}}, .rows = "7/7#1 x1 20/140"},
	{"a process with a living thread has not exited", {{.pid = 7, .run_ms = 1}, {.pid = 7, .tid = 8, .run_ms = 1, .is_exited = true}}, .rows = "7/7#1 x2 2/2"},
	{"the interval of held threads is left out",
	 {{.pid = 7, .tid = 8, .run_ms = 500, ENDED}, {.pid = 7, .run_ms = 20}, {.pid = 7, .tid = 9, .run_ms = 700, ENDED}, {.pid = 7, .tid = 10, .run_ms = 3}},
	 .rows = "7/7#2 x4 23/1223"},
	{"and forgotten when one lives",
	 {{.pid = 7, .tid = 8, .run_ms = 500, ENDED}, {.pid = 7, .tid = 9, .run_ms = 700, ENDED}, {.pid = 7, .tid = 10, .run_ms = 20}, {.pid = 7, .tid = 11, .run_ms = 3}},
	 .rows = "7/7#3 x4 23/1223"},
	{"a held process shows its last values", {{.pid = 7, .run_ms = 500, ENDED}}, .rows = "7/7#1 x1 500/500 exited held idle"},
	{"a process is from /proc when a thread is",
	 {{.pid = 7, .run_ms = 10}, {.pid = 7, .tid = 8, .run_ms = 10, .is_from_proc = true}, {.pid = 9, .run_ms = 10}},
	 .rows = "7/7#1 x2 20/20 proc, 9/9#3 x1 10/10"},
	{"threads have their own values", {{.pid = 7, .run_ms = 20, .reaped_ms = 40}, {.pid = 7, .tid = 8, .run_ms = 10}}, .rows = "7/7#1 x1 20/20, 7/8#2 x1 10/10", .threads = true},
	{"one running thread is enough", {{.pid = 7, .is_idle = true}, {.pid = 7, .tid = 8, .run_ms = 1}}, .rows = "7/7#1 x2 1/1"},
	{"idle tasks are left out", {{.pid = 7, .is_idle = true}}, .rows = ""},
	{"idle tasks are shown when asked for", {{.pid = 7, .is_idle = true}}, .rows = "7/7#1 x1 0/0 idle", .idle_tasks = true},
	{"a task that waits for a CPU is not idle",
	 {{.pid = 7, .is_idle = true, .counts.preempted_ms = 1000}, {.pid = 8, .is_idle = true, .counts.queued_ms = 3}, {.pid = 9, .is_idle = true}},
	 .rows = "7/7#1 x1 0/0, 8/8#2 x1 0/0"},
	{"a task in uninterruptible sleep is not idle", {{.pid = 7, .is_idle = true, .counts.uninterruptible_ms = 3}, {.pid = 9, .is_idle = true}}, .rows = "7/7#1 x1 0/0"},
	{"a process that was asked for is shown even idle", {{.pid = 7, .is_idle = true}, {.pid = 8, .run_ms = 1}}, .rows = "7/7#1 x1 0/0 idle", .pid = 7},
	{"only the user's", {{.pid = 7, .run_ms = 1}, {.pid = 8, .uid = 1000, .run_ms = 1}}, .rows = "8/8#2 x1 1/1", .uid = 1000},
	{"short tasks fold into one, three are named",
	 {COMPILER, {.pid = 7, .run_ms = 9, .is_exited = true}, {.pid = 8, .run_ms = 9, .is_new = true}},
	 .rows = "7/7#6 x1 9/9 exited, 8/8#7 x1 9/9 new, exited x5 20/20: cc1 x2, as, sh, ... (5 exited, avg 4.00ms)", .fold_exited = FOLD_TO_ONE},
	{"equal names are added up", {SHORT(100, "as", 4), SHORT(101, "cc1", 3), SHORT(102, "cc1", 3)}, .rows = "exited x3 10/10: cc1 x2, as (3 exited, avg 3.33ms)", .fold_exited = FOLD_TO_ONE},
	{"three names are all", {SHORT(100, "as", 5), SHORT(101, "cc1", 5), SHORT(102, "ld", 5)}, .rows = "exited x3 15/15: as, cc1, ld (3 exited, avg 5.00ms)", .fold_exited = FOLD_TO_ONE},
	{"one short task is worded in singular", {SHORT(7, "ls", 2)}, .rows = "exited x1 2/2: ls (1 exited, avg 2.00ms)", .fold_exited = FOLD_TO_ONE},
	{"short tasks of one name are one row, one that is alone stays",
	 {COMPILER, {.pid = 7, .name = "cc1", .run_ms = 9, .is_new = true}, {.pid = 8, .name = "cc1", .run_ms = 9, .is_exited = true}},
	 .rows = "100/100#1 x1 4/4 exited new as, exited x2 12/12: cc1 x2, 102/102#3 x1 3/3 exited new sh, 104/104#5 x1 1/1 exited new ld, "
		 "7/7#6 x1 9/9 new cc1, 8/8#7 x1 9/9 exited cc1", .fold_exited = FOLD_BY_NAME},
	{"short tasks are not folded unless asked for",
	 {COMPILER},
	 .rows = "100/100#1 x1 4/4 exited new as, 101/101#2 x1 6/6 exited new cc1, 102/102#3 x1 3/3 exited new sh, 103/103#4 x1 6/6 exited new cc1, 104/104#5 x1 1/1 exited new ld"},
	{"only those that pass the filter are folded", {COMPILER}, .rows = "exited x2 12/12: cc1 x2 (2 exited, avg 6.00ms)", .fold_exited = FOLD_TO_ONE, .filter = "cc1"},
	{"a short task that was asked for stays apart", {COMPILER}, .rows = "100/100#1 x1 4/4 exited new as", .fold_exited = FOLD_TO_ONE, .pid = 100},
};
/* clang-format on */

UNIT_TEST_WITH(rows_of_tasks_are_as_expected, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const int32_t pids[] = {9, cases[i].pid};
		struct scene *scene;

		begin_case(cases[i].name);
		set_up((void **)&scene);
		for (size_t j = 0; j < COUNT_OF(cases[i].tasks) && cases[i].tasks[j].pid > 0; j++)
			world_add(&scene->world, cases[i].tasks[j]);
		scene->request.settings.threads = cases[i].threads;
		scene->request.settings.idle = cases[i].idle_tasks;
		scene->request.fold_exited = cases[i].fold_exited;
		scene->request.uid = cases[i].uid > 0 ? cases[i].uid : -1;
		scene->request.pids = cases[i].pid > 0 ? pids : NULL;
		scene->request.pid_count = 2;
		set_filter(scene, cases[i].filter);
		assert_rows(scene, cases[i].rows);
		tear_down((void **)&scene);
	}
}

UNIT_TEST_OF(rows_of_tasks_leave_snapshot_untouched, struct scene *scene)
{
	const struct snapshot_task *first =
		task(&scene->world, .pid = 7, .run_ms = 20, .reaped_ms = 4);

	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 10);
	make_tasks(scene);

	assert_int_equal(first->interval[QUANTITY_RUN_NS], 20 * WORLD_NS_PER_MS);
	assert_int_equal(first->total[QUANTITY_RUN_NS], 20 * WORLD_NS_PER_MS);
	assert_int_equal(first->reaped[QUANTITY_RUN_NS], 4 * WORLD_NS_PER_MS);
}

UNIT_TEST_OF(rows_of_process_are_unknown_where_a_thread_is, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .run_ms = 1, .unknown = 1u << QUANTITY_SWITCHES);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 1, .unknown = 1u << QUANTITY_MIGRATIONS);
	scene->world.session.unknown = 1u << QUANTITY_PREEMPTIONS;
	rows = make_tasks(scene);

	assert_int_equal(rows[0].unknown, 1u << QUANTITY_SWITCHES | 1u << QUANTITY_MIGRATIONS |
						  1u << QUANTITY_PREEMPTIONS);
}

UNIT_TEST_OF(rows_are_unknown_where_the_interval_is, struct scene *scene)
{
	const uint32_t off = 1u << QUANTITY_OFF_NS;
	const uint32_t latency = 1u << QUANTITY_LATENCY_NS; /* is of no CPU */

	task(&scene->world, .pid = 7, .run_ms = 1);
	scene->world.snapshot.unknown = off;
	assert_int_equal(make_tasks(scene)[0].unknown, off);
	scene->request.settings.threads = true;
	assert_int_equal(make_tasks(scene)[0].unknown, off);
	scene->world.cpus[0].unknown = 1u << QUANTITY_WAKEUPS;
	assert_int_equal(make_cpus(scene)[0].unknown, off | latency | 1u << QUANTITY_WAKEUPS);
	assert_int_equal(make_cpus(scene)[1].unknown, off | latency);
}

UNIT_TEST_OF(rows_per_thread_are_unknown_where_the_source_is, struct scene *scene)
{
	const struct view_row *rows;

	scene->request.settings.threads = true;
	scene->world.session.unknown = 1u << QUANTITY_PREEMPTIONS;
	task(&scene->world, .pid = 7, .run_ms = 20, .unknown = 1u << QUANTITY_SWITCHES);
	rows = make_tasks(scene);

	assert_int_equal(rows[0].unknown, 1u << QUANTITY_PREEMPTIONS | 1u << QUANTITY_SWITCHES);
}

static void set_filter(struct scene *scene, const char *text)
{
	struct error error = {0};
	size_t position;

	filter_destroy(scene->filter);
	scene->filter = text ? filter_create(text, scene->world.columns, &position, &error) : NULL;
	scene->source = (struct cell_source){
		.kinds = row_kinds,
		.getter_input = {.users = scene->users,
				 .unattributed_words = "",
				 .exited_words = ""},
		.metrics = scene->world.metrics,
		.layout = &scene->world.layout,
	};
	if (text && !filter_bind(scene->filter, scene->world.metrics, &scene->world.layout,
				 &position, &error))
		fail_msg("%s: %s", text, error.text);
}

static size_t count_filtered(struct scene *scene, const char *filter)
{
	set_filter(scene, filter);
	make_tasks(scene);
	return scene->rows.count;
}

UNIT_TEST_OF(rows_of_filter_match_pid_user_name_and_command_line, struct scene *scene)
{
	task(&scene->world, .pid = 4711, .uid = 1000, .name = "nginx", .run_ms = 1,
	     .command_line = "nginx: worker process");
	task(&scene->world, .pid = 12, .uid = 0, .name = "cron", .run_ms = 1);

	assert_int_equal(count_filtered(scene, "471"), 1);
	assert_int_equal(count_filtered(scene, "ROOT"), 1);
	assert_int_equal(count_filtered(scene, "n"), 2);
	assert_int_equal(count_filtered(scene, "Worker p"), 1);
	assert_int_equal(count_filtered(scene, ""), 2);
	assert_int_equal(count_filtered(scene, NULL), 2);
	assert_int_equal(count_filtered(scene, "zsh"), 0);
}

UNIT_TEST_OF(rows_of_filter_match_thread_ids_where_rows_are_threads, struct scene *scene)
{
	task(&scene->world, .pid = 7, .tid = 555, .run_ms = 1);
	assert_int_equal(count_filtered(scene, "55"), 0);

	scene->request.settings.threads = true;
	assert_int_equal(count_filtered(scene, "55"), 1);
}

UNIT_TEST_OF(rows_of_filter_are_compared_as_whole_processes, struct scene *scene)
{
	task(&scene->world, .pid = 7, .run_ms = 300);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 300);
	task(&scene->world, .pid = 9, .run_ms = 500);

	assert_int_equal(count_filtered(scene, "cpu% > 50"), 1);
	assert_int_equal(count_filtered(scene, "cpu% >= 50 && threads = 2"), 1);
	scene->request.settings.threads = true;
	assert_int_equal(count_filtered(scene, "cpu% < 50"), 2);
}

UNIT_TEST_OF(rows_of_cpus_are_compared_but_pass_plain_words, struct scene *scene)
{
	set_filter(scene, "nginx");
	make_cpus(scene);
	assert_int_equal(scene->rows.count, 2);

	set_filter(scene, "cpu = 1 && busy > 10%");
	make_cpus(scene);
	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(scene->rows.rows[0].cpu->cpu, 1);

	set_filter(scene, "ipc < 0.1");
	make_cpus(scene);
	assert_int_equal(scene->rows.count, 0);
}

UNIT_TEST_OF(rows_unattributed_are_compared_by_what_they_show, struct scene *scene)
{
	scene->request.extra_rows = true;
	scene->world.cpus[0].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 200});

	assert_int_equal(count_filtered(scene, "cpu% > 10"), 1);
	assert_int_equal(count_filtered(scene, "cpu% > 30"), 0);
	assert_int_equal(count_filtered(scene, "command ~ ^unaccount"), 1);
	assert_int_equal(count_filtered(scene, "!accounted"), 0);
}

UNIT_TEST_OF(rows_of_short_tasks_of_unknown_run_time_have_no_mean, struct scene *scene)
{
	scene->request.fold_exited = FOLD_TO_ONE;
	scene->world.session.unknown = 1u << QUANTITY_RUN_NS;
	task(&scene->world, .pid = 7, .name = "ls", .is_new = true, .is_exited = true);

	assert_rows(scene, "exited x1 0/0: ls (1 exited)");
	assert_int_equal(scene->rows.rows[0].unknown, 1u << QUANTITY_RUN_NS);
}

static void add_ended(struct scene *scene, const char *name, int32_t pid, int32_t parent,
		      int run_ms)
{
	task(&scene->world, .pid = pid, .id = (uint64_t)pid, .name = name, .is_new = true,
	     .is_exited = true, .parent_pid = parent, .parent_id = (uint64_t)parent,
	     .run_ms = (uint64_t)run_ms);
}

/* cc1 has two parents of one name, true has one, ls has one that is not known. */
UNIT_TEST_OF(rows_of_ended_processes_are_listed_by_name_and_parent, struct scene *scene)
{
	struct strbuf text = {0};

	scene->request.fold_exited = FOLD_TO_ONE;
	task(&scene->world, .pid = 2, .id = 2, .name = "make", .run_ms = 1);
	task(&scene->world, .pid = 3, .id = 3, .name = "make", .run_ms = 1);
	task(&scene->world, .pid = 4, .id = 4, .name = "bash", .run_ms = 1);
	add_ended(scene, "cc1", 11, 2, 20);
	add_ended(scene, "true", 12, 4, 1);
	add_ended(scene, "cc1", 13, 3, 10);
	add_ended(scene, "true", 14, 4, 2);
	add_ended(scene, "true", 15, 3, 2);
	add_ended(scene, "ls", 16, 900, 1);
	add_ended(scene, "ls", 17, -1, 0);
	make_tasks(scene);

	rows_write_exited(&scene->rows, &scene->world.snapshot, true, &text);
	assert_string_equal(strbuf_text(&text),
			    "NAME               COUNT   CPU TIME     MEAN  PARENT\n"
			    "cc1                    2     30.0ms   15.0ms  make\n"
			    "true                   2     3.00ms   1.50ms  bash 4\n"
			    "true                   1     2.00ms   2.00ms  make 3\n"
			    "ls                     1     1.00ms   1.00ms  900\n"
			    "ls                     1        0ns      0ns  -\n");
	strbuf_fini(&text);
}

/* It is there even when it is zero. */
UNIT_TEST_OF(rows_have_unattributed_sum_of_cpus, struct scene *scene)
{
	struct snapshot_cpu *cpus = scene->world.cpus;

	scene->request.extra_rows = true;
	assert_rows(scene, "unattributed x0 0/0: unaccounted");
	cpus[0].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 3, .cycles = 10});
	cpus[1].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 4, .cycles = 20});
	cpus[1].unattributed_total = world_vector(&scene->world, (struct counts_spec){.run_ms = 9});
	assert_rows(scene, "unattributed x0 7/9 c30: unaccounted");
}

UNIT_TEST_OF(rows_of_unattributed_name_who_does_not_report, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;

	scene->request.extra_rows = true;
	set_filter(scene, "account");
	task(&scene->world, .pid = 7, .name = "main");
	task(&scene->world, .pid = 9, .name = "other");
	task(&scene->world, .pid = 7, .tid = 8, .name = "worker");
	snapshot->silent_switches = 1;
	assert_rows(scene, "unattributed x0 0/0: unaccounted (kernel did not report 1 switch)");
	snapshot->tasks[2].is_silent = true;
	snapshot->silent_switches = 20;
	assert_rows(scene, "unattributed x0 0/0: unaccounted (kernel did not report 20 switches of "
			   "main)");
	snapshot->tasks[1].is_silent = true;
	assert_rows(scene, "unattributed x0 0/0: unaccounted (kernel did not report 20 switches of "
			   "other and others)");
}

UNIT_TEST_OF(rows_have_no_unattributed_where_something_else_was_asked_for, struct scene *scene)
{
	const int32_t pids[] = {1};

	scene->request.extra_rows = true;
	assert_int_equal(count_filtered(scene, "sh"), 0);
	assert_int_equal(count_filtered(scene, "account"), 1);
	set_filter(scene, NULL);
	scene->request.uid = 0;
	assert_rows(scene, "");
	scene->request.uid = -1;
	scene->request.pids = pids;
	scene->request.pid_count = 1;
	assert_rows(scene, "");
	scene->request.pids = NULL;
	scene->world.session.scope = SCOPE_TASKS;
	assert_rows(scene, "");
}

/* Of some tasks it is there when counts of theirs may be missing. */
UNIT_TEST_OF(rows_of_some_tasks_have_unattributed_counts, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;

	scene->request.extra_rows = true;
	scene->world.session.scope = SCOPE_TASKS;
	snapshot->cpu_count = 0;
	snapshot->unattributed = snapshot->unattributed_total =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 3, .cycles = 10});
	assert_rows(scene, "unattributed x0 3/3 c10: unaccounted");
	snapshot->unattributed = snapshot->unattributed_total =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 3});
	assert_rows(scene, "");
}

UNIT_TEST_OF(rows_of_cpus_have_busy_time_and_all_events, struct scene *scene)
{
	const struct view_row *rows = make_cpus(scene);

	assert_int_equal(scene->rows.count, 2);
	assert_int_equal(rows[1].kind, ROW_CPU);
	assert_int_equal(rows[1].cpu->cpu, 1);
	assert_int_equal(rows[1].interval[QUANTITY_RUN_NS], 500 * WORLD_NS_PER_MS);
	assert_int_equal(rows[1].interval[WORLD_FIRST + CYCLES], 2000000);
	assert_int_equal(rows[1].unknown, 1u << QUANTITY_LATENCY_NS);
	assert_true(rows[0].id != rows[1].id);
}

UNIT_TEST_OF(rows_of_cpu_that_was_off_know_nothing, struct scene *scene)
{
	const struct view_row *rows;

	scene->world.cpus[1].counter = scene->world.cpus[1].idle =
		world_vector(&scene->world, (struct counts_spec){0});
	rows = make_cpus(scene);

	assert_int_equal(rows[1].unknown, (1u << QUANTITY_BUILTIN) - 1);
	assert_false(rows[1].is_active);
}

UNIT_TEST(vectors_take_after_reset_gives_zeros_again)
{
	struct vectors vectors = {0};
	uint64_t *counts;

	vectors_reset(&vectors, 3);
	counts = vectors_take(&vectors);
	counts[2] = 7;

	vectors_reset(&vectors, 3);
	counts = vectors_take(&vectors);

	assert_int_equal(counts[2], 0);
	vectors_fini(&vectors);
}

UNIT_TEST(vectors_take_many_keeps_all_apart)
{
	struct vectors vectors = {0};
	uint64_t *taken[1000];

	vectors_reset(&vectors, 2);

	for (uint64_t i = 0; i < 1000; i++) {
		taken[i] = vectors_take(&vectors);
		taken[i][0] = i;
		taken[i][1] = ~i;
	}

	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(taken[i][0], i);
		assert_int_equal(taken[i][1], ~i);
	}
	vectors_fini(&vectors);
}

UNIT_TEST(vectors_take_copy_copies_all_numbers)
{
	struct vectors vectors = {0};
	const uint64_t counts[] = {1, 2, 3};
	const uint64_t *copy;

	vectors_reset(&vectors, 3);

	copy = vectors_take_copy(&vectors, counts);

	assert_memory_equal(copy, counts, sizeof(counts));
	assert_ptr_not_equal(copy, counts);
	vectors_fini(&vectors);
}

UNIT_TEST(vectors_reset_to_wider_makes_room)
{
	struct vectors vectors = {0};

	vectors_reset(&vectors, 1);
	vectors_take(&vectors)[0] = 1;

	vectors_reset(&vectors, 100);
	for (int i = 0; i < 200; i++)
		vectors_take(&vectors)[99] = 1;

	assert_int_equal(vectors.used, 200);
	vectors_fini(&vectors);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
