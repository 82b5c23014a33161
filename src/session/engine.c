/*
 * The life of an engine: it is opened as the options ask for, begins to count, records, and is
 * asked for what it is made of. Its rounds are in engine_rounds.c.
 */
#include "session/engine.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/proc.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "source/source.h"
#include "view/table.h"
#include "view/users.h"

#include "perfdata/recorder.h"
#include "session/engine_parts.h"
#include "session/options.h"
#include "session/procinfo.h"
#include "session/recording.h"
#include "session/replaying.h"

static void make_model(struct engine *engine)
{
	engine->model = model_create(&engine->source->layout);
	model_note_partial(engine->model, engine->source->session.is_partial);
	engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
}

struct engine *engine_create(const struct options *options)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	engine->options = options;
	engine->child.start_fd = engine->child.result_fd = -1;
	engine->users = users_create();
	return engine;
}

static bool open_live(struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;

	if (options->command &&
	    !child_prepare(&engine->child, options->command, !options->batch, error))
		return false;
	urgency_raise(&engine->urgency);
	host_raise_fd_limit();
	host_read(&engine->host, "");
	attr_probe_features(&engine->features);
	engine->finder = event_finder_create("");
	engine->metric_set = metric_set_create();
	return engine_add_option_events(engine, options, error) &&
	       engine_open_source(engine, options, engine->child.pid, error);
}

bool engine_open(struct engine *engine, struct error *error)
{
	if (engine->options->input ? !replaying_open(engine, engine->options, error)
				   : !open_live(engine, error))
		return false;
	make_model(engine);
	resolver_init(&engine->resolver, engine);
	return true;
}

void engine_destroy(struct engine *engine)
{
	engine_stop_recording(engine, NULL);
	startup_selection_fini(&engine->selection);
	resolver_fini(&engine->resolver);
	metrics_destroy(engine->metrics);
	model_destroy(engine->model);
	source_destroy(engine->source);
	event_set_fini(&engine->events);
	metric_set_destroy(engine->metric_set);
	event_finder_destroy(engine->finder);
	users_destroy(engine->users);
	target_pids_fini(&engine->targets);
	result_fini(&engine->result);
	others_fini(&engine->others);
	map_fini(&engine->unseen);
	free(engine->part_tasks);
	free(engine->pending_pids);
	host_fini(&engine->host);
	free(engine);
}

bool engine_make_selection(struct engine *engine, struct error *error)
{
	return startup_selection_make(&engine->selection, &engine->resolver, engine->options,
				      error);
}

static const char *name_user(void *users, int64_t uid)
{
	return users_name(users, uid);
}

static void resync(void *context, const struct record *record)
{
	recorder_take(context, record);
}

bool engine_record(struct engine *engine, const char *path, int compression, char *const *arguments,
		   struct error *error)
{
	struct recorder_request request = {
		.path = path,
		.compression = compression,
		.version = PERFTOP_VERSION,
		.arguments = arguments,
		.host = &engine->host,
		.source = engine->source,
		.targets = &engine->targets,
		.user_name = name_user,
		.user_context = engine->users,
	};

	if (engine->recorder)
		return error_set(error, ERROR_RECORD_BUSY, recorder_path(engine->recorder), NULL);
	if (engine->is_running) {
		engine_tick(engine);
		request.since_ns = engine->source->tick_ns;
	}
	engine->recorder = recorder_create(&request, error);
	if (!engine->recorder)
		return false;
	if (engine->is_running) {
		const struct record settled = recording_settled(engine);

		model_resync(engine->model, resync, engine->recorder);
		recording_start(engine);
		recorder_take(engine->recorder, &settled);
	}
	return true;
}

/* The first interval begins. */
static bool begin(struct engine *engine, struct error *error)
{
	if (!source_begin(engine->source, error))
		return false;
	if (engine->is_replay) {
		replaying_start(engine);
		return true;
	}
	source_tick(engine->source);
	engine_feed_all(engine);
	procinfo_answer(engine);
	procinfo_introduce_targets(engine);
	others_look(engine);
	model_start(engine->model, engine->source->tick_ns);
	recording_start(engine);
	engine->is_running = true;
	engine->own_cpu_ns = proc_own_cpu_ns();
	return true;
}

bool engine_start(struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;

	if (options->record && !engine_record(engine, options->record, options->compression,
					      options->arguments, error))
		return false;
	if (!begin(engine, error))
		return false;
	if (!options->batch || options->view->needs_history)
		engine_keep_history(engine, options->history);
	return !options->command || child_start(&engine->child, options->command[0], error);
}

void engine_complete_result(struct engine *engine)
{
	engine->result.is_complete = true;
}

void engine_write_result(const struct engine *engine, const char *begin, struct strbuf *out)
{
	if (engine->is_replay || !engine->result.counts)
		return;

	const struct result_words words = {
		.layout = engine->snapshot->layout,
		.metrics = engine->metrics,
		.name = engine->source->session.scope_words,
		.child = engine->child.pid > 0 ? &engine->child : NULL,
		.begin = begin,
	};

	if (begin)
		result_write_text(&engine->result, &words, out);
	else
		result_write_json(&engine->result, &words, out);
}

void engine_need_cgroups(struct engine *engine, bool needs)
{
	const bool is_new = needs && !engine->needs_cgroups;

	engine->needs_cgroups = needs;
	if (is_new && engine->is_running && !engine->is_replay && engine->whole)
		procinfo_refresh(engine, engine->whole);
}

bool engine_attach(struct engine *engine, int32_t pid, struct error *error)
{
	if (!source_attach(engine->source, pid, error))
		return false;
	if (engine->targets.kind == TARGET_PIDS_ALL)
		return true;
	target_pids_add(&engine->targets, pid);
	recording_want(engine);
	return true;
}

bool engine_is_finished(const struct engine *engine)
{
	if (engine->targets.kind == TARGET_PIDS_ALL || !engine->snapshot || engine->is_replay)
		return source_is_finished(engine->source);
	for (size_t i = 0; i < engine->snapshot->task_count; i++) {
		const struct snapshot_task *task = &engine->snapshot->tasks[i];

		if (!task->is_exited && !task->is_held)
			return false;
	}
	return true;
}

int engine_exit_status(const struct engine *engine, const struct error *error)
{
	if (error->code != ERROR_NONE)
		return error_exit_status(error);
	if (engine->child.exit_status != 0)
		return engine->child.exit_status;
	return engine->recording_failed ? 1 : 0;
}
