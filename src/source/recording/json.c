/*
 * JSON's texts are UTF-8; those that are not, since names are any bytes, become arrays of numbers.
 * JSON's whole numbers have a sign: what is larger is refused on the way in and does not occur on
 * the way out (places and generations count up from zero).
 */
#include "source/recording/json.h"

#include <jansson.h>
#include <math.h>

#include "base/memory.h"
#include "base/topology.h"
#include "source/recording/names.h"

/* jansson gives NULL when there is no memory, and what is built of it is NULL in the end. */
static json_t *made(json_t *value)
{
	if (!value)
		memory_exhausted();
	return value;
}

static json_t *text_value(const char *text)
{
	json_t *value = json_string(text);

	if (value)
		return value;
	value = made(json_array());
	for (const char *c = text; *c != '\0'; c++)
		json_array_append_new(value, made(json_integer((unsigned char)*c)));
	return value;
}

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, text_value(text));
}

static void set_number(json_t *object, const char *key, int64_t number)
{
	json_object_set_new(object, key, made(json_integer(number)));
}

static void set_flag(json_t *object, const char *key, bool flag)
{
	json_object_set_new(object, key, json_boolean(flag));
}

static char *dump_and_free(json_t *value)
{
	char *dumped = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));

	if (!dumped)
		memory_exhausted();
	json_decref(value);
	return dumped;
}

static json_t *event_value(const struct event *event)
{
	json_t *value = made(json_object());

	set_text(value, "name", event->name);
	set_text(value, "state", event_state_name(event->state));
	set_text(value, "reason", event->reason);
	set_text(value, "unit", event->unit);
	set_flag(value, "crowded", event->is_contended);
	set_flag(value, "estimate", event->is_estimate);
	set_flag(value, "removed", event->is_removed);
	set_flag(value, "clock", event->is_clock);
	if (isfinite(event->scale))
		json_object_set_new(value, "scale", made(json_real(event->scale)));
	return value;
}

static json_t *counter_value(const struct counter *counter)
{
	json_t *value = made(json_object());

	set_number(value, "event", counter->event);
	set_number(value, "group", counter->group);
	set_flag(value, "live", counter->is_live);
	set_number(value, "place", (int64_t)counter->place);
	return value;
}

static json_t *group_value(const struct event_group *group, uint32_t leader)
{
	json_t *value = made(json_object());
	json_t *counters = made(json_array());

	for (size_t i = 0; i < group->count; i++)
		json_array_append_new(counters, made(json_integer(group->counters[i])));
	json_object_set_new(value, "counters", counters);
	set_number(value, "kind", group->kind);
	set_number(value, "turn", group->turn);
	set_flag(value, "open", group->is_open);
	set_flag(value, "told", group->is_told);
	set_number(value, "generation", group->generation);
	set_number(value, "place", (int64_t)group->place);
	set_number(value, "slices", (int64_t)group->slices_place);
	set_number(value, "leader", leader);
	return value;
}

static json_t *kind_value(const struct cpu_kind *kind)
{
	json_t *value = made(json_object());

	set_text(value, "name", kind->name);
	set_number(value, "clock", kind->clock);
	return value;
}

char *recording_json_layout(const struct layout *layout, const uint32_t *leaders)
{
	json_t *root = made(json_object());
	json_t *events = made(json_array()), *counters = made(json_array());
	json_t *groups = made(json_array()), *kinds = made(json_array());

	for (size_t i = 0; i < layout->event_count; i++)
		json_array_append_new(events, event_value(&layout->events[i]));
	for (size_t i = 0; i < layout->counter_count; i++)
		json_array_append_new(counters, counter_value(&layout->counters[i]));
	for (size_t i = 0; i < layout->group_count; i++)
		json_array_append_new(groups, group_value(&layout->groups[i], leaders[i]));
	for (size_t i = 0; i < layout->kind_count; i++)
		json_array_append_new(kinds, kind_value(&layout->kinds[i]));
	set_number(root, "version", RECORDING_LAYOUT_VERSION);
	set_number(root, "width", (int64_t)layout->width);
	json_object_set_new(root, "events", events);
	json_object_set_new(root, "counters", counters);
	json_object_set_new(root, "groups", groups);
	json_object_set_new(root, "kinds", kinds);
	return dump_and_free(root);
}

const char *recording_queue_name(enum session_queue queue)
{
	switch (queue) {
	case QUEUE_UNKNOWN:
		return "unknown";
	case QUEUE_WAKEUPS:
		return "wakeups";
	case QUEUE_RUN_DELAY:
		return "run_delay";
	}
	return "";
}

static json_t *place_value(const struct cpu_place *place)
{
	json_t *value = made(json_object());

	set_number(value, "cpu", place->cpu);
	set_number(value, "socket", place->socket);
	set_number(value, "core", place->core);
	set_number(value, "thread", place->thread);
	set_number(value, "node", place->node);
	set_text(value, "kind", place->kind);
	return value;
}

static json_t *topology_value(const struct topology *topology)
{
	json_t *value = made(json_array());

	for (size_t i = 0; topology && i < topology->count; i++)
		json_array_append_new(value, place_value(&topology->places[i]));
	return value;
}

char *recording_json_session(const struct session *session)
{
	json_t *root = made(json_object());

	set_text(root, "scope", session_scope_name(session->scope));
	set_text(root, "scope_words", session->scope_words);
	set_text(root, "scope_reason", session->scope_reason);
	set_text(root, "scope_remedy", session->scope_remedy);
	set_text(root, "pmu_words", session->pmu_words);
	set_text(root, "queue", recording_queue_name(session->queue));
	set_text(root, "queue_words", session->queue_words);
	set_text(root, "others", session->others);
	set_flag(root, "has_pmu", session->has_pmu);
	set_flag(root, "live", session->is_live);
	set_flag(root, "estimated", session->is_estimated);
	set_flag(root, "partial", session->is_partial);
	set_flag(root, "idle_is_shared", session->idle_is_shared);
	set_flag(root, "yields", session->tells_yields);
	set_number(root, "wall_offset_ns", session->wall_offset_ns);
	set_number(root, "cpu_count", session->cpu_count);
	set_number(root, "unknown", session->unknown);
	json_object_set_new(root, "topology", topology_value(session->topology));
	return dump_and_free(root);
}

const char *recording_targets_name(enum target_pids_kind kind)
{
	switch (kind) {
	case TARGET_PIDS_ALL:
		return "all";
	case TARGET_PIDS_LIST:
		return "pids";
	case TARGET_PIDS_TREE:
		return "tree";
	}
	return "";
}

char *recording_json_targets(const struct target_pids *targets)
{
	json_t *root = made(json_object());
	json_t *pids = made(json_array());
	size_t cursor = 0;
	uint64_t pid;
	void *value;

	while (map_next(&targets->pids, &cursor, &pid, &value))
		json_array_append_new(pids, made(json_integer((int64_t)pid)));
	set_text(root, "kind", recording_targets_name(targets->kind));
	json_object_set_new(root, "pids", pids);
	return dump_and_free(root);
}
