/*
 * The life of tasks: births, names, facts, ends, reused tids, what is forgotten and what
 * is held. One CPU; task 7 runs from the beginning.
 */

#include "base/topology.h"
#include "model/exited_totals.h"

#include "model_story.h"
#include "unit.h"

static struct model *model; /* of the test that runs; not of a story */

static struct model *begin(size_t groups)
{
	struct model *begun = kit_model(groups);

	feed(begun, reading(.seq = 10, .ns = 1000));
	feed(begun, switch_in(.tid = 7, .prev = 5, .time = 1000));
	model_start(begun, 1000);
	return begun;
}

static int set_up(void **state)
{
	model = begin(1);
	return 0;
}

static int tear_down(void **state)
{
	model_destroy(model);
	return 0;
}

static size_t rows_with_tid(const struct snapshot *snapshot, int32_t tid)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		count += snapshot->tasks[i].tid == tid;
	return count;
}

UNIT_TEST(task_is_created_when_it_is_first_mentioned)
{
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1100));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	const struct snapshot_task *task = find_task(snapshot, 8);
	assert_non_null(task);
	assert_int_equal(task->pid, 8);
	assert_int_equal(task->parent_pid, -1);
	assert_int_equal(task->uid, -1);
	assert_int_equal(task->last_cpu, 0);
	assert_string_equal(task->name, "");
	assert_null(task->command_line);
	assert_false(task->is_new);
	assert_false(task->has_run);
}

UNIT_TEST(idle_and_unknown_tasks_are_never_created)
{
	size_t before = model_close_interval(model, 1500)->task_count;

	feed(model, switch_out(.tid = 7, .next = 0, .time = 1600));
	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1600));
	feed(model, switch_out(.tid = NOBODY, .next = NOBODY, .time = 1700));
	feed(model, exited(.tid = NOBODY, .time = 1700));
	feed(model, comm(.tid = 0, .name = "swapper", .time = 1700));
	feed(model, exited(.pid = NOBODY, .tid = 99, .time = 1700));

	assert_int_equal(model_close_interval(model, 2000)->task_count, before);
}

/* An orphan is the child of init or of a subreaper, which no record tells. */
UNIT_TEST(orphan_has_no_parent_until_it_is_told)
{
	struct task_ref refs[4];

	feed(model, facts(.tid = 7, .name = "sh", .parent = 1));
	feed(model, facts(.tid = 1, .name = "init"));
	feed(model, forked(.tid = 8, .parent = 7, .time = 1100));
	feed(model, forked(.pid = 8, .tid = 9, .parent = 8, .time = 1100));
	feed(model, exited(.tid = 7, .time = 1200));
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_int_equal(find_task(snapshot, 8)->parent_pid, 7);
	assert_int_equal(find_task(snapshot, 8)->parent_id, find_task(snapshot, 7)->id);

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 1);
	assert_int_equal(refs[0].tid, 8);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find_task(snapshot, 8)->parent_pid, -1);
	assert_int_equal(find_task(snapshot, 9)->parent_pid, -1);

	feed(model, facts(.tid = 8, .name = "sh", .parent = 1));
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(find_task(snapshot, 8)->parent_pid, 1);
	assert_int_equal(find_task(snapshot, 9)->parent_pid, 1);
	assert_int_equal(find_task(snapshot, 9)->parent_id, find_task(snapshot, 1)->id);
}

UNIT_TEST(orphan_is_no_child_of_who_has_its_parents_pid)
{
	feed(model, forked(.tid = 8, .parent = 7, .time = 1100));
	feed(model, exited(.tid = 7, .time = 1200));
	feed(model, forked(.tid = 7, .parent = 5, .time = 1300));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	for (size_t i = 0; i < snapshot->task_count; i++) {
		if (snapshot->tasks[i].tid == 7 && !snapshot->tasks[i].is_exited)
			assert_int_not_equal(snapshot->tasks[i].id,
					     find_task(snapshot, 8)->parent_id);
	}
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find_task(snapshot, 8)->parent_pid, -1);
	assert_int_equal(find_task(snapshot, 8)->parent_id, 0);
}

UNIT_TEST(child_of_a_process_whose_first_thread_exited_is_no_orphan)
{
	feed(model, forked(.tid = 8, .parent = 7, .time = 1100));
	feed(model, forked(.pid = 7, .tid = 9, .parent = 7, .time = 1100));
	feed(model, exited(.tid = 7, .time = 1200));
	for (uint64_t time = 2000; time <= 4000; time += 1000)
		assert_int_equal(find_task(model_close_interval(model, time), 8)->parent_pid, 7);
	feed(model, exited(.pid = 7, .tid = 9, .time = 4100));
	model_close_interval(model, 5000);

	assert_int_equal(find_task(model_close_interval(model, 6000), 8)->parent_pid, -1);
}

