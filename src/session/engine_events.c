/*
 * What is counted, and by which source.
 *
 * Events are requested by the options, by metrics, which need the events in their formulas, and by
 * commands while it runs. A change is all or nothing: the events are copied, added to, and taken
 * over when the source counts them.
 *
 * Chosen processes are taken out of a machine that is counted as a whole where that is allowed, and
 * counted by themselves where not; the whole machine becomes the user's own tasks where it is
 * refused.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/counter_time.h"
#include "kernel/explain.h"
#include "kernel/proc.h"
#include "model/formula.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "source/cpus/cpus.h"
#include "source/source.h"
#include "source/tasks/tasks.h"
#include "view/column.h"

#include "event/processor.h"
#include "event/syntax.h"
#include "perfdata/replay.h"
#include "session/engine_parts.h"
#include "session/fitting.h"
#include "session/options.h"

enum {
	NAMES_BYTES = 512
};

enum {
	LIGHT_COUNT = 2 /* of the default events: the light set */
};

/* What a recording has, and the others beside it. */
static bool refuse_engine_event(const struct engine *engine, const char *name, struct error *error)
{
	char names[NAMES_BYTES] = "";
	size_t used = 0;

	for (const struct engine *each = engine; each; each = each->next) {
		const struct layout *layout = &each->source->layout;

		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s has%s",
						 each != engine ? "; " : "",
						 each->host_name[0] != '\0' ? each->host_name
									    : "it",
						 layout->event_count == 0 ? " none" : "");
		for (size_t i = 0; i < layout->event_count && used < sizeof(names); i++)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 i > 0 ? ", " : " ", layout->events[i].name);
	}
	return error_set(error, ERROR_REPLAY_LACKS, name, names);
}

/* In it, or in one of those beside it: rows of the others show that it is unknown. */
static bool was_recorded(const struct engine *engine, const char *name)
{
	for (; engine; engine = engine->next)
		if (layout_find_event(&engine->source->layout, name) >= 0)
			return true;
	return false;
}

/* Each event of the list must be one of the recording; they stay in the groups recorded. */
static bool find_recorded_events(const struct engine *engine, const char *text,
				 void (*added)(const char *name, void *context), void *context,
				 size_t *position, struct error *error)
{
	struct syntax_list list = {0};
	const char *message;
	size_t fault = 0;
	bool good;

	/* other tools' names need not be what is typed here */
	if (was_recorded(engine, text)) {
		if (added)
			added(text, context);
		return true;
	}
	good = syntax_parse(text, &list, &fault, &message);
	if (!good)
		error_set(error, ERROR_EVENT_SYNTAX, text, message);
	for (size_t i = 0; good && i < list.count; i++) {
		const char *name = list.events[i].text;

		fault = list.events[i].position;
		good = was_recorded(engine, name) || refuse_engine_event(engine, name, error);
		if (good && added)
			added(name, context);
	}
	if (!good && position)
		*position = fault;
	syntax_list_fini(&list);
	return good;
}

/* Adds the events of a list to the set; of a recording they are there, or not. */
static bool add_list(struct engine *engine, struct event_set *events, const char *list,
		     void (*added)(const char *name, void *context), void *context,
		     size_t *position, struct error *error)
{
	return engine->is_replay
		       ? find_recorded_events(engine, list, added, context, position, error)
		       : event_set_add(events, engine->finder, list, added, context, position,
				       error);
}

/* The events a metric needs that are not requested yet, until one is not known. */
struct need {
	struct engine *engine;
	struct event_set *events;
	struct error *error;
	char unknown[EVENT_SPEC_NAME_MAX]; /* "": none is */
};

/*
 * The formula knows the event by the name written in it. Several events, braces, blanks and name=
 * are events by other names, and it would wait for its own for ever.
 */
static bool is_one_event(struct event_finder *finder, const char *name, struct error *error)
{
	struct event_set found = {0};
	char why[EVENT_SPEC_NAME_MAX + 32] = "a name means one event";
	bool good = event_find(finder, name, &found, NULL, error);

	if (good && (found.count != 1 || strcmp(found.evsels[0].name, name) != 0)) {
		if (found.count == 1)
			snprintf(why, sizeof(why), "this event is called %s", found.evsels[0].name);
		good = error_set(error, ERROR_EVENT_NOT_ONE, name, why);
	}
	event_set_fini(&found);
	return good;
}

