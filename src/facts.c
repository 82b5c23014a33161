#include "facts.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/model.h"
#include "source/source.h"

#include "engine.h"
#include "recording.h"

enum {
	COMMAND_LINE_MAX = 4096,
	WANTED_BATCH = 64,
	INTRODUCED_AT_ONCE = 200,
	RAN_BATCH = 1024 /* asked for in an interval; the others' waits are unknown */
};

/* What /proc says about one thread, as a record. Gone already: nothing is said. */
static void feed_facts(struct engine *engine, int32_t tid)
{
	struct strbuf command_line = {0};
	struct proc_task task;
	struct record record = {
		.kind = RECORD_FACTS,
		.cpu = RECORD_CPU_NONE,
		.time_ns = sys_now_ns(),
	};

	if (!proc_read_task(tid, &task))
		return;
	proc_read_command_line(task.pid, COMMAND_LINE_MAX, &command_line);
	record.pid = task.pid;
	record.tid = task.tid;
	record.facts = (struct record_facts){
		.name = task.name,
		.command_line = strbuf_text(&command_line),
		.parent_pid = task.parent_pid,
		.uid = task.uid,
		.cpu = task.cpu,
		.is_kernel_thread = task.is_kernel_thread,
	};
	engine_feed(engine, &record);
	strbuf_fini(&command_line);
}

void facts_answer(struct engine *engine)
{
	struct task_ref wanted[WANTED_BATCH];
	size_t count;

	while ((count = model_wanted_facts(engine->model, wanted, WANTED_BATCH)) > 0) {
		for (size_t i = 0; i < count; i++)
			feed_facts(engine, wanted[i].tid);
	}
}

static bool introduce_thread(int32_t tid, void *context)
{
	feed_facts(context, tid);
	return true;
}

static bool introduce_process(int32_t pid, void *context)
{
	proc_walk(pid, introduce_thread, context);
	return true;
}

static bool note_stranger(int32_t pid, void *context)
{
	struct engine *engine = context;

	array_reserve(&engine->strangers, &engine->stranger_capacity, engine->stranger_count + 1,
		      sizeof(*engine->strangers));
	engine->strangers[engine->stranger_count++] = pid;
	return true;
}

void facts_introduce_some(struct engine *engine)
{
	for (int i = 0; i < INTRODUCED_AT_ONCE && engine->stranger_count > 0; i++)
		introduce_process(engine->strangers[--engine->stranger_count], engine);
}

void facts_introduce(struct engine *engine, int32_t pid)
{
	if (pid > 0) {
		introduce_process(pid, engine);
		return;
	}
	engine->stranger_count = 0;
	proc_walk(0, note_stranger, engine);
	facts_introduce_some(engine);
}

void facts_introduce_wanted(struct engine *engine)
{
	size_t cursor = 0;
	uint64_t pid;
	void *value;

	while (map_next(&engine->wanted.pids, &cursor, &pid, &value))
		facts_introduce(engine, (int32_t)pid);
}

void facts_feed_run_delays(struct engine *engine)
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

void facts_find_the_dead(struct engine *engine, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];
		const struct record record = {
			.kind = RECORD_EXIT,
			.cpu = RECORD_CPU_NONE,
			.pid = task->pid,
			.tid = task->tid,
			.time_ns = snapshot->time_ns,
			.fork = {.parent_pid = RECORD_TASK_UNKNOWN,
				 .parent_tid = RECORD_TASK_UNKNOWN},
		};

		if (!task->is_exited && !task->is_held && !sys_task_exists(task->pid, task->tid))
			engine_feed(engine, &record);
	}
}