UNIT_TEST(procinfo_late_name_all_generations)
{
	enum {
		FIRST = 100,
		GENERATIONS = 200000
	};
	for (int32_t i = 1; i <= GENERATIONS; i++)
		feed(model, forked(.tid = FIRST + i, .parent = FIRST + i - 1, .time = 1100));
	feed(model, facts(.tid = FIRST, .name = "first", .uid = 3));

	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_string_equal(find_task(snapshot, FIRST + GENERATIONS)->name, "first");
	assert_int_equal(find_task(snapshot, FIRST + GENERATIONS)->uid, 3);
}

UNIT_TEST(child_forgotten_before_its_name_is_known_is_no_more)
{
	feed(model, forked(.tid = 30, .parent = 7, .time = 1100));
	feed(model, forked(.tid = 31, .parent = 30, .time = 1100));
	feed(model, exited(.tid = 30, .time = 1200));
	for (uint64_t time = 2000; time <= 4000; time += 1000)
		model_close_interval(model, time);
	feed(model, facts(.tid = 7, .name = "sh", .time = 4100));

	const struct snapshot *snapshot = model_close_interval(model, 5000);
	assert_null(find_task(snapshot, 30));
	assert_string_equal(find_task(snapshot, 31)->name, "");
}

UNIT_TEST(exec_makes_a_program_of_a_kernel_threads_child)
{
	struct record kthread = facts(.tid = 7, .name = "kworker/0:1", .command_line = "");

	kthread.procinfo.is_kernel_thread = true;
	feed(model, kthread);
	feed(model, forked(.tid = 8, .parent = 7, .time = 1200));
	assert_true(find_task(model_close_interval(model, 2000), 8)->is_kernel_thread);
	feed(model, comm(.tid = 8, .name = "modprobe", .time = 2100, .exec = true));

	assert_false(find_task(model_close_interval(model, 3000), 8)->is_kernel_thread);
}

/* It is born in its parent's, and where it ends is reported before its exit. */
UNIT_TEST(cgroup_at_the_exit_is_that_of_a_short_task)
{
	struct record kthread = facts(.tid = 7, .name = "kworker/0:1", .cgroup = "/");
	const struct snapshot_task *task;

	kthread.procinfo.is_kernel_thread = true;
	feed(model, kthread);
	feed(model, forked(.tid = 8, .parent = 7, .time = 1200));
	feed(model, facts(.tid = 8, .cgroup = "/web/a", .time = 1300));
	feed(model, exited(.tid = 8, .time = 1310));
	task = find_task(model_close_interval(model, 2000), 8);

	assert_string_equal(task->cgroup, "/web/a");
	assert_string_equal(task->name, "kworker/0:1");
	assert_true(task->is_kernel_thread);
	assert_true(task->is_exited);
}

UNIT_TEST(comm_renames_with_raw_bytes_and_is_cut)
{
	feed(model, comm(.tid = 7,
			 .name = "\x1b\xff"
				 "3456789012345678",
			 .time = 1100));
	const struct snapshot_task *task = find_task(model_close_interval(model, 2000), 7);

	assert_memory_equal(task->name,
			    "\x1b\xff"
			    "3456789012345",
			    TASK_NAME_MAX);
}

UNIT_TEST(shorter_name_leaves_nothing_of_the_longer)
{
	feed(model, comm(.tid = 7, .name = "a-long-name", .time = 1100));
	feed(model, comm(.tid = 7, .name = "b", .time = 1100));
	const struct snapshot_task *task = find_task(model_close_interval(model, 2000), 7);

	assert_memory_equal(task->name, "b\0\0\0\0\0\0\0\0\0\0\0\0\0\0", TASK_NAME_MAX);
}

/* Its first thread never ran here; what the other one has consumed is not lost with it. */
UNIT_TEST(forgotten_process_of_threads_alone_is_an_exited_total)
{
	const struct snapshot *snapshot;

	feed(model, forked(.pid = 9, .tid = 9, .parent = 7, .time = 1000));
	feed(model, forked(.pid = 9, .tid = 19, .parent = 9, .time = 1000));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {10}));
	feed(model, switch_out(.tid = 7, .next = 19, .time = 1500));
	feed(model, switch_in(.pid = 9, .tid = 19, .prev = 7, .time = 1500));
	feed(model, sample(.pid = 9, .tid = 19, .seq = 12, .ns = 1600, .values = {14}));
	feed(model, exited(.pid = 9, .tid = 19, .time = 1600));
	feed(model, switch_out(.pid = 9, .tid = 19, .next = 8, .time = 1600));
	model_close_interval(model, 2000);
	model_close_interval(model, 3000);
	feed(model, exited(.pid = 9, .tid = 9, .time = 3100));
	model_close_interval(model, 4000);
	snapshot = model_close_interval(model, 5000);
	assert_int_equal(rows_with_tid(snapshot, 9), 0);
	assert_int_equal(snapshot->exited_total_count, 1);
	assert_int_equal(snapshot->exited_totals[0].like.total[event_place(0)], 4);
}

