/*
 * The life of tasks: births, names, facts, ends, reused tids, what is forgotten and what
 * is held. One CPU; task 7 runs from the beginning.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/exited_totals.h"

#include "model_kit.h"

static struct model *begin(void)
{
	struct model *model = kit_model(1);

	feed(model, reading(.seq = 10, .ns = 1000));
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 1000));
	model_start(model, 1000);
	return model;
}

static size_t rows_with_tid(const struct snapshot *snapshot, int32_t tid)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		count += snapshot->tasks[i].tid == tid;
	return count;
}

static void task_is_created_when_it_is_first_mentioned(void **state)
{
	struct model *model = begin();

	feed(model, switch_out(.tid = 7, .next = 8, .time = 1100));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	const struct snapshot_task *task = find_task(snapshot, 8);
	assert_non_null(task);
	assert_int_equal(task->pid, 8);
	assert_int_equal(task->parent_pid, -1);
	assert_int_equal(task->uid, -1);
	assert_int_equal(task->last_cpu, -1);
	assert_string_equal(task->name, "");
	assert_null(task->command_line);
	assert_false(task->is_new);
	assert_false(task->has_run);
	model_destroy(model);
}

static void idle_and_unknown_tasks_are_never_created(void **state)
{
	struct model *model = begin();
	size_t before = model_close_interval(model, 1500)->task_count;

	feed(model, switch_out(.tid = 7, .next = 0, .time = 1600));
	feed(model, switch_in(.tid = 0, .prev = 7, .time = 1600));
	feed(model, switch_out(.tid = NOBODY, .next = NOBODY, .time = 1700));
	feed(model, exited(.tid = NOBODY, .time = 1700));
	feed(model, comm(.tid = 0, .name = "swapper", .time = 1700));
	feed(model, exited(.pid = NOBODY, .tid = 99, .time = 1700));

	assert_int_equal(model_close_interval(model, 2000)->task_count, before);
	model_destroy(model);
}

static void child_is_its_parents_likeness(void **state)
{
	struct model *model = begin();

	feed(model, facts(.tid = 7, .name = "sh", .command_line = "sh -c x", .uid = 1000));
	feed(model, forked(.tid = 8, .parent = 7, .time = 1200));
	const struct snapshot_task *child = find_task(model_close_interval(model, 2000), 8);

	assert_string_equal(child->name, "sh");
	assert_string_equal(child->command_line, "sh -c x");
	assert_int_equal(child->uid, 1000);
	assert_int_equal(child->parent_pid, 7);
	assert_true(child->is_new);
	model_destroy(model);
}

static void thread_has_its_processes_parent(void **state)
{
	struct model *model = begin();

	feed(model, facts(.tid = 7, .name = "sh", .parent = 3));
	feed(model, forked(.pid = 7, .tid = 8, .parent = 7, .time = 1200));

	assert_int_equal(find_task(model_close_interval(model, 2000), 8)->parent_pid, 3);
	model_destroy(model);
}

/* An orphan is the child of init or of a subreaper, which no record tells. */
static void orphan_has_no_parent_until_it_is_told(void **state)
{
	struct model *model = begin();
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
	model_destroy(model);
}

static void orphan_is_no_child_of_who_has_its_parents_pid(void **state)
{
	struct model *model = begin();

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
	model_destroy(model);
}

static void child_of_a_process_whose_first_thread_exited_is_no_orphan(void **state)
{
	struct model *model = begin();

	feed(model, forked(.tid = 8, .parent = 7, .time = 1100));
	feed(model, forked(.pid = 7, .tid = 9, .parent = 7, .time = 1100));
	feed(model, exited(.tid = 7, .time = 1200));
	for (uint64_t time = 2000; time <= 4000; time += 1000)
		assert_int_equal(find_task(model_close_interval(model, time), 8)->parent_pid, 7);
	feed(model, exited(.pid = 7, .tid = 9, .time = 4100));
	model_close_interval(model, 5000);

	assert_int_equal(find_task(model_close_interval(model, 6000), 8)->parent_pid, -1);
	model_destroy(model);
}

