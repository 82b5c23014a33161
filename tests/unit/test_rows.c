/* Tasks made into rows: sums, filters, folding, extra rows. */

#include "base/error.h"
#include "view/cell.h"
#include "view/filter.h"
#include "view/names.h"
#include "view/rows.h"

#include "snapshot_builder.h"
#include "unit.h"
#include "users_fake.h"

/* A world, what is wanted of it, and the rows made. */
struct scene {
	struct world world;
	struct view_settings settings;
	struct users *users;
	struct filter *filter;
	struct cell_source source; /* what the filter looks at rows with */
	struct rows rows;
};

static int set_up(void **state)
{
	static struct scene scene;

	scene = (struct scene){.settings = {.uid = -1}, .users = users_create()};
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
		.settings = &scene->settings,
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

static uint64_t run_ms(const struct view_row *row)
{
	return row->interval[QUANTITY_RUN_NS] / WORLD_NS_PER_MS;
}

static uint64_t total_ms(const struct view_row *row)
{
	return row->total[QUANTITY_RUN_NS] / WORLD_NS_PER_MS;
}

UNIT_TEST_OF(rows_of_tasks_sum_threads_by_pid, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 10, .counts.cycles = 1, .total_ms = 100);
	task(&scene->world, .pid = 9, .run_ms = 5, .counts.cycles = 50);
	task(&scene->world, .pid = 7, .run_ms = 20, .counts.cycles = 2, .total_ms = 200);
	task(&scene->world, .pid = 7, .tid = 10, .run_ms = 30, .counts.cycles = 3, .total_ms = 300);
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 2);
	assert_int_equal(rows[0].pid, 7);
	assert_int_equal(rows[0].tid, 7);
	assert_int_equal(rows[0].member_count, 3);
	assert_int_equal(run_ms(&rows[0]), 60);
	assert_int_equal(rows[0].interval[WORLD_FIRST + CYCLES], 6);
	assert_int_equal(total_ms(&rows[0]), 600);
	assert_int_equal(run_ms(&rows[1]), 5);
	assert_int_equal(rows[1].interval[WORLD_FIRST + CYCLES], 50);
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

UNIT_TEST_OF(rows_of_tasks_made_twice_give_the_same, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .run_ms = 20);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 10);
	make_tasks(scene);
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(run_ms(&rows[0]), 30);
	assert_int_equal(rows[0].member_count, 2);
}

UNIT_TEST_OF(rows_of_process_take_identity_of_first_thread, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .tid = 8, .id = 1, .name = "worker", .run_ms = 1);
	task(&scene->world, .pid = 7, .tid = 7, .id = 5, .name = "main", .run_ms = 1);
	task(&scene->world, .pid = 7, .tid = 9, .id = 2, .name = "worker", .run_ms = 1);
	rows = make_tasks(scene);

	assert_int_equal(rows[0].id, 5);
	assert_string_equal(rows[0].task->name, "main");
}

UNIT_TEST_OF(rows_of_process_without_first_thread_take_lowest_id, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .tid = 9, .id = 3, .run_ms = 1);
	task(&scene->world, .pid = 7, .tid = 8, .id = 2, .run_ms = 1, .is_new = true);
	rows = make_tasks(scene);

	assert_int_equal(rows[0].id, 2);
	assert_int_equal(rows[0].pid, 7);
	assert_false(rows[0].is_new);
}

UNIT_TEST_OF(rows_of_reused_pid_take_identity_of_the_living, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .id = 1, .run_ms = 1, .is_exited = true);
	task(&scene->world, .pid = 7, .id = 2, .run_ms = 2);
	rows = make_tasks(scene);

	assert_int_equal(rows[0].id, 2);
	assert_false(rows[0].is_exited);
	assert_int_equal(run_ms(&rows[0]), 3);
}

UNIT_TEST_OF(rows_of_process_add_forgotten_threads_to_total, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .run_ms = 20, .total_ms = 100, .reaped_ms = 40);
	rows = make_tasks(scene);

	assert_int_equal(run_ms(&rows[0]), 20);
	assert_int_equal(total_ms(&rows[0]), 140);
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

	task(&scene->world, .pid = 7, .run_ms = 1);
	scene->world.snapshot.unknown = off;
	assert_int_equal(make_tasks(scene)[0].unknown, off);
	scene->settings.threads = true;
	assert_int_equal(make_tasks(scene)[0].unknown, off);
	scene->world.cpus[0].unknown = 1u << QUANTITY_WAKEUPS;
	assert_int_equal(make_cpus(scene)[0].unknown, off | 1u << QUANTITY_WAKEUPS);
	assert_int_equal(make_cpus(scene)[1].unknown, off);
}

