/*
 * What is read at a switch is exact, and so are occurrences of which each was sampled (period 1).
 * All else that has samples is an estimate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/generic.h"
#include "kernel/spec.h"
#include "model/session.h"

#include "perfdata/reader.h"
#include "perfdata/replaying.h"

enum {
	GROUPS_MAX = 60,
	FORMATS_MAX = 256 /* events with a role: more are not believed */
};

void replay_events_init(struct replay_events *events, struct layout *layout)
{
	*events = (struct replay_events){
		.layout = layout,
		.run_event = -1,
		.profile_event = -1,
		.sampled_group = {-1, -1},
	};
}

void replay_events_fini(struct replay_events *events)
{
	free(events->events);
	*events = (struct replay_events){0};
}

static bool is_software(const struct perfdata_event *event, uint64_t config)
{
	return event->type == EVENT_TYPE_SOFTWARE && event->config == config;
}

static bool is_mute(const struct perfdata_event *event)
{
	return is_software(event, EVENT_SW_DUMMY) || is_software(event, EVENT_SW_BPF_OUTPUT);
}

static bool is_of_pmu(const struct perfdata_event *event)
{
	return event->type != EVENT_TYPE_SOFTWARE && event->type != EVENT_TYPE_TRACEPOINT &&
	       event->type != EVENT_TYPE_BREAKPOINT;
}

/* {context-switches/period=1/,...}:S */
static bool is_switch_leader(const struct perfdata_event *event, size_t index)
{
	const uint64_t group = DECODED_FORMAT_GROUP | DECODED_FORMAT_ID;

	return is_software(event, EVENT_SW_CONTEXT_SWITCHES) && event->leader == index &&
	       !event->is_frequency && event->period == 1 &&
	       (event->format.sample_type & DECODED_HAS_READ) != 0 &&
	       (event->format.read_format & group) == group;
}

struct role_row {
	const char *name;
	enum replay_role role;
	const char *tid, *state; /* names of fields */
	bool is_of_waker;        /* the waker runs; a wake-up may end on another CPU */
};

/* clang-format off */
static const struct role_row role_table[] = {
	{"sched:sched_switch",              REPLAY_ROLE_SWITCH, "next_pid", "prev_state", false},
	{"sched:sched_waking",              REPLAY_ROLE_WAKING, "pid",      NULL, true},
	{"sched:sched_wakeup",              REPLAY_ROLE_WAKING, "pid",      NULL, false},
	{"sched:sched_wakeup_new",          REPLAY_ROLE_NEWBORN, "pid",     NULL, true},
	{"syscalls:sys_enter_sched_yield",  REPLAY_ROLE_YIELD,  NULL,       NULL, false},
};
/* clang-format on */

static const struct role_row *find_role(const struct perfdata_event *event)
{
	for (size_t i = 0; i < sizeof(role_table) / sizeof(role_table[0]); i++)
		if (event->type == EVENT_TYPE_TRACEPOINT &&
		    strcmp(role_table[i].name, event->name) == 0)
			return &role_table[i];
	return NULL;
}

static void find_fields(struct replay_events *events, size_t index,
			const struct perfdata_event *event, const struct perfdata_info *info)
{
	struct replay_event *made = &events->events[index];
	const struct role_row *row = find_role(event);
	char *format;

	made->role = REPLAY_ROLE_NONE;
	if (!row || (event->format.sample_type & DECODED_HAS_RAW) == 0 ||
	    events->formats_read == FORMATS_MAX)
		return;
	events->formats_read++;
	format = perfdata_find_format(info, event->config);
	if (format && (!row->tid || tracepoint_parse_field(format, row->tid, &made->tid)) &&
	    (!row->state || tracepoint_parse_field(format, row->state, &made->state)))
		made->role = row->role;
	made->is_of_waker = row->is_of_waker;
	if (format && row->state)
		made->states = task_states_parse(format);
	free(format);
}

