/*
 * What /proc says of tasks, fed to the model as records: names, users and parents of tasks that
 * run, idle tasks that have never run, sums of waits, which tasks are gone, and what is stolen from
 * CPUs or holds cgroups back.
 *
 * Of tasks that this user may not count there is what the kernel itself keeps account of, proc(5):
 * schedstat, status and stat of each thread, which everybody may read. CPU time, run-queue waits,
 * switches and faults are differences of two looks; what events count is not known.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/proc.h"
#include "kernel/stall.h"
#include "kernel/sys.h"
#include "model/container.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/model.h"
#include "source/source.h"
#include "view/processes.h"
#include "view/sleep_reason.h"

#include "session/engine_parts.h"

enum {
	COMMAND_LINE_MAX = 4096,
	WANTED_BATCH = 64,
	INTRODUCED_AT_ONCE = 200,
	RAN_BATCH = 1024, /* asked for in an interval; the others' waits are unknown */
	CGROUPS_AT_ONCE = 1000,
	LOOKS_A_SECOND = 16, /* at known ones that may be others' by now */
	LOOKS_LEAST = 4,
	STACK_BYTES = 4096,
	SLEEPERS_AT_ONCE = 128,
	SLEEPERS_EVERY_NS = 20000000
};

/* Whoever looks at a recording later may ask for them. */
static bool wants_cgroups(const struct engine *engine)
{
	return engine->needs_cgroups || engine->recordings.are_on;
}

static bool wants_stalls(const struct engine *engine, int32_t pid)
{
	const struct cgroups *cgroups = &engine->cgroups;

	if (engine->recordings.are_on || (cgroups->wanted_pid > 0 && cgroups->wanted_pid == pid))
		return true;
	return cgroups->is_wanted &&
	       (engine->targets.kind == TARGET_PIDS_ALL || engine_wants(pid, engine));
}

static void feed_exit(struct engine *engine, int32_t pid, int32_t tid, uint64_t time_ns)
{
	struct record record = engine_task_record(RECORD_EXIT, pid, tid, time_ns);

	record.fork = (struct record_fork){RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN};
	engine_feed(engine, &record);
}

/* What is asked of /proc about a thread. */
enum asked {
	ASK_CHANGING, /* what may change without an exec: not the command line */
	ASK_ALL,
	ASK_OF_LIVING /* all, and of a zombie nothing: its exit was before us */
};

/* As a record. Gone already: nothing is said. */
static void feed_procinfo(struct engine *engine, int32_t tid, enum asked asked)
{
	const bool has_command_line = asked != ASK_CHANGING;
	const uint64_t now_ns = sys_now_ns();
	struct strbuf command_line = {0}, cgroups = {0};
	struct proc_task task;
	struct record record;

	if (!proc_read_task(tid, &task))
		return;
	if (asked == ASK_OF_LIVING && task.state == 'Z' && !task.is_survived)
		return;
	if (has_command_line)
		proc_read_command_line(task.pid, COMMAND_LINE_MAX, &command_line);
	record = engine_task_record(RECORD_PROCINFO, task.pid, task.tid, now_ns);
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
	if (record.procinfo.cgroup && wants_stalls(engine, task.pid))
		cgroups_note(&engine->cgroups, record.procinfo.cgroup);
	strbuf_fini(&command_line);
	strbuf_fini(&cgroups);
	/* its exit was before us, or is about to be reported */
	if (task.is_survived)
		feed_exit(engine, task.pid, task.tid, record.time_ns);
}

/* What may change without a record; a cgroup is not looked at where none is wanted. */
static bool facts_are_stale(const struct engine *engine, const struct snapshot_task *task)
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

/* A kernel thread keeps user, session and parent; only its cgroup may be another one. */
static bool is_unchanging(const struct engine *engine, const struct snapshot_task *task)
{
	return task->is_kernel_thread && !wants_cgroups(engine);
}

