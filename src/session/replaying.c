/*
 * The first interval begins with the first record that has a time. Of a pipe that may not have come
 * yet: engine->is_running is false until then.
 */
#include "session/replaying.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "model/formula.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/processes.h"
#include "view/table.h"
#include "view/users.h"

#include "perfdata/replay.h"
#include "session/engine_parts.h"
#include "session/options.h"
#include "session/procinfo.h"

enum {
	NAMES_BYTES = 512,
	BYTES_MAX = 512 << 20 /* for tasks and CPUs of a recording; REPLAY_LARGE says it, too */
};

static const char SUPERUSER[] = "root";

static bool add_events_of_metrics(struct engine *engine, const struct options *options,
				  struct error *error)
{
	for (size_t i = 0; i < options->metric_count; i++) {
		const char *definition = options->metric_definitions[i];
		const struct metric_info *info;
		size_t position = 0;

		if (!replaying_add_metric(engine, definition, &info, &position, error))
			return error_mark(error, definition, position);
	}
	for (size_t i = 0; i < options->event_list_count; i++) {
		const char *list = options->event_lists[i];
		size_t position = 0;

		if (!replaying_find_events(engine, list, NULL, NULL, &position, error))
			return error_mark(error, list, position);
	}
	return true;
}

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
static const char *name_user(void *context, int64_t uid)
{
	const struct engine *engine = context;
	const char *name = replay_user(engine->source, uid);

	if (name)
		return name;
	if (uid == 0)
		return SUPERUSER;
	return replay_is_of_here(engine->source) ? users_name(engine->users, uid) : NULL;
}

void engine_serve_table(struct engine *engine, struct view_table *table)
{
	if (engine->is_replay)
		users_ask(view_table_users(table), name_user, engine);
	else
		processes_ask(view_table_processes(table), procinfo_account, NULL);
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
static bool check_user(const struct engine *engine, const struct options *options,
		       struct error *error)
{
	if (options->uid < 0)
		return true;
	if (!replay_has_users(engine->source))
		return error_set(error, ERROR_REPLAY_USERS, options->input, NULL);
	if (engine_find_user(engine, options->user) != options->uid)
		return error_set(error, ERROR_REPLAY_USER, options->user, NULL);
	return true;
}

bool replaying_open(struct engine *engine, const struct options *options, struct error *error)
{
	const struct replay_request request = {
		.path = options->input,
		.interval_ns = options->has_delay ? (uint64_t)(options->delay_s * 1e9) : 0,
	};

	engine->finder = event_finder_create("");
	engine->metric_set = metric_set_create();
	engine->source = replay_create(&request, error);
	if (!engine->source)
		return false;
	engine->is_replay = true;
	if (!check_user(engine, options, error))
		return false;
	engine->layout_changes = engine->source->layout_changes;
	engine->options = options;
	restrict_scope(engine);
	return add_events_of_metrics(engine, options, error);
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
	metrics_destroy(engine->metrics);
	engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
}

static bool is_over(const struct engine *engine)
{
	return source_is_finished(engine->source);
}

void replaying_start(struct engine *engine)
{
	source_tick(engine->source);
	engine_feed_all(engine);
	if (engine->source->tick_ns == 0 && !is_over(engine))
		return;
	follow_layout(engine);
	model_note_partial(engine->model, engine->source->session.is_partial);
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
	if (engine->is_running && !is_over(engine))
		engine_feed_all(engine);
	return engine->is_running && !is_over(engine) && replay_is_ready(engine->source);
}

static void note_own(struct engine *engine)
{
	struct replay_own own;

	if (replay_own(engine->source, &own))
		model_note_own(engine->model, &(const struct own_usage){
						      .cpu_ns = own.cpu_ns,
						      .rss_bytes = own.rss_bytes,
						      .descriptors = own.descriptors,
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
	if (is_over(engine))
		return;
	source_tick(engine->source);
	engine_feed_all(engine);
	replaying_follow_targets(engine);
	name_scope(engine);
	model_note_partial(engine->model, engine->source->session.is_partial);
	note_own(engine);
	model_note_others(engine->model, engine->source->session.others);
	engine->whole = model_close_interval(engine->model, engine->source->tick_ns);
	follow_layout(engine);
	engine_take_snapshot(engine);
	look_for_unseen(engine);
}

bool engine_is_replay(const struct engine *engine)
{
	return engine->is_replay;
}

bool engine_rewind(struct engine *engine, struct error *error)
{
	const size_t history = engine->history;

	if (!replay_rewind(engine->source, error))
		return false;
	restrict_scope(engine);
	metrics_destroy(engine->metrics);
	model_destroy(engine->model);
	engine->model = model_create(&engine->source->layout);
	engine->metrics = metrics_create(&engine->source->layout, engine->metric_set);
	engine->layout_changes = engine->source->layout_changes;
	engine->snapshot = engine->whole = NULL;
	engine->is_running = engine->is_full = false;
	replaying_start(engine);
	engine_keep_history(engine, history);
	return true;
}

static bool refuse_event(const struct engine *engine, const char *name, struct error *error)
{
	const struct layout *layout = &engine->source->layout;
	char names[NAMES_BYTES] = "it has none";
	size_t used = 0;

	for (size_t i = 0; i < layout->event_count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 i > 0 ? ", " : "it has ", layout->events[i].name);
	return error_set(error, ERROR_REPLAY_EVENT, name, names);
}

/* Up to the next comma that is not inside of a pair of slashes. */
static size_t name_length(const char *list)
{
	bool is_inside = false;
	size_t length = 0;

	for (; list[length] != '\0' && (list[length] != ',' || is_inside); length++)
		is_inside = is_inside != (list[length] == '/');
	return length;
}

bool replaying_find_events(struct engine *engine, const char *list,
			   void (*added)(const char *name, void *context), void *context,
			   size_t *position, struct error *error)
{
	const struct layout *layout = &engine->source->layout;
	const char *rest = list;

	while (*rest != '\0') {
		char name[EVENT_NAME_MAX];
		const size_t length = name_length(rest);

		snprintf(name, sizeof(name), "%.*s", (int)length, rest);
		if (layout_find_event(layout, name) < 0) {
			if (position)
				*position = (size_t)(rest - list);
			return refuse_event(engine, name, error);
		}
		if (added)
			added(name, context);
		rest += length;
		rest += *rest == ',';
	}
	return true;
}

/* The first event of the metric that the recording does not have. */
struct missing {
	const struct layout *layout;
	char name[EVENT_NAME_MAX]; /* "": it has all */
};

static void look_for(const char *name, void *context)
{
	struct missing *missing = context;

	if (missing->name[0] == '\0' && layout_find_event(missing->layout, name) < 0)
		snprintf(missing->name, sizeof(missing->name), "%s", name);
}

bool replaying_add_metric(struct engine *engine, const char *definition,
			  const struct metric_info **info, size_t *position, struct error *error)
{
	struct missing missing = {.layout = &engine->source->layout};
	char message[FORMULA_ERROR_MAX];
	size_t metric;

	if (!metric_set_add(engine->metric_set, definition, info, position, message))
		return error_set(error, ERROR_FORMULA, message, NULL);
	metric = (size_t)metric_set_find(engine->metric_set, (*info)->name);
	metric_set_events(engine->metric_set, metric, look_for, &missing);
	if (missing.name[0] == '\0')
		return true;
	*position = metric_set_position(engine->metric_set, metric, missing.name);
	metric_set_take_back(engine->metric_set);
	return refuse_event(engine, missing.name, error);
}
