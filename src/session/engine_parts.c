/* What an engine is made of, for those who see only its door. */
#include "session/engine_parts.h"

#include "model/model.h"
#include "source/source.h"

bool engine_wants(int32_t pid, const void *context)
{
	const struct engine *engine = context;

	return target_pids_has(&engine->targets, pid);
}

const struct history *engine_history(const struct engine *engine)
{
	return model_history(engine->model);
}

const struct session *engine_session(const struct engine *engine)
{
	return &engine->source->session;
}

struct resolver *engine_resolver(struct engine *engine)
{
	return &engine->resolver;
}

struct startup_selection *engine_selection(struct engine *engine)
{
	return &engine->selection;
}

struct child *engine_child(struct engine *engine)
{
	return &engine->child;
}

const struct snapshot *engine_snapshot(const struct engine *engine)
{
	return engine->snapshot;
}

const struct metrics *engine_metrics(const struct engine *engine)
{
	return engine->metrics;
}

struct metric_set *engine_metric_set(const struct engine *engine)
{
	return engine->metric_set;
}

const struct event_set *engine_events(const struct engine *engine)
{
	return &engine->events;
}

struct event_finder *engine_finder(const struct engine *engine)
{
	return engine->finder;
}

const struct host *engine_host(const struct engine *engine)
{
	return &engine->host;
}

const struct layout *engine_layout(const struct engine *engine)
{
	return &engine->source->layout;
}

struct source *engine_source(const struct engine *engine)
{
	return engine->source;
}

struct model *engine_model(const struct engine *engine)
{
	return engine->model;
}

const struct target_pids *engine_targets(const struct engine *engine)
{
	return &engine->targets;
}

const struct recorder *engine_recorder(const struct engine *engine)
{
	return engine->recorder;
}

enum shed_level engine_shed_level(const struct engine *engine)
{
	return engine->shed.level;
}