/* A first thread may sleep while another makes all of them another user's. */
static void refresh_facts(struct engine *engine, const struct snapshot_task *task)
{
	feed_procinfo(engine, task->tid, ASK_CHANGING);
	if (task->tid != task->pid)
		feed_procinfo(engine, task->pid, ASK_CHANGING);
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

		if (!task->has_run || task->is_exited || is_unchanging(engine, task))
			continue;
		if (wants_cgroups(engine) && !task->cgroup && unknown > 0) {
			unknown--;
			feed_procinfo(engine, task->tid, ASK_CHANGING);
		} else if (looks > 0 && (task->cgroup || !wants_cgroups(engine))) {
			looks--;
			next = index + 1;
			if (facts_are_stale(engine, task))
				refresh_facts(engine, task);
		}
	}
	engine->refreshed = next;
}

void procinfo_ask(struct engine *engine, int32_t pid)
{
	feed_procinfo(engine, pid, ASK_CHANGING);
}

void procinfo_answer(struct engine *engine)
{
	struct task_ref wanted[WANTED_BATCH];
	size_t count;

	while ((count = model_wanted_procinfo(engine->model, wanted, WANTED_BATCH)) > 0)
		for (size_t i = 0; i < count; i++)
			feed_procinfo(engine, wanted[i].tid, ASK_ALL);
}

static bool introduce_thread(int32_t tid, void *context)
{
	feed_procinfo(context, tid, ASK_OF_LIVING);
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

void engine_introduce(struct engine *engine, int32_t pid)
{
	if (engine->is_replay)
		return; /* the recording says which tasks were there */
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
	for (const struct map_slot *each = NULL; (each = map_next(&engine->targets.pids, each));)
		engine_introduce(engine, (int32_t)each->key);
}

void procinfo_feed_run_delays(struct engine *engine)
{
	struct task_ref ran[RAN_BATCH];
	size_t count;

	if (!engine->counts_cpus || engine->source->session.queue != QUEUE_RUN_DELAY)
		return;
	count = model_who_ran(engine->model, ran, RAN_BATCH);
	for (size_t i = 0; i < count; i++) {
		struct record record = engine_task_record(RECORD_RUN_DELAY, ran[i].pid, ran[i].tid,
							  engine->source->tick_ns);
		uint64_t run_ns;

		if (proc_read_schedstat(ran[i].pid, ran[i].tid, &run_ns, &record.run_delay.wait_ns))
			engine_feed(engine, &record);
	}
}

static void feed_cpu_use_of(struct engine *engine, int32_t pid, int32_t tid, uint64_t time_ns)
{
	struct record record = engine_task_record(RECORD_CPU_USE, pid, tid, time_ns);
	struct proc_usage usage;

	if (!engine_wants(pid, engine) || !proc_read_usage(pid, tid, false, &usage))
		return;
	record.cpu_use.user_ns = usage.user_ns;
	record.cpu_use.system_ns = usage.system_ns;
	engine_feed(engine, &record);
}

/* A thread of the process, of which the accounts are read for the first time. */
struct first_use {
	struct engine *engine;
	int32_t pid;
	size_t left;
};

static bool feed_first_use(int32_t tid, void *context)
{
	struct first_use *first = context;

	feed_cpu_use_of(first->engine, first->pid, tid, sys_now_ns());
	return --first->left > 0;
}

static bool feed_first_uses(int32_t pid, void *context)
{
	struct first_use *first = context;

	first->pid = pid;
	if (engine_wants(pid, first->engine))
		proc_walk(pid, feed_first_use, first);
	return first->left > 0;
}

void procinfo_feed_cpu_use(struct engine *engine, bool is_first)
{
	struct first_use first = {.engine = engine, .left = RAN_BATCH};
	struct task_ref ran[RAN_BATCH];
	size_t count;

	if (!engine->needs_states || engine->is_replay)
		return;
	if (is_first) {
		proc_walk(0, feed_first_uses, &first);
		return;
	}
	count = model_who_ran(engine->model, ran, RAN_BATCH);
	for (size_t i = 0; i < count; i++)
		feed_cpu_use_of(engine, ran[i].pid, ran[i].tid, engine->source->tick_ns);
}

/* The innermost function that says it; without rights for all calls there is one only. */
static void look_at_sleeper(int32_t pid, int32_t tid, struct record_sleep *sleep)
{
	char text[STACK_BYTES], *rest = text, *line;

	if (!proc_read_stack(pid, tid, text, sizeof(text))) {
		if (proc_read_wchan(pid, tid, text, sizeof(text)))
			sleep->kind = (uint8_t)sleep_reason_kind(text, &sleep->is_of_call);
		return;
	}
	while (sleep->kind == SLEEP_UNKNOWN && (line = strsep(&rest, "\n"))) {
		const char *function = strstr(line, "] ");

		if (function)
			sleep->kind = (uint8_t)sleep_reason_kind(function + strlen("] "),
								 &sleep->is_of_call);
	}
	if (sleep->kind == SLEEP_UNKNOWN && text[0] != '\0')
		sleep->kind = SLEEP_UNLISTED;
}

static void look_at_lock(int32_t pid, int32_t tid, struct record_sleep *sleep)
{
	struct proc_lock lock;

	if (sleep->kind != SLEEP_FUTEX || !proc_read_lock(pid, tid, &lock))
		return;
	sleep->lock = lock.address;
	sleep->holder_tid = lock.holder;
}

void procinfo_look_at_sleepers(struct engine *engine)
{
	const uint64_t now_ns = sys_now_ns();
	struct task_ref refs[SLEEPERS_AT_ONCE];
	size_t count;

	if (!engine->needs_states || engine->is_replay ||
	    now_ns - engine->sleepers_ns < SLEEPERS_EVERY_NS)
		return;
	engine->sleepers_ns = now_ns;
	count = model_unseen_sleepers(engine->model, refs, SLEEPERS_AT_ONCE);
	for (size_t i = 0; i < count; i++) {
		struct record record =
			engine_task_record(RECORD_SLEEP, refs[i].pid, refs[i].tid, sys_now_ns());

		look_at_sleeper(refs[i].pid, refs[i].tid, &record.sleep);
		look_at_lock(refs[i].pid, refs[i].tid, &record.sleep);
		record.sleep.until_ns = sys_now_ns();
		engine_feed(engine, &record);
	}
}

void procinfo_find_ended(struct engine *engine, const struct snapshot *snapshot)
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

/* --- what holds tasks back */

static void feed_cpu_times(struct engine *engine)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	char *text = cpu_times_read("", cpus > 0 ? (size_t)cpus : 1);
	const char *rest = text;
	struct record record = {
		.kind = RECORD_CPU_TIMES,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = engine->source->tick_ns,
	};

	while (text && cpu_times_next(&rest, &record.cpu, &record.cpu_times))
		engine_feed(engine, &record);
	free(text);
}

