/*
 * A plan is made in two steps: what is available of each event is found out, then it is put into
 * groups: for each kind of CPU software first, then PMU by PMU (pack.h). A change tries what is
 * new, and makes all groups anew.
 *
 * The groups are those of the layout. What a member counts follows from its event, and from the
 * kind of CPU and the PMU that the group is of.
 */
#include "source/plan/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/units.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/plan/pack.h"

static_assert((int)EVENT_PMUS_MAX <= (int)PLAN_PARTS_MAX, "a task's event has a part per PMU");
static_assert((int)GROUP_MEMBERS_MAX <= (int)LAYOUT_GROUP_MEMBERS_MAX, "a group has its indexes");

enum {
	NO_PMU = PLAN_PMUS_MAX,
	TURN_ALWAYS = 0,
	TRIALS_MAX = 400 /* openings for one change */
};

/* What a plan is made with. */
struct making {
	struct plan *plan;
	const struct event_set *set;
	struct trials *trials;
	int shortage; /* EMFILE, ENFILE: nothing more can be tried; 0: none */
};

/* --- an event is taken apart into what each kind of CPU makes of it, and that is tried */

static bool is_for_tasks(const struct plan *plan)
{
	return plan->targets[0].cpu < 0;
}

static const struct event_spec *part_spec(const struct plan *plan, size_t event,
					  const struct plan_part *part)
{
	return &plan->events[event].evsel.specs[part->spec];
}

/* Where events of a PMU are tried on a kind of CPU. */
static struct trial_scope scope_of(const struct plan *plan, size_t kind, size_t pmu)
{
	return (struct trial_scope){
		.target = plan->targets[kind],
		.kind = kind,
		.cpus = pmu != NO_PMU ? plan->pmus[pmu].cpus : "",
		.counters = pmu != NO_PMU ? plan->pmus[pmu].counters : 0,
	};
}

static uint16_t part_rotation(size_t pmu)
{
	return (uint16_t)(pmu == NO_PMU ? TURN_ALWAYS : pmu + 1);
}

static struct plan_part *part_find(struct plan *plan, size_t event, size_t kind, size_t pmu)
{
	struct plan_event *tried = &plan->events[event];

	for (size_t i = 0; i < tried->part_count; i++)
		if (tried->parts[i].kind == kind && tried->parts[i].pmu == pmu)
			return &tried->parts[i];
	return NULL;
}

static bool part_is_available(struct plan *plan, size_t event, size_t kind, size_t pmu)
{
	const struct plan_part *part = part_find(plan, event, kind, pmu);

	return part && part->errno_value == 0;
}

/* The explanation without the event's name before it: the reader sees the name anyway. */
static void set_part_reason(struct plan_part *part, const char *name, const struct error *error)
{
	size_t length = strlen(name);
	const char *text = error->text;

	if (strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	snprintf(part->reason, sizeof(part->reason), "%.*s", EVENT_REASON_MAX - 1, text);
	part->is_denied = explain_is_denial(error);
}

/* Why the part has its errno_value. */
static void part_explain(const struct making *making, const struct plan_part *part,
			 const char *what, const struct event_spec *spec, struct error *error)
{
	const struct plan_target *target = &making->plan->targets[part->kind];
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = what,
		.spec = spec,
		.pid = target->pid,
		.cpu = target->cpu,
		.is_group_member = spec,
		.host = trials_host(making->trials),
	};

	explain_perf_error(error, part->errno_value, &context);
}

static void part_refuse(struct making *making, size_t event, struct plan_part *part,
			int errno_value)
{
	const char *name = making->plan->layout.events[event].name;
	struct error error = {0};

	part->errno_value = errno_value;
	if (sys_is_shortage(errno_value))
		making->shortage = errno_value;
	part_explain(making, part, name, part_spec(making->plan, event, part), &error);
	set_part_reason(part, name, &error);
}

static void part_refuse_for(struct making *making, size_t event, struct plan_part *part,
			    enum error_code code)
{
	const char *name = making->plan->layout.events[event].name;
	struct error error = {0};

	part->errno_value = EINVAL;
	error_set(&error, code, name, NULL);
	set_part_reason(part, name, &error);
}

