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
#include "kernel/rivals.h"
#include "kernel/sys.h"
#include "model/model.h"
#include "options.h"
#include "source/cpus.h"
#include "source/source.h"
#include "source/tasks.h"
#include "view/users.h"

#include "facts.h"
#include "recording.h"
#include "replaying.h"

enum {
	RIVALS_MAX = 180 /* bytes of their names */
};

static const uint64_t RIVALS_NS = UINT64_C(10) * 1000 * 1000 * 1000; /* between two looks */

const char *const engine_default_events[] = {
	"cycles",       "instructions",  "cache-references",
	"cache-misses", "branch-misses", "page-faults",
};
const size_t engine_default_event_count =
	sizeof(engine_default_events) / sizeof(*engine_default_events);

/* What the source is asked for. */
struct asked {
	struct event_core_pmu pmus[EVENT_PMUS_MAX];
	size_t pmu_count;
	struct wished_request events;
};

static void asked_init(struct asked *asked, struct engine *engine)
{
	const size_t count = event_core_pmus(engine->finder, asked->pmus, EVENT_PMUS_MAX);

	asked->pmu_count = count < EVENT_PMUS_MAX ? count : EVENT_PMUS_MAX;
	wished_request_init(&asked->events, &engine->wishes, engine->metric_set);
}

static struct tasks_request tasks_request_of(const struct engine *engine, const struct asked *asked,
					     enum tasks_mode mode)
{
	return (struct tasks_request){
		.host = &engine->host,
		.features = &engine->features,
		.core_pmus = asked->pmus,
		.core_pmu_count = asked->pmu_count,
		.events = &asked->events.request,
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
		.events = &asked->events.request,
	};
}

bool engine_wants(int32_t pid, const void *context)
{
	const struct engine *engine = context;

	return wanted_has(&engine->wanted, pid);
}

/*
 * Some processes out of a machine that is counted as a whole: no thread of theirs and no
 * child is too short-lived, which counters opened after a birth cannot promise. False when the
 * machine may not be counted.
 */
static bool open_part(struct engine *engine, const struct options *options,
		      const struct asked *asked, enum wanted_kind kind,
		      const struct tasks_request *request)
{
	const struct cpus_request cpus = cpus_request_of(engine, asked, options);
	struct session *session;

	engine->source = cpus_create(&cpus, NULL);
	if (engine->source == NULL)
		return false;
	engine->counts_cpus = true;
	engine->wanted.kind = kind;
	for (size_t i = 0; i < request->pid_count; i++)
		wanted_add(&engine->wanted, request->pids[i]);
	session = &engine->source->session;
	session->scope = SCOPE_TASKS;
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	return true;
}

/* A recording's threads are known when it has told of them; before that an id is taken for one. */
static bool find_recorded(const struct engine *engine, int32_t id, int32_t *pid)
{
	const struct snapshot *snapshot = engine->whole;

	*pid = id;
	for (size_t i = 0; snapshot != NULL && i < snapshot->task_count; i++) {
		if (snapshot->tasks[i].tid == id) {
			*pid = snapshot->tasks[i].pid;
			return true;
		}
	}
	return snapshot == NULL;
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
	snprintf(words, sizeof(words), "pid %s", strbuf_text(&options->pid_list));
	request.pids = pids;
	request.pid_count = options->pid_count;
	request.scope_words = words;
	if (good && !open_part(engine, options, asked, WANTED_PIDS, &request))
		engine->source = tasks_create(&request, error);
	free(pids);
	return engine->source != NULL;
}

static bool open_command(struct engine *engine, const struct options *options,
			 const struct asked *asked, int32_t pid, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, asked, TASKS_COMMAND);
	struct strbuf words = {0};

	for (char *const *word = options->command; *word != NULL; word++)
		strbuf_printf(&words, "%s%s", word == options->command ? "" : " ", *word);
	request.pids = &pid;
	request.pid_count = 1;
	request.scope_words = strbuf_text(&words);
	if (!open_part(engine, options, asked, WANTED_TREE, &request))
		engine->source = tasks_create(&request, error);
	strbuf_fini(&words);
	return engine->source != NULL;
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

