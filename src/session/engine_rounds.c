/*
 * The round of an engine: what the source reports is fed to the model, questions of the model about
 * tasks are answered from /proc, and at the tick the interval is closed. A replay goes through the
 * same doors at a pace of its own (replaying.c).
 */
#include <unistd.h>

#include "kernel/counter_users.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/model.h"
#include "model/session.h"
#include "source/source.h"

#include "session/engine_parts.h"
#include "session/options.h"
#include "session/procinfo.h"
#include "session/recording.h"
#include "session/replaying.h"

enum {
	COUNTER_USERS_MAX = 180 /* bytes of their names */
};

static const uint64_t COUNTER_USERS_NS = UINT64_C(10) * 1000 * 1000 * 1000; /* between two looks */

/* Where we are kept from running we must come first. */
static void see_to_running(struct engine *engine)
{
	struct urgency *urgency = &engine->urgency;
	uint64_t waited_ns;

	if (urgency->is_urgent || urgency->is_refused ||
	    !proc_read_run_delay(getpid(), getpid(), &waited_ns))
		return;
	if (urgency_is_due(urgency, waited_ns))
		urgency_raise(urgency);
}

/* A task with priority must not need much. */
static void see_to_others(struct engine *engine, uint64_t cpu_ns)
{
	struct urgency *urgency = &engine->urgency;

	if (urgency->is_urgent && urgency_is_too_much(urgency, sys_now_ns(), cpu_ns))
		urgency->is_urgent = sys_be_fair() != 0;
}

/* Records before the first interval only list the tasks there are: none is born by them. */
static void follow_birth(struct engine *engine, const struct record *record)
{
	if (!engine->is_running)
		return;
	if (engine->is_replay)
		replaying_follow_targets(engine);
	target_pids_follow(&engine->targets, record);
}

static enum model_shed model_shed_of(enum shed_level level)
{
	switch (level) {
	case SHED_NOTHING:
	case SHED_LINES:
		break;
	case SHED_HISTORY:
		return MODEL_SHED_HISTORY;
	case SHED_DETAIL:
		return MODEL_SHED_DETAIL;
	}
	return MODEL_SHED_NOTHING;
}

static void pass_shed(struct engine *engine)
{
	const enum model_shed shed = model_shed_of(engine->shed.level);
	const struct record record = {
		.kind = RECORD_SHED,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = engine->source->settled_ns,
		.shed = (uint8_t)shed,
	};

	if (shed == engine->model_shed)
		return;
	engine->model_shed = shed;
	engine_feed(engine, &record);
}

/*
 * Records too late for the history are put where that ends by now, so a recording must know where
 * that was.
 */
static void settle(struct engine *engine)
{
	const struct record record = recording_settled(engine);

	if (record.time_ns == engine->model_settled_ns)
		return;
	engine->model_settled_ns = record.time_ns;
	engine_feed(engine, &record);
}

/* A round of records; if they outpace us, some are left out in the next one. */
void engine_feed_all(struct engine *engine)
{
	struct record record;
	bool has_lost = false;

	while (source_next(engine->source, &record)) {
		has_lost = has_lost || (record.kind == RECORD_LOST && record.lost > 0);
		if (engine->is_replay && !replaying_has_room(engine, NULL))
			continue;
		if (record.kind == RECORD_FORK)
			follow_birth(engine, &record);
		engine_feed(engine, &record);
	}
	/* of a recording it is what was settled, and left out, then */
	if (engine->is_replay) {
		model_settle(engine->model, engine->source->settled_ns);
		return;
	}
	settle(engine);
	shed_round(&engine->shed, engine->source->backlog, has_lost);
	pass_shed(engine);
}

void engine_introduce(struct engine *engine, int32_t pid)
{
	if (engine->is_replay)
		return; /* the recording says which tasks were there */
	procinfo_introduce(engine, pid);
}

void engine_drain(struct engine *engine)
{
	if (engine->is_replay) {
		/* a file waits until it is its turn */
		if (source_poll_fd(engine->source) >= 0)
			replaying_drain(engine);
		return;
	}
	see_to_running(engine);
	source_drain(engine->source);
	engine_feed_all(engine);
	procinfo_answer(engine);
	procinfo_introduce_some(engine);
	recording_round(engine);
}

/* What is in the scope, of the model's snapshot. */
void engine_take_snapshot(struct engine *engine)
{
	engine->snapshot = engine->whole;
	if (!engine->whole)
		return;
	if (engine->others.is_on)
		engine->snapshot = others_add(&engine->others, engine->whole);
	if (engine->targets.kind == TARGET_PIDS_ALL)
		return;
	snapshot_restrict(&engine->part, engine->whole, engine_wants, engine, &engine->part_tasks,
			  &engine->part_capacity);
	engine->snapshot = &engine->part;
}

static bool is_contended(const struct engine *engine)
{
	const struct layout *layout = engine->whole->layout;

	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed && layout->events[i].is_contended)
			return true;
	return false;
}

/* Where counters are shared, looks for their other users now and then. */
static void name_counter_users(struct engine *engine)
{
	const uint64_t now_ns = sys_now_ns();
	char *words = engine->source->session.others;

	if (!is_contended(engine) ||
	    (engine->counter_users_ns != 0 && now_ns - engine->counter_users_ns < COUNTER_USERS_NS))
		return;
	engine->counter_users_ns = now_ns;
	counter_users_find("", (int32_t)getpid(), words, COUNTER_USERS_MAX);
}

static void tick_live(struct engine *engine)
{
	struct session *session = &engine->source->session;
	uint64_t cpu_ns = proc_own_cpu_ns();
	struct own_usage own = {
		.cpu_ns = cpu_ns - engine->own_cpu_ns,
		.rss_bytes = proc_own_rss_bytes(),
		.descriptors = proc_own_descriptors(),
		.is_urgent = engine->urgency.is_urgent,
	};

	see_to_running(engine);
	see_to_others(engine, cpu_ns);
	engine->own_cpu_ns = cpu_ns;
	source_tick(engine->source);
	/* CPUs may have come that are not watched, or gone */
	model_note_partial(engine->model, engine->source->session.is_partial);
	/* the wall clock may have been set, or have gone on while the machine slept */
	session->wall_offset_ns =
		session_wall_offset(session->wall_offset_ns, sys_wall_ns() - (int64_t)sys_now_ns());
	engine_feed_all(engine);
	procinfo_answer(engine);
	procinfo_feed_run_delays(engine);
	others_look(engine);
	if (engine->whole)
		procinfo_refresh(engine, engine->whole);
	model_note_own(engine->model, &own);
	model_note_others(engine->model, session->others);
	engine->whole = model_close_interval(engine->model, engine->source->tick_ns);
	name_counter_users(engine);
	recording_tick(engine, &own);
	if (engine->whole->lost_records > 0)
		procinfo_find_the_dead(engine, engine->whole);
	shed_tick(&engine->shed);
	engine_take_snapshot(engine);
	if (engine->targets.kind != TARGET_PIDS_ALL && !engine->result.is_complete)
		result_add(&engine->result, engine->snapshot);
}

void engine_tick(struct engine *engine)
{
	if (engine->is_replay)
		replaying_tick(engine);
	else
		tick_live(engine);
}

void engine_keep_history(struct engine *engine, size_t capacity)
{
	engine->history = capacity;
	model_keep_history(engine->model, capacity);
	model_name_idle(engine->model, session_idle_name(engine_session(engine)));
}