/* The PMU of a hardware event; PLAN_PMUS_MAX: there are too many. */
static size_t pmu_of(struct plan *plan, const struct event_spec *spec)
{
	size_t index = 0;

	if (spec->pmu[0] == '\0')
		return 0;
	while (index < plan->pmu_count && strcmp(plan->pmus[index].name, spec->pmu) != 0)
		index++;
	if (index == plan->pmu_count && index < PLAN_PMUS_MAX)
		snprintf(plan->pmus[plan->pmu_count++].name, sizeof(plan->pmus[index].name), "%s",
			 spec->pmu);
	return index;
}

static bool is_absent(const struct plan *plan, const char *pmu)
{
	for (size_t i = 0; i < plan->absent_count; i++)
		if (strcmp(plan->absent[i], pmu) == 0)
			return true;
	return false;
}

static void add_event_part(struct plan_event *event, size_t kind, size_t pmu, size_t spec)
{
	if (event->part_count == PLAN_PARTS_MAX)
		return;
	event->parts[event->part_count++] =
		(struct plan_part){.kind = kind, .pmu = pmu, .spec = spec};
}

/* What counts everywhere is counted once on each kind of CPU. */
static void add_event_spec(struct plan *plan, struct plan_event *event, size_t index)
{
	const struct event_spec *spec = &event->evsel.specs[index];
	size_t pmu = NO_PMU;

	if (spec->class == EVENT_CLASS_HARDWARE) {
		if (is_absent(plan, spec->pmu))
			return;
		pmu = pmu_of(plan, spec);
		if (pmu < plan->core_count) {
			add_event_part(event, is_for_tasks(plan) ? 0 : pmu, pmu, index);
			return;
		}
	}
	for (size_t kind = 0; kind < plan->layout.kind_count; kind++)
		add_event_part(event, kind, pmu, index);
}

static bool is_untried(const struct plan *plan, size_t event)
{
	return !plan->layout.events[event].is_removed && !plan->events[event].was_tried;
}

static void add_event_parts(struct plan *plan, struct plan_event *event)
{
	event->part_count = 0;
	for (size_t i = 0; i < event->evsel.spec_count; i++)
		add_event_spec(plan, event, i);
}

/*
 * All new events of a PMU: mostly they fit, and then all is known of each of them. The kernel takes
 * some ms to add the first counter to a group that a software event leads (synchronize_rcu()).
 */
static void try_together(struct making *making, size_t pmu)
{
	struct plan *plan = making->plan;
	const size_t kind = is_for_tasks(plan) ? 0 : pmu;
	const struct trial_scope scope = scope_of(plan, kind, pmu);
	const struct event_spec *specs[GROUP_MEMBERS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < plan->layout.event_count && count < GROUP_MEMBERS_MAX; i++) {
		const struct plan_part *part = part_find(plan, i, kind, pmu);

		if (is_untried(plan, i) && part)
			specs[count++] = part_spec(plan, i, part);
	}
	if (count > 1)
		trials_try(making->trials, &scope, specs, count);
}

/* Hardware events are tried alone. */
static void try_parts(struct making *making, size_t index)
{
	struct plan *plan = making->plan;
	struct plan_event *event = &plan->events[index];

	for (size_t i = 0; i < event->part_count && making->shortage == 0; i++) {
		struct plan_part *part = &event->parts[i];
		const struct event_spec *spec = part_spec(plan, index, part);
		const struct trial_scope scope = scope_of(plan, part->kind, part->pmu);
		int errno_value;

		if (part->pmu != NO_PMU &&
		    (errno_value = trials_try(making->trials, &scope, &spec, 1)) != 0)
			part_refuse(making, index, part, errno_value);
	}
}

/*
 * Tries software events together: where they share something (breakpoints do) it shows. What is
 * refused is taken out until the rest opens.
 */
static void try_software(struct making *making, size_t kind, size_t *events, size_t count)
{
	struct plan *plan = making->plan;
	const struct trial_scope scope = scope_of(plan, kind, NO_PMU);
	const struct event_spec *specs[GROUP_MEMBERS_MAX];
	struct plan_part *parts[GROUP_MEMBERS_MAX];

	while (count > 0 && making->shortage == 0) {
		int failed = -1, errno_value;
		size_t at;

		for (size_t i = 0; i < count; i++) {
			parts[i] = part_find(plan, events[i], kind, NO_PMU);
			specs[i] = part_spec(plan, events[i], parts[i]);
		}
		errno_value = trials_try_software(making->trials, &scope, specs, count, &failed);
		if (errno_value == 0)
			return;
		at = failed >= 0 ? (size_t)failed : count - 1;
		part_refuse(making, events[at], parts[at], errno_value);
		count--;
		memmove(&events[at], &events[at + 1], (count - at) * sizeof(*events));
	}
}