static bool open_machine(struct engine *engine, const struct options *options,
			 const struct asked *asked, struct error *error)
{
	struct error refusal = {0};
	const struct cpus_request request = cpus_request_of(engine, asked, options);

	if (!check_cpus(engine, options, error))
		return false;
	engine->source = cpus_create(&request, &refusal);
	engine->counts_cpus = engine->source != NULL;
	if (engine->source != NULL)
		return true;
	if (!options->has_cpus && explain_is_denial(&refusal) &&
	    open_own_tasks(engine, options, asked, &refusal, error))
		return true;
	*error = refusal;
	return false;
}

static bool open_source(struct engine *engine, const struct options *options, int32_t command_pid,
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
	wished_request_fini(&asked.events);
	return good;
}

/* The events a metric needs that are not wished yet, until one is not known. */
struct need {
	struct engine *engine;
	struct wishes *wishes;
	struct error *error;
	char unknown[EVENT_SPEC_NAME_MAX]; /* "": none is */
};

/*
 * The formula knows the event by what stands in it. Several events, braces, blanks and name= are
 * events by other names, and it would wait for its own for ever.
 */
static bool is_one_event(struct event_finder *finder, const char *name, struct error *error)
{
	struct event_choices found = {0};
	char why[EVENT_SPEC_NAME_MAX + 32] = "a name stands for one event";
	bool good = event_find(finder, name, &found, NULL, error);

	if (good && (found.count != 1 || strcmp(found.choices[0].name, name) != 0)) {
		if (found.count == 1)
			snprintf(why, sizeof(why), "this event is called %s",
				 found.choices[0].name);
		good = error_set(error, ERROR_EVENT_NOT_ONE, name, why);
	}
	event_choices_fini(&found);
	return good;
}

/* What was meant by a name with a '-' in it may be two. */
static void hint_at_minus(struct error *error, const char *name)
{
	const size_t length = strlen(error->remedy);

	if (error->code == ERROR_EVENT_UNKNOWN && strchr(name, '-') != NULL)
		snprintf(error->remedy + length, sizeof(error->remedy) - length,
			 "; a minus needs a blank before or behind it");
}

static void need_event(const char *name, void *context)
{
	struct need *need = context;

	if (need->unknown[0] != '\0' || wishes_has(need->wishes, name))
		return;
	if (is_one_event(need->engine->finder, name, need->error) &&
	    wishes_add(need->wishes, need->engine->finder, name, NULL, NULL, NULL, need->error))
		return;
	hint_at_minus(need->error, name);
	snprintf(need->unknown, sizeof(need->unknown), "%s", name);
}

static bool wish_for_metric(struct engine *engine, struct wishes *wishes, size_t metric,
			    char unknown[static EVENT_SPEC_NAME_MAX], struct error *error)
{
	struct need need = {.engine = engine, .wishes = wishes, .error = error};

	metric_set_events(engine->metric_set, metric, need_event, &need);
	memcpy(unknown, need.unknown, sizeof(need.unknown));
	return need.unknown[0] == '\0';
}

/* A metric and the events it needs; on a fault neither is there. */
static bool wish_for_definition(struct engine *engine, struct wishes *wishes,
				const char *definition, const struct metric_info **info,
				size_t *position, struct error *error)
{
	char message[FORMULA_ERROR_MAX], unknown[EVENT_SPEC_NAME_MAX];
	int metric;

	if (!metric_set_add(engine->metric_set, definition, info, position, message))
		return error_set(error, ERROR_FORMULA, message, NULL);
	metric = metric_set_find(engine->metric_set, (*info)->name);
	if (wish_for_metric(engine, wishes, (size_t)metric, unknown, error))
		return true;
	*position = metric_set_position(engine->metric_set, (size_t)metric, unknown);
	metric_set_take_back(engine->metric_set);
	return false;
}

static bool wish_for_defaults(struct engine *engine, struct error *error)
{
	for (size_t i = 0; i < engine_default_event_count; i++) {
		if (!wishes_add(&engine->wishes, engine->finder, engine_default_events[i], NULL,
				NULL, NULL, error))
			return false;
	}
	return true;
}

static bool wish_for_options(struct engine *engine, const struct options *options,
			     struct error *error)
{
	const struct metric_info *info;
	size_t position = 0;

