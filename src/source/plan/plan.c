/*
 * A plan is made in three steps: of each event is found out which core PMUs count it; of each of
 * these, which of its events fit together (pack.h); and what fits is put into groups of the layout,
 * software first. A change tries only where something is new, and puts all into groups anew.
 *
 * Trying is opening for real and closing again. perf_event_open(2) alone does not show whether a
 * group will ever be counted: a counter that is held for good (by the NMI watchdog) is found
 * missing only when the group is to run. So a group that is to fit is also enabled for a moment,
 * and must have been running.
 */
#include "source/plan/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/topology.h"
#include "base/units.h"
#include "kernel/control.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "model/session.h"
#include "source/plan/pack.h"

enum {
	UNITS_MAX = LAYOUT_KINDS_MAX,
	LOOKS = 4, /* at a group that should run */
	LOOK_NS = 2000000,
	TRIALS_MAX = 400 /* openings for one change; then nothing more fits */
};

static_assert((int)EVENT_PMUS_MAX <= (int)UNITS_MAX, "each core PMU is a unit");
static_assert((int)GROUP_MEMBERS_MAX <= (int)LAYOUT_GROUP_MEMBERS_MAX, "a group has its indexes");

/* A core PMU. Its groups take turns: their rotation is its index + 1. */
struct plan_unit {
	char pmu[EVENT_SPEC_PMU_MAX];   /* "": of a machine with one or none */
	const char *cpus;               /* that have it, as sysfs writes them; NULL or "": all */
	size_t kind;                    /* of CPU; beyond those of the layout: not watched */
	size_t counters;                /* how many were found; 0: not tried */
	size_t events[PACK_EVENTS_MAX]; /* that it may count; bit n of a set stands for events[n] */
	size_t count;
	uint64_t digest; /* of all that the packing follows from */
	struct packing packing;
	size_t steady_group; /* the only one; SIZE_MAX: there is none, or several */
};

/* An event as a unit counts it. */
struct plan_part {
	bool is_there; /* it does */
	bool is_new;   /* it was not tried */
	struct event_spec spec;
	int errno_value; /* of the kernel's refusal; 0: it may be counted */
	bool is_broken;  /* it is in braces that do not fit */
	bool is_grouped; /* the layout had room for it */
};

/* What is known of the event of the same index in the layout. */
struct plan_event {
	struct plan_part parts[UNITS_MAX]; /* of software the first one, for all CPUs */
	bool only_in_braces;
	bool was_removed;
};

static bool is_for_tasks(const struct plan *plan)
{
	return plan->targets[0].cpu < 0;
}

/* What the unit (NULL: no PMU) has of an event that is wanted; NULL: nothing. */
static struct plan_part *find_plan_part(const struct plan *plan, const struct plan_unit *unit,
					size_t event)
{
	struct plan_part *part = &plan->events[event].parts[unit ? unit - plan->units : 0];
	const bool needs_counter = part->spec.class == EVENT_CLASS_HARDWARE;

	return part->is_there && needs_counter == (unit != NULL) &&
			       !plan->layout.events[event].is_removed
		       ? part
		       : NULL;
}

/* --- trials */