/* What was meant by a name with a '-' in it may be two. */
static void hint_at_minus(struct error *error, const char *name)
{
	const size_t length = strlen(error->remedy);

	if (error->code == ERROR_EVENT_UNKNOWN && strchr(name, '-'))
		snprintf(error->remedy + length, sizeof(error->remedy) - length,
			 "; a minus needs a space before or after it");
}

static void need_metric_event(const char *name, void *context)
{
	struct need *need = context;

	if (need->unknown[0] != '\0' || event_set_has(need->events, name))
		return;
	if (need->engine->is_replay) {
		if (was_recorded(need->engine, name))
			return;
		refuse_engine_event(need->engine, name, need->error);
	} else if (metric_set_has_refused(need->engine->metric_set, name)) {
		/* in a file they build on each other, and looking for events takes its time */
		error_set(need->error, ERROR_METRIC_REFUSED, name, NULL);
	} else {
		if (is_one_event(need->engine->finder, name, need->error) &&
		    event_set_add(need->events, need->engine->finder, name, NULL, NULL, NULL,
				  need->error))
			return;
		hint_at_minus(need->error, name);
	}
	snprintf(need->unknown, sizeof(need->unknown), "%s", name);
}

static void keep_event(const char *name, void *events)
{
	event_set_keep(events, name);
}

static bool add_events_of_metric(struct engine *engine, struct event_set *events, size_t metric,
				 char unknown[static EVENT_SPEC_NAME_MAX], struct error *error)
{
	struct need need = {.engine = engine, .events = events, .error = error};

	metric_set_events(engine->metric_set, metric, need_metric_event, &need);
	memcpy(unknown, need.unknown, sizeof(need.unknown));
	return need.unknown[0] == '\0';
}

/* A metric and the events it needs; on a fault neither is there. */
static bool add_events_of_definition(struct engine *engine, struct event_set *events,
				     const char *definition, const struct metric_info **info,
				     size_t *position, struct error *error)
{
	char message[FORMULA_ERROR_MAX], unknown[EVENT_SPEC_NAME_MAX];
	int metric;

	if (!metric_set_add(engine->metric_set, definition, info, position, message))
		return error_set(error, ERROR_FORMULA, message, NULL);
	metric = metric_set_find(engine->metric_set, (*info)->name);
	if (add_events_of_metric(engine, events, (size_t)metric, unknown, error)) {
		metric_set_events(engine->metric_set, (size_t)metric, keep_event, events);
		return true;
	}
	*position = metric_set_position(engine->metric_set, (size_t)metric, unknown);
	metric_set_take_back(engine->metric_set, (size_t)metric);
	return false;
}

/* Where each read of a counter leaves the guest, so does every context switch for each of them. */
static bool reads_slowly(struct engine *engine)
{
	engine->counter_ns = engine->host.is_virtual && engine->host.cpu_pmu[0] != '\0'
				     ? counter_time_ns(&engine->features)
				     : 0;
	return engine->counter_ns >= COUNTER_TIME_SLOW_NS;
}

static bool is_to_be_light(struct engine *engine, int light)
{
	return light == SETTING_UNSET ? reads_slowly(engine) : light == 1;
}

static bool add_default_events(struct engine *engine, struct error *error)
{
	if (is_to_be_light(engine, engine->options->settings.light))
		for (size_t i = LIGHT_COUNT; i < DEFAULT_EVENTS; i++)
			engine->left_out |= UINT32_C(1) << i;
	for (size_t i = 0; i < DEFAULT_EVENTS; i++)
		if ((engine->left_out >> i & 1) == 0 &&
		    !add_list(engine, &engine->events, default_event(engine->metric_set, i), NULL,
			      NULL, NULL, error))
			return false;
	return true;
}