/* What the events together report, those before `from` being known. */
static void look_around(struct replay_events *events, const struct perfdata_event *all, size_t from)
{
	for (size_t i = from; i < events->count; i++) {
		const struct replay_event *event = &events->events[i];

		events->reports_switches = events->reports_switches || all[i].reports_switches;
		events->reads_switches = events->reads_switches || event->is_switch_leader;
		events->has_waking = events->has_waking || event->role == REPLAY_ROLE_WAKING;
		events->has_newborn = events->has_newborn || event->role == REPLAY_ROLE_NEWBORN;
		events->reports_yields = events->reports_yields || event->role == REPLAY_ROLE_YIELD;
		events->has_switches = events->has_switches || event->role == REPLAY_ROLE_SWITCH;
		events->has_branches = events->has_branches || decode_has_branches(&all[i].format);
		events->has_accesses = events->has_accesses ||
				       (all[i].format.sample_type & DECODED_HAS_DATA_SRC) != 0;
		if (!is_of_pmu(&all[i]))
			continue;
		events->is_user_only = (events->is_user_only || !events->has_hardware) &&
				       all[i].exclude_kernel && !all[i].exclude_user;
		events->has_hardware = true;
	}
	events->traces_switches =
		events->has_switches && !events->reports_switches && events->is_system;
	/* of the newborn only, or of all others, would be half the truth */
	events->reports_waking = events->has_waking && events->has_newborn;
}

static bool says_counts(const struct replay_event *event)
{
	if (event->is_exact || event->is_switch_leader)
		return false;
	return event->has_readings || event->has_periods || event->period > 0;
}

/* Run time is known by samples of a clock where nothing reports it better. */
static void find_run_event(struct replay_events *events, const struct perfdata_event *all,
			   size_t from)
{
	static const uint64_t clocks[] = {EVENT_SW_CPU_CLOCK, EVENT_SW_TASK_CLOCK};

	if (events->reports_switches || events->traces_switches ||
	    (events->reads_switches && events->is_system)) {
		events->run_event = -1;
		return;
	}
	for (size_t c = 0; c < 2 && events->run_event < 0; c++) {
		for (size_t i = from; i < events->count && events->run_event < 0; i++)
			if (is_software(&all[i], clocks[c]) && says_counts(&events->events[i]))
				events->run_event = (int)i;
	}
}

/* A wake-up is reported once: when it begins, where that was recorded. */
static void prefer_waking(struct replay_events *events, const struct perfdata_event *all,
			  size_t from)
{
	const bool was_preferred = events->prefers_waking;

	for (size_t i = from; i < events->count; i++)
		events->prefers_waking =
			events->prefers_waking || (events->events[i].role == REPLAY_ROLE_WAKING &&
						   strcmp(all[i].name, "sched:sched_waking") == 0);
	for (size_t i = was_preferred ? from : 0; i < events->count && events->prefers_waking; i++)
		if (strcmp(all[i].name, "sched:sched_wakeup") == 0)
			events->events[i].role = REPLAY_ROLE_NONE;
}

static struct replay_event make_event(const struct perfdata_event *all, size_t index)
{
	const struct perfdata_event *event = &all[index];
	const size_t leader = event->leader;

	return (struct replay_event){
		.is_switch_leader = is_switch_leader(event, index),
		.is_exact = leader != index && is_switch_leader(&all[leader], leader),
		.is_clock = is_software(event, EVENT_SW_CPU_CLOCK) ||
			    is_software(event, EVENT_SW_TASK_CLOCK),
		.has_readings = (event->format.sample_type & DECODED_HAS_READ) != 0 &&
				(event->format.read_format & DECODED_FORMAT_ID) != 0,
		.has_periods = (event->format.sample_type & DECODED_HAS_PERIOD) != 0,
		.period = event->is_frequency ? 0 : event->period,
		.is_mute = is_mute(event),
		.group = -1,
	};
}

void replay_events_learn(struct replay_events *events, const struct perfdata *file)
{
	const struct perfdata_info *info = perfdata_info(file);
	const size_t before = events->count;
	const struct perfdata_event *all = perfdata_events(file, &events->count);
	/* once in a file the roles of all events become known */
	const size_t from = info->tracing != events->tracing ? 0 : before;

	if (from == 0)
		events->formats_read = 0;
	array_reserve(&events->events, &events->capacity, events->count, sizeof(*events->events));
	for (size_t i = before; i < events->count; i++)
		events->events[i] = make_event(all, i);
	for (size_t i = from; i < events->count; i++)
		find_fields(events, i, &all[i], info);
	events->tracing = info->tracing;
	prefer_waking(events, all, from);
	look_around(events, all, from);
	find_run_event(events, all, before);
	replay_events_find_profile(events, all, from);
}