UNIT_TEST_OF(rows_of_process_with_living_thread_are_not_exited, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .run_ms = 1);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 1, .is_exited = true);
	rows = make_tasks(scene);

	assert_false(rows[0].is_exited);
}

UNIT_TEST_OF(rows_of_process_leave_out_interval_of_held_threads, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 500, .is_held = true, .is_exited = true);
	task(&scene->world, .pid = 7, .tid = 7, .run_ms = 20);
	task(&scene->world, .pid = 7, .tid = 9, .run_ms = 700, .is_held = true, .is_exited = true);
	task(&scene->world, .pid = 7, .tid = 10, .run_ms = 3);
	rows = make_tasks(scene);

	assert_false(rows[0].is_held);
	assert_int_equal(run_ms(&rows[0]), 23);
	assert_int_equal(total_ms(&rows[0]), 1223);
}

UNIT_TEST_OF(rows_of_process_are_from_proc_when_a_thread_is, struct scene *scene)
{
	task(&scene->world, .pid = 7, .run_ms = 10);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 10, .is_from_proc = true);
	task(&scene->world, .pid = 9, .run_ms = 10);
	const struct view_row *rows = make_tasks(scene);

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(rows[i].is_from_proc, rows[i].pid == 7);
}

UNIT_TEST_OF(rows_of_held_process_show_its_last_values, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .run_ms = 500, .is_held = true, .is_exited = true);
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_true(rows[0].is_held);
	assert_int_equal(run_ms(&rows[0]), 500);
}

UNIT_TEST_OF(rows_per_thread_have_own_values, struct scene *scene)
{
	const struct view_row *rows;

	scene->settings.threads = true;
	task(&scene->world, .pid = 7, .run_ms = 20, .reaped_ms = 40);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 10);
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 2);
	assert_int_equal(rows[1].tid, 8);
	assert_int_equal(rows[1].pid, 7);
	assert_int_equal(run_ms(&rows[1]), 10);
	assert_int_equal(total_ms(&rows[0]), 20);
}

UNIT_TEST_OF(rows_of_process_forget_sum_of_held_threads_when_one_lives, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 500, .is_held = true, .is_exited = true);
	task(&scene->world, .pid = 7, .tid = 9, .run_ms = 700, .is_held = true, .is_exited = true);
	task(&scene->world, .pid = 7, .tid = 10, .run_ms = 20);
	task(&scene->world, .pid = 7, .tid = 11, .run_ms = 3);
	rows = make_tasks(scene);

	assert_int_equal(run_ms(&rows[0]), 23);
}

UNIT_TEST_OF(rows_of_process_with_one_running_thread_have_run, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .is_idle = true);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 1);
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_true(rows[0].is_active);
}

UNIT_TEST_OF(rows_per_thread_are_unknown_where_the_source_is, struct scene *scene)
{
	const struct view_row *rows;

	scene->settings.threads = true;
	scene->world.session.unknown = 1u << QUANTITY_PREEMPTIONS;
	task(&scene->world, .pid = 7, .run_ms = 20, .unknown = 1u << QUANTITY_SWITCHES);
	rows = make_tasks(scene);

	assert_int_equal(rows[0].unknown, 1u << QUANTITY_PREEMPTIONS | 1u << QUANTITY_SWITCHES);
}

UNIT_TEST_OF(rows_of_idle_tasks_are_left_out, struct scene *scene)
{
	task(&scene->world, .pid = 7, .is_idle = true);
	make_tasks(scene);

	assert_int_equal(scene->rows.count, 0);
}

UNIT_TEST_OF(rows_of_tasks_that_wait_for_a_cpu_are_not_idle, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .is_idle = true, .counts.preempted_ms = 1000);
	task(&scene->world, .pid = 8, .is_idle = true, .counts.queued_ms = 3);
	task(&scene->world, .pid = 9, .is_idle = true);
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 2);
	assert_int_equal(rows[0].pid, 7);
	assert_int_equal(rows[1].pid, 8);
}

UNIT_TEST_OF(rows_of_idle_tasks_are_shown_when_asked_for, struct scene *scene)
{
	task(&scene->world, .pid = 7, .is_idle = true);
	scene->settings.idle_tasks = true;
	make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
}

UNIT_TEST_OF(rows_of_pid_list_hold_these_only_even_idle, struct scene *scene)
{
	const int32_t pids[] = {9, 7};
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .is_idle = true);
	task(&scene->world, .pid = 8, .run_ms = 1);
	scene->settings.pids = pids;
	scene->settings.pid_count = 2;
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(rows[0].pid, 7);
}