bool engine_add_option_events(struct engine *engine, struct error *error)
{
	const struct options *options = engine->options;
	const struct metric_info *info;
	size_t position = 0;

	if (!options->column_list && !engine->is_replay && !add_default_events(engine, error))
		return false;
	for (size_t i = 0; i < options->event_list_count; i++) {
		const char *list = options->event_lists[i];

		if (!add_list(engine, &engine->events, list, NULL, NULL, &position, error))
			return error_mark(error, list, position);
	}
	for (size_t i = 0; i < options->metric_count; i++) {
		const char *definition = options->metric_definitions[i];

		if (!add_events_of_definition(engine, &engine->events, definition, &info, &position,
					      error))
			return error_mark(error, definition, position);
	}
	return true;
}

static void add_event_member(const char *name, void *events)
{
	event_set_add_member(events, name);
}

void engine_group_formulas(struct event_set *events, const struct metric_set *metrics)
{
	event_set_drop_formulas(events);
	for (size_t i = 0; i < metric_set_count(metrics); i++) {
		event_set_begin_weak_group(events, false);
		metric_set_events(metrics, i, add_event_member, events);
		event_set_end_weak_group(events);
	}
}

const struct processor *engine_processor(const struct engine *engine)
{
	return processor_find(engine->is_replay ? replay_cpu_id(engine->source)
						: engine->host.cpu_id);
}

void engine_bind_metrics(struct engine *engine)
{
	metrics_destroy(engine->metrics);
	engine->metrics = NULL;
	if (engine->is_replay)
		fit_to_recording(engine->metric_set, &engine->source->layout,
				 engine_processor(engine));
	if (engine->resolver.columns)
		columns_metrics_fitted(engine->resolver.columns);
}

/*
 * From now on *events are counted, and taken over. The interval ends first, so that what was
 * counted so far is in the layout it was counted by. False: they are dropped, all is as before. A
 * recording has what it has.
 */
static bool apply_events(struct engine *engine, struct event_set *events, struct error *error)
{
	bool good = true;

	if (engine->is_replay) {
		event_set_fini(events);
		engine_bind_metrics(engine);
		return true;
	}
	events->sites = engine->needs_states;
	engine_group_formulas(events, engine->metric_set);
	if (engine->is_running) {
		good = source_prepare(engine->source, events, error);
		engine_end_interval(engine);
	}
	good = good && source_change(engine->source, events, error);
	if (good) {
		model_change_layout(engine->model, &engine->source->layout);
		engine_note_session(engine);
		recordings_change(engine);
		engine_take_snapshot(engine);
		event_set_fini(&engine->events);
		engine->events = *events;
	} else {
		event_set_fini(events);
	}
	if (engine->is_running)
		engine_begin_interval(engine);
	engine_bind_metrics(engine);
	return good;
}

bool engine_add_events(struct engine *engine, const char *list,
		       void (*added)(const char *name, void *context), void *context,
		       size_t *position, struct error *error)
{
	struct event_set events;
	const size_t before = engine->events.count + engine->events.weak_group_count;

	event_set_copy(&events, &engine->events);
	if (!add_list(engine, &events, list, NULL, NULL, position, error)) {
		event_set_fini(&events);
		return false;
	}
	if (events.count + events.weak_group_count == before) {
		event_set_fini(&engine->events); /* they may be kept for longer */
		engine->events = events;
	} else if (!apply_events(engine, &events, error)) {
		return false;
	}
	/* once more, now that they are there */
	return !added || add_list(engine, &engine->events, list, added, context, NULL, error);
}

bool engine_remove_event(struct engine *engine, const char *name, struct error *error)
{
	struct event_set events;

	if (engine->is_replay)
		return error_set(error, ERROR_REPLAY_FIXED, engine->options->input, NULL);
	event_set_copy(&events, &engine->events);
	if (event_set_remove(&events, name))
		return apply_events(engine, &events, error);
	event_set_fini(&events);
	return error_set(error, ERROR_EVENT_NOT_WISHED, name, NULL);
}

bool engine_add_metric(struct engine *engine, const char *definition,
		       const struct metric_info **info, size_t *position, struct error *error)
{
	const struct metric_info *unasked;
	struct event_set events;

	info = info ? info : &unasked;
	event_set_copy(&events, &engine->events);
	if (!add_events_of_definition(engine, &events, definition, info, position, error)) {
		event_set_fini(&events);
		engine_bind_metrics(engine);
		return false;
	}
	if (apply_events(engine, &events, error)) {
		if (engine->next) /* unknown there where it is refused */
			engine_add_metric(engine->next, definition, NULL, position, NULL);
		return true;
	}
	metric_set_take_back(engine->metric_set,
			     (size_t)metric_set_find(engine->metric_set, (*info)->name));
	engine_bind_metrics(engine);
	return false;
}