static void session_told_of_one_thread_is_that_of_all(void **state)
{
	struct model *model = begin();

	feed(model, forked(.pid = 7, .tid = 8, .parent = 7, .time = 1100));
	feed(model, facts(.pid = 7, .tid = 8, .session = 7, .parent = 3));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->session, 7);
	assert_int_equal(find_task(snapshot, 7)->parent_pid, 3);
	model_destroy(model);
}

static void procinfo_late_name_children_born_before(void **state)
{
	struct model *model = kit_model(1);

	model_start(model, 0);
	feed(model, forked(.tid = 8, .parent = 7, .time = 10));
	feed(model, forked(.tid = 9, .parent = 8, .time = 20));
	feed(model, exited(.tid = 9, .time = 30));
	feed(model, facts(.tid = 7, .name = "sh", .time = 40));
	const struct snapshot *snapshot = model_close_interval(model, 100);

	assert_string_equal(find_task(snapshot, 8)->name, "sh");
	assert_string_equal(find_task(snapshot, 9)->name, "sh");
	model_destroy(model);
}

static void procinfo_late_name_all_generations(void **state)
{
	enum {
		FIRST = 100,
		GENERATIONS = 200000
	};
	struct model *model = begin();

	for (int32_t i = 1; i <= GENERATIONS; i++)
		feed(model, forked(.tid = FIRST + i, .parent = FIRST + i - 1, .time = 1100));
	feed(model, facts(.tid = FIRST, .name = "first", .uid = 3));

	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_string_equal(find_task(snapshot, FIRST + GENERATIONS)->name, "first");
	assert_int_equal(find_task(snapshot, FIRST + GENERATIONS)->uid, 3);
	model_destroy(model);
}

static void child_forgotten_before_its_name_is_known_is_no_more(void **state)
{
	struct model *model = begin();

	feed(model, forked(.tid = 30, .parent = 7, .time = 1100));
	feed(model, forked(.tid = 31, .parent = 30, .time = 1100));
	feed(model, exited(.tid = 30, .time = 1200));
	for (uint64_t time = 2000; time <= 4000; time += 1000)
		model_close_interval(model, time);
	feed(model, facts(.tid = 7, .name = "sh", .time = 4100));

	const struct snapshot *snapshot = model_close_interval(model, 5000);
	assert_null(find_task(snapshot, 30));
	assert_string_equal(find_task(snapshot, 31)->name, "");
	model_destroy(model);
}

static void procinfo_of_a_parent_renamed_since_leave_its_children_nameless(void **state)
{
	struct model *model = kit_model(1);

	model_start(model, 0);
	feed(model, forked(.tid = 8, .parent = 7, .time = 10));
	feed(model, comm(.tid = 7, .name = "new", .time = 20));
	feed(model, facts(.tid = 7, .name = "new", .time = 30));
	const struct snapshot *snapshot = model_close_interval(model, 100);

	assert_string_equal(find_task(snapshot, 8)->name, "");
	model_destroy(model);
}

static void exec_makes_a_program_of_a_kernel_threads_child(void **state)
{
	struct model *model = begin();
	struct record kthread = facts(.tid = 7, .name = "kworker/0:1", .command_line = "");

	kthread.procinfo.is_kernel_thread = true;
	feed(model, kthread);
	feed(model, forked(.tid = 8, .parent = 7, .time = 1200));
	assert_true(find_task(model_close_interval(model, 2000), 8)->is_kernel_thread);
	feed(model, comm(.tid = 8, .name = "modprobe", .time = 2100, .exec = true));

	assert_false(find_task(model_close_interval(model, 3000), 8)->is_kernel_thread);
	model_destroy(model);
}

static void task_is_new_in_one_interval_only(void **state)
{
	struct model *model = begin();

	feed(model, forked(.tid = 8, .parent = 7, .time = 1200));
	assert_true(find_task(model_close_interval(model, 2000), 8)->is_new);
	assert_false(find_task(model_close_interval(model, 3000), 8)->is_new);
	model_destroy(model);
}