/* Another program that looks for counters at this moment holds some that it gives back at once. */
static bool group_runs(const struct group *group, int looks)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	struct group_reading reading;

	if (!group_enable(group))
		return false;
	while (group_read(group, &reading)) {
		if (reading.running_ns > 0 || reading.enabled_ns == 0)
			return true;
		if (--looks == 0)
			return false;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* Until the trials end, as the last close of a tracepoint takes long. */
static void keep_open(struct trials *trials, const struct group *group)
{
	group_disable(group);
	array_reserve(&trials->kept, &trials->kept_capacity, trials->kept_count + 1,
		      sizeof(*trials->kept));
	trials->kept[trials->kept_count++] = *group;
}

/* Tries events of a unit (NULL: no PMU) in one group, with so many looks at whether it runs. 0, or
 * a positive errno. */
static int try_group(const struct plan *plan, struct trials *trials, const struct plan_unit *unit,
		     const struct event_spec *const *specs, size_t count, int looks)
{
	struct group_request request;
	struct group group;
	int errno_value;

	if (count > GROUP_MEMBERS_MAX)
		return E2BIG;
	if (trials->shortage != 0)
		return trials->shortage;
	trials->count++;
	request = (struct group_request){.target = plan->targets[unit ? unit->kind : 0],
					 .count = count};
	for (size_t i = 0; i < count; i++)
		request.specs[i] = specs[i];
	errno_value = group_open(&group, &request, trials->features, NULL);
	if (errno_value == 0 && (!unit || count > unit->counters)) {
		if (unit && trials->pause)
			trials->pause(trials->context);
		errno_value = group_runs(&group, looks) ? 0 : ENOSPC;
	}
	if (errno_value == 0 && group_should_linger(&request))
		keep_open(trials, &group);
	else
		group_close(&group);
	if (sys_is_shortage(errno_value))
		trials->shortage = errno_value;
	return errno_value;
}

int plan_try_leader(struct trials *trials, const struct group_target *target)
{
	const struct plan plan = {.targets = {*target}};

	return try_group(&plan, trials, NULL, NULL, 0, LOOKS);
}

void trials_end(struct trials *trials)
{
	for (size_t i = 0; i < trials->kept_count; i++)
		group_close(&trials->kept[i]);
	free(trials->kept);
	trials->kept = NULL;
	trials->kept_count = trials->kept_capacity = 0;
}

/* --- the events, and which core PMUs count them */

static bool is_counted_by(const struct plan *plan, size_t unit, const struct event_spec *spec)
{
	if (spec->class != EVENT_CLASS_HARDWARE || spec->pmu[0] == '\0')
		return unit == 0;
	return strcmp(plan->units[unit].pmu, spec->pmu) == 0 &&
	       plan->units[unit].kind < plan->layout.kind_count;
}

static void take_plan_event(const struct plan *plan, struct plan_event *event,
			    const struct evsel *evsel)
{
	*event = (struct plan_event){.was_removed = true};
	for (size_t i = 0; i < evsel->spec_count; i++)
		for (size_t unit = 0; unit < plan->unit_count; unit++)
			if (is_counted_by(plan, unit, &evsel->specs[i]))
				event->parts[unit] = (struct plan_part){
					.is_there = true, .is_new = true, .spec = evsel->specs[i]};
}

/* Brings the list of events in line with the set. What comes back is as new. False: it was so. */
static bool take_events(struct plan *plan, const struct event_set *set)
{
	struct layout *layout = &plan->layout;
	bool has_changed = false;

	for (size_t i = 0; i < layout->event_count; i++) {
		plan->events[i].was_removed = layout->events[i].is_removed;
		layout->events[i].is_removed = true;
	}
	for (size_t i = 0; i < set->count; i++) {
		const struct evsel *evsel = &set->evsels[i];
		const int found = layout_find_event(layout, evsel->name);
		const size_t index =
			found >= 0 ? (size_t)found : layout_add_event(layout, evsel->name);
		struct event *event = &layout->events[index];

		if (found < 0)
			plan->events =
				xrealloc(plan->events, layout->event_count, sizeof(*plan->events));
		if (found < 0 || plan->events[index].was_removed)
			take_plan_event(plan, &plan->events[index], evsel);
		plan->events[index].only_in_braces = evsel->only_in_braces;
		event->is_removed = false;
		event->scale = evsel->specs[0].scale != 0 ? evsel->specs[0].scale : 1;
		event->is_clock = evsel->specs[0].is_clock;
		snprintf(event->unit, sizeof(event->unit), "%s", evsel->specs[0].unit);
	}
	for (size_t i = 0; i < layout->event_count; i++)
		if (layout->events[i].is_removed != plan->events[i].was_removed)
			has_changed = true;
	return has_changed;
}

/* Each alone; of breakpoints there are few, so with each go those that were granted before. */
static void try_software(const struct plan *plan, struct trials *trials)
{
	const struct event_spec *breakpoints[GROUP_MEMBERS_MAX + 1];
	size_t count = 0;

	for (size_t i = 0; i < plan->layout.event_count; i++) {
		struct plan_part *part = find_plan_part(plan, NULL, i);

		if (!part || !part->is_new)
			continue;
		part->is_new = false;
		breakpoints[count] = &part->spec;
		if (part->spec.bp_type == 0) {
			part->errno_value =
				try_group(plan, trials, NULL, &breakpoints[count], 1, LOOKS);
		} else {
			part->errno_value =
				try_group(plan, trials, NULL, breakpoints, count + 1, LOOKS);
			count += part->errno_value == 0;
		}
	}
}

/* --- which events of a unit fit together */

struct selection {
	const struct plan *plan;
	struct plan_unit *unit;
	struct trials *trials;
	struct plan_part *parts[PACK_EVENTS_MAX]; /* of unit->events */
	uint64_t left;                            /* that are not refused */
	bool all_fit;
};

/* Returns whether some are new. */
static bool select_events(struct selection *selection)
{
	const struct plan *plan = selection->plan;
	struct plan_unit *unit = selection->unit;
	bool has_new = false;

	unit->count = 0;
	for (size_t i = 0; i < plan->layout.event_count && unit->count < PACK_EVENTS_MAX; i++) {
		struct plan_part *part = find_plan_part(plan, unit, i);

		if (!part)
			continue;
		selection->parts[unit->count] = part;
		if (part->errno_value == 0)
			selection->left |= UINT64_C(1) << unit->count;
		unit->events[unit->count++] = i;
		has_new = has_new || part->is_new;
	}
	return has_new;
}

/* A single one that is left fits. */
static bool selection_fits(void *context, uint64_t bits)
{
	const struct selection *selection = context;
	const struct event_spec *specs[PACK_EVENTS_MAX];
	size_t count = 0;

	if ((bits & ~selection->left) != 0)
		return false;
	if (selection->all_fit || (bits & (bits - 1)) == 0)
		return true;
	for (size_t i = 0; i < selection->unit->count; i++)
		if ((bits >> i & 1) != 0)
			specs[count++] = &selection->parts[i]->spec;
	return selection->trials->count < TRIALS_MAX &&
	       try_group(selection->plan, selection->trials, selection->unit, specs, count,
			 LOOKS) == 0;
}

/*
 * All together first: mostly they fit, and then all is known of each of them. The kernel takes some
 * ms to add the first counter to a group that a software event leads (synchronize_rcu()).
 */
static void try_selected(struct selection *selection)
{
	const struct plan_unit *unit = selection->unit;

	selection->all_fit = (selection->left & (selection->left - 1)) != 0 &&
			     selection_fits(selection, selection->left);
	for (size_t i = 0; i < unit->count; i++) {
		struct plan_part *part = selection->parts[i];
		const struct event_spec *spec;

		assert(part); /* select_events() found it */
		spec = &part->spec;
		if (part->is_new && !selection->all_fit)
			part->errno_value = try_group(selection->plan, selection->trials, unit,
						      &spec, 1, LOOKS);
		part->is_new = false;
		if (part->errno_value != 0)
			selection->left &= ~(UINT64_C(1) << i);
	}
}

static uint64_t bits_of(const struct selection *selection, const struct weak_group *weak)
{
	const struct event *events = selection->plan->layout.events;
	const struct plan_unit *unit = selection->unit;
	uint64_t bits = 0;

	for (size_t i = 0; i < weak->count; i++)
		for (size_t j = 0; j < unit->count; j++)
			if (strcmp(events[unit->events[j]].name, weak->names[i]) == 0)
				bits |= UINT64_C(1) << j;
	return bits;
}

/*
 * Events in braces that no group can hold are refused together, but for those that are in others
 * that fit, or are asked for without braces, too. Returns how many weak groups are left.
 */
static size_t list_weak_groups(struct selection *selection, const struct event_set *set,
			       struct pack_weak_group *weak_groups)
{
	const struct plan_unit *unit = selection->unit;
	uint64_t held = 0, broken = 0;
	size_t count = 0;

	for (size_t i = 0; i < set->weak_group_count; i++) {
		const bool must = set->weak_groups[i].must;
		const uint64_t bits = bits_of(selection, &set->weak_groups[i]) & selection->left;

		if ((bits & (bits - 1)) == 0)
			continue;
		if (must && !selection_fits(selection, bits)) {
			broken |= bits;
			continue;
		}
		held |= must ? bits : 0;
		weak_groups[count++] = (struct pack_weak_group){bits, must};
	}
	for (size_t i = 0; i < unit->count; i++) {
		struct plan_part *part = selection->parts[i];

		assert(part);
		part->is_broken = ((broken & ~held) >> i & 1) != 0 &&
				  selection->plan->events[unit->events[i]].only_in_braces;
		if (part->is_broken)
			selection->left &= ~(UINT64_C(1) << i);
	}
	return count;
}

/*
 * How many copies of an event the PMU counts at once; it is found out for the words about it, in a
 * hurry: meanwhile other programs may have none.
 * Cycles and instructions often have counters of their own that count nothing else, and these are
 * mostly asked for first: the last event shows best how many counters there are for any event.
 */
static size_t count_counters(const struct selection *selection)
{
	const struct event_spec *copies[GROUP_MEMBERS_MAX];
	size_t last = 0, fitting = 1, beyond = GROUP_MEMBERS_MAX + 1;

	if (selection->left == 0)
		return 0;
	for (size_t i = 0; i < selection->unit->count; i++)
		last = (selection->left >> i & 1) != 0 ? i : last;
	for (size_t i = 0; i < GROUP_MEMBERS_MAX; i++)
		copies[i] = &selection->parts[last]->spec;
	while (fitting + 1 < beyond) {
		const size_t middle = fitting * 2 < beyond ? fitting * 2 : (fitting + beyond) / 2;

		if (try_group(selection->plan, selection->trials, selection->unit, copies, middle,
			      1) == 0)
			fitting = middle;
		else
			beyond = middle;
	}
	return fitting;
}

/* Of all that the groups of a unit follow from. */
static uint64_t digest_of(const struct selection *selection, const struct event_set *set)
{
	uint64_t digest = 1;

	for (size_t i = 0; i < selection->unit->count; i++)
		digest = hash_mix(hash_text(digest, selection->parts[i]->spec.name), i);
	for (size_t i = 0; i < set->weak_group_count; i++) {
		digest = hash_mix(digest, bits_of(selection, &set->weak_groups[i]));
		digest = hash_mix(digest, set->weak_groups[i].must);
	}
	return digest;
}

/* Finds the groups of a unit. False: nothing of it is new, they are as before. */
static bool pack_unit(const struct plan *plan, struct plan_unit *unit, const struct event_set *set,
		      struct trials *trials)
{
	struct selection selection = {.plan = plan, .unit = unit, .trials = trials};
	const bool has_new = select_events(&selection);
	const uint64_t digest = digest_of(&selection, set);
	struct pack_problem problem = {.fits = selection_fits, .context = &selection};
	struct pack_weak_group *weak_groups;

	if (!has_new && digest == unit->digest)
		return false;
	weak_groups = xcalloc(set->weak_group_count, sizeof(*weak_groups));
	try_selected(&selection);
	problem.weak_groups = weak_groups;
	problem.weak_group_count = list_weak_groups(&selection, set, weak_groups);
	problem.events = selection.left;
	pack(&unit->packing, &problem);
	unit->digest = digest;
	if (unit->counters == 0)
		unit->counters = count_counters(&selection);
	free(weak_groups);
	return true;
}

/* Events of a task are counted only on the CPUs of their PMU: we go there to try them. */
static bool pack_units(const struct plan *plan, const struct event_set *set, struct trials *trials)
{
	bool has_changed = false;

	for (size_t i = 0; i < plan->unit_count; i++) {
		struct plan_unit *unit = &plan->units[i];
		struct number_list before = {0}, there = {0};
		const bool has_moved =
			is_for_tasks(plan) && unit->cpus && *unit->cpus &&
			number_list_parse(&there, unit->cpus, TOPOLOGY_CPUS_MAX - 1) &&
			control_cpus(0, &before) >= 0 && control_set_cpus(0, &there) >= 0;

		has_changed = pack_unit(plan, unit, set, trials) || has_changed;
		if (has_moved)
			control_set_cpus(0, &before);
		number_list_fini(&before);
		number_list_fini(&there);
	}
	return has_changed;
}

/* --- what fits is put into groups */

static void group_software(struct plan *plan, size_t kind)
{
	struct layout *layout = &plan->layout;
	size_t group = layout->kinds[kind].clock;

	for (size_t i = 0; i < layout->event_count; i++) {
		struct plan_part *part = find_plan_part(plan, NULL, i);

		if (!part || part->errno_value != 0)
			continue;
		if (layout->groups[group].count == GROUP_MEMBERS_MAX) {
			if (!layout_has_room(layout, kind, 0))
				return;
			group = layout_add_group(layout, kind, 0);
		}
		layout_add_counter(layout, group, i);
		part->is_grouped = true;
	}
}

/* On a machine with several kinds of CPU the clocks stay apart. */
static bool joins_clock(const struct plan *plan, const struct plan_unit *unit)
{
	const struct layout *layout = &plan->layout;

	return unit->packing.count == 1 && layout->kind_count == 1 && !plan->is_contended &&
	       !is_for_tasks(plan) &&
	       layout->groups[layout->kinds[0].clock].count + unit->count <= GROUP_MEMBERS_MAX;
}

static void group_hardware(struct plan *plan, struct plan_unit *unit)
{
	struct layout *layout = &plan->layout;
	const size_t rotation = (size_t)(unit - plan->units) + 1;
	const bool joins = joins_clock(plan, unit);

	unit->steady_group = SIZE_MAX;
	for (size_t i = 0; i < unit->packing.count; i++) {
		size_t group = layout->kinds[0].clock;

		if (!joins && !layout_has_room(layout, unit->kind, rotation))
			return;
		if (!joins)
			group = layout_add_group(layout, unit->kind, rotation);
		for (size_t j = 0; j < unit->count; j++) {
			if ((unit->packing.groups[i] >> j & 1) == 0)
				continue;
			layout_add_counter(layout, group, unit->events[j]);
			find_plan_part(plan, unit, unit->events[j])->is_grouped = true;
		}
		layout->groups[group].needs_counters = joins;
		unit->steady_group = unit->packing.count == 1 ? group : SIZE_MAX;
	}
}

/* The clocks stay, without members. */
static void empty_groups(struct layout *layout)
{
	for (size_t g = 0; g < layout->group_count; g++) {
		const bool is_clock = layout_is_clock(layout, g);

		layout_close_group(layout, g);
		layout->groups[g].needs_counters = false;
		layout->groups[g].is_open = is_clock;
		layout->groups[g].generation++;
	}
}

static void make_groups(struct plan *plan)
{
	plan->has_new_groups = true;
	for (size_t i = 0; i < plan->layout.event_count; i++)
		for (size_t j = 0; j < UNITS_MAX; j++)
			plan->events[i].parts[j].is_grouped = false;
	empty_groups(&plan->layout);
	for (size_t kind = 0; kind < plan->layout.kind_count; kind++)
		group_software(plan, kind);
	for (size_t i = 0; i < plan->unit_count; i++)
		group_hardware(plan, &plan->units[i]);
}

void plan_note_contention(struct plan *plan)
{
	plan->is_contended = true;
	make_groups(plan);
}

/* --- what becomes of each event */

static bool explain_open(const struct trials *trials, const struct group_target *target,
			 const char *what, const struct event_spec *spec, int errno_value,
			 struct error *error)
{
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = what,
		.spec = spec,
		.pid = target->pid,
		.cpu = target->cpu,
		.is_group_member = spec,
		.host = trials->host,
	};

	return explain_perf_error(error, errno_value, &context);
}

