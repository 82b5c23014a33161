/*
 * The engine: it is opened as the options ask for, begins to count, and records. In a round what
 * the source reports is fed to the model, questions of the model about tasks are answered from
 * /proc, and at the tick the interval is closed. A replay goes through the same doors at a pace of
 * its own (replaying.c).
 */
#include "session/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/seldom.h"
#include "kernel/counter_users.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "model/session.h"
#include "source/source.h"
#include "view/column.h"
#include "view/names.h"
#include "view/table.h"

#include "perfdata/recorder.h"
#include "session/budget.h"
#include "session/engine_parts.h"
#include "session/fitting.h"
#include "session/options.h"

/* --- recordings: everything fed to the model goes there as well, if one is made */

struct record engine_task_record(enum record_kind kind, int32_t pid, int32_t tid, uint64_t time_ns)
{
	return (struct record){
		.kind = kind, .cpu = RECORD_CPU_NONE, .pid = pid, .tid = tid, .time_ns = time_ns};
}

/* One about none at what is settled by now: the end of the history, or what is left out. */
static struct record settled_record(const struct engine *engine, enum record_kind kind)
{
	return engine_task_record(kind, RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN,
				  engine->source->settled_ns);
}

/* A recording has the addresses, those of a stack too, and where they were; the model is given
 * functions. */
static void feed_sampled(struct engine *engine, const struct record *record)
{
	const struct session *session = &engine->source->session;
	struct functions *functions = &engine->functions;
	struct record sample;

	if (record->kind == RECORD_MAPPING) {
		functions_map(functions, record);
		return;
	}
	sample = functions_resolve(functions, record);
	if (session->sampling_event[0] != '\0')
		sample.sample.by = hash_text(1, session->sampling_event);
	model_feed(engine->model, &sample);
}

/* Its stack is unwound first, and kept nowhere. */
static SELDOM void feed_sample_or_mapping(struct engine *engine, const struct record *record)
{
	struct record unwound;

	if (record->kind == RECORD_SAMPLE && record->sample.stack) {
		unwound = *record;
		unwound.sample.stack = NULL;
		if (engine_wants(record->pid, engine))
			unwound = functions_unwind(&engine->functions, record);
		record = &unwound;
	}
	feed_sampled(engine, record);
	if (engine->recordings.are_on)
		recordings_take(engine, record);
}

void engine_feed(struct engine *engine, const struct record *record)
{
	if (record->kind == RECORD_SAMPLE || record->kind == RECORD_MAPPING) {
		feed_sample_or_mapping(engine, record);
		return;
	}
	model_feed(engine->model, record);
	if (engine->recordings.are_on)
		recordings_take(engine, record);
}

void engine_note_session(struct engine *engine)
{
	const struct session *session = &engine->source->session;

	model_note_session(engine->model, session);
	if (engine->is_replay && engine->has_states && !session->has_states) {
		engine_divide_life(engine, false); /* what was known then is no more */
		engine_divide_life(engine, true);
	}
	engine->has_states = session->has_states;
	if (engine->is_replay && !engine->options->batch) /* of intervals past, too */
		model_measure_parallelism(engine->model, true, &engine->latency_scope);
	if (session_smt_reason(session)[0] == '\0')
		model_note_topology(engine->model, session->topology);
}

/* --- rounds */

enum {
	COUNTER_USERS_MAX = 180, /* bytes of their names */
	TASKS_GONE = 1000        /* so many are worth to give back what they had */
};

static const uint64_t COUNTER_USERS_NS = UINT64_C(10) * 1000 * 1000 * 1000; /* between two looks */

/* Records before the first interval only list the tasks there are: none is born by them. */
static void follow_target_birth(struct engine *engine, const struct record *record)
{
	if (!engine->is_running)
		return;
	if (engine->is_replay)
		replaying_follow_targets(engine);
	target_pids_follow(&engine->targets, record);
}

