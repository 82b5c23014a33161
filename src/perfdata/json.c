/*
 * One function for each thing says what is in its object, whether it is written or read, so that
 * the two cannot differ.
 *
 * JSON's texts are UTF-8; those that are not, since names are any bytes, become arrays of numbers.
 * JSON's whole numbers have a sign: what is larger is refused on the way in and does not occur on
 * the way out (places and generations count up from zero).
 *
 * What is read may be anything: what is missing, too large or of another kind makes the whole bad,
 * and a layout must agree with itself and follow from the one before.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"

#include "perfdata/notes.h"

enum {
	VERSION = 3, /* of recordings, which their layouts say: others are not read */
	/* what a run can have, far above what one has; memory follows these numbers */
	EVENTS_MAX = 4096,
	GROUPS_MAX = 1024,
	COUNTERS_MAX = 4096,
	NAME_BYTES = 32
};

/* Fills an object, or takes what it has; what is missing or of another kind makes it bad. */
struct coder {
	json_t *object;
	bool is_writing, is_bad;
};

/* jansson gives NULL when there is no memory, and what is built of it is NULL in the end. */
static json_t *made(json_t *value)
{
	if (!value)
		memory_exhausted();
	return value;
}

/* NULL: it is no JSON. Where jansson has no memory even to begin, it gives no code. */
static json_t *parse_json(const char *text, size_t size)
{
	json_error_t error = {0};
	json_t *root = json_loadb(text, size, 0, &error);
	const enum json_error_code code = root ? json_error_wrong_type : json_error_code(&error);

	if (code == json_error_out_of_memory || code == json_error_unknown)
		memory_exhausted();
	return root;
}

static struct coder writer(void)
{
	return (struct coder){.object = made(json_object()), .is_writing = true};
}

/* Of a value that need not be an object, and is not changed. */
static struct coder reader(const json_t *value)
{
	return (struct coder){.object = (json_t *)value};
}

static json_t *array_of(struct coder *coder, const char *key)
{
	json_t *array = made(json_array());

	json_object_set_new(coder->object, key, array);
	return array;
}

static int64_t code_json_number(struct coder *coder, const char *key, int64_t number, int64_t least,
				int64_t most)
{
	const json_t *value;

	if (coder->is_writing) {
		json_object_set_new(coder->object, key, made(json_integer(number)));
		return number;
	}
	value = json_object_get(coder->object, key);
	number = json_integer_value(value);
	if (json_is_integer(value) && number >= least && number <= most)
		return number;
	coder->is_bad = true;
	return 0;
}

static size_t code_size(struct coder *coder, const char *key, size_t number, size_t end)
{
	return (size_t)code_json_number(coder, key, (int64_t)number, 0, (int64_t)end - 1);
}

static uint32_t code_u32(struct coder *coder, const char *key, uint32_t number)
{
	return (uint32_t)code_json_number(coder, key, number, 0, UINT32_MAX);
}