void stalls_begin(struct engine *engine)
{
	feed_cpu_times(engine);
}

static void feed_cgroups(struct engine *engine, bool are_new, uint64_t time_ns)
{
	struct stall_walk walk = {0};
	struct record record = engine_task_record(RECORD_STALLS, RECORD_TASK_UNKNOWN,
						  RECORD_TASK_UNKNOWN, time_ns);

	while (cgroups_read(&engine->cgroups, are_new, &walk, &record))
		engine_feed(engine, &record);
}

void stalls_tick(struct engine *engine)
{
	feed_cpu_times(engine);
	feed_cgroups(engine, false, engine->source->tick_ns);
}

void stalls_round(struct engine *engine)
{
	if (engine->cgroups.has_new)
		feed_cgroups(engine, true, sys_now_ns());
}

/* Without any that is wanted only what has been read is forgotten. */
void stalls_follow(struct engine *engine)
{
	const struct cgroups *wanted = &engine->cgroups;
	const struct snapshot *snapshot = engine->whole;

	if (engine->is_replay || !snapshot)
		return;
	if (!wanted->is_wanted && wanted->wanted_pid == 0 && !engine->recordings.are_on) {
		cgroups_forget(&engine->cgroups);
		return;
	}
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		const bool is_active = task->has_run || task_has_waited(task) ||
				       task_is_uninterruptible(task) ||
				       task->pid == wanted->wanted_pid;

		if (task->cgroup && !task->is_exited && is_active &&
		    wants_stalls(engine, task->pid))
			cgroups_note(&engine->cgroups, task->cgroup);
	}
	stalls_round(engine);
}

/* --- tasks that may not be counted */

enum {
	RUN_NS,
	WAIT_NS,
	SWITCHES,
	PREEMPTIONS,
	FAULTS,
	NUMBERS
};

/* A thread. */
struct other {
	struct proc_task procinfo;
	uint64_t look;             /* in which it was seen last */
	uint64_t numbers[NUMBERS]; /* since its birth, as of then */
	uint64_t interval[NUMBERS], total[NUMBERS];
	bool is_counted; /* a counter has reported it */
};