static void pass_shed(struct engine *engine)
{
	static const enum model_shed of_level[] = {
		[SHED_NOTHING] = MODEL_SHED_NOTHING,
		[SHED_LINES] = MODEL_SHED_NOTHING,
		[SHED_HISTORY] = MODEL_SHED_HISTORY,
		[SHED_DETAIL] = MODEL_SHED_DETAIL,
	};
	const enum model_shed shed = of_level[engine->shed.level];
	struct record record = settled_record(engine, RECORD_SHED);

	if (shed == engine->model_shed)
		return;
	engine->model_shed = shed;
	record.shed = (uint8_t)shed;
	engine_feed(engine, &record);
}

/*
 * Records too late for the history are put where that ends by now, so a recording must know where
 * that was.
 */
static void settle_model(struct engine *engine)
{
	const struct record record = settled_record(engine, RECORD_SETTLED);

	if (record.time_ns == engine->model_settled_ns)
		return;
	engine->model_settled_ns = record.time_ns;
	engine_feed(engine, &record);
}

/* It was recorded while the states of threads were shown. */
static bool says_states(enum record_kind kind)
{
	return kind == RECORD_SITE || kind == RECORD_SLEEP || kind == RECORD_CPU_USE ||
	       kind == RECORD_INTERRUPT;
}

/* A record that is no switch, before the model has it. */
static SELDOM void note_record(struct engine *engine, const struct record *record, bool *has_lost)
{
	if (record->kind == RECORD_LOST)
		*has_lost = *has_lost || record->lost > 0;
	else if (record->kind == RECORD_FORK)
		follow_target_birth(engine, record);
	else if (engine->is_replay && !engine->needs_states && says_states(record->kind))
		engine_divide_life(engine, true); /* of intervals past, too */
}

/* A round of records; if they outpace us, some are left out in the next one. */
void engine_feed_all(struct engine *engine)
{
	struct record record;
	bool has_lost = false;

	while (source_next(engine->source, &record)) {
		if (engine->is_replay && !replaying_has_room(engine, NULL))
			continue;
		if (record.kind != RECORD_SWITCH)
			note_record(engine, &record, &has_lost);
		engine_feed(engine, &record);
	}
	/* of a recording it is what was settled, and left out, then */
	if (engine->is_replay) {
		model_settle(engine->model, engine->source->settled_ns);
		return;
	}
	settle_model(engine);
	shed_round(&engine->shed, engine->source->backlog, has_lost);
	pass_shed(engine);
}

void engine_drain(struct engine *engine)
{
	if (engine->is_replay) {
		/* a file waits until it is its turn */
		if (engine->source->poll_fd >= 0)
			replaying_drain(engine);
		return;
	}
	urgency_look(&engine->urgency, engine->interval_ns);
	source_drain(engine->source);
	engine_feed_all(engine);
	functions_work(&engine->functions);
	procinfo_answer(engine);
	procinfo_introduce_some(engine);
	procinfo_look_at_sleepers(engine);
	stalls_round(engine);
	if (engine->recordings.are_on)
		recordings_round(engine);
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
	snapshot_restrict(&engine->part, engine->whole, engine_wants, engine);
	engine->snapshot = &engine->part.snapshot;
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

	if (!is_contended(engine) || own_is_limited(&engine->whole->own) ||
	    (engine->counter_users_ns != 0 && now_ns - engine->counter_users_ns < COUNTER_USERS_NS))
		return;
	engine->counter_users_ns = now_ns;
	counter_users_find("", (int32_t)getpid(), words, COUNTER_USERS_MAX);
}

/* The source counts in other groups from here on, since others took its counters. */
static void follow_source(struct engine *engine)
{
	if (engine->source->layout_changes == engine->layout_changes)
		return;
	engine->layout_changes = engine->source->layout_changes;
	model_change_layout(engine->model, &engine->source->layout);
	recordings_change(engine);
	engine_bind_metrics(engine);
}