static void code_flag(struct coder *coder, const char *key, bool *flag)
{
	const json_t *value;

	if (coder->is_writing) {
		json_object_set_new(coder->object, key, json_boolean(*flag));
		return;
	}
	value = json_object_get(coder->object, key);
	coder->is_bad = coder->is_bad || !json_is_boolean(value);
	*flag = json_is_true(value);
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

static size_t text_of_array(const json_t *array, char *text, size_t size)
{
	size_t length = json_array_size(array);

	length = length < size ? length : size - 1;
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(unsigned char)json_integer_value(json_array_get(array, i));
	return length;
}

/* What is read is cut to what there is room for. */
static void code_json_text(struct coder *coder, const char *key, char *text, size_t size)
{
	const json_t *value;
	size_t length = 0;

	if (coder->is_writing) {
		json_object_set_new(coder->object, key, text_value(text));
		return;
	}
	value = json_object_get(coder->object, key);
	memset(text, 0, size);
	if (json_is_array(value)) {
		length = text_of_array(value, text, size);
	} else if (json_is_string(value)) {
		length = json_string_length(value) < size ? json_string_length(value) : size - 1;
		memcpy(text, json_string_value(value), length);
	} else {
		coder->is_bad = true;
	}
	text[length] = '\0';
}

/* A number up to `last` by its name. */
static size_t code_json_name(struct coder *coder, const char *key,
			     const char *(*name_of)(size_t number), size_t last, size_t number)
{
	char name[NAME_BYTES];

	if (coder->is_writing) {
		json_object_set_new(coder->object, key, text_value(name_of(number)));
		return number;
	}
	code_json_text(coder, key, name, sizeof(name));
	for (number = 0; number <= last; number++)
		if (strcmp(name, name_of(number)) == 0)
			return number;
	coder->is_bad = true;
	return 0;
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
	switch ((enum session_queue)number) {
	case QUEUE_UNKNOWN:
		return "unknown";
	case QUEUE_WAKEUPS:
		return "wakeups";
	case QUEUE_RUN_DELAY:
		return "run_delay";
	}
	return "";
}

static const char *targets_name(size_t number)
{
	switch ((enum target_pids_kind)number) {
	case TARGET_PIDS_ALL:
		return "all";
	case TARGET_PIDS_LIST:
		return "pids";
	case TARGET_PIDS_TREE:
		return "tree";
	}
	return "";
}

/* JSON has no NaN: that of an unknown scale is left out. */
static void code_scale(struct coder *coder, double *scale)
{
	const json_t *value = json_object_get(coder->object, "scale");

	if (!coder->is_writing)
		*scale = json_is_real(value) ? json_real_value(value) : NAN;
	else if (isfinite(*scale))
		json_object_set_new(coder->object, "scale", made(json_real(*scale)));
}

static void code_event(struct coder *coder, struct event *event)
{
	code_json_text(coder, "name", event->name, sizeof(event->name));
	event->state = (enum event_state)code_json_name(coder, "state", state_name, EVENT_DENIED,
							event->state);
	code_json_text(coder, "reason", event->reason, sizeof(event->reason));
	code_json_text(coder, "unit", event->unit, sizeof(event->unit));
	code_flag(coder, "contended", &event->is_contended);
	code_flag(coder, "estimate", &event->is_estimate);
	code_flag(coder, "removed", &event->is_removed);
	code_flag(coder, "clock", &event->is_clock);
	code_scale(coder, &event->scale);
}

/* An index of a counts vector, counted from behind the quantities that every vector has. */
static size_t code_index(struct coder *coder, const char *name, size_t index, size_t width)
{
	return code_size(coder, name, index - QUANTITY_BUILTIN, width - QUANTITY_BUILTIN) +
	       QUANTITY_BUILTIN;
}

static void code_counter(struct coder *coder, const struct layout *layout, struct counter *counter)
{
	counter->event = (uint16_t)code_size(coder, "event", counter->event, layout->event_count);
	counter->group = (uint16_t)code_size(coder, "group", counter->group, layout->group_count);
	code_flag(coder, "live", &counter->is_live);
	counter->value_index = code_index(coder, "index", counter->value_index, layout->width);
}

static void put_members(struct coder *coder, const struct event_group *group)
{
	json_t *array = array_of(coder, "counters");

	for (size_t i = 0; i < group->count; i++)
		json_array_append_new(array, made(json_integer(group->counters[i])));
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
		group->value_indexes[group->count] = (uint32_t)layout->counters[index].value_index;
	}
	return true;
}

static void code_group(struct coder *coder, const struct layout *layout, struct event_group *group,
		       uint32_t *leader)
{
	if (coder->is_writing)
		put_members(coder, group);
	else
		coder->is_bad =
			!parse_members(json_object_get(coder->object, "counters"), layout, group);
	group->kind = (uint16_t)code_size(coder, "kind", group->kind, layout->kind_count);
	group->rotation = (uint16_t)code_size(coder, "rotation", group->rotation, UINT16_MAX + 1);
	code_flag(coder, "open", &group->is_open);
	code_flag(coder, "reported", &group->is_reported);
	code_flag(coder, "needs_counters", &group->needs_counters);
	group->generation = code_u32(coder, "generation", group->generation);
	group->value_index = code_index(coder, "index", group->value_index, layout->width);
	group->slices_index = code_index(coder, "slices", group->slices_index, layout->width);
	*leader = code_u32(coder, "leader", *leader);
}

