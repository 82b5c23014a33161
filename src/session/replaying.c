/*
 * The first interval begins with the first record that has a time. Of a pipe that may not have come
 * yet: engine->is_running is false until then.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>

#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/load.h"
#include "kernel/proc.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/names.h"
#include "view/processes.h"
#include "view/table.h"
#include "view/verdict_rules.h"

#include "perfdata/recording.h"
#include "perfdata/replay.h"
#include "session/engine_parts.h"
#include "session/options.h"

enum {
	BYTES_MAX = 512 << 20 /* for tasks and CPUs of a recording; REPLAY_LARGE says it, too */
};

static const char SUPERUSER[] = "root";

void replaying_follow_targets(struct engine *engine)
{
	uint64_t changes;
	const struct target_pids *targets = replay_targets(engine->source, &changes);

	if (engine->options->pid_count > 0 || changes == engine->target_pids_changes)
		return;
	target_pids_copy(&engine->targets, targets);
	engine->target_pids_changes = changes;
}

/* The words are those of the recording until it has been said in them what is shown of it. */
static void name_scope(struct engine *engine)
{
	const struct options *options = engine->options;
	struct session *session = &engine->source->session;
	char words[SESSION_TEXT_MAX], beginning[SESSION_TEXT_MAX];

	if (options->pid_count == 0)
		return;
	snprintf(beginning, sizeof(beginning), "pid %.200s, ", strbuf_text(&options->pid_list));
	if (strncmp(session->scope_words, beginning, strlen(beginning)) == 0)
		return;
	session->scope = SCOPE_TASKS;
	snprintf(words, sizeof(words), "%.210s%.290s", beginning, session->scope_words);
	memcpy(session->scope_words, words, sizeof(words));
}

/* A recording's session does not know of others beside it. */
static void name_host(struct engine *engine)
{
	struct session *session = &engine->source->session;

	memcpy(session->host, engine->host_name, sizeof(session->host));
	session->others_have_pmu = engine->others_have_pmu;
}

/* Some processes of those that are in the recording. */
static void restrict_scope(struct engine *engine)
{
	const struct options *options = engine->options;

	target_pids_fini(&engine->targets);
	engine->target_pids_changes = 0;
	for (size_t i = 0; i < options->pid_count; i++) {
		target_pids_add(&engine->targets, options->pids[i]);
		map_put(&engine->unseen, (uint64_t)options->pids[i], engine);
	}
	if (options->pid_count > 0)
		engine->targets.kind = TARGET_PIDS_LIST;
	replaying_follow_targets(engine);
	name_scope(engine);
}

/* The superuser is called the same everywhere. */
static const char *recorded_user_name(void *context, int64_t uid)
{
	const struct engine *engine = context;
	const char *name = replay_user(engine->source, uid);

	if (name)
		return name;
	if (uid == 0)
		return SUPERUSER;
	return replay_is_of_here(engine->source) ? users_name(engine->users, uid) : NULL;
}

const char *engine_host_name(const struct engine *engine)
{
	return replay_host_name(engine->source);
}

void engine_join(struct engine *engine, struct engine *first, const char *name, bool has_pmu)
{
	engine->others_have_pmu = has_pmu;
	snprintf(engine->host_name, sizeof(engine->host_name), "%s", name);
	engine->first = first != engine ? first : NULL;
	if (engine->first) {
		engine->next = first->next;
		first->next = engine;
	}
	name_host(engine);
}

void engine_serve_table(struct engine *engine, struct view_table *table)
{
	view_table_name_functions(table, &engine->function_names);
	if (engine->is_replay)
		users_ask(view_table_users(table), recorded_user_name, engine);
	else
		processes_ask(view_table_processes(table), procinfo_account, NULL);
}

void engine_add_namespaces(const struct engine *engine, int32_t tid, struct strbuf *words)
{
	if (engine->is_replay)
		replay_add_namespaces(engine->source, tid, words);
	else
		proc_add_namespaces(tid, words);
}

static bool ask_run_delay(void *context, int32_t pid, int32_t tid, uint64_t *wait_ns)
{
	return proc_waits_read(context, pid, tid, wait_ns);
}

static bool ask_wchan(void *context, int32_t pid, int32_t tid, char *function, size_t size)
{
	(void)context;
	return proc_read_wchan(pid, tid, function, size);
}