/* As many at a time as a group has room for. */
static void try_new_software(struct making *making, size_t kind)
{
	struct plan *plan = making->plan;
	size_t next = 0;

	while (next < plan->layout.event_count && making->shortage == 0) {
		size_t events[GROUP_MEMBERS_MAX], count = 0;

		for (; next < plan->layout.event_count && count < GROUP_MEMBERS_MAX; next++)
			if (is_untried(plan, next) && part_is_available(plan, next, kind, NO_PMU))
				events[count++] = next;
		try_software(making, kind, events, count);
	}
}

/* Brings the list of events in line with the set; what is new is tried. */
static void parts_take_events(struct making *making)
{
	struct plan *plan = making->plan;
	struct layout *layout = &plan->layout;

	for (size_t i = 0; i < layout->event_count; i++)
		layout->events[i].is_removed = true;
	for (size_t i = 0; i < making->set->count; i++) {
		const struct evsel *evsel = &making->set->evsels[i];
		int index = layout_find_event(layout, evsel->name);
		struct event *event;

		if (index < 0) {
			index = (int)layout_add_event(layout, evsel->name);
			plan->events =
				xrealloc(plan->events, layout->event_count, sizeof(*plan->events));
			plan->events[index] = (struct plan_event){.evsel = *evsel};
		}
		event = &layout->events[index];
		if (!plan->events[index].was_tried)
			plan->events[index].evsel = *evsel;
		plan->events[index].evsel.only_in_braces = evsel->only_in_braces;
		event->is_removed = false;
		event->scale = evsel->specs[0].scale != 0 ? evsel->specs[0].scale : 1;
		event->is_clock = evsel->specs[0].is_clock;
		snprintf(event->unit, sizeof(event->unit), "%s", evsel->specs[0].unit);
	}
	for (size_t i = 0; i < layout->event_count; i++)
		if (is_untried(plan, i))
			add_event_parts(plan, &plan->events[i]);
	for (size_t pmu = 0; pmu < plan->core_count; pmu++)
		try_together(making, pmu);
	for (size_t i = 0; i < layout->event_count && making->shortage == 0; i++)
		if (is_untried(plan, i))
			try_parts(making, i);
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		try_new_software(making, kind);
}

/* An event that was taken out and comes back is tried anew. */
static void parts_forget_removed(struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.event_count; i++)
		plan->events[i].was_tried = !plan->layout.events[i].is_removed;
}

/* How many copies of the event the PMU counts at once; it is found out for the words about it. */
static size_t find_counters(struct making *making, size_t event, const struct plan_part *part)
{
	struct trial_scope scope = scope_of(making->plan, part->kind, part->pmu);
	const struct event_spec *copies[GROUP_MEMBERS_MAX];
	size_t fitting = 1, beyond = GROUP_MEMBERS_MAX + 1;

	scope.is_hasty = true;
	for (size_t i = 0; i < GROUP_MEMBERS_MAX; i++)
		copies[i] = part_spec(making->plan, event, part);
	while (fitting + 1 < beyond) {
		size_t middle = fitting * 2 < beyond ? fitting * 2 : (fitting + beyond) / 2;

		if (trials_try(making->trials, &scope, copies, middle) == 0)
			fitting = middle;
		else
			beyond = middle;
	}
	return fitting;
}

/*
 * Cycles and instructions often have counters of their own that count nothing else, and these are
 * mostly asked for first: the last event shows best how many counters there are for any event.
 */
static void parts_count_counters(struct making *making)
{
	struct plan *plan = making->plan;

	for (size_t pmu = 0; pmu < plan->core_count; pmu++) {
		for (size_t i = plan->layout.event_count; i-- > 0;) {
			const size_t kind = is_for_tasks(plan) ? 0 : pmu;

			if (plan->pmus[pmu].counters != 0 || making->shortage != 0)
				break;
			if (part_is_available(plan, i, kind, pmu))
				plan->pmus[pmu].counters =
					find_counters(making, i, part_find(plan, i, kind, pmu));
		}
	}
}