/*
 * Why a part is not counted, in *error; NULL: it is. All these sentences begin with the event's
 * name, which the reader sees anyway.
 */
static const char *explain_part(const struct plan *plan, const struct trials *trials,
				const struct plan_part *part, size_t kind, struct error *error)
{
	if (part->errno_value != 0)
		explain_open(trials, &plan->targets[kind], NULL, &part->spec, part->errno_value,
			     error);
	else if (part->is_broken)
		error_set(error, ERROR_EVENT_BRACES, NULL, NULL);
	else if (!part->is_grouped)
		error_set(error, ERROR_EVENT_TOO_MANY, NULL, NULL);
	else
		return NULL;
	return error->text + strlen(": ");
}

/* Where some kinds of CPU count the event and others do not: which ones, and why. */
static void set_state(const struct plan *plan, const struct trials *trials, size_t index)
{
	struct event *event = &plan->layout.events[index];
	struct error error = {0};
	const char *why = "its PMU is not the core PMU of a CPU that is watched";
	struct strbuf gaps = {0};
	size_t turns = 0;

	for (size_t i = plan->unit_count; i-- > 0;) {
		const struct plan_part *part = &plan->events[index].parts[i];
		const struct plan_unit *unit = &plan->units[i];
		const bool has_turns = part->spec.class == EVENT_CLASS_HARDWARE;
		const size_t groups = has_turns ? unit->packing.count : 1;
		const char *refusal;

		if (!part->is_there)
			continue;
		refusal = explain_part(plan, trials, part, unit->kind, &error);
		if (refusal) {
			why = refusal;
			strbuf_printf(&gaps, "%snot counted on %s: %s", gaps.length > 0 ? "; " : "",
				      unit->pmu, refusal);
		} else {
			turns = groups > turns ? groups : turns;
		}
	}
	event->state = turns > 1                   ? EVENT_MULTIPLEXED
		       : turns > 0                 ? EVENT_COUNTING
		       : explain_is_denial(&error) ? EVENT_DENIED
						   : EVENT_UNSUPPORTED;
	if (turns > 1)
		snprintf(event->reason, sizeof(event->reason),
			 "more events than counters: %zu groups take turns%s%s", turns,
			 gaps.length > 0 ? "; " : "", strbuf_text(&gaps));
	else
		snprintf(event->reason, sizeof(event->reason), "%.*s", EVENT_REASON_MAX - 1,
			 turns > 0 ? strbuf_text(&gaps) : why);
	strbuf_fini(&gaps);
}