/* As the locks of glibc and Rust do: 2 is that of a lock that somebody waits for. */
static bool ask_lock(void *context, int32_t pid, int32_t tid)
{
	enum {
		VALUE = 2,
		CONTENDED = 2
	};
	uint64_t arguments[VALUE + 1];
	int64_t number;

	(void)context;
	return proc_read_call(pid, tid, &number, arguments, VALUE + 1) && number == SYS_futex &&
	       arguments[VALUE] == CONTENDED;
}

static bool ask_usage(void *context, int32_t pid, int32_t tid, struct rule_usage *usage)
{
	struct proc_usage found;

	(void)context;
	if (!proc_read_usage(pid, tid, false, &found))
		return false;
	usage->nice = found.nice;
	usage->system_pct =
		100.0 * (double)found.system_ns / (double)(found.user_ns + found.system_ns);
	return true;
}

static bool ask_swap(void *context, uint64_t *bytes)
{
	(void)context;
	return load_read_swapped_in(bytes, "");
}

struct rule_input engine_rule_input(const struct engine *engine, const struct snapshot *snapshot)
{
	struct rule_input input = {
		.snapshot = snapshot,
		.session = engine_session(engine),
		.names = &engine->function_names,
	};

	if (!engine->is_replay)
		input.witness.own_pid = getpid();
	if (!engine->is_replay && snapshot == engine_snapshot(engine)) {
		input.witness.run_delay = ask_run_delay;
		input.witness.function = ask_wchan;
		input.witness.waits_for_lock = ask_lock;
		input.witness.usage = ask_usage;
		input.witness.swapped_in = ask_swap;
		input.witness.context = engine->waits;
	}
	return input;
}

int64_t engine_find_user(const struct engine *engine, const char *name)
{
	uint64_t number;
	int64_t uid;

	if (!engine->is_replay)
		return users_find(name);
	uid = replay_find_user(engine->source, name);
	if (uid >= 0)
		return uid;
	if (strcmp(name, SUPERUSER) == 0)
		return 0;
	if (replay_is_of_here(engine->source))
		return users_find(name);
	return units_parse_u64(name, 0, UINT32_MAX - 1, &number) ? (int64_t)number : -1;
}

/* Perf's do not record users, and those of another machine have other names. */
static bool check_user(const struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;

	if (options->uid < 0)
		return true;
	if (!replay_has_users(engine->source))
		return error_set(error, ERROR_REPLAY_USERS, options->input, NULL);
	if (engine_find_user(engine, options->user) != options->uid)
		return error_set(error, ERROR_REPLAY_USER, options->user, NULL);
	return true;
}

bool replaying_open(struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;
	const struct replay_request request = {
		.path = options->input,
		.interval_ns = options->has_delay ? (uint64_t)(options->delay_s * 1e9) : 0,
	};

	engine->source = replay_create(&request, error);
	if (!engine->source)
		return false;
	engine->is_replay = true;
	if (!check_user(engine, error))
		return false;
	engine->layout_changes = engine->source->layout_changes;
	restrict_scope(engine);
	/* of several the commands of the options find them, once all are open */
	return options->input_count > 1 || engine_add_option_events(engine, error);
}

bool replaying_has_room(struct engine *engine, const struct layout *layout)
{
	char width[24];
	struct error why;

	if (engine->is_full || model_bytes(engine->model, layout) <= BYTES_MAX)
		return !engine->is_full;
	snprintf(width, sizeof(width), "%zu",
		 layout_width(layout ? layout : model_layout(engine->model)));
	error_set(&why, ERROR_REPLAY_LARGE, width, NULL);
	engine->is_full = true;
	replay_stop(engine->source, &why);
	return false;
}

/* The layout of what follows; one that there is no room for is not taken. */
static void follow_layout(struct engine *engine)
{
	struct layout *layout = &engine->source->layout;

	if (engine->source->layout_changes == engine->layout_changes)
		return;
	engine->layout_changes = engine->source->layout_changes;
	if (!replaying_has_room(engine, layout)) {
		layout_fini(layout);
		layout_copy(layout, model_layout(engine->model));
		return;
	}
	model_change_layout(engine->model, &engine->source->layout);
	engine_bind_metrics(engine);
}

void replaying_start(struct engine *engine)
{
	source_tick(engine->source);
	engine_feed_all(engine);
	if (engine->source->tick_ns == 0 && !source_is_finished(engine->source))
		return;
	follow_layout(engine);
	name_host(engine);
	engine_note_session(engine);
	model_start(engine->model, engine->source->tick_ns);
	engine->is_running = true;
}

void replaying_drain(struct engine *engine)
{
	if (!engine->is_running)
		replaying_start(engine);
	else
		engine_feed_all(engine);
}

