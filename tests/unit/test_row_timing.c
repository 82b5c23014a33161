/* Slices and waits of tasks: joined for a process, and as columns. */

#include "model/timing.h"
#include "view/rows.h"

#include "scene_kit.h"
#include "unit.h"

enum {
	TIMINGS = 4
};

static struct timing timings[TIMINGS];

static int set_up(void **state)
{
	memset(timings, 0, sizeof(timings));
	*state = scene_open();
	return 0;
}

static int tear_down(void **state)
{
	for (size_t i = 0; i < TIMINGS; i++)
		timing_fini(&timings[i]);
	scene_close(*state);
	return 0;
}

static void assert_first(struct scene *scene, const char *column, const char *expected)
{
	assert_string_equal(scene_cell(scene, "tasks", column, 0).text, expected);
}

static void add_slices(size_t timing, size_t count, uint64_t ns)
{
	for (size_t i = 0; i < count; i++)
		distribution_add(&timings[timing].of[TIMING_SLICES], ns);
}

/* The timing of a new thread. */
static void add_thread(struct scene *scene, int32_t tid, size_t timing)
{
	task(&scene->world, .pid = 7, .tid = tid, .run_ms = 1)->timing = &timings[timing];
}

UNIT_TEST_OF(row_of_one_thread_has_its_timing, struct scene *scene)
{
	add_slices(0, 3, 5000);
	add_thread(scene, 7, 0);
	scene_build(scene, "tasks");
	assert_ptr_equal(view_table_row(scene->table, 0)->timing, &timings[0]);

	scene->request.settings.threads = true;
	scene_build(scene, "tasks");
	assert_ptr_equal(view_table_row(scene->table, 0)->timing, &timings[0]);
}

UNIT_TEST_OF(row_of_threads_of_which_one_has_a_timing_has_that, struct scene *scene)
{
	task(&scene->world, .pid = 7, .tid = 7, .run_ms = 1);
	add_thread(scene, 8, 0);
	task(&scene->world, .pid = 7, .tid = 9, .run_ms = 1);
	scene_build(scene, "tasks");

	assert_ptr_equal(view_table_row(scene->table, 0)->timing, &timings[0]);
}

UNIT_TEST_OF(row_of_threads_has_their_timings_joined, struct scene *scene)
{
	add_slices(0, 3, 5000);
	add_slices(1, 2, 9000);
	add_slices(2, 1, 1000);
	add_thread(scene, 7, 0);
	add_thread(scene, 8, 1);
	add_thread(scene, 9, 2);

	/* from build to build: nothing of the last one is in the next */
	for (int i = 0; i < 3; i++) {
		const struct timing *timing;

		scene_build(scene, "tasks");
		timing = view_table_row(scene->table, 0)->timing;
		assert_int_equal(timing->of[TIMING_SLICES].count, 6);
		assert_int_equal(timing->of[TIMING_SLICES].sum, 34000);
		assert_int_equal(timing->of[TIMING_SLICES].max, 9000);
	}
	assert_int_equal(timings[0].of[TIMING_SLICES].count, 3);
	assert_first(scene, "slice-max", "9.00us");
}

UNIT_TEST_OF(row_of_two_processes_keep_theirs_apart, struct scene *scene)
{
	add_slices(0, 1, 5000);
	add_slices(1, 2, 9000);
	add_thread(scene, 7, 0);
	add_thread(scene, 8, 1);
	task(&scene->world, .pid = 20, .run_ms = 9)->timing = &timings[2];
	task(&scene->world, .pid = 20, .tid = 21)->timing = &timings[3];
	scene_build(scene, "tasks");

	assert_int_equal(view_table_row(scene->table, 0)->pid, 20);
	assert_int_equal(view_table_row(scene->table, 0)->timing->of[TIMING_SLICES].count, 0);
	assert_int_equal(view_table_row(scene->table, 1)->timing->of[TIMING_SLICES].count, 3);
}

UNIT_TEST_OF(row_with_a_held_thread_has_not_its_timing, struct scene *scene)
{
	add_slices(0, 1, 5000);
	add_slices(1, 2, 9000);
	task(&scene->world, .pid = 7, .tid = 6, .is_held = true, .is_exited = true)->timing =
		&timings[0];
	add_thread(scene, 7, 1);
	task(&scene->world, .pid = 7, .tid = 8, .is_held = true, .is_exited = true)->timing =
		&timings[0];
	scene_build(scene, "tasks");

	assert_ptr_equal(view_table_row(scene->table, 0)->timing, &timings[1]);
}

UNIT_TEST_OF(row_with_held_threads_has_the_timings_of_the_others, struct scene *scene)
{
	add_slices(0, 1, 5000);
	add_slices(1, 2, 9000);
	for (int32_t tid = 4; tid < 7; tid++)
		task(&scene->world, .pid = 7, .tid = tid, .is_held = true, .is_exited = true)
			->timing = &timings[0];
	add_thread(scene, 7, 1);
	add_thread(scene, 8, 1);
	scene_build(scene, "tasks");

	assert_int_equal(view_table_row(scene->table, 0)->timing->of[TIMING_SLICES].count, 4);
}

UNIT_TEST_OF(rows_use_the_memory_of_joined_timings_again, struct scene *scene)
{
	const struct rows_input input = {
		.request = &scene->request,
		.snapshot = &scene->world.snapshot,
		.session = &scene->world.session,
	};
	struct rows rows = {0};

	add_thread(scene, 7, 0);
	add_thread(scene, 8, 1);
	for (int i = 0; i < 3; i++)
		view_tasks.make_rows(&rows, &input);
	assert_int_equal(rows.timings_made, 1);
	rows_fini(&rows);
}