/* What a forgotten process has consumed stays in the sums of what it was. */
UNIT_TEST(forgotten_processes_are_exited_totals)
{
	const struct snapshot *snapshot;

	feed(model, facts(.tid = 7, .name = "cc1", .cgroup = "/a", .session = 5, .uid = 3));
	feed(model, exited(.tid = 7, .time = 1300));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
	snapshot = model_close_interval(model, 2000);
	assert_int_equal(snapshot->exited_total_count, 0);
	assert_int_equal(find_task(snapshot, 7)->total[event_place(0)], 5);

	snapshot = model_close_interval(model, 3000);
	assert_int_equal(rows_with_tid(snapshot, 7), 0);
	assert_int_equal(snapshot->exited_total_count, 1);
	assert_string_equal(snapshot->exited_totals[0].like.name, "cc1");
	assert_string_equal(snapshot->exited_totals[0].like.cgroup, "/a");
	assert_int_equal(snapshot->exited_totals[0].like.total[event_place(0)], 5);

	struct snapshot *copy = snapshot_copy(snapshot);
	tear_down(NULL);
	set_up(NULL);
	assert_string_equal(copy->exited_totals[0].like.cgroup, "/a");
	assert_int_equal(copy->exited_totals[0].like.total[event_place(0)], 5);
	snapshot_destroy(copy);
}

/* A task may be preempted between its EXIT record and its last switch. */
UNIT_TEST(last_slice_in_the_interval_after_the_exit_is_shown)
{
	feed(model, exited(.tid = 7, .time = 1500));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1600, .values = {5}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1600, .preempted = true));
	uint64_t id = find_task(model_close_interval(model, 2000), 7)->id;
	feed(model, sample(.tid = 8, .seq = 12, .ns = 2100, .values = {5}));
	feed(model, sample(.tid = 7, .seq = 13, .ns = 2200, .values = {6}));
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_int_equal(find_task(snapshot, 7)->id, id);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 1);
	assert_true(find_task(snapshot, 7)->is_exited);
}

UNIT_TEST(birth_under_a_known_tid_makes_another_task)
{
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	uint64_t old_id = find_task(model_close_interval(model, 2000), 7)->id;
	feed(model, forked(.tid = 7, .parent = 5, .time = 2100));
	feed(model, sample(.tid = 5, .seq = 12, .ns = 2200, .values = {5}));
	feed(model, sample(.tid = 7, .seq = 13, .ns = 2300, .values = {8}));
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_int_equal(rows_with_tid(snapshot, 7), 2);
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->tid != 7)
			continue;
		assert_int_equal(task->is_exited, task->id == old_id);
		assert_int_equal(task->interval[event_place(0)], task->id == old_id ? 0 : 3);
		assert_int_equal(task->total[event_place(0)], task->id == old_id ? 5 : 3);
	}
	assert_int_equal(rows_with_tid(model_close_interval(model, 4000), 7), 1);
}

UNIT_TEST(reused_tid_on_the_cpu_is_not_taken_for_the_old_task)
{
	feed(model, forked(.cpu = 1, .tid = 7, .parent = 5, .time = 1200));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].is_exited)
			assert_int_equal(snapshot->tasks[i].interval[event_place(0)], 0);
	assert_true(books_balance(snapshot));
}

UNIT_TEST(first_thread_is_known_and_asked_for_with_any_other)
{
	struct task_ref refs[4];

	feed(model, lost(.time = 1200));
	feed(model, sample(.pid = 20, .tid = 21, .seq = 11, .ns = 1500, .values = {5}));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 2);
	assert_int_equal(refs[0].tid, 20);
	assert_int_equal(refs[1].tid, 21);
	feed(model, facts(.tid = 20, .name = "java"));
	feed(model, facts(.pid = 20, .tid = 21, .name = "GC"));
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_string_equal(find_task(snapshot, 20)->name, "java");
	assert_false(find_task(snapshot, 20)->has_run);
	assert_string_equal(find_task(snapshot, 21)->name, "GC");
}

UNIT_TEST(first_thread_that_found_the_queue_full_is_asked_for_when_another_runs)
{
	enum {
		FULL = 4096
	};
	struct task_ref refs[100];

	feed(model, lost(.time = 1000));
	for (int32_t i = 0; i < FULL; i++)
		feed(model,
		     sample(.tid = 100 + i, .seq = 11 + (uint64_t)i, .ns = 1001 + (uint64_t)i));
	feed(model, sample(.pid = 20, .tid = 21, .seq = 11 + FULL, .ns = 6000));
	while (model_wanted_procinfo(model, refs, 100) > 0)
		continue;
	model_close_interval(model, 9000);
	feed(model, sample(.pid = 20, .tid = 21, .seq = 12 + FULL, .ns = 9001));

	assert_int_equal(model_wanted_procinfo(model, refs, 100), 2);
}