static bool know_run(const struct replay_events *events)
{
	return events->reports_switches || events->traces_switches || events->run_event >= 0 ||
	       (events->reads_switches && events->is_system);
}

/* ":ppp" and the like are about how it was sampled, ":u" and ":k" about what was counted. */
static size_t length_without_modifiers(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (!colon || colon[1] == '\0' || colon[1 + strspn(colon + 1, "ukhIGHpPSDWebR")] != '\0')
		return strlen(name);
	return (size_t)(colon - name);
}

/* Two aliases are more usual than the names. */
static const char *usual_name(const struct generic_event *generic)
{
	const bool is_short = generic->type == EVENT_TYPE_HARDWARE &&
			      (generic->config == EVENT_HW_CPU_CYCLES ||
			       generic->config == EVENT_HW_BRANCH_INSTRUCTIONS);

	return is_short ? generic->alias : generic->name;
}

/* As the user of a live session calls it, as far as that is the same. */
static void make_shown_name(const struct replay_events *events, const struct perfdata_event *event,
			    char name[static EVENT_NAME_MAX])
{
	const struct generic_event *generic = generic_of(event->type, event->config);
	const char *mode = "";

	if (event->exclude_kernel && !event->exclude_user && !events->is_user_only)
		mode = ":u";
	else if (event->exclude_user && !event->exclude_kernel)
		mode = ":k";
	if (generic)
		snprintf(name, EVENT_NAME_MAX, "%s%s", usual_name(generic), mode);
	else
		snprintf(name, EVENT_NAME_MAX, "%.*s%s", (int)length_without_modifiers(event->name),
			 event->name, mode);
}

/* The same name twice is distinguished by a number. */
static size_t add_unique_event(struct layout *layout, const char *name)
{
	char unique[EVENT_NAME_MAX];

	snprintf(unique, sizeof(unique), "%s", name);
	for (int i = 2; layout_find_event(layout, unique) >= 0; i++)
		snprintf(unique, sizeof(unique), "%.240s#%d", name, i);
	return layout_add_event(layout, unique);
}

static void say_why(struct event *event, const struct perfdata_event *from)
{
	const char *mode = from->exclude_kernel && !from->exclude_user ? "; in user mode only" : "";

	if (!event->is_estimate)
		snprintf(event->reason, sizeof(event->reason), "%s",
			 mode[0] != '\0' ? mode + 2 : "");
	else if (from->format.sample_type & DECODED_HAS_READ)
		snprintf(event->reason, sizeof(event->reason),
			 "an estimate: read at samples only, the task in between is unknown%s",
			 mode);
	else if (from->is_frequency)
		snprintf(event->reason, sizeof(event->reason),
			 "an estimate from samples, %llu a second%s",
			 (unsigned long long)from->period, mode);
	else
		snprintf(event->reason, sizeof(event->reason),
			 "an estimate from samples, one for each %llu%s",
			 (unsigned long long)from->period, mode);
}

static size_t group_with_room(struct replay_events *events, bool is_estimate)
{
	struct layout *layout = events->layout;
	int *group = &events->sampled_group[is_estimate];

	if (*group < 0 || layout->groups[*group].count == LAYOUT_GROUP_MEMBERS_MAX) {
		*group = (int)layout_add_group(layout, 0, 0);
		layout->groups[*group].is_reported = true;
	}
	return (size_t)*group;
}

static void place_counter(struct replay_events *events, size_t index, size_t group, size_t event)
{
	struct replay_event *made = &events->events[index];

	made->group = (int)group;
	made->member = events->layout->groups[group].count;
	layout_add_counter(events->layout, group, event);
}

