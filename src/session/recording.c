/*
 * A recording that begins amid a session first gets what the model knows by then: which tasks there
 * are, which run and which wait since when, and the readings from which counters go on being
 * counted. A replay of it counts from there what the session counts.
 */
#include "session/recording.h"

#include "base/error.h"
#include "model/model.h"
#include "source/source.h"

#include "perfdata/recorder.h"
#include "session/engine_parts.h"

struct record recording_settled(const struct engine *engine)
{
	return (struct record){
		.kind = RECORD_SETTLED,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = engine->source->settled_ns,
	};
}

void engine_feed(struct engine *engine, const struct record *record)
{
	model_feed(engine->model, record);
	if (engine->recorder)
		recorder_take(engine->recorder, record);
}

void recording_round(struct engine *engine)
{
	if (engine->recorder)
		recorder_round(engine->recorder);
}

static struct recording_interval tick_of(const struct engine *engine)
{
	const struct session *session = &engine->source->session;

	return (struct recording_interval){
		.time_ns = engine->source->tick_ns,
		.wall_offset_ns = session->wall_offset_ns,
		.is_partial = session->is_partial,
	};
}

void recording_start(struct engine *engine)
{
	struct recording_interval tick = tick_of(engine);

	if (!engine->recorder)
		return;
	tick.is_start = true;
	recorder_tick(engine->recorder, &tick);
	recorder_round(engine->recorder);
}

void recording_tick(struct engine *engine, const struct own_usage *own)
{
	struct recording_interval tick = tick_of(engine);

	if (!engine->recorder)
		return;
	tick.own_cpu_ns = own->cpu_ns;
	tick.own_rss_bytes = own->rss_bytes;
	tick.own_descriptors = (uint32_t)own->descriptors;
	recorder_tick(engine->recorder, &tick);
	recorder_change(engine->recorder, engine->source);
	recorder_round(engine->recorder);
}

void recording_change(struct engine *engine)
{
	if (engine->recorder)
		recorder_change(engine->recorder, engine->source);
}

void recording_want(struct engine *engine)
{
	if (engine->recorder)
		recorder_set_targets(engine->recorder, &engine->targets);
}

bool engine_stop_recording(struct engine *engine, struct error *error)
{
	struct recorder *recorder = engine->recorder;

	engine->recorder = NULL;
	if (recorder_finish(recorder, error))
		return true;
	engine->recording_failed = true;
	return false;
}

bool engine_recording_has_failed(struct engine *engine, struct error *error)
{
	const struct error *failure = engine->recorder ? recorder_failure(engine->recorder) : NULL;

	if (!failure)
		return false;
	*error = *failure;
	engine->recording_failed = true;
	engine_stop_recording(engine, NULL);
	return true;
}
