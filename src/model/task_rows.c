/*
 * What the table shows of its tasks: rows, from close to close.
 *
 *	mentioned -> changed -> shown -> settled -> ... -> exited -> shown -> forgotten or held
 *
 * `changed` lists the tasks to which something has happened since the last close,
 * `settling` those that were changed at the last one: their rows still show that
 * interval and must be brought to rest. All other rows are right as they are.
 *
 * Whatever a row borrows (vectors, timing, command line) stays as it is until the next close:
 * counts grow in account.interval, which no row shows, and replaced texts are retired.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/tasks.h"
#include "model/timing.h"

/* Keeps what the task did in the interval closed last, in case it does not run again. */
static void remember_run(struct task_table *table, struct task *task)
{
	if (!task->row.has_run)
		return;
	if (!task->last_run)
		task->last_run = xcalloc(table->width, sizeof(*task->last_run));
	memcpy(task->last_run, task->account.shown, table->width * sizeof(*task->last_run));
}

void task_table_hold(struct task_table *table, const int32_t *pids, size_t count)
{
	free(table->held);
	table->held = xcalloc(count, sizeof(*pids));
	table->held_count = count;
	if (count)
		memcpy(table->held, pids, count * sizeof(*pids));

	for (size_t i = 0; i < table->all.count; i++) {
		struct task *task = table->all.tasks[i];

		task->is_to_be_held = task_table_is_to_be_held(table, task->row.pid);
		if (task->is_to_be_held && !task->row.is_held)
			remember_run(table, task);
	}
	table->holds_others = true;
}

/* Where the task's numbers are. */
static void point_row(const struct task_table *table, const struct task *task)
{
	struct snapshot_task *row = &table->rows[task->index];

	row->interval = task->account.interval ? task->account.shown : table->zeros;
	row->total = task->account.interval ? task->account.total : table->zeros;
	row->reaped = task->reaped;
}

static void show_row(struct task_table *table, const struct task *task)
{
	struct snapshot_task *row = &table->rows[task->index];

	*row = task->row;
	row->unknown |= task->doubts;
	row->parallel_ns = task->parallel ? task->parallel->shown_ns : NULL;
	row->command_line = task->command_line;
	row->cgroup = task->cgroup;
	row->timing = task->row.is_held || table->has_partial_timings ? NULL : task->shown_timing;
	point_row(table, task);
}

void task_table_widen(struct task_table *table, size_t width, size_t shown_count)
{
	const size_t before = table->width;

	if (width == before)
		return;
	table->width = width;
	exited_totals_widen(&table->exited_totals, before, width);
	table->zeros = counts_widen(table->zeros, before, width);
	for (size_t i = 0; i < table->all.count; i++) {
		struct task *task = table->all.tasks[i];

		account_widen(&task->account, before, width);
		task->last_run = counts_widen(task->last_run, before, width);
		task->reaped = counts_widen(task->reaped, before, width);
		if (i < shown_count)
			point_row(table, task);
	}
}

void task_table_void(struct task_table *table, size_t value_index)
{
	for (size_t i = 0; i < table->all.count; i++) {
		struct task *task = table->all.tasks[i];

		if (task->account.interval)
			task->account.shown[value_index] = 0;
		if (task->last_run)
			task->last_run[value_index] = 0;
	}
}

/* What a forgotten thread has consumed remains its process'. */
static bool give_counts_to_process(struct task_table *table, const struct task *thread)
{
	struct task *first = thread->process;

	if (!first)
		return false;
	if (!first->reaped)
		first->reaped = xcalloc(table->width, sizeof(*first->reaped));
	counts_add(first->reaped, thread->account.total, table->width);
	show_row(table, first);
	return true;
}

static void add_exited_total(struct task_table *table, const struct task *task)
{
	struct snapshot_task row = task->row;

	row.cgroup = task->cgroup;
	row.total = task->account.interval ? task->account.total : table->zeros;
	row.reaped = task->reaped;
	exited_totals_add(&table->exited_totals, &row, table->width);
}

static void forget_row(struct task_table *table, struct task *task)
{
	const struct task *last = table->all.tasks[table->all.count - 1];

	task_table_unmap(table, task);
	/* one that never ran here may have what its threads have consumed */
	if (task->account.interval ? !give_counts_to_process(table, task) : task->reaped != NULL)
		add_exited_total(table, task);
	task_table_forget(table, task);
	if (last != task)
		show_row(table, last);
}

static void begin_holding(struct task_table *table, struct task *task)
{
	task_table_unmap(table, task);
	family_leave_process(task);
	task->row.is_held = true;
	task->row.has_run = false;
	if (task->last_run)
		memcpy(task->account.shown, task->last_run, table->width * sizeof(uint64_t));
	show_row(table, task);
}

/* What has changed all the same is settled in the next interval; until then lists point to it. */
static void forget_no_longer_held(struct task_table *table)
{
	for (size_t i = table->all.count; i-- > 0;) {
		struct task *task = table->all.tasks[i];

		if (task->row.is_held && !task->is_to_be_held && !task->is_changed)
			forget_row(table, task);
	}
	table->holds_others = false;
}

/* Ends the interval's timing; what was shown before is empty, and the next one's. Most tasks of
 * a storm never have another one. */
static void close_timing(struct task *task)
{
	struct timing *next = task->shown_timing;

	if (next)
		timing_clear(next);
	if (!task->timing)
		return;
	task->shown_timing = task->timing;
	task->timing = next;
}