static void code_kind(struct coder *coder, const struct layout *layout, struct cpu_kind *kind)
{
	code_json_text(coder, "name", kind->name, sizeof(kind->name));
	kind->clock = (uint16_t)code_size(coder, "clock", kind->clock, layout->group_count);
}

static char *dump_and_free(json_t *value)
{
	char *dumped = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));

	if (!dumped)
		memory_exhausted();
	json_decref(value);
	return dumped;
}

/* The object at this place of an array: a new one, or the one that is there. */
static struct coder element(const struct coder *root, const char *key, size_t index)
{
	json_t *array = json_object_get(root->object, key);
	struct coder coder;

	if (!root->is_writing)
		return reader(json_array_get(array, index));
	coder = writer();
	json_array_append_new(array, coder.object);
	return coder;
}

/* Everything there is room for. */
static void code_layout(struct coder *root, struct layout *layout, uint32_t *leaders)
{
	static const char *const keys[] = {"events", "counters", "groups", "kinds"};
	const size_t counts[] = {layout->event_count, layout->counter_count, layout->group_count,
				 layout->kind_count};

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		for (size_t i = 0; i < counts[k] && !root->is_bad; i++) {
			struct coder coder = element(root, keys[k], i);

			if (k == 0)
				code_event(&coder, &layout->events[i]);
			else if (k == 1)
				code_counter(&coder, layout, &layout->counters[i]);
			else if (k == 2)
				code_group(&coder, layout, &layout->groups[i], &leaders[i]);
			else
				code_kind(&coder, layout, &layout->kinds[i]);
			root->is_bad = coder.is_bad;
		}
	}
}

char *recording_json_layout(const struct layout *layout, uint32_t *leaders)
{
	struct coder root = writer();
	struct layout copy = {0};

	layout_copy(&copy, layout);
	code_json_number(&root, "version", VERSION, 0, VERSION);
	code_index(&root, "width", layout->width, layout->width + 1);
	array_of(&root, "events");
	array_of(&root, "counters");
	array_of(&root, "groups");
	array_of(&root, "kinds");
	code_layout(&root, &copy, leaders);
	layout_fini(&copy);
	return dump_and_free(root.object);
}

/* How many there are in an array; it is bad when there are fewer or more than there may be. */
static size_t json_count(struct coder *coder, const char *key, size_t least, size_t most)
{
	const json_t *array = json_object_get(coder->object, key);
	const size_t count = json_array_size(array);

	coder->is_bad = coder->is_bad || !json_is_array(array) || count < least || count > most;
	return count;
}

/* How many there are of everything, and room for it. */
static bool begin_layout(const json_t *root, struct layout *layout, uint32_t **leaders)
{
	struct coder coder = reader(root);
	size_t width_most;

	*layout = (struct layout){0};
	code_json_number(&coder, "version", 0, VERSION, VERSION);
	layout->event_count = json_count(&coder, "events", 0, EVENTS_MAX);
	layout->counter_count = json_count(&coder, "counters", 0, COUNTERS_MAX);
	layout->group_count = json_count(&coder, "groups", 1, GROUPS_MAX);
	layout->kind_count = json_count(&coder, "kinds", 1, LAYOUT_KINDS_MAX);
	/* every task has vectors of that */
	width_most = QUANTITY_BUILTIN + 2 * layout->group_count + layout->counter_count;
	layout->width = code_index(&coder, "width", 0, width_most + 1);
	if (coder.is_bad)
		return false;
	layout->events = xcalloc(layout->event_count, sizeof(*layout->events));
	layout->counters = xcalloc(layout->counter_count, sizeof(*layout->counters));
	layout->groups = xcalloc(layout->group_count, sizeof(*layout->groups));
	*leaders = xcalloc(layout->group_count, sizeof(**leaders));
	return true;
}

static bool is_in_its_group(const struct layout *layout, size_t index)
{
	const struct event_group *group = &layout->groups[layout->counters[index].group];

	for (size_t i = 0; i < group->count; i++)
		if (group->counters[i] == index)
			return true;
	return false;
}