static void comm_renames_with_raw_bytes_and_is_cut(void **state)
{
	struct model *model = begin();

	feed(model, comm(.tid = 7,
			 .name = "\x1b\xff"
				 "3456789012345678",
			 .time = 1100));
	const struct snapshot_task *task = find_task(model_close_interval(model, 2000), 7);

	assert_memory_equal(task->name,
			    "\x1b\xff"
			    "3456789012345",
			    TASK_NAME_MAX);
	model_destroy(model);
}

static void shorter_name_leaves_nothing_of_the_longer(void **state)
{
	struct model *model = begin();

	feed(model, comm(.tid = 7, .name = "a-long-name", .time = 1100));
	feed(model, comm(.tid = 7, .name = "b", .time = 1100));
	const struct snapshot_task *task = find_task(model_close_interval(model, 2000), 7);

	assert_memory_equal(task->name, "b\0\0\0\0\0\0\0\0\0\0\0\0\0\0", TASK_NAME_MAX);
	model_destroy(model);
}

static void procinfo_fill_what_they_know_and_keep_the_rest(void **state)
{
	struct model *model = begin();

	feed(model, comm(.tid = 9, .name = "new", .time = 1100));
	feed(model, facts(.tid = 9, .uid = 4, .parent = 1, .at_cpu = 3));
	feed(model, facts(.tid = 9, .name = "", .command_line = "new --now"));
	const struct snapshot_task *task = find_task(model_close_interval(model, 2000), 9);

	assert_string_equal(task->name, "new");
	assert_string_equal(task->command_line, "new --now");
	assert_int_equal(task->uid, 4);
	assert_int_equal(task->parent_pid, 1);
	assert_int_equal(task->last_cpu, 3);
	model_destroy(model);
}

static void procinfo_do_not_move_a_task_that_was_seen_running(void **state)
{
	struct model *model = begin();

	feed(model, facts(.tid = 7, .at_cpu = 3));

	assert_int_equal(find_task(model_close_interval(model, 2000), 7)->last_cpu, 0);
	model_destroy(model);
}

static void birth_from_an_unknown_parent_keeps_the_parent_that_is_known(void **state)
{
	struct model *model = begin();

	feed(model, facts(.tid = 9, .parent = 3, .time = 1200));
	feed(model, forked(.tid = 9, .parent = NOBODY, .time = 1100));

	assert_int_equal(find_task(model_close_interval(model, 2000), 9)->parent_pid, 3);
	model_destroy(model);
}

static void procinfo_name_wins_over_an_earlier_comm(void **state)
{
	struct model *model = begin();

	feed(model, comm(.tid = 7, .name = "old", .time = 1100));
	feed(model, facts(.tid = 7, .name = "now"));

	assert_string_equal(find_task(model_close_interval(model, 2000), 7)->name, "now");
	model_destroy(model);
}

static void cgroup_and_session_are_told_and_inherited(void **state)
{
	struct model *model = begin();

	feed(model, facts(.tid = 7, .name = "sh", .cgroup = "/a", .session = 5));
	feed(model, forked(.tid = 8, .parent = 7, .time = 1200));
	feed(model, facts(.tid = 9, .name = "other"));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_string_equal(find_task(snapshot, 7)->cgroup, "/a");
	assert_string_equal(find_task(snapshot, 8)->cgroup, "/a");
	assert_int_equal(find_task(snapshot, 8)->session, 5);
	assert_null(find_task(snapshot, 9)->cgroup);
	assert_int_equal(find_task(snapshot, 9)->session, 0);

	/* moved; what is not told again stays */
	feed(model, facts(.tid = 7, .cgroup = "/b"));
	feed(model, facts(.tid = 8, .session = 8));
	assert_string_equal(find_task(snapshot, 7)->cgroup, "/a");
	snapshot = model_close_interval(model, 3000);
	assert_string_equal(find_task(snapshot, 7)->cgroup, "/b");
	assert_string_equal(find_task(snapshot, 8)->cgroup, "/a");
	assert_int_equal(find_task(snapshot, 8)->session, 8);
	model_destroy(model);
}

