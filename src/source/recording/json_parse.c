/*
 * The texts of a recording read again (json.c writes them). They come from a file and may be
 * anything: what is missing, too large or of another kind makes the whole bad, and a layout must
 * agree with itself and follow from the one before.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"
#include "source/recording/json.h"
#include "source/recording/names.h"

enum {
	/* what a run can come to, far above what one does; memory follows these numbers */
	EVENTS_MAX = 4096,
	GROUPS_MAX = 1024,
	COUNTERS_MAX = 4096,
	NAME_BYTES = 32
};

/* Takes what an object holds; what is missing or of another kind makes it bad. */
struct taker {
	const json_t *object;
	bool is_bad;
};

static int64_t take_number(struct taker *taker, const char *key, int64_t most)
{
	const json_t *value = json_object_get(taker->object, key);
	const json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < 0 || number > most) {
		taker->is_bad = true;
		return 0;
	}
	return number;
}

static bool take_flag(struct taker *taker, const char *key)
{
	const json_t *value = json_object_get(taker->object, key);

	taker->is_bad = taker->is_bad || !json_is_boolean(value);
	return json_is_true(value);
}

static size_t text_of_array(const json_t *array, char *text, size_t size)
{
	size_t length = json_array_size(array);

	length = length < size ? length : size - 1;
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(unsigned char)json_integer_value(json_array_get(array, i));
	return length;
}

/* Cut to what there is room for. */
static void take_text(struct taker *taker, const char *key, char *text, size_t size)
{
	const json_t *value = json_object_get(taker->object, key);
	size_t length = 0;

	memset(text, 0, size);
	if (json_is_array(value)) {
		length = text_of_array(value, text, size);
	} else if (json_is_string(value)) {
		length = json_string_length(value) < size ? json_string_length(value) : size - 1;
		memcpy(text, json_string_value(value), length);
	} else {
		taker->is_bad = true;
	}
	text[length] = '\0';
}

/* The number of the one that is called so, of those up to `last`; false: none is. */
static bool take_name(struct taker *taker, const char *key, const char *(*name_of)(size_t number),
		      size_t last, size_t *number)
{
	char name[NAME_BYTES];

	take_text(taker, key, name, sizeof(name));
	for (*number = 0; *number <= last; ++*number)
		if (strcmp(name, name_of(*number)) == 0)
			return true;
	*number = 0;
	return false;
}

static const char *state_name(size_t number)
{
	return event_state_name((enum event_state)number);
}

static const char *scope_name(size_t number)
{
	return session_scope_name((enum session_scope)number);
}

static const char *queue_name(size_t number)
{
	return recording_queue_name((enum session_queue)number);
}

static const char *targets_name(size_t number)
{
	return recording_targets_name((enum target_pids_kind)number);
}

static bool parse_event(const json_t *value, struct event *event)
{
	struct taker taker = {.object = value};
	size_t state;
	const json_t *scale = json_object_get(value, "scale");
	const bool has_state = take_name(&taker, "state", state_name, EVENT_DENIED, &state);

	event->state = (enum event_state)state;
	take_text(&taker, "name", event->name, sizeof(event->name));
	take_text(&taker, "reason", event->reason, sizeof(event->reason));
	take_text(&taker, "unit", event->unit, sizeof(event->unit));
	event->is_contended = take_flag(&taker, "crowded");
	event->is_estimate = take_flag(&taker, "estimate");
	event->is_removed = take_flag(&taker, "removed");
	event->is_clock = take_flag(&taker, "clock");
	event->scale = json_is_real(scale) ? json_real_value(scale) : NAN;
	return has_state && !taker.is_bad;
}

static bool parse_counter(const json_t *value, const struct layout *layout, struct counter *counter)
{
	struct taker taker = {.object = value};

	counter->event = (uint16_t)take_number(&taker, "event", (int64_t)layout->event_count - 1);
	counter->group = (uint16_t)take_number(&taker, "group", (int64_t)layout->group_count - 1);
	counter->is_live = take_flag(&taker, "live");
	counter->place = (size_t)take_number(&taker, "place", (int64_t)layout->width - 1);
	return !taker.is_bad;
}

static bool parse_members(const json_t *array, const struct layout *layout,
			  struct event_group *group)
{
	if (!json_is_array(array) || json_array_size(array) > LAYOUT_GROUP_MEMBERS_MAX)
		return false;
	for (group->count = 0; group->count < json_array_size(array); group->count++) {
		const json_t *member = json_array_get(array, group->count);
		const json_int_t index = json_integer_value(member);

		if (!json_is_integer(member) || index < 0 ||
		    index >= (json_int_t)layout->counter_count)
			return false;
		group->counters[group->count] = (uint16_t)index;
	}
	return true;
}