static struct event *lay_event(struct replay_events *events, size_t index,
			       const struct perfdata_event *from, size_t *number)
{
	char name[EVENT_NAME_MAX];
	struct event *event;

	make_shown_name(events, from, name);
	*number = add_unique_event(events->layout, name);
	event = &events->layout->events[*number];
	event->state = EVENT_COUNTING;
	event->is_clock = events->events[index].is_clock;
	if (from->scale > 0)
		event->scale = from->scale;
	snprintf(event->unit, sizeof(event->unit), "%s", from->unit);
	return event;
}

/* A member of a group that is read at switches. */
static bool lay_exact(struct replay_events *events, size_t index, const struct perfdata_event *all)
{
	const int group = events->events[all[index].leader].group;
	size_t number;

	if (group < 0 || events->layout->groups[group].count == LAYOUT_GROUP_MEMBERS_MAX)
		return false;
	say_why(lay_event(events, index, &all[index], &number), &all[index]);
	place_counter(events, index, (size_t)group, number);
	return true;
}

static void lay_sampled(struct replay_events *events, size_t index,
			const struct perfdata_event *from)
{
	const struct replay_event *made = &events->events[index];
	size_t number;
	struct event *event = lay_event(events, index, from, &number);

	event->is_estimate = from->is_frequency || from->period != 1 || is_of_pmu(from) ||
			     (from->format.sample_type & DECODED_HAS_READ) != 0;
	if (says_counts(made)) {
		say_why(event, from);
		place_counter(events, index, group_with_room(events, event->is_estimate), number);
		return;
	}
	event->state = EVENT_UNSUPPORTED;
	snprintf(event->reason, sizeof(event->reason),
		 "its samples do not say how many events each represents");
}

static bool lay(struct replay_events *events, size_t index, const struct perfdata_event *all)
{
	struct replay_event *made = &events->events[index];

	if (made->is_mute)
		return true;
	if (events->layout->event_count >= REPLAY_EVENTS_MAX ||
	    events->layout->group_count >= GROUPS_MAX)
		return false;
	if (made->is_switch_leader) {
		made->group = (int)layout_add_group(events->layout, 0, 0);
		return true;
	}
	if (made->is_exact)
		return lay_exact(events, index, all);
	lay_sampled(events, index, &all[index]);
	return true;
}

bool replay_events_lay(struct replay_events *events, const struct perfdata *file)
{
	size_t count;
	const struct perfdata_event *all = perfdata_events(file, &count);
	const size_t before = events->laid;

	for (; events->laid < events->count; events->laid++)
		if (!lay(events, events->laid, all))
			events->left_out++;
	events->layout->estimated = events->run_event >= 0 ? 1u << QUANTITY_RUN_NS : 0;
	return events->laid > before;
}

/* "-a", "-ag": letters of perf record that take nothing, one of them a. */
static bool is_all(const char *word)
{
	return strcmp(word, "--all-cpus") == 0 ||
	       (word[0] == '-' && word[1] != '-' && strchr(word, 'a') &&
		word[1 + strspn(word + 1, "agdnvqAsTWBNibSPR")] == '\0');
}

/* These of perf's commands count all CPUs without saying so. */
static bool is_of_all(const char *command)
{
	return strcmp(command, "sched") == 0 || strcmp(command, "kmem") == 0 ||
	       strcmp(command, "timechart") == 0;
}

static int scope_of_word(const char *word, size_t number)
{
	if ((number == 1 && is_of_all(word)) || is_all(word) || strncmp(word, "-C", 2) == 0 ||
	    strncmp(word, "--cpu", 5) == 0)
		return 1;
	if (strncmp(word, "-p", 2) == 0 || strncmp(word, "-t", 2) == 0 ||
	    strncmp(word, "--pid", 5) == 0 || strncmp(word, "--tid", 5) == 0 ||
	    strcmp(word, "--per-thread") == 0)
		return -1;
	return 0;
}

/* simpleperf counts whole CPUs only when asked to, but its samples of tasks have a CPU, too. */
static bool is_simpleperf(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strncmp(slash ? slash + 1 : program, "simpleperf", strlen("simpleperf")) == 0;
}

