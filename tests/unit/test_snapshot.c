/* A copy of a snapshot stands on its own. */

#include "model_kit.h"
#include "unit.h"

static struct model *model; /* of the test that runs */

static int set_up(void **state)
{
	model = kit_model(1);
	return 0;
}

static int tear_down(void **state)
{
	model_destroy(model);
	model = NULL;
	return 0;
}

/* A snapshot with two threads of process 7 in two intervals, one of them reaped. */
static const struct snapshot *fill(void)
{
	feed(model, reading(.seq = 10, .ns = 1000));
	feed(model, facts(.tid = 7, .name = "sh", .command_line = "sh -c x"));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5, 6}));
	feed(model, sample(.pid = 7, .tid = 8, .seq = 12, .ns = 1700, .values = {9, 6}));
	feed(model, exited(.pid = 7, .tid = 8, .time = 1700));
	feed(model, switch_out(.pid = 7, .tid = 8, .next = 0, .time = 1700));
	model_close_interval(model, 2000);
	feed(model, reading(.seq = 12, .ns = 2500, .values = {9, 7}));
	return model_close_interval(model, 3000);
}

UNIT_TEST(copy_of_a_copy_outlives_the_model)
{
	struct snapshot *first = snapshot_copy(fill());
	struct snapshot *copy = snapshot_copy(first);

	snapshot_destroy(first);
	tear_down(state);

	const struct snapshot_task *task = find_task(copy, 7);
	assert_null(copy->active); /* it is the model's */
	assert_int_equal(copy->task_count, 1);
	assert_string_equal(task->command_line, "sh -c x");
	assert_int_equal(task->interval[event_place(0)], 0);
	assert_int_equal(task->total[event_place(0)], 5);
	assert_int_equal(task->total[event_place(1)], 6);
	assert_int_equal(task->reaped[event_place(0)], 4);
	assert_string_equal(copy->layout->events[1].name, "e1");
	assert_int_equal(copy->cpu_count, 1);
	assert_int_equal(copy->cpus[0].counter[event_place(1)], 1);
	assert_int_equal(copy->cpus[0].idle[QUANTITY_RUN_NS], 800);
	assert_int_equal(copy->cpus[0].unattributed[QUANTITY_RUN_NS], 0);
	assert_int_equal(copy->cpus[0].counter_total[QUANTITY_RUN_NS], 1500);
	assert_int_equal(copy->cpus[0].idle_total[QUANTITY_RUN_NS], 800);
	assert_int_equal(copy->cpus[0].unattributed_total[QUANTITY_RUN_NS], 0);
	assert_int_equal(copy->sequence, 2);
	snapshot_destroy(copy);
}

UNIT_TEST(bytes_of_a_copy_grow_with_its_tasks)
{
	const struct snapshot *whole = fill();
	struct snapshot nobody = *whole;

	nobody.task_count = 0;
	struct snapshot *copy = snapshot_copy(whole);
	struct snapshot *less = snapshot_copy(&nobody);
	const size_t width = layout_width(whole->layout);
	assert_true(snapshot_bytes(less) > sizeof(struct snapshot) + 6 * width * sizeof(uint64_t));
	assert_true(snapshot_bytes(copy) - snapshot_bytes(less) >=
		    sizeof(struct snapshot_task) + 3 * width * sizeof(uint64_t) +
			    sizeof("sh -c x"));
	assert_true(snapshot_bytes(copy) < 65536);
	snapshot_destroy(copy);
	snapshot_destroy(less);
}

UNIT_TEST(copy_of_nothing_holds_nothing)
{
	struct snapshot *copy = snapshot_copy(model_close_interval(model, 1000));

	assert_int_equal(copy->task_count, 0);
	assert_int_equal(copy->cpu_count, 0);
	snapshot_destroy(copy);
	snapshot_destroy(NULL);
	model_destroy(NULL);
}

static bool is_seven(int32_t pid, const void *context)
{
	return pid == 7;
}

UNIT_TEST(restricted_snapshot_has_the_wanted_processes_and_no_books)
{
	struct snapshot_part restricted = {0};
	const struct snapshot *const part = &restricted.snapshot;

	model_start(model, 0);
	feed(model, reading(.seq = 10, .ns = 1000));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5, 6}));
	feed(model, sample(.tid = 9, .seq = 12, .ns = 1700, .values = {9, 6}));
	feed(model, exited(.tid = 7, .time = 1700));
	feed(model, sample(.tid = 9, .seq = 14, .ns = 1900, .values = {20, 7}));
	const struct snapshot *whole = model_close_interval(model, 2000);
	snapshot_restrict(&restricted, whole, is_seven, NULL);

	assert_null(part->active); /* others have other indices */
	assert_int_equal(whole->task_count, 2);
	assert_int_equal(part->task_count, 1);
	assert_int_equal(part->tasks[0].pid, 7);
	assert_int_equal(part->tasks[0].interval[event_place(0)], 5);
	assert_int_equal(part->ran_count, 1);
	assert_int_equal(part->exited_count, 1);
	assert_int_equal(part->cpu_count, 0);
	assert_int_equal(part->interval_ns, whole->interval_ns);
	/* but what it may lack: two switches of unknown tasks */
	assert_int_equal(part->unattributed[event_place(0)], 11);
	assert_int_equal(part->unattributed[QUANTITY_SWITCHES], 2);
	assert_int_equal(part->unattributed_total[event_place(0)], 11);
	snapshot_part_fini(&restricted);
}

UNIT_MAIN(set_up, tear_down)
