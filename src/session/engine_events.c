/*
 * What is counted: requested by the options, by metrics, which need the events in their
 * formulas, and by commands while it runs. A change is all or nothing: the events are copied, added
 * to, and taken over when the source counts them.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/formula.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "source/source.h"

#include "session/engine_parts.h"
#include "session/options.h"
#include "session/recording.h"
#include "session/replaying.h"

const char *const engine_default_events[] = {
	"cycles",       "instructions",  "cache-references",
	"cache-misses", "branch-misses", "page-faults",
};

const size_t engine_default_event_count =
	sizeof(engine_default_events) / sizeof(*engine_default_events);

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

static void need_event(const char *name, void *context)
{
	struct need *need = context;

	if (need->unknown[0] != '\0' || event_set_has(need->events, name))
		return;
	if (is_one_event(need->engine->finder, name, need->error) &&
	    event_set_add(need->events, need->engine->finder, name, NULL, NULL, NULL, need->error))
		return;
	hint_at_minus(need->error, name);
	snprintf(need->unknown, sizeof(need->unknown), "%s", name);
}

static bool add_events_of_metric(struct engine *engine, struct event_set *events, size_t metric,
				 char unknown[static EVENT_SPEC_NAME_MAX], struct error *error)
{
	struct need need = {.engine = engine, .events = events, .error = error};

	metric_set_events(engine->metric_set, metric, need_event, &need);
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
	if (add_events_of_metric(engine, events, (size_t)metric, unknown, error))
		return true;
	*position = metric_set_position(engine->metric_set, (size_t)metric, unknown);
	metric_set_take_back(engine->metric_set);
	return false;
}

static bool add_events_of_defaults(struct engine *engine, struct error *error)
{
	for (size_t i = 0; i < engine_default_event_count; i++)
		if (!event_set_add(&engine->events, engine->finder, engine_default_events[i], NULL,
				   NULL, NULL, error))
			return false;
	return true;
}

bool engine_add_option_events(struct engine *engine, const struct options *options,
			      struct error *error)
{
	const struct metric_info *info;
	size_t position = 0;

	if (!options->column_list && !add_events_of_defaults(engine, error))
		return false;
	for (size_t i = 0; i < options->event_list_count; i++) {
		const char *list = options->event_lists[i];

		if (!event_set_add(&engine->events, engine->finder, list, NULL, NULL, &position,
				   error))
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

static void add_member(const char *name, void *events)
{
	event_set_add_member(events, name);
}

void engine_group_formulas(struct event_set *events, const struct metric_set *metrics)
{
	event_set_drop_formulas(events);
	for (size_t i = 0; i < metric_set_count(metrics); i++) {
		event_set_begin_weak_group(events, false);
		metric_set_events(metrics, i, add_member, events);
		event_set_end_weak_group(events);
	}
}

static void rebind_metrics(struct engine *engine)
{
	metrics_destroy(engine->metrics);
	engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
}

/*
 * From now on *events are counted, and taken over. The interval ends first, so that what was
 * counted so far is in the layout it was counted by. False: they are dropped, all is as before.
 */
static bool apply(struct engine *engine, struct event_set *events, struct error *error)
{
	bool good;

	if (engine->is_running)
		engine_tick(engine);
	engine_group_formulas(events, engine->metric_set);
	good = source_change(engine->source, events, error);
	if (good) {
		model_change_layout(engine->model, &engine->source->layout);
		model_note_partial(engine->model, engine->source->session.is_partial);
		recording_change(engine);
		engine_take_snapshot(engine);
		event_set_fini(&engine->events);
		engine->events = *events;
	} else {
		event_set_fini(events);
	}
	rebind_metrics(engine);
	return good;
}

bool engine_add_events(struct engine *engine, const char *list,
		       void (*added)(const char *name, void *context), void *context,
		       size_t *position, struct error *error)
{
	struct event_set events;
	const size_t before = engine->events.count + engine->events.weak_group_count;

	if (engine->is_replay)
		return replaying_find_events(engine, list, added, context, position, error);
	event_set_copy(&events, &engine->events);
	if (!event_set_add(&events, engine->finder, list, NULL, NULL, position, error)) {
		event_set_fini(&events);
		return false;
	}
	if (events.count + events.weak_group_count == before)
		event_set_fini(&events);
	else if (!apply(engine, &events, error))
		return false;
	/* once more, now that they are there */
	return !added ||
	       event_set_add(&engine->events, engine->finder, list, added, context, NULL, error);
}

bool engine_remove_event(struct engine *engine, const char *name, struct error *error)
{
	struct event_set events;

	if (engine->is_replay)
		return error_set(error, ERROR_REPLAY_FIXED, engine->options->input, NULL);
	event_set_copy(&events, &engine->events);
	if (event_set_remove(&events, name))
		return apply(engine, &events, error);
	event_set_fini(&events);
	return error_set(error, ERROR_EVENT_NOT_WISHED, name, NULL);
}

bool engine_add_metric(struct engine *engine, const char *definition,
		       const struct metric_info **info, size_t *position, struct error *error)
{
	const struct metric_info *unasked;
	struct event_set events;

	info = info ? info : &unasked;
	if (engine->is_replay) {
		const bool good = replaying_add_metric(engine, definition, info, position, error);

		rebind_metrics(engine);
		return good;
	}
	event_set_copy(&events, &engine->events);
	if (!add_events_of_definition(engine, &events, definition, info, position, error)) {
		event_set_fini(&events);
		rebind_metrics(engine);
		return false;
	}
	if (apply(engine, &events, error))
		return true;
	metric_set_take_back(engine->metric_set);
	rebind_metrics(engine);
	return false;
}

bool engine_need_metric(struct engine *engine, const char *name, struct error *error)
{
	const int metric = metric_set_find(engine->metric_set, name);
	char unknown[EVENT_SPEC_NAME_MAX];
	struct event_set events;
	bool good;

	if (metric < 0)
		return error_set(error, ERROR_METRIC_UNKNOWN, name, NULL);
	if (engine->is_replay)
		return true;
	event_set_copy(&events, &engine->events);
	good = add_events_of_metric(engine, &events, (size_t)metric, unknown, error);
	if (good && events.count > engine->events.count)
		return apply(engine, &events, error);
	event_set_fini(&events);
	return good;
}

bool engine_need_scheduler(struct engine *engine, struct error *error)
{
	struct event_set events;

	if (engine->events.scheduler || engine->is_replay)
		return true;
	event_set_copy(&events, &engine->events);
	events.scheduler = true;
	return apply(engine, &events, error);
}