/* --- what is available is put into groups */

/* Events on one kind of CPU and PMU; bit n of a set stands for events[n]. */
struct selection {
	struct making *making;
	size_t kind, pmu;
	size_t events[PACK_EVENTS_MAX];
	size_t count;
};

static struct plan_part *part_at(const struct selection *selection, size_t index)
{
	return part_find(selection->making->plan, selection->events[index], selection->kind,
			 selection->pmu);
}

/* The events of a set as specs; returns how many. */
static size_t list_specs(const struct selection *selection, uint64_t bits,
			 const struct event_spec *specs[static PACK_EVENTS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < selection->count; i++)
		if ((bits >> i & 1) != 0)
			specs[count++] = part_spec(selection->making->plan, selection->events[i],
						   part_at(selection, i));
	return count;
}

static void pack_software(struct making *making, size_t kind)
{
	struct plan *plan = making->plan;
	struct layout *layout = &plan->layout;
	size_t group = layout->kinds[kind].clock;

	for (size_t i = 0; i < layout->event_count; i++) {
		if (layout->events[i].is_removed || !part_is_available(plan, i, kind, NO_PMU))
			continue;
		if (layout->groups[group].count == GROUP_MEMBERS_MAX &&
		    layout_has_room(layout, kind, TURN_ALWAYS))
			group = layout_add_group(layout, kind, TURN_ALWAYS);
		if (layout->groups[group].count < GROUP_MEMBERS_MAX)
			layout_add_counter(layout, group, i);
		else
			part_refuse_for(making, i, part_find(plan, i, kind, NO_PMU),
					ERROR_EVENT_TOO_MANY);
	}
}

/* Whether the set of events counts together. */
static bool selection_fits(void *context, uint64_t bits)
{
	const struct selection *selection = context;
	struct making *making = selection->making;
	const struct trial_scope scope = scope_of(making->plan, selection->kind, selection->pmu);
	const struct event_spec *specs[PACK_EVENTS_MAX];
	const size_t count = list_specs(selection, bits, specs);
	int errno_value;

	if (making->shortage != 0 || (trials_count(making->trials) > TRIALS_MAX &&
				      !trials_know(making->trials, &scope, specs, count)))
		return false;
	errno_value = trials_try(making->trials, &scope, specs, count);
	if (sys_is_shortage(errno_value))
		making->shortage = errno_value;
	return errno_value == 0;
}

/* Those of the weak group that are selected; 0 where fewer than two are. */
static uint64_t bits_of(const struct selection *selection, const struct weak_group *weak)
{
	const struct layout *layout = &selection->making->plan->layout;
	uint64_t bits = 0;

	for (size_t i = 0; i < weak->count; i++)
		for (size_t j = 0; j < selection->count; j++)
			if (strcmp(layout->events[selection->events[j]].name, weak->names[i]) == 0)
				bits |= UINT64_C(1) << j;
	return (bits & (bits - 1)) != 0 ? bits : 0;
}

/*
 * New events in braces that no group can hold are refused together, but for those that are asked
 * for without braces, too.
 */
static void refuse_large_braces(struct selection *selection)
{
	struct making *making = selection->making;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		const uint64_t bits = weak->must ? bits_of(selection, weak) : 0;
		size_t kept = 0;

		if (bits == 0 || selection_fits(selection, bits) || making->shortage != 0)
			continue;
		for (size_t j = 0; j < selection->count; j++) {
			const size_t event = selection->events[j];
			const struct plan_event *tried = &making->plan->events[event];

			if ((bits >> j & 1) != 0 && tried->evsel.only_in_braces &&
			    !tried->was_tried)
				part_refuse_for(making, event, part_at(selection, j),
						ERROR_EVENT_BRACES);
			else
				selection->events[kept++] = event;
		}
		selection->count = kept;
	}
}

static size_t list_weak_groups(struct selection *selection, struct pack_weak_group *weak_groups)
{
	const struct event_set *set = selection->making->set;
	size_t count = 0;

	for (size_t i = 0; i < set->weak_group_count; i++) {
		const bool must = set->weak_groups[i].must;
		const uint64_t bits = bits_of(selection, &set->weak_groups[i]);

		if (bits != 0 && (!must || selection_fits(selection, bits)))
			weak_groups[count++] = (struct pack_weak_group){bits, must};
	}
	return count;
}