/* The many small pieces that the tasks of a storm had. */
static void give_back_memory(struct engine *engine)
{
	const size_t count = engine->whole->task_count;

	if (count >= engine->tasks_most) {
		engine->tasks_most = count;
	} else if (engine->tasks_most - count >= TASKS_GONE && count < engine->tasks_most / 2) {
		engine->tasks_most = count;
		memory_trim();
	}
}

/* For how much of the next interval hardware events are counted. */
static void keep_budget(struct engine *engine)
{
	const struct snapshot *snapshot = engine->whole;
	const struct budget_interval interval = {
		.own = &snapshot->own,
		.machine_ns = snapshot->interval_ns * snapshot->cpu_count,
		.turn_ns = engine->source->turn_ns,
		.share = engine->source->counting_share,
	};
	const double share =
		engine->budget_pct > 0 ? budget_share(engine->budget_pct, &interval) : 1;

	if (engine->budget_pct == 0 && engine->share >= 1)
		return;
	engine->share = share;
	source_limit(engine->source, share);
}

void engine_end_interval(struct engine *engine)
{
	struct session *session = &engine->source->session;
	uint64_t cpu_ns = proc_own_cpu_ns();
	struct own_usage own = {
		.cpu_ns = cpu_ns - engine->own_cpu_ns,
		.rss_bytes = proc_own_rss_bytes(),
		.descriptors = proc_own_descriptors(),
		.is_urgent = engine->urgency.is_urgent,
	};

	urgency_look(&engine->urgency, engine->interval_ns);
	urgency_look_whether_over(&engine->urgency, cpu_ns);
	engine->own_cpu_ns = cpu_ns;
	model_note_off_cpu(engine->model, &session->off_cpu);
	counted_cgroups_look(&engine->counted_cgroups, session->scope_words,
			     sizeof(session->scope_words));
	source_tick(engine->source);
	task_counts_read(&engine->task_counts);
	own.switch_ns = engine->source->switch_ns;
	own.samples_ns = engine->source->samples_ns;
	own.cpu_ns += functions_take_cpu_ns(&engine->functions);
	own.rss_bytes += functions_bytes(&engine->functions);
	if (engine->budget_pct > 0) {
		own.budget_mpct = (uint32_t)lround(engine->budget_pct * OWN_MPCT);
		own.counting_mpct = (uint32_t)lround(engine->source->counting_share * OWN_ALL_MPCT);
	}
	/* CPUs may have come that are not watched, or gone */
	engine_note_session(engine);
	/* the wall clock may have been set, or have gone on while the machine slept */
	session->wall_offset_ns =
		session_wall_offset(session->wall_offset_ns, sys_wall_ns() - (int64_t)sys_now_ns());
	engine_feed_all(engine);
	procinfo_answer(engine);
	procinfo_feed_run_delays(engine);
	procinfo_feed_cpu_use(engine, false);
	others_look(engine);
	if (engine->whole)
		procinfo_refresh(engine, engine->whole);
	stalls_tick(engine);
	model_note_own(engine->model, &own);
	model_note_others(engine->model, session->others);
	engine->whole = model_close_interval(engine->model, engine->source->tick_ns);
	functions_work(&engine->functions);
	session->names_pending = functions_pending(&engine->functions);
	session->not_unwound = functions_not_unwound(&engine->functions);
	functions_tidy(&engine->functions, engine->whole);
	give_back_memory(engine);
	name_counter_users(engine);
	recordings_tick(engine, &own);
	keep_budget(engine);
	follow_source(engine);
	shed_tick(&engine->shed);
	cgroups_close(&engine->cgroups);
	engine_take_snapshot(engine);
	if (engine->targets.kind != TARGET_PIDS_ALL && !engine->result.is_complete)
		result_add(&engine->result, engine->snapshot);
}

