#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/explain.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/model.h"
#include "options.h"
#include "source/cpus.h"
#include "source/source.h"
#include "source/tasks.h"

enum {
	COMMAND_LINE_MAX = 4096,
	WANTED_BATCH = 64,
	INTRODUCED_AT_ONCE = 200
};

const char *const engine_default_events[] = {
	"cycles",       "instructions",  "cache-references",
	"cache-misses", "branch-misses", "page-faults",
};
const size_t engine_default_event_count =
	sizeof(engine_default_events) / sizeof(*engine_default_events);

static struct tasks_request tasks_request_of(const struct engine *engine, enum tasks_mode mode)
{
	return (struct tasks_request){
		.host = &engine->host,
		.features = &engine->features,
		.events = engine_default_events,
		.event_count = engine_default_event_count,
		.mode = mode,
	};
}

static struct cpus_request cpus_request_of(const struct engine *engine,
					   const struct options *options)
{
	return (struct cpus_request){
		.host = &engine->host,
		.features = &engine->features,
		.only = options->has_cpus ? &options->cpus : NULL,
		.events = engine_default_events,
		.event_count = engine_default_event_count,
	};
}

static void want(struct engine *engine, int32_t pid)
{
	map_put(&engine->wanted, (uint64_t)pid, engine);
}

static bool is_wanted(int32_t pid, const void *context)
{
	const struct engine *engine = context;

	return engine->scope == ENGINE_ALL || map_get(&engine->wanted, (uint64_t)pid) != NULL;
}

/*
 * Some processes out of a machine that is counted as a whole: no thread of theirs and no
 * child is too short-lived, which counters opened after a birth cannot promise. False when the
 * machine may not be counted.
 */
static bool open_part(struct engine *engine, const struct options *options, enum engine_scope scope,
		      const struct tasks_request *request)
{
	const struct cpus_request cpus = cpus_request_of(engine, options);
	struct session *session;

	engine->source = cpus_create(&cpus, NULL);
	if (engine->source == NULL)
		return false;
	engine->scope = scope;
	for (size_t i = 0; i < request->pid_count; i++)
		want(engine, request->pids[i]);
	session = &engine->source->session;
	session->scope = SCOPE_TASKS;
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	return true;
}

bool engine_find_process(int32_t id, int32_t *pid, struct error *error)
{
	struct proc_task task;
	char text[16];

	if (proc_read_task(id, &task)) {
		*pid = task.pid;
		return true;
	}
	snprintf(text, sizeof(text), "%d", id);
	return error_set(error, ERROR_PROCESS_GONE, text, NULL);
}

static bool open_pids(struct engine *engine, const struct options *options, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, TASKS_PIDS);
	int32_t *pids = xcalloc(options->pid_count, sizeof(*pids));
	char words[SESSION_TEXT_MAX];
	bool good = true;

	for (size_t i = 0; i < options->pid_count && good; i++)
		good = engine_find_process(options->pids[i], &pids[i], error);
	snprintf(words, sizeof(words), "pid %s", strbuf_text(&options->pid_list));
	request.pids = pids;
	request.pid_count = options->pid_count;
	request.scope_words = words;
	if (good && !open_part(engine, options, ENGINE_PIDS, &request))
		engine->source = tasks_create(&request, error);
	free(pids);
	return engine->source != NULL;
}

static bool open_command(struct engine *engine, const struct options *options, int32_t pid,
			 struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, TASKS_COMMAND);
	struct strbuf words = {0};

	for (char *const *word = options->command; *word != NULL; word++)
		strbuf_printf(&words, "%s%s", word == options->command ? "" : " ", *word);
	request.pids = &pid;
	request.pid_count = 1;
	request.scope_words = strbuf_text(&words);
	if (!open_part(engine, options, ENGINE_TREE, &request))
		engine->source = tasks_create(&request, error);
	strbuf_fini(&words);
	return engine->source != NULL;
}

/* The user's own tasks, when the machine is refused; `refusal` says why. */
static bool open_own_tasks(struct engine *engine, const struct options *options,
			   const struct error *refusal, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, TASKS_USER);
	char missing[SESSION_TEXT_MAX]; /* why not even all of these */
	struct session *session;

	request.uid = options->uid >= 0 ? options->uid : (int64_t)geteuid();
	request.scope_words = request.uid == (int64_t)geteuid() ? "own tasks" : "tasks of one user";
	engine->source = tasks_create(&request, error);
	if (engine->source == NULL)
		return false;
	session = &engine->source->session;
	snprintf(missing, sizeof(missing), "%s", session->scope_reason);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "%.300s%s%.200s",
		 refusal->text, missing[0] != '\0' ? "; " : "", missing);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", refusal->remedy);
	return true;
}

static bool check_cpus(const struct engine *engine, const struct options *options,
		       struct error *error)
{
	for (size_t i = 0; i < options->cpus.count; i++) {
		char number[16], online[128];

		if (number_list_has(&engine->host.online, options->cpus.numbers[i]))
			continue;
		snprintf(number, sizeof(number), "%d", options->cpus.numbers[i]);
		number_list_format(&engine->host.online, online, sizeof(online));
		return error_set(error, ERROR_CPU_ABSENT, number, online);
	}
	return true;
}

static bool open_machine(struct engine *engine, const struct options *options, struct error *error)
{
	struct error refusal = {0};
	const struct cpus_request request = cpus_request_of(engine, options);

	if (!check_cpus(engine, options, error))
		return false;
	engine->source = cpus_create(&request, &refusal);
	if (engine->source != NULL)
		return true;
	if (!options->has_cpus && explain_is_denial(&refusal) &&
	    open_own_tasks(engine, options, &refusal, error))
		return true;
	*error = refusal;
	return false;
}