static void make_packing(struct selection *selection, struct packing *packing)
{
	struct pack_weak_group *weak_groups =
		xcalloc(selection->making->set->weak_group_count, sizeof(*weak_groups));
	const struct pack_problem problem = {
		.events = selection->count == PACK_EVENTS_MAX
				  ? UINT64_MAX
				  : (UINT64_C(1) << selection->count) - 1,
		.weak_groups = weak_groups,
		.weak_group_count = list_weak_groups(selection, weak_groups),
		.fits = selection_fits,
		.context = selection,
	};

	pack(packing, &problem);
	free(weak_groups);
}

/* It has a counter already, in another group of its turn. */
static bool is_in_group(const struct selection *selection, size_t index)
{
	const struct layout *layout = &selection->making->plan->layout;

	for (size_t g = 0; g < layout->group_count; g++)
		if (layout->groups[g].kind == selection->kind &&
		    layout->groups[g].rotation == part_rotation(selection->pmu) &&
		    layout_counter_in(layout, selection->events[index], g))
			return true;
	return false;
}

/* An event that no group has room for is refused. */
static void open_packed(const struct selection *selection, uint64_t bits)
{
	struct layout *layout = &selection->making->plan->layout;
	const uint16_t rotation = part_rotation(selection->pmu);
	const bool has_room = layout_has_room(layout, selection->kind, rotation);
	const size_t group =
		has_room ? layout_add_group(layout, selection->kind, rotation) : SIZE_MAX;

	for (size_t i = 0; i < selection->count; i++) {
		if ((bits >> i & 1) == 0)
			continue;
		if (has_room)
			layout_add_counter(layout, group, selection->events[i]);
		else if (!is_in_group(selection, i))
			part_refuse_for(selection->making, selection->events[i],
					part_at(selection, i), ERROR_EVENT_TOO_MANY);
	}
}

/*
 * Adds the events to the clock's group where one group holds them all and the clock's has room. On
 * a machine with several kinds of CPU the clocks stay apart.
 */
static bool joins_clock(const struct selection *selection, const struct packing *packing)
{
	struct plan *plan = selection->making->plan;
	const size_t clock = plan->layout.kinds[selection->kind].clock;
	struct event_group *group = &plan->layout.groups[clock];

	if (packing->count != 1 || plan->layout.kind_count > 1 || plan->is_contended ||
	    is_for_tasks(plan) || selection->pmu >= plan->core_count ||
	    group->count + selection->count > GROUP_MEMBERS_MAX)
		return false;
	for (size_t i = 0; i < selection->count; i++)
		layout_add_counter(&plan->layout, clock, selection->events[i]);
	group->needs_counters = true;
	return true;
}

/* The software is in front of the hardware. */
void plan_note_contention(struct plan *plan)
{
	struct layout *layout = &plan->layout;
	const size_t clock = layout->kinds[0].clock;
	const struct event_group before = layout->groups[clock];
	const size_t group = layout_add_group(layout, 0, part_rotation(0));
	size_t software = 0;

	while (software < before.count &&
	       plan_spec_at(plan, clock, software)->class != EVENT_CLASS_HARDWARE)
		software++;
	for (size_t i = software; i < before.count; i++) {
		layout_drop_last_counter(layout, clock);
		layout_add_counter(layout, group, layout->counters[before.counters[i]].event);
	}
	layout->groups[clock].needs_counters = false;
	plan->is_contended = true;
	for (size_t g = 0; g < layout->group_count; g++)
		layout->groups[g].generation++;
}

static void select_hardware(struct selection *selection)
{
	struct making *making = selection->making;
	struct plan *plan = making->plan;

	for (size_t i = 0; i < plan->layout.event_count; i++) {
		if (plan->layout.events[i].is_removed ||
		    !part_is_available(plan, i, selection->kind, selection->pmu))
			continue;
		if (selection->count < PACK_EVENTS_MAX)
			selection->events[selection->count++] = i;
		else
			part_refuse_for(making, i,
					part_find(plan, i, selection->kind, selection->pmu),
					ERROR_EVENT_TOO_MANY);
	}
}