UNIT_TEST_OF(columns_of_few_slices_are_exact, struct scene *scene)
{
	add_slices(0, 1, 1000);
	add_slices(0, 1, 2500);
	add_slices(0, 1, 7000);
	distribution_add(&timings[0].of[TIMING_PREEMPTED], 3000000);
	distribution_add(&timings[0].of[TIMING_WAKEUPS], 42000);
	add_thread(scene, 7, 0);

	assert_first(scene, "slice", "3.50us"); /* the slice that goes on is in none of these */
	assert_first(scene, "slice-p50", "2.50us");
	assert_first(scene, "slice-p99", "7.00us");
	assert_first(scene, "slice-max", "7.00us");
	assert_first(scene, "pwait-p99", "3.00ms");
	assert_first(scene, "wake-p99", "42.0us");
	assert_first(scene, "wake-max", "42.0us");
	assert_false(scene_cell(scene, "tasks", "slice-p50", 0).is_scaled);
}

static const char *const timing_columns[] = {"slice",     "slice-p50", "slice-p99",
					     "slice-max", "pwait-p99", "wake-p99",
					     "cold",      "cold-ipc",  "warm-ipc"};

UNIT_TEST_OF(columns_of_an_empty_timing_are_unknown, struct scene *scene)
{
	add_thread(scene, 7, 0);
	for (size_t i = 0; i < COUNT_OF(timing_columns); i++)
		assert_first(scene, timing_columns[i], "-");
}

UNIT_TEST_OF(columns_without_a_timing_are_unknown, struct scene *scene)
{
	task(&scene->world, .pid = 7, .run_ms = 1);
	for (size_t i = 0; i < COUNT_OF(timing_columns); i++)
		assert_first(scene, timing_columns[i], "-");
}

/* Short slices have an IPC of 0.5 at 1 cycle a ns; long ones one of 0.5 for the first 100 us and
 * of 2 for the rest. */
UNIT_TEST_OF(columns_of_cold_caches_are_marked_as_estimates, struct scene *scene)
{
	struct timing *timing = &timings[0];

	timing->cold = (struct timing_part){20, 20 * 100000, 20 * 50000, 20 * 100000};
	timing->late = (struct timing_part){20, 20 * 1000000, 20 * (50000 + 1800000), 20 * 1000000};
	add_thread(scene, 7, 0);

	assert_first(scene, "cold-ipc", "0.50");
	assert_first(scene, "warm-ipc", "2.00");
	assert_first(scene, "cold", "75.0");
	assert_true(scene_cell(scene, "tasks", "cold", 0).is_scaled);
	assert_true(scene_cell(scene, "tasks", "cold-ipc", 0).is_scaled);
	assert_true(scene_cell(scene, "tasks", "warm-ipc", 0).is_scaled);
}

UNIT_TEST_OF(column_helps_state_their_rules, struct scene *scene)
{
	assert_non_null(strstr(column_help(columns_find(scene->world.columns, "slice-p99")),
			       "within 10 %"));
	assert_non_null(strstr(column_help(columns_find(scene->world.columns, "cold")), "100 us"));
	assert_non_null(
		strstr(column_help(columns_find(scene->world.columns, "cold")), "estimate"));
}

UNIT_TEST_OF(columns_of_waits_are_unknown_for_what_nobody_can_be_charged_with, struct scene *scene)
{
	scene->request.extra_rows = true;

	assert_first(scene, "pwait%", "-");
	assert_first(scene, "wakeups/s", "-");
	assert_first(scene, "sw/s", "0");
}

UNIT_TEST_OF(columns_of_waits_are_unknown_where_the_source_cannot_know, struct scene *scene)
{
	struct cell cell;

	scene->world.session.unknown = 1u << QUANTITY_QUEUED_NS;
	world_choose(&scene->world, "rqwait%,pwait%,cpu%", &scene->columns);
	scene->request.state.columns = scene->columns;
	scene_build(scene, "cpus");
	view_table_cell(scene->table, 0, 0, &cell);
	assert_string_equal(cell.text, "-");
	view_table_cell(scene->table, 0, 1, &cell);
	assert_string_equal(cell.text, "0.0");
	view_table_cell(scene->table, 0, 2, &cell);
	assert_string_equal(cell.text, "50.0");
}

UNIT_TEST_OF(columns_of_waits_are_shares_of_the_interval, struct scene *scene)
{
	struct snapshot_task *busy = task(&scene->world, .pid = 7, .run_ms = 1,
					  .counts = {.switches = 50, .preemptions = 20});
	uint64_t *counts = scene->world.vectors[scene->world.vector_count - 2];

	assert_ptr_equal(busy->interval, counts);
	counts[QUANTITY_PREEMPTED_NS] = 100 * WORLD_NS_PER_MS;
	counts[QUANTITY_OFF_NS] = 500 * WORLD_NS_PER_MS;
	counts[QUANTITY_QUEUED_NS] = 120 * WORLD_NS_PER_MS;
	counts[QUANTITY_WAKEUP_NS] = 20 * WORLD_NS_PER_MS;
	counts[QUANTITY_WAKEUPS] = 10;

	assert_first(scene, "pwait%", "10.0");
	assert_first(scene, "off%", "50.0");
	assert_first(scene, "rqwait%", "12.0");
	assert_first(scene, "wake", "2.00ms");
	assert_first(scene, "wakeups/s", "10.0");
	assert_first(scene, "vol/s", "30.0");
	assert_int_equal(scene_cell(scene, "tasks", "pwait%", 0).goodness, 2);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