/* What a forgotten process has consumed stays in the sums of what it was. */
static void forgotten_processes_are_exited_totals(void **state)
{
	struct model *model = begin();
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
	model_destroy(model);
	assert_string_equal(copy->exited_totals[0].like.cgroup, "/a");
	assert_int_equal(copy->exited_totals[0].like.total[event_place(0)], 5);
	snapshot_destroy(copy);
}

/* The snapshot lends its texts out until the next close. */
static void command_line_of_a_snapshot_outlives_its_replacement(void **state)
{
	struct model *model = begin();

	feed(model, facts(.tid = 7, .command_line = "first"));
	const struct snapshot_task *task = find_task(model_close_interval(model, 2000), 7);
	feed(model, facts(.tid = 7, .command_line = "second"));

	assert_string_equal(task->command_line, "first");
	assert_string_equal(find_task(model_close_interval(model, 3000), 7)->command_line,
			    "second");
	model_destroy(model);
}

static void snapshot_does_not_change_while_records_come_in(void **state)
{
	struct model *model = begin();

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	feed(model, sample(.tid = 7, .seq = 12, .ns = 1600, .values = {9}));
	feed(model, comm(.tid = 7, .name = "later", .time = 1600));
	feed(model, exited(.tid = 7, .time = 1600));

	assert_int_equal(task_count(snapshot, 7, event_place(0)), 5);
	assert_int_equal(find_task(snapshot, 7)->total[event_place(0)], 5);
	assert_int_equal(snapshot->cpus[0].counter[event_place(0)], 5);
	assert_string_equal(find_task(snapshot, 7)->name, "");
	assert_false(find_task(snapshot, 7)->is_exited);
	model_destroy(model);
}

static void task_that_did_not_run_shows_zeros_and_its_total(void **state)
{
	struct model *model = begin();

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	const struct snapshot *first = model_close_interval(model, 2000);
	assert_true(find_task(first, 7)->has_run);
	assert_int_equal(first->ran_count, 1);

	const struct snapshot *second = model_close_interval(model, 3000);
	assert_false(find_task(second, 7)->has_run);
	assert_int_equal(second->ran_count, 0);
	assert_int_equal(task_count(second, 7, event_place(0)), 0);
	assert_int_equal(find_task(second, 7)->total[event_place(0)], 5);
	model_destroy(model);
}

static void exited_task_is_shown_once_and_forgotten(void **state)
{
	struct model *model = begin();

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));
	feed(model, exited(.tid = 7, .time = 1500));
	const struct snapshot *first = model_close_interval(model, 2000);
	assert_true(find_task(first, 7)->is_exited);
	assert_int_equal(first->exited_count, 1);
	assert_int_equal(task_count(first, 7, event_place(0)), 5);

	const struct snapshot *second = model_close_interval(model, 3000);
	assert_null(find_task(second, 7));
	assert_int_equal(second->exited_count, 0);
	model_destroy(model);
}

static void exited_task_stays_while_it_is_on_its_cpu(void **state)
{
	struct model *model = begin();

	feed(model, exited(.tid = 7, .time = 1500));
	model_close_interval(model, 2000);
	assert_non_null(find_task(model_close_interval(model, 3000), 7));
	feed(model, sample(.tid = NOBODY, .seq = 11, .ns = 3100, .values = {5}));
	feed(model, switch_out(.tid = NOBODY, .next = 8, .time = 3100));
	const struct snapshot *last = model_close_interval(model, 4000);

	assert_int_equal(task_count(last, 7, event_place(0)), 5);
	assert_int_equal(last->exited_count, 0);
	assert_null(find_task(model_close_interval(model, 5000), 7));
	model_destroy(model);
}

/* A task may be preempted between its EXIT record and its last switch. */
static void last_slice_in_the_interval_after_the_exit_is_shown(void **state)
{
	struct model *model = begin();

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
	model_destroy(model);
}