bool plan_change(struct plan *plan, const struct event_set *set, struct trials *trials,
		 struct error *error)
{
	const bool has_sites = set->sites && attr_knows_sites();
	bool has_changed = take_events(plan, set) || has_sites != plan->has_sites;

	plan->has_sites = has_sites;
	trials->count = 0;
	trials->shortage = 0;
	has_changed = pack_units(plan, set, trials) || has_changed;
	try_software(plan, trials);
	if (trials->shortage != 0)
		return explain_open(trials, plan->targets, "trying the events", NULL,
				    trials->shortage, error);
	plan->has_new_groups = false;
	if (has_changed)
		make_groups(plan);
	for (size_t i = 0; i < plan->layout.event_count; i++)
		if (!plan->layout.events[i].is_removed)
			set_state(plan, trials, i);
	return true;
}

/* Each kind of CPU has a group that is always on, before anything else has one. */
static void init_kinds(struct plan *plan, const struct plan_setup *setup)
{
	struct layout *layout = &plan->layout;

	layout_init(layout);
	layout->kind_count = setup->target_count;
	for (size_t i = 0; i < setup->target_count; i++) {
		plan->targets[i] = setup->targets[i];
		if (i > 0)
			layout->kinds[i].clock = (uint16_t)layout_add_group(layout, i, 0);
	}
	plan->unit_count = setup->pmu_count > 0 ? setup->pmu_count : 1;
	for (size_t i = 0; i < setup->pmu_count; i++) {
		struct plan_unit *unit = &plan->units[i];

		snprintf(unit->pmu, sizeof(unit->pmu), "%s", setup->pmus[i].name);
		unit->cpus = setup->pmus[i].cpus;
		unit->kind = is_for_tasks(plan) ? 0 : i;
		if (unit->kind < setup->target_count &&
		    (!is_for_tasks(plan) || setup->pmu_count == 1))
			snprintf(layout->kinds[i].name, sizeof(layout->kinds[i].name), "%s",
				 setup->pmus[i].name);
	}
}