void engine_begin_interval(struct engine *engine)
{
	const struct session *session = &engine->source->session;

	stalls_follow(engine);
	recordings_turn(engine);
	if (engine->whole->lost_records > 0 || session->is_partial || session->clock_stops)
		procinfo_find_ended(engine, engine->whole);
	procinfo_look_at_sleepers(engine);
}

void engine_note_wait(struct engine *engine, uint64_t since_ns)
{
	struct record record = engine_task_record(RECORD_SLEEP, getpid(), getpid(), sys_now_ns());

	if (!engine->needs_states || engine->is_replay)
		return;
	record.sleep.kind = SLEEP_NET;
	record.sleep.is_of_call = true;
	record.sleep.until_ns = since_ns;
	engine_feed(engine, &record);
}

void engine_tick(struct engine *engine)
{
	if (engine->is_replay) {
		replaying_tick(engine);
		return;
	}
	engine_end_interval(engine);
	engine_begin_interval(engine);
}

void engine_keep_history(struct engine *engine, size_t capacity)
{
	engine->history = capacity;
	model_keep_history(engine->model, capacity);
	model_name_idle(engine->model, session_idle_name(engine_session(engine)));
}

/* --- from the beginning to the end */

struct engine *engine_create(const struct options *options)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	engine->options = options;
	engine->share = 1;
	engine_set_budget(engine, options->budget_pct);
	engine_set_interval(engine, options->delay_s);
	engine->child.start_fd = engine->child.result_fd = -1;
	engine->users = users_create();
	engine->waits = xcalloc(1, sizeof(*engine->waits));
	engine->functions.is_live = !options->input;
	engine->function_names = (struct function_names){
		.find = functions_name,
		.line = functions_line,
		.list = functions_list,
		.lacks_map = functions_lacks_map,
		.object = functions_object,
		.variable = functions_variable,
		.context = &engine->functions,
	};
	return engine;
}

static bool open_live(struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;

	if (options->command &&
	    !child_prepare(&engine->child, options->command, !options->batch, error))
		return false;
	if (options->realtime) {
		engine->urgency.is_wanted = true;
		urgency_raise(&engine->urgency, sys_now_ns());
	}
	urgency_look(&engine->urgency, engine->interval_ns);
	host_raise_fd_limit();
	host_read(&engine->host, "");
	attr_probe_features(&engine->features);
	fit_to_machine(engine->metric_set, engine->finder, &engine->features);
	if (!engine_add_option_events(engine, error) || !engine_open_source(engine, error))
		return false;
	engine->source->session.has_accesses =
		event_find_accesses(engine->finder, &engine->accesses, NULL);
	return true;
}

bool engine_open(struct engine *engine, struct error *error)
{
	engine->finder = event_finder_create("");
	engine->metric_set = metric_set_create();
	if (engine->options->input ? !replaying_open(engine, error) : !open_live(engine, error))
		return false;
	engine->model = model_create(&engine->source->layout);
	engine_note_session(engine);
	engine_bind_metrics(engine);
	return true;
}

void engine_destroy(struct engine *engine)
{
	recordings_fini(engine);
	resolver_fini(&engine->resolver);
	metrics_destroy(engine->metrics);
	model_destroy(engine->model);
	source_destroy(engine->source);
	counted_cgroups_fini(&engine->counted_cgroups);
	event_set_fini(&engine->events);
	metric_set_destroy(engine->metric_set);
	event_set_fini(&engine->by);
	event_set_fini(&engine->accesses);
	event_finder_destroy(engine->finder);
	users_destroy(engine->users);
	proc_waits_fini(engine->waits);
	free(engine->waits);
	target_pids_fini(&engine->targets);
	target_pids_fini(&engine->sampled);
	result_fini(&engine->result);
	others_fini(&engine->others);
	cgroups_forget(&engine->cgroups);
	map_fini(&engine->unseen);
	snapshot_part_fini(&engine->part);
	task_counts_fini(&engine->task_counts);
	free(engine->pending_pids);
	host_fini(&engine->host);
	functions_fini(&engine->functions);
	free(engine);
}