void others_fini(struct others *others)
{
	map_fini_with(&others->by_tid, free);
	free(others->tasks);
	free(others->numbers);
	*others = (struct others){0};
}

/* All but these two take more than one small file, and change only where it has run. */
static bool read_times(const struct others *others, int32_t pid, int32_t tid,
		       uint64_t numbers[static NUMBERS])
{
	struct proc_usage usage;

	if (others->has_schedstat)
		return proc_read_schedstat(tid, 0, &numbers[RUN_NS], &numbers[WAIT_NS]);
	if (!proc_read_usage(pid, tid, false, &usage))
		return false;
	numbers[RUN_NS] = usage.user_ns + usage.system_ns;
	return true;
}

static bool read_rest(int32_t pid, int32_t tid, uint64_t numbers[static NUMBERS])
{
	struct proc_usage usage;
	uint64_t voluntary;

	if (!proc_read_usage(pid, tid, false, &usage) ||
	    !proc_read_switches(tid, &voluntary, &numbers[PREEMPTIONS]))
		return false;
	numbers[SWITCHES] = voluntary + numbers[PREEMPTIONS];
	numbers[FAULTS] = usage.faults;
	return true;
}

/* Another task may have the same number by now. */
static bool is_same(const struct proc_task *now, const struct proc_task *before)
{
	return now->start_ticks == before->start_ticks && now->pid == before->pid;
}

static bool task_has_changed(const struct proc_task *now, const struct proc_task *before)
{
	return strcmp(now->name, before->name) != 0 || now->uid != before->uid ||
	       now->parent_pid != before->parent_pid || now->session != before->session;
}

/* It has run, or has not been seen before. */
static void look_closer(struct engine *engine, struct other *other, int32_t tid,
			uint64_t numbers[static NUMBERS])
{
	bool is_new = other->procinfo.pid == 0;
	struct proc_task now;

	if (!proc_read_task(tid, &now) || !read_rest(now.pid, tid, numbers))
		return;
	if (!is_new && !is_same(&now, &other->procinfo)) {
		feed_exit(engine, other->procinfo.pid, tid, sys_now_ns());
		*other = (struct other){.look = other->look};
		is_new = true;
	}
	if (is_new || task_has_changed(&now, &other->procinfo))
		feed_procinfo(engine, tid, ASK_ALL);
	/* none of them ever goes back: what does is not believed */
	if (is_new || !counts_sub(other->interval, numbers, other->numbers, NUMBERS))
		counts_clear(other->interval, NUMBERS);
	counts_add(other->total, other->interval, NUMBERS);
	memcpy(other->numbers, numbers, sizeof(other->numbers));
	other->procinfo = now;
}

struct thread_walk {
	struct engine *engine;
	int32_t pid;
};

static bool look_at_thread(int32_t tid, void *context)
{
	const struct thread_walk *walk = context;
	struct others *others = &walk->engine->others;
	struct other *other = map_get(&others->by_tid, (uint64_t)tid);
	uint64_t numbers[NUMBERS] = {0};

	if (!read_times(others, walk->pid, tid, numbers))
		return true;
	if (!other) {
		other = xcalloc(1, sizeof(*other));
		map_put(&others->by_tid, (uint64_t)tid, other);
	}
	other->look = others->looks;
	counts_clear(other->interval, NUMBERS);
	/* of one that has counters only whether it is another one by now */
	if (other->is_counted && numbers[RUN_NS] >= other->numbers[RUN_NS])
		other->numbers[RUN_NS] = numbers[RUN_NS];
	else if (other->procinfo.pid == 0 || numbers[RUN_NS] != other->numbers[RUN_NS])
		look_closer(walk->engine, other, tid, numbers);
	return true;
}

static bool look_at_process(int32_t pid, void *engine)
{
	struct thread_walk walk = {.engine = engine, .pid = pid};

	proc_walk(pid, look_at_thread, &walk);
	return true;
}

