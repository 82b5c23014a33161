/*
 * Which source counts what the options ask for. Chosen processes are taken out of a machine that is
 * counted as a whole where that may be had, and counted by themselves where not; the whole machine
 * becomes the user's own tasks where it is refused.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/explain.h"
#include "kernel/proc.h"
#include "source/cpus/cpus.h"
#include "source/source.h"
#include "source/tasks/tasks.h"

#include "session/engine_parts.h"
#include "session/options.h"

/* What the source is asked for. */
struct asked {
	struct event_core_pmu pmus[EVENT_PMUS_MAX];
	size_t pmu_count;
};

static void asked_init(struct asked *asked, struct engine *engine)
{
	const size_t count = event_core_pmus(engine->finder, asked->pmus, EVENT_PMUS_MAX);

	asked->pmu_count = count < EVENT_PMUS_MAX ? count : EVENT_PMUS_MAX;
	engine_group_formulas(&engine->events, engine->metric_set);
}

static struct tasks_request tasks_request_of(const struct engine *engine, const struct asked *asked,
					     enum tasks_mode mode)
{
	return (struct tasks_request){
		.host = &engine->host,
		.features = &engine->features,
		.core_pmus = asked->pmus,
		.core_pmu_count = asked->pmu_count,
		.events = &engine->events,
		.mode = mode,
	};
}

static struct cpus_request cpus_request_of(const struct engine *engine, const struct asked *asked,
					   const struct options *options)
{
	return (struct cpus_request){
		.host = &engine->host,
		.features = &engine->features,
		.only = options->has_cpus ? &options->cpus : NULL,
		.core_pmus = asked->pmus,
		.core_pmu_count = asked->pmu_count,
		.events = &engine->events,
	};
}

/*
 * Some processes out of a machine that is counted as a whole: no thread of theirs and no
 * child is too short-lived, which counters opened after a birth cannot promise. False when the
 * machine may not be counted.
 */
static bool open_part(struct engine *engine, const struct options *options,
		      const struct asked *asked, enum target_pids_kind kind,
		      const struct tasks_request *request)
{
	const struct cpus_request cpus = cpus_request_of(engine, asked, options);
	struct session *session;

	engine->source = cpus_create(&cpus, NULL);
	if (!engine->source)
		return false;
	engine->counts_cpus = true;
	engine->targets.kind = kind;
	for (size_t i = 0; i < request->pid_count; i++)
		target_pids_add(&engine->targets, request->pids[i]);
	session = &engine->source->session;
	session->scope = SCOPE_TASKS;
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	return true;
}

/* A recording's threads are known once it has reported them; before that an id is taken for one. */
static bool find_recorded(const struct engine *engine, int32_t id, int32_t *pid)
{
	const struct snapshot *snapshot = engine->whole;

	*pid = id;
	for (size_t i = 0; snapshot && i < snapshot->task_count; i++) {
		if (snapshot->tasks[i].tid == id) {
			*pid = snapshot->tasks[i].pid;
			return true;
		}
	}
	return !snapshot;
}

bool engine_find_process(const struct engine *engine, int32_t id, int32_t *pid, struct error *error)
{
	struct proc_task task;
	char text[16];

	if (engine->is_replay && find_recorded(engine, id, pid))
		return true;
	if (!engine->is_replay && proc_read_task(id, &task)) {
		*pid = task.pid;
		return true;
	}
	snprintf(text, sizeof(text), "%d", id);
	return error_set(error, ERROR_PROCESS_GONE, text, NULL);
}

static bool open_pids(struct engine *engine, const struct options *options,
		      const struct asked *asked, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, asked, TASKS_PIDS);
	int32_t *pids = xcalloc(options->pid_count, sizeof(*pids));
	char words[SESSION_TEXT_MAX];
	bool good = true;

	for (size_t i = 0; i < options->pid_count && good; i++)
		good = engine_find_process(engine, options->pids[i], &pids[i], error);
	snprintf(words, sizeof(words), "%s%s",
		 isdigit((unsigned char)*strbuf_text(&options->pid_list)) ? "pid " : "",
		 strbuf_text(&options->pid_list));
	request.pids = pids;
	request.pid_count = options->pid_count;
	request.scope_words = words;
	if (good && !open_part(engine, options, asked, TARGET_PIDS_LIST, &request))
		engine->source = tasks_create(&request, error);
	free(pids);
	return engine->source;
}

static bool open_command(struct engine *engine, const struct options *options,
			 const struct asked *asked, int32_t pid, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, asked, TASKS_COMMAND);
	struct strbuf words = {0};

	for (char *const *word = options->command; *word; word++)
		strbuf_printf(&words, "%s%s", word == options->command ? "" : " ", *word);
	request.pids = &pid;
	request.pid_count = 1;
	request.scope_words = strbuf_text(&words);
	if (!open_part(engine, options, asked, TARGET_PIDS_TREE, &request))
		engine->source = tasks_create(&request, error);
	strbuf_fini(&words);
	return engine->source;
}

/* The user's own tasks, when the machine is refused; `refusal` says why. */
static bool open_own_tasks(struct engine *engine, const struct options *options,
			   const struct asked *asked, const struct error *refusal,
			   struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, asked, TASKS_USER);
	char missing[SESSION_TEXT_MAX]; /* why not even all of these */
	struct session *session;

	request.uid = options->uid >= 0 ? options->uid : (int64_t)geteuid();
	request.scope_words = request.uid == (int64_t)geteuid() ? "own tasks; others from /proc (~)"
								: "tasks of one user";
	engine->source = tasks_create(&request, error);
	if (!engine->source)
		return false;
	engine->others.is_on = true;
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

static bool open_machine(struct engine *engine, const struct options *options,
			 const struct asked *asked, struct error *error)
{
	struct error refusal = {0};
	const struct cpus_request request = cpus_request_of(engine, asked, options);

	if (!check_cpus(engine, options, error))
		return false;
	engine->source = cpus_create(&request, &refusal);
	engine->counts_cpus = engine->source;
	if (engine->source)
		return true;
	if (!options->has_cpus && explain_is_denial(&refusal) &&
	    open_own_tasks(engine, options, asked, &refusal, error))
		return true;
	*error = refusal;
	return false;
}

bool engine_open_source(struct engine *engine, const struct options *options, int32_t command_pid,
			struct error *error)
{
	struct asked asked;
	bool good;

	asked_init(&asked, engine);
	if (command_pid > 0)
		good = open_command(engine, options, &asked, command_pid, error);
	else if (options->pid_count > 0)
		good = open_pids(engine, options, &asked, error);
	else
		good = open_machine(engine, options, &asked, error);
	return good;
}