bool plan_make(struct plan *plan, const struct plan_setup *setup, const struct event_set *set,
	       struct trials *trials, struct error *error)
{
	int refusal;

	*plan = (struct plan){.units = xcalloc(UNITS_MAX, sizeof(*plan->units))};
	init_kinds(plan, setup);
	trials->shortage = 0;
	refusal = plan_try_leader(trials, setup->targets);
	if (refusal != 0)
		explain_open(trials, setup->targets,
			     is_for_tasks(plan) ? "counting tasks" : "system-wide counting", NULL,
			     refusal, error);
	if (refusal == 0 && plan_change(plan, set, trials, error))
		return true;
	plan_fini(plan);
	return false;
}

void plan_fini(struct plan *plan)
{
	free(plan->events);
	free(plan->units);
	layout_fini(&plan->layout);
	*plan = (struct plan){0};
}

void plan_copy(struct plan *copy, const struct plan *plan)
{
	const size_t count = plan->layout.event_count;

	*copy = *plan;
	layout_copy(&copy->layout, &plan->layout);
	copy->events = xcalloc(count, sizeof(*copy->events));
	if (count > 0)
		memcpy(copy->events, plan->events, count * sizeof(*copy->events));
	copy->units = xcalloc(UNITS_MAX, sizeof(*copy->units));
	memcpy(copy->units, plan->units, UNITS_MAX * sizeof(*copy->units));
}