UNIT_TEST(first_thread_that_exited_stays_as_long_as_another)
{
	feed(model, facts(.tid = 20, .name = "java"));
	feed(model, comm(.pid = 20, .tid = 21, .name = "GC", .time = 1100));
	feed(model, exited(.tid = 20, .time = 1200));
	for (uint64_t time = 2000; time <= 5000; time += 1000) {
		const struct snapshot *snapshot = model_close_interval(model, time);

		assert_string_equal(find_task(snapshot, 20)->name, "java");
		assert_true(find_task(snapshot, 20)->is_exited);
	}
	feed(model, exited(.pid = 20, .tid = 21, .time = 5100));
	assert_non_null(find_task(model_close_interval(model, 6000), 20));

	const struct snapshot *last = model_close_interval(model, 7000);
	assert_null(find_task(last, 20));
	assert_null(find_task(last, 21));
}

UNIT_TEST(held_process_stays_with_its_last_values)
{
	model_hold(model, (const int32_t[]){7}, 1);
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	model_close_interval(model, 2000);
	model_close_interval(model, 3000);
	feed(model, exited(.tid = 7, .time = 3500));
	assert_false(find_task(model_close_interval(model, 4000), 7)->is_held);

	for (uint64_t time = 5000; time < 8000; time += 1000) {
		const struct snapshot *snapshot = model_close_interval(model, time);
		const struct snapshot_task *task = find_task(snapshot, 7);

		assert_true(task->is_held && task->is_exited);
		assert_int_equal(task->interval[event_place(0)], 5);
		assert_int_equal(task->total[event_place(0)], 5);
		assert_false(task->has_run);
		assert_true(books_balance(snapshot));
	}
}

UNIT_TEST(holding_nobody_forgets_at_the_next_close)
{
	model_hold(model, (const int32_t[]){3, 7}, 2);
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	feed(model, exited(.tid = 7, .time = 1500));
	model_close_interval(model, 2000);
	model_close_interval(model, 3000);
	model_hold(model, NULL, 0);

	assert_null(find_task(model_close_interval(model, 4000), 7));
}

UNIT_TEST(procinfo_are_wanted_once_of_tasks_that_ran)
{
	struct task_ref refs[4];

	feed(model, comm(.tid = 30, .name = "asleep", .time = 1100));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 1);
	assert_int_equal(refs[0].tid, 7);
	assert_int_equal(refs[0].pid, 7);
	model_close_interval(model, 2000);
	feed(model, sample(.tid = 7, .seq = 12, .ns = 2500, .values = {5}));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 0);
}

/* The kernel tells of the first thread's end, and of no other's that executes. */
UNIT_TEST(process_lives_on_when_another_thread_executes)
{
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, forked(.pid = 7, .tid = 9, .parent = 7, .time = 1500));
	uint64_t id = find_task(model_close_interval(model, 2000), 7)->id;
	feed(model, exited(.tid = 7, .time = 2100));
	feed(model, comm(.tid = 7, .name = "new", .time = 2200, .exec = true));
	for (uint64_t time = 3000; time <= 5000; time += 1000) {
		const struct snapshot_task *task = find_task(model_close_interval(model, time), 7);

		assert_int_equal(task->id, id);
		assert_false(task->is_exited);
		assert_false(task->is_new);
		assert_int_equal(task->total[event_place(0)], 5);
	}
	assert_null(find_task(model_close_interval(model, 6000), 9));
}

UNIT_TEST(procinfo_are_wanted_a_portion_at_a_time_and_never_too_many)
{
	enum {
		TASKS = 6000,
		MORE_THAN_QUEUE = 4096
	};
	struct task_ref refs[100];
	size_t asked = 0, got;

	for (int32_t i = 0; i < TASKS; i++)
		feed(model,
		     sample(.tid = 100 + i, .seq = 11 + (uint64_t)i, .ns = 1001 + (uint64_t)i));
	while ((got = model_wanted_procinfo(model, refs, 100)) > 0)
		asked += got;
	assert_int_equal(asked, MORE_THAN_QUEUE);

	/* Who found the queue full is asked for when he runs again. */
	model_close_interval(model, 9000);
	for (int32_t i = 0; i < TASKS; i++)
		feed(model, sample(.tid = 100 + i, .seq = 11 + TASKS + (uint64_t)i,
				   .ns = 9001 + (uint64_t)i));
	while ((got = model_wanted_procinfo(model, refs, 100)) > 0)
		asked += got;
	assert_int_equal(asked, TASKS);
}

UNIT_TEST(many_tasks_come_and_go_without_mixing_up)
{
	enum {
		BORN = 40,
		ROUNDS = 30
	};
	uint64_t seq = 10, ns = 1000;

	feed(model, lost(.time = ns));
	for (int round = 0; round < ROUNDS; round++) {
		for (int32_t i = 0; i < BORN; i++) {
			int32_t tid = 1000 + round * BORN + i;

			feed(model, forked(.tid = tid, .parent = 7, .time = ns));
			feed(model, switch_in(.tid = tid, .prev = 7, .time = ns));
			ns += 10 + (uint64_t)i;
			seq++;
			feed(model, sample(.tid = tid, .seq = seq, .ns = ns));
			feed(model, switch_out(.tid = tid, .next = NOBODY, .time = ns));
			if (i % 3 != 0)
				feed(model, exited(.tid = tid, .time = ns));
		}
		const struct snapshot *snapshot = model_close_interval(model, ns);

		assert_int_equal(snapshot->exited_count, BORN - (BORN + 2) / 3);
		assert_int_equal(snapshot->ran_count, BORN);
		assert_true(books_balance(snapshot));
		for (size_t i = 0; i < snapshot->task_count; i++) {
			const struct snapshot_task *task = &snapshot->tasks[i];
			const int32_t number = task->tid - 1000;
			const bool is_of_now = number >= round * BORN;

			if (number < 0)
				continue;
			assert_int_equal(task->interval[QUANTITY_RUN_NS],
					 is_of_now ? 10 + number % BORN : 0);
			assert_int_equal(task->total[QUANTITY_RUN_NS], 10 + number % BORN);
			assert_int_equal(task->is_exited, number % BORN % 3 != 0);
			assert_true(is_of_now || !task->is_exited);
		}
	}
}