static void exited_task_whose_departure_was_not_told_is_forgotten(void **state)
{
	struct model *model = begin();

	feed(model, exited(.tid = 7, .time = 1500));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_in(.tid = 8, .prev = 7, .time = 1500));
	model_close_interval(model, 2000);

	assert_null(find_task(model_close_interval(model, 3000), 7));
	model_destroy(model);
}

static void birth_under_a_known_tid_makes_another_task(void **state)
{
	struct model *model = begin();

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
	model_destroy(model);
}

static void exit_and_rebirth_in_one_interval_give_two_tasks(void **state)
{
	struct model *model = begin();

	feed(model, switch_out(.tid = 7, .next = 5, .time = 1100));
	feed(model, exited(.tid = 7, .time = 1100));
	feed(model, forked(.tid = 7, .parent = 5, .time = 1200));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(rows_with_tid(snapshot, 7), 2);
	assert_int_equal(snapshot->exited_count, 1);
	model_destroy(model);
}

/* The record of the birth, from another CPU, comes after the child has run. */
static void late_birth_completes_the_task_already_mentioned(void **state)
{
	struct model *model = begin();

	feed(model, switch_out(.tid = 7, .next = 8, .time = 1300));
	feed(model, comm(.tid = 8, .name = "child", .time = 1350));
	feed(model, forked(.cpu = 1, .tid = 8, .parent = 7, .time = 1200));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(rows_with_tid(snapshot, 8), 1);
	assert_true(find_task(snapshot, 8)->is_new);
	assert_string_equal(find_task(snapshot, 8)->name, "child");
	assert_int_equal(snapshot->exited_count, 0);
	model_destroy(model);
}

static void known_tid_under_another_pid_is_another_task(void **state)
{
	struct model *model = begin();

	feed(model, comm(.pid = 20, .tid = 21, .name = "old", .time = 1100));
	feed(model, comm(.pid = 21, .tid = 21, .name = "new", .time = 1200));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(rows_with_tid(snapshot, 21), 2);
	assert_int_equal(snapshot->exited_count, 1);
	model_destroy(model);
}

static void reused_tid_on_the_cpu_is_not_taken_for_the_old_task(void **state)
{
	struct model *model = begin();

	feed(model, forked(.cpu = 1, .tid = 7, .parent = 5, .time = 1200));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].is_exited)
			assert_int_equal(snapshot->tasks[i].interval[event_place(0)], 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void forgotten_thread_leaves_its_counts_to_the_first_thread(void **state)
{
	struct model *model = begin();

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, sample(.pid = 7, .tid = 9, .seq = 12, .ns = 1600, .values = {8}));
	feed(model, exited(.pid = 7, .tid = 9, .time = 1600));
	feed(model, switch_out(.pid = 7, .tid = 9, .next = 5, .time = 1600));
	assert_null(find_task(model_close_interval(model, 2000), 7)->reaped);
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_null(find_task(snapshot, 9));
	assert_non_null(find_task(snapshot, 7)->reaped);
	assert_int_equal(find_task(snapshot, 7)->reaped[event_place(0)], 3);
	assert_int_equal(find_task(snapshot, 7)->total[event_place(0)], 5);
	model_destroy(model);
}