int replay_scope(const char *command)
{
	char word[PERFDATA_TEXT_MAX];
	int scope = 0, otherwise = 0;

	for (size_t number = 0; *command != '\0' && scope == 0; number++) {
		const size_t length = strcspn(command, " ");

		snprintf(word, sizeof(word), "%.*s", (int)length, command);
		if (strcmp(word, "--") == 0)
			break;
		if (number == 0 && is_simpleperf(word))
			otherwise = -1;
		scope = scope_of_word(word, number);
		command += length;
		command += strspn(command, " ");
	}
	return scope != 0 ? scope : otherwise;
}

static bool has_estimates(const struct layout *layout)
{
	for (size_t i = 0; i < layout->event_count; i++)
		if (layout->events[i].is_estimate)
			return true;
	return layout->estimated != 0;
}

static uint32_t bit(enum quantity quantity)
{
	return UINT32_C(1) << quantity;
}

static uint32_t unknown_quantities(const struct replay_events *events)
{
	const uint32_t absences = bit(QUANTITY_PREEMPTED_NS) | bit(QUANTITY_OFF_NS);
	const uint32_t waits =
		bit(QUANTITY_QUEUED_NS) | bit(QUANTITY_WAKEUP_NS) | bit(QUANTITY_WAKEUPS);
	uint32_t unknown = events->reports_waking ? 0 : waits;

	if (events->reports_switches || events->traces_switches)
		return unknown;
	unknown |= waits | absences | bit(QUANTITY_PREEMPTIONS);
	if (events->reads_switches && events->is_system)
		return unknown;
	unknown |= bit(QUANTITY_SWITCHES) | bit(QUANTITY_MIGRATIONS);
	return know_run(events) ? unknown : unknown | bit(QUANTITY_RUN_NS);
}

static const char *run_words(const struct replay_events *events)
{
	if (events->run_event >= 0)
		return "run times are estimates from samples of a clock, no switches were recorded";
	if (!know_run(events))
		return "run times are not known, no switches were recorded (perf record "
		       "--switch-events)";
	if (!events->reports_switches && !events->traces_switches)
		return "run times are those between readings at switches";
	return "run times are those between the switches that were recorded";
}

static void describe_scope(struct session *session, const struct perfdata_info *info,
			   const struct replay_events *events)
{
	const bool is_marked = session->is_estimated;

	snprintf(session->scope_reason, sizeof(session->scope_reason),
		 "recorded by perf%s%.60s%s%.80s%s%.80s: %s; %s%s",
		 info->version[0] != '\0' ? " " : "", info->version,
		 info->host[0] != '\0' ? " on " : "", info->host,
		 info->release[0] != '\0' ? ", Linux " : "", info->release,
		 events->is_system ? "whole machine" : "some tasks only", run_words(events),
		 is_marked ? "; ~ marks estimates from samples" : "");
}

void replay_describe(struct session *session, const char *path, const struct perfdata_info *info,
		     const struct replay_events *events)
{
	session->scope = events->is_system ? SCOPE_SYSTEM : SCOPE_TASKS;
	session->is_live = false;
	session->is_estimated = has_estimates(events->layout);
	session->has_pmu = events->has_hardware;
	session->wall_offset_ns = info->has_wall ? info->wall_offset_ns : REPLAY_WALL_UNKNOWN;
	session->cpu_count = info->cpus_online < INT32_MAX ? (int)info->cpus_online : 0;
	session->topology = &info->topology;
	session->queue = events->reports_waking ? QUEUE_WAKEUPS : QUEUE_UNKNOWN;
	session->has_yields = events->reports_yields;
	session->unknown = unknown_quantities(events);
	snprintf(session->scope_words, sizeof(session->scope_words), "replay of %s",
		 replay_name(path));
	snprintf(session->queue_words, sizeof(session->queue_words), "%s",
		 events->reports_waking
			 ? "run-queue waits from the recorded wake-ups"
			 : "run-queue waits are not known: no wake-ups were recorded");
	session->sampling = events->sampling;
	session->chains = events->chains;
	snprintf(session->sampling_event, sizeof(session->sampling_event), "%s",
		 events->sampling_event);
	snprintf(session->sampling_words, sizeof(session->sampling_words), "%s",
		 events->sampling_words);
	session->wakers = events->wakers;
	session->has_branches = events->has_branches;
	session->has_addresses = events->has_addresses;
	session->has_accesses = events->has_accesses;
	describe_scope(session, info, events);
}