	if (options->column_list == NULL && !wish_for_defaults(engine, error))
		return false;
	for (size_t i = 0; i < options->event_list_count; i++) {
		const char *list = options->event_lists[i];

		if (!wishes_add(&engine->wishes, engine->finder, list, NULL, NULL, &position,
				error))
			return error_mark(error, list, position);
	}
	for (size_t i = 0; i < options->metric_count; i++) {
		const char *definition = options->metric_definitions[i];

		if (!wish_for_definition(engine, &engine->wishes, definition, &info, &position,
					 error))
			return error_mark(error, definition, position);
	}
	return true;
}

static void be_urgent(struct urgency *urgency)
{
	urgency->is_urgent = sys_be_urgent() == 0;
	urgency->is_refused = !urgency->is_urgent;
}

/* Where we are kept from running we must come first. */
static void see_to_running(struct engine *engine)
{
	struct urgency *urgency = &engine->urgency;
	uint64_t waited_ns;

	if (urgency->is_urgent || urgency->is_refused ||
	    !proc_read_run_delay(getpid(), getpid(), &waited_ns))
		return;
	if (urgency_is_due(urgency, waited_ns))
		be_urgent(urgency);
}

/* Who comes first must not need much. */
static void see_to_others(struct engine *engine, uint64_t cpu_ns)
{
	struct urgency *urgency = &engine->urgency;

	if (urgency->is_urgent && urgency_is_too_much(urgency, sys_now_ns(), cpu_ns))
		urgency->is_urgent = sys_be_fair() != 0;
}

static void make_model(struct engine *engine)
{
	engine->model = model_create(&engine->source->layout);
	model_note_partial(engine->model, engine->source->session.is_partial);
	engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
}

bool engine_open(struct engine *engine, const struct options *options, int32_t command_pid,
		 struct error *error)
{
	struct error unasked = {0};

	error = error != NULL ? error : &unasked;
	*engine = (struct engine){.users = users_create()};
	if (options->input != NULL) {
		if (!replaying_open(engine, options, error)) {
			engine_close(engine);
			return false;
		}
		make_model(engine);
		return true;
	}
	be_urgent(&engine->urgency);
	host_raise_fd_limit();
	host_read(&engine->host, "");
	attr_probe_features(&engine->features);
	engine->finder = event_finder_create("");
	engine->metric_set = metric_set_create();
	if (!wish_for_options(engine, options, error) ||
	    !open_source(engine, options, command_pid, error)) {
		engine_close(engine);
		return false;
	}
	make_model(engine);
	return true;
}

void engine_close(struct engine *engine)
{
	engine_stop_recording(engine, NULL);
	metrics_destroy(engine->metrics);
	model_destroy(engine->model);
	source_destroy(engine->source);
	wishes_fini(&engine->wishes);
	metric_set_destroy(engine->metric_set);
	event_finder_destroy(engine->finder);
	users_destroy(engine->users);
	engine->users = NULL;
	wanted_fini(&engine->wanted);
	map_fini(&engine->unseen);
	free(engine->part_tasks);
	free(engine->strangers);
	engine->part_tasks = NULL;
	engine->strangers = NULL;
	engine->stranger_count = engine->stranger_capacity = 0;
	host_fini(&engine->host);
	engine->metrics = NULL;
	engine->model = NULL;
	engine->source = NULL;
	engine->metric_set = NULL;
	engine->finder = NULL;
	engine->snapshot = engine->whole = NULL;
	engine->is_running = false;
}

/* What is told before the first interval only says who there is: nobody is born by it. */
static void follow_birth(struct engine *engine, const struct record *record)
{
	if (!engine->is_running)
		return;
	if (engine->is_replay)
		replaying_follow_wanted(engine);
	wanted_follow(&engine->wanted, record);
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

static void tell_shed(struct engine *engine)
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

	if (shed == engine->told_shed)
		return;
	engine->told_shed = shed;
	engine_feed(engine, &record);
}

/*
 * What is told too late for the history is put where that ends by now, so a recording must know
 * where that was.
 */
static void settle(struct engine *engine)
{
	const struct record record = recording_settled(engine);

	if (record.time_ns == engine->told_settled_ns)
		return;
	engine->told_settled_ns = record.time_ns;
	engine_feed(engine, &record);
}