static void forgotten_thread_leaves_nothing_to_a_later_process_of_that_pid(void **state)
{
	struct model *model = begin();

	feed(model, sample(.pid = 20, .tid = 21, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_out(.pid = 20, .tid = 21, .next = 5, .time = 1500));
	feed(model, exited(.pid = 20, .tid = 21, .time = 1500));
	feed(model, forked(.tid = 20, .parent = 5, .time = 1600));
	model_close_interval(model, 2000);
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_null(find_task(snapshot, 21));
	assert_null(find_task(snapshot, 20)->reaped);
	model_destroy(model);
}

static void forgotten_thread_leaves_its_counts_to_a_first_thread_that_ended(void **state)
{
	struct model *model = begin();

	feed(model, exited(.tid = 7, .time = 1400)); /* still on its CPU */
	feed(model, sample(.cpu = 1, .pid = 7, .tid = 9, .seq = 1, .ns = 100));
	feed(model, sample(.cpu = 1, .pid = 7, .tid = 9, .seq = 2, .ns = 200, .values = {4}));
	feed(model, switch_out(.cpu = 1, .pid = 7, .tid = 9, .next = 0, .time = 1500));
	feed(model, exited(.cpu = 1, .pid = 7, .tid = 9, .time = 1500));
	model_close_interval(model, 2000);
	const struct snapshot *snapshot = model_close_interval(model, 3000);

	assert_null(find_task(snapshot, 9));
	assert_int_equal(find_task(snapshot, 7)->reaped[event_place(0)], 4);
	model_destroy(model);
}

static void first_thread_is_known_and_asked_for_with_any_other(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

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
	model_destroy(model);
}

static void first_thread_that_ended_unnamed_is_asked_for_while_another_lives(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

	feed(model, sample(.pid = 20, .tid = 21, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, exited(.tid = 20, .time = 1600));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 2);
	assert_int_equal(refs[0].tid, 20);

	feed(model, exited(.tid = 30, .time = 1700));
	feed(model, sample(.pid = 30, .tid = 31, .seq = 12, .ns = 1800, .values = {6}));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 2);
	assert_int_equal(refs[0].tid, 30);
	model_destroy(model);
}

static void first_thread_that_found_the_queue_full_is_asked_for_when_another_runs(void **state)
{
	enum {
		FULL = 4096
	};
	struct model *model = begin();
	struct task_ref refs[100];

	for (int32_t i = 0; i < FULL; i++)
		feed(model,
		     sample(.tid = 100 + i, .seq = 11 + (uint64_t)i, .ns = 1001 + (uint64_t)i));
	feed(model, sample(.pid = 20, .tid = 21, .seq = 11 + FULL, .ns = 6000));
	while (model_wanted_procinfo(model, refs, 100) > 0)
		continue;
	model_close_interval(model, 9000);
	feed(model, sample(.pid = 20, .tid = 21, .seq = 12 + FULL, .ns = 9001));

	assert_int_equal(model_wanted_procinfo(model, refs, 100), 2);
	model_destroy(model);
}

static void first_thread_that_exited_stays_as_long_as_another(void **state)
{
	struct model *model = begin();

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
	model_destroy(model);
}

static void held_process_stays_with_its_last_values(void **state)
{
	struct model *model = begin();

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
	model_destroy(model);
}

static void process_held_after_it_ran_keeps_the_interval_before(void **state)
{
	struct model *model = begin();

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	model_close_interval(model, 2000);
	model_hold(model, (const int32_t[]){7}, 1);
	feed(model, exited(.tid = 7, .time = 2500));
	model_close_interval(model, 3000);

	const struct snapshot *snapshot = model_close_interval(model, 4000);
	assert_int_equal(task_count(snapshot, 7, event_place(0)), 5);
	model_destroy(model);
}

static void holding_nobody_forgets_at_the_next_close(void **state)
{
	struct model *model = begin();

	model_hold(model, (const int32_t[]){3, 7}, 2);
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	feed(model, exited(.tid = 7, .time = 1500));
	model_close_interval(model, 2000);
	model_close_interval(model, 3000);
	model_hold(model, NULL, 0);

	assert_null(find_task(model_close_interval(model, 4000), 7));
	model_destroy(model);
}

static void held_tid_may_be_used_again(void **state)
{
	struct model *model = begin();

	model_hold(model, (const int32_t[]){7}, 1);
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	feed(model, exited(.tid = 7, .time = 1500));
	model_close_interval(model, 2000);
	model_close_interval(model, 3000);
	feed(model, forked(.tid = 7, .parent = 5, .time = 3500));
	const struct snapshot *snapshot = model_close_interval(model, 4000);

	assert_int_equal(rows_with_tid(snapshot, 7), 2);
	assert_int_equal(snapshot->exited_count, 0);
	model_destroy(model);
}