static bool parse_group(const json_t *value, const struct layout *layout, struct event_group *group,
			uint32_t *leader)
{
	struct taker taker = {.object = value};
	const int64_t last_place = (int64_t)layout->width - 1;

	group->kind = (uint16_t)take_number(&taker, "kind", (int64_t)layout->kind_count - 1);
	group->turn = (uint16_t)take_number(&taker, "turn", UINT16_MAX);
	group->is_open = take_flag(&taker, "open");
	group->is_told = take_flag(&taker, "told");
	group->generation = (uint32_t)take_number(&taker, "generation", UINT32_MAX);
	group->place = (size_t)take_number(&taker, "place", last_place);
	group->slices_place = (size_t)take_number(&taker, "slices", last_place);
	*leader = (uint32_t)take_number(&taker, "leader", UINT32_MAX);
	return parse_members(json_object_get(value, "counters"), layout, group) && !taker.is_bad;
}

static bool parse_kind(const json_t *value, const struct layout *layout, struct cpu_kind *kind)
{
	struct taker taker = {.object = value};

	take_text(&taker, "name", kind->name, sizeof(kind->name));
	kind->clock = (uint16_t)take_number(&taker, "clock", (int64_t)layout->group_count - 1);
	return !taker.is_bad;
}

static bool is_array_of(const json_t *root, const char *key, size_t least, size_t most)
{
	const json_t *array = json_object_get(root, key);
	const size_t count = json_array_size(array);

	return json_is_array(array) && count >= least && count <= most;
}

/* How many there are of everything, and room for it. */
static bool begin_layout(const json_t *root, struct layout *layout, uint32_t **leaders)
{
	struct taker taker = {.object = root};
	size_t width_most;

	*layout = (struct layout){0};
	if (take_number(&taker, "version", RECORDING_LAYOUT_VERSION) != RECORDING_LAYOUT_VERSION ||
	    !is_array_of(root, "events", 0, EVENTS_MAX) ||
	    !is_array_of(root, "counters", 0, COUNTERS_MAX) ||
	    !is_array_of(root, "groups", 1, GROUPS_MAX) ||
	    !is_array_of(root, "kinds", 1, LAYOUT_KINDS_MAX))
		return false;
	layout->event_count = json_array_size(json_object_get(root, "events"));
	layout->counter_count = json_array_size(json_object_get(root, "counters"));
	layout->group_count = json_array_size(json_object_get(root, "groups"));
	layout->kind_count = json_array_size(json_object_get(root, "kinds"));
	/* every task has vectors of that */
	width_most = QUANTITY_BUILTIN + 2 * layout->group_count + layout->counter_count;
	layout->width = (size_t)take_number(&taker, "width", (int64_t)width_most);
	if (taker.is_bad || layout->width < QUANTITY_BUILTIN)
		return false;
	layout->events = xcalloc(layout->event_count, sizeof(*layout->events));
	layout->counters = xcalloc(layout->counter_count, sizeof(*layout->counters));
	layout->groups = xcalloc(layout->group_count, sizeof(*layout->groups));
	*leaders = xcalloc(layout->group_count, sizeof(**leaders));
	return true;
}

static bool parse_all(const json_t *root, struct layout *layout, uint32_t *leaders)
{
	const json_t *events = json_object_get(root, "events");
	const json_t *counters = json_object_get(root, "counters");
	const json_t *groups = json_object_get(root, "groups");
	const json_t *kinds = json_object_get(root, "kinds");
	bool good = true;

	for (size_t i = 0; i < layout->event_count && good; i++)
		good = parse_event(json_array_get(events, i), &layout->events[i]);
	for (size_t i = 0; i < layout->counter_count && good; i++)
		good = parse_counter(json_array_get(counters, i), layout, &layout->counters[i]);
	for (size_t i = 0; i < layout->group_count && good; i++)
		good = parse_group(json_array_get(groups, i), layout, &layout->groups[i],
				   &leaders[i]);
	for (size_t i = 0; i < layout->kind_count && good; i++)
		good = parse_kind(json_array_get(kinds, i), layout, &layout->kinds[i]);
	return good;
}

/* The members of an open group are counters that are live in it. */
static bool members_agree(const struct layout *layout)
{
	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		for (size_t i = 0; i < group->count; i++) {
			const struct counter *counter = &layout->counters[group->counters[i]];

			if (!group->is_open || counter->group != g || !counter->is_live)
				return false;
		}
	}
	return true;
}

/* A group that is what it was has as many members as it had: readings are compared by that. */
static bool follows(const struct layout *layout, const struct layout *before)
{
	if (layout->width < before->width || layout->event_count < before->event_count ||
	    layout->counter_count < before->counter_count ||
	    layout->group_count < before->group_count || layout->kind_count < before->kind_count)
		return false;
	for (size_t g = 0; g < before->group_count; g++) {
		const struct event_group *group = &layout->groups[g], *old = &before->groups[g];

		if (group->is_open && old->is_open && group->generation == old->generation &&
		    group->count != old->count)
			return false;
		if (group->is_open && !old->is_open && group->generation == old->generation)
			return false;
	}
	return true;
}