/* clang-format off */
static const struct story STORIES[] = {
	{"child_is_its_parents_likeness", .steps = {
		{FACTS, .tid = 7, .name = "sh", .command_line = "sh -c x", .uid = 1000},
		{FORK, .tid = 8, .parent = 7, .time = 1200},
		{TASK_NAME, .tid = 8, .name = "sh"},
		{TASK_COMMAND, .tid = 8, .name = "sh -c x"},
		{INFO, .tid = 8, .of = UID, .is = 1000},
		{INFO, .tid = 8, .of = PARENT, .is = 7},
		{INFO, .tid = 8, .of = IS_NEW, .is = 1},
	}},
	{"thread_has_its_processes_parent", .steps = {
		{FACTS, .tid = 7, .name = "sh", .parent = 3},
		{FORK, .pid = 7, .tid = 8, .parent = 7, .time = 1200},
		{INFO, .tid = 8, .of = PARENT, .is = 3},
	}},
	{"session_told_of_one_thread_is_that_of_all", .steps = {
		{FORK, .pid = 7, .tid = 8, .parent = 7, .time = 1100},
		{FACTS, .pid = 7, .tid = 8, .session = 7, .parent = 3},
		{INFO, .tid = 7, .of = SESSION, .is = 7},
		{INFO, .tid = 7, .of = PARENT, .is = 3},
	}},
	{"procinfo_late_name_children_born_before", .steps = {
		{START, .time = 0},
		{FORK, .tid = 8, .parent = 7, .time = 10},
		{FORK, .tid = 9, .parent = 8, .time = 20},
		{EXIT, .tid = 9, .time = 30},
		{FACTS, .tid = 7, .name = "sh", .time = 40},
		{CLOSE, .time = 100},
		{TASK_NAME, .tid = 8, .name = "sh"},
		{TASK_NAME, .tid = 9, .name = "sh"},
	}, .begin = kit_model},
	/* Neither is asked for in /proc: both may be gone by then. */
	{"switch_names_who_leaves_and_its_children", .steps = {
		{START, .time = 0},
		{READING, .seq = 1, .ns = 5},
		{FORK, .tid = 8, .parent = 7, .time = 10},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 20, .name = "sh"},
		{EXIT, .tid = 8, .time = 30},
		{CLOSE, .time = 100},
		{TASK_NAME, .tid = 7, .name = "sh"},
		{TASK_NAME, .tid = 8, .name = "sh"},
	}, .begin = kit_model},
	{"switch_after_a_loss_says_the_name_of_now", .steps = {
		{START, .time = 1},
		{FACTS, .tid = 7, .name = "sh", .command_line = "sh -c x", .time = 10},
		{LOST, .lost = 1, .time = 20},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 30, .name = "cc1"},
		{CLOSE, .time = 100},
		{TASK_NAME, .tid = 7, .name = "cc1"},
		{TASK_COMMAND, .tid = 7, .name = NULL},
		{WANTED, .tid = 7, .is = 1},
		{SAMPLE, .tid = 7, .seq = 3, .ns = 130, .name = "old"},
		{CLOSE, .time = 200},
		{TASK_NAME, .tid = 7, .name = "cc1"},
	}, .begin = kit_model},
	{"switch_after_a_loss_with_the_same_name_changes_nothing", .steps = {
		{START, .time = 1},
		{FACTS, .tid = 7, .name = "sh", .command_line = "sh -c x", .time = 10},
		{LOST, .lost = 1, .time = 20},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 30, .name = "sh"},
		{CLOSE, .time = 100},
		{TASK_COMMAND, .tid = 7, .name = "sh -c x"},
		{WANTED, .is = 0},
	}, .begin = kit_model},
	{"switch_of_a_task_with_a_name_does_not_name_it", .steps = {
		{START, .time = 0},
		{FACTS, .tid = 7, .name = "new", .time = 10},
		{SAMPLE, .tid = 7, .seq = 2, .ns = 20, .name = "old"},
		{SAMPLE, .tid = 0, .seq = 3, .ns = 30, .name = "swapper/0"},
		{CLOSE, .time = 100},
		{TASK_NAME, .tid = 7, .name = "new"},
		{ROWS, .tid = 0, .is = 0},
	}, .begin = kit_model},
	{"procinfo_of_a_parent_renamed_since_leave_its_children_nameless", .steps = {
		{START, .time = 0},
		{FORK, .tid = 8, .parent = 7, .time = 10},
		{COMM, .tid = 7, .name = "new", .time = 20},
		{FACTS, .tid = 7, .name = "new", .time = 30},
		{CLOSE, .time = 100},
		{TASK_NAME, .tid = 8, .name = ""},
	}, .begin = kit_model},
	{"task_is_new_in_one_interval_only", .steps = {
		{FORK, .tid = 8, .parent = 7, .time = 1200},
		{INFO, .tid = 8, .of = IS_NEW, .is = 1},
		{CLOSE, .time = 3000},
		{INFO, .tid = 8, .of = IS_NEW, .is = 0},
	}},
	{"procinfo_fill_what_they_know_and_keep_the_rest", .steps = {
		{COMM, .tid = 9, .name = "new", .time = 1100},
		{FACTS, .tid = 9, .uid = 4, .parent = 1, .at_cpu = 3},
		{FACTS, .tid = 9, .name = "", .command_line = "new --now"},
		{TASK_NAME, .tid = 9, .name = "new"},
		{TASK_COMMAND, .tid = 9, .name = "new --now"},
		{INFO, .tid = 9, .of = UID, .is = 4},
		{INFO, .tid = 9, .of = PARENT, .is = 1},
		{INFO, .tid = 9, .of = LAST_CPU, .is = 3},
	}},
	{"procinfo_with_a_cpu_that_cannot_be_leave_it_unknown", .steps = {
		{FACTS, .tid = 9, .name = "new", .at_cpu = TOPOLOGY_CPUS_MAX},
		{INFO, .tid = 9, .of = LAST_CPU, .is = -1},
	}},
	{"procinfo_do_not_move_a_task_that_was_seen_running", .steps = {
		{FACTS, .tid = 7, .at_cpu = 3},
		{INFO, .tid = 7, .of = LAST_CPU, .is = 0},
	}},
	{"birth_from_an_unknown_parent_keeps_the_parent_that_is_known", .steps = {
		{FACTS, .tid = 9, .parent = 3, .time = 1200},
		{FORK, .tid = 9, .parent = NOBODY, .time = 1100},
		{INFO, .tid = 9, .of = PARENT, .is = 3},
	}},
	{"procinfo_name_wins_over_an_earlier_comm", .steps = {
		{COMM, .tid = 7, .name = "old", .time = 1100},
		{FACTS, .tid = 7, .name = "now"},
		{TASK_NAME, .tid = 7, .name = "now"},
	}},
	{"cgroup_and_session_are_told_and_inherited", .steps = {
		{FACTS, .tid = 7, .name = "sh", .cgroup = "/a", .session = 5},
		{FORK, .tid = 8, .parent = 7, .time = 1200},
		{FACTS, .tid = 9, .name = "other"},
		{TASK_CGROUP, .tid = 7, .name = "/a"},
		{TASK_CGROUP, .tid = 8, .name = "/a"},
		{INFO, .tid = 8, .of = SESSION, .is = 5},
		{TASK_CGROUP, .tid = 9},
		{INFO, .tid = 9, .of = SESSION, .is = 0},
		/* moved; what is not told again stays */
		{FACTS, .tid = 7, .cgroup = "/b"},
		{FACTS, .tid = 8, .session = 8},
		{TASK_CGROUP, .tid = 7, .name = "/a"},
		{CLOSE, .time = 3000},
		{TASK_CGROUP, .tid = 7, .name = "/b"},
		{TASK_CGROUP, .tid = 8, .name = "/a"},
		{INFO, .tid = 8, .of = SESSION, .is = 8},
	}},
	/* The snapshot lends its texts out until the next close. */
	{"command_line_of_a_snapshot_outlives_its_replacement", .steps = {
		{FACTS, .tid = 7, .command_line = "first"},
		{CLOSE, .time = 2000},
		{FACTS, .tid = 7, .command_line = "second"},
		{TASK_COMMAND, .tid = 7, .name = "first"},
		{CLOSE, .time = 3000},
		{TASK_COMMAND, .tid = 7, .name = "second"},
	}},
	{"snapshot_does_not_change_while_records_come_in", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{CLOSE, .time = 2000},
		{SAMPLE, .tid = 7, .seq = 12, .ns = 1600, .values = {9}},
		{COMM, .tid = 7, .name = "later", .time = 1600},
		{EXIT, .tid = 7, .time = 1600},
		{TASK, .tid = 7, .of = E0, .is = 5},
		{TOTAL, .tid = 7, .of = E0, .is = 5},
		{COUNTER, .of = E0, .is = 5},
		{TASK_NAME, .tid = 7, .name = ""},
		{INFO, .tid = 7, .of = IS_EXITED, .is = 0},
	}},
	{"task_that_did_not_run_shows_zeros_and_its_total", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{INFO, .tid = 7, .of = HAS_RUN, .is = 1},
		{INTERVAL, .of = RAN, .is = 1},
		{CLOSE, .time = 3000},
		{INFO, .tid = 7, .of = HAS_RUN, .is = 0},
		{INTERVAL, .of = RAN, .is = 0},
		{TASK, .tid = 7, .of = E0, .is = 0},
		{TOTAL, .tid = 7, .of = E0, .is = 5},
	}},
	{"exited_task_is_shown_once_and_forgotten", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1500},
		{EXIT, .tid = 7, .time = 1500},
		{INFO, .tid = 7, .of = IS_EXITED, .is = 1},
		{INTERVAL, .of = EXITED, .is = 1},
		{TASK, .tid = 7, .of = E0, .is = 5},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 7, .is = 0},
		{INTERVAL, .of = EXITED, .is = 0},
	}},
	{"exited_task_stays_while_it_is_on_its_cpu", .steps = {
		{EXIT, .tid = 7, .time = 1500},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 7, .is = 1},
		{SAMPLE, .tid = NOBODY, .seq = 11, .ns = 3100, .values = {5}},
		{SWITCH_OUT, .tid = NOBODY, .next = 8, .time = 3100},
		{CLOSE, .time = 4000},
		{TASK, .tid = 7, .of = E0, .is = 5},
		{INTERVAL, .of = EXITED, .is = 0},
		{CLOSE, .time = 5000},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"exited_task_whose_departure_was_not_told_is_forgotten", .steps = {
		{EXIT, .tid = 7, .time = 1500},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{SWITCH_IN, .tid = 8, .prev = 7, .time = 1500},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 7, .is = 0},
	}},
	{"exit_and_rebirth_in_one_interval_give_two_tasks", .steps = {
		{SWITCH_OUT, .tid = 7, .next = 5, .time = 1100},
		{EXIT, .tid = 7, .time = 1100},
		{FORK, .tid = 7, .parent = 5, .time = 1200},
		{ROWS, .tid = 7, .is = 2},
		{INTERVAL, .of = EXITED, .is = 1},
	}},
	/* The record of the birth, from another CPU, comes after the child has run. */
	{"late_birth_completes_the_task_already_mentioned", .steps = {
		{SWITCH_OUT, .tid = 7, .next = 8, .time = 1300},
		{COMM, .tid = 8, .name = "child", .time = 1350},
		{FORK, .cpu = 1, .tid = 8, .parent = 7, .time = 1200},
		{ROWS, .tid = 8, .is = 1},
		{INFO, .tid = 8, .of = IS_NEW, .is = 1},
		{TASK_NAME, .tid = 8, .name = "child"},
		{INTERVAL, .of = EXITED, .is = 0},
	}},
	{"known_tid_under_another_pid_is_another_task", .steps = {
		{COMM, .pid = 20, .tid = 21, .name = "old", .time = 1100},
		{COMM, .pid = 21, .tid = 21, .name = "new", .time = 1200},
		{ROWS, .tid = 21, .is = 2},
		{INTERVAL, .of = EXITED, .is = 1},
	}},
	{"forgotten_thread_leaves_its_counts_to_the_first_thread", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{SAMPLE, .pid = 7, .tid = 9, .seq = 12, .ns = 1600, .values = {8}},
		{EXIT, .pid = 7, .tid = 9, .time = 1600},
		{SWITCH_OUT, .pid = 7, .tid = 9, .next = 5, .time = 1600},
		{INFO, .tid = 7, .of = HAS_REAPED, .is = 0},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 9, .is = 0},
		{INFO, .tid = 7, .of = HAS_REAPED, .is = 1},
		{REAPED, .tid = 7, .of = E0, .is = 3},
		{TOTAL, .tid = 7, .of = E0, .is = 5},
	}},
	{"forgotten_thread_leaves_nothing_to_a_later_process_of_that_pid", .steps = {
		{SAMPLE, .pid = 20, .tid = 21, .seq = 11, .ns = 1500, .values = {5}},
		{SWITCH_OUT, .pid = 20, .tid = 21, .next = 5, .time = 1500},
		{EXIT, .pid = 20, .tid = 21, .time = 1500},
		{FORK, .tid = 20, .parent = 5, .time = 1600},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 21, .is = 0},
		{INFO, .tid = 20, .of = HAS_REAPED, .is = 0},
	}},
	{"forgotten_thread_leaves_its_counts_to_a_first_thread_that_ended", .steps = {
		{EXIT, .tid = 7, .time = 1400}, /* still on its CPU */
		{SAMPLE, .cpu = 1, .pid = 7, .tid = 9, .seq = 1, .ns = 100},
		{SAMPLE, .cpu = 1, .pid = 7, .tid = 9, .seq = 2, .ns = 200, .values = {4}},
		{SWITCH_OUT, .cpu = 1, .pid = 7, .tid = 9, .next = 0, .time = 1500},
		{EXIT, .cpu = 1, .pid = 7, .tid = 9, .time = 1500},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 9, .is = 0},
		{REAPED, .tid = 7, .of = E0, .is = 4},
	}},
	{"first_thread_that_ended_unnamed_is_asked_for_while_another_lives", .steps = {
		{LOST, .time = 1200},
		{SAMPLE, .pid = 20, .tid = 21, .seq = 11, .ns = 1500, .values = {5}},
		{EXIT, .tid = 20, .time = 1600},
		{WANTED, .tid = 20, .is = 2},
		{EXIT, .tid = 30, .time = 1700},
		{SAMPLE, .pid = 30, .tid = 31, .seq = 12, .ns = 1800, .values = {6}},
		{WANTED, .tid = 30, .is = 2},
	}},
	{"process_held_after_it_ran_keeps_the_interval_before", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{SWITCH_OUT, .tid = 7, .next = 5, .time = 1500},
		{CLOSE, .time = 2000},
		{HOLD, .tid = 7},
		{EXIT, .tid = 7, .time = 2500},
		{CLOSE, .time = 3000},
		{CLOSE, .time = 4000},
		{TASK, .tid = 7, .of = E0, .is = 5},
	}},
	{"thread_that_ended_before_its_process_is_not_held", .steps = {
		{HOLD, .tid = 7},
		{SWITCH_OUT, .tid = 7, .next = 5, .time = 1200},
		{SAMPLE, .cpu = 1, .pid = 7, .tid = 8, .seq = 1, .ns = 100},
		{SAMPLE, .cpu = 1, .pid = 7, .tid = 8, .seq = 2, .ns = 200, .values = {3}},
		{SAMPLE, .cpu = 1, .pid = 7, .tid = 9, .seq = 3, .ns = 300, .values = {10}},
		{EXIT, .cpu = 1, .pid = 7, .tid = 8, .time = 1700},
		{CLOSE, .time = 2000},
		{ROWS, .tid = 8, .is = 1},
		{EXIT, .tid = 7, .time = 2100},
		{CLOSE, .time = 3000},
		{ROWS, .tid = 8, .is = 0},
		{REAPED, .tid = 7, .of = E0, .is = 3},
		{CLOSE, .time = 4000},
		{INFO, .tid = 7, .of = IS_HELD, .is = 0},
		{EXIT, .cpu = 1, .pid = 7, .tid = 9, .time = 4100},
		{CLOSE, .time = 5000},
		{CLOSE, .time = 6000},
		{INFO, .tid = 7, .of = IS_HELD, .is = 1},
		{INFO, .tid = 9, .of = IS_HELD, .is = 1},
		{TASK, .tid = 9, .of = E0, .is = 7},
	}},
	{"held_tid_may_be_used_again", .steps = {
		{HOLD, .tid = 7},
		{SWITCH_OUT, .tid = 7, .next = 5, .time = 1500},
		{EXIT, .tid = 7, .time = 1500},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{FORK, .tid = 7, .parent = 5, .time = 3500},
		{CLOSE, .time = 4000},
		{ROWS, .tid = 7, .is = 2},
		{INTERVAL, .of = EXITED, .is = 0},
	}},
	{"held_task_is_not_taken_for_a_later_one_of_its_tid", .steps = {
		{HOLD, .tid = 7},
		{SWITCH_OUT, .tid = 7, .next = 5, .time = 1500},
		{EXIT, .tid = 7, .time = 1500},
		{CLOSE, .time = 2000},
		{CLOSE, .time = 3000},
		{COMM, .tid = 7, .name = "another", .time = 3500},
		{CLOSE, .time = 4000},
		{ROWS, .tid = 7, .is = 2},
	}},
	{"procinfo_are_wanted_again_after_exec", .steps = {
		{FACTS, .tid = 7, .name = "sh", .command_line = "sh", .uid = 3},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{WANTED, .is = 0},
		{COMM, .tid = 7, .name = "thread", .time = 1600},
		{WANTED, .is = 0},
		{COMM, .tid = 7, .name = "ls", .time = 1600, .exec = true},
		{WANTED, .is = 1},
		{TASK_COMMAND, .tid = 7},
	}},
	{"procinfo_are_wanted_again_after_exec_of_one_who_was_asked_for", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{WANTED, .is = 1},
		{COMM, .tid = 7, .name = "ls", .time = 1600, .exec = true},
		{WANTED, .is = 1},
	}},
	{"procinfo_are_not_wanted_of_ended_tasks", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {5}},
		{EXIT, .tid = 7, .time = 1500},
		{WANTED, .is = 0},
	}},
	{"procinfo_are_not_wanted_of_children_of_known_parents", .steps = {
		{FACTS, .tid = 7, .name = "sh", .command_line = "sh"},
		{FORK, .tid = 8, .parent = 7, .time = 1100},
		{SAMPLE, .tid = 8, .seq = 11, .ns = 1500, .values = {5}},
		{WANTED, .is = 0},
	}},
};
/* clang-format on */

int main(void)
{
	return story_run_all_with(STORIES, COUNT_OF(STORIES), begin, set_up, tear_down);
}
