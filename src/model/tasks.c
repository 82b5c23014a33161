/*
 * The tasks there are: they are found by tid, are born, get names, end, and are forgotten. What is
 * shown of them is in task_rows.c.
 */
#include "model/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"
#include "model/counts.h"
#include "model/history.h"
#include "model/journal.h"
#include "model/record.h"
#include "model/timing.h"

static void list_add(struct task_list *list, struct task *task)
{
	array_reserve(&list->tasks, &list->capacity, list->count + 1, sizeof(struct task *));
	list->tasks[list->count++] = task;
}

static void destroy_timing(struct timing *timing)
{
	if (!timing)
		return;
	timing_fini(timing);
	free(timing);
}

static void leave_siblings(struct task *task)
{
	if (!task->sibling.le_prev)
		return;
	LIST_REMOVE(task, sibling);
	task->sibling.le_prev = NULL;
}

/*
 * --- threads and their processes, processes and their parents. A process is its first thread,
 * which is there as long as any other is; what it has of its parent and its session all of them
 * have.
 *
 * A parent is known by what it is and not by its pid, which may be another's one day. When it ends
 * its children have another one, which no record reports: that is asked for.
 *
 * Links between tasks hold nothing, but for that of a thread to its process, which is a reference:
 * a task that is destroyed leaves them.
 */

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
static void share_with(const struct task *process, struct task *thread)
{
	thread->row.parent_pid = process->row.parent_pid;
	thread->row.parent_id = process->row.parent_id;
	thread->row.session = process->row.session;
}

static void share_with_all(struct task_table *table, const struct task *process)
{
	struct task *thread;

	LIST_FOREACH (thread, &process->threads, thread) {
		share_with(process, thread);
		if (!thread->row.is_exited)
			task_table_change(table, thread);
	}
}

/* `thread` is one of the process of `first`, its first thread, which is asked for if need be. */
static void family_join(struct task_table *table, struct task *thread, struct task *first)
{
	task_take_reference(&thread->process, first);
	LIST_INSERT_HEAD(&first->threads, thread, thread);
	first->live_threads++;
	share_with(first, thread);
	task_table_ask(table, first);
}

static void family_leave(struct task *task)
{
	family_leave_process(task);
	while (!LIST_EMPTY(&task->threads))
		family_leave_process(LIST_FIRST(&task->threads));
	leave_parent(task);
	while (!LIST_EMPTY(&task->children))
		leave_parent(LIST_FIRST(&task->children));
}

/* From a process' first thread: its parent is the one that has this pid now; 0: it has none. */
static void family_set_parent(struct task_table *table, struct task *process, int32_t pid,
			      uint64_t time_ns)
{
	struct task *parent = task_table_lookup(table, pid);

	if (pid == process->row.parent_pid && parent == process->parent)
		return;
	if (!parent && pid > 0)
		parent = task_table_find(table, pid, pid, time_ns);
	leave_parent(process);
	if (parent && parent->row.pid == pid && parent != process && !process_has_ended(parent)) {
		process->parent = parent;
		LIST_INSERT_HEAD(&parent->children, process, child);
		task_table_ask(table, parent);
	}
	process->row.parent_id = process->parent ? parent->row.id : 0;
	process->row.parent_pid = parent && process_has_ended(parent) ? -1 : pid;
	share_with_all(table, process);
}

void family_orphan(struct task_table *table, struct task *task)
{
	struct task *child;

	while (process_has_ended(task) && (child = LIST_FIRST(&task->children))) {
		leave_parent(child);
		if (process_has_ended(child))
			continue; /* it had this one to the end */
		child->row.parent_id = 0;
		child->row.parent_pid = -1;
		share_with_all(table, child);
		child->has_procinfo = child->is_asked_for = false;
		task_table_ask(table, child);
		task_table_change(table, child);
	}
}

/* --- */

static void destroy(struct task *task)
{
	family_leave(task);
	leave_siblings(task);
	while (!LIST_EMPTY(&task->nameless))
		leave_siblings(LIST_FIRST(&task->nameless));
	account_fini(&task->account);
	if (task->feed)
		streams_fini(&task->feed->streams);
	free(task->feed);
	free(task->states);
	parallel_destroy(task->parallel);
	destroy_timing(task->timing);
	destroy_timing(task->shown_timing);
	free(task->command_line);
	free(task->cgroup);
	free(task->last_run);
	free(task->reaped);
	free(task);
}