/* The members of an open group are the counters that are live in it. */
static bool members_agree(const struct layout *layout)
{
	for (size_t i = 0; i < layout->counter_count; i++)
		if (layout->counters[i].is_live && !is_in_its_group(layout, i))
			return false;
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

/* Takes an index of a counts vector that nothing else has. */
static bool take_index(bool *taken, size_t index)
{
	const bool is_free = !taken[index];

	taken[index] = true;
	return is_free;
}

/* What is counted never adds to a quantity, nor to what another counter has counted. */
static bool indexes_differ(const struct layout *layout)
{
	bool *taken = xcalloc(layout->width, sizeof(*taken)), differ = true;

	for (size_t i = 0; i < layout->counter_count; i++)
		differ = take_index(taken, layout->counters[i].value_index) && differ;
	for (size_t g = 0; g < layout->group_count; g++)
		differ = take_index(taken, layout->groups[g].value_index) &&
			 take_index(taken, layout->groups[g].slices_index) && differ;
	free(taken);
	return differ;
}

/* A group that is what it was has as many members as it had: readings are compared by that. */
static bool layout_follows(const struct layout *layout, const struct layout *before)
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
	json_t *root = parse_json(text, size);
	struct coder coder = reader(root);
	bool good;

	*leaders = NULL;
	good = json_is_object(root) && begin_layout(root, layout, leaders);
	if (good)
		code_layout(&coder, layout, *leaders);
	good = good && !coder.is_bad && members_agree(layout) && indexes_differ(layout) &&
	       layout_follows(layout, before);
	json_decref(root);
	if (good)
		return true;
	if (*leaders)
		layout_fini(layout);
	free(*leaders);
	*leaders = NULL;
	return false;
}

/* Unknown numbers are -1. */
static int code_location_number(struct coder *coder, const char *key, int number)
{
	return (int)code_json_number(coder, key, number, -1, INT32_MAX);
}

static void code_location(struct coder *coder, struct cpu_location *place)
{
	place->socket = code_location_number(coder, "socket", place->socket);
	place->core = code_location_number(coder, "core", place->core);
	place->thread = code_location_number(coder, "thread", place->thread);
	place->node = code_location_number(coder, "node", place->node);
	code_json_text(coder, "kind", place->kind, sizeof(place->kind));
}

static void put_topology(struct coder *root, const struct topology *topology)
{
	array_of(root, "topology");
	for (size_t i = 0; topology && i < topology->count; i++) {
		struct coder coder = element(root, "topology", i);
		struct cpu_location place = topology->cpus[i];

		code_location_number(&coder, "cpu", place.cpu);
		code_location(&coder, &place);
	}
}

static bool parse_location(const json_t *value, struct topology *topology)
{
	const int before = topology->count > 0 ? topology->cpus[topology->count - 1].cpu : -1;
	struct coder coder = reader(value);
	const int cpu = code_location_number(&coder, "cpu", -1);

	if (coder.is_bad || cpu <= before)
		return false;
	code_location(&coder, topology_add(topology, cpu));
	return !coder.is_bad;
}

static bool parse_topology(const json_t *array, struct topology *topology)
{
	bool good = json_is_array(array) && json_array_size(array) <= TOPOLOGY_CPUS_MAX;

	topology_fini(topology);
	for (size_t i = 0; good && i < json_array_size(array); i++)
		good = parse_location(json_array_get(array, i), topology);
	return good;
}