bool engine_record(struct engine *engine, const char *path, int compression, char *const *arguments,
		   struct error *error)
{
	const struct recorder *recorder = engine_recorder(engine);

	if (recorder)
		return error_set(error, ERROR_RECORD_BUSY, recorder_path(recorder), NULL);
	if (engine->is_running)
		engine_tick(engine);
	return recordings_begin(engine, path, compression, arguments, error);
}

/* Of what was asked for by the options, before it goes on. */
static void count_task(struct engine *engine, int32_t pid)
{
	const bool with_children = engine->targets.kind == TARGET_PIDS_TREE;

	task_counts_add(&engine->task_counts, &engine->events, &engine->features, pid,
			with_children);
}

static void count_tasks(struct engine *engine)
{
	if (engine->targets.kind == TARGET_PIDS_ALL)
		return;
	for (const struct map_slot *each = NULL; (each = map_next(&engine->targets.pids, each));)
		count_task(engine, (int32_t)each->key);
}

void engine_begin_model(struct engine *engine)
{
	source_tick(engine->source);
	engine_feed_all(engine);
	procinfo_answer(engine);
	procinfo_introduce_targets(engine);
	others_look(engine);
	stalls_begin(engine);
	count_tasks(engine);
	model_start(engine->model, engine->source->tick_ns);
	recordings_tick(engine, NULL);
	follow_source(engine);
	engine->is_running = true;
	recordings_turn(engine);
	engine->own_cpu_ns = proc_own_cpu_ns();
}

/* The first interval begins. */
static bool begin_engine(struct engine *engine, struct error *error)
{
	if (!source_begin(engine->source, error))
		return false;
	if (engine->is_replay)
		replaying_start(engine);
	else
		engine_begin_model(engine);
	return true;
}

bool engine_start(struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;

	if (options->keep_s > 0 && !recordings_keep_past(engine, options->keep_s, error))
		return false;
	if (options->record && !engine_record(engine, options->record, options->compression,
					      options->arguments, error))
		return false;
	if (engine->recordings.are_on)
		procinfo_feed_cpu_use(engine, true); /* it was fed before there was a recording */
	if (!begin_engine(engine, error))
		return false;
	if (!options->batch || options->view->needs_history)
		engine_keep_history(engine, (size_t)options->history);
	return !options->command || child_start(&engine->child, options->command[0], error);
}

void engine_complete_result(struct engine *engine)
{
	engine->result.is_complete = true;
}