/* Waiting is not running. */
static bool has_run(const struct task_table *table, const struct task *task)
{
	const uint64_t *shown = task->account.shown;

	return !counts_are_zero(shown, QUANTITY_PREEMPTED_NS) ||
	       !counts_are_zero(shown + QUANTITY_BUILTIN, table->width - QUANTITY_BUILTIN);
}

/* Of so small a part of its run time that the latency is right to a hundredth none need be known.
 */
static uint32_t doubt_of_latency(const struct task *task)
{
	const bool is_missing = task->row.has_counts &&
				task->unshared_ns > task->account.shown[QUANTITY_RUN_NS] / 100;

	return is_missing ? UINT32_C(1) << QUANTITY_LATENCY_NS : 0;
}

static void close_task(struct task_table *table, struct task *task, const struct doubt *doubt)
{
	task->row.has_counts = account_close(&task->account, table->width);
	task->row.has_run = task->row.has_counts && has_run(table, task);
	close_timing(task);
	task->doubts = doubt_of(doubt, task->doubted_ns) | doubt_of_latency(task);
	task->doubted_ns = task->unshared_ns = 0;
	task->is_counted = false;
	if (task->row.has_run)
		table->ran_count++;
	task->is_outlived = task->row.is_exited && !process_has_ended(task_process(task));
	if (task->is_to_be_held)
		remember_run(table, task);
	show_row(table, task);
	task->row.is_new = false;
}

/* Nothing has happened to the task since it was shown. */
static void settle_row(struct task_table *table, struct task *task, const struct doubt *doubt)
{
	if (!task->row.is_exited)
		close_task(table, task, doubt);
	else if (task->references > 0)
		task_table_change(table, task); /* to be looked at again */
	else if (task->is_to_be_held && !task->is_outlived)
		begin_holding(table, task);
	else
		forget_row(table, task);
}

/* Either all first threads, or all others: these keep theirs until they are forgotten. */
static void settle_all(struct task_table *table, const struct task_list *settled, bool are_first,
		       const struct doubt *doubt)
{
	for (size_t i = 0; i < settled->count; i++) {
		struct task *task = settled->tasks[i];

		if (!task || task->is_changed || (task->row.tid == task->row.pid) != are_first)
			continue;
		settled->tasks[i] = NULL;
		settle_row(table, task, doubt);
	}
}

/* What many tasks had needed is given back when there are few. */
static void fit_arrays(struct task_table *table)
{
	struct task_list *const lists[] = {&table->all, &table->changed, &table->settling};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		array_shrink(&lists[i]->tasks, &lists[i]->capacity, lists[i]->count,
			     sizeof(*lists[i]->tasks));
	array_shrink(&table->retired, &table->retired_capacity, table->retired_count,
		     sizeof(*table->retired));
	array_shrink(&table->rows, &table->row_capacity, table->all.count, sizeof(*table->rows));
	array_reserve(&table->rows, &table->row_capacity, table->all.count, sizeof(*table->rows));
}

/* When no row changes its place any more: those that were closed last have counts or have ended, or
 * other news. */
static void list_active(struct task_table *table)
{
	const struct task_list *list = &table->settling;

	array_shrink(&table->active, &table->active_capacity, list->count, sizeof(*table->active));
	array_reserve(&table->active, &table->active_capacity, list->count, sizeof(*table->active));
	for (size_t i = 0; i < list->count; i++)
		table->active[i] = (uint32_t)list->tasks[i]->index;
}

void task_table_close(struct task_table *table, const struct doubt *doubt)
{
	struct task_list settled;

	fit_arrays(table);
	settled = table->settling;
	task_table_free_retired(table);
	table->ran_count = 0;
	settle_all(table, &settled, false, doubt);
	settle_all(table, &settled, true, doubt);
	if (table->holds_others)
		forget_no_longer_held(table);
	for (size_t i = 0; i < table->changed.count; i++) {
		close_task(table, table->changed.tasks[i], doubt);
		table->changed.tasks[i]->is_changed = false;
	}
	table->settling = table->changed;
	table->changed = settled;
	table->changed.count = 0;
	list_active(table);

	for (size_t i = 0; i < table->settling.count; i++)
		family_orphan(table, table->settling.tasks[i]);
	table->exited_count = table->exits;
	table->exits = 0;
}

static void restart_task(struct task_table *table, struct task *task)
{
	account_clear(&task->account, table->width);
	free(task->reaped);
	task->reaped = NULL;
	free(task->last_run);
	task->last_run = NULL;
	if (task->timing)
		timing_clear(task->timing);
	task->row.is_new = false;
	task->row.has_run = false;
	task->row.has_counts = false;
	task->doubted_ns = 0;
	task->doubts = 0;
	task->unshared_ns = 0;
	task->is_counted = false;
	task->is_changed = false;
}

void task_table_start(struct task_table *table)
{
	table->changed.count = 0;
	table->settling.count = 0;
	table->exits = 0;
	exited_totals_fini(&table->exited_totals);
	array_reserve(&table->rows, &table->row_capacity, table->all.count, sizeof(*table->rows));
	for (size_t i = 0; i < table->all.count; i++)
		restart_task(table, table->all.tasks[i]);
	for (size_t i = table->all.count; i-- > 0;) {
		struct task *task = table->all.tasks[i];

		if (task->row.is_exited && task->references == 0)
			forget_row(table, task);
		else
			task_table_change(table, task);
	}
}