/* A round of records; what they come to faster than we do is left out in the next one. */
void engine_feed_all(struct engine *engine)
{
	struct record record;
	bool has_lost = false;

	while (source_next(engine->source, &record)) {
		has_lost = has_lost || (record.kind == RECORD_LOST && record.lost > 0);
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
	tell_shed(engine);
}

void engine_introduce(struct engine *engine, int32_t pid)
{
	if (engine->is_replay)
		return; /* who was there, the recording tells */
	facts_introduce(engine, pid);
}

bool engine_start(struct engine *engine, struct error *error)
{
	if (!source_begin(engine->source, error))
		return false;
	if (engine->is_replay) {
		replaying_start(engine);
		return true;
	}
	source_tick(engine->source);
	engine_feed_all(engine);
	facts_answer(engine);
	facts_introduce_wanted(engine);
	model_start(engine->model, engine->source->tick_ns);
	recording_start(engine);
	engine->is_running = true;
	engine->own_cpu_ns = proc_own_cpu_ns();
	return true;
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
	facts_answer(engine);
	facts_introduce_some(engine);
	recording_round(engine);
}

/* What is in the scope, of the model's snapshot. */
void engine_take_snapshot(struct engine *engine)
{
	engine->snapshot = engine->whole;
	if (engine->wanted.kind == WANTED_ALL || engine->whole == NULL)
		return;
	snapshot_restrict(&engine->part, engine->whole, engine_wants, engine, &engine->part_tasks,
			  &engine->part_capacity);
	engine->snapshot = &engine->part;
}

static bool is_crowded(const struct engine *engine)
{
	const struct layout *layout = engine->whole->layout;

	for (size_t i = 0; i < layout->event_count; i++) {
		if (!layout->events[i].is_removed && layout->events[i].is_crowded)
			return true;
	}
	return false;
}

/* Where counters are shared it is looked for those who share them, now and then. */
static void name_rivals(struct engine *engine)
{
	const uint64_t now_ns = sys_now_ns();
	char *words = engine->source->session.others;

	if (!is_crowded(engine) ||
	    (engine->rivals_ns != 0 && now_ns - engine->rivals_ns < RIVALS_NS))
		return;
	engine->rivals_ns = now_ns;
	rivals_find("", (int32_t)getpid(), words, RIVALS_MAX);
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
	facts_answer(engine);
	facts_feed_run_delays(engine);
	if (engine->whole != NULL)
		facts_find_cgroups(engine, engine->whole);
	model_note_own(engine->model, &own);
	model_note_others(engine->model, session->others);
	engine->whole = model_close_interval(engine->model, engine->source->tick_ns);
	name_rivals(engine);
	recording_tick(engine, &own);
	if (engine->whole->lost_records > 0)
		facts_find_the_dead(engine, engine->whole);
	shed_tick(&engine->shed);
	engine_take_snapshot(engine);
}

void engine_tick(struct engine *engine)
{
	if (engine->is_replay)
		replaying_tick(engine);
	else
		tick_live(engine);
}

static void rebind_metrics(struct engine *engine)
{
	metrics_destroy(engine->metrics);
	engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
}

/*
 * From now on *wishes are counted, and taken over. The interval ends first, so that what was
 * counted so far stands in the layout it was counted by. False: they are dropped, all is as before.
 */
static bool grant(struct engine *engine, struct wishes *wishes, struct error *error)
{
	struct wished_request request;
	bool good;

	if (engine->is_running)
		engine_tick(engine);
	wished_request_init(&request, wishes, engine->metric_set);
	good = source_change(engine->source, &request.request, error);
	wished_request_fini(&request);
	if (good) {
		model_change_layout(engine->model, &engine->source->layout);
		model_note_partial(engine->model, engine->source->session.is_partial);
		recording_change(engine);
		engine_take_snapshot(engine);
		wishes_fini(&engine->wishes);
		engine->wishes = *wishes;
	} else {
		wishes_fini(wishes);
	}
	rebind_metrics(engine);
	return good;
}

bool engine_add_events(struct engine *engine, const char *list,
		       void (*added)(const char *name, void *context), void *context,
		       size_t *position, struct error *error)
{
	struct wishes wishes;
	const size_t before = engine->wishes.count + engine->wishes.brace_count;

	if (engine->is_replay)
		return replaying_find_events(engine, list, added, context, position, error);
	wishes_copy(&wishes, &engine->wishes);
	if (!wishes_add(&wishes, engine->finder, list, NULL, NULL, position, error)) {
		wishes_fini(&wishes);
		return false;
	}
	if (wishes.count + wishes.brace_count == before)
		wishes_fini(&wishes);
	else if (!grant(engine, &wishes, error))
		return false;
	/* once more, now that they are there */
	return added == NULL ||
	       wishes_add(&engine->wishes, engine->finder, list, added, context, NULL, error);
}

bool engine_remove_event(struct engine *engine, const char *name, struct error *error)
{
	struct wishes wishes;

	if (engine->is_replay)
		return error_set(error, ERROR_REPLAY_FIXED, engine->options->input, NULL);
	wishes_copy(&wishes, &engine->wishes);
	if (wishes_remove(&wishes, name))
		return grant(engine, &wishes, error);
	wishes_fini(&wishes);
	return error_set(error, ERROR_EVENT_NOT_WISHED, name, NULL);
}

bool engine_add_metric(struct engine *engine, const char *definition,
		       const struct metric_info **info, size_t *position, struct error *error)
{
	const struct metric_info *unasked;
	struct wishes wishes;

	info = info != NULL ? info : &unasked;
	if (engine->is_replay) {
		const bool good = replaying_add_metric(engine, definition, info, position, error);

		rebind_metrics(engine);
		return good;
	}
	wishes_copy(&wishes, &engine->wishes);
	if (!wish_for_definition(engine, &wishes, definition, info, position, error)) {
		wishes_fini(&wishes);
		rebind_metrics(engine);
		return false;
	}
	if (grant(engine, &wishes, error))
		return true;
	metric_set_take_back(engine->metric_set);
	rebind_metrics(engine);
	return false;
}

bool engine_need_metric(struct engine *engine, const char *name, struct error *error)
{
	const int metric = metric_set_find(engine->metric_set, name);
	char unknown[EVENT_SPEC_NAME_MAX];
	struct wishes wishes;
	bool good;

	if (metric < 0)
		return error_set(error, ERROR_METRIC_UNKNOWN, name, NULL);
	if (engine->is_replay)
		return true;
	wishes_copy(&wishes, &engine->wishes);
	good = wish_for_metric(engine, &wishes, (size_t)metric, unknown, error);
	if (good && wishes.count > engine->wishes.count)
		return grant(engine, &wishes, error);
	wishes_fini(&wishes);
	return good;
}

bool engine_need_scheduler(struct engine *engine, struct error *error)
{
	struct wishes wishes;

	if (engine->wishes.scheduler || engine->is_replay)
		return true;
	wishes_copy(&wishes, &engine->wishes);
	wishes.scheduler = true;
	return grant(engine, &wishes, error);
}

void engine_keep_history(struct engine *engine, size_t capacity)
{
	engine->history = capacity;
	model_keep_history(engine->model, capacity);
}

const struct history *engine_history(const struct engine *engine)
{
	return model_history(engine->model);
}

void engine_need_cgroups(struct engine *engine, bool needs)
{
	const bool is_new = needs && !engine->needs_cgroups;

	engine->needs_cgroups = needs;
	if (is_new && engine->is_running && !engine->is_replay && engine->whole != NULL)
		facts_find_cgroups(engine, engine->whole);
}

const struct session *engine_session(const struct engine *engine)
{
	return &engine->source->session;
}

bool engine_attach(struct engine *engine, int32_t pid, struct error *error)
{
	if (!source_attach(engine->source, pid, error))
		return false;
	if (engine->wanted.kind == WANTED_ALL)
		return true;
	wanted_add(&engine->wanted, pid);
	recording_want(engine);
	return true;
}

bool engine_is_finished(const struct engine *engine)
{
	if (engine->wanted.kind == WANTED_ALL || engine->snapshot == NULL || engine->is_replay)
		return source_is_finished(engine->source);
	for (size_t i = 0; i < engine->snapshot->task_count; i++) {
		const struct snapshot_task *task = &engine->snapshot->tasks[i];

		if (!task->is_exited && !task->is_held)
			return false;
	}
	return true;
}
