/*
 * JSON's texts are UTF-8; those that are not, since names are any bytes, become arrays of numbers.
 * JSON's whole numbers have a sign: what is larger is refused on the way in and does not occur on
 * the way out (places and generations count up from zero).
 */
#include "source/tape_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"

enum {
	VERSION = 1, /* of what stands in layouts; another one is not read */
	/* what a run can come to, far above what one does; memory follows these numbers */
	EVENTS_MAX = 4096,
	GROUPS_MAX = 1024,
	COUNTERS_MAX = 4096
};

/* jansson gives NULL when there is no memory, and what is built of it is NULL in the end. */
static json_t *made(json_t *value)
{
	if (value == NULL)
		memory_exhausted();
	return value;
}

static json_t *text_value(const char *text)
{
	json_t *value = json_string(text);

	if (value != NULL)
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

	if (dumped == NULL)
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
	set_flag(value, "crowded", event->is_crowded);
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

char *tape_json_layout(const struct layout *layout, const uint32_t *leaders)
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
	set_number(root, "version", VERSION);
	set_number(root, "width", (int64_t)layout->width);
	json_object_set_new(root, "events", events);
	json_object_set_new(root, "counters", counters);
	json_object_set_new(root, "groups", groups);
	json_object_set_new(root, "kinds", kinds);
	return dump_and_free(root);
}

static const char *queue_name(enum session_queue queue)
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

	for (size_t i = 0; topology != NULL && i < topology->count; i++)
		json_array_append_new(value, place_value(&topology->places[i]));
	return value;
}

char *tape_json_session(const struct session *session)
{
	json_t *root = made(json_object());

	set_text(root, "scope", session_scope_name(session->scope));
	set_text(root, "scope_words", session->scope_words);
	set_text(root, "scope_reason", session->scope_reason);
	set_text(root, "scope_remedy", session->scope_remedy);
	set_text(root, "pmu_words", session->pmu_words);
	set_text(root, "queue", queue_name(session->queue));
	set_text(root, "queue_words", session->queue_words);
	set_text(root, "others", session->others);
	set_flag(root, "has_pmu", session->has_pmu);
	set_flag(root, "live", session->is_live);
	set_flag(root, "estimated", session->is_estimated);
	set_flag(root, "partial", session->is_partial);
	set_flag(root, "yields", session->tells_yields);
	set_number(root, "wall_offset_ns", session->wall_offset_ns);
	set_number(root, "cpu_count", session->cpu_count);
	set_number(root, "unknown", session->unknown);
	json_object_set_new(root, "topology", topology_value(session->topology));
	return dump_and_free(root);
}

static const char *wanted_name(enum wanted_kind kind)
{
	switch (kind) {
	case WANTED_ALL:
		return "all";
	case WANTED_PIDS:
		return "pids";
	case WANTED_TREE:
		return "tree";
	}
	return "";
}

char *tape_json_wanted(const struct wanted *wanted)
{
	json_t *root = made(json_object());
	json_t *pids = made(json_array());
	size_t cursor = 0;
	uint64_t pid;
	void *value;

	while (map_next(&wanted->pids, &cursor, &pid, &value))
		json_array_append_new(pids, made(json_integer((int64_t)pid)));
	set_text(root, "kind", wanted_name(wanted->kind));
	json_object_set_new(root, "pids", pids);
	return dump_and_free(root);
}

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

static bool take_state(struct taker *taker, enum event_state *state)
{
	char name[32];

	take_text(taker, "state", name, sizeof(name));
	for (*state = EVENT_COUNTING; *state <= EVENT_DENIED; (*state)++) {
		if (strcmp(name, event_state_name(*state)) == 0)
			return true;
	}
	*state = EVENT_UNSUPPORTED;
	return false;
}

static bool parse_event(const json_t *value, struct event *event)
{
	struct taker taker = {.object = value};
	const json_t *scale = json_object_get(value, "scale");

	take_text(&taker, "name", event->name, sizeof(event->name));
	take_text(&taker, "reason", event->reason, sizeof(event->reason));
	take_text(&taker, "unit", event->unit, sizeof(event->unit));
	event->is_crowded = take_flag(&taker, "crowded");
	event->is_estimate = take_flag(&taker, "estimate");
	event->is_removed = take_flag(&taker, "removed");
	event->is_clock = take_flag(&taker, "clock");
	event->scale = json_is_real(scale) ? json_real_value(scale) : NAN;
	return take_state(&taker, &event->state) && !taker.is_bad;
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
	if (take_number(&taker, "version", VERSION) != VERSION ||
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

bool tape_parse_layout(const char *text, size_t size, const struct layout *before,
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
	if (*leaders != NULL)
		layout_fini(layout);
	free(*leaders);
	*leaders = NULL;
	return false;
}

static bool parse_choices(struct taker *taker, struct session *session)
{
	char scope[16], queue[16];

	take_text(taker, "scope", scope, sizeof(scope));
	take_text(taker, "queue", queue, sizeof(queue));
	session->scope =
		strcmp(scope, session_scope_name(SCOPE_TASKS)) == 0 ? SCOPE_TASKS : SCOPE_SYSTEM;
	for (enum session_queue i = QUEUE_UNKNOWN; i <= QUEUE_RUN_DELAY; i++) {
		if (strcmp(queue, queue_name(i)) == 0)
			session->queue = i;
	}
	return strcmp(scope, session_scope_name(session->scope)) == 0 &&
	       strcmp(queue, queue_name(session->queue)) == 0;
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

/* Earlier versions told nothing of it. */
static bool parse_topology(const json_t *array, struct topology *topology)
{
	bool good = array == NULL ||
		    (json_is_array(array) && json_array_size(array) <= TOPOLOGY_CPUS_MAX);

	topology_fini(topology);
	for (size_t i = 0; good && i < json_array_size(array); i++)
		good = parse_place(json_array_get(array, i), topology);
	return good;
}

bool tape_parse_session(const char *text, size_t size, struct session *session,
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

static bool take_kind(struct taker *taker, enum wanted_kind *kind)
{
	char name[16];

	take_text(taker, "kind", name, sizeof(name));
	for (*kind = WANTED_ALL; *kind <= WANTED_TREE; (*kind)++) {
		if (strcmp(name, wanted_name(*kind)) == 0)
			return true;
	}
	return false;
}

bool tape_parse_wanted(const char *text, size_t size, struct wanted *wanted)
{
	json_t *root = json_loadb(text, size, 0, NULL);
	struct taker taker = {.object = root};
	const json_t *pids = json_object_get(root, "pids");
	enum wanted_kind kind;
	bool good = take_kind(&taker, &kind) && json_is_array(pids) && !taker.is_bad;

	*wanted = (struct wanted){.kind = good ? kind : WANTED_ALL};
	for (size_t i = 0; good && i < json_array_size(pids); i++) {
		const json_t *pid = json_array_get(pids, i);
		const json_int_t number = json_integer_value(pid);

		good = json_is_integer(pid) && number > 0 && number <= INT32_MAX;
		if (good)
			wanted_add(wanted, (int32_t)number);
	}
	json_decref(root);
	if (!good)
		wanted_fini(wanted);
	return good;
}