static void pack_hardware(struct making *making, size_t kind, size_t pmu)
{
	struct selection selection = {.making = making, .kind = kind, .pmu = pmu};
	struct packing packing;

	select_hardware(&selection);
	refuse_large_braces(&selection);
	make_packing(&selection, &packing);
	if (making->shortage != 0)
		return;
	if (joins_clock(&selection, &packing))
		return;
	for (size_t i = 0; i < packing.count; i++)
		open_packed(&selection, packing.groups[i]);
}

static void refuse_mixed_braces(struct making *making)
{
	struct plan *plan = making->plan;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		size_t first = NO_PMU;

		for (size_t j = 0; j < weak->count && weak->must; j++) {
			const size_t event =
				(size_t)layout_find_event(&plan->layout, weak->names[j]);
			struct plan_part *part = &plan->events[event].parts[0];

			if (plan->events[event].part_count == 0 || part->pmu == NO_PMU)
				continue;
			if (first == NO_PMU)
				first = part->pmu;
			if (part->pmu != first && part->errno_value == 0)
				part_refuse_for(making, event, part, ERROR_EVENT_BRACES_PMU);
		}
	}
}

/* The clocks stay, without members. */
static void close_groups(struct layout *layout)
{
	for (size_t g = 0; g < layout->group_count; g++) {
		const bool is_clock = layout_is_clock(layout, g);

		layout_close_group(layout, g);
		layout->groups[g].needs_counters = false;
		layout->groups[g].is_open = is_clock;
	}
}

static bool is_same_group(const struct event_group *a, const struct event_group *b)
{
	return a->is_open == b->is_open && a->count == b->count &&
	       memcmp(a->counters, b->counters, a->count * sizeof(*a->counters)) == 0;
}

/* The groups go on where all of them have the events that they had; otherwise none does. */
static void keep_generations(struct layout *layout, const struct layout *before)
{
	bool is_same = layout->group_count == before->group_count;

	for (size_t g = 0; g < before->group_count && is_same; g++)
		is_same = is_same_group(&layout->groups[g], &before->groups[g]);
	for (size_t g = 0; g < before->group_count; g++)
		layout->groups[g].generation = before->groups[g].generation + !is_same;
}

static void make_groups(struct making *making)
{
	struct plan *plan = making->plan;
	struct layout before;

	layout_copy(&before, &plan->layout);
	close_groups(&plan->layout);
	for (size_t kind = 0; kind < plan->layout.kind_count; kind++) {
		pack_software(making, kind);
		for (size_t pmu = 0; pmu < plan->pmu_count; pmu++)
			if (pmu >= plan->core_count || is_for_tasks(plan) || pmu == kind)
				pack_hardware(making, kind, pmu);
	}
	keep_generations(&plan->layout, &before);
	layout_fini(&before);
}

/* --- what becomes of each event */

static size_t count_open_groups(const struct layout *layout, size_t kind, uint16_t rotation)
{
	size_t count = 0;

	for (size_t g = 0; g < layout->group_count; g++)
		count += layout->groups[g].is_open && layout->groups[g].kind == kind &&
			 layout->groups[g].rotation == rotation;
	return count;
}

/* Where some kinds of CPU count the event and others do not: which ones, and why. */
static void name_gaps(const struct plan *plan, const struct plan_event *tried, struct event *event)
{
	for (size_t i = 0; i < tried->part_count; i++) {
		const struct plan_part *part = &tried->parts[i];
		const char *where = part->pmu == NO_PMU ? plan->layout.kinds[part->kind].name
							: plan->pmus[part->pmu].name;
		size_t used = strlen(event->reason);

		if (part->errno_value != 0)
			snprintf(event->reason + used, sizeof(event->reason) - used,
				 "%snot counted on %s: %s", used > 0 ? "; " : "", where,
				 part->reason);
	}
}

static void set_counted(const struct plan *plan, const struct plan_event *tried,
			struct event *event)
{
	size_t turns = 1;

	for (size_t i = 0; i < tried->part_count; i++) {
		const struct plan_part *part = &tried->parts[i];
		size_t groups = part->pmu == NO_PMU || part->errno_value != 0
					? 1
					: count_open_groups(&plan->layout, part->kind,
							    part_rotation(part->pmu));

		turns = groups > turns ? groups : turns;
	}
	event->state = turns > 1 ? EVENT_MULTIPLEXED : EVENT_COUNTING;
	if (turns > 1)
		snprintf(event->reason, sizeof(event->reason),
			 "more events than counters: %zu groups take turns", turns);
	name_gaps(plan, tried, event);
}

