/*
 * Cgroups that are counted alone while the engine runs, and the whole machine again: the source of
 * the ones is opened and begun beside that of the others, which has the same events in the same
 * groups, and then takes its place. The model begins anew, since its tasks are other ones.
 */
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "source/source.h"

#include "session/engine_parts.h"
#include "session/options.h"

bool engine_may_count_cgroups(const struct engine *engine)
{
	return engine->is_running && !engine->is_replay && engine->counts_cpus &&
	       engine->targets.kind == TARGET_PIDS_ALL && !engine->options->cgroup;
}

/* What was asked of the source and the model before is unknown to those that follow. */
static void forget_asked(struct engine *engine)
{
	engine->needs_cgroups = engine->needs_states = engine->events.sites = false;
	engine->needs_samples = 0;
	engine->share = 1;
	engine->shed = (struct shed){0};
	engine->model_shed = MODEL_SHED_NOTHING;
	engine->model_settled_ns = 0;
	engine->tasks_most = engine->refreshed = engine->pending_pid_count = 0;
	cgroups_forget(&engine->cgroups);
}

static void renew_model(struct engine *engine)
{
	struct model *before = engine->model;

	forget_asked(engine);
	engine->snapshot = engine->whole = NULL;
	engine->model = model_create(&engine->source->layout);
	model_continue_ids(engine->model, before);
	model_destroy(before);
	engine->layout_changes = engine->source->layout_changes;
	engine_note_session(engine);
	engine_bind_metrics(engine);
	engine_begin_model(engine);
	engine_keep_history(engine, engine->history);
	engine_tick(engine);
}

/* False: it is the same source. */
static bool replace_source(struct engine *engine, struct error *error)
{
	struct source *before = engine->source;
	bool is_open;

	engine->replaced = before;
	engine->source = NULL;
	is_open = engine_open_source(engine, error) && source_begin(engine->source, error);
	engine->replaced = NULL;
	if (is_open)
		return true;
	source_destroy(engine->source);
	engine->source = before;
	engine->counts_cpus = true;
	engine->others.is_on = false;
	return false;
}

bool engine_count_cgroups(struct engine *engine, const char *paths, struct error *error)
{
	struct source *source = engine->source;
	struct counted_cgroups cgroups = engine->counted_cgroups;

	if (engine->recordings.are_on)
		return error_set(error, ERROR_CGROUP_RECORDED, NULL, NULL);
	engine->counted_cgroups = (struct counted_cgroups){.paths = paths ? xstrdup(paths) : NULL};
	if (!replace_source(engine, error)) {
		counted_cgroups_fini(&engine->counted_cgroups);
		engine->counted_cgroups = cgroups;
		return false;
	}
	engine->source->session.has_accesses = source->session.has_accesses;
	source_destroy(source);
	counted_cgroups_fini(&cgroups);
	renew_model(engine);
	return true;
}

const char *engine_counted_cgroups(const struct engine *engine)
{
	return engine->counted_cgroups.paths;
}