void engine_write_result(struct engine *engine, const char *begin, struct strbuf *out)
{
	if (engine->is_replay || !engine->result.counts)
		return;

	const struct result_words words = {
		.layout = engine->snapshot->layout,
		.metrics = engine_metrics(engine),
		.name = engine->source->session.scope_words,
		.child = engine->child.pid > 0 ? &engine->child : NULL,
		.task_counts = &engine->task_counts,
		.begin = begin,
		.lacks_tasks = engine->source->session.lacks_tasks,
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
	if (is_new)
		source_report_cgroups(engine->source);
	if (is_new && engine->is_running && !engine->is_replay && engine->whole)
		procinfo_refresh(engine, engine->whole);
}

void engine_need_stalls(struct engine *engine, bool needs, int32_t pid)
{
	struct cgroups *cgroups = &engine->cgroups;
	const bool is_new = (needs && !cgroups->is_wanted) || pid != cgroups->wanted_pid;

	cgroups->is_wanted = needs;
	cgroups->wanted_pid = pid;
	if (!is_new || !engine->is_running || engine->is_replay)
		return;
	if (pid > 0)
		procinfo_ask(engine, pid);
	stalls_follow(engine);
}

/* Whether the processes sampled off the CPU were these already. */
static bool takes_sampled(struct engine *engine, const struct engine_samples *wanted)
{
	struct target_pids *sampled = &engine->sampled;
	bool are_same = sampled->pids.count == wanted->pid_count;

	for (size_t i = 0; i < wanted->pid_count && are_same; i++)
		are_same = map_get(&sampled->pids, (uint64_t)wanted->pids[i]);
	if (are_same)
		return true;
	target_pids_fini(sampled);
	sampled->kind = wanted->pid_count > 0 ? TARGET_PIDS_LIST : TARGET_PIDS_ALL;
	for (size_t i = 0; i < wanted->pid_count; i++)
		target_pids_add(sampled, wanted->pids[i]);
	return false;
}

/* NULL: of the whole machine, as where a command's children may be born and end between two looks
 * at which threads there are. */
static const struct target_pids *off_cpu_of(const struct engine *engine)
{
	if (engine->sampled.kind != TARGET_PIDS_ALL)
		return &engine->sampled;
	/* of tasks that are counted by themselves there are no others */
	return engine->counts_cpus && engine->targets.kind == TARGET_PIDS_LIST ? &engine->targets
									       : NULL;
}

bool engine_sample_by(struct engine *engine, const char *event, size_t *position,
		      struct error *error)
{
	struct event_set by = {0};
	bool is_one = true;

	if (engine->is_replay)
		return error_set(error, ERROR_REPLAY_BY, NULL, NULL);
	if (event[0] != '\0')
		is_one = event_find(engine->finder, event, &by, position, error);
	if (by.count > 1)
		is_one = error_set(error, ERROR_BY_NOT_ONE, event, NULL);
	if (!is_one) {
		event_set_fini(&by);
		return false;
	}
	event_set_fini(&engine->by);
	engine->by = by;
	engine->by_is_new = true;
	return true;
}

const char *engine_sampled_by(const struct engine *engine)
{
	return engine->by.count > 0 ? engine->by.evsels[0].name : "";
}

/* As the event has it that says which memory is accessed. False: there is none. */
static bool sample_accesses(struct engine *engine, struct source_samples *samples,
			    struct error *error)
{
	const struct event_set *accesses = &engine->accesses;
	struct error refusal = {0};

	if (accesses->count == 0) {
		event_find_accesses(engine->finder, &engine->accesses, &refusal);
		source_sample(engine->source, samples, NULL);
		snprintf(engine->source->session.sampling_words,
			 sizeof(engine->source->session.sampling_words), "no samples: %.400s",
			 refusal.text);
		if (error)
			*error = refusal;
		return false;
	}
	samples->is_on = samples->are_accesses = true;
	samples->by = &accesses->evsels[accesses->count - 1];
	samples->accesses_leader = accesses->count > 1 ? &accesses->evsels[0] : NULL;
	return true;
}

bool engine_need_samples(struct engine *engine, const struct engine_samples *wanted,
			 bool *ends_interval, struct error *error)
{
	const unsigned int needs =
		wanted->needs & (COLUMN_NEEDS_SAMPLES | COLUMN_NEEDS_OFF_CPU | COLUMN_NEEDS_WAKERS |
				 COLUMN_NEEDS_BRANCHES | COLUMN_NEEDS_ACCESSES);
	const bool are_same = takes_sampled(engine, wanted);
	struct source_samples samples;
	bool is_sampled;

	*ends_interval = false;
	if (are_same && needs == engine->needs_samples &&
	    wanted->by_lbr == engine->samples_by_lbr &&
	    wanted->stack_bytes == engine->samples_stack_bytes && !engine->by_is_new)
		return true;
	engine->by_is_new = false;
	engine->needs_samples = needs;
	engine->samples_by_lbr = wanted->by_lbr;
	engine->samples_stack_bytes = wanted->stack_bytes;
	samples = (struct source_samples){
		.is_on = needs & COLUMN_NEEDS_SAMPLES,
		.by = engine->by.count > 0 ? &engine->by.evsels[0] : NULL,
		.has_off_cpu = needs & COLUMN_NEEDS_OFF_CPU,
		.off_cpu_of = off_cpu_of(engine),
		.has_branches = needs & COLUMN_NEEDS_BRANCHES,
		.by_lbr = wanted->by_lbr,
		.stack_bytes = wanted->stack_bytes,
		.has_wakers = needs & COLUMN_NEEDS_WAKERS,
	};
	if (needs & COLUMN_NEEDS_ACCESSES && !samples.is_on && !engine->is_replay &&
	    !sample_accesses(engine, &samples, error))
		return false;
	*ends_interval = engine->recordings.are_on && engine->is_running;
	if (*ends_interval)
		engine_end_interval(engine);
	is_sampled = source_sample(engine->source, &samples, error);
	engine->source->session.off_cpu.pid = wanted->pid_count == 1 ? wanted->pids[0] : 0;
	recordings_change(engine);
	if (*ends_interval)
		engine_begin_interval(engine);
	return is_sampled;
}

int engine_names_fd(const struct engine *engine)
{
	return functions_fd(&engine->functions);
}

bool engine_take_names(struct engine *engine)
{
	bool has_news;

	functions_work(&engine->functions);
	engine->source->session.names_pending = functions_pending(&engine->functions);
	has_news = engine->functions.has_news;
	engine->functions.has_news = false;
	return has_news;
}

void engine_await_names(struct engine *engine)
{
	functions_finish(&engine->functions);
	engine->source->session.names_pending = functions_pending(&engine->functions);
}

bool engine_attach(struct engine *engine, int32_t pid, struct error *error)
{
	if (!source_attach(engine->source, pid, error))
		return false;
	if (engine->targets.kind == TARGET_PIDS_ALL)
		return true;
	target_pids_add(&engine->targets, pid);
	if (!engine->is_replay)
		count_task(engine, pid);
	recordings_set_targets(engine);
	return true;
}

bool engine_is_finished(const struct engine *engine)
{
	if (!engine->counts_cpus || engine->targets.kind == TARGET_PIDS_ALL || !engine->snapshot)
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
	return engine->recordings.has_failed ? 1 : 0;
}

void engine_set_budget(struct engine *engine, double pct)
{
	engine->budget_pct = pct;
}

double engine_budget(const struct engine *engine)
{
	return engine->budget_pct;
}

void engine_set_interval(struct engine *engine, double delay_s)
{
	engine->interval_ns = (uint64_t)(delay_s * 1e9);
}

bool engine_has_become_urgent(struct engine *engine, uint64_t *kept_ns)
{
	struct urgency *urgency = &engine->urgency;

	if (!urgency->is_urgent || urgency->kept_ns == 0)
		return false;
	*kept_ns = urgency->kept_ns;
	urgency->kept_ns = 0;
	return true;
}

bool engine_refuses_realtime(const struct engine *engine, struct error *error)
{
	return engine->urgency.is_wanted && engine->urgency.is_refused &&
	       !error_set(error, ERROR_REALTIME_REFUSED, NULL, NULL);
}

/* --- what it is made of */

bool engine_wants(int32_t pid, const void *context)
{
	const struct engine *engine = context;

	return target_pids_has(&engine->targets, pid);
}

bool engine_is_replay(const struct engine *engine)
{
	return engine->is_replay;
}

const struct history *engine_history(const struct engine *engine)
{
	return model_history(engine->model);
}

const struct session *engine_session(const struct engine *engine)
{
	return &engine->source->session;
}

struct child *engine_child(struct engine *engine)
{
	return &engine->child;
}

const struct snapshot *engine_snapshot(const struct engine *engine)
{
	return engine->snapshot;
}

const struct metrics *engine_metrics(struct engine *engine)
{
	if (!engine->metrics)
		engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
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

enum shed_level engine_shed_level(const struct engine *engine)
{
	return engine->shed.level;
}