static void retire(struct task_table *table, char *text)
{
	if (!text)
		return;
	array_reserve(&table->retired, &table->retired_capacity, table->retired_count + 1,
		      sizeof(*table->retired));
	table->retired[table->retired_count++] = text;
}

void task_table_free_retired(struct task_table *table)
{
	for (size_t i = 0; i < table->retired_count; i++)
		free(table->retired[i]);
	table->retired_count = 0;
}

void task_table_init(struct task_table *table, size_t width, struct journal *journal)
{
	*table = (struct task_table){.width = width, .next_id = 1, .journal = journal};
	table->zeros = xcalloc(width, sizeof(*table->zeros));
	table->wanted = xcalloc(TASKS_WANTED_MAX, sizeof(*table->wanted));
}

void task_table_fini(struct task_table *table)
{
	for (size_t i = 0; i < table->all.count; i++)
		destroy(table->all.tasks[i]);
	task_table_free_retired(table);
	map_fini(&table->by_tid);
	exited_totals_fini(&table->exited_totals);
	free(table->all.tasks);
	free(table->changed.tasks);
	free(table->settling.tasks);
	free(table->rows);
	free(table->active);
	free(table->wanted);
	free(table->retired);
	free(table->held);
	free(table->zeros);
	*table = (struct task_table){0};
}

void task_table_change(struct task_table *table, struct task *task)
{
	if (task->is_changed)
		return;
	task->is_changed = true;
	list_add(&table->changed, task);
}

bool task_table_is_to_be_held(const struct task_table *table, int32_t pid)
{
	for (size_t i = 0; i < table->held_count; i++)
		if (table->held[i] == pid)
			return true;
	return false;
}

struct task *task_table_search(struct task_table *table, int32_t tid)
{
	struct task *task = tid > 0 ? map_get(&table->by_tid, (uint64_t)tid) : NULL;

	if (task)
		*task_table_recent(table, tid) = task;
	return task;
}

static struct task *create_task(struct task_table *table, int32_t pid, int32_t tid,
				uint64_t time_ns)
{
	struct task *task = xcalloc(1, sizeof(*task));

	task->row = (struct snapshot_task){
		.id = table->next_id++,
		.pid = pid,
		.tid = tid,
		.parent_pid = -1,
		.uid = -1,
		.last_cpu = -1,
	};
	task->first_ns = time_ns;
	task->is_mapped = true;
	task->is_to_be_held = task_table_is_to_be_held(table, pid);
	task->index = table->all.count;
	list_add(&table->all, task);
	map_put(&table->by_tid, (uint64_t)tid, task);
	task_table_change(table, task);
	if (tid != pid)
		family_join(table, task, task_table_find(table, pid, pid, time_ns));
	return task;
}

void task_table_unmap(struct task_table *table, struct task *task)
{
	struct task **recent = task_table_recent(table, task->row.tid);

	if (task->is_mapped)
		map_remove(&table->by_tid, (uint64_t)task->row.tid);
	task->is_mapped = false;
	if (*recent == task)
		*recent = NULL;
}

void task_table_finish(struct task_table *table, struct task *task, uint64_t time_ns)
{
	if (task->row.is_exited)
		return;
	task->row.is_exited = true;
	task->exit_ns = time_ns;
	if (task->process)
		task->process->live_threads--;
	table->exits++;
	task_table_change(table, task);
}

/* The tid was used again, so the task that had it is no more. */
static void replace_task(struct task_table *table, struct task *task, uint64_t time_ns)
{
	task_table_finish(table, task, time_ns);
	task_table_unmap(table, task);
}

struct task *task_table_find(struct task_table *table, int32_t pid, int32_t tid, uint64_t time_ns)
{
	struct task *task = task_table_lookup(table, tid);

	if (task && (task->row.pid == pid || pid <= 0))
		return task;
	if (tid <= 0 || pid <= 0)
		return NULL;
	if (task)
		replace_task(table, task, time_ns);
	return create_task(table, pid, tid, time_ns);
}

static void set_task_name(const struct task_table *table, struct task *task, const char *name)
{
	const bool was_nameless = task->row.name[0] == '\0';

	if (!was_nameless && strncmp(task->row.name, name, sizeof(task->row.name) - 1) != 0)
		task->actor = ACTOR_UNKNOWN;
	memset(task->row.name, 0, sizeof(task->row.name));
	memcpy(task->row.name, name, strnlen(name, sizeof(task->row.name) - 1));
	if (was_nameless && task->row.name[0] != '\0')
		journal_name(table->journal, task);
}