/* Adds the events of a metric to the set, all of them or none. */
static bool need_metric(struct engine *engine, struct event_set *events, const char *name,
			struct error *error)
{
	const int metric = metric_set_find(engine->metric_set, name);
	char unknown[EVENT_SPEC_NAME_MAX];
	struct event_set more;

	if (metric < 0)
		return error_set(error, ERROR_METRIC_UNKNOWN, name, NULL);
	if (engine->is_replay)
		return true;
	event_set_copy(&more, events);
	if (!add_events_of_metric(engine, &more, (size_t)metric, unknown, error)) {
		event_set_fini(&more);
		return false;
	}
	event_set_fini(events);
	*events = more;
	return true;
}

static bool need_metrics(struct engine *engine, struct event_set *events, const char *const *names,
			 size_t count, struct error *error)
{
	struct error refusal = {0};
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		if (need_metric(engine, events, names[i], &refusal))
			continue;
		if (good && error)
			*error = refusal;
		good = false;
	}
	return good;
}

/* has_changed: the set is another one than that which is counted. */
static bool apply_if(struct engine *engine, struct event_set *events, bool has_changed,
		     struct error *error)
{
	if (has_changed)
		return apply_events(engine, events, error);
	event_set_fini(events);
	return true;
}

bool engine_need_metrics(struct engine *engine, const char *const *names, size_t count,
			 struct error *error)
{
	struct event_set events;
	bool good;

	event_set_copy(&events, &engine->events);
	good = need_metrics(engine, &events, names, count, error);
	return apply_if(engine, &events, events.count > engine->events.count,
			good ? error : NULL) &&
	       good;
}

/* An event that metrics may need. */
struct need_search {
	const char *event;
	bool is_needed;
};

static void compare_need(const char *name, void *context)
{
	struct need_search *search = context;

	search->is_needed = search->is_needed || strcmp(name, search->event) == 0;
}

static bool is_needed(const struct engine *engine, const char *event, const char *const *names,
		      size_t count)
{
	struct need_search search = {.event = event};

	for (size_t i = 0; i < count && !search.is_needed; i++) {
		const int metric = metric_set_find(engine->metric_set, names[i]);

		if (metric >= 0)
			metric_set_events(engine->metric_set, (size_t)metric, compare_need,
					  &search);
	}
	return search.is_needed;
}

/* How many events of sets there were that none of the names needs. */
static size_t drop_unneeded(const struct engine *engine, struct event_set *events,
			    const char *const *names, size_t count)
{
	size_t dropped = 0;

	for (size_t i = events->count; i-- > 0;) {
		const struct evsel evsel = events->evsels[i];

		if (!evsel.only_of_set || is_needed(engine, evsel.name, names, count))
			continue;
		event_set_remove(events, evsel.name);
		dropped++;
	}
	return dropped;
}

bool engine_change_set(struct engine *engine, const char *const *names, size_t count, size_t added,
		       struct error *error)
{
	struct event_set events;
	size_t dropped, kept;
	bool good;

	event_set_copy(&events, &engine->events);
	dropped = drop_unneeded(engine, &events, names, count);
	kept = events.count;
	good = need_metrics(engine, &events, names, added, error);
	for (size_t i = kept; i < events.count; i++)
		events.evsels[i].only_of_set = true;
	return apply_if(engine, &events, dropped > 0 || events.count > kept, good ? error : NULL) &&
	       good;
}

/* With the reason where it was not requested. */
static void say_light(const struct engine *engine)
{
	struct session *session = &engine->source->session;
	char text[UNITS_TEXT_MAX];

	session->light_words[0] = '\0';
	if (engine->left_out == 0 || engine->host.cpu_pmu[0] == '\0')
		return;
	units_format_duration(text, (uint64_t)engine->counter_ns);
	snprintf(session->light_words, sizeof(session->light_words),
		 "light: cycles and instructions only%s%s%s (L counts all)",
		 engine->counter_ns > 0 ? ", reading a counter takes " : "",
		 engine->counter_ns > 0 ? text : "", engine->counter_ns > 0 ? " here" : "");
}