bool plan_has_hardware(const struct plan *plan)
{
	for (size_t i = 0; i < plan->unit_count; i++)
		if (plan->units[i].packing.count > 0)
			return true;
	return false;
}

size_t plan_steady_group(const struct plan *plan, size_t kind)
{
	if (plan->is_contended || (is_for_tasks(plan) && plan->unit_count > 1))
		return SIZE_MAX;
	return plan->units[kind].steady_group;
}

size_t plan_descriptors(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->layout.group_count; i++)
		if (plan->layout.groups[i].is_open && plan->layout.groups[i].kind == 0)
			count += 1 + plan->layout.groups[i].count;
	return count;
}

void plan_describe_pmus(const struct plan *plan, const struct host *host, struct session *session)
{
	struct strbuf words = {0};

	session->has_pmu = plan_has_hardware(plan);
	if (!session->has_pmu) {
		host_explain_no_pmu(host, session->pmu_words, sizeof(session->pmu_words));
		return;
	}
	for (size_t i = 0; i < plan->unit_count; i++) {
		const struct plan_unit *unit = &plan->units[i];

		if (unit->counters > 0)
			strbuf_printf(&words, "%s%s PMU, %zu counter%s",
				      words.length > 0 ? "; " : "",
				      unit->pmu[0] != '\0' ? unit->pmu : "cpu", unit->counters,
				      units_plural(unit->counters));
	}
	snprintf(session->pmu_words, sizeof(session->pmu_words), "%s%s", strbuf_text(&words),
		 plan->targets[0].exclude_kernel ? ", user mode only" : "");
	strbuf_fini(&words);
}