static void set_command_line(struct task_table *table, struct task *task, const char *text)
{
	retire(table, task->command_line);
	task->command_line = text ? xstrdup(text) : NULL;
}

static void set_cgroup(struct task_table *table, struct task *task, const char *path)
{
	if (task->cgroup && strcmp(task->cgroup, path) == 0)
		return;
	retire(table, task->cgroup);
	task->cgroup = xstrdup(path);
}

/* A child is its parent's likeness until it says otherwise (COMM). */
static void inherit_facts(struct task_table *table, struct task *task, struct task *parent)
{
	if (task->row.name[0] == '\0') {
		set_task_name(table, task, parent->row.name);
		task->named_ns = parent->named_ns;
		leave_siblings(task);
		if (parent->row.name[0] == '\0')
			LIST_INSERT_HEAD(&parent->nameless, task, sibling);
	}
	if (!task->command_line && parent->command_line)
		set_command_line(table, task, parent->command_line);
	if (!task->cgroup && parent->cgroup)
		set_cgroup(table, task, parent->cgroup);
	if (task->row.session == 0)
		task->row.session = parent->row.session;
	if (task->row.uid < 0)
		task->row.uid = parent->row.uid;
	if (!task->has_procinfo)
		task->row.is_kernel_thread = parent->row.is_kernel_thread;
	task->has_procinfo = task->has_procinfo || parent->has_procinfo;
}

/*
 * Records of different CPUs may come out of order: a child can have run before its birth
 * is reported. It was then first mentioned after the time of birth; a task mentioned
 * before it had the tid earlier.
 */
void task_table_fork(struct task_table *table, const struct record *record)
{
	struct task *namesake = task_table_lookup(table, record->tid);

	if (namesake && namesake->first_ns < record->time_ns)
		replace_task(table, namesake, record->time_ns);

	struct task *task = task_table_find(table, record->pid, record->tid, record->time_ns);
	if (!task)
		return;

	struct task *parent = task_table_lookup(table, record->fork.parent_tid);
	if (!parent)
		parent = task_table_find(table, record->fork.parent_pid, record->fork.parent_tid,
					 record->time_ns);
	if (parent && parent != task)
		inherit_facts(table, task, parent);
	if (record->fork.parent_pid > 0 && record->fork.parent_pid != record->pid)
		family_set_parent(table, task_process(task), record->fork.parent_pid,
				  record->time_ns);
	task->row.is_new = true;
	task->has_run_delay = true; /* of 0 ns */
	task_table_change(table, task);
}

void task_table_exit(struct task_table *table, const struct record *record)
{
	struct task *task = task_table_find(table, record->pid, record->tid, record->time_ns);

	if (!task)
		return;
	task->has_said_exit = true;
	task_table_finish(table, task, record->time_ns);
}

/* A first thread that has ended is in /proc as long as another one lives. */
static bool lacks_procinfo(const struct task *task)
{
	return !task->has_procinfo && (!task->row.is_exited || task->live_threads > 0);
}

void task_table_ask(struct task_table *table, struct task *task)
{
	if (!lacks_procinfo(task) || task->is_asked_for || table->wanted_count == TASKS_WANTED_MAX)
		return;

	size_t last = (table->wanted_first + table->wanted_count) % TASKS_WANTED_MAX;
	table->wanted[last] = (struct task_ref){.pid = task->row.pid, .tid = task->row.tid};
	table->wanted_count++;
	task->is_asked_for = true;
}

void task_table_comm(struct task_table *table, const struct record *record)
{
	struct task *task = task_table_find(table, record->pid, record->tid, record->time_ns);
	struct task *thread;

	if (!task)
		return;
	if (task->row.name[0] == '\0')
		task->actor = ACTOR_UNKNOWN; /* it went by another name, which was not reported */
	set_task_name(table, task, record->comm.name);
	if (record->comm.name[0] != '\0')
		task->named_ns = record->time_ns;
	task_table_change(table, task);
	if (!record->comm.exec)
		return;

	/*
	 * A thread that executes a program takes the tid of the process' first thread, which
	 * has exited for it, as have all others: the process lives on under that tid.
	 */
	LIST_FOREACH (thread, &task->threads, thread)
		task_table_finish(table, thread, record->time_ns);
	task->row.is_exited = false;
	task->has_said_exit = false;
	task->row.is_kernel_thread = false;
	set_command_line(table, task, NULL);
	task->has_procinfo = false;
	task->is_asked_for = false;
	if (task->account.interval)
		task_table_ask(table, task);
}