static bool open_source(struct engine *engine, const struct options *options, int32_t command_pid,
			struct error *error)
{
	if (command_pid > 0)
		return open_command(engine, options, command_pid, error);
	if (options->pid_count > 0)
		return open_pids(engine, options, error);
	return open_machine(engine, options, error);
}

bool engine_open(struct engine *engine, const struct options *options, int32_t command_pid,
		 struct error *error)
{
	*engine = (struct engine){0};
	host_raise_fd_limit();
	host_read(&engine->host, "");
	attr_probe_features(&engine->features);
	if (!open_source(engine, options, command_pid, error)) {
		engine_close(engine);
		return false;
	}
	engine->model = model_create(&engine->source->layout);
	engine->metrics = metrics_create(&engine->source->layout);
	return true;
}

void engine_close(struct engine *engine)
{
	metrics_destroy(engine->metrics);
	model_destroy(engine->model);
	source_destroy(engine->source);
	map_fini(&engine->wanted);
	free(engine->part_tasks);
	free(engine->strangers);
	engine->part_tasks = NULL;
	engine->strangers = NULL;
	engine->stranger_count = engine->stranger_capacity = 0;
	host_fini(&engine->host);
	engine->metrics = NULL;
	engine->model = NULL;
	engine->source = NULL;
	engine->snapshot = NULL;
}

/* Descendants are in the scope from their birth on; a pid that is given out again elsewhere leaves
 * it. */
static void follow_birth(struct engine *engine, const struct record *record)
{
	if (record->pid == record->fork.parent_pid)
		return; /* a thread */
	if (engine->scope == ENGINE_TREE && is_wanted(record->fork.parent_pid, engine))
		want(engine, record->pid);
	else
		map_remove(&engine->wanted, (uint64_t)record->pid);
}

static void feed_all(struct engine *engine)
{
	struct record record;

	while (source_next(engine->source, &record)) {
		if (record.kind == RECORD_FORK && engine->scope != ENGINE_ALL)
			follow_birth(engine, &record);
		model_feed(engine->model, &record);
	}
}

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
	model_feed(engine->model, &record);
	strbuf_fini(&command_line);
}

static void answer_wanted_facts(struct engine *engine)
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

/* Some of the processes that wait for their introduction. */
static void introduce_some(struct engine *engine)
{
	for (int i = 0; i < INTRODUCED_AT_ONCE && engine->stranger_count > 0; i++)
		introduce_process(engine->strangers[--engine->stranger_count], engine);
}

void engine_introduce(struct engine *engine, int32_t pid)
{
	if (pid > 0) {
		introduce_process(pid, engine);
		return;
	}
	engine->stranger_count = 0;
	proc_walk(0, note_stranger, engine);
	introduce_some(engine);
}

/* The processes asked for have rows even while they sleep. */
static void introduce_wanted(struct engine *engine)
{
	size_t cursor = 0;
	uint64_t pid;
	void *value;

	while (map_next(&engine->wanted, &cursor, &pid, &value))
		engine_introduce(engine, (int32_t)pid);
}

bool engine_start(struct engine *engine, struct error *error)
{
	if (!source_begin(engine->source, error))
		return false;
	source_tick(engine->source);
	feed_all(engine);
	answer_wanted_facts(engine);
	introduce_wanted(engine);
	model_start(engine->model, engine->source->tick_ns);
	engine->own_cpu_ns = proc_own_cpu_ns();
	return true;
}

void engine_drain(struct engine *engine)
{
	source_drain(engine->source);
	feed_all(engine);
	answer_wanted_facts(engine);
	introduce_some(engine);
}

/* Where records were lost, deaths may be among them: who is not there any more has ended. */
static void find_the_dead(struct engine *engine, const struct snapshot *snapshot)
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
			model_feed(engine->model, &record);
	}
}

void engine_tick(struct engine *engine)
{
	const struct snapshot *whole;
	uint64_t cpu_ns = proc_own_cpu_ns();
	struct own_usage own = {
		.cpu_ns = cpu_ns - engine->own_cpu_ns,
		.rss_bytes = proc_own_rss_bytes(),
		.descriptors = proc_own_descriptors(),
	};

	engine->own_cpu_ns = cpu_ns;
	source_tick(engine->source);
	/* the wall clock may have been set, or have gone on while the machine slept */
	engine->source->session.wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns();
	feed_all(engine);
	answer_wanted_facts(engine);
	model_note_own(engine->model, &own);
	whole = model_close_interval(engine->model, engine->source->tick_ns);
	if (whole->lost_records > 0)
		find_the_dead(engine, whole);
	engine->snapshot = whole;
	if (engine->scope == ENGINE_ALL)
		return;
	snapshot_restrict(&engine->part, whole, is_wanted, engine, &engine->part_tasks,
			  &engine->part_capacity);
	engine->snapshot = &engine->part;
}

const struct session *engine_session(const struct engine *engine)
{
	return &engine->source->session;
}

bool engine_attach(struct engine *engine, int32_t pid, struct error *error)
{
	if (!source_attach(engine->source, pid, error))
		return false;
	if (engine->scope != ENGINE_ALL)
		want(engine, pid);
	return true;
}

bool engine_is_finished(const struct engine *engine)
{
	if (engine->scope == ENGINE_ALL || engine->snapshot == NULL)
		return source_is_finished(engine->source);
	for (size_t i = 0; i < engine->snapshot->task_count; i++) {
		const struct snapshot_task *task = &engine->snapshot->tasks[i];

		if (!task->is_exited && !task->is_held)
			return false;
	}
	return true;
}