static void code_session(struct coder *coder, struct session *session)
{
	session->scope = (enum session_scope)code_json_name(coder, "scope", scope_name, SCOPE_TASKS,
							    session->scope);
	session->queue = (enum session_queue)code_json_name(coder, "queue", queue_name,
							    QUEUE_RUN_DELAY, session->queue);
	code_json_text(coder, "scope_words", session->scope_words, sizeof(session->scope_words));
	code_json_text(coder, "scope_reason", session->scope_reason, sizeof(session->scope_reason));
	code_json_text(coder, "pmu_words", session->pmu_words, sizeof(session->pmu_words));
	code_json_text(coder, "queue_words", session->queue_words, sizeof(session->queue_words));
	code_json_text(coder, "others", session->others, sizeof(session->others));
	code_flag(coder, "has_pmu", &session->has_pmu);
	code_flag(coder, "live", &session->is_live);
	code_flag(coder, "estimated", &session->is_estimated);
	code_flag(coder, "partial", &session->is_partial);
	code_flag(coder, "yields", &session->has_yields);
	if (coder->is_writing || json_object_get(coder->object, "states")) /* not in older ones */
		code_flag(coder, "states", &session->has_states);
	if (coder->is_writing || json_object_get(coder->object, "cost_reason")) /* likewise */
		code_json_text(coder, "cost_reason", session->cost_reason,
			       sizeof(session->cost_reason));
	code_flag(coder, "idle_is_shared", &session->idle_is_shared);
	code_flag(coder, "clock_stops", &session->clock_stops);
	session->sampling = (enum session_sampling)code_json_number(
		coder, "sampling", session->sampling, SAMPLING_OFF, SAMPLING_EVENTS);
	code_json_text(coder, "sampling_words", session->sampling_words,
		       sizeof(session->sampling_words));
	session->chains = (enum session_chains)code_json_number(
		coder, "chains", session->chains, CHAINS_BY_FRAME_POINTERS, CHAINS_NOT_SAMPLED);
	code_json_text(coder, "sampling_event", session->sampling_event,
		       sizeof(session->sampling_event));
	code_flag(coder, "addresses", &session->has_addresses);
	code_flag(coder, "estimates", &session->samples_are_estimates);
	session->sampling_hz = code_u32(coder, "sampling_hz", session->sampling_hz);
	code_json_text(coder, "uncounted", session->uncounted, sizeof(session->uncounted));
	code_flag(coder, "off_cpu", &session->off_cpu.are_taken);
	code_flag(coder, "unplaced", &session->off_cpu.are_estimates);
	code_json_text(coder, "off_cpu_words", session->off_cpu.words,
		       sizeof(session->off_cpu.words));
	session->off_cpu.pid =
		(int32_t)code_json_number(coder, "off_cpu_pid", session->off_cpu.pid, 0, INT32_MAX);
	code_flag(coder, "wakers", &session->wakers.are_taken);
	code_flag(coder, "unsampled_wakeups", &session->wakers.are_estimates);
	code_json_text(coder, "waker_words", session->wakers.words, sizeof(session->wakers.words));
	code_flag(coder, "branches", &session->has_branches);
	code_flag(coder, "accesses", &session->samples_are_accesses);
	if (!coder->is_writing)
		session->has_accesses = session->samples_are_accesses;
	session->wall_offset_ns = code_json_number(coder, "wall_offset_ns", session->wall_offset_ns,
						   INT64_MIN, INT64_MAX);
	session->cpu_count =
		(int)code_json_number(coder, "cpu_count", session->cpu_count, 0, INT32_MAX);
	session->unknown = code_u32(coder, "unknown", session->unknown);
}

char *recording_json_session(const struct session *session)
{
	struct coder root = writer();
	struct session copy = *session;

	code_session(&root, &copy);
	put_topology(&root, session->topology);
	return dump_and_free(root.object);
}

bool recording_parse_session(const char *text, size_t size, struct session *session,
			     struct topology *topology)
{
	json_t *root = parse_json(text, size);
	struct coder coder = reader(root);
	bool good;

	*session = (struct session){0};
	code_session(&coder, session);
	good = parse_topology(json_object_get(root, "topology"), topology) && !coder.is_bad;
	session->topology = topology;
	json_decref(root);
	return good;
}

char *recording_json_targets(const struct target_pids *targets)
{
	struct coder root = writer();
	json_t *pids = array_of(&root, "pids");

	for (const struct map_slot *each = NULL; (each = map_next(&targets->pids, each));)
		json_array_append_new(pids, made(json_integer((int64_t)each->key)));
	code_json_name(&root, "kind", targets_name, TARGET_PIDS_TREE, targets->kind);
	return dump_and_free(root.object);
}

bool recording_parse_targets(const char *text, size_t size, struct target_pids *targets)
{
	json_t *root = parse_json(text, size);
	struct coder coder = reader(root);
	const json_t *pids = json_object_get(root, "pids");
	const size_t kind = code_json_name(&coder, "kind", targets_name, TARGET_PIDS_TREE, 0);
	bool good = json_is_array(pids) && !coder.is_bad;

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