bool engine_can_tick(struct engine *engine)
{
	if (!engine->is_replay)
		return true;
	if (!engine->is_running)
		replaying_start(engine);
	if (engine->is_running && !source_is_finished(engine->source))
		engine_feed_all(engine);
	return engine->is_running && !source_is_finished(engine->source) &&
	       replay_is_ready(engine->source);
}

static void note_own(struct engine *engine)
{
	const struct recording_interval *interval = replay_interval(engine->source);

	if (interval)
		model_note_own(engine->model, &(const struct own_usage){
						      .cpu_ns = interval->own_cpu_ns,
						      .rss_bytes = interval->own_rss_bytes,
						      .descriptors = interval->own_descriptors,
						      .switch_ns = interval->own_switch_ns,
						      .samples_ns = interval->own_samples_ns,
						      .budget_mpct = interval->own_budget_mpct,
						      .counting_mpct = interval->own_counting_mpct,
					      });
}

static void look_for_unseen(struct engine *engine)
{
	const struct snapshot *snapshot = engine->snapshot;

	for (size_t i = 0; engine->unseen.count > 0 && i < snapshot->task_count; i++)
		map_remove(&engine->unseen, (uint64_t)snapshot->tasks[i].pid);
}

bool engine_list_unseen(const struct engine *engine, struct strbuf *out)
{
	const struct options *options = engine->options;
	bool has_some = false;

	if (!engine->is_replay || engine->unseen.count == 0)
		return false;
	for (size_t i = 0; i < options->pid_count; i++) {
		if (!map_get(&engine->unseen, (uint64_t)options->pids[i]))
			continue;
		strbuf_printf(out, "%s%d", has_some ? ", " : "pid ", options->pids[i]);
		has_some = true;
	}
	return true;
}

const char *engine_lacks_switches(const struct engine *engine)
{
	const uint32_t unknown = engine->source->session.unknown;

	if (!engine->is_replay || (unknown & UINT32_C(1) << QUANTITY_PREEMPTIONS) == 0)
		return NULL;
	return "no context switches were recorded (perf record --switch-events does)";
}

void replaying_tick(struct engine *engine)
{
	if (!engine->is_running) {
		replaying_start(engine);
		return;
	}
	if (source_is_finished(engine->source))
		return;
	/* the next interval's session comes with the end of this one */
	model_note_off_cpu(engine->model, &engine->source->session.off_cpu);
	model_note_others(engine->model, engine->source->session.others);
	source_tick(engine->source);
	engine_feed_all(engine);
	replaying_follow_targets(engine);
	name_scope(engine);
	name_host(engine);
	engine_note_session(engine);
	note_own(engine);
	engine->whole = model_close_interval(engine->model, engine->source->tick_ns);
	functions_work(&engine->functions);
	engine->source->session.not_unwound = functions_not_unwound(&engine->functions);
	functions_tidy(&engine->functions, engine->whole);
	follow_layout(engine);
	engine_take_snapshot(engine);
	look_for_unseen(engine);
}

bool engine_rewind(struct engine *engine, struct error *error)
{
	const size_t history = engine->history;

	if (!replay_rewind(engine->source, error))
		return false;
	restrict_scope(engine);
	functions_rewind(&engine->functions);
	model_destroy(engine->model);
	engine->model = model_create(&engine->source->layout);
	engine->needs_states = engine->has_states = false; /* from their first record on */
	engine_note_session(engine);
	engine_bind_metrics(engine);
	engine->layout_changes = engine->source->layout_changes;
	engine->snapshot = engine->whole = NULL;
	engine->is_running = engine->is_full = false;
	replaying_start(engine);
	engine_keep_history(engine, history);
	return true;
}

/* A recording's threads are known once it has reported them; before that an id is taken for one. */
static bool find_recorded_pid(const struct engine *engine, int32_t id, int32_t *pid)
{
	const struct snapshot_task *task = snapshot_find_task(engine->whole, id);

	*pid = task ? task->pid : id;
	return task || !engine->whole;
}

bool engine_find_process(const struct engine *engine, int32_t id, int32_t *pid, struct error *error)
{
	struct proc_task task;
	char text[16];

	if (engine->is_replay && find_recorded_pid(engine, id, pid))
		return true;
	if (!engine->is_replay && proc_read_task(id, &task)) {
		*pid = task.pid;
		return true;
	}
	snprintf(text, sizeof(text), "%d", id);
	return error_set(error, ERROR_PROCESS_GONE, text, NULL);
}