UNIT_TEST_OF(rows_of_user_hold_that_users_only, struct scene *scene)
{
	const struct view_row *rows;

	task(&scene->world, .pid = 7, .uid = 0, .run_ms = 1);
	task(&scene->world, .pid = 8, .uid = 1000, .run_ms = 1);
	scene->settings.uid = 1000;
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(rows[0].pid, 8);
}

static void set_filter(struct scene *scene, const char *text)
{
	struct error error = {0};
	size_t position;

	filter_destroy(scene->filter);
	scene->filter = text ? filter_create(text, scene->world.columns, &position, &error) : NULL;
	scene->source = (struct cell_source){
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

	scene->settings.threads = true;
	assert_int_equal(count_filtered(scene, "55"), 1);
}

UNIT_TEST_OF(rows_of_filter_are_compared_as_whole_processes, struct scene *scene)
{
	task(&scene->world, .pid = 7, .run_ms = 300);
	task(&scene->world, .pid = 7, .tid = 8, .run_ms = 300);
	task(&scene->world, .pid = 9, .run_ms = 500);

	assert_int_equal(count_filtered(scene, "cpu% > 50"), 1);
	assert_int_equal(count_filtered(scene, "cpu% >= 50 && threads = 2"), 1);
	scene->settings.threads = true;
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
	scene->settings.extra_rows = true;
	scene->world.cpus[0].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 200});

	assert_int_equal(count_filtered(scene, "cpu% > 10"), 1);
	assert_int_equal(count_filtered(scene, "cpu% > 30"), 0);
	assert_int_equal(count_filtered(scene, "command ~ ^unaccount"), 1);
	assert_int_equal(count_filtered(scene, "!accounted"), 0);
}

static void add_short_tasks(struct scene *scene)
{
	static const char *const names[] = {"as", "cc1", "sh", "cc1", "ld"};
	static const uint64_t run[] = {4, 6, 3, 6, 1};

	for (int32_t i = 0; i < 5; i++)
		task(&scene->world, .pid = 100 + i, .name = names[i], .run_ms = run[i],
		     .is_new = true, .is_exited = true);
}

UNIT_TEST_OF(rows_of_short_tasks_fold_into_one, struct scene *scene)
{
	const struct view_row *rows;

	add_short_tasks(scene);
	task(&scene->world, .pid = 7, .run_ms = 9, .is_exited = true);
	task(&scene->world, .pid = 8, .run_ms = 9, .is_new = true);
	scene->settings.fold_exited = true;
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 3);
	assert_int_equal(rows[2].kind, ROW_EXITED);
	assert_int_equal(rows[2].member_count, 5);
	assert_int_equal(run_ms(&rows[2]), 20);
	assert_int_equal(rows[2].pid, -1);
	assert_null(rows[2].task);
}

UNIT_TEST_OF(rows_of_short_tasks_name_three_that_ran_longest, struct scene *scene)
{
	add_short_tasks(scene);
	scene->settings.fold_exited = true;
	make_tasks(scene);

	assert_string_equal(strbuf_text(&scene->rows.exited_words),
			    "cc1 x2, as, sh, ... (5 exited, avg 4.00ms)");
}

UNIT_TEST_OF(rows_of_short_tasks_add_up_equal_names, struct scene *scene)
{
	static const char *const names[] = {"as", "cc1", "cc1"};
	static const uint64_t run[] = {4, 3, 3};

	scene->settings.fold_exited = true;
	for (int32_t i = 0; i < 3; i++)
		task(&scene->world, .pid = 100 + i, .name = names[i], .run_ms = run[i],
		     .is_new = true, .is_exited = true);
	make_tasks(scene);

	assert_string_equal(strbuf_text(&scene->rows.exited_words),
			    "cc1 x2, as (3 exited, avg 3.33ms)");
}

UNIT_TEST_OF(rows_of_short_tasks_with_three_names_name_all, struct scene *scene)
{
	static const char *const names[] = {"as", "cc1", "ld"};

	scene->settings.fold_exited = true;
	for (int32_t i = 0; i < 3; i++)
		task(&scene->world, .pid = 100 + i, .name = names[i], .run_ms = 5, .is_new = true,
		     .is_exited = true);
	make_tasks(scene);

	assert_string_equal(strbuf_text(&scene->rows.exited_words),
			    "as, cc1, ld (3 exited, avg 5.00ms)");
}

UNIT_TEST_OF(rows_of_short_tasks_made_twice_give_the_same, struct scene *scene)
{
	const struct view_row *rows;

	add_short_tasks(scene);
	scene->settings.fold_exited = true;
	make_tasks(scene);
	rows = make_tasks(scene);

	assert_string_equal(strbuf_text(&scene->rows.exited_words),
			    "cc1 x2, as, sh, ... (5 exited, avg 4.00ms)");
	assert_int_equal(rows[0].member_count, 5);
	assert_int_equal(total_ms(&rows[0]), 20);
}