bool recording_parse_layout(const char *text, size_t size, const struct layout *before,
			    struct layout *layout, uint32_t **leaders)
{
	json_t *root = json_loadb(text, size, 0, NULL);
	bool good;

	*leaders = NULL;
	good = json_is_object(root) && begin_layout(root, layout, leaders) &&
	       parse_all(root, layout, *leaders) && members_agree(layout) &&
	       follows(layout, before);
	json_decref(root);
	if (good)
		return true;
	if (*leaders)
		layout_fini(layout);
	free(*leaders);
	*leaders = NULL;
	return false;
}

static bool parse_choices(struct taker *taker, struct session *session)
{
	size_t scope, queue;
	const bool good = take_name(taker, "scope", scope_name, SCOPE_TASKS, &scope) &&
			  take_name(taker, "queue", queue_name, QUEUE_RUN_DELAY, &queue);

	if (!good)
		return false;
	session->scope = (enum session_scope)scope;
	session->queue = (enum session_queue)queue;
	return true;
}

/* Unknown numbers are -1. */
static int take_place(struct taker *taker, const char *key)
{
	const json_t *value = json_object_get(taker->object, key);
	const json_int_t number = json_integer_value(value);

	taker->is_bad =
		taker->is_bad || !json_is_integer(value) || number < -1 || number > INT32_MAX;
	return (int)number;
}

static bool parse_place(const json_t *value, struct topology *topology)
{
	const int before = topology->count > 0 ? topology->places[topology->count - 1].cpu : -1;
	struct taker taker = {.object = value};
	struct cpu_place *place;
	const int cpu = take_place(&taker, "cpu");

	if (taker.is_bad || cpu <= before)
		return false;
	place = topology_add(topology, cpu);
	place->socket = take_place(&taker, "socket");
	place->core = take_place(&taker, "core");
	place->thread = take_place(&taker, "thread");
	place->node = take_place(&taker, "node");
	take_text(&taker, "kind", place->kind, sizeof(place->kind));
	return !taker.is_bad;
}

/* Earlier versions wrote nothing about it. */
static bool parse_topology(const json_t *array, struct topology *topology)
{
	bool good = !array || (json_is_array(array) && json_array_size(array) <= TOPOLOGY_CPUS_MAX);

	topology_fini(topology);
	for (size_t i = 0; good && i < json_array_size(array); i++)
		good = parse_place(json_array_get(array, i), topology);
	return good;
}

bool recording_parse_session(const char *text, size_t size, struct session *session,
			     struct topology *topology)
{
	json_t *root = json_loadb(text, size, 0, NULL);
	struct taker taker = {.object = root};
	const json_t *offset = json_object_get(root, "wall_offset_ns");
	bool good;

	*session = (struct session){0};
	take_text(&taker, "scope_words", session->scope_words, sizeof(session->scope_words));
	take_text(&taker, "scope_reason", session->scope_reason, sizeof(session->scope_reason));
	take_text(&taker, "scope_remedy", session->scope_remedy, sizeof(session->scope_remedy));
	take_text(&taker, "pmu_words", session->pmu_words, sizeof(session->pmu_words));
	take_text(&taker, "queue_words", session->queue_words, sizeof(session->queue_words));
	take_text(&taker, "others", session->others, sizeof(session->others));
	session->has_pmu = take_flag(&taker, "has_pmu");
	session->is_live = take_flag(&taker, "live");
	session->is_estimated = take_flag(&taker, "estimated");
	session->is_partial = take_flag(&taker, "partial");
	session->idle_is_shared = json_is_true(json_object_get(root, "idle_is_shared"));
	session->tells_yields = take_flag(&taker, "yields");
	session->cpu_count = (int)take_number(&taker, "cpu_count", INT32_MAX);
	session->unknown = (uint32_t)take_number(&taker, "unknown", UINT32_MAX);
	session->wall_offset_ns = json_integer_value(offset);
	good = parse_topology(json_object_get(root, "topology"), topology) &&
	       parse_choices(&taker, session) && json_is_integer(offset) && !taker.is_bad;
	session->topology = topology;
	json_decref(root);
	return good;
}

bool recording_parse_targets(const char *text, size_t size, struct target_pids *targets)
{
	json_t *root = json_loadb(text, size, 0, NULL);
	struct taker taker = {.object = root};
	const json_t *pids = json_object_get(root, "pids");
	size_t kind;
	bool good = take_name(&taker, "kind", targets_name, TARGET_PIDS_TREE, &kind) &&
		    json_is_array(pids) && !taker.is_bad;

	*targets =
		(struct target_pids){.kind = good ? (enum target_pids_kind)kind : TARGET_PIDS_ALL};
	for (size_t i = 0; good && i < json_array_size(pids); i++) {
		const json_t *pid = json_array_get(pids, i);
		const json_int_t number = json_integer_value(pid);

		good = json_is_integer(pid) && number > 0 && number <= INT32_MAX;
		if (good)
			target_pids_add(targets, (int32_t)number);
	}
	json_decref(root);
	if (!good)
		target_pids_fini(targets);
	return good;
}