static void set_state(struct plan *plan, size_t index)
{
	const struct plan_event *tried = &plan->events[index];
	struct event *event = &plan->layout.events[index];

	event->reason[0] = '\0';
	event->state = EVENT_UNSUPPORTED;
	for (size_t i = 0; i < tried->part_count; i++) {
		if (tried->parts[i].errno_value == 0) {
			set_counted(plan, tried, event);
			return;
		}
	}
	if (tried->part_count == 0) {
		snprintf(event->reason, sizeof(event->reason),
			 "no CPU that is watched has its PMU");
		return;
	}
	if (tried->parts[0].is_denied)
		event->state = EVENT_DENIED;
	snprintf(event->reason, sizeof(event->reason), "%s", tried->parts[0].reason);
}

bool plan_change(struct plan *plan, const struct event_set *set, struct trials *trials,
		 struct error *error)
{
	struct making making = {.plan = plan, .set = set, .trials = trials};
	struct plan_part any = {.pmu = NO_PMU};

	parts_forget_removed(plan);
	parts_take_events(&making);
	refuse_mixed_braces(&making);
	if (making.shortage == 0)
		make_groups(&making);
	if (making.shortage == 0)
		parts_count_counters(&making);
	if (making.shortage != 0) {
		any.errno_value = making.shortage;
		part_explain(&making, &any, "trying the events", NULL, error);
		return false;
	}
	for (size_t i = 0; i < plan->layout.event_count; i++)
		if (!plan->layout.events[i].is_removed)
			set_state(plan, i);
	return true;
}

static void add_core_pmu(struct plan *plan, const struct event_core_pmu *pmu)
{
	struct plan_pmu *added = &plan->pmus[plan->pmu_count++];

	if (!pmu)
		return;
	snprintf(added->name, sizeof(added->name), "%s", pmu->name);
	snprintf(added->cpus, sizeof(added->cpus), "%s", pmu->cpus ? pmu->cpus : "");
}

/* Each kind of CPU has a group that is always on, before anything else has one. */
static void init_kinds(struct plan *plan, const struct plan_setup *setup)
{
	struct layout *layout = &plan->layout;

	layout_init(layout);
	for (size_t i = 0; i < setup->pmu_count && i < LAYOUT_KINDS_MAX; i++)
		add_core_pmu(plan, &setup->pmus[i]);
	if (setup->pmu_count == 0)
		add_core_pmu(plan, NULL);
	plan->core_count = plan->pmu_count;
	for (size_t i = 0; i < setup->absent_count && i < LAYOUT_KINDS_MAX; i++)
		snprintf(plan->absent[plan->absent_count++], sizeof(plan->absent[i]), "%s",
			 setup->absent[i].name);
	for (size_t i = 0; i < setup->target_count && i < LAYOUT_KINDS_MAX; i++) {
		plan->targets[i] = setup->targets[i];
		if (i > 0)
			layout->kinds[i].clock = (uint16_t)layout_add_group(layout, i, TURN_ALWAYS);
		if (setup->target_count == setup->pmu_count)
			snprintf(layout->kinds[i].name, sizeof(layout->kinds[i].name), "%s",
				 setup->pmus[i].name);
		layout->kind_count = i + 1;
	}
}

bool plan_make(struct plan *plan, const struct plan_setup *setup, const struct event_set *set,
	       struct trials *trials, struct error *error)
{
	struct making making = {.plan = plan, .set = set, .trials = trials};
	struct plan_part clock = {.pmu = NO_PMU};
	const struct trial_scope scope = {.target = setup->targets[0]};
	int failed;

	*plan = (struct plan){0};
	init_kinds(plan, setup);
	clock.errno_value = trials_try_software(trials, &scope, NULL, 0, &failed);
	if (clock.errno_value != 0) {
		part_explain(&making, &clock,
			     is_for_tasks(plan) ? "counting tasks" : "system-wide counting", NULL,
			     error);
		goto failed;
	}
	if (plan_change(plan, set, trials, error))
		return true;
failed:
	plan_fini(plan);
	return false;
}

void plan_fini(struct plan *plan)
{
	free(plan->events);
	layout_fini(&plan->layout);
	*plan = (struct plan){0};
}