const struct event_spec *plan_spec_at(const struct plan *plan, size_t group, size_t member)
{
	const struct event_group *groups = plan->layout.groups;
	const struct plan_event *event;

	if (group >= plan->layout.group_count || member >= groups[group].count)
		return NULL;
	event = &plan->events[plan->layout.counters[groups[group].counters[member]].event];
	/* the clock group has no hardware events but those of the first unit */
	return &event->parts[groups[group].rotation > 0 ? groups[group].rotation - 1 : 0].spec;
}

/* --- bundles */

static void close_all(struct group **groups, size_t *count)
{
	while (*count > 0)
		group_close(&(*groups)[--*count]);
	free(*groups);
	*groups = NULL;
}

/* 0, or a positive errno. */
static int open_next_group(struct bundle *bundle, const struct plan *plan, size_t index)
{
	const size_t i = index % plan->layout.group_count;
	const struct event_group *group = &plan->layout.groups[i];
	struct group_request request = {.target = bundle->target, .count = group->count};

	if (!group->is_open || group->kind != bundle->kind)
		return 0;
	request.target.has_site = plan->has_sites && layout_is_clock(&plan->layout, i);
	if (bundle->cgroups.count > 0)
		request.target.pid = bundle->cgroups.fds[index / plan->layout.group_count];
	for (size_t j = 0; j < request.count; j++)
		request.specs[j] = plan_spec_at(plan, i, j);
	return group_open(&bundle->next[index], &request, bundle->features, NULL);
}