UNIT_TEST_OF(rows_of_short_tasks_of_unknown_run_time_name_none, struct scene *scene)
{
	const struct view_row *rows;

	scene->settings.fold_exited = true;
	scene->world.session.unknown = 1u << QUANTITY_RUN_NS;
	task(&scene->world, .pid = 7, .name = "ls", .is_new = true, .is_exited = true);
	rows = make_tasks(scene);

	assert_string_equal(strbuf_text(&scene->rows.exited_words), "ls (1 exited)");
	assert_int_equal(rows[0].unknown, 1u << QUANTITY_RUN_NS);
}

UNIT_TEST_OF(rows_of_one_short_task_are_worded_in_singular, struct scene *scene)
{
	task(&scene->world, .pid = 7, .name = "ls", .run_ms = 2, .is_new = true, .is_exited = true);
	scene->settings.fold_exited = true;
	make_tasks(scene);

	assert_string_equal(strbuf_text(&scene->rows.exited_words), "ls (1 exited, avg 2.00ms)");
}

UNIT_TEST_OF(rows_of_short_tasks_are_not_folded_unless_asked_for, struct scene *scene)
{
	add_short_tasks(scene);
	make_tasks(scene);

	assert_int_equal(scene->rows.count, 5);
}

UNIT_TEST_OF(rows_of_short_tasks_fold_only_those_that_pass_the_filter, struct scene *scene)
{
	const struct view_row *rows;

	add_short_tasks(scene);
	scene->settings.fold_exited = true;
	set_filter(scene, "cc1");
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(rows[0].member_count, 2);
	assert_int_equal(run_ms(&rows[0]), 12);
}

UNIT_TEST_OF(rows_of_short_task_asked_for_by_pid_stay_apart, struct scene *scene)
{
	const int32_t pids[] = {100};
	const struct view_row *rows;

	add_short_tasks(scene);
	scene->settings.fold_exited = true;
	scene->settings.pids = pids;
	scene->settings.pid_count = 1;
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(rows[0].kind, ROW_TASK);
}

UNIT_TEST_OF(rows_have_unattributed_sum_of_cpus, struct scene *scene)
{
	const struct view_row *rows;

	scene->settings.extra_rows = true;
	scene->world.cpus[0].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 3, .cycles = 10});
	scene->world.cpus[1].unattributed =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 4, .cycles = 20});
	scene->world.cpus[1].unattributed_total =
		world_vector(&scene->world, (struct counts_spec){.run_ms = 9});
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(rows[0].kind, ROW_UNATTRIBUTED);
	assert_int_equal(run_ms(&rows[0]), 7);
	assert_int_equal(total_ms(&rows[0]), 9);
	assert_int_equal(rows[0].interval[WORLD_FIRST + CYCLES], 30);
}

UNIT_TEST_OF(rows_have_unattributed_even_when_it_is_zero, struct scene *scene)
{
	const struct view_row *rows;

	scene->settings.extra_rows = true;
	rows = make_tasks(scene);

	assert_int_equal(scene->rows.count, 1);
	assert_int_equal(run_ms(&rows[0]), 0);
}

UNIT_TEST_OF(rows_have_no_unattributed_where_something_else_was_asked_for, struct scene *scene)
{
	const int32_t pids[] = {1};

	scene->settings.extra_rows = true;
	assert_int_equal(count_filtered(scene, "sh"), 0);
	assert_int_equal(count_filtered(scene, "account"), 1);
	set_filter(scene, NULL);
	scene->settings.uid = 0;
	make_tasks(scene);
	assert_int_equal(scene->rows.count, 0);
	scene->settings.uid = -1;
	scene->settings.pids = pids;
	scene->settings.pid_count = 1;
	make_tasks(scene);
	assert_int_equal(scene->rows.count, 0);
}

UNIT_TEST_OF(rows_of_chosen_tasks_have_no_unattributed, struct scene *scene)
{
	scene->settings.extra_rows = true;
	scene->world.session.scope = SCOPE_TASKS;
	make_tasks(scene);

	assert_int_equal(scene->rows.count, 0);
}

UNIT_TEST_OF(rows_of_cpus_have_busy_time_and_all_events, struct scene *scene)
{
	const struct view_row *rows = make_cpus(scene);

	assert_int_equal(scene->rows.count, 2);
	assert_int_equal(rows[1].kind, ROW_CPU);
	assert_int_equal(rows[1].cpu->cpu, 1);
	assert_int_equal(run_ms(&rows[1]), 500);
	assert_int_equal(rows[1].interval[WORLD_FIRST + CYCLES], 2000000);
	assert_int_equal(rows[1].unknown, 0);
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
