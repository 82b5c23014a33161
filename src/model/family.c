/*
 * Links between tasks hold nothing, but for that of a thread to its process, which is a reference:
 * a task that is destroyed leaves them.
 */
#include "model/family.h"

#include "model/tasks.h"

void family_leave_process(struct task *thread)
{
	if (thread->process)
		LIST_REMOVE(thread, thread);
	task_take_reference(&thread->process, NULL);
}

static void leave_parent(struct task *task)
{
	if (task->parent)
		LIST_REMOVE(task, child);
	task->parent = NULL;
}

/* What all threads of a process have in common. */
static void share(const struct task *process, struct task *thread)
{
	thread->row.parent_pid = process->row.parent_pid;
	thread->row.parent_id = process->row.parent_id;
	thread->row.session = process->row.session;
}

static void share_with_all(struct task_table *table, const struct task *process)
{
	struct task *thread;

	LIST_FOREACH (thread, &process->threads, thread) {
		if (thread->row.is_exited)
			continue;
		share(process, thread);
		task_table_change(table, thread);
	}
}

void family_join(struct task_table *table, struct task *thread, struct task *first)
{
	task_take_reference(&thread->process, first);
	LIST_INSERT_HEAD(&first->threads, thread, thread);
	first->live_threads++;
	share(first, thread);
	task_table_ask(table, first);
}

void family_leave(struct task *task)
{
	family_leave_process(task);
	while (!LIST_EMPTY(&task->threads))
		family_leave_process(LIST_FIRST(&task->threads));
	leave_parent(task);
	while (!LIST_EMPTY(&task->children))
		leave_parent(LIST_FIRST(&task->children));
}

void family_set_session(struct task_table *table, struct task *process, int32_t session)
{
	if (process->row.session == session)
		return;
	process->row.session = session;
	share_with_all(table, process);
}

void family_execute(struct task_table *table, struct task *first, uint64_t time_ns)
{
	struct task *thread;

	LIST_FOREACH (thread, &first->threads, thread)
		task_table_finish(table, thread, time_ns);
}

static bool has_ended(const struct task *process)
{
	return process->row.is_exited && process->live_threads == 0;
}

void family_set_parent(struct task_table *table, struct task *process, int32_t pid,
		       uint64_t time_ns)
{
	struct task *parent = task_table_lookup(table, pid);

	if (pid == process->row.parent_pid && parent == process->parent)
		return;
	if (!parent && pid > 0)
		parent = task_table_find(table, pid, pid, time_ns);
	leave_parent(process);
	if (parent && parent->row.pid == pid && parent != process && !has_ended(parent)) {
		process->parent = parent;
		LIST_INSERT_HEAD(&parent->children, process, child);
		task_table_ask(table, parent);
	}
	process->row.parent_id = process->parent ? parent->row.id : 0;
	process->row.parent_pid = parent && has_ended(parent) ? -1 : pid;
	share_with_all(table, process);
}

void family_orphan(struct task_table *table, struct task *task)
{
	struct task *child;

	while (has_ended(task) && (child = LIST_FIRST(&task->children))) {
		leave_parent(child);
		if (has_ended(child))
			continue; /* it had this one to the end */
		child->row.parent_id = 0;
		child->row.parent_pid = -1;
		share_with_all(table, child);
		child->has_procinfo = child->is_asked_for = false;
		task_table_ask(table, child);
		task_table_change(table, child);
	}
}