bool engine_is_light(const struct engine *engine)
{
	return engine->left_out != 0;
}

bool engine_set_light(struct engine *engine, int light, struct error *error)
{
	const uint32_t before = engine->left_out;
	struct event_set events;
	bool is_light;

	if (engine->is_replay)
		return error_set(error, ERROR_REPLAY_FIXED, engine->options->input, NULL);
	if (engine->is_running && engine->host.cpu_pmu[0] == '\0')
		return error_set(error, ERROR_LIGHT_NO_PMU, NULL, NULL);
	is_light = is_to_be_light(engine, light);
	event_set_copy(&events, &engine->events);
	for (size_t i = LIGHT_COUNT; i < DEFAULT_EVENTS; i++) {
		const uint32_t bit = UINT32_C(1) << i;
		const char *name = default_event(engine->metric_set, i);

		if (is_light && event_set_remove(&events, name))
			engine->left_out |= bit;
		else if (!is_light && (engine->left_out & bit))
			add_list(engine, &events, name, NULL, NULL, NULL, NULL);
	}
	if (!is_light)
		engine->left_out = 0;
	if (engine->left_out == before) {
		event_set_fini(&events);
		return true;
	}
	if (!apply_events(engine, &events, error)) {
		engine->left_out = before;
		return false;
	}
	say_light(engine);
	return true;
}

bool engine_need_scheduler(struct engine *engine, struct error *error)
{
	struct event_set events;

	if (engine->events.scheduler || engine->is_replay)
		return true;
	event_set_copy(&events, &engine->events);
	events.scheduler = true;
	return apply_events(engine, &events, error);
}

void engine_divide_life(struct engine *engine, bool is_on)
{
	engine->needs_states = is_on;
	if (!engine->is_replay)
		engine->source->session.has_states = is_on;
	model_divide_life(engine->model, is_on);
}

bool engine_need_states(struct engine *engine, bool needs, struct error *error)
{
	const enum session_queue *queue = &engine->source->session.queue;
	const bool is_wanted = needs && (engine->counts_cpus || engine->is_replay);
	const bool asks = is_wanted && !engine->events.scheduler && !engine->is_replay;
	const bool is_on = is_wanted && (asks || *queue == QUEUE_WAKEUPS);
	struct event_set events;

	if (is_on == engine->needs_states || (engine->is_replay && !is_on))
		return false;
	engine_divide_life(engine, is_on);
	if (engine->is_replay)
		return false;
	event_set_copy(&events, &engine->events);
	events.scheduler = events.scheduler || asks;
	apply_events(engine, &events, error);
	if (is_on && *queue != QUEUE_WAKEUPS)
		engine_divide_life(engine, false);
	procinfo_feed_cpu_use(engine, true);
	return true;
}

void engine_need_parallelism(struct engine *engine, bool needs, const struct parallel_scope *scope)
{
	const bool is_counted = engine->is_replay || engine->counts_cpus;
	const bool is_always = engine->is_replay && !engine->options->batch;

	engine->latency_scope = *scope;
	model_measure_parallelism(engine->model, is_always || (needs && is_counted), scope);
}

const char *engine_lacks_parallelism(const struct engine *engine)
{
	if (engine_lacks_switches(engine))
		return engine_lacks_switches(engine);
	if (!engine->is_replay && !engine->counts_cpus)
		return "how many threads run at once is unknown: it needs every switch of the "
		       "machine, which root and CAP_PERFMON can see";
	if (engine->source->session.is_partial)
		return "how many threads run at once is unknown: they also run on CPUs that are "
		       "not watched";
	return NULL;
}

/* --- the source */

/* The core PMUs, which the source is asked for, too. */
struct cores {
	struct event_core_pmu pmus[EVENT_PMUS_MAX];
	size_t count;
};

static struct tasks_request tasks_request_of(const struct engine *engine, const struct cores *cores,
					     enum tasks_mode mode)
{
	return (struct tasks_request){
		.host = &engine->host,
		.features = &engine->features,
		.core_pmus = cores->pmus,
		.core_pmu_count = cores->count,
		.events = &engine->events,
		.mode = mode,
	};
}