/*
 * A task that was there before us can bear children, and these can end, before its name
 * is asked for. It has had no other name meanwhile (COMM would have said), so theirs was the same.
 */
static void name_children(struct task_table *table, struct task *parent)
{
	LIST_HEAD(, task) parents = LIST_HEAD_INITIALIZER(parents);

	while (parent) {
		struct task *child = LIST_FIRST(&parent->nameless);

		if (!child) {
			parent = LIST_FIRST(&parents);
			if (parent)
				leave_siblings(parent);
			continue;
		}
		leave_siblings(child);
		if (child->row.name[0] != '\0')
			continue;
		inherit_facts(table, child, parent);
		task_table_change(table, child);
		LIST_INSERT_HEAD(&parents, child, sibling);
	}
}

/* A name that has changed without a word (COMM was lost) is mostly that of another program. */
void task_table_name(struct task_table *table, struct task *task, const char *name,
		     uint64_t time_ns)
{
	const bool was_nameless = task->row.name[0] == '\0';

	if (name[0] == '\0')
		return;
	task->named_ns = time_ns;
	if (strncmp(task->row.name, name, TASK_NAME_MAX - 1) == 0)
		return;
	set_task_name(table, task, name);
	task_table_change(table, task);
	if (was_nameless) {
		name_children(table, task);
		return;
	}
	set_command_line(table, task, NULL);
	task->has_procinfo = task->is_asked_for = false;
	task_table_ask(table, task);
}

void task_table_procinfo(struct task_table *table, const struct record *record)
{
	const struct record_procinfo *procinfo = &record->procinfo;
	struct task *task = task_table_find(table, record->pid, record->tid, record->time_ns);

	if (!task)
		return;

	struct task *process = task_process(task);
	const bool was_nameless = task->row.name[0] == '\0';
	if (procinfo->name && procinfo->name[0]) {
		set_task_name(table, task, procinfo->name);
		task->named_ns = record->time_ns;
	}
	if (procinfo->command_line)
		set_command_line(table, task, procinfo->command_line);
	if (procinfo->cgroup)
		set_cgroup(table, task, procinfo->cgroup);
	if (procinfo->session > 0 && process->row.session != procinfo->session) {
		process->row.session = procinfo->session;
		share_with_all(table, process);
	}
	if (procinfo->parent_pid >= 0)
		family_set_parent(table, process, procinfo->parent_pid, record->time_ns);
	if (procinfo->uid >= 0)
		task->row.uid = procinfo->uid;
	if (task->row.last_cpu < 0 && procinfo->cpu >= 0 && procinfo->cpu < TOPOLOGY_CPUS_MAX)
		task->row.last_cpu = procinfo->cpu;
	if (procinfo->name) {
		task->row.is_kernel_thread = procinfo->is_kernel_thread;
		task->has_procinfo = true;
	}
	task_table_change(table, task);
	if (was_nameless && task->row.name[0] != '\0')
		name_children(table, task);
}

size_t task_table_wanted(struct task_table *table, struct task_ref *refs, size_t max)
{
	size_t count = 0;

	while (count < max && table->wanted_count > 0) {
		const struct task_ref ref = table->wanted[table->wanted_first];
		const struct task *task = task_table_lookup(table, ref.tid);

		table->wanted_first = (table->wanted_first + 1) % TASKS_WANTED_MAX;
		table->wanted_count--;
		if (task && task->row.pid == ref.pid && lacks_procinfo(task))
			refs[count++] = ref;
	}
	return count;
}

void task_table_begin_counts(struct task_table *table, struct task *task)
{
	task->is_counted = true;
	if (!task->account.interval) {
		account_open(&task->account, table->width);
		table->opened++;
	}
	task_table_change(table, task);
	task_table_ask(table, task);
	if (task->process)
		task_table_ask(table, task->process);
}

void task_table_begin_timing(struct task_table *table, struct task *task)
{
	if (!task->timing)
		task->timing = xcalloc(1, sizeof(*task->timing));
	task_table_change(table, task);
}

void task_table_forget(struct task_table *table, struct task *task)
{
	struct task *last = table->all.tasks[table->all.count - 1];

	task_table_unmap(table, task);
	family_orphan(table, task);
	last->index = task->index;
	table->all.tasks[last->index] = last;
	table->all.count--;
	table->opened -= task->account.interval != NULL;
	destroy(task);
}
