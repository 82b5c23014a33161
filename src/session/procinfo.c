#include "session/procinfo.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/proc.h"
#include "kernel/proc_usage.h"
#include "kernel/sys.h"
#include "model/container.h"
#include "model/model.h"
#include "source/source.h"
#include "view/processes.h"

#include "session/engine_parts.h"
#include "session/recording.h"

enum {
	COMMAND_LINE_MAX = 4096,
	WANTED_BATCH = 64,
	INTRODUCED_AT_ONCE = 200,
	RAN_BATCH = 1024, /* asked for in an interval; the others' waits are unknown */
	CGROUPS_AT_ONCE = 1000,
	LOOKS_A_SECOND = 100, /* at known ones that may be others' by now */
	LOOKS_LEAST = 4
};

/* Whoever looks at a recording later may ask for them. */
static bool wants_cgroups(const struct engine *engine)
{
	return engine->needs_cgroups || engine->recorder;
}

static void feed_exit(struct engine *engine, int32_t pid, int32_t tid, uint64_t time_ns)
{
	engine_feed(engine, &(const struct record){
				    .kind = RECORD_EXIT,
				    .cpu = RECORD_CPU_NONE,
				    .pid = pid,
				    .tid = tid,
				    .time_ns = time_ns,
				    .fork = {RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN},
			    });
}

/*
 * What /proc says about one thread, as a record. Gone already: nothing is said. The command line is
 * left out where only what may change without an exec is asked for.
 */
static void feed_procinfo(struct engine *engine, int32_t tid, bool has_command_line)
{
	struct strbuf command_line = {0}, cgroups = {0};
	struct proc_task task;
	struct record record = {
		.kind = RECORD_PROCINFO,
		.cpu = RECORD_CPU_NONE,
		.time_ns = sys_now_ns(),
	};

	if (!proc_read_task(tid, &task))
		return;
	if (has_command_line)
		proc_read_command_line(task.pid, COMMAND_LINE_MAX, &command_line);
	record.pid = task.pid;
	record.tid = task.tid;
	record.procinfo = (struct record_procinfo){
		.name = task.name,
		.command_line = has_command_line ? strbuf_text(&command_line) : NULL,
		.parent_pid = task.parent_pid,
		.session = task.session,
		.uid = task.uid,
		.cpu = task.cpu,
		.is_kernel_thread = task.is_kernel_thread,
	};
	if (wants_cgroups(engine) && proc_read_cgroups(tid, &cgroups))
		record.procinfo.cgroup = container_find_cgroup(cgroups.text);
	engine_feed(engine, &record);
	strbuf_fini(&command_line);
	strbuf_fini(&cgroups);
	/* its exit was before us, or is about to be reported */
	if (task.is_survived)
		feed_exit(engine, task.pid, task.tid, record.time_ns);
}

void procinfo_introduce_thread(struct engine *engine, int32_t tid)
{
	feed_procinfo(engine, tid, true);
}

void procinfo_end(struct engine *engine, int32_t pid, int32_t tid)
{
	feed_exit(engine, pid, tid, sys_now_ns());
}

/* What may change without a record; a cgroup is not looked at where none is wanted. */
static bool is_stale(const struct engine *engine, const struct snapshot_task *task)
{
	struct strbuf cgroups = {0};
	struct proc_task now;
	bool has_moved = false;

	if (!proc_read_task(task->tid, &now) || now.pid != task->pid)
		return false;
	if (wants_cgroups(engine) && proc_read_cgroups(task->tid, &cgroups)) {
		const char *cgroup = container_find_cgroup(cgroups.text);

		has_moved = cgroup && strcmp(cgroup, task->cgroup) != 0;
	}
	strbuf_fini(&cgroups);
	return has_moved || now.uid != task->uid || now.session != task->session ||
	       now.parent_pid != task->parent_pid;
}

/* A first thread may sleep while another makes all of them another user's. */
static void refresh(struct engine *engine, const struct snapshot_task *task)
{
	feed_procinfo(engine, task->tid, false);
	if (task->tid != task->pid)
		feed_procinfo(engine, task->pid, false);
}

/* As many a second as below, and some in an interval, however short. */
static size_t looks_in(const struct snapshot *snapshot)
{
	const double seconds = (double)snapshot->interval_ns / 1e9;

	return LOOKS_LEAST + (size_t)((seconds < 1 ? seconds : 1) * LOOKS_A_SECOND);
}

