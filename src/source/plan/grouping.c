/*
 * Groups are made for each kind of CPU: software first, then PMU by PMU (pack.h). They take the
 * places of those that were there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/plan/making.h"
#include "source/plan/pack.h"

enum {
	TRIALS_MAX = 400 /* openings for one change */
};

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

static void remove_at(struct selection *selection, size_t index)
{
	selection->count--;
	memmove(&selection->events[index], &selection->events[index + 1],
		(selection->count - index) * sizeof(*selection->events));
}

static struct trial_scope scope_of(const struct selection *selection)
{
	const struct plan_part part = {.kind = selection->kind, .pmu = selection->pmu};

	return part_scope(selection->making->plan, &part);
}

/* --- software */

/*
 * Tries software events together: where they share something (breakpoints do) it shows. What is
 * refused is taken out until the rest opens.
 */
static void try_software(struct selection *selection)
{
	struct making *making = selection->making;
	const struct trial_scope scope = scope_of(selection);
	const struct event_spec *specs[PACK_EVENTS_MAX];

	while (selection->count > 0 && making->shortage == 0) {
		const size_t count = list_specs(selection, UINT64_MAX, specs);
		int failed = -1;
		int errno_value =
			trials_try_software(making->trials, &scope, specs, count, &failed);
		size_t at = failed >= 0 ? (size_t)failed : count - 1;

		if (errno_value == 0)
			return;
		part_refuse(making, selection->events[at], part_at(selection, at), errno_value);
		remove_at(selection, at);
	}
}

/* As many new software events as can be tried together, from event *next on. */
static void select_new_software(struct selection *selection, size_t *next)
{
	struct plan *plan = selection->making->plan;

	for (; *next < plan->layout.event_count && selection->count < GROUP_MEMBERS_MAX; ++*next)
		if (!plan->layout.events[*next].is_removed && !plan->events[*next].was_tried &&
		    part_is_available(plan, *next, selection->kind, NO_PMU))
			selection->events[selection->count++] = *next;
}

static void try_new_software(struct making *making, size_t kind)
{
	size_t next = 0;

	while (next < making->plan->layout.event_count && making->shortage == 0) {
		struct selection selection = {.making = making, .kind = kind, .pmu = NO_PMU};

		select_new_software(&selection, &next);
		try_software(&selection);
	}
}

static void pack_software(struct making *making, size_t kind)
{
	struct plan *plan = making->plan;
	struct layout *layout = &plan->layout;
	size_t group = layout->kinds[kind].clock;

	try_new_software(making, kind);
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

/* --- hardware */

/* Whether the set of events counts together. */
static bool fits(void *context, uint64_t bits)
{
	const struct selection *selection = context;
	struct making *making = selection->making;
	const struct trial_scope scope = scope_of(selection);
	const struct event_spec *specs[PACK_EVENTS_MAX];
	const size_t count = list_specs(selection, bits, specs);
	int errno_value;

	if (making->shortage != 0 || (trials_count(making->trials) > TRIALS_MAX &&
				      !trials_know(making->trials, &scope, specs, count)))
		return false;
	errno_value = trials_try(making->trials, &scope, specs, count);
	if (errno_value == EMFILE || errno_value == ENFILE)
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

/* Whether the event is asked for only in braces, and did not count before. */
static bool goes_with_its_braces(const struct selection *selection, size_t event)
{
	const struct plan *plan = selection->making->plan;

	return plan->events[event].evsel.only_in_braces && !plan->events[event].was_tried;
}

/* Events in braces that no group can hold are refused together. */
static void refuse_large_braces(struct selection *selection)
{
	struct making *making = selection->making;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		const uint64_t bits = weak->must ? bits_of(selection, weak) : 0;

		if (bits == 0 || fits(selection, bits) || making->shortage != 0)
			continue;
		for (size_t j = selection->count; j-- > 0;) {
			const size_t event = selection->events[j];

			if ((bits >> j & 1) == 0 || !goes_with_its_braces(selection, event))
				continue;
			part_refuse_for(making, event, part_at(selection, j), ERROR_EVENT_BRACES);
			remove_at(selection, j);
		}
	}
}

static size_t list_weak_groups(struct selection *selection, struct pack_weak_group *weak_groups)
{
	const struct event_set *set = selection->making->set;
	size_t count = 0;

	for (size_t i = 0; i < set->weak_group_count; i++) {
		const bool must = set->weak_groups[i].must;
		const uint64_t bits = bits_of(selection, &set->weak_groups[i]);

		if (bits != 0 && (!must || fits(selection, bits)))
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
		.fits = fits,
		.context = selection,
	};

	pack(packing, &problem);
	free(weak_groups);
}

/* It has a counter already, in another group of its turn. */
static bool is_counted(const struct selection *selection, size_t index)
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
		else if (!is_counted(selection, i))
			part_refuse_for(selection->making, selection->events[i],
					part_at(selection, i), ERROR_EVENT_TOO_MANY);
	}
}

/* --- hardware in the clock group */

/*
 * Where one group holds all, and the clock group has room for them, they are in that. Of machines
 * with one kind of CPU; one whose kinds differ keeps its clocks apart.
 */
static bool shares_clock(const struct selection *selection, const struct packing *packing)
{
	struct plan *plan = selection->making->plan;
	const size_t clock = plan->layout.kinds[selection->kind].clock;
	struct event_group *group = &plan->layout.groups[clock];

	if (packing->count != 1 || plan->layout.kind_count > 1 || plan->is_contended ||
	    plan_is_for_tasks(plan) || selection->pmu >= plan->core_count ||
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
	if (shares_clock(&selection, &packing))
		return;
	for (size_t i = 0; i < packing.count; i++)
		open_packed(&selection, packing.groups[i]);
}

void grouping_refuse_mixed_braces(struct making *making)
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

void grouping_make(struct making *making)
{
	struct plan *plan = making->plan;
	struct layout before;

	layout_copy(&before, &plan->layout);
	close_groups(&plan->layout);
	for (size_t kind = 0; kind < plan->layout.kind_count; kind++) {
		pack_software(making, kind);
		for (size_t pmu = 0; pmu < plan->pmu_count; pmu++)
			if (pmu >= plan->core_count || plan_is_for_tasks(plan) || pmu == kind)
				pack_hardware(making, kind, pmu);
	}
	keep_generations(&plan->layout, &before);
	layout_fini(&before);
}