static void held_task_is_not_taken_for_a_later_one_of_its_tid(void **state)
{
	struct model *model = begin();

	model_hold(model, (const int32_t[]){7}, 1);
	feed(model, switch_out(.tid = 7, .next = 5, .time = 1500));
	feed(model, exited(.tid = 7, .time = 1500));
	model_close_interval(model, 2000);
	model_close_interval(model, 3000);
	feed(model, comm(.tid = 7, .name = "another", .time = 3500));

	assert_int_equal(rows_with_tid(model_close_interval(model, 4000), 7), 2);
	model_destroy(model);
}

static void procinfo_are_wanted_once_of_tasks_that_ran(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

	feed(model, comm(.tid = 30, .name = "asleep", .time = 1100));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 1);
	assert_int_equal(refs[0].tid, 7);
	assert_int_equal(refs[0].pid, 7);
	model_close_interval(model, 2000);
	feed(model, sample(.tid = 7, .seq = 12, .ns = 2500, .values = {5}));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 0);
	model_destroy(model);
}

static void procinfo_are_wanted_again_after_exec(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

	feed(model, facts(.tid = 7, .name = "sh", .command_line = "sh", .uid = 3));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 0);
	feed(model, comm(.tid = 7, .name = "thread", .time = 1600));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 0);
	feed(model, comm(.tid = 7, .name = "ls", .time = 1600, .exec = true));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 1);
	assert_null(find_task(model_close_interval(model, 2000), 7)->command_line);
	model_destroy(model);
}

/* The kernel tells of the first thread's end, and of no other's that executes. */
static void process_lives_on_when_another_thread_executes(void **state)
{
	struct model *model = begin();

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
	model_destroy(model);
}

static void procinfo_are_wanted_again_after_exec_of_one_who_was_asked_for(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	assert_int_equal(model_wanted_procinfo(model, refs, 4), 1);
	feed(model, comm(.tid = 7, .name = "ls", .time = 1600, .exec = true));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 1);
	model_destroy(model);
}

static void procinfo_are_not_wanted_of_the_dead(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {5}));
	feed(model, exited(.tid = 7, .time = 1500));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 0);
	model_destroy(model);
}

static void procinfo_are_not_wanted_of_children_of_known_parents(void **state)
{
	struct model *model = begin();
	struct task_ref refs[4];

	feed(model, facts(.tid = 7, .name = "sh", .command_line = "sh"));
	feed(model, forked(.tid = 8, .parent = 7, .time = 1100));
	feed(model, sample(.tid = 8, .seq = 11, .ns = 1500, .values = {5}));

	assert_int_equal(model_wanted_procinfo(model, refs, 4), 0);
	model_destroy(model);
}

static void procinfo_are_wanted_a_portion_at_a_time_and_never_too_many(void **state)
{
	enum {
		TASKS = 6000,
		MORE_THAN_QUEUE = 4096
	};
	struct model *model = begin();
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
	model_destroy(model);
}