static struct cpus_request cpus_request_of(const struct engine *engine, const struct cores *cores)
{
	return (struct cpus_request){
		.host = &engine->host,
		.features = &engine->features,
		.only = engine->options->has_cpus ? &engine->options->cpus : NULL,
		.interrupts_isolated = engine->options->interrupt_isolated,
		.core_pmus = cores->pmus,
		.core_pmu_count = cores->count,
		.events = &engine->events,
		.replaced = engine->replaced,
	};
}

/*
 * Some processes out of a machine that is counted as a whole: no thread of theirs and no
 * child is too short-lived, which counters opened after a birth cannot promise. False when the
 * machine may not be counted, or not all of it: what they do on other CPUs would be missing.
 */
static bool open_part(struct engine *engine, const struct cores *cores,
		      const struct tasks_request *request)
{
	const struct cpus_request cpus = cpus_request_of(engine, cores);
	struct session *session;

	engine->source = cpus_create(&cpus, NULL);
	if (!engine->source)
		return false;
	session = &engine->source->session;
	if (session->is_partial && !cpus.only) {
		source_destroy(engine->source);
		engine->source = NULL;
		return false;
	}
	engine->counts_cpus = true;
	session->scope = SCOPE_TASKS;
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	return true;
}

/* Where it may not be, each of their threads has counters of its own. */
static bool open_processes(struct engine *engine, const struct cores *cores,
			   enum target_pids_kind kind, const struct tasks_request *request,
			   struct error *error)
{
	if (!open_part(engine, cores, request))
		engine->source = tasks_create(request, error);
	engine->targets.kind = kind;
	for (size_t i = 0; i < request->pid_count; i++)
		target_pids_add(&engine->targets, request->pids[i]);
	return engine->source;
}

static bool open_pids(struct engine *engine, const struct cores *cores, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, cores, TASKS_PIDS);
	int32_t *pids = xcalloc(engine->options->pid_count, sizeof(*pids));
	char words[SESSION_TEXT_MAX];
	bool good = true;

	for (size_t i = 0; i < engine->options->pid_count && good; i++)
		good = engine_find_process(engine, engine->options->pids[i], &pids[i], error);
	snprintf(words, sizeof(words), "%s%s",
		 isdigit((unsigned char)*strbuf_text(&engine->options->pid_list)) ? "pid " : "",
		 strbuf_text(&engine->options->pid_list));
	request.pids = pids;
	request.pid_count = engine->options->pid_count;
	request.scope_words = words;
	good = good && open_processes(engine, cores, TARGET_PIDS_LIST, &request, error);
	free(pids);
	return good;
}

static bool open_command(struct engine *engine, const struct cores *cores, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, cores, TASKS_COMMAND);
	struct strbuf words = {0};
	bool good;

	for (char *const *word = engine->options->command; *word; word++)
		strbuf_printf(&words, "%s%s", word == engine->options->command ? "" : " ", *word);
	request.pids = &engine->child.pid;
	request.pid_count = 1;
	request.scope_words = strbuf_text(&words);
	good = open_processes(engine, cores, TARGET_PIDS_TREE, &request, error);
	strbuf_fini(&words);
	return good;
}

/* What is said of that: who is not root knows why, of other reasons there is something to learn. */
static const struct error *say_own_tasks(const struct error *refusal, struct error *plain)
{
	if (refusal->code != ERROR_PERF_PARANOID && refusal->code != ERROR_PERF_LEVEL)
		return refusal;
	error_set(plain, ERROR_SCOPE_OWN, NULL, NULL);
	return plain;
}

/* The user's own tasks, when the machine is refused; `refusal` says why. */
static bool open_own_tasks(struct engine *engine, const struct cores *cores,
			   const struct error *refusal, struct error *error)
{
	struct tasks_request request = tasks_request_of(engine, cores, TASKS_USER);
	char missing[SESSION_TEXT_MAX]; /* why not even all of these */
	struct error plain;
	const struct error *said = say_own_tasks(refusal, &plain);
	struct session *session;

	request.uid = engine->options->uid >= 0 ? engine->options->uid : (int64_t)geteuid();
	request.scope_words = request.uid == (int64_t)geteuid() ? "own tasks; others from /proc (~)"
								: "tasks of one user";
	engine->source = tasks_create(&request, error);
	if (!engine->source)
		return false;
	engine->others.is_on = true;
	session = &engine->source->session;
	snprintf(missing, sizeof(missing), "%s", session->scope_reason);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "%.300s%s%.200s", said->text,
		 missing[0] != '\0' ? "; " : "", missing);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", said->remedy);
	return true;
}