/* A task not found this time has ended; a counter reports its end by itself. */
static void drop_ended(struct engine *engine)
{
	struct others *others = &engine->others;
	struct map left = {0};

	for (const struct map_slot *each = NULL; (each = map_next(&others->by_tid, each));) {
		struct other *other = each->value;

		if (other->look == others->looks) {
			map_put(&left, each->key, other);
			continue;
		}
		if (!other->is_counted)
			feed_exit(engine, other->procinfo.pid, (int32_t)each->key, sys_now_ns());
		free(other);
	}
	map_fini(&others->by_tid);
	others->by_tid = left;
}

void others_look(struct engine *engine)
{
	struct others *others = &engine->others;

	if (!others->is_on)
		return;
	others->has_schedstat = proc_has_run_delay();
	others->looks++;
	proc_walk(0, look_at_process, engine);
	drop_ended(engine);
}

/* The place of a task's page faults; 0: they are not counted. */
static size_t faults_index(const struct layout *layout)
{
	const int event = layout_find_event(layout, METRIC_FAULTS_EVENT);

	for (size_t i = 0; event >= 0 && i < layout->counter_count; i++)
		if (layout->counters[i].event == event && layout->counters[i].is_live)
			return layout->counters[i].value_index;
	return 0;
}

static const uint64_t *fill_counts(uint64_t *vector, const uint64_t numbers[static NUMBERS],
				   size_t faults)
{
	vector[QUANTITY_RUN_NS] = numbers[RUN_NS];
	vector[QUANTITY_SWITCHES] = numbers[SWITCHES];
	vector[QUANTITY_PREEMPTIONS] = numbers[PREEMPTIONS];
	vector[QUANTITY_QUEUED_NS] = numbers[WAIT_NS];
	if (faults > 0)
		vector[faults] = numbers[FAULTS];
	return vector;
}

/* What is not known of such a task. */
static uint32_t unknown_of_others(const struct others *others)
{
	const uint32_t waits =
		others->has_schedstat ? LAYOUT_WAITS & ~(1u << QUANTITY_QUEUED_NS) : LAYOUT_WAITS;

	return waits | LAYOUT_SMT | 1u << QUANTITY_MIGRATIONS | METRIC_EVENTS_UNKNOWN |
	       METRIC_FAULTS_KNOWN;
}

/* The task as /proc has it; NULL: a counter reports it, or nothing of it is known. */
static struct other *other_of(const struct others *others, const struct snapshot_task *task)
{
	struct other *other = map_get(&others->by_tid, (uint64_t)task->tid);

	if (!other || other->procinfo.pid != task->pid || task->is_exited)
		return NULL;
	other->is_counted = other->is_counted || task->total[QUANTITY_RUN_NS] > 0;
	return other->is_counted || other->total[RUN_NS] == 0 ? NULL : other;
}

static uint64_t *take_vectors(struct others *others, const struct snapshot *whole)
{
	size_t count = 0;

	for (size_t i = 0; i < whole->task_count; i++)
		count += other_of(others, &whole->tasks[i]) != NULL;
	count *= 2 * layout_width(whole->layout);
	array_reserve(&others->numbers, &others->number_capacity, count, sizeof(*others->numbers));
	counts_clear(others->numbers, count);
	return others->numbers;
}

const struct snapshot *others_add(struct others *others, const struct snapshot *whole)
{
	const size_t width = layout_width(whole->layout), faults = faults_index(whole->layout);
	uint64_t *vectors = take_vectors(others, whole);

	array_reserve(&others->tasks, &others->task_capacity, whole->task_count,
		      sizeof(*others->tasks));
	others->merged = *whole;
	others->merged.tasks = others->tasks;
	others->merged.active = NULL;
	for (size_t i = 0; i < whole->task_count; i++) {
		struct snapshot_task *task = &others->tasks[i];
		const struct other *other = other_of(others, &whole->tasks[i]);

		*task = whole->tasks[i];
		if (!other)
			continue;
		task->is_from_proc = true;
		task->last_cpu = other->procinfo.cpu;
		task->interval = fill_counts(vectors, other->interval, faults);
		task->total = fill_counts(vectors + width, other->total, faults);
		task->has_run = other->interval[RUN_NS] > 0;
		task->has_counts = !counts_are_zero(task->interval, width);
		task->unknown = task->has_run ? unknown_of_others(others) : 0;
		others->merged.ran_count += task->has_run;
		vectors += 2 * width;
	}
	return &others->merged;
}