static void many_tasks_come_and_go_without_mixing_up(void **state)
{
	enum {
		BORN = 40,
		ROUNDS = 30
	};
	struct model *model = begin();
	uint64_t seq = 10, ns = 1000;

	for (int round = 0; round < ROUNDS; round++) {
		for (int32_t i = 0; i < BORN; i++) {
			int32_t tid = 1000 + round * BORN + i;

			feed(model, forked(.tid = tid, .parent = 7, .time = ns));
			ns += 10 + (uint64_t)i;
			seq++;
			feed(model, sample(.tid = tid, .seq = seq, .ns = ns));
			feed(model, switch_out(.tid = tid, .next = 7, .time = ns));
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
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(task_is_created_when_it_is_first_mentioned),
		cmocka_unit_test(idle_and_unknown_tasks_are_never_created),
		cmocka_unit_test(child_is_its_parents_likeness),
		cmocka_unit_test(thread_has_its_processes_parent),
		cmocka_unit_test(exec_makes_a_program_of_a_kernel_threads_child),
		cmocka_unit_test(task_is_new_in_one_interval_only),
		cmocka_unit_test(comm_renames_with_raw_bytes_and_is_cut),
		cmocka_unit_test(shorter_name_leaves_nothing_of_the_longer),
		cmocka_unit_test(procinfo_fill_what_they_know_and_keep_the_rest),
		cmocka_unit_test(procinfo_do_not_move_a_task_that_was_seen_running),
		cmocka_unit_test(birth_from_an_unknown_parent_keeps_the_parent_that_is_known),
		cmocka_unit_test(procinfo_name_wins_over_an_earlier_comm),
		cmocka_unit_test(cgroup_and_session_are_told_and_inherited),
		cmocka_unit_test(forgotten_processes_are_exited_totals),
		cmocka_unit_test(command_line_of_a_snapshot_outlives_its_replacement),
		cmocka_unit_test(snapshot_does_not_change_while_records_come_in),
		cmocka_unit_test(task_that_did_not_run_shows_zeros_and_its_total),
		cmocka_unit_test(exited_task_is_shown_once_and_forgotten),
		cmocka_unit_test(exited_task_stays_while_it_is_on_its_cpu),
		cmocka_unit_test(last_slice_in_the_interval_after_the_exit_is_shown),
		cmocka_unit_test(exited_task_whose_departure_was_not_told_is_forgotten),
		cmocka_unit_test(birth_under_a_known_tid_makes_another_task),
		cmocka_unit_test(exit_and_rebirth_in_one_interval_give_two_tasks),
		cmocka_unit_test(late_birth_completes_the_task_already_mentioned),
		cmocka_unit_test(known_tid_under_another_pid_is_another_task),
		cmocka_unit_test(reused_tid_on_the_cpu_is_not_taken_for_the_old_task),
		cmocka_unit_test(forgotten_thread_leaves_its_counts_to_the_first_thread),
		cmocka_unit_test(forgotten_thread_leaves_nothing_to_a_later_process_of_that_pid),
		cmocka_unit_test(forgotten_thread_leaves_its_counts_to_a_first_thread_that_ended),
		cmocka_unit_test(first_thread_is_known_and_asked_for_with_any_other),
		cmocka_unit_test(first_thread_that_ended_unnamed_is_asked_for_while_another_lives),
		cmocka_unit_test(
			first_thread_that_found_the_queue_full_is_asked_for_when_another_runs),
		cmocka_unit_test(first_thread_that_exited_stays_as_long_as_another),
		cmocka_unit_test(held_process_stays_with_its_last_values),
		cmocka_unit_test(process_held_after_it_ran_keeps_the_interval_before),
		cmocka_unit_test(holding_nobody_forgets_at_the_next_close),
		cmocka_unit_test(held_tid_may_be_used_again),
		cmocka_unit_test(held_task_is_not_taken_for_a_later_one_of_its_tid),
		cmocka_unit_test(procinfo_are_wanted_once_of_tasks_that_ran),
		cmocka_unit_test(procinfo_are_wanted_again_after_exec),
		cmocka_unit_test(process_lives_on_when_another_thread_executes),
		cmocka_unit_test(procinfo_are_wanted_again_after_exec_of_one_who_was_asked_for),
		cmocka_unit_test(procinfo_are_not_wanted_of_the_dead),
		cmocka_unit_test(procinfo_are_not_wanted_of_children_of_known_parents),
		cmocka_unit_test(procinfo_are_wanted_a_portion_at_a_time_and_never_too_many),
		cmocka_unit_test(orphan_has_no_parent_until_it_is_told),
		cmocka_unit_test(orphan_is_no_child_of_who_has_its_parents_pid),
		cmocka_unit_test(child_of_a_process_whose_first_thread_exited_is_no_orphan),
		cmocka_unit_test(session_told_of_one_thread_is_that_of_all),
		cmocka_unit_test(procinfo_late_name_children_born_before),
		cmocka_unit_test(procinfo_late_name_all_generations),
		cmocka_unit_test(child_forgotten_before_its_name_is_known_is_no_more),
		cmocka_unit_test(procinfo_of_a_parent_renamed_since_leave_its_children_nameless),
		cmocka_unit_test(many_tasks_come_and_go_without_mixing_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