void plan_copy(struct plan *copy, const struct plan *plan)
{
	*copy = *plan;
	layout_copy(&copy->layout, &plan->layout);
	copy->events = xcalloc(plan->layout.event_count, sizeof(*copy->events));
	if (plan->layout.event_count > 0)
		memcpy(copy->events, plan->events,
		       plan->layout.event_count * sizeof(*copy->events));
}

bool plan_has_hardware(const struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.group_count; i++)
		if (plan->layout.groups[i].is_open &&
		    (plan->layout.groups[i].rotation != TURN_ALWAYS ||
		     plan->layout.groups[i].needs_counters))
			return true;
	return false;
}

size_t plan_steady_group(const struct plan *plan, size_t kind)
{
	const size_t clock = plan->layout.kinds[kind].clock;
	size_t found = SIZE_MAX;

	if (plan->is_contended || (is_for_tasks(plan) && plan->core_count > 1))
		return SIZE_MAX;
	if (plan->layout.groups[clock].needs_counters)
		return clock;
	for (size_t i = 0; i < plan->layout.group_count; i++) {
		const struct event_group *group = &plan->layout.groups[i];

		if (!group->is_open || group->kind != kind ||
		    group->rotation != part_rotation(kind))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX; /* they take turns */
		found = i;
	}
	return found;
}

size_t plan_descriptors(const struct plan *plan, size_t kind)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->layout.group_count; i++)
		if (plan->layout.groups[i].is_open && plan->layout.groups[i].kind == kind)
			count += 1 + plan->layout.groups[i].count;
	return count;
}

void plan_describe_pmus(const struct plan *plan, const struct host *host, struct session *session)
{
	char *text = session->pmu_words;
	const size_t size = sizeof(session->pmu_words);
	size_t used = 0;

	text[0] = '\0';
	session->has_pmu = plan_has_hardware(plan);
	if (!session->has_pmu) {
		host_explain_no_pmu(host, text, size);
		return;
	}
	for (size_t i = 0; i < plan->core_count && used < size; i++) {
		const struct plan_pmu *pmu = &plan->pmus[i];

		if (pmu->counters == 0)
			continue;
		snprintf(text + used, size - used, "%s%s PMU, %zu counter%s", used > 0 ? "; " : "",
			 pmu->name[0] != '\0' ? pmu->name : "cpu", pmu->counters,
			 units_plural(pmu->counters));
		used = strlen(text);
	}
	if (plan->targets[0].exclude_kernel)
		snprintf(text + used, size - used, ", user mode only");
}

const struct event_spec *plan_spec_at(const struct plan *plan, size_t group, size_t member)
{
	const struct event_group *scope = &plan->layout.groups[group];
	const struct plan_event *event;

	if (group >= plan->layout.group_count || member >= scope->count)
		return NULL;
	event = &plan->events[plan_event_at(plan, group, member)];
	for (size_t i = 0; i < event->part_count; i++) {
		const struct plan_part *part = &event->parts[i];

		if (part->kind == scope->kind &&
		    (part_rotation(part->pmu) == scope->rotation ||
		     (part->pmu < plan->core_count && layout_is_clock(&plan->layout, group))))
			return &event->evsel.specs[part->spec];
	}
	return NULL;
}

struct group_request plan_group_request(const struct plan *plan, size_t group,
					const struct plan_target *target)
{
	struct group_request request = {
		.leader = target->leader,
		.tracepoint = target->tracepoint,
		.pid = target->pid,
		.cpu = target->cpu,
		.count = plan->layout.groups[group].count,
		.exclude_kernel = target->exclude_kernel,
		.enable_on_exec = target->enable_on_exec,
	};

	for (size_t i = 0; i < request.count; i++)
		request.specs[i] = plan_spec_at(plan, group, i);
	return request;
}

size_t plan_event_at(const struct plan *plan, size_t group, size_t member)
{
	return plan->layout.counters[plan->layout.groups[group].counters[member]].event;
}

bool plan_has_same_groups(const struct plan *before, const struct plan *after)
{
	if (before->layout.group_count != after->layout.group_count)
		return false;
	for (size_t i = 0; i < after->layout.group_count; i++)
		if (before->layout.groups[i].generation != after->layout.groups[i].generation)
			return false;
	return true;
}