void procinfo_refresh(struct engine *engine, const struct snapshot *snapshot)
{
	size_t unknown = CGROUPS_AT_ONCE, looks = looks_in(snapshot);
	size_t next = engine->refreshed;

	for (size_t i = 0; i < snapshot->task_count; i++) {
		const size_t index = (engine->refreshed + i) % snapshot->task_count;
		const struct snapshot_task *task = &snapshot->tasks[index];

		if (!task->has_run || task->is_exited)
			continue;
		if (wants_cgroups(engine) && !task->cgroup && unknown > 0) {
			unknown--;
			feed_procinfo(engine, task->tid, false);
		} else if (looks > 0 && (task->cgroup || !wants_cgroups(engine))) {
			looks--;
			next = index + 1;
			if (is_stale(engine, task))
				refresh(engine, task);
		}
	}
	engine->refreshed = next;
}

void procinfo_answer(struct engine *engine)
{
	struct task_ref wanted[WANTED_BATCH];
	size_t count;

	while ((count = model_wanted_procinfo(engine->model, wanted, WANTED_BATCH)) > 0)
		for (size_t i = 0; i < count; i++)
			procinfo_introduce_thread(engine, wanted[i].tid);
}

static bool introduce_thread(int32_t tid, void *context)
{
	procinfo_introduce_thread(context, tid);
	return true;
}

static bool introduce_process(int32_t pid, void *context)
{
	proc_walk(pid, introduce_thread, context);
	return true;
}

static bool note_pending_pid(int32_t pid, void *context)
{
	struct engine *engine = context;

	array_reserve(&engine->pending_pids, &engine->pending_pid_capacity,
		      engine->pending_pid_count + 1, sizeof(*engine->pending_pids));
	engine->pending_pids[engine->pending_pid_count++] = pid;
	return true;
}

void procinfo_introduce_some(struct engine *engine)
{
	for (int i = 0; i < INTRODUCED_AT_ONCE && engine->pending_pid_count > 0; i++)
		introduce_process(engine->pending_pids[--engine->pending_pid_count], engine);
}

void procinfo_introduce(struct engine *engine, int32_t pid)
{
	if (pid > 0) {
		introduce_process(pid, engine);
		return;
	}
	engine->pending_pid_count = 0;
	proc_walk(0, note_pending_pid, engine);
	procinfo_introduce_some(engine);
}

void procinfo_introduce_targets(struct engine *engine)
{
	size_t cursor = 0;
	uint64_t pid;
	void *value;

	while (map_next(&engine->targets.pids, &cursor, &pid, &value))
		procinfo_introduce(engine, (int32_t)pid);
}

void procinfo_feed_run_delays(struct engine *engine)
{
	struct task_ref ran[RAN_BATCH];
	size_t count;

	if (!engine->counts_cpus || engine->source->session.queue != QUEUE_RUN_DELAY)
		return;
	count = model_who_ran(engine->model, ran, RAN_BATCH);
	for (size_t i = 0; i < count; i++) {
		struct record record = {
			.kind = RECORD_RUN_DELAY,
			.cpu = RECORD_CPU_NONE,
			.pid = ran[i].pid,
			.tid = ran[i].tid,
			.time_ns = engine->source->tick_ns,
		};

		if (proc_read_run_delay(ran[i].pid, ran[i].tid, &record.run_delay.wait_ns))
			engine_feed(engine, &record);
	}
}

void procinfo_find_the_dead(struct engine *engine, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (!task->is_exited && !task->is_held && !sys_task_exists(task->pid, task->tid))
			feed_exit(engine, task->pid, task->tid, snapshot->time_ns);
	}
}

/* When the machine was started, by the wall clock; whole seconds. */
static int64_t boot_time_s(void)
{
	struct timespec wall, since;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_BOOTTIME, &since);
	return (int64_t)(wall.tv_sec - since.tv_sec);
}

bool procinfo_account(void *context, int32_t pid, int32_t tid, bool wants_io,
		      struct process_account *account)
{
	struct proc_usage usage;

	if (!proc_read_usage(pid, tid, wants_io, &usage))
		return false;
	*account = (struct process_account){
		.state = usage.state,
		.priority = usage.priority,
		.nice = usage.nice,
		.user_ns = usage.user_ns,
		.system_ns = usage.system_ns,
		.start_s = boot_time_s() + (int64_t)usage.start_s,
		.resident_bytes = usage.resident_bytes,
		.has_io = usage.has_io,
		.read_bytes = usage.read_bytes,
		.written_bytes = usage.written_bytes,
	};
	return true;
}