static bool check_cpus(const struct engine *engine, struct error *error)
{
	for (size_t i = 0; i < engine->options->cpus.count; i++) {
		char number[16], online[128];

		if (number_list_has(&engine->host.online, engine->options->cpus.numbers[i]))
			continue;
		snprintf(number, sizeof(number), "%d", engine->options->cpus.numbers[i]);
		number_list_format(&engine->host.online, online, sizeof(online));
		return error_set(error, ERROR_CPU_ABSENT, number, online);
	}
	return true;
}

static bool open_machine(struct engine *engine, const struct cores *cores, struct error *error)
{
	struct error refusal = {0};
	const struct cpus_request request = cpus_request_of(engine, cores);

	if (!check_cpus(engine, error))
		return false;
	engine->source = cpus_create(&request, &refusal);
	engine->counts_cpus = engine->source;
	if (engine->source)
		return true;
	if (!engine->options->has_cpus && !engine->replaced &&
	    (explain_is_denial(&refusal) || refusal.code == ERROR_PERF_MEMLOCK) &&
	    open_own_tasks(engine, cores, &refusal, error))
		return true;
	*error = refusal;
	return false;
}

/* Who runs on a CPU is asked there when an interval ends. */
static bool check_isolated(const struct engine *engine, struct error *error)
{
	const struct number_list *isolated = &engine->host.isolated;

	for (size_t i = 0; i < isolated->count && !engine->options->interrupt_isolated; i++)
		if (number_list_has(&engine->host.online, isolated->numbers[i]) &&
		    (!engine->options->has_cpus ||
		     number_list_has(&engine->options->cpus, isolated->numbers[i])))
			return error_set(error, ERROR_CGROUP_ISOLATED, NULL, NULL);
	return true;
}

/* No tasks outside of them are read: nothing is known of these without the right to count them. */
static bool open_cgroups(struct engine *engine, const struct cores *cores, const char *cgroups,
			 struct error *error)
{
	struct counted_cgroups *counted = &engine->counted_cgroups;
	struct cpus_request request = cpus_request_of(engine, cores);
	struct strbuf words = {0};
	char numbers[128];

	if (check_cpus(engine, error) && check_isolated(engine, error) &&
	    counted_cgroups_open(counted, cgroups, &words, error)) {
		if (request.only) {
			number_list_format(request.only, numbers, sizeof(numbers));
			strbuf_printf(&words, " on CPU %s", numbers);
		}
		request.cgroup_words = strbuf_text(&words);
		request.of = (struct group_cgroups){counted->fds, counted->count};
		engine->source = cpus_create(&request, error);
		if (!engine->source && error->code == ERROR_PERF_UNKNOWN)
			error_set(error, ERROR_CGROUP_UNCOUNTED, cgroups, NULL);
	}
	engine->counts_cpus = engine->source;
	strbuf_fini(&words);
	return engine->source;
}

static bool open_source(struct engine *engine, const struct cores *cores, struct error *error)
{
	if (engine->counted_cgroups.paths)
		return open_cgroups(engine, cores, engine->counted_cgroups.paths, error);
	if (engine->options->cgroup)
		return open_cgroups(engine, cores, engine->options->cgroup, error);
	if (engine->child.pid > 0)
		return open_command(engine, cores, error);
	if (engine->options->pid_count > 0)
		return open_pids(engine, cores, error);
	return open_machine(engine, cores, error);
}

bool engine_open_source(struct engine *engine, struct error *error)
{
	struct cores cores;
	const size_t count = event_core_pmus(engine->finder, cores.pmus, EVENT_PMUS_MAX);

	cores.count = count < EVENT_PMUS_MAX ? count : EVENT_PMUS_MAX;
	engine_group_formulas(&engine->events, engine->metric_set);
	if (!open_source(engine, &cores, error))
		return false;
	say_light(engine);
	return true;
}