/* All groups of the plan or none. */
static int open_next(struct bundle *bundle, const struct plan *plan)
{
	const size_t times = bundle->cgroups.count > 1 ? bundle->cgroups.count : 1;
	int errno_value = 0;

	bundle->next_count = times * plan->layout.group_count;
	bundle->next = xcalloc(bundle->next_count, sizeof(*bundle->next));
	for (size_t i = 0; i < bundle->next_count; i++)
		bundle->next[i].leader_fd = -1;
	if (times > 1 && bundle->next_count > LAYOUT_GROUPS_MAX)
		errno_value = E2BIG;
	for (size_t i = 0; i < bundle->next_count && errno_value == 0; i++)
		errno_value = open_next_group(bundle, plan, i);
	for (size_t i = bundle->next_count; i-- > 0 && errno_value != 0;)
		group_close(&bundle->next[i]);
	return errno_value;
}

int bundle_prepare(struct bundle *bundle, const struct plan *plan)
{
	const int errno_value = open_next(bundle, plan);

	if (errno_value != 0)
		bundle_abandon(bundle);
	return errno_value;
}

void bundle_abandon(struct bundle *bundle)
{
	close_all(&bundle->next, &bundle->next_count);
}

void bundle_commit(struct bundle *bundle, const struct plan *plan)
{
	close_all(&bundle->groups, &bundle->count);
	if (!bundle->next)
		open_next(bundle, plan);
	bundle->groups = bundle->next;
	bundle->count = bundle->next_count;
	bundle->next = NULL;
	bundle->next_count = 0;
}

void bundle_close(struct bundle *bundle)
{
	bundle_abandon(bundle);
	close_all(&bundle->groups, &bundle->count);
	*bundle = (struct bundle){0};
}
